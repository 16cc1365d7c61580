"""Write a normcert adapter in Python: copy this file next to your own.

    from adapter import serve
    from acme import normalize          # yours

    serve(
        name="acme-norm",
        version="2.1.0",
        metrics={"squad": {"answers": ["normalize"]}},
        normalize=lambda metric, options, text: normalize(text),
    )

    normcert certify -- python3 my_adapter.py

It speaks the protocol of adapters/PROTOCOL.md: stdin and stdout are its own, and
what you print goes to stderr. CPython 3.8 or newer, no packages.
"""

import json
import math
import os
import platform
import sys
import unicodedata


class Refused(Exception):
    """Raise it where your metric refuses an input, as upstream does by raising.

    kind is invalid_regex, no_references, empty_input, missing_prediction, or
    left out. Any other exception of yours counts as a crash."""

    def __init__(self, kind=None, message=""):
        super().__init__(message or kind or "refused")
        self.kind = kind


class Unsupported(Exception):
    """Raise it, with the reason, where you honestly do not do this."""


def serve(name, metrics, version="", normalize=None, score=None, **about):
    """Answers requests until normcert closes stdin. It does not return before.

    metrics maps each metric you answer for to a dict:
      answers   "normalize" and the scores you give, for example ["exact_match", "f1"]
      handles   what you take beside one item with a prediction and a reference
                (batch, unanswered, repeated-id, no-references, option names); default: none
      scale     your own top score, 1 or 100; default: upstream's
      pins      the upstreams you mean to be equal to; default: the metric's default pin
    normalize(metric, options, text) returns the normalized text.
    score(metric, options, items) returns a dict with the scores of the items
    as one batch. An item is a dict: id, references (a list), prediction (unless
    it is unanswered), no_answer_probability (squad_v2 only).
    about may add wraps="acme.normalize 2.1.0", the function that you wrapped."""
    requests, answers = _take_streams()
    hello = dict(
        {
            "name": name,
            "version": version,
            "metrics": metrics,
            "language": "%s %s" % (platform.python_implementation(), platform.python_version()),
            "unicode": unicodedata.unidata_version,
        },
        **about
    )
    for line in requests:
        if line.isspace():
            continue
        request = json.loads(line.decode("ascii"))
        # An exception that is not caught there is no verdict about the input but
        # a bug, and shows as one: Python prints it to stderr and exits with 1.
        reply = _answer(request, hello, normalize, score)
        answers.write(json.dumps(dict({"id": request["id"]}, **reply), allow_nan=False).encode("ascii") + b"\n")
        answers.flush()


def _answer(request, hello, normalize, score):
    op, metric, options = request["op"], request.get("metric"), request.get("options", {})
    if op == "hello":
        return hello
    try:
        if metric not in hello["metrics"]:
            raise Unsupported("no metric %s" % metric)
        if op == "normalize" and normalize is not None:
            return {"text": normalize(metric, options, request["text"])}
        if op == "score" and score is not None:
            scores = score(metric, options, request["items"])
            return {"scores": {key: _number(value) for key, value in scores.items()}}
        raise Unsupported("no %s" % op)
    except Refused as refusal:
        error = {"message": str(refusal)}
        if refusal.kind:
            error["kind"] = refusal.kind
        return {"error": error}
    except Unsupported as why:
        return {"unsupported": str(why)}


def _number(value):
    """True is 1, numpy's numbers are plain ones, and NaN is spelled "nan"."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return value


def _take_streams():
    """Keeps stdin and stdout for the protocol; every print goes to stderr."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers
