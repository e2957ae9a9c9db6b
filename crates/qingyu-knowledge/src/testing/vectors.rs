//! The test suite of [`VectorEngine`].

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use qingyu_story::PieceKind;

use super::filters::{filter, orders_texts};
use super::generated::generated;
use super::scopes;
use crate::Source;
use crate::engine::{Error, Neighbour, Scope, VectorEngine, VectorPoint, VectorQuery};
use crate::filter::{Fields, Value};
use crate::vector::{inner_product, normalised};

const MODEL: &str = "e5 小/v1";
const DIMENSIONS: usize = 8;
/// The tolerance of scores: servers compute with single precision.
const CLOSE: f32 = 1e-5;

/// Checks all guarantees of [`VectorEngine`] observable by one process, with `cases` generated cases per property.
pub async fn vector_suite(engine: &dyn VectorEngine, cases: u32) {
    edges(engine).await;
    bad_vectors_are_refused_whole(engine).await;
    changes_lead_where_a_new_engine_leads(engine, cases).await;
    conditions_mean_the_same(engine, cases).await;
}

/// A step of random work on an engine.
#[derive(Debug, Clone)]
enum VectorStep {
    Put(Vec<(usize, u32, Fields, Vec<f32>)>),
    Remove(Vec<usize>),
    Forget,
}

const IDS: [&str; 5] = ["d-1", "d-2", "d-2#1", "旧港/'\"", ""];

fn source(at: usize) -> Source {
    let kind = if at.is_multiple_of(2) { PieceKind::Document } else { PieceKind::Character };
    Source { kind, id: IDS[at].into() }
}

fn texts() -> Vec<Value> {
    ["document", "林深", "林", "勇敢", "true", "龍門", "", "%_\\'\"", "a b"].map(Value::from).to_vec()
}

fn numbers() -> Vec<Value> {
    [-3.0, 0.0, 1.0, 2.0, 2.5, 1e12].map(Value::from).to_vec()
}

const FIELDS: [&str; 5] = ["doc_type", "traits", "chapter", "planted", "a.b \"'[0]"];

fn fields() -> impl Strategy<Value = Fields> {
    let values = prop::collection::vec(prop::sample::select([texts(), numbers()].concat()), 1..4);
    prop::collection::btree_map(prop::sample::select(FIELDS.map(str::to_owned).to_vec()), values, 0..4)
}

fn vector() -> impl Strategy<Value = Vec<f32>> {
    let value = (-8i32..9).prop_map(|eighths| eighths as f32 / 8.0);
    prop::collection::vec(value, DIMENSIONS)
}

fn step() -> impl Strategy<Value = VectorStep> {
    let point = (0..IDS.len(), 0u32..3, fields(), vector());
    prop_oneof![
        6 => prop::collection::vec(point, 0..8).prop_map(VectorStep::Put),
        2 => prop::collection::vec(0..IDS.len(), 0..3).prop_map(VectorStep::Remove),
        1 => Just(VectorStep::Forget),
    ]
}

/// The expected points.
type Truth = BTreeMap<(Source, u32), (Fields, Vec<f32>)>;

/// Applies a step to the engine and to `truth`. Of two points with a duplicate key the later wins.
async fn apply(engine: &dyn VectorEngine, scope: &Scope, step: &VectorStep, truth: &mut Truth) {
    match step {
        VectorStep::Put(points) => {
            let points: Truth = points
                .iter()
                .map(|(at, part, fields, vector)| ((source(*at), *part), (fields.clone(), normalised(vector.clone()))))
                .collect();
            let sources: BTreeSet<&Source> = points.keys().map(|(source, _)| source).collect();
            truth.retain(|(source, _), _| !sources.contains(source));
            truth.extend(points.clone());
            engine.put(scope, MODEL, &all(points)).await.expect("they can be put");
        }
        VectorStep::Remove(sources) => {
            let sources: Vec<Source> = sources.iter().map(|at| source(*at)).collect();
            truth.retain(|(source, _), _| !sources.contains(source));
            engine.remove(scope, &sources).await.expect("they can be removed");
        }
        VectorStep::Forget => {
            truth.clear();
            engine.forget(scope).await.expect("it can be forgotten");
        }
    }
}

