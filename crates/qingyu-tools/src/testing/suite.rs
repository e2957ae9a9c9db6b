//! The test suite of all workspaces.

#![expect(clippy::unwrap_used, reason = "a suite may panic as tests do")]

use std::sync::Arc;

use qingyu_story::{Character, Document, Edit, EditTarget, OutlineNode, Piece, PieceKind, Provenance, Story, edit};
use serde_json::json;

use crate::workspace::{Error, LoadedStory, Workspace, WorkspaceSave};

/// Returns the initial story of the workspaces under test: two characters, a chapter, and its text in version 1. All
/// have ids.
pub fn beginning() -> Story {
    let card = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
    let node = OutlineNode { id: "o-1".into(), name: "第一章 雨夜".into(), order: 1, ..OutlineNode::default() };
    let text = Document {
        id: "d-1".into(),
        title: "雨夜".into(),
        order: 1,
        outline_node: Some("o-1".into()),
        version: 1,
        text: "雨下了一夜。“谁？”林青问。".into(),
        ..Document::default()
    };
    Story {
        premise: "雨夜的访客".into(),
        characters: vec![card("c-1", "林青"), card("c-2", "Ann Lee")],
        outline_nodes: vec![node],
        documents: vec![text],
        ..Story::default()
    }
}

/// Runs all tests. `open` returns a new workspace with exactly [`beginning`], at any version.
///
/// Panics at the first broken promise, with its name.
pub async fn run<W, F>(open: impl Fn() -> F)
where
    W: Workspace,
    F: Future<Output = W>,
{
    loads_what_is_there(&open().await).await;
    saves_and_counts(&open().await).await;
    refuses_a_stale_save(&open().await).await;
    saves_under_one_key_once(&open().await).await;
    takes_every_kind_of_change(&open().await).await;
    keeps_versions_of_documents(&open().await).await;
    tells_who_made_a_piece(&open().await).await;
    one_of_two_wins(Arc::new(open().await)).await;
}

async fn loads_what_is_there(workspace: &dyn Workspace) {
    let loaded = workspace.load().await.unwrap();
    let known = Story { last_ids: loaded.story.last_ids.clone(), ..beginning() };
    assert_eq!(*loaded.story, known, "the story is as it was given");
    assert_eq!(workspace.version().await.unwrap(), loaded.version, "both ways to ask give one version");
    assert!(!workspace.project().is_empty(), "a project has an id");
    assert_eq!(workspace.load().await.unwrap(), loaded, "loading changes nothing");
}

async fn saves_and_counts(workspace: &dyn Workspace) {
    let loaded = workspace.load().await.unwrap();
    let save = save("k-1", &loaded, |story| story.characters[0].age = Some(30));
    let after = save.after.clone();
    let version = workspace.save(save).await.unwrap();
    assert_eq!(version, loaded.version + 1, "a save counts one");
    let again = workspace.load().await.unwrap();
    assert_eq!((again.version, &*again.story), (version, &after), "what was saved is loaded");
    assert_eq!(workspace.version().await.unwrap(), version);
    let nothing = WorkspaceSave { key: "k-2".into(), ..self::save("k-2", &again, |_| {}) };
    assert_eq!(workspace.save(nothing).await.unwrap(), version, "nothing changed, so nothing is counted");
}

async fn refuses_a_stale_save(workspace: &dyn Workspace) {
    let loaded = workspace.load().await.unwrap();
    let first = workspace.save(save("k-1", &loaded, |story| story.characters[0].age = Some(30))).await.unwrap();
    let stale = save("k-2", &loaded, |story| story.characters[0].age = Some(31));
    let refused = workspace.save(stale).await;
    assert_eq!(refused, Err(Error::Conflict { expected: loaded.version, found: first }), "the conflict names both");
    let now = workspace.load().await.unwrap();
    assert_eq!((now.version, now.story.characters[0].age), (first, Some(30)), "and nothing has changed");
}

async fn saves_under_one_key_once(workspace: &dyn Workspace) {
    let loaded = workspace.load().await.unwrap();
    let save = save("k-1", &loaded, |story| story.characters[0].age = Some(30));
    let version = workspace.save(save.clone()).await.unwrap();
    assert_eq!(workspace.save(save).await.unwrap(), version, "the same save again is no conflict");
    assert_eq!(workspace.load().await.unwrap().version, version, "and is not counted");
}

async fn takes_every_kind_of_change(workspace: &dyn Workspace) {
    let loaded = workspace.load().await.unwrap();
    let change = save("k-1", &loaded, |story| {
        for kind in PieceKind::ALL {
            let mut piece = Piece::empty(kind);
            for field in ["name", "title"] {
                if piece.fields().contains_key(field) {
                    piece = piece.with_field(field, json!(format!("new {kind}"))).unwrap();
                }
            }
            let one_more = kind.is_single() && story.count(kind) > 0;
            if !one_more {
                edit::apply(story, Edit::Create { piece }).unwrap();
            }
        }
        let fields = [("name".to_owned(), json!("林远"))].into();
        let target = EditTarget::Named("c-1".into());
        edit::apply(story, Edit::Update { kind: PieceKind::Character, target, fields }).unwrap();
        story.characters.swap(0, 1);
        let target = EditTarget::Named("o-1".into());
        edit::apply(story, Edit::Delete { kind: PieceKind::OutlineNode, target }).unwrap();
    });
    let after = change.after.clone();
    workspace.save(change).await.unwrap();
    let now = workspace.load().await.unwrap();
    for kind in PieceKind::ALL {
        let (found, expected): (Vec<Piece>, Vec<Piece>) =
            (now.story.pieces_of(kind).collect(), after.pieces_of(kind).collect());
        assert_eq!(found, expected, "every {kind} is there, in order");
    }
    assert!(now.story.documents[0].text.contains("林远"), "a new name is carried into the prose");
    let undone =
        WorkspaceSave { before: now.story.clone(), ..save("k-2", &now, |story| *story = Story::clone(&loaded.story)) };
    workspace.save(undone).await.unwrap();
    let back = workspace.load().await.unwrap();
    let pieces = |story: &Story| story.pieces().collect::<Vec<_>>();
    assert_eq!(pieces(&back.story), pieces(&loaded.story), "and back again");
}

