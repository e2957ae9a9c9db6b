//! Sentences in which somebody comes, speaks or moves, without a place or a thing that a fact could name.

use std::cell::OnceCell;

use super::mortality::{document, is_back};
use super::telling::{MEMORY, RETURN, speaks_of_remains};
use super::{FindingDraft, RuleMaterial, told};
use crate::language::has_any;
use crate::names::parts;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::settlement::PresenceText;
use crate::truth::{PointId, TruthStatement};
use crate::{Character, Document, Mode};

/// Chinese words for deeds, directly behind the name or an adverb.
const CHINESE: [&str; 30] = [
    "走了进来",
    "走进来",
    "走了过来",
    "走过来",
    "走了出来",
    "走出来",
    "推门进来",
    "推门而入",
    "站起身",
    "站了起来",
    "站起来",
    "坐了下来",
    "坐下来",
    "点了点头",
    "点点头",
    "摇了摇头",
    "摇摇头",
    "转过身",
    "回过头",
    "笑了笑",
    "说道",
    "说：",
    "说，",
    "问道",
    "答道",
    "开口",
    "开了口",
    "坐在",
    "站在",
    "走到",
];
/// English words for deeds.
const ENGLISH: &[&str] = &[
    "walked in",
    "came in",
    "stepped in",
    "strode in",
    "stood up",
    "sat down",
    "got up",
    "nodded",
    "shook his head",
    "shook her head",
    "turned round",
    "turned around",
    "smiled",
    "said",
    "asked",
    "answered",
    "replied",
    "whispered",
    "shouted",
    "walked out",
    "walked to",
    "walked over",
    "walked up",
    "went out",
    "went in",
    "went to",
    "went over",
    "went up",
    "went down",
    "came out",
    "came over",
    "came back",
    "came up",
    "came down",
    "got down",
    "ran out",
    "ran to",
    "rode out",
    "rode in",
    "drove off",
    "knelt down",
    "stood in",
    "stood at",
    "sat at",
    "sat on",
    "sat in",
    "laughed",
    "looked up",
    "looked at",
    "looked round",
    "picked up",
    "put on",
    "took off",
    "took out",
    "lit a",
    "lit the",
    "poured",
    "ate",
    "drank",
    "yawned",
    "shrugged",
    "grinned",
    "frowned",
    "wiped",
    "knocked",
    "climbed",
    "bought",
    "opened the",
    "closed the",
    "shut the",
    "locked the",
];
/// Times before a name in a sentence that tells a deed of now.
const TIMES: [&str; 9] = [
    "this morning",
    "this afternoon",
    "this evening",
    "tonight",
    "that morning",
    "that afternoon",
    "that evening",
    "that night",
    "the next morning",
];
/// Letters that do not stand between a name and its deed: denials, wishes, letters and pictures, other clauses.
const NOT_BETWEEN: [char; 26] = [
    '不', '没', '未', '别', '想', '要', '会', '能', '可', '像', '曾', '信', '录', '梦', '魂', '鬼', '遗', '画', '照',
    '的', '和', '与', '把', '被', '，', '\u{1}',
];
/// The most letters between a Chinese name and its deed.
const LONGEST_ADVERB: usize = 6;
/// Words before a name in a sentence that tells no deed of now.
const NOT_NOW: &[&str] = &[
    "如果",
    "要是",
    "若",
    "假如",
    "仿佛",
    "好像",
    "似乎",
    "像",
    "以为",
    "觉得",
    "想",
    "曾",
    "年前",
    "从前",
    "以前",
    "小时候",
    "那时",
    "说",
    "if",
    "as though",
    "imagined",
    "thought",
    "once",
    "ago",
    "would",
    "had",
    "seemed",
    "like",
    "when",
    "before",
    "said",
];
/// Words by which a text goes back to an earlier time.
const EARLIER: &[&str] = &["年前", "从前", "小时候", "那时候", "多年以前", "ago", "years before", "used to"];
/// Number of later chapters with deeds of a dead character from which on the death is taken to be misread.
const MISREAD: usize = 4;

