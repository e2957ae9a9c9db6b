//! Neo4j: the graph, queried in Cypher over the [Query API](https://neo4j.com/docs/query-api/current/).
//!
//! Nodes have the label of their kind and a property `scope`, edges the type of their word; the first node of every
//! query must have the scope, and no edge leaves the scope. A graph is written in an explicit transaction, supported by
//! Neo4j 5.26 or newer, or Aura; a self-hosted cluster needs 2025.03.

mod query_api;
mod settings;
mod transaction;

use std::collections::{BTreeMap, BTreeSet};

use futures::future::BoxFuture;
use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::engine::{Error, GraphEngine, PatternAnswer, Scope};
use qingyu_knowledge::graph::{EdgeRow, NodeKind, NodeRow};
use qingyu_knowledge::pattern::Query;
use serde_json::{Value, json};

pub use self::settings::Neo4jSettings;

use self::query_api::{ClusterAccess, QueryApi, StatementResult};
use self::transaction::Transaction;

/// Number of rows per statement.
const BATCH: usize = 1000;

/// A graph store on a Neo4j server. Cheap to clone; clones share connections and see each other's writes on a cluster.
#[derive(Debug, Clone)]
pub struct Neo4jGraph {
    api: QueryApi,
}

impl Neo4jGraph {
    /// Connects, and creates the indexes if missing.
    ///
    /// Returns [`Error::BadAddress`] before anything is sent, [`Error::Unreachable`] if the server does not respond,
    /// and [`Error::Refused`] for invalid credentials or without a Query API.
    pub async fn open(settings: &Neo4jSettings) -> Result<Self, Error> {
        let api = QueryApi::new(settings)?;
        for kind in NodeKind::ALL {
            let name = kind.name();
            let index = format!("CREATE INDEX qingyu_{name} IF NOT EXISTS FOR (n:{name}) ON (n.scope, n.key)");
            api.run(ClusterAccess::Write, &index, json!({})).await?;
        }
        Ok(Self { api })
    }

    /// Replaces the graph of `scope`, or only deletes the graph.
    async fn replace(&self, scope: &Scope, graph: Option<&StoryGraph>) -> Result<(), Error> {
        let scope = named(scope);
        let [first, others @ ..] = NodeKind::ALL;
        let transaction = Transaction::begin(&self.api, &deletion(first), &json!({"scope": scope})).await?;
        match write(&transaction, &scope, &others, graph).await {
            Ok(()) => transaction.commit().await,
            Err(error) => {
                transaction.roll_back().await;
                Err(error)
            }
        }
    }

    async fn answer(&self, scope: &Scope, graph: &StoryGraph, query: &Query) -> Result<PatternAnswer, Error> {
        let cypher = query.to_cypher(graph, Some(&named(scope)))?;
        let parameters = Value::Object(cypher.parameters.into_iter().collect());
        let table = self.api.run(ClusterAccess::Read, &cypher.text, parameters).await?;
        let mut rows =
            if cypher.columns.is_empty() { self.matches(&table)? } else { self.keys(&table, cypher.columns.len())? };
        // The limit of a union is not part of the statement.
        rows.truncate(query.limit.unwrap_or(usize::MAX));
        Ok(PatternAnswer { columns: cypher.columns, rows })
    }

    /// Returns a single row without columns if the query matches at all, according to the column `rows`.
    fn matches(&self, table: &StatementResult) -> Result<Vec<Vec<String>>, Error> {
        let place = table.fields.iter().position(|field| field == "rows");
        let count = |row: &Vec<Value>| place.and_then(|place| row.get(place)).and_then(Value::as_i64);
        let counts: Option<Vec<i64>> = table.rows.iter().map(count).collect();
        let counts = counts.ok_or_else(|| self.api.unexpected("a result without a count of rows"))?;
        Ok(if counts.iter().any(|count| *count > 0) { vec![Vec::new()] } else { Vec::new() })
    }

