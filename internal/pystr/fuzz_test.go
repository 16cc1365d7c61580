package pystr

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func seeds(f *testing.F) {
	for _, s := range []string{
		"", "The CAR", "Straße", "\u0130zmir", "ΑΣ'Α", "s\u0307\u0323", "각\u11A8", "\u1100\u1161\u11A8", "\u212B\u0958\u0344",
		"a" + strings.Repeat("\u0301\u0323", 40), "a\x00\x1Fb\u3000", "\U0001D15E\uFDFA", "\U00011099\U000110BA",
	} {
		f.Add(s)
	}
}

func FuzzNormalize(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip()
		}
		d, c, kd, kc := NFD(s), NFC(s), NFKD(s), NFKC(s)
		for _, law := range []struct {
			name      string
			got, want string
		}{
			{"NFD(NFD)", NFD(d), d}, {"NFC(NFC)", NFC(c), c}, {"NFKD(NFKD)", NFKD(kd), kd}, {"NFKC(NFKC)", NFKC(kc), kc},
			{"NFC(NFD)", NFC(d), c}, {"NFD(NFC)", NFD(c), d}, {"NFKC(NFKD)", NFKC(kd), kc}, {"NFKD(NFKC)", NFKD(kc), kd},
			{"NFKD(NFC)", NFKD(c), kd}, {"AppendNFD", string(AppendNFD(nil, s)), d},
		} {
			if law.got != law.want {
				t.Errorf("%s of %+q is %+q, want %+q", law.name, s, law.got, law.want)
			}
		}
	})
}

func FuzzCase(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		lower, fold := Lower(s), Casefold(s)
		if asciiPrefix(s) == len(s) && (lower != strings.ToLower(s) || fold != lower) {
			t.Errorf("of ASCII %q: Lower %q, Casefold %q, strings.ToLower %q", s, lower, fold, strings.ToLower(s))
		}
		if utf8.ValidString(s) != (utf8.ValidString(s) && utf8.ValidString(lower) && utf8.ValidString(fold)) {
			t.Errorf("of %+q: not valid: Lower %+q, Casefold %+q", s, lower, fold)
		}
		if again := Casefold(fold); utf8.ValidString(s) && again != fold {
			t.Errorf("Casefold(Casefold(%+q)) = %+q, once %+q", s, again, fold)
		}
	})
}

func FuzzFields(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		fields := Fields(s)
		for _, field := range fields {
			if field == "" || strings.ContainsFunc(field, IsSpace) {
				t.Errorf("Fields(%+q) has %+q", s, field)
			}
		}
		without := strings.Map(func(r rune) rune {
			if IsSpace(r) {
				return -1
			}
			return r
		}, s)
		if got := strings.Join(fields, ""); utf8.ValidString(s) && got != without {
			t.Errorf("Fields(%+q) together are %+q, want %+q", s, got, without)
		}
	})
}
