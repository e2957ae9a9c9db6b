//! What an extraction would put into a story: names resolved, quotes found, what is there already told apart from what is new.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use super::Extraction;
use super::cast::{Candidate, Cast, Found};
use super::extraction::{Introduced, PromiseAction, ToldEvent, ToldFact, ToldPromise};
use super::outcome::{Config, Doubt, Question, Reason, Rejected, Told};
use super::quotes::Quotable;
use super::record::{Added, Differs, Retold, are_other_places, are_other_times, with_year};
use super::time_of::Hour;
use crate::names::Names;
use crate::part::{ENTITIES, MINDS};
use crate::piece::{Piece, PieceKind};
use crate::predicate::{self, ValueKind};
use crate::{
    Character, Document, Fact, Item, Knower, Location, Mode, Organisation, Promise, Quotation, RoleType, Story,
    TimelineEvent,
};

/// What an extraction would put into a story.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The pieces that it makes, without ids.
    pub(super) wanted: Vec<Wanted>,
    /// What it adds to pieces that are there.
    pub(super) added: Vec<Added>,
    /// The facts that are there, with the sentences that tell them again.
    pub(super) retold: Vec<Retold>,
    /// What it tells otherwise than it was planned.
    pub(super) differs: Vec<Differs>,
    pub(super) doubtful: Vec<Told>,
    pub(super) questions: Vec<Question>,
    pub(super) rejected: Vec<Rejected>,
}

/// A piece that an extraction makes.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) piece: Piece,
    /// The words that it rests on.
    pub(super) quote: Quotation,
    pub(super) told: Told,
}

/// A fact whose names are resolved.
struct Ready<'e> {
    fact: Fact,
    said: &'e ToldFact,
    told: Told,
}

/// Reads one extraction for one document.
pub(super) struct Reconciler<'s> {
    story: &'s Story,
    document: &'s Document,
    text: Quotable<'s>,
    cast: Cast,
    /// The ids of the facts that came from this document before.
    own: FxHashSet<&'s str>,
    config: Config,
    plan: Plan,
}

/// What came from the document before, as far as it may go: it is not looked at.
pub(super) struct Leaving<'s> {
    pub(super) facts: FxHashSet<&'s str>,
    pub(super) cards: BTreeSet<(PieceKind, usize)>,
    /// The cards that came from it, also those that will not go.
    pub(super) own: BTreeSet<(PieceKind, usize)>,
}

impl<'s> Reconciler<'s> {
    pub(super) fn new(
        story: &'s Story,
        names: Arc<Names>,
        document: usize,
        leaving: Leaving<'s>,
        config: Config,
    ) -> Self {
        let document = &story.documents[document];
        Self {
            story,
            document,
            text: Quotable::of(&document.text),
            cast: Cast::new(names, leaving.cards, leaving.own),
            own: leaving.facts,
            config,
            plan: Plan::default(),
        }
    }

    pub(super) fn reconcile(mut self, extraction: &Extraction) -> Plan {
        extraction.entities.iter().for_each(|one| self.introduce(one));
        let events: Vec<Option<String>> = extraction.events.iter().map(|event| self.event(event)).collect();
        let only = match events.iter().flatten().collect::<Vec<_>>().as_slice() {
            [one] => Some((*one).clone()),
            _ => None,
        };
        let hour = Hour::of(self.story, self.document, self.cast.names(), only);
        let ready: Vec<Ready<'_>> = extraction.facts.iter().filter_map(|fact| self.fact(fact, &hour)).collect();
        self.facts(ready);
        extraction.promises.iter().for_each(|promise| self.promise(promise));
        self.plan
    }

    /// The sentence of a statement, if the document says it and it is believed.
    fn believe(&mut self, told: &Told) -> Option<Quotation> {
        let id = reference(self.document);
        let Some(quote) = self.text.quotation(id, self.document.version, &told.quote, 0) else {
            self.reject(told, Reason::NotInText);
            return None;
        };
        // A confidence that is no number is none.
        if told.confidence.is_nan() || told.confidence < self.config.ask {
            self.plan.questions.push(Question { told: told.clone(), doubt: Doubt::Unsure });
            return None;
        }
        if told.confidence < self.config.accept {
            self.plan.doubtful.push(told.clone());
        }
        Some(quote)
    }

