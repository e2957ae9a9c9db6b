use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::Index;
use qingyu_story::edit::incremental;
use qingyu_story::{Action, Agent, CorrectionInstruction, Piece, PieceKind, Story};
use serde_json::{Value, json};

use crate::arbitrary::{story, story_with_ids};

/// What the instructions of a case name: places and, if any, the only field that may change.
type Named = BTreeSet<(PieceKind, String)>;

fn instruction(action: Action, parameters: Value) -> CorrectionInstruction {
    CorrectionInstruction { action, parameters, target_agent: Agent::Outline, ..CorrectionInstruction::default() }
}

/// Instructions that name some pieces of `story` by id.
fn instructions(story: &Story, picks: &[(Index, u8)]) -> (Vec<CorrectionInstruction>, Named) {
    let pieces: Vec<Piece> = story.pieces().filter(|piece| !piece.kind().is_single()).collect();
    let mut named = Named::new();
    let mut all = Vec::new();
    if pieces.is_empty() {
        return (all, named);
    }
    for (pick, action) in picks {
        let piece = &pieces[pick.index(pieces.len())];
        let parameters = json!({ "kind": piece.kind(), "id": piece.id() });
        let action = if *action == 0 { Action::Delete } else { Action::Update };
        all.push(instruction(action, parameters));
        named.insert((piece.kind(), piece.id().to_owned()));
    }
    (all, named)
}

fn pieces(story: &Story) -> Vec<((PieceKind, String), String)> {
    let bytes = |piece: &Piece| serde_json::to_string(piece).expect("pieces are plain values");
    story.pieces().map(|piece| ((piece.kind(), piece.id().to_owned()), bytes(&piece))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_named_stays_the_same_to_the_byte(
        before in story_with_ids(),
        answer in story(),
        picks in proptest::collection::vec((any::<Index>(), 0_u8..4), 0..4),
    ) {
        let (instructions, named) = instructions(&before, &picks);
        let outcome = incremental(&before, &answer, &instructions);
        let after = pieces(&outcome.story);
        let untouched = |all: Vec<((PieceKind, String), String)>| -> Vec<_> {
            all.into_iter().filter(|(place, _)| !named.contains(place)).collect()
        };
        // Nothing is created, and all that is not named is there, unchanged and in its order.
        prop_assert_eq!(untouched(pieces(&before)), untouched(after));
        prop_assert_eq!(&outcome.story.premise, &before.premise);
        let mut undone = outcome.story;
        for change in outcome.changes.iter().rev() {
            change.inverse().apply(&mut undone).unwrap();
        }
        prop_assert_eq!(pieces(&undone), pieces(&before));
    }

    #[test]
    fn only_named_fields_change(before in story_with_ids(), answer in story(), age in 0_i32..99) {
        let instructions: Vec<_> = before
            .characters
            .iter()
            .map(|card| instruction(Action::Update, json!({ "kind": "character", "id": card.id, "age": age })))
            .collect();
        let outcome = incremental(&before, &answer, &instructions);
        prop_assert_eq!(outcome.story.characters.len(), before.characters.len());
        for (old, new) in before.characters.iter().zip(&outcome.story.characters) {
            let mut same_age = new.clone();
            same_age.age = old.age;
            prop_assert_eq!(old, &same_age);
        }
    }

    #[test]
    fn an_answer_changes_nothing_without_instructions(before in story_with_ids(), answer in story()) {
        let outcome = incremental(&before, &answer, &[]);
        prop_assert_eq!(outcome.story, before);
        prop_assert!(outcome.changes.is_empty());
    }
}
