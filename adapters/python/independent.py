#!/usr/bin/env python3
"""A second implementation of the metrics, independent of the Go reference.

It answers normcert for squad, squad_v2, exact_match and nfd_exact_match, with
every score, condition and pin, and needs nothing but CPython 3.8 or newer. It
was written from the prose about upstream, not from upstream's source, and so a
mistake has to be made twice to go unnoticed.

It is also meant to be read: to write an adapter without the one-file helper,
start at `serve`, at the bottom.
"""

import itertools
import json
import math
import os
import platform
import re
import string
import sys
import unicodedata

ARTICLES = ("a", "an", "the")
PUNCTUATION = frozenset(string.punctuation)  # the 32 ASCII characters
DIGITS = frozenset(string.digits)

APRIL_2022 = "hf-evaluate@86baf12"
APRIL_2026 = "hf-evaluate@a7dd338"
ERASURE_AWARE = "hf-evaluate@10ee266"
ARTICLE = "article@1"


class Refused(Exception):
    """The metric itself refuses the input; kind says why."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Unsupported(Exception):
    """We do not answer that."""


# --- Normalizing ------------------------------------------------------------


def without(text, characters):
    return "".join(char for char in text if char not in characters)


def is_word_character(char):
    """What Python's \\w matches in a str. Combining marks are not in it."""
    return char.isalnum() or char == "_"


def blank_articles(text):
    """Puts a space in place of every article that is a whole word."""
    pieces = []
    for in_word, run in itertools.groupby(text, is_word_character):
        piece = "".join(run)
        pieces.append(" " if in_word and piece in ARTICLES else piece)
    return "".join(pieces)


def squad_normalize(text):
    """Lower case, no punctuation, no articles, single spaces: in that order."""
    bare = without(text.lower(), PUNCTUATION)
    return " ".join(blank_articles(bare).split())


def nfd_normalize(text):
    """Accents dropped, case folded, no punctuation, no article tokens."""
    decomposed = unicodedata.normalize("NFD", text)
    plain = "".join(char for char in decomposed if unicodedata.combining(char) == 0)
    tokens = without(plain.casefold(), PUNCTUATION).split()
    return " ".join(token for token in tokens if token not in ARTICLES)


# --- Arithmetic -------------------------------------------------------------
#
# The last bit counts, so the order of operations is part of the definition.


def left_to_right(numbers):
    """A plain sum. From Python 3.12 on, sum() of floats compensates for rounding."""
    total = 0
    for number in numbers:
        total = total + number
    return total


def percent(points, of):
    return 100.0 * points / of


def tokens_in_common(left, right):
    """Counts the tokens two lists share; a repeated token counts repeatedly."""
    remaining = list(right)
    shared = 0
    for token in left:
        if token in remaining:
            remaining.remove(token)
            shared += 1
    return shared


def token_f1(prediction, reference):
    """F1 of two lists of tokens; 0 when they share none, also when both are empty."""
    shared = tokens_in_common(prediction, reference)
    if shared == 0:
        return 0.0
    precision = shared / len(prediction)
    recall = shared / len(reference)
    return 2 * precision * recall / (precision + recall)


# --- squad ------------------------------------------------------------------


def last_answers(items):
    """The prediction of each id that has one. Of several the last counts, in the place of the first."""
    return {item["id"]: item["prediction"] for item in items if "prediction" in item}


def squad_item(prediction, references):
    """Exact match and F1 of one answer, each with the reference that suits it best."""
    if not references:
        raise Refused("no_references", "the best of no references is not defined")
    answer = squad_normalize(prediction)
    accepted = [squad_normalize(reference) for reference in references]
    exact = 1 if answer in accepted else 0
    f1 = max(token_f1(answer.split(), reference.split()) for reference in accepted)
    return exact, f1


def squad(items, options, pin):
    if not items:
        raise Refused("empty_input", "there is nothing to take a mean of")
    answers = last_answers(items)
    results = [squad_item(answers[item["id"]], item["references"]) for item in items if item["id"] in answers]
    return {
        "exact_match": percent(left_to_right(exact for exact, _ in results), len(items)),
        "f1": percent(left_to_right(f1 for _, f1 in results), len(items)),
    }


# --- squad_v2 ---------------------------------------------------------------


def squad_v2_item(prediction, references):
    """Like squad_item, but references that normalize to nothing do not count,
    and where none is left, nothing is the right answer."""
    answer = squad_normalize(prediction)
    accepted = [text for text in map(squad_normalize, references) if text] or [""]
    exact = 1 if answer in accepted else 0
    if answer == "" or accepted == [""]:
        return exact, exact
    return exact, max(token_f1(answer.split(), text.split()) for text in accepted)


