//! Known facts of a chapter as lines in the language of the book, from results of the context tool.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_llm::estimate;
use qingyu_story::audience::Audience;
use qingyu_story::holdings::Whereabouts;
use qingyu_story::language::{has_words, is_han};
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::{Character, CharacterRelation, Mode, TimelineEvent, phrase, with_unit};
use serde::Deserialize;
use serde_json::Value;

use super::awareness::{
    actors, are_alike, bearers, doers, hearings, is_denial_of_one, is_untold, speaker_of, tellers, told_again,
};
use super::dates::{FactDates, number_of};
use super::listed::described;
use super::things::remark;
use super::told::{SAME, ToldText};
use crate::labels::Labels;

/// Maximum number of known facts that are compared in their words.
const COMPARED: usize = 60;
/// Maximum number of people listed as knowing a fact; a fact with more is treated as known to everybody.
const KNOWERS: usize = 4;

/// Words behind a name that make it that of the speaker of what follows.
const SAYS: [&str; 26] = [
    "说", "称", "谎称", "声称", "自称", "告诉", "答", "以为", "相信", "认为", "梦见", "梦到", "骗", "says", "said",
    "tells", "told", "claims", "claimed", "answers", "swears", "believes", "thinks", "dreams", "lies", "pretends",
];

/// Returns relations between people of `cast`, a line each; a relation and its inverse are one.
pub(super) fn relations(found: &[Value], cast: &[Character], words: &Labels) -> Vec<String> {
    let mut relations: Vec<CharacterRelation> = Vec::new();
    for relation in found.iter().filter_map(|one| CharacterRelation::deserialize(one).ok()) {
        let is_same = |other: &&mut CharacterRelation| {
            let has_own = |one: &CharacterRelation| !one.own_kind.trim().is_empty();
            !has_own(other)
                && !has_own(&relation)
                && (other.from.trim(), other.to.trim(), other.kind)
                    == (relation.to.trim(), relation.from.trim(), relation.kind.inverse())
        };
        let Some(known) = relations.iter_mut().find(is_same) else {
            relations.push(relation);
            continue;
        };
        let (own, other) = (known.description.trim(), relation.description.trim());
        if !other.is_empty() && !own.contains(other) {
            let own = own.trim_end_matches(['。', '.']);
            known.description = if own.is_empty() { other.to_owned() } else { [own, other].join(words.semicolon) };
        }
    }
    let line = |relation: CharacterRelation| {
        let says = words.tie(&relation, cast);
        match relation.description.trim() {
            "" => says,
            description if says.ends_with(description) => says,
            description => words.labelled(&says, description),
        }
    };
    relations.into_iter().map(line).collect()
}

/// Returns events, a line each: time and place, then action.
pub(super) fn events(found: &[Value], words: &Labels) -> Vec<String> {
    found.iter().filter_map(|one| TimelineEvent::deserialize(one).ok()).map(|event| event_line(&event, words)).collect()
}

/// Returns the events planned for a chapter, a line each. If they take more than `tokens`, those of least importance lose
/// their description and people first: that an event is to happen counts more than its details.
pub(super) fn planned(events: &[&TimelineEvent], words: &Labels, tokens: u64) -> Vec<String> {
    let cost = |line: &String| estimate::tokens(line) + 2;
    let mut lines: Vec<String> = events.iter().map(|event| event_line(event, words)).collect();
    let mut total: u64 = lines.iter().map(cost).sum();
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by_key(|at| events[*at].importance);
    for at in order {
        if total <= tokens {
            break;
        }
        let by = Some(teller(events[at]).to_owned());
        let bare = TimelineEvent { by, description: String::new(), participants: Vec::new(), ..events[at].clone() };
        let short = event_line(&bare, words);
        total = total - cost(&lines[at]) + cost(&short);
        lines[at] = short;
    }
    lines
}

/// Returns an event as a line.
pub(super) fn event_line(event: &TimelineEvent, words: &Labels) -> String {
    let place = event.location.as_deref().unwrap_or_default();
    let when: Vec<&str> = [event.timestamp.trim(), place.trim()].into_iter().filter(|text| !text.is_empty()).collect();
    let (title, description) = (event.title.trim(), event.description.trim());
    let mode = words.mode(event.mode, teller(event));
    let what = match description {
        "" => title.to_owned(),
        _ if says_title(description, title) => description.to_owned(),
        // The words for the mode are a label already.
        _ if !mode.is_empty() => words.sentences(&[title, description]),
        _ => words.labelled(title, description),
    };
    let what = format!("{mode}{what}");
    let line = if when.is_empty() { what } else { words.labelled(&when.join(words.comma), &what) };
    // People already named in the line are not repeated.
    let people: Vec<&str> = event.participants.iter().map(String::as_str).filter(|name| !line.contains(name)).collect();
    if people.is_empty() { line } else { format!("{line}{}", words.remark(&people.join(words.comma))) }
}

