//! Learning: what a user does becomes memories, by rule and without a model.

use crate::long_term::{Edit, Evidence, Kind, NewMemory, Source, Standing};
use crate::{Error, LongTermMemory, Memory, MemoryId, UserId};

/// How often others may be faster before a lesson gives up.
const PATIENCE: usize = 16;

/// What a deed of the user teaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lesson {
    /// What it is about.
    pub kind: Kind,
    /// The project in which it holds; `None` is every project.
    pub project: Option<String>,
    /// What makes it the same as another lesson.
    pub topic: String,
    /// In words.
    pub text: String,
    /// The deed.
    pub evidence: Evidence,
    /// Where the memory comes from.
    pub source: Source,
    /// How often it must be seen before it holds; 1 is at once. Until then it is proposed.
    pub needed: u32,
}

/// Remembers `lesson`: as a memory of its own, or as one more of what is remembered already.
///
/// The same deed at the same place teaches once. What the user has switched off stays off, unless the user says it again.
/// Gives the memory as it is then.
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
            // Somebody was faster: look again.
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

    /// What it changes in a memory of the same topic, if anything.
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
