//! DOCX: the main document with its styles. What was deleted under revision is gone, what was inserted is there; hidden text
//! and readings beside characters are no prose. What is not taken over is counted.

use std::collections::BTreeMap;

use super::archive::Archive;
use super::properties::properties;
use super::xml::{Kind, Node, walk};
use super::{Collector, Extra, Format, Ingested, Origin, Role};
use crate::{Error, Limits};

pub(crate) fn read(archive: &mut Archive<'_>, limits: &Limits) -> Result<Ingested, Error> {
    let main = main_part(archive, limits)?;
    let folder = main.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let styles = match archive.read(&format!("{folder}styles.xml"))? {
        Some(bytes) => styles(&bytes, limits)?,
        None => BTreeMap::new(),
    };
    let bytes = archive.need(&main)?;
    let collector = Collector::new(limits);
    let mut document =
        Document { collector, name: &main, count: 0, open: Vec::new(), runs: Vec::new(), lists: Lists::default() };
    // Inside of what is shown a second time, or is no text.
    let mut outside = 0_usize;
    let (mut in_text, mut in_instruction, mut in_face) = (false, false, 0_usize);
    walk(&main, &bytes, Kind::Strict, limits, |node| {
        match node {
            Node::Open { name: name @ ("Fallback" | "moveFrom" | "rt"), .. } => {
                if name == "rt" && outside == 0 {
                    document.collector.leave_out(Extra::Readings);
                }
                outside += 1;
            }
            Node::Close { name: "Fallback" | "moveFrom" | "rt" } => outside = outside.saturating_sub(1),
            _ if outside > 0 => {}
            Node::Open { name: "p", .. } => document.open.push((String::new(), Role::Text)),
            Node::Close { name: "p" } => document.close(),
            Node::Open { name: "pStyle", attributes } => {
                let style = attributes.get("val").unwrap_or_default();
                document.set(role(&styles, &style, 0));
            }
            Node::Open { name: "outlineLvl", attributes } => {
                document.set(attributes.get("val").and_then(|level| outline(&level)));
            }
            Node::Open { name: "r", .. } => document.runs.push(Run::default()),
            Node::Close { name: "r" } => drop(document.runs.pop()),
            Node::Open { name: "rPr", .. } => in_face += 1,
            Node::Close { name: "rPr" } => in_face = in_face.saturating_sub(1),
            Node::Open { name, attributes } if in_face > 0 => {
                let is_off =
                    attributes.get("val").is_some_and(|value| matches!(value.as_str(), "0" | "false" | "none" | "off"));
                if let Some(run) = document.runs.last_mut().filter(|_| !is_off) {
                    run.hidden |= name == "vanish" || name == "webHidden";
                    run.emphasized |= matches!(name, "i" | "b" | "u" | "em" | "strike" | "dstrike");
                }
            }
            Node::Open { name: "t", .. } => in_text = true,
            Node::Close { name: "t" } => in_text = false,
            Node::Text(text) if in_text => document.add_run(&text),
            Node::Open { name: "delText", .. } => document.collector.leave_out(Extra::Deletions),
            Node::Open { name: "instrText", .. } => in_instruction = true,
            Node::Close { name: "instrText" } => in_instruction = false,
            Node::Text(text) if in_instruction => document.lists.instruct(&text),
            Node::Open { name: "fldChar", attributes } => {
                document.lists.field(&attributes.get("fldCharType").unwrap_or_default());
            }
            Node::Open { name: "fldSimple", attributes } => {
                document.lists.field("begin");
                document.lists.instruct(&attributes.get("instr").unwrap_or_default());
            }
            Node::Close { name: "fldSimple" } => document.lists.field("end"),
            Node::Open { name: "sdt", .. } => document.lists.galleries.push(false),
            Node::Close { name: "sdt" } => drop(document.lists.galleries.pop()),
            Node::Open { name: "docPartGallery", attributes } => {
                let is_contents = attributes.get("val").is_some_and(|gallery| gallery.contains("Contents"));
                if let Some(gallery) = document.lists.galleries.last_mut() {
                    *gallery |= is_contents;
                }
            }
            Node::Open { name: "sym", .. } => document.collector.leave_out(Extra::Symbols),
            Node::Open { name: "tab", .. } => document.add("\t"),
            Node::Open { name: "br" | "cr", .. } => document.break_line(),
            Node::Open { name: "noBreakHyphen", .. } => document.add("-"),
            Node::Open { name: "drawing" | "pict", .. } => document.collector.leave_out(Extra::Pictures),
            Node::Open { name: "footnoteReference" | "endnoteReference", .. } => {
                document.collector.leave_out(Extra::Notes);
            }
            Node::Open { name: "commentReference", .. } => document.collector.leave_out(Extra::Comments),
            _ => {}
        }
        Ok(())
    })?;
    let mut ingested = document.collector.finish(Format::Docx)?;
    properties(archive, "docProps/core.xml", "creator", &mut ingested, limits)?;
    Ok(ingested)
}

