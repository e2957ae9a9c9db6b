//! Who plays which part: people who are there already first, then people the user named, then draws.

use qingyu_story::{Character, Language, RoleType, Story};

use crate::brief::{Brief, has_word};
use crate::character;
use crate::draw::Draw;
use crate::tables::{Names, Part, Setting, Standing, Tables};

/// A person as templates see them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Person {
    pub(crate) name: String,
    /// The name after the first mention.
    pub(crate) short: String,
    pub(crate) trade: String,
    pub(crate) female: bool,
}

impl Person {
    /// The name with the trade before it.
    pub(crate) fn introduced(&self, language: Language) -> String {
        let long = self.trade.is_empty() || self.trade.chars().count() > 40;
        match language {
            _ if long => self.name.clone(),
            Language::Zh => format!("{}{}", self.trade, self.name),
            Language::En => format!("the {} {}", self.trade, self.name),
        }
    }
}

/// A part and who plays it.
#[derive(Debug, Clone)]
pub(crate) struct Player {
    /// The part; none for the protagonist and for people beyond the parts of the shape.
    pub(crate) part: Option<&'static Part>,
    pub(crate) key: String,
    pub(crate) person: Person,
    /// Whether the name was drawn here, rather than taken from the story or the requirement.
    pub(crate) drawn: bool,
}

/// The protagonist: from the story, the requirement, or a draw that depends on the requirement alone.
pub(crate) fn hero(brief: &Brief, story: &Story) -> Player {
    let mut draw = Draw::new(&[&brief.quote, "protagonist"]);
    let card = story.characters.iter().find(|card| card.role_type == RoleType::Protagonist);
    let trade = brief.said.hero_trade.clone().or_else(|| card.map(|card| card.occupation.clone()));
    let trade = trade.filter(|trade| !trade.is_empty()).unwrap_or_else(|| usual_trade(brief, &mut draw));
    let mut namer = Namer::new(brief, story, &mut draw);
    let drawn = namer.person(brief.said.female.or_else(|| namer.gender_of(&trade)), &mut draw);
    let given = card.map(|card| card.name.clone()).or_else(|| brief.said.hero_name.clone());
    let person = match &given {
        Some(name) => {
            let said = brief.said.female.or_else(|| namer.gender_of(&trade));
            Person { female: namer.is_female(name, said), ..named(name, brief.language) }
        }
        None => drawn,
    };
    Player { part: None, key: "hero".into(), person: Person { trade, ..person }, drawn: given.is_none() }
}

/// What protagonists of this kind of story are at home; elsewhere what people there are.
fn usual_trade(brief: &Brief, draw: &mut Draw) -> String {
    let trades = &brief.setting.trades;
    if brief.setting.key == brief.shape.setting {
        draw.one(&brief.shape.hero.trades).clone()
    } else {
        let fitting: Vec<&String> = trades.craft.iter().chain(&trades.plain).collect();
        (*draw.one(&fitting)).clone()
    }
}

