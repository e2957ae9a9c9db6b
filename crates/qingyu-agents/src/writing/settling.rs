//! Insertion of a chapter into its story: text, consequences by rules, settlement.

use std::collections::BTreeSet;

use qingyu_story::check::StoryChecker;
use qingyu_story::edit::{self, AppliedEdit, Edit, Error};
use qingyu_story::settlement::{
    Config as Confidence, Extraction, Settlement, check_extraction, complete, extract, follow, settle,
};
use qingyu_story::{Config, Document, EditTarget, Finding, Piece, PieceKind, Severity, Story};
use serde_json::json;

use super::book::{ChapterInHand, NumberedBook};
use super::review::{ChapterFinding, locate};
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
    fn settle_by_rules(&mut self) -> Result<(), Error> {
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
    let disagreements = check_extraction(story, document, extraction)?;
    Ok(complete(extraction.clone(), &disagreements, Confidence::default()))
}

/// Inserts the extracted facts of a chapter into the story.
pub(super) fn settle_in(story: &mut Story, document: &str, extraction: &Extraction) -> Result<Settlement, Error> {
    settle(story, document, extraction, Confidence::default())
}

/// Returns the number of pieces inserted by a settlement.
pub(super) fn counts(settlement: &Settlement, extraction: &Extraction) -> SettledCounts {
    let made = |is: fn(PieceKind) -> bool| settlement.made.iter().filter(|piece| is(piece.kind())).count();
    let known = |kind| !matches!(kind, PieceKind::Fact | PieceKind::Event | PieceKind::Promise);
    SettledCounts {
        cards: made(known),
        events: made(|kind| kind == PieceKind::Event),
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
        FindingFilter::New => checker.findings().map(|finding| finding.issue.id.clone()).collect(),
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
    Ok(findings.filter(|finding| !before.contains(&finding.issue.id)).filter_map(|finding| own.read(finding)).collect())
}

/// Codes of the rules about leftovers of production: chatter, markup, placeholders.
const LEFTOVERS: [&str; 3] = ["QS071", "QS072", "QS073"];

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
        for evidence in &issue.evidence {
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
                    against.push(evidence.quote.clone());
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
        Some(ChapterFinding {
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
        })
    }

    /// Returns whether the evidence is an outline node, or an event of an outline node, with one of the IDs or names.
    fn is_at(&self, anchor: &str, nodes: &BTreeSet<&str>) -> bool {
        let mut parts = anchor.splitn(3, '/');
        let (Some(list), Some(id)) = (parts.next(), parts.next()) else { return false };
        let node = match list {
            "outline_nodes" => Some(id),
            "timeline_events" => {
                let event = self.story.timeline_events.iter().find(|event| event.id == id);
                event.and_then(|event| event.outline_node.as_deref())
            }
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

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, Fact, OutlineNode, Quotation, TimelineEvent};

    use qingyu_story::settlement::extraction::{ToldEvent, ToldFact};

    use super::*;
    use crate::writing::book::BaseDocument;

    fn story() -> Story {
        let node = |order: u32| OutlineNode {
            id: format!("o-{order}"),
            order,
            name: format!("第{order}章"),
            ..OutlineNode::default()
        };
        let fact = |id: &str, value: &str, document: &str, quote: &str| Fact {
            id: id.into(),
            subject: "林青".into(),
            predicate: "瞳色".into(),
            value: value.into(),
            source: Some(Quotation { document: document.into(), quote: quote.into(), ..Quotation::default() }),
            ..Fact::default()
        };
        let document = |id: &str, order: u32, text: &str| Document {
            id: id.into(),
            order,
            title: format!("第{order}章"),
            outline_node: Some(format!("o-{order}")),
            version: 1,
            text: text.into(),
            ..Document::default()
        };
        Story {
            outline_nodes: (1..=3).map(node).collect(),
            characters: vec![Character { id: "c-1".into(), name: "林青".into(), ..Character::default() }],
            documents: vec![
                document("d-1", 1, "林青的眼睛是黑色的。雨停了。"),
                document("d-2", 2, "他走进旧港的酒馆。林青的眼睛是蓝色的。没有人说话。"),
            ],
            facts: vec![
                fact("f-1", "黑", "d-1", "林青的眼睛是黑色的。"),
                fact("f-2", "蓝", "d-2", "林青的眼睛是蓝色的。"),
            ],
            ..Story::default()
        }
    }

    fn chapter(story: &Story, number: u32) -> ChapterInHand {
        let book = NumberedBook::of(story);
        let node = book.node(number).unwrap();
        let document = book.document(number);
        ChapterInHand {
            number,
            node: node.id.clone(),
            title: node.name.clone(),
            base: document.map(|document| BaseDocument { document: document.id.clone(), version: document.version }),
            text: document.map(|document| document.text.clone()).unwrap_or_default(),
            ..ChapterInHand::default()
        }
    }

    #[test]
    fn a_contradiction_of_facts_is_shown_by_the_sentence_that_asserts_it() {
        let mut story = story();
        story.facts.truncate(1);
        let told = ToldFact {
            subject: "林青".into(),
            predicate: "瞳色".into(),
            value: "蓝".into(),
            quote: "林青的眼睛是蓝色的。".into(),
            confidence: 0.9,
            ..ToldFact::default()
        };
        settle_in(&mut story, "d-2", &Extraction { facts: vec![told], ..Extraction::default() }).unwrap();
        let chapter = chapter(&story, 2);
        let found = check(&story, &chapter, &chapter.text, &Config::default(), FindingFilter::All).unwrap();
        let colour = found.iter().find(|finding| finding.code.as_deref() == Some("QY408")).expect("two colours");
        assert_eq!(colour.quote, "林青的眼睛是蓝色的。");
        assert!(colour.against.iter().any(|other| other.contains("黑")), "{colour:?}");
        let mended = chapter.text.replace("蓝色", "黑色");
        let found = check(&story, &chapter, &mended, &Config::default(), FindingFilter::All).unwrap();
        assert!(
            !found.iter().any(|finding| finding.code.as_deref() == Some("QY408")),
            "the old sentence is gone: {found:?}"
        );
    }

    #[test]
    fn a_finding_of_a_chapter_says_how_to_mend_its_text() {
        let mut story = story();
        let event = |id: &str, title: &str| TimelineEvent {
            id: id.into(),
            title: title.into(),
            timestamp: "景和十七年八月初七".into(),
            outline_node: Some("o-2".into()),
            ..TimelineEvent::default()
        };
        story.timeline_events = vec![event("e-1", "进酒馆")];
        let text = "八月十二，雨。他走进旧港的酒馆。";
        story.documents[1].text = text.into();
        let told = ToldEvent {
            title: "进酒馆".into(),
            planned: Some("进酒馆".into()),
            timestamp: "八月十二".into(),
            participants: vec!["林青".into()],
            quote: "他走进旧港的酒馆。".into(),
            confidence: 0.9,
            ..ToldEvent::default()
        };
        settle_in(&mut story, "d-2", &Extraction { events: vec![told], ..Extraction::default() }).unwrap();
        let chapter = chapter(&story, 2);
        let found = |draft: &str| {
            let found = check(&story, &chapter, draft, &Config::default(), FindingFilter::All).unwrap();
            found.into_iter().find(|finding| finding.code.as_deref() == Some("QY316"))
        };
        let date = found(text).expect("another day than planned");
        assert_eq!(date.quote, "八月十二，雨。");
        assert!(date.fix.starts_with("把正文改成"), "{}", date.fix);
        assert_eq!(found(&text.replace("八月十二", "八月初七")), None);
    }

    #[test]
    fn what_the_rules_read_in_a_draft_is_held_against_the_story() {
        let mut story = story();
        let height = Fact {
            id: "f-3".into(),
            subject: "林青".into(),
            predicate: "身高".into(),
            value: 170.into(),
            unit: "厘米".into(),
            ..Fact::default()
        };
        story.facts.push(height);
        let chapter = chapter(&story, 3);
        let found =
            check(&story, &chapter, "天亮了。林青身高190厘米。", &Config::default(), FindingFilter::New).unwrap();
        assert!(found.iter().any(|finding| finding.quote == "林青身高190厘米。"), "{found:?}");
    }

    #[test]
    fn only_what_a_draft_brings_is_new() {
        let story = story();
        let chapter = chapter(&story, 3);
        assert_eq!(check(&story, &chapter, "天亮了，雨停了。", &Config::default(), FindingFilter::New).unwrap(), []);
        let draft = "作为一个AI语言模型，我无法描写这一幕。天亮了。";
        let found = check(&story, &chapter, draft, &Config::default(), FindingFilter::New).unwrap();
        assert!(
            found.iter().any(|finding| finding.code.as_deref() == Some("QS071") && !finding.quote.is_empty()),
            "{found:?}"
        );
        assert!(
            found
                .iter()
                .all(|finding| finding.severity <= Severity::Critical && finding.code.as_deref() != Some("QY408"))
        );
    }

    #[test]
    fn a_plan_without_text_is_no_fault_of_the_chapter() {
        let mut story = story();
        story.outline_nodes.push(OutlineNode {
            id: "o-4".into(),
            order: 4,
            name: "第4章".into(),
            ..OutlineNode::default()
        });
        story.timeline_events.push(TimelineEvent {
            id: "e-1".into(),
            title: "林青过河".into(),
            participants: vec!["林青".into()],
            outline_node: Some("o-4".into()),
            ..TimelineEvent::default()
        });
        let dies = |story: &Story| {
            let found = check(story, &chapter(story, 3), "天亮了。林青死了。", &Config::default(), FindingFilter::New);
            found.unwrap().iter().any(|finding| finding.code.as_deref() == Some("QY201"))
        };
        assert!(!dies(&story), "the plan follows the text");
        story.documents.push(Document {
            id: "d-4".into(),
            order: 4,
            title: "第4章".into(),
            outline_node: Some("o-4".into()),
            version: 1,
            text: "林青过了河。".into(),
            ..Document::default()
        });
        assert!(dies(&story), "a later chapter tells it");
    }

    #[test]
    fn a_severe_finding_about_an_event_is_one_of_the_chapter_that_tells_it() {
        let mut story = story();
        story.facts.clear();
        let event = |id: &str, title: &str, when: &str, node: &str| TimelineEvent {
            id: id.into(),
            title: title.into(),
            timestamp: when.into(),
            participants: vec!["林青".into()],
            outline_node: Some(node.into()),
            ..TimelineEvent::default()
        };
        let death = TimelineEvent { deaths: vec!["林青".into()], ..event("e-1", "坠桥", "2077-03-05", "第1章") };
        story.timeline_events = vec![death, event("e-2", "进酒馆", "2077-03-07", "o-2")];
        let found = |story: &Story, number: u32| {
            let chapter = chapter(story, number);
            let found = check(story, &chapter, &chapter.text, &Config::default(), FindingFilter::All).unwrap();
            found.into_iter().find(|finding| finding.code.as_deref() == Some("QY201"))
        };
        let dead = found(&story, 2).expect("the chapter shows somebody dead");
        assert_eq!(dead.severity, Severity::High);
        assert!(dead.fix.contains("第2章"), "the text is to be corrected: {}", dead.fix);
        assert_eq!(found(&story, 1), None, "the later text is to be corrected");
        let quote = "他走进旧港的酒馆。";
        let made = serde_json::json!({"made": [{"kind": "event", "id": "e-2", "digest": "x", "quote": quote}]});
        story.documents[1].settled = Some(serde_json::from_value(made).unwrap());
        assert_eq!(found(&story, 2).expect("it is still there").quote, quote, "a place that can be mended");
    }

    #[test]
    fn a_new_chapter_gets_its_place_and_is_found_again() {
        let story = story();
        let chapter = chapter(&story, 3);
        let placed = place(&story, &chapter, "天亮了。").unwrap();
        let document = &placed.story.documents[2];
        assert_eq!((document.id.as_str(), document.order, document.version), ("d-3", 3, 1));
        assert_eq!((document.title.as_str(), document.outline_node.as_deref()), ("第3章", Some("o-3")));
        let again = place(&placed.story, &chapter, "天亮了。").unwrap();
        assert_eq!((again.document.as_str(), again.changes.len()), ("d-3", 0));
    }
}