    /// Returns the columns `c0`, `c1`, … of a result, without duplicate rows.
    fn keys(&self, table: &StatementResult, columns: usize) -> Result<Vec<Vec<String>>, Error> {
        // Not every database names the columns of a result without rows.
        if table.rows.is_empty() {
            return Ok(Vec::new());
        }
        let place = |column: usize| table.fields.iter().position(|field| *field == format!("c{column}"));
        let places: Option<Vec<usize>> = (0..columns).map(place).collect();
        let places = places.ok_or_else(|| self.api.unexpected("a result without the columns that were asked for"))?;
        let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
        for row in &table.rows {
            let key = |place: &usize| row.get(*place).and_then(Value::as_str).map(str::to_owned);
            let keys: Option<Vec<String>> = places.iter().map(key).collect();
            let keys = keys.ok_or_else(|| self.api.unexpected("a key that is not a text"))?;
            if seen.insert(keys.clone()) {
                rows.push(keys);
            }
        }
        Ok(rows)
    }
}

impl GraphEngine for Neo4jGraph {
    fn put<'a>(&'a self, scope: &'a Scope, graph: &'a StoryGraph) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.replace(scope, Some(graph)))
    }

    fn ask<'a>(
        &'a self,
        scope: &'a Scope,
        graph: &'a StoryGraph,
        query: &'a Query,
    ) -> BoxFuture<'a, Result<PatternAnswer, Error>> {
        Box::pin(self.answer(scope, graph, query))
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.replace(scope, None))
    }
}

/// Deletes the nodes of `scope` with the kinds, and inserts the nodes of `graph`.
async fn write(
    transaction: &Transaction,
    scope: &str,
    kinds: &[NodeKind],
    graph: Option<&StoryGraph>,
) -> Result<(), Error> {
    for kind in kinds {
        transaction.run(&deletion(*kind), &json!({"scope": scope})).await?;
    }
    let Some(graph) = graph else { return Ok(()) };
    for (text, rows) in nodes(graph, scope).into_iter().chain(edges(graph)) {
        for batch in rows.chunks(BATCH) {
            transaction.run(&text, &json!({"scope": scope, "rows": batch})).await?;
        }
    }
    Ok(())
}

/// Returns a scope as a text: a JSON list, distinct for distinct scopes.
fn named(scope: &Scope) -> String {
    json!([scope.user, scope.project]).to_string()
}

/// Returns the statement to delete the nodes of a kind in `$scope`.
fn deletion(kind: NodeKind) -> String {
    format!("MATCH (n:{} {{scope: $scope}}) DETACH DELETE n", kind.name())
}

/// Returns for each kind the statement to create its nodes, with their rows.
fn nodes(graph: &StoryGraph, scope: &str) -> BTreeMap<String, Vec<Value>> {
    let mut statements: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for NodeRow { label, properties } in graph.node_rows() {
        let mut properties: serde_json::Map<String, Value> = properties.into_iter().collect();
        properties.insert("scope".to_owned(), json!(scope));
        let text = format!("UNWIND $rows AS row CREATE (n:{label}) SET n = row");
        statements.entry(text).or_default().push(Value::Object(properties));
    }
    statements
}

/// Returns for each word and kinds of ends the statement to create its edges, with their rows.
fn edges(graph: &StoryGraph) -> BTreeMap<String, Vec<Value>> {
    let mut statements: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for EdgeRow { from, to, word, properties } in graph.edge_rows() {
        // A key begins with the label of its node.
        let label = |key: &str| key.split('/').next().unwrap_or_default().to_owned();
        let text = format!(
            "UNWIND $rows AS row MATCH (a:{} {{scope: $scope, key: row.from}}), (b:{} {{scope: $scope, key: row.to}}) \
             CREATE (a)-[e:{}]->(b) SET e = row.properties",
            label(&from),
            label(&to),
            quoted(&word),
        );
        let row = json!({"from": from, "to": to, "properties": properties});
        statements.entry(text).or_default().push(row);
    }
    statements
}

/// Returns a word of the story as a quoted name in Cypher. Backslashes are escapes, even between backticks.
fn quoted(word: &str) -> String {
    format!("`{}`", word.replace('\\', "\\u005C").replace('`', "``"))
}
