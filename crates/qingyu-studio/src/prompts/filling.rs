//! What prompts are filled with to be looked at: an example, or what a project has.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_agents::prompts::{Material, bare};
use qingyu_story::{Language, Story};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most characters of a chapter that are shown.
const CHARACTERS: usize = 2_000;

/// What the variables hold in an example: most alike everywhere, some otherwise in one folder.
#[derive(Debug, Deserialize)]
struct Example {
    common: Map<String, Value>,
    groups: BTreeMap<String, Map<String, Value>>,
}

static ZH: LazyLock<Example> = LazyLock::new(|| read(include_str!("example.zh.json")));
static EN: LazyLock<Example> = LazyLock::new(|| read(include_str!("example.en.json")));

fn read(text: &str) -> Example {
    serde_json::from_str(text).expect("the example is compiled in and tested")
}

/// The variables of the prompt as in the example.
pub(super) fn example(name: &str, language: Language) -> Map<String, Value> {
    let example = match language {
        Language::Zh => &*ZH,
        Language::En => &*EN,
    };
    let group = name.split_once('/').and_then(|(folder, _)| example.groups.get(folder));
    let mut filled = bare(name);
    for (variable, value) in &mut filled {
        let shown = match variable.as_str() {
            "language" => Some(Value::from(language.code())),
            // A story's material has sections; an agent of the service is given it as words.
            "material" if value.is_object() => example.common.get("sections").cloned(),
            name => group.and_then(|group| group.get(name)).or_else(|| example.common.get(name)).cloned(),
        };
        if let Some(shown) = shown {
            *value = shown;
        }
    }
    filled
}

/// The same with what a story has in the place of what the example has.
pub(super) fn of_story(name: &str, language: Language, story: &Story) -> Map<String, Value> {
    let sections = json!(Material::of(story));
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

/// A section of the material as a line.
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
