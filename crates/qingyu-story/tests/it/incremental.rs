//! Checking again after a change finds what checking everything finds.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use qingyu_story::check::StoryChecker;
use qingyu_story::edit::{AppliedEdit, EditStep};
use qingyu_story::{Config, Document, Fact, Finding, Knower, Mode, Piece, PieceKind, Story, edit, findings};

use crate::arbitrary::{crowded, crowded_fact, document, fact, story, story_with_ids};
use crate::borders::examples;
use crate::extent::cases;
use crate::undo::{Doing, doing, edit as edit_of};

/// What is to be done to a list of facts or texts.
#[derive(Debug, Clone)]
enum Stroke {
    AddFact(Index, Fact),
    ChangeFact(Index, Fact),
    RemoveFact(Index),
    /// Takes one field of another fact over, so that most stays as it was.
    MendFact(Index, Fact, usize),
    RewriteText(Index, Box<Document>),
    /// Any edit of any piece.
    Other(Doing),
}

fn stroke() -> impl Strategy<Value = Stroke> {
    prop_oneof![
        2 => (any::<Index>(), any_fact()).prop_map(|(index, fact)| Stroke::AddFact(index, fact)),
        2 => (any::<Index>(), any_fact()).prop_map(|(index, fact)| Stroke::ChangeFact(index, fact)),
        3 => (any::<Index>(), any_fact(), 0_usize..9).prop_map(|(index, fact, field)| Stroke::MendFact(index, fact, field)),
        2 => any::<Index>().prop_map(Stroke::RemoveFact),
        1 => (any::<Index>(), document()).prop_map(|(index, text)| Stroke::RewriteText(index, Box::new(text))),
        1 => doing().prop_map(Stroke::Other),
    ]
}

/// The step that the stroke makes in `story`, if there is anything to do it to.
fn step(story: &Story, stroke: &Stroke) -> Option<EditStep> {
    let pick = |index: &Index| (!story.facts.is_empty()).then(|| index.index(story.facts.len()));
    let id = |index: &Index| format!("f-{}", index.index(12) + 1);
    let fact = |fact: &Fact| Some(Piece::Fact(fact.clone()));
    let (position, before, after) = match stroke {
        Stroke::AddFact(index, new) => {
            let id = Some(id(index)).filter(|id| story.facts.iter().all(|fact| fact.id != *id)).unwrap_or_default();
            (index.index(story.facts.len() + 1), None, fact(&Fact { id, ..new.clone() }))
        }
        Stroke::ChangeFact(index, new) => {
            let old = &story.facts[pick(index)?];
            (pick(index)?, fact(old), fact(&Fact { id: old.id.clone(), ..new.clone() }))
        }
        Stroke::MendFact(index, new, field) => {
            let old = &story.facts[pick(index)?];
            let mut mended = old.clone();
            let other = new.clone();
            match field {
                0 => mended.subject = other.subject,
                1 => mended.predicate = other.predicate,
                2 => mended.object = other.object,
                3 => mended.value = other.value,
                4 => mended.from = other.from,
                5 => mended.until = other.until,
                6 => mended.mode = other.mode,
                7 => mended.known_by = other.known_by,
                _ => mended.by = other.by,
            }
            (pick(index)?, fact(old), fact(&mended))
        }
        Stroke::RemoveFact(index) => (pick(index)?, fact(&story.facts[pick(index)?]), None),
        Stroke::RewriteText(index, new) => {
            let position = (!story.documents.is_empty()).then(|| index.index(story.documents.len()))?;
            let old = &story.documents[position];
            let after = Document { text: new.text.clone(), version: old.version + 1, ..old.clone() };
            (position, Some(Piece::Document(old.clone())), Some(Piece::Document(after)))
        }
        Stroke::Other(_) => return None,
    };
    Some(EditStep { position, before, after })
}

/// The change that the stroke makes, done to `story`.
fn make(story: &mut Story, other: &Story, stroke: &Stroke) -> Option<AppliedEdit> {
    if let Stroke::Other(doing) = stroke {
        return edit::apply(story, edit_of(story, other, doing)?).ok();
    }
    let change = AppliedEdit { steps: vec![step(story, stroke)?] };
    change.apply(story).ok()?;
    Some(change)
}

