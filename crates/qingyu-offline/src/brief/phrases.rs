//! The phrases that a parser finds in a requirement.

/// Phrases of the requirement, in the user's words.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct RequirementPhrases {
    pub(crate) hero_name: Option<String>,
    pub(crate) hero_trade: Option<String>,
    /// The trade of the second lead.
    pub(crate) partner_trade: Option<String>,
    pub(crate) skill: Option<String>,
    pub(crate) want: Option<String>,
    /// The subject of the story, if not a person.
    pub(crate) theme: Option<String>,
    /// The inciting event of the protagonist, beginning with the verb or the place.
    pub(crate) event: Option<String>,
    /// Whether the protagonist is a woman, if known.
    pub(crate) female: Option<bool>,
    /// The names of other people.
    pub(crate) names: Vec<String>,
    pub(crate) place: Option<String>,
    pub(crate) era: Option<String>,
    /// Required content.
    pub(crate) musts: Vec<String>,
    /// Excluded content.
    pub(crate) avoid: Vec<String>,
    pub(crate) chapters: Option<u32>,
    /// The length of a chapter, in characters or words.
    pub(crate) chapter_words: Option<u32>,
}
