package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
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
	if string(data) == `"nan"` {
		*n = Double(math.NaN())
		return nil
	}
	f, err := strconv.ParseFloat(string(data), 64)
	// ParseFloat takes more than JSON does (inf, 0x1p3, 1_0): the value must be a JSON number.
	if err != nil || !json.Valid(data) {
		return fmt.Errorf("%s is not a number; write NaN as the string \"nan\"", data)
	}
	*n = Double(f)
	return nil
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
