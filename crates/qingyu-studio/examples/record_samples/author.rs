//! A model answering from hand-written files in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, StreamExt};
use qingyu_llm::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, Reply, Usage, estimate};

/// The model name in cassettes and provenance: no provider's model wrote the answers.
pub(crate) const NAME: &str = "written-by-hand";

/// A model answering book-level calls from `FOLDER/*.json` and chapter calls from `FOLDER/chapters/NN.*`. After an
/// edit, `FOLDER/edit/NN.*` overrides the chapter files.
#[derive(Debug)]
pub(crate) struct Author {
    folder: PathBuf,
    asked: Mutex<AnswerProgress>,
}

/// The number of calls so far, by chapter and action.
#[derive(Debug, Default)]
struct AnswerProgress {
    times: BTreeMap<String, u32>,
    after_the_edit: bool,
}

impl Author {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), asked: Mutex::default() }
    }

    /// Switches to the answers for an edited chapter.
    pub(crate) fn was_edited(&self) {
        *self.asked.lock().expect("no reader panics") =
            AnswerProgress { after_the_edit: true, ..AnswerProgress::default() };
    }

    fn answer(&self, request: &ChatRequest) -> Result<String, Error> {
        let file = self.file(request).ok_or_else(|| refused(request, "nothing was written for it"))?;
        let text = std::fs::read_to_string(&file)
            .map_err(|error| refused(request, &format!("{}: {error}", file.display())))?;
        Ok(text.trim_end().to_owned())
    }

    fn file(&self, request: &ChatRequest) -> Option<PathBuf> {
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

fn refused(request: &ChatRequest, why: &str) -> Error {
    Error::Unsupported { model: NAME.into(), purpose: request.purpose.clone(), hint: why.to_owned() }
}

impl ChatModel for Author {
    fn name(&self) -> &str {
        NAME
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        let told = self.answer(request).map(|text| {
            let input = request.messages.iter().map(|message| estimate::tokens(&message.text)).sum();
            let usage = Usage { input, output: estimate::tokens(&text), estimated: true, ..Usage::default() };
            let reply = Reply { text: text.clone(), usage, model: NAME.into(), ..Reply::default() };
            stream::iter([Ok(ChatEvent::Text(text)), Ok(ChatEvent::Done(Box::new(reply)))]).boxed()
        });
        async move { told }.boxed()
    }
}
