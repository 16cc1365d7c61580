package doctor

import (
	"fmt"
	"strings"

	"github.com/normcert/normcert/adapters"
)

// both puts one text to everything that is answered.
func (e *exam) both(text string) {
	var requests []adapters.Request
	if c := e.normalizing(); c != nil {
		requests = append(requests, c.normalize(text))
	}
	if c := e.scorer(); c != nil {
		requests = append(requests, c.pair(text, text))
	}
	e.ask(requests...)
}

// probeLongString sends one megabyte in a thousand words. A program that reads
// stdin in chunks finds out that a request can come in several.
func probeLongString(e *exam) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "%d%s ", i, strings.Repeat("x", 1020))
	}
	e.both(text.String())
}

// probeManyReferences sends a thousand references.
func probeManyReferences(e *exam) {
	c := e.scoring(func(c *claim) bool { return !c.metric.OneReference })
	if c == nil {
		e.skip("it answers no score with several references")
		return
	}
	references := make([]string, 1000)
	for i := range references {
		references[i] = fmt.Sprintf("reference %d", i)
	}
	e.ask(c.pair("reference 999", references...))
}

// probeDeepUnicode sends a letter with ten thousand marks, brackets and bidi
// controls that nest, and every plane.
func probeDeepUnicode(e *exam) {
	var planes strings.Builder
	for plane := range rune(17) {
		planes.WriteRune(plane<<16 + 0x1234)
		planes.WriteRune(plane<<16 + 0xfffd)
	}
	e.both("a" + strings.Repeat("\u0301\u0323", 5000) + strings.Repeat("(\u202e\u2066", 2000) + planes.String())
}
