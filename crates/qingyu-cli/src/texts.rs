//! The user interface texts, in the two languages of `locales/`.

use std::borrow::Cow;
use std::fmt::Debug;

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use qingyu_studio::story::Language;
use serde::Serialize;

pub(crate) use fluent_bundle::FluentValue;

/// A named argument of a text.
pub(crate) type TextArgument<'a> = (&'a str, FluentValue<'a>);

/// The texts of one language.
pub(crate) struct LocalizedTexts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl LocalizedTexts {
    pub(crate) fn new(language: Language) -> Self {
        let source = match language {
            Language::Zh => include_str!("../locales/zh.ftl"),
            Language::En => include_str!("../locales/en.ftl"),
        };
        let tag = language.code().parse().expect("zh and en are language tags");
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        bundle.set_use_isolating(false);
        add(&mut bundle, source);
        if language == Language::Zh {
            add(&mut bundle, include_str!("../locales/help.zh.ftl"));
        }
        Self { language, bundle }
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Returns the text of `key`.
    pub(crate) fn get(&self, key: &str) -> String {
        self.fill(key, &[])
    }

    /// Returns the text of `key` with its variables filled in.
    pub(crate) fn fill(&self, key: &str, arguments: &[TextArgument<'_>]) -> String {
        self.find(key, arguments).unwrap_or_else(|| key.to_owned())
    }

    /// Returns the text of `key`, or `None` if the language has no text: for keys built from codes defined elsewhere.
    pub(crate) fn find(&self, key: &str, arguments: &[TextArgument<'_>]) -> Option<String> {
        let pattern = self.bundle.get_message(key)?.value()?;
        let arguments = arguments.iter().map(|(name, value)| (Cow::Borrowed(*name), countable(value))).collect();
        Some(self.bundle.format_pattern(pattern, Some(&arguments), &mut Vec::new()).into_owned())
    }

    /// Returns the word for an enum value, stored under `family-value`; falls back to the value itself.
    pub(crate) fn word<T: Serialize + Debug>(&self, family: &str, value: T) -> String {
        let code = code_of(&value);
        self.find(&format!("{family}-{}", code.replace('_', "-")), &[]).unwrap_or(code)
    }
}

/// Returns the number of a value already formatted as `1`, so that the words around it agree with it.
fn countable<'a>(value: &FluentValue<'a>) -> FluentValue<'a> {
    match value {
        FluentValue::String(text) if text == "1" => 1.into(),
        value => value.clone(),
    }
}

/// Returns the wire name of an enum value.
fn code_of<T: Serialize + Debug>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(code)) => code,
        _ => format!("{value:?}"),
    }
}

fn add(bundle: &mut FluentBundle<FluentResource>, source: &str) {
    let resource = FluentResource::try_new(source.to_owned()).expect("the compiled-in texts are well formed: tested");
    bundle.add_resource(resource).expect("the compiled-in texts have no key twice: tested");
}

#[cfg(test)]
mod tests;
