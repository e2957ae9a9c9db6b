use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use qingyu_story::edit::apply;
use qingyu_story::{Edit, EditTarget, Piece, Story};
use serde_json::json;

use crate::arbitrary::{story, story_with_ids};

/// What is to be done to which piece.
#[derive(Debug, Clone)]
pub(crate) enum Doing {
    Create(Index),
    Rename(Index, String),
    Describe(Index),
    Delete(Index),
}

pub(crate) fn doing() -> impl Strategy<Value = Doing> {
    prop_oneof![
        any::<Index>().prop_map(Doing::Create),
        (any::<Index>(), "[林李王青四Ab]{1,3}").prop_map(|(index, name)| Doing::Rename(index, name)),
        any::<Index>().prop_map(Doing::Describe),
        any::<Index>().prop_map(Doing::Delete),
    ]
}

pub(crate) fn edit(story: &Story, other: &Story, doing: &Doing) -> Option<Edit> {
    let pick = |story: &Story, index: &Index| -> Option<Piece> {
        let pieces: Vec<Piece> = story.pieces().collect();
        (!pieces.is_empty()).then(|| pieces[index.index(pieces.len())].clone())
    };
    let target = |piece: &Piece| match piece.kind().is_single() {
        true => EditTarget::Only,
        false => EditTarget::Named(piece.id().to_owned()),
    };
    let update = |piece: &Piece, field: &str, value: &str| Edit::Update {
        kind: piece.kind(),
        target: target(piece),
        fields: BTreeMap::from([(field.to_owned(), json!(value))]),
    };
    Some(match doing {
        Doing::Create(index) => Edit::Create { piece: pick(other, index)? },
        Doing::Rename(index, name) => {
            let piece = pick(story, index)?;
            let field = if piece.fields().contains_key("title") { "title" } else { "name" };
            update(&piece, field, name)
        }
        Doing::Describe(index) => update(&pick(story, index)?, "description", "林青"),
        Doing::Delete(index) => {
            let piece = pick(story, index)?;
            Edit::Delete { kind: piece.kind(), target: target(&piece) }
        }
    })
}

fn pieces(story: &Story) -> Vec<Piece> {
    story.pieces().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn undoing_any_sequence_of_edits_restores_the_story(
        before in story_with_ids(),
        other in story(),
        doings in vec(doing(), 0..8),
    ) {
        let mut story = before.clone();
        let mut changes = Vec::new();
        for doing in &doings {
            let Some(edit) = edit(&story, &other, doing) else { continue };
            let unedited = story.clone();
            match apply(&mut story, edit) {
                Ok(change) => changes.push(change),
                Err(_) => prop_assert_eq!(&story, &unedited, "a refused edit touches nothing"),
            }
        }
        let after = story.clone();
        for change in changes.iter().rev() {
            change.inverse().apply(&mut story).unwrap();
        }
        prop_assert_eq!(pieces(&story), pieces(&before));
        for change in &changes {
            change.apply(&mut story).unwrap();
        }
        prop_assert_eq!(pieces(&story), pieces(&after));
    }
}
