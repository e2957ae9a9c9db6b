//! The product's own documentation, for questions about the product: the author's guide, and the questions and answers, in
//! both languages.
//!
//! A question is about the product only if it asks how something of the product is done and says hardly anything else
//! (`handbook/words.toml`), and names nothing of the story. The passages are found by the text search, and only those
//! from sections that name everything the question names are taken.

use std::cmp::Reverse;
use std::sync::LazyLock;

use crate::KeywordIndex;
use crate::analysis::fold;
use qingyu_story::language::is_han;
use qingyu_story::{Language, Names, Story};
use serde::{Deserialize, Serialize};

/// Id of the handbook as a source.
pub const HANDBOOK: &str = "handbook";
/// Maximum number of passages.
const PASSAGES: usize = 3;
/// Maximum characters of a passage.
const LENGTH: usize = 1_500;
/// Maximum number of Chinese characters, and of English words, of a question outside the known words.
const REST: (usize, usize) = (2, 1);
/// Number of hits considered.
const HITS: usize = 40;

const ZH: [(&str, &str); 2] = [
    ("作者手册", include_str!("../../../docs/guide-author.zh.md")),
    ("常见问题", include_str!("../../../docs/faq.zh.md")),
];
const EN: [(&str, &str); 2] = [
    ("The author's guide", include_str!("../../../docs/guide-author.md")),
    ("Questions", include_str!("../../../docs/faq.md")),
];

/// A passage of the handbook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandbookPassage {
    /// The document and the section, such as `作者手册 · 导入与导出`.
    pub heading: String,
    /// A paragraph, a list, a row of a table, or a block of commands.
    pub text: String,
}

