//! DOCX: parser of the main document with its styles. Tracked deletions are removed, tracked insertions kept; hidden
//! text and ruby readings are no prose. Omitted content is counted.

use std::collections::BTreeMap;

use qingyu_story::prose::EmphasisSpan;

use super::archive::ZipReader;
use super::collector::Collector;
use super::faces::{Face, FaceTracker, within};
use super::manuscript::{Extra, Format, Ingested, Origin, ParagraphRole};
use super::properties::properties;
use super::xml::{XmlEvent, XmlStrictness, walk};
use crate::{Error, FileLimits};

/// Maximum number of styles based on each other.
const DEEPEST: usize = 16;

pub(crate) fn read(archive: &mut ZipReader<'_>, limits: &FileLimits) -> Result<Ingested, Error> {
    let main = main_part(archive, limits)?;
    let folder = main.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let styles = match archive.read(&format!("{folder}styles.xml"))? {
        Some(bytes) => styles(&bytes, limits)?,
        None => BTreeMap::new(),
    };
    let bytes = archive.need(&main)?;
    let collector = Collector::new(limits);
    let mut document = DocxReader {
        collector,
        name: &main,
        count: 0,
        open: Vec::new(),
        runs: Vec::new(),
        lists: ContentsFields::default(),
    };
    // Nesting depth inside duplicate or non-text content.
    let mut outside = 0_usize;
    let (mut in_text, mut in_instruction, mut in_face) = (false, false, 0_usize);
    walk(&main, &bytes, XmlStrictness::Strict, limits, |node| {
        match node {
            XmlEvent::Open { name: name @ ("Fallback" | "moveFrom" | "rt"), .. } => {
                if name == "rt" && outside == 0 {
                    document.collector.leave_out(Extra::Readings);
                }
                outside += 1;
            }
            XmlEvent::Close { name: "Fallback" | "moveFrom" | "rt" } => outside = outside.saturating_sub(1),
            _ if outside > 0 => {}
            XmlEvent::Open { name: "p", .. } => document.open.push(OpenParagraph::default()),
            XmlEvent::Close { name: "p" } => document.close(),
            XmlEvent::Open { name: "pStyle", attributes } => {
                let style = attributes.get("val").unwrap_or_default();
                document.set(role(&styles, &style, 0));
                if let Some(paragraph) = document.open.last_mut() {
                    paragraph.face = face(&styles, &style, 0);
                }
            }
            XmlEvent::Open { name: "outlineLvl", attributes } => {
                document.set(attributes.get("val").and_then(|level| outline(&level)));
            }
            XmlEvent::Open { name: "r", .. } => document.begin_run(),
            XmlEvent::Close { name: "r" } => drop(document.runs.pop()),
            XmlEvent::Open { name: "rPr", .. } => in_face += 1,
            XmlEvent::Close { name: "rPr" } => in_face = in_face.saturating_sub(1),
            XmlEvent::Open { name, attributes } if in_face > 0 => {
                let value = attributes.get("val").unwrap_or_default();
                let is_on = !is_off(&value);
                if let Some(run) = document.runs.last_mut() {
                    match name {
                        // A style switches the faces of the paragraph.
                        "rStyle" => {
                            let style = face(&styles, &value, 0);
                            run.face.bold ^= style.bold;
                            run.face.italic ^= style.italic;
                        }
                        "b" => run.face.bold = is_on,
                        "i" => run.face.italic = is_on,
                        "vanish" | "webHidden" => run.hidden |= is_on,
                        "u" | "em" | "strike" | "dstrike" => run.has_other_face |= is_on,
                        _ => {}
                    }
                }
            }
            XmlEvent::Open { name: "t", .. } => in_text = true,
            XmlEvent::Close { name: "t" } => in_text = false,
            XmlEvent::Text(text) if in_text => document.add_run(&text),
            XmlEvent::Open { name: "delText", .. } => document.collector.leave_out(Extra::Deletions),
            XmlEvent::Open { name: "instrText", .. } => in_instruction = true,
            XmlEvent::Close { name: "instrText" } => in_instruction = false,
            XmlEvent::Text(text) if in_instruction => document.lists.instruct(&text),
            XmlEvent::Open { name: "fldChar", attributes } => {
                document.lists.field(&attributes.get("fldCharType").unwrap_or_default());
            }
            XmlEvent::Open { name: "fldSimple", attributes } => {
                document.lists.field("begin");
                document.lists.instruct(&attributes.get("instr").unwrap_or_default());
            }
            XmlEvent::Close { name: "fldSimple" } => document.lists.field("end"),
            XmlEvent::Open { name: "sdt", .. } => document.lists.galleries.push(false),
            XmlEvent::Close { name: "sdt" } => drop(document.lists.galleries.pop()),
            XmlEvent::Open { name: "docPartGallery", attributes } => {
                let is_contents = attributes.get("val").is_some_and(|gallery| gallery.contains("Contents"));
                if let Some(gallery) = document.lists.galleries.last_mut() {
                    *gallery |= is_contents;
                }
            }
            XmlEvent::Open { name: "sym", .. } => document.collector.leave_out(Extra::Symbols),
            XmlEvent::Open { name: "tab", .. } => document.add("\t"),
            XmlEvent::Open { name: "br" | "cr", .. } => document.break_line(),
            XmlEvent::Open { name: "noBreakHyphen", .. } => document.add("-"),
            XmlEvent::Open { name: "drawing" | "pict", .. } => document.collector.leave_out(Extra::Pictures),
            XmlEvent::Open { name: "footnoteReference" | "endnoteReference", .. } => {
                document.collector.leave_out(Extra::Notes);
            }
            XmlEvent::Open { name: "commentReference", .. } => document.collector.leave_out(Extra::Comments),
            _ => {}
        }
        Ok(())
    })?;
    let mut ingested = document.collector.finish(Format::Docx)?;
    properties(archive, "docProps/core.xml", "creator", &mut ingested, limits)?;
    Ok(ingested)
}

struct DocxReader<'d> {
    collector: Collector,
    name: &'d str,
    count: usize,
    /// Paragraphs are nested in text boxes.
    open: Vec<OpenParagraph>,
    /// The open runs, the innermost last.
    runs: Vec<RunFormat>,
    lists: ContentsFields,
}

/// A paragraph being parsed.
struct OpenParagraph {
    line: String,
    role: ParagraphRole,
    /// The face of its style.
    face: Face,
    faces: FaceTracker,
}

impl Default for OpenParagraph {
    fn default() -> Self {
        Self { line: String::new(), role: ParagraphRole::Text, face: Face::default(), faces: FaceTracker::default() }
    }
}

/// The format of a run.
#[derive(Debug, Default)]
struct RunFormat {
    hidden: bool,
    face: Face,
    /// Whether the run is underlined, struck out or dotted.
    has_other_face: bool,
    /// Whether already counted as omitted.
    counted: bool,
}

/// The open fields and galleries, to detect a table of contents.
#[derive(Debug, Default)]
struct ContentsFields {
    fields: Vec<bool>,
    galleries: Vec<bool>,
}

impl ContentsFields {
    fn field(&mut self, kind: &str) {
        match kind {
            "begin" => self.fields.push(false),
            "end" => drop(self.fields.pop()),
            _ => {}
        }
    }

    fn instruct(&mut self, instruction: &str) {
        if let Some(field) = self.fields.last_mut() {
            *field |= instruction.split_whitespace().next() == Some("TOC");
        }
    }

    fn is_open(&self) -> bool {
        self.fields.iter().chain(&self.galleries).any(|is_contents| *is_contents)
    }
}

impl DocxReader<'_> {
    fn add(&mut self, text: &str) {
        if let Some(OpenParagraph { line, .. }) = self.open.last_mut() {
            // A tab at the beginning of a paragraph is an indent.
            line.push_str(if text == "\t" && line.is_empty() { "" } else { text });
        }
    }

    /// Opens a run in the face of its paragraph.
    fn begin_run(&mut self) {
        let face = self.open.last().map(|paragraph| paragraph.face).unwrap_or_default();
        self.runs.push(RunFormat { face, ..RunFormat::default() });
    }

    /// Appends the text of a run, unless hidden; counts omitted content.
    fn add_run(&mut self, text: &str) {
        let is_prose = self.open.last().is_some_and(|paragraph| paragraph.role == ParagraphRole::Text);
        let Some(run) = self.runs.last_mut() else { return self.add(text) };
        let lost = match () {
            () if run.hidden => Some(Extra::Hidden),
            () if run.has_other_face && is_prose => Some(Extra::Emphasis),
            () => None,
        };
        let (hidden, face) = (run.hidden, run.face);
        if let Some(lost) = lost.filter(|_| !std::mem::replace(&mut run.counted, true)) {
            self.collector.leave_out(lost);
        }
        if !hidden {
            if let Some(OpenParagraph { line, faces, .. }) = self.open.last_mut() {
                faces.set(line.len(), face);
            }
            self.add(text);
        }
    }

    fn set(&mut self, role: Option<ParagraphRole>) {
        if let (Some(paragraph), Some(role)) = (self.open.last_mut(), role) {
            paragraph.role = role;
        }
    }

    fn break_line(&mut self) {
        let Some(OpenParagraph { line, role, faces, .. }) = self.open.last_mut() else { return };
        if line.trim().is_empty() {
            return;
        }
        if matches!(role, ParagraphRole::Text) {
            let (line, role) = (std::mem::take(line), *role);
            let spans = faces.take(line.len());
            self.put(&line, &spans, role);
        } else {
            line.push(' ');
        }
    }

    fn close(&mut self) {
        if let Some(OpenParagraph { line, role, mut faces, .. }) = self.open.pop() {
            let role = if self.lists.is_open() { ParagraphRole::Contents } else { role };
            self.put(&line, &faces.take(line.len()), role);
        }
    }

    fn put(&mut self, line: &str, spans: &[EmphasisSpan], role: ParagraphRole) {
        self.count += 1;
        let origin = Origin::Entry { name: self.name.into(), paragraph: self.count };
        let role = if line.trim().is_empty() { ParagraphRole::Text } else { role };
        let mut from = 0;
        for line in line.split('\n') {
            let part = from..from + line.len();
            self.collector.push_emphasised(line, &within(spans, &part), role, origin.clone(), false);
            from = part.end + 1;
        }
    }
}

