//! Functions shared by the nodes: calls about a chapter, progress, saving.

use std::sync::Arc;

use qingyu_graph::{Context, NodeError};
use qingyu_story::settlement::{Settlement, WithdrawnPiece, digest};
use qingyu_story::{AuthorInstruction, Language, OutlineNode, Provenance, Story};
use qingyu_tools::workspace::{self, WorkspaceSave};
use serde::Serialize;

use super::accepted::AcceptedChapter;
use super::card::sentences_within;
use super::context_card::ContextCard;
use super::notice::WritingNotice;
use super::own_words;
use super::plan::{ChapterPlan, fallback};
use super::questions::{AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision};
use super::reading::CallCosts;
use super::review::ChapterFinding;
use super::state::{WritingState, WritingStateUpdate};
use crate::Error;
use crate::call::{self, CallContext, CallRecord, NodeCall, emit};
use crate::progress::{ChapterStep, Progress};
use crate::prompts::PromptName;
use crate::writing::resources::WritingResources;
use crate::writing::task::{Part, WritingTask};
use crate::writing::trouble::{Trouble, TroubleCode};

/// A node during its run on a chapter: inputs, and the update so far.
pub(super) struct ChapterWork<'a> {
    pub(super) room: &'a WritingResources,
    pub(super) state: &'a WritingState,
    pub(super) context: &'a Context,
    pub(super) update: WritingStateUpdate,
    /// Whether the chapter is only read, concurrently with others.
    pub(super) reads: bool,
    /// Costs of the calls.
    pub(super) spent: CallCosts,
}

/// The purpose, agent and prompts of a call about a chapter.
pub(super) struct ChapterCallSpec {
    pub(super) agent: &'static str,
    pub(super) purpose: &'static str,
    /// Distinguishes several calls of one node.
    pub(super) part: String,
    pub(super) names: [PromptName; 2],
    pub(super) temperature: f32,
}

/// Asks the author one question until it is decided; a postponed answer is asked again. Returns whether it was accepted.
pub(super) async fn ask_author(context: &Context, key: &str, question: AuthorQuestion) -> Result<bool, NodeError> {
    let id = question.id.clone();
    let questions = AuthorQuestions { questions: vec![question] };
    let mut attempt = 0;
    loop {
        attempt += 1;
        let answers = context.ask::<AuthorAnswers>(&format!("{key}/{attempt}"), &questions).await?;
        match answers.decision(&id) {
            Decision::Accept => return Ok(true),
            Decision::Reject => return Ok(false),
            Decision::Later => {}
        }
    }
}

impl<'a> ChapterWork<'a> {
    pub(super) fn new(room: &'a WritingResources, state: &'a WritingState, context: &'a Context) -> Self {
        let update = WritingState::update().current_step(context.node().to_owned());
        Self { room, state, context, update, reads: false, spent: CallCosts::default() }
    }

    /// Returns the work on a concurrently read chapter; its updates are limited to counters.
    pub(super) fn reading(room: &'a WritingResources, state: &'a WritingState, context: &'a Context) -> Self {
        Self { room, state, context, update: WritingState::update(), reads: true, spent: CallCosts::default() }
    }

    pub(super) fn language(&self) -> Language {
        self.state.language
    }

