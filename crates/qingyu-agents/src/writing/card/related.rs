//! The results of the context tool as sections of a card.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use qingyu_llm::estimate;
use qingyu_story::audience::{Audience, Audiences};
use qingyu_story::holdings::Whereabouts;
use qingyu_story::names::fold;
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::rules::settled_deaths;
use qingyu_story::settlement::told_events;
use qingyu_story::telling::Tellings;
use qingyu_story::time;
use qingyu_story::{
    Character, CharacterRelation, Document, Fact, Mode, OutlineNode, PieceKind, RelationKind, Story, TimelineEvent,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::dates::FactDates;
use super::gathered::CardMaterial;
use super::handovers;
use super::outline::{OutlinedChapter, is_planted_in, plan_texts};
use super::secrets::KeptSecrets;
use super::sections::{CardSections, fitting};
use super::things;
use super::told::{RETOLD, SAME, ToldText, card_clauses, clauses, unsaid_by};
use super::{counts, known, limit, past, people};
use crate::labels::Labels;
use crate::writing::book::NumberedBook;

/// The chapter of a card, with the sections of the same prompt that are not to be repeated.
#[derive(Default)]
pub(super) struct CardChapter<'a> {
    /// Number of the chapter; `None` if the book does not have it.
    pub(super) number: Option<u32>,
    /// The nodes of the chapter, whose events have not happened yet.
    pub(super) nodes: &'a [&'a OutlineNode],
    pub(super) outlined: Option<&'a OutlinedChapter<'a>>,
    /// The sections of [`outlined`](Self::outlined).
    pub(super) outline: &'a [String],
    /// The secrets that readers must not know yet.
    pub(super) hidden: &'a [String],
}

