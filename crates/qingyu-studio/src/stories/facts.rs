//! Facts of a project's story.

use qingyu_story::impact::{Touched, impact};
use qingyu_story::truth::{Answer, GroundTruth, Question};

use crate::error::{Error, Noun};
use crate::studio::Studio;

impl Studio {
    /// Returns the facts answering a question about a project's story, with their time, the characters knowing them,
    /// and the source sentences.
    pub async fn ask_facts(&self, project: &str, question: &Question) -> Result<Vec<Answer>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        GroundTruth::of(&kept.story).ask(question).map_err(|unclear| {
            let (part, given) = unclear.part();
            Error::Unclear { part: part.into(), given: given.into(), message: unclear.to_string() }
        })
    }

    /// Returns the pieces affected by a change of a piece, at most `limit` steps away.
    pub async fn impact(&self, project: &str, piece: &str, limit: Option<usize>) -> Result<Vec<Touched>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        impact(&kept.story, piece, limit).ok_or_else(|| Error::unknown(Noun::Piece, piece))
    }
}
