package rust_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/normcert/normcert/internal/helpertest"
)

// build compiles a program that lies next to a copy of the helper.
func build(t *testing.T, program string) []string {
	t.Helper()
	compiler, err := exec.LookPath("rustc")
	if err == nil {
		err = exec.Command(compiler, "--version").Run()
	}
	if err != nil {
		// CI installs no Rust: it runs this where the toolchain is there.
		t.Skip("this test needs Rust 1.70 or newer as rustc on PATH; see https://rustup.rs")
	}
	folder := t.TempDir()
	helper, err := os.ReadFile("adapter.rs")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"adapter.rs": string(helper), "mine.rs": program} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.Command(compiler, "--edition", "2021", "-D", "warnings", "-o", "mine.exe", "mine.rs")
	compile.Dir = folder
	if output, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return []string{filepath.Join(folder, "mine.exe")}
}

func TestHelper(t *testing.T) {
	helpertest.Promises(t, build(t, `mod adapter;
use adapter::{About, Adapter, Item, Metric, No, Options, Scores};

struct Mine;

impl Adapter for Mine {
    fn about(&self) -> About {
        let squad = Metric { name: "squad", answers: &["normalize", "exact_match"], ..Metric::default() };
        About { name: "mine", version: "3", metrics: vec![squad], ..About::default() }
    }

    fn normalize(&mut self, _metric: &str, _options: &Options, text: &str) -> Result<String, No> {
        Ok(format!("{text}\u{2028}\u{1F680}"))
    }

    fn score(&mut self, _metric: &str, _options: &Options, items: &[Item]) -> Result<Scores, No> {
        println!("a print of the scorer's own");
        let score = match items[0].prediction.as_deref() {
            None => 0.2,
            Some("refuse") => return Err(No::Refused { kind: "no_references", message: "because".into() }),
            Some("refuse without a kind") => return Err(No::Refused { kind: "", message: String::new() }),
            Some("no") => return Err(No::Unsupported("not that one".into())),
            Some("crash") => panic!("deliberate"),
            Some("nan") => f64::NAN,
            Some("infinite") => f64::INFINITY,
            _ => 0.1,
        };
        Ok(vec![("exact_match", score)])
    }
}

fn main() {
    adapter::serve(Mine);
}
`))
}

func TestSquadIsConformant(t *testing.T) {
	program, err := os.ReadFile("squad.rs")
	if err != nil {
		t.Fatal(err)
	}
	helpertest.Certify(t, build(t, string(program)))
}
