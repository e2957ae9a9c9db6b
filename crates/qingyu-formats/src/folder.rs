//! Manuscripts in several files, joined in natural order; each file begins a chapter.

use crate::headings;
use crate::spaces::trim;
use crate::{Ingested, Origin, ParagraphRole, SourceParagraph};
use qingyu_story::numerals;

/// Returns a sort key for natural order: `第2章` before `第10章`.
fn natural_key(name: &str) -> Vec<(u32, String)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(numerals::is_numeral).unwrap_or(rest.len());
        let (before, after) = rest.split_at(words);
        let until = after.find(|c| !numerals::is_numeral(c)).unwrap_or(after.len());
        let number = numerals::read(&after[..until]).unwrap_or_default();
        key.push((0, before.to_lowercase()));
        key.push((number, String::new()));
        rest = &after[until..];
    }
    key
}

/// Joins files into one manuscript, in natural order of their names. Returns `None` without files.
///
/// The name of a file is inserted as its heading if the file does not begin with a heading. Title, author and language
/// are taken from the first file with such metadata.
pub fn join(mut files: Vec<(String, Ingested)>) -> Option<Ingested> {
    files.sort_by_cached_key(|(name, _)| natural_key(name));
    for (name, file) in &mut files {
        for truncation in &mut file.truncated {
            let entry = truncation.place.take();
            truncation.place = Some(entry.map_or_else(|| name.clone(), |entry| format!("{name}: {entry}")));
        }
    }
    let mut files = files.into_iter();
    let (name, first) = files.next()?;
    let mut joined = Ingested { text: String::new(), paragraphs: Vec::new(), ..first.clone() };
    joined.add(&name, first);
    for (name, file) in files {
        joined.title = joined.title.take().or_else(|| file.title.clone());
        joined.author = joined.author.take().or_else(|| file.author.clone());
        joined.language = joined.language.take().or_else(|| file.language.clone());
        joined.truncated.extend(file.truncated.iter().cloned());
        for left_out in &file.left_out {
            match joined.left_out.iter_mut().find(|known| known.what == left_out.what) {
                Some(known) => known.count += left_out.count,
                None => joined.left_out.push(left_out.clone()),
            }
        }
        // Report the least certain encoding.
        if let Some(encoding) = &file.encoding
            && joined
                .encoding
                .as_ref()
                .is_none_or(|known| known.bad < encoding.bad || known.proof.is_none() && encoding.proof.is_some())
        {
            joined.encoding = Some(encoding.clone());
        }
        joined.add(&name, file);
    }
    Some(joined)
}

impl Ingested {
    fn add(&mut self, name: &str, file: Ingested) {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let stem = stem.rsplit_once(['/', '\\']).map_or(stem, |(_, stem)| stem).to_owned();
        let is_marked = file.paragraphs.iter().any(|one| matches!(one.role, ParagraphRole::Heading(_)));
        let first = file.paragraphs.iter().find(|one| !trim(&file.text[one.range.clone()]).is_empty());
        let begins = first.is_some_and(|one| {
            matches!(one.role, ParagraphRole::Heading(_)) || headings::read(&file.text[one.range.clone()]).is_some()
        });
        let origin = |paragraph: usize| Origin::Entry { name: name.to_owned(), paragraph };
        if !begins {
            let from = self.text.len();
            self.text.push_str(&stem);
            let range = from..self.text.len();
            self.text.push('\n');
            self.paragraphs.push(SourceParagraph {
                range,
                origin: origin(0),
                role: ParagraphRole::Heading(1),
                continues: false,
                marked: None,
            });
        }
        let from = self.text.len();
        for (index, paragraph) in file.paragraphs.into_iter().enumerate() {
            let line = &file.text[paragraph.range.clone()];
            let reads = !is_marked && paragraph.role == ParagraphRole::Text && headings::read(line).is_some();
            let role = if reads { ParagraphRole::Heading(1) } else { paragraph.role };
            let range = paragraph.range.start + from..paragraph.range.end + from;
            self.paragraphs.push(SourceParagraph {
                range,
                origin: origin(index + 1),
                role,
                continues: paragraph.continues && index > 0,
                marked: paragraph.marked,
            });
        }
        self.text.push_str(&file.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_people_count() {
        let mut names = ["第10章 c.txt", "第1章 a.txt", "第二章 b.txt", "ch-3.md", "ch-12.md", "附录.txt", "ch-2b.md"];
        names.sort_by_cached_key(|name| natural_key(name));
        assert_eq!(
            names,
            ["ch-2b.md", "ch-3.md", "ch-12.md", "第1章 a.txt", "第二章 b.txt", "第10章 c.txt", "附录.txt"]
        );
    }
}
