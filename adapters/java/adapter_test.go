package java_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/normcert/normcert/internal/helpertest"
)

// java returns the paths of java and javac, 17 or newer.
func java(t *testing.T) (runtime, compiler string) {
	t.Helper()
	runtime, err := exec.LookPath("java")
	if err == nil {
		compiler, err = exec.LookPath("javac")
	}
	if err == nil {
		var version []byte
		if version, err = exec.Command(compiler, "-version").CombinedOutput(); err == nil {
			found := regexp.MustCompile(`javac (\d+)`).FindSubmatch(version)
			if found != nil {
				if major, _ := strconv.Atoi(string(found[1])); major >= 17 {
					return runtime, compiler
				}
			}
		}
	}
	// CI installs no Java: it runs this where the toolchain is there.
	t.Skip("this test needs java and javac 17 or newer on PATH; see https://adoptium.net")
	return "", ""
}

// build compiles the class of a program that lies next to a copy of the helper.
func build(t *testing.T, class, program string) []string {
	t.Helper()
	runtime, compiler := java(t)
	folder := t.TempDir()
	helper, err := os.ReadFile("Adapter.java")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"Adapter.java": string(helper), class + ".java": program} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.Command(compiler, "--release", "17", "-Xlint:all", "-Werror", "-d", "out", "Adapter.java", class+".java")
	compile.Dir = folder
	if output, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return []string{runtime, "-cp", filepath.Join(folder, "out"), class}
}

func TestHelper(t *testing.T) {
	helpertest.Promises(t, build(t, "Mine", `
import java.util.List;
import java.util.Map;

public class Mine {
    public static void main(String[] args) throws Exception {
        new Adapter("mine", "3")
            .metric("squad", new Adapter.Metric(List.of("normalize", "exact_match")))
            .normalize((metric, options, text) -> text + "\u2028" + Character.toString(0x1f680))
            .score((metric, options, items) -> score(items.get(0).prediction()))
            .serve();
    }

    static Map<String, Double> score(String prediction) throws Exception {
        System.out.println("a print of the scorer's own");
        if (prediction == null) {
            return Map.of("exact_match", 0.2);
        }
        return Map.of("exact_match", switch (prediction) {
            case "refuse" -> throw new Adapter.Refused("no_references", "because");
            case "refuse without a kind" -> throw new Adapter.Refused(null, null);
            case "no" -> throw new Adapter.Unsupported("not that one");
            case "crash" -> throw new java.io.IOException("deliberate");
            case "nan" -> Double.NaN;
            case "infinite" -> Double.POSITIVE_INFINITY;
            default -> 0.1;
        });
    }
}
`))
}

func TestSquadIsConformant(t *testing.T) {
	program, err := os.ReadFile("Squad.java")
	if err != nil {
		t.Fatal(err)
	}
	helpertest.Certify(t, build(t, "Squad", string(program)))
}
