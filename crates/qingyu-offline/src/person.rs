//! People, as templates name them: from cards, from the story, or by name alone.

use qingyu_story::{Character, Language, Story};

use crate::tables::LanguageTables;

/// A person, as used by templates.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Person {
    pub(crate) name: String,
    /// The name after the first mention.
    pub(crate) short: String,
    pub(crate) trade: String,
    pub(crate) female: bool,
}

impl Person {
    /// Returns the name with the trade before.
    pub(crate) fn introduced(&self, language: Language) -> String {
        let long = self.trade.is_empty() || self.trade.chars().count() > 40;
        match language {
            _ if long => self.name.clone(),
            Language::Zh => format!("{}{}", self.trade, self.name),
            Language::En => format!("the {} {}", self.trade, self.name),
        }
    }
}

/// Returns a person known only by name.
pub(crate) fn named(name: &str, language: Language) -> Person {
    let short = match language {
        Language::Zh => name,
        Language::En => name.split_whitespace().next().unwrap_or(name),
    };
    Person { name: name.into(), short: short.into(), ..Person::default() }
}

/// Returns the person of a card.
pub(crate) fn carded(card: &Character, language: Language) -> Person {
    Person { trade: card.occupation.clone(), ..named(&card.name, language) }
}

/// Returns the person `name` of the story: from a card, or with the trade in the outline.
pub(crate) fn person_of(name: &str, story: &Story, language: Language) -> Person {
    if let Some(card) = story.characters.iter().find(|card| card.name == name) {
        return carded(card, language);
    }
    let items = story.worldview.iter().flat_map(|world| &world.items).map(|item| item.description.as_str());
    let texts = story.outline_nodes.iter().map(|node| node.description.as_str()).chain(items);
    let trade = texts.filter_map(|text| trade_before(name, text, language)).next().unwrap_or_default();
    Person { trade, ..named(name, language) }
}

/// Returns the longest trade of the tables directly before `name`.
fn trade_before(name: &str, text: &str, language: Language) -> Option<String> {
    let trades: Vec<&String> =
        LanguageTables::of(language).settings.iter().flat_map(|s| s.trades.all().map(|t| t.1)).collect();
    text.match_indices(name).find_map(|(at, _)| {
        let before = text[..at].trim_end().to_ascii_lowercase();
        let fitting = trades.iter().filter(|trade| before.ends_with(trade.to_ascii_lowercase().as_str()));
        fitting.max_by_key(|trade| trade.len()).map(|trade| (*trade).clone())
    })
}
