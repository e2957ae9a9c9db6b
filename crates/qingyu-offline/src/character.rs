//! Character cards and relations: people of the story get cards, unassigned parts are cast.

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::CharacterWork;
use qingyu_agents::plan::RequirementKind;
use qingyu_story::{Action, Character, CharacterRelation, Language, RelationKind, RoleType, Story};

use crate::brief::has_word;
use crate::cast::CastMember;
use crate::frame::{AnswerFrame, People};
use crate::person::{Person, person_of};
use crate::tables::{CastPart, CharacterTemper, LanguageTables, SocialStanding};

/// Number of people added by an extension if the outline names none.
const ADDED: usize = 2;

/// Returns the cast of the story.
///
/// With an outline, its people are the cast; by default the parts of the shape are drawn.
pub(crate) fn make(work: &WorkContext) -> CharacterWork {
    let known = people_of(work);
    let all = known.is_empty() || work.analysis.kind == RequirementKind::Extension;
    let people = if all { People::All(known) } else { People::Needed(known) };
    let mut frame = AnswerFrame::new(work, "character", people);
    let named: Vec<&String> = work.story.outline_nodes.iter().flat_map(|node| &node.participants).collect();
    if named.is_empty() {
        keep_the_core(&mut frame.players, &work.story);
    } else {
        let cards = &work.story.characters;
        let complete = frame.players.iter().filter(|player| !player.drawn).count() <= cards.len();
        // More people are requested, and the outline names none: cast the unassigned parts.
        let mut more = if work.analysis.kind == RequirementKind::Extension && complete { ADDED } else { 0 };
        frame.players.retain(|player| {
            let known = player.key == "hero" || !player.drawn;
            let added = !known && more > 0;
            more -= usize::from(added);
            known || added
        });
    }
    let kept = |name: &String| frame.players.iter().any(|player| player.person.name == *name);
    frame.drawn.retain(kept);
    let era = work.story.worldview.as_ref().map(|world| world.era.clone());
    let mut deck = Deck::new(&mut frame);
    let players = frame.players.clone();
    let characters: Vec<Character> = players
        .iter()
        .map(|player| match work.story.characters.iter().find(|card| card.name == player.person.name) {
            Some(card) => card.clone(),
            None => card(&mut frame, player, &mut deck, era.as_deref()),
        })
        .collect();
    let characters = with_clear_aliases(characters, &named);
    let character_relations = relations(&frame, &players, &work.story);
    let names: Vec<&str> = players[1..].iter().map(|player| player.person.name.as_str()).collect();
    let list = names.join(if work.language == Language::Zh { "、" } else { ", " });
    let summary = frame.text_with(&frame.phrases.cast_summary, None, &[("list", &list)]);
    let reasoning = vec![frame.user_words(), frame.text(&frame.phrases.cast_reason), frame.draws()];
    CharacterWork { characters, character_relations, character_summary: summary, reasoning }
}

/// Removes ambiguous short names, which could mean another person of the cast or the outline.
pub(crate) fn with_clear_aliases(mut characters: Vec<Character>, named: &[&String]) -> Vec<Character> {
    let cast: Vec<String> = characters.iter().map(|card| card.name.clone()).collect();
    let everybody: Vec<&String> = cast.iter().chain(named.iter().copied()).collect();
    for card in &mut characters {
        let (name, aliases) = (&card.name, &mut card.alias);
        let others = || everybody.iter().filter(|other| **other != name);
        aliases.retain(|alias| !others().any(|other| other.split_whitespace().any(|word| word == alias)));
    }
    characters
}

/// Without an outline, keeps only the core of the cast: people named by the material or the user, the opponent, the
/// holder of the key item, a marginal person and, in an existing world, a companion. The outline will name the others.
fn keep_the_core(players: &mut Vec<CastMember>, story: &Story) {
    let mut has_companion = story.worldview.is_none();
    players.retain(|player| {
        let Some(part) = player.part else { return true };
        let core = !player.drawn || part.spare || part.holder || part.role_type == RoleType::Antagonist;
        core || !std::mem::replace(&mut has_companion, true)
    });
}

/// Returns the people named by the material and the instructions, in order of appearance.
fn people_of(work: &WorkContext) -> Vec<Person> {
    let story = &work.story;
    let in_outline = story.outline_nodes.iter().flat_map(|node| &node.participants);
    let in_events = story.timeline_events.iter().flat_map(|event| &event.participants);
    let new = work.analysis.kind == RequirementKind::NewCreation;
    let carded = story.characters.iter().map(|card| &card.name);
    let carded = carded.filter(|_| !new || story.outline_nodes.is_empty());
    let mut people: Vec<Person> = Vec::new();
    for name in in_outline.chain(in_events).chain(carded) {
        if !people.iter().any(|person| person.name == *name) {
            people.push(person_of(name, story, work.language));
        }
    }
    for instruction in work.instructions.iter().filter(|instruction| instruction.action == Action::Create) {
        let name = instruction.parameters.get("name").and_then(|name| name.as_str());
        let character = instruction.parameters.get("kind").and_then(|kind| kind.as_str()) == Some("character");
        if let Some(name) = name.filter(|_| character)
            && !people.iter().any(|person| person.name == name)
        {
            people.push(person_of(name, story, work.language));
        }
    }
    people
}

