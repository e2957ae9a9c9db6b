//! Reading a cassette, and playing its calls.

use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{CALL_VERSION, FORMAT, Header, Line, Mark, RecordedCall, as_sent, difference, key};
use crate::{Error, Reply, Request};

/// The largest cassette that is read, in bytes. Chapters take some ten kilobytes a call.
pub const LARGEST: u64 = 256 << 20;

/// A cassette that was read.
#[derive(Debug)]
pub struct Cassette {
    /// The sessions, in the order of recording.
    pub sessions: Vec<Session>,
}

/// What was recorded of one run.
#[derive(Debug)]
pub struct Session {
    /// How it began; none in cassettes of earlier formats.
    pub header: Option<Header>,
    /// What was noted between its calls.
    pub marks: Vec<Mark>,
    /// Its calls.
    pub recording: Recording,
}

impl Session {
    /// The last mark of a kind.
    pub fn mark(&self, kind: &str) -> Option<&Mark> {
        self.marks.iter().rfind(|mark| mark.kind == kind)
    }
}

impl Cassette {
    /// Reads the cassette at `path`: a regular file of at most [`LARGEST`] bytes.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let wrong = |message: String| Error::Settings(format!("cassette {}: {message}", path.display()));
        let text = text_of(path).map_err(wrong)?;
        Self::parse(&text)
    }

    /// Reads the text of a cassette.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut sessions = Vec::new();
        let mut session = Session { header: None, marks: Vec::new(), recording: Recording::default() };
        for (number, line) in whole.lines().enumerate() {
            let wrong = |message: String| Error::Settings(format!("cassette, line {}: {message}", number + 1));
            match read(line).map_err(wrong)? {
                Line { header: Some(header), .. } => {
                    let header = Some(header);
                    let next = Session { header, marks: Vec::new(), recording: Recording::default() };
                    sessions.push(std::mem::replace(&mut session, next));
                }
                Line { mark: Some(mark), .. } => session.marks.push(mark),
                Line { call: Some(call), .. } => session.recording.lines().push((call, Played::No)),
                _ => return Err(wrong("it is neither a header nor a mark nor a call".into())),
            }
        }
        sessions.push(session);
        // What stands before the first header is a session only if there is something.
        sessions.retain(|session| session.header.is_some() || session.recording.left() > 0);
        Ok(Self { sessions })
    }
}

/// The text of a cassette, which is a regular file of at most [`LARGEST`] bytes and opened once; or why it is not read, without
/// its path. Devices and pipes never end, or never begin.
pub fn text_of(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| error.to_string();
    let check = |found: &std::fs::Metadata| match (found.is_file(), found.len()) {
        (false, _) => Err("it is no regular file".to_owned()),
        (true, length) if length > LARGEST => Err(format!("it has {length} bytes; at most {LARGEST} are read")),
        _ => Ok(()),
    };
    // Opening a pipe would wait for somebody who writes into it.
    check(&std::fs::metadata(path).map_err(told)?)?;
    let file = std::fs::File::open(path).map_err(told)?;
    check(&file.metadata().map_err(told)?)?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(told)?;
    Ok(text)
}

fn read(line: &str) -> Result<Line, String> {
    #[derive(serde::Deserialize)]
    struct Form {
        version: u32,
        #[serde(default)]
        header: Option<serde::de::IgnoredAny>,
        #[serde(default)]
        mark: Option<serde::de::IgnoredAny>,
    }
    let text = |error: serde_json::Error| error.to_string();
    let form: Form = serde_json::from_str(line).map_err(text)?;
    match (form.version, form.header.is_some() || form.mark.is_some()) {
        (FORMAT, true) => serde_json::from_str(line).map_err(text),
        (CALL_VERSION, false) => serde_json::from_str::<RecordedCall>(line).map(Line::from).map_err(text),
        (other, _) => Err(format!("version {other} is not known")),
    }
}

