//! Chains of contradictory time statements, classified by the kinds of statements in each.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, RuleMaterial};
use crate::part::{anchor, handle};
use crate::phrase::in_brackets;
use crate::piece::PieceKind;
use crate::time::chronology::{BoundOrigin, BoundSource};
use crate::{Action, Language, TimelineEvent};

/// The composition of a chain; each kind belongs to one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContradictionKind {
    /// Only orders of events.
    Circle,
    /// Only cards, or a parent and a child related by both cards.
    Cards,
    /// Births derived from kinship.
    Kinship,
    /// An order of events, against their dates.
    Order,
    /// An event's duration, against dates.
    Duration,
    /// A time relative to an event, against dates.
    Relative,
    /// Several kinds.
    Several,
}

/// A minimal contradiction among the story's time statements; the most doubtful statement comes first.
#[derive(Debug)]
pub(super) struct ContradictionChain<'m, 's> {
    material: &'m RuleMaterial<'s>,
    pub(super) said: Vec<BoundSource<'s>>,
}

/// Iterates over the chains of the kind.
pub(super) fn chains<'m, 's>(
    material: &'m RuleMaterial<'s>,
    sort: ContradictionKind,
) -> impl Iterator<Item = ContradictionChain<'m, 's>> {
    let contradictions = material.chronology().contradictions().iter();
    let chain = move |said: &mut dyn Iterator<Item = BoundSource<'s>>| {
        let mut chain: Vec<BoundSource<'s>> = Vec::new();
        for said in said {
            let is_same = |other: &BoundSource<'_>| place(other) == place(&said) && other.other == said.other;
            if said.how != BoundOrigin::Structure && !chain.iter().any(is_same) {
                chain.push(said);
            }
        }
        ContradictionChain { material, said: chain }
    };
    let chains = contradictions.map(move |found| chain(&mut found.steps.iter().map(|step| step.said)));
    chains.filter(move |chain| chain.sort() == sort)
}

fn place<'s>(said: &BoundSource<'s>) -> (PieceKind, usize, &'static str, &'s str) {
    (said.kind, said.position, said.field, said.words)
}

