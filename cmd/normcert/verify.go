package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/normcert/normcert/cases"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func newVerify() *cobra.Command {
	var dir string
	var jobs int
	var details bool
	command := &cobra.Command{
		Use:   "verify CERTIFICATE [-- COMMAND ARG ...]",
		Short: "Check a certificate, and run it again where the command is given",
		Long: `Check a certificate (the json report of certify) against this build: normcert's
version, the digests of corpus and goldens, and every verdict, count,
decision, floor and cause, and the signature, which are worked out again from
the answers that it holds. With a COMMAND the program is run again, and
everything has to come out as the certificate says.

A certificate whose verdict is not conformant verifies too, if it is true.
Whoever invents answers that agree with each other is found out only by
running the program again.

0: it holds; 1: something is not as it says; 2: it is no certificate; 3: the
program cannot be run; 4: the run was interrupted.`,
		Args: func(cmd *cobra.Command, args []string) error { return oneBeforeDash(cmd, args, "CERTIFICATE") },
		RunE: func(cmd *cobra.Command, args []string) error {
			certificate, err := readCertificate(args[0])
			if err != nil {
				return badInput(err)
			}
			corpus, set, err := load(dir)
			if err != nil {
				return err
			}
			config := runner.Config{Corpus: corpus, Goldens: set}
			if certificate.Set != nil {
				sets, err := cases.LoadSets(caseFiles(dir))
				if err != nil {
					return badInput(err)
				}
				if config.Set, err = runner.Freeze(certificate.Set.Name, sets, corpus); err != nil {
					return failed(err)
				}
			}
			v := verification{out: cmd.OutOrStdout(), details: details}
			v.check(certificate, config)
			if len(args) > 1 && v.origin {
				if err := v.again(cmd, certificate, config, args[1:], jobs); err != nil {
					return err
				}
			}
			return v.end(args[0], certificate, len(args) > 1)
		},
	}
	dirFlag(command, &dir)
	command.Flags().IntVar(&jobs, "jobs", 1, "how many processes of the program answer side by side")
	command.Flags().BoolVar(&details, "details", false, "list every difference")
	return command
}

// mostDifferences are shown without details.
const mostDifferences = 12

type verification struct {
	out     io.Writer
	details bool
	lines   []string
	// origin says that the certificate can be judged by this build at all.
	origin bool
}

func (v *verification) found(title string, list []report.Difference) {
	if len(list) == 0 {
		return
	}
	shown := list
	if !v.details && len(list) > mostDifferences {
		shown = list[:mostDifferences]
		title += fmt.Sprintf(" (%d of %d differences; all with --details)", len(shown), len(list))
	}
	v.lines = append(v.lines, title)
	for _, difference := range shown {
		v.lines = append(v.lines, "  "+difference.String())
	}
}

func (v *verification) check(c *report.Certificate, config runner.Config) {
	list, err := c.Origin(config, version.Version)
	if err != nil {
		v.lines = append(v.lines, "this build cannot judge it: "+err.Error())
	}
	v.found("it was made by another build, or changed; this build cannot judge it", list)
	if err != nil || len(list) > 0 {
		return
	}
	v.origin = true
	inconsistent, err := c.Recompute(config)
	if err != nil {
		v.lines = append(v.lines, "it contradicts itself: "+err.Error())
		return
	}
	v.found("it contradicts itself: what it says does not follow from the answers it holds", inconsistent)
}

// again runs the program as the certificate says.
func (v *verification) again(cmd *cobra.Command, c *report.Certificate, config runner.Config, command []string, jobs int) error {
	own := c.ConfigOf(config)
	var program programFlags
	flags := pflag.NewFlagSet("flags", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	program.add(flags)
	program.addFilter(flags)
	flags.String("dir", "", "")
	if err := flags.Parse(c.Flags); err != nil || flags.NArg() > 0 {
		return badInput(fmt.Errorf("the certificate's flags %q are none of certify", c.Flags))
	}
	program.jobs = jobs
	own.Command, own.Files = command, runner.FilesOf(command)
	result, err := program.certify(cmd, own)
	if err != nil {
		return err
	}
	if result.Interrupted && !c.Interrupted {
		return exitError{exitIncomplete, fmt.Errorf("interrupted")}
	}
	if c.Baseline != nil {
		result.Apply(&runner.Baseline{File: c.Baseline.File, Entries: c.Baseline.Entries}, own, c.Baseline.Date)
	}
	made := report.Certify(result)
	// It may be called otherwise here; its files are compared by their digests.
	made.Reproduce, made.Adapter.Command = c.Reproduce, c.Adapter.Command
	if len(made.Adapter.Files) == len(c.Adapter.Files) {
		for i := range made.Adapter.Files {
			made.Adapter.Files[i].Path = c.Adapter.Files[i].Path
		}
	}
	list, err := c.Differs(made)
	if err != nil {
		return err
	}
	v.found("the program answers otherwise now", list)
	return nil
}

func (v *verification) end(file string, c *report.Certificate, again bool) error {
	verdict := "verified"
	if again && len(v.lines) == 0 {
		verdict = "verified, and run again"
	}
	if len(v.lines) > 0 {
		verdict = "refused"
	}
	lines := append([]string{file + ": " + verdict}, v.lines...)
	if len(v.lines) == 0 {
		lines = append(lines, c.Remarks()...)
		for _, claim := range c.Claims {
			lines = append(lines, claim.Claim+"  "+claim.Sentence)
		}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(v.out, line); err != nil {
			return exitError{exitNoVerdict, err}
		}
	}
	if len(v.lines) > 0 {
		return exitError{code: exitFails}
	}
	return nil
}

func readCertificate(file string) (*report.Certificate, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate: %w", err)
	}
	certificate, err := report.Decode(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return certificate, nil
}
