package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Double is a score as goldens and the protocol write it: the shortest JSON
// number that reads back to the same double, and the string "nan" for NaN.
type Double float64

// MarshalJSON implements json.Marshaler. Infinities have no spelling: no
// metric here returns one.
func (n Double) MarshalJSON() ([]byte, error) {
	f := float64(n)
	switch {
	case math.IsNaN(f):
		return []byte(`"nan"`), nil
	case math.IsInf(f, 0):
		return nil, fmt.Errorf("an infinite score cannot be written")
	}
	return json.Marshal(f)
}

// UnmarshalJSON implements json.Unmarshaler. It refuses every string but
// "nan", and a literal too large for a double.
func (n *Double) UnmarshalJSON(data []byte) error {
	// ParseFloat takes more than JSON does (inf, 0x1p3, 1_0): the value must be a JSON number.
	if !json.Valid(data) {
		return fmt.Errorf("%s is not JSON", data)
	}
	f, err := parseDouble(data)
	*n = Double(f)
	return err
}

// MarshalJSON writes the scores with Double's spelling.
func (s Scores) MarshalJSON() ([]byte, error) {
	out := make(map[string]Double, len(s))
	for key, value := range s {
		out[key] = Double(value)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Scores) UnmarshalJSON(data []byte) error {
	var in map[string]Double
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*s = make(Scores, len(in))
	for key, value := range in {
		(*s)[key] = float64(value)
	}
	return nil
}

// UnmarshalJSONFrom reads scores as JSON v2 does, by tokens.
func (s *Scores) UnmarshalJSONFrom(decoder *jsontext.Decoder) error {
	if kind := decoder.PeekKind(); kind != '{' {
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		return fmt.Errorf("%s is not an object of scores", value)
	}
	if _, err := decoder.ReadToken(); err != nil {
		return err
	}
	scores := Scores{}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		if scores[key], err = parseDouble(value); err != nil {
			return err
		}
	}
	*s = scores
	_, err := decoder.ReadToken()
	return err
}

// parseDouble reads a JSON value that is a number or "nan".
func parseDouble(value []byte) (float64, error) {
	switch c := value[0]; {
	case c == '"':
		// The same string may be written with escapes.
		if text, err := jsontext.AppendUnquote(nil, value); err == nil && string(text) == "nan" {
			return math.NaN(), nil
		}
	case c == '-' || '0' <= c && c <= '9':
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return 0, fmt.Errorf("%s is not a number that a double holds", value)
		}
		return f, nil
	}
	return 0, fmt.Errorf("%s is not a number; write NaN as the string \"nan\"", value)
}
