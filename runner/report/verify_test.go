package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/normcert/normcert/adapters"
	"github.com/normcert/normcert/internal/version"
	"github.com/normcert/normcert/runner"
	"github.com/normcert/normcert/runner/report"
)

func decoded(t *testing.T, text string) *report.Certificate {
	t.Helper()
	c, err := report.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// moody changes its mind, answers where upstream refuses, and refuses.
func moody() func(adapters.Request, adapters.Answer, error) (adapters.Answer, error) {
	asked := map[string]int{}
	return func(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
		key := fmt.Sprint(request.Op, request.Text, request.Items)
		asked[key]++
		switch {
		case request.Op == adapters.Normalize && request.Text == "the" && asked[key] > 1:
			return adapters.Answer{Text: "the"}, nil
		case err != nil:
			return adapters.Answer{Scores: map[string]float64{"exact_match": 0, "f1": 0}}, nil
		case request.Op == adapters.Score && *request.Items[0].Prediction == "a" && asked[key] > 1:
			answer.Scores["f1"] = 50
		}
		return answer, err
	}
}

// Everything in a certificate follows from the answers that it holds.
func TestRecomputeAgrees(t *testing.T) {
	list := everyReport(t)
	delete(list, "unconfirmed") // marked by hand; the goldens here are confirmed
	one := config(t)
	one.Window = 1
	list["moody"] = certify(t, acme{metrics: map[string]adapters.Support{"squad": full("squad")}, truth: varied(t), change: moody()}, one)
	list["scaled"] = certify(t, acme{metrics: map[string]adapters.Support{"squad": {Answers: []string{"exact_match", "f1"}, Scale: 1}}, truth: varied(t), change: hundredth}, one)
	for name, r := range list {
		c := decoded(t, formatted(t, "json", r))
		if origin, err := c.Origin(config(t), version.Version); err != nil || len(origin) > 0 {
			t.Errorf("%s: origin %v, %v", name, origin, err)
		}
		differences, err := c.Recompute(config(t))
		if err != nil || len(differences) > 0 {
			t.Errorf("%s: %v, %v", name, differences, err)
		}
	}
}

// hundredth has 1 as its top score, and an F1 that is off by a third.
func hundredth(request adapters.Request, answer adapters.Answer, err error) (adapters.Answer, error) {
	for key := range answer.Scores {
		answer.Scores[key] /= 100
		if key == "f1" && answer.Scores[key] == 1 {
			answer.Scores[key] = 1.0 / 3
		}
	}
	return answer, err
}

// own are members that only running the program again can check: its own words
// and its answers.
var own = regexp.MustCompile(`^(adapter\.(language|unicode|wraps|libraries|files)|claims\.\d+\.(results\.\d+\.things\.\d+|texts\.\d+)\.(adapter|detail)|claims\.\d+\.scale|` +
	`baseline\.(file|date|entries\.\d+\.(reason|url|class|line|observed)))`)

// A certificate in which any one thing was changed is refused.
func TestTamperedCertificatesAreRefused(t *testing.T) {
	for name, r := range everyReport(t) {
		if name == "several" || name == "interrupted" {
			continue // the others have every member; this takes a while
		}
		text := formatted(t, "json", r)
		var tree any
		if err := json.Unmarshal([]byte(text), &tree); err != nil {
			t.Fatal(err)
		}
		configuration := config(t)
		leaves(tree, "", func(path string, set func(any), was any) {
			if own.MatchString(path) {
				return
			}
			set(tampered(was))
			defer set(was)
			content, err := json.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			if !refused(content, configuration) {
				t.Errorf("%s: %s can be changed from %v to %v", name, path, was, tampered(was))
			}
		})
	}
}

func refused(content []byte, configuration runner.Config) bool {
	c, err := report.Decode(content)
	if err != nil {
		return true
	}
	if origin, err := c.Origin(configuration, version.Version); err != nil || len(origin) > 0 {
		return true
	}
	differences, err := c.Recompute(configuration)
	return err != nil || len(differences) > 0
}

func tampered(was any) any {
	switch was := was.(type) {
	case string:
		switch was {
		case "same":
			return "different"
		case "conformant":
			return "not conformant"
		case "not conformant":
			return "conformant"
		}
		return was + "x"
	case float64:
		return was + 1
	case bool:
		return !was
	}
	return "x"
}

func leaves(value any, path string, visit func(path string, set func(any), was any)) {
	each := func(key string, child any, set func(any)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		switch child.(type) {
		case map[string]any, []any:
			leaves(child, at, visit)
		default:
			visit(at, set, child)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			each(key, child, func(to any) { value[key] = to })
		}
	case []any:
		for i, child := range value {
			each(fmt.Sprint(i), child, func(to any) { value[i] = to })
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := formatted(t, "json", reports(t)["conformant"])
	for name, text := range map[string]string{
		"nothing":          "",
		"another kind":     `{"kind":"invoice"}`,
		"no claim":         `{"kind":"normcert certificate 1","claims":[]}`,
		"cut short":        good[:len(good)/2],
		"more":             good + "{}",
		"an unknown key":   strings.Replace(good, `"bits"`, `"bitz": 1, "bits"`, 1),
		"a key twice":      strings.Replace(good, `"bits"`, `"bits": true, "bits"`, 1),
		"another spelling": strings.Replace(good, `"bits"`, `"Bits"`, 1),
		"not UTF-8":        strings.Replace(good, "acme-norm", "acme\xffnorm", 1),
	} {
		if _, err := report.Decode([]byte(text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"kind":"normcert certificate 1","claims":[{"claim":"squad@hf-evaluate@a7dd338"}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := report.Decode(content)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := c.Write(&out); err != nil {
			t.Skip() // a NaN in a scale cannot be written
		}
		if _, err := report.Decode(out.Bytes()); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}

func TestCompare(t *testing.T) {
	list := everyReport(t)
	conformant := formatted(t, "json", list["conformant"])
	deviating := formatted(t, "json", list["deviating"])

	same := report.Compare(decoded(t, conformant), decoded(t, conformant))
	if !same.Comparable() || len(same.Claims[0].Changes)+len(same.Claims[0].Checks) > 0 {
		t.Errorf("a certificate and itself: %+v", same)
	}
	worse := report.Compare(decoded(t, conformant), decoded(t, deviating))
	if !worse.Comparable() || len(worse.Claims[0].Checks) != 2 {
		t.Errorf("two adapters over the same checks: %+v", worse)
	}
	for name, other := range map[string]string{
		"corpus":      strings.Replace(deviating, `"corpus": "`, `"corpus": "0`, 1),
		"goldens":     strings.Replace(deviating, `"hf-evaluate@a7dd338": "`, `"hf-evaluate@a7dd338": "0`, 1),
		"mode":        strings.Replace(deviating, `"bits": false`, `"bits": true`, 1),
		"interrupted": strings.Replace(deviating, `"interrupted": false`, `"interrupted": true`, 1),
		"pin":         strings.Replace(deviating, `"claim": "squad@hf-evaluate@a7dd338"`, `"claim": "squad@hf-evaluate@86baf12"`, 1),
		"conditions":  strings.Replace(deviating, `"no-references",`, ``, 1),
		"several":     formatted(t, "json", list["several"]),
	} {
		var out bytes.Buffer
		c := report.Compare(decoded(t, conformant), decoded(t, other))
		if err := c.Text(&out, true); err != nil {
			t.Fatal(err)
		}
		if c.Comparable() || !strings.HasPrefix(out.String(), "not comparable\n") {
			t.Errorf("another %s: %s", name, out.String())
		}
	}
}
