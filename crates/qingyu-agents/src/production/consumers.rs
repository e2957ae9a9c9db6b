//! Simulated consumers: every persona reads the content once, with all interactions in it; the personas read concurrently.
//!
//! The prompt of a reader contains the content in reading order and the persona, but no goals and plans of the project.

use qingyu_graph::NodeError;
use qingyu_production::GoldenContext;
use qingyu_production::content::{Content, LeftOut, Passage, Reading, reading};
use qingyu_production::simulation::{self, Interaction, Persona, PersonaReading, Read, Scales, Simulation, aggregate};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{CallContext, CallRecord, CallSpec, emit, side_by_side};
use crate::notice::counted;
use crate::progress::Progress;
use crate::prompts::PromptName;

/// Name of the agent that reads, in events, calls and provenance.
const CONSUMER: &str = "consumer_agent";

/// Default number of invented personas.
const MADE_UP: usize = 3;

/// The input of a simulation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct SimulationRequest {
    /// Language of the answers.
    pub(super) language: Language,
    /// The user's first words.
    pub(super) premise: String,
    /// Content to read.
    pub(super) contents: Vec<Content>,
    /// Personas; invented, if empty.
    pub(super) personas: Vec<Persona>,
    /// Interactions; all of them, if empty.
    pub(super) interactions: Vec<Interaction>,
    /// Points the consumers should understand.
    pub(super) points: Vec<String>,
    /// The expectations of the genre's readers, and the readers that each chapter is for.
    #[serde(default)]
    pub(super) expectations: Vec<String>,
    /// Maximum characters of content per consumer.
    pub(super) budget: usize,
}

/// Context of purpose `consumer.read`: fills `prompts/consumer/read`. The answer is a [`PersonaReading`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ConsumerReadingContext {
    /// Language of the answer.
    pub language: Language,
    /// The persona.
    pub persona: Persona,
    /// Names of the [`Interaction`]s.
    pub interactions: Vec<String>,
    /// The meanings of the scores.
    pub scales: Scales,
    /// Points to understand, if requested.
    pub points: Vec<String>,
    /// The expectations of the genre's readers, and the readers that each chapter is for.
    #[serde(default)]
    pub expectations: Vec<String>,
    /// Passages to read.
    pub passages: Vec<Passage>,
    /// Content left out of the passages.
    pub left_out: Vec<LeftOut>,
}

/// Context of purpose `consumer.personas`: fills `prompts/consumer/personas`. The answer is [`Personas`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PersonasContext {
    /// Language of the answer.
    pub language: Language,
    /// The user's first words.
    pub premise: String,
    /// Titles of the contents.
    pub titles: Vec<String>,
    /// Number of personas.
    pub how_many: usize,
}

/// The answer of `consumer.personas`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Personas {
    /// The personas.
    pub personas: Vec<Persona>,
}

/// Runs the simulated consumers.
///
/// A reading with an unusable answer is counted as failed. An unreachable model fails the node after all calls have
/// ended, so that received answers are stored for the retry.
pub(super) async fn simulate(
    seat: &CallContext<'_>,
    wanted: &SimulationRequest,
) -> Result<(Simulation, Vec<CallRecord>, Vec<String>), NodeError> {
    let (mut records, mut warnings) = (Vec::new(), Vec::new());
    let read = reading(&wanted.contents, wanted.budget);
    warnings.extend(limits_of(&read, wanted.language));
    if read.passages.is_empty() {
        warnings.push(ConsumerNotice::Nothing.text(wanted.language));
        tell(seat, &warnings);
        return Ok((Simulation::default(), records, warnings));
    }
    let personas = match wanted.personas.is_empty() {
        false => wanted.personas.clone(),
        true => made_up(seat, wanted, &mut records, &mut warnings).await?,
    };
    let interactions =
        if wanted.interactions.is_empty() { Interaction::ALL.to_vec() } else { distinct(&wanted.interactions) };
    let asked =
        personas.iter().enumerate().map(|(place, persona)| one(seat, wanted, &read, place, persona, &interactions));
    let mut readings = Vec::new();
    // Results are added in the order of the personas, not of arrival.
    for (persona, answer) in personas.iter().zip(side_by_side(asked.collect()).await) {
        let (of_persona, record) = answer?;
        if let Some(error) = of_persona.iter().find_map(|read| read.error.as_ref()) {
            warnings.push(ConsumerNotice::Failed { persona: &persona.name, error }.text(wanted.language));
        }
        readings.extend(of_persona);
        records.push(record);
    }
    tell(seat, &warnings);
    Ok((aggregate(&personas, &read, &readings), records, warnings))
}

fn distinct(interactions: &[Interaction]) -> Vec<Interaction> {
    Interaction::ALL.into_iter().filter(|interaction| interactions.contains(interaction)).collect()
}

