//! Rendering as SVG.
//!
//! Plain rules and shapes supported by every renderer: no scripts, fonts, markers or CSS variables. The dark colours
//! are in a media query, ignored by renderers without media queries.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Write as _};

use super::graph_drawing::{Captions, DrawingEdgeKind, GraphDrawing, Node};
use super::layout::{
    ArrowHead, CIRCLE, LayoutPicture, LayoutPoint, LinePath, PlacedContent, PlacedLine, PlacedNode, TITLE, layout,
};
use super::text;

const STYLE: &str = include_str!("style.css");
/// The length and width of an arrow head, in pixels.
const HEAD: i64 = 10;
/// In the legend: the height of a line, the length of a sample, and the gap between entries.
const LEGEND_LINE: i64 = 22;
const SAMPLE: i64 = 30;
const LEGEND_GAP: i64 = 18;
const LEGEND_MARGIN: i64 = 16;
/// The distance from the middle of a line of text to the baseline.
const BASELINE: i64 = 4;

/// Returns a picture with a legend of the used kinds.
pub(super) fn draw(drawing: &GraphDrawing, captions: &Captions) -> String {
    let picture = layout(drawing);
    let mut used = UsedKinds::default();
    used.note(&picture);
    let legend = legend(&used, captions, picture.width);
    let (width, height) = (picture.width.max(legend.width), picture.height + legend.height);
    let mut page = SvgWriter(String::new());
    page.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="qingyu-graph" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    ));
    page.line(format_args!("<title>{}</title>", EscapedXml(&drawing.name)));
    page.line(format_args!("<style>\n{STYLE}</style>"));
    page.line(format_args!(r#"<rect class="page" width="{width}" height="{height}"/>"#));
    let left = (width - picture.width) / 2;
    page.group(left, 0, |page| page.picture(&picture));
    if !legend.entries.is_empty() {
        page.group(0, picture.height, |page| legend.entries.iter().for_each(|entry| page.entry(entry)));
    }
    page.line(format_args!("</svg>"));
    page.0
}

/// The kinds used in a picture, for the legend.
#[derive(Default)]
struct UsedKinds {
    kinds: BTreeSet<DrawingEdgeKind>,
    deferred: bool,
}

impl UsedKinds {
    fn note(&mut self, picture: &LayoutPicture<'_>) {
        self.kinds.extend(picture.lines.iter().map(|line| line.kind));
        for shape in &picture.shapes {
            match &shape.what {
                PlacedContent::Start | PlacedContent::End => {}
                PlacedContent::Node(node) => self.deferred |= node.is_deferred,
                PlacedContent::Subgraph(node, inner) => {
                    self.deferred |= node.is_deferred;
                    self.note(inner);
                }
            }
        }
    }
}

struct Legend<'a> {
    width: i64,
    height: i64,
    entries: Vec<LegendEntry<'a>>,
}

struct LegendEntry<'a> {
    left: i64,
    middle: i64,
    sample: LegendSample,
    caption: &'a str,
}

#[derive(Clone, Copy)]
enum LegendSample {
    Line(DrawingEdgeKind),
    Deferred,
}

/// Returns the legend for `used`, in lines no longer than `width` unless a single entry is; empty if all edges are
/// plain.
fn legend<'a>(used: &UsedKinds, captions: &'a Captions, width: i64) -> Legend<'a> {
    let lines = used.kinds.iter().map(|&kind| LegendSample::Line(kind));
    let samples: Vec<_> = lines.chain(used.deferred.then_some(LegendSample::Deferred)).collect();
    let mut legend = Legend { width: 0, height: 0, entries: Vec::new() };
    if let [] | [LegendSample::Line(DrawingEdgeKind::Edge)] = samples.as_slice() {
        return legend;
    }
    let (mut left, mut middle) = (LEGEND_MARGIN, LEGEND_LINE / 2);
    for sample in samples {
        let caption = captions.of(sample);
        let right = left + SAMPLE + 8 + text::width(caption);
        if right + LEGEND_MARGIN > width && left > LEGEND_MARGIN {
            (left, middle) = (LEGEND_MARGIN, middle + LEGEND_LINE);
        }
        legend.entries.push(LegendEntry { left, middle, sample, caption });
        left += SAMPLE + 8 + text::width(caption) + LEGEND_GAP;
        legend.width = legend.width.max(left - LEGEND_GAP + LEGEND_MARGIN);
    }
    legend.height = middle + LEGEND_LINE / 2 + LEGEND_MARGIN / 2;
    legend
}

