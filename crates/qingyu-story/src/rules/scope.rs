//! The input of each rule, so that a change reruns a rule only on affected parts.
//!
//! A rule without an entry reads everything, and reruns on the whole story after every change. Tests validate each
//! entry: the rule reads nothing outside its scope, and its findings decompose as declared.

use crate::Fact;
use crate::piece::PieceKind;
use crate::predicate::{self, PredicateRole};

/// The input of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RuleScope {
    /// The facts.
    pub(crate) facts: FactScope,
    /// The words of the texts.
    pub(crate) texts: FactScope,
    /// The rest: cards, outline, events, and documents without their words.
    pub(crate) rest: StoryScope,
}

/// The extent of facts or texts read for one finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactScope {
    /// Nothing.
    Nothing,
    /// Facts whose word has a role in the list, and facts placing one place in another.
    Roles(&'static [PredicateRole]),
    /// Facts grouped by the index of neighbours, or a single chapter's text.
    Near,
    /// Potentially all.
    All,
}

/// The extent of the rest of a story read by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoryScope {
    /// The style guide, and titles and order of the documents.
    Style,
    /// Potentially all.
    All,
}

impl FactScope {
    /// Returns whether the fact's word has a role in the list.
    pub(crate) fn is_of_role(self, fact: &Fact) -> bool {
        let role = predicate::find(&fact.predicate).and_then(|word| word.role);
        matches!(self, Self::Roles(roles) if role.is_some_and(|role| roles.contains(&role)))
    }
}

impl RuleScope {
    const EVERYTHING: Self = Self { facts: FactScope::All, texts: FactScope::All, rest: StoryScope::All };
    /// Cards, outline, events, relations and plot.
    const CARDS: Self = Self { facts: FactScope::Nothing, texts: FactScope::Nothing, rest: StoryScope::All };
    /// Same as [`CARDS`](Self::CARDS), plus some texts in full.
    const CARDS_AND_TEXTS: Self = Self { texts: FactScope::All, ..Self::CARDS };
    /// Statements, each with statements about the same subject.
    const STATEMENTS: Self = Self { facts: FactScope::Near, ..Self::CARDS };
    /// Same as [`STATEMENTS`](Self::STATEMENTS), plus some texts in full.
    const STATEMENTS_AND_TEXTS: Self = Self { texts: FactScope::All, ..Self::STATEMENTS };
    /// Events, and the things used between them.
    const JOURNEYS: Self = Self { facts: FactScope::Roles(&[PredicateRole::Use]), ..Self::CARDS };
    /// Deaths and revivals by facts and events, and which chapters have a text.
    const DEATHS: Self = Self {
        facts: FactScope::Roles(&[PredicateRole::Death, PredicateRole::Killing, PredicateRole::Revival]),
        ..Self::CARDS_AND_TEXTS
    };
    /// Each chapter separately.
    const CHAPTER: Self = Self { facts: FactScope::Nothing, texts: FactScope::Near, rest: StoryScope::Style };
    /// Several chapters together.
    const CHAPTERS: Self = Self { texts: FactScope::All, ..Self::CHAPTER };

