//! Horizontal positions, after Brandes and Köpf: vertices to be aligned are joined to blocks, the blocks are compacted,
//! and of four such layouts (from the top and the bottom, from the left and the right) each vertex gets the mean of the
//! two middle positions. Passing connections run straight.

use std::collections::HashSet;

use super::picture::MARGIN;
use super::rows::VertexRows;

/// The gap between two boxes, in pixels.
const BOX_GAP: i64 = 36;
/// The gap beside a passing connection, in pixels.
const BEND_GAP: i64 = 18;

/// Returns the middle of each vertex.
pub(super) fn columns(rows: &VertexRows) -> Vec<i64> {
    let wishes = AlignmentCandidates::of(rows);
    let mut layouts = Vec::with_capacity(4);
    for from in [Vertical::Top, Vertical::Bottom] {
        for side in [Horizontal::Left, Horizontal::Right] {
            layouts.push((side, CornerView { rows, wishes: &wishes, from, side }.layout()));
        }
    }
    let narrowest = layouts.iter().map(|(_, x)| extent(rows, x)).min_by_key(|(left, right)| right - left);
    let (left, right) = narrowest.expect("there are four layouts");
    for (side, x) in &mut layouts {
        let (own_left, own_right) = extent(rows, x);
        let shift = match side {
            Horizontal::Left => left - own_left,
            Horizontal::Right => right - own_right,
        };
        x.iter_mut().for_each(|x| *x += shift);
    }
    let middle = |vertex: usize| {
        let mut all = [0; 4];
        for (place, (_, x)) in all.iter_mut().zip(&layouts) {
            *place = x[vertex];
        }
        all.sort_unstable();
        (all[1] + all[2]).div_euclid(2)
    };
    let mut x: Vec<_> = (0..rows.vertices.len()).map(middle).collect();
    let shift = MARGIN - extent(rows, &x).0;
    x.iter_mut().for_each(|x| *x += shift);
    x
}

/// Returns the leftmost and rightmost points.
fn extent(rows: &VertexRows, x: &[i64]) -> (i64, i64) {
    let reach = |vertex: usize| (x[vertex] - rows.vertices[vertex].left, x[vertex] + rows.vertices[vertex].right);
    let all = (0..rows.vertices.len()).map(reach);
    all.reduce(|(left, right), (other_left, other_right)| (left.min(other_left), right.max(other_right)))
        .unwrap_or_default()
}

/// The candidates for vertical alignment.
struct AlignmentCandidates {
    /// The best neighbours of each vertex, from left to right.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// Pairs (upper, lower) that conflict with a better pair.
    refused: HashSet<(usize, usize)>,
}

/// The priority of a straight segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AlignmentPriority {
    /// The segment passes a row.
    Passing,
    /// The segment connects two boxes.
    Flow,
    /// The segment connects a box and a bend.
    Turn,
}

impl AlignmentCandidates {
    fn of(rows: &VertexRows) -> Self {
        let mut pairs = Vec::new();
        for thread in &rows.threads {
            for (above, below) in thread.segments() {
                match (rows.is_bend(above), rows.is_bend(below)) {
                    (true, true) => pairs.push((above, below, AlignmentPriority::Passing)),
                    // A segment that closes a loop is not aligned, unless passing.
                    _ if thread.strand.leads_up => {}
                    (false, false) => pairs.push((above, below, AlignmentPriority::Flow)),
                    _ => pairs.push((above, below, AlignmentPriority::Turn)),
                }
            }
        }
        let count = rows.vertices.len();
        let (mut best_above, mut best_below) =
            (vec![AlignmentPriority::Turn; count], vec![AlignmentPriority::Turn; count]);
        for &(above, below, worth) in &pairs {
            best_below[above] = best_below[above].min(worth);
            best_above[below] = best_above[below].min(worth);
        }
        let mut wishes =
            Self { above: vec![Vec::new(); count], below: vec![Vec::new(); count], refused: HashSet::new() };
        for (above, below, worth) in pairs {
            if worth == best_below[above] {
                wishes.below[above].push(below);
            }
            if worth == best_above[below] {
                wishes.above[below].push(above);
            }
            if worth > best_below[above] || worth > best_above[below] {
                wishes.refused.insert((above, below));
            }
        }
        let position = rows.positions();
        for pair in rows.layers.windows(2) {
            wishes.refuse_crossing(rows, &position, &pair[0], &pair[1]);
        }
        wishes
    }

