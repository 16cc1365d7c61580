package pystr

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The rules one would get wrong by reaching for the standard library.
// TestExpectationsArePythons holds the expected values to the interpreter.

var lowerCases = []struct{ name, in, want string }{
	{"empty", "", ""},
	{"ascii", "The CAR @[`{ 09", "the car @[`{ 09"},
	{"every capital is lowered, at any place in a word of eight", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"},
	{"dotted I becomes two", "\u0130zmir", "i\u0307zmir"},
	{"dotless i stays", "\u0131", "\u0131"},
	{"kelvin", "\u212A", "k"},
	{"sharp s", "\u1E9E", "\u00DF"},
	{"a longer encoding", "\u023A", "\u2C65"},
	{"title case", "\u01C5", "\u01C6"},
	{"cherokee", "\u13A0\u13F0", "\uAB70\u13F8"},
	{"beyond the basic plane", "\U00010400", "\U00010428"},
	{"sigma alone", "Σ", "σ"},
	{"sigma first", "ΣΑ", "σα"},
	{"sigma last", "ΑΣ", "ας"},
	{"sigma between", "ΑΣΑ", "ασα"},
	{"sigma before a space", "ΑΣ Α", "ας α"},
	{"sigma after a digit", "1Σ", "1σ"},
	{"two at the end", "ΑΣΣ", "ασς"},
	{"two alone", "ΣΣ", "σς"},
	{"apostrophe passed over before", "Α'Σ", "α'ς"},
	{"apostrophe passed over after", "ΑΣ'Α", "ασ'α"},
	{"apostrophe then the end", "ΑΣ'", "ας'"},
	{"soft hyphen passed over", "Α\u00ADΣ\u00AD1", "α\u00ADς\u00AD1"},
	{"combining iota is ignorable though cased", "\u0345Σ", "\u0345σ"},
	{"and is passed over", "Α\u0345Σ\u0345", "α\u0345ς\u0345"},
	{"ypogegrammeni", "\u037AΣ", "\u037Aσ"},
	{"modifier letter", "\u02B0Σ", "\u02B0σ"},
	{"a cased letter without another case", "\u00AAΣ", "\u00AAς"},
	{"and after", "ΑΣ\u00AA", "ασ\u00AA"},
	{"the original string decides, not the lowered one", "\u0130Σ", "i\u0307ς"},
	{"forty marks do not hide the letter before", "Α" + strings.Repeat("\u0301", 40) + "Σ", "α" + strings.Repeat("\u0301", 40) + "ς"},
	{"nor the one after", "ΑΣ" + strings.Repeat("\u0301", 40) + "Α", "ασ" + strings.Repeat("\u0301", 40) + "α"},
	{"nul", "A\x00B", "a\x00b"},
}

func TestLower(t *testing.T) {
	for _, c := range lowerCases {
		t.Run(c.name, func(t *testing.T) {
			if got := Lower(c.in); got != c.want {
				t.Errorf("Lower(%+q) = %+q, want %+q", c.in, got, c.want)
			}
			if got := AppendLower([]byte("x"), c.in); string(got) != "x"+c.want {
				t.Errorf("AppendLower(x, %+q) = %+q, want %+q", c.in, got, "x"+c.want)
			}
		})
	}
}

var foldCases = map[string]string{
	"":           "",
	"The CAR":    "the car",
	"Straße":     "strasse",
	"\u1E9E":     "ss",
	"\u0130":     "i\u0307",
	"ΑΣ ς":       "ασ σ",
	"\uFB03":     "ffi",
	"\u0345":     "\u03B9",
	"\u13A0":     "\u13A0", // Cherokee folds to its capitals
	"\uAB70":     "\u13A0",
	"\u13F8":     "\u13F0",
	"\u00B5":     "\u03BC",
	"\u0149":     "\u02BCn",
	"\U00010400": "\U00010428",
}

func TestCasefold(t *testing.T) {
	for in, want := range foldCases {
		if got := Casefold(in); got != want {
			t.Errorf("Casefold(%+q) = %+q, want %+q", in, got, want)
		}
		if got := AppendCasefold([]byte("x"), in); string(got) != "x"+want {
			t.Errorf("AppendCasefold(x, %+q) = %+q, want %+q", in, got, "x"+want)
		}
	}
}

func TestTwentyNineSpaces(t *testing.T) {
	want := []rune{
		0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680,
		0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
		0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
	}
	var got []rune
	eachScalar(func(r rune) {
		if IsSpace(r) {
			got = append(got, r)
		}
	})
	if len(want) != 29 || !slices.Equal(got, want) {
		t.Errorf("white space is %U, want %U", got, want)
	}
	for _, r := range want {
		if fields := Fields("a" + string(r) + "b"); !slices.Equal(fields, []string{"a", "b"}) {
			t.Errorf("Fields does not split at %U: %q", r, fields)
		}
	}
}

var fieldCases = []struct {
	in   string
	want []string
}{
	{"", nil},
	{" \t\u3000", nil},
	{"a", []string{"a"}},
	{"  a  bc ", []string{"a", "bc"}},
	{"a\x1Fb\x1Cc", []string{"a", "b", "c"}},
	{"é\u00A0ü", []string{"é", "ü"}},
	{"a\u200Bb", []string{"a\u200Bb"}}, // the zero-width space is none
	{"a\u180Eb", []string{"a\u180Eb"}}, // no longer one since Unicode 6.3
	{"a\uFEFFb", []string{"a\uFEFFb"}},
	{"a\x00b", []string{"a\x00b"}},
}

func TestFields(t *testing.T) {
	for _, c := range fieldCases {
		if got := Fields(c.in); !slices.Equal(got, c.want) {
			t.Errorf("Fields(%+q) = %+q, want %+q", c.in, got, c.want)
		}
	}
	if got := AppendFields([]string{"x"}, "a b"); !slices.Equal(got, []string{"x", "a", "b"}) {
		t.Errorf("AppendFields = %q", got)
	}
}

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		r                          rune
		word, decimal, cased, mark bool
		category                   string
	}{
		{'a', true, false, true, false, "Ll"},
		{'_', true, false, false, false, "Pc"},
		{'7', true, true, false, false, "Nd"},
		{'$', false, false, false, false, "Sc"},
		{'²', true, false, false, false, "No"},
		{'½', true, false, false, false, "No"},
		{'Ⅷ', true, false, true, false, "Nl"},
		{'٣', true, true, false, false, "Nd"},
		{'一', true, false, false, false, "Lo"},
		{'\u0301', false, false, false, true, "Mn"},
		{'\u0345', false, false, true, true, "Mn"},
		{'\u0903', false, false, false, false, "Mc"}, // a mark that does not combine
		{'\u034F', false, false, false, false, "Mn"}, // nor does this
		{'–', false, false, false, false, "Pd"},
		{'’', false, false, false, false, "Pf"},
		{'“', false, false, false, false, "Pi"},
		{'\x00', false, false, false, false, "Cc"},
		{'\u0378', false, false, false, false, "Cn"},
		{0x1FFF80, false, false, false, false, "Cn"}, // no code point
		{-1, false, false, false, false, "Cn"},
	} {
		t.Run(fmt.Sprintf("%U", c.r), func(t *testing.T) {
			if got := IsWord(c.r); got != c.word {
				t.Errorf("IsWord = %t", got)
			}
			if got := IsAlnum(c.r); got != (c.word && c.r != '_') {
				t.Errorf("IsAlnum = %t", got)
			}
			if got := IsDecimal(c.r); got != c.decimal {
				t.Errorf("IsDecimal = %t", got)
			}
			if got := IsCased(c.r); got != c.cased {
				t.Errorf("IsCased = %t", got)
			}
			if got := CombiningClass(c.r) != 0; got != c.mark {
				t.Errorf("combines = %t", got)
			}
			if got := Category(c.r); got != c.category {
				t.Errorf("Category = %s, want %s", got, c.category)
			}
			if IsSpace(c.r) {
				t.Error("IsSpace = true")
			}
		})
	}
}

