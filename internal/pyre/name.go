package pyre

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/normcert/normcert/internal/pystr"
)

const (
	// mostDigits is Python's limit on the digits of a decimal number in text.
	mostDigits = 4300
	// mostGroups is sre's MAXGROUPS.
	mostGroups = 1<<30 - 1
)

func tooManyDigits(n int) string {
	return fmt.Sprintf("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
		"use sys.set_int_max_str_digits() to increase the limit", mostDigits, n)
}

func (p *parser) checkName(name []rune) {
	if !isIdentifier(name) {
		p.fail(len(name)+1, "bad character in group name %s", repr(name))
	}
}

// parseCondition reads the group that a conditional asks for: a name, or a number
// as int() reads it, with blanks, a sign, underscores and any decimal digits.
func (p *parser) parseCondition() int {
	name := p.getUntil(')', "group name")
	if isIdentifier(name) {
		return p.groupNamed(name)
	}
	number, ok := parseInt(name)
	if !ok || number.Sign() < 0 {
		p.fail(len(name)+1, "bad character in group name %s", repr(name))
	}
	if number.Sign() == 0 {
		p.fail(len(name)+1, "bad group number")
	}
	if number.Cmp(big.NewInt(mostGroups)) >= 0 {
		p.fail(len(name)+1, "invalid group reference %s", number)
	}
	index := int(number.Int64())
	asked := func(c condition) bool { return c.index == index }
	if !slices.ContainsFunc(p.conditions, asked) {
		p.conditions = append(p.conditions, condition{number.String(), index, p.tell() - len(name) - 1})
	}
	return index
}

// parseInt is Python's int(text).
func parseInt(text []rune) (*big.Int, bool) {
	plain := make([]rune, len(text))
	for i, r := range text {
		plain[i] = asciiDecimal(r)
	}
	number := strings.Trim(string(plain), " \t\n\v\f\r")
	unsigned := strings.TrimPrefix(strings.TrimPrefix(number, "+"), "-")
	if len(number)-len(unsigned) > 1 {
		return nil, false
	}
	groups := strings.Split(unsigned, "_")
	decimal := strings.Join(groups, "")
	if slices.Contains(groups, "") || strings.Trim(decimal, digits) != "" || len(decimal) > mostDigits {
		return nil, false
	}
	value, ok := new(big.Int).SetString(decimal, 10)
	if ok && strings.HasPrefix(number, "-") {
		value.Neg(value)
	}
	return value, ok
}

// asciiDecimal is r, or the ASCII digit or space that int() takes it for.
func asciiDecimal(r rune) rune {
	switch {
	case r < 0x7F:
		return r
	case pystr.IsSpace(r):
		return ' '
	case pystr.IsDecimal(r):
		// Decimal digits come in tens from zero up, and tens may adjoin.
		first := r
		for pystr.IsDecimal(first - 1) {
			first--
		}
		return '0' + (r-first)%10
	}
	return '?'
}

// isIdentifier is str.isidentifier().
func isIdentifier(name []rune) bool {
	for i, r := range name {
		if !continuesIdentifier(r) || i == 0 && !startsIdentifier(r) {
			return false
		}
	}
	return len(name) > 0
}

// The exceptions are those of XID_Start and XID_Continue in Unicode 14's
// DerivedCoreProperties.txt from what the general category alone says.
const (
	moreStarts   = "_\u1885\u1886\u2118\u212E"
	moreContinue = "\u00B7\u0387\u1369\u136A\u136B\u136C\u136D\u136E\u136F\u1370\u1371\u19DA\u2118\u212E"
	never        = "\u037A\u2E2F\uFC5E\uFC5F\uFC60\uFC61\uFC62\uFC63\uFDFA\uFDFB\uFE70\uFE72\uFE74\uFE76\uFE78\uFE7A\uFE7C\uFE7E"
	neverStart   = never + "\u0E33\u0EB3\uFF9E\uFF9F"
)

func startsIdentifier(r rune) bool {
	if strings.ContainsRune(moreStarts, r) {
		return true
	}
	category := pystr.Category(r)
	return (category[0] == 'L' || category == "Nl") && !strings.ContainsRune(neverStart, r)
}

func continuesIdentifier(r rune) bool {
	if strings.ContainsRune(moreContinue, r) {
		return true
	}
	switch category := pystr.Category(r); {
	case category[0] == 'L':
	case category == "Nl", category == "Mn", category == "Mc", category == "Nd", category == "Pc":
	default:
		return false
	}
	return !strings.ContainsRune(never, r)
}

// repr is Python's repr of a str.
func repr(text []rune) string {
	quote := '\''
	if slices.Contains(text, '\'') && !slices.Contains(text, '"') {
		quote = '"'
	}
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range text {
		b.WriteString(reprRune(r, quote))
	}
	b.WriteRune(quote)
	return b.String()
}

func reprRune(r, quote rune) string {
	switch {
	case r == quote || r == '\\':
		return `\` + string(r)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == ' ' || pystr.IsPrintable(r):
		return string(r)
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
