package cases

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/normcert/normcert/metric"
)

// Entry is a case under one setup as a set has it.
type Entry struct {
	// Case is the full id; Setup is metric.Setup's canonical spelling.
	Case, Setup string
	// Digest is of what is judged: id, setup, items and intents.
	Digest string
}

// Set is a frozen list of cases and setups: what a release of the corpus was.
type Set struct {
	Name    string
	Entries []Entry
}

// Retired is a case that is gone; its id is never used again.
type Retired struct {
	Case       string `toml:"case"`
	ReplacedBy string `toml:"replaced_by"`
	Why        string `toml:"why"`
}

// Sets are the frozen sets, sorted by name, and the retired cases.
type Sets struct {
	List    []Set
	Retired []Retired
}

// digestDigits is how many hex digits of a SHA-256 an entry has: 128 bits.
const digestDigits = 32

const (
	setsFolder  = "sets"
	setSuffix   = ".set"
	retiredFile = "sets/retired.toml"
)

// setName is what a set may be called: 1.0, 2026-11.
var setName = regexp.MustCompile(`^[0-9a-z]+([.-][0-9a-z]+)*$`)

// LoadSets reads sets/*.set and sets/retired.toml beside the case files. A
// corpus may have none.
func LoadSets(files fs.FS) (Sets, error) {
	var sets Sets
	names, err := fs.Glob(files, setsFolder+"/*"+setSuffix)
	if err != nil {
		return sets, err
	}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return sets, err
		}
		set, err := ParseSet(name, content)
		if err != nil {
			return sets, err
		}
		sets.List = append(sets.List, set)
	}
	content, err := fs.ReadFile(files, retiredFile)
	if errors.Is(err, fs.ErrNotExist) {
		return sets, nil
	}
	if err != nil {
		return sets, err
	}
	var list struct {
		Retired []Retired `toml:"retired"`
	}
	meta, err := toml.Decode(string(content), &list)
	if err == nil && len(meta.Undecoded()) > 0 {
		err = fmt.Errorf("unknown key %s", meta.Undecoded()[0])
	}
	if err != nil {
		return sets, fmt.Errorf("%s: %w", retiredFile, err)
	}
	sets.Retired = list.Retired
	return sets, nil
}

// ParseSet reads a set: a line for each entry, digest, case and setup, sorted.
// name is put before errors, with the line.
func ParseSet(name string, content []byte) (Set, error) {
	set := Set{Name: strings.TrimSuffix(path.Base(name), setSuffix)}
	lines := bufio.NewScanner(strings.NewReader(string(content)))
	lines.Buffer(nil, 1<<20)
	seal := ""
	for line := 1; lines.Scan(); line++ {
		if strings.HasPrefix(lines.Text(), "#") {
			if line == 2 {
				seal = lines.Text()
			}
			continue
		}
		digest, rest, _ := strings.Cut(lines.Text(), " ")
		id, setup, found := strings.Cut(rest, " ")
		parsed, err := metric.ParseSetup(setup)
		switch {
		case !found || len(digest) != digestDigits || strings.Trim(digest, "0123456789abcdef") != "":
			return set, fmt.Errorf("%s:%d: it is not DIGEST CASE SETUP; sets are written by normcert set freeze", name, line)
		case err != nil:
			return set, fmt.Errorf("%s:%d: %w", name, line, err)
		case parsed.String() != setup:
			return set, fmt.Errorf("%s:%d: setup %s is written %s", name, line, setup, parsed)
		}
		entry := Entry{Case: id, Setup: setup, Digest: digest}
		if n := len(set.Entries); n > 0 && compareEntries(set.Entries[n-1], entry) >= 0 {
			return set, fmt.Errorf("%s:%d: out of order or there twice: lines are sorted by case and setup", name, line)
		}
		set.Entries = append(set.Entries, entry)
	}
	if err := lines.Err(); err != nil {
		return set, err
	}
	if seal != set.seal() {
		return set, fmt.Errorf("%s:2: it is not the set that was frozen: line 2 would read %q; take it from the release again", name, set.seal())
	}
	return set, nil
}

func compareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Case, b.Case), cmp.Compare(a.Setup, b.Setup))
}

// Freeze returns the set of everything that a corpus has now.
func (c Corpus) Freeze(name string) (Set, error) {
	if !setName.MatchString(name) {
		return Set{}, fmt.Errorf("a set is not called %s; it is lower-case letters and digits with dots or hyphens: 1.0", quote(name))
	}
	set := Set{Name: name}
	for one := range c.Cases {
		for _, setup := range one.Setups {
			set.Entries = append(set.Entries, Entry{one.ID, setup.String(), one.entryDigest(setup)})
		}
	}
	slices.SortFunc(set.Entries, compareEntries)
	return set, nil
}

func (c Case) entryDigest(setup metric.Setup) string {
	sum := sha256.New()
	c.digest(sum, setup, true)
	return hex.EncodeToString(sum.Sum(nil))[:digestDigits]
}

// File is where a set lies in the folder of the case files.
func (s Set) File() string { return path.Join(setsFolder, s.Name+setSuffix) }

// Encode returns the set as ParseSet reads it.
func (s Set) Encode() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# What the corpus was at %s: digest, case, setup. Frozen by normcert set freeze; it never changes.\n", s.Name)
	fmt.Fprintln(&out, s.seal())
	for _, entry := range s.Entries {
		fmt.Fprintf(&out, "%s %s %s\n", entry.Digest, entry.Case, entry.Setup)
	}
	return []byte(out.String())
}

// seal is the line that says what the set holds, so that one which lost a line
// is known.
func (s Set) seal() string {
	sum := sha256.New()
	for _, entry := range s.Entries {
		fmt.Fprintf(sum, "%s %s %s\n", entry.Digest, entry.Case, entry.Setup)
	}
	return fmt.Sprintf("# %d checks, sha256 %s", len(s.Entries), hex.EncodeToString(sum.Sum(nil)))
}

// Digest identifies the set.
func (s Set) Digest() string {
	sum := sha256.Sum256(s.Encode())
	return hex.EncodeToString(sum[:])
}

// Cases is the number of cases that the set has.
func (s Set) Cases() int {
	ids := map[string]bool{}
	for _, entry := range s.Entries {
		ids[entry.Case] = true
	}
	return len(ids)
}

// Find returns the set of that name. The error lists the sets there are.
func (s Sets) Find(name string) (Set, error) {
	names := make([]string, len(s.List))
	for i, set := range s.List {
		if names[i] = set.Name; set.Name == name {
			return set, nil
		}
	}
	if len(names) == 0 {
		return Set{}, fmt.Errorf("unknown set %s: none is frozen yet; leave --set out for all cases", quote(name))
	}
	return Set{}, fmt.Errorf("unknown set %s; known sets: %s", quote(name), strings.Join(names, ", "))
}

// retired returns the entry of a case that is gone.
func (s Sets) retired(id string) (Retired, bool) {
	for _, one := range s.Retired {
		if one.Case == id {
			return one, true
		}
	}
	return Retired{}, false
}

// Check names what a corpus may not do to what is frozen: change it, or take it
// away without retiring the id, or use a retired id again.
func (s Sets) Check(corpus Corpus) []*Error {
	var problems []*Error
	report := func(place Place, id, format string, args ...any) {
		problems = append(problems, &Error{Place: place, Case: id, Err: fmt.Errorf(format, args...)})
	}
	for _, one := range s.Retired {
		place := Place{File: retiredFile}
		if _, there := corpus.Case(one.Case); there {
			report(place, one.Case, "it is retired, and the corpus has it; an id is never used again")
		}
		if _, there := corpus.Case(one.ReplacedBy); one.ReplacedBy != "" && !there {
			report(place, one.Case, "replaced_by is %s, which the corpus does not have", quote(one.ReplacedBy))
		}
		if strings.TrimSpace(one.Why) == "" || one.Case == "" {
			report(place, one.Case, "case or why is missing")
		}
	}
	for _, set := range s.List {
		_, _, changed := set.Restrict(corpus, s)
		problems = append(problems, changed...)
	}
	return problems
}
