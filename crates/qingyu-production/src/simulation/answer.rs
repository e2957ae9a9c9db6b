//! One persona's reading of all content: the answer of `consumer.read`, and the scales of its scores.

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reaction::{AnswerProblem, Buys, Interaction, Objection, Reaction, Understood, check};
use crate::content::Reading;

/// What a persona says of one reading, from the first glance to the end; what was not asked stays empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PersonaReading {
    /// After a glance.
    pub first_impression: Option<ImpressionAnswer>,
    /// What they understood.
    pub comprehension: Option<ComprehensionAnswer>,
    /// What speaks against it.
    pub objection: Option<ObjectionAnswer>,
    /// Whether they would buy.
    pub purchase: Option<PurchaseAnswer>,
    /// Where they stopped.
    pub drop_off: Option<DropOffAnswer>,
}

/// The first impression.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ImpressionAnswer {
    /// On the scale of the first impression.
    pub score: Option<u8>,
    /// In the persona's words.
    pub words: String,
    /// Exact quotes.
    pub quotes: Vec<String>,
}

/// What came across.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ComprehensionAnswer {
    /// On the scale of comprehension.
    pub score: Option<u8>,
    /// The content in the persona's words.
    pub words: String,
    /// Each point of the content.
    pub understood: Vec<Understood>,
}

/// What speaks against it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ObjectionAnswer {
    /// In the persona's words.
    pub words: String,
    /// The objections, the gravest first.
    pub objections: Vec<Objection>,
}

/// Whether they would buy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PurchaseAnswer {
    /// On the scale of buying.
    pub score: Option<u8>,
    /// The decision; null if they cannot say.
    pub would_buy: Option<Buys>,
    /// Why, in the persona's words.
    pub words: String,
    /// Exact quotes.
    pub quotes: Vec<String>,
}

/// Where they stopped.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DropOffAnswer {
    /// The number of the paragraph; null if everything was read.
    pub stops_at: Option<usize>,
    /// Why, in the persona's words.
    pub words: String,
}

impl PersonaReading {
    /// Returns the reaction in an interaction; `None` if the answer says nothing about it.
    pub fn reaction(&self, interaction: Interaction) -> Option<Reaction> {
        match interaction {
            Interaction::FirstImpression => self.first_impression.clone().map(|said| Reaction {
                score: said.score,
                words: said.words,
                quotes: said.quotes,
                ..Reaction::default()
            }),
            Interaction::Comprehension => self.comprehension.clone().map(|said| Reaction {
                score: said.score,
                words: said.words,
                understood: said.understood,
                ..Reaction::default()
            }),
            Interaction::Objection => self.objection.clone().map(|said| Reaction {
                words: said.words,
                objections: said.objections,
                ..Reaction::default()
            }),
            Interaction::Purchase => self.purchase.clone().map(|said| Reaction {
                score: said.score,
                would_buy: said.would_buy,
                words: said.words,
                quotes: said.quotes,
                ..Reaction::default()
            }),
            Interaction::DropOff => self.drop_off.clone().map(|said| Reaction {
                stops_at: said.stops_at,
                words: said.words,
                ..Reaction::default()
            }),
        }
    }

    /// Validates the answer to `asked` about `reading`, with the `points` to judge; returns the problems in words.
    pub fn check(
        &self,
        asked: &[Interaction],
        reading: &Reading,
        points: &[String],
        language: Language,
    ) -> Vec<String> {
        self.problems(asked, reading, points).iter().map(|problem| problem.text(language)).collect()
    }

    pub(super) fn problems(&self, asked: &[Interaction], reading: &Reading, points: &[String]) -> Vec<AnswerProblem> {
        let mut problems = Vec::new();
        for interaction in asked {
            let points = if *interaction == Interaction::Comprehension { points } else { &[] };
            match self.reaction(*interaction) {
                Some(reaction) => problems.extend(check(&reaction, reading, points)),
                None => problems.push(AnswerProblem::Missing(interaction.name())),
            }
        }
        problems
    }
}

/// The meanings of the scores, in the language of the work: a number, its meaning, the next number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scales {
    /// Of the first impression.
    pub first_impression: String,
    /// Of comprehension.
    pub comprehension: String,
    /// Of buying.
    pub purchase: String,
}

impl Scales {
    /// Returns the scales in `language`.
    pub fn of(language: Language) -> Self {
        let of = |interaction: Interaction| interaction.scale(language).unwrap_or_default().to_owned();
        Self {
            first_impression: of(Interaction::FirstImpression),
            comprehension: of(Interaction::Comprehension),
            purchase: of(Interaction::Purchase),
        }
    }
}

impl Interaction {
    /// Returns what the scores of the interaction mean; `None` if it has none.
    pub fn scale(self, language: Language) -> Option<&'static str> {
        let zh = language == Language::Zh;
        Some(match (self, zh) {
            (Self::FirstImpression, true) => {
                "0 马上关掉；25 多半划走；50 有空才看；75 想看完这一页；100 放下别的事先看它"
            }
            (Self::FirstImpression, false) => {
                "0 closes it at once; 25 probably moves on; 50 reads it with time to spare; 75 wants to finish this page; 100 drops everything for it"
            }
            (Self::Comprehension, true) => {
                "0 不知道在讲什么；25 只知道话题；50 能说出一半要点；75 能讲给别人听；100 明天就能照着做"
            }
            (Self::Comprehension, false) => {
                "0 has no idea what it is about; 25 knows the subject; 50 can name half of the points; 75 can explain it to somebody; 100 can do it tomorrow"
            }
            (Self::Purchase, true) => "0 送我也不要；25 免费才要；50 要再想想；75 价钱合适就买；100 现在就买",
            (Self::Purchase, false) => {
                "0 would not take it for nothing; 25 only for nothing; 50 has to think about it; 75 would at a fair price; 100 would now"
            }
            (Self::Objection | Self::DropOff, _) => return None,
        })
    }
}
