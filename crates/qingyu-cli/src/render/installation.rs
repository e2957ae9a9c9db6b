//! The installation: settings and checks.

use std::path::Path;

use qingyu_studio::settings::{SettingDescription, SettingForm};
use qingyu_studio::{CheckRow, CheckState, FailureRecord, SettingLayer, SettingRow};

use super::failure::FailureText;
use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, WRONG};
use super::values;
use crate::texts::LocalizedTexts;

/// Draws the effective settings, followed by the unset settings.
pub(crate) fn settings(page: &mut TextPage<'_>, rows: &[SettingRow], unset: &[&SettingDescription], file: &Path) {
    let texts = page.texts();
    for row in rows {
        let origin = match &row.source {
            Some(source) => format!("{} {source}", texts.word("layer", row.layer)),
            None => texts.word("layer", row.layer),
        };
        let value = values::plain(texts, &row.value);
        let style = if row.layer == SettingLayer::Default { PLAIN } else { STRONG };
        page.lead(0, &format!("{} = ", row.key), NAME, style, &value);
        page.paragraph(4, FAINT, &origin);
    }
    page.heading(&texts.get("settings-unset"));
    for setting in unset {
        page.lead(0, &format!("{}  ", setting.key), NAME, PLAIN, &form(texts, setting));
        page.paragraph(4, FAINT, &setting.meaning);
    }
    page.gap();
    page.labelled(0, "settings-file", &file.display().to_string());
}

/// Returns the accepted values of a setting, in words.
fn form(texts: &LocalizedTexts, setting: &SettingDescription) -> String {
    let choices = setting.choices.join(&texts.get("list-comma"));
    let mut words = vec![match setting.form {
        SettingForm::Choice => choices,
        SettingForm::Choices => texts.fill("setting-choices", &[("choices", choices.into())]),
        form => texts.word("setting-form", form),
    }];
    if let Some(most) = setting.maximum {
        words.push(texts.fill("setting-most", &[("most", grouped(most as u64).into())]));
    }
    words.extend(setting.variable.clone());
    words.join(&texts.get("list-semicolon"))
}

/// Draws the path of the written diagnostics, and advice before sending the file.
pub(crate) fn reported(page: &mut TextPage<'_>, path: &Path, bytes: usize) {
    let size = values::size(bytes as u64);
    page.gap();
    page.say(0, STRONG, "report-written", &[("path", path.display().to_string().into()), ("size", size.into())]);
    page.say(0, FAINT, "report-read", &[]);
}

pub(crate) fn checks(page: &mut TextPage<'_>, rows: &[CheckRow]) {
    let texts = page.texts();
    for row in rows {
        let (mark, style) = match row.state {
            CheckState::Ok => ("✓ ", GOOD),
            CheckState::Warning => ("! ", CARE),
            CheckState::Failed => ("✗ ", WRONG),
            CheckState::NotTried => ("· ", FAINT),
        };
        page.lead(0, mark, style, STRONG, &texts.word("check", &row.check));
        let name = row.check.replace('_', "-");
        let arguments = values::arguments(texts, &row.data);
        let advice = match row.data.get("code") {
            Some(code) => {
                let code = values::plain(texts, code);
                let message = row.data.get("message").map(|message| values::plain(texts, message)).unwrap_or_default();
                let failure = FailureRecord { code, message, data: row.data.clone() };
                let worded = FailureText::of(texts, &failure);
                page.paragraph(2, style, &worded.message);
                let hint = worded.hint.filter(|_| row.check == "model");
                hint.or_else(|| texts.find(&format!("advice-{name}"), &arguments))
            }
            None => {
                page.paragraph(2, PLAIN, &texts.fill(&format!("found-{name}"), &arguments));
                match row.state {
                    CheckState::Ok => None,
                    CheckState::NotTried => texts.find(&format!("untried-{name}"), &arguments),
                    CheckState::Warning | CheckState::Failed => texts.find(&format!("advice-{name}"), &arguments),
                }
            }
        };
        if let Some(advice) = advice {
            page.lead(2, "→ ", style, PLAIN, &advice);
        }
    }
}
