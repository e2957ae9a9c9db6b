//! A story with its findings, updated while the story is edited.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::finding::{Config, Finding};
use super::ledger::{FindingLedger, Wording};
use super::neighbours::{FactEntry, FactIndex, Slot};
use super::run::{conclude, look, reads_plan, running};
use crate::chapters::Chapters;
use crate::due::is_due;
use crate::edit::{AppliedEdit, EditStep, Error};
use crate::ids::Issuer;
use crate::piece::{Piece, PieceKind};
use crate::rules::{FactScope, FindingDraft, Rule, RuleMaterial};
use crate::settlement::told_otherwise;
use crate::truth::{Extract, StoryFrame};
use crate::{Document, Fact, Manuscript, Severity, Story, TimelineEvent};

/// A story and its findings, updated while the story is edited.
///
/// After a change of a few facts, the rules about statements recheck these facts and their neighbours, and no other
/// rule runs; after a change of a text, the rules about single chapters recheck the chapter. After any other change,
/// every rule reading the changed kinds of pieces reruns on the whole story. The findings always equal the result of
/// [`findings`](super::findings).
///
/// ```
/// use qingyu_story::{Config, Edit, Fact, Piece, Story, check::StoryChecker, edit};
///
/// let mut checker = StoryChecker::new(Story::default(), Config::default());
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
pub struct StoryChecker {
    config: Config,
    story: Story,
    issuer: Issuer,
    manuscript: Manuscript,
    frame: Arc<StoryFrame>,
    neighbours: FactIndex,
    ledger: FindingLedger,
    /// The planned events that the texts tell otherwise, by position: as told, and as planned while rules run.
    told: Vec<(usize, TimelineEvent)>,
}

/// The work done to recheck a story.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecheckStats {
    /// The rules rerun on the whole story.
    pub whole: Vec<&'static str>,
    /// The rules rerun only near the change.
    pub near: Vec<&'static str>,
    /// The number of facts near the change.
    pub facts: usize,
}

/// The parts of a story affected by a change.
#[derive(Debug, Default)]
struct TouchedParts<'c> {
    /// The steps changing facts.
    facts: Vec<&'c EditStep>,
    /// The texts before and after, with the same title and order.
    texts: Vec<(&'c Document, &'c Document)>,
    /// The kinds of other changed pieces.
    kinds: BTreeSet<PieceKind>,
}

/// The facts about to change, and the facts near them.
struct ChangedFacts {
    /// The names in the facts, before and after.
    entries: Vec<FactEntry>,
    /// The added and removed ids.
    ids: Vec<String>,
    near: BTreeSet<Slot>,
    /// The displayed spellings of the names.
    shown: Vec<Vec<Option<String>>>,
    /// The slots of all facts, in story order.
    order: Vec<Slot>,
}

/// Facts checked together, before and after the change, with the pieces checked alongside.
struct FactSubset {
    before: Vec<Fact>,
    after: Vec<Fact>,
    extract: Extract,
}

/// The maximum number of changed facts for an incremental check; beyond, all facts are rechecked.
const FEW: usize = 64;
/// The number of facts always rechecked incrementally, even if they are more than half of all.
const ENOUGH: usize = 500;

impl StoryChecker {
    /// Checks `story`.
    pub fn new(mut story: Story, config: Config) -> Self {
        let mut told = told_otherwise(&story);
        exchange_events(&mut story, &mut told);
        let frame = Arc::new(StoryFrame::of(&story));
        let neighbours = FactIndex::of(&story, &frame);
        exchange_events(&mut story, &mut told);
        let issuer = Issuer::of(&story);
        let (manuscript, ledger) = (Manuscript::default(), FindingLedger::default());
        let mut checker = Self { config, story, issuer, manuscript, frame, neighbours, ledger, told };
        checker.look_whole(|_| true);
        conclude(&mut checker.ledger, &checker.story, &checker.config);
        checker
    }

