//! Removes the text of a page that people do not see: too small, in the colour of what is behind it, without ink, cut
//! off, or beside the page.

use std::collections::HashMap;

use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

use super::endless::{contents, followed, resources};

/// The smallest size, in points, at which text is read.
const READABLE: f64 = 2.5;
/// The lowest opacity at which text is read.
const VISIBLE: f64 = 0.1;
/// How far apart two colours are, in each channel, that can be told from each other.
const APART: f64 = 0.1;
/// How far, in points, text may begin to the left of the page.
const MARGIN: f64 = 100.0;
/// Maximum depth of nested forms, and of the page tree.
const DEEPEST: usize = 32;
/// Maximum number of painted shapes of a page that are kept.
const MOST_SHAPES: usize = 2_000;

/// Removes the hidden text of a page, and of the forms that it draws.
pub(super) fn remove(document: &mut Document, page: ObjectId) {
    let Ok(content) = document.get_page_content(page) else { return };
    let empty = Dictionary::new();
    let resources = resources(document, page).unwrap_or(&empty);
    let walk = |pictures: Vec<Area>| {
        let (shapes, forms) = (Vec::new(), HashMap::new());
        let mut walk = HiddenText { document: &*document, page: area_of(document, page), shapes, pictures, forms };
        let kept = walk.kept(&content, resources, GraphicsState::default(), 0);
        (kept, walk)
    };
    // The pictures first, since a scanned page may have its text before its picture.
    let first = walk(Vec::new());
    let pictures: Vec<Area> = first.1.shapes.iter().filter(|(_, ink)| ink.is_none()).map(|(area, _)| *area).collect();
    let (kept, HiddenText { forms, .. }) = if pictures.is_empty() { first } else { walk(pictures) };
    for (id, content) in forms.into_iter().filter_map(|(id, content)| Some((id, content?))) {
        if let Ok(form) = document.get_object_mut(id).and_then(Object::as_stream_mut) {
            form.set_plain_content(content);
        }
    }
    if let Some(kept) = kept {
        let id = document.add_object(Stream::new(Dictionary::new(), kept));
        if let Ok(page) = document.get_dictionary_mut(page) {
            page.set("Contents", Object::Reference(id));
        }
    }
}

/// A transformation of coordinates, in the order of PDF.
type PdfMatrix = [f64; 6];

const UNIT: PdfMatrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// Returns the transformation `first`, followed by `then`.
fn product(first: &PdfMatrix, then: &PdfMatrix) -> PdfMatrix {
    let [a, b, c, d, e, f] = *first;
    let row = |x: f64, y: f64| (x * then[0] + y * then[2], x * then[1] + y * then[3]);
    let ((a, b), (c, d), (e, f)) = (row(a, b), row(c, d), row(e, f));
    [a, b, c, d, e + then[4], f + then[5]]
}

/// A rectangle by its least and greatest coordinates.
#[derive(Debug, Clone, Copy)]
struct Area {
    least: (f64, f64),
    most: (f64, f64),
}

impl Area {
    /// Returns the area around points under a transformation, and around `other`.
    fn around(points: &[f64], matrix: &PdfMatrix, other: Option<Self>) -> Option<Self> {
        points.chunks_exact(2).fold(other, |area, point| {
            let [_, _, _, _, x, y] = product(&[1.0, 0.0, 0.0, 1.0, point[0], point[1]], matrix);
            let area = area.unwrap_or(Self { least: (x, y), most: (x, y) });
            Some(Self {
                least: (area.least.0.min(x), area.least.1.min(y)),
                most: (area.most.0.max(x), area.most.1.max(y)),
            })
        })
    }

    fn has(&self, x: f64, y: f64) -> bool {
        (self.least.0..=self.most.0).contains(&x) && (self.least.1..=self.most.1).contains(&y)
    }

    fn is_empty(&self) -> bool {
        self.most.0 - self.least.0 < 1.0 || self.most.1 - self.least.1 < 1.0
    }
}

/// Red, green and blue, each from 0 to 1; unknown for patterns and special inks.
type Ink = Option<[f64; 3]>;

#[derive(Debug, Clone, Copy)]
struct GraphicsState {
    matrix: PdfMatrix,
    ink: Ink,
    /// Whether a single number is a share of white, as in a grey colour space.
    is_grey: bool,
    opacity: f64,
    is_cut_off: bool,
    /// How text is painted: 3 and 7 leave no ink.
    mode: i64,
    size: f64,
    /// Whether the size of the font is that of its letters.
    is_sized: bool,
    leading: f64,
}

