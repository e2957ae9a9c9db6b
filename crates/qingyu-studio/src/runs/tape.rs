//! Recording of responses that do not come from models: search results and pages of the web, and passages found by
//! search servers. They are stored in the run's cassette beside the models' answers, for an offline replay.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_llm::cassette::{Recorder, Recording};
use qingyu_llm::model::drain;
use qingyu_llm::{ChatMessage, ChatRequest, ModelRoutes, Reply};
use qingyu_tools::workspace::{FoundPassages, PassageQuery};
use qingyu_web::{Error, PageReader, Query, Web, WebHit, WebPage, WebSearchEngine};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The purposes of web calls in a cassette.
const SEARCH: &str = "web.search";
const READ: &str = "web.read";
/// The purpose of searches on servers.
const PASSAGES: &str = "search.passages";

/// Records the passages found on servers.
pub(crate) fn record_passages(recorder: &Recorder, query: &PassageQuery, found: &FoundPassages) {
    keep(recorder, &passages_request(query), "search servers", found);
}

/// Returns the recorded passages of a search; `None` if there are none, as in a run without search servers.
pub(crate) fn recorded_passages(recording: &Recording, query: &PassageQuery) -> Option<FoundPassages> {
    let reply = recording.play(&passages_request(query)).ok()?;
    serde_json::from_str(&reply.text).ok()
}

/// Converts a search into a call of the run. It has no name: the same search, made again after the story has grown, is
/// answered in the order of the recording.
fn passages_request(query: &PassageQuery) -> ChatRequest {
    ChatRequest { call: String::new(), ..request(PASSAGES, query) }
}

/// Returns the web access with all responses recorded.
pub(crate) fn recorded(web: Web, recorder: &Arc<Recorder>) -> Web {
    let search = web.search.map(|engine| -> Arc<dyn WebSearchEngine> {
        Arc::new(RecordedSearch { engine, recorder: Arc::clone(recorder) })
    });
    Web { search, reader: Arc::new(RecordedReader { reader: web.reader, recorder: Arc::clone(recorder) }) }
}

/// Returns the web access replayed through the models playing the cassette, without any network.
pub(crate) fn played(models: &ModelRoutes, searches: bool) -> Web {
    let player = Arc::new(WebPlayer { models: models.clone() });
    let search = searches.then(|| Arc::clone(&player) as Arc<dyn WebSearchEngine>);
    Web { search, reader: player }
}

#[derive(Debug)]
struct RecordedSearch {
    engine: Arc<dyn WebSearchEngine>,
    recorder: Arc<Recorder>,
}

#[derive(Debug)]
struct RecordedReader {
    reader: Arc<dyn PageReader>,
    recorder: Arc<Recorder>,
}

/// A player of recorded searches and pages.
#[derive(Debug)]
struct WebPlayer {
    models: ModelRoutes,
}

impl WebSearchEngine for RecordedSearch {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        async move {
            let found = self.engine.search(query).await;
            keep(&self.recorder, &request(SEARCH, query), self.engine.name(), &found);
            found
        }
        .boxed()
    }
}

impl PageReader for RecordedReader {
    fn name(&self) -> &str {
        self.reader.name()
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<WebPage, Error>> {
        async move {
            let page = self.reader.read(url).await;
            keep(&self.recorder, &request(READ, url), self.reader.name(), &page);
            page
        }
        .boxed()
    }
}

impl WebSearchEngine for WebPlayer {
    fn name(&self) -> &'static str {
        "cassette"
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        self.play(request(SEARCH, query)).boxed()
    }
}

impl PageReader for WebPlayer {
    fn name(&self) -> &'static str {
        "cassette"
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<WebPage, Error>> {
        self.play(request(READ, url)).boxed()
    }
}

impl WebPlayer {
    /// Returns the recorded response of a request; a missing record is an error of the single page only.
    async fn play<T: DeserializeOwned>(&self, request: ChatRequest) -> Result<T, Error> {
        let missing = |message: String| Error::BadAnswer { name: "cassette".into(), message };
        let answered = async {
            let stream = self.models.for_purpose(&request.purpose).stream(&request).await?;
            drain(stream).await
        };
        let reply = answered.await.map_err(|error| missing(error.to_string()))?;
        serde_json::from_str::<Result<T, Error>>(&reply.text).map_err(|error| missing(error.to_string()))?
    }
}

/// Converts a web request into a call of the run. Duplicate requests within a run have equal responses, since each is a
/// stored step.
fn request(purpose: &str, asked: &(impl Serialize + ?Sized)) -> ChatRequest {
    let asked = serde_json::to_string(asked).expect("questions are plain data");
    ChatRequest {
        purpose: purpose.into(),
        call: format!("{purpose}/{asked}"),
        messages: vec![ChatMessage::user(asked)],
        ..ChatRequest::default()
    }
}

fn keep(recorder: &Recorder, request: &ChatRequest, name: &str, answer: &impl Serialize) {
    let text = serde_json::to_string(answer).expect("answers are plain data");
    let reply = Reply { text, model: name.into(), ..Reply::default() };
    // A full disk must not discard the response; the replay will report the missing call.
    if let Err(error) = recorder.record(request, &reply) {
        tracing::error!(purpose = request.purpose, %error, "response of a server not recorded");
    }
}

#[cfg(test)]
mod tests {
    use qingyu_llm::cassette::SessionHeader;
    use serde_json::json;

    use super::*;

    #[test]
    fn passages_are_played_in_the_order_in_which_they_were_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let recorder = Recorder::begin(path.clone(), SessionHeader::default()).unwrap();
        let query = |text: &str| PassageQuery { text: text.into(), kinds: Vec::new(), before: Some(2), limit: 8 };
        let found = |state: &str| FoundPassages { hits: Vec::new(), engines: vec![json!({"state": state})] };
        record_passages(&recorder, &query("芯片"), &found("used"));
        record_passages(&recorder, &query("芯片"), &found("down"));
        let recording = Recording::open(&path).unwrap();
        assert_eq!(recorded_passages(&recording, &query("旧港")), None);
        assert_eq!(recorded_passages(&recording, &query("芯片")), Some(found("used")));
        assert_eq!(recorded_passages(&recording, &query("芯片")), Some(found("down")));
        assert_eq!(recorded_passages(&recording, &query("芯片")), None);
    }
}