    /// Returns the current story.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// Returns the findings, most severe first; waived findings come last.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.ledger.findings()
    }

    /// Applies the change to the story, and updates the findings.
    ///
    /// Returns an error and leaves everything unchanged if the change does not fit, same as [`AppliedEdit::apply`].
    pub fn apply(&mut self, change: &AppliedEdit) -> Result<RecheckStats, Error> {
        let touched = TouchedParts::by(change);
        let seeds = self.seeds(&touched);
        let due = self.due_waivers();
        let places = change.carry_out(&mut self.story)?;
        change.note_ids(&mut self.issuer);
        self.issuer.remember_in(&mut self.story);
        let part = self.exchange_facts(change, &places, seeds);
        let told = told_otherwise(&self.story);
        let is_told_anew = told != self.told;
        self.told = told;
        if !touched.kinds.is_empty() || is_told_anew {
            exchange_events(&mut self.story, &mut self.told);
            self.frame = Arc::new(StoryFrame::of(&self.story));
            self.neighbours = FactIndex::of(&self.story, &self.frame);
            exchange_events(&mut self.story, &mut self.told);
        }
        // A waiver that falls due, or no longer does, may cover a finding of any rule; so may words of a text that tell an
        // event otherwise than planned.
        let is_near = self.due_waivers() == due && !(is_told_anew && touched.kinds.is_empty());
        let effort = match is_near {
            true => self.look_again(&touched, part),
            false => RecheckStats { whole: self.look_whole(|_| true), ..RecheckStats::default() },
        };
        conclude(&mut self.ledger, &self.story, &self.config);
        Ok(effort)
    }

    /// Returns which waivers have fallen due; empty if none has a date.
    fn due_waivers(&self) -> Vec<bool> {
        if self.story.waivers.iter().all(|waiver| waiver.due.is_none()) {
            return Vec::new();
        }
        let chapters = Chapters::with(&self.story, &self.frame.names);
        self.story.waivers.iter().map(|waiver| is_due(waiver, &self.story, &chapters)).collect()
    }

    /// Runs the selected rules on the whole story, and returns their codes.
    fn look_whole(&mut self, is_meant: impl Fn(&Rule) -> bool) -> Vec<&'static str> {
        let meant: Vec<(&Rule, Severity)> = running(&self.config).filter(|(rule, _)| is_meant(rule)).collect();
        let reads_texts = meant.iter().any(|(rule, _)| rule.scope().texts != FactScope::Nothing);
        exchange_events(&mut self.story, &mut self.told);
        let chapters = if reads_texts { self.manuscript.chapters(&self.story) } else { Vec::new() };
        let material = RuleMaterial::framed(&self.story, chapters, &self.frame).knowing(&self.config);
        let found = look(&meant, &material);
        drop(material);
        exchange_events(&mut self.story, &mut self.told);
        let wording = Wording::of(&self.story);
        for ((rule, severity), drafts) in meant.iter().zip(found) {
            self.ledger.replace((rule, *severity), drafts, &wording);
        }
        if !self.told.is_empty() {
            let planned = RuleMaterial::with(&self.story, Vec::new());
            for (rule, severity) in meant.iter().filter(|(rule, _)| reads_plan(rule)) {
                self.ledger.replace((rule, *severity), rule.look(&planned), &wording);
            }
        }
        meant.into_iter().map(|(rule, _)| rule.code).collect()
    }
}

/// Incremental checking.
impl StoryChecker {
    /// Returns the facts near the facts about to change, or `None` if no fact changes or all facts may be near.
    fn seeds(&mut self, touched: &TouchedParts<'_>) -> Option<ChangedFacts> {
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
        Some(ChangedFacts { entries, ids, near, shown, order: self.neighbours.order().to_vec() })
    }