/// The texts of a story in which deeds are looked for, each parsed once at most.
pub(super) struct DeedTexts<'m, 's> {
    material: &'m RuleMaterial<'s>,
    parsed: Vec<OnceCell<PresenceText<'s>>>,
}

impl<'m, 's> DeedTexts<'m, 's> {
    pub(super) fn of(material: &'m RuleMaterial<'s>) -> Self {
        Self { material, parsed: material.story.documents.iter().map(|_| OnceCell::new()).collect() }
    }

    /// Returns the drafts for the chapters after a death whose texts show the character in a deed; `dead` lists the deaths,
    /// each with its time.
    ///
    /// A chapter that goes back to an earlier time, or that speaks of a return, shows nothing.
    pub(super) fn deeds(&self, character: usize, dead: &[(PointId, &TruthStatement<'_>)]) -> Vec<FindingDraft> {
        let material = self.material;
        let truth = material.truth();
        let told = dead.iter().filter_map(|(point, death)| Some((death.order?, *point, *death)));
        let Some((order, point, death)) = told.min_by_key(|(order, ..)| *order) else { return Vec::new() };
        if !death.is_narrated() || is_back(material, character, order) {
            return Vec::new();
        }
        let card = &material.story.characters[character];
        let calls =
            || [card.name.as_str()].into_iter().chain(card.alias.iter().map(String::as_str)).chain(parts(&card.name));
        let is_named = |text: &Document| calls().any(|call| !call.trim().is_empty() && text.text.contains(call.trim()));
        let mut drafts = Vec::new();
        for (text, parsed) in material.story.documents.iter().zip(&self.parsed).filter(|(text, _)| is_named(text)) {
            let is_later = document(material, &text.id).is_some_and(|(_, own)| own > order);
            if !is_later || is_of_earlier(material, text, point) || has_any(&text.text, RETURN) {
                continue;
            }
            let parsed = parsed.get_or_init(|| PresenceText::of(&text.text));
            let Some((word, sentence)) = deed(parsed, card) else { continue };
            let evidence = death.evidence(truth);
            let mut about = [death.basis.piece(truth.story).1, handle(text)];
            about.sort();
            let draft = FindingDraft::about(about)
                .say("who", card.name.trim())
                .say("word", word)
                .say("first", evidence.quote.clone())
                .say("second", sentence)
                .affects(card.name.trim())
                .quote(evidence.anchor, evidence.quote)
                .quote(anchor(PieceKind::Document, text, "text"), sentence);
            drafts.push(told::correct(draft, text));
        }
        if drafts.len() < MISREAD { drafts } else { Vec::new() }
    }
}

/// Returns whether a chapter is told of an earlier time than the death, or as something remembered or dreamt.
fn is_of_earlier(material: &RuleMaterial<'_>, text: &Document, death: PointId) -> bool {
    let timeline = &material.truth().timeline;
    let Some(node) = text.outline_node.as_deref().and_then(|name| material.outline_node(name)) else { return true };
    let is_here = |name: &str| material.outline_node(name).is_some_and(|own| std::ptr::eq(own, node));
    let mut events = material.story.timeline_events.iter().enumerate();
    has_any(&node.name, MEMORY)
        || events.any(|(position, event)| {
            let is_own = event.outline_node.as_deref().is_some_and(is_here);
            is_own && (event.mode != Mode::Narrated || timeline.is_before(timeline.of_event(position), death))
        })
}

/// Returns the first deed of a character that a text shows as happening: its words, and the sentence.
fn deed<'t>(parsed: &PresenceText<'t>, card: &Character) -> Option<(String, &'t str)> {
    let (range, word) = parsed.first_shown(card, |before, after| words_of_deed(after).filter(|_| is_now(before)))?;
    let text = parsed.text();
    let sentence = text[range.clone()].trim();
    let is_apart =
        [MEMORY, EARLIER].into_iter().any(|words| has_any(&text[..range.end], words)) || speaks_of_remains(sentence);
    let shown = word.replace('了', "");
    (!is_apart).then(|| (shown.trim_end_matches(['：', '，']).to_owned(), sentence))
}

/// Returns whether the words before a name begin a clause of what happens now.
fn is_now(before: &str) -> bool {
    let before = before.trim_end();
    let ends = |c: char| {
        matches!(c, '，' | '。' | '！' | '？' | '；' | '：' | ',' | '.' | ';' | '!' | '?' | '\u{1}' | '”' | '」')
    };
    let begins = before.is_empty()
        || before.ends_with(ends)
        || [" and", " then", " but"].iter().any(|word| before.ends_with(word))
        || TIMES.iter().any(|time| before.eq_ignore_ascii_case(time));
    begins && !has_any(before, NOT_NOW)
}

/// Returns the deed with which the words behind a name begin, perhaps after an adverb.
fn words_of_deed(after: &str) -> Option<&'static str> {
    let place = |word: &'static str| {
        let at = after.find(word)?;
        let (between, behind) = (&after[..at], &after[at + word.len()..]);
        let is_other = ["的", "似的", "一般", "一样", "吗", "？"].iter().any(|other| behind.starts_with(other));
        let is_deed = between.chars().count() <= LONGEST_ADVERB && !between.contains(NOT_BETWEEN) && !is_other;
        is_deed.then_some((at, word))
    };
    let chinese = CHINESE.into_iter().filter_map(place).min_by_key(|(at, _)| *at).map(|(_, word)| word);
    let english = || {
        let after = after.to_lowercase();
        let rest = after.strip_prefix(' ')?;
        let adverb = rest.split(' ').next().filter(|word| word.ends_with("ly") || matches!(*word, "then" | "just"));
        let rest = adverb.and_then(|word| rest.strip_prefix(word)).map_or(rest, str::trim_start);
        ENGLISH.iter().copied().find(|word| {
            let behind = rest.strip_prefix(word);
            behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
        })
    };
    chinese.or_else(english)
}