fn all(points: Truth) -> Vec<VectorPoint> {
    let point = |((source, part), (fields, vector))| VectorPoint { source, part, fields, vector };
    points.into_iter().map(point).collect()
}

/// Checks that the engine returns the nearest points of `truth`.
fn check(found: &[Neighbour], near: &VectorQuery, truth: &Truth) {
    let query = normalised(near.vector.clone());
    let fits = |fields: &Fields| near.filter.as_ref().is_none_or(|filter| filter.fits(fields));
    let fitting = truth.iter().filter(|(_, (fields, _))| fits(fields));
    let mut expected: Vec<f32> = fitting.map(|(_, (_, vector))| inner_product(&query, vector)).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    expected.truncate(near.limit);
    assert_eq!(found.len(), expected.len(), "{near:?} found {found:?} in {truth:#?}");
    let mut seen = BTreeSet::new();
    for (one, expected) in found.iter().zip(expected) {
        let key = (one.source.clone(), one.part);
        let (fields, vector) = truth.get(&key).unwrap_or_else(|| panic!("{key:?} is not there: {truth:#?}"));
        let score = inner_product(&query, vector);
        assert!(fits(fields), "{key:?} does not fit {near:?}: {fields:?}");
        assert!((one.score - score).abs() <= CLOSE, "{key:?} has {score}, not {}", one.score);
        assert!((one.score - expected).abs() <= CLOSE, "{key:?} with {score} is in the place of {expected}");
        assert!(seen.insert(key), "{one:?} stands there twice");
    }
}

fn near(vector: Vec<f32>, limit: usize) -> VectorQuery {
    VectorQuery { model: MODEL.into(), vector, filter: None, limit }
}

async fn find(engine: &dyn VectorEngine, scope: &Scope, near: &VectorQuery) -> Vec<Neighbour> {
    engine.near(scope, near).await.expect("it can be searched")
}

fn point(at: usize, vector: Vec<f32>) -> VectorPoint {
    VectorPoint { source: source(at), part: 0, fields: Fields::new(), vector }
}

fn axis(at: usize, length: f32) -> Vec<f32> {
    (0..DIMENSIONS).map(|place| if place == at { length } else { 0.0 }).collect()
}

async fn edges(engine: &dyn VectorEngine) {
    let scope = &scopes::own()[0];
    assert!(find(engine, scope, &near(axis(0, 1.0), 5)).await.is_empty(), "nothing was put");
    engine.remove(scope, &[source(0)]).await.expect("there is nothing to remove");
    engine.forget(scope).await.expect("there is nothing to forget");
    engine.put(scope, MODEL, &[]).await.expect("nothing can be put");
    engine.put(scope, MODEL, &[point(0, axis(0, 5.0)), point(1, axis(1, 1.0))]).await.expect("they can be put");
    engine.put(scope, MODEL, &[point(2, vec![0.0; DIMENSIONS])]).await.expect("zeros can be put");
    let found = find(engine, scope, &near(axis(0, 0.1), 9)).await;
    assert_eq!((found.len(), found[0].source.clone()), (3, source(0)));
    assert!((found[0].score - 1.0).abs() <= CLOSE && found[1].score.abs() <= CLOSE, "{found:?}");
    assert!(find(engine, scope, &near(axis(0, 1.0), 0)).await.is_empty());
    assert_eq!(find(engine, scope, &near(axis(0, 1.0), 1)).await.len(), 1);
    let unknown = VectorQuery { model: "nobody's".into(), ..near(vec![1.0], 5) };
    assert!(find(engine, scope, &unknown).await.is_empty(), "no vector of this model");
    engine.put(scope, "another", &[point(3, vec![1.0, 0.0])]).await.expect("another model may be shorter");
    assert_eq!(find(engine, scope, &near(axis(0, 1.0), 9)).await.len(), 3, "models do not mix");
    engine.remove(scope, &[source(3), source(0)]).await.expect("they can be removed");
    let another = VectorQuery { model: "another".into(), ..near(vec![1.0, 0.0], 9) };
    assert!(find(engine, scope, &another).await.is_empty(), "it was removed from all models");
    engine.forget(scope).await.expect("it can be forgotten");
    assert!(find(engine, scope, &near(axis(0, 1.0), 9)).await.is_empty());
}

