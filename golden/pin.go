package golden

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/normcert/normcert/metric"
)

// Pin is an upstream at an exact commit, as pin.toml has it: where truth came
// from and by what it was recorded.
type Pin struct {
	// Upstream and Short make the pin's name; both are folder names.
	Upstream string `toml:"-"`
	Short    string `toml:"-"`

	// Repository is where upstream's source is; empty for a specification.
	Repository string `toml:"repository,omitempty"`
	// Commit is the full commit; for a specification, its number.
	Commit string `toml:"commit"`
	// Date of the commit, YYYY-MM-DD; absent where only a plain tree was seen.
	Date string `toml:"date,omitempty"`
	// About says what there is to know, such as what the commit changed.
	About string `toml:"about,omitempty"`
	// Specification says that there is no source to run: the goldens come from
	// a second implementation that is independent of the reference.
	Specification bool `toml:"specification,omitempty"`
	// Command is the program whose answers are the goldens, where the pin is
	// somebody's own scorer rather than an upstream's source; its commit is then
	// whatever version its owner names. Adapter is what the program said of itself.
	Command []string          `toml:"command,omitempty"`
	Adapter map[string]string `toml:"adapter,omitempty"`
	// Metrics are those it covers.
	Metrics []Coverage `toml:"metrics"`
	// Environment is what ran when the goldens were recorded: interpreter,
	// unicode, numpy.
	Environment map[string]string `toml:"environment,omitempty"`
	// Files are the golden files as upstream wrote them, by name.
	Files map[string]Digests `toml:"files,omitempty"`
}

// Coverage is one metric at a pin.
type Coverage struct {
	Name string `toml:"name"`
	// EntryPoint is the function that was called. It is _compute rather than
	// the public compute(), which has checks and a float32 cast of its own.
	EntryPoint string `toml:"entry_point,omitempty"`
	// Scale is the top of the exact-match and F1 scores, 1 or 100.
	Scale float64 `toml:"scale"`
	// Default says that this is the metric's default pin.
	Default bool `toml:"default,omitempty"`
	// Answers and Handles are what a program of one's own said it answers, and
	// which structural conditions it handles: there are goldens for nothing else.
	// Empty for an upstream, which answers everything.
	Answers []string `toml:"answers,omitempty"`
	Handles []string `toml:"handles,omitempty"`
	// Sources are the files that were run.
	Sources []Source `toml:"sources,omitempty"`
}

// Holds reports whether the pin's goldens hold a thing: normalize or a score key.
func (c Coverage) Holds(thing string) bool {
	return len(c.Answers) == 0 || slices.Contains(c.Answers, thing)
}

// Reaches reports whether the pin has goldens for checks with these structural
// conditions.
func (c Coverage) Reaches(conditions []string) bool {
	return len(c.Answers) == 0 || !slices.ContainsFunc(conditions, func(one string) bool { return !slices.Contains(c.Handles, one) })
}

// Source is a file of upstream with the id that git gives its content.
type Source struct {
	Path string `toml:"path"`
	Blob string `toml:"blob"`
}

// Digests identify a golden file and what it was recorded for.
type Digests struct {
	// SHA256 of the file as upstream wrote it.
	SHA256 string `toml:"sha256"`
	// Inputs is the digest of the cases and setups that were put to upstream:
	// truth recorded for another input confirms nothing.
	Inputs string `toml:"inputs"`
}

// Name is the pin's name, upstream@commit in short form: hf-evaluate@86baf12.
func (p Pin) Name() string { return p.Upstream + "@" + p.Short }

// Covers returns the pin's coverage of a metric.
func (p Pin) Covers(name string) (Coverage, bool) {
	for _, c := range p.Metrics {
		if c.Name == name {
			return c, true
		}
	}
	return Coverage{}, false
}

var pinHead = `# What was recorded here, and from what. Written by: normcert regen --from DIR
# (DIR: a git repository of upstream that has the commit, or a plain tree of its files).
`

const programHead = `# What was recorded here, and from what. Written by: normcert pin add NAME@VERSION -- COMMAND
`

// EncodePin returns pin.toml.
func EncodePin(p Pin) ([]byte, error) {
	var out bytes.Buffer
	if len(p.Command) > 0 {
		out.WriteString(programHead)
	} else {
		out.WriteString(pinHead)
	}
	encoder := toml.NewEncoder(&out)
	encoder.Indent = ""
	if err := encoder.Encode(p); err != nil {
		return nil, fmt.Errorf("writing pin.toml of %s: %w", p.Name(), err)
	}
	return out.Bytes(), nil
}

var hexID = regexp.MustCompile(`^[0-9a-f]{40}$`)

// DecodePin reads pin.toml; name is put before errors. It refuses unknown keys.
func DecodePin(name, upstream, short string, content []byte) (Pin, error) {
	p := Pin{Upstream: upstream, Short: short}
	meta, err := toml.Decode(string(content), &p)
	if err != nil {
		return Pin{}, fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return Pin{}, fmt.Errorf("%s: unknown key %s", name, unknown[0])
	}
	if err := p.validate(); err != nil {
		return Pin{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func (p Pin) validate() error {
	if !strings.HasPrefix(p.Commit, p.Short) {
		return fmt.Errorf("commit %s does not begin with %s, the name of its folder", p.Commit, p.Short)
	}
	if !p.Specification && len(p.Command) == 0 && !hexID.MatchString(p.Commit) {
		return fmt.Errorf("commit %s is not a full commit of 40 hex digits", p.Commit)
	}
	if len(p.Metrics) == 0 {
		return fmt.Errorf("no metrics: a pin covers at least one")
	}
	for _, c := range p.Metrics {
		if _, err := metric.Lookup(c.Name); err != nil {
			return err
		}
		if c.Scale != 1 && c.Scale != 100 {
			return fmt.Errorf("metric %s: scale is %v, not 1 or 100", c.Name, c.Scale)
		}
		for _, source := range c.Sources {
			if !hexID.MatchString(source.Blob) {
				return fmt.Errorf("metric %s: blob id %q of %s is not 40 hex digits", c.Name, source.Blob, source.Path)
			}
		}
	}
	return nil
}

// SHA256 returns the digest of content as pin.toml and reports write it.
func SHA256(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
