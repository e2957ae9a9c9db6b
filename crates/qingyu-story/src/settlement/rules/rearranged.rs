//! Other wordings of a Chinese sentence: a relative clause and an apposition become clauses, a time behind a subject is
//! moved before it, and words that describe a name behind a verb are left out, so that a pattern need not list them.
//!
//! Words that change the mode of a statement stay in the sentence.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::{Captures, Regex};
use serde::Deserialize;

use super::cues::Cues;
use super::line::{CLAUSE_MARKS, LineEdit, MaskedSentence, add_edits};
use super::slots::compile;

/// The patterns of the parts that are moved or left out.
#[derive(Debug)]
pub(super) struct Rearrangements {
    relative: Regex,
    relative_object: Regex,
    not_relative: Regex,
    apposition: Regex,
    apposed_name: Regex,
    time: Regex,
    fronted: Regex,
    adverbial: Regex,
    not_adverbial: Regex,
    attribute: Regex,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RearrangementSource {
    /// A relative clause at the beginning of a clause, the group `rel`, before its person, the group `who`.
    relative: String,
    /// The same behind a verb.
    relative_object: String,
    /// Words of a clause before a person that tells nothing of them.
    not_relative: String,
    /// A person with an apposition; the group `comma` stands between both.
    apposition: String,
    /// An apposition with the name in commas, the groups `comma` and `end`.
    apposed_name: String,
    /// A subject, the group `who`, with a time behind it, the group `out`.
    time: String,
    /// An object before its subject: the groups `thing`, `comma` and `who`.
    fronted: String,
    /// Words between a subject and its verb, the group `out`.
    adverbial: String,
    /// Words with which the group `out` is no adverbial: people, and verbs of seeing.
    not_adverbial: String,
    /// Words that describe a name behind a verb, the group `out`.
    attribute: String,
}

impl Rearrangements {
    pub(super) fn new(source: &RearrangementSource, slots: &BTreeMap<String, String>) -> Self {
        let parse = |pattern: &str| compile(pattern, slots);
        Self {
            relative: parse(&source.relative),
            relative_object: parse(&source.relative_object),
            not_relative: parse(&source.not_relative),
            apposition: parse(&source.apposition),
            apposed_name: parse(&source.apposed_name),
            time: parse(&source.time),
            fronted: parse(&source.fronted),
            adverbial: parse(&source.adverbial),
            not_adverbial: parse(&source.not_adverbial),
            attribute: parse(&source.attribute),
        }
    }

    /// Returns the sentence with everything moved; `None` if nothing is.
    pub(super) fn rearranged<'m>(&self, line: &MaskedSentence<'m>, cues: &Cues) -> Option<MaskedSentence<'m>> {
        let text = line.text.as_str();
        let mut edits: Vec<LineEdit> = Vec::new();
        for found in self.relative.captures_iter(text) {
            add_edits(&mut edits, self.relative_clause(&found));
        }
        for found in self.relative_object.captures_iter(text) {
            add_edits(&mut edits, self.relative_of_object(text, &found, cues));
        }
        for found in self.apposition.captures_iter(text) {
            add_edits(
                &mut edits,
                range(&found, "comma").map(|comma| vec![(comma, "是".to_owned())]).unwrap_or_default(),
            );
        }
        for found in self.apposed_name.captures_iter(text) {
            let commas = [range(&found, "comma"), range(&found, "end")];
            add_edits(&mut edits, commas.into_iter().flatten().map(|comma| (comma, String::new())).collect());
        }
        for found in self.time.captures_iter(text) {
            add_edits(&mut edits, time_first(text, &found));
        }
        for found in self.fronted.captures_iter(text) {
            add_edits(&mut edits, object_behind(text, &found));
        }
        for found in self.attribute.captures_iter(text) {
            add_edits(&mut edits, range(&found, "out").map(|out| vec![(out, String::new())]).unwrap_or_default());
        }
        for found in self.adverbial.captures_iter(text) {
            let is_adverbial = |out: &Range<usize>| {
                !self.not_adverbial.is_match(&text[out.clone()]) && cues.is_plain_lead(&text[out.clone()])
            };
            let out = range(&found, "out").filter(is_adverbial);
            add_edits(&mut edits, out.map(|out| vec![(out, String::new())]).unwrap_or_default());
        }
        (!edits.is_empty()).then(|| line.edited(&edits))
    }

    /// Returns the edits for `住在城西的苏敏` to become `苏敏住在城西，苏敏`.
    fn relative_clause(&self, found: &Captures<'_>) -> Vec<LineEdit> {
        let (Some(clause), Some(who)) = (found.name("rel"), found.name("who")) else { return Vec::new() };
        if self.not_relative.is_match(clause.as_str()) {
            return Vec::new();
        }
        let person = who.as_str().to_owned();
        vec![(clause.start()..clause.start(), person), (clause.end()..who.start(), "，".to_owned())]
    }

    /// Returns the edits for `遇见了住在城西的苏敏` to become `苏敏住在城西，` before its clause, and `遇见了苏敏`. Where the words before
    /// change the mode, the clause stays.
    fn relative_of_object(&self, text: &str, found: &Captures<'_>, cues: &Cues) -> Vec<LineEdit> {
        let (Some(clause), Some(who)) = (found.name("rel"), found.name("who")) else { return Vec::new() };
        let before = &text[..clause.start()];
        if self.not_relative.is_match(clause.as_str()) || !cues.is_plain_lead(before) {
            return Vec::new();
        }
        let start = clause_start(before);
        let first = format!("{}{}，", who.as_str(), clause.as_str());
        vec![(start..start, first), (clause.start()..who.start(), String::new())]
    }
}

