//! Aggregation of readings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::persona::Persona;
use super::reaction::{Buys, Interaction, Reaction, Read};
use crate::content::{ContentPlace, LeftOut, OpenContent, Reading};
use crate::statistics::{count, deviation, mean, rounded, wilson};

/// What simulated consumers made of content.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Simulation {
    /// Who read.
    pub personas: Vec<Persona>,
    /// How many paragraphs were read.
    pub paragraphs: usize,
    /// What was not.
    pub left_out: Vec<LeftOut>,
    /// What is still to be written, and was read by nobody.
    pub open: Vec<OpenContent>,
    /// What came of each interaction, in the order in which they are asked.
    pub outcomes: Vec<Outcome>,
    /// Which points came across.
    pub points: Vec<Point>,
    /// What speaks against it: what most say first.
    pub(crate) objections: Vec<ObjectionGroup>,
    /// Who would buy, if that was asked and answered.
    pub(crate) demand: Option<Demand>,
    /// How far they read, if that was asked and answered.
    pub drop_off: Option<DropOff>,
    /// How many readings gave nothing that can be used.
    pub failed: usize,
    /// Every reading.
    pub readings: Vec<Read>,
}

/// What came of one interaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Which.
    pub interaction: Interaction,
    /// How many read.
    pub read: usize,
    /// How many readings failed; they are in no other number.
    pub failed: usize,
    /// How many gave a score.
    pub scored: usize,
    /// The mean of the scores; null if there is none.
    pub mean: Option<f64>,
    /// Their standard deviation; null for fewer than two.
    pub spread: Option<f64>,
    /// The two who are furthest apart; null if nobody disagrees.
    pub(crate) disagreement: Option<Disagreement>,
}

/// Two who are of different opinion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Disagreement {
    /// How far apart they are, from 0 to 100.
    pub(crate) distance: f64,
    /// Who thinks more of it.
    pub(crate) high: Side,
    /// Who thinks less of it.
    pub(crate) low: Side,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Side {
    /// The persona.
    pub(crate) persona: String,
    /// Their words.
    pub(crate) words: String,
}

/// How many understood a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The point.
    pub point: String,
    /// Who did.
    pub understood_by: Vec<String>,
    /// Who did not.
    pub missed_by: Vec<String>,
}

/// Objections to the same place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ObjectionGroup {
    /// The paragraph; null if they are about everything.
    pub(crate) paragraph: Option<usize>,
    /// Where it stands; null if they are about everything.
    #[serde(default)]
    pub(crate) place: Option<ContentPlace>,
    /// The words that they quote there.
    pub(crate) quotes: Vec<String>,
    /// Who objects, with which words.
    pub(crate) sides: Vec<Side>,
    /// How many different personas.
    pub(crate) personas: usize,
}

/// Who would buy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Demand {
    /// Yes.
    pub(crate) yes: usize,
    /// Under a condition.
    pub(crate) maybe: usize,
    /// No.
    pub(crate) no: usize,
    /// Who read and did not say.
    pub(crate) unsaid: usize,
    /// The share of yes among those who said.
    pub(crate) share: f64,
    /// Between which shares it lies with 95 %, were these readers drawn by chance (Wilson 1927).
    pub(crate) between: (f64, f64),
}

/// How far they read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DropOff {
    /// How many were asked and answered.
    pub readers: usize,
    /// Who still reads after each paragraph: the empirical survival function, as of E. L. Kaplan and P. Meier,
    /// "Nonparametric estimation from incomplete observations", Journal of the American Statistical Association 53, 1958;
    /// nobody is lost from sight before the end.
    pub(crate) curve: Vec<Continued>,
    /// The share that read everything that was shown.
    pub finished: f64,
    /// Who stopped where, first stops first.
    pub stops: Vec<Stop>,
}

/// The share that still reads after a paragraph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Continued {
    /// The paragraph.
    pub(crate) paragraph: usize,
    /// The share, from 0 to 1.
    pub(crate) share: f64,
}

