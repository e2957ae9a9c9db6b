use super::*;

const DRAFT: &str = "雨停了。林青的蓝眼睛看着港口。“船呢？”他问。没有人回答。";

fn issue(dimension: Dimension, severity: Severity, quote: &str) -> ChapterIssue {
    ChapterIssue {
        dimension, severity, quote: quote.into(), title: "眼睛的颜色变了".into(), ..Default::default()
    }
}

fn review(score: u8, issues: Vec<ChapterIssue>) -> ChapterReview {
    let verdict = |dimension: Dimension| {
        let broken = issues.iter().any(|issue| issue.dimension == dimension);
        let verdict = if broken { Holds::Broken } else { Holds::Holds };
        DimensionVerdict { dimension, verdict, note: String::new() }
    };
    ChapterReview { score, verdicts: Dimension::ALL.map(verdict).to_vec(), issues, ..Default::default() }
}

fn judged(review: Option<ChapterReview>) -> ReviewInput<'static> {
    ReviewInput { review, is_asked: true, draft: DRAFT, pass: 70, ..ReviewInput::default() }
}

#[test]
fn text_against_plan_is_a_choice_and_text_against_text_is_not() {
    let of = |code: &str| ChapterFinding { code: Some(code.into()), ..ChapterFinding::default() };
    assert!(of("QY316").is_choice());
    assert!(!of("QY314").is_choice() && !ChapterFinding::default().is_choice());
}

#[test]
fn a_chapter_passes_by_score_and_without_anything_bad() {
    let low = issue(Dimension::Style, Severity::Low, "雨停了。");
    let high = issue(Dimension::Character, Severity::High, "林青的蓝眼睛看着港口。");
    let rule =
        |severity| ChapterFinding { id: "QY408-1".into(), code: Some("QY408".into()), severity, ..Default::default() };
    let passed = |score, issues, rules| {
        let judged = ReviewInput { rules, ..judged(Some(review(score, issues))) };
        conclude(judged).0.passed
    };
    assert!(!passed(70, vec![low.clone()], vec![]), "the reviewer says that the style is broken");
    assert!(!passed(69, vec![], vec![]), "the score is too low");
    assert!(!passed(95, vec![high], vec![]), "something high is open");
    assert!(!passed(95, vec![], vec![rule(Severity::High)]), "a rule found something high");
    assert!(!passed(95, vec![], vec![rule(Severity::Medium)]), "a rule found something that should be mended");
    assert!(passed(95, vec![], vec![rule(Severity::Low)]), "what could merely be better does not count");
}

#[test]
fn a_usable_chapter_need_not_pass() {
    let of = |severity| {
        let rule = ChapterFinding { id: "QY314-1".into(), code: Some("QY314".into()), severity, ..Default::default() };
        let verdict = conclude(ReviewInput { rules: vec![rule], ..judged(Some(review(88, vec![]))) }).0;
        (verdict.passed, verdict.usable)
    };
    assert_eq!(of(Severity::Medium), (false, true), "it is taken, and says that something is open");
    assert_eq!(of(Severity::High), (false, false));
    let broken = conclude(judged(Some(review(84, vec![issue(Dimension::Continuity, Severity::Low, "雨停了。")])))).0;
    assert_eq!((broken.passed, broken.usable), (false, true), "a broken dimension does not pass");
    let mut below = conclude(judged(Some(review(84, vec![])))).0;
    assert!(below.passed);
    below.shortfalls = vec![Shortfall::default()];
    below.decide(70, true);
    assert_eq!((below.passed, below.usable), (false, false), "it falls short of being a chapter");
}

#[test]
fn what_an_agent_disputes_is_left_to_the_author_and_kept_with_its_reason() {
    let rule = ChapterFinding {
        id: "QY314-1".into(),
        code: Some("QY314".into()),
        severity: Severity::Medium,
        quote: "雨停了。".into(),
        ..Default::default()
    };
    let (mut verdict, _) = conclude(ReviewInput { rules: vec![rule.clone()], ..judged(Some(review(88, vec![]))) });
    verdict.findings[0].held = Some(HeldReason::Disputed { why: "两处都是五十五岁".into() });
    let again = ReviewInput { rules: vec![rule], earlier: Some((&verdict, DRAFT)), ..judged(Some(review(88, vec![]))) };
    let (verdict, _) = conclude(again);
    assert_eq!((verdict.open().count(), verdict.passed), (0, true), "it is not put again");
    assert_eq!(verdict.score, 88);
    let kept =
        Dispute { finding: "QY314-1".into(), quote: "雨停了。".into(), reason: "两处都是五十五岁".into() };
    assert_eq!(verdict.disputes().collect::<Vec<_>>(), [kept]);
}

