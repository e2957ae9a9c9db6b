//! Insertion of a chapter into its story: text, consequences by rules, settlement.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use qingyu_story::check::StoryChecker;
use qingyu_story::edit::{self, AppliedEdit, Edit, Error};
use qingyu_story::rules::all as all_rules;
use qingyu_story::settlement::{Config as Confidence, Extraction, Settlement, complete, extract, follow, settle};
use qingyu_story::{
    Config, Document, EditTarget, Evidence, Finding, Piece, PieceKind, Severity, Story, TimelineEvent, findings,
};
use serde_json::json;

use super::book::{ChapterInHand, NumberedBook};
use super::card::event_line;
use super::review::{ChapterFinding, HeldReason, TOLD_OTHERWISE, is_about_contradictions, locate};
use crate::writing::accepted::SettledCounts;

/// A story with an inserted chapter.
#[derive(Debug)]
pub(super) struct PlacedChapter {
    /// The story.
    pub(super) story: Story,
    /// Id of the chapter's document.
    pub(super) document: String,
    /// Changes, in order.
    pub(super) changes: Vec<AppliedEdit>,
}

/// Inserts the text of a chapter into a story.
pub(super) fn place(story: &Story, chapter: &ChapterInHand, text: &str) -> Result<PlacedChapter, Error> {
    let mut placed = PlacedChapter { story: story.clone(), document: String::new(), changes: Vec::new() };
    let base = chapter.base.as_ref().map(|base| base.document.as_str());
    let there = story.documents.iter().find(|document| Some(document.id.as_str()) == base);
    // A run resumed after an interruption may find its own document.
    let there = there.or_else(|| {
        let is_own =
            |document: &&Document| document.outline_node.as_deref() == Some(&chapter.node) && document.text == text;
        story.documents.iter().find(is_own)
    });
    if let Some(document) = there {
        placed.document.clone_from(&document.id);
        if document.text != text {
            let before = document.clone();
            let fields = [("text".to_owned(), json!(text))].into();
            let target = EditTarget::Named(document.id.clone());
            let change = edit::apply(&mut placed.story, Edit::Update { kind: PieceKind::Document, target, fields })?;
            placed.changes.push(change);
            placed.follow(&before);
        }
        return Ok(placed);
    }
    let mut title = chapter.title.clone();
    let is_taken = |title: &str| story.documents.iter().any(|document| document.title.trim() == title.trim());
    if is_taken(&title) {
        title = format!("{title} ({})", chapter.number);
    }
    let document = Document {
        title,
        order: order(story, chapter),
        outline_node: Some(chapter.node.clone()),
        version: 1,
        text: text.to_owned(),
        ..Document::default()
    };
    let change = edit::apply(&mut placed.story, Edit::Create { piece: Piece::Document(document) })?;
    let made = change.steps.last().and_then(|step| step.after.as_ref());
    placed.document = made.map(|piece| piece.id().to_owned()).unwrap_or_default();
    placed.changes.push(change);
    Ok(placed)
}

/// Returns the position of a new chapter among the texts: its number, or after the preceding chapters.
fn order(story: &Story, chapter: &ChapterInHand) -> u32 {
    if !story.documents.iter().any(|document| document.order == chapter.number) {
        return chapter.number;
    }
    let book = NumberedBook::of(story);
    let before = (1..chapter.number).filter_map(|number| book.document(number)).map(|document| document.order);
    before.max().unwrap_or_default() + 1
}

impl PlacedChapter {
    /// Updates statements of the previous text.
    fn follow(&mut self, before: &Document) {
        let after = self.story.documents.iter().find(|document| document.id == before.id).cloned();
        self.changes.push(follow(&mut self.story, before, after.as_ref()).change);
    }

    /// Inserts facts found by rules for a chapter without settlement; for others, the rules have already processed the
    /// changes.
    pub(super) fn settle_by_rules(&mut self) -> Result<(), Error> {
        let document = self.story.documents.iter().find(|document| document.id == self.document);
        if document.is_some_and(|document| document.settled.is_none()) {
            let extraction = extract(&self.story, &self.document)?;
            let settlement = settle(&mut self.story, &self.document, &extraction, Confidence::default())?;
            self.changes.push(settlement.change);
        }
        Ok(())
    }
}