/// Appends the sections of the context tool; `book` is that of the material's story.
pub(super) fn related(
    sections: &mut CardSections,
    gathered: &CardMaterial<'_>,
    book: Option<&NumberedBook<'_>>,
    words: &Labels,
    chapter: &CardChapter<'_>,
) {
    let CardChapter { number, nodes: own, outlined, outline, hidden } = *chapter;
    let entries = |section: &str| match gathered.related.get(section) {
        Some(Value::Array(entries)) => entries.clone(),
        Some(Value::Null) | None => Vec::new(),
        Some(other) => vec![other.clone()],
    };
    let cards = gathered.story.into_iter().flat_map(|story| &story.characters);
    let absent: Vec<Character> = cards.filter(|card| gathered.absent.contains(&card.id)).cloned().collect();
    let cast = entries("participating_characters");
    let is_here = |card: &&Value| card["id"].as_str().is_some_and(|id| gathered.people.iter().any(|one| one == id));
    let (here, others): (Vec<&Value>, Vec<&Value>) = cast.iter().partition(is_here);
    let here: Vec<Character> = here.into_iter().filter_map(|card| Character::deserialize(card).ok()).collect();
    let dead = book.zip(number).map(|(book, number)| dead_before(book, number, words)).unwrap_or_default();
    let about = people::cards(&absent, &gathered.said, &dead, words, limit::ABSENT);
    let used: u64 = about.iter().map(|line| estimate::tokens(line) + 2).sum();
    let cards = people::cards(&here, &gathered.said, &dead, words, limit::CAST.saturating_sub(used));
    let names: Vec<String> = here.iter().map(|card| card.name.clone()).collect();
    sections.add(words.cast, cards.clone(), u64::MAX);
    sections.add(words.absent, about.clone(), u64::MAX);
    let other = |card: &Value| {
        let trade = card["occupation"].as_str().unwrap_or_default().trim().to_owned();
        let name = card["name"].as_str().unwrap_or_default();
        let dead = card["id"].as_str().and_then(|id| dead.get(id)).cloned();
        let remarks: Vec<String> = dead.into_iter().chain(Some(trade).filter(|trade| !trade.is_empty())).collect();
        let remarks = Some(remarks.join(words.semicolon)).filter(|remarks| !remarks.is_empty());
        words.named(name, &known::other_names(card), remarks)
    };
    let has_card = |card: &&Value| absent.iter().any(|one| card["id"] == one.id.as_str());
    let others = others.into_iter().filter(|card| !has_card(card));
    let others = fitting(others.map(other).collect(), limit::OTHERS);
    let others = others.join(words.comma);
    sections.add(words.others, Some(others).filter(|line| !line.is_empty()).into_iter().collect(), u64::MAX);
    // Relations among absent people would only mislead.
    let is_near = |relation: &Value| {
        let is_here = |key: &str| names.iter().any(|name| relation[key].as_str().map(str::trim) == Some(name.trim()));
        names.is_empty() || is_here("from") || is_here("to")
    };
    // A relation does not repeat the cards of its people.
    let lines = here.iter().chain(&absent).zip(cards.iter().chain(&about));
    let of_cards: Vec<(&str, Vec<ToldText>)> =
        lines.map(|(card, line)| (card.name.trim(), card_clauses(card.name.trim(), line))).collect();
    let beside_cards = |relation: Value| {
        let is_end = |name: &str| ["from", "to"].iter().any(|key| relation[*key].as_str().map(str::trim) == Some(name));
        let told: Vec<&ToldText> =
            of_cards.iter().filter(|(name, _)| is_end(name)).flat_map(|(_, told)| told).collect();
        with_unsaid(relation, |description| unsaid_by(description, &told, SAME))
    };
    let relations = entries("character_relations").into_iter().filter(is_near).map(beside_cards);
    let relations: Vec<Value> = relations.collect();
    let cast = gathered.story.map(|story| story.characters.as_slice()).unwrap_or_default();
    sections.add(words.relations, known::relations(&relations, cast, words), limit::RELATIONS);
    sections.add(words.in_earlier_books(), gathered.earlier.clone(), limit::EARLIER);
    let place = |name: &str| {
        let number = book.and_then(|book| book.number_named(name));
        number.map_or_else(|| name.to_owned(), |number| words.chapters(number, number))
    };
    // The chapter's own plants are already part of the outline section.
    let is_own_plant = |promise: &Value| is_planted_in(promise, own.iter().copied());
    // Promises do not repeat the outline and the plan.
    let planned = gathered.plan.into_iter().flat_map(plan_texts);
    let told = ToldText::of(outline.iter().map(String::as_str).chain(planned));
    let unsaid = |promise: Value| with_unsaid(promise, |description| told.unsaid(description, RETOLD));
    let promises = entries("open_promises").into_iter().filter(|one| !is_own_plant(one)).map(unsaid);
    // Promises that the chapter pays come first.
    let pays = outlined.map(OutlinedChapter::pays).unwrap_or_default();
    let due_here = |mut promise: Value| {
        if promise["state"] == "open" && pays.contains(&fold(promise["name"].as_str().unwrap_or_default())) {
            promise["state"] = "pay_here".into();
        }
        promise
    };
    let mut promises: Vec<Value> = promises.map(due_here).collect();
    promises.sort_by_key(|promise| !pays.contains(&fold(promise["name"].as_str().unwrap_or_default())));
    let here_told = number.map(|number| words.chapters(number, number));
    let promises = known::promises(&promises, words, &place, here_told.as_deref());
    sections.add(words.promises, promises, limit::PROMISES);
    let is_own = |event: &Value| {
        let told = event["outline_node"].as_str().unwrap_or_default().trim();
        let position = |name: &str| book.and_then(|book| book.position(name));
        let is_same = |node: &&OutlineNode| {
            node.id == told
                || node.name.trim() == told
                || position(told).is_some_and(|at| position(&node.id) == Some(at))
        };
        !told.is_empty() && own.iter().any(is_same)
    };
    // Events told in the summaries of the last chapters need only their dates.
    let is_summarized = |event: &Value| {
        let told = event["outline_node"].as_str().unwrap_or_default().trim();
        let chapter = book.and_then(|book| Some((book, book.number_at(book.position(told)?)?)));
        chapter.zip(number).is_some_and(|((book, chapter), number)| {
            let is_recent = chapter < number && number - chapter <= past::RECENT;
            is_recent && book.document(chapter).is_some_and(|document| !document.summary.trim().is_empty())
        })
    };
    let dated = |mut event: Value| {
        if is_summarized(&event) && event["timestamp"].as_str().is_some_and(|time| !time.trim().is_empty()) {
            let by = TimelineEvent::deserialize(&event).map(|whole| known::teller(&whole).to_owned());
            event["by"] = by.unwrap_or_default().into();
            event["description"] = Value::String(String::new());
            event["participants"] = Value::Array(Vec::new());
        }
        event
    };
    // The past before the book must not tell what is still a secret; the secrets have their own section.
    let secrets = book.zip(number).map(|(book, number)| KeptSecrets::before(book, number));
    let open_part = |event: Value| match (&secrets, TimelineEvent::deserialize(&event)) {
        (Some(secrets), Ok(whole)) if !whole.has_chapter() => {
            let open = secrets.open_part(whole)?;
            Some(json!(open))
        }
        _ => Some(event),
    };
    let events = entries("timeline_events").into_iter().filter(|event| !is_own(event)).filter_map(open_part);
    let is_intended = |event: &Value| event["mode"] == "planned";
    let (intended, events): (Vec<Value>, Vec<Value>) = events.partition(is_intended);
    let (told_later, events): (Vec<Value>, Vec<Value>) =
        events.into_iter().partition(|event| event["told_later"] == true);
    // An event that is a turn of the chapter is no secret in it.
    let is_turned_on = |event: &Value| {
        let text = |key: &str| event[key].as_str().unwrap_or_default();
        outlined.is_some_and(|outlined| outlined.turns_on(text("id"), text("title")))
    };
    let (told_here, told_later): (Vec<Value>, Vec<Value>) = told_later.into_iter().partition(is_turned_on);
    let outline_lines = outline.iter().flat_map(|section| section.lines());
    let outline_lines = outline_lines.chain(gathered.plan.into_iter().flat_map(plan_texts));
    let of_outline: Vec<ToldText> = outline_lines.flat_map(clauses).map(|clause| ToldText::of([clause])).collect();
    let of_outline: Vec<&ToldText> = of_outline.iter().collect();
    let of_secrets: Vec<ToldText> =
        fitting(hidden.to_vec(), limit::HIDDEN).iter().map(|line| ToldText::of([line.as_str()])).collect();
    let elsewhere: Vec<&ToldText> = of_secrets.iter().chain(of_cards.iter().flat_map(|(_, told)| told)).collect();
    let kept = |mut event: Value| {
        let text = |key: &str| event[key].as_str().unwrap_or_default().trim().to_owned();
        let (title, description) = (text("title"), text("description"));
        let unsaid = unsaid_by(&description, &of_outline, RETOLD);
        if unsaid.is_empty() && (!description.is_empty() || told.quotes(&title)) {
            return None;
        }
        // Time and title stay; the description does not repeat secrets and cards.
        event["description"] = unsaid_by(&unsaid, &elsewhere, RETOLD).into();
        Some(event)
    };
    let told_later: Vec<Value> = told_later.into_iter().filter_map(kept).collect();
    // What no text tells of the plan of a chapter has not happened.
    let tellings = gathered.story.map(Tellings::of);
    let is_untold = |event: &Value| {
        let event = TimelineEvent::deserialize(event).ok();
        tellings.as_ref().zip(event).is_some_and(|(tellings, event)| tellings.is_untold(&event))
    };
    let (planned, events): (Vec<Value>, Vec<Value>) = events.into_iter().partition(is_untold);
    let events: Vec<Value> = told_here.into_iter().chain(events.into_iter().map(dated)).collect();
    let events = known::events(&events, words);
    let told: u64 = events.iter().map(|line| estimate::tokens(line) + 2).sum();
    sections.add_last(words.events, events, limit::EVENTS);
    let left = limit::EVENTS.saturating_sub(told);
    if left > LEFT_OUT {
        sections.add_last(words.only_planned, known::events(&planned, words), left);
    }
    sections.add_last(words.told_later, known::events(&told_later, words), limit::EVENTS_TOLD_LATER);
    sections.add_last(words.intended, known::events(&intended, words), limit::INTENDED);
    let told_to = number.map(|number| if gathered.has_text { number.saturating_sub(1) } else { number });
    let told_things = book.map(|book| things::whereabouts_and_moved(book, told_to));
    let (things, moved) = told_things.unwrap_or_default();
    // The places of the chapter come first, then the things that it names.
    let rank = |one: &Value| match one["kind"].as_str() {
        Some("location") => 0,
        Some("item") => 1,
        _ => 2,
    };
    let mut near: Vec<Value> = gathered.mentioned.clone();
    near.sort_by_key(rank);
    // A thing in somebody's hands is at hand, wherever else it may come from.
    let is_held = |name: &str| matches!(things.get(name), Some(Whereabouts::Held(holder)) if names.contains(holder));
    for item in gathered.story.into_iter().flat_map(Story::items) {
        if is_held(&item.name) && !near.iter().any(|one| one["name"] == item.name.as_str()) {
            let (name, alias, description) = (&item.name, &item.alias, &item.description);
            near.push(json!({ "kind": "item", "name": name, "alias": alias, "description": description }));
        }
    }
    let is_listed = |one: &Value, near: &[Value]| near.iter().any(|other| other["name"] == one["name"]);
    let others: Vec<Value> = entries("world_settings").into_iter().filter(|one| !is_listed(one, &near)).collect();
    near.extend(others);
    let told_facts = entries("facts");
    counts::bring_up_to_date(&mut near, &told_facts, words);
    for item in near.iter_mut().filter(|one| one["name"].as_str().is_some_and(|name| moved.contains(name))) {
        let kept = things::without_places(item["description"].as_str().unwrap_or_default(), &moved);
        item["description"] = kept.into();
    }
    let settings = known::settings(&near, &things, &names, words, limit::SETTINGS);
    let settings = fitting(settings, limit::SETTINGS);
    // Only the things that are really listed are left out of the facts.
    let listed = |name: &String| settings.iter().any(|line| line.starts_with(name.as_str()));
    let listed: BTreeMap<String, Whereabouts> = things.into_iter().filter(|(name, _)| listed(name)).collect();
    let described: BTreeMap<&str, &str> = near.iter().filter_map(|one| shown_as(one, &settings)).collect();
    let dates = gathered.story.map(FactDates::of);
    let cast = gathered.story.map(|story| story.characters.as_slice()).unwrap_or_default();
    let about_things: Vec<String> =
        gathered.mentioned.iter().filter_map(|one| one["name"].as_str()).map(|name| name.trim().to_owned()).collect();
    // A task without a chapter knows all that is written.
    let audiences = book.map(|book| audiences_before(book, number.unwrap_or(u32::MAX))).unwrap_or_default();
    let as_told = gathered.story.map(told_events).unwrap_or_default();
    let lines = cards.iter().chain(&about).map(String::as_str);
    let shown = here.iter().chain(&absent).map(|card| card.name.trim()).zip(lines);
    let frame = known::FactFrame {
        here: &names,
        about: &about_things,
        cards: shown.collect(),
        dates: dates.as_ref(),
        ages: cast.iter().filter_map(|card| Some((card.name.trim(), i64::from(card.age?)))).collect(),
        audiences,
        secrets: here.iter().map(|card| (card.name.trim(), card.secret.trim().to_lowercase())).collect(),
        deeds: gathered.story.map(|story| past_deeds(story, &names)).unwrap_or_default(),
        attended: attended(&as_told),
        described,
        things: Some(&listed),
    };
    let own_facts = book.zip(number).filter(|_| gathered.has_text);
    let own_facts = own_facts.map(|(book, number)| told_in(book, number)).unwrap_or_default();
    let is_own_fact = |fact: &Value| fact["fact"].as_str().is_some_and(|id| own_facts.contains(id));
    let ties: Vec<CharacterRelation> =
        relations.iter().filter_map(|one| CharacterRelation::deserialize(one).ok()).collect();
    let lost = book.zip(number).map(|(book, number)| lost_in_past(book, number)).unwrap_or_default();
    let is_gone = |card: &Character| dead.contains_key(&card.id) || lost.contains(card.id.as_str());
    let is_dead = |name: &str| cast.iter().any(|card| card.name.trim() == name && is_gone(card));
    let is_hearsay = |fact: &Value| is_hearsay_of_death(fact, &frame.audiences, &is_dead);
    let is_over = |fact: &Value| is_age_of_the_dead(fact, &is_dead);
    let is_new = |fact: &Value| !is_own_fact(fact) && !is_tie(fact, &ties) && !is_hearsay(fact) && !is_over(fact);
    let known_before: Vec<Value> = told_facts.into_iter().filter(is_new).collect();
    let known_before = match gathered.story {
        Some(story) => handovers::joined(known_before, story, &listed),
        None => known_before,
    };
    let mut facts = known::facts(&known_before, &frame, words);
    facts.sort_by_key(|said| (!said.is_near, std::cmp::Reverse(said.age)));
    // Knowledge of a fact matters only if the fact is kept from somebody present.
    let alive: Vec<String> = here.iter().filter(|card| !is_gone(card)).map(|card| card.name.clone()).collect();
    let (secret, open): (Vec<_>, Vec<_>) = facts.into_iter().partition(|said| !said.kept_from(&alive).is_empty());
    // The card of somebody who is dead says when.
    let is_on_card = |card: &Character| {
        let date = card.death.as_deref().map(|date| words.died_on(date.trim()));
        date.is_some() && dead.get(&card.id) == date.as_ref()
    };
    let shown_dead: BTreeSet<&str> =
        here.iter().chain(&absent).filter(|card| is_on_card(card)).map(|card| card.name.trim()).collect();
    let open = open.into_iter().filter(|said| !(said.is_death && shown_dead.contains(said.subject.as_str())));
    let open: Vec<known::FactLine> = open.collect();
    sections.add(words.facts, by_subject(open, words, limit::FACTS), limit::FACTS + LEFT_OUT);
    sections.add(words.knowledge, known::knowledge(&secret, &alive, words), limit::KNOWLEDGE);
    sections.add(words.settings, settings, u64::MAX);
}

