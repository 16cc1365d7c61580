// Package golden holds what each pin returns for each case and setup, as
// recorded from upstream. It reads, writes and embeds golden files and the
// pin.toml beside them, which says where the truth came from.
package golden

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/normcert/normcert/metric"
)

// Record is one line of a golden file: what a pin returns for a case under a
// setup. Either Scores or Error is set, or neither where a program of one's own
// gives normalized forms only.
type Record struct {
	// Case is the full id.
	Case string
	// Setup is metric.Setup's canonical spelling.
	Setup string
	// Normalized has an entry for each item, where the metric has a normalizer;
	// before any filtering of references.
	Normalized []Normalized
	// Scores are on the pin's scale.
	Scores metric.Scores
	// Error is the kind of refusal, where upstream raises.
	Error metric.ErrorKind
}

// Normalized is the normalized form of one item's texts.
type Normalized struct {
	// Prediction is nil where the item has none.
	Prediction *string  `json:"prediction,omitempty"`
	References []string `json:"references"`
}

type wireRecord struct {
	Case       string        `json:"case"`
	Setup      string        `json:"setup"`
	Normalized []Normalized  `json:"normalized,omitempty"`
	Scores     metric.Scores `json:"scores,omitempty"`
	Error      *wireError    `json:"error,omitempty"`
}

type wireError struct {
	Kind metric.ErrorKind `json:"kind"`
}

// Encode returns a golden file: one line of ASCII JSON a record, sorted by
// case and setup, so that a changed check is one changed line.
func Encode(records []Record) []byte {
	sorted := slices.SortedStableFunc(slices.Values(records), compare)
	var out bytes.Buffer
	for _, record := range sorted {
		wire := wireRecord{Case: record.Case, Setup: record.Setup, Normalized: record.Normalized, Scores: record.Scores}
		if record.Error != "" {
			wire.Error = &wireError{Kind: record.Error}
		}
		out.Write(metric.ASCIIJSON(wire))
		out.WriteByte('\n')
	}
	return out.Bytes()
}

func compare(a, b Record) int {
	return cmp.Or(cmp.Compare(a.Case, b.Case), cmp.Compare(a.Setup, b.Setup))
}

// Decode reads a golden file as strictly as Encode writes it: the bytes must
// be the ones that Encode would give. name is put before errors, with the line.
func Decode(name string, content []byte) ([]Record, error) {
	var records []Record
	line := 0
	for text := range bytes.Lines(content) {
		line++
		text, ended := bytes.CutSuffix(text, []byte("\n"))
		if !ended {
			return nil, fmt.Errorf("%s:%d: the last line does not end in a newline; was the file cut short?", name, line)
		}
		record, err := decodeLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if canonical := bytes.TrimSuffix(Encode([]Record{record}), []byte("\n")); !bytes.Equal(canonical, text) {
			return nil, fmt.Errorf("%s:%d: not in canonical form; it would be written %s", name, line, canonical)
		}
		if len(records) > 0 && compare(records[len(records)-1], record) >= 0 {
			return nil, fmt.Errorf("%s:%d: out of order or there twice: lines are sorted by case and setup", name, line)
		}
		records = append(records, record)
	}
	return records, nil
}

func decodeLine(line []byte) (Record, error) {
	var wire wireRecord
	if err := jsonv2.Unmarshal(line, &wire, jsonv2.RejectUnknownMembers(true)); err != nil {
		return Record{}, fmt.Errorf("not a golden record: %w", err)
	}
	record := Record{Case: wire.Case, Setup: wire.Setup, Normalized: wire.Normalized, Scores: wire.Scores}
	if wire.Error != nil {
		record.Error = wire.Error.Kind
		if !slices.Contains(metric.ErrorKinds(), record.Error) {
			return Record{}, fmt.Errorf("unknown kind of error %q", record.Error)
		}
	}
	if record.Scores != nil && record.Error != "" || record.Scores == nil && record.Error == "" && record.Normalized == nil {
		return Record{}, fmt.Errorf("a record has either scores or an error")
	}
	setup, err := metric.ParseSetup(record.Setup)
	if err != nil {
		return Record{}, err
	}
	if canonical := setup.String(); canonical != record.Setup {
		return Record{}, fmt.Errorf("setup %s is written %s", record.Setup, canonical)
	}
	return record, nil
}

// MarshalJSON writes the record as it stands in a golden file.
func (r Record) MarshalJSON() ([]byte, error) {
	return json.RawMessage(bytes.TrimSuffix(Encode([]Record{r}), []byte("\n"))), nil
}
