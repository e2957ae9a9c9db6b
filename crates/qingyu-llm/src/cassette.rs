//! Recorded model calls: one JSON line each, keyed by what was asked.
//!
//! The key is a hash of the request without its typed context, which is never sent; keys of objects are sorted, so it
//! does not depend on how a build orders them. Only answered calls are recorded. A last line that a crash cut short is
//! dropped, when reading and before appending.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Error, Reply, Request};

/// The form of a line.
const VERSION: u32 = 1;

/// How much of two different values a message shows, in characters.
const EXCERPT: usize = 60;

/// One recorded call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Line {
    version: u32,
    key: String,
    request: Request,
    reply: Reply,
}

/// The key of `request`: a hash of everything a provider would see.
pub fn key(request: &Request) -> String {
    let digest = Sha256::digest(sorted(without_context(request)).to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Appends calls to a file.
#[derive(Debug)]
pub struct Recorder {
    file: Mutex<File>,
}

impl Recorder {
    /// Opens or creates the cassette at `path`; calls are appended to what it holds.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::Settings(format!("cassette {}: {error}", path.display()));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// Appends one answered call.
    pub fn record(&self, request: &Request, reply: &Reply) -> std::io::Result<()> {
        let request = Request { context: Value::Null, ..request.clone() };
        let line = Line { version: VERSION, key: key(&request), request, reply: reply.clone() };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        self.file.lock().expect("no write panics").write_all(text.as_bytes())
    }
}

/// The calls of a cassette, each to be played once.
#[derive(Debug)]
pub struct Recording {
    lines: Mutex<Vec<(Line, Played)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Played {
    Yes,
    No,
}

impl Recording {
    /// Reads the cassette at `path`.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::Settings(format!("cassette {}: {error}", path.display())))?;
        Self::parse(&text)
    }

    /// Reads the text of a cassette.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = whole.lines().enumerate().map(|(number, line)| {
            let wrong = |message: String| Error::Settings(format!("cassette, line {}: {message}", number + 1));
            let line: Line = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            match line.version {
                VERSION => Ok((line, Played::No)),
                other => Err(wrong(format!("version {other} is not known"))),
            }
        });
        Ok(Self { lines: Mutex::new(lines.collect::<Result<_, _>>()?) })
    }

    /// The recorded answer to `request`; equal requests get their answers in the order of recording.
    ///
    /// Fails with [`Error::Replay`] if there is none left, and says how the request differs from what was recorded.
    pub fn play(&self, request: &Request) -> Result<Reply, Error> {
        let key = key(request);
        let mut lines = self.lines.lock().expect("no replay panics");
        match lines.iter_mut().find(|(line, played)| *played == Played::No && line.key == key) {
            Some((line, played)) => {
                *played = Played::Yes;
                Ok(line.reply.clone())
            }
            None => Err(Error::Replay { purpose: request.purpose.clone(), difference: miss(&lines, request, &key) }),
        }
    }

    /// How many calls have not been played.
    pub fn left(&self) -> usize {
        self.lines.lock().expect("no replay panics").iter().filter(|(_, played)| *played == Played::No).count()
    }
}

/// Why nothing was found for `request`.
fn miss(lines: &[(Line, Played)], request: &Request, key: &str) -> String {
    let same = lines.iter().filter(|(line, _)| line.key == key).count();
    if same > 0 {
        return format!("this request was recorded {same} times and has been asked once more");
    }
    let of_purpose = || lines.iter().filter(|(line, _)| line.request.purpose == request.purpose);
    let nearest = of_purpose().find(|(_, played)| *played == Played::No).or_else(|| of_purpose().next_back());
    match nearest {
        Some((line, _)) => {
            let (recorded, asked) = (without_context(&line.request), without_context(request));
            difference("", &recorded, &asked)
                .unwrap_or_else(|| "the recorded key is not that of its request".to_owned())
        }
        None => "nothing was recorded for this purpose".to_owned(),
    }
}

/// The first place where two values differ, as a JSON pointer with both sides.
fn difference(path: &str, recorded: &Value, asked: &Value) -> Option<String> {
    if recorded == asked {
        return None;
    }
    let inner = match (recorded, asked) {
        (Value::Object(left), Value::Object(right)) => {
            let keys = left.keys().chain(right.keys().filter(|key| !left.contains_key(*key)));
            let mut keys: Vec<&String> = keys.collect();
            keys.sort();
            keys.into_iter().find_map(|key| {
                let side = |object: &serde_json::Map<String, Value>| object.get(key).cloned().unwrap_or_default();
                difference(&format!("{path}/{key}"), &side(left), &side(right))
            })
        }
        (Value::Array(left), Value::Array(right)) => left
            .iter()
            .zip(right)
            .enumerate()
            .find_map(|(at, (left, right))| difference(&format!("{path}/{at}"), left, right)),
        _ => None,
    };
    inner.or_else(|| {
        let (recorded, asked) = excerpts(recorded, asked);
        Some(format!("{path}: recorded {recorded}, asked {asked}"))
    })
}

/// Both values from a little before the place where they part.
fn excerpts(recorded: &Value, asked: &Value) -> (String, String) {
    let (recorded, asked) = (recorded.to_string(), asked.to_string());
    let common = recorded.chars().zip(asked.chars()).take_while(|(left, right)| left == right).count();
    let from = common.saturating_sub(EXCERPT / 4);
    let excerpt = |text: &str| -> String {
        let before = if from > 0 { "…" } else { "" };
        let after = if text.chars().count() > from + EXCERPT { "…" } else { "" };
        format!("{before}{}{after}", text.chars().skip(from).take(EXCERPT).collect::<String>())
    };
    (excerpt(&recorded), excerpt(&asked))
}

fn without_context(request: &Request) -> Value {
    let request = Request { context: Value::Null, ..request.clone() };
    serde_json::to_value(request).expect("a request is plain data")
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> =
                object.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
