//! Qdrant: vectors with conditions, over its REST interface.
//!
//! A collection holds the vectors of a model, for all users; every request has the indexed field `scope`. A point is
//! replaced by delete and insert, so an interrupted caller can retry. `contains` needs a release with `match.substring`
//! (as the engine of qdrant-edge 0.9); older releases return an error. Qdrant cannot order texts, so such a condition
//! is [`Error::Unsupported`].

mod filter;

use futures::future::BoxFuture;
use qingyu_knowledge::Source;
use qingyu_knowledge::engine::{
    Error, Neighbour, Scope, VectorEngine, VectorPoint, VectorQuery, check_points, check_vector,
};
use qingyu_knowledge::filter::{Value as FieldValue, comparable};
use qingyu_knowledge::vector::normalised;
use qingyu_story::PieceKind;
use reqwest::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::http::Http;
use crate::names;

const NAME: &str = "Qdrant";
/// Number of points per request.
const BATCH: usize = 256;

/// The connection settings of a server.
#[derive(Clone)]
pub struct QdrantSettings {
    /// `http://host:6333`.
    pub address: String,
    /// The key, if required by the server.
    pub key: Option<String>,
    /// The prefix of collection names: letters, digits and `_`.
    pub prefix: String,
    /// Whether the scan of matching vectors is exhaustive, instead of approximate by the server's index.
    pub exact: bool,
}

impl QdrantSettings {
    /// Returns the default settings for the server at `address`.
    pub fn new(address: impl Into<String>) -> Self {
        Self { address: address.into(), key: None, prefix: "qingyu_".to_owned(), exact: true }
    }
}

/// Omits the key and the credentials in the address.
impl std::fmt::Debug for QdrantSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("QdrantSettings").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// A vector store on a Qdrant server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct QdrantVectors {
    http: Http,
    prefix: String,
    exact: bool,
}

/// The payload of a point.
#[derive(Deserialize)]
struct Payload {
    kind: PieceKind,
    id: String,
    part: u32,
}

#[derive(Deserialize)]
struct QdrantHit {
    score: f32,
    payload: Payload,
}

impl QdrantVectors {
    /// Returns a store; nothing is sent yet. Returns [`Error::BadAddress`] for an invalid address.
    pub fn new(settings: &QdrantSettings) -> Result<Self, Error> {
        let key = settings.key.clone().map(|key| ("api-key", key));
        let http = Http::new(NAME, &settings.address, key)?;
        Ok(Self { http, prefix: settings.prefix.clone(), exact: settings.exact })
    }

    /// Sends a request and returns the `result` of the response; `None` if the collection does not exist.
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Option<Value>, Error> {
        let (status, mut answer) = self.http.ask(method, path, body.as_ref()).await?;
        match status {
            StatusCode::NOT_FOUND => Ok(None),
            status if status.is_success() => Ok(Some(answer["result"].take())),
            status => {
                let said = answer["status"]["error"].as_str().or_else(|| answer.as_str()).unwrap_or_default();
                Err(self.http.refused(status, said))
            }
        }
    }

    /// Returns the length of a collection's vectors; `None` if the collection does not exist.
    async fn dimensions(&self, collection: &str) -> Result<Option<usize>, Error> {
        let Some(found) = self.ask(Method::GET, &format!("/collections/{collection}"), None).await? else {
            return Ok(None);
        };
        let size = found["config"]["params"]["vectors"]["size"].as_u64().and_then(|size| usize::try_from(size).ok());
        size.map(Some).ok_or_else(|| self.http.unexpected(format!("collection {collection} has no size")))
    }

    async fn make(&self, collection: &str, dimensions: usize) -> Result<(), Error> {
        let path = format!("/collections/{collection}");
        // Vectors have length 1, so the dot product is the cosine, and zero vectors stay unchanged.
        let wanted = json!({"vectors": {"size": dimensions, "distance": "Dot"}});
        let (status, answer) = self.http.ask(Method::PUT, &path, Some(&wanted)).await?;
        // A concurrent caller may have created the collection.
        if !status.is_success() && status != StatusCode::CONFLICT && self.dimensions(collection).await?.is_none() {
            return Err(self.http.refused(status, answer["status"]["error"].as_str().unwrap_or_default()));
        }
        for field in ["scope", "source"] {
            let index = json!({"field_name": field, "field_schema": "keyword"});
            self.ask(Method::PUT, &format!("{path}/index?wait=true"), Some(index)).await?;
        }
        Ok(())
    }