/// A style: its name, its base style, its outline level and its faces.
#[derive(Debug, Default)]
struct DocxStyle {
    name: String,
    based_on: Option<String>,
    outline: Option<ParagraphRole>,
    bold: Option<bool>,
    italic: Option<bool>,
}

fn styles(bytes: &[u8], limits: &FileLimits) -> Result<BTreeMap<String, DocxStyle>, Error> {
    let mut styles = BTreeMap::new();
    let mut now = None;
    walk("word/styles.xml", bytes, XmlStrictness::Strict, limits, |node| {
        if let XmlEvent::Open { name, attributes } = node {
            let value = || attributes.get("val");
            if name == "style" {
                let id = attributes.get("styleId").unwrap_or_default();
                styles.insert(id.clone(), DocxStyle::default());
                now = Some(id);
            } else if let Some(style) = now.as_ref().and_then(|id| styles.get_mut(id)) {
                match name {
                    "name" => style.name = value().unwrap_or_default().to_lowercase(),
                    "basedOn" => style.based_on = value(),
                    "outlineLvl" => style.outline = value().and_then(|level| outline(&level)),
                    "b" => style.bold = Some(!is_off(&value().unwrap_or_default())),
                    "i" => style.italic = Some(!is_off(&value().unwrap_or_default())),
                    _ => {}
                }
            }
        }
        Ok(())
    })?;
    Ok(styles)
}

/// Returns whether a value switches a property off.
fn is_off(value: &str) -> bool {
    matches!(value, "0" | "false" | "none" | "off")
}

/// Returns the face of text in a style.
fn face(styles: &BTreeMap<String, DocxStyle>, id: &str, depth: usize) -> Face {
    let Some(style) = styles.get(id).filter(|_| depth < DEEPEST) else { return Face::default() };
    let base = style.based_on.as_deref().map(|id| face(styles, id, depth + 1)).unwrap_or_default();
    Face { bold: style.bold.unwrap_or(base.bold), italic: style.italic.unwrap_or(base.italic) }
}

/// Returns the role of paragraphs in a style.
fn role(styles: &BTreeMap<String, DocxStyle>, id: &str, depth: usize) -> Option<ParagraphRole> {
    let fallback = DocxStyle { name: id.to_lowercase(), ..DocxStyle::default() };
    let style = styles.get(id).unwrap_or(&fallback);
    let numbered = |prefix: &str| style.name.strip_prefix(prefix)?.trim().parse::<u8>().ok();
    if let Some(level) = numbered("heading").or_else(|| numbered("标题")) {
        return Some(ParagraphRole::Heading(level.clamp(1, 9)));
    }
    if numbered("toc").is_some() || style.name == "toc heading" {
        return Some(ParagraphRole::Contents);
    }
    if matches!(style.name.as_str(), "title" | "subtitle" | "author") {
        return Some(ParagraphRole::Title);
    }
    let inherited = || style.based_on.as_deref().filter(|_| depth < DEEPEST).and_then(|id| role(styles, id, depth + 1));
    style.outline.or_else(inherited)
}

/// Levels count from 0; 9 is text.
fn outline(level: &str) -> Option<ParagraphRole> {
    let level: u8 = level.parse().ok()?;
    Some(if level < 9 { ParagraphRole::Heading(level + 1) } else { ParagraphRole::Text })
}

fn main_part(archive: &mut ZipReader<'_>, limits: &FileLimits) -> Result<String, Error> {
    const PLACE: &str = "_rels/.rels";
    let mut main = None;
    if let Some(bytes) = archive.read(PLACE)? {
        walk(PLACE, &bytes, XmlStrictness::Strict, limits, |node| {
            if let XmlEvent::Open { name: "Relationship", attributes } = node
                && attributes.get("Type").is_some_and(|kind| kind.ends_with("/officeDocument"))
            {
                main = attributes.get("Target");
            }
            Ok(())
        })?;
    }
    let main = main.unwrap_or_else(|| "word/document.xml".into());
    let main = main.trim_start_matches('/').to_owned();
    if archive.has(&main) { Ok(main) } else { Err(Error::UnknownFormat) }
}
