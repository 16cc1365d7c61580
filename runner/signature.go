package runner

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/normcert/normcert/cases"
)

// signatureOf is the configuration that a result depends on. The signature is
// derived from its fields, so that one that is added cannot be forgotten.
type signatureOf struct {
	Normcert string   `json:"normcert"`
	Adapter  string   `json:"adapter"`
	Claims   []string `json:"claims"`
	Goldens  []string `json:"goldens"`
	Corpus   string   `json:"corpus"`
	Set      string   `json:"set"`
	Cases    []string `json:"cases"`
	Except   []string `json:"except"`
	Mode     string   `json:"mode"`
}

// short is how many hex digits of a digest a signature shows.
const short = 12

func (r *Report) signature(corpus cases.Corpus) string {
	s := signatureOf{
		Normcert: r.Version,
		Adapter:  signed(r.Adapter.Name + " " + r.Adapter.Version),
		Corpus:   corpus.Digest()[:short],
		Set:      r.Set.String(),
		Cases:    r.Patterns,
		Except:   r.Except,
		Mode:     "rounding allowed",
	}
	if r.Bits {
		s.Mode = "bits"
	}
	pins := map[string]bool{}
	for _, claim := range r.Claims {
		own := claim.Name()
		if !claim.Everything() {
			own += "[" + strings.Join(append(claim.Answers(), claimable(claim.Claim)...), ",") + "]"
		}
		s.Claims = append(s.Claims, own)
		if name := claim.Pin.Name(); !pins[name] {
			pins[name] = true
			s.Goldens = append(s.Goldens, name+":"+claim.goldens.Digest()[:short])
		}
	}
	return s.String()
}

// signed is what an adapter says of itself as it may stand in a signature: of
// bounded length, and without the bar that ends a field.
func signed(text string) string {
	const most = 80
	runes := []rune(strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "%7C"))
	if len(runes) > most {
		runes = append(runes[:most-1], '…')
	}
	return string(runes)
}

// String joins the fields, name:value, with bars; an empty list is "all" for
// cases and left out otherwise.
func (s signatureOf) String() string {
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("encoding the signature: %v", err))
	}
	decoder := json.NewDecoder(strings.NewReader(string(encoded)))
	var parts []string
	if _, err := decoder.Token(); err != nil {
		panic(err)
	}
	for decoder.More() {
		name, _ := decoder.Token()
		var value any
		if err := decoder.Decode(&value); err != nil {
			panic(err)
		}
		switch value := value.(type) {
		case string:
			parts = append(parts, fmt.Sprintf("%v:%s", name, value))
		case []any:
			texts := make([]string, len(value))
			for i := range value {
				texts[i] = fmt.Sprint(value[i])
			}
			if len(texts) > 0 {
				parts = append(parts, fmt.Sprintf("%v:%s", name, strings.Join(texts, ",")))
			}
		}
	}
	return strings.Join(parts, "|")
}
