//! The next node after a review. Pure.

use qingyu_story::Severity;
use qingyu_text::ShortfallKind;

use super::config::WritingConfig;
use super::review::{ChapterFinding, Verdict};
use super::task::WritingTask;

/// The route of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChapterRoute {
    /// Accept the chapter.
    Finalize,
    /// Accept the chapter despite a failed review: no retries are left.
    Force,
    /// Fix places of the chapter.
    Mend,
    /// Write the chapter again.
    Rewrite,
    /// Plan the chapter again.
    Restart,
    /// Ask a person: the chapter is below the floor, and no retries are left.
    AskAuthor,
    /// Handle a missing review.
    Unread,
}

/// The changes allowed beside fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditScope {
    /// The chapter may be planned and written again.
    All,
    /// The text is the author's: only places may be fixed.
    PlacesOnly,
}

impl EditScope {
    /// Returns the changes that a task allows.
    pub(crate) fn of(task: &WritingTask) -> Self {
        if matches!(task, WritingTask::Correct { .. }) { Self::PlacesOnly } else { Self::All }
    }
}

/// Maximum number of retries of a chapter that is good enough: a fix that is only half done is continued once.
const MENDS: u32 = 2;

/// Returns the route of a chapter after `verdict`.
pub(crate) fn after_review(
    verdict: &Verdict,
    retries: (u32, u32),
    freedom: EditScope,
    config: &WritingConfig,
) -> ChapterRoute {
    let (done, most) = retries;
    let can_be_mended = verdict.open().any(|finding| !finding.quote.is_empty());
    // A requested correction goes on as long as something is to be mended.
    let (is_good, mends) = match freedom {
        EditScope::All => (verdict.is_usable(), most.min(MENDS)),
        EditScope::PlacesOnly => (verdict.passed, most),
    };
    let is_bad = |severity: Severity| severity >= Severity::High;
    let only_elsewhere =
        verdict.open().filter(|finding| is_bad(finding.severity)).all(|finding| finding.quote.is_empty());
    match verdict {
        // Findings with an exact quote and a remedy are fixed, however good the rest is.
        _ if is_good && done < mends && verdict.has_mendable() => ChapterRoute::Mend,
        _ if is_good => ChapterRoute::Finalize,
        Verdict { shortfalls, .. } if !shortfalls.is_empty() => match done >= most {
            true => ChapterRoute::AskAuthor,
            // A sentence of chatter can be removed from the prose; any other shortfall means the chapter is missing.
            false if shortfalls.iter().all(|shortfall| shortfall.kind == ShortfallKind::Talk) => ChapterRoute::Mend,
            false => ChapterRoute::Rewrite,
        },
        _ if done >= most => ChapterRoute::Force,
        Verdict { read: false, .. } => ChapterRoute::Unread,
        _ if freedom == EditScope::PlacesOnly => {
            let is_worth_it = |finding: &&ChapterFinding| finding.severity >= Severity::Medium;
            if verdict.open().filter(is_worth_it).any(|finding| !finding.quote.is_empty()) {
                ChapterRoute::Mend
            } else {
                ChapterRoute::Force
            }
        }
        Verdict { score, .. } if *score < config.restart_below => ChapterRoute::Restart,
        Verdict { score, .. } if *score < config.rewrite_below || !can_be_mended => ChapterRoute::Rewrite,
        _ if only_elsewhere && verdict.open().any(|finding| is_bad(finding.severity)) => ChapterRoute::Rewrite,
        _ => ChapterRoute::Mend,
    }
}

#[cfg(test)]
mod tests {
    use qingyu_text::Shortfall;

    use super::*;

    fn verdict(score: u8, quotes: &[(Severity, &str)]) -> Verdict {
        let findings = quotes.iter().map(|(severity, quote)| ChapterFinding {
            severity: *severity,
            quote: (*quote).into(),
            fix: "删去".into(),
            ..Default::default()
        });
        Verdict { score, read: true, findings: findings.collect(), ..Verdict::default() }
    }

    #[test]
    fn every_way_has_its_condition() {
        let config = WritingConfig::default();
        let way = |verdict: &Verdict, done, freedom| after_review(verdict, (done, 3), freedom, &config);
        let quoted = [(Severity::High, "雨停了。")];
        let cases = [
            (Verdict { passed: true, ..verdict(90, &[]) }, 3, ChapterRoute::Finalize),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 0, ChapterRoute::Mend),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 1, ChapterRoute::Mend),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 2, ChapterRoute::Finalize),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Low, "雨停了。")]) }, 0, ChapterRoute::Finalize),
            (Verdict { usable: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 0, ChapterRoute::Mend),
            (Verdict { usable: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 2, ChapterRoute::Finalize),
            (verdict(65, &quoted), 3, ChapterRoute::Force),
            (verdict(10, &quoted), 3, ChapterRoute::Force),
            (Verdict { read: false, ..verdict(0, &[]) }, 0, ChapterRoute::Unread),
            (verdict(39, &quoted), 0, ChapterRoute::Restart),
            (verdict(40, &quoted), 0, ChapterRoute::Rewrite),
            (verdict(59, &quoted), 0, ChapterRoute::Rewrite),
            (verdict(60, &quoted), 0, ChapterRoute::Mend),
            (verdict(90, &quoted), 2, ChapterRoute::Mend),
            (verdict(65, &[]), 0, ChapterRoute::Rewrite),
            (verdict(90, &[(Severity::High, ""), (Severity::Low, "雨停了。")]), 0, ChapterRoute::Rewrite),
        ];
        for (verdict, done, expected) in cases {
            assert_eq!(way(&verdict, done, EditScope::All), expected, "{verdict:?} after {done}");
        }
        assert_eq!(
            way(&verdict(10, &quoted), 0, EditScope::PlacesOnly),
            ChapterRoute::Mend,
            "the author's text is not thrown away"
        );
        assert_eq!(way(&verdict(10, &[]), 0, EditScope::PlacesOnly), ChapterRoute::Force);
        let usable = Verdict { usable: true, ..verdict(88, &[(Severity::Medium, "雨停了。")]) };
        assert_eq!(way(&usable, 2, EditScope::PlacesOnly), ChapterRoute::Mend, "a correction goes on");
        assert_eq!(way(&usable, 3, EditScope::PlacesOnly), ChapterRoute::Force, "what is open has not passed");
        let below =
            |kind| Verdict { shortfalls: vec![Shortfall { kind, ..Shortfall::default() }], ..verdict(90, &quoted) };
        assert_eq!(way(&below(ShortfallKind::Length), 2, EditScope::All), ChapterRoute::Rewrite);
        assert_eq!(
            way(&below(ShortfallKind::Length), 3, EditScope::All),
            ChapterRoute::AskAuthor,
            "it is never forced"
        );
        assert_eq!(way(&below(ShortfallKind::Talk), 2, EditScope::All), ChapterRoute::Mend);
    }
}