/// Any fact, or one of an example.
fn any_fact() -> impl Strategy<Value = Fact> {
    let told = examples().into_iter().flat_map(|story| story.facts).collect::<Vec<_>>();
    prop_oneof![1 => fact(), 1 => select(told), 2 => crowded_fact()]
}

/// A story with more facts than others have, or an example with some facts more.
fn told() -> impl Strategy<Value = Story> {
    let base = prop_oneof![story_with_ids(), select(examples()), crowded()];
    (base, vec(any_fact(), 0..12)).prop_map(|(mut story, facts)| {
        story.facts.extend(facts.into_iter().map(|fact| Fact { id: String::new(), ..fact }));
        qingyu_story::ids::assign(&mut story);
        story
    })
}

fn found(checker: &StoryChecker) -> Vec<Finding> {
    checker.findings().cloned().collect()
}

fn pieces(story: &Story) -> Vec<Piece> {
    story.pieces().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(64, 128), ..ProptestConfig::default() })]

    #[test]
    fn checking_again_finds_what_checking_all_finds(
        before in told(),
        other in story(),
        strokes in vec(stroke(), 1..8),
    ) {
        let mut story = before.clone();
        let mut checker = StoryChecker::new(before, Config::default());
        let mut changes = Vec::new();
        for stroke in &strokes {
            let Some(change) = make(&mut story, &other, stroke) else { continue };
            checker.apply(&change).unwrap();
            prop_assert_eq!(checker.story(), &story);
            prop_assert_eq!(found(&checker), findings(&story, &Config::default()), "after {:?}", stroke);
            changes.push(change);
        }
        // Back again, so that what was put in is taken out.
        for change in changes.iter().rev() {
            checker.apply(&change.inverse()).unwrap();
            change.inverse().apply(&mut story).unwrap();
            prop_assert_eq!(found(&checker), findings(&story, &Config::default()), "undoing {:?}", change);
        }
    }

    #[test]
    fn a_change_of_several_facts_is_one_change(before in told(), strokes in vec(stroke(), 2..5)) {
        let mut story = before.clone();
        let mut checker = StoryChecker::new(before, Config::default());
        let mut steps = Vec::new();
        for stroke in &strokes {
            let Some(step) = step(&story, stroke) else { continue };
            AppliedEdit { steps: vec![step.clone()] }.apply(&mut story).unwrap();
            steps.push(step);
        }
        checker.apply(&AppliedEdit { steps }).unwrap();
        prop_assert_eq!(pieces(checker.story()), pieces(&story));
        prop_assert_eq!(found(&checker), findings(&story, &Config::default()));
    }

    #[test]
    fn a_change_that_does_not_fit_touches_nothing(before in told(), strokes in vec(stroke(), 1..4)) {
        let mut checker = StoryChecker::new(before.clone(), Config::default());
        let known = found(&checker);
        let mut steps: Vec<EditStep> = strokes.iter().filter_map(|stroke| step(&before, stroke)).take(1).collect();
        let stranger = Fact { id: "f-9999".to_owned(), ..Fact::default() };
        steps.push(EditStep { position: 0, before: Some(Piece::Fact(stranger)), after: None });
        let change = AppliedEdit { steps };
        prop_assert!(checker.apply(&change).is_err());
        prop_assert_eq!(checker.story(), &before);
        prop_assert_eq!(found(&checker), known);
        let mut story = before.clone();
        prop_assert!(change.apply(&mut story).is_err());
        prop_assert_eq!(story, before);
    }

    #[test]
    fn findings_keep_their_ids_while_other_facts_change(before in told(), new in any_fact(), index in any::<Index>()) {
        let mut story = before.clone();
        let mut checker = StoryChecker::new(before, Config::default());
        let known = found(&checker);
        let Some(change) = make(&mut story, &Story::default(), &Stroke::ChangeFact(index, new)) else { return Ok(()) };
        checker.apply(&change).unwrap();
        let code = |finding: &Finding| finding.issue.code.clone().unwrap_or_default();
        for finding in found(&checker) {
            let same = known.iter().find(|one| code(one) == code(&finding) && one.issue.title == finding.issue.title
                && one.issue.evidence == finding.issue.evidence);
            prop_assert!(same.is_none_or(|same| same.issue.id == finding.issue.id), "{finding:?}");
        }
    }
}

