//! The author's own secrets as passages of an answer: the truth of the book, and what its people hide.
//!
//! Only callers who may change the project are shown them, see [`Studio::ask`](crate::Studio::ask).

use std::collections::BTreeSet;

use qingyu_knowledge::chunk::Source;
use qingyu_knowledge::passage::{Citation, Passage};
use qingyu_knowledge::telling::{Telling, Tellings};
use qingyu_llm::estimate;
use qingyu_story::language::{has_words, is_han};
use qingyu_story::{Language, PieceKind, Story};

/// The maximum number of passages.
const PASSAGES: usize = 6;
/// The maximum length of a passage in characters.
const LENGTH: usize = 600;

/// Words of a question about what is hidden.
const HIDDEN: &[&str] = &[
    "凶手",
    "真凶",
    "真相",
    "幕后",
    "主谋",
    "黑手",
    "内奸",
    "内鬼",
    "卧底",
    "叛徒",
    "秘密",
    "隐瞒",
    "瞒着",
    "谜底",
    "真正",
    "真实",
    "谁杀",
    "谁害",
    "谁干的",
    "身份",
    "身世",
    "murderer",
    "killer",
    "culprit",
    "traitor",
    "mole",
    "truth",
    "truly",
    "secret",
    "secrets",
    "hide",
    "hides",
    "hiding",
    "identity",
];
/// Pairs of characters that questions have whatever they are about.
const COMMON: &[&str] = &[
    "什么", "为什", "怎么", "是谁", "谁是", "哪里", "在哪", "多少", "没有", "是不", "不是", "一个", "自己", "知道",
    "时候", "他们", "她们",
];

/// Returns the truth of the book and the secrets of its people that `question` is about, numbered from 1, and the number of
/// those left out beyond 6 passages or `budget` tokens. If the question names people, only their secrets are returned. What
/// the written chapters have revealed is not marked as hidden.
pub(super) fn passages(question: &str, story: &Story, tellings: &Tellings<'_>, budget: u64) -> (Vec<Passage>, usize) {
    let lower = question.to_lowercase();
    let is_about_hidden = HIDDEN.iter().any(|word| has_words(&lower, word));
    let names = story.characters.iter().flat_map(|card| std::iter::once(&card.name).chain(&card.alias));
    // A name alone asks for nothing hidden.
    let mut unnamed = question.to_owned();
    for name in names.map(|name| name.trim()).filter(|name| name.chars().count() > 1) {
        unnamed = unnamed.replace(name, " ");
    }
    let units = units(&unnamed);
    let is_asked_for = |text: &str| is_about_hidden || !self::units(text).is_disjoint(&units);
    let named: BTreeSet<usize> = (0..story.characters.len())
        .filter(|at| {
            let card = &story.characters[*at];
            let mut own_names = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim());
            own_names.any(|name| !name.is_empty() && question.contains(name))
        })
        .collect();
    let world = story.worldview.iter().map(|world| {
        let label = if story.language == Language::Zh { "真相" } else { "truth" };
        (
            Source { kind: PieceKind::Worldview, id: PieceKind::Worldview.name().into() },
            label.to_owned(),
            &world.truth,
            None,
        )
    });
    let people = (0..story.characters.len()).filter(|at| named.is_empty() || named.contains(at));
    let secrets = people.map(|at| {
        let card = &story.characters[at];
        (
            Source { kind: PieceKind::Character, id: card.id.clone() },
            card.name.trim().to_owned(),
            &card.secret,
            Some(card),
        )
    });
    let found = world.chain(secrets).filter(|(_, _, text, _)| !text.trim().is_empty() && is_asked_for(text));
    let (mut passages, mut left_out, mut spent) = (Vec::new(), 0, 0);
    for (source, name, text, of) in found {
        let telling = if tellings.keeps_secret(of) { Telling::Hidden } else { Telling::Noted };
        let text = shortened(text, story.language);
        let passage = Passage { telling, ..passage(passages.len() + 1, source, name, &text) };
        if passages.len() >= PASSAGES || spent + passage.tokens > budget {
            left_out += 1;
            continue;
        }
        spent += passage.tokens;
        passages.push(passage);
    }
    (passages, left_out)
}

/// Returns the text, cut to [`LENGTH`] with a note of it.
fn shortened(text: &str, language: Language) -> String {
    let text = text.trim();
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) if language == Language::Zh => format!("{}……（后文略）", &text[..end]),
        Some((end, _)) => format!("{} … (cut)", &text[..end]),
        None => text.to_owned(),
    }
}

