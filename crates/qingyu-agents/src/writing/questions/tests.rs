use qingyu_story::settlement::extraction::ToldEvent;
use qingyu_story::{OutlineNode, TimelineEvent};

use super::*;
use crate::levels::later::OwnPlan;

fn question(piece: PieceKind, label: &str, doubt: Doubt, candidates: &[&str]) -> About {
    let candidates = candidates.iter().map(|id| Choice { id: (*id).into(), ..Choice::default() }).collect();
    About::Settlement {
        piece,
        label: label.into(),
        says: String::new(),
        quote: "他把钥匙给了老周。".into(),
        confidence: 0.3,
        doubt,
        candidates,
    }
}

fn extraction() -> Extraction {
    let fact = |subject: &str, confidence| ToldFact {
        subject: subject.into(),
        predicate: "持有".into(),
        object: Some("钥匙".into()),
        quote: "他把钥匙给了老周。".into(),
        confidence,
        ..ToldFact::default()
    };
    let event = ToldEvent { title: "交出钥匙".into(), participants: vec!["老周".into()], ..ToldEvent::default() };
    Extraction { facts: vec![fact("老周", 0.3), fact("他", 0.2)], events: vec![event], ..Extraction::default() }
}

#[test]
fn one_word_for_everything_leaves_the_plans_of_the_author() {
    let plan = |own: Option<OwnPlan>| AuthorQuestion {
        id: format!("{own:?}"),
        chapter: 1,
        title: "第三幕".into(),
        about: About::LaterPlan(LaterProposal {
            node: "o-1".into(),
            name: "第三幕".into(),
            field: "goal".into(),
            field_name: "目标".into(),
            before: "甲".into(),
            after: "乙".into(),
            reason: "老周死了".into(),
            own,
        }),
    };
    let questions =
        AuthorQuestions { questions: [None, Some(OwnPlan::ByHand), Some(OwnPlan::Locked)].map(plan).into() };
    let said = |decision| questions.questions.iter().map(|one| questions.all(decision).answers[&one.id]).collect();
    let (accepted, rejected): (Vec<Decision>, Vec<Decision>) = (said(Decision::Accept), said(Decision::Reject));
    assert_eq!(accepted, [Decision::Accept, Decision::Later, Decision::Later]);
    assert_eq!(rejected, [Decision::Reject; 3]);
}

#[test]
fn what_the_author_says_is_so_is_certain() {
    let mut said = extraction();
    let unsure = question(PieceKind::Fact, "老周 持有 钥匙", Doubt::Unsure, &[]);
    assert!(!is_effective(&unsure, Decision::Reject));
    assert!(answered(&mut said, &unsure, Decision::Accept, None));
    assert_eq!(said.facts.iter().map(|fact| fact.confidence).collect::<Vec<_>>(), [1.0, 0.2], "that and nothing else");
    // The label has the words of the book's language, the extraction those of its reader.
    let mut said = extraction();
    said.facts[0].predicate = "holds".into();
    assert!(answered(&mut said, &unsure, Decision::Accept, None));
    assert_eq!(said.facts[0].confidence, 1.0);
}

#[test]
fn whom_the_author_means_is_meant_everywhere() {
    let which = Doubt::Which { name: "老周".into() };
    let two = question(PieceKind::Fact, "老周 持有 钥匙", which, &["c-1", "c-2"]);
    let mut said = extraction();
    assert!(!answered(&mut said, &two, Decision::Accept, None), "one of two must be chosen");
    assert_eq!(said, extraction());
    assert!(answered(&mut said, &two, Decision::Accept, Some("c-2")));
    assert_eq!((said.facts[0].subject.as_str(), said.events[0].participants[0].as_str()), ("c-2", "c-2"));
}

