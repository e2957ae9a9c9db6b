//! What all agents start from: the brief, the people, the places, and the slots of the templates.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_agents::context::Work;
use qingyu_story::{Language, RoleType, Story};

use crate::brief::Brief;
use crate::cast::{self, Person, Player};
use crate::draw::Draw;
use crate::fill::{Filled, Slots};
use crate::tables::{Phrases, Tables, Thing};
use crate::worldview;

/// The ground of one answer.
pub(crate) struct Frame {
    pub(crate) brief: Brief,
    pub(crate) draw: Draw,
    pub(crate) slots: Slots,
    pub(crate) players: Vec<Player>,
    pub(crate) phrases: &'static Phrases,
    /// What was drawn from the tables, for the reasoning.
    pub(crate) drawn: Vec<String>,
    /// The protagonist's age, once it is known.
    pub(crate) hero_age: Option<i32>,
    /// Names of places by what a story does there.
    places: BTreeMap<&'static str, String>,
}

/// Whom the agent must find a place for.
pub(crate) enum People {
    /// The parts that every telling needs, and these people.
    Needed(Vec<Person>),
    /// All parts, and these people.
    All(Vec<Person>),
}

impl Frame {
    /// The ground for `work` of `agent`. The dice depend on the requirement, the agent, the task and the material.
    pub(crate) fn new(work: &Work, agent: &str, people: People) -> Self {
        Self::of(Brief::within(&work.story, &work.requirement, work.language), work, agent, people)
    }

    /// The same with what the requirement says, read before.
    pub(crate) fn of(brief: Brief, work: &Work, agent: &str, people: People) -> Self {
        let material = serde_json::to_string(&work.story).unwrap_or_default();
        let mut draw = Draw::new(&[&brief.quote, agent, &work.task, &material]);
        let (known, spares) = match people {
            People::Needed(known) => (known, false),
            People::All(known) => (known, true),
        };
        let players = cast::players(&brief, &work.story, &known, spares, &mut draw);
        let drawn = players.iter().filter(|player| player.drawn).map(|player| player.person.name.clone()).collect();
        let mut frame = Self {
            slots: Slots { language: brief.language, ..Slots::default() },
            phrases: &Tables::of(brief.language).phrases,
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

    /// The protagonist.
    pub(crate) fn hero(&self) -> &Player {
        &self.players[0]
    }

    /// Fills `template`.
    pub(crate) fn fill(&self, template: &str) -> Filled {
        self.slots.fill(template)
    }

    /// Fills `template` for its words alone.
    pub(crate) fn text(&self, template: &str) -> String {
        self.slots.text(template)
    }

    /// Fills `template` with `{self}` as `person` and further words.
    pub(crate) fn text_with(&self, template: &str, person: Option<&Person>, words: &[(&str, &str)]) -> String {
        self.fill_with(template, person, words).text
    }

    /// Like [`Frame::text_with`], telling who is named.
    pub(crate) fn fill_with(&self, template: &str, person: Option<&Person>, words: &[(&str, &str)]) -> Filled {
        let mut slots = self.slots.clone();
        slots.people.extend(person.map(|person| ("self".to_owned(), person.clone())));
        slots.words.extend(words.iter().map(|(key, word)| ((*key).to_owned(), (*word).to_owned())));
        slots.fill(template)
    }

    /// The name of the place where chapters of a kind play.
    pub(crate) fn place_of(&self, kind: &str) -> Option<String> {
        self.places.get(kind).cloned()
    }

    /// The line of reasoning that says which words are the user's.
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

    /// The line of reasoning that says what was drawn.
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

    /// What somebody of a trade is good at when the requirement names no skill.
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

    /// Slots for places, organisations and things: the world's if there is one, draws if not.
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
        let orgs = worldview::powers(&mut self.draw, &setting.orgs);
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

/// A name as it stands in a sentence: with its article if the table gives it one.
fn spoken(name: &str, table: &[Thing]) -> String {
    table.iter().find(|thing| thing.bare_name() == name).map_or(name, |thing| &thing.name).to_owned()
}
