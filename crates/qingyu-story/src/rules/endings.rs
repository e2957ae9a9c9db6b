//! The ends of the chapters in reading order: how the texts end, and what the outline plans where there is no text.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::RuleMaterial;
use crate::chapters::Chapter;
use crate::names::fold;
use crate::placeholder::is_unwritten;
use crate::prose::{AnalyzedChapter, EndingKind, ProseEnding, ending_of_plan};
use crate::{Document, OutlineNode};

/// The end of a chapter.
#[derive(Debug)]
pub(super) struct ChapterEnd<'m, 's> {
    /// The title.
    pub(super) title: String,
    /// The node of the outline.
    pub(super) node: Option<&'s OutlineNode>,
    /// The last text of the chapter, with its end.
    pub(super) text: Option<(&'m AnalyzedChapter<'s>, &'m ProseEnding)>,
    /// The ways in which it ends, and the hook in the words of the outline.
    pub(super) keys: BTreeSet<EndingKey>,
}

/// A way in which a chapter ends, for comparisons.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndingKey {
    /// By its form.
    Form(EndingKind),
    /// By the folded words of the planned hook.
    Hook(String),
}

impl<'m, 's> ChapterEnd<'m, 's> {
    /// Returns the ends of all chapters in reading order.
    pub(super) fn all(material: &'m RuleMaterial<'s>) -> Vec<Self> {
        let story = material.story;
        let place = |document: &Document| std::ptr::from_ref(document).addr();
        let texts: FxHashMap<usize, &AnalyzedChapter<'s>> =
            material.chapters.iter().map(|chapter| (place(chapter.document), chapter)).collect();
        let end = |chapter: &Chapter| {
            let node = chapter.node.map(|node| &story.outline_nodes[node]);
            let told = chapter.documents.iter().rev().find_map(|document| {
                let text = *texts.get(&place(&story.documents[*document]))?;
                Some((text, text.prose.ending.as_ref()?))
            });
            let hook = node.map(|node| node.hook.trim()).filter(|hook| !is_unwritten(hook));
            let form = match told {
                Some((_, ending)) => ending.kind,
                None => hook.and_then(|hook| ending_of_plan(hook, story.language)),
            };
            let words = hook.map(fold).filter(|words| words.chars().count() > 1);
            let keys = form.map(EndingKey::Form).into_iter().chain(words.map(EndingKey::Hook)).collect();
            Self { title: chapter.title.clone(), node, text: told, keys }
        };
        material.contents.all().iter().map(end).collect()
    }

    /// Returns whether the outline plans a hook.
    pub(super) fn has_hook(&self) -> bool {
        self.node.is_some_and(|node| !is_unwritten(&node.hook))
    }
}
