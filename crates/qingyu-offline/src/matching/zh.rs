//! Chinese questions: the gap is at the place of the answer, so question and statement are compared character by
//! character.

mod words;

use qingyu_knowledge::analysis::fold;

use super::answer::{AnswerKind, is_question, narrated};
use crate::brief::begins_like_a_name;
use words::{
    ASKS, AT, CLOSERS, DENIALS, DIGITS, DOUBTS, LIGHT, NAMES, NO_NAMES, NO_PLACES, OPENERS, PEOPLE, PLACES, POLITE,
    PRONOUNS, TIMES,
};

/// A Chinese question as a statement with a gap, in folded characters without light words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChineseForm {
    kind: AnswerKind,
    before: String,
    after: String,
    /// Whether the question is about identity or a name, so that the sides of the statement can be exchanged.
    is_identity: bool,
}

impl ChineseForm {
    pub(super) fn of(question: &str) -> Option<Self> {
        let mut text: String = fold(question).chars().filter(|c| !c.is_whitespace()).collect();
        for polite in POLITE {
            text = text.replace(polite, "");
        }
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        if text.contains([',', ';', '。', '?']) {
            return None;
        }
        let bare = text.trim_end_matches(['呢', '啊', '呀']);
        let Some((at, word, kind)) = question_word(bare) else { return whether(bare) };
        let (before, after) = (&bare[..at], &bare[at + word.len()..]);
        if kind == AnswerKind::Truth || question_word(after).is_some() || after.ends_with(['吗', '么']) {
            return None;
        }
        let (before, after) = (essential(before), essential(after));
        let is_copula = kind == AnswerKind::Person || kind == AnswerKind::Thing;
        let form = |kind, before: &str, after: &str, is_identity| Self {
            kind,
            before: before.to_owned(),
            after: after.to_owned(),
            is_identity,
        };
        Some(match (kind, before.as_str(), after.as_str()) {
            (_, "", "") => return None,
            (AnswerKind::Name, subject, "") => form(kind, subject, "", true),
            (AnswerKind::Person, "", rest) if rest.starts_with('是') => form(kind, &rest['是'.len_utf8()..], "", true),
            (_, rest, "") if is_copula && rest.ends_with('是') => form(kind, rest.trim_end_matches('是'), "", true),
            (AnswerKind::Place, rest, "") => form(kind, rest.trim_end_matches(['在', '于']), "", false),
            (_, before, after) => form(kind, before, after, false),
        })
    }

    pub(super) fn fits(&self, sentence: &str) -> bool {
        if is_question(sentence) {
            return false;
        }
        let folded: String = fold(sentence).chars().filter(|c| !c.is_whitespace()).collect();
        let own = format!("{}{}", self.before, self.after);
        if DOUBTS.iter().any(|doubt| folded.contains(doubt) && !own.contains(doubt)) {
            return false;
        }
        let parts = narrated(&folded);
        parts.iter().any(|part| {
            let clauses: Vec<&str> = part.split(|c: char| !c.is_alphanumeric()).filter(|one| !one.is_empty()).collect();
            (0..clauses.len()).any(|at| self.is_said_by(&clauses, at))
        })
    }

    /// Returns whether the clause at `at` makes the statement.
    fn is_said_by(&self, clauses: &[&str], at: usize) -> bool {
        let own = format!("{}{}", self.before, self.after);
        let raw = clauses[at];
        if raw.chars().any(|c| DENIALS.contains(c) && !own.contains(c)) {
            return false;
        }
        let clause = essential(raw);
        match self.kind {
            AnswerKind::Truth => places(&clause, &own).any(|(before, rest)| opens(before) && closes(rest)),
            AnswerKind::Reason => {
                let near = &clauses[at.saturating_sub(1)..clauses.len().min(at + 2)];
                let gives_reason =
                    near.iter().any(|one| ["因为", "由于", "为了", "是因"].iter().any(|why| one.contains(why)));
                let says = |(before, rest): (&str, &str)| opens(before) && (closes(rest) || rest.starts_with("是因"));
                gives_reason && places(&clause, &own).any(says)
            }
            AnswerKind::Time => self.is_timed(&clause, clauses, at),
            _ if self.is_identity => self.is_identified(raw, &clause),
            _ => self.gaps(&clause).any(|gap| self.is_filled(gap)),
        }
    }

