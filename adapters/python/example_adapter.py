"""An adapter for "acme", a scorer that gives one answer True or False."""

from adapter import serve


def acme_equal(prediction, reference):
    return prediction.casefold().strip() == reference.casefold().strip()


serve(
    name="acme",
    version="1.0",
    metrics={"squad": {"answers": ["exact_match"], "scale": 1}},
    score=lambda metric, options, items: {
        "exact_match": any(acme_equal(items[0]["prediction"], reference) for reference in items[0]["references"])
    },
)
