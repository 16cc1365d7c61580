"""An example: SQuAD's exact match and F1, equal to upstream in everything.

    normcert certify -- python3 adapters/python/squad.py

Which characters are letters is Python's Unicode version (14.0.0 in 3.11, which
the truth was recorded under); it differs for characters of later versions.
"""

import re
import string
from collections import Counter

from adapter import Refused, serve

PUNCTUATION = str.maketrans("", "", string.punctuation)
ARTICLES = re.compile(r"\b(?:an?|the)\b")


def tokens(text):
    return ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split()


def token_f1(prediction, reference):
    """Is 0 where no token is shared, also where there is none at all."""
    shared = sum((Counter(prediction) & Counter(reference)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(prediction), shared / len(reference)
    return 2 * precision * recall / (precision + recall)


def score(metric, options, items):
    """The mean over the items. Of several predictions with one id the last counts."""
    if not items:
        raise Refused("empty_input", "there is nothing to take a mean of")
    answers = {item["id"]: tokens(item["prediction"]) for item in items if "prediction" in item}
    exact = f1 = 0.0
    for item in items:
        if item["id"] not in answers:
            continue
        if not item["references"]:
            raise Refused("no_references", "the best of no references is not defined")
        prediction, accepted = answers[item["id"]], [tokens(text) for text in item["references"]]
        # Added one by one: sum() of floats compensates from Python 3.12 on.
        exact += prediction in accepted
        f1 += max(token_f1(prediction, reference) for reference in accepted)
    return {"exact_match": 100 * exact / len(items), "f1": 100 * f1 / len(items)}


serve(
    name="squad-python",
    version="1",
    metrics={
        "squad": {
            "answers": ["normalize", "exact_match", "f1"],
            "handles": ["batch", "unanswered", "repeated-id", "no-references"],
            "scale": 100,
        }
    },
    normalize=lambda metric, options, text: " ".join(tokens(text)),
    score=score,
)
