//! Write a normcert adapter in Rust: copy this file next to your own.
//!
//! ```ignore
//! mod adapter;
//! use adapter::{Adapter, About, Metric, No, Options};
//!
//! struct Acme;
//!
//! impl Adapter for Acme {
//!     fn about(&self) -> About {
//!         let squad = Metric { name: "squad", answers: &["normalize"], ..Metric::default() };
//!         About { name: "acme-norm", version: "2.1.0", metrics: vec![squad], ..About::default() }
//!     }
//!
//!     fn normalize(&mut self, _metric: &str, _options: &Options, text: &str) -> Result<String, No> {
//!         Ok(acme::normalize(text)) // yours
//!     }
//! }
//!
//! fn main() {
//!     adapter::serve(Acme);
//! }
//! ```
//!
//!     rustc --edition 2021 -O my_adapter.rs && normcert certify -- ./my_adapter
//!
//! It speaks the protocol of adapters/PROTOCOL.md: stdin and stdout are its own,
//! and what you print goes to stderr. Rust 1.70 or newer, no crates.

#![allow(dead_code)] // nobody needs all of it

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, Write};

/// What you fill in: `about`, and of the others what it names.
pub trait Adapter {
    /// Says who you are and what you answer.
    fn about(&self) -> About;

    /// Returns the normalized text.
    fn normalize(&mut self, _metric: &str, _options: &Options, _text: &str) -> Result<String, No> {
        Err(No::Unsupported("no normalize".into()))
    }

    /// Returns the scores of the items as one batch, by name.
    fn score(&mut self, _metric: &str, _options: &Options, _items: &[Item]) -> Result<Scores, No> {
        Err(No::Unsupported("no score".into()))
    }
}

pub type Scores = Vec<(&'static str, f64)>;

/// The options that are set, by name.
pub type Options = BTreeMap<String, Json>;

#[derive(Default)]
pub struct About {
    pub name: &'static str,
    pub version: &'static str,
    pub metrics: Vec<Metric>,
    /// Which function of which version was wrapped: "acme::normalize 2.1.0".
    pub wraps: &'static str,
}

#[derive(Default)]
pub struct Metric {
    pub name: &'static str,
    /// "normalize" and the scores you give, such as "exact_match" and "f1".
    pub answers: &'static [&'static str],
    /// What you take beside one item with a prediction and a reference: batch,
    /// unanswered, repeated-id, no-references, names of options.
    pub handles: &'static [&'static str],
    /// Your own top score, 1 or 100; None is upstream's.
    pub scale: Option<u32>,
    /// The upstreams you mean to be equal to; none is the metric's default pin.
    pub pins: &'static [&'static str],
}

/// A prediction with its references.
#[derive(Debug)]
pub struct Item {
    pub id: String,
    /// None where the item is unanswered.
    pub prediction: Option<String>,
    pub references: Vec<String>,
    /// Sent to squad_v2 only.
    pub no_answer_probability: f64,
}

