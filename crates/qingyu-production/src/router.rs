//! Detection of the user's intent by words.
//!
//! - `words`: the lists, for both languages

mod intent;
mod words;

use qingyu_story::production::{Field, Phase};
use serde::{Deserialize, Serialize};

pub use intent::Intent;

use crate::reference::{ReferenceTarget, references};
use crate::simulation::mentioned;
use crate::topic::find;

/// The context of the user's words.
#[derive(Debug, Clone, Copy)]
pub struct RoutingContext<'a> {
    /// The fields of the project.
    pub fields: &'a [Field],
    /// The phases, in order.
    pub phases: &'a [Phase],
    /// The name of the current phase.
    pub current_phase: &'a str,
    /// Whether the current phase is an interview.
    pub is_interview: bool,
    /// Whether the user was asked to confirm something.
    pub waits_for_confirmation: bool,
}

/// The detected intent of the user's words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Routing {
    /// The intent.
    pub intent: Intent,
    /// The paths of the fields meant.
    pub fields: Vec<String>,
    /// The name of a phase, if mentioned.
    pub phase: Option<String>,
    /// The instruction, in the user's words.
    pub instruction: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// Whether the words are one clause, or an answer in an interview without a word for going on, and name no field
    /// with an `@`: word lists cannot decide how several clauses belong together.
    pub is_simple: bool,
    /// Whether the word lists decide: the words are simple, and the confidence suffices.
    pub is_sure: bool,
    /// The reason of the decision.
    pub why: String,
    /// Other possible intents.
    pub others: Vec<Intent>,
}

/// Minimum confidence to act without a confirmation.
const SURE: f64 = 0.7;
/// The confidence where the words may tell, suppose or forbid something instead of ordering it.
const DOUBT: f64 = 0.5;

/// Returns the intent of the words.
///
/// Rules over lists of words (`words`), clause by clause: negated clauses are ignored, questions are no orders. Words
/// that are not simple are left to a model where there is one; the intent is then only a guess.
pub fn route(text: &str, situation: &RoutingContext<'_>) -> Routing {
    let said = ParsedUtterance::new(text, situation);
    let (intent, confidence, why, others) = said.decide(situation);
    let confidence = if said.is_doubtful(intent, situation) { confidence.min(DOUBT) } else { confidence };
    let is_simple = said.is_simple(situation);
    Routing {
        intent,
        fields: said.fields,
        phase: said.phase,
        instruction: text.trim().to_owned(),
        confidence,
        is_simple,
        is_sure: is_simple && confidence >= SURE,
        why,
        others,
    }
}

/// A decision: intent, confidence, reason, and other possible intents.
type Decision = (Intent, f64, String, Vec<Intent>);

/// The user's words, parsed.
struct ParsedUtterance {
    /// The text in lower case, with `@` references as blanks.
    text: String,
    /// The clauses without negation.
    clauses: Vec<String>,
    /// The clauses with a negation.
    negated: Vec<String>,
    is_negated: bool,
    /// Whether the text ends with a question mark.
    is_asked: bool,
    /// Whether the text is worded as a question.
    is_worded: bool,
    /// Whether the text is a question, by its mark or its words.
    is_question: bool,
    has_reference: bool,
    /// Whether a simulated reader is named.
    names_reader: bool,
    fields: Vec<String>,
    /// The titles of fields in the text: words inside a name order nothing.
    titles: Vec<String>,
    phase: Option<String>,
}

