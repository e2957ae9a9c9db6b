//! The shared context of all agents: the brief, people, places, and values for templates.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_agents::context::WorkContext;
use qingyu_story::{Language, RoleType, Story};

use crate::brief::RequirementBrief;
use crate::cast::{self, CastMember};
use crate::draw::SeededDraw;
use crate::fill::{FilledText, Slots};
use crate::person::Person;
use crate::tables::{LanguageTables, Phrases, ThingNoun};

/// Number of organisations.
const ORGANISATIONS: usize = 3;

/// The context of a response.
pub(crate) struct AnswerFrame {
    pub(crate) brief: RequirementBrief,
    pub(crate) draw: SeededDraw,
    pub(crate) slots: Slots,
    pub(crate) players: Vec<CastMember>,
    pub(crate) phrases: &'static Phrases,
    /// The random draws, for the reasoning.
    pub(crate) drawn: Vec<String>,
    /// The protagonist's age, once known.
    pub(crate) hero_age: Option<i32>,
    /// Names of places by the kind of chapter.
    places: BTreeMap<&'static str, String>,
}

/// The people to cast.
pub(crate) enum People {
    /// The parts required by every telling, and the given people.
    Needed(Vec<Person>),
    /// All parts, and the given people.
    All(Vec<Person>),
}

impl AnswerFrame {
    /// Returns the frame for `work` of `agent`. Draws are seeded by the requirement, the agent, the task and the
    /// material.
    pub(crate) fn new(work: &WorkContext, agent: &str, people: People) -> Self {
        Self::of(RequirementBrief::within(&work.story, &work.requirement, work.language), work, agent, people)
    }

    /// Returns the frame for a requirement parsed before.
    pub(crate) fn of(brief: RequirementBrief, work: &WorkContext, agent: &str, people: People) -> Self {
        let material = serde_json::to_string(&work.story).unwrap_or_default();
        let mut draw = SeededDraw::new(&[&brief.quote, agent, &work.task, &material]);
        let (known, spares) = match people {
            People::Needed(known) => (known, false),
            People::All(known) => (known, true),
        };
        let players = cast::players(&brief, &work.story, &known, spares, &mut draw);
        let drawn = players.iter().filter(|player| player.drawn).map(|player| player.person.name.clone()).collect();
        let mut frame = Self {
            slots: Slots { language: brief.language, ..Slots::default() },
            phrases: &LanguageTables::of(brief.language).phrases,
            brief,
            draw,
            players,
            drawn,
            hero_age: work
                .story
                .characters
                .iter()
                .find(|card| card.role_type == RoleType::Protagonist)
                .and_then(|card| card.age),
            places: BTreeMap::new(),
        };
        frame.slots.people = frame.players.iter().map(|player| (player.key.clone(), player.person.clone())).collect();
        frame.say_what_the_user_said();
        frame.place(&work.story);
        frame
    }

    /// Returns the protagonist.
    pub(crate) fn hero(&self) -> &CastMember {
        &self.players[0]
    }

    /// Fills `template`.
    pub(crate) fn fill(&self, template: &str) -> FilledText {
        self.slots.fill(template)
    }

    /// Fills `template` and returns the text only.
    pub(crate) fn text(&self, template: &str) -> String {
        self.slots.text(template)
    }

    /// Fills `template` with `{self}` as `person` and further words.
    pub(crate) fn text_with(&self, template: &str, person: Option<&Person>, words: &[(&str, &str)]) -> String {
        self.fill_with(template, person, words).text
    }

    /// Like [`AnswerFrame::text_with`], but also returns the people named.
    pub(crate) fn fill_with(&self, template: &str, person: Option<&Person>, words: &[(&str, &str)]) -> FilledText {
        let mut slots = self.slots.clone();
        slots.people.extend(person.map(|person| ("self".to_owned(), person.clone())));
        slots.words.extend(words.iter().map(|(key, word)| ((*key).to_owned(), (*word).to_owned())));
        slots.fill(template)
    }

    /// Returns the name of the place for a kind of chapter.
    pub(crate) fn place_of(&self, kind: &str) -> Option<String> {
        self.places.get(kind).cloned()
    }

    /// Returns the line of reasoning about the user's words.
    pub(crate) fn user_words(&self) -> String {
        let said = &self.brief.said;
        let mut words: Vec<&str> = Vec::new();
        words.extend(self.brief.setting_word.as_deref());
        words.extend(self.brief.shape_word.as_deref());
        for part in [
            &said.hero_name,
            &said.hero_trade,
            &said.partner_trade,
            &said.skill,
            &said.want,
            &said.theme,
            &said.event,
            &said.place,
            &said.era,
        ] {
            words.extend(part.as_deref());
        }
        words.extend(said.names.iter().chain(&said.musts).map(String::as_str));
        let mut seen = BTreeSet::new();
        words.retain(|word| seen.insert(*word));
        let list = match self.brief.language {
            Language::Zh => words.iter().map(|word| format!("「{word}」")).collect::<String>(),
            Language::En => words.iter().map(|word| format!("\u{201c}{word}\u{201d}")).collect::<Vec<_>>().join(", "),
        };
        if words.is_empty() {
            self.text_with(&self.phrases.no_words, None, &[])
        } else {
            self.text_with(&self.phrases.user_words, None, &[("list", &list)])
        }
    }

