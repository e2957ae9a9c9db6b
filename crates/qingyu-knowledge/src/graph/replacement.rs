//! The dates that end an edge: of a later value of a word with one value at a time, or of a later holder of a thing.

use qingyu_story::predicate::{self, PredicateRole};
use serde_json::Value;

use super::parts::{DatedSpan, EdgeId, KindId, NodeId};
use super::story_graph::{StoryGraph, of_word};

impl StoryGraph {
    /// Returns the narrated dates that come after the edge and end it: of a word with one value at a time, of its other
    /// edges; of the holder of a thing also those at which another gets it, the holder parts with it, or it is destroyed.
    pub(super) fn replacements(&self, id: EdgeId) -> Vec<&DatedSpan> {
        let edge = &self[id];
        let word = self.word(edge.kind);
        let of_subject = of_word(self.leaving(edge.from), edge.kind).iter().filter(|_| word.single);
        let of_object = of_word(self.arriving(edge.to), edge.kind).iter().filter(|_| word.exclusive);
        let others = of_subject.chain(of_object).map(|(_, _, other)| &self[*other].dated);
        let mut since: Vec<&DatedSpan> =
            others.filter(|other| other.is_narrated() && other.is_after(&edge.dated, self)).collect();
        if word.exclusive {
            let of_thing = self.ends_of_holding(edge.from, edge.to);
            since.extend(of_thing.filter(|other| other.is_narrated() && other.comes_after(&edge.dated, self)));
        }
        since
    }

    /// Returns the narrated dates at which the subject of an edge gets its object, if the object has one holder at a time.
    pub(super) fn returns(&self, id: EdgeId) -> Vec<&DatedSpan> {
        let edge = &self[id];
        if !self.word(edge.kind).exclusive {
            return Vec::new();
        }
        let own = self.arriving(edge.to).iter().filter(|(_, from, _)| *from == edge.from);
        let got = own.filter(|(kind, ..)| self.role(*kind) == Some(PredicateRole::Getting));
        got.map(|(_, _, other)| &self[*other].dated).filter(|dated| dated.is_narrated()).collect()
    }

    /// Returns the dates at which `thing` is no longer with `holder`, in no order.
    fn ends_of_holding(&self, holder: NodeId, thing: NodeId) -> impl Iterator<Item = &DatedSpan> {
        let is_end = move |kind: KindId, subject: NodeId| match self.role(kind) {
            Some(PredicateRole::Holding | PredicateRole::Getting) => subject != holder,
            Some(PredicateRole::Parting) => subject == holder,
            Some(PredicateRole::Destruction) => true,
            _ => false,
        };
        let ties = self.arriving(thing).iter().filter(move |(kind, subject, _)| is_end(*kind, *subject));
        let is_gone = |name: &str| {
            let role = predicate::find(name).and_then(|word| word.role);
            matches!(role, Some(PredicateRole::Parting | PredicateRole::Destruction))
        };
        let said = self[thing].properties.iter().filter(move |(name, _)| is_gone(name)).flat_map(|(_, all)| all);
        let said = said.filter(|property| property.value == Value::Bool(true)).map(|property| &property.dated);
        ties.map(|(_, _, edge)| &self[*edge].dated).chain(said)
    }

    fn role(&self, kind: KindId) -> Option<PredicateRole> {
        predicate::find(&self.word(kind).name)?.role
    }
}

impl DatedSpan {
    /// Returns whether the date certainly begins after `other`.
    pub(super) fn is_after(&self, other: &Self, graph: &StoryGraph) -> bool {
        match (other.begin, self.begin) {
            (Some(other), Some(begin)) => graph.clock().is_before(other, begin),
            (None, Some(_)) => other.is_first,
            _ => false,
        }
    }

    /// Returns whether the date of a change of hands comes after `other`: by their times, and where these do not say, as on
    /// one day or in one chapter, by the places at which they are told. In one sentence, what is over is first.
    pub(super) fn comes_after(&self, other: &Self, graph: &StoryGraph) -> bool {
        let place = |dated: &Self| (!dated.is_first, dated.told, dated.sentence, dated.end.is_none());
        match (other.begin, self.begin) {
            (Some(before), Some(begin)) if !graph.clock().is_ordered_by_telling(before, begin) => {
                graph.clock().is_before(before, begin)
            }
            _ => place(other) < place(self),
        }
    }
}
