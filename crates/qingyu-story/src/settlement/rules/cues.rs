//! Detects context words which change the mode of a statement: dreams, hearsay, suppositions, denials and memories.

use std::ops::Range;

use serde::Deserialize;

use super::line::is_name;
use super::reports::Reports;
use crate::{Language, Mode};

/// The context words which change the mode of a statement.
pub(super) struct Cues {
    language: Language,
    wakes: Vec<String>,
    dreams: Vec<String>,
    remembers: Vec<String>,
    /// Phrases that hold a word of `remembers` but remember nothing: `没有人记得`.
    forgets: Vec<String>,
    past: Vec<String>,
    past_in_clause: Vec<String>,
    dreamt: Vec<String>,
    said: Vec<String>,
    /// Phrases that hold a word of `supposes` but suppose nothing: `谁知`, `人都叫他`.
    surprises: Vec<String>,
    supposes: Vec<String>,
    supposes_after: Vec<String>,
    /// Words of a comparison, behind a statement in its clause: `林深死了一般躺着`.
    likens_after: Vec<String>,
    denies: Vec<String>,
    harmless: Vec<String>,
    /// Beginnings of rhetorical questions, which leave the statement before them standing.
    rhetorical: Vec<String>,
    /// Words of a sentence in which somebody passes for another person, or plays a part.
    feigned: Vec<String>,
    /// Words of a clause behind `when` that tells of an earlier time of somebody's life: `when he was a boy`.
    lifetimes: Vec<String>,
    /// Words of knowing and telling, before a clause with `that`.
    known: Vec<String>,
    pub(super) reports: Reports,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CueSource {
    does: String,
    words: Vec<String>,
}

/// How long the statements of a form hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    /// Now, unless the sentence tells of the past.
    Present,
    /// Now, as an event or a place: `when the clock struck` tells of no earlier time.
    Momentary,
    /// Also now if told of the past.
    Lasting,
}

/// The effect of a sentence on the narrative layer of the following sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layering {
    Nothing,
    /// Ends a dream.
    Wakes,
    /// Begins a dream.
    Dreams,
    /// Begins a flashback.
    Remembers,
}

impl Cues {
    pub(super) fn new(language: Language, sources: &[CueSource], reports: Reports) -> Self {
        let take = |does: &str| -> Vec<String> {
            sources.iter().filter(|cue| cue.does == does).flat_map(|cue| cue.words.iter().cloned()).collect()
        };
        Self {
            language,
            wakes: take("wakes"),
            dreams: take("dreams"),
            remembers: take("remembers"),
            forgets: take("forgets"),
            past: take("past"),
            past_in_clause: take("past-in-clause"),
            dreamt: take("dreamt"),
            said: take("said"),
            surprises: take("surprises"),
            supposes: take("supposes"),
            supposes_after: take("supposes-after"),
            likens_after: take("likens-after"),
            denies: take("denies"),
            harmless: take("harmless"),
            rhetorical: take("rhetorical"),
            feigned: take("feigned"),
            lifetimes: take("lifetimes"),
            known: take("known"),
            reports,
        }
    }

    pub(super) fn is_english(&self) -> bool {
        self.language == Language::En
    }

    /// Returns the effect of a sentence's narrated words on the following sentences.
    pub(super) fn layering(&self, narrated: &str) -> Layering {
        let text = without(self.plain(narrated), &self.forgets);
        match () {
            () if self.holds(&text, &self.wakes) => Layering::Wakes,
            () if self.holds(&text, &self.dreams) => Layering::Dreams,
            () if self.holds(&text, &self.remembers) => Layering::Remembers,
            () => Layering::Nothing,
        }
    }

    pub(super) fn asks(&self, text: &str) -> bool {
        text.trim_end_matches(['\u{1}', ' ', '\n']).ends_with(['？', '?'])
    }

    /// Returns where the statement before a rhetorical question ends: `我都六十了，还怕什么？`
    pub(super) fn stated_before_question(&self, text: &str) -> Option<usize> {
        let mark = text.rfind('，').filter(|_| self.language == Language::Zh)?;
        let question = &text[mark + '，'.len_utf8()..];
        self.rhetorical.iter().any(|word| question.starts_with(word.as_str())).then_some(mark)
    }

