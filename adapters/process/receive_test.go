package process

import (
	"testing"

	"github.com/normcert/normcert/adapters"
)

func TestReplyIDIsFoundInABrokenLine(t *testing.T) {
	for line, want := range map[string]int64{
		`{"id":5,"scores":{"f1":NaN}}`:   5,
		`{"id":5,"text":"a","text":"b"}`: 5,
		`{"id":5,"text":"\ud800"}`:       5,
		"{\"text\":\"\xff\",\"id\":5}":   5,
		`{"id":5,"id":5}`:                5,
		`{"id":5,"te`:                    5,
		`{"x":{"id":6},"id":5,`:          5,
		`{"id":5,"id":6}`:                -1,
		`{"scores":{"f1":NaN},"id":5}`:   -1, // nothing after the mistake is read
		`{"x":{"id":5}}`:                 -1,
		`{"id":"5"}`:                     -1,
		`{"id":5.0}`:                     -1,
		`[{"id":5}]`:                     -1,
		`debug {"id":5}`:                 -1,
		``:                               -1,
	} {
		id, found := replyID([]byte(line))
		if found != (want >= 0) || found && id != want {
			t.Errorf("%s: %d, %t", line, id, found)
		}
	}
}

func FuzzReplyID(f *testing.F) {
	f.Add([]byte(`{"id":5,"text":"a"}`))
	f.Add([]byte(`{"id":5,"scores":{"f1":NaN}}`))
	f.Add([]byte("{\"text\":\"\xff\",\"id\":5,\"id\":6}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		strict, err := adapters.DecodeReplyID(line)
		id, found := replyID(line)
		if err == nil && (!found || id != strict) {
			t.Fatalf("%q: %d strictly, and %d, %t", line, strict, id, found)
		}
		r := newReply(line)
		switch whole, wrong := adapters.ReadReply(line); {
		case (r.fault == nil) != (wrong == nil):
			t.Fatalf("%q: its fault is %v, and read strictly %v", line, r.fault, wrong)
		case wrong == nil && (err != nil || whole.ID != strict):
			t.Fatalf("%q is right and names %d; its id alone: %d, %v", line, whole.ID, strict, err)
		case err == nil && (!r.attributed || r.id != strict):
			t.Fatalf("%q names %d; it is held against %d, %t", line, strict, r.id, r.attributed)
		}
	})
}

func TestTailKeepsTheEnd(t *testing.T) {
	var kept tail
	for range 3000 {
		_, _ = kept.Write([]byte("line\n"))
	}
	_, _ = kept.Write([]byte("the \xffend\n"))
	text := kept.String()
	if len(text) > stderrKept+64 || text[:len("… (")] != "… (" {
		t.Errorf("%d bytes, beginning %.20q", len(text), text)
	}
	if got, want := kept.brief(), "line | line | the \uFFFDend"; got != want {
		t.Errorf("brief is %q, not %q", got, want)
	}
}