/// Returns the extraction, completed by the rules; without a model's extraction, the fallback is the rules' own.
pub(super) fn completed(story: &Story, document: &str, extraction: &Extraction) -> Result<Extraction, Error> {
    if *extraction == Extraction::default() {
        return extract(story, document);
    }
    complete(story, document, extraction.clone(), Confidence::default())
}

/// Inserts the extracted facts of a chapter into the story.
pub(super) fn settle_in(story: &mut Story, document: &str, extraction: &Extraction) -> Result<Settlement, Error> {
    settle(story, document, extraction, Confidence::default())
}

/// Returns the number of pieces inserted by a settlement, and of the events told.
pub(super) fn counts(settlement: &Settlement, extraction: &Extraction) -> SettledCounts {
    let made = |is: fn(PieceKind) -> bool| settlement.made.iter().filter(|piece| is(piece.kind())).count();
    let events = settlement.made.iter().filter(|piece| piece.kind() == PieceKind::Event);
    let events: BTreeSet<&str> = events.map(|event| event.name().trim()).collect();
    // An event of the plan is told too, though it is not new.
    let planned = extraction.events.iter().filter_map(|event| event.planned.as_deref()).map(str::trim);
    let planned: BTreeSet<&str> = planned.filter(|title| !events.contains(title)).collect();
    // A card that an earlier settlement made is one of the chapter's pieces, and not new.
    let created = settlement.change.steps.iter().filter(|step| step.before.is_none());
    let created = created.filter_map(|step| step.after.as_ref());
    SettledCounts {
        cards: created.filter(|piece| PieceKind::CARDS.contains(&piece.kind())).count(),
        events: made(|kind| kind == PieceKind::Event) + planned.len(),
        facts: made(|kind| kind == PieceKind::Fact),
        promises: extraction.promises.len(),
        questions: settlement.questions.len(),
        rejected: settlement.rejected.len(),
    }
}

/// The selection of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FindingFilter {
    /// Only findings caused by the draft.
    New,
    /// The findings caused by the draft, and known ones with a quote of it.
    NewOrQuoted,
    /// All findings about the chapter.
    All,
}

/// Returns the rules' findings about a chapter with the text `draft`.
pub(super) fn check(
    story: &Story,
    chapter: &ChapterInHand,
    draft: &str,
    config: &Config,
    which: FindingFilter,
) -> Result<Vec<ChapterFinding>, Error> {
    let mut checker = StoryChecker::new(story.clone(), config.clone());
    let before: BTreeSet<String> = match which {
        FindingFilter::New | FindingFilter::NewOrQuoted => {
            checker.findings().map(|finding| finding.issue.id.clone()).collect()
        }
        FindingFilter::All => BTreeSet::new(),
    };
    let mut placed = place(story, chapter, draft)?;
    placed.settle_by_rules()?;
    for change in &placed.changes {
        checker.apply(change)?;
    }
    let story = checker.story();
    let (unwritten, written) = nodes_after(story, chapter.number);
    let own = FindingScope { story, document: &placed.document, chapter, draft, unwritten, written };
    let findings = checker.findings().filter(|finding| finding.issue.waived.is_none());
    let read = |finding: &Finding| {
        let is_new = !before.contains(&finding.issue.id);
        if !is_new && which != FindingFilter::NewOrQuoted {
            return None;
        }
        own.read(finding).filter(|found| is_new || !found.quote.is_empty())
    };
    Ok(findings.filter_map(read).collect())
}

/// Returns the contradictions of a chapter with its story after settlement, and what it tells otherwise than planned, as far
/// as the rules find them.
pub(super) fn contradictions(
    story: &Story,
    (chapter, document, text): (&ChapterInHand, &str, &str),
    config: &Config,
) -> Vec<ChapterFinding> {
    let config = about_contradictions(config);
    let (unwritten, written) = nodes_after(story, chapter.number);
    let own = FindingScope { story, document, chapter, draft: text, unwritten, written };
    let found = findings(story, &config).into_iter().filter(|finding| finding.issue.waived.is_none());
    let is_meant = |found: &ChapterFinding| found.is_contradiction() || found.is_choice();
    found.filter_map(|finding| own.read(&finding)).filter(is_meant).collect()
}