impl ParsedUtterance {
    fn new(text: &str, situation: &RoutingContext<'_>) -> Self {
        let mut rest = text.to_owned();
        let mut fields: Vec<String> = Vec::new();
        let marks = references(text, situation.fields);
        let has_reference = !marks.is_empty();
        for reference in marks.into_iter().rev() {
            rest.replace_range(reference.range, " ");
            if let ReferenceTarget::Field { path, .. } = reference.target {
                fields.insert(0, path);
            }
        }
        let rest = rest.to_lowercase().replace('’', "'");
        for path in named(&rest, situation.fields) {
            if !fields.contains(&path) {
                fields.push(path);
            }
        }
        let phase = phase_named(&rest, situation.phases);
        let titles = situation.fields.iter().map(|field| field.title.to_lowercase());
        let titles = titles.filter(|title| title.chars().count() > 3 && rest.contains(title.as_str())).collect();
        let (ordered, _) = words::without(&rest, |words| &words.request);
        let is_asked = rest.trim_end().ends_with(['?', '？']);
        let all = clauses(&ordered);
        let (negated, clauses): (Vec<String>, Vec<String>) =
            all.into_iter().partition(|clause| words::has(clause, |words| &words.negation));
        // "Nothing to add" asks nothing, and "this phase is fine" neither.
        let (worded, _) = words::without(&ordered, |words| &words.advance);
        let is_worded =
            words::has(&worded, |words| &words.question) || self::clauses(&worded).iter().any(|clause| asks(clause));
        Self {
            is_negated: !negated.is_empty(),
            negated,
            is_asked,
            is_worded,
            is_question: is_asked || is_worded,
            names_reader: !mentioned(&rest, situation.fields).is_empty(),
            phase,
            has_reference,
            text: rest,
            titles,
            clauses,
            fields,
        }
    }

    fn decide(&self, situation: &RoutingContext<'_>) -> Decision {
        let has = |list: fn(&words::RouterWords) -> &Vec<String>| words::has(&self.text, list);
        let go_on = self.go_on(situation);
        let (scores, why) = self.scores();
        let is_hedged = has(|words| &words.hedge);
        let chat = |confidence: f64, others: Vec<Intent>| (Intent::Chat, confidence, "talk".to_owned(), others);
        if self.phase.is_some() && has(|words| &words.go_to) && !self.is_negated && !self.is_asked {
            return (Intent::AdvancePhase, 0.9, "a phase to go to".to_owned(), Vec::new());
        }
        if situation.is_interview {
            let is_short = self.text.chars().count() <= 20;
            let is_long = self.text.chars().filter(|c| !c.is_whitespace()).count() > 6;
            return match go_on {
                Some(why)
                    if !self.is_question && !self.is_negated_order() && !is_hedged && !has(|words| &words.but) =>
                {
                    (Intent::AdvancePhase, 0.95, why, vec![Intent::Chat])
                }
                Some(why) if is_hedged || self.is_asked && !self.is_worded => {
                    (Intent::AdvancePhase, 0.5, why, vec![Intent::Chat])
                }
                Some(_) => chat(0.8, vec![Intent::AdvancePhase]),
                None if is_hedged && (!is_long || is_short && has(|words| &words.advance)) => {
                    chat(0.5, vec![Intent::AdvancePhase])
                }
                None if !is_long && self.clauses.iter().all(|clause| self.is_filler(clause)) && !self.is_negated => {
                    chat(0.5, vec![Intent::AdvancePhase])
                }
                None => chat(0.85, Vec::new()),
            };
        }
        if let Some(why) = go_on.filter(|_| !self.is_question && !self.is_negated_order()) {
            let is_mixed = scores.first().is_some_and(|(intent, score)| {
                *score >= 2.0 && (*intent == Intent::Modify || *intent == Intent::Generate && self.has_reference)
            });
            if !is_mixed {
                let confidence = if is_hedged { 0.5 } else { 0.9 };
                return (Intent::AdvancePhase, confidence, why, vec![Intent::Chat]);
            }
        }
        if self.names_reader && self.asks() {
            return (Intent::Query, 0.85, "a question about a reader".to_owned(), vec![Intent::Chat]);
        }
        if self.updates() {
            return (Intent::Update, 0.9, "what is stale is to be made anew".to_owned(), Vec::new());
        }
        if self.confirms(situation.fields) {
            return (Intent::Confirm, 0.9, "fields are to be confirmed".to_owned(), vec![Intent::AdvancePhase]);
        }
        if has(|words| &words.opinion)
            && !scores.first().is_some_and(|(intent, score)| *intent == Intent::Research && *score >= 2.0)
        {
            return chat(0.8, Vec::new());
        }
        match scores.as_slice() {
            _ if is_hedged => {
                (scores.first().map_or(Intent::Chat, |(intent, _)| *intent), 0.5, why, vec![Intent::Chat])
            }
            [(intent, score), rest @ ..] if *score >= 2.0 => {
                let is_about_things = has(|words| &words.things) || !self.fields.is_empty();
                // A question about things is a query, unless the words also order something.
                let is_query = self.is_question && is_about_things && !self.is_order() && *intent != Intent::Research;
                let intent = if is_query { Intent::Query } else { *intent };
                let second = rest.first().map_or(0.0, |(_, score)| *score);
                let confidence = if is_query || score - second >= 1.0 { 0.85 } else { 0.72 };
                (intent, confidence, why, rest.iter().map(|(intent, _)| *intent).collect())
            }
            _ if self.is_question && (has(|words| &words.things) || !self.fields.is_empty()) => (
                Intent::Query,
                if self.is_worded { 0.8 } else { 0.5 },
                "a question about what is there".to_owned(),
                vec![Intent::Chat],
            ),
            [(intent, score), ..]
                if *score >= 1.0
                    && !self.fields.is_empty()
                    && *intent == Intent::Generate
                    && has(|words| &words.request) =>
            {
                (*intent, 0.8, why, Vec::new())
            }
            [(_, score), ..] if *score < 2.0 && self.is_negated => chat(0.75, Vec::new()),
            [(intent, score), ..] if *score >= 1.0 => {
                let is_order = *intent == Intent::Generate
                    && (!self.fields.is_empty() || self.has_reference)
                    && !self.text.contains("again")
                    && !self.text.contains("再");
                (*intent, if is_order { 0.72 } else { 0.5 }, why, vec![Intent::Generate, Intent::Modify, Intent::Chat])
            }
            _ if has(|words| &words.chat) || self.is_question || self.is_negated => chat(0.8, Vec::new()),
            _ if !self.fields.is_empty() => {
                (Intent::Query, 0.4, "only a field is named".to_owned(), vec![Intent::Generate, Intent::Modify])
            }
            _ => chat(0.5, vec![Intent::AdvancePhase]),
        }
    }

