//! Where a chapter goes from its review. Pure.

use qingyu_story::Severity;
use qingyu_text::ShortfallKind;

use super::config::WritingConfig;
use super::review::Verdict;

/// Where a chapter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is taken.
    Finalize,
    /// It is taken although it did not pass: the retries are used up.
    Force,
    /// Its places are mended.
    Mend,
    /// It is written again.
    Rewrite,
    /// It is understood again first.
    Restart,
    /// It is below the floor and the retries are used up: a person decides.
    AskAuthor,
    /// There is no review to go by.
    Unread,
}

/// What may be done with a chapter beside mending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freedom {
    /// It may be planned and written again.
    All,
    /// It is the author's text: only places of it may be mended.
    PlacesOnly,
}

/// Where a chapter goes after that review.
pub(crate) fn after_review(verdict: &Verdict, retries: (u32, u32), freedom: Freedom, config: &WritingConfig) -> Way {
    let (done, most) = retries;
    let can_be_mended = verdict.findings.iter().any(|finding| !finding.quote.is_empty());
    let is_bad = |severity: Severity| severity >= Severity::High;
    let only_elsewhere =
        verdict.findings.iter().filter(|finding| is_bad(finding.severity)).all(|finding| finding.quote.is_empty());
    match verdict {
        // What is named exactly and with its remedy is mended once, however good the rest is.
        Verdict { passed: true, .. } if done == 0 && most > 0 && verdict.has_mendable() => Way::Mend,
        Verdict { passed: true, .. } => Way::Finalize,
        Verdict { shortfalls, .. } if !shortfalls.is_empty() => match done >= most {
            true => Way::AskAuthor,
            // A sentence amid the prose can be taken out; everything else means that there is no chapter yet.
            false if shortfalls.iter().all(|shortfall| shortfall.kind == ShortfallKind::Talk) => Way::Mend,
            false => Way::Rewrite,
        },
        _ if done >= most => Way::Force,
        Verdict { read: false, .. } => Way::Unread,
        _ if freedom == Freedom::PlacesOnly => {
            if can_be_mended {
                Way::Mend
            } else {
                Way::Force
            }
        }
        Verdict { score, .. } if *score < config.restart_below => Way::Restart,
        Verdict { score, .. } if *score < config.rewrite_below || !can_be_mended => Way::Rewrite,
        _ if only_elsewhere && verdict.findings.iter().any(|finding| is_bad(finding.severity)) => Way::Rewrite,
        _ => Way::Mend,
    }
}

#[cfg(test)]
mod tests {
    use qingyu_text::Shortfall;

    use super::*;
    use crate::writing::review::ChapterFinding;

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
            (Verdict { passed: true, ..verdict(90, &[]) }, 3, Way::Finalize),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 0, Way::Mend),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Medium, "雨停了。")]) }, 1, Way::Finalize),
            (Verdict { passed: true, ..verdict(83, &[(Severity::Low, "雨停了。")]) }, 0, Way::Finalize),
            (verdict(65, &quoted), 3, Way::Force),
            (verdict(10, &quoted), 3, Way::Force),
            (Verdict { read: false, ..verdict(0, &[]) }, 0, Way::Unread),
            (verdict(39, &quoted), 0, Way::Restart),
            (verdict(40, &quoted), 0, Way::Rewrite),
            (verdict(59, &quoted), 0, Way::Rewrite),
            (verdict(60, &quoted), 0, Way::Mend),
            (verdict(90, &quoted), 2, Way::Mend),
            (verdict(65, &[]), 0, Way::Rewrite),
            (verdict(90, &[(Severity::High, ""), (Severity::Low, "雨停了。")]), 0, Way::Rewrite),
        ];
        for (verdict, done, expected) in cases {
            assert_eq!(way(&verdict, done, Freedom::All), expected, "{verdict:?} after {done}");
        }
        assert_eq!(
            way(&verdict(10, &quoted), 0, Freedom::PlacesOnly),
            Way::Mend,
            "the author's text is not thrown away"
        );
        assert_eq!(way(&verdict(10, &[]), 0, Freedom::PlacesOnly), Way::Force);
        let below =
            |kind| Verdict { shortfalls: vec![Shortfall { kind, ..Shortfall::default() }], ..verdict(90, &quoted) };
        assert_eq!(way(&below(ShortfallKind::Length), 2, Freedom::All), Way::Rewrite);
        assert_eq!(way(&below(ShortfallKind::Length), 3, Freedom::All), Way::AskAuthor, "it is never forced");
        assert_eq!(way(&below(ShortfallKind::Talk), 2, Freedom::All), Way::Mend);
    }
}
