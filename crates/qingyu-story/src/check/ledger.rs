//! The findings of all rules, stored so that one rule's findings can be replaced alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use crate::due::due_and_in_force;
use crate::rules::{FindingDraft, Rule};
use crate::{Document, Language, Severity, Story, Waiver};

/// The code of the rule that repeats the remarks of a reviewer.
const OPEN_REMARK: &str = "QY002";

/// The subject of findings, stable as long as the finding is the same.
type DraftSubject = Vec<String>;

/// The sort key of a finding: unwaived first, then most severe, then by id.
type FindingOrderKey = (bool, Reverse<Severity>, String);

/// The findings of all rules, in order, with their drafts.
#[derive(Debug, Default)]
pub(super) struct FindingLedger {
    found: BTreeMap<&'static str, RuleFindings>,
    findings: BTreeMap<FindingOrderKey, Finding>,
}

/// The text rendering of drafts, the waivers, and the objections of agents.
#[derive(Debug)]
pub(super) struct Wording<'c> {
    language: Language,
    /// The waivers in force.
    waivers: Vec<&'c Waiver>,
    /// The texts with findings that an agent disputes.
    disputed: Vec<&'c Document>,
}

impl<'c> Wording<'c> {
    /// Returns the wording of a story with its waivers in force.
    pub(super) fn of(story: &'c Story) -> Self {
        let (_, waivers) = due_and_in_force(story);
        let disputed = story.documents.iter().filter(|document| !document.disputes.is_empty()).collect();
        Self { language: story.language, waivers, disputed }
    }

    /// Returns the wording of a story, ignoring its waivers.
    pub(super) fn without_waivers(story: &'c Story) -> Self {
        Self { language: story.language, waivers: Vec::new(), disputed: Vec::new() }
    }

    /// Returns why an agent holds the finding to be wrong, if one does.
    fn objection(&self, finding: &Finding) -> Option<String> {
        let issue = &finding.issue;
        let dispute = self.disputed.iter().find_map(|document| match issue.code.as_deref() {
            Some(OPEN_REMARK) => issue.evidence.iter().find_map(|one| document.dispute_of(None, &one.quote)),
            _ => document.dispute_of(Some(&issue.id), ""),
        });
        dispute.map(|dispute| dispute.reason.clone())
    }
}

/// The drafts of one rule.
#[derive(Debug, Default)]
struct RuleFindings {
    /// The drafts about each subject. Of several, the first by content is rendered.
    drafts: BTreeMap<DraftSubject, Vec<FindingDraft>>,
    /// The subjects by short id, with the sort keys of their findings.
    subjects: BTreeMap<String, BTreeMap<DraftSubject, Option<FindingOrderKey>>>,
}

impl FindingLedger {
    /// Iterates over the findings in order.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.values()
    }

    /// Returns the findings in order.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_values().collect()
    }

    /// Removes the rule's previous drafts, and inserts the new drafts.
    pub(super) fn replace(
        &mut self,
        (rule, severity): (&Rule, Severity),
        drafts: Vec<FindingDraft>,
        wording: &Wording<'_>,
    ) {
        let found = self.found.remove(rule.code).unwrap_or_default();
        for place in found.subjects.into_values().flat_map(BTreeMap::into_values).flatten() {
            self.findings.remove(&place);
        }
        let mut found = RuleFindings::default();
        let mut shorts = BTreeSet::new();
        for draft in drafts {
            found.add(rule, draft, &mut shorts);
        }
        self.settle((rule, severity), found, shorts, wording);
    }

    /// Removes the rule's previous drafts in a part of the story, and inserts the new drafts. Returns `false`, changing
    /// nothing, if a draft to remove is missing: the part was then smaller than the rule's input.
    pub(super) fn exchange(
        &mut self,
        (rule, severity): (&Rule, Severity),
        mut gone: Vec<FindingDraft>,
        mut new: Vec<FindingDraft>,
        wording: &Wording<'_>,
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

    /// Renders the rule's findings for the subjects with those short ids.
    fn settle(
        &mut self,
        (rule, severity): (&Rule, Severity),
        mut found: RuleFindings,
        shorts: BTreeSet<String>,
        wording: &Wording<'_>,
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
                let severity = first.severity_of(rule, severity);
                // Six digits suffice to distinguish findings; on a collision the later finding gets all digits.
                let id = if number == 0 { short.clone() } else { first.id(rule, 16) };
                let mut finding = first.finish(rule, severity, wording.language, &id);
                if let Some(waiver) = wording.waivers.iter().filter(|one| one.covers(&finding.issue)).min() {
                    finding.issue.waived = Some((*waiver).clone());
                    finding.instructions.clear();
                }
                finding.issue.disputed = wording.objection(&finding);
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

impl RuleFindings {
    /// Inserts a draft, and appends the short id of its subject to `shorts`.
    fn add(&mut self, rule: &Rule, draft: FindingDraft, shorts: &mut BTreeSet<String>) {
        let short = draft.id(rule, 6);
        let subject = draft.subject().to_vec();
        self.subjects.entry(short.clone()).or_default().entry(subject.clone()).or_default();
        self.drafts.entry(subject).or_default().push(draft);
        shorts.insert(short);
    }

    /// Removes a draft, and appends the short id of its subject to `shorts`; returns `false` if the draft is missing.
    fn take(&mut self, rule: &Rule, draft: &FindingDraft, shorts: &mut BTreeSet<String>) -> bool {
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
