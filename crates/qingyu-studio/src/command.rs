//! What can be asked of the studio.

use qingyu_story::Language;
use serde_json::Value;

use crate::Error;

/// The longest requirement in bytes of UTF-8.
pub const REQUIREMENT_LIMIT: usize = 64 * 1024;

/// Asks for a new story, or for more of one that is there.
#[derive(Debug, Clone, Default)]
pub struct CreateRequest {
    /// The user's words.
    pub requirement: String,
    /// The language of the work; found from the requirement when absent.
    pub language: Option<Language>,
    /// An existing project to extend or change, by id or unique beginning of it; a new project when absent.
    pub project: Option<String>,
    /// The title of a new project; made from the requirement when absent.
    pub title: Option<String>,
    /// The model for every role of this run, such as `deepseek/deepseek-chat`, above all settings.
    pub model: Option<String>,
    /// Settings for this run only, above all layers, in the shape of the settings file
    /// (see [`settings::assign`](crate::settings::assign)).
    pub overrides: toml::Table,
}

impl CreateRequest {
    /// Asks for a new story with the settings as they are.
    pub fn new(requirement: impl Into<String>) -> Self {
        Self { requirement: requirement.into(), ..Self::default() }
    }

    /// The requirement without surrounding white space, if a run can be started with it.
    ///
    /// Refuses an empty one, one over [`REQUIREMENT_LIMIT`], and control characters other than tab and line breaks.
    pub(crate) fn checked_requirement(&self) -> Result<String, Error> {
        let bytes = self.requirement.len();
        if bytes > REQUIREMENT_LIMIT {
            return Err(Error::RequirementTooLong { bytes, limit: REQUIREMENT_LIMIT });
        }
        let requirement = self.requirement.trim_start_matches('\u{feff}').trim();
        if requirement.is_empty() {
            return Err(Error::RequirementEmpty);
        }
        let forbidden = |c: &char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
        match requirement.chars().enumerate().find(|(_, c)| forbidden(c)) {
            Some((position, found)) => Err(Error::RequirementControl { position, code_point: u32::from(found) }),
            None => Ok(requirement.replace("\r\n", "\n")),
        }
    }
}

/// What a person says when a run asks.
#[derive(Debug, Clone, PartialEq)]
pub enum HumanAnswer {
    /// Take it as it is.
    Approve,
    /// Mend it, minding this.
    Reject {
        /// What is wrong and what is wanted.
        feedback: String,
    },
    /// Take this material instead.
    Edit {
        /// Any of the keys `worldview`, `outline_nodes`, `characters`, `character_relations`, `timeline_events`,
        /// `plot_nodes`, `style` of the run's document; a key that is absent stays as it is, other keys are ignored.
        material: Value,
    },
}
