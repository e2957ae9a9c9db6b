//! Writing of cassettes.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::line::{CassetteLine, CassetteMark, RecordedCall, SessionHeader, key};
use crate::{ChatRequest, Error, FinishReason, Reply};

/// A writer that appends calls to a cassette.
///
/// Lines are flushed to the system separately, so a killed process loses at most the current line; a power cut may lose
/// the last lines.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    tape: Mutex<CassetteFile>,
}

/// The pending marks, and the open file.
#[derive(Debug, Default)]
struct CassetteFile(Vec<CassetteMark>, Option<File>);

impl Recorder {
    /// Opens or creates the cassette at `path`; calls are appended to existing content.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = open(path).map_err(|error| Error::Settings(format!("cassette {}: {error}", path.display())))?;
        Ok(Self { path: path.into(), tape: Mutex::new(CassetteFile(Vec::new(), Some(file))) })
    }

    /// Starts a session at the end of the cassette at `path`, creating the file if missing.
    pub fn begin(path: PathBuf, header: SessionHeader) -> std::io::Result<Self> {
        let recorder = Self::go_on(path);
        recorder.write(&header.into())?;
        Ok(recorder)
    }

    /// Returns a recorder that opens `path` lazily at the first record and continues the existing session.
    pub fn go_on(path: PathBuf) -> Self {
        Self { path, tape: Mutex::default() }
    }

    /// Inserts a mark before the next line written by the recorder.
    #[must_use]
    pub fn after(self, mark: CassetteMark) -> Self {
        self.tape().0.push(mark);
        self
    }

    /// Appends a call with its reply.
    pub fn record(&self, request: &ChatRequest, reply: &Reply) -> std::io::Result<()> {
        self.call(request, reply.clone(), None)
    }

    /// Appends a call whose answer was interrupted after `partial`.
    pub(crate) fn record_broken(&self, request: &ChatRequest, partial: &str, error: &Error) -> std::io::Result<()> {
        let reply = Reply { text: partial.into(), finish: FinishReason::Length, ..Reply::default() };
        self.call(request, reply, Some(error.to_string()))
    }

    /// Appends a call whose answer was empty except for the thinking in `reply`.
    pub(crate) fn record_empty(&self, request: &ChatRequest, reply: Reply, error: &Error) -> std::io::Result<()> {
        self.call(request, Reply { text: String::new(), ..reply }, Some(error.to_string()))
    }

    fn call(&self, request: &ChatRequest, reply: Reply, broken: Option<String>) -> std::io::Result<()> {
        let request = ChatRequest { context: Value::Null, ..request.clone() };
        let reply = Reply { replayed: false, ..reply };
        self.write(&RecordedCall { key: key(&request), request, reply, broken }.into())
    }

    /// Appends a mark.
    pub fn mark(&self, mark: CassetteMark) -> std::io::Result<()> {
        self.write(&mark.into())
    }

    fn write(&self, line: &CassetteLine) -> std::io::Result<()> {
        let mut tape = self.tape();
        let CassetteFile(marks, file) = &mut *tape;
        let file = match file {
            Some(file) => file,
            None => {
                if let Some(folder) = self.path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                file.insert(open(&self.path)?)
            }
        };
        for mark in std::mem::take(marks) {
            append(file, &mark.into())?;
        }
        append(file, line)
    }

    fn tape(&self) -> MutexGuard<'_, CassetteFile> {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the file and removes a last line truncated by a crash.
fn open(path: &Path) -> std::io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

fn append(file: &mut File, line: &CassetteLine) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())
}