/// Returns who tells an event; empty if nobody known does.
pub(super) fn teller(event: &TimelineEvent) -> &str {
    Some(event.teller()).filter(|name| !name.is_empty()).unwrap_or_else(|| speaker(event))
}

/// Returns the participant who says, believes, dreams or feigns the event by the first words of its description; empty if
/// they do not say so.
fn speaker(event: &TimelineEvent) -> &str {
    if !matches!(event.mode, Mode::Said | Mode::Believed | Mode::Dreamt | Mode::Lied) {
        return "";
    }
    let description = event.description.trim();
    let speaks = |name: &&str| {
        let first = name.split_whitespace().next().unwrap_or(*name);
        let rest = description.strip_prefix(*name).or_else(|| description.strip_prefix(first)).unwrap_or_default();
        let word = rest.split_whitespace().next().unwrap_or_default();
        SAYS.iter().any(|says| if says.chars().any(is_han) { rest.starts_with(says) } else { word == *says })
    };
    let mut people = event.participants.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    people.find(speaks).unwrap_or_default()
}

/// Returns whether a description has all of the title in its order, be it with other words between.
fn says_title(description: &str, title: &str) -> bool {
    let is_han_title = title.chars().any(is_han);
    let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<Vec<char>>();
    if is_han_title {
        let mut rest = bare(description).into_iter();
        return bare(title).into_iter().all(|wanted| rest.any(|c| c == wanted));
    }
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let mut rest = parts(description).into_iter();
    parts(title).iter().all(|wanted| rest.any(|part| part == *wanted))
}

/// Returns promises, a line each; `place` returns the chapter of a document or node, and `here` is the chapter that is
/// written, if any.
pub(super) fn promises(
    found: &[Value],
    words: &Labels,
    place: &dyn Fn(&str) -> String,
    here: Option<&str>,
) -> Vec<String> {
    let line = |promise: &Value| {
        let text = |key: &str| promise[key].as_str().unwrap_or_default().trim().to_owned();
        let planted = match &promise["planted"] {
            Value::Array(places) => places.first().and_then(Value::as_str).map(place).unwrap_or_default(),
            other => other.as_str().map(place).unwrap_or_default(),
        };
        let mut remarks = Vec::new();
        match text("state").as_str() {
            "pay_here" => remarks.push(words.pay_here.to_owned()),
            "overdue" => remarks.push(words.overdue.to_owned()),
            _ => {}
        }
        let labelled = |label: &str, place: &str| format!("{label}{}{place}", words.space());
        if here == Some(planted.as_str()) {
            remarks.push(words.plant_here.to_owned());
        } else if !planted.is_empty() {
            remarks.push(labelled(words.planted_in, &planted));
        }
        let due = text("due");
        if !due.is_empty() {
            remarks.push(labelled(words.due, &place(&due)));
        }
        let mut line = text("name");
        if !text("description").is_empty() {
            line = words.labelled(&line, &text("description"));
        }
        if remarks.is_empty() { line } else { format!("{line}{}", words.remark(&remarks.join(words.comma))) }
    };
    found.iter().map(line).collect()
}

/// Returns places, things and organisations, a line each, for a list of `tokens`; the world and its rules have their own
/// section. Things show where they are; those that participants hold are listed even if they are not among `found`. What has
/// nothing but its name is left out.
pub(super) fn settings(
    found: &[Value],
    things: &BTreeMap<String, Whereabouts>,
    here: &[String],
    words: &Labels,
    tokens: u64,
) -> Vec<String> {
    let is_setting = |one: &&Value| matches!(one["kind"].as_str(), Some("location" | "item" | "organisation"));
    let place = |name: &str| things.get(name).map(|place| remark(place, words));
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().trim().to_owned();
    let entry = |one: &Value| {
        let name = text(one, "name");
        let place = if one["kind"] == "item" { place(&name) } else { None };
        (words.named(&name, &other_names(one), place), text(one, "description"))
    };
    let listed: BTreeSet<String> = found.iter().map(|one| text(one, "name")).collect();
    let is_held = |name: &String| matches!(things.get(name), Some(Whereabouts::Held(holder)) if here.contains(holder));
    let unlisted = things.keys().filter(|name| !listed.contains(*name) && is_held(name));
    let unlisted = unlisted.map(|name| (words.named(name, &[], place(name)), String::new()));
    let is_told = |one: &&Value| {
        let (line, description) = entry(one);
        !description.is_empty() || line != text(one, "name")
    };
    described(found.iter().filter(is_setting).filter(is_told).map(entry).chain(unlisted).collect(), tokens, words)
}

