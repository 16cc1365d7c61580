// An example: SQuAD's exact match and F1, equal to upstream in everything.
//
//     normcert certify -- node adapters/node/squad.mjs
//
// Upstream runs on CPython, so its lower case, spaces and word characters are
// Python's. Which characters are letters is Node's Unicode version here; it
// differs from Python's for characters that one of them does not know yet.
import { Refused, serve } from "./adapter.mjs";

// Like Python's, toLowerCase knows the sigma at the end of a word.
const punctuation = /[!-/:-@[-`{-~]/g; // string.punctuation, symbols among them
const spaces = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/; // of str.split(); \s is not
const articles = /(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu; // \b is of ASCII

const tokens = (text) =>
  text.toLowerCase().replace(punctuation, "").replace(articles, " ").split(spaces).filter(Boolean);

const normalize = (text) => tokens(text).join(" ");

/** Is 0 where no token is shared, also where there is none at all. */
function tokenF1(prediction, reference) {
  const rest = [...reference];
  let shared = 0;
  for (const token of prediction) {
    const at = rest.indexOf(token);
    if (at < 0) continue;
    rest.splice(at, 1);
    shared += 1;
  }
  if (shared === 0) return 0;
  const precision = shared / prediction.length;
  const recall = shared / reference.length;
  return (2 * precision * recall) / (precision + recall);
}

/** The mean over the items. Of several predictions with one id the last counts. */
function score(metric, options, items) {
  if (items.length === 0) throw new Refused("empty_input", "there is nothing to take a mean of");
  const answered = items.filter((item) => item.prediction !== undefined);
  const answers = new Map(answered.map((item) => [item.id, item.prediction]));
  let exact = 0;
  let f1 = 0;
  for (const { id, references } of items.filter((item) => answers.has(item.id))) {
    if (references.length === 0) throw new Refused("no_references", "the best of no references is not defined");
    const prediction = tokens(answers.get(id));
    const accepted = references.map(tokens);
    exact += accepted.some((reference) => reference.join(" ") === prediction.join(" ")) ? 1 : 0;
    f1 += Math.max(...accepted.map((reference) => tokenF1(prediction, reference)));
  }
  return { exact_match: (100 * exact) / items.length, f1: (100 * f1) / items.length };
}

serve({
  name: "squad-node",
  version: "1",
  metrics: {
    squad: {
      answers: ["normalize", "exact_match", "f1"],
      handles: ["batch", "unanswered", "repeated-id", "no-references"],
      scale: 100,
    },
  },
  normalize: (metric, options, text) => normalize(text),
  score,
});