/// A deck of temperaments, wounds, secrets and contradictions, without duplicates while others remain.
pub(crate) struct Deck {
    tempers: Vec<&'static CharacterTemper>,
    wounds: Vec<&'static String>,
    secrets: Vec<&'static String>,
    contradictions: Vec<&'static String>,
}

impl Deck {
    pub(crate) fn new(frame: &mut AnswerFrame) -> Self {
        let nature = &LanguageTables::of(frame.brief.language).nature;
        Self {
            tempers: frame.draw.shuffled(&nature.tempers),
            wounds: frame.draw.shuffled(&nature.wounds),
            secrets: frame.draw.shuffled(&nature.secrets),
            contradictions: frame.draw.shuffled(&nature.contradictions),
        }
    }

    fn temper(&mut self, frame: &mut AnswerFrame) -> &'static CharacterTemper {
        self.tempers.pop().unwrap_or_else(|| frame.draw.one(&LanguageTables::of(frame.brief.language).nature.tempers))
    }
}

fn next(deck: &mut Vec<&'static String>) -> &'static str {
    let card = deck.pop().expect("the decks are larger than a cast; they are turned over before they are empty");
    deck.insert(0, card);
    card
}

/// Returns a full card for `player`.
pub(crate) fn card(frame: &mut AnswerFrame, player: &CastMember, deck: &mut Deck, era: Option<&str>) -> Character {
    let (phrases, person) = (frame.phrases, &player.person);
    let temper = deck.temper(frame);
    let wound = frame.text_with(next(&mut deck.wounds), Some(person), &[]);
    let is_hero = player.key == "hero";
    if is_hero && deck.secrets.last().is_some_and(|secret| secret.contains("{hero}")) {
        deck.secrets.rotate_right(1);
    }
    let secret = frame.text_with(next(&mut deck.secrets), Some(person), &[]);
    let contradiction = frame.text_with(next(&mut deck.contradictions), Some(person), &[]);
    let hero = &frame.brief.shape.hero;
    let (goal, conflict, arc) = match player.part {
        _ if is_hero => (&hero.goal, &hero.conflict, &hero.arc),
        Some(part) => (&part.goal, &part.conflict, &part.arc),
        None => (&phrases.other_goal, &phrases.other_conflict, &phrases.other_arc),
    };
    let own = |template: &str| frame.text_with(template, Some(person), &[]);
    let mut goals = own(goal);
    if let Some(want) = frame.brief.said.want.as_deref().filter(|_| is_hero) {
        goals = format!("{}{goals}", frame.text_with(&phrases.wanted, None, &[("want", want)]));
    }
    let skill = frame.brief.said.skill.clone().filter(|_| is_hero);
    let mut traits: Vec<String> = temper.traits.clone();
    traits.extend(skill.as_deref().map(|skill| frame.text_with(&phrases.skilled, None, &[("skill", skill)])));
    let temper_text = own(&temper.text);
    let join = if frame.brief.language == Language::En { " " } else { "" };
    let origin = match is_hero {
        true if is_creature(frame) => &phrases.creature_background,
        true if is_young(frame) => &phrases.young_background,
        true if skill.is_none() => &phrases.plain_background,
        true => &phrases.hero_background,
        false => &phrases.background,
    };
    let words = [("wound", wound.as_str()), ("own_trade", person.trade.as_str())];
    let background = frame.text_with(origin, Some(person), &words);
    let made = Character {
        name: person.name.clone(),
        alias: if person.short == person.name { Vec::new() } else { vec![person.short.clone()] },
        role_type: if is_hero { RoleType::Protagonist } else { player.part.map_or(RoleType::Minor, |p| p.role_type) },
        occupation: person.trade.clone(),
        traits,
        weakness: own(&temper.weakness),
        personality: [temper_text, contradiction].join(join),
        background: [background, frame.text_with(&phrases.secret, None, &[("secret", &secret)])].join(join),
        goals,
        conflicts: own(conflict),
        arc: own(arc),
        ..Character::default()
    };
    frame.drawn.push(frame.text_with(&phrases.drawn_card, Some(person), &[("wound", &wound), ("secret", &secret)]));
    aged(frame, player, era, made)
}

/// Sets the age by standing and by relation to the protagonist, and the year of birth if the era is a year.
fn aged(frame: &mut AnswerFrame, player: &CastMember, era: Option<&str>, card: Character) -> Character {
    let hero = frame.hero_age.unwrap_or(30);
    let (low, high) = match player.part {
        None if player.key == "hero" => hero_ages(frame),
        None => (26, 39),
        Some(part) => match (part.kind, part.standing) {
            (RelationKind::Sibling, _) => (hero - 4, hero - 2),
            (RelationKind::Friend | RelationKind::Lover, SocialStanding::Plain | SocialStanding::Craft) => {
                (hero - 2, hero + 3)
            }
            (RelationKind::MentorOf, _) => (11, 15),
            (_, SocialStanding::Power) => (44, 58),
            (_, SocialStanding::Craft) => (38, 56),
            (_, SocialStanding::Street) => (23, 46),
            (_, SocialStanding::Plain) => (21, 52),
        },
    };
    let age = frame.draw.between(low, high);
    if player.key == "hero" {
        frame.hero_age = Some(age);
    }
    let birth = era.and_then(year_of).map(|year| (year - age).to_string());
    Character { age: Some(age), birth, ..card }
}

/// Returns the range of the protagonist's age, by the words for age in the requirement.
fn hero_ages(frame: &AnswerFrame) -> (i32, i32) {
    let trade = frame.hero().person.trade.to_ascii_lowercase();
    if frame.phrases.old.iter().any(|word| has_word(&trade, word)) {
        (58, 69)
    } else if is_young(frame) {
        (15, 18)
    } else {
        (26, 39)
    }
}

fn is_young(frame: &AnswerFrame) -> bool {
    let trade = frame.hero().person.trade.to_ascii_lowercase();
    frame.phrases.young.iter().any(|word| has_word(&trade, word))
}

/// Returns whether the protagonist is an animal, without a trade.
fn is_creature(frame: &AnswerFrame) -> bool {
    let trade = frame.hero().person.trade.to_ascii_lowercase();
    frame.phrases.creatures.iter().any(|word| trade.ends_with(word.as_str()))
}

/// Parses the year of an era, if in digits.
pub(crate) fn year_of(era: &str) -> Option<i32> {
    let digits: String = era.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|_| digits.len() == 4)
}

