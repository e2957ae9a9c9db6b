//! Writing a cassette.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::{Header, Line, Mark, RecordedCall, key};
use crate::{Error, Finish, Reply, Request};

/// Appends calls to a file.
///
/// Lines reach the system one by one, so a killed process loses at most the one under way; a power cut may lose the last
/// ones.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    tape: Mutex<Tape>,
}

/// The marks that come next, and the file once it is open.
#[derive(Debug, Default)]
struct Tape(Vec<Mark>, Option<File>);

impl Recorder {
    /// Opens or creates the cassette at `path`; calls are appended to what it holds.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = open(path).map_err(|error| Error::Settings(format!("cassette {}: {error}", path.display())))?;
        Ok(Self { path: path.into(), tape: Mutex::new(Tape(Vec::new(), Some(file))) })
    }

    /// Begins a session at the end of the cassette at `path`, which is made if it is not there.
    pub fn begin(path: PathBuf, header: Header) -> std::io::Result<Self> {
        let recorder = Self::go_on(path);
        recorder.write(&header.into())?;
        Ok(recorder)
    }

    /// A recorder that touches `path` only when there is something to record, and goes on with the session there.
    pub fn go_on(path: PathBuf) -> Self {
        Self { path, tape: Mutex::default() }
    }

    /// Where it writes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts a mark before the next line that this recorder writes.
    #[must_use]
    pub fn after(self, mark: Mark) -> Self {
        self.tape().0.push(mark);
        self
    }

    /// Appends one answered call.
    pub fn record(&self, request: &Request, reply: &Reply) -> std::io::Result<()> {
        self.call(request, reply.clone(), None)
    }

    /// Appends a call whose answer broke off after `partial`.
    pub fn record_broken(&self, request: &Request, partial: &str, error: &Error) -> std::io::Result<()> {
        let reply = Reply { text: partial.into(), finish: Finish::Length, ..Reply::default() };
        self.call(request, reply, Some(error.to_string()))
    }

    /// Appends a call whose answer was empty but for the thinking of `reply`.
    pub fn record_empty(&self, request: &Request, reply: Reply, error: &Error) -> std::io::Result<()> {
        self.call(request, Reply { text: String::new(), ..reply }, Some(error.to_string()))
    }

    fn call(&self, request: &Request, reply: Reply, broken: Option<String>) -> std::io::Result<()> {
        let request = Request { context: Value::Null, ..request.clone() };
        let reply = Reply { replayed: false, ..reply };
        self.write(&RecordedCall { key: key(&request), request, reply, broken }.into())
    }

    /// Appends a mark.
    pub fn mark(&self, mark: Mark) -> std::io::Result<()> {
        self.write(&mark.into())
    }

    fn write(&self, line: &Line) -> std::io::Result<()> {
        let mut tape = self.tape();
        let Tape(marks, file) = &mut *tape;
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

    fn tape(&self) -> MutexGuard<'_, Tape> {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file, without the beginning of a line that a crash cut short.
fn open(path: &Path) -> std::io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

fn append(file: &mut File, line: &Line) -> std::io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())
}
