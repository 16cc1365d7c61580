// Write a normcert adapter in JavaScript: copy this file next to your own.
//
//     import { serve } from "./adapter.mjs";
//     import { normalize } from "acme"; // yours
//
//     serve({
//       name: "acme-norm",
//       version: "2.1.0",
//       metrics: { squad: { answers: ["normalize"] } },
//       normalize: (metric, options, text) => normalize(text),
//     });
//
//     normcert certify -- node my-adapter.mjs
//
// It speaks the protocol of adapters/PROTOCOL.md: stdin and stdout are its own,
// and what you print goes to stderr. Node 18 or newer, no packages.

import { createInterface } from "node:readline";

/**
 * Throw it where your metric refuses an input, as upstream does by raising.
 * kind is invalid_regex, no_references, empty_input, missing_prediction, or left
 * out. Anything else you throw counts as a crash.
 */
export class Refused extends Error {
  constructor(kind, message) {
    super(message ?? kind ?? "refused");
    this.kind = kind;
  }
}

/** Throw it, with the reason, where you honestly do not do this. */
export class Unsupported extends Error {}

/**
 * Answers requests until normcert closes stdin.
 *
 * metrics maps each metric you answer for to an object:
 *   answers   "normalize" and the scores you give, for example ["exact_match", "f1"]
 *   handles   what you take beside one item with a prediction and a reference
 *             (batch, unanswered, repeated-id, no-references, option names); default: none
 *   scale     your own top score, 1 or 100; default: upstream's
 *   pins      the upstreams you mean to be equal to; default: the metric's default pin
 * normalize(metric, options, text) returns the normalized text.
 * score(metric, options, items) returns an object with the scores of the items as
 * one batch. An item has id, references (an array), prediction (unless it is
 * unanswered) and no_answer_probability (squad_v2 only).
 * Both may return a promise. about may hold wraps: "acme.normalize 2.1.0", the
 * function that you wrapped.
 */
export async function serve({ name, version = "", metrics, normalize, score, ...about }) {
  const send = takeStdout();
  const hello = {
    name,
    version,
    metrics,
    language: `Node ${process.versions.node}`,
    unicode: process.versions.unicode,
    ...about,
  };
  try {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      if (line.trim() === "") continue;
      const request = JSON.parse(line);
      send({ id: request.id, ...(await answer(request, hello, normalize, score)) });
    }
  } catch (error) {
    // Not a verdict about the input, but a bug: let it show as one.
    console.error(error);
    process.exit(1);
  }
}

async function answer(request, hello, normalize, score) {
  const { op, metric, options = {} } = request;
  if (op === "hello") return hello;
  try {
    if (!Object.hasOwn(hello.metrics, metric)) throw new Unsupported(`no metric ${metric}`);
    if (op === "normalize" && normalize) return { text: textOf(await normalize(metric, options, request.text)) };
    if (op === "score" && score) return { scores: numbers(await score(metric, options, request.items)) };
    throw new Unsupported(`no ${op}`);
  } catch (error) {
    if (error instanceof Refused) return { error: { kind: error.kind, message: error.message } };
    if (error instanceof Unsupported) return { unsupported: error.message };
    throw error;
  }
}

function textOf(value) {
  if (typeof value !== "string") throw new TypeError(`normalize returned ${value}, which is not a string`);
  return value;
}

/** true is 1, and NaN is spelled "nan"; JSON.stringify would turn it into null. */
function numbers(scores) {
  const plain = {};
  for (const [key, value] of Object.entries(scores)) {
    const number = typeof value === "boolean" ? Number(value) : value;
    if (typeof number !== "number" || Math.abs(number) === Infinity) {
      throw new TypeError(`score returned ${key}: ${value}, which is not a finite number`);
    }
    plain[key] = Number.isNaN(number) ? "nan" : number;
  }
  return plain;
}

/** Keeps stdout for the protocol, and sends everyone else's output to stderr. */
function takeStdout() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  console.log = console.info = console.debug = console.error;
  const escape = (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0");
  return (reply) => write(JSON.stringify(reply).replace(/[\u007f-\uffff]/g, escape) + "\n");
}
