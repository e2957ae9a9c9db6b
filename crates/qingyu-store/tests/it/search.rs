use proptest::prelude::*;
use qingyu_db::Database;
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::testing::Edit;
use qingyu_knowledge::{Filter, Hit, MemoryIndex, Neighbour, Query, QueryVector, Source, WritingFocus, chunk};
use qingyu_store::{Error, ProjectStatus, Projects, Search, Stories, StorySave, change};
use qingyu_story::{ChangeKey, Character, Document, PieceKind, Provenance, RoleType, Story};

use crate::extent::cases;
use crate::{at, database, project};

/// Saves `after` over `before`.
async fn save(database: &Database, user: &str, project: &str, step: usize, before: &Story, after: &Story) {
    let save = StorySave {
        project: project.into(),
        key: ChangeKey { run: "person".into(), step: step.to_string(), iteration: 0 },
        provenance: Provenance::default(),
        expected: None,
        changes: change::difference(before, after),
    };
    Stories::new(database, user).save(save, at(step as i64)).await.unwrap();
}

fn document(id: usize, node: Option<usize>, text: &str) -> Document {
    Document {
        id: format!("d-{id}"),
        title: format!("第{id}章"),
        order: id as u32,
        outline_node: node.map(|node| format!("o-{node}")),
        version: 1,
        text: text.into(),
        ..Document::default()
    }
}

fn book() -> Story {
    Story {
        characters: vec![Character {
            id: "c-1".into(),
            name: "林深".into(),
            role_type: RoleType::Protagonist,
            traits: vec!["勇敢".into()],
            ..Character::default()
        }],
        documents: vec![
            document(1, None, "林深在旧港捡到一块芯片。"),
            document(2, None, "苏曼回到星环塔，没有人等她。"),
            document(3, None, "龍門客棧的燈滅了。"),
        ],
        ..Story::default()
    }
}

async fn ids(search: &Search, project: &str, query: Query) -> String {
    let hits = search.search(project, query).await.unwrap();
    hits.iter().map(|hit| hit.chunk.source.id.as_str()).collect::<Vec<_>>().join(" ")
}

fn keywords(text: &str) -> Query {
    Query { vector: None, ..Query::new(text) }
}

fn condition(text: &str) -> Option<Filter> {
    Some(Filter::parse(text).unwrap())
}

#[tokio::test]
async fn a_save_changes_what_is_found() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let search = Search::new(&database, "local");
    assert_eq!(ids(&search, &id, keywords("芯片")).await, "");
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    assert_eq!(ids(&search, &id, keywords("芯片")).await, "d-1");
    assert_eq!(ids(&search, &id, keywords("龙门客栈")).await, "d-3");
    assert_eq!(ids(&search, &id, keywords("塔")).await, "d-2");
    assert_eq!(ids(&search, &id, Query { filter: condition("traits contains 勇"), ..keywords("林深") }).await, "c-1");
    let mut after = book();
    after.documents[0].text = "林深什么也没有找到。".into();
    after.documents.remove(1);
    save(&database, "local", &id, 2, &book(), &after).await;
    assert_eq!(ids(&search, &id, keywords("芯片")).await, "");
    assert_eq!(ids(&search, &id, keywords("星环塔")).await, "");
    assert_eq!(ids(&search, &id, keywords("找到")).await, "d-1");
}

#[tokio::test]
async fn an_index_that_is_missing_is_made() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    let forget = |connection: &qingyu_db::sql::Connection<'_>| -> Result<(), Error> {
        for table in ["chunk", "search_source", "search_index"] {
            connection.execute(&format!("DELETE FROM {table}"), ())?;
        }
        Ok(())
    };
    database.write(forget).await.unwrap();
    let search = Search::new(&database, "local");
    assert_eq!(ids(&search, &id, keywords("芯片")).await, "d-1");
}

#[tokio::test]
async fn nobody_searches_what_belongs_to_others() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    let other = Search::new(&database, "other");
    assert!(matches!(other.search(&id, Query::new("芯片")).await, Err(Error::UnknownProject { .. })));
    assert!(matches!(other.unembedded(&id, "m", 9).await, Err(Error::UnknownProject { .. })));
    assert!(matches!(other.put_vectors(&id, "m", Vec::new()).await, Err(Error::UnknownProject { .. })));
    assert!(matches!(other.rebuild(&id).await, Err(Error::UnknownProject { .. })));
}