    /// Returns the line of reasoning about random draws.
    pub(crate) fn draws(&self) -> String {
        let between = match self.brief.language {
            Language::Zh => "；",
            Language::En => "; ",
        };
        self.text_with(&self.phrases.draws, None, &[("list", &self.drawn.join(between))])
    }

    fn say_what_the_user_said(&mut self) {
        let hero = self.hero().person.clone();
        let language = self.brief.language;
        let skill = self.brief.said.skill.clone().unwrap_or_else(|| self.trained(&hero.trade));
        let want = self.brief.said.want.clone();
        let words = &mut self.slots.words;
        words.insert("skill".into(), skill);
        words.insert("genre".into(), self.brief.genre());
        words.insert("quote".into(), self.brief.quote.replace(['{', '}'], ""));
        words.insert("want".into(), want.unwrap_or_else(|| self.brief.shape.hero.goal.clone()));
        let (his, him) = match (language, hero.female) {
            (Language::Zh, true) => ("她的", "她"),
            (Language::Zh, false) => ("他的", "他"),
            (Language::En, true) => ("her", "her"),
            (Language::En, false) => ("his", "him"),
        };
        words.insert("his".into(), his.into());
        words.insert("him".into(), him.into());
    }

    /// Returns the default skill of a trade, if the requirement names no skill.
    fn trained(&self, trade: &str) -> String {
        let noun = match self.brief.language {
            Language::Zh => trade.rsplit('的').find(|part| !part.is_empty()).unwrap_or(trade),
            Language::En => trade.split_whitespace().next_back().unwrap_or(trade),
        };
        let no_trade = self.phrases.young.iter().chain(&self.phrases.creatures);
        let young = no_trade.into_iter().any(|word| noun.ends_with(word.as_str()) || trade.starts_with(word.as_str()));
        let template = if young { &self.phrases.young_skill } else { &self.phrases.trained };
        let words = [("noun".to_owned(), noun.to_owned())].into();
        Slots { words, ..Slots::default() }.fragment(template).text
    }

    /// Sets the slots for places, organisations and things: from the world, by default drawn.
    fn place(&mut self, story: &Story) {
        let setting = self.brief.setting;
        let world = story.worldview.as_ref();
        for (index, (kind, options)) in setting.places.kinds().into_iter().enumerate() {
            let drawn = self.draw.one(options);
            let there = world.map(|world| world.locations.as_slice()).filter(|there| !there.is_empty());
            let known = there.map(|there| {
                let of_kind = |name: &String| options.iter().any(|option| option.bare_name() == name);
                let own = there.iter().find(|place| of_kind(&place.name));
                own.unwrap_or(&there[index % there.len()]).name.clone()
            });
            let name = known.unwrap_or_else(|| drawn.bare_name().into());
            self.slots.words.insert(kind.into(), spoken(&name, options));
            self.places.insert(kind, name);
        }
        let orgs = powers(&mut self.draw, &setting.orgs);
        let items = self.draw.shuffled(&setting.items);
        let known_orgs = world.iter().flat_map(|world| &world.organisations).map(|org| org.name.clone());
        let known_items = world.iter().flat_map(|world| &world.items).map(|item| item.name.clone());
        let orgs: Vec<String> = known_orgs.chain(orgs.iter().map(|org| org.name.clone())).collect();
        let items: Vec<String> = known_items.chain(items.iter().map(|item| item.name.clone())).collect();
        for (key, list, index) in [("org", &orgs, 0), ("org2", &orgs, 1), ("item", &items, 0), ("item2", &items, 1)] {
            self.slots.words.extend(list.get(index).map(|name| (key.to_owned(), spoken(name, &setting.orgs))));
        }
    }
}

/// Returns a name for use in a sentence, with the article of the table if any.
fn spoken(name: &str, table: &[ThingNoun]) -> String {
    table.iter().find(|thing| thing.bare_name() == name).map_or(name, |thing| &thing.name).to_owned()
}

/// Returns the organisations of a world; the first holds power and is drawn from the first two of the table.
pub(crate) fn powers<'a>(draw: &mut SeededDraw, table: &'a [ThingNoun]) -> Vec<&'a ThingNoun> {
    let (mighty, _) = table.split_at(table.len().min(2));
    let first = draw.one(mighty);
    let others = draw.shuffled(table).into_iter().filter(|other| other.name != first.name);
    [first].into_iter().chain(others).take(ORGANISATIONS).collect()
}
