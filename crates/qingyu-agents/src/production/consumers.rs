//! Simulated consumers: each persona does each thing with the content, all side by side.

use qingyu_graph::NodeError;
use qingyu_production::content::{Content, LeftOut, Passage, Reading, reading};
use qingyu_production::simulation::{self, Interaction, Persona, Reaction, Read, Simulation, aggregate};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Asked, CallRecord, Seat, emit, side_by_side};
use crate::progress::Progress;
use crate::prompts::Name;

/// The name of the agent that reads, in events, calls and provenance.
pub const CONSUMER: &str = "consumer_agent";

/// How many personas are made up if there are none.
const MADE_UP: usize = 3;

/// What is read, and by whom.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Simulating {
    /// The language to answer in.
    pub(super) language: Language,
    /// The user's first words.
    pub(super) premise: String,
    /// The content.
    pub(super) contents: Vec<Content>,
    /// Who reads; some are made up if there are none.
    pub(super) personas: Vec<Persona>,
    /// What they do; everything if there is nothing.
    pub(super) interactions: Vec<Interaction>,
    /// What they are to understand.
    pub(super) points: Vec<String>,
    /// Most characters that one of them is given.
    pub(super) budget: usize,
}

/// Purpose `consumer.read`: fills `prompts/consumer/read`. The answer is a [`Reaction`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ConsumerReading {
    /// The language to answer in.
    pub language: Language,
    /// Who reads.
    pub persona: Persona,
    /// What they do: one of [`Interaction`].
    pub interaction: String,
    /// What they are to understand, if that is asked.
    pub points: Vec<String>,
    /// What they read.
    pub passages: Vec<Passage>,
    /// What they do not.
    pub left_out: Vec<LeftOut>,
}

/// Purpose `consumer.personas`: fills `prompts/consumer/personas`. The answer is [`Personas`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PersonasAsking {
    /// The language to answer in.
    pub language: Language,
    /// The user's first words.
    pub premise: String,
    /// The names of the contents.
    pub titles: Vec<String>,
    /// How many are wanted.
    pub how_many: usize,
}

/// The answer of `consumer.personas`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Personas {
    /// The personas.
    pub personas: Vec<Persona>,
}

/// Has consumers read.
///
/// A reading whose answer cannot be used is counted as failed. A model that cannot be reached fails the node once every
/// call has ended, so that what was answered is kept for the next try.
pub(super) async fn simulate(
    seat: &Seat<'_>,
    wanted: &Simulating,
) -> Result<(Simulation, Vec<CallRecord>, Vec<String>), NodeError> {
    let (mut records, mut warnings) = (Vec::new(), Vec::new());
    let read = reading(&wanted.contents, wanted.budget);
    warnings.extend(read.left_out.iter().map(|out| Notice::LeftOut(out).text(wanted.language)));
    if read.passages.is_empty() {
        warnings.push(Notice::Nothing.text(wanted.language));
        tell(seat, &warnings);
        return Ok((Simulation::default(), records, warnings));
    }
    let personas = match wanted.personas.is_empty() {
        false => wanted.personas.clone(),
        true => made_up(seat, wanted, &mut records, &mut warnings).await?,
    };
    let interactions =
        if wanted.interactions.is_empty() { Interaction::ALL.to_vec() } else { distinct(&wanted.interactions) };
    let pairs =
        personas.iter().enumerate().flat_map(|who| interactions.iter().map(move |interaction| (who, *interaction)));
    let asked = pairs.map(|((place, persona), interaction)| one(seat, wanted, &read, place, persona, interaction));
    let mut readings = Vec::new();
    // In the order of the pairs, whichever answer came first.
    for answer in side_by_side(asked.collect()).await {
        let (read, record) = answer?;
        if let Some(error) = &read.error {
            let (persona, interaction) = (read.persona.as_str(), read.interaction);
            warnings.push(Notice::Failed { persona, interaction, error }.text(wanted.language));
        }
        readings.push(read);
        records.push(record);
    }
    tell(seat, &warnings);
    Ok((aggregate(&personas, &read, &readings), records, warnings))
}

fn distinct(interactions: &[Interaction]) -> Vec<Interaction> {
    Interaction::ALL.into_iter().filter(|interaction| interactions.contains(interaction)).collect()
}

async fn one(
    seat: &Seat<'_>,
    wanted: &Simulating,
    read: &Reading,
    place: usize,
    persona: &Persona,
    interaction: Interaction,
) -> Result<(Read, CallRecord), NodeError> {
    let points = if interaction == Interaction::Comprehension { wanted.points.clone() } else { Vec::new() };
    let context = ConsumerReading {
        language: wanted.language,
        persona: persona.clone(),
        interaction: interaction.name().to_owned(),
        points,
        passages: read.passages.clone(),
        left_out: read.left_out.clone(),
    };
    // By place, not by name: names are the user's, and parts are names of stored steps.
    let part = format!("{}/{}", place + 1, interaction.name());
    let names = [Name::CONSUMER_SYSTEM, Name::CONSUMER_READ];
    let asked = Asked::of(CONSUMER, "consumer.read".into(), part, names, 0.8);
    let check = |reaction: &Reaction| {
        let problems = simulation::check(reaction, read, &context.points);
        problems.iter().map(|problem| problem.text(wanted.language)).collect()
    };
    let called = seat.call(asked, &context, &context)?.ask(Some(&check)).await?;
    let error = called.value.is_none().then(|| called.error());
    let read = Read { persona: persona.name.clone(), interaction, reaction: called.value, error };
    Ok((read, called.record))
}