/// Returns the other names of a card in a result of the context tool.
pub(super) fn other_names(card: &Value) -> Vec<String> {
    let names = card["alias"].as_array().into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// A fact, as part of its subject's line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FactLine {
    /// Subject of the fact.
    pub(super) subject: String,
    /// Statement about the subject.
    statement: String,
    /// The statement with the way in which it is told: `falsely claims: knows the code`.
    pub(super) says: String,
    /// Since when it holds; empty if unknown.
    pub(super) date: String,
    /// The knowledge itself, for a fact about who knows it; the whole statement for others.
    pub(super) content: String,
    /// The people who know the fact by the text, if they are few; empty if everybody may know it.
    pub(super) knowers: Vec<String>,
    /// The people who know it anyway: they did or said it, or it is their own state.
    pub(super) aware: Vec<String>,
    /// Whether it is about who knows something.
    is_learnt: bool,
    /// Name, time and way of learning of its knowers, as far as all three are given.
    heard: BTreeSet<[String; 3]>,
    /// Whether it is about a participant, or about a place or thing of the chapter.
    pub(super) is_near: bool,
    /// Whether it says of the subject, as a fact, that he or she is dead, and no more.
    pub(super) is_death: bool,
    /// Order of discovery; later facts have higher numbers.
    pub(super) age: u64,
}

impl FactLine {
    /// Returns the participants whom the text does not show to know it, if only a few know it.
    pub(super) fn kept_from<'h>(&self, here: &'h [String]) -> Vec<&'h String> {
        match self.knowers.is_empty() {
            true => Vec::new(),
            false => here.iter().filter(|name| !self.knowers.contains(name) && !self.aware.contains(name)).collect(),
        }
    }
}

/// The parameters of the lines of facts.
#[derive(Default)]
pub(super) struct FactFrame<'a> {
    /// Names of the participants.
    pub(super) here: &'a [String],
    /// Names of the places, things and organisations of the chapter.
    pub(super) about: &'a [String],
    /// The cards shown, as text by name.
    pub(super) cards: BTreeMap<&'a str, &'a str>,
    /// Dates of the facts.
    pub(super) dates: Option<&'a FactDates<'a>>,
    /// Present ages of people by name.
    pub(super) ages: BTreeMap<&'a str, i64>,
    /// Who knows a fact because it is public, by id of the fact.
    pub(super) audiences: BTreeMap<&'a str, Audience>,
    /// The secrets on cards in lower case, with the names of their bearers.
    pub(super) secrets: Vec<(&'a str, String)>,
    /// What people have done in the past, in lower case, with their names.
    pub(super) deeds: Vec<(&'a str, String)>,
    /// The participants of the events that have happened, by title and by id.
    pub(super) attended: BTreeMap<&'a str, &'a [String]>,
    /// The places, things and organisations shown, as text by name.
    pub(super) described: BTreeMap<&'a str, &'a str>,
    /// Items whose whereabouts are shown elsewhere.
    pub(super) things: Option<&'a BTreeMap<String, Whereabouts>>,
}

impl FactFrame<'_> {
    /// Returns whether the name is that of a person with a card.
    fn is_person(&self, name: &str) -> bool {
        self.ages.contains_key(name) || self.cards.contains_key(name) || self.here.iter().any(|other| other == name)
    }
}

/// Returns whether a secret speaks of a thing or a place, both in lower case: by its name, or by its noun (`the light` for
/// `Pendour light`).
fn is_about(secret: &str, name: &str) -> bool {
    const NOUN: usize = 4;
    if name.chars().any(is_han) {
        let skipped = name.chars().count().saturating_sub(2);
        let noun: String = name.chars().skip(skipped).collect();
        return secret.contains(name) || skipped > 0 && secret.contains(&noun);
    }
    let noun = name.split_whitespace().next_back().filter(|noun| noun.chars().count() >= NOUN);
    has_words(secret, name) || noun.is_some_and(|noun| has_words(secret, noun))
}

