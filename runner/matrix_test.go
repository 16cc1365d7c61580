package runner_test

import (
	"strings"
	"testing"

	"github.com/normcert/normcert/runner"
)

func TestParseContenders(t *testing.T) {
	list, err := runner.ParseContenders("a.toml", []byte(`
[[adapter]]
name = "reference"
[[adapter]]
name    = "ours"
command = ["python3", "our file.py"]
claims  = ["squad@hf-evaluate@a7dd338"]
filter  = true
`))
	if err != nil || len(list) != 2 || list[0].Command != nil || list[1].Command[1] != "our file.py" || !list[1].Filter || len(list[1].Claims) != 1 {
		t.Errorf("read as %+v, %v", list, err)
	}
	const two = "[[adapter]]\nname = 'a'\n[[adapter]]\nname = 'b'\n"
	for name, one := range map[string]struct{ content, want string }{
		"no TOML":        {"x = \n[[adapter]]\n", "a.toml:1: "},
		"nothing":        {"", "at least two"},
		"one":            {"[[adapter]]\nname = 'a'\n", "at least two"},
		"no name":        {two + "[[adapter]]\n", "adapter 3: it has no name"},
		"a name twice":   {two + "[[adapter]]\nname = 'a'\n", `another is called "a" too`},
		"an unknown key": {two + "comand = ['x']\n", `adapter 2: unknown key "comand"`},
		"another table":  {two + "[[other]]\n", `unknown key "other"`},
		"a shell line":   {two + "command = 'python3 x.py'\n", "command: "},
	} {
		if _, err := runner.ParseContenders("a.toml", []byte(one.content)); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, one.want)
		}
	}
}
