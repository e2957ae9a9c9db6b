//! Parsing of cassettes and replay of their calls.

use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::difference;
use super::line::{CALL_VERSION, CassetteLine, CassetteMark, FORMAT, RecordedCall, SessionHeader, as_sent, key};
use crate::{ChatRequest, Error, Reply};

/// Maximum cassette size in bytes. Chapters take some ten kilobytes a call.
pub const LARGEST: u64 = 256 << 20;

/// A parsed cassette.
#[derive(Debug)]
pub struct Cassette {
    /// The sessions, in the order of recording.
    pub sessions: Vec<CassetteSession>,
}

/// The recording of a run.
#[derive(Debug)]
pub struct CassetteSession {
    /// The header; `None` in cassettes of earlier formats.
    pub header: Option<SessionHeader>,
    /// The marks between the calls.
    pub marks: Vec<CassetteMark>,
    /// The calls.
    pub recording: Recording,
}

impl CassetteSession {
    /// Returns the last mark of a kind.
    pub fn mark(&self, kind: &str) -> Option<&CassetteMark> {
        self.marks.iter().rfind(|mark| mark.kind == kind)
    }
}

impl Cassette {
    /// Parses the cassette at `path`: a regular file of at most [`LARGEST`] bytes.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let wrong = |message: String| Error::Settings(format!("cassette {}: {message}", path.display()));
        let text = text_of(path).map_err(wrong)?;
        Self::parse(&text)
    }

    /// Parses the text of a cassette.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut sessions = Vec::new();
        let mut session = CassetteSession { header: None, marks: Vec::new(), recording: Recording::default() };
        for (number, line) in whole.lines().enumerate() {
            let wrong = |message: String| Error::Settings(format!("cassette, line {}: {message}", number + 1));
            match read(line).map_err(wrong)? {
                CassetteLine { header: Some(header), .. } => {
                    let header = Some(header);
                    let next = CassetteSession { header, marks: Vec::new(), recording: Recording::default() };
                    sessions.push(std::mem::replace(&mut session, next));
                }
                CassetteLine { mark: Some(mark), .. } => session.marks.push(mark),
                CassetteLine { call: Some(call), .. } => session.recording.lines().push((call, PlayState::No)),
                _ => return Err(wrong("it is neither a header nor a mark nor a call".into())),
            }
        }
        sessions.push(session);
        // Lines before the first header form a session only if there are any calls.
        sessions.retain(|session| session.header.is_some() || session.recording.left() > 0);
        Ok(Self { sessions })
    }
}

/// Returns the text of a cassette, a regular file of at most [`LARGEST`] bytes opened once; or the reason of a failure,
/// without the path. Devices and pipes are refused: reading may never end.
pub fn text_of(path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| error.to_string();
    let check = |found: &std::fs::Metadata| match (found.is_file(), found.len()) {
        (false, _) => Err("it is no regular file".to_owned()),
        (true, length) if length > LARGEST => Err(format!("it has {length} bytes; at most {LARGEST} are read")),
        _ => Ok(()),
    };
    // Opening a pipe would block until a writer opens the other end.
    check(&std::fs::metadata(path).map_err(told)?)?;
    let file = std::fs::File::open(path).map_err(told)?;
    check(&file.metadata().map_err(told)?)?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(told)?;
    Ok(text)
}

fn read(line: &str) -> Result<CassetteLine, String> {
    #[derive(serde::Deserialize)]
    struct LineFormat {
        version: u32,
        #[serde(default)]
        header: Option<serde::de::IgnoredAny>,
        #[serde(default)]
        mark: Option<serde::de::IgnoredAny>,
    }
    let text = |error: serde_json::Error| error.to_string();
    let form: LineFormat = serde_json::from_str(line).map_err(text)?;
    match (form.version, form.header.is_some() || form.mark.is_some()) {
        (FORMAT, true) => serde_json::from_str(line).map_err(text),
        (CALL_VERSION, false) => serde_json::from_str::<RecordedCall>(line).map(CassetteLine::from).map_err(text),
        (other, _) => Err(format!("version {other} is not known")),
    }
}

