package reference

import (
	"context"
	"errors"
	"sync"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/internal/pyre"
	"github.com/normcert/normcert/metric"
)

// remover returns re.sub(pattern, "", text) as a function of text. The pattern
// is compiled when the first text comes, as upstream does: of an empty batch a
// bad pattern is never noticed. A pattern that Python refuses is a
// *metric.Refusal; one that is not reproduced exactly, that makes Python raise
// anything but re.error, or that takes too long is *adapters.Unsupported,
// never guessed.
func remover(pattern string) func(text string) (string, error) {
	compile := sync.OnceValues(func() (*pyre.Pattern, error) { return pyre.Compile(pattern) })
	return func(text string) (string, error) {
		compiled, err := compile()
		if err == nil {
			text, err = compiled.Remove(context.Background(), text)
		}
		var invalid *pyre.SyntaxError
		switch {
		case errors.As(err, &invalid):
			return "", &metric.Refusal{Kind: metric.InvalidRegex, Message: invalid.Error()}
		case err != nil:
			return "", &adapters.Unsupported{Why: err.Error()}
		}
		return text, nil
	}
}