    /// Returns the mode of a name in apposition at `span`, which holds although its sentence is denied or supposed:
    /// `要不是林深的父亲周建国来了`. `None` in a dream, a play or a lie.
    pub(super) fn presupposed(&self, text: &str, span: Range<usize>) -> Option<Mode> {
        let sentence = sentence_of(text, span.start);
        let before = self.plain(&text[sentence..span.start]);
        let is_plain = ![&self.feigned, &self.dreamt, &self.dreams].into_iter().any(|words| self.holds(&before, words));
        is_plain.then(|| if self.holds(&before, &self.said) { Mode::Said } else { Mode::Narrated })
    }

    /// Returns the mode of the statement at `span`, or `None` if the statement is denied, supposed, asked or, unless
    /// lasting, told as past.
    pub(super) fn mode(&self, text: &str, span: Range<usize>, tense: Tense) -> Option<Mode> {
        let sentence = sentence_of(text, span.start);
        let clause = text[..span.start]
            .rfind(['，', '；', '。', '！', '：', '、', ',', ';', ':', '—', '\u{1}'])
            .unwrap_or(0)
            .max(sentence);
        let governing = without(self.plain(&text[sentence..span.end]), &self.surprises);
        // `Like his father, Tom …` compares without a doubt.
        let governing = match governing.strip_prefix(" like ") {
            Some(rest) => format!(" {rest}"),
            None => governing,
        };
        if self.holds(&governing, &self.supposes) || self.holds(&self.plain(&text[span.end..]), &self.supposes_after) {
            return None;
        }
        let behind = &text[span.end..];
        let behind = &behind[..behind.find(['，', '；', '。', '！']).unwrap_or(behind.len())];
        if self.holds(&self.plain(behind), &self.likens_after) {
            return None;
        }
        if self.language == Language::En && is_inverted(&text[sentence..span.end]) {
            return None;
        }
        let near = without(self.plain(&text[clause..span.end]), &self.harmless);
        let near = self.known_fact(&near);
        // `didn't` counts as a single word.
        let is_shortened = self.language == Language::En && (near.contains("n't ") || near.contains("n’t "));
        if is_shortened || self.holds(near, &self.denies) {
            return None;
        }
        let before = self.plain(&text[sentence..span.start]);
        let here = self.plain(&text[clause..span.start]);
        let told = if tense == Tense::Momentary { self.without_moment(&before) } else { before.clone() };
        let is_past = self.holds(&told, &self.past)
            || self.holds(&here, &self.past_in_clause)
            || self.holds(&without(self.plain(text), &self.forgets), &self.remembers);
        if is_past && tense != Tense::Lasting {
            return None;
        }
        Some(match () {
            () if self.holds(&before, &self.dreamt) => Mode::Dreamt,
            () if self.holds(&before, &self.said) => Mode::Said,
            () if self.reports.teller(text, sentence, &span).is_some() => Mode::Said,
            () => Mode::Narrated,
        })
    }

    /// Returns whether an attribute of a subject may be left out: whether it neither supposes nor reports anything.
    pub(super) fn is_plain_attribute(&self, text: &str) -> bool {
        let text = without(self.plain(text), &self.surprises);
        ![&self.supposes, &self.dreamt, &self.said, &self.dreams].into_iter().any(|words| self.holds(&text, words))
    }

    /// Returns whether words before a subject may be left out: whether they change no mode.
    pub(super) fn is_plain_lead(&self, text: &str) -> bool {
        let text = without(self.plain(text), &self.surprises);
        let words = [&self.supposes, &self.dreamt, &self.said, &self.dreams, &self.past, &self.remembers, &self.denies];
        !words.into_iter().chain([&self.past_in_clause]).any(|words| self.holds(&text, words))
    }

    /// Returns the placeholder of the person who reports the statement at `span`, if a report names somebody.
    pub(super) fn teller(&self, text: &str, span: &Range<usize>) -> Option<Range<usize>> {
        self.reports.teller(text, sentence_of(text, span.start), span).flatten()
    }