/// Recorded calls, each replayed once.
///
/// A request is answered by the line recorded for the same call of the run; after a retry following a crash, the last
/// line counts, because the run continued with the last reply. A request without such a line gets the lines of equal
/// requests in recording order. Concurrent branches therefore never take each other's answers.
#[derive(Debug, Default)]
pub struct Recording {
    lines: Mutex<Vec<(RecordedCall, PlayState)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlayState {
    Yes,
    No,
}

impl Recording {
    /// Parses the calls of all sessions of the cassette at `path`.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Cassette::open(path).map(Self::all)
    }

    /// Parses the calls of all sessions in the text of a cassette.
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

    /// Returns the recorded answer to `request`; equal requests get their answers in recording order.
    ///
    /// Fails with [`Error::Replay`], with the difference from the recording, if no answer is left.
    pub fn play(&self, request: &ChatRequest) -> Result<Reply, Error> {
        let call = self.take(request, |_| true)?;
        call.failure().map_or(Ok(call.reply), Err)
    }

    /// Takes the line recorded for `request`, among lines accepted by `fits`.
    pub(crate) fn take(
        &self,
        request: &ChatRequest,
        fits: impl Fn(&RecordedCall) -> bool,
    ) -> Result<RecordedCall, Error> {
        let key = key(request);
        let mut lines = self.lines();
        let is_open = |line: &RecordedCall, played: PlayState| played == PlayState::No && line.key == key && fits(line);
        let same_call = |line: &RecordedCall| !request.call.is_empty() && line.request.call == request.call;
        let exact = lines.iter().rposition(|(line, played)| is_open(line, *played) && same_call(line));
        let found = exact.or_else(|| lines.iter().position(|(line, played)| is_open(line, *played)));
        let Some(found) = found else {
            return Err(Error::Replay { purpose: request.purpose.clone(), difference: miss(&lines, request, &key) });
        };
        if exact.is_some() {
            // Earlier lines of the same call are answers discarded by the run.
            let again = lines.iter_mut().filter(|(line, _)| line.key == key && same_call(line));
            again.for_each(|(_, played)| *played = PlayState::Yes);
        }
        lines[found].1 = PlayState::Yes;
        let line = lines[found].0.clone();
        Ok(RecordedCall { reply: Reply { replayed: true, ..line.reply }, ..line })
    }

    /// Resets all calls to unplayed.
    pub fn rewind(&self) {
        self.lines().iter_mut().for_each(|(_, played)| *played = PlayState::No);
    }

    /// Returns the number of unplayed calls.
    pub fn left(&self) -> usize {
        self.lines().iter().filter(|(_, played)| *played == PlayState::No).count()
    }

    /// Returns the purposes of unplayed calls, in recording order.
    pub fn unplayed(&self) -> Vec<String> {
        let lines = self.lines();
        let left = lines.iter().filter(|(_, played)| *played == PlayState::No);
        left.map(|(line, _)| line.request.purpose.clone()).collect()
    }

    /// Returns all calls, in recording order.
    pub fn calls(&self) -> Vec<RecordedCall> {
        self.lines().iter().map(|(line, _)| line.clone()).collect()
    }

    /// Returns the number of calls.
    pub fn len(&self) -> usize {
        self.lines().len()
    }

    /// Returns whether the recording has no calls.
    pub fn is_empty(&self) -> bool {
        self.lines().is_empty()
    }

    fn lines(&self) -> MutexGuard<'_, Vec<(RecordedCall, PlayState)>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the reason of a missing answer for `request`.
fn miss(lines: &[(RecordedCall, PlayState)], request: &ChatRequest, key: &str) -> String {
    let same = lines.iter().filter(|(line, _)| line.key == key).count();
    if same > 0 && lines.iter().all(|(line, played)| line.key != key || *played == PlayState::Yes) {
        return format!("this request was recorded {same} times and has been asked once more");
    }
    if same > 0 {
        return "it is asked of another model".to_owned();
    }
    let of_purpose = || lines.iter().filter(|(line, _)| line.request.purpose == request.purpose);
    let nearest = of_purpose()
        .find(|(line, _)| !request.call.is_empty() && line.request.call == request.call)
        .or_else(|| of_purpose().find(|(_, played)| *played == PlayState::No))
        .or_else(|| of_purpose().next_back());
    match nearest {
        Some((line, _)) => difference::first(&as_sent(&line.request), &as_sent(request))
            .unwrap_or_else(|| "the recorded key is not that of its request".to_owned()),
        None => "nothing was recorded for this purpose".to_owned(),
    }
}