impl Default for GraphicsState {
    fn default() -> Self {
        Self {
            matrix: UNIT,
            ink: Some([0.0; 3]),
            is_grey: true,
            opacity: 1.0,
            is_cut_off: false,
            mode: 0,
            size: 12.0,
            is_sized: true,
            leading: 0.0,
        }
    }
}

struct HiddenText<'d> {
    document: &'d Document,
    /// The page itself.
    page: Option<Area>,
    /// The areas painted so far, in order; of unknown colour for a picture, or anything but a plain rectangle.
    shapes: Vec<(Area, Ink)>,
    /// The pictures of the whole page.
    pictures: Vec<Area>,
    /// The drawn forms, each with its content without hidden text; `None` for a form without hidden text.
    forms: HashMap<ObjectId, Option<Vec<u8>>>,
}

impl HiddenText<'_> {
    /// Returns content without its hidden text; `None` if there is none, or if the content cannot be decoded.
    fn kept(
        &mut self,
        content: &[u8],
        resources: &Dictionary,
        mut state: GraphicsState,
        depth: usize,
    ) -> Option<Vec<u8>> {
        let content = Content::decode(content).ok()?;
        let (mut saved, mut line, mut path, mut rectangles) = (Vec::new(), UNIT, None, 0);
        let (mut is_clip, mut kept) = (false, Vec::with_capacity(content.operations.len()));
        let mut is_less = false;
        for operation in content.operations {
            let numbers: Vec<f64> =
                operation.operands.iter().filter_map(|operand| operand.as_float().ok()).map(f64::from).collect();
            let name = operation.operands.last().and_then(|operand| operand.as_name().ok()).unwrap_or_default();
            match (operation.operator.as_str(), numbers.as_slice()) {
                ("q", _) => saved.push(state),
                ("Q", _) => state = saved.pop().unwrap_or(state),
                ("cm", [a, b, c, d, e, f]) => state.matrix = product(&[*a, *b, *c, *d, *e, *f], &state.matrix),
                ("gs", _) => {
                    let set =
                        inner(self.document, resources, b"ExtGState").and_then(|all| inner(self.document, all, name));
                    let opacity =
                        set.and_then(|set| followed(self.document, set, b"ca")).and_then(|it| it.as_float().ok());
                    state.opacity = opacity.map_or(state.opacity, f64::from);
                }
                ("cs", _) => {
                    state.is_grey = matches!(name, b"DeviceGray" | b"CalGray" | b"G");
                    state.ink = Some([0.0; 3])
                        .filter(|_| state.is_grey || matches!(name, b"DeviceRGB" | b"CalRGB" | b"DeviceCMYK"));
                }
                ("g", [grey]) => (state.ink, state.is_grey) = (Some([*grey; 3]), true),
                ("sc" | "scn", [grey]) => state.ink = Some([*grey; 3]).filter(|_| state.is_grey),
                ("rg" | "sc" | "scn", [red, green, blue]) => state.ink = Some([*red, *green, *blue]),
                ("k" | "sc" | "scn", [cyan, magenta, yellow, black]) => {
                    state.ink = Some([cyan, magenta, yellow].map(|it| (1.0 - it) * (1.0 - black)));
                }
                ("sc" | "scn", _) => state.ink = None,
                ("re", [x, y, width, height]) => {
                    path = Area::around(
                        &[*x, *y, x + width, *y, *x, y + height, x + width, y + height],
                        &state.matrix,
                        path,
                    );
                    rectangles += 1;
                }
                ("m" | "l" | "c" | "v" | "y", points) => {
                    path = Area::around(points, &state.matrix, path);
                    rectangles += 2;
                }
                ("W" | "W*", _) => is_clip = true,
                ("f" | "F" | "f*" | "B" | "B*" | "b" | "b*" | "n" | "S" | "s", _) => {
                    let is_painted = !matches!(operation.operator.as_str(), "n" | "S" | "s") && state.opacity >= 0.5;
                    state.is_cut_off |= is_clip && path.is_none_or(|path| path.is_empty());
                    if let Some(area) = path.filter(|_| is_painted) {
                        self.paint(area, state.ink.filter(|_| rectangles == 1));
                    }
                    (path, rectangles, is_clip) = (None, 0, false);
                }
                ("sh", _) => self.shapes.extend(self.page.map(|page| (page, None))),
                ("BI", _) => self.paint_unit(&state.matrix),
                ("Do", _) => self.draw(name, resources, state, depth),
                ("BT", _) => line = UNIT,
                ("Tm", [a, b, c, d, e, f]) => line = [*a, *b, *c, *d, *e, *f],
                ("Td", [x, y]) => line = product(&[1.0, 0.0, 0.0, 1.0, *x, *y], &line),
                ("TD", [x, y]) => {
                    state.leading = -y;
                    line = product(&[1.0, 0.0, 0.0, 1.0, *x, *y], &line);
                }
                ("TL", [leading]) => state.leading = *leading,
                ("T*" | "'" | "\"", _) => line = product(&[1.0, 0.0, 0.0, 1.0, 0.0, -state.leading], &line),
                ("Tf", [size]) => {
                    let name =
                        operation.operands.first().and_then(|operand| operand.as_name().ok()).unwrap_or_default();
                    let font =
                        inner(self.document, resources, b"Font").and_then(|fonts| inner(self.document, fonts, name));
                    let kind = font
                        .and_then(|font| followed(self.document, font, b"Subtype"))
                        .and_then(|it| it.as_name().ok());
                    (state.size, state.is_sized) = (*size, kind.is_none_or(|kind| kind != b"Type3"));
                }
                ("Tr", [mode]) => state.mode = *mode as i64,
                _ => {}
            }
            let is_shown = matches!(operation.operator.as_str(), "Tj" | "TJ" | "'" | "\"");
            if !is_shown || !self.hides(&state, &line) {
                kept.push(operation);
                continue;
            }
            is_less = true;
            // The operator also begins the next line.
            if matches!(operation.operator.as_str(), "'" | "\"") {
                kept.push(Operation::new("T*", Vec::new()));
            }
        }
        is_less.then(|| Content { operations: kept }.encode().ok()).flatten()
    }

    /// Draws a picture, or a form; the text of a form is checked where the form is drawn first.
    fn draw(&mut self, name: &[u8], resources: &Dictionary, state: GraphicsState, depth: usize) {
        let document = self.document;
        let Some(drawings) = inner(document, resources, b"XObject") else { return };
        let Some(Object::Stream(drawing)) = followed(document, drawings, name) else { return };
        let kind = followed(document, &drawing.dict, b"Subtype").and_then(|it| it.as_name().ok());
        if kind.is_none_or(|kind| kind != b"Form") {
            return self.paint_unit(&state.matrix);
        }
        let Some(id) = drawings.get(name).and_then(Object::as_reference).ok() else { return };
        let matrix = followed(document, &drawing.dict, b"Matrix").map(numbers).unwrap_or_default();
        let matrix = product(&<PdfMatrix>::try_from(matrix).unwrap_or(UNIT), &state.matrix);
        if depth == DEEPEST || self.forms.contains_key(&id) {
            // The colours of a form that is drawn again are unknown.
            let sides = followed(document, &drawing.dict, b"BBox").map(numbers).unwrap_or_default();
            if let [left, bottom, right, top] = sides[..] {
                let corners = [left, bottom, right, bottom, left, top, right, top];
                self.shapes.extend(Area::around(&corners, &matrix, None).map(|area| (area, None)));
            }
            return;
        }
        self.forms.insert(id, None);
        let state = GraphicsState { matrix, ..state };
        let own = inner(document, &drawing.dict, b"Resources").unwrap_or(resources);
        let kept = self.kept(&contents(drawing), own, state, depth + 1);
        self.forms.insert(id, kept);
    }

    fn paint(&mut self, area: Area, ink: Ink) {
        if self.shapes.len() < MOST_SHAPES {
            self.shapes.push((area, ink));
        }
    }

    /// Paints a picture: the unit square under a transformation.
    fn paint_unit(&mut self, matrix: &PdfMatrix) {
        if let Some(area) = Area::around(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0], matrix, None) {
            self.paint(area, None);
        }
    }

    /// Returns whether text that begins at the start of a line is hidden.
    fn hides(&self, state: &GraphicsState, line: &PdfMatrix) -> bool {
        let [a, b, c, d, x, y] = product(line, &state.matrix);
        let size = state.size.abs() * (a * d - b * c).abs().sqrt();
        if state.is_cut_off || state.opacity < VISIBLE || state.is_sized && size < READABLE {
            return true;
        }
        let is_beside =
            |page: Area| x > page.most.0 || x < page.least.0 - MARGIN || y > page.most.1 || y + size < page.least.1;
        if self.page.is_some_and(is_beside) {
            return true;
        }
        // Within the letters, since their line may lie on the edge of a shape.
        let is_behind =
            |(area, _): &&(Area, Ink)| area.has(x + size * 0.1, y + size * 0.3) || area.has(x + size * 0.1, y);
        let behind = self.shapes.iter().rev().find(is_behind);
        // With more shapes than are kept, what is behind the text is unknown.
        let page = Some([1.0; 3]).filter(|_| self.shapes.len() < MOST_SHAPES);
        let behind = behind.map_or(page, |(_, ink)| *ink);
        // A scanned page has its text without ink, on or below its picture.
        if matches!(state.mode, 3 | 7) {
            return !self.pictures.iter().any(|area| area.has(x + size * 0.1, y + size * 0.3));
        }
        let is_alike = |(ink, behind): ([f64; 3], [f64; 3])| {
            ink.iter().zip(behind).all(|(one, other)| (one - other).abs() < APART)
        };
        matches!(state.mode, 0 | 4) && state.ink.zip(behind).is_some_and(is_alike)
    }
}