    /// Normalizes text for cue matching: in English, a space at both ends of every word and a lower-case start.
    fn plain(&self, text: &str) -> String {
        if self.language == Language::Zh {
            return text.to_owned();
        }
        let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_name(c));
        let first = text.chars().next().map_or(0, char::len_utf8);
        let mut plain = format!(" {}{} ", text[..first].to_lowercase(), &text[first..]);
        plain = plain.replace(['\u{1}', ',', '.', ';', '!', '?', '\n', '“', '”', '"', '‘', ':', '—'], " ");
        while plain.contains("  ") {
            plain = plain.replace("  ", " ");
        }
        plain
    }

    /// Returns the words without a `when` that begins a clause of the moment, and not of somebody's youth.
    fn without_moment(&self, plain: &str) -> String {
        let Some((_, clause)) = plain.split_once(" when ") else { return plain.to_owned() };
        match self.holds(&format!(" {clause}"), &self.lifetimes) {
            true => plain.to_owned(),
            false => plain.replace(" when ", " "),
        }
    }

    /// Returns the words behind `that` in a clause about what somebody knows or does not know: `nobody knew that Tom was sixty`.
    fn known_fact<'t>(&self, near: &'t str) -> &'t str {
        match near.rsplit_once(" that ") {
            Some((before, _)) if self.holds(&format!("{before} "), &self.known) => {
                &near[before.len() + " that".len()..]
            }
            _ => near,
        }
    }

    fn holds(&self, plain: &str, words: &[String]) -> bool {
        match self.language {
            Language::Zh => words.iter().any(|word| plain.contains(word.as_str())),
            Language::En => words.iter().any(|word| {
                plain
                    .match_indices(word.as_str())
                    .any(|(at, _)| plain[..at].ends_with(' ') && plain[at + word.len()..].starts_with(' '))
            }),
        }
    }
}

/// Returns whether an English condition stands without `if`: `Had Tom known`, `Were Tom to come`.
fn is_inverted(text: &str) -> bool {
    const SUBJECTS: [&str; 7] = ["he ", "she ", "they ", "it ", "i ", "we ", "you "];
    let lower = text.to_lowercase();
    ["had ", "were ", "should "].iter().any(|verb| {
        let mut found = lower.match_indices(verb).filter(|(at, _)| {
            let before = lower[..*at].trim_end_matches(['“', '‘', '"', ' ']);
            before.is_empty() || before.ends_with([',', ';', '—'])
        });
        found.any(|(at, _)| {
            let rest = &lower[at + verb.len()..];
            rest.starts_with(is_name) || SUBJECTS.iter().any(|subject| rest.starts_with(subject))
        })
    })
}

/// Returns the text without some words.
fn without(text: String, words: &[String]) -> String {
    words.iter().fold(text, |text, word| text.replace(word.as_str(), ""))
}

/// Returns the beginning of the sentence around a statement that starts at `start`.
fn sentence_of(text: &str, start: usize) -> usize {
    let sentence = text[..start].rfind(['；', ';', '。', '！']).unwrap_or(0);
    sentence + record_lead(&text[sentence..start])
}

/// Returns the length of the words by which a sentence quotes a record, as good as the narrator: `墓志铭上写着，`.
fn record_lead(text: &str) -> usize {
    const RECORDS: [&str; 12] =
        ["墓志铭", "碑文", "墓碑", "族谱", "家谱", "宗谱", "户口本", "身份证", "档案", "县志", "病历", "出生证"];
    const WRITE: [&str; 12] =
        ["上说", "里说", "上写着", "里写着", "上写", "上刻着", "上记着", "里记着", "上载", "记载", "写着", "写明"];
    let found = RECORDS.iter().find_map(|word| Some(text.find(word)? + word.len()));
    let verb = |at: usize| WRITE.iter().find_map(|verb| text[at..].starts_with(verb).then_some(at + verb.len()));
    let Some(end) = found.and_then(verb) else { return 0 };
    end + text[end..].chars().next().filter(|c| matches!(c, '，' | '：')).map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::super::forms::tests::told;

    #[test]
    fn a_statement_before_a_rhetorical_question_stands() {
        for (text, expected) in [
            ("“我今年五十八岁，还怕谁？”周建国说。", "周建国 age 58 Said"),
            ("林深已经死了，何必再提？", "林深 dies true Narrated"),
            ("沈墨死了，像睡着了一样。", "沈墨 dies true Narrated"),
            ("要不是林深的父亲周建国出面，谁肯借钱？", "林深 child_of 周建国 Narrated"),
            ("墓志铭上写着，沈墨生于一九〇三年。", "沈墨 birth \"一九〇三年\" Narrated"),
            ("苏敏今年二十岁，没有人记得。", "苏敏 age 20 Narrated"),
        ] {
            assert!(told(text).iter().any(|found| found == expected), "{text}: {:?}", told(text));
        }
    }

    #[test]
    fn what_is_asked_likened_or_feigned_is_not_read() {
        for text in [
            "林深今年五十八岁，对不对？",
            "林深死了，是不是？",
            "林深死了一般躺着。",
            "沈墨冒充林深的父亲周建国。",
            "信上写着，沈墨像是死了。",
        ] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
    }
}
