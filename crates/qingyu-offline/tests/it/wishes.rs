//! A person's own change, without any language model: carried out by rules, or said to be beyond them.

use qingyu_agents::PipelineState;
use qingyu_story::wish::WishState;
use qingyu_story::{RoleType, Story};

use crate::bench::{REQUIREMENTS, change, run};

/// A finished story in Chinese and one in English, each with the name of its first character.
async fn finished(requirement: &str) -> (Story, String) {
    let story = run(requirement).await.0.story();
    let name = story.characters[0].name.clone();
    (story, name)
}

fn states(state: &PipelineState) -> Vec<WishState> {
    state.diagnostic_report.iter().flat_map(|report| &report.wishes).map(|wish| wish.state).collect()
}

#[tokio::test]
async fn a_named_field_is_set_and_nothing_else_changes() {
    for (requirement, words, value) in [
        (REQUIREMENTS[0], "把{}的弱点改成怕黑", "怕黑"),
        (REQUIREMENTS[1], "change {}'s weakness to fear of the dark", "fear of the dark"),
    ] {
        let (story, name) = finished(requirement).await;
        let (state, _) = change(&story, &words.replace("{}", &name)).await;
        let mut expected = story.clone();
        expected.characters[0].weakness = value.into();
        assert_eq!(state.story(), expected, "{words}");
        assert_eq!((states(&state), state.review_passed), (vec![WishState::Met], true), "{words}");
    }
}

#[tokio::test]
async fn a_named_character_or_place_is_added() {
    for (requirement, words, name) in [
        (REQUIREMENTS[0], "增加一个反派角色，叫沈夜", "沈夜"),
        (REQUIREMENTS[1], "add a villain named Edda Crane", "Edda Crane"),
    ] {
        let (story, _) = finished(requirement).await;
        let (state, _) = change(&story, words).await;
        assert_eq!(state.characters[..story.characters.len()], story.characters[..], "{words}");
        let [new] = &state.characters[story.characters.len()..] else { panic!("{words}: {:#?}", state.characters) };
        assert_eq!((new.name.as_str(), new.role_type), (name, RoleType::Antagonist), "{words}");
        assert_eq!((states(&state), &state.outline_nodes), (vec![WishState::Met], &story.outline_nodes), "{words}");
    }
    for (requirement, words, name) in [
        (REQUIREMENTS[0], "新增地点：青石巷", "青石巷"),
        (REQUIREMENTS[1], "add a place called Blackwater Quay", "Blackwater Quay"),
    ] {
        let (story, _) = finished(requirement).await;
        let (state, _) = change(&story, words).await;
        let world = state.worldview.as_ref().unwrap();
        assert!(world.locations.iter().any(|place| place.name == name), "{words}: {:#?}", world.locations);
        assert_eq!((states(&state), &state.characters), (vec![WishState::Met], &story.characters), "{words}");
    }
}

#[tokio::test]
async fn what_rules_cannot_do_is_said_and_nothing_changes() {
    for (requirement, words, cannot) in
        [(REQUIREMENTS[0], "让{}更勇敢一点", "做不到"), (REQUIREMENTS[1], "Make {} braver", "cannot")]
    {
        let (story, name) = finished(requirement).await;
        let (state, reports) = change(&story, &words.replace("{}", &name)).await;
        assert_eq!(state.story(), story, "{words}");
        assert_eq!((states(&state), state.review_passed), (vec![WishState::Unmet], false), "{words}");
        let last = &reports[reports.len() - 1];
        assert!(
            last.suggestions_for_improvement.iter().any(|line| line.to_lowercase().contains(cannot)),
            "{words}: {last:#?}"
        );
        assert!(!last.passed && last.issues.iter().any(|issue| issue.title.contains(&name)), "{words}: {last:#?}");
    }
}

#[tokio::test]
async fn nothing_to_check_is_not_called_met() {
    for (requirement, said) in [("一个没有名字的故事", "没有可核对的"), ("A tale", "nothing to check")] {
        let (state, _) = run(requirement).await;
        let report = state.diagnostic_report.unwrap();
        assert_eq!(report.wishes, [], "{requirement}");
        assert!(
            report.reasoning_chain.iter().any(|line| line.to_lowercase().contains(said)),
            "{:#?}",
            report.reasoning_chain
        );
        assert!(!report.reasoning_chain.iter().any(|line| line.contains("0/0")), "{:#?}", report.reasoning_chain);
    }
}