func TestIgnoreCase(t *testing.T) {
	for r, want := range map[rune]rune{'A': 'a', '\u0130': 'i', 'Σ': 'σ', 'ς': 'ς', '\u212A': 'k', '\u1E9E': 'ß', '1': '1', -1: -1} {
		if got := SimpleLower(r); got != want {
			t.Errorf("SimpleLower(%U) = %U, want %U", r, got, want)
		}
	}
	for r, want := range map[rune][]rune{'i': {'\u0131'}, 's': {'\u017F'}, 'σ': {'ς'}, '\u0442': {'\u1C84', '\u1C85'}, 'a': nil, 'S': nil} {
		if got := ExtraCases(r); !slices.Equal(got, want) {
			t.Errorf("ExtraCases(%U) = %U, want %U", r, got, want)
		}
	}
}

var marks = strings.Repeat("\u0301", 50)

var normalCases = []struct{ name, in, nfd, nfc, nfkd, nfkc string }{
	{"ascii", "a b", "a b", "a b", "a b", "a b"},
	{"precomposed", "é", "e\u0301", "é", "e\u0301", "é"},
	{"two steps", "\u1E69", "s\u0323\u0307", "\u1E69", "s\u0323\u0307", "\u1E69"},
	{"marks out of order", "s\u0307\u0323", "s\u0323\u0307", "\u1E69", "s\u0323\u0307", "\u1E69"},
	{"marks of one class keep their order", "a\u0301\u0300", "a\u0301\u0300", "á\u0300", "a\u0301\u0300", "á\u0300"},
	{"a run ends at ascii", "a\u0301b\u0323", "a\u0301b\u0323", "á\u1E05", "a\u0301b\u0323", "á\u1E05"},
	{"fifty marks, no grapheme joiner", "a" + marks, "a" + marks, "á" + marks[2:], "a" + marks, "á" + marks[2:]},
	{"fifty marks and one to move to the front", "a" + marks + "\u0323", "a\u0323" + marks, "\u1EA1" + marks, "a\u0323" + marks, "\u1EA1" + marks},
	{"singleton", "\u212B", "A\u030A", "Å", "A\u030A", "Å"},
	{"exclusion", "\u0958", "\u0915\u093C", "\u0915\u093C", "\u0915\u093C", "\u0915\u093C"},
	{"marks alone", "\u0308\u0301", "\u0308\u0301", "\u0308\u0301", "\u0308\u0301", "\u0308\u0301"},
	{"a mark that decomposes", "\u0344", "\u0308\u0301", "\u0308\u0301", "\u0308\u0301", "\u0308\u0301"},
	{"ligature", "\uFB01", "\uFB01", "\uFB01", "fi", "fi"},
	{"the longest", "\uFDFA", "\uFDFA", "\uFDFA", "صلى الله عليه وسلم", "صلى الله عليه وسلم"},
	{"compatible and accented", "\u1E9B\u0323", "\u017F\u0323\u0307", "\u1E9B\u0323", "s\u0323\u0307", "\u1E69"},
	{"syllable", "각", "\u1100\u1161\u11A8", "각", "\u1100\u1161\u11A8", "각"},
	{"syllable without a tail", "가", "\u1100\u1161", "가", "\u1100\u1161", "가"},
	{"syllable and a tail", "가\u11A8", "\u1100\u1161\u11A8", "각", "\u1100\u1161\u11A8", "각"},
	{"syllable and a second tail", "각\u11A8", "\u1100\u1161\u11A8\u11A8", "각\u11A8", "\u1100\u1161\u11A8\u11A8", "각\u11A8"},
	{"the filler is no tail", "가\u11A7", "\u1100\u1161\u11A7", "가\u11A7", "\u1100\u1161\u11A7", "가\u11A7"},
	{"a mark blocks the vowel", "\u1100\u0301\u1161", "\u1100\u0301\u1161", "\u1100\u0301\u1161", "\u1100\u0301\u1161", "\u1100\u0301\u1161"},
}

