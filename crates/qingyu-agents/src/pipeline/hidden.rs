//! What is hidden from readers and concerns the cast, for the designer of characters.

use qingyu_story::{Agent, Character, OutlineNode, Story, says_something};

use crate::labels;
use crate::prompts::{MaterialForm, PromptMaterial};

/// Returns the truth of the book, the secrets of its people, and what the outline is to reveal, a line each: those about
/// people named in `task` first. What the material of `seen` shows is left out.
pub(super) fn hidden(story: &Story, seen: &Story, task: &str) -> Vec<String> {
    let words = labels::of(story.language);
    let material = PromptMaterial::of(seen, MaterialForm::WorkOf(Agent::Character));
    let shown = [material.worldview, material.outline_nodes, material.characters].map(Option::unwrap_or_default);
    let is_new = |text: &str| says_something(text) && !shown.iter().any(|section| section.contains(text.trim()));
    let until = |node: &Option<String>| {
        let node = node.as_deref().map(str::trim).filter(|node| !node.is_empty());
        node.map(|node| words.remark(&words.not_before(node))).unwrap_or_default()
    };
    let mut lines: Vec<(String, &str)> = Vec::new();
    if let Some(world) = story.worldview.as_ref().filter(|world| is_new(&world.truth)) {
        let label = format!("{}{}", words.truth, until(&world.truth_until));
        lines.push((label, world.truth.as_str()));
    }
    for card in story.characters.iter().filter(|card| is_new(&card.secret)) {
        let label = format!("{}{}", words.secret_of(card.name.trim()), until(&card.secret_until));
        lines.push((label, card.secret.as_str()));
    }
    let planned = |node: &OutlineNode, label: &str| format!("{}{}", node.name.trim(), words.remark(label));
    for node in &story.outline_nodes {
        let reveals = node.reveals.iter().map(|text| (words.reveals, text));
        let twists = node.turns.iter().map(|text| (words.twist, text));
        let found = reveals.chain(twists).filter(|(_, text)| is_new(text));
        lines.extend(found.map(|(label, text)| (planned(node, label), text.as_str())));
    }
    let calls = |card: &Character, text: &str| {
        let mut names = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim());
        names.any(|name| !name.is_empty() && text.contains(name))
    };
    let meant: Vec<&Character> = story.characters.iter().filter(|card| calls(card, task)).collect();
    let is_other = |line: &str| !meant.iter().any(|card| calls(card, line));
    let mut lines: Vec<String> = lines.into_iter().map(|(label, text)| words.labelled(&label, text)).collect();
    lines.sort_by_key(|line| is_other(line));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(language: &str) -> Story {
        serde_json::from_value(serde_json::json!({
            "language": language,
            "worldview": {"era": "景和十七年", "truth": "裴慎之毒死了沈伯安。", "truth_until": "第九章"},
            "characters": [
                {"id": "c-1", "name": "沈砚秋", "secret": "她认得笔迹。"},
                {"id": "c-2", "name": "裴慎之", "secret": "他改过口供。"}
            ],
            "outline_nodes": [
                {"id": "o-1", "name": "第一卷", "kind": "act", "order": 1, "reveals": ["裴慎之在大理寺当过差"]},
                {"id": "o-2", "name": "第一幕", "kind": "arc", "order": 2, "turns": ["账册是假的"]}
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
                "真相（《第九章》之前读者不能知道）：裴慎之毒死了沈伯安。",
                "裴慎之的秘密：他改过口供。",
                "第一卷（揭开）：裴慎之在大理寺当过差",
                "沈砚秋的秘密：她认得笔迹。",
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
        assert!(english[0].starts_with("The truth (the reader must not learn it before '第九章'): "), "{english:?}");
        assert!(english.iter().any(|line| line.starts_with("第一卷 (reveals): ")), "{english:?}");
        assert!(hidden(&Story::default(), &Story::default(), "").is_empty());
    }
}
