//! The order within rows.

use super::rows::VertexRows;

/// The maximum number of sweeps over all rows.
const SWEEPS: usize = 24;
/// The maximum number of consecutive sweeps without improvement.
const PATIENCE: usize = 4;

/// Orders every row to minimize crossings.
///
/// Every vertex moves towards the middle of its neighbours in the row before, from the top down and from the bottom up;
/// then neighbours are swapped where a swap helps. Keeps the best order found.
pub(super) fn uncross(rows: &mut VertexRows) {
    let mut best = rows.layers.clone();
    let mut fewest = usize::MAX;
    let mut in_vain = 0;
    let mut order = RowOrder { position: rows.positions(), rows };
    for sweep in 0..SWEEPS {
        order.sweep(if sweep % 2 == 0 { RowSweepDirection::Down } else { RowSweepDirection::Up });
        let now = order.crossings();
        if now < fewest {
            fewest = now;
            best.clone_from(&order.rows.layers);
            in_vain = 0;
        } else {
            in_vain += 1;
        }
        if fewest == 0 || in_vain == PATIENCE {
            break;
        }
    }
    order.rows.layers = best;
}

#[derive(Clone, Copy)]
enum RowSweepDirection {
    Down,
    Up,
}

struct RowOrder<'a> {
    rows: &'a mut VertexRows,
    /// The position of each vertex in its row.
    position: Vec<usize>,
}