    /// Marks pairs that cross straight segments of passing connections between two rows.
    fn refuse_crossing(&mut self, rows: &VertexRows, position: &[usize], upper: &[usize], lower: &[usize]) {
        let passing = |vertex: usize| match self.above[vertex].as_slice() {
            [bend] if rows.is_bend(vertex) && rows.is_bend(*bend) => Some(position[*bend]),
            _ => None,
        };
        let (mut from, mut done) = (0, 0);
        for (place, &vertex) in lower.iter().enumerate() {
            let to = match passing(vertex) {
                Some(bend) => bend,
                None if place + 1 == lower.len() => upper.len(),
                None => continue,
            };
            for &other in lower[done..=place].iter().filter(|&&other| passing(other).is_none()) {
                let outside = self.above[other].iter().filter(|&&above| !(from..=to).contains(&position[above]));
                self.refused.extend(outside.map(|&above| (above, other)));
            }
            (from, done) = (to, place + 1);
        }
    }
}

#[derive(Clone, Copy)]
enum Vertical {
    Top,
    Bottom,
}

#[derive(Clone, Copy)]
enum Horizontal {
    Left,
    Right,
}

/// The rows as seen from one corner.
struct CornerView<'a> {
    rows: &'a VertexRows,
    wishes: &'a AlignmentCandidates,
    from: Vertical,
    side: Horizontal,
}