def squad_v2(items, options, pin):
    threshold = options.get("no_answer_threshold", 1.0)
    answers = last_answers(items)
    doubts = {item["id"]: item["no_answer_probability"] for item in items if "prediction" in item}
    references = {item["id"]: item["references"] for item in items}  # the last of a repeated id
    if not answers:
        raise Refused("empty_input", "nothing is answered")
    unanswered = [id for id in references if id not in answers]
    if unanswered:
        raise Refused("missing_prediction", "%s has no prediction" % unanswered[0])

    has_answer = {id: len(texts) > 0 for id, texts in references.items()}
    raw = {id: squad_v2_item(answers[id], texts) for id, texts in references.items()}
    final = {id: after_threshold(raw[id], doubts[id] > threshold, has_answer[id]) for id in raw}

    scores = summary("", list(final.values()))
    scores.update(summary("HasAns_", [final[id] for id in final if has_answer[id]]))
    scores.update(summary("NoAns_", [final[id] for id in final if not has_answer[id]]))
    for index, name in enumerate(("exact", "f1")):
        points = {id: result[index] for id, result in raw.items()}
        best, at = best_threshold(points, answers, doubts, has_answer)
        scores["best_" + name] = best
        scores["best_" + name + "_thresh"] = at
    return scores


def after_threshold(result, abstains, has_answer):
    """Whoever is over the threshold is taken to have said "no answer"."""
    if not abstains:
        return result
    return (0, 0) if has_answer else (1, 1)


def summary(prefix, results):
    """The means of a group, and its size; an empty group is not mentioned."""
    if not results:
        return {}
    return {
        prefix + "exact": percent(left_to_right(exact for exact, _ in results), len(results)),
        prefix + "f1": percent(left_to_right(f1 for _, f1 in results), len(results)),
        prefix + "total": len(results),
    }


def best_threshold(points, answers, doubts, has_answer):
    """The best mean any threshold could reach, and the lowest that reaches it.

    It starts from abstaining everywhere, and lets the answers in one by one, the
    least doubtful first: an item with an answer gains its points, and one
    without loses its point if anything at all was said."""
    current = sum(1 for known in has_answer.values() if not known)
    best, at = current, 0.0
    for id in sorted(doubts, key=doubts.get):
        if has_answer[id]:
            current += points[id]
        elif answers[id]:
            current -= 1
        if current > best:
            best, at = current, doubts[id]
    return percent(best, len(points)), at


# --- exact_match ------------------------------------------------------------


class FixedWidth:
    """numpy's array of strings, as far as it shows in a score.

    All elements have the width of the longest, NULs included, and at least 1.
    Trailing NULs are padding, and so vanish. An array of no strings is not an
    array of strings."""

    def __init__(self, texts):
        self.width = max([1] + [len(text) for text in texts])
        self.texts = [text.rstrip("\0") for text in texts]

    def changed(self, change):
        """Changes every element without changing the width: what is longer is cut."""
        if not self.texts:
            raise Refused("empty_input", "there are no strings to work on")
        array = FixedWidth([change(text)[: self.width] for text in self.texts])
        array.width = self.width
        return array


def delete_matches(pattern, texts):
    try:
        return [re.sub(pattern, "", text) for text in texts]
    except re.error as error:
        raise Refused("invalid_regex", str(error))


def strip_patterns(texts, patterns, arrays_first):
    """Deletes what each pattern matches, and measures the width anew each time.

    The first pattern sees the strings as given, unless arrays came first."""
    array = FixedWidth(texts)
    if arrays_first:
        texts = array.texts
    for pattern in patterns:
        array = FixedWidth(delete_matches(pattern, texts))
        texts = array.texts
    return array


def exact_match_changes(options):
    """What is done to every string after the patterns, in this order."""
    changes = []
    if options.get("ignore_case"):
        changes.append(str.lower)
    if options.get("ignore_punctuation"):
        changes.append(lambda text: without(text, PUNCTUATION))
    if options.get("ignore_numbers"):
        changes.append(lambda text: without(text, DIGITS))
    return changes


def exact_match(items, options, pin):
    top = 100 if pin == APRIL_2022 else 1
    predictions = [item["prediction"] for item in items]
    references = [item["references"][0] for item in items]
    patterns = options.get("regexes_to_ignore")  # a str is its characters
    changes = exact_match_changes(options)

    never_arrays = patterns is not None and len(patterns) == 0 and not changes and pin != ERASURE_AWARE
    if never_arrays:
        # Two Python lists are compared, as a whole.
        return {"exact_match": top * 1.0 if predictions == references else 0.0}

    pairs = compare(predictions, references, patterns or [], changes, pin)
    return {"exact_match": sum(pairs) / len(pairs) * top if pairs else math.nan}


def compare(predictions, references, patterns, changes, pin):
    """Whether each prediction equals its reference, as 0 or 1."""
    sides = []
    for texts in (predictions, references):
        array = strip_patterns(texts, patterns, arrays_first=pin == ERASURE_AWARE)
        for change in changes:
            array = array.changed(change)
        sides.append(array.texts)
    equal = [int(left == right) for left, right in zip(*sides)]
    if pin != ERASURE_AWARE:
        return equal
    # A pair of which nothing is left matches only if it was equal before.
    before = [left == right for left, right in zip(FixedWidth(predictions).texts, FixedWidth(references).texts)]
    return [int(same and (left != "" or was)) for same, left, was in zip(equal, sides[0], before)]


