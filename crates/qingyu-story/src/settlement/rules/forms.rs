//! Patterns for plain statements, loaded from data files.
//!
//! The files `forms/*.zh.toml` and `forms/*.en.toml` list the patterns of each language by theme, with example sentences
//! to match and to skip; a test validates every pattern against its examples.

#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::{Captures, Match, Regex};
use serde::Deserialize;
use serde_json::{Value, json};

use super::cues::{CueSource, Cues, Tense};
use super::line::{MaskedSentence, is_person};
use super::number_words::{cardinal, with_tenths, with_twelfths};
use super::rearranged::{RearrangementSource, Rearrangements};
use super::reports::{ReportSource, Reports};
use super::restated::{in_past_tense, wordings};
use super::slots::expand_slots;
use super::topics::{TopicSource, Topics};
use super::when::year_of_season;
use crate::predicate;
use crate::time::{self, leading_number};
use crate::{Language, Mode};

/// The predicate of an engagement, which is not in the vocabulary.
const ENGAGED: &str = "engaged_to";

/// The statement patterns of a language.
pub(super) struct Forms {
    forms: Vec<StatementForm>,
    /// A matcher over all required words in `has`, mapped to the patterns using them.
    sought: AhoCorasick,
    having: Vec<Vec<usize>>,
    /// The patterns without required words, tried everywhere.
    anywhere: Vec<usize>,
    pub(super) cues: Cues,
    pub(super) speaker: SpeakerWords,
    /// The words by which a topic is carried over clauses, in a language that leaves out subjects.
    pub(super) topics: Option<Topics>,
    /// The patterns that move parts of a sentence before it is read again, in such a language.
    pub(super) rearrangements: Option<Rearrangements>,
}

/// Words for the speaker and for people mentioned before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpeakerWords {
    /// First-person words, and longer words with another meaning which begin or end with a first-person word.
    pub(super) selves: Vec<String>,
    pub(super) not_selves: Vec<String>,
    /// First-person possessives.
    #[serde(default)]
    pub(super) owners: Vec<String>,
    /// Third-person pronouns.
    pub(super) pronouns: Vec<String>,
    pub(super) not_pronouns: Vec<String>,
}

/// A statement pattern.
struct StatementForm {
    pattern: Regex,
    facts: Vec<FactForm>,
    timeless: bool,
    apposed: bool,
    momentary: bool,
    least: f64,
    most: f64,
    base: Option<String>,
    not_behind: Vec<String>,
    not_values: Vec<String>,
    #[cfg(test)]
    examples: Examples,
}

/// The id of a pattern, with example sentences to match and to skip.
#[cfg(test)]
struct Examples {
    id: String,
    reads: Vec<String>,
    passes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormFile {
    slots: BTreeMap<String, String>,
    form: Vec<FormSource>,
    report: Vec<ReportSource>,
    cue: Vec<CueSource>,
    speaker: SpeakerWords,
    topic: Option<TopicSource>,
    rearrangement: Option<RearrangementSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormSource {
    id: String,
    #[serde(default)]
    has: Vec<String>,
    pattern: String,
    facts: Vec<FactForm>,
    #[serde(default)]
    timeless: bool,
    #[serde(default)]
    apposed: bool,
    #[serde(default)]
    momentary: bool,
    least: Option<f64>,
    most: Option<f64>,
    base: Option<String>,
    #[serde(default)]
    not_behind: Vec<String>,
    #[serde(default)]
    not_values: Vec<String>,
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests read the examples"))]
    reads: Vec<String>,
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests read the examples"))]
    passes: Vec<String>,
}

/// A statement template referring to groups of the pattern. `a|b` takes the first matched group.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactForm {
    subject: String,
    /// A vocabulary word; `@measure` is replaced by the word for the group `measure`, and `@kin` by the group `kin` itself.
    predicate: String,
    object: Option<String>,
    /// A group name; several with `+` between are joined by spaces, the later ones in lower case.
    text: Option<String>,
    /// A group name, or a literal in single quotes.
    number: Option<String>,
    /// A group of digits behind the number: `一米八二` is 1.82.
    tenths: Option<String>,
    /// A group of inches behind a number of feet: `six feet four` is 6.33.
    twelfths: Option<String>,
    date: Option<String>,
    #[serde(default)]
    flag: bool,
    /// A group name, or a literal in single quotes.
    unit: Option<String>,
}

/// A statement found in a line, with names restored.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FoundStatement {
    pub(super) subject: String,
    pub(super) predicate: String,
    pub(super) object: Option<String>,
    pub(super) value: Value,
    pub(super) unit: String,
    pub(super) mode: Mode,
    /// The teller, if a report names one.
    pub(super) by: Option<String>,
}

