package node_test

import (
	"testing"

	"github.com/normcert/normcert/internal/helpertest"
)

func TestSquadIsConformant(t *testing.T) {
	helpertest.Certify(t, []string{node(t), "squad.mjs"})
}

func TestHelperKeepsThePromisesOfAll(t *testing.T) {
	helpertest.Promises(t, []string{node(t), write(t, `
import { Refused, Unsupported, serve } from "./adapter.mjs";

function score(metric, options, [{ prediction }]) {
  console.log("a print of the scorer's own");
  if (prediction === undefined) return { exact_match: 0.2 };
  if (prediction === "refuse") throw new Refused("no_references", "because");
  if (prediction === "refuse without a kind") throw new Refused();
  if (prediction === "no") throw new Unsupported("not that one");
  if (prediction === "crash") throw new TypeError("deliberate");
  return { exact_match: { nan: NaN, infinite: Infinity }[prediction] ?? 0.1 };
}

serve({ name: "mine", version: "3", metrics: { squad: { answers: ["normalize", "exact_match"] } }, score,
  normalize: (metric, options, text) => text + "\u2028\u{1F680}" });
`)})
}
