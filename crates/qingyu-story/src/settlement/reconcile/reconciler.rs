//! The state of a reconciliation.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Names;
use crate::piece::{Piece, PieceKind};
use crate::settlement::cast::CastIndex;
use crate::settlement::fact_index::SubjectFacts;
use crate::settlement::likeness::TitleComparer;
use crate::settlement::outcome::{Config, Question, Rejected, Told};
use crate::settlement::quotes::Quotable;
use crate::settlement::record::{Added, Differs, Retold, Revealed, ToldHere};
use crate::{Document, Quotation, Story};

/// The changes of a story by an extraction.
#[derive(Debug, Default)]
pub(in crate::settlement) struct SettlementPlan {
    /// The new pieces, without ids.
    pub(in crate::settlement) wanted: Vec<PlannedPiece>,
    /// The additions to existing pieces.
    pub(in crate::settlement) added: Vec<Added>,
    /// The existing facts, with the sentences retelling them.
    pub(in crate::settlement) retold: Vec<Retold>,
    /// The differences from planned events.
    pub(in crate::settlement) differs: Vec<Differs>,
    /// The existing events that the document tells.
    pub(in crate::settlement) events: Vec<ToldHere>,
    /// The secrets given away.
    pub(in crate::settlement) revealed: Vec<Revealed>,
    pub(in crate::settlement) doubtful: Vec<Told>,
    pub(in crate::settlement) questions: Vec<Question>,
    pub(in crate::settlement) rejected: Vec<Rejected>,
}

/// A piece made by an extraction.
#[derive(Debug)]
pub(in crate::settlement) struct PlannedPiece {
    pub(in crate::settlement) piece: Piece,
    /// The source quote.
    pub(in crate::settlement) quote: Quotation,
    pub(in crate::settlement) told: Told,
}

/// Reconciles one extraction for one document.
pub(in crate::settlement) struct Reconciler<'s> {
    pub(super) story: &'s Story,
    pub(super) document: &'s Document,
    pub(super) text: Quotable<'s>,
    pub(super) cast: CastIndex,
    /// The facts of the story by subject and predicate.
    pub(super) facts: Arc<SubjectFacts>,
    /// The ids of the facts previously made from the document.
    pub(super) own: FxHashSet<&'s str>,
    pub(super) config: Config,
    /// Built for the first event or promise without a known name.
    pub(super) titles: OnceCell<TitleComparer>,
    /// The positions of the known events that the reading itself names as such.
    pub(super) named_events: BTreeSet<usize>,
    /// The ids of the events made from any document; built for the first event without a known name.
    pub(super) made_events: OnceCell<FxHashSet<&'s str>>,
    /// The places of the texts by id and title; built for the first count with an earlier one.
    pub(super) orders: OnceCell<FxHashMap<&'s str, u32>>,
    pub(super) plan: SettlementPlan,
}

/// The removable pieces previously made from the document; ignored in lookups.
pub(in crate::settlement) struct LeavingPieces<'s> {
    pub(in crate::settlement) facts: FxHashSet<&'s str>,
    pub(in crate::settlement) cards: BTreeSet<(PieceKind, usize)>,
    /// All cards previously made from the document, including cards to remain.
    pub(in crate::settlement) own: BTreeSet<(PieceKind, usize)>,
}

impl<'s> Reconciler<'s> {
    pub(in crate::settlement) fn new(
        story: &'s Story,
        names: Arc<Names>,
        facts: Arc<SubjectFacts>,
        document: usize,
        leaving: LeavingPieces<'s>,
        config: Config,
    ) -> Self {
        let document = &story.documents[document];
        Self {
            story,
            document,
            text: Quotable::of(&document.text),
            cast: CastIndex::new(names, leaving.cards, leaving.own),
            facts,
            own: leaving.facts,
            config,
            titles: OnceCell::new(),
            named_events: BTreeSet::new(),
            made_events: OnceCell::new(),
            orders: OnceCell::new(),
            plan: SettlementPlan::default(),
        }
    }

    /// Returns whether two names mean the same piece of the kind.
    pub(super) fn is_same(&self, kind: PieceKind, a: &str, b: &str) -> bool {
        let names = self.cast.names();
        a.trim() == b || names.resolve(kind, a).is_some_and(|a| names.resolve(kind, b) == Some(a))
    }

    /// Returns the note at titles shared with events of other chapters.
    pub(super) fn note(&self) -> String {
        format!("（{}）", self.document.title.trim())
    }

    /// Returns the title with the chapter's note.
    pub(super) fn noted(&self, title: &str) -> String {
        format!("{}{}", title.trim(), self.note())
    }

    pub(super) fn is_own_node(&self, node: &str) -> bool {
        let own = self.document.outline_node.as_deref();
        own.is_some_and(|own| self.is_same(PieceKind::OutlineNode, node, own))
    }
}
