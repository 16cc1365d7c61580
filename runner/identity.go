package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file that an adapter's command names, as the command names it.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// FilesOf returns the files that a command names: its arguments that are
// regular files, and the program where it is named by a path. A program that is
// looked up in PATH is an interpreter where an argument is a file, and is named
// only where none is. What cannot be read is left out.
func FilesOf(command []string) []File {
	var files []File
	for i, argument := range command {
		if i == 0 && !strings.ContainsRune(argument, '/') && !strings.ContainsRune(argument, filepath.Separator) {
			continue
		}
		if sum, ok := digestOf(argument); ok {
			files = append(files, File{argument, sum})
		}
	}
	if len(files) == 0 && len(command) > 0 {
		if path, err := exec.LookPath(command[0]); err == nil {
			if sum, ok := digestOf(path); ok {
				files = append(files, File{command[0], sum})
			}
		}
	}
	return files
}

func digestOf(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	file, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", false
	}
	return hex.EncodeToString(sum.Sum(nil)), true
}

// Digests identify what a run was judged by, in full: SHA-256 of the selected
// cases, and of the goldens of each pin.
type Digests struct {
	Corpus  string            `json:"corpus"`
	Goldens map[string]string `json:"goldens"`
}

// digests returns those of the claims' pins.
func (r *Report) digests(corpus string) Digests {
	d := Digests{Corpus: corpus, Goldens: map[string]string{}}
	for _, claim := range r.Claims {
		d.Goldens[claim.Pin.Name()] = claim.goldens.Digest()
	}
	return d
}

// Reproduce is the command line that makes the report again: every claim by its
// name, so that another default changes nothing.
func (r *Report) Reproduce() []string {
	line := []string{"normcert", "certify"}
	for _, claim := range r.Claims {
		line = append(line, "--claim", claim.Name())
	}
	if len(r.Except) > 0 {
		line = append(line, "--except", strings.Join(r.Except, ","))
	}
	if r.Bits {
		line = append(line, "--bits")
	}
	if r.Set != nil {
		line = append(line, "--set", r.Set.Name)
	}
	for _, pattern := range r.Patterns {
		line = append(line, "--case", pattern)
	}
	line = append(line, r.Flags...)
	if len(r.Command) > 0 {
		line = append(append(line, "--"), r.Command...)
	}
	return line
}

// TextResult is a text whose normalized form is not the pin's, or is missing.
// An outcome of normalize in a check shows the gravest of its texts; these are all.
type TextResult struct {
	Text     string  `json:"text"`
	Outcome  Outcome `json:"outcome"`
	Upstream string  `json:"upstream"`
	Adapter  Value   `json:"adapter"`
	Detail   string  `json:"detail,omitempty"`
}

// textResults are those of a claim, in the order of the checks.
func (q *questions) textResults(claim *Claim, checks []*Check) []TextResult {
	var list []TextResult
	seen := map[string]bool{}
	for _, check := range checks {
		if !claim.Normalizes() || !check.Asks() || len(check.texts()) == 0 {
			continue
		}
		for text, want := range check.normalized {
			if seen[text] {
				continue
			}
			seen[text] = true
			outcome, got, detail := q.normalizeOutcome(claim, text, want)
			if outcome != Same {
				list = append(list, TextResult{Text: text, Outcome: outcome, Upstream: want, Adapter: got, Detail: detail})
			}
		}
	}
	return list
}

// TextsOf are the texts of a check that are not the same, in its order.
func (c *ClaimReport) TextsOf(r *Result) []TextResult {
	var list []TextResult
	for _, text := range r.texts() {
		if at := slices.IndexFunc(c.Texts, func(t TextResult) bool { return t.Text == text }); at >= 0 {
			list = append(list, c.Texts[at])
		}
	}
	return list
}