    fn reject(&mut self, told: &Told, reason: Reason) {
        self.plan.rejected.push(Rejected { told: told.clone(), reason });
    }

    fn ask(&mut self, told: &Told, doubt: Doubt) {
        self.plan.questions.push(Question { told: told.clone(), doubt });
    }

    fn introduce(&mut self, one: &Introduced) {
        let kind = PieceKind::from(one.kind);
        let told = told(kind, one.name.trim(), &one.quote, one.confidence);
        if one.name.trim().is_empty() {
            return self.reject(&told, Reason::Empty);
        }
        match self.cast.find_other(&one.name, &[kind]) {
            Found::One(_) => {}
            Found::Several(of) => self.ask(&told, Doubt::Which { name: told.label.clone(), of }),
            Found::Nobody(of) if !of.is_empty() => self.ask(&told, Doubt::Same { name: told.label.clone(), of }),
            Found::Nobody(_) => {
                let alias = one.alias.iter().find_map(|alias| match self.cast.find_other(alias, &[kind]) {
                    Found::One(known) => Some(known),
                    _ => None,
                });
                if let Some(known) = alias {
                    return self.ask(&told, Doubt::Same { name: told.label.clone(), of: vec![known] });
                }
                let Some(quote) = self.believe(&told) else { return };
                self.cast.introduce(one);
                self.plan.wanted.push(Wanted { piece: card(one), quote, told });
            }
        }
    }

    /// The title of the event as the story has it, if it happens and was accepted.
    fn event(&mut self, event: &ToldEvent) -> Option<String> {
        let told = told(PieceKind::Event, event.title.trim(), &event.quote, event.confidence);
        if event.title.trim().is_empty() {
            self.reject(&told, Reason::Empty);
            return None;
        }
        let quote = self.believe(&told)?;
        let mut people = |names: &[String]| -> Vec<String> {
            let mut known = Vec::new();
            for name in names {
                match self.cast.find(name, &[PieceKind::Character]) {
                    Found::One(one) if known.contains(&one.name) => {}
                    Found::One(one) => known.push(one.name),
                    _ => self.reject(&told, Reason::LeftOut { name: name.trim().to_owned() }),
                }
            }
            known
        };
        let (participants, deaths) = (people(&event.participants), people(&event.deaths));
        let location = event.location.as_deref().filter(|name| !name.trim().is_empty());
        let location = location.and_then(|name| match self.cast.find(name, &[PieceKind::Location]) {
            Found::One(one) => Some(one.name),
            _ => {
                self.reject(&told, Reason::LeftOut { name: name.trim().to_owned() });
                None
            }
        });
        let planned = event.planned.as_deref().filter(|name| !name.trim().is_empty());
        let find = |name: &str| match self.cast.find_other(name, &[PieceKind::Event]) {
            Found::One(one) => self
                .cast
                .names()
                .resolve(PieceKind::Event, &one.id)
                .or_else(|| self.cast.names().resolve(PieceKind::Event, &one.name))
                .map(|named| named.position),
            _ => None,
        };
        let same_chapter = |position: &usize| {
            let node = self.story.timeline_events[*position].outline_node.as_deref();
            node.is_none() || node.is_some_and(|node| self.is_own_node(node))
        };
        let there = planned.and_then(find).or_else(|| find(&event.title).filter(same_chapter));
        let happens = matches!(event.mode, Mode::Narrated);
        if let Some(position) = there {
            let known = &self.story.timeline_events[position];
            let mut differs = |field: &str, told: &str| {
                let (event, field) = (known.id.clone(), field.to_owned());
                let new = Differs { event, field, told: told.trim().to_owned(), quote: quote.quote.clone() };
                if !known.id.is_empty() && !self.plan.differs.contains(&new) {
                    self.plan.differs.push(new);
                }
            };
            if are_other_times(&known.timestamp, &event.timestamp) {
                differs("timestamp", &with_year(&known.timestamp, &event.timestamp));
            }
            if let (Some(planned), Some(told)) = (&known.location, &location)
                && are_other_places(planned, told)
            {
                differs("location", told);
            }
            for (field, names, has) in
                [("participants", participants, &known.participants), ("deaths", deaths, &known.deaths)]
            {
                for name in names {
                    let is_there = has.iter().any(|other| self.is_same(PieceKind::Character, other, &name));
                    let (kind, id, entry) = (PieceKind::Event, known.id.clone(), Value::String(name));
                    let new = Added { kind, id, field: field.into(), entry, quote: quote.quote.clone() };
                    if !is_there || self.was_added(&new) {
                        self.plan.added.push(new);
                    }
                }
            }
            return happens.then(|| known.title.clone());
        }
        let mut title = event.title.trim().to_owned();
        // A title with the chapter's note was given by an earlier settlement; it is found under the title without the note.
        let note = format!("（{}）", self.document.title.trim());
        let is_taken = !matches!(self.cast.find_other(&title, &[PieceKind::Event]), Found::Nobody(_));
        if is_taken && !title.ends_with(&note) {
            title.push_str(&note);
        }
        self.cast.happen(&title);
        let piece = TimelineEvent {
            title: title.clone(),
            description: event.description.trim().to_owned(),
            timestamp: event.timestamp.trim().to_owned(),
            participants,
            deaths,
            location,
            importance: event.importance.clamp(1, 10),
            outline_node: self.document.outline_node.clone(),
            mode: event.mode,
            ..TimelineEvent::default()
        };
        self.plan.wanted.push(Wanted { piece: Piece::Event(piece), quote, told });
        happens.then_some(title)
    }

