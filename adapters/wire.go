package adapters

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/normcert/normcert/metric"
)

// ProtocolVersion is the version of the protocol that this package speaks.
const ProtocolVersion = 1

// The messages as they stand on a line. Pointers tell an absent or null field
// from an empty one. The decoder (JSON v2) matches names by exact spelling and
// refuses invalid UTF-8, lone surrogates and duplicate names; it repairs nothing.

type wireRequest struct {
	ID       *int64          `json:"id"`
	Op       string          `json:"op"`
	Protocol int             `json:"protocol,omitzero"`
	Metric   string          `json:"metric,omitzero"`
	Pin      string          `json:"pin,omitzero"`
	Options  *map[string]any `json:"options,omitzero"`
	Text     *string         `json:"text,omitzero"`
	Items    *[]wireItem     `json:"items,omitzero"`
}

type wireItem struct {
	ID                  *string    `json:"id,omitempty"`
	Prediction          *string    `json:"prediction,omitempty"`
	References          *[]*string `json:"references"`
	NoAnswerProbability *float64   `json:"no_answer_probability,omitempty"`
}

type wireReply struct {
	ID          *int64         `json:"id"`
	Text        *string        `json:"text,omitzero"`
	Scores      *metric.Scores `json:"scores,omitzero"`
	Error       *wireError     `json:"error,omitzero"`
	Unsupported *string        `json:"unsupported,omitzero"`
}

type wireError struct {
	Kind    metric.ErrorKind `json:"kind,omitzero"`
	Message string           `json:"message,omitzero"`
}

type wireHello struct {
	ID        int64                  `json:"id"`
	Protocol  int                    `json:"protocol,omitzero"`
	Name      string                 `json:"name"`
	Version   string                 `json:"version,omitzero"`
	Metrics   map[string]wireSupport `json:"metrics"`
	Language  string                 `json:"language,omitzero"`
	Unicode   string                 `json:"unicode,omitzero"`
	Wraps     string                 `json:"wraps,omitzero"`
	Libraries map[string]string      `json:"libraries,omitzero"`
	// Unsupported is how an adapter says that it does not speak this protocol.
	Unsupported string `json:"unsupported,omitzero"`
}

type wireSupport struct {
	Pins    []string `json:"pins,omitzero"`
	Answers []string `json:"answers"`
	Handles []string `json:"handles,omitzero"`
	Scale   *float64 `json:"scale,omitzero"`
}

// EncodeHelloRequest returns the first line of a conversation, without its newline.
func EncodeHelloRequest(id int64) []byte {
	return metric.ASCIIJSON(wireRequest{ID: &id, Op: "hello", Protocol: ProtocolVersion})
}

// EncodeRequest returns a request as one line of ASCII JSON, without its newline.
func EncodeRequest(id int64, request Request) []byte { return AppendRequest(nil, id, request) }

// AppendRequest appends what EncodeRequest returns.
func AppendRequest(line []byte, id int64, request Request) []byte {
	// Written by hand, since a run is not to cost much more than the program's answers.
	line = strconv.AppendInt(append(line, `{"id":`...), id, 10)
	line = appendMember(line, "op", string(request.Op))
	line = appendMember(line, "metric", request.Metric)
	if request.Pin != "" {
		line = appendMember(line, "pin", request.Pin)
	}
	line = append(line, `,"options":`...)
	if len(request.Options) == 0 {
		line = append(line, "{}"...)
	} else {
		line = append(line, metric.ASCIIJSON(request.Options)...)
	}
	if request.Op == Normalize {
		line = appendMember(line, "text", request.Text)
	} else {
		line = append(line, `,"items":[`...)
		for i, item := range request.Items {
			if i > 0 {
				line = append(line, ',')
			}
			line = appendItem(line, request.Metric, item)
		}
		line = append(line, ']')
	}
	return append(line, '}')
}

func appendMember(line []byte, name, value string) []byte {
	line = append(append(append(line, `,"`...), name...), `":`...)
	return metric.AppendASCIIString(line, value)
}

