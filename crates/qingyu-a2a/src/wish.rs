//! The request contained in a message.

use std::collections::BTreeMap;

use a2a::{A2AError, Message, PartContent, Role};
use qingyu_studio::agents::production::Order;
use qingyu_studio::agents::{Task, TaskOptions};
use qingyu_studio::story::Language;
use qingyu_studio::story::chapters::ChapterName;
use qingyu_studio::story::production::Autonomy;
use qingyu_studio::text::Level;
use qingyu_studio::{
    AskRequest, ChapterWriteRequest, CreateRequest, PlatformChoice, ProduceRequest, ReviewOptions, TaskRequest, agents,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use toml::Table;

use crate::error::invalid;
use crate::skill::Skill;

/// The content of a message: its words, and the values of its data parts.
#[derive(Debug, Default)]
pub(crate) struct MessageContent {
    /// The concatenated text parts.
    pub(crate) words: String,
    /// The requested skill.
    pub(crate) skill: Option<Skill>,
    /// The requested project.
    pub(crate) project: Option<String>,
    /// The options of the skill.
    pub(crate) options: Map<String, Value>,
    /// An answer as data.
    pub(crate) answer: Option<Value>,
}

impl MessageContent {
    /// Parses a message. Rejects messages without a required field, and parts other than text and data.
    pub(crate) fn read(message: &Message) -> Result<Self, A2AError> {
        if message.message_id.is_empty() {
            return Err(invalid("message.messageId is required"));
        }
        if message.role != Role::User {
            return Err(invalid("message.role must be ROLE_USER"));
        }
        if message.parts.is_empty() {
            return Err(invalid("message.parts must not be empty"));
        }
        let mut wish = Self::default();
        for part in &message.parts {
            let is_text = || part.media_type.as_deref().is_some_and(|kind| kind.starts_with("text/"));
            match &part.content {
                PartContent::Text(text) => wish.say(text),
                PartContent::Raw(bytes) if is_text() => {
                    wish.say(std::str::from_utf8(bytes).map_err(|_| A2AError::content_type_not_supported())?);
                }
                PartContent::Data(data) => wish.take(whole(data.clone()))?,
                PartContent::Raw(_) | PartContent::Url(_) => return Err(A2AError::content_type_not_supported()),
            }
        }
        Ok(wish)
    }

    fn say(&mut self, text: &str) {
        if !self.words.is_empty() {
            self.words.push('\n');
        }
        self.words.push_str(text);
    }

    fn take(&mut self, data: Value) -> Result<(), A2AError> {
        let Value::Object(mut data) = data else { return Err(invalid("a data part must be an object")) };
        if data.contains_key("answer") {
            self.answer = Some(Value::Object(data));
            return Ok(());
        }
        if let Some(skill) = data.remove("skill") {
            let known = "create, write, produce, review, ask or task";
            self.skill = Some(serde_json::from_value(skill).map_err(|_| invalid(format!("skill must be {known}")))?);
        }
        if let Some(project) = data.remove("project") {
            self.project = Some(serde_json::from_value(project).map_err(|_| invalid("project must be a string"))?);
        }
        match data.remove("options") {
            Some(Value::Object(options)) => self.options.extend(options),
            Some(_) => return Err(invalid("options must be an object")),
            None => {}
        }
        match data.keys().next() {
            Some(unknown) => Err(invalid(format!("{unknown} is no field of a request"))),
            None => Ok(()),
        }
    }

    /// Converts the content to work for the studio, on `project` if given.
    pub(crate) fn work(self, project: Option<String>) -> Result<StudioWork, A2AError> {
        let skill = self.skill.unwrap_or(if project.is_some() { Skill::Task } else { Skill::Create });
        let Self { words, options, .. } = self;
        let needed = |project: Option<String>| {
            project.ok_or_else(|| invalid("this skill needs a project: as tenant, as context or in the data"))
        };
        Ok(match skill {
            Skill::Create => {
                let CreateOptions { language, title, genre, target_audience, chapter_count, model, settings } =
                    read(options)?;
                StudioWork::Create(CreateRequest {
                    requirement: words,
                    language,
                    project,
                    title,
                    genre,
                    target_audience,
                    chapter_count,
                    model,
                    overrides: settings,
                })
            }
            Skill::Write => {
                let WriteOptions { task, chapters, words, style_sample, brief_only, model, settings } = read(options)?;
                StudioWork::Write(ChapterWriteRequest {
                    project: needed(project)?,
                    task: task.unwrap_or(agents::WritingTask::Draft { chapters }),
                    words,
                    style_sample,
                    brief_only,
                    model,
                    overrides: settings,
                })
            }
            Skill::Produce => {
                let ProduceOptions { template, title, language, autonomy, order, model, settings } = read(options)?;
                match project {
                    Some(project) => {
                        let said = (!words.is_empty()).then_some(Order::Say { text: words });
                        StudioWork::Tell { project, order: order.or(said), model, overrides: settings }
                    }
                    None => StudioWork::Produce(ProduceRequest {
                        premise: words,
                        template,
                        title,
                        language,
                        autonomy: autonomy.into_iter().collect(),
                        model,
                        overrides: settings,
                    }),
                }
            }
            Skill::Review => {
                let ReviewSkillOptions { title, chapter, level, platform } = read(options)?;
                let language = Language::of(&words);
                let platform = platform.map_or(PlatformChoice::General, PlatformChoice::Named);
                let how = ReviewOptions { level, platform, against: Vec::new(), language };
                StudioWork::Review { project, chapter, title, text: words, how }
            }
            Skill::Ask => {
                let AskOptions { before, budget, series } = read(options)?;
                let question = AskRequest { question: words, before, budget, series };
                StudioWork::Ask { project: needed(project)?, question }
            }
            Skill::Task => {
                let TaskSkillOptions { agent, agent_sequence, chapter, text, how, model, settings } = read(options)?;
                let task = Task { description: words, agent, agent_sequence, chapter, text, ..Task::default() };
                let project = needed(project)?;
                StudioWork::Task(Box::new(TaskRequest { project, task, options: how, model, overrides: settings }))
            }
        })
    }
}

/// Work for the studio.
#[derive(Debug)]
pub(crate) enum StudioWork {
    /// A run creating a story.
    Create(CreateRequest),
    /// A run writing chapters.
    Write(ChapterWriteRequest),
    /// A run for a task.
    Task(Box<TaskRequest>),
    /// A run starting a production.
    Produce(ProduceRequest),
    /// An order to a production.
    Tell { project: String, order: Option<Order>, model: Option<String>, overrides: Table },
    /// A review, without a run.
    Review { project: Option<String>, chapter: Option<String>, title: String, text: String, how: ReviewOptions },
    /// A question, without a run.
    Ask { project: String, question: AskRequest },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CreateOptions {
    language: Option<Language>,
    title: Option<String>,
    genre: Option<String>,
    target_audience: Option<String>,
    chapter_count: Option<u32>,
    model: Option<String>,
    settings: Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WriteOptions {
    task: Option<agents::WritingTask>,
    #[serde(deserialize_with = "qingyu_studio::story::chapters::one_or_several")]
    chapters: Vec<ChapterName>,
    words: Option<u32>,
    style_sample: String,
    brief_only: bool,
    model: Option<String>,
    settings: Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProduceOptions {
    template: Option<String>,
    title: Option<String>,
    language: Option<Language>,
    autonomy: BTreeMap<String, Autonomy>,
    order: Option<Order>,
    model: Option<String>,
    settings: Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ReviewSkillOptions {
    title: String,
    chapter: Option<String>,
    level: Option<Level>,
    platform: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AskOptions {
    before: Option<ChapterName>,
    budget: Option<u64>,
    series: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TaskSkillOptions {
    agent: Option<String>,
    agent_sequence: Vec<String>,
    chapter: Option<String>,
    text: Option<String>,
    how: TaskOptions,
    model: Option<String>,
    settings: Table,
}

fn read<T: DeserializeOwned>(options: Map<String, Value>) -> Result<T, A2AError> {
    serde_json::from_value(Value::Object(options)).map_err(|error| invalid(format!("options: {error}")))
}

/// Converts integral numbers to integers, since protocol buffers only have floating-point numbers.
pub(crate) fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => Value::from(float as i64),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, whole(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use a2a::{Part, error_code};
    use serde_json::json;

    use super::*;

    fn wish(parts: Vec<Part>) -> Result<MessageContent, A2AError> {
        MessageContent::read(&Message::new(Role::User, parts))
    }

    #[test]
    fn words_and_data_become_work() {
        let data = json!({"skill": "write", "project": "p", "options": {"chapters": [1.0, 2.0], "words": 900.0}});
        let wished = wish(vec![Part::text("写"), Part::data(data), Part::text("快")]).unwrap();
        assert_eq!((wished.words.as_str(), wished.project.as_deref()), ("写\n快", Some("p")));
        let StudioWork::Write(request) = wished.work(Some("p".into())).unwrap() else { panic!("it is to be written") };
        assert_eq!(request.task, agents::WritingTask::Draft { chapters: vec![1_u32.into(), 2_u32.into()] });
        assert_eq!(request.words, Some(900));
        let plain = |project: Option<&str>| wish(vec![Part::text("x")]).unwrap().work(project.map(Into::into)).unwrap();
        assert!(matches!(plain(None), StudioWork::Create(_)));
        assert!(matches!(plain(Some("p")), StudioWork::Task(_)));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let data = |data| wish(vec![Part::data(data)]).and_then(|wish| wish.work(None)).unwrap_err().code;
        for wrong in [
            json!({"skill": "dance"}),
            json!({"project": 3}),
            json!({"options": []}),
            json!({"speed": 1}),
            json!([1]),
            json!({"skill": "ask"}),
            json!({"skill": "create", "options": {"tittle": "x"}}),
        ] {
            assert_eq!(data(wrong.clone()), error_code::INVALID_PARAMS, "{wrong}");
        }
        assert_eq!(wish(Vec::new()).unwrap_err().code, error_code::INVALID_PARAMS);
        let file = wish(vec![Part::url("https://example.org/a.png")]).unwrap_err();
        assert_eq!(file.code, error_code::CONTENT_TYPE_NOT_SUPPORTED);
    }
}
