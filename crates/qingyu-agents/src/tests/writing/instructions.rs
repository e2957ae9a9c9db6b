//! What the author asked for in a chapter is kept with it, and no correction undoes it without asking.

use crate::WritingTask;
use crate::context::{ChapterFixContext, ChapterReviewContext};
use crate::writing::fix::{AgainstAuthor, Fix, Fixes};
use crate::writing::questions::About;
use crate::writing::review::{ChapterIssue, Dimension, HeldReason};
use crate::writing::{AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision, Part};
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::{AuthorInstruction, Config, InstructionKind, Language, ReadMark, Remark, Severity, Story, findings};

use super::bench::{BLACK, BLUE, Bench, good, issue, read_eyes, review, written};
use crate::tests::bench::answered;

const WISH: &str = "把眼睛写成蓝色";

/// Two chapters that a model has read; the author had the second rewritten against the first.
async fn rewritten() -> Bench {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.settle" => read_eyes(request),
        "chapter.fix" => {
            let fix = Fix { find: "蓝色".into(), with: "黑色".into(), issue: 1 };
            let against = vec![AgainstAuthor { issue: 1, asked: 1 }];
            answered(&Fixes { fixes: vec![fix], against, ..Fixes::default() })
        }
        _ => good(request),
    });
    let first = format!("雨停了。{BLACK}船不在。");
    let second = format!("他走进旧港的酒馆。{BLACK}没有人说话。夜深了。");
    let read = Bench::with(written(2, &[&first, &second]), model).task(WritingTask::Read { chapters: Vec::new() });
    read.run().await.done();
    let task = WritingTask::Rewrite { chapter: 2_u32.into(), part: Part::Whole, instruction: WISH.into() };
    let rewriting =
        Bench { run: "run-2".into(), ..read }.task(task).on("chapter.generate", second.replace(BLACK, BLUE));
    rewriting.run().await.done();
    let correction = WritingTask::Correct { chapters: vec![2_u32.into()] };
    Bench { run: "run-3".into(), ..rewriting }.task(correction).rules(&["QY408"])
}

#[tokio::test]
async fn a_correction_asks_before_it_undoes_an_instruction() {
    for keeps in [true, false] {
        let bench = rewritten().await;
        assert_eq!(bench.workspace.story().documents[1].instructions[0].text, WISH);
        let before = bench.text(2);
        let (state, payload) = bench.run().await.waiting();
        let asked: Vec<ChapterFixContext> = bench.asked("chapter.fix");
        assert_eq!((asked.len(), asked[0].asked[0].text.as_str()), (1, WISH), "the author's words are in the prompt");
        assert_eq!(bench.text(2), before, "not even a fix that came along is made");
        let held = HeldReason::Instruction {
            instruction: WISH.into(),
            passage: String::new(),
            kind: InstructionKind::Request,
        };
        assert_eq!(state.accepted[0].findings[0].held, Some(held));
        let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
        let [question] = asked.questions.as_slice() else { panic!("{asked:?}") };
        let About::AgainstInstruction { instruction, finding, quote, .. } = &question.about else {
            panic!("{question:?}")
        };
        assert_eq!((instruction.as_str(), quote.as_str()), (WISH, BLUE));
        assert!(finding.starts_with("QY408"), "{finding}");
        let decision = if keeps { Decision::Accept } else { Decision::Reject };
        let answers = [(question.id.clone(), decision)].into();
        bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
        let story = bench.workspace.story();
        let found = findings(&story, &Config::default());
        let colour = found.iter().find(|one| one.issue.code.as_deref() == Some("QY408")).expect("two colours");
        assert_eq!(colour.issue.waived.is_some(), keeps, "what the author lets stand is waived");
        assert_eq!(story.documents[1].instructions.len(), usize::from(keeps));
    }
}

