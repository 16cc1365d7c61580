package pystr

import (
	"bytes"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const scalarValues = 0x110000 - 0x800

// codePoints prints, for each property, the code points that have it as ranges,
// or what each changed code point becomes: everything else is the default.
const codePoints = `
import _sre
def scalars():
    yield from range(0xD800)
    yield from range(0xE000, 0x110000)
def transform(f):
    out = {}
    for cp in scalars():
        c = chr(cp)
        m = f(c)
        if m != c: out[str(cp)] = m
    return out
def values(f):
    runs, last = [], None
    for cp in scalars():
        v = f(chr(cp))
        if v != last or cp == 0xE000:
            runs.append([cp, v])
            last = v
    return runs
word, digit, space = (re.compile(x).match for x in (r'\w', r'\d', r'\s'))
nf = unicodedata.normalize
try: from re._casefix import _EXTRA_CASES as extra
except ImportError: extra = {} # before 3.11, which is before Unicode 14
answer({
  'transforms': {
    'lower': transform(str.lower),
    'casefold': transform(str.casefold),
    'NFC': transform(lambda c: nf('NFC', c)),
    'NFD': transform(lambda c: nf('NFD', c)),
    'NFKC': transform(lambda c: nf('NFKC', c)),
    'NFKD': transform(lambda c: nf('NFKD', c)),
    '_sre.unicode_tolower': transform(lambda c: chr(_sre.unicode_tolower(ord(c)))),
  },
  'values': {
    'isspace': values(str.isspace),
    r're \s': values(lambda c: space(c) is not None),
    'split': values(lambda c: not c.split()),
    'isalnum': values(str.isalnum),
    r're \w': values(lambda c: word(c) is not None),
    'isdecimal': values(str.isdecimal),
    r're \d': values(lambda c: digit(c) is not None),
    'isprintable': values(str.isprintable),
    '_sre.unicode_iscased': values(lambda c: bool(_sre.unicode_iscased(ord(c)))),
    'combining': values(unicodedata.combining),
    'category': values(unicodedata.category),
    'cased before a sigma': values(lambda c: (c + 'Σ').lower()[-1] == 'ς'),
    'ignorable before a sigma': values(lambda c: ('A' + c + 'Σ').lower()[-1] == 'ς'),
    'cased or not after a sigma': values(lambda c: ('AΣ' + c).lower()[1] == 'ς'),
  },
  'extra': {str(k): v for k, v in extra.items()},
})
`

type codePointAnswers struct {
	Transforms map[string]map[rune]string
	Values     map[string][][2]any
	Extra      map[rune][]rune
}

var transforms = map[string]func(string) string{
	"lower":                Lower,
	"casefold":             Casefold,
	"NFC":                  NFC,
	"NFD":                  NFD,
	"NFKC":                 NFKC,
	"NFKD":                 NFKD,
	"_sre.unicode_tolower": func(s string) string { r, _ := utf8.DecodeRuneInString(s); return string(SimpleLower(r)) },
}

var values = map[string]func(rune) any{
	"isspace":                    func(r rune) any { return IsSpace(r) },
	`re \s`:                      func(r rune) any { return IsSpace(r) },
	"split":                      func(r rune) any { return len(Fields(string(r))) == 0 },
	"isalnum":                    func(r rune) any { return IsAlnum(r) },
	`re \w`:                      func(r rune) any { return IsWord(r) },
	"isdecimal":                  func(r rune) any { return IsDecimal(r) },
	`re \d`:                      func(r rune) any { return IsDecimal(r) },
	"isprintable":                func(r rune) any { return IsPrintable(r) },
	"_sre.unicode_iscased":       func(r rune) any { return IsCased(r) },
	"combining":                  func(r rune) any { return float64(CombiningClass(r)) }, // JSON's only number
	"category":                   func(r rune) any { return Category(r) },
	"cased before a sigma":       func(r rune) any { return strings.HasSuffix(Lower(string(r)+"Σ"), "ς") },
	"ignorable before a sigma":   func(r rune) any { return strings.HasSuffix(Lower("A"+string(r)+"Σ"), "ς") },
	"cased or not after a sigma": func(r rune) any { return strings.HasPrefix(Lower("AΣ"+string(r)), "aς") },
}

// difference counts the code points of one property that are not Python's.
type difference struct {
	count    int
	examples []string
}

func (d *difference) add(r rune, got, want string) {
	d.count++
	if len(d.examples) < 5 {
		d.examples = append(d.examples, strconv.QuoteRuneToASCII(r)+" is "+got+", Python "+want)
	}
}

func eachScalar(f func(rune)) {
	for r := rune(0); r <= maxRune; r++ {
		if r < 0xD800 || r > 0xDFFF {
			f(r)
		}
	}
}

func compareTransform(ours func(string) string, changed map[rune]string) (d difference, n int) {
	eachScalar(func(r rune) {
		s := string(r)
		want, ok := changed[r]
		if !ok {
			want = s
		}
		if got := ours(s); got != want {
			d.add(r, strconv.QuoteToASCII(got), strconv.QuoteToASCII(want))
		}
		n++
	})
	return d, n
}

func compareValues(ours func(rune) any, runs [][2]any) (d difference, n int) {
	next, want := 0, any(nil)
	eachScalar(func(r rune) {
		if next < len(runs) && runs[next][0].(float64) == float64(r) {
			want = runs[next][1]
			next++
		}
		if got := ours(r); got != want {
			d.add(r, show(got), show(want))
		}
		n++
	})
	return d, n
}

func show(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return v
	}
	return "nothing"
}

