package cases_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/normcert/normcert/cases"
)

func loadAll(t *testing.T, files fstest.MapFS) (cases.Corpus, cases.Sets) {
	t.Helper()
	corpus, err := cases.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := cases.LoadSets(files)
	if err != nil {
		t.Fatal(err)
	}
	return corpus, sets
}

// frozen is a corpus of two cases with the set 1.0 of it.
func frozen(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{"trap.toml": {Data: []byte(head + named("one") + named("two"))}}
	corpus, _ := loadAll(t, files)
	set, err := corpus.Freeze("1.0")
	if err != nil {
		t.Fatal(err)
	}
	files["sets/1.0.set"] = &fstest.MapFile{Data: set.Encode()}
	return files
}

func edit(files fstest.MapFS, old, new string) {
	text := string(files["trap.toml"].Data)
	files["trap.toml"] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
}

func problemsOf(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	corpus, sets := loadAll(t, files)
	var text []string
	for _, problem := range sets.Check(corpus) {
		text = append(text, problem.Error())
	}
	return strings.Join(text, "\n")
}

func TestSetReadsBack(t *testing.T) {
	files := frozen(t)
	corpus, sets := loadAll(t, files)
	want, err := corpus.Freeze("1.0")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]cases.Set{want}, sets.List); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if want.Cases() != 2 || len(want.Entries) != 2 {
		t.Errorf("%d entries of %d cases", len(want.Entries), want.Cases())
	}
}

// What may happen to a corpus without a set being hurt, and what may not.
func TestSetsHold(t *testing.T) {
	retire := func(files fstest.MapFS, text string) {
		files["sets/retired.toml"] = &fstest.MapFile{Data: []byte(text)}
	}
	tests := []struct {
		shows  string
		change func(files fstest.MapFS)
		want   string // "" holds
	}{
		{"nothing", func(fstest.MapFS) {}, ""},
		{"a case more", func(f fstest.MapFS) { edit(f, named("two"), named("two")+named("three")) }, ""},
		{"a setup more", func(f fstest.MapFS) { edit(f, `{ metric = "squad" }`, `{ metric = "squad" }, { metric = "squad_v2" }`) }, ""},
		{"another reason", func(f fstest.MapFS) { edit(f, "why", "# reworded\nwhy") }, ""},
		{"another intent", func(f fstest.MapFS) { edit(f, `"no-match"`, `"match"`) }, "trap/one: it is frozen in set 1.0 under squad and was changed"},
		{"another prediction", func(f fstest.MapFS) { edit(f, `"a"`, `"an"`) }, "trap/one: it is frozen"},
		{"a case less", func(f fstest.MapFS) { edit(f, named("two"), "") }, "trap/two: set 1.0 has it under squad, the corpus does not"},
		{"a setup less", func(f fstest.MapFS) { edit(f, `"squad"`, `"squad_v2"`) }, "trap/one: set 1.0 has it under squad"},
		{"a case that is retired", func(f fstest.MapFS) {
			edit(f, named("two"), "")
			retire(f, "[[retired]]\ncase = \"trap/two\"\nreplaced_by = \"trap/one\"\nwhy = \"The intent was wrong.\"\n")
		}, ""},
		{"a retired case that is back", func(f fstest.MapFS) { retire(f, "[[retired]]\ncase = \"trap/two\"\nwhy = \"w\"\n") }, "trap/two: it is retired, and the corpus has it"},
		{"a replacement that is not there", func(f fstest.MapFS) {
			edit(f, named("two"), "")
			retire(f, "[[retired]]\ncase = \"trap/two\"\nreplaced_by = \"trap/x\"\nwhy = \"w\"\n")
		}, `trap/two: replaced_by is "trap/x"`},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			files := frozen(t)
			test.change(files)
			got := problemsOf(t, files)
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("problems: %q, want %q", got, test.want)
			}
		})
	}
}

// A corpus that grows scores what it scored, and names the rest.
func TestRestrict(t *testing.T) {
	files := frozen(t)
	edit(files, `{ metric = "squad" }`, `{ metric = "squad" }, { metric = "squad_v2" }`)
	edit(files, named("two"), named("new"))
	files["sets/retired.toml"] = &fstest.MapFile{Data: []byte("[[retired]]\ncase = \"trap/two\"\nreplaced_by = \"trap/new\"\nwhy = \"w\"\n")}
	corpus, sets := loadAll(t, files)
	kept, outside, problems := sets.List[0].Restrict(corpus, sets)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var ids []string
	for one := range kept.Cases {
		for _, setup := range one.Setups {
			ids = append(ids, one.ID+" "+setup.String())
		}
	}
	if want := []string{"trap/one squad"}; !slices.Equal(ids, want) {
		t.Errorf("in the set: %q, want %q", ids, want)
	}
	want := cases.Outside{NotInSet: []string{"trap/one (1 of its 2 setups)", "trap/new"}, Checks: 3, Retired: []string{"trap/two"}}
	if diff := cmp.Diff(want, outside); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestParseSetRefuses(t *testing.T) {
	digest := strings.Repeat("0", 32)
	tests := []struct{ shows, content, want string }{
		{"no setup", digest + " trap/one\n", "x.set:1: it is not DIGEST CASE SETUP"},
		{"no digest", "trap/one squad\n", "x.set:1: it is not DIGEST"},
		{"another spelling", digest + " trap/one exact_match{ignore_case=false}\n", "x.set:1: setup exact_match{ignore_case=false} is written exact_match"},
		{"an unknown metric", "# head\n" + digest + " trap/one bleu\n", "x.set:2: unknown metric"},
		{"out of order", digest + " trap/two squad\n" + digest + " trap/one squad\n", "x.set:2: out of order"},
		{"twice", digest + " trap/two squad\n" + digest + " trap/two squad\n", "x.set:2: out of order or there twice"},
	}
	for _, test := range tests {
		t.Run(test.shows, func(t *testing.T) {
			if _, err := cases.ParseSet("sets/x.set", []byte(test.content)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestFreezeRefusesOddNames(t *testing.T) {
	corpus, _ := loadAll(t, frozen(t))
	for _, name := range []string{"", "../x", "1 0", ".1", "A"} {
		if _, err := corpus.Freeze(name); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
}
