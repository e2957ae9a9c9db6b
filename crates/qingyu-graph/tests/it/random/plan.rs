//! Random graphs: plain data that shrinks, and the graph that it stands for.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use qingyu_graph::{Command, CompiledGraph, Context, END, Goto, Graph, NodeError, START};

use super::diary::Diary;
use crate::board::{Board, log};

/// A graph whose every run ends: nodes lead to later ones, and back only while there is fuel.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    nodes: Vec<Planned>,
    /// Ways back are taken while fewer tasks than this have run.
    fuel: u64,
}

/// One node: who leads to it, where it goes back to and what it writes.
#[derive(Debug, Clone)]
struct Planned {
    /// The start or an earlier node, counted round and round.
    from: usize,
    by: Link,
    /// An earlier node or itself, counted round and round.
    back: Option<usize>,
    is_deferred: bool,
    writes: Writes,
}

/// How one node leads to another.
#[derive(Debug, Clone, Copy)]
enum Link {
    Edge,
    Route(Condition),
    RoutedSends(u64),
    Goto(Condition),
    Also(Condition),
    Sends(u64),
    /// By so many nodes of its own, for all of which it waits; they run as often as each other, so it cannot starve.
    Join {
        sources: usize,
        first_is_deferred: bool,
    },
}

/// Holds whenever this many lines more have been logged; every time if it is 1.
#[derive(Debug, Clone, Copy)]
struct Condition(usize);

impl Condition {
    fn holds(self, board: &Board) -> bool {
        board.log.len().is_multiple_of(self.0)
    }
}

/// What a node writes beside its line of the log.
#[derive(Debug, Clone, Copy)]
struct Writes {
    note: Option<char>,
    /// A plain channel: refused when two write it in one superstep.
    x: bool,
    /// Whether it throws the log and the notes away, which is refused beside any other line.
    resets: bool,
    /// Whether a step comes before it.
    pays: bool,
    /// Whether it asks a person, whose answer it does not write.
    asks: bool,
}

pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    (prop::collection::vec(planned(), 1..10), 0..24_u64).prop_map(|(nodes, fuel)| Plan { nodes, fuel })
}

fn planned() -> impl Strategy<Value = Planned> {
    let back = prop::option::weighted(0.3, 0..9_usize);
    (0..10_usize, link(), back, prop::bool::weighted(0.2), writes())
        .prop_map(|(from, by, back, is_deferred, writes)| Planned { from, by, back, is_deferred, writes })
}

fn link() -> impl Strategy<Value = Link> {
    let condition = || (1..4_usize).prop_map(Condition);
    prop_oneof![
        4 => Just(Link::Edge),
        2 => condition().prop_map(Link::Route),
        1 => (0..3_u64).prop_map(Link::RoutedSends),
        1 => condition().prop_map(Link::Goto),
        1 => condition().prop_map(Link::Also),
        2 => (0..3_u64).prop_map(Link::Sends),
        2 => (1..4_usize, any::<bool>())
            .prop_map(|(sources, first_is_deferred)| Link::Join { sources, first_is_deferred }),
    ]
}

fn writes() -> impl Strategy<Value = Writes> {
    let note = prop::option::of(prop::char::range('a', 'c'));
    (note, prop::bool::weighted(0.15), prop::bool::weighted(0.05), any::<bool>())
        .prop_map(|(note, x, resets, pays)| Writes { note, x, resets, pays, asks: false })
}

/// What a node does, and the commands that it may give.
struct Work {
    writes: Writes,
    commands: Vec<(Link, String)>,
    diary: Diary,
}

impl Plan {
    /// The same, with nodes that ask a person.
    pub(crate) fn asking(mut self, which: &[bool]) -> Self {
        self.nodes.iter_mut().zip(which).for_each(|(node, asks)| node.writes.asks = *asks);
        self
    }