#[tokio::test]
async fn vectors_of_a_model_come_later() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    let search = Search::new(&database, "local");
    let waiting = search.unembedded(&id, "e5", 99).await.unwrap();
    assert_eq!(waiting.len(), 4);
    let query = |values: Vec<f32>| {
        let vector = Some(QueryVector { model: "e5".into(), values });
        Query { vector, ..Query::new("无人知晓") }
    };
    assert_eq!(ids(&search, &id, query(vec![1.0, 0.0])).await, "");
    let vector = |text: &str| if text.contains("星环塔") { vec![2.0, 0.0] } else { vec![0.0, 1.0] };
    let vectors: Vec<_> = waiting.iter().map(|one| (one.number, vector(&one.text))).collect();
    let stale = vec![(99_999, vec![1.0, 0.0])];
    assert_eq!(search.put_vectors(&id, "e5", [vectors.clone(), stale].concat()).await.unwrap(), 4);
    assert!(search.unembedded(&id, "e5", 99).await.unwrap().is_empty());
    let hit = &search.search(&id, query(vec![1.0, 0.0])).await.unwrap()[0];
    assert_eq!((hit.chunk.source.id.as_str(), hit.vector.as_ref().unwrap().score), ("d-2", 1.0));
    let longer = search.put_vectors(&id, "e5", vec![(vectors[0].0, vec![1.0; 3])]).await;
    assert!(matches!(longer, Err(Error::Dimensions { expected: 2, found: 3, .. })), "{longer:?}");

    let mut after = book();
    after.documents[1].text.push_str("她等着。");
    save(&database, "local", &id, 2, &book(), &after).await;
    assert_eq!(search.unembedded(&id, "e5", 99).await.unwrap().len(), 1, "only the changed chunk waits again");
}

