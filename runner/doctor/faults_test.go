package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/normcert/normcert/adapters"
)

var (
	squadAll = only("squad", 0, []string{"normalize", "exact_match", "f1"}, []string{"batch", "repeated-id", "no-references"})
	exact    = only("squad", 0, []string{"exact_match"}, nil)
	textOnly = only("squad", 0, []string{"normalize"}, nil)
	arrays   = only("exact_match", 0, []string{"exact_match"}, []string{"batch", "ignore_case"})
	second   = only("squad_v2", 0, []string{"exact", "f1", "best_exact_thresh"}, []string{"batch"})
)

func cut(at string) func(string) string {
	return func(text string) string { before, _, _ := strings.Cut(text, at); return before }
}

func swap(old, fresh string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, old, fresh) }
}

// latin1 reads UTF-8 as Latin-1.
func latin1(text string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		out.WriteRune(rune(b))
	}
	return out.String()
}

var fakeFaults = map[string]fakeFault{
	"sound": {},

	// The start and the end.
	"exits":     {run: func(*fake) { fmt.Fprintln(os.Stderr, "ModuleNotFoundError: No module named 'acme'"); os.Exit(1) }},
	"silent":    {run: func(*fake) { sleep() }},
	"slow":      {run: func(f *fake) { time.Sleep(1200 * time.Millisecond); f.serveAll() }},
	"very slow": {run: func(f *fake) { time.Sleep(1300 * time.Millisecond); f.serveAll() }},
	"echo": {run: func(f *fake) {
		r, _ := f.read()
		fmt.Printf("%s", r.line)
		sleep()
	}},
	"banner":    {run: func(f *fake) { fmt.Println("Loading model..."); f.serveAll() }},
	"bad hello": {hello: true, reply: replaced(`"answers":["normalize"`, `"answers":["normalise"`)},
	"unknown pin": {claim: func(h *adapters.Hello) {
		s := h.Metrics["squad"]
		s.Pins = []string{"hf-evaluate@0000000"}
		h.Metrics = map[string]adapters.Support{"squad": s}
	}},
	"last words": {end: func() { fmt.Println("bye") }},
	"stays":      {end: sleep},
	"unflushed": {run: func(f *fake) {
		var held []string
		for {
			r, ok := f.read()
			if !ok {
				break
			}
			held = append(held, f.answer(r))
		}
		fmt.Print(strings.Join(held, ""))
	}},
	"unflushed after hello": {run: func(f *fake) {
		r, _ := f.read()
		fmt.Print(f.answer(r))
		held := ""
		for {
			r, ok := f.read()
			if !ok {
				break
			}
			held += f.answer(r)
		}
		fmt.Print(held)
	}},

	// One request and several.
	"floods": {run: func(f *fake) {
		for {
			r, ok := f.read()
			if !ok {
				return
			}
			fmt.Print(f.answer(r))
			for r.Op != "hello" {
				if _, err := fmt.Println("debug"); err != nil {
					return
				}
			}
		}
	}},
	"hang":           {run: func(f *fake) { r, _ := f.read(); fmt.Print(f.answer(r)); _, _ = io.Copy(io.Discard, f.in) }},
	"one only":       {run: func(f *fake) { r, _ := f.read(); fmt.Print(f.answer(r)); r, _ = f.read(); fmt.Print(f.answer(r)) }},
	"drops the rest": {run: func(f *fake) { f.oneAtATime(false) }},
	"crashes on two": {run: func(f *fake) { f.oneAtATime(true) }},
	"one behind":     {run: func(f *fake) { f.oneBehind() }},
	"out of order":   {run: func(f *fake) { f.outOfOrder() }},
	"counts by itself": {run: func(f *fake) {
		for n := 0; ; n++ {
			r, ok := f.read()
			if !ok {
				return
			}
			if r.Op != "hello" {
				r.ID = int64(n)
				r.line = append([]byte(fmt.Sprintf(`{"id":%d,`, n)), r.line[strings.IndexByte(string(r.line), ',')+1:]...)
			}
			fmt.Print(f.answer(r))
		}
	}},
	"no id": {claim: textOnly, reply: func(_ *fake, r fakeRequest, line string) string {
		return strings.Replace(line, fmt.Sprintf(`"id":%d,`, r.ID), "", 1)
	}},
	"string id": {reply: func(_ *fake, r fakeRequest, line string) string {
		return strings.Replace(line, fmt.Sprintf(`"id":%d`, r.ID), fmt.Sprintf(`"id":"%d"`, r.ID), 1)
	}},
	"twice": {reply: func(_ *fake, _ fakeRequest, line string) string { return line + line }},
	"noisy": {claim: textOnly, reply: func(_ *fake, r fakeRequest, line string) string {
		fmt.Fprintf(os.Stderr, "asked %s\xff\n", r.Op)
		return line
	}},
	"extra keys": {claim: textOnly, reply: func(_ *fake, _ fakeRequest, line string) string { return strings.Replace(line, "}", `,"took":3}`, 1) }},
	"refuses": {claim: textOnly, reply: func(_ *fake, r fakeRequest, _ string) string {
		return fmt.Sprintf(`{"id":%d,"error":{"message":"list index out of range"}}`+"\n", r.ID)
	}},
	"says no": {claim: textOnly, reply: func(_ *fake, r fakeRequest, _ string) string {
		return fmt.Sprintf(`{"id":%d,"unsupported":"no op normalise"}`+"\n", r.ID)
	}},

	// Lines.
	"Latin-1":       {claim: textOnly, reply: func(_ *fake, r fakeRequest, line string) string { return strings.ReplaceAll(line, `\u00e9`, "\xe9") }},
	"indented":      {claim: textOnly, reply: func(_ *fake, _ fakeRequest, line string) string { return strings.Replace(line, "{", "{\n ", 1) }},
	"single quotes": {claim: textOnly, reply: replaced(`"`, "'")},
	"raw line feed": {claim: only("squad", 0, []string{"exact_match"}, nil), reply: func(_ *fake, r fakeRequest, _ string) string {
		return fmt.Sprintf("{\"id\":%d,\"unsupported\":\"no\nway\"}\n", r.ID)
	}},
	"half character": {claim: textOnly, reply: replaced(`\udc28`, "")},
	"duplicate key": {claim: textOnly, reply: func(_ *fake, _ fakeRequest, line string) string {
		return strings.Replace(line, `"text"`, `"text":"","text"`, 1)
	}},
	"no text": {claim: textOnly, reply: func(_ *fake, r fakeRequest, _ string) string { return fmt.Sprintf("{\"id\":%d}\n", r.ID) }},
	"prints if empty": {claim: squadAll, reply: func(_ *fake, r fakeRequest, line string) string {
		if r.Op == "score" && len(r.Items) > 0 && r.Items[0].Prediction != nil && *r.Items[0].Prediction == "" {
			return "warning: empty prediction\n" + line
		}
		return line
	}},
	"prints if not ASCII": {claim: textOnly, reply: when("\u65e5", func(line string) string { return line + "non-ASCII text\n" })},
	"prints if refused": {claim: squadAll, reply: func(_ *fake, _ fakeRequest, line string) string {
		if strings.Contains(line, `"error"`) {
			return "max() arg is an empty sequence\n" + line
		}
		return line
	}},
	"ends if odd": {claim: textOnly, reply: when("\u65e5", func(string) string {
		fmt.Fprintln(os.Stderr, "UnicodeEncodeError: 'charmap' codec")
		os.Exit(1)
		return ""
	})},

	// Numbers.
	"true":   {claim: exact, reply: scored(func(_ fakeRequest, _ string, v any) any { return v == 100.0 })},
	"string": {claim: exact, reply: scored(func(_ fakeRequest, _ string, v any) any { return fmt.Sprint(v) })},
	"list":   {claim: exact, reply: scored(func(_ fakeRequest, _ string, v any) any { return []any{v} })},
	"too large": {claim: exact, reply: func(_ *fake, r fakeRequest, _ string) string {
		return fmt.Sprintf(`{"id":%d,"scores":{"exact_match":1e999}}`+"\n", r.ID)
	}},
	"NaN if empty":      {claim: arrays, reply: replaced(`"nan"`, "NaN")},
	"Infinity if empty": {claim: arrays, reply: replaced(`"nan"`, "Infinity")},
	"null if empty":     {claim: arrays, reply: replaced(`"nan"`, "null")},
	"scale 1 for 100":   {claim: exact, reply: scored(func(_ fakeRequest, _ string, v any) any { return v.(float64) / 100 })},
	"scale 100 for 1":   {claim: only("exact_match", 0, []string{"exact_match"}, nil), reply: scored(func(_ fakeRequest, _ string, v any) any { return v.(float64) * 100 })},
	"100 under scale 1": {claim: only("squad", 1, []string{"exact_match"}, nil)},
	"rounded": {claim: squadAll, reply: scored(func(_ fakeRequest, _ string, v any) any {
		var short float64
		_ = json.Unmarshal([]byte(fmt.Sprintf("%.2f", v)), &short)
		return short
	})},
	"rounded, other scale": {claim: only("squad", 1, []string{"f1"}, nil), reply: scored(func(_ fakeRequest, _ string, v any) any {
		var short float64
		_ = json.Unmarshal([]byte(fmt.Sprintf("%.3f", v.(float64)/100)), &short)
		return short
	})},
	"key not named": {claim: textAndExact, reply: func(_ *fake, _ fakeRequest, line string) string {
		return strings.Replace(line, `"scores":{`, `"scores":{"f1":50,`, 1)
	}},
	"key lacking": {claim: squadAll, reply: func(_ *fake, _ fakeRequest, line string) string {
		return strings.NewReplacer(`,"f1":100`, "", `,"f1":0`, "").Replace(line)
	}},

	// References.
	"part of a string": {claim: exact, reply: scored(func(r fakeRequest, _ string, _ any) any {
		if strings.Contains(r.Items[0].References[0], *r.Items[0].Prediction) {
			return 100
		}
		return 0
	})},
	"each character": {claim: textAndExact, reply: scored(func(r fakeRequest, _ string, v any) any {
		for _, letter := range r.Items[0].References[0] {
			if string(letter) == *r.Items[0].Prediction {
				return 100
			}
		}
		return v
	})},

	// Text that does not come whole.
	"cut at LF":         {claim: textOnly, reply: asked(cut("\n"))},
	"cut at NUL":        {claim: textOnly, reply: asked(cut("\x00"))},
	"cut at U+2028":     {claim: textOnly, reply: asked(cut("\u2028"))},
	"cut at NUL, score": {claim: exact, reply: asked(cut("\x00"))},
	"cut at LF, score":  {claim: exact, reply: asked(cut("\n"))},
	"accents replaced":  {claim: textOnly, reply: asked(swap("\u00e9", "\ufffd"))},
	"accents as ?":      {claim: textOnly, reply: replaced(`\u00e9`, "?")},
	"UTF-8 as Latin-1":  {claim: textOnly, reply: asked(latin1)},
	"not unescaped":     {claim: textOnly, reply: asked(swap("\n", `\n`))},
	"emoji escaped":     {claim: textOnly, reply: asked(swap("\U0001F680", `\ud83d\ude80`))},
	"astral replaced, score": {claim: exact, reply: asked(func(text string) string {
		return strings.Map(func(r rune) rune {
			if r > 0xffff {
				return 0xfffd
			}
			return r
		}, text)
	})},
	"BOM lost":          {claim: textOnly, reply: asked(func(text string) string { return strings.TrimPrefix(text, "\ufeff") })},
	"CRLF to LF, score": {claim: arrays, reply: asked(swap("\r\n", "\n"))},

	// What the hello says.
	"option ignored": {claim: arrays, reply: func(f *fake, r fakeRequest, line string) string {
		r.line = []byte(strings.Replace(string(r.line), `"ignore_case":true`, "", 1))
		return f.answer(r)
	}},
	"option refused": {claim: arrays, reply: func(_ *fake, r fakeRequest, line string) string {
		if len(r.Options) > 0 {
			return fmt.Sprintf(`{"id":%d,"unsupported":"no options"}`+"\n", r.ID)
		}
		return line
	}},
	"batch refused": {claim: squadAll, reply: func(_ *fake, r fakeRequest, line string) string {
		if len(r.Items) > 1 {
			return fmt.Sprintf(`{"id":%d,"error":{}}`+"\n", r.ID)
		}
		return line
	}},
	"batch crashes": {claim: squadAll, reply: func(_ *fake, r fakeRequest, line string) string {
		if len(r.Items) > 1 {
			fmt.Fprintln(os.Stderr, "IndexError: too many items")
			os.Exit(1)
		}
		return line
	}},
	"first item only": {claim: arrays, reply: func(f *fake, r fakeRequest, line string) string {
		var request map[string]any
		_ = json.Unmarshal(r.line, &request)
		if items, _ := request["items"].([]any); len(items) > 1 {
			request["items"] = items[:1]
		}
		r.line, _ = json.Marshal(request)
		return f.answer(r)
	}},
	"ids ignored": {claim: squadAll, reply: func(f *fake, r fakeRequest, line string) string {
		var request map[string]any
		_ = json.Unmarshal(r.line, &request)
		items, _ := request["items"].([]any)
		for i, item := range items {
			item.(map[string]any)["id"] = fmt.Sprint(i)
		}
		r.line, _ = json.Marshal(request)
		return f.answer(r)
	}},
	"probability ignored": {claim: second, reply: func(f *fake, r fakeRequest, line string) string {
		var request map[string]any
		_ = json.Unmarshal(r.line, &request)
		items, _ := request["items"].([]any)
		for _, item := range items {
			item.(map[string]any)["no_answer_probability"] = 0
		}
		r.line, _ = json.Marshal(request)
		return f.answer(r)
	}},
	"more than named": {claim: exact},

	// Nasty inputs.
	"one megabyte is too long": {claim: textOnly, reply: func(_ *fake, r fakeRequest, line string) string {
		if len(r.line) > 1<<16 {
			fmt.Fprintln(os.Stderr, "RecursionError: maximum recursion depth exceeded")
			os.Exit(1)
		}
		return line
	}},
	"a thousand references hang": {claim: exact, reply: func(_ *fake, r fakeRequest, line string) string {
		if len(r.Items[0].References) > 100 {
			sleep()
		}
		return line
	}},
	"marks crash": {claim: textOnly, reply: when(strings.Repeat("\u0301\u0323", 100), func(string) string { fmt.Fprintln(os.Stderr, "regex stack overflow"); os.Exit(1); return "" })},
}

