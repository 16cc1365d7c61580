//! An example: SQuAD's exact match and F1, equal to upstream in everything.
//!
//!     rustc --edition 2021 -O squad.rs && normcert certify -- ./squad
//!
//! Upstream runs on CPython, so its lower case, spaces and word characters are
//! Python's. Which characters are letters is the Rust toolchain's Unicode version
//! here; it differs from Python's for characters that one of them does not know yet.

mod adapter;

use adapter::{About, Adapter, Item, Metric, No, Options, Scores};
use std::collections::HashMap;

struct Squad;

impl Adapter for Squad {
    fn about(&self) -> About {
        let squad = Metric {
            name: "squad",
            answers: &["normalize", "exact_match", "f1"],
            handles: &["batch", "unanswered", "repeated-id", "no-references"],
            scale: Some(100),
            ..Metric::default()
        };
        About { name: "squad-rust", version: "1", metrics: vec![squad], ..About::default() }
    }

    fn normalize(&mut self, _metric: &str, _options: &Options, text: &str) -> Result<String, No> {
        Ok(normalize(text))
    }

    /// The mean over the items. Of several predictions with one id the last counts.
    fn score(&mut self, _metric: &str, _options: &Options, items: &[Item]) -> Result<Scores, No> {
        if items.is_empty() {
            return Err(No::Refused { kind: "empty_input", message: "there is nothing to take a mean of".into() });
        }
        let answers: HashMap<&str, &str> =
            items.iter().filter_map(|item| Some((item.id.as_str(), item.prediction.as_deref()?))).collect();
        let (mut exact, mut f1) = (0.0, 0.0);
        for item in items {
            let Some(prediction) = answers.get(item.id.as_str()) else { continue };
            if item.references.is_empty() {
                return Err(No::Refused {
                    kind: "no_references",
                    message: "the best of no references is not defined".into(),
                });
            }
            let prediction = normalize(prediction);
            let references: Vec<String> = item.references.iter().map(|text| normalize(text)).collect();
            if references.contains(&prediction) {
                exact += 1.0;
            }
            f1 += references.iter().map(|reference| token_f1(&prediction, reference)).fold(0.0, f64::max);
        }
        let n = items.len() as f64;
        Ok(vec![("exact_match", 100.0 * exact / n), ("f1", 100.0 * f1 / n)])
    }
}

fn main() {
    adapter::serve(Squad);
}

