//! The data of errors, for the messages of front ends.

use std::collections::BTreeMap;

use qingyu_llm::stack::{Overdraft, Scope};
use serde_json::{Value, json};

use crate::access::limits::ExceededLimit;
use crate::error::Error;

impl Error {
    /// Returns the data of the error, by field name.
    pub fn data(&self) -> BTreeMap<String, Value> {
        let data = match self {
            Self::Remote(failure) => return failure.data.clone(),
            Self::BadRequest { path, message } => json!({"path": path, "message": message}),
            Self::Forbidden { needed } => json!({"needed": needed}),
            Self::NotApprover { run, approver } => json!({"run": run, "approver": approver}),
            Self::RequirementEmpty
            | Self::QuestionEmpty
            | Self::Unauthorized
            | Self::ScheduleKeyInvalid
            | Self::RequestAtWork => json!({}),
            Self::RequestInterrupted { project } => json!({"project": project}),
            Self::Limit(exceeded) => limit(exceeded),
            Self::BadUser { given, reason } => json!({"given": given, "reason": reason}),
            Self::BadKey { reason } => json!({"reason": reason}),
            Self::RequirementTooLong { bytes, limit } => json!({"bytes": bytes, "limit": limit}),
            Self::RequirementControl { position, code_point } => {
                json!({"position": position, "code_point": code_point})
            }
            Self::Unknown { given, known, .. } if known.is_empty() => json!({"given": given}),
            Self::Unknown { given, known, .. } => json!({"given": given, "known": known}),
            Self::NoText { given } => json!({"given": given}),
            Self::Provider(failure) => failure.data(),
            Self::Storage(failure) => failure.data(),
            Self::BadPrompt { name, line, message } => json!({"name": name, "line": line, "message": message}),
            Self::BadManuscript { reason, details, .. } => {
                let mut all = json!({"reason": reason, "place": "", "message": "", "limit": "", "unit": "",
                    "encoding": "", "bad": "", "characters": ""});
                details.iter().for_each(|(name, value)| all[name] = value.clone());
                all
            }
            Self::DifferentText { project, titles } => {
                let first: Vec<&String> = titles.iter().take(6).collect();
                json!({"project": project, "titles": first, "count": titles.len()})
            }
            Self::NoChapters { project, chapters } => json!({"project": project, "chapters": chapters}),
            Self::BadChapterEdit { reason, given, message } => {
                json!({"reason": reason, "given": given, "message": message})
            }
            Self::AmbiguousChapter { given, choices } => {
                json!({"given": given, "choices": choices.join("\n"), "list": choices})
            }
            Self::UnknownVersion { document, version, newest } => {
                json!({"document": document, "version": version, "newest": newest})
            }
            Self::ProjectBinned { project } | Self::ProjectNotBinned { project } => json!({"project": project}),
            Self::SeriesCircle { project } => json!({"project": project}),
            Self::BadPicture { reason } => json!({"reason": reason}),
            Self::UnknownBranch { project, given } => json!({"project": project, "given": given}),
            Self::BadBranch { project, name, reason } => json!({"project": project, "name": name, "reason": reason}),
            Self::BranchConflict { branch, pieces } => json!({"branch": branch, "pieces": pieces}),
            Self::Unwritten { message } => json!({"message": message}),
            Self::NoMirror { project } => json!({"project": project}),
            Self::QuestionTooLong { characters, limit } => json!({"characters": characters, "limit": limit}),
            Self::BadCondition { condition, message } => json!({"condition": condition, "message": message}),
            Self::BadPattern { pattern, marked, message } => {
                json!({"pattern": pattern, "marked": marked, "message": message})
            }
            Self::BadComment { reason, quote, count } => json!({"reason": reason, "quote": quote, "count": count}),
            Self::UnknownCheckpoint { run, checkpoint } => json!({"run": run, "checkpoint": checkpoint}),
            Self::NoReason { finding } => json!({"finding": finding}),
            Self::UnknownChange { project, change, newest } => {
                json!({"project": project, "change": change, "newest": newest})
            }
            Self::ChangedSince { change, piece, by } => json!({"change": change, "piece": piece, "by": by}),
            Self::BadMemory { what, message } => json!({"what": what, "message": message}),
            Self::Conflict { project } => json!({"project": project}),
            Self::Ambiguous { given, matches } => json!({"given": given, "matches": matches}),
            Self::NoModelServer { program } => json!({"program": program}),
            Self::BadCassette { path, message } | Self::BadModelFile { path, message } => {
                json!({"path": path, "message": message})
            }
            Self::NotRecorded { purpose, difference } => json!({"purpose": purpose, "difference": difference}),
            Self::PartsFailed { run, failed, total, message } => {
                json!({"run": run, "failed": failed, "total": total, "message": message})
            }
            Self::NothingToResume { run, project } => json!({"run": run, "project": project}),
            Self::ThreadBusy { run }
            | Self::RunUnfinished { run }
            | Self::NoCassette { run }
            | Self::QuestionChanged { run } => json!({"run": run}),
            Self::Production { source } => source.data(),
            Self::FieldConflict { path, expected, found } => {
                json!({"path": path, "expected": expected, "found": found})
            }
            Self::ChapterChanged { title, expected, found } => {
                json!({"title": title, "expected": expected, "found": found})
            }
            Self::NotWaiting { run, status } => json!({"run": run, "status": status}),
            Self::BadMaterial { path, message } => json!({"path": path, "message": message}),
            Self::BadSettings { layer, source_name, key, message } => {
                json!({"layer": layer, "source": source_name, "key": key, "message": message})
            }
            Self::UnknownModel { model, providers } => json!({"model": model, "providers": providers}),
            Self::ModelNotServed { model, provider, models } => {
                let listed = if models.is_empty() { "no" } else { "yes" };
                json!({"model": model, "provider": provider, "models": models, "listed": listed})
            }
            Self::NoKey { model, provider, variable } => {
                json!({"model": model, "provider": provider, "variable": variable})
            }
            Self::Budget { message, overdraft: Some(over) } => budget(message, over),
            Self::Unclear { part, given, message } => json!({"part": part, "given": given, "message": message}),
            Self::Budget { message, .. } | Self::Internal { message } => json!({"message": message}),
            Self::Overloaded { most, retry_after } => json!({"most": most, "retry_after": retry_after}),
            Self::Stopping { retry_after } => json!({"retry_after": retry_after}),
            Self::Stalled { run, times } => json!({"run": run, "times": times}),
            Self::GraphChanged { run, message } => json!({"run": run, "message": message}),
            Self::Pipeline { node, message } => json!({"node": node, "message": message}),
        };
        let Value::Object(fields) = data else { unreachable!("every arm is an object") };
        fields.into_iter().collect()
    }
}

