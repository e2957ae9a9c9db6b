//! Rendering as SVG: plain shapes, no scripts, fonts or markers.

use std::fmt::{self, Display, Write as _};

use super::layout::{HEIGHT, MARGIN, NodeBox, layout};
use super::{DrawnLine, StoryDrawing};

const STYLE: &str = include_str!("style.css");
/// The length of an arrow head.
const HEAD: f64 = 9.0;
/// The distance between lines of the same two nodes.
const BEND: f64 = 26.0;

pub(super) fn draw(drawing: &StoryDrawing) -> String {
    let (places, mut width, mut height) = layout(drawing);
    let caption = match (drawing.left_out, drawing.caption.is_empty()) {
        (0, _) => String::new(),
        (left_out, true) => format!("+{left_out}"),
        (_, false) => drawing.caption.clone(),
    };
    if !caption.is_empty() {
        height += HEIGHT;
        width = width.max(super::layout::width(&caption) + 2.0 * MARGIN);
    }
    let mut page = StorySvgWriter(String::new());
    page.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="qingyu-story" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    ));
    page.line(format_args!("<style>\n{STYLE}</style>"));
    page.line(format_args!(r#"<rect class="page" width="{width}" height="{height}"/>"#));
    for (number, line) in drawing.lines.iter().enumerate() {
        page.tie(line, bend(&drawing.lines, number), &places);
    }
    for (figure, place) in drawing.nodes.iter().zip(&places) {
        let kind = figure.kind.name().to_lowercase();
        let (x, y) = (place.x - place.width / 2.0, place.y - place.height / 2.0);
        let round = if kind == "character" { HEIGHT / 2.0 } else { 4.0 };
        page.line(format_args!(
            r#"<rect class="box {kind}" x="{x}" y="{y}" width="{}" height="{}" rx="{round}"/>"#,
            place.width, place.height
        ));
        page.line(format_args!(
            r#"<text class="name" x="{}" y="{}">{}</text>"#,
            place.x,
            place.y + 4.0,
            EscapedSvgText(&figure.name)
        ));
    }
    if !caption.is_empty() {
        page.line(format_args!(
            r#"<text class="caption" x="{MARGIN}" y="{}">{}</text>"#,
            height - 12.0,
            EscapedSvgText(&caption)
        ));
    }
    page.line(format_args!("</svg>"));
    page.0
}

/// Returns the bend of a line to one side, so that lines between the same nodes do not overlap.
fn bend(lines: &[DrawnLine], number: usize) -> f64 {
    let ends = |line: &DrawnLine| (line.from.min(line.to), line.from.max(line.to));
    let same = |line: &&DrawnLine| ends(line) == ends(&lines[number]);
    let all = lines.iter().filter(same).count();
    let before = lines[..number].iter().filter(same).count();
    let bend = (before as f64 - (all as f64 - 1.0) / 2.0) * BEND;
    // The side is reversed when seen from the other end.
    if lines[number].from > lines[number].to { -bend } else { bend }
}

struct StorySvgWriter(String);

impl StorySvgWriter {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        writeln!(self.0, "{content}").expect("writing to a string cannot fail");
    }

    fn tie(&mut self, line: &DrawnLine, bend: f64, places: &[NodeBox]) {
        let (from, to) = (&places[line.from], &places[line.to]);
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let far = (dx * dx + dy * dy).sqrt().max(1.0);
        // The middle of the line, beside the straight connection.
        let middle = (f64::midpoint(from.x, to.x) - dy / far * bend, f64::midpoint(from.y, to.y) + dx / far * bend);
        let (start, end) = (border(from, middle), border(to, middle));
        // The control point of a quadratic curve through the middle.
        let pull = |start: f64, middle: f64, end: f64| 2.0 * middle - f64::midpoint(start, end);
        let (x, y) = (pull(start.0, middle.0, end.0), pull(start.1, middle.1, end.1));
        self.line(format_args!(
            r#"<path d="M{:.0} {:.0}Q{x:.0} {y:.0} {:.0} {:.0}"/>"#,
            start.0, start.1, end.0, end.1
        ));
        if line.is_directed {
            let (hx, hy) = (end.0 - x, end.1 - y);
            let long = (hx * hx + hy * hy).sqrt().max(1.0);
            let (ux, uy) = (hx / long * HEAD, hy / long * HEAD);
            let (back_x, back_y) = (end.0 - ux, end.1 - uy);
            let (side_x, side_y) = (-uy * 0.4, ux * 0.4);
            self.line(format_args!(
                r#"<path class="head" d="M{:.0} {:.0}L{:.0} {:.0}L{:.0} {:.0}Z"/>"#,
                end.0,
                end.1,
                back_x + side_x,
                back_y + side_y,
                back_x - side_x,
                back_y - side_y
            ));
        }
        self.line(format_args!(
            r#"<text class="word" x="{:.0}" y="{:.0}">{}</text>"#,
            middle.0,
            middle.1 + 4.0,
            EscapedSvgText(&line.words.join(", "))
        ));
    }
}

/// Returns the point where the line from the middle of a box to a point crosses the border.
fn border(place: &NodeBox, (x, y): (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (x - place.x, y - place.y);
    let share =
        |half: f64, difference: f64| if difference.abs() < 0.01 { f64::INFINITY } else { half / difference.abs() };
    let part = share(place.width / 2.0, dx).min(share(place.height / 2.0, dy)).min(1.0);
    (place.x + dx * part, place.y + dy * part)
}

/// A text in XML: markup as entities, and characters not allowed in XML as blanks.
struct EscapedSvgText<'t>(&'t str);

impl Display for EscapedSvgText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => f.write_char(' '),
            _ if c.is_control() => f.write_char(' '),
            _ => f.write_char(c),
        })
    }
}
