package runner_test

import (
	"strings"
	"testing"

	"github.com/normcert/normcert/runner"
)

const entry = `[[known]]
case     = "article-glue/hyphen"
setup    = "squad"
pin      = "hf-evaluate@a7dd338"
class    = "bug"
observed = { f1 = "different 0" }
reason   = ""
`

func TestParseBaseline(t *testing.T) {
	b, err := runner.ParseBaseline("known.toml", []byte("# Ours.\n\n"+entry+"url = \"https://example.org/1\"\nuntil = 2031-02-28\n"))
	if err != nil {
		t.Fatal(err)
	}
	k := b.Entries[0]
	if k.Case != "article-glue/hyphen" || k.Class != runner.Bug || k.Observed["f1"] != "different 0" || k.Until != "2031-02-28" || k.Line != 3 {
		t.Errorf("read as %+v", k)
	}
	again, err := runner.ParseBaseline("known.toml", []byte(k.String()))
	if err != nil || again.Entries[0].String() != k.String() {
		t.Errorf("written as %s, %v", k, err)
	}
}

func TestParseBaselineRefuses(t *testing.T) {
	for name, one := range map[string]struct{ content, want string }{
		"no TOML":           {"x = \n[[known]]\n", "known.toml:1: "},
		"another table":     {"[[case]]\n", `unknown key "case"`},
		"another list form": {"known = [{}]\n", "write each entry as a table of its own"},
		"an unknown key":    {"\n" + strings.Replace(entry, "reason", "why", 1), `known.toml:2: unknown key "why"`},
		"another spelling":  {strings.Replace(entry, "case ", "Case ", 1), `unknown key "Case"`},
		"no class":          {strings.Replace(entry, `"bug"`, `""`, 1), "class is"},
		"another class":     {strings.Replace(entry, `"bug"`, `"feature"`, 1), `class is "feature"; it is bug or wontfix`},
		"no case":           {strings.Replace(entry, `"article-glue/hyphen"`, `""`, 1), "an entry has case, setup and pin"},
		"nothing observed":  {strings.Replace(entry, `{ f1 = "different 0" }`, `{ }`, 1), "an entry has observed"},
		"observed numbers":  {strings.Replace(entry, `"different 0"`, `0`, 1), "observed is a table of strings"},
		"no day":            {entry + "until = \"soon\"\n", "until is a day"},
		"a number":          {strings.Replace(entry, `reason   = ""`, "reason = 1", 1), "reason is a string"},
		"the same twice":    {entry + "\n" + entry, "known.toml:9: the entry of line 1 is of the same check"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := runner.ParseBaseline("known.toml", []byte(one.content)); err == nil || !strings.Contains(err.Error(), one.want) {
				t.Errorf("got %v, want %q in it", err, one.want)
			}
		})
	}
}

func FuzzParseBaseline(f *testing.F) {
	f.Add([]byte("# Ours.\n" + entry))
	f.Add([]byte("[[known]]\r\ncase = '''\n[[known]]\n'''\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		b, err := runner.ParseBaseline("known.toml", content)
		if err != nil {
			return
		}
		for _, k := range b.Entries {
			again, err := runner.ParseBaseline("again.toml", []byte(k.String()))
			if err != nil || again.Entries[0].String() != k.String() {
				t.Fatalf("%q cannot be read back: %v", k.String(), err)
			}
		}
	})
}
