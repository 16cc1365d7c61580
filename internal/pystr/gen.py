#!/usr/bin/env python3
"""Generates the tables of package pystr from the CPython that runs it.

    python3 gen.py        writes the Go source to standard output
    python3 gen.py DIR    writes it to DIR/tables_<Unicode version>.go

Which Unicode version comes out depends on the interpreter alone (CPython 3.11
is 14.0.0). Everything is taken from CPython itself: str methods, unicodedata,
_sre and re._casefix. Nothing is downloaded, and the output depends on nothing
else, so two runs are the same bytes.
"""

import os
import sys
import unicodedata

try:
    import _sre
    import re._casefix
except ImportError as error:
    sys.exit("gen.py: %s; it needs CPython 3.11 or newer, this is %s" % (error, sys.version.split()[0]))

VERSION = unicodedata.unidata_version
SUFFIX = VERSION.replace(".", "_")
LIMIT = 0x110000
SHIFT = 8  # blockShift in tables.go

# The same order as categoryNames in properties.go.
CATEGORIES = ("Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po "
              "Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn").split()

# The same bits as in tables.go.
(SPACE, ALNUM, DECIMAL, PRINTABLE, RE_CASED, CASED, IGNORABLE, NFD_CHANGES,
 NFKD_CHANGES, NFC_UNSURE, NFKC_UNSURE, SECOND) = (1 << i for i in range(12))

HANGUL = range(0xAC00, 0xD7A4)
SURROGATES = range(0xD800, 0xE000)


def nf(form, c):
    return unicodedata.normalize(form, c)


def compositions():
    """The primary composites, as {(first, second): composite}, without Hangul."""
    pairs = {}
    for cp in range(LIMIT):
        mapping = unicodedata.decomposition(chr(cp))
        if not mapping or mapping.startswith("<") or " " not in mapping:
            continue
        if nf("NFC", chr(cp)) == chr(cp):
            first, second = (int(x, 16) for x in mapping.split())
            assert (first, second) not in pairs
            pairs[first, second] = cp
    return pairs


COMPOSITIONS = compositions()
SECONDS = {second for _, second in COMPOSITIONS}
SECONDS.update(range(0x1161, 0x1176), range(0x11A8, 0x11C3))  # Hangul vowels and finals


def sigma_context(c):
    """What c is to the final-sigma rule, asked of str.lower() itself.

    A character that is both cased and ignorable acts as ignorable.
    """
    if (c + "\u03a3").lower().endswith("\u03c2"):
        return CASED
    if ("A" + c + "\u03a3").lower().endswith("\u03c2"):
        return IGNORABLE
    return 0


def properties(cp):
    c = chr(cp)
    flags = sigma_context(c)
    for bit, holds in (
        (SPACE, c.isspace()),
        (ALNUM, c.isalnum()),
        (DECIMAL, c.isdecimal()),
        (PRINTABLE, c.isprintable()),
        (RE_CASED, _sre.unicode_iscased(cp)),
        (NFD_CHANGES, nf("NFD", c) != c),
        (NFKD_CHANGES, nf("NFKD", c) != c),
        (NFC_UNSURE, cp in SECONDS or nf("NFC", c) != c),
        (NFKC_UNSURE, cp in SECONDS or nf("NFKC", c) != c),
        (SECOND, cp in SECONDS),
    ):
        if holds:
            flags |= bit
    # str.split() and isspace() are the same question.
    assert c.isspace() == (not c.split())
    return flags, unicodedata.combining(c), CATEGORIES.index(unicodedata.category(c))



def casing(cp):
    """Deltas of simple lower case and of case folding, and which of the full mappings are longer."""
    c = chr(cp)
    lower, fold = c.lower(), c.casefold()
    simple = _sre.unicode_tolower(cp)
    lower_long = lower != chr(simple)
    fold_long = len(fold) != 1
    return (simple - cp, 0 if fold_long else ord(fold) - cp, lower_long, fold_long)


def two_stage(values):
    """Splits values into blocks and keeps each distinct block once."""
    size = 1 << SHIFT
    seen, index, blocks = {}, [], []
    for start in range(0, LIMIT, size):
        block = tuple(values[start:start + size])
        if block not in seen:
            seen[block] = len(seen)
            blocks.extend(block)
        index.append(seen[block])
    assert len(seen) <= 256
    return index, blocks


def numbered(records):
    """Replaces each record by its number; numbers go by first appearance."""
    seen, numbers = {}, []
    for record in records:
        numbers.append(seen.setdefault(record, len(seen)))
    assert len(seen) <= 256
    return numbers, list(seen)


def quoted(text):
    """An ASCII Go string literal."""
    out = []
    for c in text:
        if 0x20 <= ord(c) < 0x7F and c not in '"\\':
            out.append(c)
        elif ord(c) < 0x10000:
            out.append("\\u%04x" % ord(c))
        else:
            out.append("\\U%08x" % ord(c))
    return '"%s"' % "".join(out)