/// Returns a result of the context tool with what `unsaid` leaves of its description.
fn with_unsaid(mut entry: Value, unsaid: impl FnOnce(&str) -> String) -> Value {
    let description = entry["description"].as_str().unwrap_or_default();
    let left = unsaid(description);
    if left != description.trim() {
        entry["description"] = left.into();
    }
    entry
}

/// Returns the participants of the events that happen, by title and by id.
fn attended<'e>(told: &'e [Cow<'_, TimelineEvent>]) -> BTreeMap<&'e str, &'e [String]> {
    let happens = |event: &&TimelineEvent| matches!(event.mode, Mode::Narrated | Mode::Flashback);
    let events = told.iter().map(|event| &**event).filter(happens);
    let named = events.flat_map(|event| [event.title.trim(), event.id.trim()].map(|name| (name, event)));
    named.filter(|(name, _)| !name.is_empty()).map(|(name, event)| (name, event.participants.as_slice())).collect()
}

/// Returns the name of a card in a result of the context tool, and its line among `lines`, if it is shown.
fn shown_as<'l>(card: &'l Value, lines: &'l [String]) -> Option<(&'l str, &'l str)> {
    let name = card["name"].as_str()?.trim();
    let is_own = |line: &&String| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| !rest.trim_start().starts_with(char::is_alphanumeric))
    };
    let line = lines.iter().filter(|_| !name.is_empty()).find(is_own)?;
    Some((name, line.as_str()))
}