async fn keeps_versions_of_documents(workspace: &dyn Workspace) {
    let mut texts = vec![beginning().documents[0].text.clone()];
    for round in 0..3 {
        let loaded = workspace.load().await.unwrap();
        let save = save(&format!("k-{round}"), &loaded, |story| {
            let text = format!("{}\n第{round}段。", story.documents[0].text);
            let fields = [("text".to_owned(), json!(text))].into();
            let target = EditTarget::Named("d-1".into());
            edit::apply(story, Edit::Update { kind: PieceKind::Document, target, fields }).unwrap();
        });
        texts.push(save.after.documents[0].text.clone());
        workspace.save(save).await.unwrap();
    }
    let versions = workspace.document_versions("d-1").await.unwrap();
    let numbers: Vec<u32> = versions.iter().map(|version| version.version).collect();
    assert_eq!(numbers, [1, 2, 3, 4], "every version of a text is kept, oldest first");
    let kept: Vec<String> = versions.iter().map(|version| version.text.clone()).collect();
    assert_eq!(kept, texts);
    let made = versions[3].made.as_ref().expect("the newest version was made by a save");
    assert_eq!(made.provenance, provenance("k-2"), "and says who made it");
    assert!(workspace.document_versions("nothing").await.unwrap().is_empty(), "what is not there has no versions");
}

async fn tells_who_made_a_piece(workspace: &dyn Workspace) {
    let loaded = workspace.load().await.unwrap();
    let version = workspace.save(save("k-1", &loaded, |story| story.characters[0].age = Some(30))).await.unwrap();
    let loaded = workspace.load().await.unwrap();
    workspace.save(save("k-2", &loaded, |story| story.characters[1].age = Some(20))).await.unwrap();
    let made = workspace.provenance(PieceKind::Character, "c-1").await.unwrap().expect("it was changed");
    assert_eq!((made.version, made.provenance), (version, provenance("k-1")), "the last change of the piece itself");
    let other = workspace.provenance(PieceKind::Character, "c-2").await.unwrap().expect("it was changed");
    assert_eq!(other.provenance, provenance("k-2"));
    assert_eq!(workspace.provenance(PieceKind::Character, "c-99").await.unwrap(), None, "nobody made nothing");
    let loaded = workspace.load().await.unwrap();
    workspace.save(save("k-3", &loaded, |story| story.outline_nodes[0].goal = "守灯".into())).await.unwrap();
    let loaded = workspace.load().await.unwrap();
    workspace.save(save("k-4", &loaded, |story| story.outline_nodes[0].order = 9)).await.unwrap();
    assert_eq!(workspace.load().await.unwrap().story.outline_nodes[0].order, 9);
    let node = workspace.provenance(PieceKind::OutlineNode, "o-1").await.unwrap().expect("it was changed");
    assert_eq!(node.provenance, provenance("k-3"), "who only moves a piece is not its author");
}

async fn one_of_two_wins<W: Workspace>(workspace: Arc<W>) {
    let loaded = workspace.load().await.unwrap();
    let ages = [30, 31];
    let saves =
        ages.map(|age| workspace.save(save(&format!("k-{age}"), &loaded, |story| story.characters[0].age = Some(age))));
    let done = futures::future::join_all(saves).await;
    let won: Vec<usize> = (0..2).filter(|index| done[*index].is_ok()).collect();
    assert_eq!(won.len(), 1, "of two saves for one version one wins: {done:?}");
    let conflict = done[1 - won[0]].clone();
    assert_eq!(conflict, Err(Error::Conflict { expected: loaded.version, found: loaded.version + 1 }));
    assert_eq!(workspace.load().await.unwrap().story.characters[0].age, Some(ages[won[0]]));
}

/// Returns a save of `loaded` with `change` applied.
fn save(key: &str, loaded: &LoadedStory, change: impl FnOnce(&mut Story)) -> WorkspaceSave {
    let mut after = Story::clone(&loaded.story);
    change(&mut after);
    WorkspaceSave {
        before: Arc::clone(&loaded.story),
        after,
        expected: loaded.version,
        key: key.to_owned(),
        provenance: provenance(key),
    }
}

/// The note stays empty: not every store supports notes.
fn provenance(tool: &str) -> Provenance {
    Provenance {
        agent: "person".into(),
        tool: tool.to_owned(),
        run: Some("r-1".into()),
        prompt_hash: Some("9f2c".into()),
        tokens: 4_200,
        model: Some("offline-rules-1".into()),
        note: String::new(),
    }
}