class Writer:
    def __init__(self):
        self.lines = []
        self.fields = []

    def field(self, name, comment, kind, rows, pointer=False):
        variable = name + SUFFIX
        self.fields.append((name, "&" + variable if pointer else variable))
        self.lines += ["", "// %s %s" % (variable, comment), "var %s = %s{" % (variable, kind)]
        self.lines += ["\t" + row for row in rows]
        self.lines.append("}")

    def numbers(self, name, comment, kind, numbers, pointer=False):
        rows, row = [], ""
        for number in numbers:
            item = "%d," % number
            if row and len(row) + 1 + len(item) > 110:
                rows.append(row)
                row = ""
            row += (" " if row else "") + item
        rows.append(row)
        self.field(name, comment, kind, rows, pointer)

    def text(self, name, comment, pieces):
        variable = name + SUFFIX
        self.fields.append((name, variable))
        rows, row = [], ""
        for piece in pieces:
            if row and len(quoted(row + piece)) > 110:
                rows.append(row)
                row = ""
            row += piece
        rows.append(row)
        self.lines += ["", "// %s %s" % (variable, comment), 'const %s = "" +' % variable]
        self.lines += ["\t%s%s" % (quoted(row), " +" if row is not rows[-1] else "") for row in rows]


def write_properties(w):
    numbers, records = numbered([properties(cp) for cp in range(LIMIT)])
    index, blocks = two_stage(numbers)
    w.numbers("propertyIndex", "is the first stage: a code point's high bits to a block.", "[blockCount]uint8", index, pointer=True)
    w.numbers("propertyBlocks", "is the second stage: a block's entries to a record.", "[]uint8", blocks)
    w.field("properties", "are the distinct records: flags, canonical combining class, category.", "[]property",
            ["{%#x, %d, %d}," % record for record in records])


def write_casing(w):
    numbers, records = numbered([casing(cp) for cp in range(LIMIT)])
    index, blocks = two_stage(numbers)
    go = {False: "false", True: "true"}
    w.numbers("casingIndex", "is the first stage of the case mappings.", "[blockCount]uint8", index, pointer=True)
    w.numbers("casingBlocks", "is the second stage of the case mappings.", "[]uint8", blocks)
    w.field("casings", "are the distinct records: what to add for lower case and for folding, and whether a longer mapping replaces it.",
            "[]casing", ["{%d, %d, %s, %s}," % (a, b, go[c], go[d]) for a, b, c, d in records])
    # An unchanged character is record 0, which case.go relies on.
    assert records[0] == (0, 0, False, False)
    rows = lambda method, chosen: ["{%#x, %s}," % (cp, quoted(method(chr(cp)))) for cp in range(LIMIT) if chosen(casing(cp))]
    w.field("lowerLong", "are the lower cases that are not one character, or not what re uses.", "[]mapping", rows(str.lower, lambda c: c[2]))
    w.field("foldLong", "are the case foldings that are not one character.", "[]mapping", rows(str.casefold, lambda c: c[3]))


def write_decompositions(w):
    entries = [cp for cp in range(LIMIT) if cp not in HANGUL and nf("NFKD", chr(cp)) != chr(cp)]
    number = {cp: i + 1 for i, cp in enumerate(entries)}
    index, blocks = two_stage([number.get(cp, 0) for cp in range(LIMIT)])
    w.numbers("decompositionIndex", "is the first stage of the decompositions.", "[blockCount]uint8", index, pointer=True)
    w.numbers("decompositionBlocks", "is the second stage: the number of a decomposition, 0 for none.", "[]uint16", blocks)
    for name, form, what in (("canonical", "NFD", "canonical"), ("compatible", "NFKD", "compatibility")):
        pieces, offsets = [], [0, 0]
        for cp in entries:
            # The compatibility text is kept only where it is another one.
            piece = nf(form, chr(cp))
            if piece == chr(cp) or (form == "NFKD" and piece == nf("NFD", chr(cp))):
                piece = ""
            pieces.append(piece)
            offsets.append(offsets[-1] + len(piece.encode()))
        assert offsets[-1] < 1 << 16
        w.numbers(name + "Offsets", "is where in %sText decomposition n begins; it ends where n+1 begins." % name, "[]uint16", offsets)
        w.text(name + "Text", "is all full %s decompositions, one after another." % what, pieces)


def write_compositions(w):
    w.field("compositions", "are the primary composites without Hangul, by first, then second.", "[]composition",
            ["{%#x, %#x, %#x}," % (*pair, COMPOSITIONS[pair]) for pair in sorted(COMPOSITIONS)])


def write_extra_cases(w):
    extra = re._casefix._EXTRA_CASES
    w.field("extraCases", "are re._casefix._EXTRA_CASES.", "[]extraCase",
            ["{%#x, []rune{%s}}," % (cp, ", ".join("%#x" % other for other in extra[cp])) for cp in sorted(extra)])


def source():
    w = Writer()
    w.lines = [
        "// Code generated by python3 gen.py, from CPython's own str, unicodedata and re for Unicode %s; DO NOT EDIT." % VERSION,
        "// In internal/pystr, under a CPython of that Unicode version: python3 gen.py > tables_%s.go" % SUFFIX,
        "",
        "package pystr",
    ]
    write_properties(w)
    write_casing(w)
    write_decompositions(w)
    write_compositions(w)
    write_extra_cases(w)
    w.fields.insert(0, ("version", '"%s"' % VERSION))
    width = max(len(name) for name, _ in w.fields) + 2
    w.lines += ["", "// tables%s are the tables of Unicode %s." % (SUFFIX, VERSION), "var tables%s = Tables{" % SUFFIX]
    w.lines += ["\t%s%s," % ((name + ":").ljust(width), value) for name, value in w.fields]
    w.lines.append("}")
    return "\n".join(w.lines) + "\n"


def main(arguments):
    text = source()
    if not arguments:
        sys.stdout.write(text)
        return
    with open(os.path.join(arguments[0], "tables_%s.go" % SUFFIX), "w", newline="\n") as out:
        out.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
