//! The node that waits for the author at a gate.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::{Levels, Story};

use crate::writing::asking::{ChapterWork, ask_author};
use crate::writing::gate::{GateReason, WritingGate};
use crate::writing::names::NEXT_CHAPTER;
use crate::writing::questions::{About, AuthorQuestion};
use crate::writing::resources::WritingResources;
use crate::writing::state::WritingState;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let work = ChapterWork::new(&room, &state, &context);
    let passed = u32::try_from(state.accepted.len()).unwrap_or(u32::MAX);
    let update = work.update.gate(None).gate_passed(passed);
    let (Some(reason), Some(last)) = (state.gate.clone(), state.accepted.last()) else {
        return Ok(Command::update(update).goto([NEXT_CHAPTER]));
    };
    let id = format!("q-{}-gate", last.chapter);
    let left = state.queue.as_ref().map_or(0, Vec::len);
    let about = About::Gate { reason, left: u32::try_from(left).unwrap_or(u32::MAX) };
    let question = AuthorQuestion { id, chapter: last.chapter, title: last.title.clone(), about };
    // The chapters stay; a run that is rejected ends with its open questions.
    let update = match ask_author(&context, "gate", question).await? {
        true => update,
        false => update.queue(Some(Vec::new())),
    };
    Ok(Command::update(update).goto([NEXT_CHAPTER]))
}

/// Returns why the run waits before its next chapter; `None` if no gate is reached since the last answer.
pub(in crate::writing) fn reached(state: &WritingState, story: &Story) -> Option<GateReason> {
    let since = state.accepted.len().saturating_sub(usize::try_from(state.gate_passed).unwrap_or_default());
    let last = state.accepted.last().filter(|_| since > 0)?;
    state.config.gates.iter().find_map(|gate| match gate {
        WritingGate::Arc => {
            let levels = Levels::of(story)?;
            let (_, arc) = levels.arc_of(last.chapter).filter(|(_, arc)| arc.last == last.chapter)?;
            Some(GateReason::ArcEnded { arc: story.outline_nodes[arc.node].name.clone() })
        }
        WritingGate::Chapters(count) => {
            let is_due = u32::try_from(since).unwrap_or(u32::MAX) >= *count;
            is_due.then_some(GateReason::Chapters { count: *count })
        }
        WritingGate::Severity(least) => {
            let reviewed = state.review_result.iter().flat_map(|verdict| &verdict.findings);
            let findings = reviewed.chain(&last.findings);
            let worst = findings.filter(|finding| finding.severity >= *least).max_by_key(|finding| finding.severity)?;
            Some(GateReason::Finding { severity: worst.severity, title: worst.title.clone() })
        }
    })
}

#[cfg(test)]
mod tests {
    use qingyu_story::Severity;

    use super::*;
    use crate::writing::accepted::AcceptedChapter;
    use crate::writing::config::WritingConfig;
    use crate::writing::review::{ChapterFinding, Verdict};

    #[test]
    fn a_gate_is_reached_once() {
        let row = |chapter| AcceptedChapter { chapter, ..AcceptedChapter::default() };
        let state = |gates: &[WritingGate], accepted: u32, gate_passed| WritingState {
            config: WritingConfig { gates: gates.to_vec(), ..WritingConfig::default() },
            accepted: (1..=accepted).map(row).collect(),
            gate_passed,
            ..WritingState::default()
        };
        let every = [WritingGate::Chapters(2)];
        let story = Story::default();
        assert_eq!(reached(&state(&every, 1, 0), &story), None);
        assert_eq!(reached(&state(&every, 2, 0), &story), Some(GateReason::Chapters { count: 2 }));
        assert_eq!(reached(&state(&every, 3, 2), &story), None);
        let mut severe = state(&[WritingGate::Severity(Severity::High)], 1, 0);
        assert_eq!(reached(&severe, &story), None);
        let finding =
            ChapterFinding { severity: Severity::Critical, title: "死人说话".into(), ..Default::default() };
        severe.review_result = Some(Verdict { findings: vec![finding], ..Verdict::default() });
        assert!(matches!(reached(&severe, &story), Some(GateReason::Finding { .. })));
        // What only settlement has found counts as well.
        let found = severe.review_result.take().map(|verdict| verdict.findings).unwrap_or_default();
        severe.accepted[0].findings = found;
        assert!(matches!(reached(&severe, &story), Some(GateReason::Finding { .. })));
        severe.gate_passed = 1;
        assert_eq!(reached(&severe, &story), None, "the author has seen it");
    }
}