func textAndExact(hello *adapters.Hello) {
	only("squad", 0, []string{"normalize", "exact_match"}, nil)(hello)
}

// oneAtATime takes whatever is there for one request, as a handler of "data"
// events does.
func (f *fake) oneAtATime(crashes bool) {
	for {
		r, ok := f.read()
		if !ok {
			return
		}
		if waiting := f.in.Buffered(); waiting > 0 {
			if crashes {
				fmt.Fprintln(os.Stderr, "SyntaxError: Unexpected non-whitespace character after JSON at position 121\n    at JSON.parse (<anonymous>)")
				os.Exit(1)
			}
			_, _ = f.in.Discard(waiting)
		}
		fmt.Print(f.answer(r))
	}
}

// oneBehind answers one request for each time that something comes.
func (f *fake) oneBehind() {
	var waiting []fakeRequest
	for {
		r, ok := f.read()
		if !ok {
			break
		}
		waiting = append(waiting, r)
		for f.in.Buffered() > 0 {
			if r, ok := f.read(); ok {
				waiting = append(waiting, r)
			}
		}
		fmt.Print(f.answer(waiting[0]))
		waiting = waiting[1:]
	}
	for _, r := range waiting {
		fmt.Print(f.answer(r))
	}
}

// outOfOrder answers what is there, the last first. That is fine.
func (f *fake) outOfOrder() {
	for {
		r, ok := f.read()
		if !ok {
			return
		}
		out := f.answer(r)
		for f.in.Buffered() > 0 {
			if r, ok := f.read(); ok {
				out = f.answer(r) + out
			}
		}
		fmt.Print(out)
	}
}

