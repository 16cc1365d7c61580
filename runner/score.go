package runner

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/adapters/reference"
	"github.com/normcert/normcert/internal/pystr"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/metric"
)

// ScoreConfig says what to score, and as what.
type ScoreConfig struct {
	// Setup is metric{option=value,…}; Pin is UPSTREAM@COMMIT.
	Setup, Pin string
	// Name stands for the input in errors.
	Name string
	// Input holds one item a line, in the shape of the protocol. It is read
	// more than once; what cannot be read again is first copied to a temporary file.
	Input io.Reader
	// Rows, where it is not nil, gets a JSON line for every item.
	Rows io.Writer
}

// ScoreResult is what scoring a file gives; it is written as one JSON object.
type ScoreResult struct {
	// Scores are on the pin's scale; nil where the metric refuses the batch.
	Scores metric.Scores `json:"scores,omitempty"`
	// Error is the refusal.
	Error *ScoreRefusal `json:"error,omitempty"`
	// Rows is the number of items.
	Rows int `json:"rows"`
	// Signature names everything the scores depend on but the items.
	Signature string `json:"signature"`
}

// ScoreRefusal says why the metric refuses the batch, as upstream does.
type ScoreRefusal struct {
	Kind    metric.ErrorKind `json:"kind"`
	Message string           `json:"message"`
}

// mostBadRows is how many bad lines an error names.
const mostBadRows = 10

// ScoreFile scores a file of items as one batch, exactly as the pin would,
// with the reference. The texts are not all held in memory. A bad line ends it
// with a *UsageError that names it; none is dropped.
func ScoreFile(ctx context.Context, config ScoreConfig) (result *ScoreResult, err error) {
	setup, err := metric.ParseSetup(config.Setup)
	if err != nil {
		return nil, &UsageError{err}
	}
	pipeline, err := reference.For(setup.Metric, config.Pin)
	if err != nil {
		return nil, usage("%w; %s is there at %s", err, setup.Metric, strings.Join(reference.Pins(setup.Metric), ", "))
	}
	input, remove, err := rereadable(config.Input)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", config.Name, err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	lines := &itemLines{ctx: ctx, name: config.Name, input: input, metric: pipeline.Metric}
	rows, err := lines.check()
	if err != nil {
		return nil, err
	}
	each, flush := rowWriter(config.Rows)
	result = &ScoreResult{Rows: rows, Signature: scoreSignature(setup, config.Pin)}
	result.Scores, err = pipeline.ScoreBatch(setup.Options, lines.items, each)
	var refusal *metric.Refusal
	switch {
	case errors.As(err, &refusal):
		result.Error = &ScoreRefusal{Kind: refusal.Kind, Message: refusal.Message}
	case err != nil:
		return nil, err
	}
	return result, flush()
}

func scoreSignature(setup metric.Setup, pin string) string {
	return fmt.Sprintf("normcert:%s|setup:%s|pin:%s|unicode:%s", version.Version, setup, pin, pystr.UnicodeVersion)
}

// rereadable returns input as something that can be read again from the
// start: a regular file as it is, anything else as a temporary copy.
func rereadable(input io.Reader) (again io.ReadSeeker, remove func() error, err error) {
	if file, isFile := input.(*os.File); isFile {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return file, func() error { return nil }, nil
		}
	}
	copied, err := os.CreateTemp("", "normcert-score-")
	if err != nil {
		return nil, nil, err
	}
	remove = func() error { return errors.Join(copied.Close(), os.Remove(copied.Name())) }
	if _, err := io.Copy(copied, input); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return copied, remove, nil
}

// itemLines reads items from JSON Lines, as often as it is asked.
type itemLines struct {
	ctx    context.Context
	name   string
	input  io.ReadSeeker
	metric metric.Metric
}

// check reads everything once and counts the items. Its error names the first
// bad lines and how many more there are.
func (l *itemLines) check() (rows int, err error) {
	var problems []error
	bad := 0
	err = l.each(func(_ metric.Item, err error) bool {
		rows++
		if err != nil {
			if bad++; bad <= mostBadRows {
				problems = append(problems, err)
			}
		}
		return true
	})
	if err != nil {
		return 0, err
	}
	switch more := bad - mostBadRows; {
	case more == 1:
		problems = append(problems, errors.New("and 1 more bad line"))
	case more > 1:
		problems = append(problems, fmt.Errorf("and %d more bad lines", more))
	}
	if bad > 0 {
		return 0, usage("%w\nnothing was scored; every line is an item: {\"prediction\":\"…\",\"references\":[\"…\"]}", errors.Join(problems...))
	}
	return rows, nil
}

// items is a reference.Batch.
func (l *itemLines) items(yield func(metric.Item, error) bool) {
	if err := l.each(yield); err != nil {
		yield(metric.Item{}, err)
	}
}

func (l *itemLines) each(yield func(metric.Item, error) bool) error {
	if _, err := l.input.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading %s again: %w", l.name, err)
	}
	reader := bufio.NewReaderSize(l.input, 1<<16)
	var line []byte
	for number := 1; ; number++ {
		if number%4096 == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		var err error
		line, err = readLine(reader, line[:0])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s, line %d: %w", l.name, number, err)
		}
		item, err := adapters.DecodeItem(line, l.metric, number-1)
		if err != nil {
			err = fmt.Errorf("%s:%d: %w", l.name, number, err)
		}
		if !yield(item, err) {
			return nil
		}
	}
}

// readLine appends a line without its end; io.EOF says that there is none.
func readLine(reader *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := reader.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0, err == nil:
			return bytes.TrimSuffix(line, []byte("\n")), nil
		}
		return line, err
	}
}

// jsonRow is what a row has to say, on the pin's scale.
type jsonRow struct {
	Row        int            `json:"row"` // from 1, the line
	ID         string         `json:"id"`
	Exact      metric.Double  `json:"exact_match"`
	F1         *metric.Double `json:"f1,omitempty"`
	Superseded bool           `json:"superseded,omitempty"`
}

// rowWriter returns what writes a line for each row, and what ends it and
// returns the first error.
func rowWriter(out io.Writer) (each func(reference.Row), flush func() error) {
	if out == nil {
		return nil, func() error { return nil }
	}
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	var failed error
	each = func(row reference.Row) {
		wire := jsonRow{Row: row.Index + 1, ID: row.ID, Exact: metric.Double(row.Exact), Superseded: row.Superseded}
		if row.F1 != nil {
			f1 := metric.Double(*row.F1)
			wire.F1 = &f1
		}
		if err := encoder.Encode(wire); err != nil && failed == nil {
			failed = err
		}
	}
	return each, func() error {
		if err := errors.Join(failed, buffered.Flush()); err != nil {
			return fmt.Errorf("writing rows: %w", err)
		}
		return nil
	}
}
