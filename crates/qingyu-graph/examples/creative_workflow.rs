//! Shows the whole workflow for a chapter: understand, retrieve, generate, review; then finalize, or generate again, or
//! below a score of 40 start again from the task, until the retries are used up and the draft is accepted with a
//! warning. If the library fails, the workflow continues without notes; if the writer fails, the workflow ends with a
//! clear message.
//!
//! Simple rules replace the models: no model is called, and the prose is poor.
//!
//! `cargo run -p qingyu-graph --example creative_workflow`

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::{
    Command, CompiledGraph, Context, END, Error, Graph, NodeError, NodeFailure, RetryPolicy, START, State,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, State)]
struct Chapter {
    /// The author's task. Every capitalized word must appear in the draft.
    #[channel(input)]
    task: String,
    #[channel(input)]
    max_retries: u32,
    #[channel(input)]
    goes_without_library: bool,
    names: Vec<String>,
    notes: Vec<String>,
    draft: String,
    review: Option<Review>,
    retries: u32,
    #[channel(append, output)]
    reasoning: Vec<String>,
    #[channel(append, output)]
    warnings: Vec<String>,
    #[channel(output)]
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Review {
    score: usize,
    missing: Vec<String>,
}

impl Review {
    fn passed(&self) -> bool {
        self.score >= 70
    }
}

type Written = Result<ChapterUpdate, NodeError>;

async fn understand(chapter: Arc<Chapter>, _: Context) -> Written {
    let again = chapter.review.is_some();
    let names = stand_ins::analyst(&chapter.task, again);
    let update = because(format!("it is about {}", names.join(", ")));
    // A restart counts as a retry too, or a chapter could restart forever.
    Ok(update.names(names).review(None).retries(chapter.retries + u32::from(again)))
}

async fn retrieve(chapter: Arc<Chapter>, context: Context, library: Service) -> Written {
    if chapter.goes_without_library {
        return Ok(because("the library is left out".to_owned()));
    }
    let search = context.step("search", &chapter.names, async || library.answer(stand_ins::library(&chapter.names)));
    let notes = search.await?;
    Ok(because(format!("{} notes on {} names", notes.len(), chapter.names.len())).notes(notes))
}

async fn generate(chapter: Arc<Chapter>, context: Context, writer: Service) -> Written {
    // Falls back to the names when the library is unavailable.
    let notes = if chapter.goes_without_library { &chapter.names } else { &chapter.notes };
    let input = (notes, &chapter.draft, &chapter.review);
    let draft = context.step("draft", &input, async || {
        writer.answer(match &chapter.review {
            None => stand_ins::writer("", notes),
            Some(review) => stand_ins::writer(&chapter.draft, review.missing.get(..1).unwrap_or_default()),
        })
    });
    let draft = draft.await?;
    Ok(because(format!("a draft of {} words", draft.split_whitespace().count())).draft(draft))
}

async fn review(chapter: Arc<Chapter>, _: Context) -> Written {
    let review = stand_ins::reader(&chapter.task, &chapter.draft);
    Ok(because(format!("a score of {}, without {:?}", review.score, review.missing)).review(Some(review)))
}

fn after_review(chapter: &Chapter) -> [&'static str; 1] {
    match &chapter.review {
        Some(review) if review.passed() || chapter.retries >= chapter.max_retries => ["finalize"],
        Some(review) if review.score < 40 => ["understand"],
        _ => ["regenerate"],
    }
}

async fn regenerate(chapter: Arc<Chapter>, _: Context) -> Written {
    Ok(because("once more".to_owned()).retries(chapter.retries + 1))
}

async fn finalize(chapter: Arc<Chapter>, _: Context) -> Written {
    let weak = chapter.review.iter().filter(|review| !review.passed());
    let warnings = weak.map(|review| format!("taken with a score of {} after the last retry", review.score));
    Ok(because("done".to_owned()).text(chapter.draft.clone()).warnings(warnings.collect()))
}

/// Handles a node that failed for good: continues with a simpler step, or ends with a clear message.
async fn degrade(_: Arc<Chapter>, context: Context) -> Result<Command<Chapter>, NodeError> {
    let NodeFailure { node, message } = context.payload()?;
    let update = because(format!("{node} failed")).warnings(vec![message]);
    if node == "retrieve" {
        return Ok(Command::update(update.goes_without_library(true).max_retries(1)).goto(["generate"]));
    }
    Ok(Command::update(update.text("Sorry, nothing can be written today.".to_owned())).goto([END]))
}

fn workflow(library: Service, writer: Service) -> Result<CompiledGraph<Chapter>, Error> {
    let twice = RetryPolicy { max_attempts: 2, initial_interval: Duration::ZERO, ..RetryPolicy::default() };
    Graph::<Chapter>::new("chapter")
        .node("understand", understand)
        .node("retrieve", move |chapter: Arc<Chapter>, context: Context| retrieve(chapter, context, library))
        .node("generate", move |chapter: Arc<Chapter>, context: Context| generate(chapter, context, writer))
        .node("review", review)
        .node("regenerate", regenerate)
        .node("finalize", finalize)
        .node("degrade", degrade)
        .edge(START, "understand")
        .edge("understand", "retrieve")
        .edge("retrieve", "generate")
        .edge("generate", "review")
        .route("review", ["finalize", "regenerate", "understand"], after_review)
        .edge("regenerate", "generate")
        .edge("finalize", END)
        .retry("retrieve", twice.clone())
        .retry("generate", twice)
        .on_error("retrieve", "degrade")
        .on_error("generate", "degrade")
        .targets("degrade", ["generate", END])
        .compile()
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let (closed, ill) = (Service::Closed("the library is closed"), Service::Closed("the writer is ill"));
    for (title, library, writer, max_retries) in [
        ("all is well", Service::Open, Service::Open, 3),
        ("one retry only", Service::Open, Service::Open, 1),
        ("no library", closed, Service::Open, 3),
        ("no writer", Service::Open, ill, 3),
    ] {
        let task = "how Mira hides a Letter from Tom in the Lighthouse".to_owned();
        let input = ChapterInput { task, max_retries, ..ChapterInput::default() };
        let ChapterOutput { reasoning, warnings, text } = workflow(library, writer)?.run(input).await?.into();
        println!("{title}: {}\n  warnings: {warnings:?}\n  text: {text}", reasoning.join("; "));
    }
    Ok(())
}

/// Returns an update that records the reason.
fn because(reason: String) -> ChapterUpdate {
    Chapter::update().reasoning(vec![reason])
}

/// An external service that answers or fails.
#[derive(Debug, Clone, Copy)]
enum Service {
    Open,
    Closed(&'static str),
}

impl Service {
    fn answer<T>(self, answer: T) -> Result<T, NodeError> {
        match self {
            Self::Open => Ok(answer),
            Self::Closed(why) => Err(NodeError::retryable(why)),
        }
    }
}

/// Rules that replace the models and the search.
mod stand_ins {
    use super::Review;