    pub(super) fn chapter(&self) -> &'a super::book::ChapterInHand {
        self.state.chapter.as_ref().expect("this node runs only with a chapter in hand")
    }

    /// Returns a row with the costs of the chapter so far, the calls of this node included.
    pub(super) fn costs(&self) -> AcceptedChapter {
        let (state, chapter) = (self.state, self.chapter());
        AcceptedChapter {
            calls: u32::try_from(state.messages.len() - chapter.calls_before).unwrap_or(u32::MAX) + self.spent.calls,
            tokens: state.tokens_used - chapter.spent_before.0 + self.spent.tokens,
            cost_micros: state.cost_micros - chapter.spent_before.1 + self.spent.cost_micros,
            ..AcceptedChapter::default()
        }
    }

    /// Returns the instruction of a rewrite, with the beginning of its passage in the current draft.
    pub(super) fn instruction(&self) -> Option<AuthorInstruction> {
        let WritingTask::Rewrite { instruction, part, .. } = &self.state.task else { return None };
        let range = self.state.part.filter(|_| *part != Part::Whole);
        let passage = range.and_then(|(start, end)| self.state.content_draft.get(start..end));
        let first = passage.and_then(|passage| passage.trim().lines().next()).unwrap_or_default();
        let passage = first.chars().take(PASSAGE).collect();
        Some(AuthorInstruction { text: instruction.clone(), passage, ..AuthorInstruction::default() })
    }

    /// Returns what the author asked for in the chapter, the newest last, with the instruction of this run.
    pub(super) fn asked(&self) -> Vec<AuthorInstruction> {
        let known = self.chapter().instructions.iter();
        let draft = &self.state.content_draft;
        let mut asked: Vec<AuthorInstruction> = known.filter(|one| own_words::stands(one, draft)).cloned().collect();
        if let Some(new) = self.instruction() {
            asked.retain(|known| !known.is_same(&new));
            asked.push(new);
        }
        asked
    }

    /// Same as [`asked`](Self::asked), without the instructions to keep sentences in which the findings have contradictions.
    pub(super) fn asked_beside(&self, findings: &[ChapterFinding]) -> Vec<AuthorInstruction> {
        without_contradicted(self.asked(), findings, &self.state.content_draft)
    }

    /// Returns the plan as a prompt with `card` shows it: empty if the card has the outline that the plan only repeats, and
    /// without the promises that the card lists.
    pub(super) fn shown_plan(&self, card: &ContextCard) -> ChapterPlan {
        let (plan, chapter) = (&self.state.plan, self.chapter());
        let around = &chapter.surroundings;
        let scenes: Vec<&OutlineNode> = around.scenes.iter().collect();
        let is_outline = || *plan == fallback(&around.node, &scenes, chapter.words).bounded(chapter.words);
        match card.chapter.is_empty() {
            true => plan.clone(),
            false if self.state.own_plan().is_none() && is_outline() => ChapterPlan::default(),
            false => plan.clone().beside_outline(around.nodes()),
        }
    }

    /// Returns the call context of this node.
    pub(super) fn seat(&self) -> CallContext<'a> {
        CallContext {
            workshop: &self.room.workshop,
            context: self.context,
            language: self.state.language,
            golden: &self.state.golden_context,
        }
    }

    /// Returns the call for a prompt.
    pub(super) fn call(&self, asked: ChapterCallSpec, prompt: &impl Serialize) -> Result<NodeCall<'a>, Error> {
        let ChapterCallSpec { agent, purpose, mut part, names, temperature } = asked;
        if self.reads {
            // Concurrently read chapters make their calls in one superstep.
            part = self.state.number().to_string();
        }
        let asked = call::CallSpec {
            agent,
            purpose: purpose.into(),
            part,
            chapter: Some(self.state.number()),
            names,
            temperature: Some(temperature),
            essential: false,
        };
        self.seat().call(asked, prompt, prompt)
    }

    /// Applies `change` to the update.
    pub(super) fn write(&mut self, change: impl FnOnce(WritingStateUpdate) -> WritingStateUpdate) {
        self.update = change(std::mem::take(&mut self.update));
    }

    /// Counts a call.
    pub(super) fn count(&mut self, record: &CallRecord) {
        self.spent.add(record);
        self.write(|update| update.call(record));
    }

    /// Emits and stores a warning about a fallback.
    pub(super) fn warn(&mut self, notice: &WritingNotice<'_>) {
        self.warn_of(notice.text(self.language()));
    }

    /// Emits and stores warnings about refused statements and withdrawn pieces.
    pub(super) fn warn_of_settlement(&mut self, settlement: &Settlement, withdrawn: &[WithdrawnPiece]) {
        if !settlement.rejected.is_empty() {
            self.warn(&WritingNotice::Rejected { rejected: &settlement.rejected });
        }
        if !withdrawn.is_empty() {
            self.warn(&WritingNotice::Withdrawn { pieces: withdrawn });
        }
    }

    /// Emits and stores a warning.
    pub(super) fn warn_of(&mut self, message: String) {
        emit(self.context, &Progress::Warning { message: message.clone() });
        self.write(|update| update.warnings(vec![message]));
    }

    /// Appends a line of reasoning.
    pub(super) fn reason(&mut self, notice: &WritingNotice<'_>) {
        let message = notice.text(self.language());
        self.write(|update| update.reasoning(vec![message]));
    }

    /// Emits the progress of the current chapter.
    pub(super) fn tell(&self, step: ChapterStep) {
        let chapter = self.chapter();
        tell(self.context, chapter.number, &chapter.title, step);
    }
}

/// Returns instructions of the author as prompts show them, each within its limit, without a passage that the text no longer
/// has.
pub(super) fn shown(asked: &[AuthorInstruction], text: &str) -> Vec<AuthorInstruction> {
    let clipped = |one: &AuthorInstruction| {
        let passage = if text.contains(one.passage.as_str()) { one.passage.clone() } else { String::new() };
        AuthorInstruction { text: sentences_within(&one.text, INSTRUCTION), passage, ..one.clone() }
    };
    asked.iter().map(clipped).collect()
}

/// Maximum tokens of an instruction in a prompt.
const INSTRUCTION: u64 = 200;
/// Number of characters that show where a rewritten passage begins.
const PASSAGE: usize = 24;

/// Emits the progress of a chapter.
pub(super) fn tell(context: &Context, chapter: u32, title: &str, step: ChapterStep) {
    emit(context, &Progress::Chapter { chapter, title: title.to_owned(), step });
}

