//! The readable mirror of a book: a Markdown file for each chapter and each card, and chapters read back from their files.
//!
//! A chapter's file has the chapter's words as they are, a blank line between paragraphs; [`chapter_text`] restores the
//! separators of the book, so that a file without changes is the same text, byte for byte.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::Range;

use qingyu_story::chapters::Chapters;
use qingyu_story::{Character, Document, Item, Language, Location, Organisation, Story};

use crate::file_name::file_name;

/// A file of a mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorFile {
    /// The path below the folder of the book, with `/`; valid on every operating system.
    pub path: String,
    /// The content.
    pub content: String,
    /// The text of the book in the file; `None` for cards and the table of contents, which are not read back.
    pub source: Option<MirrorSource>,
}

/// The text of a book in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorSource {
    /// The id of the text.
    pub document: String,
    /// Its version.
    pub version: u32,
}

/// Returns the files of a book: the table of contents, the chapters in reading order, notes, people, places,
/// organisations and items.
pub fn mirror(story: &Story, title: &str) -> Vec<MirrorFile> {
    let language = story.language;
    let mut files = MirrorFiles::default();
    let chapters = Chapters::of(story);
    let width = chapters.all().len().to_string().len().max(2);
    let mut contents = vec![format!("# {}", one_line(title))];
    if !story.premise.trim().is_empty() {
        contents.push(story.premise.trim().to_owned());
    }
    let mut list = String::new();
    for chapter in chapters.all() {
        let title = one_line(&chapter.title);
        let name = format!("{:0width$} {}", chapter.place, file_name(&title));
        let documents = chapter.documents.iter().map(|document| &story.documents[*document]);
        let paths: Vec<String> =
            documents.map(|document| files.text(folder(language, "chapters"), &name, document)).collect();
        match paths.first() {
            Some(path) => list.push_str(&format!("- [{title}](<{path}>)\n")),
            None => list.push_str(&format!("- {title}\n")),
        }
    }
    contents.push(list.trim_end().to_owned());
    for note in story.documents.iter().filter(|document| document.order == 0) {
        files.text(folder(language, "notes"), &file_name(&note.title), note);
    }
    let card = |label: &str, value: &str| (label.to_owned(), value.trim().to_owned());
    for person in &story.characters {
        files.card(language, "people", &person.name, &person_fields(person, language));
    }
    let world = story.worldview.as_ref();
    for Location { name, alias, description, travel, .. } in world.map(|world| &world.locations).into_iter().flatten() {
        let travel: Vec<String> = travel
            .iter()
            .map(|way| [&way.to, &way.duration, &way.by].map(|part| part.trim()).join(" ").trim().to_owned())
            .collect();
        let fields = [
            card(label(language, "alias"), &alias.join(comma(language))),
            card("", description),
            card(label(language, "travel"), &travel.join(comma(language))),
        ];
        files.card(language, "places", name, &fields);
    }
    for Organisation { name, alias, description, .. } in world.map(|world| &world.organisations).into_iter().flatten() {
        let fields = [card(label(language, "alias"), &alias.join(comma(language))), card("", description)];
        files.card(language, "organisations", name, &fields);
    }
    for Item { name, alias, description, holder, .. } in world.map(|world| &world.items).into_iter().flatten() {
        let fields = [
            card(label(language, "alias"), &alias.join(comma(language))),
            card("", description),
            card(label(language, "holder"), holder.as_deref().unwrap_or_default()),
        ];
        files.card(language, "items", name, &fields);
    }
    let content = format!("{}\n", contents.join("\n\n").trim_end());
    files.files.insert(0, MirrorFile { path: "README.md".into(), content, source: None });
    files.files
}

/// Returns the text of a chapter in its file, as edited outside. `base` is the text for which the file was written: its
/// separators and indentation hold wherever its paragraphs are still there.
pub fn chapter_text(base: &str, file: &str) -> String {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let mut lines = file.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).peekable();
    // The heading of a text without a title has lost its space.
    if lines.peek().is_some_and(|line| *line == "#" || line.starts_with("# ")) {
        lines.next();
    }
    let lines: Vec<&str> = lines.collect();
    let ranges = paragraphs(base);
    let old: Vec<&str> = ranges.iter().map(|range| &base[range.clone()]).collect();
    if lines == old {
        return base.to_owned();
    }
    let gaps: Vec<&str> = ranges.windows(2).map(|pair| &base[pair[0].end..pair[1].start]).collect();
    let usual = usual(&gaps);
    let mut known: HashMap<&str, VecDeque<&str>> = HashMap::new();
    for (line, gap) in old.iter().zip(&gaps) {
        known.entry(*line).or_default().push_back(*gap);
    }
    let mut text = ranges.first().map_or("", |first| &base[..first.start]).to_owned();
    for (place, line) in lines.iter().enumerate() {
        text.push_str(line);
        let gap = known.get_mut(line).and_then(VecDeque::pop_front).unwrap_or(usual);
        if place + 1 < lines.len() {
            text.push_str(gap);
        }
    }
    text.push_str(ranges.last().map_or("", |last| &base[last.end..]));
    text
}

