//! QY314: an age contradicts a birth, or another age.

use std::collections::BTreeMap;

use super::claims::{doubt_fact, in_telling_order};
use super::steady_chapters::SteadyChapters;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::fact_time::TimeCertainty;
use crate::language::has_words;
use crate::numerals::read_english;
use crate::piece::PieceKind;
use crate::predicate::{PredicateRole, in_base_unit};
use crate::time::{self, Moment, chronology};
use crate::truth::{Entity, GroundTruth, StatementBasis, TruthStatement};
use crate::{Category, Fact, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy314_age_told.toml");
    Rule::new("QY314", (Severity::Medium, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let chapters = ChapterTimes::of(material);
    let times = StoryTimes::of(material);
    let mut drafts = Vec::new();
    for (subject, _, group) in truth.by_subject() {
        let statements = || group.iter().map(|index| &truth.statements[*index]);
        let is_age = |one: &TruthStatement<'_>| {
            truth.predicate(one.predicate).is_some_and(|word| word.role == Some(PredicateRole::Age))
        };
        if subject.kind != Some(PieceKind::Character) || !statements().next().is_some_and(is_age) {
            continue;
        }
        let is_told = |one: &&TruthStatement<'_>| {
            matches!(one.basis, StatementBasis::Fact(_)) && (one.is_narrated() || is_dated_past(truth, one))
        };
        let mut told: Vec<_> = statements().filter(is_told).collect();
        in_telling_order(truth, &mut told);
        let card = statements().find(|one| matches!(one.basis, StatementBasis::Character(..)));
        let ages: Vec<AgeClaim<'_, '_>> =
            card.into_iter().chain(told).filter_map(|one| AgeClaim::of(material, (&chapters, &times), one)).collect();
        let births = births(truth, subject);
        let of_facts = ages.iter().enumerate().filter(|(_, age)| matches!(age.said.basis, StatementBasis::Fact(_)));
        let spoken = statements().filter(|one| is_known_by_teller(material, one));
        for age in spoken.filter_map(|one| AgeClaim::of(material, (&chapters, &times), one)) {
            let is_later = |other: &AgeClaim<'_, '_>| other.said.order > age.said.order;
            let fits = |other: &AgeClaim<'_, '_>| match is_later(other) {
                true => other.fits(&age, &chapters),
                false => age.fits(other, &chapters),
            };
            let against = births.iter().find(|(born, _)| !age.fits_birth(born)).map(|(_, said)| *said);
            let against = against.or_else(|| ages.iter().find(|other| !fits(other)).map(|other| other.said));
            drafts.extend(against.map(|against| draft(truth, age.said, against).with_severity(Severity::Low)));
        }
        for (place, age) in of_facts {
            let against = births.iter().find(|(born, _)| !age.fits_birth(born)).map(|(_, said)| *said);
            // A birth decides, not the age on the card that was counted from it.
            let is_counted = births.iter().any(|(born, _)| age.years_since(born).is_some());
            let mut others = ages[..place].iter().filter(|other| !is_counted || !other.is_of_card());
            let against = against.or_else(|| others.find(|other| !age.fits(other, &chapters)).map(|other| other.said));
            if let Some(against) = against {
                drafts.push(draft(truth, age.said, against));
            }
        }
    }
    drafts
}

/// Returns whether somebody says the age who knows it: of oneself, or of one's own kin by the relations.
fn is_known_by_teller(material: &RuleMaterial<'_>, said: &TruthStatement<'_>) -> bool {
    let is_said = said.mode == Mode::Said && matches!(said.basis, StatementBasis::Fact(_));
    let Some(by) = said.by.filter(|by| is_said && by.kind == Some(PieceKind::Character)) else { return false };
    let is_one = |name: &str, one: Entity| material.character_position(name) == Some(one.index);
    let are_kin = || {
        material.story.character_relations.iter().any(|relation| {
            let (from, to) = (&relation.from, &relation.to);
            relation.kind.is_kinship()
                && (is_one(from, by) && is_one(to, said.subject) || is_one(to, by) && is_one(from, said.subject))
        })
    };
    by == said.subject || are_kin()
}

