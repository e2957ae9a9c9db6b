//! Recording of web access: search results and pages of a run are stored in its cassette beside the models' answers,
//! for an offline replay.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_llm::cassette::Recorder;
use qingyu_llm::model::drain;
use qingyu_llm::{ChatMessage, ChatRequest, ModelRoutes, Reply};
use qingyu_web::{Error, PageReader, Query, Web, WebHit, WebPage, WebSearchEngine};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The purposes of web calls in a cassette.
const SEARCH: &str = "web.search";
const READ: &str = "web.read";

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
            write(&self.recorder, &request(SEARCH, query), self.engine.name(), &found);
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
            write(&self.recorder, &request(READ, url), self.reader.name(), &page);
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

fn write<T: Serialize>(recorder: &Recorder, request: &ChatRequest, name: &str, answer: &Result<T, Error>) {
    let text = serde_json::to_string(answer).expect("answers are plain data");
    let reply = Reply { text, model: name.into(), ..Reply::default() };
    // A full disk must not discard the response; the replay will report the missing call.
    if let Err(error) = recorder.record(request, &reply) {
        tracing::error!(purpose = request.purpose, %error, "what the web gave was not recorded");
    }
}
