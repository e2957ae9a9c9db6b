//! The web on tape: what was found and read in a run stands in its cassette beside the models' answers, so that the run can be
//! played again without network.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_llm::cassette::Recorder;
use qingyu_llm::model::drain;
use qingyu_llm::{Message, Models, Reply, Request};
use qingyu_web::{Error, Hit, Page, Query, Reader, Search, Web};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The purposes under which they stand in a cassette.
const SEARCH: &str = "web.search";
const READ: &str = "web.read";

/// The web, with everything that it gives written down.
pub(crate) fn recorded(web: Web, recorder: &Arc<Recorder>) -> Web {
    let search = web
        .search
        .map(|engine| -> Arc<dyn Search> { Arc::new(RecordedSearch { engine, recorder: Arc::clone(recorder) }) });
    Web { search, reader: Arc::new(RecordedReader { reader: web.reader, recorder: Arc::clone(recorder) }) }
}

/// The web as it was written down, by way of the models that play the cassette; nothing else is reached.
pub(crate) fn played(models: &Models, searches: bool) -> Web {
    let player = Arc::new(Player { models: models.clone() });
    let search = searches.then(|| Arc::clone(&player) as Arc<dyn Search>);
    Web { search, reader: player }
}

#[derive(Debug)]
struct RecordedSearch {
    engine: Arc<dyn Search>,
    recorder: Arc<Recorder>,
}

#[derive(Debug)]
struct RecordedReader {
    reader: Arc<dyn Reader>,
    recorder: Arc<Recorder>,
}

/// Plays searches and pages.
#[derive(Debug)]
struct Player {
    models: Models,
}

impl Search for RecordedSearch {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>> {
        async move {
            let found = self.engine.search(query).await;
            write(&self.recorder, &request(SEARCH, query), self.engine.name(), &found);
            found
        }
        .boxed()
    }
}

impl Reader for RecordedReader {
    fn name(&self) -> &str {
        self.reader.name()
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, Error>> {
        async move {
            let page = self.reader.read(url).await;
            write(&self.recorder, &request(READ, url), self.reader.name(), &page);
            page
        }
        .boxed()
    }
}

impl Search for Player {
    fn name(&self) -> &'static str {
        "cassette"
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>> {
        self.play(request(SEARCH, query)).boxed()
    }
}

impl Reader for Player {
    fn name(&self) -> &'static str {
        "cassette"
    }

    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, Error>> {
        self.play(request(READ, url)).boxed()
    }
}

impl Player {
    /// What was written down for a request; that nothing was, is a failure of this one page.
    async fn play<T: DeserializeOwned>(&self, request: Request) -> Result<T, Error> {
        let missing = |message: String| Error::BadAnswer { name: "cassette".into(), message };
        let answered = async {
            let stream = self.models.for_purpose(&request.purpose).stream(&request).await?;
            drain(stream).await
        };
        let reply = answered.await.map_err(|error| missing(error.to_string()))?;
        serde_json::from_str::<Result<T, Error>>(&reply.text).map_err(|error| missing(error.to_string()))?
    }
}

/// What is asked of the web, as a call of the run. Equal questions have equal answers in a run, for each is a stored step.
fn request(purpose: &str, asked: &(impl Serialize + ?Sized)) -> Request {
    let asked = serde_json::to_string(asked).expect("questions are plain data");
    Request {
        purpose: purpose.into(),
        call: format!("{purpose}/{asked}"),
        messages: vec![Message::user(asked)],
        ..Request::default()
    }
}

fn write<T: Serialize>(recorder: &Recorder, request: &Request, name: &str, answer: &Result<T, Error>) {
    let text = serde_json::to_string(answer).expect("answers are plain data");
    let reply = Reply { text, model: name.into(), ..Reply::default() };
    // What was found is not lost to a full disk; the replay will name the missing call.
    if let Err(error) = recorder.record(request, &reply) {
        tracing::error!(purpose = request.purpose, %error, "what the web gave was not recorded");
    }
}