#[test]
fn findings_of_rules_cost_as_much_as_in_a_check() {
    let rule = |id: &str, code: &str, held: Option<HeldReason>| ChapterFinding {
        id: id.into(),
        code: Some(code.into()),
        severity: Severity::Medium,
        held,
        ..Default::default()
    };
    let verdict = |rules| conclude(ReviewInput { rules, is_asked: false, ..judged(None) }).0;
    let of_plan = verdict(vec![rule("QY316-1", TOLD_OTHERWISE, Some(HeldReason::ToldOtherwise))]);
    assert_eq!((of_plan.score, of_plan.passed, of_plan.open().count()), (94, true, 0), "the author decides");
    let many = (0..9).map(|number| rule(&format!("QS031-{number}"), "QS031", None)).collect();
    assert_eq!(verdict(many).score, 60, "one rule costs 40 at most");
    let instruction = HeldReason::Instruction {
        instruction: "保持原样".into(),
        passage: String::new(),
        kind: InstructionKind::Request,
    };
    let asked = verdict(vec![rule("QY002-1", "QY002", Some(instruction))]);
    assert_eq!((asked.score, asked.passed), (94, true), "a finding that the author decides is no full score");
    let outside = rule("QS031-1", "QS031", Some(HeldReason::OutsidePart));
    assert_eq!(verdict(vec![outside]).score, 100, "it is not of the part");
}

#[test]
fn what_cannot_be_read_does_not_pass() {
    let (verdict, _) = conclude(judged(None));
    assert_eq!((verdict.passed, verdict.read, verdict.score), (false, false, 0));
    let (verdict, _) = conclude(ReviewInput { is_asked: false, ..judged(None) });
    assert_eq!((verdict.passed, verdict.read, verdict.score), (true, true, 100), "nobody was asked, the rules decide");
}

#[test]
fn an_issue_must_quote_the_chapter() {
    let invented = issue(Dimension::Logic, Severity::High, "他忽然飞了起来，落在屋顶上。");
    let answer = review(80, vec![invented]);
    assert_eq!(problems(&answer, DRAFT, Language::Zh).len(), 1);
    let (verdict, dropped) = conclude(judged(Some(answer)));
    assert!(verdict.passed);
    assert_eq!(dropped, [("眼睛的颜色变了".to_owned(), DropReason::QuotesNothing)]);
    // Different marks and spaces do not make different words.
    let near = issue(Dimension::Character, Severity::High, "林青的蓝眼睛 看着港口");
    let (verdict, _) = conclude(judged(Some(review(80, vec![near]))));
    assert_eq!(verdict.findings[0].quote, "林青的蓝眼睛看着港口。");
}

#[test]
fn the_checklist_is_forced() {
    let mut answer = review(80, vec![]);
    answer.verdicts.pop();
    answer.verdicts[0].verdict = Holds::Broken;
    answer.verdicts.push(answer.verdicts[1].clone());
    assert_eq!(
        problems(&answer, DRAFT, Language::En),
        [
            "`task` is broken, but no issue shows it",
            "verdicts has several for `setting`",
            "verdicts has none for `style`"
        ]
    );
}

#[test]
fn ids_follow_the_words_that_show_it() {
    let first = issue(Dimension::Character, Severity::High, "林青的蓝眼睛看着港口。");
    let again = ChapterIssue { title: "另一种说法".into(), ..first.clone() };
    let id = |issue| conclude(judged(Some(review(50, vec![issue])))).0.findings[0].id.clone();
    assert_eq!(id(first.clone()), id(again));
    assert_ne!(id(first.clone()), id(ChapterIssue { dimension: Dimension::Logic, ..first }));
}

