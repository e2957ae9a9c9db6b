use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;

use crate::Source;
use crate::engine::{Error, Scope, VectorEngine, VectorPoint, VectorQuery, check_points, check_vector};
use crate::filter::Fields;
use crate::search::Neighbour;
use crate::vector::{inner_product, normalised};

/// An in-memory vector engine that scans all vectors.
#[derive(Debug, Default)]
pub struct MemoryVectors(Mutex<BTreeMap<Scope, Models>>);

/// The points of each model.
type Models = BTreeMap<String, BTreeMap<(Source, u32), StoredVector>>;

#[derive(Debug)]
struct StoredVector {
    fields: Fields,
    vector: Vec<f32>,
}

impl MemoryVectors {
    fn change<T>(&self, scope: &Scope, change: impl FnOnce(&mut Models) -> T) -> T {
        change(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(scope.clone()).or_default())
    }
}

impl VectorEngine for MemoryVectors {
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        points: &'a [VectorPoint],
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(scope, |models| {
                let kept = models.get(model).and_then(|points| points.values().next());
                check_points(model, kept.map(|kept| kept.vector.len()), points)?;
                let of_model = models.entry(model.to_owned()).or_default();
                of_model.retain(|(source, _), _| points.iter().all(|point| point.source != *source));
                of_model.extend(points.iter().map(|point| {
                    let kept = StoredVector { fields: point.fields.clone(), vector: normalised(point.vector.clone()) };
                    ((point.source.clone(), point.part), kept)
                }));
                Ok(())
            })
        })
    }

    fn remove<'a>(&'a self, scope: &'a Scope, sources: &'a [Source]) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(scope, |models| {
                models.values_mut().for_each(|points| points.retain(|(source, _), _| !sources.contains(source)));
            });
            Ok(())
        })
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(scope, Models::clear);
            Ok(())
        })
    }

    fn near<'a>(&'a self, scope: &'a Scope, near: &'a VectorQuery) -> BoxFuture<'a, Result<Vec<Neighbour>, Error>> {
        Box::pin(async move {
            self.change(scope, |models| {
                let Some(points) = models.get(&near.model) else { return Ok(Vec::new()) };
                let kept = points.values().next().map(|kept| kept.vector.len());
                check_vector(&near.model, kept, &near.vector)?;
                let query = normalised(near.vector.clone());
                let fits = |kept: &StoredVector| near.filter.as_ref().is_none_or(|filter| filter.fits(&kept.fields));
                let mut found: Vec<Neighbour> = points
                    .iter()
                    .filter(|(_, kept)| fits(kept))
                    .map(|((source, part), kept)| {
                        let score = inner_product(&query, &kept.vector);
                        Neighbour { source: source.clone(), part: *part, score }
                    })
                    .collect();
                // Stable, so that equal scores stay in the order of their sources.
                found.sort_by(|a, b| b.score.total_cmp(&a.score));
                found.truncate(near.limit);
                Ok(found)
            })
        })
    }
}