impl CornerView<'_> {
    fn layout(&self) -> Vec<i64> {
        let layers = self.layers();
        let block = self.blocks(&layers);
        let x = self.push_together(&layers, &block);
        let sign = match self.side {
            Horizontal::Left => 1,
            Horizontal::Right => -1,
        };
        block.iter().map(|&block| sign * x[block]).collect()
    }

    fn layers(&self) -> Vec<Vec<usize>> {
        let mut layers = self.rows.layers.clone();
        if let Vertical::Bottom = self.from {
            layers.reverse();
        }
        if let Horizontal::Right = self.side {
            layers.iter_mut().for_each(|layer| layer.reverse());
        }
        layers
    }

    /// Returns the block of each vertex, identified by its first vertex.
    fn blocks(&self, layers: &[Vec<usize>]) -> Vec<usize> {
        let mut position = vec![0; self.rows.vertices.len()];
        for (place, &vertex) in layers.iter().flat_map(|layer| layer.iter().enumerate()) {
            position[vertex] = place;
        }
        let mut block: Vec<_> = (0..self.rows.vertices.len()).collect();
        for layer in layers {
            // Blocks must not cross: each continues to the right of the block before.
            let mut free = 0;
            for &vertex in layer {
                let mut wished: Vec<_> = match self.from {
                    Vertical::Top => self.wishes.above[vertex].clone(),
                    Vertical::Bottom => self.wishes.below[vertex].clone(),
                };
                wished.sort_unstable_by_key(|&other| position[other]);
                let Some(last) = wished.len().checked_sub(1) else { continue };
                let is_refused = |other: usize| match self.from {
                    Vertical::Top => self.wishes.refused.contains(&(other, vertex)),
                    Vertical::Bottom => self.wishes.refused.contains(&(vertex, other)),
                };
                let fits = |&&other: &&usize| position[other] >= free && !is_refused(other);
                if let Some(&other) = wished[last / 2..=last.div_ceil(2)].iter().find(fits) {
                    block[vertex] = block[other];
                    free = position[other] + 1;
                }
            }
        }
        block
    }

    /// Moves every block as far left as the blocks on its left allow, then as near as possible to the blocks on its
    /// right.
    fn push_together(&self, layers: &[Vec<usize>], block: &[usize]) -> Vec<i64> {
        let mut right_of: Vec<Vec<(usize, i64)>> = vec![Vec::new(); block.len()];
        let mut waits_for = vec![0_usize; block.len()];
        for pair in layers.iter().flat_map(|layer| layer.windows(2)) {
            right_of[block[pair[0]]].push((block[pair[1]], self.distance(pair[0], pair[1])));
            waits_for[block[pair[1]]] += 1;
        }
        let mut x = vec![0; block.len()];
        let mut order: Vec<_> = (0..block.len()).filter(|&vertex| waits_for[vertex] == 0).collect();
        let mut next = 0;
        while let Some(&left) = order.get(next) {
            next += 1;
            for &(right, distance) in &right_of[left] {
                x[right] = x[right].max(x[left] + distance);
                waits_for[right] -= 1;
                if waits_for[right] == 0 {
                    order.push(right);
                }
            }
        }
        for &left in order.iter().rev() {
            let nearest = right_of[left].iter().map(|&(right, distance)| x[right] - distance).min();
            x[left] = nearest.map_or(x[left], |nearest| nearest.max(x[left]));
        }
        x
    }

    /// Returns the minimum distance between the middles of two neighbours.
    fn distance(&self, first: usize, second: usize) -> i64 {
        let (left, right) = match self.side {
            Horizontal::Left => (first, second),
            Horizontal::Right => (second, first),
        };
        let is_passing = self.rows.is_bend(left) || self.rows.is_bend(right);
        let gap = if is_passing { BEND_GAP } else { BOX_GAP };
        self.rows.vertices[left].right + gap + self.rows.vertices[right].left
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::order::uncross;
    use super::super::rows::{Vertex, VertexLink, arrange};
    use super::*;
    use crate::drawing::DrawingEdgeKind;

    proptest! {
        #[test]
        fn connections_that_pass_run_straight(links in prop::collection::vec((0_usize..8, 1_usize..8), 1..16)) {
            let chain = (0..8).map(|from| (from, 1));
            let ways = links.into_iter().chain(chain).filter(|(from, step)| from + step < 9);
            let links: Vec<_> = ways.map(|(from, step)| VertexLink { from, to: from + step, kind: DrawingEdgeKind::Edge, join: None }).collect();
            let vertex = |width: usize| Vertex { left: 20 + 7 * width as i64, right: 20, height: 20, layer: 0, is_bend: false };
            let mut rows = arrange((0..9).map(vertex).collect(), &links, None);
            uncross(&mut rows);
            let position = rows.positions();
            let x = columns(&rows);
            for layer in &rows.layers {
                let passing = layer.iter().filter(|&&upper| rows.is_bend(upper));
                let pieces: Vec<_> = passing.flat_map(|&upper| rows.below[upper].iter().map(move |&lower| (upper, lower)))
                    .filter(|&(_, lower)| rows.is_bend(lower)).collect();
                let cross = |&(upper, lower): &(usize, usize)| pieces.iter().any(|&(other, end)| {
                    (position[upper] < position[other]) != (position[lower] < position[end]) && other != upper
                });
                if !pieces.iter().any(cross) {
                    prop_assert!(pieces.iter().all(|&(upper, lower)| x[upper] == x[lower]), "{:?} at {:?}", pieces, x);
                }
                let apart = layer.windows(2).all(|pair| x[pair[0]] + rows.vertices[pair[0]].right < x[pair[1]] - rows.vertices[pair[1]].left);
                prop_assert!(apart, "{layer:?} at {x:?}");
            }
            prop_assert_eq!(extent(&rows, &x).0, MARGIN);
        }
    }

    #[test]
    fn the_outermost_points_are_those_of_the_widest() {
        let vertex = |left, right| Vertex { left, right, height: 20, layer: 0, is_bend: false };
        let rows = arrange(vec![vertex(30, 5), vertex(10, 40), vertex(3, 3)], &[], None);
        assert_eq!(extent(&rows, &[0, -15, 20]), (-30, 25));
    }
}
