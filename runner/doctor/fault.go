package doctor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/normcert/normcert/adapters"
)

const (
	ruleStdout   = "Standard output holds replies and nothing else."
	adviceStdout = "Send prints to stderr. Python: print(…, file=sys.stderr). Node: console.error(…). The helpers in adapters/ do it for you."
	ruleNumbers  = "Scores are numbers; NaN is the string \"nan\", and there are no infinities."
	ruleJSON     = "A reply is one line that holds one JSON object, in UTF-8."
	adviceJSON   = "Let a JSON library write it. Python: print(json.dumps(reply), flush=True). Node: process.stdout.write(JSON.stringify(reply) + \"\\n\")"
)

func wrongID(r *reply, got []byte) Finding {
	return Finding{
		What: "the reply has another id than the request", Sent: r.sent, Got: got,
		Rule: "A reply echoes the id of its request. Ids need not begin at 0, nor count up.",
		Do:   "Take the id from the request. Python: reply[\"id\"] = request[\"id\"]. Node: { id: request.id, ...reply }",
	}
}

// bareNumber is what JSON does not have.
var bareNumber = regexp.MustCompile(`[:,\[]\s*-?(NaN|Infinity|nan|inf)\b`)

// broken says which rule a reply breaks, and what to do. key is the same for
// faults with one cause.
func broken(r *reply, got line, fault *adapters.Fault) (key string, finding Finding) {
	finding = Finding{What: fault.What, Sent: r.sent, Got: got.text, Rule: ruleJSON, Do: adviceJSON}
	text := bytes.TrimSpace(got.text)
	switch {
	case !utf8.Valid(text):
		finding.What = "the reply is not valid UTF-8"
		finding.Do = "Write ASCII, or UTF-8. Python: json.dumps writes ASCII by default; else sys.stdout.reconfigure(encoding=\"utf-8\")"
		return "utf-8", finding
	case bareNumber.Match(text):
		finding.What, finding.Rule = "NaN or Infinity stands in the reply as it is", ruleNumbers
		finding.Do = "Python: \"nan\" if math.isnan(x) else x, and json.dumps(reply, allow_nan=False) to be sure."
		return "nan", finding
	case bytes.HasPrefix(text, []byte("{'")):
		finding.What = "the reply is written with single quotes: it is a Python dict and not JSON"
		finding.Do = "print(json.dumps(reply), flush=True)"
		return "repr", finding
	case !json.Valid(text) && !bytes.HasSuffix(text, []byte("}")) && unfinished(text):
		finding.What = "the line ends in the middle of the reply"
		finding.Do = "Write the reply on one line: no indentation, and a line end in a text is escaped (\\n). " + adviceJSON
		return "cut", finding
	}
	var fields struct {
		ID     json.RawMessage            `json:"id"`
		Scores map[string]json.RawMessage `json:"scores"`
	}
	if !json.Valid(text) {
		finding.What = strings.Replace(fault.What, "jsontext: ", "", 1)
		return "json", finding
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return "json " + digits.ReplaceAllString(fault.What, ""), finding
	}
	switch {
	case len(fields.ID) == 0 || string(fields.ID) == "null":
		finding.What, finding.Rule, finding.Do = "the reply has no id", wrongID(r, nil).Rule, wrongID(r, nil).Do
		return "no id", finding
	case fields.ID[0] == '"':
		finding.What, finding.Rule, finding.Do = "the reply's id is a string, not the number that was sent", wrongID(r, nil).Rule, wrongID(r, nil).Do
		return "string id", finding
	case strings.Contains(string(fields.ID), "."):
		finding.What, finding.Rule, finding.Do = "the reply's id is not an integer", wrongID(r, nil).Rule, wrongID(r, nil).Do
		return "id", finding
	}
	for _, name := range slices.Sorted(maps.Keys(fields.Scores)) {
		if key, what, do := badNumber(name, fields.Scores[name]); key != "" {
			finding.What, finding.Rule, finding.Do = what, ruleNumbers, do
			return key, finding
		}
	}
	return byRule(fault, finding)
}

// byRule is for replies that are sound JSON with sound numbers.
func byRule(fault *adapters.Fault, finding Finding) (string, Finding) {
	switch {
	case strings.Contains(fault.What, "do not name"):
		finding.Rule = "The reply holds every score that answers names, and no other."
		finding.Do = "Name that score in answers, to be certified for it, or leave it out of the reply."
		return "unnamed key", finding
	case strings.Contains(fault.What, "scores lack"):
		finding.Rule = "The reply holds every score that answers names, and no other."
		finding.Do = "Give that score each time, or take it out of answers."
		return "lacking key", finding
	case strings.Contains(fault.What, "surrogate"):
		finding.What = "half a character in the reply (a lone surrogate)"
		finding.Do = "A string was cut or changed between the two halves of a character beyond U+FFFF. Node and Java: go by code points ([...text]), not by code units."
		return "surrogate", finding
	case strings.Contains(fault.What, "holds no text"), strings.Contains(fault.What, "holds no scores"):
		finding.Rule = "A reply holds one of text, scores, error, unsupported."
		finding.Do = "normalize is answered with {\"id\":…,\"text\":\"…\"}, score with {\"id\":…,\"scores\":{…}}. Node: JSON.stringify leaves out what is undefined."
	case strings.Contains(fault.What, "more than one of"):
		finding.Rule = "A reply holds one of text, scores, error, unsupported."
		finding.Do = "Leave out the fields that do not apply; null counts as well."
	case strings.Contains(fault.What, "duplicate"):
		finding.Do = "Write each key once."
	}
	return digits.ReplaceAllString(fault.What, ""), finding
}

var digits = regexp.MustCompile(`\d+`)

// badNumber says what stands in the place of a score; key is empty for a number.
func badNumber(name string, value json.RawMessage) (key, what, do string) {
	switch text := string(value); {
	case text == "null":
		return "null", fmt.Sprintf("the score %s is null", name), "JavaScript's NaN becomes null. Node: Number.isNaN(x) ? \"nan\" : x. Python: \"nan\" if x is None or math.isnan(x) else x"
	case text == "true" || text == "false":
		return "boolean", fmt.Sprintf("the score %s is %s, not a number", name, text), "Python: int(x). Node: Number(x)"
	case value[0] == '"' && !isNaN(value):
		return "string number", fmt.Sprintf("the score %s is a string, not a number", name), "Python: float(x). Node: Number(x). Only NaN is a string: \"nan\""
	case value[0] == '[' || value[0] == '{':
		return "list score", fmt.Sprintf("the score %s is not a number", name), "Give one number for the whole batch, the mean and not one for each item."
	case value[0] != '"' && tooLarge(value):
		return "large", fmt.Sprintf("the score %s is too large for a double", name), "Give a finite number."
	}
	return "", "", ""
}

// isNaN says whether a string is the one that stands for NaN, however written.
func isNaN(value json.RawMessage) bool {
	var text string
	return json.Unmarshal(value, &text) == nil && text == "nan"
}

func tooLarge(value json.RawMessage) bool {
	var number float64
	return json.Unmarshal(value, &number) != nil
}

// unfinished reports whether text is the beginning of an object.
func unfinished(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '{' || c == '['):
			depth++
		case !quoted && (c == '}' || c == ']'):
			depth--
		}
	}
	return quoted || depth > 0
}
