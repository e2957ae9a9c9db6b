//! The test suite of [`SearchEngine`].

use proptest::prelude::*;
use qingyu_story::Story;

use super::filters::filter;
use super::generated::generated;
use super::scopes;
use super::stories::{Edit, book};
use crate::engine::{Error, Scope, SearchEngine};
use crate::filter::Value;
use crate::search::{MemoryIndex, QueryVector};
use crate::{Filter, Hit, Query, WritingFocus, chunk};

/// Checks all guarantees of [`SearchEngine`] observable by one process, with `cases` generated cases per property.
pub async fn search_suite(engine: &dyn SearchEngine, cases: u32) {
    nothing_is_found_where_nothing_is(engine).await;
    edits_lead_where_a_new_index_leads(engine, cases).await;
    scopes_do_not_leak(engine, cases).await;
    conditions_mean_the_same(engine, cases).await;
    vectors_of_a_model_come_later(engine).await;
    bad_vectors_are_refused_whole(engine).await;
    who_syncs_at_the_same_time_leaves_one_of_both(engine).await;
}

fn queries() -> Vec<Query> {
    let condition = |text: &str| Some(Filter::parse(text).expect("it is well formed"));
    let focus = Some(WritingFocus { chapter: 3, participants: vec!["林深".into()] });
    vec![
        Query::new("旧港的芯片"),
        Query { vector: None, ..Query::new("雨") },
        Query { limit: 3, ..Query::new("gardeners") },
        Query { filter: condition("doc_type = document and participants contains 苏曼"), ..Query::new("芯片") },
        Query { before: Some(2), ..Query::new("林深") },
        Query { focus, variety: 0.3, ..Query::new("林深和芯片") },
        Query { filter: condition("not (chapter in 1..2 or traits = 勇敢)"), limit: 50, ..Query::new("他") },
        Query::new("……"),
    ]
}

async fn found(engine: &dyn SearchEngine, scope: &Scope, query: &Query) -> Vec<Hit> {
    engine.search(scope, query).await.expect("it can be searched")
}

async fn sync(engine: &dyn SearchEngine, scope: &Scope, story: &Story) {
    engine.sync(scope, story).await.expect("it can be written");
}

async fn forget(engine: &dyn SearchEngine, scope: &Scope) {
    engine.forget(scope).await.expect("it can be forgotten");
}

/// Checks that the engine returns for `scope` the hits of an index of `story`.
async fn check(engine: &dyn SearchEngine, scope: &Scope, story: &Story, because: &dyn std::fmt::Debug) {
    let memory = MemoryIndex::new(chunk::of(story));
    for query in queries() {
        let (hits, expected) = (found(engine, scope, &query).await, memory.search(&query));
        assert!(are_same(&hits, &expected), "{query:?} after {because:?}\nfound {hits:#?}\nnot {expected:#?}");
    }
}

/// Returns whether the hits and reasons are equal; scores to a millionth.
fn are_same(hits: &[Hit], expected: &[Hit]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6;
    let side = |a: &Option<crate::fusion::Side>, b: &Option<crate::fusion::Side>| match (a, b) {
        (Some(a), Some(b)) => {
            let terms = a.terms.iter().zip(&b.terms).all(|(a, b)| a.term == b.term && near(a.score, b.score));
            a.rank == b.rank && near(a.score, b.score) && a.terms.len() == b.terms.len() && terms
        }
        (None, None) => true,
        _ => false,
    };
    hits.len() == expected.len()
        && hits.iter().zip(expected).all(|(a, b)| {
            let scores = near(a.score, b.score) && near(a.emphasis, b.emphasis);
            a.chunk == b.chunk && scores && side(&a.keyword, &b.keyword) && side(&a.vector, &b.vector)
        })
}

async fn nothing_is_found_where_nothing_is(engine: &dyn SearchEngine) {
    let [scope, other, ..] = &scopes::own()[..] else { return };
    assert!(found(engine, scope, &Query::new("芯片")).await.is_empty());
    assert!(engine.unembedded(scope, "e5", 9).await.expect("it can be asked").is_empty());
    forget(engine, scope).await;
    sync(engine, scope, &Story::default()).await;
    sync(engine, other, &book()).await;
    assert!(found(engine, scope, &Query::new("芯片")).await.is_empty());
    for scope in [scope, other] {
        forget(engine, scope).await;
    }
}

