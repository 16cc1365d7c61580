package pystr

import (
	"strings"
	"testing"
)

var samples = []struct{ name, text string }{
	{"ascii", "The Quick Brown Fox, 1999"},
	{"latin", "Götterdämmerung à l'École"},
	{"greek", "ΟΔΥΣΣΕΥΣ ΚΑΙ ΠΗΝΕΛΟΠΗ"},
	{"hangul", "대한민국 서울특별시"},
	{"cjk", "中华人民共和国 北京"},
}

// ASCII costs no allocation, and neither does an append to a slice with room.
func TestAllocations(t *testing.T) {
	ascii, lower := samples[0].text, strings.ToLower(samples[0].text)
	buffer := make([]byte, 0, 256)
	fields := make([]string, 0, 16)
	var kept string
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"AppendLower", func() { buffer = AppendLower(buffer[:0], ascii) }},
		{"AppendCasefold", func() { buffer = AppendCasefold(buffer[:0], ascii) }},
		{"AppendNFD", func() { buffer = AppendNFD(buffer[:0], ascii) }},
		{"AppendLower, not ASCII", func() { buffer = AppendLower(buffer[:0], samples[1].text) }},
		{"AppendCasefold, not ASCII", func() { buffer = AppendCasefold(buffer[:0], samples[1].text) }},
		{"AppendNFD, not ASCII", func() { buffer = AppendNFD(buffer[:0], samples[1].text) }},
		{"AppendFields", func() { fields = AppendFields(fields[:0], ascii) }},
		{"Lower of lower case", func() { kept = Lower(lower) }},
		{"Casefold of lower case", func() { kept = Casefold(lower) }},
		{"Lower, not ASCII, of lower case", func() { kept = Lower("götterdämmerung") }},
		{"NFD, in that form, not ASCII", func() { kept = NFD("e\u0301cole du sud") }},
		{"NFC", func() { kept = NFC(ascii) }},
		{"NFC, composed already", func() { kept = NFC(samples[1].text) }},
		{"NFD", func() { kept = NFD(ascii) }},
		{"NFKC", func() { kept = NFKC(ascii) }},
		{"NFKD", func() { kept = NFKD(ascii) }},
	} {
		if n := testing.AllocsPerRun(100, c.do); n != 0 {
			t.Errorf("%s allocates %v times", c.name, n)
		}
	}
	if kept != ascii {
		t.Errorf("NFKD(%q) = %q", ascii, kept)
	}
}

func benchmark(b *testing.B, appendTo func([]byte, string) []byte) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s.text)))
			buffer := make([]byte, 0, 256)
			for b.Loop() {
				buffer = appendTo(buffer[:0], s.text)
			}
		})
	}
}

func BenchmarkAppendLower(b *testing.B)    { benchmark(b, AppendLower) }
func BenchmarkAppendCasefold(b *testing.B) { benchmark(b, AppendCasefold) }
func BenchmarkAppendNFD(b *testing.B)      { benchmark(b, AppendNFD) }
func BenchmarkNFC(b *testing.B) {
	benchmark(b, func(dst []byte, s string) []byte { return append(dst, NFC(s)...) })
}

func BenchmarkAppendFields(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			var fields []string
			for b.Loop() {
				fields = AppendFields(fields[:0], s.text)
			}
		})
	}
}
