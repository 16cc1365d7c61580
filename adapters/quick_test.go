package adapters

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var quickLines = map[string]bool{
	`{"id":1,"text":"car"}`:                                       true,
	`{"text":"","id":9223372036854775807}`:                        true,
	` { "id" : 1 , "scores" : { "f1" : 66.66666666666667 } } `:    true,
	`{"scores": {"exact_match": 100.0, "f1": -0.0}, "id": 12345}`: true,
	`{"id":1,"scores":{}}`:                                        true,
	`{"id":1,"scores":{"f1":1e2,"a":1E+2,"b":0.5e-7}}`:            true,
	`{}`:                                   true,
	`{"id":1,"text":"é"}`:                  false,
	`{"id":1,"text":"a\n"}`:                false,
	`{"id":1,"text":"a","id":1}`:           false,
	`{"id":1,"text":"a","x":1}`:            false,
	`{"id":1,"scores":{"f1":1,"f1":1}}`:    false,
	`{"id":1,"scores":{"f1":"nan"}}`:       false,
	`{"id":1,"scores":{"f1":1e400}}`:       false,
	`{"id":1,"scores":{"f1":01}}`:          false,
	`{"id":1,"scores":{"f1":-}}`:           false,
	`{"id":1,"scores":{"f1":.5}}`:          false,
	`{"id":1,"scores":{"f1":1.}}`:          false,
	`{"id":1,"scores":{"f1":1e}}`:          false,
	`{"id":1,"scores":{"f1":+1}}`:          false,
	`{"id":1,"scores":{"f1":0x1p3}}`:       false,
	`{"id":1,"scores":{"f1":NaN}}`:         false,
	`{"id":1,"scores":{"f1":true}}`:        false,
	`{"id":1,"scores":null}`:               false,
	`{"id":1.0,"text":"a"}`:                false,
	`{"id":-1,"text":"a"}`:                 false,
	`{"id":0,"text":"a"}`:                  false,
	`{"id":9223372036854775808,"text":""}`: false,
	`{"id":1,"text":"a"}}`:                 false,
	`{"id":1,"text":"a"},`:                 false,
	"{\"id\":1,\"text\":\"a\"}\x00":        false,
	`{"id":1,"text":"a",}`:                 false,
	`{"id":1 "text":"a"}`:                  false,
	`{"id":1,"text":"a`:                    false,
	`{"id":1,"text":`:                      false,
	`{"id"`:                                false,
	`{`:                                    false,
	``:                                     false,
	`[]`:                                   false,
}

func TestQuickReply(t *testing.T) {
	for line, want := range quickLines {
		if _, ok := quickReply([]byte(line)); ok != want {
			t.Errorf("%s: %t", line, ok)
		}
		sameAsDecode(t, []byte(line))
	}
}

// sameAsDecode holds what is read quickly against the decoder.
func sameAsDecode(t *testing.T, line []byte) {
	t.Helper()
	quick, ok := quickReply(line)
	if !ok {
		return
	}
	var wire wireReply
	if err := decode(line, &wire); err != nil {
		t.Fatalf("%q is believed; the decoder says %v", line, err)
	}
	if difference := cmp.Diff(wire, quick); difference != "" {
		t.Fatalf("%q (-decoded +quick):\n%s", line, difference)
	}
}

// TestQuickReplyIsTheDecoder changes right lines at random, most of which are
// then wrong.
func TestQuickReplyIsTheDecoder(t *testing.T) {
	const bytesOfReplies = "{}[]:,\"\\ \t0123456789.eE+-idtexscorfn\x00\x7f\x80"
	r := rand.New(rand.NewPCG(1, 2))
	for line := range quickLines {
		for range 5000 {
			changed := bytes.Clone([]byte(line))
			for range 1 + r.IntN(3) {
				at, b := r.IntN(len(changed)+1), bytesOfReplies[r.IntN(len(bytesOfReplies))]
				switch end := min(len(changed), at+1); r.IntN(3) {
				case 0:
					changed = append(changed[:at:at], append([]byte{b}, changed[at:]...)...)
				case 1:
					changed = append(changed[:at:at], append([]byte{b}, changed[end:]...)...)
				default:
					changed = append(changed[:at:at], changed[end:]...)
				}
			}
			sameAsDecode(t, changed)
		}
	}
}

func FuzzQuickReply(f *testing.F) {
	for line := range quickLines {
		f.Add([]byte(line))
	}
	f.Fuzz(sameAsDecode)
}
