//! Milvus: vectors with conditions, over version 2 of its REST interface.
//!
//! A collection holds the vectors of a model, for all users; every request has a `scope`. A point is replaced by delete
//! and insert, so an interrupted caller can retry. Milvus cannot order texts, so such a condition is
//! [`Error::Unsupported`]. The official crate is not used: building requires a protocol buffers compiler and takes as
//! long as all other engines together.

mod filter;

use std::collections::{BTreeMap, BTreeSet};

use futures::future::BoxFuture;
use qingyu_knowledge::Source;
use qingyu_knowledge::engine::{
    Error, Neighbour, Scope, VectorEngine, VectorPoint, VectorQuery, check_points, check_vector,
};
use qingyu_knowledge::vector::normalised;
use qingyu_story::PieceKind;
use qingyu_story::digest::hexadecimal;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::Http;
use crate::names;

const NAME: &str = "Milvus";
/// Number of points per request.
const BATCH: usize = 256;
/// The error code of an unknown collection.
const NO_COLLECTION: i64 = 100;

/// The connection settings of a server.
#[derive(Clone)]
pub struct MilvusSettings {
    /// `http://host:19530`.
    pub address: String,
    /// `user:password` or a key, to authenticate if required by the server.
    pub token: Option<String>,
    /// The prefix of collection names: letters, digits and `_`.
    pub prefix: String,
}

impl MilvusSettings {
    /// Returns the default settings for the server at `address`.
    pub fn new(address: impl Into<String>) -> Self {
        Self { address: address.into(), token: None, prefix: "qingyu_".to_owned() }
    }
}

/// Omits the token and the credentials in the address.
impl std::fmt::Debug for MilvusSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MilvusSettings").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// A vector store on a Milvus server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct MilvusVectors {
    http: Http,
    prefix: String,
}

#[derive(Deserialize)]
struct MilvusHit {
    distance: f32,
    kind: PieceKind,
    id: String,
    part: u32,
}

impl MilvusVectors {
    /// Returns a store; nothing is sent yet. Returns [`Error::BadAddress`] for an invalid address.
    pub fn new(settings: &MilvusSettings) -> Result<Self, Error> {
        let token = settings.token.as_ref().map(|token| ("authorization", format!("Bearer {token}")));
        Ok(Self { http: Http::new(NAME, &settings.address, token)?, prefix: settings.prefix.clone() })
    }

    /// Sends a request and returns the `data` of the response; `None` if the collection does not exist.
    async fn ask(&self, what: &str, body: &Value) -> Result<Option<Value>, Error> {
        let (status, mut answer) = self.http.ask(Method::POST, &format!("/v2/vectordb/{what}"), Some(body)).await?;
        // Failures have status 200 and a separate code.
        match answer["code"].as_i64() {
            Some(0) => Ok(Some(answer["data"].take())),
            Some(NO_COLLECTION) => Ok(None),
            _ if status.is_success() => {
                Err(self.http.refused(reqwest::StatusCode::BAD_REQUEST, error_message(&answer)))
            }
            _ => Err(self.http.refused(status, error_message(&answer))),
        }
    }

    /// Returns the length of a collection's vectors; `None` if the collection does not exist.
    async fn dimensions(&self, collection: &str) -> Result<Option<usize>, Error> {
        let Some(found) = self.ask("collections/describe", &json!({"collectionName": collection})).await? else {
            return Ok(None);
        };
        let fields = found["fields"].as_array().into_iter().flatten();
        let of_vector = fields.filter(|field| field["name"] == "vector").flat_map(|field| field["params"].as_array());
        let dimension = of_vector.flatten().find(|one| one["key"] == "dim");
        let size = dimension.and_then(|one| one["value"].as_str()).and_then(|value| value.parse().ok());
        size.map(Some).ok_or_else(|| self.http.unexpected(format!("collection {collection} has no size")))
    }

