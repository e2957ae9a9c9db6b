//! What each rule reads of a story, so that after a change it is run again only on what the change can reach.
//!
//! A rule that is not listed here reads everything and is run again whole after every change. Listing it is a promise that
//! tests hold it to: that it does not look at what it does not name, and that its findings fall apart as said.

use crate::Fact;
use crate::piece::PieceKind;
use crate::predicate::{self, Role};

/// What a rule reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Facts.
    pub(crate) facts: Reads,
    /// The words of the texts.
    pub(crate) texts: Reads,
    /// The rest: cards, outline, events, and of documents all but their words.
    pub(crate) rest: Rest,
}

/// How much of the facts, or of the texts, a rule reads for one finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    /// None.
    Nothing,
    /// Of facts, those whose word has one of these roles, and those about which place lies in which.
    Roles(&'static [Role]),
    /// Of facts, those that [`Neighbours`](crate::check::Neighbours) keeps together; of texts, one chapter.
    Near,
    /// Perhaps all.
    All,
}

/// How much of the rest of a story a rule reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The style guide, and titles and order of the documents.
    Style,
    /// Perhaps all.
    All,
}

impl Reads {
    /// Whether the word of a fact has a role that is read.
    pub(crate) fn is_of_role(self, fact: &Fact) -> bool {
        let role = predicate::find(&fact.predicate).and_then(|word| word.role);
        matches!(self, Self::Roles(roles) if role.is_some_and(|role| roles.contains(&role)))
    }
}

impl Scope {
    const EVERYTHING: Self = Self { facts: Reads::All, texts: Reads::All, rest: Rest::All };
    /// Cards, outline, events, relations and plot.
    const CARDS: Self = Self { facts: Reads::Nothing, texts: Reads::Nothing, rest: Rest::All };
    /// As [`CARDS`](Self::CARDS), and all of some texts.
    const CARDS_AND_TEXTS: Self = Self { texts: Reads::All, ..Self::CARDS };
    /// Statements, each with those about the same.
    const STATEMENTS: Self = Self { facts: Reads::Near, ..Self::CARDS };
    /// Events, and who used what between them.
    const JOURNEYS: Self = Self { facts: Reads::Roles(&[Role::Use]), ..Self::CARDS };
    /// Each chapter by itself.
    const CHAPTER: Self = Self { facts: Reads::Nothing, texts: Reads::Near, rest: Rest::Style };
    /// Chapters beside each other.
    const CHAPTERS: Self = Self { texts: Reads::All, ..Self::CHAPTER };

    /// What the rule of that code reads.
    pub(crate) fn of(code: &str) -> Self {
        match code {
            "QS011" | "QS012" | "QS013" | "QS014" | "QS021" | "QS022" | "QS023" | "QS024" | "QS025" | "QS032"
            | "QS033" | "QS041" | "QS042" | "QS043" | "QS044" | "QS045" | "QS046" | "QS047" | "QS048" | "QS051"
            | "QS061" | "QS062" | "QS071" | "QS072" | "QS073" | "QY002" | "QY317" => Self::CHAPTERS,
            "QS031" => Self::CHAPTER,
            "QY101" | "QY102" | "QY104" | "QY105" | "QY106" | "QY107" | "QY108" | "QY203" | "QY301" | "QY302"
            | "QY303" | "QY304" | "QY305" | "QY307" | "QY309" | "QY310" | "QY311" | "QY312" | "QY313" | "QY601"
            | "QY602" | "QY603" | "QY604" | "QY605" | "QY606" | "QY607" | "QY701" | "QY702" | "QY703" | "QY901"
            | "QY902" | "QY903" | "QY904" | "QY905" | "QY906" | "QY907" | "QY908" | "QY909" | "QY911" | "QY912"
            | "QY914" | "QY915" | "QY916" | "QY918" => Self::CARDS,
            "QY103" | "QY110" | "QY316" | "QY704" | "QY705" | "QY706" | "QY910" | "QY913" | "QY917" => {
                Self::CARDS_AND_TEXTS
            }
            "QY401" | "QY402" | "QY403" | "QY404" | "QY405" | "QY406" | "QY407" | "QY408" | "QY409" | "QY501"
            | "QY502" | "QY503" | "QY504" | "QY505" | "QY506" | "QY507" | "QY801" | "QY802" | "QY803" | "QY804"
            | "QY109" | "QY111" | "QY201" | "QY202" | "QY205" | "QY206" | "QY306" | "QY308" | "QY314" | "QY315"
            | "QY608" | "QY919" => Self::STATEMENTS,
            "QY204" => Self::JOURNEYS,
            _ => Self::EVERYTHING,
        }
    }

    /// Whether a change of a piece of that kind, of a document beside its words, may change what the rule finds.
    pub(crate) fn reads(self, kind: PieceKind) -> bool {
        match (kind, self.rest) {
            (PieceKind::Fact, _) => self.facts != Reads::Nothing,
            (PieceKind::Document | PieceKind::Style, _) | (_, Rest::All) => true,
            (_, Rest::Style) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Reads, Rest, Scope};
    use crate::piece::PieceKind;
    use crate::predicate::Role;
    use crate::rules::{Material, Rule, all};
    use crate::{Document, Fact, Story};

    /// What is left of a story if what the rule does not read is taken away.
    fn bare(scope: Scope, story: &Story) -> Story {
        let mut bare = story.clone();
        if scope.rest == Rest::Style {
            let Story { documents, style, facts, language, .. } = bare;
            bare = Story { documents, style, facts, language, ..Story::default() };
        }
        if let Reads::Nothing | Reads::Roles(_) = scope.facts {
            let places = Reads::Roles(&[Role::Within, Role::Place]);
            let is_read = |fact: &Fact| scope.facts.is_of_role(fact) || places.is_of_role(fact);
            bare.facts.retain(|fact| scope.facts != Reads::Nothing && is_read(fact));
        }
        if scope.texts == Reads::Nothing {
            bare.documents.iter_mut().for_each(|document| document.text.clear());
        }
        bare
    }

    fn look(rule: &Rule, story: &Story) -> Vec<String> {
        let mut found: Vec<String> = rule.look(&Material::of(story)).iter().map(|draft| format!("{draft:?}")).collect();
        found.sort();
        found
    }

    #[test]
    fn rules_look_at_nothing_that_they_do_not_name() {
        let stories: Vec<Story> = all().iter().flat_map(|rule| [rule.fires().story(), rule.spares().story()]).collect();
        for rule in all().iter().filter(|rule| rule.scope() != Scope::EVERYTHING) {
            for story in &stories {
                assert_eq!(look(rule, story), look(rule, &bare(rule.scope(), story)), "{}", rule.code);
            }
        }
    }

    #[test]
    fn facts_are_read_by_those_that_say_so() {
        for (code, is_read) in [("QY401", true), ("QY204", true), ("QY101", false), ("QS011", false)] {
            assert_eq!(Scope::of(code).reads(PieceKind::Fact), is_read, "{code}");
        }
    }

    #[test]
    fn rules_about_chapters_look_at_one_at_a_time() {
        let stories: Vec<Story> = all().iter().flat_map(|rule| [rule.fires().story(), rule.spares().story()]).collect();
        for rule in all().iter().filter(|rule| rule.scope().texts == Reads::Near) {
            for story in &stories {
                let alone = |document: &Document| Story { documents: vec![document.clone()], ..story.clone() };
                let mut found: Vec<String> =
                    story.documents.iter().flat_map(|document| look(rule, &alone(document))).collect();
                found.sort();
                assert_eq!(look(rule, story), found, "{}", rule.code);
            }
        }
    }
}
