//! EPUB, second and third edition: container, package, spine, pages. Names in it are looked up, never opened.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::percent_decode_str;

use super::archive::Archive;
use super::xml::{Kind, Node, walk};
use super::{Collector, Format, Ingested, pages};
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
    let labels = labels(archive, &package, limits)?;
    let mut collector = Collector::new(limits);
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
        pages::read(&mut collector, &item.name, &bytes, labels.get(&item.name).map(String::as_str), limits)?;
    }
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

/// What the table of contents calls each page.
fn labels(archive: &mut Archive<'_>, package: &Package, limits: &Limits) -> Result<BTreeMap<String, String>, Error> {
    let nav = package.items.values().find(|item| item.properties.split(' ').any(|property| property == "nav"));
    let old = package.contents.as_ref().and_then(|id| package.items.get(id));
    let mut labels = BTreeMap::new();
    let Some(item) = nav.or(old) else { return Ok(labels) };
    let Some(bytes) = archive.read(&item.name)? else { return Ok(labels) };
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
                let whole_page = target.take().filter(|target| !target.contains('#'));
                if let Some(target) = whole_page {
                    let label = said.split_whitespace().collect::<Vec<_>>().join(" ");
                    labels.entry(beside(&item.name, &target)).or_insert(label);
                }
                if labels.len() > limits.entries {
                    return Err(too_many(&item.name, limits));
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(labels)
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