// appendItem writes an item in the shape that requests carry it in.
// no_answer_probability is sent to squad_v2 only, where it means something.
func appendItem(line []byte, name string, item metric.Item) []byte {
	line = metric.AppendASCIIString(append(line, `{"id":`...), item.ID)
	if item.Prediction != nil {
		line = appendMember(line, "prediction", *item.Prediction)
	}
	line = append(line, `,"references":[`...)
	for i, reference := range item.References {
		if i > 0 {
			line = append(line, ',')
		}
		line = metric.AppendASCIIString(line, reference)
	}
	line = append(line, ']')
	if name == "squad_v2" {
		line = append(append(line, `,"no_answer_probability":`...), metric.ASCIIJSON(item.NoAnswerProbability)...)
	}
	return append(line, '}')
}

// EncodeReply returns the reply that carries an answer, or the error with
// which Adapter.Answer ended, as one line of ASCII JSON without its newline.
func EncodeReply(id int64, op Op, answer Answer, err error) []byte {
	wire := wireReply{ID: &id}
	var refusal *metric.Refusal
	var unsupported *Unsupported
	switch {
	case errors.As(err, &refusal):
		wire.Error = &wireError{Kind: refusal.Kind, Message: refusal.Message}
	case errors.As(err, &unsupported):
		wire.Unsupported = &unsupported.Why
	case err != nil:
		why := err.Error()
		wire.Unsupported = &why
	case op == Normalize:
		wire.Text = &answer.Text
	default:
		wire.Scores = &answer.Scores
	}
	return metric.ASCIIJSON(wire)
}

// EncodeHello returns the reply to a hello.
func EncodeHello(id int64, hello Hello) []byte {
	wire := wireHello{
		ID: id, Protocol: ProtocolVersion, Name: hello.Name, Version: hello.Version, Metrics: map[string]wireSupport{},
		Language: hello.Language, Unicode: hello.Unicode, Wraps: hello.Wraps, Libraries: hello.Libraries,
	}
	for name, support := range hello.Metrics {
		entry := wireSupport{Pins: support.Pins, Answers: support.Answers, Handles: support.Handles}
		if support.Scale != 0 {
			entry.Scale = &support.Scale
		}
		wire.Metrics[name] = entry
	}
	return metric.ASCIIJSON(wire)
}

// DecodeReplyID reads only the id of a reply. The error is a *Fault that names
// the rule the line breaks: not UTF-8, not a JSON object, a lone surrogate, a
// duplicate key, no integer id.
func DecodeReplyID(line []byte) (int64, error) {
	var head struct {
		ID *jsontext.Value `json:"id"`
	}
	if err := decode(line, &head); err != nil {
		return 0, err
	}
	if head.ID == nil || head.ID.Kind() == 'n' {
		return 0, fault(line, noID)
	}
	var id int64
	if err := json.Unmarshal(*head.ID, &id); err != nil {
		return 0, fault(line, "the reply's id is %s, not the integer of a request", *head.ID)
	}
	return id, nil
}

// Reply is a line that has the form of a reply: ReadReply made it.
type Reply struct {
	// ID is that of the request it says it answers.
	ID   int64
	line []byte
	wire wireReply
}

// ReadReply reads a line. It keeps the line, which must not change until Answer
// has returned. The error is a *Fault that names the rule the line breaks,
// whatever was asked; whose request that was, DecodeReplyID may still tell.
func ReadReply(line []byte) (Reply, error) {
	r := Reply{line: line}
	quick := false
	if r.wire, quick = quickReply(line); !quick {
		r.wire = wireReply{}
		if err := decode(line, &r.wire); err != nil {
			return Reply{}, err
		}
	}
	if r.wire.ID == nil {
		return Reply{}, fault(line, noID)
	}
	r.ID = *r.wire.ID
	return r, nil
}

const noID = "the reply has no id; echo the request's"

// Answer returns what the reply says to a request: an answer, or the error that
// Adapter.Answer returns, which is a *metric.Refusal, an *Unsupported, or a
// *Fault that names the rule the line breaks.
func (r Reply) Answer(op Op) (Answer, error) {
	given := 0
	for _, there := range [...]bool{r.wire.Text != nil, r.wire.Scores != nil, r.wire.Error != nil, r.wire.Unsupported != nil} {
		if there {
			given++
		}
	}
	switch {
	case given > 1:
		return Answer{}, fault(r.line, "the reply holds more than one of text, scores, error, unsupported")
	case r.wire.Error != nil:
		return Answer{}, &metric.Refusal{Kind: r.wire.Error.Kind, Message: r.wire.Error.Message}
	case r.wire.Unsupported != nil:
		return Answer{}, &Unsupported{Why: *r.wire.Unsupported}
	case op == Normalize && r.wire.Text != nil:
		return Answer{Text: *r.wire.Text}, nil
	case op == Score && r.wire.Scores != nil:
		return Answer{Scores: *r.wire.Scores}, nil
	case op == Normalize:
		return Answer{}, fault(r.line, "the reply to normalize holds no text (nor error, nor unsupported)")
	}
	return Answer{}, fault(r.line, "the reply to score holds no scores (nor error, nor unsupported)")
}