    /// Registers the changed facts. Returns the facts near them, before and after, or `None` if all facts may be near.
    fn exchange_facts(
        &mut self,
        change: &AppliedEdit,
        places: &[usize],
        seeds: Option<ChangedFacts>,
    ) -> Option<FactSubset> {
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

    fn part(&self, seeds: ChangedFacts, was: &BTreeMap<Slot, Option<&Fact>>) -> Option<FactSubset> {
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
        Some(FactSubset {
            before: of_part(&seeds.order).iter().filter_map(then).collect(),
            after: of_part(self.neighbours.order()).iter().filter_map(now).collect(),
            extract: self.neighbours.extract(&slots, &seeds.entries),
        })
    }

    /// Reruns every rule on the parts to recheck.
    fn look_again(&mut self, touched: &TouchedParts<'_>, part: Option<FactSubset>) -> RecheckStats {
        let (has_facts, has_texts) = (!touched.facts.is_empty(), !touched.texts.is_empty());
        let (mut whole, mut of_facts, mut of_texts) = (BTreeSet::new(), Vec::new(), Vec::new());
        for (rule, severity) in running(&self.config).filter(|(rule, _)| !rule.is_about_findings()) {
            let scope = rule.scope();
            let facts = if has_facts { scope.facts } else { FactScope::Nothing };
            let of_role = matches!(facts, FactScope::Roles(_))
                && (part.is_none() || touched.changed_facts().any(|fact| facts.is_of_role(fact)));
            let texts = if has_texts { scope.texts } else { FactScope::Nothing };
            let is_whole = touched.kinds.iter().any(|kind| scope.reads(*kind))
                || facts == FactScope::All
                || of_role
                || texts == FactScope::All
                || (facts == FactScope::Near && part.is_none());
            if is_whole {
                whole.insert(rule.code);
                continue;
            }
            if facts == FactScope::Near {
                of_facts.push((rule, severity));
            }
            if texts == FactScope::Near {
                of_texts.push((rule, severity));
            }
        }
        let mut effort = RecheckStats::default();
        let mut exchanged = Vec::new();
        if let Some(FactSubset { before, after, extract }) = part {
            effort.facts = after.len();
            let gone = self.look_at_facts(before, &extract, &of_facts);
            let new = self.look_at_facts(after, &extract, &of_facts);
            exchanged.extend(of_facts.into_iter().zip(gone.into_iter().zip(new)));
        }
        for (before, after) in &touched.texts {
            let (gone, new) = (self.look_at_text(before, &of_texts), self.look_at_text(after, &of_texts));
            exchanged.extend(of_texts.iter().copied().zip(gone.into_iter().zip(new)));
        }
        let wording = Wording::of(&self.story);
        for ((rule, severity), (gone, new)) in exchanged {
            if self.ledger.exchange((rule, severity), gone, new, &wording) {
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

    /// Returns the drafts of the rules for a few facts.
    fn look_at_facts(
        &mut self,
        facts: Vec<Fact>,
        extract: &Extract,
        rules: &[(&Rule, Severity)],
    ) -> Vec<Vec<FindingDraft>> {
        let all = std::mem::replace(&mut self.story.facts, facts);
        exchange_events(&mut self.story, &mut self.told);
        let material = RuleMaterial::part(&self.story, &self.frame, extract.clone()).knowing(&self.config);
        let found = rules.iter().map(|(rule, _)| rule.look(&material)).collect();
        drop(material);
        exchange_events(&mut self.story, &mut self.told);
        self.story.facts = all;
        found
    }

    /// Returns the drafts of the rules for one text.
    fn look_at_text(&mut self, document: &Document, rules: &[(&Rule, Severity)]) -> Vec<Vec<FindingDraft>> {
        exchange_events(&mut self.story, &mut self.told);
        let chapter = (document.order > 0).then(|| self.manuscript.chapter(document));
        let material = RuleMaterial::framed(&self.story, chapter.into_iter().collect(), &self.frame);
        let material = material.knowing(&self.config);
        let found = rules.iter().map(|(rule, _)| rule.look(&material)).collect();
        drop(material);
        exchange_events(&mut self.story, &mut self.told);
        found
    }
}

impl<'c> TouchedParts<'c> {
    fn by(change: &'c AppliedEdit) -> Self {
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

    /// Iterates over the changed facts, before and after.
    fn changed_facts(&self) -> impl Iterator<Item = &'c Fact> {
        self.facts.iter().flat_map(|step| sides(step)).flatten()
    }
}

/// Exchanges the events of the story with `others` at the same positions.
fn exchange_events(story: &mut Story, others: &mut [(usize, TimelineEvent)]) {
    for (at, event) in others {
        std::mem::swap(&mut story.timeline_events[*at], event);
    }
}

/// Returns the fact changed by a step, before and after.
fn sides(step: &EditStep) -> [Option<&Fact>; 2] {
    [&step.before, &step.after].map(|piece| piece.as_ref().and_then(fact_of))
}

/// Returns whether only the words of a document changed.
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