/// Takes away case, ASCII punctuation, articles and odd spaces, in that order.
fn normalize(text: &str) -> String {
    // Rust lowers as Python does, the sigma at the end of a word included.
    let mut bare = text.to_lowercase();
    bare.retain(|c| !c.is_ascii_punctuation());
    let blanked = blank_articles(&bare);
    blanked.split(is_space).filter(|token| !token.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Puts a space in the place of each run of word characters that is an article.
fn blank_articles(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        out.push_str(if matches!(word, "a" | "an" | "the") { " " } else { word });
        let (between, next) = after.split_at(after.find(is_word).unwrap_or(after.len()));
        out.push_str(between);
        rest = next;
    }
    out
}

/// Is 0 where no token is shared, also where there is none at all.
fn token_f1(left: &str, right: &str) -> f64 {
    let prediction: Vec<&str> = left.split(' ').filter(|token| !token.is_empty()).collect();
    let reference: Vec<&str> = right.split(' ').filter(|token| !token.is_empty()).collect();
    let mut rest = reference.clone();
    let mut shared = 0.0;
    for token in &prediction {
        if let Some(at) = rest.iter().position(|other| other == token) {
            rest.swap_remove(at);
            shared += 1.0;
        }
    }
    if shared == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (shared / prediction.len() as f64, shared / reference.len() as f64);
    2.0 * precision * recall / (precision + recall)
}

/// What str.split() splits at: char::is_whitespace lacks U+001C to U+001F.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// The \w of a str. char::is_alphanumeric takes some marks and circled letters too.
fn is_word(c: char) -> bool {
    // The last range that begins at c or before is the only one that can hold it.
    let behind = NOT_ALNUM.partition_point(|&(first, _)| first <= c as u32);
    let excluded = behind > 0 && c as u32 <= NOT_ALNUM[behind - 1].1;
    c == '_' || c.is_alphanumeric() && !excluded
}

/// What Unicode calls alphabetic and str.isalnum() is false for, as ranges in
/// which nothing is that it is true for: Unicode 14.0.0, made with CPython 3.11.
#[rustfmt::skip]
const NOT_ALNUM: &[(u32, u32)] = &[
    (0x345, 0x36f), (0x5b0, 0x5c7), (0x610, 0x61a), (0x64b, 0x65f), (0x670, 0x670), (0x6d6, 0x6e4), (0x6e7,
    0x6ed), (0x711, 0x711), (0x730, 0x73f), (0x7a6, 0x7b0), (0x816, 0x817), (0x81b, 0x823), (0x825, 0x827),
    (0x829, 0x82c), (0x8d4, 0x903), (0x93a, 0x93b), (0x93e, 0x94f), (0x955, 0x957), (0x962, 0x963), (0x981,
    0x983), (0x9be, 0x9cc), (0x9d7, 0x9d7), (0x9e2, 0x9e3), (0xa01, 0xa03), (0xa3e, 0xa51), (0xa70, 0xa71),
    (0xa75, 0xa83), (0xabe, 0xacc), (0xae2, 0xae3), (0xafa, 0xb03), (0xb3e, 0xb57), (0xb62, 0xb63), (0xb82,
    0xb82), (0xbbe, 0xbcc), (0xbd7, 0xbd7), (0xc00, 0xc04), (0xc3e, 0xc56), (0xc62, 0xc63), (0xc81, 0xc83),
    (0xcbe, 0xcd6), (0xce2, 0xce3), (0xd00, 0xd03), (0xd3e, 0xd4c), (0xd57, 0xd57), (0xd62, 0xd63), (0xd81,
    0xd83), (0xdcf, 0xddf), (0xdf2, 0xdf3), (0xe31, 0xe31), (0xe34, 0xe3a), (0xe4d, 0xe4d), (0xeb1, 0xeb1),
    (0xeb4, 0xebc), (0xecd, 0xecd), (0xf71, 0xf83), (0xf8d, 0xfbc), (0x102b, 0x103e), (0x1056, 0x1059), (0x105e,
    0x1060), (0x1062, 0x1064), (0x1067, 0x106d), (0x1071, 0x1074), (0x1082, 0x108d), (0x108f, 0x108f), (0x109a,
    0x109d), (0x1712, 0x1713), (0x1732, 0x1733), (0x1752, 0x1753), (0x1772, 0x1773), (0x17b6, 0x17c8), (0x1885,
    0x1886), (0x18a9, 0x18a9), (0x1920, 0x1938), (0x1a17, 0x1a1b), (0x1a55, 0x1a74), (0x1abf, 0x1b04), (0x1b35,
    0x1b43), (0x1b80, 0x1b82), (0x1ba1, 0x1bad), (0x1be7, 0x1bf1), (0x1c24, 0x1c36), (0x1dd3, 0x1df4), (0x24b6,
    0x24e9), (0x2de0, 0x2dff), (0xa674, 0xa67b), (0xa69e, 0xa69f), (0xa802, 0xa802), (0xa80b, 0xa80b), (0xa823,
    0xa827), (0xa880, 0xa881), (0xa8b4, 0xa8c5), (0xa8ff, 0xa8ff), (0xa926, 0xa92a), (0xa947, 0xa952), (0xa980,
    0xa983), (0xa9b4, 0xa9bf), (0xa9e5, 0xa9e5), (0xaa29, 0xaa36), (0xaa43, 0xaa43), (0xaa4c, 0xaa4d), (0xaa7b,
    0xaa7d), (0xaab0, 0xaab0), (0xaab2, 0xaab4), (0xaab7, 0xaab8), (0xaabe, 0xaabe), (0xaaeb, 0xaaef), (0xaaf5,
    0xaaf5), (0xabe3, 0xabea), (0xfb1e, 0xfb1e), (0x10376, 0x1037a), (0x10a01, 0x10a0f), (0x10d24, 0x10d27),
    (0x10eab, 0x10eac), (0x11000, 0x11002), (0x11038, 0x11045), (0x11073, 0x11074), (0x11080, 0x11082), (0x110b0,
    0x110c2), (0x11100, 0x11102), (0x11127, 0x11132), (0x11145, 0x11146), (0x11180, 0x11182), (0x111b3, 0x111bf),
    (0x111ce, 0x111cf), (0x1122c, 0x1123e), (0x112df, 0x112e8), (0x11300, 0x11303), (0x1133e, 0x1134c), (0x11357,
    0x11357), (0x11362, 0x11363), (0x11435, 0x11445), (0x114b0, 0x114c1), (0x115af, 0x115be), (0x115dc, 0x115dd),
    (0x11630, 0x11640), (0x116ab, 0x116b5), (0x1171d, 0x1172a), (0x1182c, 0x11838), (0x11930, 0x1193c), (0x11940,
    0x11940), (0x11942, 0x11942), (0x119d1, 0x119df), (0x119e4, 0x119e4), (0x11a01, 0x11a0a), (0x11a35, 0x11a39),
    (0x11a3b, 0x11a3e), (0x11a51, 0x11a5b), (0x11a8a, 0x11a97), (0x11c2f, 0x11c3e), (0x11c92, 0x11cb6), (0x11d31,
    0x11d43), (0x11d47, 0x11d47), (0x11d8a, 0x11d96), (0x11ef3, 0x11ef6), (0x16f4f, 0x16f4f), (0x16f51, 0x16f92),
    (0x16ff0, 0x16ff1), (0x1bc9e, 0x1bc9e), (0x1e000, 0x1e02a), (0x1e947, 0x1e947), (0x1f130, 0x1f189),
];