    /// Returns an iterator over the contents of the gap, for each match of the surrounding words in the clause.
    fn gaps<'c>(&'c self, clause: &'c str) -> impl Iterator<Item = &'c str> {
        let starts = places(clause, &self.before).filter(|(before, _)| self.before.is_empty() || opens(before));
        starts.flat_map(move |(before, rest)| {
            // Without words before, the gap begins at the beginning of the clause.
            let rest = if self.before.is_empty() { clause } else { rest };
            let _ = before;
            let ends = places(rest, &self.after).filter(|(_, rest)| closes(rest));
            let to_the_end = self.after.is_empty().then_some(rest);
            ends.map(|(gap, _)| gap).filter(move |_| !self.after.is_empty()).chain(to_the_end)
        })
    }

    fn is_filled(&self, gap: &str) -> bool {
        match self.kind {
            AnswerKind::Person => is_person(gap),
            AnswerKind::Place => is_place(gap),
            AnswerKind::Age => is_age(gap),
            AnswerKind::Number => !gap.is_empty() && gap.chars().all(|c| DIGITS.contains(c)),
            AnswerKind::Colour => {
                gap.chars().count() <= 6 && gap.contains(['色', '红', '黑', '白', '蓝', '绿', '黄', '紫', '灰'])
            }
            _ => (1..=12).contains(&gap.chars().count()) && !PRONOUNS.contains(&gap),
        }
    }

    /// Returns whether the clause identifies the subject, on either side.
    fn is_identified(&self, raw: &str, clause: &str) -> bool {
        let is_said = |gap: &str| {
            let Some(verb) = NAMES.iter().find(|verb| gap.starts_with(**verb)) else { return false };
            let answer = &gap[verb.len()..];
            // `他是昨天到的` states a time and not a person; likewise `是在`, `是被` and others.
            let is_cleft =
                raw.ends_with('的') || answer.starts_with(|c| "在从被把为因要会能想来去很太最更再先".contains(c));
            let is_name = self.kind != AnswerKind::Name || *verb != "是" || self.before.ends_with("名字");
            !is_cleft
                && is_name
                && (1..=12).contains(&answer.chars().count())
                && !PRONOUNS.iter().any(|one| answer.starts_with(one))
        };
        let is_told = places(clause, &self.before).any(|(before, rest)| opens(before) && is_said(rest));
        let turned = format!("是{}", self.before);
        let is_turned = self.kind == AnswerKind::Person && clause.strip_suffix(&turned).is_some_and(is_person);
        is_told || is_turned
    }

    /// Returns whether the clause makes the statement with a time inside, before, or in a separate clause before.
    fn is_timed(&self, clause: &str, clauses: &[&str], at: usize) -> bool {
        let own = format!("{}{}", self.before, self.after);
        let earlier = at.checked_sub(1).map(|before| clauses[before]);
        let is_before = |(before, rest): (&str, &str)| {
            closes(rest) && (is_time(before) || (opens(before) && earlier.is_some_and(is_time)))
        };
        self.gaps(clause).any(is_time) || places(clause, &own).any(is_before)
    }
}

/// Parses a yes-or-no question.
fn whether(question: &str) -> Option<ChineseForm> {
    let forms = [("是不是", "是"), ("有没有", "有"), ("是否", "")];
    let turned =
        forms.iter().find(|(asks, _)| question.contains(asks)).map(|(asks, says)| question.replace(asks, says));
    let statement = match turned {
        Some(turned) => turned,
        None => question.strip_suffix(['吗', '么'])?.to_owned(),
    };
    let before = essential(&statement);
    (!before.is_empty()).then(|| ChineseForm {
        kind: AnswerKind::Truth,
        before,
        after: String::new(),
        is_identity: false,
    })
}