#[test]
fn another_name_of_a_known_piece_is_kept_with_the_piece_that_the_author_means() {
    // A fact about a name without a card, and a card under another name.
    for (piece, label) in [(PieceKind::Fact, "老周 持有 钥匙"), (PieceKind::Character, "老周")] {
        let same = question(piece, label, Doubt::Same { name: "老周".into() }, &["c-2"]);
        let mut said = extraction();
        if piece == PieceKind::Character {
            said.entities.push(Introduced { name: "老周".into(), confidence: 0.9, ..Introduced::default() });
        }
        assert!(answered(&mut said, &same, Decision::Accept, None));
        assert_eq!(said.entities.len(), 1);
        let one = &said.entities[0];
        assert_eq!((one.name.as_str(), one.same.as_deref(), one.confidence), ("老周", Some("c-2"), 1.0));
        assert_eq!(said.facts[0].subject, "老周", "the alias says whom it means");
    }
    // A rejected name is a new card, but the subject of a fact without a card is unknown.
    let of = |piece| question(piece, "老周", Doubt::Same { name: "老周".into() }, &["c-2"]);
    assert!(is_effective(&of(PieceKind::Character), Decision::Reject));
    assert!(!is_effective(&of(PieceKind::Fact), Decision::Reject));
    let told =
        Introduced { name: "Old Joe".into(), quote: "他把钥匙给了老周。".into(), ..Introduced::default() };
    let mut said = Extraction { entities: vec![told], ..Extraction::default() };
    let same = question(PieceKind::Character, "Old Joe", Doubt::Same { name: "Old Joe".into() }, &["c-2"]);
    assert!(answered(&mut said, &same, Decision::Reject, None));
    assert_eq!((said.entities[0].same.as_deref(), said.entities[0].confidence), (None, 1.0));
    // The reader said that it is the other name; the author says that it is not.
    (said.entities[0].same, said.entities[0].confidence) = (Some("c-2".into()), 0.6);
    assert!(answered(&mut said, &same, Decision::Reject, None));
    assert_eq!((said.entities[0].same.as_deref(), said.entities[0].confidence), (None, 1.0));
}

#[test]
fn a_question_about_two_events_has_both_summaries_and_both_chapters() {
    let known = TimelineEvent {
        id: "e-3".into(),
        title: "交出钥匙".into(),
        description: "林深把钥匙交给老周。".into(),
        outline_node: Some("o-2".into()),
        ..TimelineEvent::default()
    };
    let node = |number: u32| OutlineNode {
        id: format!("o-{number}"),
        order: number,
        name: format!("第{number}章"),
        ..OutlineNode::default()
    };
    let story = Story { outline_nodes: (1..=5).map(node).collect(), timeline_events: vec![known], ..Story::default() };
    let event =
        ToldEvent {
            title: "钥匙易手".into(), description: "钥匙到了老周手里。".into(), ..ToldEvent::default()
        };
    let extraction = Extraction { events: vec![event], ..Extraction::default() };
    let candidate =
        |id: &str| settlement::Candidate { kind: PieceKind::Event, id: id.into(), name: "交出钥匙".into() };
    let asked = settlement::Question {
        told: settlement::Told {
            kind: PieceKind::Event,
            label: "钥匙易手".into(),
            quote: "他把钥匙给了老周。".into(),
            confidence: 0.9,
        },
        doubt: settlement::Doubt::Same { name: "钥匙易手".into(), of: vec![candidate("e-3"), candidate("e-9")] },
    };
    let questions = of_settlement(&[asked.clone(), asked], (&story, &extraction), (5, "第5章"));
    let [question] = questions.as_slice() else { panic!("asked once: {questions:?}") };
    let About::Settlement { says, candidates, .. } = &question.about else { panic!("{question:?}") };
    assert_eq!((question.chapter, says.as_str()), (5, "钥匙到了老周手里。"));
    let known: Vec<_> = candidates.iter().map(|one| (one.says.as_str(), one.chapter, one.planned)).collect();
    assert_eq!(known, [("林深把钥匙交给老周。", Some(2), true), ("", None, false)]);
}

#[test]
fn an_event_that_may_be_known_is_the_known_one_or_a_new_one() {
    let event = ToldEvent {
        title: "钥匙易手".into(),
        quote: "他把钥匙给了老周。".into(),
        confidence: 0.9,
        ..ToldEvent::default()
    };
    let told = Extraction { events: vec![event], ..Extraction::default() };
    let same = question(PieceKind::Event, "钥匙易手", Doubt::Same { name: "钥匙易手".into() }, &["e-3"]);
    let mut said = told.clone();
    assert!(answered(&mut said, &same, Decision::Accept, None));
    assert_eq!((said.events[0].title.as_str(), said.events[0].planned.as_deref()), ("钥匙易手", Some("e-3")));
    let mut said = told;
    assert!(is_effective(&same, Decision::Reject) && answered(&mut said, &same, Decision::Reject, None));
    assert_eq!((said.events[0].planned.as_deref(), said.events[0].confidence), (None, 1.0));
}
