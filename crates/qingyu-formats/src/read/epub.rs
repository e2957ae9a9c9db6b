//! EPUB, second and third edition: container, package, spine, pages. Names in it are looked up, never opened.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::percent_decode_str;

use super::archive::Archive;
use super::pages::Entry;
use super::xml::{Kind, Node, walk};
use super::{Collector, Format, Ingested, Role, pages};
use crate::{Error, Limits};

const CONTAINER: &str = "META-INF/container.xml";

#[derive(Debug, Default)]
struct Package {
    title: Option<String>,
    author: Option<String>,
    language: Option<String>,
    /// By id.
    items: BTreeMap<String, Item>,
    spine: Vec<String>,
    contents: Option<String>,
    /// Covers, title pages and imprints, as the guide names them.
    front: BTreeSet<String>,
}

#[derive(Debug)]
struct Item {
    name: String,
    media: String,
    properties: String,
}

pub(crate) fn read(archive: &mut Archive<'_>, limits: &Limits) -> Result<Ingested, Error> {
    let container = archive.need(CONTAINER)?;
    let mut place = None;
    walk(CONTAINER, &container, Kind::Strict, limits, |node| {
        if let Node::Open { name: "rootfile", attributes } = node {
            place = place.take().or_else(|| attributes.get("full-path"));
        }
        Ok(())
    })?;
    let place = place.ok_or_else(|| Error::damaged(CONTAINER, "it names no package"))?;
    let package = package(archive, &place, limits)?;
    let protected = protected(archive, limits)?;
    let entries = entries(archive, &package, limits)?;
    let mut collector = Collector::new(limits);
    let mut named = Vec::new();
    let mut seen = BTreeSet::new();
    for id in &package.spine {
        // A page has one place in the order; one that is named again would take its time and its name again.
        let Some(item) = package.items.get(id).filter(|item| seen.insert(&item.name)) else { continue };
        if !item.media.contains("html") || item.properties.split(' ').any(|property| property == "nav") {
            continue;
        }
        if protected.contains(&item.name) {
            return Err(Error::Protected { place: item.name.clone() });
        }
        let bytes = archive.need(&item.name)?;
        let first = collector.paragraphs.len();
        let unnamed = Entry::default();
        let entry = entries.get(&item.name).unwrap_or(&unnamed);
        let is_front = package.front.contains(&item.name) || entry.label.as_deref().is_some_and(is_front_page);
        if is_front
            && pages::read(&mut collector, &item.name, &bytes, &unnamed, limits).map(|_| is_short(&collector, first))?
        {
            let role = if entry.label.as_deref().is_some_and(is_contents) { Role::Contents } else { Role::Front };
            collector.paragraphs[first..]
                .iter_mut()
                .filter(|one| one.role != Role::Rule)
                .for_each(|one| one.role = role);
        } else if !is_front {
            named.extend(pages::read(&mut collector, &item.name, &bytes, entry, limits)?);
        }
    }
    level(&mut collector, &named);
    let Package { title, author, language, .. } = package;
    Ok(Ingested { title, author, language, ..collector.finish(Format::Epub)? })
}

fn package(archive: &mut Archive<'_>, place: &str, limits: &Limits) -> Result<Package, Error> {
    let bytes = archive.need(place)?;
    let mut package = Package::default();
    let mut said = String::new();
    walk(place, &bytes, Kind::Page, limits, |node| {
        if package.items.len().max(package.spine.len()) > limits.entries {
            return Err(too_many(place, limits));
        }
        match node {
            Node::Open { name: "item", attributes } => {
                let get = |name| attributes.get(name).unwrap_or_default();
                let name = beside(place, &get("href"));
                package.items.insert(get("id"), Item { name, media: get("media-type"), properties: get("properties") });
            }
            Node::Open { name: "itemref", attributes } => package.spine.extend(attributes.get("idref")),
            Node::Open { name: "reference", attributes } => {
                let kind = attributes.get("type").unwrap_or_default();
                if matches!(kind.as_str(), "cover" | "title-page" | "copyright-page" | "toc" | "colophon") {
                    package.front.insert(beside(place, &attributes.get("href").unwrap_or_default()));
                }
            }
            Node::Open { name: "spine", attributes } => package.contents = attributes.get("toc"),
            Node::Open { .. } => said.clear(),
            Node::Text(text) => said.push_str(&text),
            Node::Close { name } => {
                let slot = match name {
                    "title" => &mut package.title,
                    "creator" => &mut package.author,
                    "language" => &mut package.language,
                    _ => return Ok(()),
                };
                let said = std::mem::take(&mut said).trim().to_owned();
                if slot.is_none() && !said.is_empty() {
                    *slot = Some(said);
                }
            }
        }
        Ok(())
    })?;
    Ok(package)
}