/// Returns the first question word, its position and its kind of answer.
fn question_word(text: &str) -> Option<(usize, &'static str, AnswerKind)> {
    text.char_indices().find_map(|(at, _)| {
        let rest = &text[at..];
        let (word, kind) = ASKS.iter().find(|(word, _)| rest.starts_with(word))?;
        (!rest.starts_with("几乎")).then_some((at, *word, *kind))
    })
}

/// Returns `text` without light words.
fn essential(text: &str) -> String {
    let mut rest = text;
    let mut left = String::with_capacity(text.len());
    while let Some(first) = rest.chars().next() {
        match LIGHT.iter().find(|word| rest.starts_with(**word)) {
            Some(word) => rest = &rest[word.len()..],
            None => {
                left.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    left
}

/// Returns an iterator over the text before and after each occurrence of `part` in `text`.
fn places<'t>(text: &'t str, part: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let length = part.len();
    let found: Vec<usize> =
        if part.is_empty() { vec![0] } else { text.match_indices(part).map(|(at, _)| at).collect() };
    found.into_iter().map(move |at| (&text[..at], &text[at + length..]))
}

/// Returns whether a subject may follow in the same clause.
fn opens(before: &str) -> bool {
    let is_short = before.chars().count() <= 10;
    let is_of_nobody = !PRONOUNS.iter().any(|one| before.contains(one));
    before.is_empty()
        || OPENERS.contains(&before)
        || (is_short && is_of_nobody && before.ends_with(|c| TIMES.contains(c)))
}

/// Returns whether a statement may end there.
fn closes(rest: &str) -> bool {
    rest.is_empty() || CLOSERS.iter().any(|closer| rest.starts_with(closer))
}

fn is_person(gap: &str) -> bool {
    let gap = OPENERS.iter().find_map(|opener| gap.strip_prefix(opener)).unwrap_or(gap);
    let length = gap.chars().count();
    if !(2..=8).contains(&length) || PRONOUNS.iter().any(|one| gap.contains(one)) || NO_NAMES.contains(&gap) {
        return false;
    }
    let is_named = length <= 4 && (begins_like_a_name(gap) || gap.starts_with(['老', '小', '阿']));
    let is_titled = PEOPLE
        .iter()
        .filter_map(|one| gap.split_once(one))
        .any(|(_, name)| (2..=3).contains(&name.chars().count()) && begins_like_a_name(name));
    is_named || is_titled || PEOPLE.iter().any(|one| gap.ends_with(one))
}

fn is_place(gap: &str) -> bool {
    let bare = AT.iter().find_map(|at| gap.strip_prefix(at)).unwrap_or(gap);
    let is_long_enough = (2..=12).contains(&bare.chars().count());
    let is_one = PLACES.iter().any(|end| bare.ends_with(end)) && !NO_PLACES.iter().any(|end| bare.ends_with(end));
    is_long_enough && is_one && !PRONOUNS.iter().any(|one| bare.contains(one))
}

/// Returns whether the gap is exactly a number of years.
fn is_age(gap: &str) -> bool {
    const BEFORE: [&str; 10] = ["今年", "时年", "年方", "年仅", "刚满", "刚", "满", "才", "约", "是"];
    let mut rest = gap;
    while let Some(shorter) = BEFORE.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = shorter;
    }
    let years = rest.trim_start_matches(|c| DIGITS.contains(c));
    let is_end = ["岁", "岁半", "岁整", "岁年纪", "多岁", "来岁", "岁上下", "岁左右", "岁出头"].contains(&years);
    years.len() < rest.len() && is_end
}

/// Returns whether the words are a specific time, more than a pointer such as `那天`.
fn is_time(words: &str) -> bool {
    let is_dated = words.chars().any(|c| DIGITS.contains(c) || "昨今明正腊初春夏冬".contains(c));
    let is_vague = ["一天", "一年", "一日", "一夜", "第二天", "十分"].iter().any(|vague| words.ends_with(vague));
    let is_short = (2..=14).contains(&words.chars().count());
    is_short && is_dated && !is_vague && words.ends_with(|c| TIMES.contains(c) || "点午刻".contains(c))
}