/// Returns the facts, without duplicates of a card or another fact, and without states that ended in the past.
pub(super) fn facts(found: &[Value], frame: &FactFrame<'_>, words: &Labels) -> Vec<FactLine> {
    let mut seen = BTreeSet::new();
    let secrets: Vec<(&str, ToldText)> =
        frame.secrets.iter().map(|(who, secret)| (*who, ToldText::of([secret.as_str()]))).collect();
    let facts = found.iter().filter_map(|fact| said(fact, found, frame, &secrets, words));
    let mut facts: Vec<FactLine> = facts.filter(|said| !said.says.is_empty()).collect();
    facts.sort_by_key(|said| std::cmp::Reverse(said.age));
    facts.retain(|said| seen.insert((said.subject.clone(), said.says.clone())));
    // Facts on the card of their subject are not repeated, as far as that card is shown.
    facts.retain(|said| {
        let Some(card) = frame.cards.get(said.subject.as_str()) else { return true };
        // An age in reported speech counts as the same age.
        let statement = match said.says.contains(&words.mode(Mode::Flashback, "")) {
            true => said.says.as_str(),
            false => said.statement.as_str(),
        };
        let rest = statement.trim_start_matches(|c: char| !c.is_ascii_digit());
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let on_card = frame.ages.get(said.subject.as_str()).is_some_and(|age| age.to_string() == number);
        let is_shown = on_card || card.contains(rest) && !rest.is_empty();
        let is_age = statement.starts_with(&words.predicate("age")) && is_shown;
        let trade = said.says.strip_prefix(&words.predicate("occupation")).map(str::trim);
        !is_age && !trade.is_some_and(|trade| !trade.is_empty() && card.contains(trade))
    });
    facts
}

/// Returns the known facts, a line each, with the participants whom the text shows to know it, and those whom it does
/// not. `facts` are the facts with knowers, in order of importance. Statements in other words that somebody heard at once are
/// one line, and people who know a statement from elsewhere are not listed as not knowing it.
pub(super) fn knowledge(facts: &[FactLine], here: &[String], words: &Labels) -> Vec<String> {
    let new = |own: &[String], more: &[String]| -> Vec<String> {
        more.iter().filter(|who| !own.contains(who)).cloned().collect()
    };
    let mut known: Vec<FactLine> = Vec::new();
    for fact in facts {
        let is_compared = known.len() <= COMPARED;
        let is_alike = |known: &FactLine| {
            is_compared && known.is_learnt && fact.is_learnt && are_alike(&known.content, &fact.content, here)
        };
        let is_same = |known: &FactLine| {
            known.content == fact.content || !known.heard.is_disjoint(&fact.heard) && is_alike(known)
        };
        if let Some(known) = known.iter_mut().find(|known| is_same(known)) {
            known.knowers.extend(new(&known.knowers, &fact.knowers));
            known.aware.extend(new(&known.aware, &fact.aware));
            known.heard.extend(fact.heard.iter().cloned());
            continue;
        }
        let mut own = fact.clone();
        for other in known.iter_mut().filter(|known| is_alike(known)) {
            if !is_denial_of_one(&other.content, &own.content) {
                own.aware.extend([other.knowers.clone(), other.aware.clone()].concat());
                other.aware.extend([fact.knowers.clone(), fact.aware.clone()].concat());
            }
        }
        known.push(own);
    }
    let line = |fact: &FactLine| {
        let others: Vec<String> = fact.kept_from(here).into_iter().cloned().collect();
        words.labelled(&fact.content, &words.knows(&fact.knowers, &others))
    };
    known.iter().map(line).collect()
}

/// Returns how a fact is told.
pub(super) fn mode_of(fact: &Value) -> Mode {
    Mode::deserialize(&fact["mode"]).unwrap_or_default()
}

/// Words of a statement that somebody is dead.
const DEAD: [&str; 7] = ["死", "亡", "去世", "dead", "death", "died", "killed"];

