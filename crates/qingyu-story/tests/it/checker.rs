use std::collections::BTreeSet;

use proptest::prelude::*;
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{Config, Story, check, edit, findings, ids, impact};

use crate::arbitrary::{story, story_with_ids};
use crate::borders::stories;

/// The story with every list turned round and rotated.
fn shuffled(mut story: Story, by: usize) -> Story {
    fn turn<T>(list: &mut [T], by: usize) {
        list.reverse();
        if !list.is_empty() {
            let by = by % list.len();
            list.rotate_left(by);
        }
    }
    turn(&mut story.characters, by);
    turn(&mut story.character_relations, by);
    turn(&mut story.outline_nodes, by);
    turn(&mut story.timeline_events, by);
    turn(&mut story.plot_nodes, by);
    turn(&mut story.documents, by);
    turn(&mut story.facts, by);
    turn(&mut story.promises, by);
    for fact in &mut story.facts {
        turn(&mut fact.known_by, by);
    }
    if let Some(world) = &mut story.worldview {
        turn(&mut world.rules, by);
        turn(&mut world.locations, by);
        turn(&mut world.organisations, by);
        turn(&mut world.items, by);
    }
    story
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn findings_do_not_depend_on_the_order_of_insertion(story in story_with_ids(), by in 0_usize..7) {
        let other = findings(&shuffled(story.clone(), by), &Config::default());
        prop_assert_eq!(findings(&story, &Config::default()), other);
    }

    #[test]
    fn what_a_change_touches_does_not_depend_on_the_order_of_insertion(story in story_with_ids(), by in 0_usize..7) {
        let turned = shuffled(story.clone(), by);
        for piece in story.pieces().filter(|piece| !piece.kind().is_single()) {
            let touched = impact(&story, piece.id(), None);
            prop_assert_eq!(&touched, &impact(&turned, piece.id(), None));
            let near = impact(&story, piece.id(), Some(1)).map(|near| near.len());
            let first = touched.map(|touched| touched.iter().filter(|one| one.distance == 1).count());
            prop_assert_eq!(near, first);
        }
    }

    #[test]
    fn what_is_so_does_not_depend_on_the_order_of_insertion(
        story in story_with_ids(),
        by in 0_usize..7,
        as_of in prop_oneof![Just("2077"), Just("第3天"), Just("第一章"), Just("失窃"), Just("")],
    ) {
        let turned = shuffled(story.clone(), by);
        let question = Question { as_of: Some(as_of.to_owned()), ..Question::default() };
        prop_assert_eq!(GroundTruth::of(&story).ask(&question), GroundTruth::of(&turned).ask(&question));
    }

    #[test]
    fn no_story_makes_the_checker_panic(story in story()) {
        let found = check(&story, &Config::default());
        let ids: BTreeSet<&str> = found.iter().map(|issue| issue.id.as_str()).collect();
        prop_assert_eq!(ids.len(), found.len(), "ids are unique");
        prop_assert!(qingyu_story::score(&found) <= 100);
    }

    #[test]
    fn every_fix_can_be_read_and_applied_or_refused(story in story_with_ids()) {
        for finding in findings(&story, &Config::default()) {
            for instruction in finding.instructions {
                let edit = edit::from_instruction(&instruction);
                prop_assert!(edit.is_ok(), "{:?}: {:?}", instruction, edit);
                let mut mended = story.clone();
                if edit::apply(&mut mended, edit.unwrap()).is_err() {
                    prop_assert_eq!(&mended, &story, "a refused edit touches nothing");
                }
            }
        }
    }

    #[test]
    fn ids_are_given_once_and_to_all(mut story in story()) {
        ids::assign(&mut story);
        let mut seen = BTreeSet::new();
        for piece in story.pieces().filter(|piece| !piece.kind().is_single()) {
            prop_assert!(!piece.id().trim().is_empty());
            prop_assert!(seen.insert((piece.kind(), piece.id().to_owned())));
        }
        let again = story.clone();
        ids::assign(&mut story);
        prop_assert_eq!(story, again);
    }

    #[test]
    fn what_is_sent_again_keeps_its_ids(story in story_with_ids()) {
        let mut sent = story.clone();
        for card in &mut sent.characters {
            card.id = String::new();
        }
        ids::adopt(&story, &mut sent);
        let unique: BTreeSet<&String> = sent.characters.iter().map(|card| &card.id).collect();
        prop_assert_eq!(unique.len(), sent.characters.len());
        for (old, new) in story.characters.iter().zip(&sent.characters) {
            let bearers = story.characters.iter().filter(|card| qingyu_story::names::fold(&card.name) == qingyu_story::names::fold(&old.name));
            if !old.name.trim().is_empty() && bearers.count() == 1 {
                prop_assert_eq!(&old.id, &new.id);
            }
        }
    }
}

/// Stories full of near misses: aliases, crowds, organisations, flashbacks, hearsay, a funeral, a night that reaches into
/// the next day, allies who fall out.
#[test]
fn sound_stories_have_no_findings() {
    for source in [include_str!("stories/neon.json"), include_str!("stories/ark.json")] {
        let story: Story = serde_json::from_str(source).unwrap();
        assert_eq!(check(&story, &Config::default()), []);
    }
}

#[test]
fn findings_in_examples_do_not_depend_on_the_order_of_insertion() {
    for story in stories() {
        let other = findings(&shuffled(story.clone(), 1), &Config::default());
        assert_eq!(findings(&story, &Config::default()), other, "{}", serde_json::to_string_pretty(&story).unwrap());
    }
}

#[test]
fn what_is_told_of_a_waiver_is_not_waived() {
    let story: Story = serde_json::from_str(
        r#"{"waivers": [
            {"finding": "QY401", "reason": "有意为之", "owner": "作者"},
            {"finding": "QY001", "reason": "有意为之", "owner": "作者"}
        ]}"#,
    )
    .unwrap();
    let found = findings(&story, &Config::default());
    assert_eq!(found.iter().filter(|finding| finding.issue.code.as_deref() == Some("QY001")).count(), 2);
    assert!(found.iter().all(|finding| finding.issue.waived.is_none()), "{found:?}");
}