/// Returns whether a flashback tells the age with the time at which it was so.
fn is_dated_past(truth: &GroundTruth<'_>, said: &TruthStatement<'_>) -> bool {
    said.mode == Mode::Flashback && said.span.from.is_some_and(|from| truth.timeline.moment(from).is_some())
}

/// Growth in years from which a child of one chapter is taken for grown up in a later one, though no text tells of the years.
const LEAP: i64 = 10;
/// Age under which somebody is a child.
const GROWN: i64 = 16;

/// A stated age, with its time.
struct AgeClaim<'t, 's> {
    years: i64,
    when: Option<Moment>,
    said: &'t TruthStatement<'s>,
}

impl<'t, 's> AgeClaim<'t, 's> {
    fn of(
        material: &RuleMaterial<'s>,
        (chapters, times): (&ChapterTimes, &StoryTimes),
        said: &'t TruthStatement<'s>,
    ) -> Option<Self> {
        let truth = material.truth();
        let (number, unit) = said.number()?;
        let (years, base) = in_base_unit(number, unit)?;
        let is_whole = years.fract() == 0.0 && (0.0..1e5).contains(&years) && matches!(base, "a" | "1");
        let is_fact = match said.basis {
            StatementBasis::Fact(position) if is_vague(&truth.story.facts[position]) => return None,
            StatementBasis::Fact(_) => true,
            _ => false,
        };
        let when = match said.span.from {
            // An outline node has the time of its events.
            Some(from) => {
                let of_node = || chapters.time(truth.timeline.order(from)?).cloned();
                truth.timeline.moment(from).cloned().or_else(of_node)
            }
            // What somebody says of now is said in the time of the chapter.
            None if said.mode == Mode::Said => said.order.and_then(|order| chapters.time(order)).cloned(),
            // An age without a time may apply to any time of the story.
            None if is_fact => times.whole.clone(),
            // The age on a card is the age at the beginning of the book.
            None => times.beginning.clone(),
        };
        // Statements without a time in a chapter are compared by the chapters between, and with the beginning.
        (is_whole && (when.is_some() || said.order.is_some() || !is_fact)).then_some(Self {
            years: years as i64,
            when,
            said,
        })
    }

    /// Returns whether the age fits the birth; traditional counting adds a year.
    fn fits_birth(&self, born: &Moment) -> bool {
        self.years_since(born).is_none_or(|(least, greatest)| (least..=greatest + 1).contains(&self.years))
    }

    /// Returns the minimum and maximum age of a person born at `born`, as far as the times can be compared.
    fn years_since(&self, born: &Moment) -> Option<(i64, i64)> {
        born.age_at(self.when.as_ref()?)
    }

    /// Returns whether the age is that of the card.
    fn is_of_card(&self) -> bool {
        matches!(self.said.basis, StatementBasis::Character(..))
    }

    /// Returns whether the years between the two times allow both ages.
    fn fits(&self, other: &Self, chapters: &ChapterTimes) -> bool {
        const YEAR: i64 = 365 * 86_400 + 21_600;
        let (Some(when), Some(other_when)) = (&self.when, &other.when) else {
            // An age of the past is not that of its chapter.
            let is_past = [self, other].iter().any(|one| one.said.mode == Mode::Flashback);
            return is_past || self.fits_in_telling(other, chapters);
        };
        if !when.is_comparable(other_when) {
            return true;
        }
        let ((first, last), (other_first, other_last)) = (when.bounds(), other_when.bounds());
        let least = (first - other_last).div_euclid(YEAR);
        let most = (last - other_first).div_euclid(YEAR) + 1;
        (least..=most).contains(&(self.years - other.years))
    }

