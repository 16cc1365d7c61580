package python_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters/process"
	"github.com/normcert/normcert/internal/pytest"
)

// A newer adapter does not start under this normcert, which says what to do.
func TestANewerAdapterIsToldWhatToDo(t *testing.T) {
	mine := write(t, `
from adapter import serve

serve(name="mine", metrics={"squad": {"answers": ["normalize"]}}, normalize=lambda metric, options, text: text, protocol=2)
`)
	program, err := process.New(process.Config{Command: []string{pytest.Interpreter(t), "-B", mine}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = program.Hello(context.Background())
	var failure *process.StartError
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "speaks protocol 2; this normcert speaks 1: update normcert, or let the adapter answer protocol 1") {
		t.Errorf("the error is %v", err)
	}
	if _, err := program.Close(); err != nil {
		t.Error(err)
	}
}

// A newer normcert is answered all the same, without a number: that is 1.
func TestIndependentIsAskedByANewerNormcert(t *testing.T) {
	got := run(t, []string{`{"id":0,"op":"hello","protocol":2,"new":{}}`}, pytest.Interpreter(t), "independent.py")
	if hello := got.replies[0]; hello.Name == "" || len(hello.Metrics) == 0 {
		t.Errorf("hello is %+v", hello)
	}
}
