// Write a normcert adapter in Go: copy this file next to your own main.go.
//
//	package main
//
//	import "example.org/acme" // yours
//
//	func main() {
//		Serve(Adapter{
//			Name:    "acme-norm",
//			Version: "2.1.0",
//			Metrics: map[string]Metric{"squad": {Answers: []string{"normalize"}}},
//			Normalize: func(metric string, options map[string]any, text string) (string, error) {
//				return acme.Normalize(text), nil
//			},
//		})
//	}
//
//	go build -o my-adapter . && normcert certify -- ./my-adapter
//
// It speaks the protocol of adapters/PROTOCOL.md: stdin and stdout are its own,
// and what you print goes to stderr. Go 1.21 or newer, the standard library only.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"unicode"
	"unicode/utf8"
)

// Adapter is what you fill in.
type Adapter struct {
	// Name and Version are yours; reports show them.
	Name, Version string
	// Wraps says which function of which version was wrapped: "acme.Normalize 2.1.0".
	Wraps string
	// Metrics are those you answer for, by name.
	Metrics map[string]Metric
	// Normalize returns the normalized text; nil where you answer none.
	Normalize func(metric string, options map[string]any, text string) (string, error)
	// Score returns the scores of the items as one batch; nil where you give none.
	Score func(metric string, options map[string]any, items []Item) (map[string]float64, error)
}

// Metric says what you answer for a metric.
type Metric struct {
	// Answers are "normalize" and the scores you give, such as "exact_match", "f1".
	Answers []string `json:"answers"`
	// Handles is what you take beside one item with a prediction and a reference:
	// batch, unanswered, repeated-id, no-references, option names.
	Handles []string `json:"handles,omitempty"`
	// Scale is your own top score, 1 or 100; 0 is upstream's.
	Scale int `json:"scale,omitempty"`
	// Pins are the upstreams you mean to be equal to; none is the metric's default pin.
	Pins []string `json:"pins,omitempty"`
}

// Item is a prediction with its references.
type Item struct {
	ID string `json:"id"`
	// Prediction is nil where the item is unanswered.
	Prediction *string  `json:"prediction"`
	References []string `json:"references"`
	// NoAnswerProbability is sent to squad_v2 only.
	NoAnswerProbability float64 `json:"no_answer_probability"`
}

// Refused is the error to return where your metric refuses an input, as
// upstream does by raising. Kind is invalid_regex, no_references, empty_input,
// missing_prediction, or empty. Any other error of yours counts as a crash.
type Refused struct {
	Kind    string `json:"kind,omitempty"`
	Message string `json:"message"`
}

func (r Refused) Error() string { return r.Message }

// Unsupported is the error to return, with the reason, where you honestly do
// not do this.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

// Serve answers requests until normcert closes stdin, and then returns. An
// error that is neither Refused nor Unsupported is no verdict about the input
// but a bug: it is printed, and the program exits with 1. A panic is left alone.
func Serve(adapter Adapter) {
	replies := os.Stdout
	os.Stdout = os.Stderr // for fmt.Print and the like; C code has a stdout of its own
	if err := adapter.serve(os.Stdin, replies); err != nil {
		fmt.Fprintln(os.Stderr, "adapter:", err)
		os.Exit(1)
	}
}

type request struct {
	ID      json.RawMessage `json:"id"`
	Op      string          `json:"op"`
	Metric  string          `json:"metric"`
	Options map[string]any  `json:"options"`
	Text    string          `json:"text"`
	Items   []Item          `json:"items"`
}

func (a Adapter) serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in) // a line may be long: no bufio.Scanner
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		reply, err := a.reply(asked)
		if err != nil {
			return err
		}
		reply["id"] = asked.ID
		text, err := json.Marshal(reply)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(ascii(text), '\n')); err != nil {
			return err
		}
	}
}

func (a Adapter) reply(asked request) (map[string]any, error) {
	if asked.Op == "hello" {
		return map[string]any{
			"name": a.Name, "version": a.Version, "wraps": a.Wraps, "metrics": a.Metrics,
			"language": runtime.Version(), "unicode": unicode.Version,
		}, nil
	}
	answer, err := a.answer(asked)
	var refused Refused
	var unsupported Unsupported
	switch {
	case errors.As(err, &refused):
		return map[string]any{"error": refused}, nil
	case errors.As(err, &unsupported):
		return map[string]any{"unsupported": string(unsupported)}, nil
	}
	return answer, err
}

func (a Adapter) answer(asked request) (map[string]any, error) {
	if _, named := a.Metrics[asked.Metric]; !named {
		return nil, Unsupported("no metric " + asked.Metric)
	}
	switch {
	case asked.Op == "normalize" && a.Normalize != nil:
		text, err := a.Normalize(asked.Metric, asked.Options, asked.Text)
		if err == nil && !utf8.ValidString(text) {
			// encoding/json would put U+FFFD in the place of what is broken.
			return nil, fmt.Errorf("the normalized text %q is not UTF-8", text)
		}
		return map[string]any{"text": text}, err
	case asked.Op == "score" && a.Score != nil:
		scores, err := a.Score(asked.Metric, asked.Options, asked.Items)
		if err != nil {
			return nil, err
		}
		plain := map[string]any{}
		for key, score := range scores {
			plain[key] = score // of an infinite one encoding/json makes an error
			if math.IsNaN(score) {
				plain[key] = "nan"
			}
		}
		return map[string]any{"scores": plain}, nil
	}
	return nil, Unsupported("no " + asked.Op)
}

// ascii escapes what is not ASCII; in JSON that stands in strings only.
func ascii(text []byte) []byte {
	var out []byte
	for _, r := range string(text) {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		}
	}
	return out
}
