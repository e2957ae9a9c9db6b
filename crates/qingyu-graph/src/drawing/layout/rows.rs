//! Which row everything stands in.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::Kind;
use super::strands::{Strand, Thread};

/// Something that has a place in a row: a node, or a bend of a connection that passes.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    /// How far it reaches to the left of its middle.
    pub(super) left: i64,
    pub(super) right: i64,
    pub(super) height: i64,
    pub(super) layer: usize,
    pub(super) is_bend: bool,
}

/// A connection between two different vertices.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: Kind,
    /// Which join it belongs to, if to one.
    pub(super) join: Option<usize>,
}

/// The vertices in their rows.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) vertices: Vec<Vertex>,
    /// From left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// Of each row.
    pub(super) heights: Vec<i64>,
    pub(super) threads: Vec<Thread>,
    /// What each vertex is connected with in the row above; as often as it is.
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

impl Rows {
    pub(super) fn is_bend(&self, vertex: usize) -> bool {
        self.vertices[vertex].is_bend
    }

    /// The place of each vertex in its row.
    pub(super) fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.vertices.len()];
        for layer in &self.layers {
            for (position, &vertex) in layer.iter().enumerate() {
                positions[vertex] = position;
            }
        }
        positions
    }
}

/// Puts every vertex below all that lead to it, `last` below everything, and gives longer links their bends.
pub(super) fn arrange(mut vertices: Vec<Vertex>, links: &[Link], last: Option<usize>) -> Rows {
    let order = depth_first(vertices.len(), links);
    let mut rank = vec![0; vertices.len()];
    for (place, &vertex) in order.iter().enumerate() {
        rank[vertex] = place;
    }
    // A link against the order closes a loop and leads up.
    let leads_up = |link: &Link| rank[link.to] < rank[link.from];
    let mut down = vec![Vec::new(); vertices.len()];
    for link in links {
        let (upper, lower) = if leads_up(link) { (link.to, link.from) } else { (link.from, link.to) };
        down[upper].push(lower);
    }
    for &upper in &order {
        for &lower in &down[upper] {
            vertices[lower].layer = vertices[lower].layer.max(vertices[upper].layer + 1);
        }
    }
    if let Some(last) = last {
        let others = vertices.iter().enumerate().filter(|(index, _)| *index != last);
        vertices[last].layer = others.map(|(_, vertex)| vertex.layer + 1).max().unwrap_or(0);
    }
    let mut bends = Bends { vertices, known: HashMap::new() };
    let strand = |link: &Link| Strand { leads_up: leads_up(link), kind: link.kind, join: link.join };
    let threads: Vec<_> = links.iter().map(|link| bends.thread(link, strand(link))).collect();
    rows(bends.vertices, threads)
}

/// The vertices in an order in which only links that close a loop lead back: a depth-first search that takes earlier
/// vertices first finds loops where the author began them. Uses no stack.
fn depth_first(vertices: usize, links: &[Link]) -> Vec<usize> {
    let mut follow = vec![Vec::new(); vertices];
    for link in links {
        follow[link.from].push(link.to);
    }
    for targets in &mut follow {
        // The next is taken from the end.
        targets.sort_unstable_by(|one, other| other.cmp(one));
    }
    let mut is_known = vec![false; vertices];
    let mut finished = Vec::with_capacity(vertices);
    for root in 0..vertices {
        let mut path = Vec::new();
        if !std::mem::replace(&mut is_known[root], true) {
            path.push(root);
        }
        while let Some(&vertex) = path.last() {
            match follow[vertex].pop() {
                Some(next) if is_known[next] => {}
                Some(next) => {
                    is_known[next] = true;
                    path.push(next);
                }
                None => {
                    finished.push(vertex);
                    path.pop();
                }
            }
        }
    }
    finished.reverse();
    finished
}

/// The bends of strands: links of one kind to one vertex share theirs from where they meet.
struct Bends {
    vertices: Vec<Vertex>,
    known: HashMap<(usize, Strand, usize), usize>,
}

impl Bends {
    fn thread(&mut self, link: &Link, strand: Strand) -> Thread {
        let (first, last) = (self.vertices[link.from].layer, self.vertices[link.to].layer);
        let mut between: Vec<_> = (first.min(last) + 1..first.max(last)).collect();
        if strand.leads_up {
            between.reverse();
        }
        let mut stops = vec![link.from];
        for layer in between {
            match self.known.entry((link.to, strand, layer)) {
                Entry::Occupied(bend) => {
                    stops.push(*bend.get());
                    return Thread { strand, stops, is_whole: false };
                }
                Entry::Vacant(entry) => {
                    stops.push(*entry.insert(self.vertices.len()));
                    self.vertices.push(Vertex { left: 0, right: 0, height: 0, layer, is_bend: true });
                }
            }
        }
        stops.push(link.to);
        Thread { strand, stops, is_whole: true }
    }
}

fn rows(vertices: Vec<Vertex>, threads: Vec<Thread>) -> Rows {
    let mut layers = vec![Vec::new(); vertices.iter().map(|vertex| vertex.layer + 1).max().unwrap_or(0)];
    for (index, vertex) in vertices.iter().enumerate() {
        layers[vertex.layer].push(index);
    }
    let height = |layer: &Vec<usize>| layer.iter().map(|&vertex| vertices[vertex].height).max().unwrap_or(0);
    let heights = layers.iter().map(height).collect();
    let (mut above, mut below) = (vec![Vec::new(); vertices.len()], vec![Vec::new(); vertices.len()]);
    for (upper, lower) in threads.iter().flat_map(Thread::segments) {
        below[upper].push(lower);
        above[lower].push(upper);
    }
    Rows { vertices, layers, heights, threads, above, below }
}
