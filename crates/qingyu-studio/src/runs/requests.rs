//! Requests to the studio.

use std::collections::BTreeMap;

use qingyu_agents::direction::{DirectionField, MOST};
use qingyu_agents::production::Order;
use qingyu_agents::writing::Decision;
use qingyu_agents::{OutlineParameters, WritingTask};
use qingyu_story::bounded::at_most;
use qingyu_story::numerals::read_chinese;
use qingyu_story::{Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::error::Error;

/// The maximum length of a requirement, in bytes of UTF-8.
pub(crate) const REQUIREMENT_LIMIT: usize = 64 * 1024;
/// The maximum length of a requirement with an outline, in bytes of UTF-8. The text that is not read as cast, places and
/// chapters has at most [`REQUIREMENT_LIMIT`].
///
/// Below the default size limit of HTTP requests, with room for the escapes of JSON.
const OUTLINE_LIMIT: usize = 1_000_000;

/// A request for a new story or for an extension of an existing story.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CreateRequest {
    /// The user's requirement.
    pub requirement: String,
    /// The language of the work; detected from the requirement by default.
    pub language: Option<Language>,
    /// An existing project to extend or change, by ID or unique prefix; by default a new project is created.
    pub project: Option<String>,
    /// The title of a new project; derived from the requirement by default.
    pub title: Option<String>,
    /// The genre; takes precedence over the requirement.
    pub genre: Option<String>,
    /// The target audience; takes precedence over the requirement.
    pub target_audience: Option<String>,
    /// The number of chapters, at least 1; takes precedence over the requirement.
    #[serde(deserialize_with = "at_most::<2_000, _, _>")]
    #[schemars(range(min = 1, max = 2_000))]
    pub chapter_count: Option<u32>,
    /// The model for every role of this run, such as `deepseek/deepseek-flash`; overrides all settings.
    pub model: Option<String>,
    /// Settings for this run only, overriding all layers, in the format of the settings file (see
    /// [`settings::assign`](crate::settings::assign)).
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

impl CreateRequest {
    /// Returns a request for a new story with unchanged settings.
    pub fn new(requirement: impl Into<String>) -> Self {
        Self { requirement: requirement.into(), ..Self::default() }
    }

    /// Returns the settings overridden by the request, including its model.
    pub(crate) fn overrides(&self) -> Table {
        with_model(self.overrides.clone(), self.model.as_deref())
    }

    /// Returns the explicit parameters of the outline.
    ///
    /// Fails with [`Error::BadRequest`] for 0 chapters.
    pub(crate) fn parameters(&self) -> Result<OutlineParameters, Error> {
        if self.chapter_count == Some(0) {
            return Err(Error::BadRequest { path: "chapter_count".into(), message: "at least 1".into() });
        }
        Ok(OutlineParameters {
            genre: self.genre.clone(),
            target_audience: self.target_audience.clone(),
            chapter_count: self.chapter_count,
        })
    }

    /// Validates the requirement and returns it trimmed.
    ///
    /// Returns an error for an empty requirement, a length above [`REQUIREMENT_LIMIT`], and control characters other
    /// than tab and line breaks.
    pub(crate) fn checked_requirement(&self) -> Result<String, Error> {
        self.checked(REQUIREMENT_LIMIT)
    }

    /// Does the same for a requirement with an outline, of at most [`OUTLINE_LIMIT`] bytes.
    pub(crate) fn checked_outline(&self) -> Result<String, Error> {
        self.checked(OUTLINE_LIMIT)
    }

    fn checked(&self, limit: usize) -> Result<String, Error> {
        let bytes = self.requirement.len();
        if bytes > limit {
            return Err(Error::RequirementTooLong { bytes, limit });
        }
        let requirement = self.requirement.trim_start_matches('\u{feff}').trim();
        if requirement.is_empty() {
            return Err(Error::RequirementEmpty);
        }
        let forbidden = |c: &char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
        match requirement.chars().enumerate().find(|(_, c)| forbidden(c)) {
            Some((position, found)) => Err(Error::RequirementControl { position, code_point: u32::from(found) }),
            None => Ok(requirement.replace("\r\n", "\n")),
        }
    }
}

/// A request for work on the chapters of a project.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ChapterWriteRequest {
    /// The project, by ID or unique prefix.
    pub project: String,
    /// The writing task.
    pub task: WritingTask,
    /// The chapter length in Chinese characters or English words; taken from the outline by default.
    #[serde(deserialize_with = "at_most::<100_000, _, _>")]
    #[schemars(range(max = 100_000))]
    pub words: Option<u32>,
    /// A text sample of the style to follow.
    pub style_sample: String,
    /// Whether to plan the chapters and collect their context only.
    pub brief_only: bool,
    /// The model for every role of this run; overrides all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`].
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

/// Returns `overrides` with the given model for every role, if any.
pub(crate) fn with_model(mut overrides: Table, model: Option<&str>) -> Table {
    if let Some(model) = model {
        let models = overrides.entry("models").or_insert_with(|| toml::Value::Table(Table::new()));
        if let Some(models) = models.as_table_mut() {
            models.insert("all".into(), model.into());
        }
    }
    overrides
}

/// A person's answer to a waiting run. Serialized in recordings of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "snake_case", deny_unknown_fields)]
pub enum RunAnswer {
    /// Accept the material unchanged.
    Approve,
    /// Revise the material according to the feedback.
    Reject {
        /// The problem and the requested change.
        feedback: String,
    },
    /// Replace parts of the material.
    Edit {
        /// Any of the keys `worldview`, `outline_nodes`, `characters`, `character_relations`, `timeline_events`,
        /// `plot_nodes`, `style` of the run's document; missing keys stay unchanged, other keys are ignored.
        material: Value,
    },
    /// Decide on each question, by ID.
    Decide {
        /// The decisions by question ID; questions without a decision are asked again later. The second place of a text
        /// change is decided separately under the change's ID with the suffix `/2`; by default a place follows its
        /// change.
        answers: BTreeMap<String, Decision>,
        /// The IDs of the intended pieces, for ambiguous questions; the agents of the parts of a task, by the name of
        /// the part or its number in the question.
        #[serde(default)]
        choices: BTreeMap<String, String>,
    },
    /// Choose a direction for the book.
    Direct {
        /// The number of the direction, from 1.
        #[serde(deserialize_with = "at_most::<5, _, _>")]
        #[schemars(range(min = 1, max = 5))]
        direction: u32,
        /// Fields taken from other directions, by number.
        #[serde(default)]
        mix: BTreeMap<DirectionField, u32>,
        /// The author's additional instructions.
        #[serde(default)]
        words: String,
    },
    /// Give an order to a production.
    Order {
        /// The order.
        order: Order,
    },
}

impl RunAnswer {
    /// Parses a free-text answer to the question about agents: their names in the order of the parts, such as
    /// `checker, analysis`; a refusal leaves the parts undone.
    pub fn to_agents(words: &str) -> Self {
        const NONE: [&str; 6] = ["reject", "none", "no", "都不", "不", "否"];
        let words = words.trim();
        if NONE.contains(&words.to_lowercase().as_str()) {
            return Self::Reject { feedback: String::new() };
        }
        let names = words.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、' | ';' | '；'));
        let names = names.filter(|name| !name.is_empty());
        let choices = (1_usize..).zip(names).map(|(number, name)| (number.to_string(), name.to_owned())).collect();
        Self::Decide { answers: BTreeMap::new(), choices }
    }

    /// Parses a free-text answer to a choice of directions: a number chooses a direction, with optional fields from
    /// other directions (`1 conflict=2 书名=3`) and further words appended; agreement continues without a direction;
    /// anything else requests new directions.
    pub fn to_directions(words: &str) -> Self {
        const SKIP: [&str; 8] = ["approve", "skip", "yes", "ok", "跳过", "同意", "继续", "直接写"];
        let words = words.trim();
        if SKIP.contains(&words.to_lowercase().as_str()) {
            return Self::Approve;
        }
        let mut parts = words.split_whitespace();
        let Some(direction) = parts.next().and_then(direction_number) else {
            return Self::Reject { feedback: words.to_owned() };
        };
        let (mut mix, mut added) = (BTreeMap::new(), Vec::new());
        for part in parts {
            match part
                .split_once(['=', '＝'])
                .and_then(|(field, number)| Some((field_of(field)?, number.parse().ok()?)))
            {
                Some((field, number)) => drop(mix.insert(field, number)),
                None => added.push(part),
            }
        }
        Self::Direct { direction, mix, words: added.join(" ") }
    }
}

/// Parses the number of a direction: `2`, `第2个`, `二`.
fn direction_number(word: &str) -> Option<u32> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches(['第', '选']);
    let word = word.trim_end_matches(['个', '号']).trim_start_matches("方向");
    let number = u32::try_from(read_chinese(word)?).ok()?;
    (word.is_ascii() || (1..=MOST).contains(&number)).then_some(number)
}