impl FoundStatement {
    /// Returns whether another statement says the same, or gives another value where there is one only.
    fn tells(&self, other: &Self) -> bool {
        let is_single = predicate::find(&self.predicate).is_some_and(|word| word.single);
        let is_same = (&self.object, &self.value) == (&other.object, &other.value);
        (&self.subject, &self.predicate) == (&other.subject, &other.predicate) && (is_single || is_same)
    }
}

/// Returns the form files of a language, joined. Patterns of all themes are tried in this order.
macro_rules! form_files {
    ($language:literal) => {
        concat!(
            include_str!(concat!("forms/slots.", $language, ".toml")),
            include_str!(concat!("forms/ages.", $language, ".toml")),
            include_str!(concat!("forms/kin.", $language, ".toml")),
            include_str!(concat!("forms/deaths.", $language, ".toml")),
            include_str!(concat!("forms/places.", $language, ".toml")),
            include_str!(concat!("forms/traits.", $language, ".toml")),
            include_str!(concat!("forms/things.", $language, ".toml")),
            include_str!(concat!("forms/cues.", $language, ".toml")),
        )
    };
}

static ZH: LazyLock<Forms> = LazyLock::new(|| Forms::parse(Language::Zh, form_files!("zh")));
static EN: LazyLock<Forms> = LazyLock::new(|| Forms::parse(Language::En, form_files!("en")));

