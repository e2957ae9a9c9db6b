//! Casting of parts: existing people first, then people named by the user, then random draws.

use qingyu_story::{Language, RoleType, Story};

use crate::brief::{RequirementBrief, has_word};
use crate::draw::SeededDraw;
use crate::person::{Person, named, person_of};
use crate::tables::{CastPart, LanguageTables, NameTable, SettingTable, SocialStanding};

/// A part with its person.
#[derive(Debug, Clone)]
pub(crate) struct CastMember {
    /// The part; `None` for the protagonist and for people beyond the parts of the shape.
    pub(crate) part: Option<&'static CastPart>,
    pub(crate) key: String,
    pub(crate) person: Person,
    /// Whether the name was drawn here, and not taken from the story or the requirement.
    pub(crate) drawn: bool,
}

/// Returns the protagonist: from the story, the requirement, or a draw seeded only by the requirement.
pub(crate) fn hero(brief: &RequirementBrief, story: &Story) -> CastMember {
    let mut draw = SeededDraw::new(&[&brief.quote, "protagonist"]);
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
    CastMember { part: None, key: "hero".into(), person: Person { trade, ..person }, drawn: given.is_none() }
}

/// Returns a usual trade of protagonists in the kind of story, if native to the setting; otherwise any trade of the
/// setting.
fn usual_trade(brief: &RequirementBrief, draw: &mut SeededDraw) -> String {
    let trades = &brief.setting.trades;
    if brief.setting.key == brief.shape.setting {
        draw.one(&brief.shape.hero.trades).clone()
    } else {
        let fitting: Vec<&String> = trades.craft.iter().chain(&trades.plain).collect();
        (*draw.one(&fitting)).clone()
    }
}

/// Returns the cast: the protagonist first, then the parts of the shape in order, then other people of the story.
///
/// People of the story take the best fitting part; spare parts only with `spares`.
pub(crate) fn players(
    brief: &RequirementBrief,
    story: &Story,
    known: &[Person],
    spares: bool,
    draw: &mut SeededDraw,
) -> Vec<CastMember> {
    let hero = hero(brief, story);
    let parts: Vec<&'static CastPart> = brief.shape.roles.iter().filter(|part| spares || !part.spare).collect();
    let mut waiting: Vec<Person> = known.iter().filter(|person| person.name != hero.person.name).cloned().collect();
    let held = story.worldview.iter().flat_map(|world| &world.items).filter_map(|item| item.holder.as_ref());
    for name in held {
        if *name != hero.person.name && !waiting.iter().any(|person| person.name == *name) {
            waiting.push(person_of(name, story, brief.language));
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
        players.push(CastMember { part: Some(part), key: part.key.clone(), person, drawn });
    }
    for (index, mut person) in waiting.into_iter().enumerate() {
        if person.trade.is_empty() {
            person.trade = trades.next(SocialStanding::Plain);
        }
        players.push(CastMember { part: None, key: format!("other{}", index + 1), person, drawn: false });
    }
    players
}

/// Assigns parts to existing people: by their card's role, by the key item, by their trade, by order.
fn seat(
    parts: &[&CastPart],
    seats: &mut [Option<Person>],
    waiting: &mut Vec<Person>,
    story: &Story,
    brief: &RequirementBrief,
) {
    let role =
        |person: &Person| story.characters.iter().find(|card| card.name == person.name).map(|card| card.role_type);
    let keeps = |part: &CastPart, person: &Person| {
        let items = story.worldview.iter().flat_map(|world| &world.items).enumerate();
        let mut held = items.filter(|(_, item)| item.holder.as_deref() == Some(&person.name));
        held.any(|(index, _)| brief.shape.keeper(index).is_some_and(|keeper| keeper.key == part.key))
    };
    let standing = |person: &Person| {
        brief.setting.trades.all().find(|(_, trade)| **trade == person.trade).map(|(standing, _)| standing)
    };
    let opposed = story.characters.iter().any(|card| card.role_type == RoleType::Antagonist);
    let opposes = |part: &CastPart| part.role_type == RoleType::Antagonist;
    type NameFilter<'a> = &'a dyn Fn(&CastPart, &Person) -> bool;
    let fits: [NameFilter<'_>; 4] = [
        &keeps,
        &|part, person| opposes(part) && role(person) == Some(RoleType::Antagonist),
        &|part, person| {
            let open = !(opposes(part) && opposed);
            open && role(person).is_none() && standing(person) == Some(part.standing)
        },
        // A marginal person stays marginal.
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

/// A generator of names, without similar beginnings.
struct Namer {
    names: &'static NameTable,
    family: Vec<&'static String>,
    female: Vec<&'static String>,
    male: Vec<&'static String>,
    taken: Vec<String>,
    language: Language,
}

impl Namer {
    fn new(brief: &RequirementBrief, story: &Story, draw: &mut SeededDraw) -> Self {
        let names = LanguageTables::of(brief.language).names(&brief.setting.names);
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

    /// Prevents later names from sharing a first letter or a part with `name`.
    fn avoid(&mut self, name: &str) {
        let alike = |part: &String| name.contains(part.as_str()) || part.chars().next() == name.chars().next();
        self.family.retain(|part| !(if self.names.family_first { alike(part) } else { name.contains(part.as_str()) }));
        self.female.retain(|part| !alike(part));
        self.male.retain(|part| !alike(part));
        self.taken.push(name.into());
    }

    fn person(&mut self, female: Option<bool>, draw: &mut SeededDraw) -> Person {
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

    /// Returns whether the word for a trade is feminine; `None` for both genders.
    fn gender_of(&self, trade: &str) -> Option<bool> {
        let phrases = &LanguageTables::of(self.language).phrases;
        let trade = trade.to_ascii_lowercase();
        let says = |words: &[String]| words.iter().any(|word| has_word(&trade, word));
        if says(&phrases.feminine) { Some(true) } else { says(&phrases.masculine).then_some(false) }
    }

    fn is_female(&self, name: &str, said: Option<bool>) -> bool {
        let listed = |given: &[String]| given.iter().any(|given| name.split_whitespace().any(|part| part == given));
        let first = name.split_whitespace().next().unwrap_or(name);
        // Unlisted English names in -a are mostly feminine.
        said.unwrap_or_else(|| listed(&self.names.female) || (first.ends_with('a') && !listed(&self.names.male)))
    }
}

/// A generator of trades, without duplicates while others remain.
struct TradeDeck {
    decks: Vec<(SocialStanding, Vec<&'static String>)>,
}

impl TradeDeck {
    fn new(setting: &'static SettingTable, draw: &mut SeededDraw) -> Self {
        let standings = [SocialStanding::Power, SocialStanding::Street, SocialStanding::Craft, SocialStanding::Plain];
        Self { decks: standings.map(|standing| (standing, draw.shuffled(setting.trades.of(standing)))).into() }
    }

    fn avoid(&mut self, trade: &str) {
        self.decks.iter_mut().for_each(|(_, deck)| deck.retain(|other| *other != trade));
    }

    fn next(&mut self, standing: SocialStanding) -> String {
        let own = self.decks.iter_mut().find(|(of, deck)| *of == standing && !deck.is_empty());
        let taken = own.and_then(|(_, deck)| deck.pop());
        taken.or_else(|| self.decks.iter_mut().find_map(|(_, deck)| deck.pop())).cloned().unwrap_or_default()
    }
}
