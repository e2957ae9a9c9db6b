//! Facts of a project's story.

use qingyu_story::impact::{Touched, impact};
use qingyu_story::truth::{self, Answer, CharacterPanel, GroundTruth, Question, UnknownWord};

use crate::error::{Error, Noun};
use crate::studio::Studio;

impl Studio {
    /// Returns the facts answering a question about a project's story, with their time as the texts tell it, the characters
    /// knowing them, and the source sentences.
    pub async fn ask_facts(&self, project: &str, question: &Question) -> Result<Vec<Answer>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        truth::ask(&kept.story, question).map_err(|word| unclear(&word))
    }

    /// Returns the panels of the characters of a project's story, or of `who` alone: numbers and steps as of `at`, with the
    /// source sentences.
    ///
    /// Returns [`Error::Unclear`] if the story knows no such character or time.
    pub async fn panels(
        &self,
        project: &str,
        who: Option<&str>,
        at: Option<&str>,
    ) -> Result<Vec<CharacterPanel>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        GroundTruth::of(&kept.story).panels(who, at).map_err(|word| unclear(&word))
    }

    /// Returns the pieces affected by a change of a piece, at most `limit` steps away.
    pub async fn impact(&self, project: &str, piece: &str, limit: Option<usize>) -> Result<Vec<Touched>, Error> {
        let (_, kept) = self.kept_story(project).await?;
        impact(&kept.story, piece, limit).ok_or_else(|| Error::unknown(Noun::Piece, piece))
    }
}

fn unclear(word: &UnknownWord) -> Error {
    let (part, given) = word.part();
    Error::Unclear { part: part.into(), given: given.into(), message: word.to_string() }
}
