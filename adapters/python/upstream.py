#!/usr/bin/env python3
"""Answers the normcert protocol with upstream's own metrics.

    python3 upstream.py --source DIR [--pin hf-evaluate@a7dd338] [--metrics squad,squad_v2,exact_match]

DIR is a plain directory that holds metrics/<name>/*.py of huggingface/evaluate.
Any CPython from 3.8 on will do; exact_match needs numpy, the other two do not.

What is called is the metric's `_compute` on a bare instance, so that neither the
checks of the public `compute()` nor its cast to float32 take part.

Goldens are recorded from what this program says, so it never guesses: only an
exception that fits one of the known kinds and was raised inside upstream's own
source is passed on as upstream's refusal. Anything else, above all a mistake of
this program or of the request, is answered with the kind "unclassified", which
the recorder refuses.
"""

import argparse
import importlib
import json
import math
import os
import platform
import re
import sys
import traceback
import types
import unicodedata
import warnings

FLAGS = ["ignore_case", "ignore_numbers", "ignore_punctuation"]


class MalformedRequest(Exception):
    """The request is not one the runner should send."""


class CannotAnswer(Exception):
    """An honest no: the answer is `unsupported`."""


# --- Reading requests -------------------------------------------------------
#
# Everything is checked before upstream sees it, so that an exception out of
# upstream is about the strings and never about the shape of the request.


