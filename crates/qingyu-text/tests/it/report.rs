use std::sync::LazyLock;

use qingyu_story::{Language, Prose, Severity};
use qingyu_text::compliance::InspectedChapter;
use qingyu_text::report::{Review, ReviewRequest, Reviewer, Verdict};
use qingyu_text::{ComparisonLibrary, Error, Level};

static REVIEWER: LazyLock<Reviewer> = LazyLock::new(Reviewer::default);

fn review(
    text: &str,
    level: Option<Level>,
    platform: Option<&str>,
    library: Option<&ComparisonLibrary>,
) -> Result<Review, Error> {
    let prose = Prose::of(text);
    let chapter = InspectedChapter { title: None, text, prose: &prose };
    REVIEWER.review(&ReviewRequest { chapter, level, platform, library, except: &["self"], language: Language::Zh })
}

/// Prose without fault of some length.
fn prose() -> String {
    (0..60).map(|number| format!("第{number}盏灯亮了，她沿着石阶往下走，数到{number}就停。\n")).collect()
}

#[test]
fn the_verdict_follows_the_level() {
    let text = format!("{}他说自己不想活了。", prose());
    let verdict = |level| review(&text, level, None, None).unwrap().verdict;
    assert_eq!(review(&prose(), None, None, None).unwrap().verdict, Verdict::Clean);
    assert_eq!(verdict(Some(Level::Loose)), Verdict::Clean);
    assert_eq!(verdict(Some(Level::Standard)), Verdict::Clean);
    assert_eq!(verdict(Some(Level::Strict)), Verdict::Failed);
    let critical = format!("{}加我微信：abc_12345。", prose());
    let found = review(&critical, Some(Level::Loose), None, None).unwrap();
    assert_eq!((found.verdict, found.counts.get(&Severity::Critical)), (Verdict::Failed, Some(&1)));
    assert!(found.must_be_mended());
}

#[test]
fn the_platform_sets_the_level_where_none_is_given() {
    let text = prose();
    assert_eq!(review(&text, None, Some("fanqie"), None).unwrap().level, Level::Strict);
    let found = review(&text, None, Some("起点中文网"), None).unwrap();
    assert_eq!((found.platform.as_str(), found.level), ("qidian", Level::Standard));
    assert_eq!(found.compliance.iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>(), ["QC103"]);
    assert_eq!(found.verdict, Verdict::Passed);
    assert!(matches!(review(&text, None, Some("?"), None), Err(Error::UnknownPlatform { .. })));
}

#[test]
fn a_copied_text_fails_and_its_own_earlier_state_does_not() {
    let text = prose();
    let mut library = ComparisonLibrary::default();
    assert_eq!(review(&text, None, None, Some(&library)).unwrap().originality, None);
    library.insert("self", &text);
    assert_eq!(review(&text, None, None, Some(&library)).unwrap().verdict, Verdict::Clean);
    library.insert("other", &text);
    let found = review(&text, None, None, Some(&library)).unwrap();
    assert_eq!(found.originality.as_ref().map(|originality| originality.share), Some(1.0));
    assert_eq!(found.verdict, Verdict::Failed);
    let json = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Review>(&json).unwrap(), found);
}