/// Says to whoever follows the run what went on in a simpler way.
pub(super) fn tell(seat: &Seat<'_>, warnings: &[String]) {
    for message in warnings {
        emit(seat.context, &Progress::Warning { message: message.clone() });
    }
}

/// Personas that a model makes up; one reader of whom nothing is known if it gives none.
async fn made_up(
    seat: &Seat<'_>,
    wanted: &Simulating,
    records: &mut Vec<CallRecord>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Persona>, NodeError> {
    let context = PersonasAsking {
        language: wanted.language,
        premise: wanted.premise.clone(),
        titles: wanted.contents.iter().map(|content| content.title.clone()).collect(),
        how_many: MADE_UP,
    };
    let names = [Name::CONSUMER_SYSTEM, Name::CONSUMER_PERSONAS];
    let asked = Asked::of(CONSUMER, "consumer.personas".into(), String::new(), names, 0.8);
    let check = |answer: &Personas| match answer.personas.iter().all(|persona| persona.who.trim().is_empty()) {
        true => vec![Notice::NoPersonas.text(wanted.language)],
        false => Vec::new(),
    };
    let called = seat.call(asked, &context, &context)?.ask(Some(&check)).await?;
    let error = called.error();
    records.push(called.record);
    let Some(answer) = called.value else {
        warnings.push(Notice::Anybody { error: &error }.text(wanted.language));
        let name = match wanted.language {
            Language::Zh => "普通读者",
            Language::En => "any reader",
        };
        return Ok(vec![Persona { name: name.into(), ..Persona::default() }]);
    };
    // Names made distinct, as with those of a field.
    let personas = simulation::personas(&serde_json::to_value(&answer.personas).expect("personas are plain data"));
    warnings.push(Notice::MadeUp { number: personas.len() }.text(wanted.language));
    Ok(personas)
}

/// What reading says about itself, in the language of the work; both stand side by side here.
pub(super) enum Notice<'a> {
    LeftOut(&'a LeftOut),
    Nothing,
    Failed { persona: &'a str, interaction: Interaction, error: &'a str },
    NoPersonas,
    Anybody { error: &'a str },
    MadeUp { number: usize },
    NoCriteria,
    FailedRun { run: u32, error: &'a str },
}

impl Notice<'_> {
    pub(super) fn text(&self, language: Language) -> String {
        match language {
            Language::Zh => self.chinese(),
            Language::En => self.english(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Self::LeftOut(out) => {
                format!("内容太长，「{}」有 {} 段（{} 字）没有读到", out.title, out.paragraphs, out.characters)
            }
            Self::Nothing => "没有可以读的内容".into(),
            Self::Failed { persona, interaction, error } => {
                format!("{persona}（{}）没有得到可用的回答，不计入平均：{error}", chinese(*interaction))
            }
            Self::NoPersonas => "personas 里没有一位说明了是谁（who）".into(),
            Self::Anybody { error } => format!("没有得到读者画像，改用一位普通读者：{error}"),
            Self::MadeUp { number } => format!("项目里没有读者画像，临时拟了 {number} 位"),
            Self::NoCriteria => "没有评估标准".into(),
            Self::FailedRun { run, error } => format!("第 {run} 次评估没有得到可用的回答，不计入平均：{error}"),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::LeftOut(out) => format!(
                "the content is too long: {} paragraphs ({} characters) of \"{}\" were not read",
                out.paragraphs, out.characters, out.title
            ),
            Self::Nothing => "there is nothing to read".into(),
            Self::Failed { persona, interaction, error } => format!(
                "{persona} ({}) gave no usable answer, which stands in no mean: {error}",
                interaction.name().replace('_', " ")
            ),
            Self::NoPersonas => "none of the personas says who they are".into(),
            Self::Anybody { error } => format!("there were no usable personas, so any reader reads: {error}"),
            Self::MadeUp { number } => format!("the project names no personas; {number} were made up"),
            Self::NoCriteria => "there are no criteria".into(),
            Self::FailedRun { run, error } => {
                format!("judgement {run} gave no usable answer, which stands in no mean: {error}")
            }
        }
    }
}

fn chinese(interaction: Interaction) -> &'static str {
    match interaction {
        Interaction::FirstImpression => "第一印象",
        Interaction::Comprehension => "理解",
        Interaction::Objection => "异议",
        Interaction::Purchase => "购买",
        Interaction::DropOff => "读到哪里停",
    }
}

#[cfg(test)]
pub(crate) mod tests;
