//! A story with its findings, kept while the story is edited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ledger::{Ledger, Wording};
use super::neighbours::{Entry, Neighbours, Slot};
use super::{Config, Finding, conclude, look, running};
use crate::edit::{Change, Error, Step};
use crate::ids::Issuer;
use crate::piece::{Piece, PieceKind};
use crate::rules::{Draft, Material, Reads, Rule};
use crate::truth::{Extract, Frame};
use crate::{Document, Fact, Manuscript, Severity, Story};

/// A story and what the rules find in it, kept while the story is edited.
///
/// After a change of a few facts, the rules about statements look at these facts and their neighbours again, and no other
/// rule looks at anything; after a change of a text, the rules about single chapters look at that chapter. A change of
/// anything else is looked at whole, by all rules that read such pieces. What is found is always what
/// [`findings`](super::findings) finds.
///
/// ```
/// use qingyu_story::{Config, Edit, Fact, Piece, Story, check::Checker, edit};
///
/// let mut checker = Checker::new(Story::default(), Config::default());
/// let mut story = checker.story().clone();
/// for colour in ["黑", "蓝"] {
///     let fact = Fact { subject: "林青".into(), predicate: "瞳色".into(), value: colour.into(), ..Fact::default() };
///     let change = edit::apply(&mut story, Edit::Create { piece: Piece::Fact(fact) })?;
///     checker.apply(&change)?;
/// }
/// assert!(checker.findings().any(|finding| finding.issue.code.as_deref() == Some("QY408")));
/// # Ok::<(), edit::Error>(())
/// ```
#[derive(Debug)]
pub struct Checker {
    config: Config,
    story: Story,
    issuer: Issuer,
    manuscript: Manuscript,
    frame: Arc<Frame>,
    neighbours: Neighbours,
    ledger: Ledger,
}

/// What it took to check a story again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effort {
    /// The rules that looked at all they read.
    pub whole: Vec<&'static str>,
    /// The rules that looked only near the change.
    pub near: Vec<&'static str>,
    /// How many facts were near the change.
    pub facts: usize,
}

/// What a change touches.
#[derive(Debug, Default)]
struct Touched<'c> {
    /// The steps that change facts.
    facts: Vec<&'c Step>,
    /// The texts before and after; both have the same title and order.
    texts: Vec<(&'c Document, &'c Document)>,
    /// Kinds of other pieces.
    kinds: BTreeSet<PieceKind>,
}

/// Facts that are about to change, and those near them.
struct Seeds {
    /// What the facts name, before and after.
    entries: Vec<Entry>,
    /// The ids that come or go.
    ids: Vec<String>,
    near: BTreeSet<Slot>,
    /// How the names in them are shown.
    shown: Vec<Vec<Option<String>>>,
    /// The slots of all facts, in the order of the story.
    order: Vec<Slot>,
}

/// Facts that are looked at together, as they were and as they are, and the pieces that are looked at with them.
struct Part {
    before: Vec<Fact>,
    after: Vec<Fact>,
    extract: Extract,
}

/// If more facts change at once, all are looked at.
const FEW: usize = 64;
/// So many facts are looked at together even if they are most of all.
const ENOUGH: usize = 500;

impl Checker {
    /// Checks `story`.
    pub fn new(story: Story, config: Config) -> Self {
        let frame = Arc::new(Frame::of(&story));
        let neighbours = Neighbours::of(&story, &frame);
        let issuer = Issuer::of(&story);
        let (manuscript, ledger) = (Manuscript::default(), Ledger::default());
        let mut checker = Self { config, story, issuer, manuscript, frame, neighbours, ledger };
        checker.look_whole(|_| true);
        conclude(&mut checker.ledger, &checker.story, &checker.config);
        checker
    }

    /// The story as it is now.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The story as it is now, without the checker.
    pub fn into_story(self) -> Story {
        self.story
    }

