//! The installation: checks, diagnostics for bug reports, and settings.

use std::path::Path;

use qingyu_studio::diagnostics::diagnose;
use qingyu_studio::operations as op;
use qingyu_studio::settings::{SectionDescription, SettingDescription, describe, described};
use qingyu_studio::{CheckRow, CheckState, DoctorReach, Environment, SettingLayer, SettingRow, Settings, Studio};
use serde::Serialize;
use serde_json::{Value, json};
use toml::Table;

use super::books::put_whole;
use crate::args::Doctor;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::installation as draw;
use crate::screen::Screen;

pub(super) async fn doctor(environment: Environment, screen: &Screen, arguments: &Doctor) -> Result<Exit, Error> {
    let settings = Settings::load(environment, Table::new())?;
    let reach = if arguments.local { DoctorReach::ThisMachine } else { DoctorReach::Servers };
    let rows = Studio::doctor(&settings, reach).await;
    let failed = rows.iter().any(|row| row.state == CheckState::Failed);
    let exit = if failed { Exit::Failed } else { Exit::Done };
    let Some(path) = &arguments.report else {
        return screen.show(&rows, |page| draw::checks(page, &rows)).map(|()| exit);
    };
    let bytes = write_report(&settings, &rows, path, arguments.force).await?;
    let told = json!({"report": path, "bytes": bytes, "checks": rows});
    screen.show(&told, |page| {
        draw::checks(page, &rows);
        draw::reported(page, path, bytes);
    })?;
    Ok(exit)
}

/// Writes the diagnostics to a file and returns the number of bytes.
async fn write_report(settings: &Settings, rows: &[CheckRow], path: &Path, force: bool) -> Result<usize, Error> {
    let diagnostics = diagnose(settings, rows, &features()).await;
    let mut text = serde_json::to_string_pretty(&diagnostics).expect("a value serialises");
    text.push('\n');
    put_whole(path, force, text.as_bytes())?;
    Ok(text.len())
}

/// Returns the enabled Cargo features.
fn features() -> Vec<&'static str> {
    let all = [("jemalloc", cfg!(feature = "jemalloc")), ("server", cfg!(feature = "server"))];
    all.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| name).collect()
}

/// A setting with its value and description.
#[derive(Debug, Serialize)]
struct ConfigRow<'a> {
    key: &'a str,
    /// Null if unset.
    value: &'a Value,
    layer: Option<SettingLayer>,
    source: Option<&'a str>,
    /// `None` for settings unknown to the release.
    #[serde(flatten)]
    description: Option<Description<'a>>,
}

#[derive(Debug, Serialize)]
struct Description<'a> {
    form: &'a qingyu_studio::settings::SettingForm,
    choices: &'a [String],
    default: &'a Option<Value>,
    maximum: Option<f64>,
    variable: Option<&'a str>,
    example: &'a str,
    meaning: &'a str,
}

impl<'a> Description<'a> {
    fn of(setting: &'a SettingDescription) -> Self {
        Self {
            form: &setting.form,
            choices: &setting.choices,
            default: &setting.default,
            maximum: setting.maximum,
            variable: setting.variable.as_deref(),
            example: &setting.example,
            meaning: &setting.meaning,
        }
    }
}

pub(super) async fn config(desk: &Desk, screen: &Screen, project: Option<String>, file: &Path) -> Result<Exit, Error> {
    let rows = desk.call(op::ReadSettings { project }).await?;
    let sections = describe(screen.texts().language());
    let unset = unset(&sections, &rows);
    let set = rows.iter().map(|row| ConfigRow {
        key: &row.key,
        value: &row.value,
        layer: Some(row.layer),
        source: row.source.as_deref(),
        description: described(&sections, &row.key).map(Description::of),
    });
    let open = unset.iter().map(|setting| ConfigRow {
        key: &setting.key,
        value: &Value::Null,
        layer: None,
        source: None,
        description: Some(Description::of(setting)),
    });
    let all: Vec<ConfigRow<'_>> = set.chain(open).collect();
    screen.show(&all, |page| draw::settings(page, &rows, &unset, file)).map(|()| Exit::Done)
}

/// Returns the unset settings; settings with free names are always listed, since more can be added.
fn unset<'s>(sections: &'s [SectionDescription], rows: &[SettingRow]) -> Vec<&'s SettingDescription> {
    let is_set = |setting: &SettingDescription| rows.iter().any(|row| setting.is_of(&row.key));
    let all = sections.iter().flat_map(|section| &section.settings);
    all.filter(|setting| setting.is_pattern() || !is_set(setting)).collect()
}

pub(super) fn config_path(file: &Path, screen: &Screen) -> Result<Exit, Error> {
    let text = file.display().to_string();
    screen.show(&json!({"path": text}), |page| page.line(&text)).map(|()| Exit::Done)
}