    async fn make(&self, collection: &str, dimensions: usize) -> Result<(), Error> {
        let text = |name: &str, most: u32| json!({"fieldName": name, "dataType": "VarChar", "elementTypeParams": {"max_length": most.to_string()}});
        let mut place = text("place", 64);
        place["isPrimary"] = json!(true);
        let wanted = json!({
            "collectionName": collection,
            "schema": {
                "autoId": false,
                "enableDynamicField": false,
                "fields": [
                    place, text("scope", 64), text("source", 64), text("kind", 64), text("id", 65_535),
                    {"fieldName": "part", "dataType": "Int64"},
                    {"fieldName": "texts", "dataType": "JSON"},
                    {"fieldName": "numbers", "dataType": "JSON"},
                    {
                        "fieldName": "vector",
                        "dataType": "FloatVector",
                        "elementTypeParams": {"dim": dimensions.to_string()},
                    },
                ],
            },
            // Vectors have length 1, so the inner product is the cosine; the scan of matching vectors is exhaustive.
            "indexParams": [
                {"fieldName": "vector", "indexName": "vector", "metricType": "IP", "indexType": "FLAT"},
            ],
            "params": {"consistencyLevel": "Strong"},
        });
        match self.ask("collections/create", &wanted).await {
            Ok(_) => Ok(()),
            // A concurrent caller may have created the collection.
            Err(_) if self.dimensions(collection).await?.is_some() => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn put_points(&self, scope: &Scope, model: &str, points: &[VectorPoint]) -> Result<(), Error> {
        let Some(first) = points.first() else { return Ok(()) };
        check_points(model, None, points)?;
        let scope = digest(&names::scope(scope));
        // Of duplicates the later counts.
        let mut rows: BTreeMap<(&Source, u32), Value> = BTreeMap::new();
        for point in points {
            rows.insert((&point.source, point.part), row(&scope, point)?);
        }
        let rows: Vec<Value> = rows.into_values().collect();
        let collection = names::collection(&self.prefix, model);
        let known = self.dimensions(&collection).await?;
        check_vector(model, known, &first.vector)?;
        if known.is_none() {
            self.make(&collection, first.vector.len()).await?;
        }
        self.delete(&collection, &scope, Some(points.iter().map(|point| &point.source))).await?;
        for batch in rows.chunks(BATCH) {
            let body = json!({"collectionName": collection, "data": batch});
            self.ask("entities/upsert", &body).await?;
        }
        Ok(())
    }

    /// Deletes the points of the sources, by default of the whole scope.
    async fn delete<'s>(
        &self,
        collection: &str,
        scope: &str,
        sources: Option<impl Iterator<Item = &'s Source>>,
    ) -> Result<(), Error> {
        let mut filter = format!("scope == \"{scope}\"");
        if let Some(sources) = sources {
            let sources: BTreeSet<String> = sources.map(|source| digest(&names::source(source))).collect();
            filter.push_str(&format!(" and source in {}", json!(sources)));
        }
        let body = json!({"collectionName": collection, "filter": filter});
        self.ask("entities/delete", &body).await.map(drop)
    }

    /// Deletes in the collections of all models.
    async fn delete_everywhere(&self, scope: &Scope, sources: Option<&[Source]>) -> Result<(), Error> {
        let scope = digest(&names::scope(scope));
        let all = self.ask("collections/list", &json!({})).await?.unwrap_or_default();
        let names = all.as_array().into_iter().flatten().filter_map(Value::as_str);
        for collection in names.filter(|name| name.starts_with(&self.prefix)) {
            self.delete(collection, &scope, sources.map(|sources| sources.iter())).await?;
        }
        Ok(())
    }

    async fn find(&self, scope: &Scope, near: &VectorQuery) -> Result<Vec<Neighbour>, Error> {
        let collection = names::collection(&self.prefix, &near.model);
        let Some(dimensions) = self.dimensions(&collection).await? else { return Ok(Vec::new()) };
        check_vector(&near.model, Some(dimensions), &near.vector)?;
        if near.limit == 0 {
            return Ok(Vec::new());
        }
        let mut filter = format!("scope == \"{}\"", digest(&names::scope(scope)));
        if let Some(given) = &near.filter {
            filter = format!("{filter} and ({})", filter::translate(given)?);
        }
        let body = json!({
            "collectionName": collection,
            "data": [normalised(near.vector.clone())],
            "annsField": "vector",
            "filter": filter,
            "limit": near.limit,
            "outputFields": ["kind", "id", "part"],
            "consistencyLevel": "Strong",
        });
        let Some(found) = self.ask("entities/search", &body).await? else { return Ok(Vec::new()) };
        let scored: Vec<MilvusHit> = serde_json::from_value(found)
            .map_err(|error| self.http.unexpected(format!("entities of {collection}: {error}")))?;
        let neighbour =
            |MilvusHit { distance, kind, id, part }| Neighbour { source: Source { kind, id }, part, score: distance };
        Ok(scored.into_iter().map(neighbour).collect())
    }
}

impl VectorEngine for MilvusVectors {
    fn put<'a>(
        &'a self,
        scope: &'a Scope,
        model: &'a str,
        points: &'a [VectorPoint],
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.put_points(scope, model, points))
    }

    fn remove<'a>(&'a self, scope: &'a Scope, sources: &'a [Source]) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.delete_everywhere(scope, Some(sources)))
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.delete_everywhere(scope, None))
    }

    fn near<'a>(&'a self, scope: &'a Scope, near: &'a VectorQuery) -> BoxFuture<'a, Result<Vec<Neighbour>, Error>> {
        Box::pin(self.find(scope, near))
    }
}

fn error_message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap_or_default()
}

/// Returns a name without characters that need quoting.
fn digest(name: &str) -> String {
    hexadecimal(&names::place(name, "", 0))
}

fn row(scope: &str, point: &VectorPoint) -> Result<Value, Error> {
    let source = names::source(&point.source);
    let (texts, numbers) = filter::kept(&point.fields)?;
    Ok(json!({
        "place": hexadecimal(&names::place(scope, &source, point.part)),
        "scope": scope,
        "source": digest(&source),
        "kind": point.source.kind,
        "id": point.source.id,
        "part": point.part,
        "texts": texts,
        "numbers": numbers,
        "vector": normalised(point.vector.clone()),
    }))
}
