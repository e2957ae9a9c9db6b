//! The lines of connections: ports at the boxes, and paths between them.

use std::collections::BTreeMap;

use super::order::inversions;
use super::picture::{ArrowHead, LayoutPoint, LinePath, MARGIN, PlacedLine};
use super::rows::{Strand, StrandPath, Vertex, VertexRows};

/// The length of the vertical ends of lines before and behind a row, with room for the arrow.
const UPRIGHT: i64 = 14;
/// The minimum height in which a line moves sideways; far moves get more.
const CURVE: i64 = 24;
const HIGHEST_CURVE: i64 = 96;
/// The gap between two ports at one side of a box.
const PORT_GAP: i64 = 16;
/// The distance between a port and the corner.
const CORNER: i64 = 12;

/// Returns the tops of the rows, and the lines between them.
pub(super) fn trace(rows: &VertexRows, x: &[i64]) -> (Vec<i64>, Vec<PlacedLine>) {
    let tops = tops(rows, x);
    let ports = Ports::of(rows, x);
    let tracer = StrandTracer { rows, x, tops: &tops, ports };
    let lines = rows.threads.iter().map(|thread| tracer.line(thread)).collect();
    (tops, lines)
}

fn tops(rows: &VertexRows, x: &[i64]) -> Vec<i64> {
    let mut farthest = vec![0; rows.layers.len()];
    for (upper, lower) in rows.threads.iter().flat_map(StrandPath::segments) {
        let far = &mut farthest[rows.vertices[upper].layer];
        *far = (x[upper] - x[lower]).abs().max(*far);
    }
    let mut top = MARGIN;
    let row = |(layer, farthest): (usize, &i64)| {
        let this = top;
        top += rows.heights[layer] + 2 * UPRIGHT + (CURVE + farthest / 8).min(HIGHEST_CURVE);
        this
    };
    farthest.iter().enumerate().map(row).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BoxSide {
    Top,
    Bottom,
}

impl Strand {
    /// Returns the sides where a connection leaves the source and enters the target.
    fn sides(self) -> (BoxSide, BoxSide) {
        if self.leads_up { (BoxSide::Top, BoxSide::Bottom) } else { (BoxSide::Bottom, BoxSide::Top) }
    }
}

/// The ports: a position for each strand at a side of a box.
struct Ports(BTreeMap<(usize, BoxSide, Strand), i64>);

/// A port of a strand at a side of a box.
struct Port {
    strand: Strand,
    /// The other ends of the lines, from left to right. Between two boxes, a downward line is left of an upward line.
    ends: Vec<(i64, bool)>,
}

impl Ports {
    fn of(rows: &VertexRows, x: &[i64]) -> Self {
        let mut ends: BTreeMap<(usize, BoxSide, Strand), Vec<(i64, bool)>> = BTreeMap::new();
        for StrandPath { strand, stops, is_whole } in &rows.threads {
            let (leaving, arriving) = strand.sides();
            let mut note = |vertex: usize, side, other: usize| {
                ends.entry((vertex, side, *strand)).or_default().push((x[other], strand.leads_up));
            };
            note(stops[0], leaving, stops[1]);
            if *is_whole {
                note(stops[stops.len() - 1], arriving, stops[stops.len() - 2]);
            }
        }
        let mut sides: BTreeMap<(usize, BoxSide), Vec<Port>> = BTreeMap::new();
        for ((vertex, side, strand), mut ends) in ends {
            ends.sort_unstable();
            sides.entry((vertex, side)).or_default().push(Port { strand, ends });
        }
        let mut places = BTreeMap::new();
        for ((vertex, side), mut ports) in sides {
            uncross(&mut ports);
            let room = (rows.vertices[vertex].left - CORNER).max(0);
            let (middle, low, high) = (x[vertex], x[vertex] - room, x[vertex] + room);
            let wished: Vec<_> = match ports.as_slice() {
                [port] => vec![port.straight().filter(|x| (low..=high).contains(x)).unwrap_or(middle)],
                several => several.iter().map(|port| port.straight().unwrap_or(middle)).collect(),
            };
            let placed = spread(&wished, low, high);
            places.extend(ports.iter().zip(placed).map(|(port, x)| ((vertex, side, port.strand), x)));
        }
        Self(places)
    }
}

impl Port {
    /// Returns the position that makes the only line straight.
    fn straight(&self) -> Option<i64> {
        match self.ends.as_slice() {
            [(x, _)] => Some(*x),
            _ => None,
        }
    }
}

/// Swaps neighbours while swaps reduce crossings; there are few ports.
fn uncross(ports: &mut [Port]) {
    for end in (1..ports.len()).rev() {
        for place in 0..end {
            let [left, right] = [&ports[place].ends, &ports[place + 1].ends];
            if inversions(right, left) < inversions(left, right) {
                ports.swap(place, place + 1);
            }
        }
    }
}

/// Returns positions in the given order, as near as possible to `wished`, between two borders and with gaps.
fn spread(wished: &[i64], low: i64, high: i64) -> Vec<i64> {
    let gaps = i64::try_from(wished.len()).expect("a side of a box has few places") - 1;
    let gap = if gaps == 0 { 0 } else { PORT_GAP.min((high - low) / gaps) };
    // Without the gaps the task is isotonic regression: decreasing neighbours are replaced by their mean.
    let mut pools: Vec<(i64, i64)> = Vec::with_capacity(wished.len());
    for (index, wished) in (0..).zip(wished) {
        let mut pool = (wished.clamp(&low, &high) - index * gap, 1);
        while let Some((sum, count)) = pools.pop_if(|(sum, count)| *sum * pool.1 > pool.0 * *count) {
            pool = (pool.0 + sum, pool.1 + count);
        }
        pools.push(pool);
    }
    let means = pools.into_iter().flat_map(|(sum, count)| (0..count).map(move |_| sum.div_euclid(count)));
    (0..).zip(means).map(|(index, mean)| mean.clamp(low, high - gaps * gap) + index * gap).collect()
}

struct StrandTracer<'a> {
    rows: &'a VertexRows,
    x: &'a [i64],
    tops: &'a [i64],
    ports: Ports,
}

