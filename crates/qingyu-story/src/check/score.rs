//! The quality score of a story.

use std::collections::BTreeMap;

use crate::report::{Issue, Severity};

/// Returns the cost of an issue in [`score`].
pub fn penalty(severity: Severity) -> u32 {
    match severity {
        Severity::Critical => 30,
        Severity::High => 15,
        Severity::Medium => 6,
        Severity::Low => 2,
    }
}

/// Returns the quality score of `issues`: 100 minus the [`penalty`] of each, at least 0.
///
/// Waived issues cost nothing. All issues of one rule together cost at most 40, so that a slip repeated in fifty places
/// does not hide everything else. Issues without a rule are counted individually.
pub fn score<'i>(issues: impl IntoIterator<Item = &'i Issue>) -> u8 {
    let open = issues.into_iter().filter(|issue| issue.waived.is_none());
    score_of(open.map(|issue| (issue.code.as_deref(), issue.severity)))
}

/// Same as [`score`], of unwaived findings by the code of their rule and their severity.
pub fn score_of<'c>(findings: impl IntoIterator<Item = (Option<&'c str>, Severity)>) -> u8 {
    const MOST_PER_RULE: u32 = 40;
    let mut per_rule: BTreeMap<&str, u32> = BTreeMap::new();
    let mut total = 0;
    for (code, severity) in findings {
        match code {
            Some(code) => *per_rule.entry(code).or_default() += penalty(severity),
            None => total += penalty(severity),
        }
    }
    total += per_rule.into_values().map(|sum| sum.min(MOST_PER_RULE)).sum::<u32>();
    u8::try_from(100_u32.saturating_sub(total)).expect("at most 100")
}
