//! EPUB 2 and 3: container, package, spine, pages. Names inside the archive are looked up, never opened as files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;
use regex::Regex;

use super::archive::ZipReader;
use super::collector::Collector;
use super::manuscript::{Format, Ingested, ParagraphRole, SourceParagraph};
use super::pages;
use super::pages::NavEntry;
use super::xml::{TRUNCATED, XmlEvent, XmlStrictness, walk};
use crate::headings;
use crate::{Error, FileLimits};

const CONTAINER: &str = "META-INF/container.xml";

#[derive(Debug, Default)]
struct EpubPackage {
    title: Option<String>,
    author: Option<String>,
    language: Option<String>,
    /// Manifest items by id.
    items: BTreeMap<String, ManifestItem>,
    spine: Vec<String>,
    contents: Option<String>,
    /// Covers, title pages and imprints listed in the guide.
    front: BTreeSet<String>,
}

#[derive(Debug)]
struct ManifestItem {
    name: String,
    media: String,
    properties: String,
}

pub(crate) fn read(archive: &mut ZipReader<'_>, limits: &FileLimits) -> Result<Ingested, Error> {
    let container = archive.need(CONTAINER)?;
    let mut place = None;
    walk(CONTAINER, &container, XmlStrictness::Strict, limits, |node| {
        if let XmlEvent::Open { name: "rootfile", attributes } = node {
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
    let mut volumes = Vec::new();
    let mut seen = BTreeSet::new();
    for id in &package.spine {
        // A page has a single place in the order; a duplicate would be parsed and named twice.
        let Some(item) = package.items.get(id).filter(|item| seen.insert(&item.name)) else { continue };
        if !item.media.contains("html") || item.properties.split(' ').any(|property| property == "nav") {
            continue;
        }
        if protected.contains(&item.name) {
            return Err(Error::Protected { place: item.name.clone() });
        }
        let bytes = archive.need(&item.name)?;
        let first = collector.paragraphs.len();
        let unnamed = NavEntry::default();
        let entry = entries.get(&item.name).unwrap_or(&unnamed);
        // A page with several entries has chapters, whatever the first is.
        let is_front = entry.anchors.is_empty()
            && (package.front.contains(&item.name)
                || entry.label.as_deref().is_some_and(is_front_page)
                || is_declared_front(&bytes));
        if is_front
            && pages::read(&mut collector, &item.name, &bytes, &unnamed, limits)
                .map(|_| is_short(&collector.paragraphs[first..]))?
        {
            let role = if entry.label.as_deref().is_some_and(is_contents) {
                ParagraphRole::Contents
            } else {
                ParagraphRole::Front
            };
            set_role(&mut collector.paragraphs[first..], role);
        } else if !is_front {
            let found = pages::read(&mut collector, &item.name, &bytes, entry, limits)?;
            let end = match front_part(&collector, first, entry.has_several()) {
                Some((end, role)) => {
                    set_role(&mut collector.paragraphs[first..end], role);
                    end
                }
                None => first,
            };
            let words = |index: usize| collector.text[collector.paragraphs[index].range.clone()].trim();
            let found = found.into_iter().filter(|index| *index >= end);
            named.extend(found.map(|index| (index, entry.depth(words(index)))));
            volumes.extend(volume_page(&collector, first));
        }
    }
    volumes.extend(parts(&named));
    level(&mut collector, &named, &volumes);
    let EpubPackage { title, author, language, .. } = package;
    Ok(Ingested { title, author, language, ..collector.finish(Format::Epub)? })
}

fn package(archive: &mut ZipReader<'_>, place: &str, limits: &FileLimits) -> Result<EpubPackage, Error> {
    let bytes = archive.need(place)?;
    let mut package = EpubPackage::default();
    let mut said = String::new();
    let mut is_complete = false;
    walk(place, &bytes, XmlStrictness::Page, limits, |node| {
        if package.items.len().max(package.spine.len()) > limits.entries {
            return Err(too_many(place, limits));
        }
        match node {
            XmlEvent::Open { name: "item", attributes } => {
                let get = |name| attributes.get(name).unwrap_or_default();
                let name = beside(place, &get("href"));
                package
                    .items
                    .insert(get("id"), ManifestItem { name, media: get("media-type"), properties: get("properties") });
            }
            XmlEvent::Open { name: "itemref", attributes } => package.spine.extend(attributes.get("idref")),
            XmlEvent::Open { name: "reference", attributes } => {
                let kind = attributes.get("type").unwrap_or_default();
                if matches!(kind.as_str(), "cover" | "title-page" | "copyright-page" | "toc" | "colophon") {
                    package.front.insert(beside(place, &attributes.get("href").unwrap_or_default()));
                }
            }
            XmlEvent::Open { name: "spine", attributes } => package.contents = attributes.get("toc"),
            XmlEvent::Open { .. } => said.clear(),
            XmlEvent::Text(text) => said.push_str(&text),
            XmlEvent::Close { name } => {
                is_complete |= name == "package";
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
    // The order of the pages is at the end of the package.
    if is_complete { Ok(package) } else { Err(Error::damaged(place, TRUNCATED)) }
}

/// Returns the paragraph of a page that has only the heading of a volume, without markup: `VOLUME TWO`.
fn volume_page(collector: &Collector, first: usize) -> Option<usize> {
    let text = |at: usize| collector.text[collector.paragraphs[at].range.clone()].trim();
    let mut shown = (first..collector.paragraphs.len()).filter(|at| !text(*at).is_empty());
    let only = shown.next().filter(|_| shown.next().is_none())?;
    let is_volume = headings::read(text(only)).is_some_and(|heading| heading.chapter.is_none());
    (is_volume && collector.paragraphs[only].role == ParagraphRole::Text).then_some(only)
}

/// Returns the headings `named` by the table of contents, given with their depth, that stand above others of it: less deep than
/// most, and directly before a deeper one.
fn parts(named: &[(usize, u8)]) -> Vec<usize> {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    named.iter().for_each(|(_, depth)| *counts.entry(*depth).or_default() += 1);
    let Some((usual, _)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return Vec::new() };
    let is_part = |pair: &&[(usize, u8)]| pair[0].1 < usual && pair[0].1 < pair[1].1;
    named.windows(2).filter(is_part).map(|pair| pair[0].0).collect()
}

/// Sets the level of headings known only from the table of contents to the most frequent level of the pages' own
/// headings, and that of `volumes` to the level above.
fn level(collector: &mut Collector, named: &[(usize, u8)], volumes: &[usize]) {
    /// The deepest level of a heading.
    const DEEPEST: u8 = 6;
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for (index, paragraph) in collector.paragraphs.iter().enumerate() {
        if let ParagraphRole::Heading(level) = paragraph.role
            && named.binary_search_by_key(&index, |(named, _)| *named).is_err()
        {
            *counts.entry(level).or_default() += 1;
        }
    }
    let usual = counts.into_iter().max_by_key(|(_, count)| *count).map(|(level, _)| level);
    if let Some(level) = usual {
        named.iter().for_each(|(index, _)| collector.paragraphs[*index].role = ParagraphRole::Heading(level));
    }
    if volumes.is_empty() {
        return;
    }
    let chapters = usual.unwrap_or(1);
    if chapters == 1 {
        for paragraph in &mut collector.paragraphs {
            if let ParagraphRole::Heading(level) = &mut paragraph.role {
                *level = DEEPEST.min(*level + 1);
            }
        }
    }
    let above = chapters.saturating_sub(1).max(1);
    volumes.iter().for_each(|index| collector.paragraphs[*index].role = ParagraphRole::Heading(above));
}

/// Returns whether the paragraphs are short enough for a cover or an imprint.
fn is_short(paragraphs: &[SourceParagraph]) -> bool {
    const SHORT: usize = 6_000;
    let ends = paragraphs.first().zip(paragraphs.last());
    ends.is_none_or(|(first, last)| last.range.end - first.range.start <= SHORT)
}

/// Returns whether a page declares itself to be matter around the book, such as a dedication. A part of the body with such
/// a name is a part of the book.
fn is_declared_front(page: &[u8]) -> bool {
    const NEAR: usize = 4_000;
    const KINDS: &[&str] = &[
        "halftitlepage",
        "titlepage",
        "copyright-page",
        "imprint",
        "colophon",
        "dedication",
        "epigraph",
        "loi",
        "lot",
    ];
    static TYPE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"<(body|section|nav)\b[^>]*\bepub:type\s*=\s*(?:"([^"]*)"|'([^']*)')"#).expect("constant")
    });
    let near = String::from_utf8_lossy(&page[..page.len().min(NEAR)]);
    let is = |kinds: &str, wanted: &[&str]| kinds.split_whitespace().any(|kind| wanted.contains(&kind));
    let kinds = TYPE.captures_iter(&near).map(|found| {
        let kinds = found.get(2).or_else(|| found.get(3)).map_or("", |kinds| kinds.as_str());
        (found[1].to_owned(), kinds.to_owned())
    });
    let mut kinds = kinds.peekable();
    if kinds.next_if(|(tag, own)| tag == "body" && is(own, &["bodymatter"])).is_some() {
        return false;
    }
    kinds.find(|(tag, _)| tag != "body").is_some_and(|(_, own)| is(&own, KINDS))
}

/// Returns the end and the role of the paragraphs since `first` if they are short and below the heading of an imprint, of a
/// table of contents or the like. On a page `with_chapters` they end before the next heading of another kind.
fn front_part(collector: &Collector, first: usize, with_chapters: bool) -> Option<(usize, ParagraphRole)> {
    let text = |one: &SourceParagraph| collector.text[one.range.clone()].trim();
    let is_heading = |one: &SourceParagraph| matches!(one.role, ParagraphRole::Heading(_));
    let page = &collector.paragraphs[first..];
    let at = page.iter().position(|one| !text(one).is_empty())?;
    let is_chapter = |one: &SourceParagraph| with_chapters && is_heading(one) && !is_front_page(text(one));
    let length = page.iter().position(is_chapter).unwrap_or(page.len());
    if !is_heading(&page[at]) || !is_short(&page[..length]) {
        return None;
    }
    let role = match text(&page[at]) {
        words if is_contents(words) => ParagraphRole::Contents,
        words if is_front_page(words) => ParagraphRole::Front,
        _ => return None,
    };
    Some((first + length, role))
}

/// Gives the paragraphs a role.
fn set_role(paragraphs: &mut [SourceParagraph], role: ParagraphRole) {
    paragraphs.iter_mut().filter(|one| one.role != ParagraphRole::Rule).for_each(|one| one.role = role);
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
        "版权声明",
        "制作信息",
        "献词",
        "献辞",
        "题献",
        "版權資訊",
        "cover",
        "title page",
        "titlepage",
        "half title",
        "half-title",
        "halftitlepage",
        "copyright",
        "uncopyright",
        "copyright page",
        "imprint",
        "colophon",
        "dedication",
        "epigraph",
        "list of illustrations",
    ];
    let label = label.trim().to_lowercase();
    NAMES.contains(&label.as_str()) || is_contents(&label)
}

fn is_contents(label: &str) -> bool {
    matches!(label.trim().to_lowercase().as_str(), "目录" | "目錄" | "contents" | "table of contents")
}

/// Returns the names of pages and anchors in the table of contents.
fn entries(
    archive: &mut ZipReader<'_>,
    package: &EpubPackage,
    limits: &FileLimits,
) -> Result<BTreeMap<String, NavEntry>, Error> {
    let nav = package.items.values().find(|item| item.properties.split(' ').any(|property| property == "nav"));
    let old = package.contents.as_ref().and_then(|id| package.items.get(id));
    let mut entries: BTreeMap<String, NavEntry> = BTreeMap::new();
    let mut count = 0;
    let Some(item) = nav.or(old) else { return Ok(entries) };
    let Some(bytes) = archive.read(&item.name)? else { return Ok(entries) };
    let (mut target, mut said) = (None, String::new());
    let mut depth: u8 = 0;
    walk(&item.name, &bytes, XmlStrictness::Page, limits, |node| {
        match node {
            XmlEvent::Open { name: "a", attributes } => {
                target = attributes.get("href");
                said.clear();
            }
            XmlEvent::Open { name: "ol" | "navPoint", .. } => depth = depth.saturating_add(1),
            XmlEvent::Close { name: "ol" | "navPoint" } => depth = depth.saturating_sub(1),
            XmlEvent::Open { name: "navLabel", .. } => said.clear(),
            XmlEvent::Open { name: "content", attributes } => target = attributes.get("src"),
            XmlEvent::Text(text) => said.push_str(&text),
            XmlEvent::Close { name: "a" | "content" } => {
                if let Some(target) = target.take() {
                    let label = said.split_whitespace().collect::<Vec<_>>().join(" ");
                    let entry = entries.entry(beside(&item.name, &target)).or_default();
                    entry.add(target.split_once('#').map(|(_, anchor)| anchor), label, depth);
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

/// Returns the encrypted entries, according to the book's metadata.
fn protected(archive: &mut ZipReader<'_>, limits: &FileLimits) -> Result<BTreeSet<String>, Error> {
    const PLACE: &str = "META-INF/encryption.xml";
    let mut names = BTreeSet::new();
    if let Some(bytes) = archive.read(PLACE)? {
        walk(PLACE, &bytes, XmlStrictness::Strict, limits, |node| {
            if let XmlEvent::Open { name: "CipherReference", attributes } = node {
                names.extend(attributes.get("URI").map(|name| beside("", &name)));
            }
            Ok(())
        })?;
    }
    Ok(names)
}

/// Returns the error for a list longer than the maximum number of entries.
fn too_many(place: &str, limits: &FileLimits) -> Error {
    Error::TooLarge { place: place.into(), limit: limits.entries as u64, unit: "entries" }
}

/// Returns the entry name of `href`, resolved relative to the entry `from`. The result always names an entry.
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