/// Headings that only the table of contents names are of the level that those of the pages mostly have.
fn level(collector: &mut Collector, named: &[usize]) {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for (index, paragraph) in collector.paragraphs.iter().enumerate() {
        if let Role::Heading(level) = paragraph.role
            && named.binary_search(&index).is_err()
        {
            *counts.entry(level).or_default() += 1;
        }
    }
    let Some((level, _)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return };
    named.iter().for_each(|index| collector.paragraphs[*index].role = Role::Heading(level));
}

/// Whether what was read since `first` is short enough for a cover or an imprint.
fn is_short(collector: &Collector, first: usize) -> bool {
    const SHORT: usize = 6_000;
    collector.paragraphs.get(first).is_none_or(|one| collector.text.len() - one.range.start <= SHORT)
}

fn is_front_page(label: &str) -> bool {
    const NAMES: &[&str] = &[
        "封面",
        "封底",
        "书名页",
        "書名頁",
        "扉页",
        "扉頁",
        "版权",
        "版權",
        "版权页",
        "版權頁",
        "版权信息",
        "版權資訊",
        "cover",
        "title page",
        "titlepage",
        "half title",
        "copyright",
        "copyright page",
        "imprint",
        "colophon",
    ];
    let label = label.trim().to_lowercase();
    NAMES.contains(&label.as_str()) || is_contents(&label)
}

fn is_contents(label: &str) -> bool {
    matches!(label.trim().to_lowercase().as_str(), "目录" | "目錄" | "contents" | "table of contents")
}

/// What the table of contents calls each page, and places within it.
fn entries(archive: &mut Archive<'_>, package: &Package, limits: &Limits) -> Result<BTreeMap<String, Entry>, Error> {
    let nav = package.items.values().find(|item| item.properties.split(' ').any(|property| property == "nav"));
    let old = package.contents.as_ref().and_then(|id| package.items.get(id));
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut count = 0;
    let Some(item) = nav.or(old) else { return Ok(entries) };
    let Some(bytes) = archive.read(&item.name)? else { return Ok(entries) };
    let (mut target, mut said) = (None, String::new());
    walk(&item.name, &bytes, Kind::Page, limits, |node| {
        match node {
            Node::Open { name: "a", attributes } => {
                target = attributes.get("href");
                said.clear();
            }
            Node::Open { name: "navLabel", .. } => said.clear(),
            Node::Open { name: "content", attributes } => target = attributes.get("src"),
            Node::Text(text) => said.push_str(&text),
            Node::Close { name: "a" | "content" } => {
                if let Some(target) = target.take() {
                    let label = said.split_whitespace().collect::<Vec<_>>().join(" ");
                    let entry = entries.entry(beside(&item.name, &target)).or_default();
                    match target.split_once('#') {
                        Some((_, anchor)) => drop(entry.anchors.entry(anchor.to_owned()).or_insert(label)),
                        None => drop(entry.label.get_or_insert(label)),
                    }
                    count += 1;
                }
                if count > limits.entries {
                    return Err(too_many(&item.name, limits));
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(entries)
}

/// The entries that are encrypted, as far as the book says.
fn protected(archive: &mut Archive<'_>, limits: &Limits) -> Result<BTreeSet<String>, Error> {
    const PLACE: &str = "META-INF/encryption.xml";
    let mut names = BTreeSet::new();
    if let Some(bytes) = archive.read(PLACE)? {
        walk(PLACE, &bytes, Kind::Strict, limits, |node| {
            if let Node::Open { name: "CipherReference", attributes } = node {
                names.extend(attributes.get("URI").map(|name| beside("", &name)));
            }
            Ok(())
        })?;
    }
    Ok(names)
}

/// A list of entries with more than an archive may have.
fn too_many(place: &str, limits: &Limits) -> Error {
    Error::TooLarge { place: place.into(), limit: limits.entries as u64, unit: "entries" }
}

/// The entry that `href` names, seen from the entry `from`. It can only name entries.
fn beside(from: &str, href: &str) -> String {
    let href = href.split(['#', '?']).next().unwrap_or_default();
    let href = percent_decode_str(href).decode_utf8_lossy();
    let folder = if href.starts_with('/') { "" } else { from.rsplit_once('/').map_or("", |(folder, _)| folder) };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
