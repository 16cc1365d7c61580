// An example: SQuAD's exact match and F1, equal to upstream in everything.
//
//     javac -d out Adapter.java Squad.java
//     normcert certify -- java -cp out Squad
//
// Upstream runs on CPython, so its lower case, spaces and word characters are
// Python's. Which characters are letters is the Java runtime's Unicode version
// here; it differs from Python's for characters that one of them does not know yet.

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class Squad {
    private static final Set<String> ARTICLES = Set.of("a", "an", "the");

    public static void main(String[] args) throws Exception {
        List<String> answers = List.of("normalize", "exact_match", "f1");
        List<String> conditions = List.of("batch", "unanswered", "repeated-id", "no-references");
        new Adapter("squad-java", "1")
            .metric("squad", new Adapter.Metric(answers, conditions, 100, List.of()))
            .normalize((metric, options, text) -> normalize(text))
            .score((metric, options, items) -> score(items))
            .serve();
    }

    /** Takes away case, ASCII punctuation, articles and odd spaces, in that order. */
    static String normalize(String text) {
        StringBuilder bare = new StringBuilder();
        lower(text).codePoints().filter(c -> !isPunctuation(c)).forEach(bare::appendCodePoint);
        List<String> tokens = new ArrayList<>();
        StringBuilder token = new StringBuilder();
        blankArticles(bare.toString()).codePoints().forEach(c -> {
            if (!isSpace(c)) {
                token.appendCodePoint(c);
            } else if (!token.isEmpty()) {
                tokens.add(token.toString());
                token.setLength(0);
            }
        });
        if (!token.isEmpty()) {
            tokens.add(token.toString());
        }
        return String.join(" ", tokens);
    }

    /** Puts a space in the place of each run of word characters that is an article. */
    static String blankArticles(String text) {
        StringBuilder out = new StringBuilder();
        StringBuilder word = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isWord(c)) {
                word.appendCodePoint(c);
                return;
            }
            out.append(ARTICLES.contains(word.toString()) ? " " : word).appendCodePoint(c);
            word.setLength(0);
        });
        return out.append(ARTICLES.contains(word.toString()) ? " " : word).toString();
    }

    /** The mean over the items. Of several predictions with one id the last counts. */
    static Map<String, Double> score(List<Adapter.Item> items) {
        if (items.isEmpty()) {
            throw new Adapter.Refused("empty_input", "there is nothing to take a mean of");
        }
        Map<String, String> answers = new HashMap<>();
        for (Adapter.Item item : items) {
            if (item.prediction() != null) {
                answers.put(item.id(), item.prediction());
            }
        }
        double exact = 0;
        double f1 = 0;
        for (Adapter.Item item : items) {
            if (!answers.containsKey(item.id())) {
                continue;
            }
            if (item.references().isEmpty()) {
                throw new Adapter.Refused("no_references", "the best of no references is not defined");
            }
            String prediction = normalize(answers.get(item.id()));
            double bestExact = 0;
            double bestF1 = 0;
            for (String raw : item.references()) {
                String reference = normalize(raw);
                bestExact = Math.max(bestExact, prediction.equals(reference) ? 1 : 0);
                bestF1 = Math.max(bestF1, tokenF1(tokens(prediction), tokens(reference)));
            }
            exact += bestExact;
            f1 += bestF1;
        }
        return Map.of("exact_match", 100 * exact / items.size(), "f1", 100 * f1 / items.size());
    }

    /** The tokens of a normalized text. */
    static List<String> tokens(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    /** Is 0 where no token is shared, also where there is none at all. */
    static double tokenF1(List<String> prediction, List<String> reference) {
        List<String> rest = new ArrayList<>(reference);
        double shared = prediction.stream().filter(rest::remove).count();
        if (shared == 0) {
            return 0;
        }
        double precision = shared / prediction.size();
        double recall = shared / reference.size();
        return 2 * precision * recall / (precision + recall);
    }

    /** What str.split() splits at. Character.isWhitespace lacks U+0085 and the no-break spaces. */
    static boolean isSpace(int c) {
        return Character.isWhitespace(c) || c == 0x85 || c == 0xa0 || c == 0x2007 || c == 0x202f;
    }

    /** The \w of a str: letters and numbers of every kind. Combining marks are not in it. */
    static boolean isWord(int c) {
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER, Character.LOWERCASE_LETTER, Character.TITLECASE_LETTER,
                Character.MODIFIER_LETTER, Character.OTHER_LETTER,
                Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
            default -> c == '_';
        };
    }

    /** The 32 characters of string.punctuation, symbols among them. */
    static boolean isPunctuation(int c) {
        return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~';
    }

    /**
     * What str.lower() does. String.toLowerCase looks for the end of a word in another way, and so
     * makes another letter of some sigmas.
     */
    static String lower(String text) {
        int[] all = text.codePoints().toArray();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < all.length; i++) {
            if (all[i] == 0x130) {
                out.append("i\u0307"); // the one character that becomes two
            } else if (all[i] == 0x3a3 && isFinal(all, i)) {
                out.append('\u03c2');
            } else {
                out.appendCodePoint(Character.toLowerCase(all[i]));
            }
        }
        return out.toString();
    }

    /** The condition Final_Sigma of the Unicode Standard, section 3.13. */
    static boolean isFinal(int[] all, int sigma) {
        int before = sigma - 1;
        while (before >= 0 && isCaseIgnorable(all[before])) {
            before--;
        }
        int after = sigma + 1;
        while (after < all.length && isCaseIgnorable(all[after])) {
            after++;
        }
        return before >= 0 && isCased(all[before]) && (after == all.length || !isCased(all[after]));
    }

    static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    static boolean isCaseIgnorable(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT,
                Character.MODIFIER_LETTER, Character.MODIFIER_SYMBOL -> true;
            default -> "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a".indexOf(c) >= 0;
        };
    }
}