impl Forms {
    /// Returns the built-in patterns of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::Zh => &ZH,
            Language::En => &EN,
        }
    }

    fn parse(language: Language, source: &str) -> Self {
        let source: FormFile =
            toml::from_str(source).unwrap_or_else(|error| panic!("the forms are part of the program: {error}"));
        let mut words: Vec<String> = Vec::new();
        let mut having: Vec<Vec<usize>> = Vec::new();
        let mut anywhere = Vec::new();
        let mut forms = Vec::with_capacity(source.form.len());
        for (number, form) in source.form.into_iter().enumerate() {
            if form.has.is_empty() {
                anywhere.push(number);
            }
            for word in &form.has {
                match words.iter().position(|known| known == word) {
                    Some(place) => having[place].push(number),
                    None => {
                        words.push(word.clone());
                        having.push(vec![number]);
                    }
                }
            }
            forms.push(StatementForm::new(form, language, &source.slots));
        }
        let sought = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(aho_corasick::MatchKind::Standard)
            .build(&words)
            .expect("the words are few");
        let reports = Reports::new(language, source.report, &source.slots);
        let cues = Cues::new(language, &source.cue, reports);
        let topics = source.topic.map(|topic| Topics::new(&topic, &source.slots));
        let rearrangements = source.rearrangement.map(|moved| Rearrangements::new(&moved, &source.slots));
        Self { forms, sought, having, anywhere, cues, speaker: source.speaker, topics, rearrangements }
    }

    /// Returns the statements of a line, in pattern order: as it is written, then those of its other wordings.
    pub(super) fn read(&self, line: &MaskedSentence<'_>) -> Vec<FoundStatement> {
        if !line.names_somebody() {
            return Vec::new();
        }
        if self.cues.asks(&line.text) {
            let stated = self.cues.stated_before_question(&line.text);
            return stated.map(|end| self.read(&line.until(end))).unwrap_or_default();
        }
        let mut found = self.read_once(line);
        let moved = self.rearrangements.as_ref().and_then(|moved| moved.rearranged(line, &self.cues));
        let carried = self.topics.as_ref().and_then(|topics| topics.carried(moved.as_ref().unwrap_or(line)));
        let again = self.rearrangements.as_ref().zip(carried.as_ref());
        let again = again.and_then(|(moved, line)| moved.rearranged(line, &self.cues));
        let english = if self.cues.is_english() { wordings(line, &self.cues) } else { Vec::new() };
        for wording in moved.into_iter().chain(carried).chain(again).chain(english) {
            found.extend(new_of(&found, self.read_once(&wording)));
            if let Some(past) = self.past_tense(&wording) {
                found.extend(new_of(&found, past));
            }
        }
        if let Some(past) = self.past_tense(line) {
            found.extend(new_of(&found, past));
        }
        found
    }

    /// Returns the statements that stay true of an English sentence with pluperfect passives; `None` without these.
    fn past_tense(&self, line: &MaskedSentence<'_>) -> Option<Vec<FoundStatement>> {
        let past = self.cues.is_english().then(|| in_past_tense(line)).flatten()?;
        Some(self.read_by(&past, |form| form.timeless))
    }

    fn read_once(&self, line: &MaskedSentence<'_>) -> Vec<FoundStatement> {
        self.read_by(line, |_| true)
    }

    /// Returns the statements found by the patterns that `is_meant`.
    fn read_by(&self, line: &MaskedSentence<'_>, is_meant: impl Fn(&StatementForm) -> bool) -> Vec<FoundStatement> {
        let mut found = Vec::new();
        let mut chosen: Vec<usize> = self.anywhere.clone();
        for hit in self.sought.find_overlapping_iter(&line.text) {
            chosen.extend(&self.having[hit.pattern().as_usize()]);
        }
        chosen.sort_unstable();
        chosen.dedup();
        for form in chosen.into_iter().map(|number| &self.forms[number]).filter(|form| is_meant(form)) {
            form.read(line, &self.cues, &mut found);
        }
        found
    }
}

impl StatementForm {
    fn new(source: FormSource, language: Language, slots: &BTreeMap<String, String>) -> Self {
        let FormSource {
            id,
            pattern,
            facts,
            timeless,
            apposed,
            momentary,
            least,
            most,
            base,
            not_behind,
            not_values,
            ..
        } = source;
        let case = if language == Language::En { "(?i)" } else { "" };
        let pattern = format!("{case}{}", expand_slots(&pattern, slots));
        let pattern =
            Regex::new(&pattern).unwrap_or_else(|error| panic!("the form {id} is part of the program: {error}"));
        for fact in &facts {
            let is_read = matches!(fact.predicate.as_str(), "@measure" | "@kin" | ENGAGED);
            let is_word = is_read || predicate::find(&fact.predicate).is_some();
            assert!(is_word, "the form {id} says {}, which is no word", fact.predicate);
        }
        let (least, most) = (least.unwrap_or(0.0), most.unwrap_or(f64::MAX));
        #[cfg(test)]
        let examples = Examples { id, reads: source.reads, passes: source.passes };
        Self {
            pattern,
            facts,
            timeless,
            apposed,
            momentary,
            least,
            most,
            base,
            not_behind,
            not_values,
            #[cfg(test)]
            examples,
        }
    }

    fn tense(&self) -> Tense {
        match (self.timeless, self.momentary) {
            (true, _) => Tense::Lasting,
            (false, true) => Tense::Momentary,
            (false, false) => Tense::Present,
        }
    }

