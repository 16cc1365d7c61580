package doctor

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	// longestLine is the longest line that is read, as in adapters/process.
	longestLine = 16 << 20
	// stderrKept is how much of the end of stderr is kept.
	stderrKept = 16 << 10
	// endGrace is how long a program may go on after its stdin is closed.
	endGrace = 2 * time.Second
)

// session is one run of the program, seen as it is: lines in and lines out.
type session struct {
	program *conversation
	lines   chan line // closed at the end of stdout
	input   chan []byte
	said    stderrTail
	exited  chan struct{} // closed when the process is reaped
	ended   string        // how, once exited is closed
	left    []string      // what it left running then
	closing sync.Once
	// answered are the ids of the requests that have their reply.
	answered map[int64]bool
}

// line is a line of stdout without its newline.
type line struct {
	text    []byte
	partial bool // stdout ended, or the line became too long, before the newline
}

// event is what came in place of, or as, a line.
type event int

const (
	gotLine event = iota
	silence
	endOfOutput
	interrupted
)

func open(config Config) (*session, error) {
	program, err := config.start()
	if err != nil {
		return nil, err
	}
	s := &session{
		program: program, lines: make(chan line, 1024), input: make(chan []byte, 256), exited: make(chan struct{}), answered: map[int64]bool{},
	}
	var outputs sync.WaitGroup
	outputs.Go(s.read)
	outputs.Go(func() { s.said.drain(program.stderr) })
	go s.write()
	go func() {
		drained := make(chan struct{})
		go func() {
			outputs.Wait()
			close(drained)
		}()
		s.ended = program.wait(drained)
		if program.left != nil {
			s.left = program.left()
		}
		close(s.exited)
	}()
	return s, nil
}

// read hands over lines until stdout ends. Nobody may listen any more: what
// comes after a thousand lines that nobody took waits in the pipe.
func (s *session) read() {
	defer close(s.lines)
	reader := bufio.NewReaderSize(s.program.stdout, 64<<10)
	var text []byte
	for {
		chunk, err := reader.ReadSlice('\n')
		text = append(text, chunk...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(text) <= longestLine:
			continue
		case err == nil:
			s.lines <- line{text: bytes.TrimSuffix(text, []byte("\n"))}
			text = nil
			continue
		case len(text) > 0:
			s.lines <- line{text: text, partial: true}
		}
		return
	}
}

// write has its own goroutine, since a program that never reads blocks it.
func (s *session) write() {
	for data := range s.input {
		if _, err := s.program.stdin.Write(data); err != nil {
			break
		}
	}
	_ = s.program.stdin.Close()
}

// send writes lines in one go.
func (s *session) send(lines ...[]byte) {
	s.input <- append(bytes.Join(lines, []byte("\n")), '\n')
}

func (s *session) closeInput() { s.closing.Do(func() { close(s.input) }) }

// next waits for a line.
func (s *session) next(ctx context.Context, patience time.Duration) (line, event) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got, more := <-s.lines:
		if !more {
			return line{}, endOfOutput
		}
		return got, gotLine
	case <-timer.C:
		return line{}, silence
	case <-ctx.Done():
		return line{}, interrupted
	}
}

// stop ends the program and all it started, and waits until it is gone.
func (s *session) stop() {
	s.program.kill()
	s.closeInput()
	go func() {
		for range s.lines { // the reader may wait for somebody to take a line
		}
	}()
	<-s.exited
}

// finish closes stdin, and returns the lines that came after that until the
// program ended, and whether it ended in time.
func (s *session) finish(ctx context.Context, patience time.Duration) (rest []line, ended bool) {
	defer s.stop()
	s.closeInput()
	deadline := time.Now().Add(patience)
	for {
		got, what := s.next(ctx, time.Until(deadline))
		switch what {
		case gotLine:
			rest = append(rest, got)
			continue
		case endOfOutput:
			select {
			case <-s.exited:
				return rest, true
			case <-time.After(time.Until(deadline)):
			case <-ctx.Done():
			}
		}
		return rest, false
	}
}

// how says how the program ended: "exit status 1". It waits for the end a
// moment, since the end of stdout may come first.
func (s *session) how() string {
	select {
	case <-s.exited:
		return s.ended
	case <-time.After(endGrace / 2):
		return "it closed its stdout and kept running"
	}
}

// stderrTail keeps the end of stderr.
type stderrTail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *stderrTail) drain(from io.Reader) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		t.mu.Lock()
		t.kept = append(t.kept, buffer[:n]...)
		if over := len(t.kept) - stderrKept; over > 0 {
			t.kept = append(t.kept[:0], t.kept[over:]...)
		}
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// last returns the last few lines that are not blank, each cut to a width that
// can be read.
func (t *stderrTail) last() string {
	const most, widest = 12, 160
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for _, text := range strings.Split(string(bytes.ToValidUTF8(t.kept, []byte("\uFFFD"))), "\n") {
		if text = strings.TrimRight(text, " \t\r"); text == "" {
			continue
		}
		if runes := []rune(text); len(runes) > widest {
			text = string(runes[:widest]) + "…"
		}
		lines = append(lines, text)
	}
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}