#[test]
fn what_passed_is_not_opened_again_without_new_evidence() {
    let (earlier, _) =
        conclude(judged(Some(review(60, vec![issue(Dimension::Logic, Severity::High, "没有人回答。")]))));
    let reopened = issue(Dimension::Character, Severity::High, "林青的蓝眼睛看着港口。");
    let known = issue(Dimension::Logic, Severity::High, "没有人回答。");
    let later =
        ReviewInput { earlier: Some((&earlier, DRAFT)), ..judged(Some(review(80, vec![reopened.clone(), known]))) };
    let (verdict, dropped) = conclude(later);
    assert_eq!(dropped, [(reopened.title.clone(), DropReason::PassedBefore)]);
    assert_eq!(verdict.findings.len(), 1, "what was open stays open");
    let changed = "雨停了。林青看着港口。“船呢？”他问。没有人回答。";
    let later = ReviewInput { earlier: Some((&earlier, changed)), ..judged(Some(review(80, vec![reopened]))) };
    assert_eq!(conclude(later).0.findings.len(), 1, "words that are new are new evidence");
}

#[test]
fn what_would_undo_the_author_s_words_is_held_in_every_round() {
    let asked = [AuthorInstruction { text: "眼睛改成蓝色".into(), ..AuthorInstruction::default() }];
    let against =
        ChapterIssue { asked: 1, ..issue(Dimension::Continuity, Severity::High, "林青的蓝眼睛看着港口。") };
    let first = ReviewInput { asked: &asked, ..judged(Some(review(55, vec![against.clone()]))) };
    let (verdict, _) = conclude(first);
    let held = Some(HeldReason::Instruction {
        instruction: "眼睛改成蓝色".into(),
        passage: String::new(),
        kind: InstructionKind::Request,
    });
    assert_eq!((verdict.findings[0].held.clone(), verdict.passed), (held.clone(), true), "the author decides");
    assert!(!verdict.has_mendable());
    let forgotten = ChapterIssue { asked: 0, ..against };
    let second = ReviewInput { earlier: Some((&verdict, "")), ..judged(Some(review(55, vec![forgotten]))) };
    assert_eq!(conclude(second).0.findings[0].held, held, "an answer that forgets it changes nothing");
    let unknown =
        ChapterIssue { asked: 7, ..issue(Dimension::Continuity, Severity::High, "林青的蓝眼睛看着港口。") };
    let (verdict, _) = conclude(ReviewInput { asked: &asked, ..judged(Some(review(90, vec![unknown]))) });
    assert_eq!((verdict.findings[0].held.clone(), verdict.passed), (None, false), "no such number");
}

#[test]
fn what_the_author_wrote_by_hand_is_left_to_the_author() {
    let by_hand = vec!["林青的蓝眼睛看着港口。".into()];
    let document = qingyu_story::Document { text: DRAFT.into(), by_hand, ..Default::default() };
    let asked = own_words::instructions(&document, Language::Zh);
    let own = issue(Dimension::Continuity, Severity::High, "林青的蓝眼睛看着港口。");
    let (verdict, _) = conclude(ReviewInput { asked: &asked, ..judged(Some(review(60, vec![own]))) });
    assert!(matches!(verdict.findings[0].held, Some(HeldReason::Instruction { .. })), "{:?}", verdict.findings);
    assert!(!verdict.has_mendable() && verdict.passed, "the author decides");
    let other = issue(Dimension::Continuity, Severity::High, "没有人回答。");
    let (verdict, _) = conclude(ReviewInput { asked: &asked, ..judged(Some(review(60, vec![other]))) });
    assert_eq!(verdict.open().count(), 1, "all other sentences may be mended");
}

#[test]
fn what_is_outside_of_the_part_is_held() {
    let end = DRAFT.find("没有人").unwrap();
    let part = |from: &str| Some(DRAFT.find(from).unwrap()..end);
    let inside = issue(Dimension::Logic, Severity::High, "“船呢？”他问。");
    let outside = issue(Dimension::Character, Severity::High, "林青的蓝眼睛看着港口。");
    let judge = |issues: Vec<ChapterIssue>| {
        conclude(ReviewInput { part: part("“船呢"), ..judged(Some(review(50, issues))) }).0
    };
    let verdict = judge(vec![outside.clone()]);
    assert_eq!((verdict.findings[0].held.clone(), verdict.passed), (Some(HeldReason::OutsidePart), true));
    let verdict = judge(vec![outside, inside]);
    assert_eq!((verdict.open().count(), verdict.passed), (1, false), "what is inside is to be mended");
    let across = issue(Dimension::Logic, Severity::High, "港口。“船呢？”");
    assert_eq!(judge(vec![across]).open().count(), 1, "what reaches into the part is inside");
}
