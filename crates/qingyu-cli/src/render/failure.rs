//! Failures in the user's language, from their code and data.

use clap::error::{ContextKind, ContextValue};
use qingyu_studio::FailureRecord;
use serde_json::{Value, json};

use super::page::{NAME, PLAIN, TextPage, WRONG, paint};
use super::values;
use super::wrap::wrap;
use crate::error::Error;
use crate::texts::{LocalizedTexts, TextArgument};

/// Returns the origin of a setting: the file, the variable, the command or the command starting the run.
fn origin(texts: &LocalizedTexts, layer: &str, source: Option<&str>) -> String {
    match (layer, source) {
        ("flag", Some(run)) => texts.fill("origin-run", &[("run", run.into())]),
        ("flag", None) => texts.get("origin-flag"),
        (_, Some(source)) => source.to_owned(),
        (layer, None) => texts.word("layer", layer),
    }
}

/// The text of a failure.
pub(crate) struct FailureText {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl FailureText {
    pub(crate) fn of_error(texts: &LocalizedTexts, error: &Error) -> Self {
        match error {
            Error::Usage(usage) => {
                Self { code: "usage".into(), message: wrong_usage(texts, usage), hint: Some(texts.get("hint-usage")) }
            }
            other => Self::of(texts, &other.failure()),
        }
    }

    /// Returns the text of a failure; a code without a text falls back to the English message.
    pub(crate) fn of(texts: &LocalizedTexts, failure: &FailureRecord) -> Self {
        let mut arguments = values::arguments(texts, &failure.data);
        // Hints name the project and the run if known; the run is also accepted as a project.
        let known = |name: &str| failure.data.get(name).and_then(Value::as_str);
        if known("project").is_none() {
            let named = known("run").map_or_else(|| texts.get("placeholder-project"), str::to_owned);
            arguments.push(("project", named.into()));
        }
        if known("run").is_none() {
            arguments.push(("run", texts.get("placeholder-run").into()));
        }
        if let Some(layer) = known("layer") {
            arguments.push(("origin", origin(texts, layer, known("source")).into()));
        }
        let mut code = failure.code.replace('_', "-");
        if failure.data.contains_key("setting") {
            code.push_str("-figures");
        }
        let of_layer = known("layer").and_then(|layer| texts.find(&format!("hint-{code}-{layer}"), &arguments));
        let of_known = || {
            let is_listed = failure.data.contains_key("known");
            is_listed.then(|| texts.find(&format!("hint-{code}-known"), &arguments)).flatten()
        };
        Self {
            code: failure.code.clone(),
            message: texts.find(&format!("error-{code}"), &arguments).unwrap_or_else(|| failure.message.clone()),
            hint: of_layer.or_else(of_known).or_else(|| texts.find(&format!("hint-{code}"), &arguments)),
        }
    }

    /// Draws the failure for standard error.
    pub(crate) fn draw(&self, page: &mut TextPage<'_>) {
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

    /// Returns the failure as JSON, for standard output with `--json`.
    pub(crate) fn document(&self) -> Value {
        json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}})
    }
}

/// Returns the reason of invalid arguments, by error kind and context.
fn wrong_usage(texts: &LocalizedTexts, error: &clap::Error) -> String {
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
    let arguments: Vec<TextArgument<'_>> = parts.iter().map(|(name, text)| (*name, text.as_str().into())).collect();
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

/// Returns `InvalidValue` as `-invalid-value`.
fn kebab(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, character| {
        if character.is_uppercase() {
            text.push('-');
        }
        text.extend(character.to_lowercase());
        text
    })
}

#[cfg(test)]
mod tests {
    use qingyu_studio::story::Language;

    use super::*;

    fn worded(language: Language, code: &str, data: &Value) -> FailureText {
        let data = data.as_object().unwrap().clone().into_iter().collect();
        FailureText::of(
            &LocalizedTexts::new(language),
            &FailureRecord { code: code.into(), message: String::new(), data },
        )
    }

    #[test]
    fn hints_name_the_project_and_the_run_where_they_are_known() {
        let hint = |data: &Value| worded(Language::En, "unknown_piece", data).hint.unwrap();
        let given = json!({"given": "x", "project": "p-1"});
        assert_eq!(hint(&given), "give its id: `qingyu show p-1 provenance` lists them");
        assert_eq!(hint(&json!({"given": "x"})), "give its id: `qingyu show PROJECT provenance` lists them");
        let hint = worded(Language::Zh, "graph_changed", &json!({"run": "r-1", "message": ""})).hint.unwrap();
        assert!(hint.contains("--project r-1 "), "a run stands for its project: {hint}");
        let budget = json!({"run": "r-1", "setting": "budget.tokens", "suggested": 5, "unit": "tokens"});
        let worded = worded(Language::Zh, "budget", &budget);
        assert!(worded.hint.unwrap().contains("qingyu resume r-1 --set budget.tokens=5"));
        assert!(worded.message.contains(" token，"), "{}", worded.message);
    }

    #[test]
    fn a_manuscript_that_is_too_large_is_refused_in_one_language() {
        let data = json!({"reason": "too_large", "place": "the text", "limit": 10, "unit": "paragraphs"});
        assert_eq!(worded(Language::Zh, "bad_manuscript", &data).message, "正文：超过 10 段");
        assert_eq!(worded(Language::En, "bad_manuscript", &data).message, "the text has more than 10 paragraphs");
    }
}