/// Returns the configuration under which the rules about contradictions run alone; the others would read the whole book
/// again, and report none.
fn about_contradictions(config: &Config) -> Config {
    let rules = all_rules().iter().filter(|rule| is_about_contradictions(rule.code));
    let rules = rules.map(|rule| (rule.code.to_owned(), config.severity(rule.code, rule.severity)));
    Config { severities: std::iter::once(("Q".to_owned(), None)).chain(rules).collect(), ..config.clone() }
}

/// Codes of the rules about leftovers of production: chatter, markup, placeholders.
const LEFTOVERS: [&str; 3] = ["QS071", "QS072", "QS073"];

/// Codes of the rules about a thing that somebody has after losing it or after its destruction.
const AFTER_LOSS: [&str; 2] = ["QY402", "QY403"];

/// Returns the IDs and names of the chapters after a chapter: those that have no text, and those that have one.
fn nodes_after(story: &Story, number: u32) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let book = NumberedBook::of(story);
    let names = |is_written: bool| {
        let later = (number + 1..=book.len()).filter(|later| book.document(*later).is_some() == is_written);
        later.filter_map(|later| book.node(later)).flat_map(|node| [node.id.as_str(), node.name.as_str()]).collect()
    };
    (names(false), names(true))
}

/// The chapter to filter findings by.
struct FindingScope<'a> {
    story: &'a Story,
    document: &'a str,
    chapter: &'a ChapterInHand,
    draft: &'a str,
    /// IDs and names of later chapters that are only planned.
    unwritten: BTreeSet<&'a str>,
    /// IDs and names of later chapters that have a text.
    written: BTreeSet<&'a str>,
}