// DecodeReply reads the reply to a request whose id is known to be right. Its
// error is that of ReadReply or of Reply.Answer.
func DecodeReply(line []byte, op Op) (Answer, error) {
	r, err := ReadReply(line)
	if err != nil {
		return Answer{}, err
	}
	return r.Answer(op)
}

// DecodeHello reads the reply to the hello, which has the id given, and
// validates what it claims. Any error is a *Fault.
func DecodeHello(line []byte, id int64) (Hello, error) {
	got, err := DecodeReplyID(line)
	if err != nil {
		return Hello{}, err
	}
	if got != id {
		return Hello{}, fault(line, "the reply to hello has id %d, not %d", got, id)
	}
	var wire wireHello
	if err := decode(line, &wire); err != nil {
		return Hello{}, err
	}
	if wire.Protocol > ProtocolVersion {
		return Hello{}, fault(line, "the adapter speaks protocol %d; this normcert speaks %d: update normcert, or let the adapter answer protocol %[2]d", wire.Protocol, ProtocolVersion)
	}
	if wire.Unsupported != "" {
		return Hello{}, fault(line, "the adapter answers the hello with unsupported: %s", wire.Unsupported)
	}
	hello := Hello{
		Name: wire.Name, Version: wire.Version, Metrics: map[string]Support{},
		Language: wire.Language, Unicode: wire.Unicode, Wraps: wire.Wraps, Libraries: wire.Libraries,
	}
	for name, support := range wire.Metrics {
		entry := Support{Pins: support.Pins, Answers: support.Answers, Handles: support.Handles}
		if support.Scale != nil {
			entry.Scale = *support.Scale
			if entry.Scale == 0 {
				return Hello{}, fault(line, "hello, metrics.%s: scale is 0; it takes 1 or 100, the adapter's own top score", name)
			}
		}
		hello.Metrics[name] = entry
	}
	if err := hello.Validate(); err != nil {
		return Hello{}, fault(line, "%v", err)
	}
	return hello, nil
}

// decode reads one line strictly into a struct; unknown names are ignored, as
// the protocol says.
func decode(line []byte, into any) error {
	if !utf8.Valid(line) {
		return fault(line, "the line is not valid UTF-8")
	}
	if trimmed := bytes.TrimLeft(line, " \t\r"); len(trimmed) == 0 || trimmed[0] != '{' {
		return fault(line, "the line is not a JSON object")
	}
	if err := jsonv2.Unmarshal(line, into); err != nil {
		return fault(line, "%s", rule(err))
	}
	return nil
}

// rule says in the protocol's words which rule a JSON error is about.
func rule(err error) string {
	var syntactic *jsontext.SyntacticError
	var semantic *jsonv2.SemanticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("the line holds a duplicate key: %v", err)
	case errors.As(err, &syntactic):
		return fmt.Sprintf("the line is not strict JSON: %v", syntactic)
	case errors.As(err, &semantic):
		where := string(semantic.JSONPointer)
		if semantic.Err != nil {
			return fmt.Sprintf("%s: %v", where, semantic.Err)
		}
		return fmt.Sprintf("%s: a JSON %s stands where it may not", where, kindName(semantic.JSONKind))
	}
	return err.Error()
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	}
	return kind.String()
}

func fault(line []byte, format string, args ...any) *Fault {
	return &Fault{Kind: Protocol, What: fmt.Sprintf(format, args...), Line: Shorten(line)}
}

// Shorten cuts a line for a report.
func Shorten(line []byte) string {
	const most = 200
	if len(line) <= most {
		return string(line)
	}
	return fmt.Sprintf("%s… (%d bytes)", bytes.ToValidUTF8(line[:most], nil), len(line))
}