impl RowOrder<'_> {
    fn sweep(&mut self, direction: RowSweepDirection) {
        let layers = self.rows.layers.len();
        match direction {
            RowSweepDirection::Down => (1..layers).for_each(|layer| self.settle(layer, direction)),
            RowSweepDirection::Up => (0..layers).rev().skip(1).for_each(|layer| self.settle(layer, direction)),
        }
        (0..layers).for_each(|layer| self.swap_neighbours(layer));
    }

    /// Sorts a row by the mean position of each vertex's neighbours in the row before.
    fn settle(&mut self, layer: usize, direction: RowSweepDirection) {
        let neighbours = match direction {
            RowSweepDirection::Down => &self.rows.above,
            RowSweepDirection::Up => &self.rows.below,
        };
        let mean = |&vertex: &usize| match neighbours[vertex].as_slice() {
            [] => (vertex, self.position[vertex], 1),
            found => (vertex, found.iter().map(|&other| self.position[other]).sum(), found.len()),
        };
        let mut row: Vec<_> = self.rows.layers[layer].iter().map(mean).collect();
        row.sort_by(|(_, sum, count), (_, other_sum, other_count)| (sum * other_count).cmp(&(other_sum * count)));
        for (position, (vertex, ..)) in row.into_iter().enumerate() {
            self.put(layer, position, vertex);
        }
    }

    /// Iterates over a row once and swaps neighbours with fewer crossings the other way round.
    fn swap_neighbours(&mut self, layer: usize) {
        for place in 1..self.rows.layers[layer].len() {
            let (left, right) = (self.rows.layers[layer][place - 1], self.rows.layers[layer][place]);
            let [mut kept, mut swapped] = [0, 0];
            for side in [&self.rows.above, &self.rows.below] {
                let positions = |vertex: usize| {
                    let mut all: Vec<_> = side[vertex].iter().map(|&other| self.position[other]).collect();
                    all.sort_unstable();
                    all
                };
                let (of_left, of_right) = (positions(left), positions(right));
                kept += inversions(&of_left, &of_right);
                swapped += inversions(&of_right, &of_left);
            }
            if swapped < kept {
                self.put(layer, place - 1, right);
                self.put(layer, place, left);
            }
        }
    }

    fn put(&mut self, layer: usize, position: usize, vertex: usize) {
        self.rows.layers[layer][position] = vertex;
        self.position[vertex] = position;
    }

    /// Returns the number of crossings, counted row by row.
    fn crossings(&self) -> usize {
        self.rows.layers.windows(2).map(|pair| self.crossings_between(&pair[0], &pair[1])).sum()
    }

    fn crossings_between(&self, upper: &[usize], lower: &[usize]) -> usize {
        // A Fenwick tree of the lower ends so far: each connection crosses the earlier connections that end after it.
        let mut ended = vec![0; lower.len() + 1];
        let (mut seen, mut crossings) = (0, 0);
        for &vertex in upper {
            let mut ends: Vec<_> = self.rows.below[vertex].iter().map(|&other| self.position[other]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut not_after = 0;
                let mut at = end + 1;
                while at > 0 {
                    not_after += ended[at];
                    at &= at - 1;
                }
                crossings += seen - not_after;
            }
            for &end in &ends {
                let mut at = end + 1;
                while at < ended.len() {
                    ended[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
        crossings
    }
}

/// Returns the number of crossings if the neighbours of `left` are to the left of the neighbours of `right`; both are
/// sorted.
pub(super) fn inversions<T: Ord>(left: &[T], right: &[T]) -> usize {
    let mut smaller = 0;
    let mut crossings = 0;
    for position in left {
        while right.get(smaller).is_some_and(|other| other < position) {
            smaller += 1;
        }
        crossings += smaller;
    }
    crossings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::rows::{Vertex, VertexLink, arrange};
    use super::*;
    use crate::drawing::DrawingEdgeKind;

    /// Returns rows of the given sizes, with links; a vertex is numbered across the rows.
    fn rows(sizes: &[usize], links: &[(usize, usize)]) -> VertexRows {
        let vertices = sizes.iter().enumerate().flat_map(|(layer, &size)| {
            (0..size).map(move |_| Vertex { left: 1, right: 1, height: 1, layer, is_bend: false })
        });
        let link = |&(from, to)| VertexLink { from, to, kind: DrawingEdgeKind::Edge, join: None };
        arrange(vertices.collect(), &links.iter().map(link).collect::<Vec<_>>(), None)
    }

    fn order(rows: &mut VertexRows) -> RowOrder<'_> {
        RowOrder { position: rows.positions(), rows }
    }

    /// Returns the number of crossings by comparing all pairs.
    fn crossings(rows: &VertexRows) -> usize {
        let position = rows.positions();
        let connections = |upper: &[usize]| {
            let of = |&from: &usize| rows.below[from].iter().map(move |&to| (from, to)).collect::<Vec<_>>();
            upper.iter().flat_map(of).map(|(from, to)| (position[from], position[to])).collect::<Vec<_>>()
        };
        let cross = |all: Vec<(usize, usize)>| {
            let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (one, other)));
            pairs.filter(|((from, to), (other_from, other_to))| from < other_from && to > other_to).count()
        };
        rows.layers.iter().map(|upper| cross(connections(upper))).sum()
    }

    fn three(links: &[(usize, usize)]) -> VertexRows {
        rows(&[5, 5, 5], links)
    }

    /// Generates random links between three rows.
    fn any_links() -> impl Strategy<Value = Vec<(usize, usize)>> {
        let upper = prop::collection::vec((0_usize..5, 5_usize..10), 1..12);
        let lower = prop::collection::vec((5_usize..10, 10_usize..15), 0..12);
        (upper, lower).prop_map(|(upper, lower)| [upper, lower].concat())
    }

    proptest! {
        #[test]
        fn crossings_are_counted_as_one_would(links in any_links()) {
            let mut rows = three(&links);
            let expected = crossings(&rows);
            prop_assert_eq!(order(&mut rows).crossings(), expected);
        }

        #[test]
        fn sweeping_on_never_makes_it_worse(links in any_links()) {
            let (mut once, mut often) = (three(&links), three(&links));
            let all = |rows: &VertexRows| rows.layers.iter().map(|layer| BTreeSet::from_iter(layer.clone())).collect::<Vec<_>>();
            let before = all(&often);
            order(&mut once).sweep(RowSweepDirection::Down);
            uncross(&mut often);
            prop_assert!(crossings(&often) <= crossings(&once));
            prop_assert_eq!(all(&often), before, "nothing is lost");
        }

        #[test]
        fn what_leads_straight_down_does_not_cross(
            middle in Just(vec![5_usize, 6, 7, 8, 9]).prop_shuffle(),
            last in Just(vec![10_usize, 11, 12, 13, 14]).prop_shuffle(),
        ) {
            let upper = (0..5).zip(middle.clone());
            let links: Vec<_> = upper.chain(middle.into_iter().zip(last)).collect();
            let mut rows = three(&links);
            uncross(&mut rows);
            prop_assert_eq!(crossings(&rows), 0);
        }
    }

    #[test]
    fn a_row_is_sorted_by_the_middles_of_what_leads_to_it() {
        let mut rows = rows(&[3, 4], &[(2, 3), (0, 4), (1, 4), (0, 5), (0, 5), (1, 5), (1, 6)]);
        let mut order = order(&mut rows);
        order.settle(1, RowSweepDirection::Down);
        assert_eq!(order.rows.layers[1], [5, 4, 6, 3], "1/3, 1/2, 1, 2");
        assert_eq!(order.rows.positions(), order.position);
        order.settle(0, RowSweepDirection::Up);
        assert_eq!(order.rows.layers[0], [0, 1, 2], "1/3, 1, 3");
    }

    #[test]
    fn neighbours_change_places_where_that_helps() {
        // The first vertex below has two links from the left and one from the far right, the second a link from
        // between.
        let links = [(0, 5), (0, 5), (3, 5), (1, 4)];
        let mut rows = rows(&[4, 2], &links);
        let mut order = order(&mut rows);
        order.swap_neighbours(1);
        assert_eq!((&order.rows.layers[1][..], order.crossings()), (&[5, 4][..], 1));
        order.swap_neighbours(1);
        assert_eq!(order.rows.layers[1], [5, 4], "and do not change back");
        assert_eq!(order.rows.positions(), order.position);
    }
}