/// Where somebody stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    /// The paragraph.
    pub paragraph: usize,
    /// Where it stands.
    #[serde(default)]
    pub(crate) place: Option<ContentPlace>,
    /// The persona.
    pub persona: String,
    /// Why, in their words.
    pub words: String,
}

/// Combines readings of `reading`. The order does not matter.
pub fn aggregate(personas: &[Persona], reading: &Reading, readings: &[Read]) -> Simulation {
    let mut readings = readings.to_vec();
    let place = |name: &str| personas.iter().position(|persona| persona.name == name).unwrap_or(personas.len());
    readings.sort_by_cached_key(|read| {
        let text = serde_json::to_string(read).expect("a reading is plain data");
        (read.interaction, place(&read.persona), text)
    });
    let last = reading.last();
    let mut outcomes = Vec::new();
    for interaction in Interaction::ALL {
        let of: Vec<&Read> = readings.iter().filter(|read| read.interaction == interaction).collect();
        if !of.is_empty() {
            outcomes.push(outcome(interaction, &of, last));
        }
    }
    Simulation {
        personas: personas.to_vec(),
        paragraphs: last,
        left_out: reading.left_out.clone(),
        open: reading.open.clone(),
        outcomes,
        points: points(&readings),
        objections: objections(&readings, reading),
        demand: demand(&readings),
        drop_off: drop_off(&readings, reading),
        failed: readings.iter().filter(|read| read.reaction.is_none()).count(),
        readings,
    }
}

/// Returns an iterator over the successful readings of an interaction, in order.
fn given(readings: &[Read], interaction: Interaction) -> impl Iterator<Item = (&Read, &Reaction)> {
    let of = readings.iter().filter(move |read| read.interaction == interaction);
    of.filter_map(|read| Some((read, read.reaction.as_ref()?)))
}

fn outcome(interaction: Interaction, of: &[&Read], last: usize) -> Outcome {
    let reactions: Vec<(&Read, &Reaction)> =
        of.iter().filter_map(|read| Some((*read, read.reaction.as_ref()?))).collect();
    let scores: Vec<f64> = reactions.iter().filter_map(|(_, reaction)| reaction.score).map(f64::from).collect();
    let stands =
        reactions.iter().filter_map(|(read, reaction)| Some((reaction_position(interaction, reaction, last)?, *read)));
    let stands: Vec<(f64, &Read)> = stands.collect();
    // Of equal values the first counts, on both sides.
    let low = stands.iter().reduce(|low, next| if next.0 < low.0 { next } else { low });
    let high = stands.iter().reduce(|high, next| if next.0 > high.0 { next } else { high });
    let side = |read: &Read| Side {
        persona: read.persona.clone(),
        words: read.reaction.as_ref().map(|reaction| reaction.words.clone()).unwrap_or_default(),
    };
    let disagreement = low.zip(high).filter(|(low, high)| high.0 > low.0).map(|(low, high)| Disagreement {
        distance: rounded(high.0 - low.0),
        high: side(high.1),
        low: side(low.1),
    });
    Outcome {
        interaction,
        read: reactions.len(),
        failed: of.len() - reactions.len(),
        scored: scores.len(),
        mean: mean(&scores).map(rounded),
        spread: deviation(&scores).map(rounded),
        disagreement,
    }
}

/// Returns the position of a reaction between 0 and 100, by the main question of the interaction.
fn reaction_position(interaction: Interaction, reaction: &Reaction, last: usize) -> Option<f64> {
    let score = reaction.score.map(f64::from);
    match interaction {
        Interaction::FirstImpression => score,
        // The number of objections measures the distance from being convinced.
        Interaction::Objection => score.or(Some(100.0 / (1.0 + count(reaction.objections.len())))),
        Interaction::Purchase => match reaction.would_buy {
            Some(Buys::Yes) => Some(100.0),
            Some(Buys::Maybe) => Some(50.0),
            Some(Buys::No) => Some(0.0),
            None => score,
        },
        Interaction::Comprehension if !reaction.understood.is_empty() => {
            let understood = reaction.understood.iter().filter(|point| point.is_understood).count();
            Some(100.0 * count(understood) / count(reaction.understood.len()))
        }
        Interaction::Comprehension => score,
        Interaction::DropOff if last == 0 => None,
        Interaction::DropOff => {
            let read = reaction.stops_at.map_or(last, |paragraph| paragraph.min(last));
            Some(if reaction.stops_at.is_none() { 100.0 } else { 100.0 * count(read.saturating_sub(1)) / count(last) })
        }
    }
}

