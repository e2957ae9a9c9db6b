//! Findings about chapters, in a review and at the end of a run.

use std::path::Path;
use std::time::Duration;

use qingyu_studio::agents::progress::ChapterStep;
use qingyu_studio::agents::writing::AcceptedChapter;
use qingyu_studio::agents::writing::review::{ChapterFinding, HeldReason, Verdict};
use qingyu_studio::story::Language;
use qingyu_studio::{BookOutput, Outcome, RunOutput, RunStatus};

use super::{draw, outcome, text};
use crate::render::ending::EndingContext;

/// A correction has nothing to do about findings that only the author can settle, and does not show them twice in full.
#[test]
fn what_the_author_must_decide_is_not_to_be_corrected() {
    let disputed = Some(HeldReason::Disputed { why: text("两处都是五十五岁。") });
    for (held, changed, corrects, waives) in
        [(None, true, true, false), (disputed.clone(), true, false, true), (disputed, false, false, true)]
    {
        let finding = ChapterFinding {
            id: text("QY316-1"),
            code: Some(text("QY316")),
            title: text("和计划不同"),
            quote: text("雨停了。"),
            why: text("计划是“有罗小川”"),
            held,
            ..ChapterFinding::default()
        };
        let row = AcceptedChapter { chapter: 1, changed, findings: vec![finding], ..AcceptedChapter::default() };
        let made = RunOutput::Book(Box::new(BookOutput { chapters: vec![row], ..BookOutput::default() }));
        let ended = Outcome { made, ..outcome(RunStatus::Done) };
        let around = EndingContext { data_folder: Path::new("/home/me"), elapsed: Duration::ZERO, is_complete: true };
        for language in [Language::Zh, Language::En] {
            let drawn = draw(language, 120, |page| crate::render::ending::ending(page, &ended, &around));
            assert_eq!(drawn.contains("qingyu correct"), corrects, "{drawn}");
            assert_eq!(drawn.contains("waive 0193f1c2 QY316-1 --reason"), waives, "{drawn}");
            assert!(drawn.contains("和计划不同"), "{drawn}");
            assert_eq!(drawn.contains("雨停了"), changed, "{drawn}");
            assert!(drawn.contains("有罗小川"), "{drawn}");
        }
    }
}

/// Several differences of one event are one entry, each with what differs.
#[test]
fn the_differences_of_an_event_stand_together() {
    let finding = |title: &str, why: &str| ChapterFinding {
        code: Some(text("QY316")),
        title: text(title),
        quote: text("雨停了。"),
        why: text(why),
        held: Some(HeldReason::ToldOtherwise),
        ..ChapterFinding::default()
    };
    let findings = vec![finding("说破", "计划有罗小川"), finding("归还", "计划在渡口"), finding("说破", "计划在码头")];
    let step = ChapterStep::Reviewed { verdict: Box::new(Verdict { findings, ..Verdict::default() }) };
    let drawn = draw(Language::Zh, 80, |page| crate::render::chapters::step(page, 1, "", &step));
    assert_eq!((drawn.matches("说破").count(), drawn.matches("雨停了。").count()), (1, 2), "{drawn}");
    for why in ["计划有罗小川", "计划在渡口", "计划在码头"] {
        assert!(drawn.contains(why), "{drawn}");
    }
}