impl FindingScope<'_> {
    /// Converts a finding into one about the chapter; returns `None` for a finding about other pieces, and for one whose
    /// other side is only planned: the plan follows the text, not the text the plan.
    ///
    /// A severe finding about an event of the chapter is one about the chapter, unless a later text tells another event of
    /// the finding: the later text is then to be corrected.
    fn read(&self, finding: &Finding) -> Option<ChapterFinding> {
        let issue = &finding.issue;
        let (mut quote, mut against) = (String::new(), Vec::new());
        let (mut planned, mut own_events) = (0, 0);
        let tells_last = issue.severity >= Severity::High
            && !issue.evidence.iter().any(|evidence| self.is_at(&evidence.anchor, &self.written));
        let mut evidence: Vec<&Evidence> = issue.evidence.iter().collect();
        if issue.code.as_deref().is_some_and(|code| AFTER_LOSS.contains(&code)) {
            // Of two sentences of the chapter, the later one is to be mended.
            let place = |one: &Evidence| {
                let words = self.words_here(&one.anchor, &one.quote)?;
                self.draft.find(words.as_str())
            };
            evidence.sort_by_key(|one| Reverse(place(one)));
        }
        for evidence in evidence {
            let is_own_event = tells_last && self.is_own_event(&evidence.anchor);
            let words = match is_own_event {
                true => self.words_of_event(&evidence.anchor),
                false => self.words_here(&evidence.anchor, &evidence.quote),
            };
            match words {
                Some(words) if quote.is_empty() => quote = words,
                _ => {
                    planned += usize::from(self.is_at(&evidence.anchor, &self.unwritten));
                    own_events += usize::from(is_own_event);
                    against.push(self.other_side(issue.code.as_deref(), evidence));
                }
            }
        }
        if planned > 0 && planned + own_events == against.len() {
            return None;
        }
        let names = [self.document, &self.chapter.title, &self.chapter.node];
        let is_named = own_events > 0 || issue.affected_entities.iter().any(|name| names.contains(&name.as_str()));
        if quote.is_empty() && !is_named {
            return None;
        }
        // Who mends the chapter can change its words only, not the plan or a card.
        let of_text = finding.instructions.iter().find(|instruction| instruction.parameters["kind"] == "document");
        let fix = of_text.or(finding.instructions.first()).map(|instruction| instruction.specific_instruction.clone());
        let mut read = ChapterFinding {
            id: issue.id.clone(),
            code: issue.code.clone(),
            severity: self.severity(finding),
            dimension: None,
            title: issue.title.clone(),
            quote,
            against,
            why: issue.root_cause.clone(),
            fix: fix.unwrap_or_default(),
            held: None,
        };
        // Whether a text of the author's or the plan is to change is for the author to decide; a new draft fits the plan.
        read.held = match &issue.disputed {
            Some(why) => Some(HeldReason::Disputed { why: why.clone() }),
            None => (read.is_choice() && self.chapter.base.is_some()).then_some(HeldReason::ToldOtherwise),
        };
        Some(read)
    }

    /// Returns the words of the other side: of an event told otherwise than planned, the plan in a line, since a bare name or
    /// date does not say what is planned.
    fn other_side(&self, code: Option<&str>, evidence: &Evidence) -> String {
        let id = evidence.anchor.strip_prefix("timeline_events/").and_then(|rest| rest.split('/').next());
        let planned = id.filter(|_| code == Some(TOLD_OTHERWISE)).and_then(|id| self.event(id));
        planned.map_or_else(|| evidence.quote.clone(), |event| event_line(event, self.story.language))
    }

    /// Returns the event with the ID.
    fn event(&self, id: &str) -> Option<&TimelineEvent> {
        self.story.timeline_events.iter().find(|event| event.id == id)
    }

    /// Returns whether the evidence is an outline node, or an event of an outline node, with one of the IDs or names.
    fn is_at(&self, anchor: &str, nodes: &BTreeSet<&str>) -> bool {
        let mut parts = anchor.splitn(3, '/');
        let (Some(list), Some(id)) = (parts.next(), parts.next()) else { return false };
        let node = match list {
            "outline_nodes" => Some(id),
            "timeline_events" => self.event(id).and_then(|event| event.outline_node.as_deref()),
            _ => None,
        };
        node.is_some_and(|node| nodes.contains(node))
    }

    /// Returns whether the evidence is an event of the chapter.
    fn is_own_event(&self, anchor: &str) -> bool {
        let node = self.story.outline_nodes.iter().find(|node| node.id == self.chapter.node);
        let names: BTreeSet<&str> = node.into_iter().flat_map(|node| [node.id.as_str(), node.name.as_str()]).collect();
        anchor.starts_with("timeline_events/") && self.is_at(anchor, &names)
    }

    /// Returns the chapter's words that tell an event, by its settlement.
    fn words_of_event(&self, anchor: &str) -> Option<String> {
        let id = anchor.split('/').nth(1)?;
        let settled = self.story.documents.iter().find(|document| document.id == self.document)?.settled.as_ref()?;
        let is_it = |kind: PieceKind, of: &str| kind == PieceKind::Event && of == id;
        let made = settled.made.iter().filter(|made| is_it(made.kind, &made.id)).map(|made| &made.quote);
        let added = settled.added.iter().filter(|added| is_it(added.kind, &added.id)).map(|added| &added.quote);
        let differs = settled.differs.iter().filter(|differs| differs.event == id).map(|differs| &differs.quote);
        let mut words = made.chain(added).chain(differs).filter(|words| !words.trim().is_empty());
        words.find_map(|words| locate(self.draft, words).map(|range| self.draft[range].to_owned()))
    }

    /// Returns the severity for a written chapter: leftovers of production must be removed.
    fn severity(&self, finding: &Finding) -> Severity {
        let is_leftover = finding.issue.code.as_deref().is_some_and(|code| LEFTOVERS.contains(&code));
        if is_leftover { finding.issue.severity.max(Severity::High) } else { finding.issue.severity }
    }

    /// Returns the chapter's words behind an evidence: from its text, or from the source of a fact.
    fn words_here(&self, anchor: &str, quote: &str) -> Option<String> {
        let mut parts = anchor.splitn(3, '/');
        let (list, id) = (parts.next()?, parts.next()?);
        let here = |words: &str| locate(self.draft, words).map(|range| self.draft[range].to_owned());
        match list {
            "documents" if id == self.document => here(quote),
            "facts" => {
                let fact = self.story.facts.iter().find(|fact| fact.id == id)?;
                let source = fact.source.as_ref()?;
                let title = self.story.documents.iter().find(|document| document.id == self.document)?.title.as_str();
                let is_here = source.document == self.document || source.document == title;
                if is_here { here(&source.quote) } else { None }
            }
            _ => None,
        }
    }
}