/// Which rules looked where, after a change of one fact and of one text.
#[test]
fn a_small_change_is_looked_at_near_where_it_is() {
    let source = include_str!("stories/neon.json");
    let mut story: Story = serde_json::from_str(source).unwrap();
    qingyu_story::ids::assign(&mut story);
    let text = "雨下了一夜，天亮时才停。".to_owned();
    let chapter =
        Document { id: "d-99".into(), title: "尾声".into(), order: 99, version: 1, text, ..Document::default() };
    story.documents.push(chapter.clone());
    let mut checker = StoryChecker::new(story, Config::default());
    let fact =
        Fact { subject: "某人".into(), predicate: "eye_colour".into(), value: "黑".into(), ..Fact::default() };
    let add = |fact: Fact| AppliedEdit {
        steps: vec![EditStep { position: 0, before: None, after: Some(Piece::Fact(fact)) }],
    };
    let effort = checker.apply(&add(fact.clone())).unwrap();
    assert_eq!((effort.whole, effort.facts), (Vec::<&str>::new(), 1));
    assert!(effort.near.contains(&"QY408") && !effort.near.contains(&"QY101"), "{:?}", effort.near);
    checker.apply(&add(Fact { value: "蓝".into(), ..fact })).unwrap();
    assert!(checker.findings().any(|finding| finding.issue.code.as_deref() == Some("QY408")));
    let after = Document { text: "雨下了一夜，，天亮时才停。".into(), version: 2, ..chapter.clone() };
    let position = checker.story().count(PieceKind::Document) - 1;
    let step = EditStep { position, before: Some(Piece::Document(chapter)), after: Some(Piece::Document(after)) };
    let effort = checker.apply(&AppliedEdit { steps: vec![step] }).unwrap();
    // Slips that run through the book are one finding, so they are looked at in all chapters.
    let is_whole = effort.whole.contains(&"QS043") && !effort.whole.iter().any(|code| code.starts_with("QY4"));
    assert!(effort.near.contains(&"QS031") && is_whole, "{effort:?}");
    assert!(checker.findings().any(|finding| finding.issue.code.as_deref() == Some("QS043")));
}

/// A text without a place in the book is not read as one of its chapters, before and after it is changed.
#[test]
fn a_text_outside_of_the_book_is_left_alone() {
    let note = Document {
        id: "d-1".into(),
        title: "札记".into(),
        text: "雨还在下。".into(),
        version: 1,
        ..Document::default()
    };
    let story = Story { documents: vec![note.clone()], ..Story::default() };
    let mut checker = StoryChecker::new(story, Config::default());
    let after = Document { text: "雨，，还在下。".into(), version: 2, ..note.clone() };
    let step = EditStep { position: 0, before: Some(Piece::Document(note)), after: Some(Piece::Document(after)) };
    checker.apply(&AppliedEdit { steps: vec![step] }).unwrap();
    assert_eq!(found(&checker), []);
}