#[tokio::test]
async fn a_rejection_with_words_corrects_the_place_as_they_say() {
    const WORDS: &str = "改成和第一章一样的黑色";
    let bench = rewritten().await.rules(&["QY002"]);
    let before = bench.text(2);
    let (_, payload) = bench.run().await.waiting();
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    let fix = Fix { find: "蓝色".into(), with: "黑色".into(), issue: 1 };
    bench.model.push("chapter.fix", answered(&Fixes { fixes: vec![fix], ..Fixes::default() }));
    let state = bench.answer(&asked.rejected(WORDS)).await.done();
    let fixes: Vec<ChapterFixContext> = bench.asked("chapter.fix");
    assert_eq!(fixes.len(), 2, "{:?}", bench.purposes());
    assert!(fixes[1].findings.iter().any(|finding| finding.quote == BLUE && finding.fix.contains(WORDS)));
    assert!(fixes[1].asked.iter().all(|one| one.text != WORDS), "still to be carried out: {:?}", fixes[1].asked);
    assert_eq!(fixes[1].orders.len(), 1, "{:?}", fixes[1].findings);
    assert_eq!(bench.text(2), before.replace("蓝色", "黑色"));
    let story = bench.workspace.story();
    let known: Vec<&str> = story.documents[1].instructions.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(known, [WORDS], "the author's new words take the place of the old ones");
    assert!(
        bench.text(2).contains(&story.documents[1].instructions[0].passage),
        "{:?}",
        story.documents[1].instructions
    );
    assert!(story.documents[1].remarks.is_empty() && state.questions.is_empty(), "{:?}", story.documents[1].remarks);
}

#[test]
fn words_of_a_rejection_are_about_places_of_the_text() {
    let question = |id: &str, quote: &str| {
        let about = About::AgainstInstruction {
            document: "d-1".into(),
            instruction: WISH.into(),
            passage: String::new(),
            kind: InstructionKind::Request,
            finding: String::new(),
            issue: "眼睛".into(),
            quote: quote.into(),
            why: String::new(),
            fix: String::new(),
        };
        AuthorQuestion { id: id.into(), chapter: 1, title: "第一章".into(), about }
    };
    let asked = AuthorQuestions { questions: vec![question("q-1", BLUE), question("q-2", "")] };
    let answers = asked.rejected(" 改成灰色 ");
    assert_eq!(answers.words, [("q-1".to_owned(), "改成灰色".to_owned())].into());
    assert!(answers.answers.values().all(|decision| *decision == Decision::Reject));
    assert_eq!(asked.rejected(" "), asked.all(Decision::Reject));
}

#[tokio::test]
async fn a_sentence_that_the_author_wrote_by_hand_is_asked_about_and_not_changed() {
    const OWN: &str = "他给了四两。";
    let mut story = written(1, &["雨停了。他给了四两。门开了。"]);
    let mark = ReadMark::new(&story.documents[0], "scripted");
    let remark = Remark {
        severity: Severity::Medium,
        title: "价钱不合".into(),
        quote: OWN.into(),
        why: "前文是三两".into(),
        fix: "改成三两".into(),
        ..Remark::default()
    };
    let document = &mut story.documents[0];
    (document.read, document.remarks, document.by_hand) = (Some(mark), vec![remark], vec![OWN.into()]);
    let task = WritingTask::Correct { chapters: vec![1_u32.into()] };
    let bench = Bench::with(story, ScriptedModel::responding("scripted", good)).task(task).rules(&["QY002"]);
    let (_, payload) = bench.run().await.waiting();
    assert!(bench.purposes().is_empty() && bench.text(1).contains(OWN), "no round is spent on it");
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    let [question] = asked.questions.as_slice() else { panic!("{asked:?}") };
    let About::AgainstInstruction { passage, quote, .. } = &question.about else { panic!("{question:?}") };
    assert_eq!((passage.as_str(), quote.as_str()), (OWN, OWN));
    let answers = [(question.id.clone(), Decision::Reject)].into();
    bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    assert!(bench.workspace.story().documents[0].by_hand.is_empty(), "the next correction may change it");
}

#[tokio::test]
async fn a_sentence_written_by_hand_is_asked_about_once() {
    const OWN: &str = "他给了四两。";
    let remark = |title: &str| Remark {
        severity: Severity::Medium,
        title: title.into(),
        quote: OWN.into(),
        why: "前文是三两".into(),
        fix: "改成三两".into(),
        ..Remark::default()
    };
    let mut story = written(1, &["雨停了。他给了四两。门开了。"]);
    let mark = ReadMark::new(&story.documents[0], "scripted");
    let document = &mut story.documents[0];
    (document.read, document.by_hand) = (Some(mark), vec![OWN.into()]);
    document.remarks = vec![remark("价钱不合"), remark("三两与四两")];
    let task = WritingTask::Correct { chapters: vec![1_u32.into()] };
    let bench = Bench::with(story, ScriptedModel::responding("scripted", good)).task(task).rules(&["QY002"]);
    let (_, payload) = bench.run().await.waiting();
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    let [question] = asked.questions.as_slice() else { panic!("{asked:?}") };
    let About::AgainstInstruction { issue, .. } = &question.about else { panic!("{question:?}") };
    assert!(issue.contains("价钱不合") && issue.contains("三两与四两"), "{issue}");
    let answers = [(question.id.clone(), Decision::Accept)].into();
    bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    let found = findings(&bench.workspace.story(), &Config::default()).into_iter();
    let remarks: Vec<bool> =
        found.filter(|one| one.issue.code.as_deref() == Some("QY002")).map(|one| one.issue.waived.is_some()).collect();
    assert_eq!(remarks, [true, true], "one answer decides both");
}

