//! Settings overridden by a request, within the rights of the caller.

use qingyu_agents::notice::RunNotice;
use toml::{Table, Value};

use crate::access::scope::{AtMachine, Right};
use crate::error::Error;
use crate::settings::edit;
use crate::settings::effective::EffectiveSettings;
use crate::settings::layer::SettingLayer;
use crate::settings::machine::{OF_THE_MACHINE, names_a_file};
use crate::settings::maxima::number;

/// The sections any caller may override for their own run.
const OPEN: [&str; 9] =
    ["models", "pipeline", "writing", "production", "limits", "budget", "checker", "breakpoints", "approval"];
/// Limits callers may lower but not raise, by section and name.
const LIMITS: [(&str, &str); 7] = [
    ("budget", "tokens"),
    ("budget", "money"),
    ("budget", "per_day_tokens"),
    ("budget", "per_day_money"),
    ("limits", "requests_per_minute"),
    ("limits", "tokens_per_minute"),
    ("limits", "answer_tokens"),
];
/// The prefix of a model playing the recording of a run, by run ID.
pub(crate) const RECORDING: &str = "recording:";
/// The prefix of a model playing a cassette, by file.
pub(crate) const CASSETTE: &str = "cassette:";

/// Settings overridden by a request, above all layers.
///
/// Overrides by a remote caller name no file of the machine and raise no limit: the constructors validate both, and the
/// layers accept no other type.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestSettings {
    table: Table,
    set_by: SetBy,
}

/// The author of the overrides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum SetBy {
    /// The machine's own user, who has access to the settings file anyway.
    Machine,
    /// A caller with a key.
    #[default]
    Caller,
}

impl RequestSettings {
    /// Returns overrides by the machine's own user, which may name files and raise limits.
    pub(crate) fn of_machine(_: AtMachine, table: Table) -> Self {
        Self { table, set_by: SetBy::Machine }
    }

    /// Validates overrides by a caller with the given right. `recordings` maps the allowed recording names to runs;
    /// other recording names are invalid.
    ///
    /// Returns [`Error::Forbidden`] if a section is closed to the caller, or a value names a file of the machine.
    pub(crate) fn of_caller(right: Right, mut table: Table, recordings: &[(String, String)]) -> Result<Self, Error> {
        let machine = || Error::Forbidden { needed: "this_machine".into() };
        if table.keys().any(|section| OF_THE_MACHINE.contains(&section.as_str())) {
            return Err(machine());
        }
        if !table.keys().all(|section| OPEN.contains(&section.as_str())) {
            right.demand(Right::Admin)?;
        }
        for (section, value) in &mut table {
            if section == "models" {
                replace(value, recordings);
            }
            let is_allowed = |text: &str| {
                text.strip_prefix(RECORDING)
                    .is_some_and(|run| section == "models" && recordings.iter().any(|(_, known)| known == run))
            };
            if names_a_file(value, &is_allowed) {
                return Err(machine());
            }
        }
        Ok(Self { table, set_by: SetBy::Caller })
    }

    /// Returns whether there are no overrides.
    pub(crate) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns whether the machine's own user set the overrides.
    pub(crate) fn is_of_machine(&self) -> bool {
        self.set_by == SetBy::Machine
    }

    /// Returns the overrides in the format of the settings file.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the table to merge over `base`, and a notice for each limit a caller tried to raise; a caller's limits
    /// are capped by the limits of `base`.
    ///
    /// Returns [`Error::BadSettings`] if the currencies of two money limits differ, since the amounts are not
    /// comparable.
    pub(crate) fn over(self, base: &EffectiveSettings) -> Result<(Table, Vec<RunNotice>), Error> {
        let Self { mut table, set_by } = self;
        let mut kept = Vec::new();
        if set_by == SetBy::Machine {
            return Ok((table, kept));
        }
        let before = |section: &str, name: &str| base.value(&[section.to_owned(), name.to_owned()]).cloned();
        let has_money = ["money", "per_day_money"].iter().any(|name| before("budget", name).is_some());
        let currency = before("budget", "currency").filter(|_| has_money);
        let asked = edit::at(&table, &["budget".into(), "currency".into()]);
        if let (Some(currency), Some(asked)) = (currency, asked)
            && currency != *asked
        {
            let currency = currency.as_str().unwrap_or_default();
            return Err(Error::BadSettings {
                layer: SettingLayer::Flag,
                source_name: None,
                key: "budget.currency".into(),
                message: format!("this server limits money in {currency}; name limits in {currency}"),
            });
        }
        for (section, name) in LIMITS {
            let Some(Value::Table(inner)) = table.get_mut(section) else { continue };
            let Some(holds) = before(section, name) else { continue };
            if let (Some(asked), Some(most)) = (inner.get(name).and_then(number), number(&holds))
                && asked > most
            {
                kept.extend(inner.remove(name).map(|asked| limit_kept(section, name, &asked, &holds)));
            }
        }
        // The switch extends limits to more models; callers can switch it on but not off.
        if before("budget", "free_models") == Some(Value::Boolean(true))
            && let Some(Value::Table(budget)) = table.get_mut("budget")
            && let Some(asked @ Value::Boolean(false)) = budget.remove("free_models")
        {
            kept.push(limit_kept("budget", "free_models", &asked, &Value::Boolean(true)));
        }
        Ok((table, kept))
    }
}

