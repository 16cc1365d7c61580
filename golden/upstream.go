package golden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// shape is where an upstream keeps a metric. Every upstream that can be
// recorded from source has the shape of huggingface/evaluate, because that is
// what the adapter adapters/python/upstream.py loads.
type shape struct {
	metric, entryPoint string
	files              []string
}

var shapes = []shape{
	{"exact_match", "ExactMatch._compute in metrics/exact_match/exact_match.py", []string{"metrics/exact_match/exact_match.py"}},
	{"squad", "Squad._compute in metrics/squad/squad.py", []string{"metrics/squad/compute_score.py", "metrics/squad/squad.py"}},
	{"squad_v2", "SquadV2._compute in metrics/squad_v2/squad_v2.py", []string{"metrics/squad_v2/compute_score.py", "metrics/squad_v2/squad_v2.py"}},
}

// repositories are where the sources of a known upstream are published.
var repositories = map[string]string{"hf-evaluate": "https://github.com/huggingface/evaluate"}

// shortCommit is how many digits of a commit name a pin.
const shortCommit = 7

var folderName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// SplitName cuts UPSTREAM@COMMIT. Both halves are names of folders.
func SplitName(name string) (upstream, commit string, err error) {
	upstream, commit, cut := strings.Cut(name, "@")
	if !cut || !folderName.MatchString(upstream) || !folderName.MatchString(commit) || strings.Contains(commit, "..") {
		return "", "", fmt.Errorf("pin %q is not UPSTREAM@COMMIT, such as hf-evaluate@a7dd338: both are names of letters, digits, '.', '-' and '_'", name)
	}
	return upstream, commit, nil
}

// FindSources looks in folder, a git repository or a plain tree, for the metric
// sources that an upstream is known to have, and returns a pin that covers those
// that are there, with the files by path. commit is resolved by git; of a plain
// tree it is taken as given, in full, and there is no date. The pin has no scale
// and no environment yet: they are observed. A folder without any is ErrNoSource.
func FindSources(ctx context.Context, upstream, commit, folder string) (Pin, map[string][]byte, error) {
	pin := Pin{Upstream: upstream, Commit: commit, Repository: repositories[upstream]}
	isRepository, err := repository(ctx, folder)
	if err != nil {
		return pin, nil, err
	}
	read := func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, filepath.FromSlash(path))) }
	if isRepository {
		if pin.Commit, pin.Date, err = resolveCommit(ctx, folder, commit); err != nil {
			return pin, nil, err
		}
		read = func(path string) ([]byte, error) { return blobAt(ctx, folder, pin.Commit, path) }
	} else if !hexID.MatchString(commit) {
		return pin, nil, fmt.Errorf("%s is a plain tree, and commit %s is not in full: without git to resolve it, name all 40 hex digits, in lower case", folder, commit)
	}
	pin.Short = pin.Commit[:shortCommit]
	files := map[string][]byte{}
	for _, shape := range shapes {
		coverage, err := shape.find(read, files)
		if err != nil {
			return pin, nil, fmt.Errorf("%s at %s: %w", folder, pin.Commit, err)
		}
		if coverage != nil {
			pin.Metrics = append(pin.Metrics, *coverage)
		}
	}
	if len(pin.Metrics) == 0 {
		return pin, nil, fmt.Errorf("%s at %s: %w: it has none of the metrics that an upstream is known to have, such as %s", folder, pin.Commit, ErrNoSource, shapes[0].files[0])
	}
	return pin, files, nil
}

// find reads the files of a metric into files; none of them is nil, some of
// them an error: upstream has moved something.
func (s shape) find(read func(string) ([]byte, error), files map[string][]byte) (*Coverage, error) {
	coverage := &Coverage{Name: s.metric, EntryPoint: s.entryPoint}
	var missing []string
	for _, path := range s.files {
		content, err := read(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, path)
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", path, err)
		default:
			files[path] = content
			coverage.Sources = append(coverage.Sources, Source{Path: path, Blob: BlobID(content)})
		}
	}
	switch len(missing) {
	case 0:
		return coverage, nil
	case len(s.files):
		return nil, nil
	}
	return nil, fmt.Errorf("%s is there and %s is not: %s is not where it is known to be", coverage.Sources[0].Path, strings.Join(missing, ", "), s.metric)
}

// Only drops the metrics that are not named. The error names one that the
// pin does not have.
func (p *Pin) Only(names []string) error {
	if len(names) == 0 {
		return nil
	}
	var kept []Coverage
	for _, name := range names {
		coverage, there := p.Covers(name)
		if !there {
			return fmt.Errorf("there is no %s to record; there is %s", name, strings.Join(p.metricNames(), ", "))
		}
		kept = append(kept, coverage)
	}
	p.Metrics = kept
	return nil
}

func (p Pin) metricNames() []string {
	names := make([]string, len(p.Metrics))
	for i, coverage := range p.Metrics {
		names[i] = coverage.Name
	}
	return names
}

// repository reports whether a folder is the root of a git repository, with or
// without a work tree. A plain tree may lie inside another repository.
func repository(ctx context.Context, folder string) (bool, error) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return false, fmt.Errorf("%s is not a folder", folder)
	}
	var answer bytes.Buffer
	err := gitTo(ctx, &answer, folder, "rev-parse", "--is-inside-work-tree", "--show-prefix")
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		if _, statErr := os.Stat(filepath.Join(folder, ".git")); statErr == nil {
			// What is checked out may be any commit: it is no plain tree.
			return false, fmt.Errorf("%s is a git repository that git does not read: %w", folder, err)
		}
		// A repository without a work tree has no prefix to show.
		answer.Reset()
		err = gitTo(ctx, &answer, folder, "rev-parse", "--is-bare-repository")
		return err == nil && strings.TrimSpace(answer.String()) == "true", nil
	}
	lines := strings.Split(answer.String(), "\n")
	if lines[0] == "false" {
		return true, nil
	}
	return len(lines) < 2 || lines[1] == "", nil
}

// resolveCommit returns the full commit and its date, YYYY-MM-DD.
func resolveCommit(ctx context.Context, folder, commit string) (full, date string, err error) {
	var answer bytes.Buffer
	if err := gitTo(ctx, &answer, folder, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^{commit}"); err != nil {
		return "", "", fmt.Errorf("%s has no commit %s (or more than one): fetch it, or save its files as a plain tree", folder, commit)
	}
	full = strings.TrimSpace(answer.String())
	answer.Reset()
	if err := gitTo(ctx, &answer, folder, "show", "--no-patch", "--format=%cs", full); err != nil {
		return "", "", err
	}
	return full, strings.TrimSpace(answer.String()), nil
}

// blobAt returns a file at a commit; one that is not there is fs.ErrNotExist.
func blobAt(ctx context.Context, folder, commit, path string) ([]byte, error) {
	var content bytes.Buffer
	if err := gitTo(ctx, &content, folder, "ls-tree", "--full-tree", "--name-only", commit, "--", path); err != nil {
		return nil, err
	}
	if content.Len() == 0 {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	content.Reset()
	err := gitTo(ctx, &content, folder, "cat-file", "blob", commit+":"+path)
	return content.Bytes(), err
}
