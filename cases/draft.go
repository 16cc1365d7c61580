package cases

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/normcert/normcert/metric"
)

// Draft is a new case with a single item, as somebody tells it.
type Draft struct {
	Hazard string
	// About is what a new hazard's trap is; empty for a hazard that is there.
	About string
	ID    string
	// Prediction is nil for a question without one.
	Prediction           *string
	References           []string
	Intent               Intent
	NoAnswerProbability  float64
	Setups               []metric.Setup // none for those of the file
	Why, Purpose, Source string
}

// AddTo returns the content of the draft's file with the case at its end, in
// canonical form, and the case. The file is made where it is not there; then it
// takes About, and its setups are the draft's. The error is one of Parse where
// the case is not right.
func (d Draft) AddTo(files fs.FS) (content []byte, added Case, err error) {
	if !kebab.MatchString(d.Hazard) {
		return nil, Case{}, fmt.Errorf("hazard %s is not lower case with hyphens", quote(d.Hazard))
	}
	name := d.Hazard + ".toml"
	before, err := fs.ReadFile(files, name)
	isNew := err != nil
	if isNew {
		if d.About == "" || len(d.Setups) == 0 {
			return nil, Case{}, fmt.Errorf("there is no hazard %s; a new one takes what its trap is about, and setups", d.Hazard)
		}
		before = fmt.Appendf(nil, "about = %s\nsetups = %s\n", basicString(d.About), setupsText(d.Setups))
		d.Setups = nil
	} else if d.About != "" {
		return nil, Case{}, fmt.Errorf("hazard %s is there, and says itself what it is about", d.Hazard)
	}
	if !isNew {
		hazard, err := Parse(name, before)
		if err != nil {
			return nil, Case{}, err
		}
		if slices.Equal(names(d.Setups), defaults(hazard, before)) {
			d.Setups = nil
		}
	}
	content, err = Format(name, append(before, d.text()...))
	if err != nil {
		return nil, Case{}, err
	}
	hazard, err := Parse(name, content)
	if err != nil {
		return nil, Case{}, err
	}
	return content, hazard.Cases[len(hazard.Cases)-1], nil
}

func names(setups []metric.Setup) []string {
	list := make([]string, len(setups))
	for i, setup := range setups {
		list[i] = setup.String()
	}
	return list
}

// defaults are the setups at the head of a file.
func defaults(hazard Hazard, content []byte) []string {
	p := &parser{file: hazard.Name}
	head := split(string(content))[0]
	return names(p.setups(head, p.decode(head), ""))
}

// text is the case as TOML, in any form.
func (d Draft) text() string {
	var out strings.Builder
	line := func(key, value string) { fmt.Fprintf(&out, "%s = %s\n", key, value) }
	out.WriteString("\n[[case]]\n")
	line("id", basicString(d.ID))
	if d.Prediction != nil {
		line("prediction", basicString(*d.Prediction))
	}
	line("references", stringsText(d.References))
	line("intent", basicString(string(d.Intent)))
	if d.NoAnswerProbability != 0 {
		line("no_answer_probability", number(fmt.Sprintf("%v", d.NoAnswerProbability)))
	}
	if len(d.Setups) > 0 {
		line("setups", setupsText(d.Setups))
	}
	line("why", basicString(d.Why))
	if d.Purpose != "" {
		line("purpose", basicString(d.Purpose))
	}
	if d.Source != "" {
		line("source", basicString(d.Source))
	}
	return out.String()
}

func stringsText(list []string) string {
	parts := make([]string, len(list))
	for i, text := range list {
		parts[i] = basicString(text)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func setupsText(setups []metric.Setup) string {
	parts := make([]string, len(setups))
	for i, setup := range setups {
		parts[i] = "{ metric = " + basicString(setup.Metric)
		if len(setup.Options) > 0 {
			parts[i] += ", options = " + optionsText(setup.Options)
		}
		parts[i] += " }"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func optionsText(options metric.Options) string {
	var parts []string
	for name, value := range options {
		text := ""
		switch value := value.(type) {
		case string:
			text = basicString(value)
		case []string:
			text = stringsText(value)
		case float64:
			text = number(fmt.Sprintf("%v", value))
		default:
			text = fmt.Sprint(value)
		}
		parts = append(parts, name+" = "+text)
	}
	slices.Sort(parts)
	return "{ " + strings.Join(parts, ", ") + " }"
}