/// Returns what `people` have done in events that the book only looks back on, in lower case, with their names.
fn past_deeds<'n>(story: &Story, people: &'n [String]) -> Vec<(&'n str, String)> {
    let mut deeds = Vec::new();
    for event in story.timeline_events.iter().filter(|event| matches!(event.mode, Mode::Said | Mode::Flashback)) {
        let words = format!("{} {}", event.title, event.description).to_lowercase();
        for who in people.iter().filter(|who| event.participants.iter().any(|one| one.trim() == who.trim())) {
            deeds.push((who.as_str(), words.clone()));
        }
    }
    deeds
}

/// Returns whether a fact says what one of the relations says.
fn is_tie(fact: &Value, relations: &[CharacterRelation]) -> bool {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().trim();
    let word = predicate::find(text("predicate"));
    let Some(kind) = word.and_then(|word| RelationKind::named(&word.name)) else { return false };
    let ends = (text("subject"), text("object"));
    let is_said = known::mode_of(fact) == Mode::Narrated && fact["value"].is_null();
    is_said
        && relations.iter().any(|relation| {
            let (from, to) = (relation.from.trim(), relation.to.trim());
            (relation.kind, from, to) == (kind, ends.0, ends.1)
                || (relation.kind.inverse(), to, from) == (kind, ends.0, ends.1)
        })
}