impl Captions {
    fn of(&self, sample: LegendSample) -> &str {
        match sample {
            LegendSample::Line(DrawingEdgeKind::Edge) => &self.edge,
            LegendSample::Line(DrawingEdgeKind::Join) => &self.join,
            LegendSample::Line(DrawingEdgeKind::Route) => &self.route,
            LegendSample::Line(DrawingEdgeKind::Command) => &self.command,
            LegendSample::Line(DrawingEdgeKind::Error) => &self.error,
            LegendSample::Deferred => &self.deferred,
        }
    }
}

struct SvgWriter(String);

impl SvgWriter {
    fn line(&mut self, content: fmt::Arguments<'_>) {
        writeln!(self.0, "{content}").expect("writing to a string cannot fail");
    }

    /// Appends a translated group with the output of `draw`.
    fn group(&mut self, right: i64, down: i64, draw: impl FnOnce(&mut Self)) {
        self.line(format_args!(r#"<g transform="translate({right} {down})">"#));
        draw(self);
        self.line(format_args!("</g>"));
    }

    fn picture(&mut self, picture: &LayoutPicture<'_>) {
        picture.shapes.iter().for_each(|shape| self.shape(shape));
        let kinds: BTreeSet<_> = picture.lines.iter().map(|line| line.kind).collect();
        for kind in kinds {
            self.line(format_args!(r#"<g class="{}">"#, class(kind)));
            picture.lines.iter().filter(|line| line.kind == kind).for_each(|line| self.way(line));
            self.line(format_args!("</g>"));
        }
    }

    fn shape(&mut self, shape: &PlacedNode<'_>) {
        let PlacedNode { left, top, width, height, .. } = *shape;
        let (x, y) = (left + width / 2, top + height / 2);
        match &shape.what {
            PlacedContent::Start => {
                self.line(format_args!(r#"<circle class="start" cx="{x}" cy="{y}" r="{}"/>"#, CIRCLE / 2));
            }
            PlacedContent::End => {
                self.line(format_args!(r#"<circle class="end" cx="{x}" cy="{y}" r="{}"/>"#, CIRCLE / 2 - 1));
                self.line(format_args!(r#"<circle class="start" cx="{x}" cy="{y}" r="{}"/>"#, CIRCLE / 2 - 5));
            }
            PlacedContent::Node(node) => {
                self.named(node, |page| {
                    page.frame(if node.is_deferred { "box deferred" } else { "box" }, shape);
                    page.words("name", x, y, &text::shorten(&node.name));
                });
            }
            PlacedContent::Subgraph(node, inner) => {
                self.named(node, |page| {
                    page.frame(if node.is_deferred { "graph deferred" } else { "graph" }, shape);
                    page.words("title", x, top + TITLE / 2, &text::shorten(&node.name));
                });
                self.group(left + (width - inner.width) / 2, top + TITLE, |page| page.picture(inner));
            }
        }
    }

    /// Appends a group with the output of `draw` and the full name of `node` as a tooltip.
    fn named(&mut self, node: &Node, draw: impl FnOnce(&mut Self)) {
        self.line(format_args!("<g><title>{}</title>", EscapedXml(&node.name)));
        draw(self);
        self.line(format_args!("</g>"));
    }

    fn frame(&mut self, class: &str, shape: &PlacedNode<'_>) {
        let PlacedNode { left, top, width, height, .. } = shape;
        self.line(format_args!(
            r#"<rect class="{class}" x="{left}" y="{top}" width="{width}" height="{height}" rx="7"/>"#
        ));
    }

    fn words(&mut self, class: &str, x: i64, middle: i64, words: &str) {
        let y = middle + BASELINE;
        self.line(format_args!(r#"<text class="{class}" x="{x}" y="{y}">{}</text>"#, EscapedXml(words)));
    }

    fn way(&mut self, line: &PlacedLine) {
        match &line.course {
            LinePath::Way { points, head } => {
                let mut points = points.clone();
                let tip = points[points.len() - 1];
                if let (Some(head), Some(last)) = (head, points.last_mut()) {
                    // A wide line must not show beside the tip.
                    last.y += match head {
                        ArrowHead::Down => -HEAD / 2,
                        ArrowHead::Up => HEAD / 2,
                    };
                }
                self.line(format_args!(r#"<path d="{}"/>"#, SvgPath(&points)));
                match head {
                    Some(ArrowHead::Down) => self.head(tip, (-HEAD / 2, -HEAD), (HEAD, 0)),
                    Some(ArrowHead::Up) => self.head(tip, (-HEAD / 2, HEAD), (HEAD, 0)),
                    None => {}
                }
            }
            LinePath::Loop { out, back, right } => {
                let radius = (back.y - out.y) / 2;
                let (x, y, turn, end) = (out.x, out.y, right - radius, back.x + HEAD / 2);
                let arc = format_args!("A{radius} {radius} 0 0 1 {turn} {}", back.y);
                self.line(format_args!(r#"<path d="M{x} {y}H{turn}{arc}H{end}"/>"#));
                self.head(*back, (HEAD, -HEAD / 2), (0, HEAD));
            }
        }
    }

    /// Appends a triangle, from the tip to one corner and to the other.
    fn head(&mut self, tip: LayoutPoint, (dx, dy): (i64, i64), (to_x, to_y): (i64, i64)) {
        let LayoutPoint { x, y } = tip;
        self.line(format_args!(r#"<path class="head" d="M{x} {y}l{dx} {dy}l{to_x} {to_y}z"/>"#));
    }

    fn entry(&mut self, entry: &LegendEntry<'_>) {
        let LegendEntry { left, middle, sample, caption } = *entry;
        match sample {
            LegendSample::Line(kind) => {
                let right = left + SAMPLE;
                self.line(format_args!(r#"<g class="{}">"#, class(kind)));
                self.line(format_args!(r#"<path d="M{left} {middle}H{}"/>"#, right - HEAD / 2));
                self.head(LayoutPoint { x: right, y: middle }, (-HEAD, -HEAD / 2), (0, HEAD));
                self.line(format_args!("</g>"));
            }
            LegendSample::Deferred => {
                let shape = PlacedNode { left, top: middle - 7, width: SAMPLE, height: 14, what: PlacedContent::Start };
                self.frame("box deferred", &shape);
            }
        }
        self.words("caption", left + SAMPLE + 8, middle, caption);
    }
}

fn class(kind: DrawingEdgeKind) -> &'static str {
    match kind {
        DrawingEdgeKind::Edge => "edge",
        DrawingEdgeKind::Join => "join",
        DrawingEdgeKind::Route => "route",
        DrawingEdgeKind::Command => "command",
        DrawingEdgeKind::Error => "error",
    }
}

/// An SVG path through points.
struct SvgPath<'a>(&'a [LayoutPoint]);

impl Display for SvgPath<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([first, rest @ ..]) = self else { return Ok(()) };
        write!(formatter, "M{} {}", first.x, first.y)?;
        let mut from = first;
        for to in rest {
            match from.x == to.x {
                true => write!(formatter, "V{}", to.y)?,
                false => {
                    let middle = from.y.midpoint(to.y);
                    write!(formatter, "C{} {middle} {} {middle} {} {}", from.x, to.x, to.x, to.y)?;
                }
            }
            from = to;
        }
        Ok(())
    }
}

/// Escaped text between tags.
struct EscapedXml<'a>(&'a str);

impl Display for EscapedXml<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                // XML cannot represent most control characters.
                '\u{fffe}' | '\u{ffff}' => formatter.write_char(' ')?,
                _ if character.is_control() => formatter.write_char(' ')?,
                _ => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}