struct Document<'d> {
    collector: Collector,
    name: &'d str,
    count: usize,
    /// Paragraphs stand within paragraphs where there are boxes with text.
    open: Vec<(String, Role)>,
    /// The runs that are open, the innermost last.
    runs: Vec<Run>,
    lists: Lists,
}

/// The face of a run.
#[derive(Debug, Default)]
struct Run {
    hidden: bool,
    emphasized: bool,
    /// Whether it was counted among what is left out.
    counted: bool,
}

/// Whether a table of contents is being read, by the fields and the galleries that are open.
#[derive(Debug, Default)]
struct Lists {
    fields: Vec<bool>,
    galleries: Vec<bool>,
}

impl Lists {
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

impl Document<'_> {
    fn add(&mut self, text: &str) {
        if let Some((line, _)) = self.open.last_mut() {
            // A tab that sets the paragraph off is no text.
            line.push_str(if text == "\t" && line.is_empty() { "" } else { text });
        }
    }

    /// Adds the text of a run, unless it is hidden; counts what is not taken over.
    fn add_run(&mut self, text: &str) {
        let is_prose = self.open.last().is_some_and(|(_, role)| *role == Role::Text);
        let Some(run) = self.runs.last_mut() else { return self.add(text) };
        let lost = match () {
            () if run.hidden => Some(Extra::Hidden),
            () if run.emphasized && is_prose => Some(Extra::Emphasis),
            () => None,
        };
        let hidden = run.hidden;
        if let Some(lost) = lost.filter(|_| !std::mem::replace(&mut run.counted, true)) {
            self.collector.leave_out(lost);
        }
        if !hidden {
            self.add(text);
        }
    }

    fn set(&mut self, role: Option<Role>) {
        if let (Some((_, known)), Some(role)) = (self.open.last_mut(), role) {
            *known = role;
        }
    }

    fn break_line(&mut self) {
        let Some((line, role)) = self.open.last_mut() else { return };
        if line.trim().is_empty() {
            return;
        }
        if matches!(role, Role::Text) {
            let (line, role) = (std::mem::take(line), *role);
            self.put(&line, role);
        } else {
            line.push(' ');
        }
    }

    fn close(&mut self) {
        if let Some((line, role)) = self.open.pop() {
            let role = if self.lists.is_open() { Role::Contents } else { role };
            self.put(&line, role);
        }
    }

    fn put(&mut self, line: &str, role: Role) {
        self.count += 1;
        let origin = Origin::Entry { name: self.name.into(), paragraph: self.count };
        let role = if line.trim().is_empty() { Role::Text } else { role };
        for line in line.split('\n') {
            self.collector.push(line, role, origin.clone(), false);
        }
    }
}

/// A style: its name, what it is based on, and its level in the outline.
#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<Role>,
}

fn styles(bytes: &[u8], limits: &Limits) -> Result<BTreeMap<String, Style>, Error> {
    let mut styles = BTreeMap::new();
    let mut now = None;
    walk("word/styles.xml", bytes, Kind::Strict, limits, |node| {
        if let Node::Open { name, attributes } = node {
            let value = || attributes.get("val");
            if name == "style" {
                let id = attributes.get("styleId").unwrap_or_default();
                styles.insert(id.clone(), Style::default());
                now = Some(id);
            } else if let Some(style) = now.as_ref().and_then(|id| styles.get_mut(id)) {
                match name {
                    "name" => style.name = value().unwrap_or_default().to_lowercase(),
                    "basedOn" => style.based_on = value(),
                    "outlineLvl" => style.outline = value().and_then(|level| outline(&level)),
                    _ => {}
                }
            }
        }
        Ok(())
    })?;
    Ok(styles)
}

/// What paragraphs of a style are.
fn role(styles: &BTreeMap<String, Style>, id: &str, depth: usize) -> Option<Role> {
    const DEEPEST: usize = 16;
    let fallback = Style { name: id.to_lowercase(), ..Style::default() };
    let style = styles.get(id).unwrap_or(&fallback);
    let numbered = |prefix: &str| style.name.strip_prefix(prefix)?.trim().parse::<u8>().ok();
    if let Some(level) = numbered("heading").or_else(|| numbered("标题")) {
        return Some(Role::Heading(level.clamp(1, 9)));
    }
    if numbered("toc").is_some() || style.name == "toc heading" {
        return Some(Role::Contents);
    }
    if matches!(style.name.as_str(), "title" | "subtitle" | "author") {
        return Some(Role::Title);
    }
    let inherited = || style.based_on.as_deref().filter(|_| depth < DEEPEST).and_then(|id| role(styles, id, depth + 1));
    style.outline.or_else(inherited)
}

/// Levels count from 0; 9 is text.
fn outline(level: &str) -> Option<Role> {
    let level: u8 = level.parse().ok()?;
    Some(if level < 9 { Role::Heading(level + 1) } else { Role::Text })
}

fn main_part(archive: &mut Archive<'_>, limits: &Limits) -> Result<String, Error> {
    const PLACE: &str = "_rels/.rels";
    let mut main = None;
    if let Some(bytes) = archive.read(PLACE)? {
        walk(PLACE, &bytes, Kind::Strict, limits, |node| {
            if let Node::Open { name: "Relationship", attributes } = node
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
