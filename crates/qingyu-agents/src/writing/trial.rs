//! The trial settlement of a draft.

#[cfg(test)]
mod tests;

use qingyu_story::edit::Error;
use qingyu_story::settlement::Extraction;
use qingyu_story::{Config, Severity, Story};

use super::answered::settle_answered;
use super::book::ChapterInHand;
use super::review::{ChapterFinding, locate};
use super::settling::{self, PlacedChapter, completed, place};

/// Returns the findings of a trial settlement of a draft: contradictions between its extracted facts and the story, and
/// events told otherwise than planned.
pub(super) fn contradictions(
    story: &Story,
    (chapter, draft): (&ChapterInHand, &str),
    extraction: &Extraction,
    config: &Config,
) -> Result<Vec<ChapterFinding>, Error> {
    let placed = place(story, chapter, draft)?;
    let extraction = completed(&placed.story, &placed.document, extraction)?;
    settled_contradictions(placed, (chapter, draft), extraction, config)
}

/// Settles the extraction in the story of a placed chapter, and returns the findings.
fn settled_contradictions(
    mut placed: PlacedChapter,
    (chapter, draft): (&ChapterInHand, &str),
    mut extraction: Extraction,
    config: &Config,
) -> Result<Vec<ChapterFinding>, Error> {
    let of = (chapter.number, chapter.title.as_str());
    settle_answered(&mut placed.story, &placed.document, &mut extraction, of)?;
    Ok(settling::contradictions(&placed.story, (chapter, placed.document.as_str(), draft), config))
}

/// Returns the findings of the rules about a draft that the last extraction, of an earlier text of it, does not explain.
///
/// Rules read fewer statements than a model does. A contradiction that vanishes with the extracted statements whose sentences
/// still stand is dropped. One about a name of a fact whose sentence has changed is at most [`Severity::Medium`]: only a new
/// extraction tells whether it is one.
pub(super) fn unexplained(
    story: &Story,
    (chapter, draft): (&ChapterInHand, &str),
    extraction: &Extraction,
    config: &Config,
    mut found: Vec<ChapterFinding>,
) -> Result<Vec<ChapterFinding>, Error> {
    if !found.iter().any(ChapterFinding::is_contradiction) {
        return Ok(found);
    }
    let mut standing = extraction.clone();
    for introduced in &mut standing.entities {
        // The draft may introduce it in another sentence now.
        if locate(draft, &introduced.quote).is_none() {
            introduced.quote.clone_from(&introduced.name);
        }
    }
    let mut placed = place(story, chapter, draft)?;
    placed.settle_by_rules()?;
    // Facts that the rules read in changed sentences stay beside the extraction.
    let own = placed.story.documents.iter_mut().filter(|document| document.id == placed.document);
    for record in own.filter_map(|document| document.settled.as_mut()) {
        record.made.iter_mut().for_each(|made| made.followed = false);
    }
    let left = settled_contradictions(placed, (chapter, draft), standing, config)?;
    found.retain(|finding| {
        let is_it = |other: &ChapterFinding| other.code == finding.code && other.title == finding.title;
        !finding.is_contradiction() || left.iter().any(is_it)
    });
    let changed = extraction.facts.iter().filter(|fact| locate(draft, &fact.quote).is_none());
    let changed = changed.map(|fact| fact.object.as_deref().unwrap_or(&fact.subject).trim());
    let changed: Vec<&str> = changed.filter(|name| !name.is_empty()).collect();
    for finding in found.iter_mut().filter(|finding| finding.is_contradiction()) {
        if changed.iter().any(|name| finding.title.contains(*name)) {
            finding.severity = finding.severity.min(Severity::Medium);
        }
    }
    Ok(found)
}
