//! The trial settlement of a draft.

use qingyu_story::edit::Error;
use qingyu_story::settlement::Extraction;
use qingyu_story::{Config, Story};

use super::answered::settle_answered;
use super::book::ChapterInHand;
use super::review::ChapterFinding;
use super::settling::{self, completed, place};

/// Returns what the extracted facts of a draft contradict in its story, and what they tell otherwise than planned, as if the
/// draft were settled.
pub(super) fn contradictions(
    story: &Story,
    (chapter, draft): (&ChapterInHand, &str),
    extraction: &Extraction,
    config: &Config,
) -> Result<Vec<ChapterFinding>, Error> {
    let mut placed = place(story, chapter, draft)?;
    let mut extraction = completed(&placed.story, &placed.document, extraction)?;
    let of = (chapter.number, chapter.title.as_str());
    settle_answered(&mut placed.story, &placed.document, &mut extraction, of)?;
    Ok(settling::contradictions(&placed.story, (chapter, placed.document.as_str(), draft), config))
}
