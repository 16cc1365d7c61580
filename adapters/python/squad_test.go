package python_test

import (
	"testing"

	"github.com/normcert/normcert/internal/helpertest"
	"github.com/normcert/normcert/internal/pytest"
)

func TestSquadIsConformant(t *testing.T) {
	helpertest.Certify(t, []string{pytest.Interpreter(t), "-B", "squad.py"})
}

func TestHelperKeepsThePromisesOfAll(t *testing.T) {
	helpertest.Promises(t, []string{pytest.Interpreter(t), "-B", write(t, `
from adapter import Refused, Unsupported, serve


def score(metric, options, items):
    print("a print of the scorer's own")
    what = items[0].get("prediction")
    if what is None:
        return {"exact_match": 0.2}
    if what == "refuse":
        raise Refused("no_references", "because")
    if what == "refuse without a kind":
        raise Refused()
    if what == "no":
        raise Unsupported("not that one")
    if what == "crash":
        raise ValueError("deliberate")
    return {"exact_match": {"nan": float("nan"), "infinite": float("inf")}.get(what, 0.1)}


serve(
    name="mine",
    version="3",
    metrics={"squad": {"answers": ["normalize", "exact_match"]}},
    normalize=lambda metric, options, text: text + "\u2028\U0001F680",
    score=score,
)
`)})
}
