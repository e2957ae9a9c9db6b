//! The buffer that every parser fills with paragraphs.

use qingyu_story::prose::EmphasisSpan;

use super::faces::MarkedLine;
use super::manuscript::{Extra, Format, Ingested, LeftOut, Origin, ParagraphRole, SourceParagraph, Truncation};
use crate::Error;
use crate::limits::FileLimits;

/// A buffer for paragraphs while parsing.
#[derive(Debug)]
pub(crate) struct Collector {
    pub(crate) text: String,
    pub(crate) paragraphs: Vec<SourceParagraph>,
    left_out: Vec<LeftOut>,
    /// The truncations of the files.
    pub(crate) truncated: Vec<Truncation>,
    title: Option<String>,
    author: Option<String>,
    /// Maximum number of paragraphs.
    most: usize,
    /// Whether the maximum was exceeded.
    is_over: bool,
}

impl Collector {
    pub(crate) fn new(limits: &FileLimits) -> Self {
        Self {
            text: String::new(),
            paragraphs: Vec::new(),
            left_out: Vec::new(),
            truncated: Vec::new(),
            title: None,
            author: None,
            most: limits.paragraphs,
            is_over: false,
        }
    }

    /// Parses title and author from lines such as `title: 河灯`.
    pub(crate) fn tell(&mut self, metadata: &str) {
        for line in metadata.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim().trim_matches(['"', '\'']).to_owned();
            match key.trim().to_ascii_lowercase().as_str() {
                "title" if !value.is_empty() => self.title = Some(value),
                "author" if !value.is_empty() => self.author = Some(value),
                _ => {}
            }
        }
    }

    /// Appends a paragraph; `continues` as in [`SourceParagraph`]. Paragraphs beyond the limit are dropped; `finish` returns
    /// the error.
    pub(crate) fn push(&mut self, text: &str, role: ParagraphRole, origin: Origin, continues: bool) {
        self.push_emphasised(text, &[], role, origin, continues);
    }

    /// Appends a paragraph with its emphasised stretches; counts emphasis in prose that no mark expresses.
    pub(crate) fn push_emphasised(
        &mut self,
        text: &str,
        spans: &[EmphasisSpan],
        role: ParagraphRole,
        origin: Origin,
        continues: bool,
    ) {
        if self.paragraphs.len() >= self.most {
            self.is_over = true;
            return;
        }
        let from = self.text.len();
        self.text.push_str(text);
        let marked = match MarkedLine::of(text, spans) {
            MarkedLine::Marked(marked) if role == ParagraphRole::Text => Some(marked),
            MarkedLine::Unmarkable if role == ParagraphRole::Text => {
                self.leave_out(Extra::Emphasis);
                None
            }
            _ => None,
        };
        self.paragraphs.push(SourceParagraph { range: from..self.text.len(), origin, role, continues, marked });
        self.text.push('\n');
    }

    /// Counts an omitted item.
    pub(crate) fn leave_out(&mut self, what: Extra) {
        match self.left_out.iter_mut().find(|known| known.what == what) {
            Some(known) => known.count += 1,
            None => self.left_out.push(LeftOut { what, count: 1, names: Vec::new() }),
        }
    }

    /// Counts an omitted document, with its title.
    pub(crate) fn leave_out_document(&mut self, what: Extra, title: &str) {
        self.leave_out(what);
        let left_out = self.left_out.iter_mut().find(|known| known.what == what);
        if let Some(left_out) = left_out.filter(|left_out| left_out.names.len() < LeftOut::NAMES) {
            left_out.names.push(title.to_owned());
        }
    }

    /// Returns the manuscript; an error if the paragraphs exceed the limit.
    pub(crate) fn finish(self, format: Format) -> Result<Ingested, Error> {
        if self.is_over {
            let limit = self.most as u64;
            return Err(Error::TooLarge { place: "the text".into(), limit, unit: "paragraphs" });
        }
        Ok(Ingested {
            format,
            encoding: None,
            title: self.title,
            author: self.author,
            language: None,
            text: self.text,
            paragraphs: self.paragraphs,
            left_out: self.left_out,
            truncated: self.truncated,
        })
    }
}
