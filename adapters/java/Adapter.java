// Write a normcert adapter in Java: copy this file next to your own.
//
//     import java.util.List;
//
//     public class MyAdapter {
//         public static void main(String[] args) throws Exception {
//             new Adapter("acme-norm", "2.1.0")
//                 .metric("squad", new Adapter.Metric(List.of("normalize")))
//                 .normalize((metric, options, text) -> Acme.normalize(text)) // yours
//                 .serve();
//         }
//     }
//
//     javac -d out Adapter.java MyAdapter.java
//     normcert certify -- java -cp out MyAdapter
//
// It speaks the protocol of adapters/PROTOCOL.md: stdin and stdout are its own,
// and what you print goes to stderr. Java 17 or newer, no libraries.

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public final class Adapter {
    /**
     * Says what you answer for a metric.
     *
     * @param answers "normalize" and the scores you give, such as "exact_match" and "f1"
     * @param handles what you take beside one item with a prediction and a reference: batch,
     *     unanswered, repeated-id, no-references, names of options
     * @param scale your own top score, 1 or 100; null is upstream's
     * @param pins the upstreams you mean to be equal to; none is the metric's default pin
     */
    public record Metric(List<String> answers, List<String> handles, Integer scale, List<String> pins) {
        public Metric(List<String> answers) {
            this(answers, List.of(), null, List.of());
        }
    }

    /**
     * A prediction with its references. prediction is null where the item is unanswered;
     * noAnswerProbability is sent to squad_v2 only.
     */
    public record Item(String id, String prediction, List<String> references, double noAnswerProbability) {}

    /** Returns the normalized text. Options are Boolean, Double, String or a List of String. */
    public interface Normalize {
        String normalize(String metric, Map<String, Object> options, String text) throws Exception;
    }

    /** Returns the scores of the items as one batch. */
    public interface Score {
        Map<String, Double> score(String metric, Map<String, Object> options, List<Item> items) throws Exception;
    }

    /**
     * Throw it where your metric refuses an input, as upstream does by raising. kind is
     * invalid_regex, no_references, empty_input, missing_prediction, or null. Anything else you
     * throw counts as a crash.
     */
    @SuppressWarnings("serial")
    public static final class Refused extends RuntimeException {
        final String kind;

        public Refused(String kind, String message) {
            super(message);
            this.kind = kind;
        }
    }

    /** Throw it, with the reason, where you honestly do not do this. */
    @SuppressWarnings("serial")
    public static final class Unsupported extends RuntimeException {
        public Unsupported(String why) {
            super(why);
        }
    }

    private final String name;
    private final String version;
    private final Map<String, Metric> metrics = new TreeMap<>();
    private String wraps;
    private Normalize normalize;
    private Score score;

    public Adapter(String name, String version) {
        this.name = name;
        this.version = version;
    }

    public Adapter metric(String metric, Metric support) {
        metrics.put(metric, support);
        return this;
    }

    /** Which function of which version was wrapped: "acme.normalize 2.1.0". */
    public Adapter wraps(String function) {
        wraps = function;
        return this;
    }

    public Adapter normalize(Normalize function) {
        normalize = function;
        return this;
    }

    public Adapter score(Score function) {
        score = function;
        return this;
    }

    /** Answers requests until normcert closes stdin, and then returns. */
    public void serve() throws Exception {
        OutputStream replies = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try {
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                Map<String, Object> request = object(new Json(line).document());
                Map<String, Object> reply = new LinkedHashMap<>();
                reply.put("id", request.get("id"));
                reply.putAll(reply(request));
                replies.write((write(reply) + "\n").getBytes(StandardCharsets.US_ASCII));
                replies.flush();
            }
        } catch (Throwable bug) {
            // Not a verdict about the input, but a bug: let it show as one, also
            // where another thread of yours would keep the program alive.
            bug.printStackTrace();
            System.exit(1);
        }
    }

    private Map<String, Object> reply(Map<String, Object> request) throws Exception {
        if ("hello".equals(request.get("op"))) {
            return hello();
        }
        try {
            return answer(request);
        } catch (Refused refused) {
            Map<String, Object> error = new LinkedHashMap<>();
            put(error, "kind", refused.kind);
            put(error, "message", refused.getMessage());
            return Map.of("error", error);
        } catch (Unsupported unsupported) {
            return Map.of("unsupported", String.valueOf(unsupported.getMessage()));
        }
    }

    private Map<String, Object> hello() {
        Map<String, Object> supports = new LinkedHashMap<>();
        metrics.forEach((metric, support) -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("answers", support.answers());
            fields.put("handles", support.handles());
            fields.put("pins", support.pins());
            put(fields, "scale", support.scale());
            supports.put(metric, fields);
        });
        Map<String, Object> hello = new LinkedHashMap<>();
        hello.put("name", name);
        put(hello, "version", version);
        hello.put("metrics", supports);
        hello.put("language", "Java " + System.getProperty("java.version"));
        put(hello, "wraps", wraps);
        return hello;
    }

    private Map<String, Object> answer(Map<String, Object> request) throws Exception {
        String op = (String) request.get("op");
        String metric = (String) request.get("metric");
        Map<String, Object> options = object(request.getOrDefault("options", Map.of()));
        if (!metrics.containsKey(metric)) {
            throw new Unsupported("no metric " + metric);
        }
        if ("normalize".equals(op) && normalize != null) {
            String text = normalize.normalize(metric, options, (String) request.get("text"));
            if (text == null) {
                throw new IllegalStateException("normalize returned null, which is not a string");
            }
            return Map.of("text", text);
        }
        if ("score".equals(op) && score != null) {
            List<Item> items = new ArrayList<>();
            for (Object item : (List<?>) request.get("items")) {
                items.add(item(object(item)));
            }
            return Map.of("scores", score.score(metric, options, items));
        }
        throw new Unsupported("no " + op);
    }

    private static Item item(Map<String, Object> fields) {
        List<String> references = new ArrayList<>();
        for (Object reference : (List<?>) fields.get("references")) {
            references.add((String) reference);
        }
        double probability = (Double) fields.getOrDefault("no_answer_probability", 0.0);
        return new Item((String) fields.get("id"), (String) fields.get("prediction"), references, probability);
    }

    private static void put(Map<String, Object> fields, String key, Object value) {
        if (value != null) {
            fields.put(key, value);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    /** JSON in ASCII. A whole number is written without a fraction, and NaN as "nan". */
    private static String write(Object value) {
        if (value instanceof Map<?, ?> map) {
            List<String> fields = new ArrayList<>();
            map.forEach((key, field) -> fields.add(quote((String) key) + ":" + write(field)));
            return "{" + String.join(",", fields) + "}";
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(",", list.stream().map(Adapter::write).toList()) + "]";
        }
        if (value instanceof Number number) {
            double real = number.doubleValue();
            if (Double.isNaN(real)) {
                return "\"nan\"";
            }
            if (Double.isInfinite(real)) {
                throw new IllegalStateException("an infinite score has no spelling");
            }
            return real == Math.rint(real) && Math.abs(real) < 1e15 ? String.valueOf((long) real) : String.valueOf(real);
        }
        if (value instanceof String text) {
            return quote(text);
        }
        throw new IllegalStateException(value + " has no place in a reply");
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            if (unit == '"' || unit == '\\') {
                out.append('\\').append(unit);
            } else if (unit < 0x20 || unit > 0x7e) {
                out.append(String.format("\\u%04x", (int) unit));
            } else {
                out.append(unit);
            }
        }
        return out.append('"').toString();
    }

    /** Reads one line of strict JSON: Map, List, String, Double, Boolean, null. */
    private static final class Json {
        private final String line;
        private int at;

        Json(String line) {
            this.line = line;
        }

        Object document() {
            Object value = value();
            if (at < line.length()) {
                throw wrong("nothing more");
            }
            return value;
        }

        private Object value() {
            space();
            Object value = switch (peek()) {
                case '{' -> fields();
                case '[' -> list();
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
            space();
            return value;
        }

        private Map<String, Object> fields() {
            Map<String, Object> map = new LinkedHashMap<>();
            at++;
            space();
            if (skip('}')) {
                return map;
            }
            do {
                space();
                String key = string();
                space();
                expect(':');
                map.put(key, value());
            } while (skip(','));
            expect('}');
            return map;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            at++;
            space();
            if (skip(']')) {
                return list;
            }
            do {
                list.add(value());
            } while (skip(','));
            expect(']');
            return list;
        }

        private String string() {
            expect('"');
            StringBuilder text = new StringBuilder();
            for (char unit = next(); unit != '"'; unit = next()) {
                if (unit < 0x20 || unit > 0x7e) {
                    throw wrong("an escape for what is not printable ASCII");
                }
                text.append(unit == '\\' ? escape() : unit);
            }
            return text.toString();
        }

        private char escape() {
            char letter = next();
            if (letter == 'u') {
                int begin = at;
                for (int i = 0; i < 4; i++) {
                    if (Character.digit(next(), 16) < 0) {
                        throw wrong("four hexadecimal digits");
                    }
                }
                return (char) Integer.parseInt(line.substring(begin, at), 16);
            }
            int index = "\"\\/bfnrt".indexOf(letter);
            if (index < 0) {
                throw wrong("an escape");
            }
            return "\"\\/\b\f\n\r\t".charAt(index);
        }

        private Double number() {
            int begin = at;
            while (at < line.length() && "+-.0123456789eE".indexOf(line.charAt(at)) >= 0) {
                at++;
            }
            String digits = line.substring(begin, at);
            if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
                throw wrong("a value");
            }
            return Double.valueOf(digits);
        }

        private Object word(String word, Object value) {
            if (!line.startsWith(word, at)) {
                throw wrong(word);
            }
            at += word.length();
            return value;
        }

        private void space() {
            while (at < line.length() && " \t\r\n".indexOf(line.charAt(at)) >= 0) {
                at++;
            }
        }

        private char peek() {
            return at < line.length() ? line.charAt(at) : 0;
        }

        private char next() {
            if (at == line.length()) {
                throw wrong("more");
            }
            return line.charAt(at++);
        }

        private boolean skip(char unit) {
            boolean there = peek() == unit;
            at += there ? 1 : 0;
            return there;
        }

        private void expect(char unit) {
            if (!skip(unit)) {
                throw wrong("'" + unit + "'");
            }
        }

        private IllegalArgumentException wrong(String wanted) {
            return new IllegalArgumentException("a request is not strict JSON: byte " + at + ": want " + wanted + ": " + line);
        }
    }
}