    fn read(&self, line: &MaskedSentence<'_>, cues: &Cues, found: &mut Vec<FoundStatement>) {
        let text = line.text.as_str();
        let mut from = 0;
        while let Some(captures) = self.pattern.captures_at(text, from) {
            let whole = captures.get(0).expect("the whole is a group");
            let end = captures.name("z").map_or(whole.end(), |z| z.start());
            // The end of a statement may begin the next statement.
            let first = text[whole.start()..].chars().next().map_or(1, char::len_utf8);
            from = if end > whole.start() { end } else { whole.start() + first };
            let behind = without_topic(&text[end..]).to_lowercase();
            let is_behind = self.not_behind.iter().any(|word| behind.starts_with(word.as_str()));
            // Text before the first part of a statement is not part of the statement.
            let parts = self.pattern.capture_names().flatten().filter(|name| *name != "z");
            let start = parts.filter_map(|name| captures.name(name)).map(|part| part.start()).min();
            let start = start.unwrap_or(whole.start()).min(end);
            // Nobody does anything to himself: `Tom took the key from Tom’s pocket`.
            let is_reflexive = group(&captures, "who")
                .zip(group(&captures, "other"))
                .is_some_and(|(who, other)| who.as_str() == other.as_str());
            let presupposed = || self.apposed.then(|| cues.presupposed(text, start..end)).flatten();
            let mode = cues.mode(text, start..end, self.tense()).or_else(presupposed);
            if !is_behind
                && !is_reflexive
                && let Some(mode) = mode
            {
                let by = cues.teller(text, &(start..end)).filter(|_| mode == Mode::Said);
                let telling = (mode, by.and_then(|by| line.name(&text[by])));
                self.facts.iter().for_each(|fact| self.say(fact, line, &captures, &telling, found));
            }
            if from >= text.len() {
                break;
            }
        }
    }

    /// Appends the statement described by `fact` for a match, if all parts are valid. `mode` and `by` say how it is told.
    fn say(
        &self,
        fact: &FactForm,
        line: &MaskedSentence<'_>,
        captures: &Captures<'_>,
        (mode, by): &(Mode, Option<String>),
        found: &mut Vec<FoundStatement>,
    ) {
        let Some(subject) = group(captures, &fact.subject).and_then(|group| line.name(group.as_str())) else { return };
        let predicate = match fact.predicate.as_str() {
            "@measure" => measure(group(captures, "measure|measure2").map_or("", |found| found.as_str())).to_owned(),
            "@kin" => group(captures, "kin|kin2").map_or(String::new(), |kin| kin.as_str().to_lowercase()),
            word => word.to_owned(),
        };
        let object = match fact.object.as_deref() {
            Some(name) => match group(captures, name) {
                Some(group) => Some(line.words(group.range())).filter(|words| !words.is_empty()),
                None => return,
            },
            None => None,
        };
        let is_no_value = |words: &String| {
            let plain: String = words.chars().map(crate::language::simplified).collect();
            self.not_values.iter().any(|word| word.eq_ignore_ascii_case(&plain))
        };
        if object.as_ref().is_some_and(is_no_value)
            || object.as_ref() == Some(&subject)
            || fact.object.is_some() && object.is_none()
        {
            return;
        }
        let unit = match fact.unit.as_deref() {
            Some(word) if word.starts_with('\'') => word.trim_matches('\'').to_owned(),
            Some(name) => group(captures, name).map_or(String::new(), |unit| unit.as_str().to_lowercase()),
            None => String::new(),
        };
        let value = match (&fact.number, &fact.text, &fact.date) {
            (Some(name), ..) => {
                let words = match name.strip_prefix('\'') {
                    Some(literal) => Some(literal.trim_end_matches('\'')),
                    None => group(captures, name).map(|words| words.as_str()),
                };
                let whole = words.and_then(|words| self.number(words, &unit));
                let tenths = fact.tenths.as_deref().and_then(|name| group(captures, name));
                let twelfths = fact.twelfths.as_deref().and_then(|name| group(captures, name));
                let number = match (tenths, twelfths) {
                    (Some(tenths), _) => whole.and_then(|whole| with_tenths(&whole, tenths.as_str())),
                    (None, Some(twelfths)) => whole.and_then(|whole| with_twelfths(&whole, twelfths.as_str())),
                    (None, None) => whole,
                };
                match number {
                    Some(number) => number,
                    None => return,
                }
            }
            (None, Some(names), _) => {
                let parts = names.split('+').filter_map(|name| group(captures, name));
                let words = parts.map(|part| line.words(part.range())).enumerate();
                let words: Vec<String> =
                    words.map(|(place, words)| if place == 0 { words } else { words.to_lowercase() }).collect();
                if words.is_empty() {
                    return;
                }
                Value::String(words.join(" "))
            }
            (None, None, Some(name)) => {
                match group(captures, name).and_then(|words| date(&line.words(words.range()))) {
                    Some(date) => Value::String(date),
                    None => return,
                }
            }
            (None, None, None) if fact.flag => Value::Bool(true),
            _ => Value::Null,
        };
        let one = FoundStatement { subject, predicate, object, value, unit, mode: *mode, by: by.clone() };
        let is_first = fact.subject.split('|').next() == Some("who") && captures.name("who").is_some();
        if is_first && let Some(also) = captures.name("also").and_then(|also| line.name(also.as_str())) {
            push(found, FoundStatement { subject: also, ..one.clone() });
        }
        push(found, one);
    }

