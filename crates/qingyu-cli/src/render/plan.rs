//! The plan: the request, a drawing of the steps, and a table of the steps.

use std::collections::BTreeSet;

use qingyu_studio::agents::output::Plan;
use qingyu_studio::agents::plan::{ExecutionPlan, Step};

use super::numbers::grouped;
use super::page::{CARE, FAINT, PLAIN, TextPage};
use super::wrap::{pad, width};

/// Draws a plan; `fallback` is the reason for using the default plan.
pub(crate) fn plan(page: &mut TextPage<'_>, plan: &Plan, fallback: Option<&str>) {
    let texts = page.texts();
    page.heading(&texts.get("plan-title"));
    if let Some(reason) = fallback {
        page.say(2, CARE, "plan-fallback", &[("reason", reason.into())]);
    }
    let analysis = &plan.requirement_analysis;
    let capabilities: Vec<String> =
        analysis.required_capabilities.iter().map(|name| texts.word("capability", name)).collect();
    page.labelled(2, "plan-kind", &texts.word("requirement", analysis.kind));
    page.labelled(2, "plan-complexity", &texts.word("complexity", analysis.complexity));
    page.labelled(2, "plan-capabilities", &capabilities.join(&texts.get("list-comma")));
    page.gap();
    drawing(page, &plan.execution_plan);
    page.gap();
    steps(page, &plan.execution_plan);
    for (number, reason) in plan.reasoning.iter().enumerate() {
        page.lead(2, &format!("{}. ", number + 1), FAINT, FAINT, reason);
    }
}

fn steps(page: &mut TextPage<'_>, plan: &ExecutionPlan) {
    let texts = page.texts();
    let header = ["plan-step", "plan-agent", "plan-task", "plan-depends", "plan-parallel", "plan-tokens"];
    let header = header.map(|key| texts.get(key));
    let rows: Vec<Vec<String>> = plan
        .steps
        .iter()
        .map(|step| {
            let beside: Vec<u32> = plan
                .parallelizable_steps
                .iter()
                .filter(|group| group.contains(&step.step_id))
                .flatten()
                .copied()
                .filter(|other| *other != step.step_id)
                .collect();
            vec![
                step.step_id.to_string(),
                texts.word("agent", &step.agent),
                step.task_description.clone(),
                numbers(&step.dependencies),
                numbers(&beside),
                grouped(step.estimated_tokens),
            ]
        })
        .collect();
    page.table(&header, &rows, &[0, 5], &[]);
    let path = plan.critical_path.iter().map(u32::to_string).collect::<Vec<_>>().join(" → ");
    let total = grouped(plan.total_estimated_tokens);
    page.say(2, PLAIN, "plan-total", &[("tokens", total.into()), ("path", path.into())]);
}

/// Formats step numbers: `1, 2`, and `1–5` for three or more consecutive numbers.
fn numbers(ids: &[u32]) -> String {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let rows: Vec<String> = ids
        .chunk_by(|a, b| a + 1 == *b)
        .map(|row| match row {
            [first, _, .., last] => format!("{first}–{last}"),
            few => few.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
        })
        .collect();
    if rows.is_empty() { "–".to_owned() } else { rows.join(", ") }
}

/// Draws the steps by levels: the steps of a column may run concurrently and depend on steps of the previous column.
fn drawing(page: &mut TextPage<'_>, plan: &ExecutionPlan) {
    let texts = page.texts();
    let levels: Vec<Vec<String>> = levels(&plan.steps)
        .into_iter()
        .map(|level| {
            level.into_iter().map(|step| format!("{} {}", step.step_id, texts.word("agent", &step.agent))).collect()
        })
        .collect();
    let lines = columns(&levels);
    if lines.iter().all(|line| width(line) + 2 <= page.width()) {
        for line in lines {
            page.line(format!("  {line}").trim_end());
        }
        return;
    }
    for (number, level) in levels.iter().enumerate() {
        let lead = if number == 0 { "   " } else { "→  " };
        page.lead(2, lead, PLAIN, PLAIN, &level.join(" ∥ "));
    }
}

/// Groups the steps by the length of their longest dependency chain; steps in a cycle are last.
fn levels(steps: &[Step]) -> Vec<Vec<&Step>> {
    let mut placed: BTreeSet<u32> = BTreeSet::new();
    let known: BTreeSet<u32> = steps.iter().map(|step| step.step_id).collect();
    let mut waiting: Vec<&Step> = steps.iter().collect();
    let mut levels = Vec::new();
    while !waiting.is_empty() {
        let (ready, blocked): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|step| {
            step.dependencies.iter().all(|needed| placed.contains(needed) || !known.contains(needed))
        });
        if ready.is_empty() {
            levels.push(blocked);
            break;
        }
        placed.extend(ready.iter().map(|step| step.step_id));
        levels.push(ready);
        waiting = blocked;
    }
    levels
}

/// Returns the lines of columns of names, each connected to the next column.
fn columns(levels: &[Vec<String>]) -> Vec<String> {
    let height = levels.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![String::new(); height];
    for (number, level) in levels.iter().enumerate() {
        let widest = level.iter().map(|name| width(name)).max().unwrap_or(0);
        let next = levels.get(number + 1).map(Vec::len);
        for (row, line) in lines.iter_mut().enumerate() {
            match level.get(row) {
                Some(name) if next.is_some() => {
                    line.push_str(name);
                    line.push(' ');
                    line.push_str(&"─".repeat(widest - width(name)));
                }
                Some(name) => line.push_str(name),
                None => line.push_str(&pad("", widest + 1)),
            }
            if let Some(next) = next {
                line.push_str(&bus(row, level.len(), next));
            }
        }
    }
    lines
}

/// Returns a row of the connector between a column of `left` names and a column of `right` names.
fn bus(row: usize, left: usize, right: usize) -> String {
    let height = left.max(right);
    let (from, to) = (row < left, row < right);
    let (up, down) = (row > 0 && row < height, row + 1 < height);
    let joint = match (up, down, from, to) {
        (false, false, true, true) => "─",
        (false, true, true, true) => "┬",
        (true, true, true, true) => "┼",
        (true, false, true, true) => "┴",
        (true, true, true, false) => "┤",
        (true, true, false, true) => "├",
        (true, false, true, false) => "┘",
        (true, false, false, true) => "└",
        _ => " ",
    };
    format!("{}{joint}{}", if from { "─" } else { " " }, if to { "─▶ " } else { "   " })
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_in_a_row_are_a_span() {
        let cases: [(&[u32], &str); 5] =
            [(&[], "–"), (&[2], "2"), (&[2, 1], "1, 2"), (&[1, 2, 3, 4, 5], "1–5"), (&[1, 3, 4, 5, 9], "1, 3–5, 9")];
        for (ids, expected) in cases {
            assert_eq!(numbers(ids), expected);
        }
    }
}