/// Returns the title in the file of a chapter; `None` without a heading.
pub fn chapter_title(file: &str) -> Option<String> {
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    let first = file.lines().find(|line| !line.trim().is_empty())?;
    Some(one_line(first.strip_prefix("# ")?)).filter(|title| !title.is_empty())
}

/// The files so far, with their paths in lower case: some file systems do not distinguish case.
#[derive(Default)]
struct MirrorFiles {
    files: Vec<MirrorFile>,
    taken: BTreeSet<String>,
}

impl MirrorFiles {
    /// Adds a text; returns its path.
    fn text(&mut self, folder: &str, name: &str, document: &Document) -> String {
        let paragraphs: Vec<&str> = paragraphs(&document.text).into_iter().map(|range| &document.text[range]).collect();
        let mut content = format!("# {}\n", one_line(&document.title));
        for paragraph in paragraphs {
            content.push('\n');
            content.push_str(paragraph);
            content.push('\n');
        }
        let source = MirrorSource { document: document.id.clone(), version: document.version };
        self.add(folder, name, content, Some(source))
    }

    fn card(&mut self, language: Language, kind: &str, name: &str, fields: &[(String, String)]) {
        let colon = if language == Language::Zh { "：" } else { ": " };
        let mut content = format!("# {}\n", one_line(name));
        for (label, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            content.push('\n');
            if !label.is_empty() {
                content.push_str(&format!("**{label}**{colon}"));
            }
            content.push_str(value);
            content.push('\n');
        }
        self.add(folder(language, kind), &file_name(name), content, None);
    }

    fn add(&mut self, folder: &str, name: &str, content: String, source: Option<MirrorSource>) -> String {
        let numbered = (2..).map(|number| format!("{folder}/{name} ({number}).md"));
        let mut paths = std::iter::once(format!("{folder}/{name}.md")).chain(numbered);
        let path = paths.find(|path| self.taken.insert(path.to_lowercase())).unwrap_or_default();
        self.files.push(MirrorFile { path: path.clone(), content, source });
        path
    }
}

fn person_fields(person: &Character, language: Language) -> Vec<(String, String)> {
    let age = person.age.map(|age| age.to_string());
    let fields = [
        ("alias", person.alias.join(comma(language))),
        ("gender", person.gender.clone()),
        ("age", age.unwrap_or_default()),
        ("birth", person.birth.clone().unwrap_or_default()),
        ("death", person.death.clone().unwrap_or_default()),
        ("occupation", person.occupation.clone()),
        ("traits", person.traits.join(comma(language))),
        ("appearance", person.appearance.clone()),
        ("personality", person.personality.clone()),
        ("background", person.background.clone()),
        ("goals", person.goals.clone()),
        ("conflicts", person.conflicts.clone()),
        ("weakness", person.weakness.clone()),
        ("arc", person.arc.clone()),
        ("secret", person.secret.clone()),
        ("voice", person.voice.join("\n\n")),
    ];
    let fields = fields.into_iter().map(|(name, value)| (label(language, name).to_owned(), value.trim().to_owned()));
    let custom = person.custom_fields().map(|(name, value)| (name.to_owned(), value.to_owned()));
    fields.chain(custom).collect()
}

/// Returns the byte ranges of the lines that are not blank, without trailing white space.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_end();
        if !words.is_empty() {
            ranges.push(start..start + words.len());
        }
        start += line.len();
    }
    ranges
}

/// Returns the most frequent separator; a line break by default.
fn usual<'t>(gaps: &[&'t str]) -> &'t str {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for gap in gaps {
        *counts.entry(*gap).or_default() += 1;
    }
    let most = gaps.iter().max_by_key(|gap| (counts[*gap], std::cmp::Reverse(gap.len())));
    most.copied().unwrap_or("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn comma(language: Language) -> &'static str {
    match language {
        Language::Zh => "、",
        Language::En => ", ",
    }
}

/// Returns the folder of a kind of file, in the language of the book.
fn folder(language: Language, kind: &str) -> &'static str {
    let (zh, en) = match kind {
        "chapters" => ("章节", "chapters"),
        "notes" => ("笔记", "notes"),
        "people" => ("人物", "people"),
        "places" => ("地点", "places"),
        "organisations" => ("组织", "organisations"),
        _ => ("物件", "items"),
    };
    if language == Language::Zh { zh } else { en }
}

/// Returns the name of a field of a card, in the language of the book.
fn label(language: Language, field: &str) -> &'static str {
    let (zh, en) = match field {
        "alias" => ("别名", "Also called"),
        "gender" => ("性别", "Gender"),
        "appearance" => ("外貌", "Looks"),
        "age" => ("年龄", "Age"),
        "birth" => ("出生", "Born"),
        "death" => ("去世", "Died"),
        "occupation" => ("职业", "Occupation"),
        "traits" => ("特点", "Traits"),
        "personality" => ("性格", "Personality"),
        "background" => ("背景", "Background"),
        "goals" => ("目标", "Goals"),
        "conflicts" => ("矛盾", "Conflicts"),
        "weakness" => ("弱点", "Weakness"),
        "arc" => ("弧线", "Arc"),
        "secret" => ("秘密", "Secret"),
        "voice" => ("口吻", "Voice"),
        "travel" => ("路程", "Travel"),
        _ => ("持有者", "Held by"),
    };
    if language == Language::Zh { zh } else { en }
}