    /// Returns whether the words are one clause and name no field with an `@`; several clauses that only say to continue
    /// count as one, and so does any answer in an interview without a word for going on.
    fn is_simple(&self, situation: &RoutingContext<'_>) -> bool {
        if self.has_reference {
            return false;
        }
        let all = clauses(&self.text);
        let goes_on = |clause: &str| {
            let (rest, is_said) = words::without(clause, |words| &words.advance);
            is_said && self.is_filler(&rest)
        };
        let going_on = all.iter().filter(|clause| goes_on(clause)).count();
        let meaningful = all.iter().filter(|clause| !goes_on(clause) && !self.is_filler(clause)).count();
        // "…, you write it" may end an answer.
        let is_ended = all.len() > 1 && all.last().is_some_and(|last| self.is_filler(last));
        let is_answer = situation.is_interview && !words::has(&self.text, |words| &words.advance) && !is_ended;
        is_answer || meaningful + usize::from(going_on > 0) <= 1
    }

    /// Returns the reason if a clause only says to continue; `None` otherwise.
    fn go_on(&self, situation: &RoutingContext<'_>) -> Option<String> {
        let is_go_on = |clause: &&String| {
            let (rest, is_said) = words::without(clause, |words| &words.advance);
            let (rest, is_affirmed) = words::without(&rest, |words| &words.affirm);
            let mut rest = rest;
            if is_said
                && let Some(phase) = situation.phases.iter().find(|phase| rest.contains(&phase.title.to_lowercase()))
            {
                rest = rest.replace(&phase.title.to_lowercase(), " ");
            }
            (is_said || situation.waits_for_confirmation && is_affirmed) && self.is_filler(&rest)
        };
        // A named thing is an object to make, not an order to continue.
        let found = self.clauses.iter().find(is_go_on)?;
        Some(format!("“{}” says to go on", found.trim()))
    }

    /// Returns whether the words are worded as a question, and not as a request.
    fn asks(&self) -> bool {
        let begin = words::after_filler(&self.text);
        let begins = words::begins(begin, |words| &words.question) || asks(begin);
        (self.is_asked && self.is_worded || begins) && !self.is_order()
    }

