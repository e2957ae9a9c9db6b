//! Genres: what readers of a kind of book expect, one file each, for authors to copy and change.
//!
//! The files are in `genres/` of this crate. A book has the genres that its world names (`worldview.genre`), two at most.
//! [`Genres`] holds these files and an author's own; the checker, prompts and the offline model read a book's genres from it.
//! [`sequence`]: the limits of a genre for a row of chapters.

pub mod sequence;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::sequence::SequenceLimits;
use crate::language::{Language, is_whole_word};
use crate::{Ladder, Story, names::fold};

/// The number of genres that a book mixes at most.
const MIXED: usize = 2;

/// A kind of book: its promise to the reader, and what keeps or breaks it. All texts are in the genre's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Genre {
    /// The name of the file without its ending, such as `xuanyi`.
    #[serde(default)]
    pub id: String,
    /// The language of its books and of this file.
    pub language: Language,
    /// The name shown to a person.
    pub name: String,
    /// Words that name it in the genre of a world.
    pub names: Vec<String>,
    /// What a reader is promised, in one sentence.
    pub promise: String,
    /// The usual length of a chapter in Chinese characters or English words: from, to.
    pub chapter_words: (u32, u32),
    /// The usual number of chapters: from, to.
    pub chapters: (u32, u32),
    /// The number of chapters within which a reader expects a promise to be kept.
    pub payoff_every: u32,
    /// Ways to open or end a chapter that pull the reader on.
    pub hooks: Vec<String>,
    /// Ways to keep a promise.
    pub payoffs: Vec<String>,
    /// Shapes of plot that its readers are tired of.
    pub avoid: Vec<String>,
    /// How tension rises and falls over the book.
    pub tension: String,
    /// Words and phrases worn out in this genre.
    #[serde(default)]
    pub tired: Vec<String>,
    /// How ranks, numbers and resources are kept; empty where there are none.
    #[serde(default)]
    pub ladder: Vec<String>,
    /// Questions to a finished chapter.
    #[serde(default)]
    pub audit: Vec<String>,
    /// How long chapters may stay alike.
    #[serde(default)]
    pub sequence: SequenceLimits,
    /// Ladders that a book may take over and change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ladders: Vec<Ladder>,
}

/// An error in the file of a genre.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the genre {id}: {message}")]
pub struct GenreError {
    /// The id of the genre.
    pub id: String,
    /// The error and its place in the file.
    pub message: String,
}

impl Genre {
    /// Parses the file of the genre `id`.
    ///
    /// Returns [`GenreError`] for invalid TOML, a missing or unknown field, no names, bounds in the wrong order, or a row of
    /// fewer than three chapters.
    pub fn parse(id: &str, file: &str) -> Result<Self, GenreError> {
        let fail = |message: String| GenreError { id: id.to_owned(), message };
        let mut genre: Self = toml::from_str(file).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
        id.clone_into(&mut genre.id);
        let bounds = [("chapter_words", genre.chapter_words), ("chapters", genre.chapters)];
        if let Some((field, (from, to))) = bounds.into_iter().find(|(_, (from, to))| from > to || *from == 0) {
            return Err(fail(format!("{field} = [{from}, {to}]: write the smaller number first, from 1 on")));
        }
        if let Some(field) = genre.sequence.too_small() {
            return Err(fail(format!("sequence.{field}: two chapters make no row, write 3 or more")));
        }
        match genre.names.iter().all(|name| name.trim().is_empty()) {
            true => Err(fail("names: give at least one word by which a book names it".to_owned())),
            false => Ok(genre),
        }
    }

    /// Returns its file: as it came with the program, or in the same form.
    pub fn file(&self) -> String {
        let known = FILES.into_iter().find(|(id, _)| *id == self.id && Genres::builtin().find(id) == Some(self));
        match known {
            Some((_, file)) => file.to_owned(),
            None => toml::to_string(self).expect("a genre is plain data"),
        }
    }

    /// Returns the place of the longest of its names in `words`, with the name's length.
    fn named_in(&self, words: &str) -> Option<(usize, usize)> {
        let places = self.names.iter().filter_map(|name| {
            let name = fold(name);
            let at = words
                .match_indices(&name)
                .map(|(at, _)| at)
                .find(|at| is_whole_word(words, &(*at..at + name.len())))?;
            Some((at, name.len()))
        });
        places.max_by_key(|(_, length)| *length)
    }
}