/// Calls that were recorded, each to be played once.
///
/// A request is answered by the line that was recorded for the same call of the run; if the call was made again after a
/// crash, its last line counts, for that is the one the run went on with. A request without such a line gets the lines of
/// equal requests in the order of recording. So parallel branches never take each other's answers.
#[derive(Debug, Default)]
pub struct Recording {
    lines: Mutex<Vec<(RecordedCall, Played)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Played {
    Yes,
    No,
}

impl Recording {
    /// Reads the calls of all sessions of the cassette at `path`.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Cassette::open(path).map(Self::all)
    }

    /// Reads the calls of all sessions in the text of a cassette.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Cassette::parse(text).map(Self::all)
    }

    fn all(cassette: Cassette) -> Self {
        let all = Self::default();
        for session in cassette.sessions {
            all.lines().append(&mut session.recording.lines());
        }
        all
    }

    /// The recorded answer to `request`; equal requests get their answers in the order of recording.
    ///
    /// Fails with [`Error::Replay`] if there is none left, and says how the request differs from what was recorded.
    pub fn play(&self, request: &Request) -> Result<Reply, Error> {
        let call = self.take(request, |_| true)?;
        call.failure().map_or(Ok(call.reply), Err)
    }

    /// Takes the line that answers `request`, of those that `fits`.
    pub(crate) fn take(&self, request: &Request, fits: impl Fn(&RecordedCall) -> bool) -> Result<RecordedCall, Error> {
        let key = key(request);
        let mut lines = self.lines();
        let is_open = |line: &RecordedCall, played: Played| played == Played::No && line.key == key && fits(line);
        let same_call = |line: &RecordedCall| !request.call.is_empty() && line.request.call == request.call;
        let exact = lines.iter().rposition(|(line, played)| is_open(line, *played) && same_call(line));
        let found = exact.or_else(|| lines.iter().position(|(line, played)| is_open(line, *played)));
        let Some(found) = found else {
            return Err(Error::Replay { purpose: request.purpose.clone(), difference: miss(&lines, request, &key) });
        };
        if exact.is_some() {
            // Earlier lines of the same call were answers that the run did not keep.
            let again = lines.iter_mut().filter(|(line, _)| line.key == key && same_call(line));
            again.for_each(|(_, played)| *played = Played::Yes);
        }
        lines[found].1 = Played::Yes;
        let line = lines[found].0.clone();
        Ok(RecordedCall { reply: Reply { replayed: true, ..line.reply }, ..line })
    }

    /// Lets every call be played again.
    pub fn rewind(&self) {
        self.lines().iter_mut().for_each(|(_, played)| *played = Played::No);
    }

    /// How many calls have not been played.
    pub fn left(&self) -> usize {
        self.lines().iter().filter(|(_, played)| *played == Played::No).count()
    }

    /// The purposes of the calls that have not been played, in the order of recording.
    pub fn unplayed(&self) -> Vec<String> {
        let lines = self.lines();
        let left = lines.iter().filter(|(_, played)| *played == Played::No);
        left.map(|(line, _)| line.request.purpose.clone()).collect()
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.lines().len()
    }

    /// Whether there is no call at all.
    pub fn is_empty(&self) -> bool {
        self.lines().is_empty()
    }

    fn lines(&self) -> MutexGuard<'_, Vec<(RecordedCall, Played)>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why nothing was found for `request`.
fn miss(lines: &[(RecordedCall, Played)], request: &Request, key: &str) -> String {
    let same = lines.iter().filter(|(line, _)| line.key == key).count();
    if same > 0 && lines.iter().all(|(line, played)| line.key != key || *played == Played::Yes) {
        return format!("this request was recorded {same} times and has been asked once more");
    }
    if same > 0 {
        return "it is asked of another model".to_owned();
    }
    let of_purpose = || lines.iter().filter(|(line, _)| line.request.purpose == request.purpose);
    let nearest = of_purpose()
        .find(|(line, _)| !request.call.is_empty() && line.request.call == request.call)
        .or_else(|| of_purpose().find(|(_, played)| *played == Played::No))
        .or_else(|| of_purpose().next_back());
    match nearest {
        Some((line, _)) => difference::first(&as_sent(&line.request), &as_sent(request))
            .unwrap_or_else(|| "the recorded key is not that of its request".to_owned()),
        None => "nothing was recorded for this purpose".to_owned(),
    }
}