/// Returns whether a fact is what people say or think of a death that is certain, and nobody's secret.
fn is_hearsay_of_death(fact: &Value, audiences: &BTreeMap<&str, Audience>, is_dead: &dyn Fn(&str) -> bool) -> bool {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().trim();
    let role = predicate::find(text("predicate")).and_then(|word| word.role);
    let is_open = fact["known_by"].as_array().is_none_or(Vec::is_empty)
        || matches!(audiences.get(text("fact")), Some(Audience::Everybody));
    role == Some(PredicateRole::Death)
        && matches!(known::mode_of(fact), Mode::Said | Mode::Believed)
        && fact["value"] != Value::Bool(false)
        && is_open
        && is_dead(text("subject"))
}

/// Returns whether a fact says how old somebody is who is dead by now.
fn is_age_of_the_dead(fact: &Value, is_dead: &dyn Fn(&str) -> bool) -> bool {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().trim();
    let role = predicate::find(text("predicate")).and_then(|word| word.role);
    role == Some(PredicateRole::Age) && known::mode_of(fact) == Mode::Narrated && is_dead(text("subject"))
}

/// Returns the ids of the facts that the chapter `number` tells.
fn told_in<'s>(book: &NumberedBook<'s>, number: u32) -> BTreeSet<&'s str> {
    let is_here = |fact: &&Fact| {
        let source = fact.source.as_ref();
        source.is_some_and(|source| book.number_of(&source.document) == Some(number))
    };
    book.story.facts.iter().filter(is_here).map(|fact| fact.id.as_str()).collect()
}

