//! Whether a text shows people as there, or only speaks of them: remembered, mourned, dreamt, pictured, compared with.

use std::ops::Range;

use super::cues::Layering;
use super::forms::Forms;
use super::presence_words as words;
use crate::language::{has_words, is_whole_word};
use crate::names::parts;
use crate::{Character, Language, Prose};

/// How a text names somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Nowhere, by the names on the card.
    Unnamed,
    /// Only remembered, spoken of, mourned, dreamt, pictured or compared with.
    Mentioned,
    /// As there: acting, speaking, or at a place. In doubt, a mention is of this kind.
    Shown,
}

/// A text in which people are looked for.
#[derive(Debug)]
pub(crate) struct PresenceText<'t> {
    text: &'t str,
    prose: Prose,
}

/// The most paragraphs of a dream without an awakening.
const LONGEST_DREAM: usize = 30;
/// The most characters of the words that give a sentence its time.
const OPENING: usize = 8;

impl<'t> PresenceText<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { text, prose: Prose::of(text) }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns how the text names the character. Words in speech are about somebody; the speaker is named outside.
    pub(crate) fn presence(&self, card: &Character) -> Presence {
        match self.first_shown(card, |_, _| Some(())) {
            Some(_) => Presence::Shown,
            None if ranges(self.text, card).is_empty() => Presence::Unnamed,
            None => Presence::Mentioned,
        }
    }

    /// Returns the first sentence that shows the character as there and in which `find` finds something, with what it finds:
    /// `find` is given the narrated words of the sentence before and behind the name, with `\u{1}` for each speech.
    pub(crate) fn first_shown<T>(
        &self,
        card: &Character,
        find: impl Fn(&str, &str) -> Option<T>,
    ) -> Option<(Range<usize>, T)> {
        let named = ranges(self.text, card);
        if named.is_empty() {
            return None;
        }
        let mut dreamt = 0;
        for paragraph in &self.prose.paragraphs {
            let is_break = !self.text[paragraph.range.clone()].chars().any(char::is_alphanumeric);
            dreamt = if is_break || dreamt > LONGEST_DREAM { 0 } else { dreamt + usize::from(dreamt > 0) };
            let mut remembered = false;
            for sentence in &self.prose.sentences[paragraph.sentences.clone()] {
                let own = named.iter().filter(|name| sentence.range.contains(&name.start));
                let own: Vec<&Range<usize>> = own.filter(|name| !self.prose.is_spoken(name.start)).collect();
                let told = self.narrated(sentence.range.clone());
                let language = Language::of(&told);
                let layering = Forms::of(language).cues.layering(&told);
                match layering {
                    Layering::Wakes => dreamt = 0,
                    Layering::Dreams => dreamt = 1,
                    Layering::Remembers | Layering::Nothing => {}
                }
                remembered = remembered && !holds(&told, words::NOW, language);
                let is_now = dreamt == 0 && !remembered;
                let is_awake = layering == Layering::Wakes;
                let around = own.iter().map(|name| {
                    let before = self.narrated(sentence.range.start..name.start);
                    (before, self.narrated(name.end.min(sentence.range.end)..sentence.range.end))
                });
                let shown: Vec<(String, String)> =
                    around.filter(|(before, after)| !is_mention(before, after, is_awake, language)).collect();
                if is_now && let Some(found) = shown.iter().find_map(|(before, after)| find(before, after)) {
                    return Some((sentence.range.clone(), found));
                }
                // The rest of a paragraph still belongs to the memory of somebody.
                remembered |= layering == Layering::Remembers && !own.is_empty() && shown.is_empty();
            }
        }
        None
    }

    /// Returns the narrated words in a range, with `\u{1}` for each speech.
    fn narrated(&self, range: Range<usize>) -> String {
        let mut told = String::with_capacity(range.len());
        let from = self.prose.speeches.partition_point(|speech| speech.range.end <= range.start);
        let mut at = range.start;
        for speech in self.prose.speeches[from..].iter().take_while(|speech| speech.range.start < range.end) {
            told.push_str(&self.text[at..speech.range.start.max(at)]);
            told.push('\u{1}');
            at = speech.range.end.min(range.end).max(at);
        }
        told.push_str(&self.text[at..range.end.max(at)]);
        told
    }
}

/// Returns the names by which a text may call a character: the full name, the other names and the parts of the name.
fn calls(card: &Character) -> Vec<&str> {
    let full = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim());
    let mut calls: Vec<&str> = full.filter(|name| name.chars().count() >= 2).chain(parts(&card.name)).collect();
    calls.sort_unstable_by_key(|call| std::cmp::Reverse(call.len()));
    calls.dedup();
    calls
}

/// Returns where a text names a character, longer names first where they overlap.
fn ranges(text: &str, card: &Character) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for call in calls(card) {
        for (at, _) in text.match_indices(call) {
            let range = at..at + call.len();
            let is_new = !found.iter().any(|other| other.start < range.end && range.start < other.end);
            if is_new && is_whole_word(text, &range) {
                found.push(range);
            }
        }
    }
    found
}