/// Returns the people who know of a death by a fact of their own.
fn knowers_of_death(found: &[Value], dead: &str) -> Vec<String> {
    let knows = |fact: &&Value| {
        let told = ["object", "value"].map(|key| fact[key].as_str().unwrap_or_default()).join(" ");
        is_about_knowing(fact) && told.contains(dead) && DEAD.iter().any(|word| told.contains(word))
    };
    found.iter().filter(knows).filter_map(|fact| Some(fact["subject"].as_str()?.trim().to_owned())).collect()
}

/// Returns whether a fact narrates that somebody knows or learns something.
fn is_about_knowing(fact: &Value) -> bool {
    let role = predicate::find(fact["predicate"].as_str().unwrap_or_default().trim()).and_then(|word| word.role);
    matches!(role, Some(PredicateRole::Knowing | PredicateRole::Learning)) && mode_of(fact) == Mode::Narrated
}

/// Predicates of looks and qualities, which everybody sees who is there.
const SEEN: [&str; 11] = [
    "trait",
    "eye_colour",
    "hair_colour",
    "species",
    "handedness",
    "height",
    "length",
    "width",
    "depth",
    "weight",
    "capacity",
];

/// Returns the people who have or had a thing, and so know what it is like.
fn owners(found: &[Value], frame: &FactFrame<'_>, thing: &str) -> Vec<String> {
    let is_of_thing = |fact: &&Value| fact["object"].as_str().map(str::trim) == Some(thing);
    let is_had = |fact: &&Value| {
        let role = predicate::find(fact["predicate"].as_str().unwrap_or_default().trim()).and_then(|word| word.role);
        matches!(role, Some(PredicateRole::Holding | PredicateRole::Getting | PredicateRole::Parting))
            && matches!(mode_of(fact), Mode::Narrated | Mode::Flashback)
    };
    let had = found.iter().filter(is_of_thing).filter(is_had);
    let had = had.filter_map(|fact| Some(fact["subject"].as_str()?.trim().to_owned()));
    let now = match frame.things.and_then(|things| things.get(thing)) {
        Some(Whereabouts::Held(holder)) => Some(holder.clone()),
        _ => None,
    };
    had.chain(now).collect()
}

/// Words of a statement that something is a lie.
const LIE: [&str; 10] = ["瞎话", "谎", "假话", "假的", "骗", "lie", "lies", "lied", "is lying", "untrue"];

/// Returns who tells the lie that a known statement calls a lie: the liar of a fact who is named in it, or the only
/// liar.
fn liars(found: &[Value], content: &str) -> Vec<String> {
    let lower = content.to_lowercase();
    if !LIE.iter().any(|word| has_words(&lower, word)) {
        return Vec::new();
    }
    let lied = found.iter().filter(|fact| mode_of(fact) == Mode::Lied);
    let all: BTreeSet<&str> = lied.filter_map(|fact| fact["by"].as_str()).map(str::trim).collect();
    let named = || all.iter().filter(|name| !name.is_empty() && content.contains(**name));
    match all.len() {
        0 | 1 => all.iter().map(|name| (*name).to_owned()).collect(),
        _ => named().map(|name| (*name).to_owned()).collect(),
    }
}

/// Returns the sentence of a relation as it stands behind the name of its subject: `父母是沈伯安`, `is Su's teacher`.
fn without_subject(said: &str, subject: &str) -> Option<String> {
    let rest = said.strip_prefix(subject)?;
    let rest = rest.strip_prefix("'s ").or_else(|| rest.strip_prefix('的')).unwrap_or(rest).trim_start();
    (!rest.starts_with("and ")).then(|| rest.to_owned())
}

/// Returns the people who told a statement, heard it from its teller, or did the deed that it tells. `is_learnt` says whether the
/// fact is about who knows the statement, `is_of_deed` whether it may be about an earlier deed.
fn also_aware(
    fact: &Value,
    found: &[Value],
    frame: &FactFrame<'_>,
    (statement, is_learnt, is_of_deed): (&str, bool, bool),
) -> Vec<String> {
    let mut aware = tellers(fact, frame.here);
    if is_learnt {
        aware.extend(told_again(fact, found, is_about_knowing));
        aware.extend(speaker_of(statement).map(str::to_owned));
        aware.extend(actors(statement, frame.here));
    }
    if is_of_deed {
        let named = frame.about.iter().chain(frame.things.into_iter().flat_map(BTreeMap::keys)).map(String::as_str);
        let named: Vec<&str> = named.filter(|name| !frame.is_person(name)).collect();
        aware.extend(doers(statement, &named, &frame.secrets));
        aware.extend(doers(statement, &named, &frame.deeds));
    }
    aware
}