#[tokio::test]
async fn a_reviewer_s_issue_against_an_instruction_is_the_author_s() {
    let mut story = written(1, &["It rained.\nShe came in, smiling.\nNo ship was there."]);
    story.language = Language::En;
    let against = ChapterIssue { asked: 1, ..issue(Severity::High, Dimension::Character, "She slammed the door.") };
    let task = WritingTask::Rewrite {
        chapter: 1_u32.into(),
        part: Part::Paragraphs { from: 2, to: 2 },
        instruction: "Let her be angry".into(),
    };
    let bench = Bench::with(story, Bench::new(1).model)
        .task(task)
        .on("chapter.generate", "She slammed the door.")
        .on("chapter.review", answered(&review(55, vec![against])));
    let (_, payload) = bench.run().await.waiting();
    assert_eq!(bench.purposes(), ["generate", "review", "settle"], "no round is spent on it");
    let shown: Vec<ChapterReviewContext> = bench.asked("chapter.review");
    assert_eq!(shown[0].asked[0].text, "Let her be angry");
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    let [question] = asked.questions.as_slice() else { panic!("{asked:?}") };
    assert_eq!(bench.workspace.story().documents[0].remarks.len(), 1, "until the author decides, the check names it");
    let answers = [(question.id.clone(), Decision::Accept)].into();
    bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    let waived = |story: &Story| {
        let found = findings(story, &Config::default()).into_iter();
        let found = found.filter(|one| one.issue.code.as_deref() == Some("QY002"));
        found.map(|one| one.issue.waived.is_some()).collect::<Vec<_>>()
    };
    let story = bench.workspace.story();
    assert_eq!((waived(&story), story.documents[0].instructions.len()), (vec![true], 1));
    let again = ChapterIssue {
        asked: 1,
        title: "Why is she angry?".into(),
        ..issue(Severity::High, Dimension::Character, "She slammed the door.")
    };
    let read = Bench { run: "run-2".into(), ..bench }
        .task(WritingTask::Read { chapters: vec![1_u32.into()] })
        .on("chapter.review", answered(&review(70, vec![again])));
    read.run().await.done();
    let story = read.workspace.story();
    assert_eq!(story.documents[0].remarks[0].title, "Why is she angry?");
    assert_eq!(waived(&story), [true], "another reading does not bring back what the author let stand");
}

#[tokio::test]
async fn giving_up_an_instruction_leaves_the_same_words_about_another_passage() {
    let mut story = written(1, &["It rained.\nShe came in, smiling.\nNo ship was there."]);
    story.language = Language::En;
    let known = AuthorInstruction {
        text: "Let her be angry".into(),
        passage: "It rained.".into(),
        ..AuthorInstruction::default()
    };
    story.documents[0].instructions.push(known.clone());
    let against = ChapterIssue { asked: 2, ..issue(Severity::High, Dimension::Character, "She slammed the door.") };
    let task = WritingTask::Rewrite {
        chapter: 1_u32.into(),
        part: Part::Paragraphs { from: 2, to: 2 },
        instruction: known.text.clone(),
    };
    let bench = Bench::with(story, Bench::new(1).model)
        .task(task)
        .on("chapter.generate", "She slammed the door.")
        .on("chapter.review", answered(&review(55, vec![against])));
    let (_, payload) = bench.run().await.waiting();
    assert_eq!(bench.workspace.story().documents[0].instructions.len(), 2, "the words are about two passages");
    let asked: AuthorQuestions = serde_json::from_value(payload).unwrap();
    let [question] = asked.questions.as_slice() else { panic!("{asked:?}") };
    let About::AgainstInstruction { passage, .. } = &question.about else { panic!("{question:?}") };
    assert_eq!(passage, "She slammed the door.");
    let answers = [(question.id.clone(), Decision::Reject)].into();
    bench.answer(&AuthorAnswers { answers, ..AuthorAnswers::default() }).await.done();
    assert_eq!(bench.workspace.story().documents[0].instructions, [known]);
}