    /// What the rules find in it, worst first; what is waived comes last.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.ledger.findings()
    }

    /// Does the change to the story, and finds what changes by it.
    ///
    /// Fails without touching anything if the change does not fit, as [`Change::apply`] does.
    pub fn apply(&mut self, change: &Change) -> Result<Effort, Error> {
        let touched = Touched::by(change);
        let seeds = self.seeds(&touched);
        let places = change.carry_out(&mut self.story)?;
        change.note_ids(&mut self.issuer);
        self.issuer.remember_in(&mut self.story);
        let part = self.exchange_facts(change, &places, seeds);
        if !touched.kinds.is_empty() {
            self.frame = Arc::new(Frame::of(&self.story));
            self.neighbours = Neighbours::of(&self.story, &self.frame);
        }
        let effort = self.look_again(&touched, part);
        conclude(&mut self.ledger, &self.story, &self.config);
        Ok(effort)
    }

    /// Runs those rules on the whole story; gives their codes.
    fn look_whole(&mut self, is_meant: impl Fn(&Rule) -> bool) -> Vec<&'static str> {
        let meant: Vec<(&Rule, Severity)> = running(&self.config).filter(|(rule, _)| is_meant(rule)).collect();
        let reads_texts = meant.iter().any(|(rule, _)| rule.scope().texts != Reads::Nothing);
        let chapters = if reads_texts { self.manuscript.chapters(&self.story) } else { Vec::new() };
        let material = Material::framed(&self.story, chapters, &self.frame);
        for ((rule, severity), drafts) in meant.iter().zip(look(&meant, &material)) {
            self.ledger.replace((rule, *severity), drafts, Wording::of(&self.story));
        }
        meant.into_iter().map(|(rule, _)| rule.code).collect()
    }
}

/// Incremental checking, step by step.
impl Checker {
    /// The facts near those that are about to change; none if no fact changes, or all may be near.
    fn seeds(&mut self, touched: &Touched<'_>) -> Option<Seeds> {
        if touched.facts.is_empty() || touched.facts.len() > FEW || !touched.kinds.is_empty() {
            return None;
        }
        let (mut entries, mut ids) = (Vec::new(), Vec::new());
        for step in &touched.facts {
            let facts = sides(step);
            entries.extend(facts.into_iter().flatten().map(|fact| self.neighbours.read(fact)));
            let [before, after] = facts.map(|fact| fact.map(|fact| fact.id.trim()).filter(|id| !id.is_empty()));
            if before != after {
                ids.extend(before.into_iter().chain(after).map(str::to_owned));
            }
        }
        let near = self.neighbours.around(&entries, &ids)?;
        let shown = entries.iter().map(|entry| self.neighbours.shown(entry)).collect();
        Some(Seeds { entries, ids, near, shown, order: self.neighbours.order().to_vec() })
    }

    /// Takes note of the facts that changed; gives those near them as they were and as they are, if not all may be near.
    fn exchange_facts(&mut self, change: &Change, places: &[usize], seeds: Option<Seeds>) -> Option<Part> {
        let mut was: BTreeMap<Slot, Option<&Fact>> = BTreeMap::new();
        let mut gone = Vec::new();
        for (step, place) in change.steps.iter().zip(places).filter(|(step, _)| step.kind() == Some(PieceKind::Fact)) {
            let [before, after] = sides(step);
            let slot = match (before, after) {
                (Some(_), Some(after)) => self.neighbours.replace(*place, after),
                (None, Some(after)) => self.neighbours.insert(*place, after),
                _ => {
                    let slot = self.neighbours.remove(*place);
                    gone.push(slot);
                    slot
                }
            };
            was.entry(slot).or_insert(before);
        }
        let part = seeds.and_then(|seeds| self.part(seeds, &was));
        gone.into_iter().for_each(|slot| self.neighbours.release(slot));
        part
    }

    fn part(&self, seeds: Seeds, was: &BTreeMap<Slot, Option<&Fact>>) -> Option<Part> {
        let mut slots = self.neighbours.around(&seeds.entries, &seeds.ids)?;
        slots.extend(seeds.near);
        slots.extend(was.keys());
        let is_shown_otherwise = seeds.entries.iter().zip(&seeds.shown).any(|(entry, shown)| {
            let now = self.neighbours.shown(entry);
            now.iter().zip(shown).any(|(now, before)| now.is_some() && before.is_some() && now != before)
        });
        let are_most = slots.len() > ENOUGH.max(self.neighbours.len() / 2);
        if is_shown_otherwise || are_most {
            return None;
        }
        let is_near = self.neighbours.marked(&slots);
        let positions = self.neighbours.order().iter().enumerate().filter(|(_, slot)| is_near[**slot as usize]);
        let positions: BTreeMap<Slot, usize> = positions.map(|(position, slot)| (*slot, position)).collect();
        let now = |slot: &Slot| positions.get(slot).map(|position| self.story.facts[*position].clone());
        let then = |slot: &Slot| was.get(slot).map_or_else(|| now(slot), |fact| fact.cloned());
        let of_part =
            |order: &[Slot]| order.iter().filter(|slot| is_near[**slot as usize]).copied().collect::<Vec<_>>();
        Some(Part {
            before: of_part(&seeds.order).iter().filter_map(then).collect(),
            after: of_part(self.neighbours.order()).iter().filter_map(now).collect(),
            extract: self.neighbours.extract(&slots, &seeds.entries),
        })
    }