fn points(readings: &[Read]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for (read, reaction) in given(readings, Interaction::Comprehension) {
        for entry in &reaction.understood {
            let known = points.iter().position(|point| point.point == entry.point.trim());
            let place = known.unwrap_or_else(|| {
                let point = entry.point.trim().to_owned();
                points.push(Point { point, understood_by: Vec::new(), missed_by: Vec::new() });
                points.len() - 1
            });
            let side = match entry.is_understood {
                true => &mut points[place].understood_by,
                false => &mut points[place].missed_by,
            };
            if !side.contains(&read.persona) {
                side.push(read.persona.clone());
            }
        }
    }
    points
}

fn objections(readings: &[Read], reading: &Reading) -> Vec<ObjectionGroup> {
    let mut groups: BTreeMap<Option<usize>, ObjectionGroup> = BTreeMap::new();
    let all = readings.iter().filter_map(|read| Some((read, read.reaction.as_ref()?)));
    for (read, objection) in all.flat_map(|(read, reaction)| reaction.objections.iter().map(move |one| (read, one))) {
        // A quote locates the paragraph better than a number.
        let paragraph = reading.find(&objection.quote, objection.paragraph).or(objection.paragraph);
        let place = paragraph.and_then(|number| reading.place(number));
        let empty = || ObjectionGroup { paragraph, place, quotes: Vec::new(), sides: Vec::new(), personas: 0 };
        let group = groups.entry(paragraph).or_insert_with(empty);
        if !objection.quote.is_empty() && !group.quotes.contains(&objection.quote) {
            group.quotes.push(objection.quote.clone());
        }
        let side = Side { persona: read.persona.clone(), words: objection.words.clone() };
        if !group.sides.contains(&side) {
            group.personas += usize::from(group.sides.iter().all(|known| known.persona != side.persona));
            group.sides.push(side);
        }
    }
    let mut groups: Vec<ObjectionGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.personas));
    groups
}

fn demand(readings: &[Read]) -> Option<Demand> {
    let answers: Vec<Option<Buys>> =
        given(readings, Interaction::Purchase).map(|(_, reaction)| reaction.would_buy).collect();
    let number = |wanted: Option<Buys>| answers.iter().filter(|answer| **answer == wanted).count();
    let (yes, maybe, no) = (number(Some(Buys::Yes)), number(Some(Buys::Maybe)), number(Some(Buys::No)));
    let said = yes + maybe + no;
    let (low, high) = wilson(count(yes), said)?;
    let share = rounded(count(yes) / count(said));
    Some(Demand { yes, maybe, no, unsaid: number(None), share, between: (rounded(low), rounded(high)) })
}

fn drop_off(readings: &[Read], reading: &Reading) -> Option<DropOff> {
    let last = reading.last();
    let mut stops = Vec::new();
    let mut readers = 0;
    for (read, reaction) in given(readings, Interaction::DropOff) {
        readers += 1;
        if let Some(paragraph) = reaction.stops_at {
            let place = reading.place(paragraph);
            stops.push(Stop { paragraph, place, persona: read.persona.clone(), words: reaction.words.clone() });
        }
    }
    if readers == 0 {
        return None;
    }
    stops.sort_by_key(|stop| stop.paragraph);
    let share = |paragraph: usize| {
        let gone = stops.iter().filter(|stop| stop.paragraph <= paragraph).count();
        rounded(count(readers - gone) / count(readers))
    };
    let curve = (1..=last).map(|paragraph| Continued { paragraph, share: share(paragraph) }).collect();
    Some(DropOff { readers, curve, finished: share(usize::MAX), stops })
}
