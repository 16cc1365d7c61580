package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/golden"
)

// dirFlag adds --dir, which takes cases and goldens from a checkout.
func dirFlag(command *cobra.Command, dir *string) {
	command.Flags().StringVar(dir, "dir", "", "take cases/ and golden/ from the checkout at `ROOT`, not the embedded ones")
}

// checkoutFlag adds --dir to a verb that is about a checkout.
func checkoutFlag(command *cobra.Command, dir *string) {
	command.Flags().StringVar(dir, "dir", ".", "the `ROOT` of the checkout, with cases/ and golden/")
}

// hereIf is the current folder where none is named and it is a checkout with
// such a folder; else what is embedded.
func hereIf(dir, folder string) string {
	if dir == "" && isFolder(folder) {
		return "."
	}
	return dir
}

// caseFlag adds --case.
func caseFlag(command *cobra.Command, patterns *[]string) {
	command.Flags().StringArrayVar(patterns, "case", nil, "only cases whose id matches this `GLOB`, or a whole hazard; may be repeated")
}

// noArguments refuses arguments of a verb that takes flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q; %s takes flags only", args[0], cmd.Name())
	}
	return nil
}

// load reads the corpus and the goldens, embedded or from a checkout.
func load(dir string) (cases.Corpus, *golden.Set, error) {
	var set *golden.Set
	var goldensErr error
	var reading sync.WaitGroup
	reading.Go(func() { set, goldensErr = loadGoldens(dir) })
	corpus, err := loadCorpus(dir)
	reading.Wait()
	if err == nil {
		err = goldensErr
	}
	return corpus, set, err
}

func loadGoldens(dir string) (*golden.Set, error) {
	if dir == "" {
		return golden.Embedded()
	}
	set, err := golden.Load(os.DirFS(filepath.Join(dir, "golden")))
	if err != nil {
		return nil, badInput(fmt.Errorf("goldens in %s: %w", filepath.Join(dir, "golden"), err))
	}
	return set, nil
}

func loadCorpus(dir string) (cases.Corpus, error) {
	if dir == "" {
		return cases.Embedded()
	}
	folder := filepath.Join(dir, "cases")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) && isFolder(filepath.Join(dir, "golden")) {
		// Goldens of one's own scorer, recorded for the embedded cases.
		return cases.Embedded()
	} else if err != nil {
		return cases.Corpus{}, badInput(fmt.Errorf("--dir %s: %w; it takes the root of a checkout, with cases/ and golden/", dir, err))
	}
	corpus, err := cases.Load(os.DirFS(folder))
	if err != nil {
		return corpus, badInput(fmt.Errorf("cases in %s:\n%w", folder, err))
	}
	return corpus, nil
}

// untilDone reads in until ctx ends: a read from a terminal or a pipe waits for
// ever, and would outlast an interruption. A regular file never waits.
func untilDone(ctx context.Context, in io.Reader) io.Reader {
	if file, isFile := in.(*os.File); isFile {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return in
		}
	}
	out, feed := io.Pipe()
	go func() {
		_, err := io.Copy(feed, in)
		feed.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { feed.CloseWithError(ctx.Err()) })
	return out
}
