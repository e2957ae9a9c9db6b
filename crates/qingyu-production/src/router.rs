//! What the user wants, by the words they use.
//!
//! - `words`: the lists, of both languages

mod words;

use qingyu_story::production::{Field, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reference::{Target, references};

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// That the phase ends and the next one begins; in an interview, that enough has been asked.
    AdvancePhase,
    /// That something is looked up in the world.
    Research,
    /// That content is made.
    Generate,
    /// That content is made differently.
    Modify,
    /// To see what is there.
    Query,
    /// To talk.
    Chat,
}

/// Where the user's words are said.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The fields of the project.
    pub fields: &'a [Field],
    /// Its phases, in order.
    pub phases: &'a [Phase],
    /// The name of the phase that is worked on.
    pub current_phase: &'a str,
    /// Whether it is one in which the user is asked questions.
    pub is_interview: bool,
    /// Whether the user was asked to confirm something.
    pub waits_for_confirmation: bool,
}

/// What the user's words are taken for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Routing {
    /// What the user wants.
    pub intent: Intent,
    /// The paths of the fields that are meant.
    pub fields: Vec<String>,
    /// The name of a phase that is named.
    pub phase: Option<String>,
    /// What is to be done, in the user's words.
    pub instruction: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Whether it can be acted upon without asking.
    pub is_sure: bool,
    /// By what it was decided.
    pub why: String,
    /// What else may be meant.
    pub others: Vec<Intent>,
}

/// From this on it can be acted upon without asking.
const SURE: f64 = 0.7;

/// What the words are taken for.
///
/// Rules over lists of words (`words`), clause by clause: what is negated does not count, what is asked is not ordered.
pub fn route(text: &str, situation: &Situation<'_>) -> Routing {
    let said = Said::new(text, situation);
    let (intent, confidence, why, others) = said.decide(situation);
    Routing {
        intent,
        fields: said.fields,
        phase: said.phase,
        instruction: text.trim().to_owned(),
        confidence,
        is_sure: confidence >= SURE,
        why,
        others,
    }
}

/// What is decided: the intent, how sure, by what, and what else may be meant.
type Decision = (Intent, f64, String, Vec<Intent>);

/// The user's words, taken apart.
struct Said {
    /// In lower case, with `@` references as blanks.
    text: String,
    /// Its clauses that are not negated.
    clauses: Vec<String>,
    is_negated: bool,
    is_question: bool,
    has_reference: bool,
    fields: Vec<String>,
    /// The titles of fields that stand in it: what is in a name orders nothing.
    titles: Vec<String>,
    phase: Option<String>,
}