fn is_mention(before: &str, after: &str, is_awake: bool, language: Language) -> bool {
    match language {
        Language::Zh => is_chinese_mention(before, after, is_awake),
        Language::En => is_english_mention(&before.to_lowercase(), &after.to_lowercase(), is_awake),
    }
}

fn is_chinese_mention(before: &str, after: &str, is_awake: bool) -> bool {
    let (clause, rest) = (last_clause(before), first_clause(after));
    let starts = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
    let ends = |words: &[&str]| words.iter().any(|word| clause.ends_with(word));
    // A thing of somebody, a time of the past, the dead as the dead.
    if starts(words::BEHIND) && !starts(words::NOT_BEHIND) || ends(words::BEFORE) {
        return true;
    }
    if ends(&["替", "为", "给"]) && starts(words::RITES) {
        return true;
    }
    // A relative clause belongs to somebody who is there, unless it says that somebody is dead: 想起账册的老周.
    let about = |word: &str| {
        let between = clause.rfind(word).map(|at| &clause[at + word.len()..]);
        between.filter(|between| !between.ends_with('的') || words::LATE.iter().any(|late| between.ends_with(late)))
    };
    if words::OF.iter().any(|word| about(word).is_some_and(|between| !between.starts_with('身'))) {
        return true;
    }
    let is_named_next = |between: &str| {
        let bare = between.trim_start_matches(['了', '过', '到', '着', '他', '她', '我', '你', '们', '的']);
        bare.is_empty() || words::KIN.contains(&bare) || words::LATE.iter().any(|late| bare.ends_with(late))
    };
    if words::NEAR.iter().any(|word| about(word).is_some_and(is_named_next)) {
        return true;
    }
    let is_past = clause.chars().count() <= OPENING && words::PAST.iter().any(|word| clause.contains(word));
    let opening = first_clause(before);
    let begins_in_past = opening.len() < before.len()
        && opening.chars().count() <= OPENING
        && words::PAST.iter().any(|word| opening.ends_with(word));
    let is_inside = !is_awake && words::INSIDE.iter().any(|word| before.contains(word));
    is_past || begins_in_past || is_inside
}

fn is_english_mention(before: &str, after: &str, is_awake: bool) -> bool {
    let clause = last_english_clause(before);
    let rest = first_clause(after);
    let has = |text: &str, list: &[&str]| list.iter().any(|word| has_words(text, word));
    if let Some(own) = rest.strip_prefix("’s ").or_else(|| rest.strip_prefix("'s ")) {
        let mut next = own.split_whitespace().take(2);
        if next.any(|word| words::THINGS.contains(&word)) {
            return true;
        }
    }
    let ends = |list: &[&str]| {
        let bare = before.trim_end();
        list.iter().any(|word| ends_with_word(bare, word))
    };
    let did = ["had ", "did ", "once ", "used to ", "would have "];
    let did = did.iter().any(|word| rest.trim_start().starts_with(word));
    let is_like = || ends(words::BEFORE_ENGLISH) && !likes(before);
    if speaks_of(clause) || is_like() || ends(&["as", "the way"]) && did {
        return true;
    }
    let rest = rest.replace("at once", "").replace("once more", "").replace("once again", "");
    has(&rest, words::BEHIND_ENGLISH) || !is_awake && has(before, words::INSIDE_ENGLISH)
}

/// Returns whether a clause ends with words of speaking or thinking of somebody. Between them and the name stand only
/// titles and words for relatives: Mara remembered her uncle Anselm, but not Mara mentioned the ledger to Anselm.
fn speaks_of(clause: &str) -> bool {
    let mut bare = clause.trim_end();
    loop {
        let is_last = |word: &&&str| ends_with_word(bare, word);
        if words::OF_ENGLISH.iter().any(|word| ends_with_word(bare, word)) {
            return true;
        }
        let Some(title) = words::TITLES_ENGLISH.iter().find(is_last) else { return false };
        bare = bare[..bare.len() - title.len()].trim_end();
    }
}

/// Returns whether a text ends with `like` as a verb: she would like.
fn likes(before: &str) -> bool {
    let last = before.trim_end().strip_suffix("like").and_then(|head| head.split_whitespace().next_back());
    last.is_some_and(|last| words::LIKES_ENGLISH.contains(&last) || last.ends_with("’d") || last.ends_with("'d"))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|head| !head.ends_with(|c: char| c.is_ascii_alphanumeric()))
}

