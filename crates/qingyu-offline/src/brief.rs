//! Parsing of requirements by rules; the phrases are in the user's own words.
//!
//! A parser for each language imports `text` and `phrases`, and is called by [`RequirementBrief`].

mod en;
mod phrases;
mod text;
mod zh;

use qingyu_agents::OutlineParameters;
use qingyu_story::{BookLength, Language, Story, book_length};

use self::phrases::RequirementPhrases;
use self::text::clip;
use crate::tables::{LanguageTables, SettingTable, StoryShape};

pub(crate) use self::text::{has_word, one_line};
pub(crate) use self::zh::begins_like_a_name;

/// A parsed requirement. The default of every field is `None` or empty.
#[derive(Debug)]
pub(crate) struct RequirementBrief {
    pub(crate) language: Language,
    /// The requirement on a single line, shortened for quotation.
    pub(crate) quote: String,
    pub(crate) setting: &'static SettingTable,
    /// The user's word for the setting.
    pub(crate) setting_word: Option<String>,
    pub(crate) shape: &'static StoryShape,
    /// The user's word for the kind of story.
    pub(crate) shape_word: Option<String>,
    pub(crate) said: RequirementPhrases,
}

impl RequirementBrief {
    /// Parses `requirement` as an extension of `story`; the genre is taken from the premise, by default from the world.
    ///
    /// Explicit parameters win over the words.
    pub(crate) fn within(story: &Story, requirement: &str, language: Language) -> Self {
        let (words, parameters) = OutlineParameters::split(requirement);
        let (premise, earlier) = OutlineParameters::split(&story.premise);
        let mut brief = Self::of_words(story, &one_line(&premise), &one_line(&words), language);
        if let Some(genre) = parameters.genre.or(earlier.genre) {
            brief.take_genre(&genre);
        }
        brief.said.chapters = parameters.chapter_count.or(brief.said.chapters);
        brief
    }

    /// Takes setting and kind of story from `genre`; a genre outside the tables gives only its name.
    fn take_genre(&mut self, genre: &str) {
        let named = Self::read("", &genre.to_ascii_lowercase(), self.language);
        if named.names_genre() {
            (self.setting, self.setting_word) = (named.setting, named.setting_word);
            (self.shape, self.shape_word) = (named.shape, named.shape_word);
        } else {
            (self.setting_word, self.shape_word) = (Some(genre.to_owned()), Some(genre.to_owned()));
        }
    }

    fn of_words(story: &Story, premise: &str, line: &str, language: Language) -> Self {
        if premise == line {
            return Self::read(line, &line.to_ascii_lowercase(), language);
        }
        let read = |genre: &str| Self::read(line, &format!("{genre} {line}").to_ascii_lowercase(), language);
        let brief = read(premise);
        match &story.worldview {
            Some(world) if !brief.names_genre() => read(&one_line(&format!("{} {}", world.genre, world.era))),
            _ => brief,
        }
    }

    /// Returns whether the requirement names the genre.
    pub(crate) fn names_genre(&self) -> bool {
        self.setting_word.is_some() || self.shape_word.is_some()
    }

    /// Parses `requirement`. Never fails: unrecognized parts are ignored.
    #[cfg(test)]
    pub(crate) fn of(requirement: &str, language: Language) -> Self {
        Self::within(&Story::default(), requirement, language)
    }

    fn read(line: &str, genre: &str, language: Language) -> Self {
        let tables = LanguageTables::of(language);
        let setting = best(genre, tables.settings.iter().map(|setting| (setting, setting.words.iter().collect())));
        // 科幻爱情 is a love story in space: a word for the setting does not also name the kind of story.
        let taken: &[String] = setting.as_ref().map_or(&[], |(setting, _)| setting.words.as_slice());
        let own =
            |shape: &'static StoryShape| shape.words.iter().filter(|word| !taken.contains(word)).collect::<Vec<_>>();
        let shape = best(genre, tables.shapes.iter().map(|shape| (shape, own(shape))));
        let shape = shape.or_else(|| best(genre, tables.shapes.iter().map(|s| (s, s.words.iter().collect()))));
        let (setting, shape) = match (setting, shape) {
            (Some(setting), Some(shape)) => ((setting.0, Some(setting.1)), (shape.0, Some(shape.1))),
            (Some(setting), None) => ((setting.0, Some(setting.1)), (tables.shape(&setting.0.shape), None)),
            (None, Some(shape)) => ((tables.setting(&shape.0.setting), None), (shape.0, Some(shape.1))),
            (None, None) => ((tables.setting("city"), None), (tables.shape("growth"), None)),
        };
        let mut said = match language {
            Language::Zh => zh::read(line),
            Language::En => en::read(line, &line.to_ascii_lowercase()),
        };
        BookLength { chapters: said.chapters, chapter_words: said.chapter_words } = book_length(line, language);
        let theme = said.theme.clone().unwrap_or_default().to_ascii_lowercase();
        // A word of the theme, or a bare verb such as 偷, implies the kind of story but is no name.
        let names_kind = |word: &String| word.chars().count() > 1 && !theme.contains(word.as_str());
        said.want = said.want.filter(|want| !theme.contains(want.as_str()));
        Self {
            language,
            quote: clip(line, if language == Language::Zh { 120 } else { 240 }),
            setting: setting.0,
            setting_word: setting.1,
            shape: shape.0,
            shape_word: shape.1.filter(names_kind),
            said,
        }
    }

    /// Returns the genre, preferably in the user's words.
    pub(crate) fn genre(&self) -> String {
        let setting = self.setting_word.as_deref().unwrap_or(&self.setting.label);
        let shape = self.shape_word.as_deref().unwrap_or(&self.shape.label);
        match self.language {
            _ if setting == shape => setting.into(),
            Language::Zh => format!("{setting}·{shape}"),
            Language::En => format!("{setting} {shape}"),
        }
    }
}

/// Returns the entry with most of its words in `text`, and the first of these words in the order of the table.
fn best<'a, T>(text: &str, entries: impl Iterator<Item = (&'a T, Vec<&'a String>)>) -> Option<(&'a T, String)> {
    let mut found: Option<(usize, &T, String)> = None;
    for (entry, words) in entries {
        let present: Vec<&String> = words.into_iter().filter(|word| has_word(text, word)).collect();
        let weight: usize = present.iter().map(|word| word.chars().count() + 1).sum();
        let Some(best) = present.first() else { continue };
        if found.as_ref().is_none_or(|(heaviest, ..)| weight > *heaviest) {
            found = Some((weight, entry, (*best).clone()));
        }
    }
    found.map(|(_, entry, word)| (entry, word))
}

#[cfg(test)]
mod tests;