/// Returns who else knows each fact of the chapters before `number` that has knowers, by id: everybody, or who was there.
fn audiences_before<'s>(book: &NumberedBook<'s>, number: u32) -> BTreeMap<&'s str, Audience> {
    let is_before = |document: &Document| book.number_of(&document.id).is_some_and(|chapter| chapter < number);
    let audiences = Audiences::of(book.story, book.names(), is_before);
    let known = book.story.facts.iter().filter(|fact| !fact.known_by.is_empty());
    let audience = |fact: &'s Fact| match audiences.of_fact(fact) {
        Audience::Everybody => Audience::Everybody,
        Audience::Present(people) => Audience::Present(people.into_iter().chain(audiences.hearers(fact)).collect()),
        Audience::Listed => Audience::Present(audiences.hearers(fact)),
    };
    known.map(|fact| (fact.id.as_str(), audience(fact))).collect()
}

/// Returns a remark on each person whose death a chapter before `number` tells, or whose card has a death before all that
/// the chapter narrates, by id.
pub(super) fn dead_before(book: &NumberedBook<'_>, number: u32, words: &Labels) -> BTreeMap<String, String> {
    let story = book.story;
    let by_card = story.characters.iter().filter_map(|card| {
        let date = died_before(book, number, card)?;
        Some((card.id.clone(), words.died_on(date)))
    });
    let told = settled_deaths(story).into_iter().filter_map(|death| {
        let document = &story.documents[death.document];
        let chapter = book.number_of(&document.id).filter(|chapter| *chapter < number)?;
        let card = &story.characters[death.character];
        // A chapter after the death does not tell when it was.
        let date = died_before(book, chapter, card).map(|date| words.died_on(date));
        Some((card.id.clone(), date.unwrap_or_else(|| words.dead_since(document.title.trim()))))
    });
    // What a chapter tells goes before the card.
    by_card.chain(told).collect()
}

