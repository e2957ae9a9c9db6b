//! Research: searching and reading the web, and the project's own documents, with citations.
//!
//! ```text
//! plan → search ⇉ merge → read ⇉ note ⇉ write → check
//! ```
//!
//! - [`context`]: contexts of the prompts; [`answer`]: answer types
//! - `queries`: search queries; `hits`: search results, merged and ranked; `pages`: pages read; `own`: own documents
//! - `notes`: notes on a page, with verbatim quotes; `report`: the final report
//! - `request`: input and result; `notice`: messages of the research
//!
//! Pages are untrusted. A page occurs only in the request for notes on it; this request has no tools, and of the
//! project it holds only the question. Searches and page reads are stored steps: a retried node repeats no request.

use futures::future::join_all;
use qingyu_graph::NodeError;
use qingyu_production::GoldenContext;
use qingyu_production::research::{Report, trust};
use qingyu_story::Story;
use qingyu_web::Web;
use tokio::sync::Semaphore;

pub mod answer;
pub mod context;
mod hits;
mod notes;
mod notice;
mod own;
mod pages;
mod queries;
mod report;
mod request;
#[cfg(test)]
mod tests;

pub use answer::{Claimed, Note, Notes, Queries, Synthesis};
pub use context::{NotedSource, PageContext, QueryContext, SynthesisContext};

pub(super) use request::{ResearchRequest, ResearchResult};

use self::notice::ResearchNotice;
use crate::call::CallContext;

/// Maximum number of concurrent page reads, and of concurrent note requests.
const PARALLEL: usize = 4;

/// Runs the research. Returns an error only for an unreachable model; web errors become data of the report.
pub(super) async fn research(
    seat: &CallContext<'_>,
    web: &Web,
    story: &Story,
    asked: &ResearchRequest,
) -> Result<ResearchResult, NodeError> {
    // Untrusted text is never combined with facts about the user.
    let nothing = GoldenContext::default();
    let apart = CallContext { golden: &nothing, ..*seat };
    let mut work = ResearchResult { report: Report::default(), records: Vec::new(), warnings: Vec::new() };
    work.report.question.clone_from(&asked.question);
    let say = |notice: ResearchNotice<'_>| notice.text(asked.language);
    if web.search.is_none() && !own::has_documents(story) {
        work.warnings.push(say(ResearchNotice::NoEngine));
        work.report.summary = say(ResearchNotice::NoEngine);
        return Ok(work);
    }
    let queries = queries::plan(seat, asked, &mut work).await?;
    let searched = match &web.search {
        Some(search) => {
            let searches =
                queries.iter().enumerate().map(|(at, words)| hits::search(seat, &**search, at, words, asked));
            join_all(searches).await.into_iter().collect::<Result<Vec<_>, _>>()?
        }
        None => {
            work.warnings.push(say(ResearchNotice::OnlyOwn));
            Vec::new()
        }
    };
    for (query, searched) in queries.iter().zip(&searched) {
        if let Some(failure) = &searched.failure {
            work.warnings.push(say(ResearchNotice::SearchFailed { query, code: &failure.code }));
        }
    }
    let (wanted, mut dropped) = hits::merge(searched.into_iter().map(|searched| searched.hits), asked);
    let permits = Semaphore::new(PARALLEL);
    let reads = wanted.iter().map(|hit| pages::read(seat, &*web.reader, hit, &permits));
    let read = join_all(reads).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut pages = pages::sort(wanted, read, asked.language, &mut dropped);
    if own::has_documents(story) {
        pages.extend(own::passages(seat, story, &queries, asked).await?);
    }
    for page in &pages {
        let count = trust::addressed(&page.text).len();
        if count > 0 {
            work.warnings.push(say(ResearchNotice::SpokenTo { title: &page.title, count }));
        }
    }
    let question = in_full(asked, &work.report);
    let noting = pages.iter().enumerate().map(|(at, page)| notes::take(&apart, at, page, &question, asked, &permits));
    let noted = join_all(noting).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut sources = Vec::new();
    for (page, (notes, record)) in pages.into_iter().zip(noted) {
        work.records.push(record);
        match notes.is_empty() {
            true if page.place.is_empty() => {
                dropped.push(hits::drop(page.url, page.title, "no_notes", asked.language));
            }
            // A passage of an own document that says nothing about the question is no page that was found for it.
            true => {}
            false => sources.push((page, notes)),
        }
    }
    work.report.queries = queries;
    report::write(&apart, asked, &sources, &mut work).await?;
    work.report.dropped = dropped;
    Ok(work)
}

/// Returns the question with the questions that it is divided into.
fn in_full(asked: &ResearchRequest, report: &Report) -> String {
    let questions = report.questions.iter().map(|question| format!("- {}", question.question));
    std::iter::once(asked.question.clone()).chain(questions).collect::<Vec<_>>().join("\n")
}