#[tokio::test]
async fn whether_a_project_is_whole_holds_until_it_changes() {
    let database = database().await;
    let (id, other) = (project(&database, "local").await.id, project(&database, "ann").await.id);
    let search = Search::new(&database, "local");
    assert_eq!(search.is_whole(&id, "e5").await.unwrap(), None, "nothing was saved yet");
    for (user, project) in [("local", &id), ("ann", &other)] {
        save(&database, user, project, 1, &Story::default(), &book()).await;
    }
    let lexical = qingyu_knowledge::embed::LexicalEmbedder::NAME;
    let behind = async |model: &str, named: &[&str]| {
        let named = named.iter().map(|&project| project.to_owned()).collect();
        Search::behind(&database, model, named).await.unwrap()
    };
    let both =
        || std::collections::BTreeSet::from([("ann".to_owned(), other.clone()), ("local".to_owned(), id.clone())]);
    assert_eq!(search.is_whole(&id, lexical).await.unwrap(), Some(true), "its vectors come with the chunks");
    assert_eq!(behind(lexical, &[]).await, []);
    assert_eq!(
        behind(lexical, &[&id, "p-none"]).await,
        [("local".to_owned(), id.clone())],
        "who is named is looked at"
    );
    assert_eq!(behind("e5", &[&id]).await, both().into_iter().collect::<Vec<_>>());

    let revision = search.revision(&id).await.unwrap();
    search.note_whole(&id, "e5", revision).await.unwrap();
    assert_eq!(search.is_whole(&id, "e5").await.unwrap(), Some(true));
    assert_eq!(search.is_whole(&id, "bge").await.unwrap(), Some(false));
    assert_eq!(behind("e5", &[]).await, [("ann".to_owned(), other.clone())]);

    let mut after = book();
    after.documents[1].text.push_str("她等着。");
    save(&database, "local", &id, 2, &book(), &after).await;
    assert_eq!(search.is_whole(&id, "e5").await.unwrap(), Some(false), "a save leaves something to do");
    search.note_whole(&id, "e5", revision).await.unwrap();
    assert_eq!(
        search.is_whole(&id, "e5").await.unwrap(),
        Some(false),
        "what was looked at before the save says nothing"
    );
    assert_eq!(Search::new(&database, "ann").is_whole(&id, "e5").await.unwrap(), None, "it is not theirs");
    assert_eq!(behind("e5", &[]).await, both().into_iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn vectors_of_models_that_are_not_kept_go_from_their_project_alone() {
    let database = database().await;
    let (id, other) = (project(&database, "local").await.id, project(&database, "local").await.id);
    let search = Search::new(&database, "local");
    for project in [&id, &other] {
        save(&database, "local", project, 1, &Story::default(), &book()).await;
        for model in ["e5", "bge", "gte"] {
            let waiting = search.unembedded(project, model, 99).await.unwrap();
            let vectors = waiting.iter().map(|one| (one.number, vec![0.0, 1.0])).collect();
            assert_eq!(search.put_vectors(project, model, vectors).await.unwrap(), 4);
        }
    }
    let waiting = async |project: &str, model: &str| search.unembedded(project, model, 99).await.unwrap().len();
    let hashed = qingyu_knowledge::embed::LexicalEmbedder::NAME;
    assert_eq!(search.keep_models(&id, &[hashed, "bge"]).await.unwrap(), 8);
    assert_eq!(search.keep_models(&id, &[hashed, "bge"]).await.unwrap(), 0);
    assert_eq!((waiting(&id, "bge").await, waiting(&id, "e5").await, waiting(&id, "gte").await), (0, 4, 4));
    assert_eq!((waiting(&other, "e5").await, waiting(&other, hashed).await), (0, 0));
}

#[tokio::test]
async fn what_others_write_does_not_change_the_order() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    let search = Search::new(&database, "local");
    let before = search.search(&id, Query::new("林深在旧港")).await.unwrap();
    let theirs = project(&database, "other").await.id;
    let documents = (1..40).map(|at| document(at, None, "旧港，旧港，还是旧港。")).collect();
    save(&database, "other", &theirs, 1, &Story::default(), &Story { documents, ..book() }).await;
    assert_eq!(search.search(&id, Query::new("林深在旧港")).await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_searches_while_somebody_saves_sees_one_state() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("book.db"), qingyu_db::Settings::default()).await.unwrap();
    qingyu_store::migrate(&database).await.unwrap();
    let id = project(&database, "local").await.id;
    save(&database, "local", &id, 0, &Story::default(), &book()).await;
    let (writer, written) = (database.clone(), id.clone());
    let saving = tokio::spawn(async move {
        let mut before = book();
        for step in 1..60 {
            let mut after = before.clone();
            after.documents[0].text = format!("林深在旧港捡到第{step}块芯片。");
            save(&writer, "local", &written, step, &before, &after).await;
            before = after;
        }
    });
    let search = Search::new(&database, "local");
    let mut searches = 0;
    while !saving.is_finished() || searches == 0 {
        let hits = search.search(&id, Query::new("旧港的芯片")).await.unwrap();
        assert_eq!(hits[0].chunk.source.id, "d-1");
        searches += 1;
    }
    saving.await.unwrap();
}

fn queries() -> Vec<Query> {
    let focus = Some(WritingFocus { chapter: 3, participants: vec!["林深".into()] });
    vec![
        Query::new("旧港的芯片"),
        keywords("雨"),
        Query { limit: 3, ..Query::new("gardeners") },
        Query { filter: condition("doc_type = document and participants contains 苏曼"), ..Query::new("芯片") },
        Query { before: Some(2), ..Query::new("林深") },
        Query { focus, variety: 0.3, ..Query::new("林深和芯片") },
        Query { filter: condition("not (chapter in 1..2 or traits = 勇敢)"), limit: 50, ..Query::new("他") },
    ]
}

async fn answers(search: &Search, project: &str) -> Vec<Vec<Hit>> {
    let mut answers = Vec::new();
    for query in queries() {
        answers.push(search.search(project, query).await.unwrap());
    }
    answers
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(10, 24), ..ProptestConfig::default() })]

    /// After any edits the index answers as one made anew, and as the engine in memory. Leaks and conditions are the
    /// business of the [suite](crate::engine).
    #[test]
    fn edits_lead_where_a_new_index_leads(edits in prop::collection::vec(Edit::any(), 1..12)) {
        run(async {
            let database = database().await;
            let id = project(&database, "local").await.id;
            let search = Search::new(&database, "local");
            let mut story = Story::default();
            for (step, edit) in edits.iter().enumerate() {
                let before = story.clone();
                edit.apply(&mut story);
                save(&database, "local", &id, step, &before, &story).await;
                let memory = MemoryIndex::new(chunk::of(&Stories::new(&database, "local").load(&id).await.unwrap().story));
                let expected: Vec<Vec<Hit>> = queries().iter().map(|query| memory.search(query)).collect();
                assert_eq!(answers(&search, &id).await, expected, "after {edit:?}");
            }
            let kept = answers(&search, &id).await;
            search.rebuild(&id).await.unwrap();
            assert_eq!(answers(&search, &id).await, kept);
        });
    }
}