/// Parses the field of a direction, by name or by label in either language.
fn field_of(word: &str) -> Option<DirectionField> {
    let is_it = |field: &DirectionField| {
        word.eq_ignore_ascii_case(field.name()) || [Language::Zh, Language::En].map(|l| field.label(l)).contains(&word)
    };
    DirectionField::ALL.into_iter().find(is_it)
}

/// The keys of a run's document open to edits by a person.
const EDITABLE: [&str; 7] =
    ["worldview", "outline_nodes", "characters", "character_relations", "timeline_events", "plot_nodes", "style"];

/// Returns `story` with the parts in `material` replaced.
pub(crate) fn edited(story: &Story, material: Value) -> Result<Story, Error> {
    let bad = |path: &str, message: &str| Error::BadMaterial { path: path.into(), message: message.into() };
    let Value::Object(mut material) = material else { return Err(bad("", "it is no object")) };
    material.retain(|key, _| EDITABLE.contains(&key.as_str()));
    if material.is_empty() {
        return Err(bad("", &format!("it has none of the keys {}", EDITABLE.join(", "))));
    }
    let mut merged = serde_json::to_value(story).expect("a story is plain data");
    merged.as_object_mut().expect("a story is an object").append(&mut material);
    let text = merged.to_string();
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(&text)).map_err(
        |error: serde_path_to_error::Error<serde_json::Error>| {
            let message = error.inner().to_string();
            // The position refers to our own serialized text, unknown to the caller.
            let message = message.split(" at line ").next().unwrap_or_default();
            bad(&error.path().to_string(), message)
        },
    )
}

