//! Neo4j: the graph, asked in Cypher over the [Query API](https://neo4j.com/docs/query-api/current/).
//!
//! Nodes have the label of their kind and a property `scope`, edges the type of their word; every node that a query meets
//! first must have the scope, and no edge leaves it. A graph is put in one explicit transaction, which needs Neo4j 5.26 or
//! newer, or Aura; a cluster of one's own needs 2025.03.

mod query_api;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use futures::future::BoxFuture;
use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::engine::{Answer, Error, GraphEngine, Scope};
use qingyu_knowledge::graph::NodeKind;
use qingyu_knowledge::pattern::Query;
use serde_json::{Value, json};

use self::query_api::{Access, QueryApi, Table, Transaction};

const NAME: &str = "Neo4j";
/// The number of rows in one statement.
const BATCH: usize = 1000;

/// The address of a server and the credentials for it.
#[derive(Clone)]
pub struct Neo4jSettings {
    /// `http://host:7474`, `https://host:7473`, or `https://ID.databases.neo4j.io` of Aura; without user and password.
    /// `bolt://` and `neo4j://` are refused.
    pub address: String,
    /// The user. If it is empty, `password` is a bearer token of single sign-on.
    pub user: String,
    /// The password.
    pub password: String,
    /// The database; `neo4j` if there is none, as servers call theirs unless told otherwise.
    pub database: Option<String>,
}

/// Does not show the password, nor what stands before an `@` in the address.
impl fmt::Debug for Neo4jSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.address.rsplit('@').next().unwrap_or_default();
        let mut all = formatter.debug_struct("Neo4jSettings");
        all.field("address", &address).field("user", &self.user).field("database", &self.database);
        all.finish_non_exhaustive()
    }
}

/// Keeps graphs on a Neo4j server. Cheap to clone; clones share connections and see each other's writes on a cluster.
#[derive(Debug, Clone)]
pub struct Neo4jGraph {
    api: QueryApi,
}

impl Neo4jGraph {
    /// Connects, and creates the indexes if they are not there.
    ///
    /// Fails with [`Error::BadAddress`] before anything is sent, with [`Error::Unreachable`] if the server does not
    /// answer, and with [`Error::Refused`] if it does not accept the credentials or has no Query API.
    pub async fn open(settings: &Neo4jSettings) -> Result<Self, Error> {
        let api = QueryApi::new(settings)?;
        for kind in NodeKind::ALL {
            let name = kind.name();
            let index = format!("CREATE INDEX qingyu_{name} IF NOT EXISTS FOR (n:{name}) ON (n.scope, n.key)");
            api.run(Access::Write, &index, json!({})).await?;
        }
        Ok(Self { api })
    }

    /// Replaces the graph of `scope`, or only deletes it.
    async fn replace(&self, scope: &Scope, graph: Option<&StoryGraph>) -> Result<(), Error> {
        let scope = named(scope);
        let [first, others @ ..] = NodeKind::ALL;
        let transaction = self.api.begin(&deletion(first), &json!({"scope": scope})).await?;
        match write(&transaction, &scope, &others, graph).await {
            Ok(()) => transaction.commit().await,
            Err(error) => {
                transaction.roll_back().await;
                Err(error)
            }
        }
    }

    async fn answer(&self, scope: &Scope, graph: &StoryGraph, query: &Query) -> Result<Answer, Error> {
        let cypher = query.to_cypher_within(graph, &named(scope))?;
        let parameters = Value::Object(cypher.parameters.into_iter().collect());
        let table = self.api.run(Access::Read, &cypher.text, parameters).await?;
        let mut rows =
            if cypher.columns.is_empty() { self.matches(&table)? } else { self.keys(&table, cypher.columns.len())? };
        // The limit of a union is not part of the statement.
        rows.truncate(query.limit.unwrap_or(usize::MAX));
        Ok(Answer { columns: cypher.columns, rows })
    }

    /// Returns one row without columns if the query matches at all, going by the column `rows`.
    fn matches(&self, table: &Table) -> Result<Vec<Vec<String>>, Error> {
        let place = table.fields.iter().position(|field| field == "rows");
        let count = |row: &Vec<Value>| place.and_then(|place| row.get(place)).and_then(Value::as_i64);
        let counts: Option<Vec<i64>> = table.rows.iter().map(count).collect();
        let counts = counts.ok_or_else(|| self.api.unexpected("a result without a count of rows"))?;
        Ok(if counts.iter().any(|count| *count > 0) { vec![Vec::new()] } else { Vec::new() })
    }

    /// Returns the columns `c0`, `c1`, … of a result, each row once.
    fn keys(&self, table: &Table, columns: usize) -> Result<Vec<Vec<String>>, Error> {
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
    ) -> BoxFuture<'a, Result<Answer, Error>> {
        Box::pin(self.answer(scope, graph, query))
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(self.replace(scope, None))
    }
}

/// Deletes the nodes of `scope` that are of these kinds, and creates those of `graph`.
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

/// Returns a scope as one text: a list in JSON, so that no two scopes have the same.
fn named(scope: &Scope) -> String {
    json!([scope.user, scope.project]).to_string()
}

/// Returns the statement that deletes the nodes of a kind in `$scope`.
fn deletion(kind: NodeKind) -> String {
    format!("MATCH (n:{} {{scope: $scope}}) DETACH DELETE n", kind.name())
}

/// Returns for each kind the statement that creates its nodes, with their rows.
fn nodes(graph: &StoryGraph, scope: &str) -> BTreeMap<String, Vec<Value>> {
    let mut statements: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in graph.node_rows() {
        let mut properties: serde_json::Map<String, Value> = row.properties.into_iter().collect();
        properties.insert("scope".to_owned(), json!(scope));
        let text = format!("UNWIND $rows AS row CREATE (n:{}) SET n = row", row.label);
        statements.entry(text).or_default().push(Value::Object(properties));
    }
    statements
}

/// Returns for each word and kinds of ends the statement that creates its edges, with their rows.
fn edges(graph: &StoryGraph) -> BTreeMap<String, Vec<Value>> {
    let mut statements: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in graph.edge_rows() {
        // A key begins with the label of its node.
        let label = |key: &str| key.split('/').next().unwrap_or_default().to_owned();
        let text = format!(
            "UNWIND $rows AS row MATCH (a:{} {{scope: $scope, key: row.from}}), (b:{} {{scope: $scope, key: row.to}}) \
             CREATE (a)-[e:{}]->(b) SET e = row.properties",
            label(&row.from),
            label(&row.to),
            quoted(&row.word),
        );
        let row = json!({"from": row.from, "to": row.to, "properties": row.properties});
        statements.entry(text).or_default().push(row);
    }
    statements
}

/// Returns a word of the story as a name in Cypher. Backslashes begin escapes there, even between backticks.
fn quoted(word: &str) -> String {
    format!("`{}`", word.replace('\\', "\\u005C").replace('`', "``"))
}
