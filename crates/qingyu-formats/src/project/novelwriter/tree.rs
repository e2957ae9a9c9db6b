//! The items of a novelWriter project, from its index of file version 1.0 to 1.5.

use std::collections::{HashMap, HashSet};

use crate::project::Folder;
use crate::read::{XmlEvent, XmlStrictness, walk};
use crate::{Error, Extra, ReadOptions};

/// The items of a project, with its properties.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) title: String,
    pub(super) author: String,
    items: Vec<NovelItem>,
    /// The positions in `items` of the items below an item, in order.
    children: HashMap<String, Vec<usize>>,
}

/// A folder or document of a project.
#[derive(Debug, Default)]
pub(super) struct NovelItem {
    pub(super) handle: String,
    pub(super) name: String,
    parent: String,
    order: u32,
    kind: String,
    class: String,
    layout: String,
    /// Whether the project leaves the document out of its manuscript.
    is_inactive: bool,
}

impl NovelItem {
    /// Returns why a document of the novel is left out; `None` if it belongs to the manuscript.
    pub(super) fn left_out(&self) -> Option<Extra> {
        match self.layout.as_str() {
            "NOTE" => Some(Extra::NoteDocuments),
            _ if self.is_inactive => Some(Extra::Excluded),
            _ => None,
        }
    }

    pub(super) fn is_title_page(&self) -> bool {
        self.layout == "TITLE"
    }

    fn is_file(&self) -> bool {
        self.kind == "FILE"
    }

    /// Sets a property; file versions before 1.5 have elements where later versions have attributes.
    fn set(&mut self, property: &str, value: &str) {
        let value = value.trim();
        let is_no = |value: &str| matches!(value.to_ascii_lowercase().as_str(), "no" | "false");
        match property {
            "name" | "label" => value.clone_into(&mut self.name),
            "type" => self.kind = value.to_uppercase(),
            "class" => self.class = value.to_uppercase(),
            "layout" => self.layout = value.to_uppercase(),
            "active" | "exported" => self.is_inactive = is_no(value),
            _ => {}
        }
    }
}

impl Tree {
    pub(super) fn read(folder: &Folder<'_>, reading: &ReadOptions) -> Result<Self, Error> {
        let mut tree = Self::default();
        let mut open: Option<NovelItem> = None;
        let mut in_project = false;
        let mut said = String::new();
        walk(folder.index, folder.index_bytes(), XmlStrictness::Strict, &reading.limits, |node| {
            match node {
                XmlEvent::Open { name: "project", .. } => in_project = true,
                XmlEvent::Close { name: "project" } => in_project = false,
                XmlEvent::Open { name: "item", attributes } => {
                    let get = |name: &str| attributes.get(name).unwrap_or_default();
                    let order = get("order").parse().unwrap_or_default();
                    let mut item =
                        NovelItem { handle: get("handle"), parent: get("parent"), order, ..NovelItem::default() };
                    for property in ["type", "class", "layout"] {
                        item.set(property, &get(property));
                    }
                    open = Some(item);
                }
                XmlEvent::Close { name: "item" } => {
                    // A handle names one document; file names have no separators.
                    tree.items.extend(open.take().filter(|item| is_handle(&item.handle)));
                }
                XmlEvent::Open { name, attributes } => {
                    said.clear();
                    if let (Some(item), "name", Some(active)) = (&mut open, name, attributes.get("active")) {
                        item.set("active", &active);
                    }
                }
                XmlEvent::Text(text) => said.push_str(&text),
                XmlEvent::Close { name } => {
                    let said = std::mem::take(&mut said);
                    match (&mut open, name) {
                        (Some(item), name) => item.set(name, &said),
                        (None, "name" | "title") if in_project && tree.title.is_empty() => {
                            tree.title = said.trim().to_owned();
                        }
                        (None, "author") if in_project && tree.author.is_empty() => {
                            tree.author = said.trim().to_owned();
                        }
                        _ => {}
                    }
                }
            }
            Ok(())
        })?;
        tree.link();
        Ok(tree)
    }

    /// Returns the documents of the novels, in order.
    pub(super) fn manuscript(&self) -> Vec<&NovelItem> {
        let mut found = Vec::new();
        let is_novel = |at: &usize| self.items[*at].kind == "ROOT" && self.items[*at].class == "NOVEL";
        let mut waiting: Vec<usize> = (0..self.items.len()).filter(is_novel).rev().collect();
        while let Some(at) = waiting.pop() {
            let item = &self.items[at];
            found.extend(Some(item).filter(|item| item.is_file()));
            waiting.extend(self.children.get(&item.handle).into_iter().flatten().rev());
        }
        found
    }

    /// Returns the documents outside the novels, and what they are.
    pub(super) fn others(&self) -> Vec<(&NovelItem, Extra)> {
        let taken: HashSet<&str> = self.manuscript().into_iter().map(|item| item.handle.as_str()).collect();
        let others = self.items.iter().filter(|item| item.is_file() && !taken.contains(item.handle.as_str()));
        let by_handle: HashMap<&str, &NovelItem> = self.items.iter().map(|item| (item.handle.as_str(), item)).collect();
        let what = |item| match class_of_root(&by_handle, item) {
            "TRASH" => Extra::Trash,
            "NOVEL" | "ARCHIVE" => Extra::Excluded,
            _ => Extra::NoteDocuments,
        };
        others.map(|item| (item, what(item))).collect()
    }

    fn link(&mut self) {
        let mut seen = HashSet::new();
        self.items.retain(|item| seen.insert(item.handle.clone()));
        for (at, item) in self.items.iter().enumerate() {
            // A root has no parent; an item below itself would be read without end.
            if item.kind != "ROOT" && item.parent != item.handle {
                self.children.entry(item.parent.clone()).or_default().push(at);
            }
        }
        for children in self.children.values_mut() {
            children.sort_by_key(|at| self.items[*at].order);
        }
    }
}

/// Returns the class of the root above an item; its own class if there is none.
fn class_of_root<'t>(by_handle: &HashMap<&str, &'t NovelItem>, item: &'t NovelItem) -> &'t str {
    const DEEPEST: usize = 64;
    let mut at = item;
    for _ in 0..DEEPEST {
        match by_handle.get(at.parent.as_str()) {
            Some(parent) if at.kind != "ROOT" => at = parent,
            _ => break,
        }
    }
    // Before version 1.5 the trash is a type of its own.
    if at.kind == "TRASH" { "TRASH" } else { &at.class }
}

fn is_handle(handle: &str) -> bool {
    !handle.is_empty() && handle.chars().all(|c| c.is_ascii_alphanumeric())
}
