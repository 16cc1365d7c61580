package process

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu    sync.Mutex
	kept  []byte
	total int64
}

// Write never fails: stderr is drained whatever comes.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += int64(len(data))
	t.kept = append(t.kept, data[max(0, len(data)-stderrKept):]...)
	if over := len(t.kept) - stderrKept; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(data), nil
}

// String returns what is kept as valid UTF-8, and says how much is not.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := string(bytes.ToValidUTF8(t.kept, []byte("\uFFFD")))
	if dropped := t.total - int64(len(t.kept)); dropped > 0 {
		return fmt.Sprintf("… (%d bytes before)\n%s", dropped, text)
	}
	return text
}

// brief is the last few lines as one, for a fault.
func (t *tail) brief() string {
	const mostLines, mostBytes = 3, 400
	var lines []string
	for _, line := range strings.Split(t.String(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines[max(0, len(lines)-mostLines):], " | ")
	if cut := len(text) - mostBytes; cut > 0 {
		text = "…" + strings.ToValidUTF8(text[cut:], "")
	}
	return text
}