#[tokio::test]
async fn a_copy_continues_where_it_stopped_and_follows_changes() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let search = Search::new(&database, "local");
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    search.bring_up_to_date(&id).await.unwrap();
    let (place, model) = ("vectors test", LexicalEmbedder::NAME);
    let first = search.uncopied(&id, place, model, None, 1).await.unwrap();
    assert_eq!((first.put.len(), first.remove.len()), (1, 0));
    assert_eq!(first.next.as_ref(), Some(&first.put[0].source));
    let behind = search.uncopied(&id, place, model, first.next.as_ref(), 100).await.unwrap();
    assert!(behind.next.is_none() && behind.put.iter().all(|piece| piece.source != first.put[0].source));
    assert!(first.put[0].points.iter().all(|point| point.vector.len() == 1024));
    search.note_batch(&id, place, &first).await.unwrap();
    let so_far = search.copy_progress(&id, place).await.unwrap();
    assert!(so_far.copied == 1 && so_far.pieces > 3, "{so_far:?}");

    let rest = search.uncopied(&id, place, model, None, 100).await.unwrap();
    assert!(rest.put.iter().all(|piece| piece.source != first.put[0].source), "nothing is copied twice");
    search.note_batch(&id, place, &rest).await.unwrap();
    assert!(search.uncopied(&id, place, model, None, 100).await.unwrap().is_empty());
    assert!(!search.is_copied(&id, place).await.unwrap());
    search.note_copied(&id, place, search.revision(&id).await.unwrap()).await.unwrap();
    assert!(search.is_copied(&id, place).await.unwrap());
    assert!(Search::not_copied(&database, place, Vec::new()).await.unwrap().is_empty());
    let own = Search::not_copied(&database, place, vec![id.clone(), "p-none".into()]).await.unwrap();
    assert_eq!(own, [("local".to_owned(), id.clone())], "a project with settings of its own is always looked at");
    assert_eq!(search.copies(&id, "vectors ").await.unwrap(), [place]);
    assert_eq!(search.copies(&id, "graph ").await.unwrap(), [""; 0]);

    let mut after = book();
    after.documents[0].text = "林深什么也没有找到。".into();
    after.documents.remove(1);
    save(&database, "local", &id, 2, &book(), &after).await;
    assert!(!search.is_copied(&id, place).await.unwrap());
    let behind = Search::not_copied(&database, place, Vec::new()).await.unwrap();
    assert_eq!(behind, [("local".to_owned(), id.clone())]);
    search.bring_up_to_date(&id).await.unwrap();
    let changed = search.uncopied(&id, place, model, None, 100).await.unwrap();
    let put: Vec<&str> = changed.put.iter().map(|piece| piece.source.id.as_str()).collect();
    assert_eq!(put, ["d-3"], "another number; the new text of d-1 waits for its vectors");
    assert_eq!(changed.remove.iter().map(|source| source.id.as_str()).collect::<Vec<_>>(), ["d-2"]);
    let embedded = search.embedded_texts(&id, model).await.unwrap();
    assert_eq!(embedded.chunk("no such text"), None);
    assert!(search.vectors_of(&id, model, vec![i64::MAX]).await.unwrap().is_empty());
    let other = search.uncopied(&id, place, "another model", None, 100).await.unwrap();
    assert!(other.put.iter().all(|piece| piece.points.is_empty()), "pieces wait for their vectors");

    let projects = Projects::new(&database, "local");
    projects.set_status(&id, ProjectStatus::Binned).await.unwrap();
    projects.delete(&id).await.unwrap();
    let deleted = Search::deleted_copies(&database).await.unwrap();
    assert_eq!(deleted, [("local".to_owned(), id.clone(), place.to_owned())]);
    search.forget_copy(&id, place).await.unwrap();
    assert!(Search::deleted_copies(&database).await.unwrap().is_empty());
}

#[tokio::test]
async fn neighbours_found_elsewhere_are_ranked_here() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let search = Search::new(&database, "local");
    save(&database, "local", &id, 1, &Story::default(), &book()).await;
    let near =
        |id: &str| Neighbour { source: Source { kind: PieceKind::Document, id: id.into() }, part: 0, score: 0.5 };
    let query = Query { near: Some(vec![near("d-3"), near("gone")]), ..Query::new("gamma") };
    let hits = search.search(&id, query).await.unwrap();
    assert_eq!(hits.iter().map(|hit| hit.chunk.source.id.as_str()).collect::<Vec<_>>(), ["d-3"]);
    assert_eq!(hits[0].vector.as_ref().map(|side| side.score), Some(0.5));
}
