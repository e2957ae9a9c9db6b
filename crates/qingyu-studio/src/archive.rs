//! Keeps what agents made, in the project, as soon as they made it.

use std::error::Error as StdError;

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_agents::PieceChange;
use qingyu_agents::archive::{self, Archive};
use qingyu_store::{Change, ChangeKey, Piece, Provenance, Save, Stories};
use qingyu_story::Action;
use sha2::{Digest, Sha256};

use crate::EventKind;
use crate::journal::Journal;

/// The archive of one run.
#[derive(Debug, Clone)]
pub(crate) struct StoryArchive {
    pub(crate) stories: Stories,
    pub(crate) journal: Journal,
}

impl Archive for StoryArchive {
    fn save<'a>(&'a self, saved: archive::Saved) -> BoxFuture<'a, Result<(), Box<dyn StdError + Send + Sync>>> {
        async move {
            let agent = saved.provenance.agent.clone();
            let kept = self.stories.save(save(saved), Timestamp::now()).await?;
            if kept.fresh && kept.pieces > 0 {
                self.journal.tell(EventKind::Saved { version: kept.version, pieces: kept.pieces, agent });
            }
            Ok(())
        }
        .boxed()
    }
}

/// The save of an agent's work in the store's terms.
fn save(saved: archive::Saved) -> Save {
    let archive::Saved { project_id, changes, provenance, .. } = saved;
    let archive::Provenance { run_id, agent, step_id, iteration, model, prompt_hash, usage, .. } = provenance;
    let mut step = format!("{agent}/{}", step_id.unwrap_or_default());
    if step_id.is_none() {
        // A person, or an agent outside the plan, may act several times in one round; equal work is saved once.
        let content = serde_json::to_vec(&changes).expect("changes are plain data");
        let hash = Sha256::digest(content);
        step.push_str(&hash.iter().take(6).fold(String::from("/"), |text, byte| format!("{text}{byte:02x}")));
    }
    Save {
        project: project_id,
        key: ChangeKey { run: run_id, step, iteration },
        provenance: Provenance { agent, prompt_hash, model, tokens: usage.input + usage.output },
        expected: None,
        changes: changes.into_iter().map(change).collect(),
    }
}

fn change(made: PieceChange) -> Change {
    let kind = made.kind().into();
    match made.action {
        Action::Delete => Change::Remove { kind, id: made.id },
        Action::Create | Action::Update => {
            let position = u32::try_from(made.position).unwrap_or(u32::MAX);
            let mut tagged = serde_json::to_value(&made.piece).expect("pieces are plain data");
            Change::Put(Piece { kind, id: made.id, position, body: tagged["piece"].take() })
        }
    }
}
