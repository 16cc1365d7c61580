package golden

import (
	"bytes"
	"context"
	"crypto/sha1" // the hash that git names blobs by
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// BlobID returns the id that git gives a file's content.
func BlobID(content []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// ErrNoSource says that a folder does not have a pin's sources at all.
var ErrNoSource = errors.New("the sources of the pin are not there")

// Sources returns the files of a pin's metrics, by path, from a git repository
// that has the commit or from a plain tree. Every file must have the blob id
// that pin.toml lists; otherwise the error names both ids and nothing is
// returned. A folder that lacks the files is ErrNoSource.
func (p Pin) Sources(ctx context.Context, folder string) (map[string][]byte, error) {
	read := func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, filepath.FromSlash(path))) }
	if git(ctx, folder, "cat-file", "-e", p.Commit+"^{commit}") == nil {
		read = func(path string) ([]byte, error) {
			var content bytes.Buffer
			err := gitTo(ctx, &content, folder, "cat-file", "blob", p.Commit+":"+path)
			return content.Bytes(), err
		}
	}
	files := map[string][]byte{}
	for _, coverage := range p.Metrics {
		for _, source := range coverage.Sources {
			content, err := read(source.Path)
			if errors.Is(err, os.ErrNotExist) {
				return nil, fmt.Errorf("%s: %w: no %s", folder, ErrNoSource, source.Path)
			}
			if err != nil {
				return nil, fmt.Errorf("reading %s from %s: %w", source.Path, folder, err)
			}
			if got := BlobID(content); got != source.Blob {
				return nil, &BlobError{Folder: folder, Path: source.Path, Got: got, Want: source.Blob}
			}
			files[source.Path] = content
		}
	}
	return files, nil
}

// BlobError is a source that is not the one a pin was recorded from.
type BlobError struct{ Folder, Path, Got, Want string }

func (e *BlobError) Error() string {
	return fmt.Sprintf("%s in %s has blob id %s, the pin lists %s: it is another version of the file, or was changed", e.Path, e.Folder, e.Got, e.Want)
}

func git(ctx context.Context, folder string, args ...string) error {
	return gitTo(ctx, nil, folder, args...)
}

func gitTo(ctx context.Context, out *bytes.Buffer, folder string, args ...string) error {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", folder}, args...)...)
	// In a hook, the environment names another repository than the folder's.
	command.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_DIR=") || strings.HasPrefix(entry, "GIT_WORK_TREE=")
	})
	var problems bytes.Buffer
	command.Stderr = &problems
	if out != nil {
		command.Stdout = out
	}
	if err := command.Run(); err != nil {
		return fmt.Errorf("git %s in %s: %w: %s", args[0], folder, err, strings.TrimSpace(problems.String()))
	}
	return nil
}

// Extract writes files, by path, below a new temporary folder and returns it.
// The caller removes it.
func Extract(files map[string][]byte) (string, error) {
	folder, err := os.MkdirTemp("", "normcert-source-")
	if err != nil {
		return "", err
	}
	for path, content := range files {
		target := filepath.Join(folder, filepath.FromSlash(path))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, content, 0o644))
	}
	return folder, err
}
