//! novelWriter: the tree of documents in `nwProject.nwx`, the documents in `content/<handle>.nwd`.
//!
//! - [`tree`]: the items in the order of the project; `markup`: the lines of a document
//!
//! The headings of the documents decide: `#` begins a volume, `##` a chapter; `###` and `####` are scenes and sections,
//! separated by a gap. Note documents, comments and tags are left out.

mod markup;
mod tree;

use super::{Assembly, Folder, placed};
use crate::encoding::decode;
use crate::{Error, Extra, Format, Ingested, ParagraphRole, ReadOptions};
use markup::Line;
use tree::{NovelItem, Tree};

/// The name of the index, in lowercase.
pub(super) const INDEX: &str = "nwproject.nwx";
/// The ending of documents.
pub(super) const ENDING: &str = ".nwd";

pub(super) fn read(folder: &Folder<'_>, reading: &ReadOptions) -> Result<Ingested, Error> {
    let tree = Tree::read(folder, reading)?;
    let mut compiler = NovelCompiler { assembly: Assembly::new(reading), title: String::new(), is_front: false };
    let manuscript = tree.manuscript();
    if manuscript.is_empty() {
        return Err(Error::damaged(folder.index, "it names no documents of a novel"));
    }
    for item in manuscript {
        if let Some(what) = item.left_out() {
            compiler.assembly.collector.leave_out_document(what, &item.name);
            continue;
        }
        let path = format!("content/{}{ENDING}", item.handle);
        let Some(bytes) = folder.file(&path) else {
            // A document never opened has no file; any other loss is listed.
            compiler.assembly.collector.leave_out_document(Extra::Missing, &item.name);
            continue;
        };
        let text = decode(bytes, None).map_err(|error| placed(error, &path))?.text;
        compiler.document(item, &text);
    }
    for (item, what) in tree.others() {
        compiler.assembly.collector.leave_out_document(what, &item.name);
    }
    let title = [&compiler.title, &tree.title].into_iter().find(|title| !title.is_empty()).cloned();
    compiler.assembly.finish(Format::NovelWriter, &title.unwrap_or_default(), &tree.author)
}

struct NovelCompiler {
    assembly: Assembly,
    /// The title of the book on its title page.
    title: String,
    /// Whether the lines belong to the title page.
    is_front: bool,
}

impl NovelCompiler {
    fn document(&mut self, item: &NovelItem, text: &str) {
        let name = item.name.as_str();
        for (index, line) in text.lines().enumerate() {
            match markup::read(line) {
                Line::Blank => {}
                Line::Title(title) => self.title_page(&title, name, index + 1),
                // Older projects mark the title page by the layout of its document.
                Line::Volume(title) if item.is_title_page() => self.title_page(&title, name, index + 1),
                Line::Volume(title) => {
                    self.is_front = false;
                    self.assembly.line(&title, ParagraphRole::Volume, name, index + 1);
                }
                Line::Chapter(title) => {
                    self.is_front = false;
                    self.assembly.chapter(&title, true, name, index + 1);
                }
                Line::Scene => {
                    self.is_front = false;
                    self.assembly.leave_out(Extra::SceneTitles);
                    self.assembly.gap(name);
                }
                Line::Gap => self.assembly.gap(name),
                Line::LeftOut(what) => self.assembly.leave_out(what),
                Line::Text { text, left_out } => {
                    left_out.into_iter().for_each(|what| self.assembly.leave_out(what));
                    let role = if self.is_front { ParagraphRole::Front } else { ParagraphRole::Text };
                    text.split('\n').for_each(|line| self.assembly.line(line, role, name, index + 1));
                }
            }
        }
    }

    fn title_page(&mut self, title: &str, name: &str, paragraph: usize) {
        if self.title.is_empty() {
            title.clone_into(&mut self.title);
        }
        self.is_front = true;
        self.assembly.line(title, ParagraphRole::Title, name, paragraph);
    }
}