impl<'s> ContradictionChain<'_, 's> {
    fn sort(&self) -> ContradictionKind {
        let count = |how| self.said.iter().filter(|said| said.how == how).count();
        let is_told_after = |said: &BoundSource<'_>| {
            said.how != BoundOrigin::Relative
                || said.other.is_some_and(|other| self.material.after[said.position].contains(&other))
        };
        let (kinship, ages) = (count(BoundOrigin::Kinship), count(BoundOrigin::Age));
        match (count(BoundOrigin::Relative), count(BoundOrigin::Duration), count(BoundOrigin::After)) {
            _ if kinship == self.said.len() => ContradictionKind::Circle,
            _ if kinship == 1 && (ages == 0 || ages == 2) => ContradictionKind::Cards,
            _ if kinship > 0 => ContradictionKind::Kinship,
            _ if ages + count(BoundOrigin::Card) > 0 => ContradictionKind::Cards,
            _ if count(BoundOrigin::Date) == 0 && self.said.iter().all(is_told_after) => ContradictionKind::Circle,
            (0, 0, 1) => ContradictionKind::Order,
            (1, 0, _) => ContradictionKind::Relative,
            (0, 1, _) => ContradictionKind::Duration,
            _ => ContradictionKind::Several,
        }
    }

    /// Returns the first statement of the kind.
    pub(super) fn first(&self, how: BoundOrigin) -> Option<&BoundSource<'s>> {
        self.said.iter().find(|said| said.how == how)
    }

    /// Returns a draft about the chain with every statement quoted.
    pub(super) fn draft(&self) -> FindingDraft {
        let doubted = &self.said[0];
        let other = doubted.other.map(|other| handle(self.event(other))).unwrap_or_default();
        let mut draft = FindingDraft::about([self.handle(doubted), doubted.field.to_owned(), other])
            .list("chain", self.said.iter().map(|said| self.statement(said)));
        for said in &self.said {
            draft = draft.affects(self.name(said)).quote(self.anchor(said), self.quote(said));
            if let Some(other) = said.other {
                draft = draft.affects(self.event(other).title.trim());
            }
        }
        draft
    }

    /// Adds a fix removing the order between the doubtful event and the other event.
    pub(super) fn cut(&self, draft: FindingDraft, said: &BoundSource<'_>) -> FindingDraft {
        let event = self.event(said.position);
        let is_other = |name: &&String| {
            self.material.names.resolve(PieceKind::Event, name).map(|named| named.position) == said.other
        };
        let cut: Vec<&String> = event.after.iter().filter(is_other).collect();
        draft.fix("cut", Action::Update, PieceKind::Event, target(event, json!({ "remove_after": cut })))
    }

    /// Adds a fix removing the relative time from the event's timestamp, unless the relative time is from another
    /// field.
    pub(super) fn untell(&self, draft: FindingDraft, said: &BoundSource<'_>) -> FindingDraft {
        let event = self.event(said.position);
        if said.field != "timestamp" {
            return draft;
        }
        let rest = event.timestamp.replacen(said.words, "", 1);
        let rest = rest.trim_matches([' ', ',', '，', '(', ')', '（', '）']);
        draft.fix("untell", Action::Update, PieceKind::Event, target(event, json!({ "timestamp": rest })))
    }

    pub(super) fn event(&self, position: usize) -> &'s TimelineEvent {
        &self.material.story.timeline_events[position]
    }

    /// Returns the name of a statement's subject.
    pub(super) fn name(&self, said: &BoundSource<'_>) -> String {
        let story = self.material.story;
        let name = match said.kind {
            PieceKind::Event => story.timeline_events[said.position].title.trim(),
            PieceKind::Character => story.characters[said.position].name.trim(),
            PieceKind::Relation => story.character_relations[said.position].from.trim(),
            PieceKind::Worldview if story.language == Language::Zh => "故事的时代",
            other => other.name(),
        };
        name.to_owned()
    }

    fn handle(&self, said: &BoundSource<'_>) -> String {
        let story = self.material.story;
        match said.kind {
            PieceKind::Event => handle(&story.timeline_events[said.position]),
            PieceKind::Character => handle(&story.characters[said.position]),
            PieceKind::Relation => handle(&story.character_relations[said.position]),
            other => other.name().to_owned(),
        }
    }

    fn anchor(&self, said: &BoundSource<'_>) -> String {
        let story = self.material.story;
        match said.kind {
            PieceKind::Event => anchor(said.kind, &story.timeline_events[said.position], said.field),
            PieceKind::Character => anchor(said.kind, &story.characters[said.position], said.field),
            PieceKind::Relation => anchor(said.kind, &story.character_relations[said.position], said.field),
            other => format!("{}/{}", other.name(), said.field),
        }
    }

    fn quote(&self, said: &BoundSource<'_>) -> String {
        let story = self.material.story;
        match said.how {
            BoundOrigin::After => self.event(said.position).after.join(", "),
            BoundOrigin::Age => story.characters[said.position].age.unwrap_or_default().to_string(),
            BoundOrigin::Kinship => super::kinship::shown(&story.character_relations[said.position], story),
            _ => said.words.to_owned(),
        }
    }

    /// Returns a statement in a short form: `追捕（2077-03-05）`, `失窃 → 追捕`, `失窃 → 追捕（三天后）`.
    fn statement(&self, said: &BoundSource<'_>) -> String {
        let language = self.material.story.language;
        match (said.how, said.other) {
            (BoundOrigin::Kinship, _) => self.quote(said),
            (BoundOrigin::After, Some(other)) => format!("{} → {}", self.event(other).title.trim(), self.name(said)),
            (_, Some(other)) => {
                let when = in_brackets(said.words, language);
                format!("{} → {}{when}", self.event(other).title.trim(), self.name(said))
            }
            _ => format!("{}{}", self.name(said), in_brackets(&self.quote(said), language)),
        }
    }
}
