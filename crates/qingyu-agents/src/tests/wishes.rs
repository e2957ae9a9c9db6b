//! A person's own change of a story that is there: it is carried out, or it is said that it is not.

use crate::PipelineConfig;
use crate::output::CharacterWork;
use crate::pipeline::{HumanReviewAnswer, PipelineState};
use qingyu_story::wish::{WishKind, WishState};
use qingyu_story::{Character, RoleType, Story};

use crate::tests::bench::{Bench, card, judgement, plan, version_1};
use crate::tests::corrections::unhappy;

const WEAKNESS: &str = "把林深的弱点改成怕黑";
const VILLAIN: &str = "增加一个反派角色，叫沈夜";

/// A finished story, with all that a card can hold.
async fn story() -> Story {
    let mut story = Bench::new().run().await.done().story();
    story.characters[0].age = Some(34);
    story.characters[0].birth = Some("2043".into());
    story
}

fn planned(line: &str) -> Bench {
    Bench::new().on("plan.create", &plan(line))
}

/// An answer with nothing of 林深 but the name and other words, and with somebody whom nobody asked for.
fn partial(more: &[&str]) -> CharacterWork {
    let stub = Character { name: "林深".into(), occupation: "赏金猎人".into(), ..Character::default() };
    let more = more.iter().map(|name| card(name, RoleType::Antagonist));
    CharacterWork { characters: [stub].into_iter().chain(more).collect(), ..CharacterWork::default() }
}

/// The wishes of the last report, and how they stand.
fn wishes(state: &PipelineState) -> Vec<(WishKind, WishState)> {
    state.diagnostic_report.iter().flat_map(|report| &report.wishes).map(|wish| (wish.kind, wish.state)).collect()
}

#[tokio::test]
async fn a_field_is_set_as_the_person_says_and_nothing_else_changes() {
    let story = story().await;
    // The planner sends the wrong agent; the request itself says whose work it is.
    let bench = planned("1 outline; 2 review <- 1");
    let state = bench.change(&story, WEAKNESS).await.done();
    let mut expected = story.clone();
    expected.characters[0].weakness = "怕黑".into();
    assert_eq!(state.story(), expected);
    assert_eq!(wishes(&state), [(WishKind::Change, WishState::Met)]);
    assert!(state.review_passed);
    assert_eq!(bench.purposes(), ["plan.create", "review.judge"], "what is said as data needs no model");
}

#[tokio::test]
async fn a_partial_answer_to_a_person_s_words_wipes_nothing() {
    let story = story().await;
    let bench = planned("1 character; 2 review <- 1").on("character.generate", &partial(&["路人"]));
    let state = bench.change(&story, "让林深更勇敢一点").await.done();
    let mut expected = story.clone();
    expected.characters[0].occupation = "赏金猎人".into();
    assert_eq!(state.story(), expected);
    assert_eq!(wishes(&state), [(WishKind::Other, WishState::NotCheckable)]);
    assert!(state.warnings.iter().any(|warning| warning.contains("路人")), "{:?}", state.warnings);
}

#[tokio::test]
async fn a_new_character_is_made_under_its_name_and_the_others_stay() {
    let story = story().await;
    let bench = planned("1 character; 2 review <- 1").on("character.correct", &partial(&["沈夜", "路人"]));
    let state = bench.change(&story, VILLAIN).await.done();
    assert_eq!(state.characters[..2], story.characters[..]);
    let names = state.characters.iter().map(|card| card.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["林深", "苏曼", "沈夜"]);
    assert_eq!(wishes(&state), [(WishKind::Add, WishState::Met)]);
    let asked = bench.request("character.correct");
    assert!(asked.messages.iter().any(|message| format!("{message:?}").contains(VILLAIN)), "{asked:?}");
}

#[tokio::test]
async fn a_wish_that_stays_unmet_is_said_and_a_person_is_asked() {
    let story = story().await;
    let bench = planned("1 character; 2 review <- 1").on("character.correct", &partial(&["路人"]));
    let (state, question) = bench.change(&story, VILLAIN).await.waiting();
    assert_eq!(state.story(), Story { last_ids: state.last_ids.clone(), ..story });
    assert_eq!((wishes(&state), state.review_passed), (vec![(WishKind::Add, WishState::Unmet)], false));
    assert_eq!(question["reason"], "unmet_wish");
    assert_eq!(question["report"]["issues"][0]["title"], format!("要求没有落实：{VILLAIN}"));
    assert_eq!(
        bench.purposes().iter().filter(|purpose| *purpose == "character.correct").count(),
        3,
        "once and twice more"
    );
}

#[tokio::test]
async fn what_cannot_be_carried_out_says_why_and_costs_no_rounds() {
    let story = story().await;
    let bench = planned("1 character; 2 review <- 1");
    let (state, question) = bench.change(&story, "把周沉的弱点改成怕黑").await.waiting();
    assert_eq!(state.story(), story);
    assert_eq!(question["reason"], "unmet_wish");
    assert_eq!(question["report"]["wishes"][0]["reason"], "无法执行：故事里没有叫“周沉”的条目");
    assert_eq!(bench.purposes(), ["plan.create", "review.judge"]);
}

#[tokio::test]
async fn work_that_was_there_is_never_made_anew() {
    let story = story().await;
    // The score is one at which the work would be made anew; the answers are partial.
    let bench = planned("1 character; 2 review <- 1")
        .on("review.judge", &unhappy(55, "character", Vec::new()))
        .on("character.correct", &partial(&[]));
    let state = bench.change(&story, WEAKNESS).await.done();
    let kept = |card: &Character| (card.age, card.birth.clone(), card.background.clone(), card.arc.clone());
    assert_eq!(kept(&state.characters[0]), kept(&story.characters[0]));
    assert_eq!(state.characters[1], story.characters[1]);

    let bench = Bench::new().config(PipelineConfig { max_iterations: 1, ..version_1() });
    let bench = bench.on("review.judge", &judgement(40)).on("character.generate", &partial(&[]));
    let state = bench.change(&story, WEAKNESS).await.done();
    assert_eq!(kept(&state.characters[0]), kept(&story.characters[0]));
    assert_eq!(state.outline_nodes, story.outline_nodes);
}

#[tokio::test]
async fn a_person_who_rejects_the_work_is_heard_to_the_letter() {
    let bench = Bench::new().on("review.judge", &judgement(40));
    let (before, _) = bench.run().await.waiting();
    let state = bench.answer(&HumanReviewAnswer::Reject { feedback: WEAKNESS.into() }).await.done();
    let mut expected = before.story();
    expected.characters[0].weakness = "怕黑".into();
    assert_eq!(state.story(), expected);
    assert_eq!(wishes(&state), [(WishKind::Change, WishState::Met)]);
}
