//! QY920: two chapters have the same title.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::chapters::{Chapter, heading};
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::is_unwritten;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy920_same_title.toml");
    Rule::new("QY920", (Severity::Low, Category::Consistency, "outline"), texts, run)
}

/// Titles that a book may have several times.
const GENERIC: [&str; 20] = [
    "序",
    "序章",
    "序言",
    "楔子",
    "引子",
    "尾声",
    "终章",
    "后记",
    "番外",
    "间章",
    "幕间",
    "作者的话",
    "prologue",
    "epilogue",
    "interlude",
    "intermission",
    "preface",
    "introduction",
    "conclusion",
    "author's note",
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut titles: BTreeMap<String, Vec<&Chapter>> = BTreeMap::new();
    for chapter in material.contents.all() {
        if let Some(title) = own_title(&chapter.title) {
            titles.entry(fold(title)).or_default().push(chapter);
        }
    }
    let repeated = titles.into_values().filter(|chapters| chapters.len() > 1);
    repeated
        .map(|mut same| {
            same.sort_by_cached_key(|chapter| place(material, chapter));
            draft(material, &same)
        })
        .collect()
}

/// Returns the title behind the chapter's number, unless many books repeat it.
fn own_title(title: &str) -> Option<&str> {
    let own = heading(title).map_or(title, |heading| heading.rest).trim();
    let is_generic = GENERIC.contains(&fold(own).as_str()) || is_unwritten(own);
    (own.chars().filter(|c| c.is_alphanumeric()).count() > 1 && !is_generic).then_some(own)
}

fn draft(material: &RuleMaterial<'_>, same: &[&Chapter]) -> FindingDraft {
    let title = own_title(&same[0].title).unwrap_or_default();
    let mut draft = FindingDraft::about(same.iter().map(|chapter| place(material, chapter).1))
        .say("title", title)
        .say("count", same.len().to_string())
        .list("chapters", same.iter().map(|chapter| chapter.title.trim().to_owned()));
    for (at, chapter) in same.iter().enumerate() {
        let (quoted, title) = (place(material, chapter).1, chapter.title.trim());
        draft = draft.affects(title);
        match chapter.node.map(|node| &material.story.outline_nodes[node]) {
            Some(node) => {
                draft = draft.quote(anchor(PieceKind::OutlineNode, node, "name"), title);
                if at > 0 {
                    let fields = target(node, json!({ "name": Value::Null }));
                    draft =
                        draft.fix("rename", Action::Update, PieceKind::OutlineNode, fields).fix_says("chapter", title);
                }
            }
            None => {
                draft = draft.quote(format!("documents/{quoted}/title"), title);
                if at > 0
                    && let Some(document) = chapter.documents.first()
                {
                    let document = &material.story.documents[*document];
                    draft = draft.fix_text("rename", document, &[]).fix_says("chapter", title);
                }
            }
        }
    }
    draft
}

/// Returns the order and the handle of the chapter's outline node, or of its first text.
fn place(material: &RuleMaterial<'_>, chapter: &Chapter) -> (u32, String) {
    let story = material.story;
    match (chapter.node, chapter.documents.first()) {
        (Some(node), _) => (story.outline_nodes[node].order, handle(&story.outline_nodes[node]).to_owned()),
        (None, Some(text)) => (story.documents[*text].order, handle(&story.documents[*text]).to_owned()),
        (None, None) => (chapter.place, chapter.title.clone()),
    }
}