/// Returns the dictionary of a name.
fn inner<'d>(document: &'d Document, dictionary: &'d Dictionary, name: &[u8]) -> Option<&'d Dictionary> {
    followed(document, dictionary, name)?.as_dict().ok()
}

fn numbers(object: &Object) -> Vec<f64> {
    let numbers = object.as_array().into_iter().flatten();
    numbers.filter_map(|number| number.as_float().ok()).map(f64::from).collect()
}

/// Returns the part of a page that is shown: its own box, or that of the nearest node around it.
fn area_of(document: &Document, page: ObjectId) -> Option<Area> {
    for name in [b"CropBox".as_slice(), b"MediaBox"] {
        let mut node = document.get_dictionary(page).ok()?;
        for _ in 0..DEEPEST {
            if let Some(found) = followed(document, node, name) {
                return Area::around(&numbers(found), &UNIT, None);
            }
            let parent = node.get(b"Parent").and_then(Object::as_reference);
            let Ok(parent) = parent.and_then(|id| document.get_dictionary(id)) else { break };
            node = parent;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pdf::read;

    /// Returns the text of a page with this content.
    fn text(content: &str) -> String {
        let mut document = Document::load_mem(&crate::testing::pdf("x")).unwrap();
        let page = *document.get_pages().get(&1).unwrap();
        document.change_page_content(page, content.as_bytes().to_vec()).unwrap();
        let mut file = Vec::new();
        document.save_to(&mut file).unwrap();
        read(&file, 1_000, &|| true).unwrap().text
    }

    #[test]
    fn text_that_cannot_be_seen_is_not_read() {
        let seen = "BT /F1 12 Tf 72 720 Td (Shown) Tj ET";
        for hidden in [
            "1 g BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "1 1 1 rg BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "0 0 0 0 k BT /F1 12 Tf 72 600 Td [(SEC) 20 (RET)] TJ ET",
            "/DeviceRGB cs 0.99 0.99 0.99 sc BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "BT /F1 1 Tf 72 600 Td (SECRET) Tj ET",
            "q 0.1 0 0 0.1 72 600 cm BT /F1 12 Tf (SECRET) Tj ET Q",
            "BT /F1 12 Tf 3 Tr 72 600 Td (SECRET) Tj ET",
            "BT /F1 12 Tf 72 -600 Td (SECRET) Tj ET",
            "BT /F1 12 Tf 9000 600 Td (SECRET) Tj ET",
            "q 0 0 0 0 re W n BT /F1 12 Tf 72 600 Td (SECRET) Tj ET Q",
            "0 g 50 590 400 40 re f BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "1 g BT /F1 12 Tf 14 TL 72 600 Td (SECRET) ' ET",
        ] {
            let text = text(&format!("{seen} {hidden}"));
            assert!(text.contains("Shown") && !text.contains("SECRET"), "{hidden}: {text}");
        }
        for shown in [
            "0.2 g BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "0 0 0.4 rg 50 590 400 40 re f 1 g BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "q 12 0 0 12 72 600 cm BT /F1 1 Tf (SECRET) Tj ET Q",
            "BT /F1 1 Tf 12 0 0 12 72 600 Tm (SECRET) Tj ET",
            "q 1 g Q BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
            "BT /F1 12 Tf 3 Tr 72 600 Td (SECRET) Tj ET /Sh1 sh",
            "0 g 40 500 m 400 500 l 400 700 l 40 700 l h 41 501 358 198 re f* BT /F1 12 Tf 72 600 Td (SECRET) Tj ET",
        ] {
            let text = text(&format!("{seen} {shown}"));
            assert!(text.contains("Shown") && text.contains("SECRET"), "{shown}: {text}");
        }
    }
}