def parse(line):
    """Returns the request on one line, a dict with unique keys and an id."""
    try:
        request = json.loads(line.decode("ascii"), object_pairs_hook=unique, parse_constant=no_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise MalformedRequest("not a line of ASCII JSON: %s" % error)
    if not isinstance(request, dict) or not is_integer(request.get("id")):
        raise MalformedRequest("no object with an integer id")
    return request


def unique(pairs):
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise MalformedRequest("a key is given twice")
    return keys


def no_constant(name):
    raise MalformedRequest("%s is not JSON" % name)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def expect(condition, what):
    if not condition:
        raise MalformedRequest(what)


def text_of(value, what):
    expect(isinstance(value, str), "%s is not a string" % what)
    expect(not any("\ud800" <= char <= "\udfff" for char in value), "%s has a lone surrogate" % what)
    return value


def texts_of(value, what):
    expect(isinstance(value, list), "%s is not a list" % what)
    return [text_of(text, what) for text in value]


def number_of(value, what):
    expect(isinstance(value, (int, float)) and not isinstance(value, bool), "%s is not a number" % what)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    expect(math.isfinite(number), "%s is not a finite double" % what)
    return number


def items_of(request):
    """Returns the items, each with its id (its index if left out) and references."""
    items = request.get("items")
    expect(isinstance(items, list), "items is not a list")
    return [item_of(item, index) for index, item in enumerate(items)]


def item_of(item, index):
    where = "items[%d]" % index
    expect(isinstance(item, dict), "%s is not an object" % where)
    clean = {
        "id": text_of(item.get("id", str(index)), where + ".id"),
        "references": texts_of(item.get("references"), where + ".references"),
        "no_answer_probability": number_of(item.get("no_answer_probability", 0.0), where + ".no_answer_probability"),
    }
    if "prediction" in item:
        clean["prediction"] = text_of(item["prediction"], where + ".prediction")
    return clean


def options_of(request, known):
    """Returns the options that are given; null means left out."""
    options = request.get("options", {})
    expect(isinstance(options, dict), "options is not an object")
    given = {name: value for name, value in options.items() if value is not None}
    for name, value in given.items():
        expect(name in known, "the metric has no option %r" % name)
        given[name] = option_of(name, value)
    return given


def option_of(name, value):
    if name == "no_answer_threshold":
        return number_of(value, name)
    if name == "regexes_to_ignore":
        # A lone string is legal: upstream iterates it by character.
        return text_of(value, name) if isinstance(value, str) else texts_of(value, name)
    expect(isinstance(value, bool), "%s is not a bool" % name)
    return value


# --- Loading upstream -------------------------------------------------------


def load_metric(source, name):
    """Imports metrics/<name>/<name>.py as part of a package of its own.

    Returns the module. A metric that imports numpy only for its plots gets an
    empty stand-in for it while it loads, where there is no numpy."""
    folder = os.path.join(source, "metrics", name)
    file = os.path.join(folder, name + ".py")
    if not os.path.isfile(file):
        raise CannotAnswer("%s does not exist" % file)
    package = types.ModuleType("upstream_" + name)
    package.__path__ = [folder]
    sys.modules[package.__name__] = package
    borrowed = name == "squad_v2" and not has_numpy()
    if borrowed:
        sys.modules["numpy"] = types.ModuleType("numpy")
    try:
        return importlib.import_module("%s.%s" % (package.__name__, name))
    finally:
        if borrowed:
            del sys.modules["numpy"]


def has_numpy():
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True


def stand_in_for_libraries():
    """Puts small modules where `datasets` and `evaluate` are not installed.

    The metrics need them to declare themselves, never to compute. One that is
    installed and cannot be imported is as good as absent."""
    if not can_import("datasets"):
        sys.modules["datasets"] = types.ModuleType("datasets")
    if not can_import("evaluate"):
        evaluate = types.ModuleType("evaluate")
        evaluate.Metric = type("Metric", (), {})
        evaluate.utils = types.ModuleType("evaluate.utils")
        evaluate.utils.file_utils = types.ModuleType("evaluate.utils.file_utils")
        evaluate.utils.file_utils.add_start_docstrings = lambda *texts: lambda decorated: decorated
        for module in (evaluate, evaluate.utils, evaluate.utils.file_utils):
            sys.modules[module.__name__] = module


def can_import(name):
    try:
        importlib.import_module(name)
    except Exception:
        return False
    return True


def bare_instance(module):
    """Returns an instance of the module's metric on which __init__ was never run."""
    base = sys.modules["evaluate"].Metric
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise CannotAnswer("%s has %d metric classes, not one" % (module.__file__, len(found)))
    return found[0].__new__(found[0])


# --- The metrics ------------------------------------------------------------


class Squad:
    """squad, and what squad_v2 shares with it."""

    keys = ["exact_match", "f1"]
    conditions = ["batch", "unanswered", "repeated-id", "no-references"]
    options = []

    def __init__(self, source, name):
        module = load_metric(source, name)
        self.instance = bare_instance(module)
        self.normalize_answer = sys.modules[module.__package__ + ".compute_score"].normalize_answer

    def answers(self):
        return ["normalize"] + self.keys

    def normalize(self, text):
        return self.normalize_answer(text)

    def score(self, items, options):
        return self.instance._compute(
            predictions=[self.prediction(item) for item in items if "prediction" in item],
            references=[self.reference(item) for item in items],
            **options
        )

    def prediction(self, item):
        return {"id": item["id"], "prediction_text": item["prediction"]}

    def reference(self, item):
        texts = item["references"]
        return {"id": item["id"], "answers": {"text": list(texts), "answer_start": [0] * len(texts)}}

    def kind(self, error, items):
        if isinstance(error, ZeroDivisionError):
            return "empty_input"
        if isinstance(error, ValueError) and str(error).startswith("max()"):
            return "no_references"
        return None


class SquadV2(Squad):
    keys = (
        ["exact", "f1", "total"]
        + ["HasAns_exact", "HasAns_f1", "HasAns_total"]
        + ["NoAns_exact", "NoAns_f1", "NoAns_total"]
        + ["best_exact", "best_exact_thresh", "best_f1", "best_f1_thresh"]
    )
    options = ["no_answer_threshold"]

    def prediction(self, item):
        probability = item["no_answer_probability"]
        return dict(super().prediction(item), no_answer_probability=probability)

    def kind(self, error, items):
        if isinstance(error, ZeroDivisionError):
            return "empty_input"
        unanswered = [item["id"] for item in items if "prediction" not in item]
        if isinstance(error, KeyError) and error.args and error.args[0] in unanswered:
            return "missing_prediction"
        return None


class ExactMatch:
    keys = ["exact_match"]
    conditions = ["batch"]
    options = FLAGS + ["regexes_to_ignore"]

    def __init__(self, source, name):
        if not has_numpy():
            raise CannotAnswer("numpy is not installed")
        self.instance = bare_instance(load_metric(source, name))

    def answers(self):
        return list(self.keys)

    def normalize(self, text):
        raise CannotAnswer("upstream's exact_match has no function that normalizes one text")

    def score(self, items, options):
        for index, item in enumerate(items):
            expect("prediction" in item, "items[%d] has no prediction" % index)
            expect(len(item["references"]) == 1, "items[%d] has not exactly one reference" % index)
        return self.instance._compute(
            predictions=[item["prediction"] for item in items],
            references=[item["references"][0] for item in items],
            **options
        )

    def kind(self, error, items):
        if isinstance(error, re.error):
            return "invalid_regex"
        if isinstance(error, TypeError) and "non-string array" in str(error) and not items:
            return "empty_input"
        return None


METRICS = {"squad": Squad, "squad_v2": SquadV2, "exact_match": ExactMatch}


# --- Answers ----------------------------------------------------------------


class Upstream:
    """One source tree at one pin."""

    def __init__(self, source, pin, names):
        self.source = os.path.realpath(source)
        self.pin = pin
        self.metrics = {}
        self.missing = {}
        for name in names:
            try:
                self.metrics[name] = METRICS[name](self.source, name)
            except CannotAnswer as why:
                self.missing[name] = str(why)

    def answer(self, request):
        """Returns the answer to one request, without its id."""
        try:
            return self.dispatch(request)
        except CannotAnswer as why:
            return {"unsupported": str(why)}
        except MalformedRequest as error:
            return unclassified(error)
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return unclassified(error)

    def dispatch(self, request):
        op = request.get("op")
        if op == "hello":
            return self.hello(request)
        if op == "normalize":
            metric = self.metric(request)
            options_of(request, metric.options)
            return {"text": plain_text(metric.normalize(text_of(request.get("text"), "text")))}
        if op == "score":
            return self.score(request)
        raise MalformedRequest("unknown op %r" % (op,))

    def hello(self, request):
        if request.get("protocol") != 1:
            raise CannotAnswer("this adapter speaks protocol 1")
        answer = {
            "name": "upstream",
            "version": self.pin or "unknown",
            "language": "%s %s" % (platform.python_implementation(), platform.python_version()),
            "unicode": unicodedata.unidata_version,
            "metrics": {name: self.describe(metric) for name, metric in self.metrics.items()},
        }
        if has_numpy():
            answer["libraries"] = {"numpy": sys.modules["numpy"].__version__}
        return answer

    def describe(self, metric):
        about = {"answers": metric.answers(), "handles": metric.conditions + metric.options}
        if self.pin and "@" in self.pin:
            about["pins"] = [self.pin]
        return about

    def metric(self, request):
        pin, name = request.get("pin"), request.get("metric")
        expect(pin is None or isinstance(pin, str), "pin is not a string")
        expect(not (pin and self.pin) or same_pin(pin, self.pin), "this source is %s, not %s" % (self.pin, pin))
        expect(isinstance(name, str), "metric is not a string")
        if name not in self.metrics:
            raise CannotAnswer(self.missing.get(name, "no metric %r here" % name))
        return self.metrics[name]

    def score(self, request):
        metric = self.metric(request)
        options = options_of(request, metric.options)
        items = items_of(request)
        try:
            scores = metric.score(items, options)
        except (MalformedRequest, CannotAnswer):
            raise
        except Exception as error:
            kind = metric.kind(error, items)
            if kind is None or not self.raised_by_upstream(error):
                raise
            return {"error": {"kind": kind, "message": message_of(error)}}
        return {"scores": {key: plain_number(value) for key, value in scores.items()}}

    def raised_by_upstream(self, error):
        """Reports whether a frame of the traceback is in upstream's own source."""
        root = os.path.join(self.source, "metrics") + os.sep
        return any(
            os.path.realpath(frame.f_code.co_filename).startswith(root)
            for frame, _ in traceback.walk_tb(error.__traceback__)
        )


def same_pin(one, other):
    """Reports whether two pins name the same commit, either one abbreviated."""
    upstream, _, commit = one.rpartition("@")
    other_upstream, _, other_commit = other.rpartition("@")
    if upstream and other_upstream and upstream != other_upstream:
        return False
    return commit.startswith(other_commit) or other_commit.startswith(commit)


def unclassified(error):
    return {"error": {"kind": "unclassified", "message": message_of(error)}}


def message_of(error):
    return "%s: %s" % (type(error).__name__, error)


def plain_text(value):
    if type(value) is not str:
        raise TypeError("upstream normalized to %r, which is not a string" % (value,))
    return value


def plain_number(value):
    """Returns a Python number for one of Python's or numpy's; NaN as "nan"."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError("upstream scored %r, which is not a number" % (value,))
    if math.isinf(value):
        raise TypeError("upstream scored %r, which has no place in JSON" % (value,))
    return "nan" if math.isnan(value) else value


# --- The process ------------------------------------------------------------


def private_streams():
    """Returns the protocol's stdin and stdout, out of reach of anyone's prints.

    Upstream prints to stdout and stderr while it scores. File descriptor 1
    becomes stderr, and sys.stdout too, whose encoding never fails."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def serve(upstream, requests, answers):
    for line in requests:
        if not line.strip():
            continue
        try:
            request = parse(line)
        except MalformedRequest as error:
            # Without an id nobody can be answered.
            sys.exit("upstream.py: malformed request: %s" % error)
        answer = dict({"id": request["id"]}, **upstream.answer(request))
        answers.write(json.dumps(answer, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n")
        answers.flush()


def arguments():
    parser = argparse.ArgumentParser(description="Answer the normcert protocol with upstream's own metrics.")
    parser.add_argument("--source", required=True, metavar="DIR", help="holds metrics/<name>/*.py of huggingface/evaluate")
    parser.add_argument("--pin", default="", help="what the source is, for example hf-evaluate@a7dd338")
    parser.add_argument("--metrics", default="", help="comma-separated; default: all the source and this Python have")
    chosen = parser.parse_args()
    names = [name for name in chosen.metrics.split(",") if name] or list(METRICS)
    for name in names:
        if name not in METRICS:
            parser.error("unknown metric %r; known: %s" % (name, ", ".join(METRICS)))
    if not os.path.isdir(os.path.join(chosen.source, "metrics")):
        parser.error("%s has no folder metrics" % chosen.source)
    return chosen, names


def main():
    chosen, names = arguments()
    requests, answers = private_streams()
    # The source tree is left as it was found, and no environment variable
    # turns a warning of numpy's or re's into an exception.
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    stand_in_for_libraries()
    upstream = Upstream(chosen.source, chosen.pin, names)
    for name, why in upstream.missing.items():
        print("upstream.py: %s is not offered: %s" % (name, why), file=sys.stderr)
    if not upstream.metrics or (chosen.metrics and upstream.missing):
        sys.exit("upstream.py: not every metric asked for can be loaded from %s" % chosen.source)
    serve(upstream, requests, answers)


if __name__ == "__main__":
    main()
