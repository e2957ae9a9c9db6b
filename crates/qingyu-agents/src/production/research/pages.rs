//! What was read.

use std::collections::BTreeSet;

use qingyu_graph::NodeError;
use qingyu_production::research::Dropped;
use qingyu_story::Language;
use qingyu_web::{Hit, Reader};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::hits::{Failure, canonical, drop};
use crate::call::Seat;

/// Most characters of a page that notes are made of.
const BUDGET: usize = 12_000;
/// Most characters of a title.
const TITLE: usize = 200;

/// What came of reading, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Fetched {
    Page(Page),
    Failed(Failure),
}

/// A page as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Page {
    pub(super) url: String,
    pub(super) title: String,
    /// The text, cut to the budget.
    pub(super) text: String,
    /// SHA-256 of the whole text.
    pub(super) digest: String,
    /// How many characters of it are kept.
    pub(super) characters: usize,
    pub(super) read_at: String,
}

/// Reads a page once; what comes of it is kept.
pub(super) async fn read(
    seat: &Seat<'_>,
    reader: &dyn Reader,
    hit: &Hit,
    permits: &Semaphore,
) -> Result<Fetched, NodeError> {
    let run = || async {
        let _permit = permits.acquire().await.expect("nobody closes the semaphore");
        Ok::<_, crate::Error>(match reader.read(&hit.url).await {
            Ok(page) => Fetched::Page(kept(&page, hit)),
            Err(error) => Fetched::Failed(Failure::from(&error)),
        })
    };
    seat.context.step(&format!("read/{}", hit.url), &hit.url, run).await
}

fn kept(page: &qingyu_web::Page, hit: &Hit) -> Page {
    let text: String = page.text.chars().take(BUDGET).collect();
    let title = if page.title.trim().is_empty() { &hit.title } else { &page.title };
    Page {
        url: canonical(&page.url),
        title: title.trim().chars().take(TITLE).collect(),
        characters: text.chars().count(),
        text,
        digest: Sha256::digest(&page.text).iter().map(|byte| format!("{byte:02x}")).collect(),
        read_at: page.read_at.clone(),
    }
}

/// The pages that were read, each once; `dropped` gets the others.
pub(super) fn sort(hits: Vec<Hit>, fetched: Vec<Fetched>, language: Language, dropped: &mut Vec<Dropped>) -> Vec<Page> {
    let (mut pages, mut known) = (Vec::new(), BTreeSet::new());
    for (hit, fetched) in hits.into_iter().zip(fetched) {
        match fetched {
            Fetched::Failed(failure) => dropped.push(drop(hit.url, hit.title, &failure.code, language)),
            Fetched::Page(page) => {
                let is_new = known.insert(page.url.clone()) & known.insert(page.digest.clone());
                match is_new {
                    true => pages.push(page),
                    false => dropped.push(drop(hit.url, hit.title, "duplicate", language)),
                }
            }
        }
    }
    pages
}
