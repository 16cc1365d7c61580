package metric_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/normcert/normcert/metric"
)

func TestDoubleIsWrittenShortest(t *testing.T) {
	tests := []struct {
		shows string
		value float64
		want  string
	}{
		{"an integer has no point", 100, "100"},
		{"zero", 0, "0"},
		{"minus zero", math.Copysign(0, -1), "-0"},
		{"a tenth", 0.1, "0.1"},
		{"the sum that is not 0.3", 0.1 + math.Float64frombits(0x3fc999999999999a), "0.30000000000000004"},
		{"two thirds of a hundred", 100 * 2 / 3.0, "66.66666666666667"},
		{"the smallest", 5e-324, "5e-324"},
		{"the largest", math.MaxFloat64, "1.7976931348623157e+308"},
		{"NaN is a string", math.NaN(), `"nan"`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			got, err := json.Marshal(metric.Double(test.value))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("written %s, want %s", got, test.want)
			}
			var back metric.Double
			if err := json.Unmarshal(got, &back); err != nil {
				t.Fatal(err)
			}
			same := math.Float64bits(float64(back)) == math.Float64bits(test.value)
			if !same && !(math.IsNaN(float64(back)) && math.IsNaN(test.value)) {
				t.Errorf("%s reads back as %v", got, back)
			}
		})
	}
	if text, err := json.Marshal(metric.Double(math.Inf(-1))); err == nil {
		t.Errorf("infinity is written %s, want an error", text)
	}
}

func TestDoubleRefuses(t *testing.T) {
	for _, text := range []string{"null", `"NaN"`, `"nan "`, `"1"`, "true", "1e400", "-1e400", "[]", "{}", `"inf"`} {
		var n metric.Double
		if err := json.Unmarshal([]byte(text), &n); err == nil {
			t.Errorf("%s is taken as %v", text, n)
		}
	}
	// What ParseFloat takes and JSON does not never comes through
	// encoding/json; the method refuses it by itself.
	for _, text := range []string{"inf", "0x1p3", "1_0", "NaN", "+1", ".5", "01", ""} {
		var n metric.Double
		if err := n.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%q is taken as %v", text, n)
		}
	}
}

func TestScoresReadWhatTheyWrite(t *testing.T) {
	text := `{"exact_match":100,"f1":"nan"}`
	var scores metric.Scores
	if err := json.Unmarshal([]byte(text), &scores); err != nil {
		t.Fatal(err)
	}
	if scores["exact_match"] != 100 || !math.IsNaN(scores["f1"]) || len(scores) != 2 {
		t.Errorf("%s is read as %v", text, scores)
	}
	if again, err := json.Marshal(scores); err != nil || string(again) != text {
		t.Errorf("written %s, %v; want %s", again, err, text)
	}
	for _, bad := range []string{`{"f1":null}`, `{"f1":"1"}`, `{"f1":1e999}`, `[1]`} {
		if err := json.Unmarshal([]byte(bad), &scores); err == nil {
			t.Errorf("%s is taken as %v", bad, scores)
		}
	}
}