    async fn put_points(&self, scope: &Scope, model: &str, points: &[VectorPoint]) -> Result<(), Error> {
        let Some(first) = points.first() else { return Ok(()) };
        check_points(model, None, points)?;
        let collection = names::collection(&self.prefix, model);
        let known = self.dimensions(&collection).await?;
        check_vector(model, known, &first.vector)?;
        if known.is_none() {
            self.make(&collection, first.vector.len()).await?;
        }
        let scope = names::scope(scope);
        self.delete(&collection, &scope, Some(points.iter().map(|point| &point.source))).await?;
        for batch in points.chunks(BATCH) {
            let points: Vec<Value> = batch.iter().map(|point| body(&scope, point)).collect();
            let path = format!("/collections/{collection}/points?wait=true");
            self.ask(Method::PUT, &path, Some(json!({"points": points}))).await?;
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
        let mut must = vec![json!({"key": "scope", "match": {"value": scope}})];
        if let Some(sources) = sources {
            let sources: std::collections::BTreeSet<String> = sources.map(names::source).collect();
            must.push(json!({"key": "source", "match": {"any": sources}}));
        }
        let path = format!("/collections/{collection}/points/delete?wait=true");
        self.ask(Method::POST, &path, Some(json!({"filter": {"must": must}}))).await.map(drop)
    }

    /// Deletes in the collections of all models.
    async fn delete_everywhere(&self, scope: &Scope, sources: Option<&[Source]>) -> Result<(), Error> {
        let scope = names::scope(scope);
        let all = self.ask(Method::GET, "/collections", None).await?.unwrap_or_default();
        let names = all["collections"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str());
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
        let mut must = vec![json!({"key": "scope", "match": {"value": names::scope(scope)}})];
        must.extend(near.filter.as_ref().map(filter::translate).transpose()?);
        let body = json!({
            "query": normalised(near.vector.clone()),
            "filter": {"must": must},
            "limit": near.limit,
            "params": {"exact": self.exact},
            "with_payload": ["kind", "id", "part"],
        });
        let path = format!("/collections/{collection}/points/query");
        let Some(mut found) = self.ask(Method::POST, &path, Some(body)).await? else { return Ok(Vec::new()) };
        let scored: Vec<QdrantHit> = serde_json::from_value(found["points"].take())
            .map_err(|error| self.http.unexpected(format!("points of {collection}: {error}")))?;
        let neighbour = |QdrantHit { score, payload: Payload { kind, id, part } }| Neighbour {
            source: Source { kind, id },
            part,
            score,
        };
        Ok(scored.into_iter().map(neighbour).collect())
    }
}

impl VectorEngine for QdrantVectors {
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

/// Returns a point in Qdrant's format: texts and numbers of its fields separated, folded for comparison.
fn body(scope: &str, point: &VectorPoint) -> Value {
    let source = names::source(&point.source);
    let (mut texts, mut numbers) = (Map::new(), Map::new());
    for (name, value) in point.fields.iter().flat_map(|(name, values)| values.iter().map(move |value| (name, value))) {
        let (map, value) = match comparable(value).into_owned() {
            FieldValue::Text(text) => (&mut texts, json!(text)),
            FieldValue::Number(number) => (&mut numbers, json!(number)),
        };
        if let Value::Array(list) = map.entry(names::field(name)).or_insert_with(|| json!([])) {
            list.push(value);
        }
    }
    json!({
        "id": uuid::Uuid::from_bytes(names::place(scope, &source, point.part)),
        "vector": normalised(point.vector.clone()),
        "payload": {
            "scope": scope,
            "source": source,
            "kind": point.source.kind,
            "id": point.source.id,
            "part": point.part,
            "texts": texts,
            "numbers": numbers,
        },
    })
}