    fn fact<'e>(&mut self, said: &'e ToldFact, hour: &Hour) -> Option<Ready<'e>> {
        let word = predicate::find(&said.predicate);
        let mut fact = Fact {
            subject: said.subject.trim().to_owned(),
            predicate: said.predicate.trim().to_owned(),
            object: said.object.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned),
            unit: said.unit.trim().to_owned(),
            mode: said.mode,
            ..Fact::default()
        };
        (fact.value, fact.unit) = value(&said.value, &fact.unit, word.map(|word| word.value));
        let told = told(PieceKind::Fact, &fact.label(), &said.quote, said.confidence);
        let says_nothing = fact.object.is_none() && fact.value.is_null();
        if fact.subject.is_empty() || fact.predicate.is_empty() || says_nothing {
            self.reject(&told, Reason::Empty);
            return None;
        }
        fact.subject = match self.cast.find(&said.subject, ENTITIES) {
            Found::One(one) => one.name,
            Found::Nobody(of) if of.is_empty() => {
                self.reject(&told, Reason::Unknown { name: fact.subject });
                return None;
            }
            Found::Nobody(of) => {
                self.ask(&told, Doubt::Same { name: fact.subject, of });
                return None;
            }
            Found::Several(of) => {
                self.ask(&told, Doubt::Which { name: fact.subject, of });
                return None;
            }
        };
        if let Some(name) = &fact.object {
            let place =
                matches!(word.and_then(|word| word.role), Some(predicate::Role::Place | predicate::Role::Within));
            let first: &[PieceKind] = if place { &[PieceKind::Location] } else { ENTITIES };
            match (self.cast.find(name, first), self.cast.find(name, ENTITIES)) {
                (Found::One(one), _) | (_, Found::One(one)) => fact.object = Some(one.name),
                (_, Found::Several(of)) => {
                    self.ask(&told, Doubt::Which { name: name.clone(), of });
                    return None;
                }
                // What has no card is said in words.
                (_, Found::Nobody(_)) if fact.value.is_null() => fact.value = Value::String(fact.object.take()?),
                (_, Found::Nobody(_)) => fact.object = None,
            }
        }
        let quote = self.believe(&told)?;
        fact.by = said.by.as_deref().and_then(|name| self.mind(&told, name));
        (fact.from, fact.until) = hour.span(said, word);
        let since = if said.mode == Mode::Narrated { hour.words().to_owned() } else { String::new() };
        for learns in &said.known_by {
            let Some(who) = self.mind(&told, &learns.who) else { continue };
            if !fact.known_by.iter().any(|knower| knower.who == who) {
                fact.known_by.push(Knower { who, since: since.clone(), how: learns.how.trim().into(), told_by: None });
            }
        }
        fact.source = Some(quote);
        Some(Ready { fact, said, told })
    }

    fn mind(&mut self, told: &Told, name: &str) -> Option<String> {
        match self.cast.find(name, MINDS) {
            Found::One(Candidate { name, .. }) => Some(name),
            _ if name.trim().is_empty() => None,
            _ => {
                self.reject(told, Reason::LeftOut { name: name.trim().to_owned() });
                None
            }
        }
    }

    /// Tells the facts that are there already from those that are new.
    fn facts(&mut self, ready: Vec<Ready<'_>>) {
        let known = self.known(&ready);
        for Ready { fact, said, told } in ready {
            let key = (fact.subject.clone(), word(&fact.predicate));
            let same = |other: &Fact| self.is_same_fact(other, &fact, said.from.trim().is_empty());
            let there = known.get(&key).into_iter().flatten().copied().find(|at| same(&self.story.facts[*at]));
            let Some(position) = there else {
                let quote = fact.source.clone().unwrap_or_default();
                let twice = self.plan.wanted.iter_mut().find_map(|wanted| match &mut wanted.piece {
                    Piece::Fact(other) if says_the_same(other, &fact) && other.from == fact.from => Some(other),
                    _ => None,
                });
                match twice {
                    Some(other) => gain(other, fact.known_by),
                    None => self.plan.wanted.push(Wanted { piece: Piece::Fact(fact), quote, told }),
                }
                continue;
            };
            let other = &self.story.facts[position];
            let quote = fact.source.clone().unwrap_or_default();
            for knower in &fact.known_by {
                let is_there = other
                    .known_by
                    .iter()
                    .any(|known| MINDS.iter().any(|kind| self.is_same(*kind, &known.who, &knower.who)));
                let (id, field, entry) = (other.id.clone(), "known_by".to_owned(), json!(knower));
                let new = Added { kind: PieceKind::Fact, id, field, entry, quote: quote.quote.clone() };
                if !is_there || self.was_added(&new) {
                    self.plan.added.push(new);
                }
            }
            if !self.plan.retold.iter().any(|retold| retold.id == other.id) && !other.id.is_empty() {
                self.plan.retold.push(Retold { id: other.id.clone(), source: quote });
            }
        }
    }

    /// The facts of the story that are about the same, by subject and word, but those of this document.
    fn known(&self, ready: &[Ready<'_>]) -> FxHashMap<(String, String), Vec<usize>> {
        let mut known: FxHashMap<(String, String), Vec<usize>> = FxHashMap::default();
        for Ready { fact, .. } in ready {
            known.entry((fact.subject.clone(), word(&fact.predicate))).or_default();
        }
        let subjects: FxHashSet<String> = known.keys().map(|(subject, _)| subject.clone()).collect();
        let mut spellings: FxHashMap<&str, Option<String>> = FxHashMap::default();
        let mut words: FxHashMap<&str, String> = FxHashMap::default();
        for (position, fact) in self.story.facts.iter().enumerate() {
            let subject =
                spellings.entry(&fact.subject).or_insert_with(|| match self.cast.find(&fact.subject, ENTITIES) {
                    Found::One(one) => Some(one.name).filter(|name| subjects.contains(name)),
                    _ => None,
                });
            let Some(subject) = subject.as_ref().filter(|_| !self.own.contains(fact.id.as_str())) else { continue };
            let word = words.entry(&fact.predicate).or_insert_with(|| word(&fact.predicate));
            if let Some(known) = known.get_mut(&(subject.clone(), word.clone())) {
                known.push(position);
            }
        }
        known
    }

    /// Whether a fact of the story says what `fact` does, and holds then; `is_open` if the chapter does not say from when.
    fn is_same_fact(&self, other: &Fact, fact: &Fact, is_open: bool) -> bool {
        let is_timeless = other.from.trim().is_empty() && other.until.trim().is_empty();
        let at_once = other.from.trim() == fact.from && other.until.trim() == fact.until;
        let object = match (&other.object, &fact.object) {
            (Some(other), Some(object)) => ENTITIES.iter().any(|kind| self.is_same(*kind, other, object)),
            (None, None) => true,
            _ => false,
        };
        let by = match (&other.by, &fact.by) {
            (Some(other), Some(by)) => MINDS.iter().any(|kind| self.is_same(*kind, other, by)),
            (None, None) => true,
            _ => false,
        };
        (at_once || is_timeless && is_open) && other.mode == fact.mode && object && by && same_value(other, fact)
    }

    /// Whether the document added this before.
    fn was_added(&self, new: &Added) -> bool {
        self.document.settled.as_ref().is_some_and(|settled| settled.added.iter().any(|old| old.is_of(new)))
    }

    /// Whether two names mean one piece of that kind.
    fn is_same(&self, kind: PieceKind, a: &str, b: &str) -> bool {
        let names = self.cast.names();
        a.trim() == b || names.resolve(kind, a).is_some_and(|a| names.resolve(kind, b) == Some(a))
    }

    fn is_own_node(&self, node: &str) -> bool {
        let own = self.document.outline_node.as_deref();
        own.is_some_and(|own| self.is_same(PieceKind::OutlineNode, node, own))
    }

    fn promise(&mut self, promise: &ToldPromise) {
        let told = told(PieceKind::Promise, promise.name.trim(), &promise.quote, promise.confidence);
        if promise.name.trim().is_empty() {
            return self.reject(&told, Reason::Empty);
        }
        let field = match promise.action {
            PromiseAction::Planted => "planted",
            PromiseAction::Advanced => "advanced",
            PromiseAction::Paid => "paid",
        };
        let place = reference(self.document).to_owned();
        let wanted = self.plan.wanted.iter_mut().find_map(|wanted| match &mut wanted.piece {
            Piece::Promise(other) if other.name == promise.name.trim() => Some(other),
            _ => None,
        });
        if let Some(other) = wanted {
            let list = match promise.action {
                PromiseAction::Planted => &mut other.planted,
                PromiseAction::Advanced => &mut other.advanced,
                PromiseAction::Paid => &mut other.paid,
            };
            if !list.contains(&place) {
                list.push(place);
            }
            return;
        }
        match self.cast.find_other(&promise.name, &[PieceKind::Promise]) {
            Found::Several(of) => self.ask(&told, Doubt::Which { name: told.label.clone(), of }),
            Found::One(one) => {
                let Some(quote) = self.believe(&told) else { return };
                let Some(known) = self.story.promises.iter().find(|other| other.id == one.id || other.name == one.name)
                else {
                    return;
                };
                let list = match promise.action {
                    PromiseAction::Planted => &known.planted,
                    PromiseAction::Advanced => &known.advanced,
                    PromiseAction::Paid => &known.paid,
                };
                let names_this = |name: &String| {
                    self.is_own_node(name) || self.is_same(PieceKind::Document, name, reference(self.document))
                };
                let (kind, id, entry) = (PieceKind::Promise, known.id.clone(), Value::String(place));
                let new = Added { kind, id, field: field.into(), entry, quote: quote.quote };
                let is_new = self.was_added(&new) || !list.iter().any(names_this);
                if is_new && !self.plan.added.iter().any(|other| other.is_of(&new)) {
                    self.plan.added.push(new);
                }
            }
            Found::Nobody(_) if promise.action != PromiseAction::Planted => {
                self.ask(&told, Doubt::WhichPromise { name: told.label.clone() });
            }
            Found::Nobody(_) => {
                let Some(quote) = self.believe(&told) else { return };
                let due = promise.due.as_deref().filter(|due| self.cast.names().knows(PieceKind::OutlineNode, due));
                let piece = Promise {
                    name: promise.name.trim().to_owned(),
                    description: promise.description.trim().to_owned(),
                    planted: vec![place],
                    due: due.map(|due| due.trim().to_owned()),
                    importance: promise.importance.clamp(1, 10),
                    ..Promise::default()
                };
                self.plan.wanted.push(Wanted { piece: Piece::Promise(piece), quote, told });
            }
        }
    }
}

