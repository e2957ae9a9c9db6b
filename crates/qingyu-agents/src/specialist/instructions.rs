//! Carrying out correction instructions: those that are complete as data at once, the rest through the guard.

use qingyu_story::edit::{self, Edit};
use qingyu_story::wish::{additive, names_whole};
use qingyu_story::{Action, CorrectionInstruction, Piece, PieceKind, Story};
use serde_json::json;

use crate::meta_scheduler::{BY_A_PERSON, agents_in_words};

/// What came of the instructions.
#[derive(Debug, Clone, PartialEq)]
pub struct Corrected {
    /// The story after the changes.
    pub story: Story,
    /// Instructions that need a model: they leave something open, or do not fit as data.
    pub open: Vec<CorrectionInstruction>,
}

/// Carries out the instructions that say all there is to say; the rest is left open.
///
/// A deletion is complete; a change is when it names fields and values; a new piece is when its text is there and not
/// only its name.
pub fn carry_out(story: &Story, instructions: &[CorrectionInstruction]) -> Corrected {
    let mut corrected = Corrected { story: story.clone(), open: Vec::new() };
    for instruction in instructions {
        let complete = edit::from_instruction(instruction).ok().filter(|edit| is_complete(instruction, edit));
        let done = complete.is_some_and(|edit| edit::apply(&mut corrected.story, edit).is_ok());
        if !done {
            corrected.open.push(instruction.clone());
        }
    }
    corrected
}

/// Carries a model's answer into `story`, as far as `instructions` allow; what they do not name stays as it is.
pub fn guarded(story: &Story, answer: &Story, instructions: &[CorrectionInstruction]) -> edit::Outcome {
    edit::incremental(story, answer, &widened(story, instructions))
}

/// What a person says in words, as far as it can be told what it is about.
///
/// Who names a piece means that piece; who asks for more means new pieces; who does neither, or speaks of the agent's
/// work as such, means all of that work.
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

/// Whether a field is left to the agent. A `null` leaves it open, unless the field is optional: that is cleared.
fn leaves_open(instruction: &CorrectionInstruction, kind: PieceKind) -> bool {
    let empty = Piece::empty(kind).fields();
    let optional = |field: &String| empty.get(field).is_some_and(serde_json::Value::is_null);
    let given = instruction.parameters.as_object();
    given.is_some_and(|given| given.iter().any(|(field, value)| value.is_null() && !optional(field)))
}

/// Whether a new piece is more than a name.
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
        Piece::Document(document) => written(&[&document.text]),
        Piece::Fact(fact) => written(&[&fact.subject]),
        Piece::Promise(promise) => written(&[&promise.description]),
        Piece::Worldview(world) => written(&[&world.summary]),
        Piece::Style(style) => !style.guidelines.is_empty(),
    }
}
