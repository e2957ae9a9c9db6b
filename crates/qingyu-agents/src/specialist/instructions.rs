//! Execution of correction instructions: complete ones directly, the rest through the guard.

use qingyu_story::edit::{self, Edit};
use qingyu_story::wish::{additive, names_whole};
use qingyu_story::{Action, CorrectionInstruction, Piece, PieceKind, Story};
use serde_json::json;

use crate::meta_scheduler::{BY_A_PERSON, agents_in_words};

/// The result of executed instructions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AppliedInstructions {
    /// The changed story.
    pub(crate) story: Story,
    /// Instructions that need a model: incomplete, or invalid as data.
    pub(crate) open: Vec<CorrectionInstruction>,
}

/// Executes the complete instructions, and returns the rest as open.
///
/// A deletion is always complete; an update, if it names fields and values; a creation, if it holds text beside the
/// name.
pub(crate) fn carry_out(story: &Story, instructions: &[CorrectionInstruction]) -> AppliedInstructions {
    let mut corrected = AppliedInstructions { story: story.clone(), open: Vec::new() };
    for instruction in instructions {
        let complete = edit::from_instruction(instruction).ok().filter(|edit| is_complete(instruction, edit));
        let done = complete.is_some_and(|edit| edit::apply(&mut corrected.story, edit).is_ok());
        if !done {
            corrected.open.push(instruction.clone());
        }
    }
    corrected
}

/// Merges a model's answer into `story`, as far as `instructions` allow; all other pieces stay unchanged.
pub(crate) fn guarded(story: &Story, answer: &Story, instructions: &[CorrectionInstruction]) -> edit::Outcome {
    edit::incremental(story, answer, &widened(story, instructions))
}

/// Widens a person's free-text instructions to the pieces they may concern.
///
/// A named piece is meant itself; a request for more means new pieces; any other text, or one about the agent's work as
/// such, means the whole work.
fn widened(story: &Story, instructions: &[CorrectionInstruction]) -> Vec<CorrectionInstruction> {
    let names = qingyu_story::Names::of(story);
    let mut widened = Vec::new();
    for instruction in instructions {
        if !instruction.issue_id.starts_with(BY_A_PERSON) || !instruction.parameters.is_null() {
            widened.push(instruction.clone());
            continue;
        }
        let words = &instruction.specific_instruction;
        let kinds = PieceKind::of_agent(instruction.target_agent).collect::<Vec<_>>();
        let mentions = names.mentions(words);
        let names_own = mentions.iter().flat_map(|mention| &mention.bearers).any(|named| kinds.contains(&named.kind));
        let is_of_this_work = agents_in_words(words).contains(&instruction.target_agent);
        let is_additive = additive(words);
        let is_general = !names_own && (mentions.is_empty() || is_of_this_work) && (!is_additive || names_whole(words));
        let change = |action, parameters| CorrectionInstruction { action, parameters, ..instruction.clone() };
        if names_own {
            widened.push(instruction.clone());
        }
        for kind in kinds.into_iter().filter(|_| is_general || is_additive) {
            widened.push(change(Action::Create, json!({ "kind": kind })));
            for piece in story.pieces_of(kind).filter(|_| is_general) {
                widened.push(change(Action::Update, json!({ "kind": kind, "id": piece.id() })));
            }
        }
    }
    widened
}

fn is_complete(instruction: &CorrectionInstruction, edit: &Edit) -> bool {
    match edit {
        Edit::Delete { .. } => true,
        Edit::Update { kind, fields, .. } => !fields.is_empty() && !leaves_open(instruction, *kind),
        Edit::Create { piece } => says_something(piece) && !leaves_open(instruction, piece.kind()),
    }
}

/// Returns whether a field is left to the agent. A `null` leaves the field open, unless the field is optional: it is
/// then removed.
fn leaves_open(instruction: &CorrectionInstruction, kind: PieceKind) -> bool {
    let empty = Piece::empty(kind).fields();
    let optional = |field: &String| empty.get(field).is_some_and(serde_json::Value::is_null);
    let given = instruction.parameters.as_object();
    given.is_some_and(|given| given.iter().any(|(field, value)| value.is_null() && !optional(field)))
}

/// Returns whether a new piece holds more than a name.
fn says_something(piece: &Piece) -> bool {
    let written = |texts: &[&String]| texts.iter().any(|text| !text.trim().is_empty());
    match piece {
        Piece::Character(card) => written(&[&card.personality, &card.background, &card.goals]),
        Piece::Relation(relation) => written(&[&relation.description]),
        Piece::OutlineNode(node) => written(&[&node.description]),
        Piece::Event(event) => written(&[&event.description]),
        Piece::PlotNode(node) => written(&[&node.description]),
        Piece::Location(place) => written(&[&place.description]),
        Piece::Organisation(body) => written(&[&body.description]),
        Piece::Item(item) => written(&[&item.description]),
        Piece::WorldRule(rule) => written(&[&rule.statement]),
        Piece::Ladder(ladder) => written(&[&ladder.description]) || !ladder.steps.is_empty(),
        Piece::Document(document) => written(&[&document.text]),
        Piece::Fact(fact) => written(&[&fact.subject]),
        Piece::Promise(promise) => written(&[&promise.description]),
        Piece::Worldview(world) => written(&[&world.summary]),
        Piece::Style(style) => !style.guidelines.is_empty(),
    }
}
