//! The limits of a genre for a row of chapters: how long functions, endings and tension may stay alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// From how many chapters in a row on sameness is reported, and whether every chapter must pull the reader on.
///
/// The default holds for a book without a known genre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SequenceLimits {
    /// The number of chapters in a row with one function that is reported; 3 or more.
    pub same_function: u32,
    /// The number of chapters in a row that end in one way that is reported; 3 or more.
    pub same_ending: u32,
    /// The number of chapters in a row with one tension that is reported; 3 or more.
    pub flat_tension: u32,
    /// Whether readers expect something that pulls them on at the end of every chapter.
    pub every_ending_pulls: bool,
}

impl Default for SequenceLimits {
    fn default() -> Self {
        Self { same_function: 3, same_ending: 3, flat_tension: 8, every_ending_pulls: false }
    }
}

impl SequenceLimits {
    /// Returns the strictest of the limits of several genres; the default without any.
    pub(crate) fn strictest(limits: impl IntoIterator<Item = Self>) -> Self {
        let stricter = |all: Self, one: Self| Self {
            same_function: all.same_function.min(one.same_function),
            same_ending: all.same_ending.min(one.same_ending),
            flat_tension: all.flat_tension.min(one.flat_tension),
            every_ending_pulls: all.every_ending_pulls || one.every_ending_pulls,
        };
        limits.into_iter().reduce(stricter).unwrap_or_default()
    }

    /// Returns how many tensions from the first one on differ by one at most, without a rise at the end; 0 if the first is
    /// unknown.
    pub fn flat_row(tensions: &[Option<u8>]) -> usize {
        let Some(begin) = tensions.first().copied().flatten() else { return 0 };
        let (mut least, mut greatest, mut length) = (begin, begin, 0);
        for tension in tensions {
            let Some(tension) = *tension else { break };
            (least, greatest) = (least.min(tension), greatest.max(tension));
            if greatest - least > 1 {
                break;
            }
            length += 1;
        }
        while length > 0 && tensions[length - 1] > Some(begin) {
            length -= 1;
        }
        length
    }

    /// Returns the name of the first limit of fewer than three chapters.
    pub(super) fn too_small(self) -> Option<&'static str> {
        let limits = [
            ("same_function", self.same_function),
            ("same_ending", self.same_ending),
            ("flat_tension", self.flat_tension),
        ];
        limits.into_iter().find(|(_, limit)| *limit < 3).map(|(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Genres;
    use super::*;

    #[test]
    fn a_row_is_flat_until_the_tension_moves_by_more_than_one() {
        let row = |tensions: &[u8]| {
            SequenceLimits::flat_row(&tensions.iter().map(|tension| Some(*tension)).collect::<Vec<_>>())
        };
        assert_eq!([row(&[4, 4, 5, 4, 7]), row(&[4, 4, 5]), row(&[4, 6]), row(&[])], [4, 2, 1, 0]);
        assert_eq!(SequenceLimits::flat_row(&[Some(4), None, Some(4)]), 1);
        assert_eq!(SequenceLimits::flat_row(&[None, Some(4)]), 0);
    }

    #[test]
    fn a_mix_has_the_strictest_limits_of_its_genres() {
        let genres = Genres::builtin();
        let of =
            |names: &[&str]| SequenceLimits::strictest(names.iter().map(|name| genres.find(name).unwrap().sequence));
        let mixed = of(&["literary", "thriller"]);
        assert_eq!((mixed.same_function, mixed.flat_tension, mixed.every_ending_pulls), (3, 4, true));
        assert_eq!((of(&["literary"]).same_function, of(&["literary"]).every_ending_pulls), (4, false));
        assert_eq!(of(&[]), SequenceLimits::default());
    }
}