impl Said {
    fn new(text: &str, situation: &Situation<'_>) -> Self {
        let mut rest = text.to_owned();
        let mut fields: Vec<String> = Vec::new();
        let marks = references(text, situation.fields);
        let has_reference = !marks.is_empty();
        for reference in marks.into_iter().rev() {
            rest.replace_range(reference.range, " ");
            if let Target::Field { path, .. } = reference.target {
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
        let all: Vec<String> = clauses(&ordered);
        let clauses: Vec<String> =
            all.iter().filter(|clause| !words::has(clause, |words| &words.negation)).cloned().collect();
        Self {
            is_negated: clauses.len() < all.len(),
            is_question: is_asked || words::has(&ordered, |words| &words.question),
            phase,
            has_reference,
            text: rest,
            titles,
            clauses,
            fields,
        }
    }

    fn decide(&self, situation: &Situation<'_>) -> Decision {
        let has = |list: fn(&words::Words) -> &Vec<String>| words::has(&self.text, list);
        let go_on = self.go_on(situation);
        let (scores, why) = self.scores();
        let is_hedged = has(|words| &words.hedge);
        let is_asked = self.text.trim_end().ends_with(['?', '？']);
        let chat = |confidence: f64, others: Vec<Intent>| (Intent::Chat, confidence, "talk".to_owned(), others);
        if self.phase.is_some() && has(|words| &words.go_to) && !self.is_negated && !is_asked {
            return (Intent::AdvancePhase, 0.9, "a phase to go to".to_owned(), Vec::new());
        }
        if situation.is_interview {
            let is_short = self.text.chars().count() <= 20;
            let is_long = self.text.chars().filter(|c| !c.is_whitespace()).count() > 6;
            let is_worded = has(|words| &words.question) && self.is_question;
            return match go_on {
                Some(why)
                    if !self.is_question && !self.is_negated_order() && !is_hedged && !has(|words| &words.but) =>
                {
                    (Intent::AdvancePhase, 0.95, why, vec![Intent::Chat])
                }
                Some(why) if is_hedged || is_asked && !is_worded => {
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
                // What is asked about things is a question, unless the words order something.
                let is_query = self.is_question && is_about_things && !self.is_order() && *intent != Intent::Research;
                let intent = if is_query { Intent::Query } else { *intent };
                let second = rest.first().map_or(0.0, |(_, score)| *score);
                let confidence = if is_query || score - second >= 1.0 { 0.85 } else { 0.72 };
                (intent, confidence, why, rest.iter().map(|(intent, _)| *intent).collect())
            }
            _ if self.is_question && (has(|words| &words.things) || !self.fields.is_empty()) => {
                let is_worded = has(|words| &words.question);
                (
                    Intent::Query,
                    if is_worded { 0.8 } else { 0.5 },
                    "a question about what is there".to_owned(),
                    vec![Intent::Chat],
                )
            }
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
            _ => chat(if self.text.chars().count() > 12 { 0.7 } else { 0.5 }, vec![Intent::AdvancePhase]),
        }
    }

    /// Whether a clause says to go on, and nothing else.
    fn go_on(&self, situation: &Situation<'_>) -> Option<String> {
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
        // What is made of a thing that is named is made, not gone on with.
        let found = self.clauses.iter().find(is_go_on)?;
        Some(format!("“{}” says to go on", found.trim()))
    }

    fn is_filler(&self, clause: &str) -> bool {
        let (rest, _) = words::without(clause, |words| &words.affirm);
        let (rest, _) = words::without(&rest, |words| &words.filler);
        rest.chars().all(|c| !c.is_alphanumeric())
    }

    /// Whether what is negated is an order to go on, and not the end of asking.
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

    /// What speaks for each intent, most first, and by which words.
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

/// The clauses of a text, without what separates them.
fn clauses(text: &str) -> Vec<String> {
    let marks = ['，', '。', '！', '？', '；', '：', ',', '.', '!', '?', ';', '—', '\n'];
    text.split(marks).map(str::trim).filter(|clause| !clause.is_empty()).map(str::to_owned).collect()
}

/// The phase that is named: whole, or by the end of its title if no other ends so.
fn phase_named(text: &str, phases: &[Phase]) -> Option<String> {
    let is_whole = |phase: &&Phase| {
        let names = [phase.title.to_lowercase(), phase.name.clone(), phase.name.replace('_', " ")];
        names.iter().any(|name| !name.is_empty() && words::find(text, name).is_some())
    };
    let end = |phase: &Phase| {
        let letters: Vec<char> = phase.title.chars().collect();
        letters[letters.len().saturating_sub(2)..].iter().collect::<String>()
    };
    let is_by_end = |phase: &&Phase| {
        let end = end(phase);
        !end.is_ascii() && text.contains(&end) && phases.iter().filter(|other| other.title.ends_with(&end)).count() == 1
    };
    let found = phases.iter().find(is_whole).or_else(|| phases.iter().find(is_by_end));
    found.map(|phase| phase.name.clone())
}

/// The fields whose title stands in the words, or the end of one that no other has.
fn named(text: &str, fields: &[Field]) -> Vec<String> {
    let is_named = |field: &&Field| {
        let title = field.title.to_lowercase();
        let end = field.path.rsplit('/').next().unwrap_or_default().replace('_', " ");
        // "report" alone names none of several.
        let is_end = !end.chars().all(|c| c.is_ascii_digit()) && words::find(text, &end).is_some() && {
            let ends_so = |other: &&Field| other.path.rsplit('/').next().unwrap_or_default().replace('_', " ") == end;
            fields.iter().filter(ends_so).count() == 1
        };
        let letters: Vec<char> = title.chars().collect();
        // The last two characters of a Chinese title are the thing itself.
        let thing: String = letters[letters.len().saturating_sub(2)..].iter().collect();
        let is_thing = !thing.is_ascii() && text.contains(&thing) && {
            let alike = fields.iter().filter(|other| other.title.to_lowercase().ends_with(&thing));
            alike.count() == 1
        };
        !title.is_empty() && words::find(text, &title).is_some() || is_end || is_thing
    };
    fields.iter().filter(|field| field.item.is_none()).filter(is_named).map(|field| field.path.clone()).collect()
}

#[cfg(test)]
mod tests;