    /// Same as [`fits`](Self::fits), for unknown times: a birthday and another way of counting explain a difference of
    /// up to two years more, or one less; any other difference requires years passing between the two chapters. `other`
    /// is told first; the age on the card is that of the first chapter.
    fn fits_in_telling(&self, other: &Self, chapters: &ChapterTimes) -> bool {
        let early = other.said.order.or_else(|| chapters.steady.first().filter(|_| other.is_of_card()));
        let (Some(late), Some(early)) = (self.said.order, early) else { return true };
        let growth = self.years - other.years;
        let is_leap = growth >= LEAP && other.years < GROWN && early < late && !other.is_of_card();
        (-1..=2).contains(&growth) || is_leap || !chapters.steady.are_one_year(early, late)
    }
}

/// The times of the chapters, by position in reading order.
struct ChapterTimes {
    /// The hull of each chapter's narrated events; `None` if an event has no time.
    times: BTreeMap<u32, Option<Moment>>,
    /// The hull of those of each chapter's narrated events whose times are known.
    known: BTreeMap<u32, Moment>,
    steady: SteadyChapters,
}

impl ChapterTimes {
    fn of(material: &RuleMaterial<'_>) -> Self {
        let timeline = &material.truth().timeline;
        let mut times: BTreeMap<u32, Option<Moment>> = BTreeMap::new();
        let mut known: BTreeMap<u32, Moment> = BTreeMap::new();
        for (position, _) in material.narrated() {
            let point = timeline.of_event(position);
            let Some(order) = timeline.order(point) else { continue };
            let moment = timeline.moment(point);
            let joined = match times.get(&order) {
                None => moment.cloned(),
                Some(known) => known.as_ref().zip(moment).and_then(|(known, moment)| known.hull(moment)),
            };
            times.insert(order, joined);
            if let Some(moment) = moment {
                let hull = known.get(&order).map_or_else(|| Some(moment.clone()), |before| before.hull(moment));
                known.extend(hull.map(|hull| (order, hull)));
            }
        }
        Self { times, known, steady: SteadyChapters::of(material) }
    }

    /// Returns the time of a chapter. Where the times of some of its events are unknown, it is that of the others, if the
    /// chapter certainly tells of no passing years.
    fn time(&self, order: u32) -> Option<&Moment> {
        let whole = self.times.get(&order).and_then(Option::as_ref);
        whole.or_else(|| self.known.get(&order).filter(|_| self.steady.is_steady(order)))
    }
}

/// Words of an estimated age, and of one at another time than that of the chapter.
const VAGUE: &[&str] = &[
    "来岁",
    "多岁",
    "余岁",
    "几岁",
    "出头",
    "上下",
    "左右",
    "开外",
    "年近",
    "年过",
    "将近",
    "不到",
    "不足",
    "约莫",
    "大约",
    "大概",
    "差不多",
    "看上去",
    "看起来",
    "看着",
    "瞧着",
    "仿佛",
    "好像",
    "像是",
    "似乎",
    "岁时",
    "岁的时候",
    "岁就",
    "岁起",
    "about",
    "around",
    "nearly",
    "almost",
    "roughly",
    "approximately",
    "perhaps",
    "maybe",
    "or so",
    "teens",
    "twenties",
    "thirties",
    "forties",
    "fifties",
    "sixties",
    "seventies",
    "eighties",
    "nineties",
    "past",
    "at least",
    "when he was",
    "when she was",
    "when they were",
    "at the age of",
];

/// Words of an estimate or of the past only before the age: `Tom, who was twelve and had been rinsing a glass`, `He was
/// twelve and not yet grateful`.
const VAGUE_BEFORE: &[&str] = &["looked", "looks", "seemed", "seems", "might", "could", "had been", "not yet"];

