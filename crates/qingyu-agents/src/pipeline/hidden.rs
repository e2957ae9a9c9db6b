//! Secrets kept from the reader that concern the cast, for the designer of characters.

use qingyu_story::{Agent, Character, OutlineNode, Story, says_something};

use crate::labels;
use crate::levels::SpentTwists;
use crate::prompts::{MaterialForm, PromptMaterial};
use crate::writing::book::{NumberedBook, title};
use crate::writing::card;

/// Returns the truth of the book, the secrets of its people, and the turns and revelations that the text has not told and
/// no chapter is planned to pay, a line each: those about people named in `task` first. What the material of `seen` shows
/// is left out.
pub(super) fn hidden(story: &Story, seen: &Story, task: &str) -> Vec<String> {
    let words = labels::of(story.language);
    let material = PromptMaterial::of(seen, MaterialForm::WorkOf(Agent::Character));
    let shown = [material.worldview, material.outline_nodes, material.characters].map(Option::unwrap_or_default);
    let is_shown = |text: &str| shown.iter().any(|section| section.contains(text.trim()));
    let book = NumberedBook::of(story);
    let next = book.written().0.last().copied().unwrap_or_default() + 1;
    let people: Vec<String> = story.characters.iter().map(|card| card.name.clone()).collect();
    let mut lines = card::hidden(&book, next, &people, &[]);
    let truth = story.worldview.iter().map(|world| world.truth.as_str());
    let secrets = truth.chain(story.characters.iter().map(|card| card.secret.as_str()));
    let new: Vec<&str> = secrets.filter(|text| says_something(text) && !is_shown(text)).collect();
    lines.retain(|line| new.iter().any(|text| line.ends_with(text.trim())));
    let spent = SpentTwists::of(story, &book);
    let planned = |node: &OutlineNode, label: &str| format!("{}{}", title(node), words.remark(label));
    for node in &story.outline_nodes {
        let reveals = node.reveals.iter().map(|text| (words.reveals, text));
        let twists = node.turns.iter().map(|text| (words.twist, text));
        let open =
            reveals.chain(twists).filter(|(_, text)| says_something(text) && !is_shown(text) && !spent.contains(text));
        lines.extend(open.map(|(label, text)| words.labelled(&planned(node, label), text)));
    }
    let calls = |card: &Character, text: &str| {
        let mut names = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim());
        names.any(|name| !name.is_empty() && text.contains(name))
    };
    let meant: Vec<&Character> = story.characters.iter().filter(|card| calls(card, task)).collect();
    let is_other = |line: &str| !meant.iter().any(|card| calls(card, line));
    lines.sort_by_key(|line| is_other(line));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(language: &str) -> Story {
        serde_json::from_value(serde_json::json!({
            "language": language,
            "worldview": {"era": "景和十七年", "truth": "裴慎之毒死了沈伯安。", "truth_until": "o-9"},
            "characters": [
                {"id": "c-1", "name": "沈砚秋", "secret": "她认得笔迹。"},
                {"id": "c-2", "name": "裴慎之", "secret": "他改过口供。"}
            ],
            "outline_nodes": [
                {"id": "o-1", "name": "第一卷", "kind": "act", "order": 1, "reveals": ["裴慎之在大理寺当过差"]},
                {"id": "o-2", "name": "第一幕", "kind": "arc", "order": 2, "turns": ["账册是假的"]},
                {"id": "o-8", "name": "第一章 雨夜", "order": 3},
                {"id": "o-9", "name": "第二章 开棺", "order": 4}
            ]
        }))
        .unwrap()
    }

    #[test]
    fn the_designer_is_told_what_readers_must_not_know_about_the_cast() {
        let whole = story("zh");
        let told = hidden(&whole, &Story::default(), "改写裴慎之");
        assert_eq!(
            told,
            [
                "真相（《第二章 开棺》之前读者不能知道）：裴慎之毒死了沈伯安。",
                "裴慎之的秘密（大纲写到揭开的那一章才可以说破）：他改过口供。",
                "第一卷（揭开）：裴慎之在大理寺当过差",
                "沈砚秋的秘密（大纲写到揭开的那一章才可以说破）：她认得笔迹。",
                "第一幕（转折）：账册是假的",
            ]
        );
        let seen =
            Story { characters: whole.characters.clone(), worldview: whole.worldview.clone(), ..Story::default() };
        let told = hidden(&whole, &seen, "");
        assert_eq!(
            told,
            ["第一卷（揭开）：裴慎之在大理寺当过差", "第一幕（转折）：账册是假的"],
            "nothing stands twice"
        );
        let english = hidden(&story("en"), &Story::default(), "");
        assert!(
            english[0].starts_with("The truth (the reader must not learn it before '第二章 开棺'): "),
            "{english:?}"
        );
        assert!(english.iter().any(|line| line.starts_with("第一卷 (reveals): ")), "{english:?}");
        assert!(hidden(&Story::default(), &Story::default(), "").is_empty());
    }

    #[test]
    fn what_the_text_has_told_is_no_longer_kept_from_readers() {
        let mut told = story("zh");
        let text = "裴慎之承认他改过口供。那本账册是假的。";
        let document = serde_json::json!({
            "id": "d-1", "title": "第一章 雨夜", "order": 1, "outline_node": "o-8", "text": text,
            "summary": "账册是假的。",
            "settled": {"revealed": [{"of": "c-2", "quote": "裴慎之承认他改过口供。"}]},
        });
        told.documents = vec![serde_json::from_value(document).unwrap()];
        assert_eq!(
            hidden(&told, &Story::default(), ""),
            [
                "真相（可以说破了）：裴慎之毒死了沈伯安。",
                "沈砚秋的秘密（大纲写到揭开的那一章才可以说破）：她认得笔迹。",
                "裴慎之的秘密（前文已经说破，读者知道）：他改过口供。",
                "第一卷（揭开）：裴慎之在大理寺当过差",
            ]
        );
    }
}