/// How other pieces name a document.
pub(super) fn reference(document: &Document) -> &str {
    if document.id.trim().is_empty() { document.title.trim() } else { document.id.trim() }
}

fn told(kind: PieceKind, label: &str, quote: &str, confidence: f32) -> Told {
    Told { kind, label: label.to_owned(), quote: quote.trim().to_owned(), confidence }
}

fn card(one: &Introduced) -> Piece {
    let (name, description) = (one.name.trim().to_owned(), one.description.trim().to_owned());
    let alias: Vec<String> = one.alias.iter().map(|alias| alias.trim().to_owned()).collect();
    let alias = alias.into_iter().filter(|alias| !alias.is_empty() && *alias != name).collect();
    match PieceKind::from(one.kind) {
        PieceKind::Location => Piece::Location(Location { name, alias, description, ..Location::default() }),
        PieceKind::Item => Piece::Item(Item { name, alias, description, ..Item::default() }),
        PieceKind::Organisation => Piece::Organisation(Organisation { name, alias, description, id: String::new() }),
        _ => Piece::Character(Character {
            name,
            alias,
            background: description,
            role_type: RoleType::Minor,
            ..Character::default()
        }),
    }
}

/// A value as facts keep it: a number as a number, with its unit.
fn value(value: &Value, unit: &str, kind: Option<ValueKind>) -> (Value, String) {
    let (value, unit) = match (value, kind) {
        (Value::String(text), _) if text.trim().is_empty() => (Value::Null, unit.to_owned()),
        (Value::String(text), Some(ValueKind::Number)) => {
            let lower = text.trim().to_lowercase();
            let number = crate::time::leading_number(&lower).map(|(number, end)| (number, lower[end..].trim()));
            let known = |told: &str| predicate::in_base_unit(1.0, told).is_some();
            match number {
                Some((number, "")) => (json!(number), unit.to_owned()),
                Some((number, told)) if unit.is_empty() && known(told) || told == unit => {
                    (json!(number), told.to_owned())
                }
                _ => (Value::String(text.trim().to_owned()), unit.to_owned()),
            }
        }
        (Value::String(text), _) => (Value::String(text.trim().to_owned()), unit.to_owned()),
        (Value::Array(_) | Value::Object(_), _) => (Value::Null, unit.to_owned()),
        (other, _) => (other.clone(), unit.to_owned()),
    };
    let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
    (whole.map_or(value, |number| json!(number as i64)), unit)
}