    /// Returns the first name in the task; on a retry, all names.
    pub(super) fn analyst(task: &str, again: bool) -> Vec<String> {
        names(task).take(if again { usize::MAX } else { 1 }).collect()
    }

    /// Returns notes on two of the names.
    pub(super) fn library(names: &[String]) -> Vec<String> {
        let known = ["Mira, who keeps the lamp,", "Tom, who reads other people's mail,"];
        known.into_iter().filter(|note| names.iter().any(|name| note.starts_with(name))).map(str::to_owned).collect()
    }

    /// Appends a sentence on each subject.
    pub(super) fn writer(draft: &str, subjects: &[String]) -> String {
        subjects.iter().fold(draft.to_owned(), |draft, subject| format!("{draft} {subject} appears.").trim().to_owned())
    }

    /// Counts the names of the task in the draft.
    pub(super) fn reader(task: &str, draft: &str) -> Review {
        let (found, missing): (Vec<_>, Vec<_>) = names(task).partition(|name| draft.contains(name));
        Review { score: 100 * found.len() / (found.len() + missing.len()).max(1), missing }
    }

    fn names(text: &str) -> impl Iterator<Item = String> {
        text.split(' ').filter(|word| word.starts_with(char::is_uppercase)).map(str::to_owned)
    }
}