/// Checks that after any edits the index returns the same as a new index, and as the in-memory engine.
async fn edits_lead_where_a_new_index_leads(engine: &dyn SearchEngine, cases: u32) {
    for edits in generated(cases, prop::collection::vec(Edit::any(), 1..12)) {
        let scopes = scopes::own();
        let mut story = Story::default();
        for edit in &edits {
            edit.apply(&mut story);
            sync(engine, &scopes[0], &story).await;
            check(engine, &scopes[0], &story, &edits).await;
        }
        sync(engine, &scopes[0], &story).await;
        check(engine, &scopes[0], &story, &"nothing").await;
        sync(engine, &scopes[1], &story).await;
        check(engine, &scopes[1], &story, &"it was made anew").await;
        forget(engine, &scopes[0]).await;
        forget(engine, &scopes[1]).await;
    }
}

/// Stores several indexes concurrently; each scope returns only its own, and deleting another scope has no effect.
async fn scopes_do_not_leak(engine: &dyn SearchEngine, cases: u32) {
    for edits in generated(cases, prop::collection::vec((0usize..5, Edit::any()), 1..16)) {
        let scopes = scopes::own();
        let mut stories = vec![Story::default(); scopes.len()];
        for (at, edit) in &edits {
            edit.apply(&mut stories[*at]);
            sync(engine, &scopes[*at], &stories[*at]).await;
        }
        for (scope, story) in scopes.iter().zip(&stories) {
            check(engine, scope, story, &edits).await;
        }
        for gone in 0..scopes.len() {
            forget(engine, &scopes[gone]).await;
            stories[gone] = Story::default();
            let next = (gone + 1) % scopes.len();
            check(engine, &scopes[gone], &stories[gone], &edits).await;
            check(engine, &scopes[next], &stories[next], &edits).await;
        }
    }
}

async fn conditions_mean_the_same(engine: &dyn SearchEngine, cases: u32) {
    let fields = ["doc_type", "name", "age", "chapter", "traits", "alias", "open", "participants", "a\0b", "'\"`"];
    let texts = ["document", "林深", "深", "勇敢", "", "true", "第2章", "Ｄocument", "\0", "%", "龍門"];
    let values: Vec<Value> = texts.into_iter().map(Value::from).chain((0u32..5).map(Value::from)).collect();
    let scopes = scopes::own();
    sync(engine, &scopes[0], &book()).await;
    sync(engine, &scopes[1], &book()).await;
    let memory = MemoryIndex::new(chunk::of(&book()));
    for filter in generated(cases * 10, filter(&fields, &values)) {
        let query = Query { filter: Some(filter), limit: 99, ..Query::new("芯片林深") };
        let (hits, expected) = (found(engine, &scopes[0], &query).await, memory.search(&query));
        assert!(are_same(&hits, &expected), "{}: {hits:#?}", query.filter.expect("it has one"));
    }
    forget(engine, &scopes[0]).await;
    forget(engine, &scopes[1]).await;
}

fn by_model(values: Vec<f32>) -> Query {
    Query { vector: Some(QueryVector { model: "e5".into(), values }), ..Query::new("无人知晓") }
}