async fn one(
    seat: &CallContext<'_>,
    wanted: &SimulationRequest,
    read: &Reading,
    place: usize,
    persona: &Persona,
    interactions: &[Interaction],
) -> Result<(Vec<Read>, CallRecord), NodeError> {
    // A reader knows nothing of the project.
    let nothing = GoldenContext::default();
    let apart = CallContext { golden: &nothing, ..*seat };
    let is_asked = interactions.contains(&Interaction::Comprehension);
    let context = ConsumerReadingContext {
        language: wanted.language,
        persona: persona.clone(),
        interactions: interactions.iter().map(|interaction| interaction.name().to_owned()).collect(),
        scales: Scales::of(wanted.language),
        points: if is_asked { wanted.points.clone() } else { Vec::new() },
        expectations: wanted.expectations.clone(),
        passages: read.passages.clone(),
        left_out: read.left_out.clone(),
    };
    // By index, not by name: names come from the user, and parts are names of stored steps.
    let part = (place + 1).to_string();
    let names = [PromptName::CONSUMER_SYSTEM, PromptName::CONSUMER_READ];
    let asked = CallSpec::of(CONSUMER, "consumer.read".into(), part, names, 0.8);
    let check = |said: &PersonaReading| said.check(interactions, read, &context.points, wanted.language);
    let called = apart.call(asked, &context, &context)?.ask(Some(&check)).await?;
    let error = called.value.is_none().then(|| called.error());
    let read = |interaction: &Interaction| Read {
        persona: persona.name.clone(),
        interaction: *interaction,
        reaction: called.value.as_ref().and_then(|said| said.reaction(*interaction)),
        error: error.clone(),
    };
    Ok((interactions.iter().map(read).collect(), called.record))
}

/// Returns warnings about content that is not shown to readers: texts that are too long, and placeholders.
pub(super) fn limits_of(read: &Reading, language: Language) -> Vec<String> {
    let left_out = read.left_out.iter().map(|out| ConsumerNotice::LeftOut(out).text(language));
    let open = read
        .open
        .iter()
        .map(|open| ConsumerNotice::Open { title: &open.title, count: open.placeholders }.text(language));
    left_out.chain(open).collect()
}

/// Emits warnings about fallbacks to subscribers of the run.
pub(super) fn tell(seat: &CallContext<'_>, warnings: &[String]) {
    for message in warnings {
        emit(seat.context, &Progress::Warning { message: message.clone() });
    }
}

/// Asks the model for personas; the fallback is a single reader without known traits.
async fn made_up(
    seat: &CallContext<'_>,
    wanted: &SimulationRequest,
    records: &mut Vec<CallRecord>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Persona>, NodeError> {
    let context = PersonasContext {
        language: wanted.language,
        premise: wanted.premise.clone(),
        titles: wanted.contents.iter().map(|content| content.title.clone()).collect(),
        how_many: MADE_UP,
    };
    let names = [PromptName::CONSUMER_SYSTEM, PromptName::CONSUMER_PERSONAS];
    let asked = CallSpec::of(CONSUMER, "consumer.personas".into(), String::new(), names, 0.8);
    let check = |answer: &Personas| match answer.personas.iter().all(|persona| persona.who.trim().is_empty()) {
        true => vec![ConsumerNotice::NoPersonas.text(wanted.language)],
        false => Vec::new(),
    };
    let called = seat.call(asked, &context, &context)?.ask(Some(&check)).await?;
    let error = called.error();
    records.push(called.record);
    let Some(answer) = called.value else {
        warnings.push(ConsumerNotice::Anybody { error: &error }.text(wanted.language));
        let name = match wanted.language {
            Language::Zh => "普通读者",
            Language::En => "any reader",
        };
        return Ok(vec![Persona { name: name.into(), ..Persona::default() }]);
    };
    // Makes names distinct, as for the personas of a field.
    let personas = simulation::personas(&serde_json::to_value(&answer.personas).expect("personas are plain data"));
    warnings.push(ConsumerNotice::MadeUp { number: personas.len() }.text(wanted.language));
    Ok(personas)
}

/// Messages of the simulation, in the language of the work; the texts of both languages are kept side by side here.
pub(super) enum ConsumerNotice<'a> {
    LeftOut(&'a LeftOut),
    Nothing,
    Failed { persona: &'a str, error: &'a str },
    Open { title: &'a str, count: usize },
    NoPersonas,
    Anybody { error: &'a str },
    MadeUp { number: usize },
    NoCriteria,
    FailedRun { run: u32, error: &'a str },
}

impl ConsumerNotice<'_> {
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
            Self::Failed { persona, error } => format!("{persona}没有得到可用的回答，不计入平均：{error}"),
            Self::Open { title, count } => format!("「{title}」有 {count} 处还没有写，不算内容"),
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
                "the content is too long: of \"{}\", {} not read ({})",
                out.title,
                counted(out.paragraphs, "paragraph was", "paragraphs were"),
                counted(out.characters, "character", "characters")
            ),
            Self::Nothing => "there is nothing to read".into(),
            Self::Failed { persona, error } => {
                format!("{persona} gave no usable answer, which stands in no mean: {error}")
            }
            Self::Open { title, count } => {
                let places = counted(*count, "place, which is", "places, which are");
                format!("\"{title}\" is still to be written in {places} no content")
            }
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

#[cfg(test)]
pub(crate) mod tests;