/// Returns whether the quoted sentence only estimates the age, or tells that of another time. Where a clause names a number,
/// it alone decides: `Edith was twenty-six, and had been paid for eight years` is an age of now.
fn is_vague(fact: &Fact) -> bool {
    let Some(source) = &fact.source else { return false };
    let quote = source.quote.to_lowercase();
    let is_number = |word: &str| word.len() > 1 && read_english(word).is_some();
    let is_between = |c: char| !c.is_alphanumeric() && c != '-';
    let number_at = |clause: &str| {
        let mut at = 0;
        clause.split_inclusive(is_between).find_map(|word| {
            let start = at;
            at += word.len();
            is_number(word.trim_end_matches(is_between)).then_some(start)
        })
    };
    let names_number = |clause: &&str| clause.contains('岁') || number_at(clause).is_some();
    // `那年` points to the date of the fact, or else to some other time.
    let is_undated = time::parse(&fact.from).moment().is_none();
    let is_vague = |clause: &str| {
        if is_undated && clause.contains("那年") {
            return true;
        }
        let before = number_at(clause).map_or(clause, |at| &clause[..at]);
        VAGUE.iter().any(|word| has_words(clause, word)) || VAGUE_BEFORE.iter().any(|word| has_words(before, word))
    };
    match quote.split(['，', '。', '；', ',', ';', '.']).find(names_number) {
        Some(clause) => is_vague(clause),
        None => is_vague(&quote),
    }
}

/// The times of a story in which all times have the same calendar.
struct StoryTimes {
    /// The beginning of the book.
    beginning: Option<Moment>,
    /// The hull of all narrated events.
    whole: Option<Moment>,
}

impl StoryTimes {
    fn of(material: &RuleMaterial<'_>) -> Self {
        let timeline = &material.truth().timeline;
        let time = |event: usize| timeline.moment(timeline.of_event(event)).cloned();
        let era = chronology::era_of(material.story);
        let mut whole: Option<Moment> = None;
        for moment in material.narrated().filter_map(|(event, _)| time(event)) {
            whole = match whole {
                None => Some(moment),
                Some(known) => match known.hull(&moment) {
                    None => return Self { beginning: None, whole: None },
                    hull => hull,
                },
            };
        }
        let whole = whole.filter(|whole| era.as_ref().is_none_or(|era| era.is_comparable(whole)));
        let beginning = whole.as_ref().and_then(|_| chronology::beginning(material.story, &material.names, era, time));
        Self { beginning: beginning.map(|begun| begun.moment), whole }
    }
}

/// Returns the births stated by card and facts.
fn births<'t, 's>(truth: &'t GroundTruth<'s>, who: Entity) -> Vec<(Moment, &'t TruthStatement<'s>)> {
    let told = truth.term("birth").into_iter().flat_map(|term| truth.about(who, term)).filter(|one| one.is_narrated());
    let mut told: Vec<_> = told.filter_map(|one| Some((time::parse(one.text()?).moment()?, one))).collect();
    told.sort_by_key(|(_, one)| one.basis.key(truth.story));
    told
}

fn draft<'s>(truth: &GroundTruth<'s>, age: &TruthStatement<'s>, against: &TruthStatement<'s>) -> FindingDraft {
    let (said, other) = (age.evidence(truth), against.evidence(truth));
    let is_guess = [age, against].iter().any(|one| truth.time_certainty(one) == TimeCertainty::GuessedYear);
    let draft = FindingDraft::about([age.basis.piece(truth.story).1, against.basis.piece(truth.story).1])
        .say("name", truth.registry.name(age.subject))
        .say("age", said.quote.clone())
        .say("against", other.quote.clone())
        .affects(truth.registry.name(age.subject))
        .quotes([(said.anchor, said.quote), (other.anchor, other.quote)]);
    // An age is compared with the times of the events of its chapter, which are no guess; a guessed year is one.
    let draft = if is_guess { draft.into_question() } else { draft };
    doubt_fact(draft, "untrue", truth.asserting(age))
}