    /// The names of the nodes that the plan has, without those that only joins need.
    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.nodes.len()).map(name).collect()
    }

    /// The graph; its nodes note in `diary` what happens to them.
    pub(crate) fn graph(&self, diary: &Diary) -> CompiledGraph<Board> {
        let mut graph = Graph::<Board>::new("random");
        for (index, node) in self.nodes.iter().enumerate() {
            let work = Work { writes: node.writes, commands: self.commands(index), diary: diary.clone() };
            graph = add(graph, &name(index), work);
            if node.is_deferred {
                graph = graph.defer(name(index));
            }
            if let Some(back) = node.back {
                let (to, fuel) = (name(back % (index + 1)), self.fuel);
                let targets = [to.clone(), END.to_owned()];
                graph =
                    graph.route(name(index), targets, move |board: &Board| (board.total < fuel).then(|| to.clone()));
            }
        }
        for index in 0..self.nodes.len() {
            graph = self.connect(graph, index, diary);
        }
        graph.compile().unwrap()
    }

    /// Which node leads to a node; `None` if it is the start.
    fn source(&self, index: usize) -> Option<usize> {
        (self.nodes[index].from % (index + 1)).checked_sub(1)
    }

    fn link(&self, index: usize) -> Link {
        let is_sent = |node: usize| matches!(self.link(node), Link::Sends(_) | Link::RoutedSends(_));
        match self.nodes[index].by {
            // A route does not know which of a node's executions asks: the payloads would be the same.
            Link::RoutedSends(_) if self.source(index).is_some_and(is_sent) => Link::Edge,
            link => link,
        }
    }

    /// The nodes that a node leads to by commands.
    fn commands(&self, source: usize) -> Vec<(Link, String)> {
        let led = (source + 1..self.nodes.len()).filter(|&index| self.source(index) == Some(source));
        led.map(|index| (self.link(index), name(index))).collect()
    }

    /// Lets a node be led to.
    fn connect(&self, graph: Graph<Board>, index: usize, diary: &Diary) -> Graph<Board> {
        let from = self.source(index).map_or_else(|| START.to_owned(), name);
        let (to, target) = (name(index), name(index));
        match self.link(index) {
            Link::Edge => graph.edge(from, to),
            Link::Join { sources, first_is_deferred } => {
                let sources: Vec<_> = (0..sources).map(|source| format!("{to}{}", ["a", "b", "c"][source])).collect();
                let mut graph = if first_is_deferred { graph.defer(sources[0].clone()) } else { graph };
                for source in &sources {
                    let writes = Writes { note: Some('j'), x: false, resets: false, pays: true, asks: false };
                    let work = Work { writes, commands: Vec::new(), diary: diary.clone() };
                    graph = add(graph, source, work).edge(from.clone(), source);
                }
                graph.join(sources, to)
            }
            Link::Goto(_) | Link::Also(_) | Link::Sends(_) if from != START => graph.targets(from, [to]),
            Link::Route(condition) | Link::Goto(condition) | Link::Also(condition) => {
                let choose = move |board: &Board| condition.holds(board).then(|| target.clone());
                graph.route(from, [to, END.to_owned()], choose)
            }
            Link::RoutedSends(count) | Link::Sends(count) => {
                let choose = move |board: &Board| {
                    let send = |number| Goto::send(target.clone(), board.total * 10 + number + 1);
                    (0..count).map(send).collect::<Vec<_>>()
                };
                graph.route(from, [to], choose)
            }
        }
    }
}

fn name(index: usize) -> String {
    format!("n{index}")
}

fn add(graph: Graph<Board>, name: &str, work: Work) -> Graph<Board> {
    let work = Arc::new(work);
    let node = move |board: Arc<Board>, context: Context| {
        let work = Arc::clone(&work);
        async move { work.carry_out(&board, &context).await }
    };
    graph.node(name, node).edge(name, END)
}

impl Work {
    /// Depends on nothing but the state and the payload.
    async fn carry_out(&self, board: &Board, context: &Context) -> Result<Command<Board>, NodeError> {
        let sent = context.payload::<u64>().ok();
        let task = self.diary.begin(context, sent, board).await;
        if self.writes.pays {
            let text = context.step("paid", &sent, async || {
                self.diary.pay(&task);
                Ok::<_, NodeError>(board.log.len())
            });
            text.await?;
            self.diary.keep(task.clone());
        }
        if self.writes.asks {
            let answer = context.ask("which", &sent).await?;
            self.diary.hear(task, answer);
        }
        let line = format!("{} {sent:?} saw {} {} {:?}", context.node(), board.log.len(), board.x, board.notes);
        let mut update = log(line).total(1);
        if let Some(note) = self.writes.note {
            let text = format!("{} {}", context.node(), board.total);
            update = update.notes(BTreeMap::from([(note.to_string(), text)]));
        }
        if self.writes.x {
            update = update.x(board.x + 1).scratch(Some("never stored".to_owned()));
        }
        if self.writes.resets {
            update = update.overwrite_log(Vec::new()).overwrite_notes(BTreeMap::new());
        }
        Ok(self.command(Command::update(update), board, sent))
    }

    fn command(&self, mut command: Command<Board>, board: &Board, sent: Option<u64>) -> Command<Board> {
        let chosen = |wanted: fn(Link) -> Option<Condition>| -> Vec<String> {
            let chosen = self.commands.iter().filter(|(link, _)| wanted(*link).is_some_and(|when| when.holds(board)));
            chosen.map(|(_, target)| target.clone()).collect()
        };
        let only = chosen(|link| if let Link::Goto(condition) = link { Some(condition) } else { None });
        let also = chosen(|link| if let Link::Also(condition) = link { Some(condition) } else { None });
        if !only.is_empty() {
            command = command.goto(only);
        } else if !also.is_empty() {
            command = command.also(also);
        }
        for (link, target) in &self.commands {
            let Link::Sends(count) = *link else { continue };
            // The digits of a payload are the numbers of the sends that led to it, so that no two are the same.
            let base = sent.unwrap_or(0) * 10;
            command = (0..count).fold(command, |command, number| command.send(target, base + number + 1));
        }
        command
    }
}
