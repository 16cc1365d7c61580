package cases

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/normcert/normcert/metric"
)

// Digest identifies what is judged: ids, setups, items and intents. Rewording
// about, why or source does not change it.
func (c Corpus) Digest() string {
	sum := sha256.New()
	for one := range c.Cases {
		for _, setup := range one.Setups {
			one.digest(sum, setup, true)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Inputs identifies what is put to a pin: ids, setups and items, without the
// intents, for the setups whose metric the pin covers.
func (h Hazard) Inputs(covers func(metric string) bool) string {
	sum := sha256.New()
	for _, one := range h.Cases {
		for _, setup := range one.Setups {
			if covers(setup.Metric) {
				one.digest(sum, setup, false)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (c Case) digest(out io.Writer, setup metric.Setup, intents bool) {
	type item struct {
		ID                  string   `json:"id"`
		Prediction          *string  `json:"prediction"`
		References          []string `json:"references"`
		NoAnswerProbability float64  `json:"no_answer_probability"`
		Intent              Intent   `json:"intent,omitempty"`
	}
	items := make([]item, len(c.Items))
	for i, one := range c.Items {
		items[i] = item{ID: one.ID, Prediction: one.Prediction, References: one.References, NoAnswerProbability: one.NoAnswerProbability}
		if intents {
			items[i].Intent = one.Intent
		}
	}
	fmt.Fprintf(out, "%s %s %s\n", c.ID, setup, metric.ASCIIJSON(items))
}
