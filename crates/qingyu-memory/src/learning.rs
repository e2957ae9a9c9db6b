//! Learning: memories derived from a user's actions, by rule and without a model.

use crate::long_term::{Edit, Evidence, Kind, NewMemory, Source, Standing};
use crate::{Error, LongTermMemory, Memory, MemoryId, UserId};

/// The maximum number of retries after concurrent edits.
const PATIENCE: usize = 16;

/// A lesson from an action of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// The kind of the memory.
    pub kind: Kind,
    /// The project in which the lesson holds; `None` is every project.
    pub project: Option<String>,
    /// The topic; lessons with the same topic are duplicates.
    pub topic: String,
    /// The text of the memory.
    pub text: String,
    /// The action as evidence.
    pub evidence: Evidence,
    /// The origin of the memory.
    pub source: Source,
    /// The number of observations before the memory is active; 1 is at once. Until then the memory is proposed.
    pub needed: u32,
}

/// Learns `lesson`: inserts a new memory, or counts another observation of an existing memory.
///
/// The same action at the same place counts once. A memory disabled by the user stays disabled, unless the user states
/// it again. Returns the resulting memory.
pub async fn learn(memory: &dyn LongTermMemory, user: &UserId, lesson: &Lesson) -> Result<Memory, Error> {
    let id = MemoryId::of(lesson.kind, lesson.project.as_deref(), lesson.topic.trim());
    let mut last = None;
    for _ in 0..PATIENCE {
        let learnt = match memory.get(user, &id).await? {
            None => memory.add(user, lesson.new_memory()).await,
            Some(known) => match lesson.again(&known) {
                None => return Ok(known),
                Some(edit) => memory.edit(user, &id, known.revision, edit).await,
            },
        };
        match learnt {
            // A concurrent writer was faster: retry.
            Err(error @ (Error::AlreadyThere { .. } | Error::Changed { .. } | Error::Unknown { .. })) => {
                last = Some(error);
            }
            learnt => return learnt,
        }
    }
    Err(last.expect("every other way out has returned"))
}

impl Lesson {
    fn new_memory(&self) -> NewMemory {
        NewMemory {
            kind: self.kind,
            project: self.project.clone(),
            topic: self.topic.clone(),
            text: self.text.clone(),
            evidence: vec![self.evidence.clone()],
            source: self.source,
            standing: if self.needed <= 1 { Standing::On } else { Standing::Proposed },
        }
    }

    /// Returns the edit to a memory of the same topic; `None` if nothing changes.
    fn again(&self, known: &Memory) -> Option<Edit> {
        if known.has(&self.evidence) {
            return None;
        }
        let is_enough = known.count.saturating_add(1) >= self.needed;
        let switches_on = match known.standing {
            Standing::On => false,
            Standing::Proposed => is_enough,
            Standing::Off => self.source == Source::User,
        };
        Some(Edit { standing: switches_on.then_some(Standing::On), seen: Some(self.evidence.clone()), text: None })
    }
}
