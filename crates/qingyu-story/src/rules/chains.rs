//! Chains of statements about time that contradict themselves, sorted by what they are made of.

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material};
use crate::piece::PieceKind;
use crate::time::chronology::{How, Said};
use crate::{Action, TimelineEvent};

/// What a chain is made of; each sort is the business of one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Only what comes after what.
    Circle,
    /// Only cards, or a parent and a child by what both cards say alike.
    Cards,
    /// Births that follow from kinship.
    Kinship,
    /// One event after another, against their dates.
    Order,
    /// How long one event lasts, against dates.
    Duration,
    /// A time told from an event, against dates.
    Relative,
    /// Several of these.
    Several,
}

/// A contradiction of the story's times in its statements, without what needs no saying; the one to doubt comes first.
#[derive(Debug)]
pub(super) struct Chain<'m, 's> {
    material: &'m Material<'s>,
    pub(super) said: Vec<Said<'s>>,
}

/// The chains of that sort.
pub(super) fn chains<'m, 's>(material: &'m Material<'s>, sort: Sort) -> impl Iterator<Item = Chain<'m, 's>> {
    let contradictions = material.chronology().contradictions().iter();
    let chain = move |said: &mut dyn Iterator<Item = Said<'s>>| {
        let mut chain: Vec<Said<'s>> = Vec::new();
        for said in said {
            let is_same = |other: &Said<'_>| place(other) == place(&said) && other.other == said.other;
            if said.how != How::Structure && !chain.iter().any(is_same) {
                chain.push(said);
            }
        }
        Chain { material, said: chain }
    };
    let chains = contradictions.map(move |found| chain(&mut found.steps.iter().map(|step| step.said)));
    chains.filter(move |chain| chain.sort() == sort)
}

fn place<'s>(said: &Said<'s>) -> (PieceKind, usize, &'static str, &'s str) {
    (said.kind, said.position, said.field, said.words)
}

impl<'s> Chain<'_, 's> {
    fn sort(&self) -> Sort {
        let count = |how| self.said.iter().filter(|said| said.how == how).count();
        let is_told_after = |said: &Said<'_>| {
            said.how != How::Relative
                || said.other.is_some_and(|other| self.material.after[said.position].contains(&other))
        };
        let (kinship, ages) = (count(How::Kinship), count(How::Age));
        match (count(How::Relative), count(How::Duration), count(How::After)) {
            _ if kinship == self.said.len() => Sort::Circle,
            _ if kinship == 1 && (ages == 0 || ages == 2) => Sort::Cards,
            _ if kinship > 0 => Sort::Kinship,
            _ if ages + count(How::Card) > 0 => Sort::Cards,
            _ if count(How::Date) == 0 && self.said.iter().all(is_told_after) => Sort::Circle,
            (0, 0, 1) => Sort::Order,
            (1, 0, _) => Sort::Relative,
            (0, 1, _) => Sort::Duration,
            _ => Sort::Several,
        }
    }

    /// The first statement of that kind.
    pub(super) fn first(&self, how: How) -> Option<&Said<'s>> {
        self.said.iter().find(|said| said.how == how)
    }

    /// A finding about the chain with every statement quoted.
    pub(super) fn draft(&self) -> Draft {
        let doubted = &self.said[0];
        let other = doubted.other.map(|other| handle(self.event(other))).unwrap_or_default();
        let mut draft = Draft::about([self.handle(doubted), doubted.field.to_owned(), other])
            .list("chain", self.said.iter().map(|said| self.statement(said)));
        for said in &self.said {
            draft = draft.affects(self.name(said)).quote(self.anchor(said), self.quote(said));
            if let Some(other) = said.other {
                draft = draft.affects(self.event(other).title.trim());
            }
        }
        draft
    }

    /// Adds the remedy that the doubted event no longer comes after the other.
    pub(super) fn cut(&self, draft: Draft, said: &Said<'_>) -> Draft {
        let event = self.event(said.position);
        let is_other = |name: &&String| {
            self.material.names.resolve(PieceKind::Event, name).map(|named| named.position) == said.other
        };
        let cut: Vec<&String> = event.after.iter().filter(is_other).collect();
        draft.fix("cut", Action::Update, PieceKind::Event, target(event, json!({ "remove_after": cut })))
    }

    /// Adds the remedy that the event is no longer told from another, if that is all that its timestamp says of it.
    pub(super) fn untell(&self, draft: Draft, said: &Said<'_>) -> Draft {
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

    /// What a statement is about, by name.
    pub(super) fn name(&self, said: &Said<'_>) -> String {
        let story = self.material.story;
        let name = match said.kind {
            PieceKind::Event => story.timeline_events[said.position].title.trim(),
            PieceKind::Character => story.characters[said.position].name.trim(),
            PieceKind::Relation => story.character_relations[said.position].from.trim(),
            other => other.name(),
        };
        name.to_owned()
    }

    fn handle(&self, said: &Said<'_>) -> String {
        let story = self.material.story;
        match said.kind {
            PieceKind::Event => handle(&story.timeline_events[said.position]),
            PieceKind::Character => handle(&story.characters[said.position]),
            PieceKind::Relation => handle(&story.character_relations[said.position]),
            other => other.name().to_owned(),
        }
    }

    fn anchor(&self, said: &Said<'_>) -> String {
        let story = self.material.story;
        match said.kind {
            PieceKind::Event => anchor(said.kind, &story.timeline_events[said.position], said.field),
            PieceKind::Character => anchor(said.kind, &story.characters[said.position], said.field),
            PieceKind::Relation => anchor(said.kind, &story.character_relations[said.position], said.field),
            other => format!("{}/{}", other.name(), said.field),
        }
    }

    fn quote(&self, said: &Said<'_>) -> String {
        let story = self.material.story;
        match said.how {
            How::After => self.event(said.position).after.join(", "),
            How::Age => story.characters[said.position].age.unwrap_or_default().to_string(),
            How::Kinship => super::kinship::shown(&story.character_relations[said.position]),
            _ => said.words.to_owned(),
        }
    }

    /// A statement in short, in any language: `追捕 (2077-03-05)`, `失窃 → 追捕`, `失窃 → 追捕 (三天后)`.
    fn statement(&self, said: &Said<'_>) -> String {
        match (said.how, said.other) {
            (How::Kinship, _) => self.quote(said),
            (How::After, Some(other)) => format!("{} → {}", self.event(other).title.trim(), self.name(said)),
            (_, Some(other)) => {
                format!("{} → {} ({})", self.event(other).title.trim(), self.name(said), said.words)
            }
            _ => format!("{} ({})", self.name(said), self.quote(said)),
        }
    }
}