func TestNormalize(t *testing.T) {
	for _, c := range normalCases {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range []struct {
				name string
				form func(string) string
				want string
			}{{"NFD", NFD, c.nfd}, {"NFC", NFC, c.nfc}, {"NFKD", NFKD, c.nfkd}, {"NFKC", NFKC, c.nfkc}} {
				if got := f.form(c.in); got != f.want {
					t.Errorf("%s(%+q) = %+q, want %+q", f.name, c.in, got, f.want)
				}
			}
			if got := AppendNFD([]byte("e"), c.in); string(got) != "e"+c.nfd {
				t.Errorf("AppendNFD(e, %+q) = %+q, want %+q", c.in, got, "e"+c.nfd)
			}
		})
	}
}

func TestPinnedIsTheNamedVersion(t *testing.T) {
	if got := Pinned().UnicodeVersion(); got != UnicodeVersion {
		t.Errorf("the pinned tables are Unicode %s, UnicodeVersion says %s", got, UnicodeVersion)
	}
}

// The hand-written expectations of this file are the interpreter's answers, so
// that no mistake can stand in both the package and its tests.
func TestExpectationsArePythons(t *testing.T) {
	t.Parallel()
	p := samePython(t)
	var texts []string
	for _, c := range lowerCases {
		texts = append(texts, c.in)
	}
	for in := range foldCases {
		texts = append(texts, in)
	}
	for _, c := range fieldCases {
		texts = append(texts, c.in)
	}
	for _, c := range normalCases {
		texts = append(texts, c.in)
	}
	var python stringAnswers
	ask(t, p.Path, randomStrings, texts, &python)
	check := func(function, in, want string, answers []string) {
		t.Helper()
		if got := answers[slices.Index(texts, in)]; got != want {
			t.Errorf("this file says %s of %+q is %+q, Python %s says %+q", function, in, want, p.Version, got)
		}
	}
	for _, c := range lowerCases {
		check("lower", c.in, c.want, python.Lower)
	}
	for in, want := range foldCases {
		check("casefold", in, want, python.Casefold)
	}
	for _, c := range normalCases {
		check("NFD", c.in, c.nfd, python.NFD)
		check("NFC", c.in, c.nfc, python.NFC)
		check("NFKD", c.in, c.nfkd, python.NFKD)
		check("NFKC", c.in, c.nfkc, python.NFKC)
	}
	for _, c := range fieldCases {
		if got := python.Fields[slices.Index(texts, c.in)]; !slices.Equal(got, c.want) {
			t.Errorf("this file says split of %+q is %+q, Python %s says %+q", c.in, c.want, p.Version, got)
		}
	}
	t.Logf("%d expectations checked", len(texts))
}
