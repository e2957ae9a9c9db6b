//! Ladders, and the panels of characters.

use qingyu_studio::story::truth::{CharacterPanel, PanelRow};
use qingyu_studio::story::{Ladder, LadderStep, Mode, StepCost, with_unit};
use serde_json::Value;

use super::page::{CARE, FAINT, NAME, PLAIN, STRONG, TextPage};
use super::report::kind_of;

/// Draws each ladder with its steps from the lowest to the highest.
pub(crate) fn ladders(page: &mut TextPage<'_>, ladders: &[Ladder]) {
    page.heading(&page.texts().get("ladders-title"));
    for ladder in ladders {
        page.gap();
        page.paragraph(2, STRONG, &titled(page, &ladder.name, &ladder.alias));
        page.paragraph(4, PLAIN, &ladder.description);
        if ladder.steps.is_empty() {
            page.say(4, FAINT, "ladder-of-numbers", &[]);
        }
        for (number, step) in ladder.steps.iter().enumerate() {
            let name = titled(page, &step.name, &step.alias);
            page.lead(4, &format!("{}. ", number + 1), FAINT, NAME, &name);
            page.labelled(7, "ladder-condition", &step.condition);
            page.labelled(7, "ladder-cost", &costs(page, step));
            page.labelled(7, "ladder-lifetime", &step.lifetime);
        }
        if ladder.may_skip {
            page.say(4, FAINT, "ladder-may-skip", &[]);
        }
        if ladder.upset_limit > 0 {
            page.say(4, FAINT, "ladder-upset-limit", &[("count", ladder.upset_limit.into())]);
        }
    }
}

fn titled(page: &TextPage<'_>, name: &str, alias: &[String]) -> String {
    let comma = page.texts().get("list-comma");
    match alias.is_empty() {
        true => name.to_owned(),
        false => format!("{name}{}", page.texts().fill("also-called", &[("names", alias.join(&comma).into())])),
    }
}

fn costs(page: &TextPage<'_>, step: &LadderStep) -> String {
    let cost = step.costs.iter().map(|StepCost { what, amount }| match amount {
        0 => what.clone(),
        amount => format!("{what} {amount}"),
    });
    cost.collect::<Vec<_>>().join(&page.texts().get("list-comma"))
}

/// Draws the panel of each character, each row with the sentences that say so.
pub(crate) fn panels(page: &mut TextPage<'_>, panels: &[CharacterPanel]) {
    if panels.is_empty() {
        return page.say(0, FAINT, "panels-none", &[]);
    }
    for panel in panels {
        page.heading(&panel.who);
        let mut kind = None;
        for row in &panel.rows {
            if kind.replace(row.kind) != Some(row.kind) {
                page.paragraph(2, STRONG, &page.texts().word("panel-rows", row.kind));
            }
            draw(page, row);
        }
    }
}

fn draw(page: &mut TextPage<'_>, row: &PanelRow) {
    let texts = page.texts();
    let value = match &row.value {
        Value::String(text) => text.clone(),
        value => with_unit(&value.to_string(), &row.unit),
    };
    page.lead(4, &format!("{}  ", row.key), NAME, PLAIN, &value);
    if row.mode != Mode::Narrated {
        page.paragraph(6, CARE, &texts.word("mode", row.mode));
    }
    for says in &row.says {
        let quote = texts.fill("quote", &[("text", says.quote.clone().into())]);
        page.lead(6, "▸ ", NAME, FAINT, format!("{quote}  {}", kind_of(texts, &says.anchor)).trim_end());
    }
}