    /// Returns the scope of the rule with the code.
    pub(crate) fn of(code: &str) -> Self {
        match code {
            "QS011" | "QS012" | "QS013" | "QS014" | "QS021" | "QS022" | "QS023" | "QS024" | "QS025" | "QS032"
            | "QS033" | "QS041" | "QS042" | "QS043" | "QS044" | "QS045" | "QS046" | "QS047" | "QS048" | "QS051"
            | "QS061" | "QS062" | "QS063" | "QS071" | "QS072" | "QS073" | "QY002" => Self::CHAPTERS,
            "QS031" | "QS034" | "QY414" => Self::CHAPTER,
            "QY101" | "QY102" | "QY104" | "QY105" | "QY106" | "QY107" | "QY108" | "QY203" | "QY301" | "QY302"
            | "QY303" | "QY304" | "QY305" | "QY307" | "QY309" | "QY310" | "QY311" | "QY312" | "QY313" | "QY601"
            | "QY602" | "QY603" | "QY604" | "QY605" | "QY606" | "QY607" | "QY701" | "QY702" | "QY703" | "QY901"
            | "QY902" | "QY903" | "QY904" | "QY905" | "QY906" | "QY907" | "QY908" | "QY909" | "QY911" | "QY912"
            | "QY914" | "QY915" | "QY916" | "QY918" | "QY920" | "QY921" | "QY922" | "QY923" | "QY926" => Self::CARDS,
            "QY103" | "QY110" | "QY316" | "QY317" | "QY508" | "QY509" | "QY704" | "QY705" | "QY706" | "QY910"
            | "QY913" | "QY917" | "QS035" | "QY924" | "QY925" => Self::CARDS_AND_TEXTS,
            "QY401" | "QY402" | "QY403" | "QY404" | "QY405" | "QY406" | "QY407" | "QY408" | "QY409" | "QY410"
            | "QY411" | "QY412" | "QY413" | "QY415" | "QY501" | "QY502" | "QY503" | "QY504" | "QY505" | "QY506"
            | "QY507" | "QY801" | "QY802" | "QY803" | "QY804" | "QY109" | "QY111" | "QY201" | "QY202" | "QY206"
            | "QY306" | "QY308" | "QY314" | "QY315" | "QY608" | "QY919" => Self::STATEMENTS,
            "QY204" => Self::JOURNEYS,
            "QY205" => Self::STATEMENTS_AND_TEXTS,
            "QY207" => Self::DEATHS,
            _ => Self::EVERYTHING,
        }
    }

    /// Returns whether a change of a piece of the kind (for a document, of anything except its words) may change the
    /// rule's findings.
    pub(crate) fn reads(self, kind: PieceKind) -> bool {
        match (kind, self.rest) {
            (PieceKind::Fact, _) => self.facts != FactScope::Nothing,
            (PieceKind::Document | PieceKind::Style, _) | (_, StoryScope::All) => true,
            (_, StoryScope::Style) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FactScope, RuleScope, StoryScope};
    use crate::piece::PieceKind;
    use crate::predicate::PredicateRole;
    use crate::rules::{Rule, RuleMaterial, all};
    use crate::{Document, Fact, Story};

    /// Returns the story with everything outside the scope removed.
    fn bare(scope: RuleScope, story: &Story) -> Story {
        let mut bare = story.clone();
        if scope.rest == StoryScope::Style {
            let Story { documents, style, facts, language, .. } = bare;
            bare = Story { documents, style, facts, language, ..Story::default() };
        }
        if let FactScope::Nothing | FactScope::Roles(_) = scope.facts {
            let places = FactScope::Roles(&[PredicateRole::Within, PredicateRole::Place]);
            let is_read = |fact: &Fact| scope.facts.is_of_role(fact) || places.is_of_role(fact);
            bare.facts.retain(|fact| scope.facts != FactScope::Nothing && is_read(fact));
        }
        if scope.texts == FactScope::Nothing {
            bare.documents.iter_mut().for_each(|document| document.text.clear());
        }
        bare
    }

    fn look(rule: &Rule, story: &Story) -> Vec<String> {
        let mut found: Vec<String> =
            rule.look(&RuleMaterial::of(story)).iter().map(|draft| format!("{draft:?}")).collect();
        found.sort();
        found
    }

    #[test]
    fn rules_look_at_nothing_that_they_do_not_name() {
        let stories: Vec<Story> = all().iter().flat_map(|rule| [rule.fires().story(), rule.spares().story()]).collect();
        for rule in all().iter().filter(|rule| rule.scope() != RuleScope::EVERYTHING) {
            for story in &stories {
                assert_eq!(look(rule, story), look(rule, &bare(rule.scope(), story)), "{}", rule.code);
            }
        }
    }

    #[test]
    fn facts_are_read_by_those_that_say_so() {
        for (code, is_read) in [("QY401", true), ("QY204", true), ("QY101", false), ("QS011", false)] {
            assert_eq!(RuleScope::of(code).reads(PieceKind::Fact), is_read, "{code}");
        }
    }

    #[test]
    fn rules_about_chapters_look_at_one_at_a_time() {
        let stories: Vec<Story> = all().iter().flat_map(|rule| [rule.fires().story(), rule.spares().story()]).collect();
        for rule in all().iter().filter(|rule| rule.scope().texts == FactScope::Near) {
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