/// Who told a fact is named in it, whether or not it is said who heard.
#[test]
fn a_teller_without_a_hearer_is_looked_at_with_others_of_the_name() {
    let mut story: Story = serde_json::from_str(r#"{"characters": [{"name": "李四"}]}"#).unwrap();
    qingyu_story::ids::assign(&mut story);
    let mut checker = StoryChecker::new(story, Config::default());
    let colour = Fact { subject: "林青".into(), predicate: "瞳色".into(), value: "黑".into(), ..Fact::default() };
    let knower = Knower { told_by: Some("林青".into()), ..Knower::default() };
    let told = Fact { subject: "李四".into(), predicate: "holds".into(), known_by: vec![knower], ..Fact::default() };
    for fact in [colour, told] {
        let step = EditStep { position: 0, before: None, after: Some(Piece::Fact(fact)) };
        checker.apply(&AppliedEdit { steps: vec![step] }).unwrap();
    }
    let all = findings(checker.story(), &Config::default());
    assert_eq!(found(&checker), all);
    let stranger = all.iter().find(|finding| finding.issue.code.as_deref() == Some("QY111")).unwrap();
    assert_eq!(stranger.issue.evidence.len(), 2);
}

/// Every fact of every example, taken out and put back, and with each of its fields cleared and filled again: each rule sees
/// what it compares come and go.
#[test]
fn each_fact_of_an_example_makes_its_difference() {
    let clearings: [fn(&mut Fact); 8] = [
        |fact| fact.known_by.clear(),
        |fact| fact.from.clear(),
        |fact| fact.until.clear(),
        |fact| fact.mode = Mode::Dreamt,
        |fact| fact.mode = Mode::Lied,
        |fact| fact.object = None,
        |fact| fact.predicate = "on_its_own".into(),
        |fact| (fact.value, fact.by, fact.source) = (true.into(), None, None),
    ];
    let cleared = |fact: &Fact, clear: &fn(&mut Fact)| {
        let mut fact = fact.clone();
        clear(&mut fact);
        fact
    };
    let every = cases(3, 1);
    let mut differences = 0;
    for story in examples() {
        let mut checker = StoryChecker::new(story.clone(), Config::default());
        let before = found(&checker);
        for (position, fact) in story.facts.iter().enumerate() {
            // Of the nine changes three for each fact, other ones for the next.
            let otherwise = clearings.iter().map(|clear| Some(cleared(fact, clear))).chain([None]);
            let otherwise = otherwise.skip(position % every).step_by(every);
            for after in otherwise.filter(|after| after.as_ref() != Some(fact)) {
                let (was, after) = (Some(Piece::Fact(fact.clone())), after.map(Piece::Fact));
                let change = AppliedEdit { steps: vec![EditStep { position, before: was, after }] };
                checker.apply(&change).unwrap();
                let all = findings(checker.story(), &Config::default());
                assert_eq!(found(&checker), all, "after {change:?}");
                differences += usize::from(all != before);
                checker.apply(&change.inverse()).unwrap();
                assert_eq!(found(&checker), before, "back from {change:?}");
            }
        }
    }
    assert!(differences > cases(130, 400), "examples are there to make a difference: {differences}");
}

/// Names and words of every fact of every example, written in another way, in the fact itself and in one more.
#[test]
fn a_name_that_is_written_in_another_way_is_looked_at_wherever_it_stands() {
    let ways: [fn(&str) -> String; 3] =
        [str::to_uppercase, |name| format!(" {name}"), |name| name.to_lowercase() + " "];
    // Of the three ways one for each fact, another one for the next.
    let every = cases(3, 1);
    for story in examples() {
        let mut checker = StoryChecker::new(story.clone(), Config::default());
        let as_told = found(&checker);
        for (position, fact) in story.facts.iter().enumerate() {
            for way in ways.into_iter().skip(position % every).step_by(every) {
                let again = Fact {
                    subject: way(&fact.subject),
                    object: fact.object.as_deref().map(way),
                    predicate: way(&fact.predicate),
                    ..fact.clone()
                };
                let before = Some(Piece::Fact(fact.clone()));
                let changed = EditStep { position, before, after: Some(Piece::Fact(again.clone())) };
                let added = |fact: Fact| {
                    let after = Some(Piece::Fact(Fact { id: "f-again".into(), ..fact }));
                    EditStep { position: 0, before: None, after }
                };
                // Of the subject, of the object and of the word something that has nothing to do with the rest.
                let other = |subject: &str, predicate: &str| {
                    added(Fact {
                        subject: subject.into(),
                        predicate: predicate.into(),
                        value: true.into(),
                        ..Fact::default()
                    })
                };
                let named = other(&again.subject, "on_its_own");
                let object = other(again.object.as_deref().unwrap_or("nobody"), "on_its_own");
                let word = other("nobody", &again.predicate);
                for step in [changed, named, object, word, added(again)] {
                    let change = AppliedEdit { steps: vec![step] };
                    checker.apply(&change).unwrap();
                    assert_eq!(found(&checker), findings(checker.story(), &Config::default()), "after {change:?}");
                    checker.apply(&change.inverse()).unwrap();
                    assert_eq!(found(&checker), as_told, "back from {change:?}");
                }
            }
        }
    }
}
