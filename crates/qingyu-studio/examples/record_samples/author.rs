//! A model whose answers were written by hand and stand in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, StreamExt};
use qingyu_llm::{ChatModel, Error, Event, EventStream, Reply, Request, Usage, estimate};

/// The name that cassettes and provenance carry: no provider's model wrote this.
pub(crate) const NAME: &str = "written-by-hand";

/// Answers from `FOLDER/*.json` what belongs to the book, and from `FOLDER/chapters/NN.*` what belongs to a chapter; from
/// `FOLDER/edit/NN.*` once the book was edited, if there is such a file.
#[derive(Debug)]
pub(crate) struct Author {
    folder: PathBuf,
    asked: Mutex<Asked>,
}

/// What was asked so far.
#[derive(Debug, Default)]
struct Asked {
    times: BTreeMap<String, u32>,
    after_the_edit: bool,
}

impl Author {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), asked: Mutex::default() }
    }

    /// Says that a chapter was edited by hand.
    pub(crate) fn was_edited(&self) {
        *self.asked.lock().expect("no reader panics") = Asked { after_the_edit: true, ..Asked::default() };
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
        let mut asked = self.asked.lock().expect("no reader panics");
        let times = asked.times.entry(format!("{chapter}/{act}")).or_default();
        *times += 1;
        let again = format!("{chapter:02}.{}", end.replacen('.', &format!(".{times}."), 1));
        let usual = format!("{chapter:02}.{end}");
        let folders = ["edit", "chapters"].into_iter().skip(usize::from(!asked.after_the_edit));
        let files = folders.flat_map(|folder| [&again, &usual].map(|file| self.folder.join(folder).join(file)));
        files.into_iter().find(|file| file.exists())
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
            let usage = Usage { input, output: estimate::tokens(&text), estimated: true, ..Usage::default() };
            let reply = Reply { text: text.clone(), usage, model: NAME.into(), ..Reply::default() };
            stream::iter([Ok(Event::Text(text)), Ok(Event::Done(Box::new(reply)))]).boxed()
        });
        async move { told }.boxed()
    }
}