/// Returns the recording names among the models of a request, without the prefix.
pub(crate) fn recordings(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(models) = table.get("models") {
        collect(models, &mut names);
    }
    names
}

fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => names.extend(recording(text).map(str::to_owned)),
        Value::Array(values) => values.iter().for_each(|value| collect(value, names)),
        Value::Table(table) => table.iter().for_each(|(_, value)| collect(value, names)),
        _ => {}
    }
}

fn replace(value: &mut Value, recordings: &[(String, String)]) {
    match value {
        Value::String(text) => {
            let run = recording(text).and_then(|named| recordings.iter().find(|(given, _)| given == named));
            if let Some((_, run)) = run {
                *text = format!("{RECORDING}{run}");
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, recordings)),
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| replace(value, recordings)),
        _ => {}
    }
}

fn recording(text: &str) -> Option<&str> {
    text.strip_prefix(CASSETTE).or_else(|| text.strip_prefix(RECORDING))
}

fn limit_kept(section: &str, name: &str, asked: &Value, holds: &Value) -> RunNotice {
    RunNotice::LimitKept { key: format!("{section}.{name}"), asked: asked.to_string(), holds: holds.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Environment, Settings};

    fn caller(table: &str, recordings: &[(String, String)]) -> Result<RequestSettings, Error> {
        RequestSettings::of_caller(Right::Write, table.parse().unwrap(), recordings)
    }

    #[test]
    fn a_caller_names_no_file_and_opens_no_section() {
        for table in [
            "models.all = 'cassette:/proc/self/fd/22'",
            "models.all = 'recording:r-2'",
            "models.all = ' cassette:x'",
            "models.default = 'local:/tmp'",
            "models.fallbacks = ['a/b', 'file:/etc/passwd']",
            "models.x.y = 'cassette:/dev/zero'",
            "checker.severities.QY101 = 'local:/x'",
            "embeddings.embedder = 'local:/x'",
            "prompts.folder = '/x'",
            "providers.a.base_url = 'http://127.0.0.1:1'",
            "mcp_servers.a.command = 'sh'",
            "web.allow = ['127.0.0.1:80']",
            "ui.language = 'en'",
        ] {
            let refused = caller(table, &[("1".into(), "r-1".into())]);
            assert!(matches!(refused, Err(Error::Forbidden { .. })), "{table}");
        }
        let own = caller("models.all = 'cassette:1'", &[("1".into(), "r-1".into())]).unwrap();
        assert_eq!(own.table().to_string().trim(), "[models]\nall = \"recording:r-1\"");
    }

    #[test]
    fn limits_of_callers_combine_by_the_lowest() {
        let settings = |table: &str| {
            let environment = Environment::new([("QINGYU_HOME".to_owned(), "/nonexistent".to_owned())]);
            Settings::load(environment, table.parse().unwrap()).unwrap()
        };
        let operator = settings(
            "budget.tokens = 50\nbudget.per_day_money = 2.5\nbudget.currency = 'CNY'\nbudget.free_models = true\n\
             limits.requests_per_minute = 5",
        );
        let effective = |table: &str| operator.effective_with(None, caller(table, &[]).unwrap());
        let raised = "budget = {tokens = 1000, per_day_money = 9, free_models = false, per_day_tokens = 7}\n\
                      limits = {requests_per_minute = 100, answer_tokens = 9}";
        let raised = effective(raised).unwrap();
        let kept: Vec<String> =
            raised.limits_kept.iter().map(|notice| notice.text(qingyu_story::Language::En)).collect();
        let values = raised.values.clone();
        assert_eq!((values.budget.tokens, values.budget.per_day_money), (Some(50), Some(2.5)));
        assert_eq!((values.budget.per_day_tokens, values.budget.free_models), (Some(7), true));
        assert_eq!(values.limits.requests_per_minute.map(u32::from), Some(5));
        assert_eq!(values.limits.answer_tokens.map(u32::from), Some(9));
        assert_eq!(
            kept,
            [
                "the request sets budget.tokens to 1000, which the operator does not allow; 50 holds",
                "the request sets budget.per_day_money to 9, which the operator does not allow; 2.5 holds",
                "the request sets limits.requests_per_minute to 100, which the operator does not allow; 5 holds",
                "the request sets budget.free_models to false, which the operator does not allow; true holds",
            ]
        );
        assert_eq!(effective("budget.tokens = 3").unwrap().values.budget.tokens, Some(3));
        let other = effective("budget = {money = 1, currency = 'USD'}");
        assert!(matches!(other, Err(Error::BadSettings { key, .. }) if key == "budget.currency"));
    }
}
