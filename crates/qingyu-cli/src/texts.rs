//! What the command says, in the two languages of `locales/`.

use std::borrow::Cow;
use std::fmt::Debug;

use fluent_bundle::FluentResource;
use fluent_bundle::concurrent::FluentBundle;
use qingyu_studio::story::Language;
use serde::Serialize;

pub(crate) use fluent_bundle::FluentValue;

/// A named value that a text is filled with.
pub(crate) type Argument<'a> = (&'a str, FluentValue<'a>);

/// The texts of one language.
pub(crate) struct Texts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl Texts {
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

    /// The text of `key`.
    pub(crate) fn get(&self, key: &str) -> String {
        self.fill(key, &[])
    }

    /// The text of `key` with its variables filled.
    pub(crate) fn fill(&self, key: &str, arguments: &[Argument<'_>]) -> String {
        self.find(key, arguments).unwrap_or_else(|| key.to_owned())
    }

    /// The text of `key`, if this language has one: for keys that are made of a code that others define.
    pub(crate) fn find(&self, key: &str, arguments: &[Argument<'_>]) -> Option<String> {
        let pattern = self.bundle.get_message(key)?.value()?;
        let arguments = arguments.iter().map(|(name, value)| (Cow::Borrowed(*name), value.clone())).collect();
        Some(self.bundle.format_pattern(pattern, Some(&arguments), &mut Vec::new()).into_owned())
    }

    /// The word for a value of an enumeration, under `family-value`; the value itself where there is no word.
    pub(crate) fn word<T: Serialize + Debug>(&self, family: &str, value: T) -> String {
        let code = code_of(&value);
        self.find(&format!("{family}-{}", code.replace('_', "-")), &[]).unwrap_or(code)
    }
}

/// The code an enumeration's value has on the wire.
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