/// Returns the relations between the protagonist and all others, in both directions, and the links of the shape.
fn relations(frame: &AnswerFrame, players: &[CastMember], story: &Story) -> Vec<CharacterRelation> {
    let kept = |relation: &&CharacterRelation| {
        let plays = |name: &String| players.iter().any(|player| player.person.name == *name);
        plays(&relation.from) && plays(&relation.to)
    };
    let mut relations: Vec<CharacterRelation> = story.character_relations.iter().filter(kept).cloned().collect();
    for player in &players[1..] {
        let there = |relation: &CharacterRelation| {
            let ends = [&relation.from, &relation.to];
            ends.contains(&&player.person.name) && ends.contains(&&players[0].person.name)
        };
        if !relations.iter().any(there) {
            relations.extend(between(frame, player));
        }
    }
    for link in &frame.brief.shape.links {
        let find = |key: &str| players.iter().find(|player| player.key == key).map(|player| &player.person.name);
        let (Some(from), Some(to)) = (find(&link.from), find(&link.to)) else { continue };
        if !relations.iter().any(|relation| relation.from == *from && relation.to == *to) {
            relations.extend(both_ways(from, to, link.kind, 0.5, &frame.text(&link.text)));
        }
    }
    relations
}

/// Returns the relation of the protagonist and `player`, in both directions.
pub(crate) fn between(frame: &AnswerFrame, player: &CastMember) -> [CharacterRelation; 2] {
    let hero = &frame.hero().person.name;
    let (kind, text, strength) = match player.part {
        Some(part) => (part.kind, &part.relation, strength(part)),
        None => (RelationKind::Knows, &frame.phrases.acquaintance, 0.4),
    };
    let text = frame.text_with(text, Some(&player.person), &[]);
    both_ways(hero, &player.person.name, kind, strength, &text)
}

fn strength(part: &CastPart) -> f64 {
    match part.role_type {
        RoleType::Antagonist => 0.9,
        RoleType::Minor => 0.4,
        RoleType::Protagonist | RoleType::Supporting => 0.7,
    }
}

fn both_ways(from: &str, to: &str, kind: RelationKind, strength: f64, text: &str) -> [CharacterRelation; 2] {
    let one = CharacterRelation {
        from: from.into(),
        to: to.into(),
        kind,
        strength,
        description: text.into(),
        ..CharacterRelation::default()
    };
    let other = CharacterRelation { from: to.into(), to: from.into(), kind: kind.inverse(), ..one.clone() };
    [one, other]
}