/// The passages of one language, with their index.
struct Handbook {
    passages: Vec<HandbookPassage>,
    index: KeywordIndex,
    words: ProductWords,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProductWords {
    asking: Vec<String>,
    terms: Vec<String>,
    same: Vec<[String; 2]>,
    rest: Vec<String>,
    never: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordLists {
    zh: ProductWords,
    en: ProductWords,
}

static WORDS: LazyLock<WordLists> =
    LazyLock::new(|| toml::from_str(include_str!("handbook/words.toml")).expect("the words are part of the program"));
static CHINESE: LazyLock<Handbook> = LazyLock::new(|| Handbook::of(&ZH, WORDS.zh.clone()));
static ENGLISH: LazyLock<Handbook> = LazyLock::new(|| Handbook::of(&EN, WORDS.en.clone()));

/// Returns the passages that answer a question about the product, best first; none for any other question.
pub fn find(question: &str, story: &Story) -> Vec<HandbookPassage> {
    let handbook: &Handbook = match language_of(question) {
        Language::Zh => &CHINESE,
        Language::En => &ENGLISH,
    };
    let Some(terms) = handbook.words.terms_of(question) else { return Vec::new() };
    if !Names::of(story).mentions(question).is_empty() {
        return Vec::new();
    }
    let names = |text: &str, term: &String| {
        let text = fold(text);
        let is_whole = |at: usize| {
            let is_letter = |c: char| c.is_ascii_alphanumeric();
            let end = at + term.len();
            !term.is_ascii() || !(text[..at].ends_with(is_letter) || text[end..].starts_with(is_letter))
        };
        text.match_indices(term.as_str()).any(|(at, _)| is_whole(at))
    };
    let of_section = |passage: &HandbookPassage| {
        let section = handbook.passages.iter().filter(|other| other.heading == passage.heading);
        let text: Vec<&str> = section.map(|other| other.text.as_str()).collect();
        format!("{} {}", passage.heading, text.join(" "))
    };
    // Every word of the question is in the section, and some of them in the passage.
    let is_about = |passage: &&HandbookPassage| {
        let section = of_section(passage);
        terms.iter().all(|term| names(&section, term)) && terms.iter().any(|term| names(&passage.text, term))
    };
    let hits = handbook.index.search(&terms.join(" "), HITS);
    let found = hits.iter().map(|hit| &handbook.passages[hit.row as usize]).filter(is_about);
    let mut found: Vec<&HandbookPassage> = found.collect();
    // A section about the thing comes before one that mentions it.
    found.sort_by_key(|passage| Reverse(terms.iter().filter(|term| names(&passage.heading, term)).count()));
    found.into_iter().take(PASSAGES).cloned().collect()
}

/// Returns the language in which the handbook answers `question`.
pub fn language_of(question: &str) -> Language {
    Language::of_script(question)
}

impl Handbook {
    fn of(documents: &[(&str, &str)], mut words: ProductWords) -> Self {
        // Longest first, so that no word is taken out of a longer one.
        words.rest.sort_by_key(|word| Reverse(word.len()));
        let passages: Vec<_> = documents.iter().flat_map(|(title, text)| passages_of(title, text)).collect();
        let texts: Vec<String> = passages.iter().map(|one| format!("{0} {0} {1}", one.heading, one.text)).collect();
        let index = KeywordIndex::new(texts.iter().map(String::as_str));
        Self { passages, index, words }
    }
}

impl ProductWords {
    /// Returns the product's terms in a question about the product; `None` for any other question.
    fn terms_of(&self, question: &str) -> Option<Vec<String>> {
        let zh = question.chars().any(is_han);
        let folded = fold(question).replace(['?', '？', '!', '.', '。', '，', ','], " ");
        let mut text =
            if zh { folded } else { format!(" {} ", folded.split_whitespace().collect::<Vec<_>>().join(" ")) };
        let word = |word: &str| if zh || word.chars().any(is_han) { word.to_owned() } else { format!(" {word} ") };
        if self.never.iter().any(|never| text.contains(&word(never))) {
            return None;
        }
        let take = |text: &mut String, taken: &str| {
            let is_there = text.contains(&word(taken));
            // Twice, because English words share the blank between them.
            for _ in 0..2 {
                *text = text.replace(&word(taken), " ");
                if !zh {
                    *text = format!(" {} ", text.split_whitespace().collect::<Vec<_>>().join(" "));
                }
            }
            is_there
        };
        let mut is_asking = false;
        for asking in &self.asking {
            is_asking |= take(&mut text, asking);
        }
        let mut terms: Vec<String> = Vec::new();
        for [other, own] in &self.same {
            if take(&mut text, other) {
                terms.push(own.clone());
            }
        }
        for term in &self.terms {
            if take(&mut text, term) && !terms.contains(term) {
                terms.push(term.clone());
            }
        }
        for word in &self.rest {
            take(&mut text, word);
        }
        let left =
            if zh { text.chars().filter(|c| c.is_alphanumeric()).count() } else { text.split_whitespace().count() };
        (is_asking && !terms.is_empty() && left <= if zh { REST.0 } else { REST.1 }).then_some(terms)
    }
}

/// Splits a document into passages under the headings of its sections.
fn passages_of(title: &str, text: &str) -> Vec<HandbookPassage> {
    let mut passages: Vec<HandbookPassage> = Vec::new();
    let (mut section, mut open, mut is_code) = (String::new(), String::new(), false);
    let close = |open: &mut String, section: &str, passages: &mut Vec<HandbookPassage>| {
        let text = std::mem::take(open).trim().chars().take(LENGTH).collect::<String>();
        // The table of contents precedes the first section.
        if !text.is_empty() && !section.is_empty() {
            passages.push(HandbookPassage { heading: format!("{title} · {section}"), text });
        }
    };
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            // Commands belong to the sentence that announces them.
            if is_code && !open.trim_end().ends_with([':', '：']) {
                close(&mut open, &section, &mut passages);
            }
            if !is_code {
                close(&mut open, &section, &mut passages);
            }
            continue;
        }
        let heading = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")).filter(|_| !is_code);
        if let Some(heading) = heading {
            close(&mut open, &section, &mut passages);
            section = heading.trim().to_owned();
            continue;
        }
        let is_row = line.starts_with('|') && !is_code;
        let announces = open.trim_end().ends_with([':', '：']);
        if is_row || (line.trim().is_empty() && !is_code && !announces) {
            close(&mut open, &section, &mut passages);
        }
        let is_ruler = is_row && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        if !is_ruler {
            open.push_str(line.trim_end());
            open.push('\n');
        }
    }
    close(&mut open, &section, &mut passages);
    passages
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Questions, each with the section that answers it; `-` for questions about something else.
    const QUESTIONS: &str = include_str!("handbook/questions.tsv");

    #[test]
    fn questions_lead_to_their_sections_or_nowhere() {
        let story: Story = serde_json::from_str(r#"{"characters": [{"name": "林深"}]}"#).unwrap();
        let section = |question: &str| match find(question, &story).first() {
            None => "-".to_owned(),
            Some(found) => found.heading.rsplit(" · ").next().unwrap_or_default().to_owned(),
        };
        let rows: Vec<_> = QUESTIONS.lines().filter_map(|line| line.split_once('\t')).collect();
        let wrong = rows.iter().filter(|(question, expected)| section(question) != *expected);
        let wrong: Vec<String> =
            wrong.map(|(question, expected)| format!("{question} {expected} != {}", section(question))).collect();
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn the_command_is_in_the_passage() {
        for question in ["怎么导出成 EPUB？", "How do I export to EPUB?"] {
            let found = find(question, &Story::default());
            assert!(found.iter().any(|passage| passage.text.contains("--format epub")), "{question}: {found:?}");
        }
    }

    #[test]
    fn passages_are_paragraphs_rows_and_blocks() {
        let text = "# T\n\n- [a](#a)\n\n## A\n\nOne\ntwo.\n\nRun:\n\n```sh x=1\nqingyu a\n\nqingyu b\n```\n\n| k | v |\n|---|---|\n| c | d |\n";
        let passages = passages_of("T", text);
        let texts: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
        assert_eq!(texts, ["One\ntwo.", "Run:\n\nqingyu a\n\nqingyu b", "| k | v |", "| c | d |"]);
        assert_eq!(passages[0].heading, "T · A");
    }
}