    /// Returns whether the words may tell, suppose or forbid something instead of ordering what they seem to.
    fn is_doubtful(&self, intent: Intent, situation: &RoutingContext<'_>) -> bool {
        let has = |list: fn(&words::RouterWords) -> &Vec<String>| words::has(&self.text, list);
        if situation.is_interview {
            let speaks_to_us = |clause: &String| {
                words::has(clause, |words| &words.advance) && (find(clause, "you").is_some() || clause.contains('你'))
            };
            return intent == Intent::Chat && self.go_on(situation).is_none() && self.clauses.iter().any(speaks_to_us);
        }
        let is_told = !self.is_order() && self.clauses.iter().any(|clause| words::tells(clause));
        match intent {
            Intent::Chat if self.is_negated => !self.negated.iter().all(|clause| self.is_refusal(clause)),
            Intent::Chat => self.is_question && !has(|words| &words.opinion) && !has(|words| &words.chat),
            Intent::Research => is_told || self.is_asked && !self.is_order(),
            Intent::Modify | Intent::Generate => {
                is_told || self.is_asked && !self.is_order() && has(|words| &words.suppose)
            }
            Intent::Query => {
                let is_ordered = self.scores().0.first().is_some_and(|(intent, _)| *intent == Intent::Query);
                is_told && is_ordered || self.is_asked && !self.is_order() && has(|words| &words.suppose)
            }
            Intent::AdvancePhase | Intent::Confirm | Intent::Update => false,
        }
    }

    /// Returns whether a negated clause says what is not to be done now: to go on, to confirm, to make; another negation
    /// may be how something is to be made.
    fn is_refusal(&self, clause: &str) -> bool {
        let (rest, _) = words::without(clause, |words| &words.negation);
        let is_step = words::has(clause, |words| &words.advance)
            || words::has(clause, |words| &words.go_to)
            || words::has(clause, |words| &words.confirm)
            || words::has(clause, |words| &words.update);
        let makes =
            [Intent::Generate, Intent::Research].into_iter().any(|intent| words::speaks_for(clause, intent).0 >= 2.0);
        is_step || makes || self.is_filler(&rest) || rest.chars().filter(|c| c.is_alphanumeric()).count() <= 3
    }

    /// Returns whether a clause orders an update of the stale fields, and the words name no field: an order about a named
    /// field is not an update.
    fn updates(&self) -> bool {
        let is_order = |clause: &String| {
            // A Latin verb comes first: "update", not "what is there to update".
            let begin = words::after_filler(clause);
            let is_latin = begin.starts_with(|c: char| c.is_ascii_alphanumeric());
            let is_verb = match is_latin {
                true => words::begins(begin, |words| &words.update),
                false => words::has(clause, |words| &words.update),
            };
            let is_asked = !is_latin && words::has(clause, |words| &words.question);
            is_verb && !is_asked && words::has(clause, |words| &words.stale)
        };
        !self.is_asked && self.fields.is_empty() && !self.has_reference && self.clauses.iter().any(is_order)
    }

    /// Returns whether a clause orders that these, or named fields, are confirmed, and says nothing else.
    fn confirms(&self, fields: &[Field]) -> bool {
        let names: Vec<String> = self.fields.iter().flat_map(|path| names_of(path, fields)).collect();
        let is_order = |clause: &String| {
            let (rest, is_said) = words::without(clause, |words| &words.confirm);
            let (mut rest, is_about_these) = words::without(&rest, |words| &words.these);
            for name in &names {
                rest = rest.replace(name.as_str(), " ");
            }
            let is_named = self.has_reference || !self.fields.is_empty();
            is_said && (is_about_these || is_named) && self.is_filler(&rest)
        };
        let is_limited = self.is_asked || words::has(&self.text, |words| &words.but);
        !is_limited && !self.is_negated && self.clauses.iter().any(is_order)
    }

    fn is_filler(&self, clause: &str) -> bool {
        let (rest, _) = words::without(clause, |words| &words.affirm);
        let (rest, _) = words::without(&rest, |words| &words.filler);
        rest.chars().all(|c| !c.is_alphanumeric())
    }

    /// Returns whether a negation refers to an order to continue, and not to the end of an interview.
    fn is_negated_order(&self) -> bool {
        let negated = clauses(&self.text);
        negated.iter().any(|clause| {
            let (rest, _) = words::without(clause, |words| &words.advance);
            words::has(clause, |words| &words.negation) && words::has(&rest, |words| &words.negation)
        })
    }