    /// Lets every rule look at what it must look at again.
    fn look_again(&mut self, touched: &Touched<'_>, part: Option<Part>) -> Effort {
        let (has_facts, has_texts) = (!touched.facts.is_empty(), !touched.texts.is_empty());
        let (mut whole, mut of_facts, mut of_texts) = (BTreeSet::new(), Vec::new(), Vec::new());
        for (rule, severity) in running(&self.config).filter(|(rule, _)| !rule.is_about_findings()) {
            let scope = rule.scope();
            let facts = if has_facts { scope.facts } else { Reads::Nothing };
            let of_role = matches!(facts, Reads::Roles(_))
                && (part.is_none() || touched.changed_facts().any(|fact| facts.is_of_role(fact)));
            let texts = if has_texts { scope.texts } else { Reads::Nothing };
            let is_whole = touched.kinds.iter().any(|kind| scope.reads(*kind))
                || facts == Reads::All
                || of_role
                || texts == Reads::All
                || (facts == Reads::Near && part.is_none());
            if is_whole {
                whole.insert(rule.code);
                continue;
            }
            if facts == Reads::Near {
                of_facts.push((rule, severity));
            }
            if texts == Reads::Near {
                of_texts.push((rule, severity));
            }
        }
        let mut effort = Effort::default();
        let mut exchanged = Vec::new();
        if let Some(Part { before, after, extract }) = part {
            effort.facts = after.len();
            let gone = self.look_at_facts(before, &extract, &of_facts);
            let new = self.look_at_facts(after, &extract, &of_facts);
            exchanged.extend(of_facts.into_iter().zip(gone.into_iter().zip(new)));
        }
        for (before, after) in &touched.texts {
            let (gone, new) = (self.look_at_text(before, &of_texts), self.look_at_text(after, &of_texts));
            exchanged.extend(of_texts.iter().copied().zip(gone.into_iter().zip(new)));
        }
        for ((rule, severity), (gone, new)) in exchanged {
            if self.ledger.exchange((rule, severity), gone, new, Wording::of(&self.story)) {
                effort.near.push(rule.code);
            } else {
                whole.insert(rule.code);
            }
        }
        effort.near.retain(|code| !whole.contains(code));
        effort.near.dedup();
        effort.whole = self.look_whole(|rule| whole.contains(rule.code));
        effort
    }

    /// What those rules find among a few facts.
    fn look_at_facts(&mut self, facts: Vec<Fact>, extract: &Extract, rules: &[(&Rule, Severity)]) -> Vec<Vec<Draft>> {
        let all = std::mem::replace(&mut self.story.facts, facts);
        let material = Material::part(&self.story, &self.frame, extract.clone());
        let found = rules.iter().map(|(rule, _)| rule.look(&material)).collect();
        drop(material);
        self.story.facts = all;
        found
    }

    /// What those rules find in one text.
    fn look_at_text(&mut self, document: &Document, rules: &[(&Rule, Severity)]) -> Vec<Vec<Draft>> {
        let chapter = (document.order > 0).then(|| self.manuscript.chapter(document));
        let material = Material::framed(&self.story, chapter.into_iter().collect(), &self.frame);
        rules.iter().map(|(rule, _)| rule.look(&material)).collect()
    }
}

impl<'c> Touched<'c> {
    fn by(change: &'c Change) -> Self {
        let mut touched = Self::default();
        for step in &change.steps {
            match (&step.before, &step.after) {
                (Some(Piece::Document(before)), Some(Piece::Document(after))) if is_rewritten(before, after) => {
                    touched.texts.push((before, after));
                }
                (Some(Piece::Fact(_)), _) | (_, Some(Piece::Fact(_))) => touched.facts.push(step),
                _ => touched.kinds.extend(step.kind()),
            }
        }
        touched
    }

    /// The facts that change, before and after.
    fn changed_facts(&self) -> impl Iterator<Item = &'c Fact> {
        self.facts.iter().flat_map(|step| sides(step)).flatten()
    }
}

/// The fact that a step changes, before and after.
fn sides(step: &Step) -> [Option<&Fact>; 2] {
    [&step.before, &step.after].map(|piece| piece.as_ref().and_then(fact_of))
}

/// Whether only the words of a document changed.
fn is_rewritten(before: &Document, after: &Document) -> bool {
    let head = |document: &'_ Document| {
        let years = document.settled.as_ref().map(|settled| settled.years.clone());
        (document.id.clone(), document.title.clone(), document.order, document.outline_node.clone(), years)
    };
    head(before) == head(after)
}

fn fact_of(piece: &Piece) -> Option<&Fact> {
    match piece {
        Piece::Fact(fact) => Some(fact),
        _ => None,
    }
}