/// The genres that are known: those of the program, and an author's own. Cheap to clone; serialized as the author's own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Genre>", into = "Vec<Genre>")]
pub struct Genres {
    own: Arc<[Genre]>,
}

/// Reads the files of the program.
macro_rules! files {
    ($($id:literal),* $(,)?) => {
        [$(($id, include_str!(concat!("../genres/", $id, ".toml")))),*]
    };
}

/// The files of the program, in the order of the list shown to authors.
const FILES: [(&str, &str); 26] = files![
    "xuanhuan",
    "xianxia",
    "dushi",
    "xitong",
    "wuxianliu",
    "guize-guaitan",
    "xuanyi",
    "yanqing",
    "guyan",
    "gongdou",
    "niandai",
    "moshi",
    "kehuan",
    "lishi",
    "youxi",
    "yanyan",
    "epic-fantasy",
    "litrpg",
    "mystery",
    "cozy-mystery",
    "historical",
    "thriller",
    "romance",
    "space-opera",
    "horror",
    "literary",
];

static BUILTIN: LazyLock<Vec<Genre>> = LazyLock::new(|| {
    let genre = |(id, file): (&str, &str)| {
        Genre::parse(id, file).unwrap_or_else(|error| panic!("genres are part of the program: {error}"))
    };
    FILES.into_iter().map(genre).collect()
});

impl From<Vec<Genre>> for Genres {
    fn from(own: Vec<Genre>) -> Self {
        Self { own: own.into() }
    }
}

impl From<Genres> for Vec<Genre> {
    fn from(genres: Genres) -> Self {
        genres.own.to_vec()
    }
}

impl Genres {
    /// Returns the genres of the program.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Returns the genres of the program and `own`; one of `own` replaces a genre of the same id.
    pub fn with(own: Vec<Genre>) -> Self {
        own.into()
    }

    /// Returns the author's own genres.
    pub fn own(&self) -> &[Genre] {
        &self.own
    }

    /// Returns all genres: those of the program, then the author's own.
    pub fn all(&self) -> Vec<&Genre> {
        let ids: BTreeSet<&str> = self.own.iter().map(|genre| genre.id.as_str()).collect();
        BUILTIN.iter().filter(|genre| !ids.contains(genre.id.as_str())).chain(self.own.iter()).collect()
    }

    /// Returns the genre with the id or the name, ignoring case.
    pub fn find(&self, given: &str) -> Option<&Genre> {
        let (given, all) = (fold(given), self.all());
        let is_named = |genre: &&&Genre| genre.names.iter().chain([&genre.name]).any(|name| fold(name) == given);
        all.iter().find(|genre| genre.id == given).or_else(|| all.iter().find(is_named)).copied()
    }

    /// Returns the genres named in `words`, in the order of their places, two at most. A name within the longer name of
    /// another genre does not count.
    pub fn named_in(&self, words: &str, language: Language) -> Vec<&Genre> {
        let words = fold(words);
        let mut found: Vec<(usize, usize, &Genre)> = self
            .all()
            .into_iter()
            .filter(|genre| genre.language == language)
            .filter_map(|genre| genre.named_in(&words).map(|(at, length)| (at, length, genre)))
            .collect();
        let spans: Vec<(usize, usize)> = found.iter().map(|(at, length, _)| (*at, at + length)).collect();
        let is_within = |(at, end): (usize, usize)| {
            spans.iter().any(|(from, to)| *from <= at && end <= *to && to - from > end - at)
        };
        found.retain(|(at, length, _)| !is_within((*at, at + length)));
        found.sort_by_key(|(at, length, _)| (*at, std::cmp::Reverse(*length)));
        found.into_iter().map(|(_, _, genre)| genre).take(MIXED).collect()
    }