/// Returns the data of an exceeded limit. Money is in units of the currency.
fn limit(exceeded: &ExceededLimit) -> Value {
    let ExceededLimit { limit, most, currency, uncounted, retry_after } = exceeded;
    let most = amount(*most, currency.as_deref());
    let unit = currency.as_deref().unwrap_or_default();
    json!({"limit": limit, "most": most, "unit": unit, "uncounted": uncounted, "retry_after": retry_after})
}

/// Returns the data of an exhausted budget: the setting to raise, and the suggested value. Money is in units of the
/// currency.
fn budget(message: &str, over: &Overdraft) -> Value {
    /// The factor of the suggested value over the cost of the next call.
    const ROOM: f64 = 1.5;
    let day = over.scope == Scope::Day;
    let setting = match (day, over.currency.is_some()) {
        (false, false) => "budget.tokens",
        (false, true) => "budget.money",
        (true, false) => "budget.per_day_tokens",
        (true, true) => "budget.per_day_money",
    };
    let amount = |count: u64| amount(count, over.currency.as_deref());
    let enough = over.needed() as f64 * ROOM;
    let suggested = match over.currency {
        Some(_) => json!((enough / 1e6 * 100.0).ceil() / 100.0),
        None => json!((enough / 1000.0).ceil() as u64 * 1000),
    };
    json!({
        "message": message,
        "setting": setting,
        "day": day,
        "unit": over.currency.as_deref().unwrap_or("tokens"),
        "limit": amount(over.limit),
        "spent": amount(over.spent),
        "set_aside": amount(over.set_aside),
        "asked": amount(over.asked),
        "suggested": suggested,
    })
}

/// Returns millionths of a currency as units; without a currency, the count itself.
fn amount(count: u64, currency: Option<&str>) -> Value {
    match currency {
        Some(_) => json!(count as f64 / 1e6),
        None => json!(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_says_which_setting_would_have_to_be_raised_to_what() {
        let over = |scope, currency: Option<&str>, limit, spent, asked| {
            let currency = currency.map(str::to_owned);
            let over = Overdraft { scope, currency, limit, spent, set_aside: 0, asked };
            Error::Budget { message: over.to_string(), overdraft: Some(Box::new(over)) }.data()
        };
        let money = over(Scope::Run, Some("CNY"), 5_000_000, 4_980_000, 50_000);
        assert_eq!(
            (&money["setting"], &money["limit"], &money["spent"]),
            (&json!("budget.money"), &json!(5.0), &json!(4.98))
        );
        assert_eq!((&money["asked"], &money["suggested"], &money["unit"]), (&json!(0.05), &json!(7.55), &json!("CNY")));
        let tokens = over(Scope::Day, None, 10_000, 9_000, 2_100);
        assert_eq!((&tokens["setting"], &tokens["suggested"]), (&json!("budget.per_day_tokens"), &json!(17_000)));
    }
}
