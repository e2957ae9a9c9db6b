//! Failures in the user's words, by their code and data.

use clap::error::{ContextKind, ContextValue};
use qingyu_studio::Failure;
use serde_json::{Value, json};

use super::page::{NAME, PLAIN, Page, WRONG, paint};
use super::values;
use super::wrap::wrap;
use crate::error::Error;
use crate::texts::{Argument, Texts};

/// A failure in words.
pub(crate) struct Worded {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Worded {
    pub(crate) fn of_error(texts: &Texts, error: &Error) -> Self {
        match error {
            Error::Usage(usage) => {
                Self { code: "usage".into(), message: wrong_usage(texts, usage), hint: Some(texts.get("hint-usage")) }
            }
            other => Self::of(texts, &other.failure()),
        }
    }

    /// Words a failure; one whose code has no text keeps its English message.
    pub(crate) fn of(texts: &Texts, failure: &Failure) -> Self {
        let arguments = values::arguments(texts, &failure.data);
        let mut code = failure.code.replace('_', "-");
        if failure.data.contains_key("setting") {
            code.push_str("-figures");
        }
        Self {
            code: failure.code.clone(),
            message: texts.find(&format!("error-{code}"), &arguments).unwrap_or_else(|| failure.message.clone()),
            hint: texts.find(&format!("hint-{code}"), &arguments),
        }
    }

    /// For standard error.
    pub(crate) fn draw(&self, page: &mut Page<'_>) {
        let code = format!("error[{}]:", self.code);
        for (number, line) in wrap(&format!("{code} {}", self.message), page.width() - 2).iter().enumerate() {
            match line.strip_prefix(&code).filter(|_| number == 0) {
                Some(message) => page.line(&format!("{}{message}", paint(WRONG.bold(), &code))),
                None => page.line(&format!("  {line}")),
            }
        }
        if let Some(hint) = &self.hint {
            let lead = page.label("hint");
            page.lead(2, &lead, NAME, PLAIN, hint);
        }
    }

    /// For standard output with `--json`.
    pub(crate) fn document(&self) -> Value {
        json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}})
    }
}

/// Why the arguments do not fit: by kind and what it is about.
fn wrong_usage(texts: &Texts, error: &clap::Error) -> String {
    let about = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts_of)) => texts_of.join(&texts.get("list-comma")),
        Some(ContextValue::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let parts = [
        ("argument", about(ContextKind::InvalidArg)),
        ("value", about(ContextKind::InvalidValue)),
        ("command", about(ContextKind::InvalidSubcommand)),
        ("other", about(ContextKind::PriorArg)),
        ("valid", about(ContextKind::ValidValue)),
    ];
    let arguments: Vec<Argument<'_>> = parts.iter().map(|(name, text)| (*name, text.as_str().into())).collect();
    let text = texts.find(&format!("usage{}", kebab(&format!("{:?}", error.kind()))), &arguments);
    let text = text.unwrap_or_else(|| error.render().to_string().trim().to_owned());
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
        .map(about)
        .into_iter()
        .find(|near| !near.is_empty());
    match near {
        Some(near) => {
            let question = texts.fill("usage-did-you-mean", &[("near", near.into())]);
            format!("{text}{}{question}", texts.get("list-semicolon"))
        }
        None => text,
    }
}

/// `InvalidValue` as `-invalid-value`.
fn kebab(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, character| {
        if character.is_uppercase() {
            text.push('-');
        }
        text.extend(character.to_lowercase());
        text
    })
}
