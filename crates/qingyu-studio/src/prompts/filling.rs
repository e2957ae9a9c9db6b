//! The data for rendering prompts: an example, or a project's data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_agents::prompts::{MaterialForm, PromptMaterial, bare};
use qingyu_story::{Agent, Language, Story};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The maximum number of characters of a chapter in a preview.
const CHARACTERS: usize = 2_000;

/// The example values of variables: common values, and overrides by folder.
#[derive(Debug, Deserialize)]
struct PromptExample {
    common: Map<String, Value>,
    groups: BTreeMap<String, Map<String, Value>>,
}

static ZH: LazyLock<PromptExample> = LazyLock::new(|| read(include_str!("example.zh.json")));

static EN: LazyLock<PromptExample> = LazyLock::new(|| read(include_str!("example.en.json")));

fn read(text: &str) -> PromptExample {
    serde_json::from_str(text).expect("the example is compiled in and tested")
}

/// Returns the example values of a prompt's variables.
pub(crate) fn example(name: &str, language: Language) -> Map<String, Value> {
    let example = match language {
        Language::Zh => &*ZH,
        Language::En => &*EN,
    };
    let group = name.split_once('/').and_then(|(folder, _)| example.groups.get(folder));
    let mut filled = bare(name);
    for (variable, value) in &mut filled {
        let shown = match variable.as_str() {
            "language" => Some(Value::from(language.code())),
            // The material of a story has sections; service agents get the material as text.
            "material" if value.is_object() => example.common.get("sections").cloned(),
            name => group.and_then(|group| group.get(name)).or_else(|| example.common.get(name)).cloned(),
        };
        if let Some(shown) = shown {
            *value = shown;
        }
    }
    filled
}

/// Returns the values of a prompt's variables with a story's data overriding the example.
pub(crate) fn of_story(name: &str, language: Language, story: &Story) -> Map<String, Value> {
    let sections = json!(PromptMaterial::of(story, form_of(name)));
    let lines: Vec<String> = sections.as_object().into_iter().flatten().filter_map(line).collect();
    let stable = lines.iter().filter(|line| line.starts_with("worldview") || line.starts_with("style"));
    let stable = stable.cloned().collect::<Vec<_>>().join("\n");
    let names: Vec<&str> = story.characters.iter().map(|person| person.name.as_str()).collect();
    let chapter = story.documents.first();
    let text: Option<String> = chapter.map(|chapter| chapter.text.chars().take(CHARACTERS).collect());
    let mut filled = example(name, language);
    for (variable, value) in &mut filled {
        let own = match variable.as_str() {
            "requirement" | "premise" => {
                Some(story.premise.clone()).filter(|premise| !premise.is_empty()).map(Value::from)
            }
            "material" if value.is_object() => Some(sections.clone()),
            "material" => Some(lines.join("\n").into()),
            "has_material" => Some((!lines.is_empty()).into()),
            "stable" => Some(stable.clone().into()),
            "names" | "characters" if !names.is_empty() => Some(json!(names)),
            "title" => chapter.map(|chapter| chapter.title.clone().into()),
            "draft" | "original" | "passage" | "text" => text.clone().map(Value::from),
            "card" => {
                value["stable"] = stable.clone().into();
                None
            }
            _ => None,
        };
        if let Some(own) = own {
            *value = own;
        }
    }
    filled
}

/// Returns the form in which a prompt shows a story.
fn form_of(prompt: &str) -> MaterialForm {
    let folder = prompt.split('/').next().unwrap_or_default();
    let agent = Agent::ALL.into_iter().find(|agent| agent.sub_category() == folder);
    match agent {
        Some(agent) => MaterialForm::WorkOf(agent),
        None if folder == "review" => MaterialForm::Fields,
        None => MaterialForm::Text,
    }
}

/// Returns a section of the material as a line.
fn line((name, value): (&String, &Value)) -> Option<String> {
    value.as_str().map(|text| format!("{name}: {text}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::builtin;
    use super::*;
    use qingyu_agents::Prompts;

    #[test]
    fn every_prompt_can_be_filled_with_the_example_and_with_nothing() {
        for prompt in builtin::all() {
            for language in [Language::Zh, Language::En] {
                for context in [
                    bare(prompt.name),
                    example(prompt.name, language),
                    of_story(prompt.name, language, &Story::default()),
                ] {
                    let filled = Prompts::builtin().fill(prompt.name, &context);
                    assert!(filled.is_ok(), "{}: {filled:?}", prompt.name);
                }
            }
        }
    }

    #[test]
    fn every_variable_has_an_example_and_every_example_a_variable() {
        for (example, language) in [(&*ZH, Language::Zh), (&*EN, Language::En)] {
            let mut used = BTreeSet::new();
            for prompt in builtin::all() {
                for variable in bare(prompt.name).into_iter().map(|(name, _)| name).filter(|name| name != "language") {
                    let group = prompt.name.split('/').next().and_then(|folder| example.groups.get(folder));
                    let given = group.is_some_and(|group| group.contains_key(&variable))
                        || example.common.contains_key(&variable);
                    assert!(given, "{language:?} has nothing for {variable} of {}", prompt.name);
                    used.insert(variable);
                }
            }
            let unused: Vec<_> =
                example.common.keys().filter(|name| *name != "sections" && !used.contains(*name)).collect();
            assert!(unused.is_empty(), "{unused:?}");
        }
    }

    #[test]
    fn a_story_stands_where_the_example_stood() {
        let story = Story {
            premise: "海图".into(),
            characters: vec![qingyu_story::Character { name: "阿海".into(), ..Default::default() }],
            ..Story::default()
        };
        let name = "outline/generate.zh.md";
        let text = Prompts::builtin().fill(name, &of_story(name, Language::Zh, &story)).unwrap();
        assert!(text.contains("海图") && text.contains("阿海") && !text.contains("灯塔看守人"), "{text}");
        let shown = Prompts::builtin().fill(name, &example(name, Language::Zh)).unwrap();
        assert!(shown.contains("灯塔看守人"), "{shown}");
    }
}