/// A request to resume a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeRequest {
    /// The run, or a project for its newest run, by ID or unique prefix.
    pub run: String,
    /// The answer to the run's question.
    #[serde(default)]
    pub answer: Option<RunAnswer>,
    /// The `question_id` of the answered question: the answer is rejected if the run asks a different question now. By
    /// default the answer applies to the current question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Settings overriding all layers, such as a raised budget, in the format of the settings file.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: toml::Table,
}

/// A request for a no-op run.
#[cfg(feature = "bench")]
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NoopRequest {
    /// The project; by default a new project is created.
    pub project: Option<String>,
    /// The initial value of the counter.
    pub n: u32,
    /// The wait of each node, in milliseconds.
    pub pause_millis: u64,
}

#[cfg(test)]
mod tests {
    use qingyu_story::Character;
    use serde_json::json;

    use super::*;

    #[test]
    fn requirements_are_checked() {
        let long = "长".repeat(REQUIREMENT_LIMIT / 3);
        for (requirement, result) in [
            ("  写一个故事\r\n第二行\t。 ", Ok("写一个故事\n第二行\t。")),
            ("\u{feff}写", Ok("写")),
            (&long, Ok(long.as_str())),
            ("", Err("requirement_empty")),
            (" \n\u{3000}", Err("requirement_empty")),
            (&"长".repeat(REQUIREMENT_LIMIT / 3 + 1), Err("requirement_too_long")),
            (&"x".repeat(2_000_000), Err("requirement_too_long")),
            ("写\u{0}一个", Err("requirement_control")),
            ("写\u{1b}[31m", Err("requirement_control")),
        ] {
            let checked = CreateRequest::new(requirement).checked_requirement();
            let checked = checked.as_deref().map_err(Error::code);
            assert_eq!(checked, result);
        }
        let found = CreateRequest::new("写\u{7}").checked_requirement().unwrap_err().data();
        assert_eq!((&found["position"], &found["code_point"]), (&json!(1), &json!(7)));
    }

    #[test]
    fn words_choose_a_direction_or_ask_for_others() {
        let direct = |direction, mix: &[(DirectionField, u32)], words: &str| RunAnswer::Direct {
            direction,
            mix: mix.iter().copied().collect(),
            words: words.into(),
        };
        for (words, answer) in [
            ("2", direct(2, &[], "")),
            ("第三个", direct(3, &[], "")),
            ("方向1", direct(1, &[], "")),
            (
                "1 冲突=2 title=3 结局要暖",
                direct(1, &[(DirectionField::Conflict, 2), (DirectionField::Title, 3)], "结局要暖"),
            ),
            ("跳过", RunAnswer::Approve),
            ("Skip", RunAnswer::Approve),
            ("都不要，换成悬疑", RunAnswer::Reject { feedback: "都不要，换成悬疑".into() }),
        ] {
            assert_eq!(RunAnswer::to_directions(words), answer, "{words}");
        }
    }

    #[test]
    fn words_name_agents_in_the_order_of_the_parts() {
        for words in ["checker, text_review", "checker，text_review", " checker text_review "] {
            let choices = [("1", "checker"), ("2", "text_review")];
            let choices = choices.map(|(number, name)| (number.to_owned(), name.to_owned())).into();
            let expected = RunAnswer::Decide { answers: BTreeMap::new(), choices };
            assert_eq!(RunAnswer::to_agents(words), expected, "{words}");
        }
        assert_eq!(RunAnswer::to_agents("都不"), RunAnswer::Reject { feedback: String::new() });
    }

    #[test]
    fn edits_replace_the_parts_they_name() {
        let character = |name: &str| Character { name: name.into(), ..Character::default() };
        let story = Story { premise: "灯".into(), characters: vec![character("甲")], ..Story::default() };
        let edit = |material| edited(&story, material);
        let changed = edit(json!({"characters": [{"name": "乙"}], "run": "r-1", "premise": "no"})).unwrap();
        assert_eq!(changed, Story { characters: vec![character("乙")], ..story.clone() });
        for (material, path) in [
            (json!({"characters": [{"name": "乙", "age": "old"}]}), "characters[0].age"),
            (json!({"outline_nodes": {}}), "outline_nodes"),
            (json!({"title": "no"}), ""),
            (json!([]), ""),
        ] {
            let Err(Error::BadMaterial { path: found, message }) = edit(material.clone()) else {
                panic!("{material} was taken");
            };
            assert_eq!(found, path, "{message}");
            assert!(!message.contains(" line "), "{message}");
        }
    }
}
