package pystr

import (
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// source makes random strings of kinds that are hard.
type source struct {
	*rand.Rand
	pools map[string][]rune
}

// newSource sorts the code points into pools by what the tables say. That only
// decides which strings are asked about, never what is right.
func newSource(seed uint64) *source {
	s := &source{rand.New(rand.NewPCG(seed, 0)), map[string][]rune{}}
	tables := Pinned()
	eachScalar(func(r rune) {
		p := tables.property(r)
		put := func(pool string, in bool) {
			if in {
				s.pools[pool] = append(s.pools[pool], r)
			}
		}
		put("mark", p.class != 0)
		put("ignorable", p.flags&isIgnorable != 0)
		put("cased", p.flags&isCased != 0)
		put("decomposes", p.flags&nfdChanges != 0 && !isHangulSyllable(r))
		put("compatible", p.flags&nfkdChanges != 0 && !isHangulSyllable(r))
		put("unsure", p.flags&nfcUnsure != 0 && p.flags&composesLeft == 0) // singletons and exclusions
		put("second", p.flags&composesLeft != 0)
		put("space", p.flags&isSpace != 0)
		put("ascii", r < runeSelf)
		put("latin", 0x80 <= r && r < 0x250)
		put("syllable", isHangulSyllable(r))
		put("jamo", 0x10F0 <= r && r < 0x1210 || 0xA960 <= r && r < 0xA980 || 0xD7B0 <= r && r < 0xD800)
	})
	for _, c := range tables.compositions {
		s.pools["first"] = append(s.pools["first"], c.first)
	}
	s.pools["sigma"] = []rune{'Σ', 'Σ', 'Σ', 'σ', 'ς', 'A', '\u0345', '\u037A', '\u02B0', '\'', '.', ' ', '1', '\u00AD'}
	return s
}

// from appends n characters, each of one of the pools.
func (s *source) from(b *strings.Builder, n int, pools ...string) {
	for range n {
		pool := s.pools[pools[s.IntN(len(pools))]]
		b.WriteRune(pool[s.IntN(len(pool))])
	}
}

var kinds = []struct {
	name string
	make func(s *source, b *strings.Builder)
}{
	{"final sigma", func(s *source, b *strings.Builder) { s.from(b, 1+s.IntN(10), "sigma", "sigma", "ignorable", "cased") }},
	{"sigma and a long run", func(s *source, b *strings.Builder) {
		s.from(b, s.IntN(3), "cased", "ignorable", "ascii")
		b.WriteRune('Σ')
		s.from(b, s.IntN(45), "ignorable")
		s.from(b, s.IntN(2), "cased", "space")
	}},
	{"many marks", func(s *source, b *strings.Builder) {
		s.from(b, 1, "first", "ascii", "decomposes")
		s.from(b, 25+s.IntN(50), "mark", "mark", "mark", "second")
		s.from(b, s.IntN(2), "ascii")
	}},
	{"composition", func(s *source, b *strings.Builder) {
		for range 1 + s.IntN(4) {
			s.from(b, 1, "first", "decomposes")
			s.from(b, s.IntN(5), "second", "mark")
		}
	}},
	{"hangul", func(s *source, b *strings.Builder) {
		s.from(b, 1+s.IntN(8), "jamo", "jamo", "jamo", "syllable", "mark")
	}},
	{"modern jamo", func(s *source, b *strings.Builder) {
		for range 1 + s.IntN(8) {
			start := []rune{hangulLead, hangulVowel, hangulTail, hangulSyllable}[s.IntN(4)]
			b.WriteRune(start + s.Int32N(30))
		}
	}},
	{"exclusions", func(s *source, b *strings.Builder) {
		s.from(b, 1+s.IntN(6), "unsure", "unsure", "decomposes", "compatible", "mark")
	}},
	{"white space", func(s *source, b *strings.Builder) { s.from(b, s.IntN(14), "space", "ascii", "latin", "cased", "mark") }},
	{"mixed scripts", func(s *source, b *strings.Builder) {
		s.from(b, s.IntN(24), "ascii", "ascii", "latin", "cased", "decomposes", "compatible", "mark", "space", "syllable", "sigma")
	}},
	{"ascii, then not", func(s *source, b *strings.Builder) {
		s.from(b, s.IntN(24), "ascii")
		s.from(b, s.IntN(2), "latin", "cased", "mark")
		s.from(b, s.IntN(12), "ascii")
	}},
	{"anything", func(s *source, b *strings.Builder) {
		for range 1 + s.IntN(8) {
			if r := s.Int32N(maxRune + 1); r < 0xD800 || r > 0xDFFF {
				b.WriteRune(r)
			}
		}
	}},
}

const randomStrings = `
nf = unicodedata.normalize
answer({
  'Lower': [s.lower() for s in given],
  'Casefold': [s.casefold() for s in given],
  'NFC': [nf('NFC', s) for s in given],
  'NFD': [nf('NFD', s) for s in given],
  'NFKC': [nf('NFKC', s) for s in given],
  'NFKD': [nf('NFKD', s) for s in given],
  'Fields': [s.split() for s in given],
})
`

type stringAnswers struct {
	Lower, Casefold, NFC, NFD, NFKC, NFKD []string
	Fields                                [][]string
}

// Whole strings are what the interpreter makes of them: contexts, orders and
// lengths that one code point cannot show.
func TestRandomStrings(t *testing.T) {
	t.Parallel()
	p := samePython(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	s := newSource(seed)
	const each = 20_000
	var texts []string
	for _, kind := range kinds {
		for range each {
			var b strings.Builder
			kind.make(s, &b)
			texts = append(texts, b.String())
		}
	}
	var want stringAnswers
	ask(t, p.Path, randomStrings, texts, &want)
	checkStrings(t, texts, want)
	t.Logf("%d strings of %d kinds compared, by 7 functions", len(texts), len(kinds))
}

func checkStrings(t *testing.T, texts []string, want stringAnswers) {
	t.Helper()
	for _, f := range []struct {
		name string
		ours func(string) string
		want []string
	}{
		{"Lower", Lower, want.Lower}, {"Casefold", Casefold, want.Casefold},
		{"NFC", NFC, want.NFC}, {"NFD", NFD, want.NFD}, {"NFKC", NFKC, want.NFKC}, {"NFKD", NFKD, want.NFKD},
	} {
		if len(f.want) != len(texts) {
			t.Fatalf("%s: %d answers for %d strings", f.name, len(f.want), len(texts))
		}
		wrong := 0
		for i, text := range texts {
			if got := f.ours(text); got != f.want[i] {
				if wrong++; wrong <= 3 {
					t.Errorf("%s(%+q) = %+q, Python %+q", f.name, text, got, f.want[i])
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d strings differ", f.name, wrong, len(texts))
		}
	}
	for i, text := range texts {
		got := Fields(text)
		if len(got)+len(want.Fields[i]) > 0 && !reflect.DeepEqual(got, want.Fields[i]) {
			t.Errorf("Fields(%+q) = %+q, Python %+q", text, got, want.Fields[i])
		}
	}
}
