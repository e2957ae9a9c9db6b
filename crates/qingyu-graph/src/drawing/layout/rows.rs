//! The assignment of vertices to rows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::drawing::graph_drawing::DrawingEdgeKind;

/// A vertex of a row: a node, or a bend of a passing connection.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    /// The extent to the left of the middle.
    pub(super) left: i64,
    pub(super) right: i64,
    pub(super) height: i64,
    pub(super) layer: usize,
    pub(super) is_bend: bool,
}

/// A connection between two different vertices.
#[derive(Debug, Clone)]
pub(super) struct VertexLink {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: DrawingEdgeKind,
    /// The index of the join; `None` for other connections.
    pub(super) join: Option<usize>,
}

/// A bundle of connections to the same vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Strand {
    /// Whether the strand closes a loop, against the order of the rows.
    pub(super) leads_up: bool,
    pub(super) kind: DrawingEdgeKind,
    /// The index of the join; `None` for other connections.
    pub(super) join: Option<usize>,
}

/// A connection from vertex to vertex, row by row.
#[derive(Debug)]
pub(super) struct StrandPath {
    pub(super) strand: Strand,
    pub(super) stops: Vec<usize>,
    /// Whether the connection reaches its end; otherwise the last vertex is shared with another connection.
    pub(super) is_whole: bool,
}

impl StrandPath {
    /// Returns the segments between neighbouring rows, each from above to below.
    pub(super) fn segments(&self) -> impl Iterator<Item = (usize, usize)> {
        self.stops.windows(2).map(|pair| if self.strand.leads_up { (pair[1], pair[0]) } else { (pair[0], pair[1]) })
    }
}

/// The vertices in their rows.
#[derive(Debug)]
pub(super) struct VertexRows {
    pub(super) vertices: Vec<Vertex>,
    /// The vertices of each row, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// The height of each row.
    pub(super) heights: Vec<i64>,
    pub(super) threads: Vec<StrandPath>,
    /// The neighbours of each vertex in the row above, with duplicates.
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

impl VertexRows {
    pub(super) fn is_bend(&self, vertex: usize) -> bool {
        self.vertices[vertex].is_bend
    }

    /// Returns the position of each vertex in its row.
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

/// Assigns every vertex to a row below all its sources, `last` below everything, and inserts bends into longer links.
pub(super) fn arrange(mut vertices: Vec<Vertex>, links: &[VertexLink], last: Option<usize>) -> VertexRows {
    let order = depth_first(vertices.len(), links);
    let mut rank = vec![0; vertices.len()];
    for (place, &vertex) in order.iter().enumerate() {
        rank[vertex] = place;
    }
    // A link against the order closes a loop and leads up.
    let leads_up = |link: &VertexLink| rank[link.to] < rank[link.from];
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
    let strand = |link: &VertexLink| Strand { leads_up: leads_up(link), kind: link.kind, join: link.join };
    let threads: Vec<_> = links.iter().map(|link| bends.thread(link, strand(link))).collect();
    rows(bends.vertices, threads)
}

/// Returns the vertices in an order in which only links that close a loop lead back: a depth-first search in vertex
/// order finds loops where the author started them. Needs no recursion.
fn depth_first(vertices: usize, links: &[VertexLink]) -> Vec<usize> {
    let mut follow = vec![Vec::new(); vertices];
    for link in links {
        follow[link.from].push(link.to);
    }
    for targets in &mut follow {
        // The next target is popped from the end.
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

/// The bends of strands: links of one kind to one vertex share bends from where they meet.
struct Bends {
    vertices: Vec<Vertex>,
    known: HashMap<(usize, Strand, usize), usize>,
}

impl Bends {
    fn thread(&mut self, link: &VertexLink, strand: Strand) -> StrandPath {
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
                    return StrandPath { strand, stops, is_whole: false };
                }
                Entry::Vacant(entry) => {
                    stops.push(*entry.insert(self.vertices.len()));
                    self.vertices.push(Vertex { left: 0, right: 0, height: 0, layer, is_bend: true });
                }
            }
        }
        stops.push(link.to);
        StrandPath { strand, stops, is_whole: true }
    }
}

fn rows(vertices: Vec<Vertex>, threads: Vec<StrandPath>) -> VertexRows {
    let mut layers = vec![Vec::new(); vertices.iter().map(|vertex| vertex.layer + 1).max().unwrap_or(0)];
    for (index, vertex) in vertices.iter().enumerate() {
        layers[vertex.layer].push(index);
    }
    let height = |layer: &Vec<usize>| layer.iter().map(|&vertex| vertices[vertex].height).max().unwrap_or(0);
    let heights = layers.iter().map(height).collect();
    let (mut above, mut below) = (vec![Vec::new(); vertices.len()], vec![Vec::new(); vertices.len()]);
    for (upper, lower) in threads.iter().flat_map(StrandPath::segments) {
        below[upper].push(lower);
        above[lower].push(upper);
    }
    VertexRows { vertices, layers, heights, threads, above, below }
}
