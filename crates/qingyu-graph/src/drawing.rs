//! How a graph looks: its nodes and connections as plain data, drawn as Mermaid text or as an SVG picture.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::{END, Graph, START, State};

mod layout;
mod mermaid;
mod svg;
mod text;

/// A graph as it is drawn.
///
/// Connections that name no node of the drawing are not drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drawing {
    /// The graph's name.
    pub name: String,
    /// In declaration order, without [`crate::START`] and [`crate::END`].
    pub nodes: Vec<Node>,
    /// In declaration order, each kind together.
    pub connections: Vec<Connection>,
}

/// A node of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Whether it waits until nothing else is left.
    pub is_deferred: bool,
    /// What it looks like inside, if it is a graph itself.
    pub subgraph: Option<Box<Drawing>>,
}

/// A way from one node to another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Connection {
    /// A node or [`crate::START`]; several only for a join, which waits for all of them.
    pub from: Vec<String>,
    /// A node or [`crate::END`].
    pub to: String,
    /// When the way is gone.
    pub kind: Kind,
}

/// When a way is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Whenever the source has run.
    Edge,
    /// Once all sources have run.
    Join,
    /// If a route of the source chooses it.
    Route,
    /// If a command of the source says so.
    Command,
    /// If the source has failed.
    Error,
}

/// The words in a picture that are no names of nodes; the default is what the API calls these things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captions {
    /// Of [`Kind::Edge`].
    pub edge: String,
    /// Of [`Kind::Join`].
    pub join: String,
    /// Of [`Kind::Route`].
    pub route: String,
    /// Of [`Kind::Command`].
    pub command: String,
    /// Of [`Kind::Error`].
    pub error: String,
    /// Of nodes that wait until nothing else is left.
    pub deferred: String,
}

impl Drawing {
    /// The drawing as Mermaid text: plain edges solid, joins thick, routes and commands dotted.
    pub fn mermaid(&self) -> String {
        mermaid::draw(self)
    }

    /// The drawing as an SVG picture that stands by itself, for light and dark surroundings.
    ///
    /// Equal drawings give equal texts. It takes time in proportion to the layers that connections cross, and stack in
    /// proportion to the depth of subgraphs.
    pub fn svg(&self) -> String {
        self.svg_with(&Captions::default())
    }

    /// [`Drawing::svg`] in other words, such as those of another language.
    pub fn svg_with(&self, captions: &Captions) -> String {
        svg::draw(self, captions)
    }

    /// The connections whose ends exist.
    fn drawn(&self) -> impl Iterator<Item = &Connection> {
        let names: HashSet<_> = self.nodes.iter().map(|node| node.name.as_str()).collect();
        self.connections.iter().filter(move |Connection { from, to, .. }| {
            let mut sources = from.iter().map(String::as_str);
            sources.all(|from| from == START || names.contains(from)) && (to == END || names.contains(to.as_str()))
        })
    }

    /// What `graph` does; what it has been told twice stands there once.
    pub(crate) fn of<S: State>(graph: &Graph<S>) -> Self {
        let inside = |name: &String| {
            let (_, drawing) = graph.subgraphs.iter().rfind(|(node, _)| node == name)?;
            Some(Box::new(drawing.clone()))
        };
        let node = |(name, _): &(String, _)| Node {
            name: name.clone(),
            is_deferred: graph.deferred.contains(name),
            subgraph: inside(name),
        };
        let one = |from: &String, to: &String, kind| Connection { from: vec![from.clone()], to: to.clone(), kind };
        let mut connections: Vec<_> = graph.edges.iter().map(|(from, to)| one(from, to, Kind::Edge)).collect();
        connections.extend(graph.joins.iter().map(|(sources, to)| Connection {
            from: sources.iter().cloned().collect(),
            to: to.clone(),
            kind: Kind::Join,
        }));
        let routes = graph.routes.iter().map(|route| (&route.from, &route.targets, Kind::Route));
        let commands = graph.targets.iter().map(|(from, targets)| (from, targets, Kind::Command));
        for (from, targets, kind) in routes.chain(commands) {
            connections.extend(targets.iter().map(|to| one(from, to, kind)));
        }
        // The last handler of a node is the one that counts.
        let handlers: BTreeMap<_, _> = graph.handlers.iter().map(|(from, to)| (from, to)).collect();
        connections.extend(handlers.into_iter().map(|(from, to)| one(from, to, Kind::Error)));
        let mut known = HashSet::new();
        connections.retain(|connection| known.insert(connection.clone()));
        Self { name: graph.name.clone(), nodes: graph.nodes.iter().map(node).collect(), connections }
    }
}

impl Default for Captions {
    fn default() -> Self {
        let own = str::to_owned;
        Self {
            edge: own("edge"),
            join: own("join"),
            route: own("route"),
            command: own("command"),
            error: own("error"),
            deferred: own("deferred"),
        }
    }
}
