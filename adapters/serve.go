package adapters

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/normcert/normcert/metric"
)

// ErrBadRequests is returned by Serve when it could not understand a line. It
// answered it all the same, and went on.
var ErrBadRequests = errors.New("some requests were not understood")

// Serve answers the protocol on in and out with an adapter, one request after
// the other, until in ends. A line that it cannot understand is answered with
// an unsupported that says why and counts lines from 1.
func Serve(ctx context.Context, adapter Adapter, in io.Reader, out io.Writer) error {
	reader := bufio.NewReaderSize(in, 1<<16)
	var bad bool
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			reply, understood := serveLine(ctx, adapter, line, number)
			bad = bad || !understood
			if _, err := out.Write(append(reply, '\n')); err != nil {
				return fmt.Errorf("writing the reply to line %d: %w", number, err)
			}
		}
		switch {
		case err == io.EOF && bad:
			return ErrBadRequests
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("reading line %d: %w", number, err)
		}
	}
}

func serveLine(ctx context.Context, adapter Adapter, line []byte, number int) (reply []byte, understood bool) {
	var wire wireRequest
	notUnderstood := func(err error) ([]byte, bool) {
		why := fmt.Sprintf("line %d is not a request: %v", number, err)
		return metric.ASCIIJSON(wireReply{ID: wire.ID, Unsupported: &why}), false
	}
	if err := decode(line, &wire); err != nil {
		wire.ID = nil // what was read of it before the mistake may be anything
		return notUnderstood(err)
	}
	if wire.ID == nil {
		return notUnderstood(errors.New("it has no id"))
	}
	if wire.Op == "hello" {
		hello, err := adapter.Hello(ctx)
		if err != nil {
			return notUnderstood(err)
		}
		return EncodeHello(*wire.ID, hello), true
	}
	request, err := wire.request()
	if err != nil {
		return notUnderstood(err)
	}
	answer, err := adapter.Answer(ctx, request)
	return EncodeReply(*wire.ID, request.Op, answer, err), true
}

// request checks a request and brings it to the form adapters take.
func (w wireRequest) request() (Request, error) {
	if op := Op(w.Op); op != Normalize && op != Score {
		return Request{}, fmt.Errorf("unknown op %q; known: hello, normalize, score", w.Op)
	}
	var given map[string]any
	if w.Options != nil {
		given = *w.Options
	}
	setup, err := metric.NewSetup(w.Metric, given)
	if err != nil {
		return Request{}, err
	}
	request := Request{Op: Op(w.Op), Metric: w.Metric, Pin: w.Pin, Options: setup.Options}
	switch {
	case request.Op == Normalize && w.Text != nil:
		request.Text = *w.Text
		return request, nil
	case request.Op == Normalize:
		return Request{}, errors.New("normalize needs a text")
	case request.Op == Score && w.Items != nil:
		request.Items, err = decodeItems(w.Metric, *w.Items)
		return request, err
	}
	return Request{}, errors.New("score needs items")
}

func decodeItems(name string, wire []wireItem) ([]metric.Item, error) {
	m, err := metric.Lookup(name)
	if err != nil {
		return nil, err
	}
	items := make([]metric.Item, len(wire))
	for i, w := range wire {
		if items[i], err = w.item(m, i); err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
	}
	return items, nil
}

// DecodeItem reads one item of a batch, in the shape that requests carry it
// in, for a metric. index stands for an id that is left out.
func DecodeItem(line []byte, m metric.Metric, index int) (metric.Item, error) {
	var wire wireItem
	if err := decode(line, &wire); err != nil {
		broken := AsFault(err)
		return metric.Item{}, fmt.Errorf("%s: %q", broken.What, broken.Line)
	}
	return wire.item(m, index)
}

func (w wireItem) item(m metric.Metric, index int) (metric.Item, error) {
	item := metric.Item{ID: metric.DefaultID(index), Prediction: w.Prediction}
	if w.ID != nil {
		item.ID = *w.ID
	}
	if w.References == nil {
		return item, errors.New("references is missing; it is a list of strings")
	}
	for i, reference := range *w.References {
		if reference == nil {
			return item, fmt.Errorf("reference %d is null, not a string", i)
		}
		item.References = append(item.References, *reference)
	}
	if w.NoAnswerProbability != nil {
		item.NoAnswerProbability = *w.NoAnswerProbability
	}
	return item, item.Validate(m)
}