    /// Returns the genres that the story's world names.
    pub fn of(&self, story: &Story) -> Vec<&Genre> {
        let words = story.worldview.as_ref().map(|world| world.genre.as_str()).unwrap_or_default();
        self.named_in(words, story.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(words: &str, language: Language) -> Vec<String> {
        Genres::builtin().named_in(words, language).into_iter().map(|genre| genre.id.clone()).collect()
    }

    fn of_program(id: &str) -> Genre {
        Genres::builtin().find(id).unwrap().clone()
    }

    #[test]
    fn sixteen_chinese_genres_and_ten_english_ones_are_whole() {
        let count = |language| Genres::builtin().all().iter().filter(|genre| genre.language == language).count();
        assert_eq!((count(Language::Zh), count(Language::En)), (16, 10));
        let all = Genres::builtin();
        for genre in all.all() {
            let lists = [&genre.hooks, &genre.payoffs, &genre.avoid, &genre.tired, &genre.audit];
            assert!(lists.iter().all(|list| list.len() >= 3), "{}", genre.id);
            assert!(genre.payoff_every > 0 && !genre.promise.is_empty() && !genre.tension.is_empty(), "{}", genre.id);
            assert_eq!(Genres::builtin().find(&genre.name), Some(genre));
        }
    }

    #[test]
    fn the_ladders_of_genres_rise_by_steps_with_names_of_their_own() {
        let genres = Genres::builtin();
        let mut count = 0;
        for ladder in genres.all().iter().flat_map(|genre| &genre.ladders) {
            count += 1;
            for (at, step) in ladder.steps.iter().enumerate() {
                let found = ladder.place(&step.name.clone().into()).map(|found| found.step as usize);
                assert_eq!(found, Some(at), "{}: {}", ladder.name, step.name);
            }
        }
        assert!(count >= 8, "{count}");
    }

    #[test]
    fn a_world_names_its_genres() {
        assert_eq!(named("都市悬疑", Language::Zh), ["dushi", "xuanyi"]);
        assert_eq!(named("古代言情", Language::Zh), ["guyan"]);
        assert_eq!(named("仙侠 + 规则怪谈", Language::Zh), ["xianxia", "guize-guaitan"]);
        assert_eq!(named("现代言情、职场、悬疑", Language::Zh), ["yanqing", "dushi"]);
        assert_eq!(named("青春校园", Language::Zh), [""; 0]);
        assert_eq!(named("Cozy mystery", Language::En), ["cozy-mystery"]);
        assert_eq!(named("Historical mystery", Language::En), ["historical", "mystery"]);
        assert_eq!(named("A cosy historical mystery", Language::En), ["cozy-mystery", "historical"]);
        assert_eq!(named("literary mystery", Language::En), ["literary", "mystery"]);
        assert_eq!(named("历史悬疑", Language::Zh), ["lishi", "xuanyi"]);
        assert_eq!(named("Romantic thriller", Language::En), ["thriller"]);
        assert_eq!(named("thrillers of old", Language::En), [""; 0]);
        assert_eq!(named("悬疑", Language::En), [""; 0]);
    }

    #[test]
    fn an_authors_own_file_replaces_and_adds() {
        let changed = of_program("xuanyi").file().replace("payoff_every = 5", "payoff_every = 2");
        let own = |id: &str, file: &str| Genre::parse(id, file).unwrap();
        let own = [own("xuanyi", &changed), own("mine", &changed.replace("悬疑", "密室"))];
        let genres = Genres::with(own.to_vec());
        assert_eq!(genres.all().len(), 27);
        assert_eq!(serde_json::from_str::<Genres>(&serde_json::to_string(&genres).unwrap()).unwrap(), genres);
        assert_eq!(genres.find("xuanyi").unwrap().payoff_every, 2);
        let mine = genres.find("密室").unwrap();
        assert_eq!(mine.id, "mine");
        assert_eq!(&Genre::parse("mine", &mine.file()).unwrap(), mine);
    }

    #[test]
    fn a_broken_file_says_what_is_wrong() {
        let good = &of_program("horror").file();
        let told = |file: &str| Genre::parse("mine", file).unwrap_err().to_string();
        assert!(told("name = 1").contains("the genre mine"), "{}", told("name = 1"));
        assert!(told(&good.replace("[2000, 4000]", "[4000, 2000]")).contains("the smaller number first"));
        assert!(told(&format!("colour = \"red\"\n{good}")).contains("colour"));
        let short = good.replace("flat_tension = 5", "flat_tension = 1");
        assert!(told(&short).contains("sequence.flat_tension"), "{}", told(&short));
        let nameless = good.replace(r#"["horror", "gothic", "ghost story", "weird fiction"]"#, "[]");
        assert!(told(&nameless).contains("at least one word"));
    }
}