/// Returns the death on a card, if it lies before all that the chapter `number` narrates at a known time.
fn died_before<'c>(book: &NumberedBook<'_>, number: u32, card: &'c Character) -> Option<&'c str> {
    let moment = |time: &str| time::moment(time.trim());
    let date = card.death.as_deref().map(str::trim).filter(|date| !date.is_empty())?;
    let death = moment(date)?;
    let is_here = |event: &&TimelineEvent| {
        let told = event.outline_node.as_deref().and_then(|name| book.number_at(book.position(name)?));
        event.mode == Mode::Narrated && told == Some(number)
    };
    let narrated = book.story.timeline_events.iter().filter(is_here);
    let times: Vec<_> = narrated.filter_map(|event| moment(&event.timestamp)).collect();
    (!times.is_empty() && times.iter().all(|time| death.is_before(time))).then_some(date)
}

/// Returns the ids of the people whose death the chapter `number` or an earlier one tells in a flashback.
fn lost_in_past<'s>(book: &NumberedBook<'s>, number: u32) -> BTreeSet<&'s str> {
    let story = book.story;
    let is_past = |event: &&TimelineEvent| {
        let told = event.outline_node.as_deref().and_then(|name| book.number_at(book.position(name)?));
        event.mode == Mode::Flashback && told.is_some_and(|chapter| chapter <= number)
    };
    let dead = story.timeline_events.iter().filter(is_past).flat_map(|event| &event.deaths);
    let cards = dead.filter_map(|name| book.names().resolve(PieceKind::Character, name));
    cards.map(|card| story.characters[card.position].id.as_str()).collect()
}

/// Tokens of the line that says how many facts are left out.
const LEFT_OUT: u64 = 20;

/// Returns the facts that fit, a line per subject: those about the chapter's people, places and things first, newer facts
/// before older ones. A date is given once, before all facts of its day. A last line says how many facts are left out.
pub(super) fn by_subject(mut facts: Vec<known::FactLine>, words: &Labels, tokens: u64) -> Vec<String> {
    facts.sort_by_key(|said| (!said.is_near, std::cmp::Reverse(said.age)));
    let mut subjects: Vec<String> = Vec::new();
    let mut lines: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let (mut used, mut left) = (0, 0);
    for said in facts {
        let own = lines.get(&said.subject);
        let is_new_date = !own.is_some_and(|own| own.iter().any(|(date, _)| *date == said.date));
        let date = if is_new_date { estimate::tokens(&said.date) + 1 } else { 0 };
        let subject = if own.is_none() { estimate::tokens(&said.subject) + 2 } else { 0 };
        let cost = estimate::tokens(&said.says) + 1 + date + subject;
        if used + cost > tokens {
            left += 1;
            continue;
        }
        used += cost;
        if own.is_none() {
            subjects.push(said.subject.clone());
        }
        lines.entry(said.subject).or_default().push((said.date, said.says));
    }
    let line = |subject: String| {
        // In the order of discovery; what has no date comes first.
        let said = lines.get(&subject).into_iter().flatten().rev();
        let (undated, dated): (Vec<_>, Vec<_>) = said.partition(|(date, _)| date.is_empty());
        let mut days: Vec<(&str, Vec<&str>)> = Vec::new();
        for (date, says) in undated.into_iter().chain(dated) {
            match days.iter_mut().find(|(day, _)| *day == date.as_str()) {
                Some((_, told)) => told.push(says.as_str()),
                None => days.push((date.as_str(), vec![says.as_str()])),
            }
        }
        let day = |(date, told): (&str, Vec<&str>)| match (date, words.is_zh()) {
            ("", _) => told.join(words.semicolon),
            (date, true) => format!("{date}，{}", told.join(words.semicolon)),
            (date, false) => format!("{date}, {}", told.join(words.semicolon)),
        };
        let days: Vec<String> = days.into_iter().map(day).collect();
        words.labelled(&subject, &days.join(words.semicolon))
    };
    let left = (left > 0).then(|| words.left_out(left));
    subjects.into_iter().map(line).chain(left).collect()
}
