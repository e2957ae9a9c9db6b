//! What the requirement says, found by rules and kept in the user's own words.

mod en;
mod zh;

use qingyu_story::{Language, Story};

use crate::tables::{Setting, Shape, Tables};

pub(crate) use zh::begins_like_a_name;

/// The longest phrase that is taken over from a requirement, in characters.
const PHRASE: usize = 60;

/// How long a chapter is where nothing is said, in characters.
pub(crate) const CHAPTER_WORDS_ZH: u32 = 3_000;
/// The same in words.
pub(crate) const CHAPTER_WORDS_EN: u32 = 2_500;

/// What a requirement says. What it does not say is `None` or empty.
#[derive(Debug)]
pub(crate) struct Brief {
    pub(crate) language: Language,
    /// The requirement on one line, shortened for quoting.
    pub(crate) quote: String,
    pub(crate) setting: &'static Setting,
    /// The user's word for the setting.
    pub(crate) setting_word: Option<String>,
    pub(crate) shape: &'static Shape,
    /// The user's word for the kind of story.
    pub(crate) shape_word: Option<String>,
    pub(crate) said: Said,
}

/// Phrases of the requirement, in the user's words.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) hero_name: Option<String>,
    pub(crate) hero_trade: Option<String>,
    /// What the other leading person is.
    pub(crate) partner_trade: Option<String>,
    pub(crate) skill: Option<String>,
    pub(crate) want: Option<String>,
    /// What the story is about, where it is not somebody.
    pub(crate) theme: Option<String>,
    /// What happens to the protagonist first, beginning with the verb or the place.
    pub(crate) event: Option<String>,
    /// Whether the protagonist is a woman, if it can be told.
    pub(crate) female: Option<bool>,
    /// Other people who are named.
    pub(crate) names: Vec<String>,
    pub(crate) place: Option<String>,
    pub(crate) era: Option<String>,
    /// What must be in it.
    pub(crate) musts: Vec<String>,
    /// What must not be in it.
    pub(crate) avoid: Vec<String>,
    pub(crate) chapters: Option<u32>,
    /// How long a chapter is to be, in characters or words.
    pub(crate) chapter_words: Option<u32>,
}

/// How long a work is said to be, in characters or words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Length {
    count: u32,
    /// Whether it is meant for each chapter, or for the whole.
    is_of_chapter: bool,
}

impl Said {
    /// Takes a length: a whole without a number of chapters gets as many as chapters of `usual` fill.
    fn take_length(&mut self, length: Option<Length>, usual: u32) {
        let Some(Length { count, is_of_chapter }) = length.filter(|length| length.count > 0) else { return };
        if is_of_chapter {
            self.chapter_words = Some(count);
        } else {
            let chapters = *self.chapters.get_or_insert((count / usual).max(1));
            self.chapter_words = Some((count / chapters.max(1)).max(1));
        }
    }
}

impl Brief {
    /// Reads `requirement` for more of `story`, whose premise tells the genre too, or else its world.
    pub(crate) fn within(story: &Story, requirement: &str, language: Language) -> Self {
        let line = one_line(requirement);
        let premise = one_line(&story.premise);
        if premise == line {
            return Self::read(&line, &line.to_ascii_lowercase(), language);
        }
        let read = |genre: &str| Self::read(&line, &format!("{genre} {line}").to_ascii_lowercase(), language);
        let brief = read(&premise);
        match &story.worldview {
            Some(world) if !brief.names_genre() => read(&one_line(&format!("{} {}", world.genre, world.era))),
            _ => brief,
        }
    }

    /// Whether a word tells the genre.
    pub(crate) fn names_genre(&self) -> bool {
        self.setting_word.is_some() || self.shape_word.is_some()
    }

    /// Reads `requirement`. Never fails: what cannot be told stays unsaid.
    #[cfg(test)]
    pub(crate) fn of(requirement: &str, language: Language) -> Self {
        Self::within(&Story::default(), requirement, language)
    }

    fn read(line: &str, genre: &str, language: Language) -> Self {
        let tables = Tables::of(language);
        let setting = best(genre, tables.settings.iter().map(|setting| (setting, setting.words.iter().collect())));
        // 科幻爱情 is a love story in space: a word that names the setting does not also name the kind of story.
        let taken: &[String] = setting.as_ref().map_or(&[], |(setting, _)| setting.words.as_slice());
        let own = |shape: &'static Shape| shape.words.iter().filter(|word| !taken.contains(word)).collect::<Vec<_>>();
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
        match language {
            Language::Zh => said.take_length(zh::length(line), CHAPTER_WORDS_ZH),
            Language::En => said.take_length(en::length(&line.to_ascii_lowercase()), CHAPTER_WORDS_EN),
        }
        let theme = said.theme.clone().unwrap_or_default().to_ascii_lowercase();
        // A word of the theme, or a bare verb such as 偷, tells the kind of story but is no name for it.
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

    /// The genre, in the user's words where there are any.
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

/// The entry whose words fill most of `text`, with the first of these words in the order of the table.
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

/// Whether `text` has `word`; Latin words only as whole words, a plural `s` allowed.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(word).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let rest = &text[start + word.len()..];
        let after = rest.strip_prefix('s').unwrap_or(rest).chars().next();
        let edge = |inside: Option<char>, outside| !(latin(inside) && latin(outside));
        edge(word.chars().next(), before) && edge(word.chars().next_back(), after)
    })
}

/// `text` on one line, without control characters and doubled blanks.
pub(crate) fn one_line(text: &str) -> String {
    // A requirement may be megabytes; what it is about is said at its beginning.
    let head: String = text.chars().take(4000).map(|c| if c.is_control() { ' ' } else { c }).collect();
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first `limit` characters, with an ellipsis when some are left.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.into(),
    }
}

/// A phrase worth taking over: trimmed, not empty, not a whole story, no template marks.
fn phrase(text: &str) -> Option<String> {
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || "\"'“”‘’「」『』《》()（）[]{}.,;:".contains(c));
    let fits = !trimmed.is_empty() && trimmed.chars().count() <= PHRASE && !trimmed.contains(['{', '}']);
    fits.then(|| trimmed.into())
}

/// A whole clause of at most `limit` characters that no template marks are in.
fn clip_to(text: &str, limit: usize) -> Option<String> {
    let fits = !text.is_empty() && text.chars().count() <= limit && !text.contains(['{', '}']);
    fits.then(|| text.into())
}

#[cfg(test)]
mod tests;
