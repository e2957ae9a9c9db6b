//! A model whose answers were written by hand and stand in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, StreamExt};
use qingyu_llm::{ChatModel, Error, Event, EventStream, Reply, Request, Usage, estimate};

/// The name that cassettes and provenance carry: no provider's model wrote this.
pub const NAME: &str = "written-by-hand";

/// Answers from `FOLDER/*.json` what belongs to the book, and from `FOLDER/chapters/NN.*` what belongs to a chapter.
#[derive(Debug)]
pub struct Author {
    folder: PathBuf,
    /// What replaces the files of the chapters, once the book has been edited.
    chapters: Mutex<PathBuf>,
    asked: Mutex<BTreeMap<String, u32>>,
}

impl Author {
    pub fn new(folder: &Path) -> Self {
        let chapters = Mutex::new(folder.join("chapters"));
        Self { folder: folder.to_path_buf(), chapters, asked: Mutex::default() }
    }

    /// From now on the chapters are those of another folder.
    pub fn turn_to(&self, folder: &str) {
        *self.chapters.lock().expect("no reader panics") = self.folder.join(folder);
        self.asked.lock().expect("no reader panics").clear();
    }

    fn answer(&self, request: &Request) -> Result<String, Error> {
        let file = self.file(request).ok_or_else(|| refused(request, "nothing was written for it"))?;
        let text = std::fs::read_to_string(&file)
            .map_err(|error| refused(request, &format!("{}: {error}", file.display())))?;
        Ok(text.trim_end().to_owned())
    }

    fn file(&self, request: &Request) -> Option<PathBuf> {
        let (role, act) = request.purpose.split_once('.')?;
        if role != "chapter" {
            let role = if role == "plan" { "planner" } else { role };
            return Some(self.folder.join(format!("{role}.json")));
        }
        let end = match act {
            "understand" => "plan.json",
            "generate" => "md",
            "review" => "review.json",
            "fix" => "fixes.json",
            "settle" => "settle.json",
            _ => return None,
        };
        let chapter = request.context.get("chapter")?.as_u64()?;
        let folder = self.chapters.lock().expect("no reader panics").clone();
        let mut asked = self.asked.lock().expect("no reader panics");
        let times = asked.entry(format!("{chapter}/{act}")).or_default();
        *times += 1;
        let again = folder.join(format!("{chapter:02}.{}", end.replacen('.', &format!(".{times}."), 1)));
        Some(if again.exists() { again } else { folder.join(format!("{chapter:02}.{end}")) })
    }
}

fn refused(request: &Request, why: &str) -> Error {
    Error::Unsupported { model: NAME.into(), purpose: request.purpose.clone(), hint: why.to_owned() }
}

impl ChatModel for Author {
    fn name(&self) -> &str {
        NAME
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        let told = self.answer(request).map(|text| {
            let input = request.messages.iter().map(|message| estimate::tokens(&message.text)).sum();
            let usage = Usage { input, cached: 0, output: estimate::tokens(&text), estimated: true };
            let reply = Reply { text: text.clone(), usage, model: NAME.into(), ..Reply::default() };
            stream::iter([Ok(Event::Text(text)), Ok(Event::Done(Box::new(reply)))]).boxed()
        });
        async move { told }.boxed()
    }
}