// Every property of every scalar value is what the interpreter says. When that
// has another Unicode version, the differences are counted and the test skipped.
func TestEveryCodePoint(t *testing.T) {
	t.Parallel()
	p := findPython(t)
	var answers codePointAnswers
	ask(t, p.Path, codePoints, nil, &answers)
	t.Logf("%s: Python %s, Unicode %s", p.Path, p.Version, p.Unicode)

	differences := map[string]difference{}
	report := func(name string, d difference, n int) {
		if n != scalarValues {
			t.Errorf("%s: compared %d code points, there are %d", name, n, scalarValues)
		}
		differences[name] = d
	}
	if len(answers.Transforms) != len(transforms) || len(answers.Values) != len(values) {
		t.Fatalf("Python answered for %d and %d properties, want %d and %d", len(answers.Transforms), len(answers.Values), len(transforms), len(values))
	}
	for name, ours := range transforms {
		d, n := compareTransform(ours, answers.Transforms[name])
		report(name, d, n)
	}
	for name, ours := range values {
		d, n := compareValues(ours, answers.Values[name])
		report(name, d, n)
	}
	names := make([]string, 0, len(differences))
	for name := range differences {
		names = append(names, name)
	}
	slices.Sort(names)
	if p.Unicode != UnicodeVersion {
		for _, name := range names {
			t.Logf("%-28s %6d of %d code points differ", name, differences[name].count, scalarValues)
		}
		t.Skipf("NOT COMPARED: Python %s has Unicode %s, the tables are Unicode %s; name a CPython 3.11 in NORMCERT_PYTHON", p.Version, p.Unicode, UnicodeVersion)
	}
	for _, name := range names {
		if d := differences[name]; d.count > 0 {
			t.Errorf("%s: %d code points differ:\n\t%s", name, d.count, strings.Join(d.examples, "\n\t"))
		}
	}
	checkExtraCases(t, answers.Extra)
	t.Logf("%d properties of %d code points compared: %s", len(names), scalarValues, strings.Join(names, ", "))
}

func checkExtraCases(t *testing.T, want map[rune][]rune) {
	t.Helper()
	eachScalar(func(r rune) {
		if got := ExtraCases(r); !slices.Equal(got, want[r]) {
			t.Errorf("ExtraCases(%U) = %U, Python %U", r, got, want[r])
		}
	})
	t.Logf("%d extra cases compared", len(want))
}

// The tables in the repository are what the generator makes of an interpreter
// with their Unicode version.
func TestTablesAreReproducible(t *testing.T) {
	t.Parallel()
	p := samePython(t)
	command := exec.Command(p.Path, "-B", "gen.py")
	var complaint bytes.Buffer
	command.Stderr = &complaint
	got, err := command.Output()
	if err != nil {
		t.Fatalf("running gen.py: %v\n%s", err, complaint.Bytes())
	}
	want := readFile(t, "tables_14_0_0.go")
	if !bytes.Equal(got, want) {
		t.Fatalf("gen.py under Python %s does not make tables_14_0_0.go (%d bytes, the file has %d): in internal/pystr run python3 gen.py .", p.Version, len(got), len(want))
	}
	t.Logf("%d bytes the same, from Python %s", len(got), p.Version)
}
