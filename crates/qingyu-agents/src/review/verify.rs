//! Verification of the reviewer model's claims against data.
//!
//! Only one kind of claim is checked: a missing piece. A claim that a piece lacks a quality ("林深缺少动机") is a judgement
//! and stays unchecked.

use qingyu_story::edit::{Edit, EditTarget, from_instruction, is_blank};
use qingyu_story::{Action, CorrectionInstruction, Issue, Names, Piece, PieceKind, Story, marks};

/// Phrases after a name reported missing; the claim must end there.
const IS_MISSING: [&str; 20] = [
    "缺失",
    "未定义",
    "尚未定义",
    "未被定义",
    "没有定义",
    "没有被定义",
    "不存在",
    "并不存在",
    "未找到",
    "没有角色卡",
    "没有卡片",
    "不在角色列表中",
    "不在角色列表里",
    "未出现在角色列表中",
    "is missing",
    "is undefined",
    "is not defined",
    "does not exist",
    "was not found",
    "has no card",
];

/// Phrases before a name reported missing.
const MISSES: [&str; 18] = [
    "缺少角色",
    "缺少人物",
    "缺少地点",
    "缺少",
    "缺失角色",
    "未定义角色",
    "未定义",
    "没有定义角色",
    "没有定义",
    "找不到",
    "未找到",
    "missing character",
    "missing location",
    "missing",
    "undefined character",
    "undefined",
    "no character called",
    "lacks",
];

/// Returns the existing piece that refutes `issue`: reported missing, or to be created by every instruction of the
/// issue.
pub(super) fn refuted(
    issue: &Issue,
    instructions: &[CorrectionInstruction],
    story: &Story,
    names: &Names,
) -> Option<String> {
    let created = instructions.iter().map(|instruction| existing(instruction, story, names)).collect::<Vec<_>>();
    if let Some(Some(piece)) = created.first()
        && created.iter().all(Option::is_some)
    {
        return Some(piece.clone());
    }
    [&issue.title, &issue.root_cause].into_iter().find_map(|text| said_to_be_missing(text, names))
}

/// Returns the instruction as it is meant: to create a piece that exists, with fields that are empty there, is to fill them.
pub(super) fn meant(instruction: CorrectionInstruction, story: &Story, names: &Names) -> CorrectionInstruction {
    if instruction.action != Action::Create {
        return instruction;
    }
    let update = CorrectionInstruction { action: Action::Update, ..instruction.clone() };
    let Ok(Edit::Update { kind, target, fields }) = from_instruction(&update) else { return instruction };
    let position = match &target {
        EditTarget::Only => Some(0),
        EditTarget::Named(name) => names.resolve(kind, name).map(|named| named.position),
        EditTarget::Pair { .. } => None,
    };
    let known = position.and_then(|position| story.piece(kind, position)).map(|piece| piece.fields());
    let is_empty = |field: &String| known.as_ref().and_then(|known| known.get(field)).is_some_and(is_blank);
    match !fields.is_empty() && fields.keys().all(is_empty) {
        true => update,
        false => instruction,
    }
}

/// Returns the existing piece that `instruction` would create again.
pub(super) fn existing(instruction: &CorrectionInstruction, story: &Story, names: &Names) -> Option<String> {
    if instruction.action != Action::Create {
        return None;
    }
    let parameters = &instruction.parameters;
    if let Ok(Edit::Create { piece: Piece::Relation(relation) }) = from_instruction(instruction) {
        let same = story
            .character_relations
            .iter()
            .find(|other| (&other.from, &other.to, other.kind) == (&relation.from, &relation.to, relation.kind))?;
        return Some(Piece::Relation(same.clone()).label());
    }
    let name = ["name", "title"].iter().find_map(|key| parameters.get(key)?.as_str())?;
    let said = parameters.get("kind").and_then(|kind| kind.as_str()).and_then(PieceKind::parse);
    let mut kinds = PieceKind::of_agent(instruction.target_agent).filter(|kind| said.is_none_or(|said| said == *kind));
    // A new card may have a part of another's name.
    kinds.find_map(|kind| match names.find(kind, name).as_slice() {
        [one] => Some(one.name.clone()),
        _ => None,
    })
}

/// Returns an existing piece reported missing by the text.
fn said_to_be_missing(text: &str, names: &Names) -> Option<String> {
    names.mentions(text).into_iter().find_map(|mention| {
        let before = text[..mention.start].trim_end_matches(quotes).trim_end().trim_end_matches([':', '：']);
        let after = text[mention.end..].trim_start_matches(quotes);
        let possessive = after.starts_with('的') || after.starts_with("'s") || after.starts_with("’s");
        let missing = IS_MISSING.iter().any(|words| after.trim_start().strip_prefix(words).is_some_and(ends))
            || !possessive && MISSES.iter().any(|words| before.to_lowercase().ends_with(words)) && ends(after);
        missing.then(|| mention.bearers.first().map(|named| named.name.clone())).flatten()
    })
}

/// Returns whether the statement about the name ends here.
fn ends(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && !c.is_whitespace())
        || rest.trim_start().starts_with("from the ")
}

fn quotes(c: char) -> bool {
    marks::is_quote(c) || matches!(c, '《' | '》')
}
