//! Neo4j: the graph, asked in Cypher over Bolt.
//!
//! Nodes have the label of their kind and a property `scope`, edges the type of their word; every node that a query meets
//! first must have the scope, and no edge leaves it. A graph is put in one transaction. Plain `bolt://` and `neo4j://`, or
//! with TLS `bolt+s://` and `neo4j+s://`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;
use neo4rs::{BoltType, ConfigBuilder, Graph, Query as Statement, Txn};
use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::engine::{Answer, Error, GraphEngine, Scope};
use qingyu_knowledge::graph::NodeKind;
use qingyu_knowledge::pattern::Query;
use serde_json::{Value, json};

const NAME: &str = "Neo4j";
/// How many rows go in one statement.
const BATCH: usize = 1000;
/// How long a server may take to let us in, or for one statement.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a server is reached.
#[derive(Clone)]
pub struct Neo4jSettings {
    /// `bolt://host:7687`, without user and password.
    pub address: String,
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
    /// The database; the server's own choice if there is none.
    pub database: Option<String>,
}

/// Keeps the password to itself.
impl fmt::Debug for Neo4jSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = formatter.debug_struct("Neo4jSettings");
        all.field("address", &self.address).field("user", &self.user).field("database", &self.database);
        all.finish_non_exhaustive()
    }
}

/// Keeps graphs on a Neo4j server. Cheap to clone; clones share a pool of connections.
#[derive(Clone)]
pub struct Neo4jGraph {
    graph: Graph,
    address: String,
}

impl fmt::Debug for Neo4jGraph {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Neo4jGraph").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Neo4jGraph {
    /// Connects, and makes the indexes if they are not there.
    pub async fn open(settings: &Neo4jSettings) -> Result<Self, Error> {
        // Without what stands before an `@`, should somebody have written it there.
        let address = settings.address.rsplit(['@', '/']).find(|part| !part.is_empty()).unwrap_or_default().to_owned();
        let unusable = |error: neo4rs::Error| match error {
            neo4rs::Error::IOError { .. } | neo4rs::Error::ConnectionError => sorted(&address, error),
            _ => Error::BadAddress { engine: NAME, reason: "it is not bolt://host:port".to_owned() },
        };
        let mut config = ConfigBuilder::new()
            .uri(&settings.address)
            .user(&settings.user)
            .password(&settings.password)
            .connection_timeout(Duration::from_secs(5));
        if let Some(database) = &settings.database {
            config = config.db(database.as_str());
        }
        let graph = config.build().and_then(Graph::connect).map_err(unusable)?;
        let neo4j = Self { graph, address };
        for kind in NodeKind::ALL {
            let name = kind.name();
            let index = format!("CREATE INDEX qingyu_{name} IF NOT EXISTS FOR (n:{name}) ON (n.scope, n.key)");
            neo4j.within(neo4j.graph.run(Statement::new(index))).await?;
        }
        Ok(neo4j)
    }

    /// What the server says in time.
    async fn within<T>(&self, work: impl Future<Output = Result<T, neo4rs::Error>>) -> Result<T, Error> {
        match tokio::time::timeout(PATIENCE, work).await {
            Ok(answer) => answer.map_err(|error| sorted(&self.address, error)),
            Err(_) => {
                let reason = format!("no answer in {} seconds", PATIENCE.as_secs());
                Err(Error::Unreachable { engine: NAME, address: self.address.clone(), reason })
            }
        }
    }

    async fn run(&self, txn: &mut Txn, text: String, parameters: Value) -> Result<(), Error> {
        let statement = self.statement(text, parameters)?;
        self.within(txn.run(statement)).await.map(drop)
    }

    fn statement(&self, text: String, parameters: Value) -> Result<Statement, Error> {
        let mut statement = Statement::new(text);
        if let Value::Object(parameters) = parameters {
            for (name, value) in parameters {
                let value = BoltType::try_from(value).map_err(|error| Error::BadAnswer {
                    engine: NAME,
                    address: self.address.clone(),
                    reason: format!("the parameter {name} cannot be sent: {error}"),
                })?;
                statement = statement.param(&name, value);
            }
        }
        Ok(statement)
    }

    /// Puts a graph in the place of the one before, or only removes that.
    async fn replace(&self, scope: &Scope, graph: Option<&StoryGraph>) -> Result<(), Error> {
        let scope = named(scope);
        let mut txn = self.within(self.graph.start_txn()).await?;
        for kind in NodeKind::ALL {
            let delete = format!("MATCH (n:{} {{scope: $scope}}) DETACH DELETE n", kind.name());
            self.run(&mut txn, delete, json!({"scope": scope})).await?;
        }
        if let Some(graph) = graph {
            for (text, rows) in nodes(graph, &scope).into_iter().chain(edges(graph)) {
                for batch in rows.chunks(BATCH) {
                    self.run(&mut txn, text.clone(), json!({"scope": scope, "rows": batch})).await?;
                }
            }
        }
        self.within(txn.commit()).await.map(drop)
    }

    async fn answer(&self, scope: &Scope, graph: &StoryGraph, query: &Query) -> Result<Answer, Error> {
        let cypher = query.to_cypher_within(graph, &named(scope))?;
        let parameters = Value::Object(cypher.parameters.into_iter().collect());
        let statement = self.statement(cypher.text, parameters)?;
        let mut stream = self.within(self.graph.execute(statement)).await?;
        let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
        let unreadable = |error: neo4rs::DeError| Error::BadAnswer {
            engine: NAME,
            address: self.address.clone(),
            reason: error.to_string(),
        };
        while let Some(found) = self.within(stream.next()).await? {
            if cypher.columns.is_empty() && found.get::<i64>("rows").map_err(unreadable)? == 0 {
                continue;
            }
            let column = |place: usize| found.get::<String>(&format!("c{place}"));
            let row: Vec<String> =
                (0..cypher.columns.len()).map(column).collect::<Result<_, _>>().map_err(unreadable)?;
            if seen.insert(row.clone()) {
                rows.push(row);
            }
        }
        // That of a union is not part of the statement.
        rows.truncate(query.limit.unwrap_or(usize::MAX));
        Ok(Answer { columns: cypher.columns, rows })
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

/// A scope as one text: a list in JSON, so that no name reaches into another.
fn named(scope: &Scope) -> String {
    json!([scope.user, scope.project]).to_string()
}

/// For each kind the statement that makes its nodes, with their rows.
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

/// For each word and kinds of ends the statement that makes its edges, with their rows.
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

/// A word of the story as a name in Cypher. Backslashes begin escapes there, even between backticks.
fn quoted(word: &str) -> String {
    format!("`{}`", word.replace('\\', "\\u005C").replace('`', "``"))
}

fn sorted(address: &str, error: neo4rs::Error) -> Error {
    let (engine, address) = (NAME, address.to_owned());
    match error {
        neo4rs::Error::Neo4j(error) => {
            Error::Refused { engine, address, reason: format!("{}: {}", error.code(), error.message()) }
        }
        other => Error::Unreachable { engine, address, reason: other.to_string() },
    }
}