fn is_boundary(c: char) -> bool {
    let zh = matches!(c, '，' | '；' | '：' | '。' | '！' | '？' | '—' | '…' | '（' | '）');
    zh || matches!(c, ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' | '\u{1}' | '\n')
}

fn last_clause(before: &str) -> &str {
    let end = before.char_indices().rev().find(|(_, c)| is_boundary(*c)).map_or(0, |(at, c)| at + c.len_utf8());
    &before[end..]
}

fn first_clause(after: &str) -> &str {
    &after[..after.find(is_boundary).unwrap_or(after.len())]
}

/// Returns the clause that ends a text, also without a mark between clauses.
fn last_english_clause(before: &str) -> &str {
    let clause = last_clause(before);
    let joins = [" and ", " but ", " then ", " while ", " when ", " until ", " before ", " after "];
    let from = joins.iter().filter_map(|word| Some(clause.rfind(word)? + word.len())).max().unwrap_or(0);
    &clause[from..]
}

fn holds(told: &str, list: &[&str], language: Language) -> bool {
    match language {
        Language::Zh => list.iter().any(|word| told.contains(word)),
        Language::En => {
            let told = told.to_lowercase();
            list.iter().any(|word| has_words(&told, word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, cases: &[(&str, Presence)]) {
        let card = Character { name: name.into(), ..Character::default() };
        for (text, expected) in cases {
            assert_eq!(PresenceText::of(text).presence(&card), *expected, "{text}");
        }
    }

    fn all<'t>(presence: Presence, texts: &[&'t str]) -> Vec<(&'t str, Presence)> {
        texts.iter().map(|text| (*text, presence)).collect()
    }

    #[test]
    fn a_memory_a_portrait_a_letter_and_a_comparison_are_no_presence() {
        let texts = [
            "沈砚秋想起沈伯安，眼眶一热。",
            "她想起死去的沈伯安。",
            "她又一次提起父亲沈伯安，没有人接话。",
            "她像沈伯安当年一样，把刀放在案上。",
            "她像沈伯安一样站着。",
            "沈伯安生前常坐这把椅子。",
            "沈伯安当年也站在这里。",
            "沈伯安的账册摊在桌上。",
            "沈伯安的信压在砚台下。",
            "照片上，沈伯安笑着。",
            "她在沈伯安的坟前烧了纸。",
            "她给沈伯安上香。",
            "她梦见沈伯安推门进来。",
            "“沈伯安不会回来了。”裴慎之说。",
            "三年前，沈伯安在这里断过一案。",
            "裴慎之谈到沈伯安，声音低了下去。",
            "她想到死去的沈伯安。",
            "关于师父沈伯安，没有人再提。",
            "裴慎之提到她父亲沈伯安。",
            "她记得沈伯安说：“证据不说谎。”",
            "没有沈伯安，案子查不下去。",
            "她想起伯安叔。他总是坐在窗边。",
            "她想起沈伯安的脸。沈伯安站在灯下，朝她招手。",
        ];
        check("沈伯安", &all(Presence::Mentioned, &texts));
        let texts = [
            "Mara remembered Anselm Vale.",
            "She spoke of Anselm with care.",
            "She stood like Anselm, one hand on the rail.",
            "She tied the knot as Anselm had taught her.",
            "Anselm’s letter lay on the table.",
            "She touched the portrait of Anselm Vale.",
            "In the photograph Anselm was smiling.",
            "“Anselm is gone,” Mara said.",
            "Anselm used to sit by this window.",
            "She dreamed of Anselm at the door.",
            "They stood before Anselm’s grave.",
            "Mara mourned Anselm for a year.",
            "Mara remembered her late uncle Anselm.",
            "She looked like Anselm.",
        ];
        check("Anselm Vale", &all(Presence::Mentioned, &texts));
    }

    #[test]
    fn somebody_who_acts_speaks_or_is_in_the_scene_is_shown() {
        let texts = [
            "沈伯安推门进来。",
            "沈伯安说：“坐。”",
            "“坐。”沈伯安说。",
            "她抬头，沈伯安正站在门口。",
            "她想起账册，回头看见沈伯安。",
            "想起账册的沈伯安站了起来。",
            "她正想起身，沈伯安按住了她。",
            "她提起刀扑向沈伯安。",
            "沈伯安想起当年的雨，叹了口气。",
            "沈伯安的手按在刀上。",
            "沈伯安的话音刚落，门开了。",
            "沈伯安不曾抬头。",
            "沈伯安从前门进来。",
            "沈伯安看着墙上的画像。",
            "她从梦中惊醒，沈伯安站在床前。",
            "她想起沈伯安。就在这时，沈伯安推门进来。",
            "她想起沈伯安。\n\n沈伯安推门进来。",
            "沈伯安像往常一样坐下。",
            "她把信交给沈伯安。",
            "三年前离开的那个人回来了，沈伯安迎上去。",
            "伯安站在岸上。",
            "她想到这里看了沈伯安一眼。",
            "她想着心事走过沈伯安身边。",
        ];
        check("沈伯安", &all(Presence::Shown, &texts));
        let texts = [
            "Anselm opened the door.",
            "“Sit,” said Anselm.",
            "She remembered the key and handed it to Anselm.",
            "She remembered the debt when Anselm walked in.",
            "Anselm remembered the rain.",
            "As Anselm walked in, she rose.",
            "Anselm’s hand lay on the rail.",
            "Anselm rose at once.",
            "She woke from the dream. Anselm stood by the bed.",
            "Anselm looked at the portrait.",
            "Mara mentioned the ledger to Anselm.",
            "She would like Anselm to come in.",
            "She’d like Anselm to come in.",
        ];
        check("Anselm Vale", &all(Presence::Shown, &texts));
        check("沈伯安", &all(Presence::Unnamed, &["雨停了。", ""]));
    }
}