/// The word of the vocabulary that is meant, or the word as it is compared.
pub(super) fn word(name: &str) -> String {
    predicate::find(name).map_or_else(|| predicate::key(name), |word| word.name.clone())
}

/// Whether two facts with resolved names say the same; the times are not looked at.
pub(super) fn says_the_same(a: &Fact, b: &Fact) -> bool {
    a.subject == b.subject
        && word(&a.predicate) == word(&b.predicate)
        && (&a.object, a.mode, &a.by) == (&b.object, b.mode, &b.by)
        && same_value(a, b)
}

pub(super) fn same_value(a: &Fact, b: &Fact) -> bool {
    let numbers = predicate::quantity(&a.value, &a.unit).zip(predicate::quantity(&b.value, &b.unit));
    if let Some((one, other)) = numbers {
        let bases = [one, other].map(|(number, unit)| predicate::in_base_unit(number, unit).map(|(_, base)| base));
        let same_unit = crate::names::fold(one.1) == crate::names::fold(other.1);
        let same_base = matches!(bases, [Some(one), Some(other)] if one == other);
        let of_age = |unit: &str| matches!(unit.trim(), "" | "岁" | "years" | "years old");
        let bare = predicate::find(&a.predicate).is_some_and(|word| word.role == Some(predicate::Role::Age));
        return match bare && of_age(one.1) && of_age(other.1) {
            true => (one.0 - other.0).abs() < 0.5,
            false => (same_unit || same_base) && !predicate::numbers_differ(one, other),
        };
    }
    match (&a.value, &b.value) {
        (Value::String(one), Value::String(other)) => crate::names::fold(one) == crate::names::fold(other),
        (one, other) => one == other,
    }
}

/// Adds the knowers who are not there yet.
fn gain(fact: &mut Fact, known_by: Vec<Knower>) {
    for knower in known_by {
        if !fact.known_by.iter().any(|known| known.who == knower.who) {
            fact.known_by.push(knower);
        }
    }
}
