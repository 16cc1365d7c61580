// Package pystr is CPython's str, for one named Unicode version: what lower,
// casefold, split, isspace, isalnum, unicodedata.normalize and the re module's
// character classes answer, code point for code point.
//
// The answers come from tables that gen.py takes from CPython itself. They do
// not come from Go's unicode package or golang.org/x/text, whose Unicode
// version is the toolchain's, and which differ from CPython besides: in the
// lower case of U+0130, the final-sigma rule, Cherokee case folding, the white
// space U+001C to U+001F, and the thirtieth combining mark in a row.
//
// Strings must be valid UTF-8, sequences of Unicode scalar values; Python's lone
// surrogates have no counterpart. An invalid byte is read as U+FFFD and may be
// written as it, so callers check with [unicode/utf8.ValidString] first.
//
// A function that returns a string returns its argument when there is nothing
// to change, and for ASCII it finds that out without allocating.
package pystr

//go:generate python3 gen.py .

// UnicodeVersion is the Unicode version of the package's functions. It is that
// of CPython 3.11.
const UnicodeVersion = "14.0.0"

// Pinned returns the tables the package's functions use, those of
// [UnicodeVersion].
func Pinned() *Tables { return &tables14_0_0 }

// Lower is [Tables.Lower] for [UnicodeVersion].
func Lower(s string) string { return Pinned().Lower(s) }

// AppendLower is [Tables.AppendLower] for [UnicodeVersion].
func AppendLower(dst []byte, s string) []byte { return Pinned().AppendLower(dst, s) }

// Casefold is [Tables.Casefold] for [UnicodeVersion].
func Casefold(s string) string { return Pinned().Casefold(s) }

// AppendCasefold is [Tables.AppendCasefold] for [UnicodeVersion].
func AppendCasefold(dst []byte, s string) []byte { return Pinned().AppendCasefold(dst, s) }

// NFD is [Tables.NFD] for [UnicodeVersion].
func NFD(s string) string { return Pinned().NFD(s) }

// AppendNFD is [Tables.AppendNFD] for [UnicodeVersion].
func AppendNFD(dst []byte, s string) []byte { return Pinned().AppendNFD(dst, s) }

// NFC is [Tables.NFC] for [UnicodeVersion].
func NFC(s string) string { return Pinned().NFC(s) }

// NFKD is [Tables.NFKD] for [UnicodeVersion].
func NFKD(s string) string { return Pinned().NFKD(s) }

// NFKC is [Tables.NFKC] for [UnicodeVersion].
func NFKC(s string) string { return Pinned().NFKC(s) }

// IsBlank is [Tables.IsBlank] for [UnicodeVersion].
func IsBlank(s string) bool { return Pinned().IsBlank(s) }

// Fields is [Tables.Fields] for [UnicodeVersion].
func Fields(s string) []string { return Pinned().Fields(s) }

// AppendFields is [Tables.AppendFields] for [UnicodeVersion].
func AppendFields(dst []string, s string) []string { return Pinned().AppendFields(dst, s) }

// CombiningClass is [Tables.CombiningClass] for [UnicodeVersion].
func CombiningClass(r rune) uint8 { return Pinned().CombiningClass(r) }

// Category is [Tables.Category] for [UnicodeVersion].
func Category(r rune) string { return Pinned().Category(r) }

// IsSpace is [Tables.IsSpace] for [UnicodeVersion].
func IsSpace(r rune) bool { return Pinned().IsSpace(r) }

// IsAlnum is [Tables.IsAlnum] for [UnicodeVersion].
func IsAlnum(r rune) bool { return Pinned().IsAlnum(r) }

// IsWord is [Tables.IsWord] for [UnicodeVersion].
func IsWord(r rune) bool { return Pinned().IsWord(r) }

// IsDecimal is [Tables.IsDecimal] for [UnicodeVersion].
func IsDecimal(r rune) bool { return Pinned().IsDecimal(r) }

// IsPrintable is [Tables.IsPrintable] for [UnicodeVersion].
func IsPrintable(r rune) bool { return Pinned().IsPrintable(r) }

// SimpleLower is [Tables.SimpleLower] for [UnicodeVersion].
func SimpleLower(r rune) rune { return Pinned().SimpleLower(r) }

// IsCased is [Tables.IsCased] for [UnicodeVersion].
func IsCased(r rune) bool { return Pinned().IsCased(r) }

// ExtraCases is [Tables.ExtraCases] for [UnicodeVersion].
func ExtraCases(r rune) []rune { return Pinned().ExtraCases(r) }
