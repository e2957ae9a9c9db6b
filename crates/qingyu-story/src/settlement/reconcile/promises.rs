//! The promises that a chapter plants, keeps alive or pays, and the secrets that it gives away.

use serde_json::Value;

use super::other_names::alias;
use super::reconciler::{PlannedPiece, Reconciler};
use super::{reference, told_piece};
use crate::Promise;
use crate::piece::{Piece, PieceKind};
use crate::settlement::cast::NameLookup;
use crate::settlement::extraction::{PromiseAction, ToldPromise, ToldSecret};
use crate::settlement::outcome::{Doubt, Reason};
use crate::settlement::record::{Added, Revealed};

impl Reconciler<'_> {
    /// Opens, extends or pays a promise.
    pub(super) fn promise(&mut self, promise: &ToldPromise) {
        let told = told_piece(PieceKind::Promise, promise.name.trim(), &promise.quote, promise.confidence);
        if promise.name.trim().is_empty() {
            return self.reject(&told, Reason::Empty);
        }
        let known = self.known_promise(promise);
        let other_name = known.as_ref().map(|_| promise.name.trim().to_owned());
        let promise = &ToldPromise { name: known.unwrap_or_else(|| promise.name.clone()), ..promise.clone() };
        let place = reference(self.document).to_owned();
        let wanted = self.plan.wanted.iter_mut().find_map(|wanted| match &mut wanted.piece {
            Piece::Promise(other) if other.name == promise.name.trim() => Some(other),
            _ => None,
        });
        if let Some(other) = wanted {
            let list = promise.action.texts_mut(other);
            if !list.contains(&place) {
                list.push(place);
            }
            other.alias.extend(other_name.filter(|name| !other.alias.contains(name)));
            return;
        }
        match self.cast.find_other(&promise.name, &[PieceKind::Promise]) {
            NameLookup::Several(of) => self.ask(&told, Doubt::Which { name: told.label.clone(), of }),
            NameLookup::One(one) => {
                let Some(quote) = self.believe(&told) else { return };
                let Some(known) = self.story.promises.iter().find(|other| other.id == one.id || other.name == one.name)
                else {
                    return;
                };
                let names_this = |name: &String| {
                    self.is_own_node(name) || self.is_same(PieceKind::Document, name, reference(self.document))
                };
                let (kind, id, entry) = (PieceKind::Promise, known.id.clone(), Value::String(place));
                let new = Added { kind, id, field: promise.action.field().into(), entry, quote: quote.quote };
                let is_new = self.was_added(&new) || !promise.action.texts(known).iter().any(names_this);
                let called = alias(&one, other_name.as_deref().unwrap_or(&told.label), new.quote.clone());
                if (other_name.is_some() || self.was_added(&called)) && !known.id.is_empty() {
                    self.plan.added.push(called);
                }
                if is_new && !self.plan.added.iter().any(|other| other.is_of(&new)) {
                    self.plan.added.push(new);
                }
            }
            NameLookup::Nobody(_) if promise.action != PromiseAction::Planted => {
                let Some(node) = self.planting_node(&promise.name) else {
                    return self.ask(&told, Doubt::WhichPromise { name: told.label.clone() });
                };
                // A promise of the outline is open even if no chapter was said to plant it.
                let planted = if node.id.trim().is_empty() { node.name.trim() } else { node.id.trim() };
                let mut piece = Promise {
                    name: promise.name.trim().to_owned(),
                    alias: other_name.into_iter().collect(),
                    planted: vec![planted.to_owned()],
                    importance: promise.importance.clamp(1, 10),
                    ..Promise::default()
                };
                promise.action.texts_mut(&mut piece).push(place);
                let Some(quote) = self.believe(&told) else { return };
                self.plan.wanted.push(PlannedPiece { piece: Piece::Promise(piece), quote, told });
            }
            NameLookup::Nobody(_) => {
                let of = self.like_promises(promise);
                // The author said before which promise is meant.
                if of.iter().any(|known| self.was_told(PieceKind::Promise, &known.id)) {
                    return;
                }
                if !of.is_empty() {
                    return self.ask(&told, Doubt::Same { name: told.label.clone(), of });
                }
                let Some(quote) = self.believe(&told) else { return };
                let due = promise.due.as_deref().filter(|due| self.cast.names().knows(PieceKind::OutlineNode, due));
                let piece = Promise {
                    name: promise.name.trim().to_owned(),
                    alias: other_name.into_iter().collect(),
                    description: promise.description.trim().to_owned(),
                    planted: vec![place],
                    due: due.map(|due| due.trim().to_owned()),
                    importance: promise.importance.clamp(1, 10),
                    ..Promise::default()
                };
                self.plan.wanted.push(PlannedPiece { piece: Piece::Promise(piece), quote, told });
            }
        }
    }

    /// Records a secret given away by the document: one that stands on a card or in the world, with words of the text.
    pub(super) fn reveal(&mut self, secret: &ToldSecret) {
        let of = secret.of.trim();
        let is_truth = of.is_empty();
        let kind = if is_truth { PieceKind::Worldview } else { PieceKind::Character };
        let told = told_piece(kind, of, &secret.quote, secret.confidence);
        let holder = match self.cast.find(of, &[PieceKind::Character]) {
            NameLookup::One(one) => {
                let cards = &self.story.characters;
                cards.iter().find(|card| !card.secret.trim().is_empty() && (card.id == one.id || card.name == one.name))
            }
            _ => None,
        };
        let has_truth = self.story.worldview.as_ref().is_some_and(|world| !world.truth.trim().is_empty());
        let of = match holder {
            Some(card) if card.id.trim().is_empty() => card.name.trim(),
            Some(card) => card.id.trim(),
            None if is_truth && has_truth => "",
            None => return,
        };
        let is_believed = secret.confidence >= self.config.ask;
        match self.text.citation(reference(self.document), self.document.version, &told.quote) {
            Some(found) if is_believed => {
                let new = Revealed { of: of.to_owned(), quote: found.quote };
                if !self.plan.revealed.contains(&new) {
                    self.plan.revealed.push(new);
                }
            }
            Some(_) => {}
            None => self.reject(&told, Reason::NotInText),
        }
    }
}