    /// Parses the words as a whole number, if the form accepts the value.
    fn number(&self, words: &str, unit: &str) -> Option<Value> {
        let plain: String = words.replace('有', "").to_lowercase();
        let plain = plain.strip_prefix("a ").map(|rest| format!("one {rest}")).unwrap_or(plain);
        let plain = cardinal(&plain);
        let (number, end) = leading_number(&plain)?;
        let fits_unit = self
            .base
            .as_ref()
            .is_none_or(|base| predicate::in_base_unit(number, unit).is_some_and(|(_, other)| other == base.as_str()));
        let fits = end == plain.len() && (self.least..=self.most).contains(&number) && fits_unit;
        let whole = || if number.fract() == 0.0 { json!(number as i64) } else { json!(number) };
        fits.then(whole)
    }
}

/// Returns the text without the name that `Topics::carried` put behind its leading comma: `，` for `，周建国`.
fn without_topic(text: &str) -> String {
    let topic = text.strip_prefix('，').and_then(|rest| rest.strip_prefix(is_person));
    topic.map_or_else(|| text.to_owned(), |rest| format!("，{rest}"))
}

/// Returns the statements that those known do not tell yet.
fn new_of(known: &[FoundStatement], mut further: Vec<FoundStatement>) -> Vec<FoundStatement> {
    further.retain(|one| !known.iter().any(|known| known.tells(one)));
    further
}

fn push(found: &mut Vec<FoundStatement>, one: FoundStatement) {
    if !found.contains(&one) {
        found.push(one);
    }
}

/// Returns the first matched group among names separated by `|`.
fn group<'t>(captures: &Captures<'t>, names: &str) -> Option<Match<'t>> {
    names.split('|').find_map(|name| captures.name(name))
}

/// Returns the longest prefix which parses as a date.
fn date(words: &str) -> Option<String> {
    let ends = words.char_indices().filter(|(_, c)| matches!(c, ',' | ' ')).map(|(at, _)| at).chain([words.len()]);
    let mut dates = ends
        .map(|end| year_of_season(words[..end].trim_matches([',', ' ', '在', '于'])))
        .filter(|date| time::parse(&date.to_lowercase()).moment().is_some() || is_birthday(date));
    dates.next_back().map(str::to_owned)
}

/// Returns whether the words are a day of an English month without a year: `third of March`.
fn is_birthday(words: &str) -> bool {
    let names_month = || time::MONTHS.iter().any(|month| crate::language::has_words(words, month));
    names_month() && time::is_day_of_year(words)
}

/// Returns the vocabulary word for a measure.
fn measure(words: &str) -> &'static str {
    match words.to_lowercase().as_str() {
        "高" | "身高" | "身长" | "身量" | "high" | "tall" | "height" => "height",
        "长" | "long" | "length" => "length",
        "宽" | "wide" | "width" => "width",
        _ => "depth",
    }
}