/// Returns a fact as a line of its subject; `None` if it need not be told. `secrets` are those of the frame.
fn said(
    fact: &Value,
    found: &[Value],
    frame: &FactFrame<'_>,
    secrets: &[(&str, ToldText)],
    words: &Labels,
) -> Option<FactLine> {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().trim().to_owned();
    let mode = mode_of(fact);
    let (subject, name, object) = (text("subject"), text("predicate"), text("object"));
    let date = match frame.dates.map(|dates| dates.of_fact(&text("fact"))).unwrap_or_default() {
        date if date.is_empty() => text("from"),
        date => date,
    };
    let word = predicate::find(&name);
    let role = word.and_then(|word| word.role);
    let then = fact["value"].as_i64().filter(|_| mode == Mode::Flashback && role == Some(PredicateRole::Age));
    let is_state = word.is_some_and(|word| word.single || word.exclusive || word.role.is_some());
    if mode == Mode::Flashback && is_state && date.is_empty() && then.is_none() {
        return None;
    }
    // The whereabouts of a thing are part of its own line.
    let is_shown = |thing: &str| frame.things.is_some_and(|things| things.contains_key(thing));
    let places_thing = match role {
        Some(PredicateRole::Holding | PredicateRole::Getting) => is_shown(&object) || is_shown(&subject),
        Some(PredicateRole::Place) => is_shown(&subject),
        _ => false,
    };
    if mode == Mode::Narrated && places_thing {
        return None;
    }
    let label = words.predicate(&name);
    let is_chinese = words.is_zh();
    let joined = |value: &str| match is_chinese {
        true => format!("{label}{value}"),
        false => format!("{label} {value}"),
    };
    let is_pair = !object.is_empty() && !fact["value"].is_string();
    let quote = fact["says"]["quote"].as_str().unwrap_or_default();
    let related = || phrase::relation_told(&subject, &name, &object, quote, words.language());
    let related = is_pair.then(related).flatten();
    let related_says = related.as_deref().and_then(|said| without_subject(said, &subject));
    let is_denied = fact["value"] == Value::Bool(false);
    let denied = |said: String| if is_denied { phrase::denied(&said, words.language()) } else { said };
    let related = related.map(denied);
    let (says, content) = match (&fact["value"], object.clone()) {
        (Value::String(value), object) if !object.is_empty() && !value.trim().is_empty() => {
            let both = format!("{object}{}{}", words.comma, value.trim());
            (joined(&both), both)
        }
        (_, object) if !object.is_empty() => (denied(related_says.unwrap_or_else(|| joined(&object))), object),
        (Value::Bool(true), _) => (label.clone(), label.clone()),
        (Value::Bool(false), _) => (predicate::whether(&label, false, words.language()), String::new()),
        (Value::Null, _) => return None,
        (Value::String(value), _) => (joined(value.trim()), value.trim().to_owned()),
        (other, _) => {
            let value = with_unit(&other.to_string(), &text("unit"));
            (joined(&value), value)
        }
    };
    // A trait that the line of a thing shows is left out, unless it is a lie.
    let is_trait = word.is_some_and(|word| word.name == "trait") && !matches!(mode, Mode::Lied | Mode::Dreamt);
    let shown = frame.described.get(subject.as_str()).filter(|_| is_trait);
    if shown.is_some_and(|shown| ToldText::of([*shown]).says(&content, SAME)) {
        return None;
    }
    // Where the text gives a date, it says more than the years since, which may be counted in another way.
    let now = frame.ages.get(subject.as_str()).copied().filter(|_| date.is_empty());
    let statement = match (then, now) {
        (Some(then), Some(now)) if now > then => words.age_then(now - then, then),
        _ => says,
    };
    let is_aged = then.zip(now).is_some_and(|(then, now)| now > then);
    let by = text("by");
    let told = |statement: &str| match is_aged {
        true => statement.to_owned(),
        false => phrase::told(mode, &by, &subject, statement, words.language()),
    };
    let says = told(&statement);
    // The line begins with the name of the subject.
    let says = match says.strip_prefix(&subject) {
        Some(rest) if by == subject => rest.trim_start().to_owned(),
        _ => says,
    };
    let (says, date) = match mode {
        Mode::Narrated | Mode::Disguised => (says, date),
        _ if date.is_empty() => (says, String::new()),
        _ => (format!("{date}{}{says}", words.comma), String::new()),
    };
    let knowers = fact["known_by"].as_array().into_iter().flatten().filter_map(|knower| knower["who"].as_str());
    let mut knowers: Vec<String> = knowers.map(|who| who.trim().to_owned()).collect();
    let knows = is_about_knowing(fact);
    if knows && !knowers.is_empty() && !knowers.contains(&subject) {
        knowers.insert(0, subject.clone());
    }
    let audience = fact["fact"].as_str().and_then(|id| frame.audiences.get(id));
    let is_public = matches!(audience, Some(Audience::Everybody));
    let is_told_so = matches!(mode, Mode::Narrated | Mode::Flashback);
    // Everybody present sees looks and qualities, so who knows them does not matter.
    let is_seen = is_told_so && word.is_some_and(|word| SEEN.contains(&word.name.as_str()));
    // Of what happened before the book, the text need not say who knows it, unless it is a secret.
    let secret_of = match mode {
        Mode::Flashback if !knowers.is_empty() => bearers(&format!("{subject} {statement}"), secrets),
        _ => Vec::new(),
    };
    let is_past = mode == Mode::Flashback && secret_of.is_empty() && !is_untold(fact);
    let is_open = is_public || is_seen || is_past || knowers.len() > KNOWERS;
    let knowers = if is_open { Vec::new() } else { knowers };
    // People know what they are, do and say, but perhaps not where they were born or who their parents are.
    let is_holding = matches!(role, Some(PredicateRole::Holding | PredicateRole::Getting | PredicateRole::Parting));
    let is_relation = !is_holding && word.is_some_and(|word| word.inverse.is_some() || word.symmetric);
    let own = (role != Some(PredicateRole::Origin) && !is_relation).then(|| subject.clone());
    let is_death = role == Some(PredicateRole::Death) && is_told_so;
    let told_of_death = if is_death && mode == Mode::Narrated { knowers_of_death(found, &subject) } else { Vec::new() };
    let present = match audience {
        Some(Audience::Present(people)) => people.iter().cloned().collect(),
        _ => Vec::new(),
    };
    // The holder of a secret about a thing or a place knows the statements about it; participants of an event know the
    // facts that began with it.
    let is_told_of = !matches!(mode, Mode::Narrated | Mode::Disguised);
    let things = [&subject, &object].into_iter().filter(|name| is_told_of && !frame.is_person(name));
    let things: Vec<String> = things.map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect();
    let sharers = frame.secrets.iter().filter(|(_, secret)| things.iter().any(|name| is_about(secret, name)));
    let sharers = sharers.map(|(who, _)| (*who).to_owned());
    let owners = if is_told_so && !frame.is_person(&subject) { owners(found, frame, &subject) } else { Vec::new() };
    let liars = if knows { liars(found, &content) } else { Vec::new() };
    let attended = frame.attended.get(text("from").as_str()).into_iter().flat_map(|people| people.iter().cloned());
    let aware = own.into_iter().chain([by.clone()]).chain(told_of_death).chain(present).chain(sharers).chain(attended);
    let statement_told = if knows { content.clone() } else { format!("{subject} {statement}") };
    let is_of_deed = knows || is_told_of;
    let others = match knowers.is_empty() {
        true => Vec::new(),
        false => also_aware(fact, found, frame, (&statement_told, knows, is_of_deed)),
    };
    let aware = aware.chain(owners).chain(liars).chain(others).chain(secret_of);
    let aware = aware.filter(|name| !name.is_empty()).collect();
    let content = match (related, is_chinese) {
        _ if knows && !content.is_empty() => content,
        (Some(said), _) => told(&said),
        (None, true) => told(&format!("{subject}{statement}")),
        (None, false) => told(&format!("{subject} {statement}")),
    };
    let is_end = |name: &String| *name == subject || *name == object;
    let is_near =
        frame.here.iter().any(|name| is_end(name) || knowers.contains(name)) || frame.about.iter().any(is_end);
    let age = number_of(&text("fact"));
    let is_death = is_death && object.is_empty() && fact["value"] == Value::Bool(true);
    let (is_learnt, heard) = (knows, hearings(fact));
    Some(FactLine { subject, statement, says, date, content, knowers, aware, is_learnt, heard, is_near, is_death, age })
}
