package runner

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/normcert/normcert/adapters"
)

// Contender is one of the adapters of a matrix.
type Contender struct {
	// Name is what the matrix calls it; no other has it.
	Name string
	// Command starts it; empty is the built-in reference.
	Command []string
	// Claims are METRIC@UPSTREAM@COMMIT; none stands for what its hello says.
	Claims []string
	// Filter says that it is a filter, which says no hello.
	Filter bool
}

// ParseContenders reads the TOML list of a matrix: [[adapter]] with name,
// command (a list) and, where wanted, claims and filter. The error names the file.
func ParseContenders(name string, content []byte) ([]Contender, error) {
	var file struct {
		Adapter []map[string]any
	}
	meta, err := toml.Decode(string(content), &file)
	if err != nil {
		if where, is := err.(toml.ParseError); is {
			return nil, fmt.Errorf("%s:%d: %s", name, where.Position.Line, where.Message)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, key := range meta.Keys() {
		if key[0] != "adapter" {
			return nil, fmt.Errorf("%s: unknown key %q; it is a list of [[adapter]]", name, key[0])
		}
	}
	var list []Contender
	for i, table := range file.Adapter {
		one, err := contender(table)
		if err == nil && slices.ContainsFunc(list, func(other Contender) bool { return other.Name == one.Name }) {
			err = fmt.Errorf("another is called %q too", one.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: adapter %d: %w", name, i+1, err)
		}
		list = append(list, one)
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("%s: a matrix has at least two adapters, [[adapter]] with name and command", name)
	}
	return list, nil
}

func contender(table map[string]any) (one Contender, err error) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		is := true
		switch key {
		case "name":
			one.Name, is = table[key].(string)
		case "filter":
			one.Filter, is = table[key].(bool)
		case "command":
			one.Command, is = textsOf(table[key])
		case "claims":
			one.Claims, is = textsOf(table[key])
		default:
			return one, fmt.Errorf("unknown key %q; there are name, command, claims, filter", key)
		}
		if !is {
			return one, fmt.Errorf("%s: name is a string, command and claims are lists of strings, filter is true or false", key)
		}
	}
	if one.Name == "" {
		return one, fmt.Errorf("it has no name")
	}
	return one, nil
}

func textsOf(value any) ([]string, bool) {
	list, is := value.([]any)
	var texts []string
	for _, one := range list {
		text, isText := one.(string)
		is = is && isText
		texts = append(texts, text)
	}
	return texts, is
}

// Matrix shows adapters side by side over the same checks.
type Matrix struct {
	Adapters []Contestant
	Claims   []MatrixClaim
	// Pairs are of adapters with an answer to the same thing of a check.
	Pairs []Pair
	// Alike are groups of two and more that agree in everything that they both
	// answer.
	Alike [][]string
	// Splits are the cases that split the adapters, the most first.
	Splits []Split
}

// Contestant is an adapter with its report; Err says why there is none.
type Contestant struct {
	Contender
	Report *Report
	Err    error
}

// MatrixClaim counts over the checks that all who make a claim were asked.
type MatrixClaim struct {
	Claim string
	// Checks are those in common, Things what all of them answer, Answers how
	// many answers that makes, Decided the decisions that all of them made.
	Checks, Answers, Decided int
	Things                   []string
	Upstream                 RightCount
	Rows                     []MatrixRow
}

// MatrixRow is an adapter in a claim.
type MatrixRow struct {
	Adapter string
	Verdict Verdict
	Same    int
	Right   RightCount
}

// Pair says in how many of the answers that both gave two adapters agree.
type Pair struct {
	A, B     string
	Same, Of int
}

// Split is a check's thing to which the adapters give different answers.
type Split struct {
	Claim  string
	Result *Result
	Thing  string
	// Apart counts the pairs of adapters that it tells apart.
	Apart  int
	Groups []SplitGroup
}

// SplitGroup are the adapters with one answer.
type SplitGroup struct {
	Answer   string
	Same     bool // as upstream's
	Adapters []string
}

// NewMatrix compares reports.
func NewMatrix(list []Contestant) *Matrix {
	m := &Matrix{Adapters: list}
	var answers []given
	for _, one := range list {
		answers = append(answers, answersOf(one))
	}
	var names []string
	for _, one := range list {
		if one.Report == nil {
			continue
		}
		for _, claim := range one.Report.Claims {
			if !slices.Contains(names, claim.Name()) {
				names = append(names, claim.Name())
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		m.Claims = append(m.Claims, matrixClaim(name, list))
	}
	m.pairs(list, answers)
	m.splits(list, answers)
	return m
}

// given are the answers of an adapter, by claim, check and thing.
type given map[answerKey]string

type answerKey struct{ claim, id, setup, thing string }

// asUpstream is the answer that is the pin's, whatever that is.
const asUpstream = "as upstream"

func answersOf(one Contestant) given {
	answers := given{}
	if one.Report == nil {
		return answers
	}
	for _, claim := range one.Report.Claims {
		for _, r := range claim.Results {
			for _, thing := range r.Things {
				if thing.Outcome != NotReached {
					answers[answerKey{claim.Name(), r.Case.ID, r.Setup.String(), thing.Name}] = claim.answer(r, thing)
				}
			}
		}
	}
	return answers
}

// answer is what an adapter answered, for people and to compare by.
func (c *ClaimReport) answer(r *Result, t Thing) string {
	switch {
	case t.Outcome == Same:
		return asUpstream
	case t.Outcome.Incomplete() || t.Outcome == Refused:
		return string(t.Outcome)
	case t.Name == adapters.NormalizeAnswer:
		return strings.TrimPrefix(c.observedTexts(r), string(Different)+" ")
	}
	return t.Got.String()
}

func (r *Report) claim(name string) *ClaimReport {
	if r == nil {
		return nil
	}
	at := slices.IndexFunc(r.Claims, func(c *ClaimReport) bool { return c.Name() == name })
	if at < 0 {
		return nil
	}
	return r.Claims[at]
}

func matrixClaim(name string, list []Contestant) MatrixClaim {
	m := MatrixClaim{Claim: name}
	var reports []*ClaimReport
	for _, one := range list {
		if claim := one.Report.claim(name); claim != nil {
			reports = append(reports, claim)
			m.Rows = append(m.Rows, MatrixRow{Adapter: one.Name, Verdict: claim.Verdict})
			answers := claim.Answers()
			if len(reports) == 1 {
				m.Things = answers
			} else {
				m.Things = slices.DeleteFunc(slices.Clone(m.Things), func(thing string) bool { return !slices.Contains(answers, thing) })
			}
		}
	}
	for i := range reports[0].Results {
		m.count(reports, i)
	}
	return m
}

// count adds one check, where all were asked it. The checks of a claim are the
// same in every report of a matrix, in the same order.
func (m *MatrixClaim) count(reports []*ClaimReport, at int) {
	decided := true
	for _, report := range reports {
		if len(report.Results[at].Things) == 0 {
			return
		}
		decided = decided && report.Results[at].Decides()
	}
	m.Checks++
	if decided {
		m.Decided++
		m.Upstream.add(reports[0].Results[at].Upstream)
	}
	for i, report := range reports {
		if decided {
			m.Rows[i].Right.add(report.Results[at].Decision)
		}
		for _, thing := range report.Results[at].Things {
			if thing.Outcome == Same && slices.Contains(m.Things, thing.Name) {
				m.Rows[i].Same++
			}
		}
	}
	for _, name := range m.Things {
		if slices.ContainsFunc(reports, func(c *ClaimReport) bool {
			return slices.ContainsFunc(c.Results[at].Things, func(t Thing) bool { return t.Name == name })
		}) {
			m.Answers++
		}
	}
}

func (m *Matrix) pairs(list []Contestant, answers []given) {
	agree := map[[2]int]bool{}
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			pair := Pair{A: list[i].Name, B: list[j].Name}
			for key, answer := range answers[i] {
				if other, both := answers[j][key]; both {
					pair.Of++
					if answer == other {
						pair.Same++
					}
				}
			}
			if pair.Of == 0 {
				continue
			}
			m.Pairs = append(m.Pairs, pair)
			agree[[2]int{i, j}] = pair.Same == pair.Of
		}
	}
	m.groups(list, agree)
}

// groups puts each adapter to the first group with all of which it agrees; two
// that answered nothing in common do not.
func (m *Matrix) groups(list []Contestant, agree map[[2]int]bool) {
	var groups [][]int
	for j := range list {
		at := slices.IndexFunc(groups, func(group []int) bool {
			return !slices.ContainsFunc(group, func(i int) bool { return !agree[[2]int{i, j}] })
		})
		if at < 0 {
			groups = append(groups, []int{j})
		} else {
			groups[at] = append(groups[at], j)
		}
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		names := make([]string, len(group))
		for i, j := range group {
			names[i] = list[j].Name
		}
		m.Alike = append(m.Alike, names)
	}
}

// splits keeps of each case the thing that tells most pairs apart.
func (m *Matrix) splits(list []Contestant, answers []given) {
	best := map[string]Split{}
	var order []string
	for _, claim := range m.Claims {
		var results []*Result
		for _, one := range list {
			if c := one.Report.claim(claim.Claim); c != nil {
				results = c.Results
				break
			}
		}
		for _, r := range results {
			for _, thing := range thingsOf(list, claim.Claim) {
				split := splitOf(list, answers, answerKey{claim.Claim, r.Case.ID, r.Setup.String(), thing})
				if split.Apart == 0 {
					continue
				}
				split.Result = r
				was, there := best[r.Case.ID]
				if !there {
					order = append(order, r.Case.ID)
				}
				if !there || split.Apart > was.Apart {
					best[r.Case.ID] = split
				}
			}
		}
	}
	for _, id := range order {
		m.Splits = append(m.Splits, best[id])
	}
	slices.SortStableFunc(m.Splits, func(a, b Split) int { return cmp.Compare(b.Apart, a.Apart) })
}

// thingsOf are what any adapter answers for a claim, the scores first: they are
// what is told apart by whoever reads a score.
func thingsOf(list []Contestant, name string) []string {
	var things []string
	for _, one := range list {
		if claim := one.Report.claim(name); claim != nil {
			for _, thing := range claim.Answers() {
				if !slices.Contains(things, thing) {
					things = append(things, thing)
				}
			}
		}
	}
	slices.SortStableFunc(things, func(a, b string) int {
		last := func(s string) int {
			if s == adapters.NormalizeAnswer {
				return 1
			}
			return 0
		}
		return last(a) - last(b)
	})
	return things
}

func splitOf(list []Contestant, answers []given, key answerKey) Split {
	split := Split{Claim: key.claim, Thing: key.thing}
	total := 0
	for i, one := range list {
		answer, there := answers[i][key]
		if !there {
			continue
		}
		total++
		at := slices.IndexFunc(split.Groups, func(g SplitGroup) bool { return g.Answer == answer })
		if at < 0 {
			at = len(split.Groups)
			split.Groups = append(split.Groups, SplitGroup{Answer: answer, Same: answer == asUpstream})
		}
		split.Groups[at].Adapters = append(split.Groups[at].Adapters, one.Name)
	}
	split.Apart = total * (total - 1) / 2
	for _, group := range split.Groups {
		split.Apart -= len(group.Adapters) * (len(group.Adapters) - 1) / 2
	}
	return split
}