/// Returns the beginning of the clause in which a text ends.
fn clause_start(text: &str) -> usize {
    let mark = text.char_indices().rev().find(|(_, c)| CLAUSE_MARKS.contains(c));
    mark.map_or(0, |(at, c)| at + c.len_utf8())
}

/// Returns the edits for `顾长风去年娶了` to become `去年，顾长风娶了`.
fn time_first(text: &str, found: &Captures<'_>) -> Vec<LineEdit> {
    let (Some(who), Some(time)) = (found.name("who"), range(found, "out")) else { return Vec::new() };
    let start = clause_start(&text[..who.start()]);
    vec![(start..start, format!("{}，", &text[time.clone()])), (time, String::new())]
}

/// Returns the edits for `那把铜钥匙，林深弄丢了` to become `林深把那把铜钥匙弄丢了`.
fn object_behind(text: &str, found: &Captures<'_>) -> Vec<LineEdit> {
    let (Some(thing), Some(who)) = (range(found, "thing"), range(found, "who")) else { return Vec::new() };
    let moved = format!("把{}", &text[thing.clone()]);
    vec![(thing.start..who.start, String::new()), (who.end..who.end, moved)]
}

fn range(found: &Captures<'_>, group: &str) -> Option<Range<usize>> {
    found.name(group).map(|part| part.range())
}

#[cfg(test)]
mod tests {
    use super::super::forms::Forms;
    use super::super::forms::tests::{names, told};
    use super::super::{mentions, stretches};
    use crate::{Language, Prose};

    /// The sentence as it is read, with its names.
    fn rearranged(text: &str) -> Option<String> {
        let names = names();
        let (prose, mentions) = (Prose::of(text), mentions(&names, text));
        let (sentences, _) = stretches::stretches(text, &prose, &mentions, |_| true);
        let forms = Forms::of(Language::Zh);
        let moved = forms.rearrangements.as_ref().expect("Chinese has them");
        let line = moved.rearranged(&sentences.first()?.line, &forms.cues)?;
        Some(line.words(0..line.text.len()))
    }

    #[test]
    fn clauses_appositions_times_and_attributes_are_moved() {
        for (text, expected) in [
            ("住在城西的苏敏一早就出门了。", "苏敏住在城西，苏敏一早就出门了。"),
            ("苏敏遇见了住在城西的沈墨。", "沈墨住在城西，苏敏遇见了沈墨。"),
            ("沈墨，苏敏的舅舅，推门进来。", "沈墨是苏敏的舅舅，推门进来。"),
            ("周建国的女儿，苏敏，推门进来。", "周建国的女儿苏敏推门进来。"),
            ("顾长风去年冬天娶了苏敏。", "去年冬天，顾长风娶了苏敏。"),
            ("顾长风的妻子苏敏三年前就病死了。", "三年前，顾长风的妻子苏敏就病死了。"),
            ("苏敏捧着茶碗坐在窗前。", "苏敏坐在窗前。"),
            ("那把铜钥匙，林深弄丢了。", "林深把那把铜钥匙弄丢了。"),
            ("苏敏去年嫁给了县令的儿子顾长风。", "去年，苏敏嫁给了顾长风。"),
        ] {
            assert_eq!(rearranged(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_may_be_about_somebody_else_stays() {
        for text in [
            "林深认识的苏敏不是这样的人。",
            "从前住在城西的苏敏回来了。",
            "林深，苏敏的哥哥，都来了。",
            "苏敏梦见林深嫁给了住在城西的沈墨。",
            "苏敏拿着一把仿制的短剑。",
            "林深看见那人坐在窗前。",
        ] {
            assert_eq!(rearranged(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_moved_is_read() {
        for (text, expected) in [
            ("身高八尺的顾长风站在门口。", "顾长风 height 8 Narrated"),
            ("当了三十年木匠的周建国叹了口气。", "周建国 occupation \"木匠\" Narrated"),
            ("满头白发的沈墨抬起头来。", "沈墨 hair_colour \"白\" Narrated"),
            ("瞎了右眼的周建国摸索着走过来。", "周建国 trait \"瞎了右眼\" Narrated"),
            ("苏敏，林深的妹妹，嫁给了顾长风。", "苏敏 married_to 顾长风 Narrated"),
            ("林深，守军的参将，今年三十二岁。", "林深 age 32 Narrated"),
            ("林深把父亲留下的短剑交给了顾长风。", "顾长风 gets 短剑 Narrated"),
            ("死在旧港的周建国没有留下一句话。", "周建国 dies true Narrated"),
            ("听说住在城西的苏敏走了。", "苏敏 lives_in 城西 Said"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn what_is_denied_supposed_or_past_is_not_read() {
        for text in [
            "如果身高八尺的顾长风来了就好了。",
            "没有住在城西的苏敏一早就醒了。",
            "想嫁给顾长风的苏敏哭了。",
            "周建国五岁时死了父亲。",
            "林深七岁时来到旧港。",
            "林深看见周建国倒下，死在地上。",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }
}
