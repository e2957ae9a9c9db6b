//! The force-directed layout of a drawing: connected nodes attract, all nodes repel.
//!
//! Fruchterman and Reingold's forces (Graph Drawing by Force-directed Placement, 1991) from a fixed start, then
//! overlapping boxes are separated. Only additions, products, quotients and square roots are used, which all machines
//! compute alike, so that equal drawings have equal layouts.

use super::{DrawnLine, StoryDrawing};

/// The gap between boxes, and around all.
const GAP: f64 = 28.0;
pub(super) const MARGIN: f64 = 24.0;
pub(super) const HEIGHT: f64 = 30.0;
/// The preferred length of a line.
const LENGTH: f64 = 150.0;
const ROUNDS: usize = 150;

/// A box: the middle and the size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NodeBox {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Returns the boxes of all nodes, in whole numbers without overlap, and the size of the picture.
pub(super) fn layout(drawing: &StoryDrawing) -> (Vec<NodeBox>, f64, f64) {
    let mut places = beginning(drawing);
    for round in 0..ROUNDS {
        let heat = LENGTH * (1.0 - round as f64 / ROUNDS as f64);
        pull(&mut places, &drawing.lines, heat);
    }
    part(&mut places);
    fit(&mut places)
}

/// Returns all nodes on a spiral, each rotated by the golden angle.
fn beginning(drawing: &StoryDrawing) -> Vec<NodeBox> {
    const COSINE: f64 = -0.737_368_878_078_319_7;
    const SINE: f64 = 0.675_490_294_261_523_8;
    let (mut x, mut y) = (1.0, 0.0);
    let place = |(number, figure): (usize, &super::DrawnNode)| {
        (x, y) = (x * COSINE - y * SINE, x * SINE + y * COSINE);
        let far = LENGTH * 0.7 * ((number + 1) as f64).sqrt();
        NodeBox { x: x * far, y: y * far, width: width(&figure.name) + 24.0, height: HEIGHT }
    };
    drawing.nodes.iter().enumerate().map(place).collect()
}

/// Returns the approximate width of a text at 13 pixels: a Chinese character is square.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() { 7.5 } else { 13.0 }).sum()
}

/// Applies one round of forces: boxes repel each other, lines attract their ends, and a small force pulls to the
/// middle.
fn pull(places: &mut [NodeBox], lines: &[DrawnLine], heat: f64) {
    let mut moves = vec![(0.0, 0.0); places.len()];
    for one in 0..places.len() {
        for other in one + 1..places.len() {
            let (dx, dy, far) = apart(&places[one], &places[other]);
            let push = LENGTH * LENGTH / far;
            shift(&mut moves, one, other, (dx / far * push, dy / far * push));
        }
    }
    for line in lines.iter().filter(|line| line.from != line.to) {
        let (dx, dy, far) = apart(&places[line.from], &places[line.to]);
        let push = -far * far / LENGTH;
        shift(&mut moves, line.from, line.to, (dx / far * push, dy / far * push));
    }
    for (place, (x, y)) in places.iter_mut().zip(moves) {
        let (x, y) = (x - place.x * 0.4, y - place.y * 0.4);
        let far = (x * x + y * y).sqrt().max(0.01);
        let step = far.min(heat) / far;
        place.x += x * step;
        place.y += y * step;
    }
}

/// Returns the vector from the second box to the first, and the length.
fn apart(one: &NodeBox, other: &NodeBox) -> (f64, f64, f64) {
    let (dx, dy) = (one.x - other.x, one.y - other.y);
    (dx, dy, (dx * dx + dy * dy).sqrt().max(0.01))
}

fn shift(moves: &mut [(f64, f64)], one: usize, other: usize, (x, y): (f64, f64)) {
    moves[one].0 += x;
    moves[one].1 += y;
    moves[other].0 -= x;
    moves[other].1 -= y;
}

/// Separates overlapping boxes along the shorter direction; if boxes still overlap after many rounds, arranges them in
/// rows.
fn part(places: &mut [NodeBox]) {
    for _ in 0..200 {
        let mut moved = false;
        for one in 0..places.len() {
            for other in one + 1..places.len() {
                let (first, second) = (places[one], places[other]);
                let over_x = f64::midpoint(first.width, second.width) + GAP - (first.x - second.x).abs();
                let over_y = f64::midpoint(first.height, second.height) + GAP - (first.y - second.y).abs();
                if over_x <= 0.5 || over_y <= 0.5 {
                    continue;
                }
                moved = true;
                let sign = |difference: f64| if difference < 0.0 { -0.5 } else { 0.5 };
                let (x, y) = match over_x < over_y {
                    true => (over_x * sign(first.x - second.x), 0.0),
                    false => (0.0, over_y * sign(first.y - second.y)),
                };
                places[one].x += x;
                places[one].y += y;
                places[other].x -= x;
                places[other].y -= y;
            }
        }
        if !moved {
            return;
        }
    }
    rows(places);
}

/// Arranges boxes in rows of similar width, in order.
fn rows(places: &mut [NodeBox]) {
    let all: f64 = places.iter().map(|place| place.width + GAP).sum();
    let most = (all * (HEIGHT + GAP) * 2.0).sqrt();
    let (mut x, mut y) = (0.0, 0.0);
    for place in places {
        if x > 0.0 && x + place.width > most {
            (x, y) = (0.0, y + HEIGHT + GAP * 2.0);
        }
        (place.x, place.y) = (x + place.width / 2.0, y);
        x += place.width + GAP;
    }
}

/// Moves all boxes into a picture with the origin at 0.
fn fit(places: &mut [NodeBox]) -> (Vec<NodeBox>, f64, f64) {
    let least = |edge: fn(&NodeBox) -> f64| places.iter().map(edge).fold(f64::INFINITY, f64::min);
    let left = least(|place| place.x - place.width / 2.0);
    let top = least(|place| place.y - place.height / 2.0);
    let moved = |place: &NodeBox| NodeBox {
        x: (place.x - left + MARGIN).round(),
        y: (place.y - top + MARGIN).round(),
        width: place.width.round(),
        ..*place
    };
    let moved: Vec<NodeBox> = places.iter().map(moved).collect();
    let most = |edge: fn(&NodeBox) -> f64| moved.iter().map(edge).fold(0.0, f64::max);
    let (right, bottom) = (most(|place| place.x + place.width / 2.0), most(|place| place.y + place.height / 2.0));
    (moved, (right + MARGIN).ceil(), (bottom + MARGIN).ceil())
}
