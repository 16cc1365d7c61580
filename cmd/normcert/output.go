package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

// output is one format, and where it goes; no file is stdout.
type output struct{ format, file string }

// outputs are the pairs of --format and -o, in order.
type outputs struct{ list []output }

// formatFlag is --format, and fileFlag is -o: a file belongs to the format before it.
type (
	formatFlag struct{ all *outputs }
	fileFlag   struct{ all *outputs }
)

func (o *outputs) add(f *pflag.FlagSet, names string) {
	f.Var(formatFlag{o}, "format", "`FORMAT` of the report: "+names+"; may be repeated")
	f.VarP(fileFlag{o}, "output", "o", "`FILE` for the format before it, else stdout")
}

func (formatFlag) String() string { return "" }
func (formatFlag) Type() string   { return "FORMAT" }
func (f formatFlag) Set(name string) error {
	f.all.list = append(f.all.list, output{format: name})
	return nil
}

func (fileFlag) String() string { return "" }
func (fileFlag) Type() string   { return "FILE" }
func (f fileFlag) Set(name string) error {
	switch last := len(f.all.list) - 1; {
	case name == "":
		return errors.New("a file has a name")
	case last < 0:
		return errors.New("it follows the --format that it is for")
	case f.all.list[last].file != "":
		return fmt.Errorf("--format %s has a file already, %s", f.all.list[last].format, f.all.list[last].file)
	default:
		f.all.list[last].file = name
		return nil
	}
}

// resolve returns the pairs, or fallback to stdout where there is none. It is an
// error to send two to stdout or to one file, or a file into a folder that is not there.
func (o *outputs) resolve(fallback string) ([]output, error) {
	list := o.list
	if len(list) == 0 {
		list = []output{{format: fallback}}
	}
	seen := map[string]string{}
	for _, one := range list {
		where := "stdout"
		if one.file != "" {
			where = filepath.Clean(one.file)
			folder, err := os.Stat(filepath.Dir(where))
			if err != nil {
				return nil, fmt.Errorf("-o %s: %w", one.file, err)
			}
			if !folder.IsDir() {
				return nil, fmt.Errorf("-o %s: %s is no folder", one.file, filepath.Dir(where))
			}
			if info, err := os.Stat(where); err == nil && info.IsDir() {
				return nil, fmt.Errorf("-o %s: it is a folder", one.file)
			}
		}
		if other, taken := seen[where]; taken {
			return nil, fmt.Errorf("--format %s and --format %s both go to %s; give each its own -o FILE", other, one.format, where)
		}
		seen[where] = one.format
	}
	return list, nil
}

// writeReport writes a report in every format. The error has an exit code.
func writeReport(stdout io.Writer, list []output, r *runner.Report, details bool) error {
	for _, one := range list {
		format, err := report.Named(one.format, details)
		if err != nil {
			return badInput(err)
		}
		if err := one.write(stdout, func(out io.Writer) error { return format.Write(out, r) }); err != nil {
			return exitError{exitNoVerdict, fmt.Errorf("writing the report as %s: %w", one.format, err)}
		}
	}
	return nil
}

// write writes to stdout, or to a file that is there whole or not at all.
func (o output) write(stdout io.Writer, to func(io.Writer) error) error {
	if o.file == "" {
		return to(stdout)
	}
	return writeWhole(o.file, to)
}

// writeWhole writes a file in its folder under another name, and then renames
// it: what was there stays until the new one is complete. A device or a pipe is
// written to as it is.
func writeWhole(name string, to func(io.Writer) error) (err error) {
	mode := os.FileMode(0o666)
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return writeThrough(name, to)
		}
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	temporary := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%08x", filepath.Base(name), rand.Uint32()))
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temporary)
		}
	}()
	if err := errors.Join(to(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

func writeThrough(name string, to func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(to(file), file.Close())
}

// formatNames lists the formats of reports, for help.
func formatNames() string {
	var names []string
	for _, format := range report.Formats(false) {
		names = append(names, format.Name)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