# --- nfd_exact_match --------------------------------------------------------


def nfd_exact_match(items, options, pin):
    """The share of items whose answer equals one of its references."""
    if not items:
        raise Refused("empty_input", "there is nothing to take a mean of")
    return {"exact_match": sum(nfd_item(item["prediction"], item["references"]) for item in items) / len(items)}


def nfd_item(prediction, references):
    if not references:
        raise Refused("no_references", "the best of no references is not defined")
    accepted = [nfd_normalize(reference) for reference in references]
    return 1 if nfd_normalize(prediction) in accepted else 0


# --- The protocol -----------------------------------------------------------

QUESTIONS = ["batch", "unanswered", "repeated-id", "no-references"]  # items keyed by id
SQUAD_V2_KEYS = [group + key for group in ("", "HasAns_", "NoAns_") for key in ("exact", "f1", "total")]
SQUAD_V2_KEYS += ["best_exact", "best_exact_thresh", "best_f1", "best_f1_thresh"]


class Metric:
    def __init__(self, pins, score, keys, normalize=None, conditions=(), options=()):
        self.pins = pins
        self.score = score
        self.normalize = normalize
        self.conditions = list(conditions)
        self.options = list(options)
        self.answers = (["normalize"] if normalize else []) + keys

    def describe(self):
        return {"pins": self.pins, "answers": self.answers, "handles": self.conditions + self.options}


METRICS = {
    "squad": Metric(
        [APRIL_2022, APRIL_2026],
        squad,
        ["exact_match", "f1"],
        squad_normalize,
        conditions=QUESTIONS,
    ),
    "squad_v2": Metric(
        [APRIL_2022, APRIL_2026],
        squad_v2,
        SQUAD_V2_KEYS,
        squad_normalize,
        conditions=QUESTIONS,
        options=["no_answer_threshold"],
    ),
    "exact_match": Metric(
        [APRIL_2022, APRIL_2026, ERASURE_AWARE],
        exact_match,
        ["exact_match"],
        conditions=["batch"],
        options=["ignore_case", "ignore_numbers", "ignore_punctuation", "regexes_to_ignore"],
    ),
    "nfd_exact_match": Metric(
        [ARTICLE],
        nfd_exact_match,
        ["exact_match"],
        nfd_normalize,
        conditions=["batch"],
    ),
}


def hello():
    return {
        "name": "normcert-python",
        "version": "1",
        "language": "%s %s" % (platform.python_implementation(), platform.python_version()),
        "unicode": unicodedata.unidata_version,
        "metrics": {name: metric.describe() for name, metric in METRICS.items()},
    }


def metric_of(request):
    """The metric a request names; its pin and options must be known too."""
    metric = METRICS.get(request["metric"])
    if metric is None:
        raise Unsupported("no metric %s" % request["metric"])
    if request["pin"] not in metric.pins:
        raise Unsupported("%s is not implemented at %s" % (request["metric"], request["pin"]))
    for name in given_options(request):
        if name not in metric.options:
            raise Unsupported("%s has no option %s" % (request["metric"], name))
    return metric


def given_options(request):
    """The options that are set; null is the same as leaving one out."""
    options = request.get("options") or {}
    return {name: value for name, value in options.items() if value is not None}


def complete(items):
    """The items with what the protocol lets a request leave out."""
    return [dict({"id": str(index), "no_answer_probability": 0.0}, **item) for index, item in enumerate(items)]


def normalize(request):
    metric = metric_of(request)
    if metric.normalize is None:
        raise Unsupported("%s does not normalize one text at a time" % request["metric"])
    return {"text": metric.normalize(request["text"])}


def score(request):
    metric = metric_of(request)
    scores = metric.score(complete(request["items"]), given_options(request), request["pin"])
    # JSON has no NaN, so the protocol spells it as a string.
    return {"scores": {key: "nan" if value != value else value for key, value in scores.items()}}


def answer(request):
    try:
        if request["op"] == "hello":
            return hello()
        if request["op"] == "normalize":
            return normalize(request)
        if request["op"] == "score":
            return score(request)
        return {"unsupported": "no op %s" % request["op"]}
    except Refused as refusal:
        return {"error": {"kind": refusal.kind, "message": str(refusal)}}
    except Unsupported as why:
        return {"unsupported": str(why)}


def serve():
    """One request a line, one answer a line, until stdin is closed.

    Answers go to a copy of stdout that nothing else writes to; a stray print
    ends up on stderr. Any other exception ends the program, and normcert reports
    a crash: that is better than an answer nobody can trust."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        if line.isspace():
            continue
        request = json.loads(line)
        reply = dict({"id": request["id"]}, **answer(request))
        answers.write(json.dumps(reply, allow_nan=False) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