#[cfg(test)]
mod tests {
    use super::{PresenceText, deed};
    use crate::Character;

    #[test]
    fn a_deed_without_a_place_is_a_deed() {
        let card = |name: &str| Character { name: name.into(), ..Character::default() };
        for (text, name, expected) in [
            ("雨停了。周建国走了进来。", "周建国", Some("走进来")),
            ("门开了，周建国慢慢走进来，坐下。", "周建国", Some("走进来")),
            ("周建国说：“走吧。”", "周建国", Some("说")),
            ("Tom Vane walked in and sat down.", "Tom Vane", Some("walked in")),
            ("The door opened, and Tom Vane slowly stood up.", "Tom Vane", Some("stood up")),
            ("“Go,” said Ann. Tom Vane nodded.", "Tom Vane", Some("nodded")),
            ("周建国走到窗边，林深站起身。", "周建国", Some("走到")),
            ("周建国开口说道：“走吧。”", "周建国", Some("开口")),
            ("Tom Vane smiled, and Ann nodded.", "Tom Vane", Some("smiled")),
            ("This morning Tom Vane went out for bread.", "Tom Vane", Some("went out")),
        ] {
            assert_eq!(deed(&PresenceText::of(text), &card(name)).map(|(word, _)| word).as_deref(), expected, "{text}");
        }
        for (text, name) in [
            ("林深想起周建国。周建国走了进来。", "周建国"),
            ("林深梦见周建国走了进来。", "周建国"),
            ("如果周建国走了进来，她会哭。", "周建国"),
            ("周建国没有走进来。", "周建国"),
            ("十年前，周建国走了进来。", "周建国"),
            ("仿佛周建国走了进来。", "周建国"),
            ("周建国的儿子走了进来。", "周建国"),
            ("“周建国走了进来。”林深说。", "周建国"),
            ("周建国在信里说：“走吧。”", "周建国"),
            ("周建国的鬼魂走了进来。", "周建国"),
            ("Tom Vane had walked in.", "Tom Vane"),
            ("If Tom Vane walked in, she would weep.", "Tom Vane"),
            ("She remembered him. Tom Vane walked in.", "Tom Vane"),
            ("Ten years ago Tom Vane walked in.", "Tom Vane"),
            ("Tom Vane’s son walked in.", "Tom Vane"),
            ("Tom Vane never walked in.", "Tom Vane"),
        ] {
            assert_eq!(deed(&PresenceText::of(text), &card(name)), None, "{text}");
        }
    }
}
