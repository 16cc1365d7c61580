package pyre

import (
	"context"
	"testing"
)

func BenchmarkRemove(b *testing.B) {
	for _, pattern := range []string{`the `, `[^\w\s]`, `\b(a|an|the)\b`, `(?i)the`, `\d+`, `^\s+|\s+$`, `\(.*?\)`} {
		b.Run(pattern, func(b *testing.B) {
			p, err := Compile(pattern)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Remove(context.Background(), "The quick, the (brown) fox: 42."); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, pattern := range []string{`\b(a|an|the)\b`, `(?i)[a-z]+`, `(?i)[\x00-\uffff]`} {
		b.Run(pattern, func(b *testing.B) {
			for b.Loop() {
				if _, err := Compile(pattern); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStep is the time of a matcher step, by which DefaultLimit was chosen.
func BenchmarkStep(b *testing.B) {
	p, err := Compile(`(a+)+b`)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.WithLimit(1_000_000).Remove(context.Background(), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
	}
}
