//! Errors of patterns.

/// The error of parsing a pattern, or of a query on a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A syntax error.
    #[error("at character {at}: expected {expected}, found {found}")]
    Syntax {
        /// The position, in characters from 1.
        at: usize,
        /// The expected token.
        expected: String,
        /// The token found.
        found: String,
    },
    /// The pattern violates a rule.
    #[error("{0}")]
    Invalid(String),
    /// An unknown name.
    #[error("nothing in the story is called '{name}'{}", hint(suggestions))]
    Name {
        /// The name.
        name: String,
        /// Similar names.
        suggestions: Vec<String>,
    },
    /// An unknown word of an edge.
    #[error("'{word}' is no relation of the story or the vocabulary{}", hint(suggestions))]
    Word {
        /// The word.
        word: String,
        /// Similar words.
        suggestions: Vec<String>,
    },
    /// An unknown property.
    #[error("'{property}' is no property that a piece of the story has{}", hint(suggestions))]
    Property {
        /// The property.
        property: String,
        /// Similar properties.
        suggestions: Vec<String>,
    },
    /// The chapter number is unknown or ambiguous.
    #[error(transparent)]
    Chapter(#[from] qingyu_story::chapters::ChapterLookupError),
    /// The time is unknown to the story.
    #[error("'{0}' is no event, time, outline node or document of the story")]
    Time(String),
    /// The query cannot be expressed in Cypher.
    #[error("this cannot be asked in Cypher: {0}")]
    Cypher(String),
}

impl Error {
    /// Returns the text with a mark under the position of a syntax error; `None` for other errors.
    pub fn marked(&self, text: &str) -> Option<String> {
        let Self::Syntax { at, .. } = self else { return None };
        let before: String = text.chars().take(at - 1).collect();
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        // A Chinese character is two columns wide.
        let width: usize = before[line_start..].chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        Some(format!("{line}\n{}^", " ".repeat(width)))
    }
}

fn hint(suggestions: &[String]) -> String {
    if suggestions.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = suggestions.iter().map(|name| format!("'{name}'")).collect();
    format!("; did you mean {}?", quoted.join(" or "))
}

/// Returns the candidates most similar to `name`, best first, at most three.
///
/// Similarity is the share of common pairs of characters (Dice's coefficient over bigrams, with both ends marked).
pub(super) fn similar<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    const LEAST: f64 = 0.4;
    /// The minimum similarity relative to the best candidate.
    const CLOSE: f64 = 0.8;
    let pairs = |text: &str| {
        let chars: Vec<char> = format!("^{}$", qingyu_story::names::fold(text)).chars().collect();
        chars.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>()
    };
    let wanted = pairs(name);
    let mut found: Vec<(f64, &str)> = Vec::new();
    for candidate in candidates {
        let mut rest = pairs(candidate);
        let all = wanted.len() + rest.len();
        let common = wanted.iter().filter(|pair| {
            let place = rest.iter().position(|other| other == *pair);
            place.map(|place| rest.swap_remove(place)).is_some()
        });
        let likeness = 2.0 * common.count() as f64 / all as f64;
        if likeness >= LEAST {
            found.push((likeness, candidate));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.dedup_by(|a, b| a.1 == b.1);
    let best = found.first().map_or(0.0, |(likeness, _)| *likeness);
    found.retain(|(likeness, _)| *likeness >= best * CLOSE);
    found.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}