async fn bad_vectors_are_refused_whole(engine: &dyn VectorEngine) {
    let scope = &scopes::own()[0];
    engine.put(scope, MODEL, &[point(0, axis(0, 1.0))]).await.expect("it can be put");
    let longer = engine.put(scope, MODEL, &[point(1, axis(1, 1.0)), point(2, vec![1.0; DIMENSIONS + 1])]).await;
    assert!(matches!(longer, Err(Error::Dimensions { expected: DIMENSIONS, found: 9, .. })), "{longer:?}");
    let only_longer = engine.put(scope, MODEL, &[point(2, vec![1.0; DIMENSIONS + 1])]).await;
    assert!(matches!(only_longer, Err(Error::Dimensions { expected: DIMENSIONS, found: 9, .. })), "{only_longer:?}");
    let endless = engine.put(scope, MODEL, &[point(1, axis(1, f32::INFINITY))]).await;
    assert!(matches!(endless, Err(Error::NotFinite { .. })), "{endless:?}");
    assert_eq!(find(engine, scope, &near(axis(0, 1.0), 9)).await.len(), 1, "nothing of it was put");
    let shorter = engine.near(scope, &near(vec![1.0; 3], 9)).await;
    assert!(matches!(shorter, Err(Error::Dimensions { expected: DIMENSIONS, found: 3, .. })), "{shorter:?}");
    let message = shorter.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains('8') && message.contains('3') && message.contains(MODEL), "{message}");
    engine.forget(scope).await.expect("it can be forgotten");
}

/// Changes several scopes concurrently; each scope returns exactly its own points.
async fn changes_lead_where_a_new_engine_leads(engine: &dyn VectorEngine, cases: u32) {
    let steps = prop::collection::vec((0usize..5, step()), 1..12);
    for (steps, query, limit) in generated(cases, (steps, vector(), 1usize..12)) {
        let scopes = scopes::own();
        let mut truths = vec![Truth::new(); scopes.len()];
        for (at, step) in &steps {
            apply(engine, &scopes[*at], step, &mut truths[*at]).await;
        }
        for (scope, truth) in scopes.iter().zip(&truths) {
            let near = near(query.clone(), limit);
            check(&find(engine, scope, &near).await, &near, truth);
        }
        for (scope, truth) in scopes.iter().zip(truths) {
            engine.put(scope, MODEL, &all(truth.clone())).await.expect("the same can be put again");
            let near = near(query.clone(), 99);
            check(&find(engine, scope, &near).await, &near, &truth);
            engine.forget(scope).await.expect("it can be forgotten");
        }
    }
}

async fn conditions_mean_the_same(engine: &dyn VectorEngine, cases: u32) {
    let values = [texts(), numbers(), vec![Value::from("ｔrue"), Value::from("客棧"), Value::from(7.0)]].concat();
    let condition = || filter(&[FIELDS.as_slice(), &["missing"]].concat(), &values);
    let put = prop::collection::vec((0..IDS.len(), 0u32..3, fields(), vector()), 1..12).prop_map(VectorStep::Put);
    let several = prop::collection::vec(condition(), 20);
    for (put, filters, query) in generated(cases, (put, several, vector())) {
        let scopes = scopes::own();
        let mut truth = Truth::new();
        apply(engine, &scopes[0], &put, &mut truth).await;
        apply(engine, &scopes[1], &put, &mut Truth::new()).await;
        for filter in filters {
            let near = VectorQuery { filter: Some(filter.clone()), ..near(query.clone(), 99) };
            match engine.near(&scopes[0], &near).await {
                Ok(found) => check(&found, &near, &truth),
                Err(Error::Unsupported { .. }) => assert!(orders_texts(&filter), "{filter} can be said"),
                Err(error) => panic!("{filter}: {error}"),
            }
        }
        engine.forget(&scopes[0]).await.expect("it can be forgotten");
        engine.forget(&scopes[1]).await.expect("it can be forgotten");
    }
}