    fn is_order(&self) -> bool {
        words::has(&self.text, |words| &words.request)
    }

    /// Returns the score of each intent, the highest first, and the matching words.
    fn scores(&self) -> (Vec<(Intent, f64)>, String) {
        let text = self.clauses.join(" , ");
        let text = self.titles.iter().fold(text, |text, title| text.replace(title.as_str(), " "));
        let intents = [Intent::Research, Intent::Modify, Intent::Query, Intent::Generate];
        let mut spoken: Vec<_> = intents.into_iter().map(|intent| (intent, words::speaks_for(&text, intent))).collect();
        spoken.retain(|(_, (score, _))| *score > 0.0);
        spoken.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
        let why = spoken.first().map(|(_, (_, words))| format!("“{}”", words.join("”, “"))).unwrap_or_default();
        (spoken.into_iter().map(|(intent, (score, _))| (intent, score)).collect(), why)
    }
}

/// Returns the clauses of a text, without separators.
fn clauses(text: &str) -> Vec<String> {
    let marks = ['，', '。', '！', '？', '；', '：', ',', '.', '!', '?', ';', '—', '\n'];
    text.split(marks).map(str::trim).filter(|clause| !clause.is_empty()).map(str::to_owned).collect()
}

/// Returns whether a clause begins like a question.
fn asks(clause: &str) -> bool {
    [clause, words::after_filler(clause)].into_iter().any(|begin| words::begins(begin, |words| &words.asking))
}

/// Returns the last part of a path, as words.
fn last_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().replace('_', " ")
}

/// Returns the last two characters of a title: the head noun, if it is Chinese.
fn head_noun(title: &str) -> String {
    let letters: Vec<char> = title.chars().collect();
    letters[letters.len().saturating_sub(2)..].iter().collect()
}

/// Returns the words by which a text may mention a field, the longest first.
fn names_of(path: &str, fields: &[Field]) -> Vec<String> {
    let mut names = vec![last_of(path)];
    if let Some(field) = fields.iter().find(|field| field.path == path) {
        let title = field.title.to_lowercase();
        let thing = head_noun(&title);
        names.push(title);
        names.extend(Some(thing).filter(|thing| !thing.is_ascii()));
    }
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.retain(|name| !name.trim().is_empty());
    names
}

/// Returns the phase mentioned by its title, or by a unique end of its title.
fn phase_named(text: &str, phases: &[Phase]) -> Option<String> {
    let is_whole = |phase: &&Phase| {
        let names = [phase.title.to_lowercase(), phase.name.clone(), phase.name.replace('_', " ")];
        names.iter().any(|name| !name.is_empty() && find(text, name).is_some())
    };
    let is_by_end = |phase: &&Phase| {
        let end = head_noun(&phase.title);
        !end.is_ascii() && text.contains(&end) && phases.iter().filter(|other| other.title.ends_with(&end)).count() == 1
    };
    let found = phases.iter().find(is_whole).or_else(|| phases.iter().find(is_by_end));
    found.map(|phase| phase.name.clone())
}

/// Returns the fields mentioned by their title, or by a unique end of their title.
pub(crate) fn named(text: &str, fields: &[Field]) -> Vec<String> {
    let is_named = |field: &&Field| {
        let title = field.title.to_lowercase();
        let end = last_of(&field.path);
        // "report" alone is ambiguous among several.
        let is_end = !end.chars().all(|c| c.is_ascii_digit()) && find(text, &end).is_some() && {
            let ends_so = |other: &&Field| last_of(&other.path) == end;
            fields.iter().filter(ends_so).count() == 1
        };
        let thing = head_noun(&title);
        let is_thing = !thing.is_ascii() && text.contains(&thing) && {
            let alike = fields.iter().filter(|other| other.title.to_lowercase().ends_with(&thing));
            alike.count() == 1
        };
        !title.is_empty() && find(text, &title).is_some() || is_end || is_thing
    };
    fields.iter().filter(|field| field.item.is_none()).filter(is_named).map(|field| field.path.clone()).collect()
}

#[cfg(test)]
mod tests;
