//! Layouts of plain text, for readers and for publishing platforms.

use qingyu_story::Language;

use crate::headings;
use crate::spaces::tidy;
use qingyu_story::chapters::{self, HeadingLevel};
use qingyu_story::numerals::{chinese, is_numeral};

/// The layout of plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLayout {
    /// Text inserted before each paragraph.
    pub indent: &'static str,
    /// Whether a blank line separates paragraphs.
    pub spaced: bool,
    /// How chapter numbers are written.
    pub(crate) numerals: Numerals,
    /// Whether the file begins with title and author; platforms have separate form fields for both.
    pub title_page: bool,
}

/// How chapter numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numerals {
    /// As in the title; a number is inserted into a title without a number of its own.
    AsTheyAre,
    /// `第十二章`
    Chinese,
    /// `第12章`
    Arabic,
}

impl TextLayout {
    /// Returns the layout for readers: Chinese with two wide spaces before each paragraph, English with a blank line
    /// between paragraphs.
    pub fn plain(language: Language) -> Self {
        let numerals = Numerals::AsTheyAre;
        match language {
            Language::Zh => Self { indent: "\u{3000}\u{3000}", spaced: false, numerals, title_page: true },
            Language::En => Self { indent: "", spaced: true, numerals, title_page: true },
        }
    }

    /// Returns the layout for 起点: `第十二章 夜雨`, two wide spaces before each paragraph.
    pub fn qidian() -> Self {
        Self { numerals: Numerals::Chinese, title_page: false, ..Self::plain(Language::Zh) }
    }

    /// Returns the layout for 番茄: `第12章 夜雨`, two wide spaces before each paragraph.
    pub fn fanqie() -> Self {
        Self { numerals: Numerals::Arabic, title_page: false, ..Self::plain(Language::Zh) }
    }

    /// Returns the heading line of a chapter, recognizable to every importer; `place` counts from 1.
    pub(crate) fn heading(&self, title: &str, place: usize, language: Language) -> String {
        let title = tidy(title);
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        match headings::read(&title).and_then(|heading| heading.chapter) {
            Some(label) => match label.number.filter(|_| self.numerals != Numerals::AsTheyAre) {
                Some(number) => self.renumbered(&title, number),
                None => title,
            },
            None => self.own_number(&title, language).unwrap_or_else(|| self.numbered(&title, number, language)),
        }
    }

    /// Returns the heading of a title with a number of another form, such as `Letter 4` or `三、归来`; `None` without a
    /// number.
    fn own_number(&self, title: &str, language: Language) -> Option<String> {
        // `1984` alone is a title.
        let heading = chapters::heading(title)
            .filter(|it| it.rank != HeadingLevel::Bare || !it.rest.is_empty() || it.number < 1_000)?;
        Some(match (self.numerals, heading.rank) {
            (Numerals::AsTheyAre, _) => title.to_owned(),
            (_, HeadingLevel::Bare) => self.numbered(heading.rest, heading.number, language),
            _ => self.renumbered(title, heading.number),
        })
    }

    fn numbered(&self, title: &str, number: u32, language: Language) -> String {
        let head = match (language, self.numerals) {
            (Language::En, Numerals::AsTheyAre) => format!("Chapter {number}"),
            (_, Numerals::Arabic) => format!("第{number}章"),
            _ => format!("第{}章", chinese(number)),
        };
        match (title, language, self.numerals) {
            ("", ..) => head,
            (title, Language::En, Numerals::AsTheyAre) => format!("{head}: {title}"),
            (title, ..) => format!("{head} {title}"),
        }
    }

    /// Returns a Chinese heading with its number in the numerals of the platform; other headings unchanged.
    fn renumbered(&self, title: &str, number: u32) -> String {
        let written = match self.numerals {
            Numerals::Arabic => number.to_string(),
            _ => chinese(number),
        };
        let Some(rest) = title.strip_prefix('第') else { return title.to_owned() };
        let rest = rest.trim_start().trim_start_matches(is_numeral).trim_start();
        let Some(unit) = rest.chars().next() else { return title.to_owned() };
        let name = rest[unit.len_utf8()..].trim_start_matches([' ', ':', '：', '、', '.', '·', '-', '—']);
        if name.is_empty() { format!("第{written}{unit}") } else { format!("第{written}{unit} {name}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_platforms() {
        let heading = |layout: &TextLayout, title| layout.heading(title, 7, Language::Zh);
        let (plain, qidian, fanqie) = (TextLayout::plain(Language::Zh), TextLayout::qidian(), TextLayout::fanqie());
        assert_eq!(heading(&plain, "第12章：夜雨"), "第12章：夜雨");
        assert_eq!(heading(&qidian, "第12章：夜雨"), "第十二章 夜雨");
        assert_eq!(heading(&fanqie, "第十二章 夜雨"), "第12章 夜雨");
        assert_eq!(heading(&fanqie, "第十二回"), "第12回");
        assert_eq!(heading(&qidian, "楔子"), "楔子");
        assert_eq!(heading(&qidian, "夜雨"), "第七章 夜雨");
        assert_eq!(heading(&fanqie, ""), "第7章");
        assert_eq!(plain.heading("Rain", 3, Language::En), "Chapter 3: Rain");
    }

    #[test]
    fn a_title_with_its_own_number_is_not_numbered_again() {
        let plain = TextLayout::plain(Language::En);
        for title in ["Letter 1", "STAVE TWO", "Canto I", "1. The Gate", "IV. THE GATE", "Part One"] {
            assert_eq!(plain.heading(title, 3, Language::En), title);
        }
        let plain = TextLayout::plain(Language::Zh);
        for title in ["三、归来", "第一卷 风起", "第三夜", "001 夜雨"] {
            assert_eq!(plain.heading(title, 3, Language::Zh), title);
        }
        let fanqie = |title| TextLayout::fanqie().heading(title, 3, Language::Zh);
        assert_eq!((fanqie("四、归来").as_str(), fanqie("第三夜 雨").as_str()), ("第4章 归来", "第3夜 雨"));
    }
}