/// Converts a failed call into a trouble, if the run can do more than wait; returns any other error unchanged.
pub(super) fn trouble_of(error: NodeError, node: &str) -> Result<Trouble, NodeError> {
    let code = match &error {
        NodeError::Failed { source, .. } => match source.downcast_ref::<Error>() {
            Some(Error::Model { source: qingyu_llm::Error::PromptTooLong { .. }, .. }) => Some(TroubleCode::TooLong),
            Some(Error::Model { source: qingyu_llm::Error::Unsupported { .. }, .. }) => Some(TroubleCode::CannotWrite),
            Some(Error::Model { source: qingyu_llm::Error::Filtered { .. }, .. }) => Some(TroubleCode::Refused),
            _ => None,
        },
        _ => None,
    };
    match (code, error) {
        (Some(code), NodeError::Failed { source, .. }) => {
            Ok(Trouble { node: node.to_owned(), code, message: source.to_string() })
        }
        (_, error) => Err(error),
    }
}

/// Returns the digest of a text, the input of a stored step.
pub(super) fn known_by(text: &str) -> String {
    digest(text)
}

/// Maximum attempts of a save on concurrent changes.
const ATTEMPTS: u32 = 8;

/// A change of the project to be saved.
pub(super) struct ProjectChange<T> {
    pub(super) after: Story,
    /// Key of the save; a duplicate key is saved once.
    pub(super) key: String,
    pub(super) provenance: Provenance,
    /// Additional result of the change.
    pub(super) made: T,
}

/// Returns the provenance of a change that `agent` makes in the node `tool` without a model call.
pub(super) fn provenance_of(state: &WritingState, agent: &str, tool: &str, note: String) -> Provenance {
    Provenance {
        agent: agent.into(),
        tool: tool.into(),
        run: Some(state.run_id.clone()).filter(|run| !run.is_empty()),
        note,
        ..Provenance::default()
    }
}

/// Applies `change` to the newest version of the project and saves it, with retries on concurrent changes. Returns the
/// new version and the additional result, or `None` if nothing changed.
pub(super) async fn save<T>(
    room: &WritingResources,
    mut change: impl FnMut(&Story) -> Result<Option<ProjectChange<T>>, Error>,
) -> Result<Option<(u64, T)>, Error> {
    let mut attempt = 1;
    loop {
        let (before, expected) = load(room).await?;
        let Some(ProjectChange { after, key, provenance, made }) = change(&before)? else { return Ok(None) };
        match room.workspace.save(WorkspaceSave { before, after, expected, key, provenance }).await {
            Ok(version) => return Ok(Some((version, made))),
            Err(workspace::Error::Conflict { .. }) if attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Returns the current story and its version.
pub(super) async fn load(room: &WritingResources) -> Result<(Arc<Story>, u64), Error> {
    let loaded = room.workspace.load().await?;
    Ok((loaded.story, loaded.version))
}

/// Returns the instructions without those to keep a sentence in which the rules find a contradiction that is to be mended.
/// Findings that are held count for nothing, so that the numbers of instructions are the same with and without them.
fn without_contradicted(
    asked: Vec<AuthorInstruction>,
    findings: &[ChapterFinding],
    text: &str,
) -> Vec<AuthorInstruction> {
    let is_open = |finding: &&ChapterFinding| finding.is_contradiction() && finding.held.is_none();
    let is_contradicted = |one: &AuthorInstruction| {
        let mut open = findings.iter().filter(is_open);
        open.any(|finding| own_words::keeping(std::slice::from_ref(one), text, &finding.quote).is_some())
    };
    asked.into_iter().filter(|one| !is_contradicted(one)).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::Document;

    use super::*;
    use crate::writing::review::HeldReason;

    #[test]
    fn an_instruction_is_shown_without_a_passage_that_is_gone() {
        let of = |passage: &str| AuthorInstruction {
            text: "改成十一岁".into(),
            passage: passage.into(),
            ..AuthorInstruction::default()
        };
        let shown = shown(&[of("他三十二岁。"), of("他十五岁。")], "他三十二岁。门开了。");
        let passages: Vec<&str> = shown.iter().map(|one| one.passage.as_str()).collect();
        assert_eq!(passages, ["他三十二岁。", ""]);
    }

    #[test]
    fn a_contradiction_in_a_sentence_written_by_hand_is_mended() {
        let text = "他三十二岁。门开了。";
        let by_hand = vec!["他三十二岁。".into(), "门开了。".into()];
        let document = Document { text: text.into(), by_hand, ..Document::default() };
        let finding = |code: Option<&str>, held: Option<HeldReason>| ChapterFinding {
            code: code.map(str::to_owned),
            held,
            severity: qingyu_story::Severity::Medium,
            quote: "他三十二岁。".into(),
            ..ChapterFinding::default()
        };
        let kept = |finding: ChapterFinding| {
            let asked = own_words::instructions(&document, Language::Zh);
            without_contradicted(asked, &[finding], text).len()
        };
        let left = |code: Option<&str>| kept(finding(code, None));
        assert_eq!([left(Some("QY314")), left(Some("QS011")), left(None)], [1, 2, 2], "opinions leave it as it stands");
        let held = Some(HeldReason::Disputed { why: "他生在闰年".into() });
        assert_eq!(kept(finding(Some("QY314"), held)), 2, "nothing is to be mended");
    }
}