/// Everybody: the protagonist first, then the parts of the shape in order, then who else is in the story.
///
/// `parts` says which parts are wanted; people of the story take the part that fits them best.
pub(crate) fn players(brief: &Brief, story: &Story, known: &[Person], spares: bool, draw: &mut Draw) -> Vec<Player> {
    let hero = hero(brief, story);
    let parts: Vec<&'static Part> = brief.shape.roles.iter().filter(|part| spares || !part.spare).collect();
    let mut waiting: Vec<Person> = known.iter().filter(|person| person.name != hero.person.name).cloned().collect();
    let held = story.worldview.iter().flat_map(|world| &world.items).filter_map(|item| item.holder.as_ref());
    for name in held {
        if *name != hero.person.name && !waiting.iter().any(|person| person.name == *name) {
            waiting.push(character::person_of(name, story, brief.language));
        }
    }
    for name in &brief.said.names {
        if *name != hero.person.name && !waiting.iter().any(|person| person.name == *name) {
            waiting.push(named(name, brief.language));
        }
    }
    let mut seats: Vec<Option<Person>> = vec![None; parts.len()];
    seat(&parts, &mut seats, &mut waiting, story, brief);
    let mut namer = Namer::new(brief, story, draw);
    namer.avoid(&hero.person.name);
    seats.iter().flatten().chain(&waiting).for_each(|person| namer.avoid(&person.name));
    let mut trades = TradeDeck::new(brief.setting, draw);
    trades.avoid(&hero.person.trade);
    seats.iter().flatten().chain(&waiting).for_each(|person| trades.avoid(&person.trade));
    let mut players = vec![hero];
    for (part, seat) in parts.into_iter().zip(seats) {
        let drawn = seat.is_none();
        let known = seat.as_ref().map(|person| person.trade.clone()).filter(|trade| !trade.is_empty());
        let partner = brief.said.partner_trade.clone().filter(|_| part.key == "love");
        let trade = known.or(partner).unwrap_or_else(|| trades.next(part.standing));
        let gender = namer.gender_of(&trade);
        let person = Person { trade, ..seat.unwrap_or_else(|| namer.person(gender, draw)) };
        players.push(Player { part: Some(part), key: part.key.clone(), person, drawn });
    }
    for (index, mut person) in waiting.into_iter().enumerate() {
        if person.trade.is_empty() {
            person.trade = trades.next(Standing::Plain);
        }
        players.push(Player { part: None, key: format!("other{}", index + 1), person, drawn: false });
    }
    players
}

/// Gives the parts to people who are there already: by their card's role, by the key item, by their trade, by order.
fn seat(parts: &[&Part], seats: &mut [Option<Person>], waiting: &mut Vec<Person>, story: &Story, brief: &Brief) {
    let role =
        |person: &Person| story.characters.iter().find(|card| card.name == person.name).map(|card| card.role_type);
    let keeps = |part: &Part, person: &Person| {
        let items = story.worldview.iter().flat_map(|world| &world.items).enumerate();
        let mut held = items.filter(|(_, item)| item.holder.as_deref() == Some(&person.name));
        held.any(|(index, _)| brief.shape.keeper(index).is_some_and(|keeper| keeper.key == part.key))
    };
    let standing = |person: &Person| {
        brief.setting.trades.all().find(|(_, trade)| **trade == person.trade).map(|(standing, _)| standing)
    };
    let opposed = story.characters.iter().any(|card| card.role_type == RoleType::Antagonist);
    let opposes = |part: &Part| part.role_type == RoleType::Antagonist;
    type Fits<'a> = &'a dyn Fn(&Part, &Person) -> bool;
    let fits: [Fits<'_>; 4] = [
        &keeps,
        &|part, person| opposes(part) && role(person) == Some(RoleType::Antagonist),
        &|part, person| {
            let open = !(opposes(part) && opposed);
            open && role(person).is_none() && standing(person) == Some(part.standing)
        },
        // Somebody in the margin stays there.
        &|part, person| !opposes(part) && matches!(role(person), None | Some(RoleType::Supporting)),
    ];
    for fit in fits {
        for (part, seat) in parts.iter().zip(seats.iter_mut()) {
            if seat.is_none()
                && let Some(index) = waiting.iter().position(|person| fit(part, person))
            {
                *seat = Some(waiting.remove(index));
            }
        }
    }
}

/// A person of whom the name is known.
pub(crate) fn named(name: &str, language: Language) -> Person {
    let short = match language {
        Language::Zh => name,
        Language::En => name.split_whitespace().next().unwrap_or(name),
    };
    Person { name: name.into(), short: short.into(), ..Person::default() }
}

/// A person who has a card.
pub(crate) fn carded(card: &Character, language: Language) -> Person {
    Person { trade: card.occupation.clone(), ..named(&card.name, language) }
}

