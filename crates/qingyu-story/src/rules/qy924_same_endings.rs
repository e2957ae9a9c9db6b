//! QY924: too many chapters in a row end in the same way.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::endings::{ChapterEnd, EndingKey};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Language, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy924_same_endings.toml");
    Rule::new("QY924", (Severity::Low, Category::Quality, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let most = material.sequence_limits().same_ending as usize;
    let ends = ChapterEnd::all(material);
    let (mut drafts, mut first) = (Vec::new(), 0);
    while first < ends.len() {
        let mut shared = ends[first].keys.clone();
        let mut last = first;
        while let Some(next) = ends.get(last + 1) {
            let both: BTreeSet<EndingKey> = shared.intersection(&next.keys).cloned().collect();
            if both.is_empty() {
                break;
            }
            (shared, last) = (both, last + 1);
        }
        let row = &ends[first..=last];
        if let Some(key) = shared.first().filter(|_| row.len() >= most) {
            drafts.push(draft(row, key, material.story.language));
        }
        // The last chapter may begin a row of another kind.
        first = if last > first { last } else { first + 1 };
    }
    drafts
}

fn draft(row: &[ChapterEnd<'_, '_>], key: &EndingKey, language: Language) -> FindingDraft {
    let (first, middle, last) = (&row[0], &row[row.len() / 2], &row[row.len() - 1]);
    let (identity, ending) = match (key, language) {
        (EndingKey::Form(kind), _) => (format!("{kind:?}"), kind.name(language).to_owned()),
        (EndingKey::Hook(words), Language::Zh) => (words.clone(), format!("同一个钩子“{words}”")),
        (EndingKey::Hook(words), Language::En) => (words.clone(), format!("the same hook ('{words}')")),
    };
    let begin = first.node.map_or_else(|| first.title.clone(), |node| handle(node).to_string());
    let mut draft = FindingDraft::about([identity, begin])
        .say("first", first.title.trim())
        .say("last", last.title.trim())
        .say("count", row.len().to_string())
        .say("ending", ending);
    for end in row {
        draft = draft.affects(end.title.trim());
        draft = match (end.text, end.node, key) {
            (Some((text, ending)), _, EndingKey::Form(_)) => draft.quotes([chapters::quote(text, &ending.range)]),
            (_, Some(node), _) => draft.quote(anchor(PieceKind::OutlineNode, node, "hook"), node.hook.trim()),
            (..) => draft,
        };
    }
    let draft = match (middle.text, middle.node) {
        (Some((text, _)), _) => draft.fix_text("rewrite", text.document, &[]),
        (None, Some(node)) => {
            draft.fix("plan", Action::Update, PieceKind::OutlineNode, target(node, json!({ "hook": Value::Null })))
        }
        (None, None) => return draft,
    };
    draft.fix_says("middle", middle.title.trim())
}
