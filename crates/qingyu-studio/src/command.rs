//! What can be asked of the studio.

use std::collections::BTreeMap;

use qingyu_agents::WritingTask;
use qingyu_agents::direction::{DirectionField, MOST};
use qingyu_agents::production::Order;
use qingyu_agents::writing::Decision;
use qingyu_story::bounded::at_most;
use qingyu_story::numerals::read_chinese;
use qingyu_story::{Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::Error;

/// The longest requirement in bytes of UTF-8.
pub const REQUIREMENT_LIMIT: usize = 64 * 1024;

/// Asks for a new story, or for more of one that is there.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CreateRequest {
    /// The user's words.
    pub requirement: String,
    /// The language of the work; found from the requirement when absent.
    pub language: Option<Language>,
    /// An existing project to extend or change, by id or unique beginning of it; a new project when absent.
    pub project: Option<String>,
    /// The title of a new project; made from the requirement when absent.
    pub title: Option<String>,
    /// The model for every role of this run, such as `deepseek/deepseek-flash`, above all settings.
    pub model: Option<String>,
    /// Settings for this run only, above all layers, in the shape of the settings file
    /// (see [`settings::assign`](crate::settings::assign)).
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

impl CreateRequest {
    /// Asks for a new story with the settings as they are.
    pub fn new(requirement: impl Into<String>) -> Self {
        Self { requirement: requirement.into(), ..Self::default() }
    }

    /// What the request sets above all layers, its model included.
    pub(crate) fn overrides(&self) -> Table {
        with_model(self.overrides.clone(), self.model.as_deref())
    }

    /// The requirement without surrounding white space, if a run can be started with it.
    ///
    /// Refuses an empty one, one over [`REQUIREMENT_LIMIT`], and control characters other than tab and line breaks.
    pub(crate) fn checked_requirement(&self) -> Result<String, Error> {
        let bytes = self.requirement.len();
        if bytes > REQUIREMENT_LIMIT {
            return Err(Error::RequirementTooLong { bytes, limit: REQUIREMENT_LIMIT });
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

/// Asks for work on the chapters of a project.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WriteRequest {
    /// The project, by id or unique beginning of it.
    pub project: String,
    /// What is to be done.
    pub task: WritingTask,
    /// Chinese characters or English words of a chapter; what the outline says when absent.
    #[serde(deserialize_with = "at_most::<100_000, _, _>")]
    #[schemars(range(max = 100_000))]
    pub words: Option<u32>,
    /// A text whose manner is to be followed.
    pub style_sample: String,
    /// Only plan the chapters and gather what must be known for them.
    pub brief_only: bool,
    /// The model for every role of this run, above all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`].
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

/// `overrides` with a model for every role, if one is given.
pub(crate) fn with_model(mut overrides: Table, model: Option<&str>) -> Table {
    if let Some(model) = model {
        let models = overrides.entry("models").or_insert_with(|| toml::Value::Table(Table::new()));
        if let Some(models) = models.as_table_mut() {
            models.insert("all".into(), model.into());
        }
    }
    overrides
}

/// What a person says when a run asks. Recordings of runs hold it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "snake_case", deny_unknown_fields)]
pub enum HumanAnswer {
    /// Take it as it is.
    Approve,
    /// Mend it, minding this.
    Reject {
        /// What is wrong and what is wanted.
        feedback: String,
    },
    /// Take this material instead.
    Edit {
        /// Any of the keys `worldview`, `outline_nodes`, `characters`, `character_relations`, `timeline_events`,
        /// `plot_nodes`, `style` of the run's document; a key that is absent stays as it is, other keys are ignored.
        material: Value,
    },
    /// Say to each question, by its id, whether it is so.
    Decide {
        /// The decisions; what is left out is asked again another time. Of a change of a text the second place is decided
        /// by itself under the id of the change with `/2` behind it; a place without an answer goes with its change.
        answers: BTreeMap<String, Decision>,
        /// The ids of those who are meant, where several may be.
        #[serde(default)]
        choices: BTreeMap<String, String>,
    },
    /// Let the book take one of the directions that were offered.
    Direct {
        /// Its number, counted from 1.
        #[serde(deserialize_with = "at_most::<5, _, _>")]
        #[schemars(range(min = 1, max = 5))]
        direction: u32,
        /// The numbers of the directions from which single fields are taken instead.
        #[serde(default)]
        mix: BTreeMap<DirectionField, u32>,
        /// What the author adds.
        #[serde(default)]
        words: String,
    },
    /// Tell a production what to do.
    Order {
        /// What.
        order: Order,
    },
}

impl HumanAnswer {
    /// What somebody's words say to a question for a direction: a number takes it, with single fields from others where they
    /// are named (`1 conflict=2 书名=3`) and what is added behind; agreement goes on without any; anything else asks for others.
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

/// The number of a direction, as people write it: `2`, `第2个`, `二`.
fn direction_number(word: &str) -> Option<u32> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches(['第', '选']);
    let word = word.trim_end_matches(['个', '号']).trim_start_matches("方向");
    let number = u32::try_from(read_chinese(word)?).ok()?;
    (word.is_ascii() || (1..=MOST).contains(&number)).then_some(number)
}

/// The field of a direction, by its name or by its label in either language.
fn field_of(word: &str) -> Option<DirectionField> {
    let is_it = |field: &DirectionField| {
        word.eq_ignore_ascii_case(field.name()) || [Language::Zh, Language::En].map(|l| field.label(l)).contains(&word)
    };
    DirectionField::ALL.into_iter().find(is_it)
}

/// The keys of a run's document that a person may edit.
const EDITABLE: [&str; 7] =
    ["worldview", "outline_nodes", "characters", "character_relations", "timeline_events", "plot_nodes", "style"];

/// `story` with the parts that `material` names.
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
            // The position is one in our own text, which nobody has seen.
            let message = message.split(" at line ").next().unwrap_or_default();
            bad(&error.path().to_string(), message)
        },
    )
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
        let direct = |direction, mix: &[(DirectionField, u32)], words: &str| HumanAnswer::Direct {
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
            ("跳过", HumanAnswer::Approve),
            ("Skip", HumanAnswer::Approve),
            ("都不要，换成悬疑", HumanAnswer::Reject { feedback: "都不要，换成悬疑".into() }),
        ] {
            assert_eq!(HumanAnswer::to_directions(words), answer, "{words}");
        }
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
