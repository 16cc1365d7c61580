package golden

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrPinExists says that there is a pin of that name already.
var ErrPinExists = errors.New("there is such a pin already")

// Install puts a pin's folder into root, the golden/ folder of a checkout: the
// whole of it or nothing. Everything is first written to a staging folder beside
// root, where nothing looks for goldens, and one rename puts it into place; a
// process that ends before that leaves what was there. A folder that is there
// is exchanged for the new one where replace says so, else it is ErrPinExists.
func Install(root string, pin Pin, records map[string][]Record, inputs map[string]string, replace bool) (err error) {
	files, err := encodeFiles(pin, records, inputs)
	if err != nil {
		return err
	}
	if err := readable(pin, files); err != nil {
		return fmt.Errorf("goldens that could not be read again; nothing was changed: %w", err)
	}
	target := filepath.Join(root, pin.Upstream, pin.Short)
	_, statErr := os.Lstat(target)
	there := statErr == nil
	if there && !replace {
		return fmt.Errorf("%s: %w", target, ErrPinExists)
	}
	staging := filepath.Join(filepath.Dir(root), ".normcert-"+pin.Upstream+"-"+pin.Short)
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	if err := stage(staging, files); err != nil {
		return fmt.Errorf("writing goldens; nothing was changed: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("making a folder for goldens; nothing was changed: %w", err)
	}
	if there {
		return exchange(staging, target)
	}
	return os.Rename(staging, target)
}

// readable checks that Load will take what is about to be written.
func readable(pin Pin, files map[string][]byte) error {
	for name, content := range files {
		if name == "pin.toml" {
			if _, err := DecodePin(name, pin.Upstream, pin.Short, content); err != nil {
				return err
			}
		} else if _, err := Decode(name, content); err != nil {
			return err
		}
	}
	return nil
}

// stage writes files into a folder that is new: what an earlier run left there
// when it was killed is of no use.
func stage(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := writeSynced(filepath.Join(folder, name), content); err != nil {
			return err
		}
	}
	return nil
}

// writeSynced has the content on the disk before the rename that makes it count.
func writeSynced(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// exchangeByTwo is exchange where the system cannot do it in one step. Between
// its two renames there is no pin; if the second fails, the first is taken back.
func exchangeByTwo(staging, target string) error {
	old := staging + "-old"
	if err := errors.Join(os.RemoveAll(old), os.Rename(target, old)); err != nil {
		return fmt.Errorf("moving %s away; nothing was changed: %w", target, err)
	}
	if err := os.Rename(staging, target); err != nil {
		return errors.Join(fmt.Errorf("putting the new goldens in place: %w", err), os.Rename(old, target))
	}
	return os.RemoveAll(old)
}
