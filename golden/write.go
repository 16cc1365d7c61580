package golden

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Change is a file that differs from what lies in a checkout. Content is nil
// for a file that is to go.
type Change struct {
	Path    string
	Content []byte
}

// Changes returns what writing the records of a pin would change below root,
// the golden/ folder of a checkout. The pin's Files are filled in with the
// digests of what upstream wrote: those of the hazards in inputs.
func Changes(root string, pin Pin, records map[string][]Record, inputs map[string]string) ([]Change, error) {
	files, err := encodeFiles(pin, records, inputs)
	if err != nil {
		return nil, err
	}
	return differing(filepath.Join(root, pin.Upstream, pin.Short), files)
}

// encodeFiles returns the files of a pin's folder by name, pin.toml among them.
// A hazard without an entry in inputs stays unconfirmed: its digest is not listed.
func encodeFiles(pin Pin, records map[string][]Record, inputs map[string]string) (map[string][]byte, error) {
	pin.Files = map[string]Digests{}
	files := map[string][]byte{}
	for hazard, list := range records {
		name := hazard + ".golden"
		content := Encode(list)
		files[name] = content
		if recordedFor, confirmed := inputs[hazard]; confirmed {
			pin.Files[name] = Digests{SHA256: SHA256(content), Inputs: recordedFor}
		}
	}
	content, err := EncodePin(pin)
	if err != nil {
		return nil, err
	}
	files["pin.toml"] = content
	return files, nil
}

func differing(folder string, files map[string][]byte) ([]Change, error) {
	var changes []Change
	for name, content := range files {
		path := filepath.Join(folder, name)
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if err != nil || !bytes.Equal(before, content) {
			changes = append(changes, Change{path, content})
		}
	}
	there, err := filepath.Glob(filepath.Join(folder, "*.golden"))
	if err != nil {
		return nil, err
	}
	for _, path := range there {
		if _, kept := files[filepath.Base(path)]; !kept {
			changes = append(changes, Change{Path: path})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// Commit makes the changes, all or none: everything is first written beside
// its place, and only when all of it lies there is it renamed into place.
func Commit(changes []Change) error {
	const suffix = ".normcert-new"
	for _, change := range changes {
		if change.Content == nil {
			continue
		}
		err := os.MkdirAll(filepath.Dir(change.Path), 0o755)
		if err == nil {
			err = os.WriteFile(change.Path+suffix, change.Content, 0o644)
		}
		if err != nil {
			for _, begun := range changes {
				_ = os.Remove(begun.Path + suffix)
			}
			return fmt.Errorf("writing goldens; nothing was changed: %w", err)
		}
	}
	var err error
	for _, change := range changes {
		if change.Content == nil {
			err = errors.Join(err, os.Remove(change.Path))
		} else {
			err = errors.Join(err, os.Rename(change.Path+suffix, change.Path))
		}
	}
	return err
}