/// Why there is no answer. On a bug of your own, panic: it counts as a crash.
#[derive(Debug)]
pub enum No {
    /// Your metric refuses the input, as upstream does by raising. The kind is
    /// invalid_regex, no_references, empty_input, missing_prediction, or empty.
    Refused { kind: &'static str, message: String },
    /// You honestly do not do this, and why.
    Unsupported(String),
}

/// Answers requests until normcert closes stdin, and then returns.
///
/// # Panics
///
/// Where a request is not strict JSON, a score is infinite, or the other side is gone.
pub fn serve(mut adapter: impl Adapter) {
    let mut replies = take_stdout();
    for line in io::stdin().lock().lines() {
        let line = line.expect("reading a request");
        let request = parse(&line).unwrap_or_else(|why| panic!("a request is not strict JSON: {why}: {line}"));
        let reply = match request.text("op") {
            "hello" => hello(&adapter.about()),
            op => match answer(&mut adapter, op, &request) {
                Ok(answer) => answer,
                Err(No::Refused { kind: "", message }) => format!(r#""error":{{"message":{}}}"#, quote(&message)),
                Err(No::Refused { kind, message }) => {
                    format!(r#""error":{{"kind":{},"message":{}}}"#, quote(kind), quote(&message))
                }
                Err(No::Unsupported(why)) => format!(r#""unsupported":{}"#, quote(&why)),
            },
        };
        let id = request.number("id").expect("a request has an id");
        replies.write_all(format!("{{\"id\":{id},{reply}}}\n").as_bytes()).expect("writing a reply");
    }
}

fn hello(about: &About) -> String {
    let list = |names: &[&str]| names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(",");
    let metrics = about.metrics.iter().map(|metric| {
        let scale = metric.scale.map_or(String::new(), |scale| format!(r#","scale":{scale}"#));
        let (answers, handles, pins) = (list(metric.answers), list(metric.handles), list(metric.pins));
        format!(r#"{}:{{"answers":[{answers}],"handles":[{handles}],"pins":[{pins}]{scale}}}"#, quote(metric.name))
    });
    let (major, minor, micro) = char::UNICODE_VERSION;
    format!(
        r#""name":{},"version":{},"wraps":{},"language":"Rust","unicode":"{major}.{minor}.{micro}","metrics":{{{}}}"#,
        quote(about.name),
        quote(about.version),
        quote(about.wraps),
        metrics.collect::<Vec<_>>().join(",")
    )
}

fn answer(adapter: &mut impl Adapter, op: &str, request: &Json) -> Result<String, No> {
    let metric = request.text("metric");
    if !adapter.about().metrics.iter().any(|known| known.name == metric) {
        return Err(No::Unsupported(format!("no metric {metric}")));
    }
    let none = Options::new();
    let options = request.get("options").and_then(Json::object).unwrap_or(&none);
    match op {
        "normalize" => {
            let text = adapter.normalize(metric, options, request.text("text"))?;
            Ok(format!(r#""text":{}"#, quote(&text)))
        }
        "score" => {
            let items: Vec<Item> = request.list("items").iter().map(item).collect();
            let scores = adapter.score(metric, options, &items)?;
            let fields: Vec<_> =
                scores.iter().map(|(key, score)| format!("{}:{}", quote(key), double(*score))).collect();
            Ok(format!(r#""scores":{{{}}}"#, fields.join(",")))
        }
        _ => Err(No::Unsupported(format!("no {op}"))),
    }
}

fn item(fields: &Json) -> Item {
    Item {
        id: fields.text("id").into(),
        prediction: fields.get("prediction").and_then(Json::string).map(String::from),
        references: fields.list("references").iter().filter_map(Json::string).map(String::from).collect(),
        no_answer_probability: fields.number("no_answer_probability").unwrap_or(0.0),
    }
}

/// The shortest decimal that reads back to the same double; NaN is "nan".
fn double(score: f64) -> String {
    assert!(!score.is_infinite(), "an infinite score has no spelling");
    if score.is_nan() {
        return r#""nan""#.into();
    }
    format!("{score:?}")
}

/// A JSON string in ASCII.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        match unit {
            0x22 | 0x5c => out.extend(['\\', unit as u8 as char]),
            0x20..=0x7e => out.push(unit as u8 as char),
            _ => out += &format!("\\u{unit:04x}"),
        }
    }
    out + "\""
}

// --- Keeping stdout ----------------------------------------------------------
//
// std has no way to point print! elsewhere, so the system is asked: stdout
// becomes a second stderr, for C code too, and the replies keep the real one.

#[cfg(unix)]
fn take_stdout() -> File {
    use std::os::fd::FromRawFd;
    extern "C" {
        fn dup(fd: i32) -> i32;
        fn dup2(from: i32, to: i32) -> i32;
    }
    unsafe {
        let replies = dup(1);
        assert!(replies >= 0 && dup2(2, 1) >= 0, "keeping stdout for the replies");
        File::from_raw_fd(replies)
    }
}

#[cfg(windows)]
fn take_stdout() -> File {
    use std::os::windows::io::{FromRawHandle, RawHandle};
    extern "system" {
        fn GetStdHandle(which: u32) -> RawHandle;
        fn SetStdHandle(which: u32, handle: RawHandle) -> i32;
    }
    const STDOUT: u32 = -11i32 as u32;
    const STDERR: u32 = -12i32 as u32;
    unsafe {
        let replies = GetStdHandle(STDOUT);
        assert!(SetStdHandle(STDOUT, GetStdHandle(STDERR)) != 0, "keeping stdout for the replies");
        File::from_raw_handle(replies)
    }
}

// --- JSON --------------------------------------------------------------------

/// A JSON value; options hold some.
#[derive(Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.object()?.get(key)
    }

    pub fn object(&self) -> Option<&BTreeMap<String, Json>> {
        match self {
            Json::Object(fields) => Some(fields),
            _ => None,
        }
    }

    pub fn string(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Json::string).unwrap_or("")
    }

    fn list(&self, key: &str) -> &[Json] {
        match self.get(key) {
            Some(Json::List(list)) => list,
            _ => &[],
        }
    }

    fn number(&self, key: &str) -> Option<f64> {
        match self.get(key) {
            Some(Json::Number(number)) => Some(*number),
            _ => None,
        }
    }
}

/// Reads one line of strict JSON.
fn parse(line: &str) -> Result<Json, String> {
    let mut reader = Reader { line: line.as_bytes(), at: 0 };
    let value = reader.value()?;
    match reader.at < line.len() {
        true => Err(reader.wrong("nothing more")),
        false => Ok(value),
    }
}

struct Reader<'a> {
    line: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Json, String> {
        self.space();
        let value = match self.peek() {
            b'{' => self.object()?,
            b'[' => self.list()?,
            b'"' => Json::String(self.string()?),
            b't' => self.word("true", Json::Bool(true))?,
            b'f' => self.word("false", Json::Bool(false))?,
            b'n' => self.word("null", Json::Null)?,
            _ => self.number()?,
        };
        self.space();
        Ok(value)
    }

    fn object(&mut self) -> Result<Json, String> {
        let mut fields = BTreeMap::new();
        self.at += 1;
        self.space();
        if self.skip(b'}') {
            return Ok(Json::Object(fields));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            self.expect(b':', "a colon")?;
            fields.insert(key, self.value()?);
            if !self.skip(b',') {
                self.expect(b'}', "a comma or a brace")?;
                return Ok(Json::Object(fields));
            }
        }
    }

    fn list(&mut self) -> Result<Json, String> {
        let mut list = Vec::new();
        self.at += 1;
        self.space();
        if self.skip(b']') {
            return Ok(Json::List(list));
        }
        loop {
            list.push(self.value()?);
            if !self.skip(b',') {
                self.expect(b']', "a comma or a bracket")?;
                return Ok(Json::List(list));
            }
        }
    }

    /// A character beyond U+FFFF is two escapes, so units are collected first.
    fn string(&mut self) -> Result<String, String> {
        self.expect(b'"', "a string")?;
        let mut units: Vec<u16> = Vec::new();
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => units.push(self.escape()?),
                byte @ 0x20..=0x7e => units.push(byte.into()),
                _ => return Err(self.wrong("an escape for what is not printable ASCII")),
            }
        }
        String::from_utf16(&units).map_err(|_| self.wrong("no lone surrogate"))
    }

    fn escape(&mut self) -> Result<u16, String> {
        Ok(match self.next()? {
            letter @ (b'"' | b'\\' | b'/') => letter.into(),
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'u' => {
                let mut unit = 0;
                for _ in 0..4 {
                    let digit = (self.next()? as char).to_digit(16).ok_or_else(|| self.wrong("a hexadecimal digit"))?;
                    unit = unit << 4 | digit as u16;
                }
                unit
            }
            _ => return Err(self.wrong("an escape")),
        })
    }

    fn number(&mut self) -> Result<Json, String> {
        let begin = self.at;
        self.skip(b'-');
        let whole = self.digits();
        let leading_zero = whole > 1 && self.line[self.at - whole] == b'0';
        let fraction = !self.skip(b'.') || self.digits() > 0;
        let mut exponent = true;
        if self.skip(b'e') || self.skip(b'E') {
            let _ = self.skip(b'+') || self.skip(b'-');
            exponent = self.digits() > 0;
        }
        if whole == 0 || leading_zero || !fraction || !exponent {
            return Err(self.wrong("a value"));
        }
        let text = std::str::from_utf8(&self.line[begin..self.at]).expect("digits are ASCII");
        text.parse().map(Json::Number).map_err(|_| self.wrong("a number"))
    }

    fn digits(&mut self) -> usize {
        let begin = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.at - begin
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if !self.line[self.at..].starts_with(word.as_bytes()) {
            return Err(self.wrong(word));
        }
        self.at += word.len();
        Ok(value)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    /// The next byte, and 0 at the end.
    fn peek(&self) -> u8 {
        self.line.get(self.at).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Result<u8, String> {
        let byte = self.line.get(self.at).copied().ok_or_else(|| self.wrong("more"))?;
        self.at += 1;
        Ok(byte)
    }

    fn skip(&mut self, byte: u8) -> bool {
        let there = self.peek() == byte;
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), String> {
        match self.skip(byte) {
            true => Ok(()),
            false => Err(self.wrong(what)),
        }
    }

    fn wrong(&self, wanted: &str) -> String {
        format!("byte {}: want {wanted}", self.at)
    }
}