fn passage(number: usize, source: Source, name: String, text: &str) -> Passage {
    let text = text.to_owned();
    let tokens = estimate::tokens(&name) + estimate::tokens(&text);
    let citation = Citation { source, name: name.clone(), version: 0, range: None };
    Passage {
        number,
        citation,
        heading: name,
        text,
        tokens,
        telling: Telling::Hidden,
        paragraph: None,
        suspicious: None,
        book: None,
    }
}

/// Returns the pairs of Chinese characters and the long Latin words of a text.
fn units(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let letters: Vec<char> = lower.chars().collect();
    let pairs =
        letters.windows(2).filter(|pair| pair.iter().all(|c| is_han(*c))).map(|pair| pair.iter().collect::<String>());
    let words = lower.split(|c: char| !c.is_alphanumeric() || is_han(c)).filter(|word| word.len() > 5);
    pairs.chain(words.map(str::to_owned)).filter(|unit: &String| !COMMON.contains(&unit.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story() -> Story {
        serde_json::from_value(serde_json::json!({
            "worldview": {"truth": "裴慎之毒死了沈伯安，把账册藏在冰房。"},
            "characters": [
                {"id": "c-1", "name": "沈砚秋", "secret": "她早就认出了笔迹。"},
                {"id": "c-2", "name": "裴慎之", "secret": "He forged the ledger."},
                {"id": "c-3", "name": "姜衡"}
            ]
        }))
        .unwrap()
    }

    #[track_caller]
    fn check(question: &str, expected: &[&str]) {
        let (found, left_out) = passages(question, &story(), &Tellings::of(&story()), 6_000);
        assert_eq!(left_out, 0, "{question}");
        let names: Vec<&str> = found.iter().map(|passage| passage.heading.as_str()).collect();
        assert_eq!(names, expected, "{question}");
        assert!(found.iter().all(|passage| passage.telling == Telling::Hidden));
    }

    #[test]
    fn a_question_about_what_is_hidden_finds_the_truth_and_the_secrets() {
        check("凶手是谁？", &["真相", "沈砚秋", "裴慎之"]);
        check("Who is the murderer?", &["真相", "沈砚秋", "裴慎之"]);
        check("账册在哪里？", &["真相"]);
        check("谁认出了笔迹？", &["沈砚秋"]);
        check("Who forged it?", &["裴慎之"]);
        check("裴慎之的秘密是什么？", &["真相", "裴慎之"]);
        check("沈砚秋究竟隐瞒了什么？", &["真相", "沈砚秋"]);
    }

    #[test]
    fn what_a_written_chapter_reveals_is_not_hidden() {
        let mut told = story();
        told.documents = serde_json::from_value(serde_json::json!([{
            "id": "d-1", "title": "第一章", "order": 1, "text": "账册是他伪造的。",
            "settled": {"revealed": [{"of": "c-2", "quote": "账册是他伪造的。"}]}
        }]))
        .unwrap();
        let (found, _) = passages("凶手是谁？", &told, &Tellings::of(&told), 6_000);
        let states: Vec<Telling> = found.iter().map(|passage| passage.telling).collect();
        assert_eq!(states, [Telling::Hidden, Telling::Hidden, Telling::Noted]);
    }

    #[test]
    fn other_questions_find_nothing() {
        check("裴慎之是谁？", &[]);
        check("沈砚秋多大？", &[]);
        check("他到底多大？", &[]);
        check("What does she really look like?", &[]);
        check("What is the weather like?", &[]);
        assert_eq!(passages("凶手是谁？", &Story::default(), &Tellings::of(&Story::default()), 6_000), (Vec::new(), 0));
    }

    #[test]
    fn secrets_keep_to_their_budget_and_say_what_is_cut() {
        let (all, _) = passages("凶手是谁？", &story(), &Tellings::of(&story()), 6_000);
        let (found, left_out) = passages("凶手是谁？", &story(), &Tellings::of(&story()), all[0].tokens);
        assert_eq!((found.len(), left_out), (1, 2));
        assert_eq!(passages("凶手是谁？", &story(), &Tellings::of(&story()), 0), (Vec::new(), 3));
        let mut long = story();
        long.language = Language::Zh;
        long.characters[0].secret = "信".repeat(LENGTH + 1);
        let (found, _) = passages("沈砚秋的秘密是什么？", &long, &Tellings::of(&long), 6_000);
        let text = &found[1].text;
        assert!(text.ends_with("……（后文略）") && text.starts_with(&"信".repeat(LENGTH)), "{text}");
        assert!(!text.contains(&"信".repeat(LENGTH + 1)));
    }
}