impl StrandTracer<'_> {
    fn line(&self, thread: &StrandPath) -> PlacedLine {
        let (leaving, arriving) = thread.strand.sides();
        let (first, last) = (thread.stops[0], thread.stops[thread.stops.len() - 1]);
        let mut points = Vec::with_capacity(2 * thread.stops.len());
        let x = self.ports.0[&(first, leaving, thread.strand)];
        points.extend([
            LayoutPoint { x, y: self.border(first, leaving) },
            LayoutPoint { x, y: self.outside(first, leaving) },
        ]);
        for &bend in &thread.stops[1..thread.stops.len() - 1] {
            let x = self.x[bend];
            points.extend([arriving, leaving].map(|side| LayoutPoint { x, y: self.outside(bend, side) }));
        }
        if thread.is_whole {
            let x = self.ports.0[&(last, arriving, thread.strand)];
            points.extend([
                LayoutPoint { x, y: self.outside(last, arriving) },
                LayoutPoint { x, y: self.border(last, arriving) },
            ]);
        } else {
            points.push(LayoutPoint { x: self.x[last], y: self.outside(last, arriving) });
        }
        let head = if thread.strand.leads_up { ArrowHead::Up } else { ArrowHead::Down };
        let course = LinePath::Way { points: straighten(points), head: thread.is_whole.then_some(head) };
        PlacedLine { kind: thread.strand.kind, course }
    }

    /// Returns the position of a side of a vertex.
    fn border(&self, vertex: usize, side: BoxSide) -> i64 {
        let Vertex { layer, height, .. } = self.rows.vertices[vertex];
        let top = self.tops[layer] + (self.rows.heights[layer] - height) / 2;
        match side {
            BoxSide::Top => top,
            BoxSide::Bottom => top + height,
        }
    }

    /// Returns the border of the vertex's row, with room for an arrow.
    fn outside(&self, vertex: usize, side: BoxSide) -> i64 {
        let layer = self.rows.vertices[vertex].layer;
        match side {
            BoxSide::Top => self.tops[layer] - UPRIGHT,
            BoxSide::Bottom => self.tops[layer] + self.rows.heights[layer] + UPRIGHT,
        }
    }
}

/// Removes points within straight lines.
fn straighten(points: Vec<LayoutPoint>) -> Vec<LayoutPoint> {
    let mut kept: Vec<LayoutPoint> = Vec::with_capacity(points.len());
    for point in points {
        if let [.., before, last] = kept.as_mut_slice()
            && before.x == last.x
            && last.x == point.x
        {
            *last = point;
        } else {
            kept.push(point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FAR: i64 = 1_000_000;

    #[test]
    fn places_go_where_they_are_wished_unless_they_are_too_near() {
        let cases: [(&[i64], &[i64]); 5] = [
            (&[10], &[10]),
            (&[10, 10 + PORT_GAP], &[10, 10 + PORT_GAP]),
            (&[10, 10], &[10 - PORT_GAP / 2, 10 + PORT_GAP / 2]),
            (&[0, 100, 100, 300], &[0, 100 - PORT_GAP / 2, 100 + PORT_GAP / 2, 300]),
            // Two overlapping positions push a third.
            (
                &[PORT_GAP, 24, 24, 24],
                &[0, PORT_GAP, 2 * PORT_GAP, 3 * PORT_GAP].map(|place| place + 22 - 3 * PORT_GAP / 2),
            ),
        ];
        for (wished, expected) in cases {
            assert_eq!(spread(wished, -FAR, FAR), expected, "{wished:?}");
        }
        assert_eq!(spread(&[0, 50, 50], 40, 60), [40, 50, 60], "between borders they come as near as they must");
    }

    proptest! {
        #[test]
        fn no_places_are_nearer_to_what_is_wished(wished in prop::collection::vec(0_i64..200, 1..7)) {
            let places = spread(&wished, -FAR, FAR);
            prop_assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= PORT_GAP));
            let off = |places: &[i64]| places.iter().zip(&wished).map(|(place, wish)| (place - wish).pow(2)).sum::<i64>();
            // Moving neighbours together, as far as allowed, brings no position nearer; 1 is the rounding error.
            for first in 0..places.len() {
                for last in first..places.len() {
                    for step in [-3, 3] {
                        let mut moved = places.clone();
                        moved[first..=last].iter_mut().for_each(|place| *place += step);
                        if moved.windows(2).all(|pair| pair[1] - pair[0] >= PORT_GAP) {
                            prop_assert!(off(&moved) >= off(&places), "{:?} to {:?} instead of {:?}", wished, moved, places);
                        }
                    }
                }
            }
        }
    }
}
