//! What the rules found, kept so that what one rule finds can be exchanged without touching the rest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use crate::rules::{Draft, Rule};
use crate::{Language, Severity, Story, Waiver};

/// What findings are about: the same words as long as it is the same finding.
type Subject = Vec<String>;

/// The place of a finding among all: what is not waived before what is, worst first, then by id.
type Place = (bool, Reverse<Severity>, String);

/// The findings of all rules, in order, with the drafts that they were made of.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    found: BTreeMap<&'static str, Found>,
    findings: BTreeMap<Place, Finding>,
}

/// How drafts are put into words, and which findings are waived.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wording<'c> {
    pub(super) language: Language,
    pub(super) waivers: &'c [Waiver],
}

impl<'c> Wording<'c> {
    pub(super) fn of(story: &'c Story) -> Self {
        Self { language: story.language, waivers: &story.waivers }
    }
}

/// What one rule found.
#[derive(Debug, Default)]
struct Found {
    /// The drafts about each subject. Of several the first by content is put into words.
    drafts: BTreeMap<Subject, Vec<Draft>>,
    /// The subjects by their short id, and where their findings are.
    subjects: BTreeMap<String, BTreeMap<Subject, Option<Place>>>,
}

impl Ledger {
    /// The findings, in order.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.values()
    }

    /// The findings, in order.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_values().collect()
    }

    /// Forgets what the rule found before, and takes note of what it finds now.
    pub(super) fn replace(&mut self, (rule, severity): (&Rule, Severity), drafts: Vec<Draft>, wording: Wording<'_>) {
        let found = self.found.remove(rule.code).unwrap_or_default();
        for place in found.subjects.into_values().flat_map(BTreeMap::into_values).flatten() {
            self.findings.remove(&place);
        }
        let mut found = Found::default();
        let mut shorts = BTreeSet::new();
        for draft in drafts {
            found.add(rule, draft, &mut shorts);
        }
        self.settle((rule, severity), found, shorts, wording);
    }

    /// Takes out what the rule found before in a part of the story, and puts in what it finds there now. `false`, and
    /// nothing is changed, if what is to be taken out is not there: then the part was not all that the rule looks at.
    pub(super) fn exchange(
        &mut self,
        (rule, severity): (&Rule, Severity),
        mut gone: Vec<Draft>,
        mut new: Vec<Draft>,
        wording: Wording<'_>,
    ) -> bool {
        new.retain(|draft| match gone.iter().position(|other| other == draft) {
            Some(same) => {
                gone.swap_remove(same);
                false
            }
            None => true,
        });
        if gone.is_empty() && new.is_empty() {
            return true;
        }
        let mut found = self.found.remove(rule.code).unwrap_or_default();
        let mut shorts = BTreeSet::new();
        let mut taken = Vec::new();
        for draft in gone {
            if !found.take(rule, &draft, &mut shorts) {
                taken.into_iter().for_each(|draft| found.add(rule, draft, &mut BTreeSet::new()));
                self.found.insert(rule.code, found);
                return false;
            }
            taken.push(draft);
        }
        for draft in new {
            found.add(rule, draft, &mut shorts);
        }
        self.settle((rule, severity), found, shorts, wording);
        true
    }

    /// Puts into words what the rule found about the subjects with those short ids.
    fn settle(
        &mut self,
        (rule, severity): (&Rule, Severity),
        mut found: Found,
        shorts: BTreeSet<String>,
        wording: Wording<'_>,
    ) {
        for short in shorts {
            let Some(subjects) = found.subjects.get_mut(&short) else { continue };
            for place in subjects.values_mut().filter_map(Option::take) {
                self.findings.remove(&place);
            }
            subjects.retain(|subject, _| found.drafts.contains_key(subject));
            for (number, (subject, place)) in subjects.iter_mut().enumerate() {
                let drafts = &found.drafts[subject];
                let first = match drafts.as_slice() {
                    [one] => one,
                    several => several.iter().min_by_key(|draft| format!("{draft:?}")).expect("there is a draft"),
                };
                // Six digits are enough to tell findings apart; if two of many collide, the later one gets all digits.
                let id = if number == 0 { short.clone() } else { first.id(rule, 16) };
                let mut finding = first.finish(rule, severity, wording.language, &id);
                let waivers = wording.waivers.iter();
                if let Some(waiver) = waivers.filter(|one| one.holds() && one.covers(&finding.issue)).min() {
                    finding.issue.waived = Some(waiver.clone());
                    finding.instructions.clear();
                }
                let own = (finding.issue.waived.is_some(), Reverse(severity), id);
                self.findings.insert(own.clone(), finding);
                *place = Some(own);
            }
            if subjects.is_empty() {
                found.subjects.remove(&short);
            }
        }
        self.found.insert(rule.code, found);
    }
}

impl Found {
    /// Adds a draft, and the short id of its subject to `shorts`.
    fn add(&mut self, rule: &Rule, draft: Draft, shorts: &mut BTreeSet<String>) {
        let short = draft.id(rule, 6);
        let subject = draft.subject().to_vec();
        self.subjects.entry(short.clone()).or_default().entry(subject.clone()).or_default();
        self.drafts.entry(subject).or_default().push(draft);
        shorts.insert(short);
    }

    /// Takes a draft out, and adds the short id of its subject to `shorts`; `false` if it is not there.
    fn take(&mut self, rule: &Rule, draft: &Draft, shorts: &mut BTreeSet<String>) -> bool {
        let Some(drafts) = self.drafts.get_mut(draft.subject()) else { return false };
        let Some(place) = drafts.iter().position(|other| other == draft) else { return false };
        drafts.swap_remove(place);
        if drafts.is_empty() {
            self.drafts.remove(draft.subject());
        }
        shorts.insert(draft.id(rule, 6));
        true
    }
}