// TestFaults: each fault is found, by the probe that is meant to, and nothing
// else is.
func TestFaults(t *testing.T) {
	tests := []struct {
		fault  string
		probes []string // beside the start
		want   []string // each: a finding has to contain it
	}{
		{"sound", nil, nil},
		{"exits", nil, []string{"wrong, start: the program ended without a reply to the hello (exit status 1)"}},
		{"silent", nil, []string{"wrong, start: no reply to the hello within 1s, nor when stdin was closed"}},
		{"slow", nil, []string{"note, start: the hello came after 1."}},
		{"very slow", nil, []string{"wrong, start: the hello came after 1."}},
		{"echo", nil, []string{"wrong, start: it gives back what it reads"}},
		{"banner", nil, []string{"wrong, start: a line on stdout before the reply to the hello"}},
		{"bad hello", nil, []string{`wrong, start: hello, metrics.`}},
		{"unknown pin", []string{"pins"}, []string{"wrong, pins: the hello names pins that there are not: squad at hf-evaluate@0000000"}},
		{"last words", nil, []string{"wrong, end of input: a line on stdout when stdin was closed"}},
		{"stays", nil, []string{"wrong, end of input: it goes on when its stdin is closed"}},
		{"unflushed", []string{"scores", "line feed"}, []string{"wrong, start: the reply comes only when stdin is closed"}},
		{"unflushed after hello", []string{"scores"}, []string{"wrong, one request: the reply comes only when stdin is closed"}},

		{"hang", nil, []string{"wrong, one request: no reply within 1s"}},
		{"floods", []string{"more requests"}, []string{"wrong, one request: a line on stdout that is no reply", "wrong, more requests: no reply within 1s"}},
		{"one only", []string{"more requests"}, []string{"wrong, more requests: the program ended in place of a reply (exit status 0)"}},
		{"drops the rest", []string{"more requests", "two requests at once"}, []string{"wrong, two requests at once: two requests that come at once, and only 1 of 2 get a reply"}},
		{"crashes on two", []string{"two requests at once"}, []string{"wrong, two requests at once: two requests that come at once, and 0 of 2 get a reply; then it ends (exit status 1)"}},
		{"one behind", []string{"two requests at once"}, []string{"wrong, two requests at once: of two requests that come at once the second gets its reply only after a third"}},
		{"out of order", []string{"two requests at once", "many requests at once", "scores"}, nil},
		{"counts by itself", []string{"more requests"}, []string{"wrong, one request: the reply has another id than the request"}},
		{"no id", nil, []string{"wrong, one request: the reply has no id"}},
		{"string id", nil, []string{"wrong, one request: the reply's id is a string"}},
		{"twice", []string{"more requests", "scores"}, []string{"wrong, one request: one request got two replies"}},
		{"noisy", []string{"more requests", "odd strings"}, nil},
		{"extra keys", []string{"more requests", "odd strings"}, nil},
		{"refuses", nil, []string{"wrong, one request: it answers a plain request with an error"}},
		{"says no", nil, []string{"wrong, one request: it says no to a plain request for what its hello names"}},

		{"Latin-1", []string{"accents"}, []string{"wrong, accents: the reply is not valid UTF-8"}},
		{"indented", nil, []string{"wrong, one request: the line ends in the middle of the reply"}},
		{"single quotes", nil, []string{"wrong, one request: the reply is written with single quotes"}},
		{"raw line feed", nil, []string{"wrong, one request: the line ends in the middle of the reply"}},
		{"half character", []string{"beyond U+FFFF"}, []string{"wrong, beyond U+FFFF: half a character in the reply"}},
		{"duplicate key", nil, []string{"wrong, one request: the line holds a duplicate key"}},
		{"no text", nil, []string{"wrong, one request: the reply to normalize holds no text"}},
		{"prints if empty", []string{"more requests", "scores", "odd strings"}, []string{"wrong, odd strings: a line on stdout that is no reply"}},
		{"prints if not ASCII", []string{"more requests", "odd strings"}, []string{"wrong, odd strings: a line on stdout that is no reply"}},
		{"prints if refused", []string{"more requests", "odd strings", "handles no-references"}, []string{"wrong, handles no-references: a line on stdout that is no reply"}},
		{"ends if odd", []string{"more requests", "odd strings"}, []string{"wrong, odd strings: the program ended in place of a reply (exit status 1)"}},

		{"true", []string{"scores", "scale", "references"}, []string{"wrong, one request: the score exact_match is true, not a number"}},
		{"string", []string{"scores", "scale"}, []string{"wrong, one request: the score exact_match is a string, not a number"}},
		{"list", nil, []string{"wrong, one request: the score exact_match is not a number"}},
		{"too large", nil, []string{"wrong, one request: the score exact_match is too large"}},
		{"NaN if empty", []string{"scores", "empty batch"}, []string{"wrong, empty batch: NaN or Infinity stands in the reply as it is"}},
		{"Infinity if empty", []string{"scores", "empty batch"}, []string{"wrong, empty batch: NaN or Infinity stands in the reply as it is"}},
		{"null if empty", []string{"scores", "empty batch"}, []string{"wrong, empty batch: the score exact_match is null"}},
		{"scale 1 for 100", []string{"scores", "scale", "rounding"}, []string{"wrong, scale: a full score is 1, and should be 100"}},
		{"scale 100 for 1", []string{"scores", "scale", "rounding"}, []string{"wrong, scale: a full score is 100, and should be 1"}},
		{"100 under scale 1", []string{"scale"}, []string{"wrong, scale: a full score is 100, and should be 1"}},
		{"rounded", []string{"scores", "scale", "rounding"}, []string{"wrong, rounding: the score f1 is 66.67: it looks rounded from 66.6666"}},
		{"rounded, other scale", []string{"scale", "rounding"}, []string{"wrong, rounding: the score f1 is 0.667: it looks rounded from 0.6666"}},
		{"key not named", []string{"scores", "scale"}, []string{`wrong, scores: scores hold "f1", which the hello's answers for squad do not name`}},
		{"key lacking", []string{"scores"}, []string{`wrong, scores: scores lack "f1"`}},

		{"part of a string", []string{"scores", "references"}, []string{`wrong, references: "r" is a match for ["Paris"]`}},
		{"each character", []string{"scores", "references"}, []string{`wrong, references: "r" is a match for ["Paris"]`}},

		{"cut at LF", []string{"line feed", "U+0000", "CR LF"}, []string{"wrong, line feed: the text is cut at U+000A", "wrong, CR LF: the text is cut at U+000D U+000A"}},
		{"cut at NUL", []string{"line feed", "U+0000"}, []string{"wrong, U+0000: the text is cut at U+0000"}},
		{"cut at U+2028", []string{"line feed", "U+2028"}, []string{"wrong, U+2028: the text is cut at U+2028"}},
		{"cut at NUL, score", []string{"line feed", "U+0000"}, []string{"wrong, U+0000: two texts that differ after U+0000 are the same"}},
		{"cut at LF, score", []string{"line feed", "U+0000"}, []string{"wrong, line feed: two texts that differ after U+000A are the same"}},
		{"accents replaced", []string{"accents", "emoji"}, []string{"wrong, accents: U+00E9 comes back as U+FFFD"}},
		{"accents as ?", []string{"accents", "emoji"}, []string{"wrong, accents: U+00E9 comes back as a question mark"}},
		{"UTF-8 as Latin-1", []string{"accents", "emoji"}, []string{"wrong, accents: U+00E9 comes back as several characters", "wrong, emoji: U+1F680 comes back as several characters"}},
		{"not unescaped", []string{"line feed", "emoji"}, []string{"wrong, line feed: U+000A comes back as an escape"}},
		{"emoji escaped", []string{"line feed", "emoji"}, []string{"wrong, emoji: U+1F680 comes back as an escape"}},
		{"astral replaced, score", []string{"beyond U+FFFF", "accents"}, []string{"wrong, beyond U+FFFF: two texts that differ in one character only"}},
		{"BOM lost", []string{"byte-order mark", "accents"}, []string{"wrong, byte-order mark: U+FEFF is lost where the text begins with it"}},
		{"CRLF to LF, score", []string{"CR LF", "line feed"}, []string{"wrong, CR LF: U+000D U+000A and U+000A are the same"}},

		{"option ignored", []string{"handles batch", "handles ignore_case"}, []string{"wrong, handles ignore_case: ignore_case makes no difference"}},
		{"option refused", []string{"handles batch", "handles ignore_case"}, []string{"wrong, handles ignore_case: the hello names ignore_case, and then it says no"}},
		{"batch refused", []string{"handles batch"}, []string{"wrong, handles batch: the hello names batch, and then it refuses what upstream answers"}},
		{"batch crashes", []string{"handles batch"}, []string{"wrong, handles batch: the program ended in place of a reply (exit status 1)"}},
		{"first item only", []string{"handles batch"}, []string{"wrong, handles batch: a batch of two scores as its first item alone"}},
		{"ids ignored", []string{"handles batch", "handles repeated-id"}, []string{"wrong, handles repeated-id: two items with one id score as if each had its own"}},
		{"probability ignored", []string{"no_answer_probability"}, []string{"wrong, no_answer_probability: no_answer_probability makes no difference"}},
		{"more than named", []string{"not named"}, []string{"note, not named: it seems to handle batch", "note, not named: it seems to handle unanswered", "note, not named: it seems to handle repeated-id", "note, not named: it seems to handle no-references"}},

		{"one megabyte is too long", []string{"a long string"}, []string{"wrong, a long string: the program ended in place of a reply (exit status 1)"}},
		{"a thousand references hang", []string{"many references"}, []string{"wrong, many references: no reply within 1s"}},
		{"marks crash", []string{"deep Unicode"}, []string{"wrong, deep Unicode: the program ended in place of a reply (exit status 1)"}},
	}
	// Those that only wait, wait together.
	waiting := map[string]chan *Report{}
	for _, test := range tests {
		if waits[test.fault] > 0 {
			done := make(chan *Report, 1)
			waiting[test.fault] = done
			config := fakeConfig(test.fault)
			config.only, config.Goldens = append([]string{}, test.probes...), goldens()
			config.StartTimeout, config.RequestTimeout = waits[test.fault], time.Second
			go func() {
				report, err := Run(context.Background(), config)
				if err != nil {
					report.Probes = append(report.Probes, Probe{Name: err.Error(), Findings: []Finding{{What: "failed"}}})
				}
				done <- report
			}()
		}
	}
	tested := map[string]bool{}
	for _, test := range tests {
		tested[test.fault] = true
		t.Run(test.fault, func(t *testing.T) {
			t.Parallel()
			var report *Report
			if done := waiting[test.fault]; done != nil {
				report = <-done
			} else {
				config := fakeConfig(test.fault)
				config.only = append([]string{}, test.probes...)
				report = examine(t, config)
			}
			list := found(report)
			matches := len(list) == len(test.want)
			for i := 0; matches && i < len(list); i++ {
				matches = strings.HasPrefix(list[i], test.want[i])
			}
			if !matches {
				t.Errorf("found %q\nwant %q\n%s", list, test.want, text(t, report))
			}
		})
	}
	for name := range fakeFaults {
		if !tested[name] {
			t.Errorf("no test has the fault %q", name)
		}
	}
}

// waits are the faults that take a deadline to be seen, with that of the start.
var waits = map[string]time.Duration{
	"silent": time.Second, "very slow": time.Second, "slow": 2 * time.Second, "unflushed": 2 * time.Second,
	"unflushed after hello": 5 * time.Second, "hang": 5 * time.Second, "drops the rest": 5 * time.Second, "one behind": 5 * time.Second,
	"a thousand references hang": 5 * time.Second, "floods": 5 * time.Second,
}
