//! Research: the web searched, read and cited.
//!
//! ```text
//! plan → search ⇉ merge → read ⇉ note ⇉ write → check
//! ```
//!
//! - [`context`]: what the prompts are filled from; [`answer`]: what models answer
//! - `queries`: what is searched for; `hits`: what was found, merged and ranked; `pages`: what was read of it
//! - `notes`: what a page says, with quotes that stand there; `marks`: `[n]` in prose; `report`: what comes of all that
//! - `notice`: what it says about itself
//!
//! Pages are words of strangers. A page stands in the one request that makes notes of it; that request has no tools and holds
//! nothing of the project but the question. Searches and pages are stored steps: a node that runs again asks nobody twice.

use futures::future::join_all;
use qingyu_graph::NodeError;
use qingyu_production::GoldenContext;
use qingyu_production::research::Report;
use qingyu_story::Language;
use qingyu_web::Web;
use tokio::sync::Semaphore;

pub mod answer;
pub mod context;
mod hits;
mod marks;
mod notes;
mod notice;
mod pages;
mod queries;
mod report;
#[cfg(test)]
mod tests;

pub use answer::{Claimed, Note, Notes, Queries, Synthesis};
pub use context::{NotedSource, PageReading, QueryPlanning, Synthesising};

use crate::call::{Asked, CallRecord, Seat};
use crate::production::RESEARCHER;
use crate::prompts::Name;
use notice::Notice;

/// How many pages are read, and how many notes are asked for, at the same time.
const PARALLEL: usize = 4;

/// What is to be found out.
pub(super) struct Researching {
    pub(super) question: String,
    pub(super) premise: String,
    pub(super) language: Language,
    pub(super) max_queries: usize,
    pub(super) max_sources: usize,
}

/// What was found out.
pub(super) struct Researched {
    pub(super) report: Report,
    pub(super) records: Vec<CallRecord>,
    pub(super) warnings: Vec<String>,
}

/// Finds out. Fails only if a model cannot be reached; what the web refuses is data of the report.
pub(super) async fn research(seat: &Seat<'_>, web: &Web, asked: &Researching) -> Result<Researched, NodeError> {
    // What strangers wrote never stands beside what is known of the user.
    let nothing = GoldenContext::default();
    let apart = Seat { golden: &nothing, ..*seat };
    let mut work = Researched { report: Report::default(), records: Vec::new(), warnings: Vec::new() };
    work.report.question.clone_from(&asked.question);
    let say = |notice: Notice<'_>| notice.text(asked.language);
    let Some(search) = &web.search else {
        work.warnings.push(say(Notice::NoEngine));
        work.report.summary = say(Notice::NoEngine);
        return Ok(work);
    };
    let queries = queries::plan(seat, asked, &mut work).await?;
    let searches = queries.iter().enumerate().map(|(at, words)| hits::search(seat, &**search, at, words, asked));
    let searched = join_all(searches).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (query, searched) in queries.iter().zip(&searched) {
        if let Some(failure) = &searched.failure {
            work.warnings.push(say(Notice::SearchFailed { query, code: &failure.code }));
        }
    }
    let (wanted, mut dropped) = hits::merge(searched.into_iter().map(|searched| searched.hits), asked);
    let permits = Semaphore::new(PARALLEL);
    let reads = wanted.iter().map(|hit| pages::read(seat, &*web.reader, hit, &permits));
    let read = join_all(reads).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let pages = pages::sort(wanted, read, asked.language, &mut dropped);
    let noting = pages.iter().enumerate().map(|(at, page)| notes::take(&apart, at, page, asked, &permits));
    let noted = join_all(noting).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut sources = Vec::new();
    for (page, (notes, record)) in pages.into_iter().zip(noted) {
        work.records.push(record);
        match notes.is_empty() {
            true => dropped.push(hits::drop(page.url, page.title, "no_notes", asked.language)),
            false => sources.push((page, notes)),
        }
    }
    work.report.queries = queries;
    report::write(&apart, asked, &sources, &mut work).await?;
    work.report.dropped = dropped;
    Ok(work)
}

/// A call of a research.
fn call(act: &'static str, part: String, name: Name) -> Asked<'static> {
    Asked::of(RESEARCHER, format!("research.{act}"), part, [Name::RESEARCH_SYSTEM, name], 0.0)
}