/// Draws names, no two beginning alike.
struct Namer {
    names: &'static Names,
    family: Vec<&'static String>,
    female: Vec<&'static String>,
    male: Vec<&'static String>,
    taken: Vec<String>,
    language: Language,
}

impl Namer {
    fn new(brief: &Brief, story: &Story, draw: &mut Draw) -> Self {
        let names = Tables::of(brief.language).names(&brief.setting.names);
        let mut namer = Self {
            names,
            family: draw.shuffled(&names.family),
            female: draw.shuffled(&names.female),
            male: draw.shuffled(&names.male),
            taken: Vec::new(),
            language: brief.language,
        };
        story.characters.iter().for_each(|card| namer.avoid(&card.name));
        namer
    }

    /// Keeps later names from sharing a first letter or a part with `name`.
    fn avoid(&mut self, name: &str) {
        let alike = |part: &String| name.contains(part.as_str()) || part.chars().next() == name.chars().next();
        self.family.retain(|part| !(if self.names.family_first { alike(part) } else { name.contains(part.as_str()) }));
        self.female.retain(|part| !alike(part));
        self.male.retain(|part| !alike(part));
        self.taken.push(name.into());
    }

    fn person(&mut self, female: Option<bool>, draw: &mut Draw) -> Person {
        let female = female.unwrap_or_else(|| draw.below(2) == 0);
        let given = if female { &mut self.female } else { &mut self.male };
        let given = given.pop().unwrap_or_else(|| draw.one(if female { &self.names.female } else { &self.names.male }));
        let fitting = self.family.iter().rposition(|family| !given.contains(family.as_str()));
        let family = fitting.map(|index| self.family.remove(index)).unwrap_or_else(|| draw.one(&self.names.family));
        let between = &self.names.between;
        let name = if self.names.family_first {
            format!("{family}{between}{given}")
        } else {
            format!("{given}{between}{family}")
        };
        self.avoid(&name);
        Person { female, ..named(&name, self.language) }
    }

    /// Whether a trade is a woman's by its word, a man's, or anybody's.
    fn gender_of(&self, trade: &str) -> Option<bool> {
        let phrases = &Tables::of(self.language).phrases;
        let trade = trade.to_ascii_lowercase();
        let says = |words: &[String]| words.iter().any(|word| has_word(&trade, word));
        if says(&phrases.feminine) { Some(true) } else { says(&phrases.masculine).then_some(false) }
    }

    fn is_female(&self, name: &str, said: Option<bool>) -> bool {
        let listed = |given: &[String]| given.iter().any(|given| name.split_whitespace().any(|part| part == given));
        let first = name.split_whitespace().next().unwrap_or(name);
        // Of English names that no table lists, those in -a are mostly women's.
        said.unwrap_or_else(|| listed(&self.names.female) || (first.ends_with('a') && !listed(&self.names.male)))
    }
}

/// Draws trades, none twice while there are others.
struct TradeDeck {
    decks: Vec<(Standing, Vec<&'static String>)>,
}

impl TradeDeck {
    fn new(setting: &'static Setting, draw: &mut Draw) -> Self {
        let standings = [Standing::Power, Standing::Street, Standing::Craft, Standing::Plain];
        Self { decks: standings.map(|standing| (standing, draw.shuffled(setting.trades.of(standing)))).into() }
    }

    fn avoid(&mut self, trade: &str) {
        self.decks.iter_mut().for_each(|(_, deck)| deck.retain(|other| *other != trade));
    }

    fn next(&mut self, standing: Standing) -> String {
        let own = self.decks.iter_mut().find(|(of, deck)| *of == standing && !deck.is_empty());
        let taken = own.and_then(|(_, deck)| deck.pop());
        taken.or_else(|| self.decks.iter_mut().find_map(|(_, deck)| deck.pop())).cloned().unwrap_or_default()
    }
}