async fn vectors_of_a_model_come_later(engine: &dyn SearchEngine) {
    let [scope, other, ..] = &scopes::own()[..] else { return };
    sync(engine, scope, &book()).await;
    sync(engine, other, &book()).await;
    let count = chunk::of(&book()).len();
    let waiting = engine.unembedded(scope, "e5", 99).await.expect("it can be asked");
    assert_eq!(waiting.len(), count);
    assert_eq!(engine.unembedded(scope, "e5", 2).await.expect("it can be asked").len(), 2);
    assert!(found(engine, scope, &by_model(vec![1.0, 0.0])).await.is_empty());
    let vector = |text: &str| if text.contains("星环塔") { vec![2.0, 0.0] } else { vec![0.0, 1.0] };
    let vectors: Vec<_> = waiting.iter().map(|one| (one.number, vector(&one.text))).collect();
    let theirs = engine.unembedded(other, "e5", 99).await.expect("it can be asked");
    let of_others = theirs.iter().map(|one| (one.number, vec![1.0, 0.0]));
    let foreign: Vec<_> = of_others.filter(|(number, _)| waiting.iter().all(|own| own.number != *number)).collect();
    let stale = vec![(i64::MAX - 7, vec![1.0, 0.0])];
    let kept = engine.put_vectors(scope, "e5", [vectors, stale, foreign].concat()).await;
    assert_eq!(kept.expect("they can be kept"), count);
    assert!(engine.unembedded(scope, "e5", 99).await.expect("it can be asked").is_empty());
    assert_eq!(engine.unembedded(other, "e5", 99).await.expect("it can be asked").len(), count, "theirs still wait");
    let hit = &found(engine, scope, &by_model(vec![1.0, 0.0])).await[0];
    assert_eq!(hit.chunk.source.id, "d-2");
    assert!(hit.vector.as_ref().is_some_and(|side| (side.score - 1.0).abs() < 1e-6), "{hit:?}");

    let mut after = book();
    after.documents[1].text.push_str("她等着。");
    after.characters[0].traits.clear();
    sync(engine, scope, &after).await;
    let waiting = engine.unembedded(scope, "e5", 99).await.expect("it can be asked");
    assert!(waiting.iter().any(|one| one.text.contains("她等着")), "a changed chunk waits again: {waiting:?}");
    assert!(waiting.len() < count, "the others do not: {waiting:?}");
    check(engine, scope, &after, &"a change").await;
    forget(engine, scope).await;
    forget(engine, other).await;
}

async fn bad_vectors_are_refused_whole(engine: &dyn SearchEngine) {
    let scope = &scopes::own()[0];
    sync(engine, scope, &book()).await;
    let waiting = engine.unembedded(scope, "e5", 99).await.expect("it can be asked");
    let put = |at: usize, values: Vec<f32>| (waiting[at].number, values);
    let mixed = engine.put_vectors(scope, "e5", vec![put(0, vec![1.0, 0.0]), put(1, vec![1.0; 3])]).await;
    assert!(matches!(mixed, Err(Error::Dimensions { expected: 2, found: 3, .. })), "{mixed:?}");
    let endless = engine.put_vectors(scope, "e5", vec![put(0, vec![1.0, 0.0]), put(1, vec![f32::NAN, 0.0])]).await;
    assert!(matches!(endless, Err(Error::NotFinite { .. })), "{endless:?}");
    let still = engine.unembedded(scope, "e5", 99).await.expect("it can be asked");
    assert_eq!(still, waiting, "nothing was kept");
    engine.put_vectors(scope, "e5", vec![put(0, vec![1.0, 0.0])]).await.expect("it can be kept");
    let longer = engine.put_vectors(scope, "e5", vec![put(1, vec![1.0; 3])]).await;
    let message = longer.as_ref().err().map(ToString::to_string).unwrap_or_default();
    assert!(matches!(longer, Err(Error::Dimensions { expected: 2, found: 3, .. })), "{longer:?}");
    assert!(message.contains('2') && message.contains('3') && message.contains("e5"), "{message}");
    forget(engine, scope).await;
}

async fn who_syncs_at_the_same_time_leaves_one_of_both(engine: &dyn SearchEngine) {
    let scope = &scopes::own()[0];
    let mut other = book();
    other.documents.remove(0);
    other.documents[0].text = "旧港的雨下了三天。".into();
    let book = book();
    for round in 0..4 {
        let stories = if round % 2 == 0 { [&book, &other] } else { [&other, &book] };
        let syncs = stories.map(|story| engine.sync(scope, story));
        for result in futures::future::join_all(syncs).await {
            assert!(matches!(result, Ok(()) | Err(Error::Busy { .. })), "{result:?}");
        }
        let query = Query { limit: 99, ..Query::new("旧港") };
        let hits = found(engine, scope, &query).await;
        let is_of = |story: &Story| are_same(&hits, &MemoryIndex::new(chunk::of(story)).search(&query));
        assert!(is_of(&book) || is_of(&other), "half of both: {hits:#?}");
    }
    forget(engine, scope).await;
}
