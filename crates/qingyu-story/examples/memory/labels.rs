//! Expectations written by hand, compared with the story after every reading.

use std::path::Path;

use qingyu_story::names::fold;
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::settlement::{Config, Extraction, Settlement, complete, follow, settle};
use qingyu_story::{Document, Fact, Mode, Names, PieceKind, Story, ids};
use serde::Deserialize;

/// The recorded readings and the expectations of a folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelledRun {
    reading: Vec<RecordedReading>,
    entity: Vec<EntityLabel>,
    fact: Vec<FactLabel>,
    date: Vec<DateLabel>,
    promise: Vec<PromiseLabel>,
    knowledge: Vec<KnowledgeLabel>,
}

/// A reading of a chapter: its text, and the reader's answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedReading {
    chapter: u32,
    text: String,
    told: String,
}

/// The readings for which a label holds.
#[derive(Debug, Deserialize)]
struct LabelSpan {
    chapter: u32,
    from: Option<usize>,
    until: Option<usize>,
    #[serde(default)]
    wrong: bool,
}

impl LabelSpan {
    fn holds(&self, told: &[u32], reading: usize) -> bool {
        let from = self.from.is_none_or(|from| from <= reading);
        let until = self.until.is_none_or(|until| reading <= until);
        told.contains(&self.chapter) && from && until
    }
}

#[derive(Debug, Deserialize)]
struct EntityLabel {
    #[serde(flatten)]
    span: LabelSpan,
    kind: PieceKind,
    names: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct FactLabel {
    #[serde(flatten)]
    span: LabelSpan,
    subject: String,
    predicate: String,
    other: String,
    #[serde(default)]
    mode: Mode,
}

#[derive(Debug, Deserialize)]
struct DateLabel {
    #[serde(flatten)]
    span: LabelSpan,
    events: Vec<String>,
    time: String,
}

#[derive(Debug, Deserialize)]
struct PromiseLabel {
    #[serde(flatten)]
    span: LabelSpan,
    names: Vec<String>,
    #[serde(default)]
    paid: bool,
}

#[derive(Debug, Deserialize)]
struct KnowledgeLabel {
    #[serde(flatten)]
    span: LabelSpan,
    who: String,
    of: String,
}

/// What became of the expectations of one kind.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LabelCounts {
    /// In the story.
    pub(crate) kept: usize,
    /// Not in the story, but asked of the author.
    pub(crate) asked: usize,
    /// Not in the story.
    pub(crate) lost: usize,
    /// In the story in another way, or although it must not be.
    pub(crate) wrong: usize,
    /// More than once in the story.
    pub(crate) doubled: usize,
}

/// The kinds of expectations, in the order of [`replay`].
pub(crate) const KINDS: [&str; 5] = ["entities", "facts", "dates", "promises", "knowledge"];

/// The outcome for one label.
enum LabelOutcome {
    Kept { copies: usize },
    Wrong,
    Lost,
}

/// Replays the recorded readings of a folder into the story of its plan; returns the chapter and the counts of entities,
/// facts, dates, promises and knowledge after every reading.
pub(crate) fn replay(folder: &Path) -> Vec<(u32, [LabelCounts; 5])> {
    let file = |name: &str| std::fs::read_to_string(folder.join(name)).expect("the folder has all its files");
    let run: LabelledRun = toml::from_str(&file("expected.toml")).expect("the expectations are well formed");
    let mut story: Story = serde_json::from_str(&file("plan.json")).expect("the plan is a story");
    ids::assign(&mut story);
    let (mut told, mut asked, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (number, reading) in (1..).zip(&run.reading) {
        let extraction: Extraction = serde_json::from_str(&file(&reading.told)).expect("the answer is an extraction");
        let (settlement, _) = read(&mut story, reading.chapter, file(&reading.text).trim(), &extraction);
        asked.extend(settlement.questions.iter().map(|question| serde_json::to_string(question).unwrap_or_default()));
        told.push(reading.chapter);
        rows.push((reading.chapter, run.counts(&story, &told, number, &asked)));
    }
    rows
}

/// Puts the text of a chapter into the story and settles what was told of it; returns also the statements that stood
/// before.
pub(crate) fn read(
    story: &mut Story,
    chapter: u32,
    text: &str,
    extraction: &Extraction,
) -> (Settlement, Vec<(String, String)>) {
    let id = format!("d-{chapter}");
    let chapters = story.outline_nodes.iter().filter(|node| node.kind == qingyu_story::OutlineNodeKind::Chapter);
    let node = chapters.map(|node| node.id.clone()).nth(chapter as usize - 1);
    match story.documents.iter().position(|document| document.id == id) {
        Some(at) => {
            let before = story.documents[at].clone();
            text.clone_into(&mut story.documents[at].text);
            story.documents[at].version += 1;
            let after = story.documents[at].clone();
            follow(story, &before, Some(&after));
        }
        None => story.documents.push(Document {
            id: id.clone(),
            title: format!("第{chapter}章"),
            order: chapter,
            outline_node: node,
            version: 1,
            text: text.to_owned(),
            ..Document::default()
        }),
    }
    let standing = statements(story, &id);
    let completed = complete(story, &id, extraction.clone(), Config::default()).expect("the document is there");
    let settlement = settle(story, &id, &completed, Config::default()).expect("the document is there");
    (settlement, standing)
}

/// Returns the facts sourced from the document, with their quotes.
pub(crate) fn statements(story: &Story, document: &str) -> Vec<(String, String)> {
    let own = story.facts.iter().filter_map(|fact| Some((fact, fact.source.as_ref()?)));
    own.filter(|(_, source)| source.document == document)
        .map(|(fact, source)| (fact.label(), source.quote.clone()))
        .collect()
}

impl LabelledRun {
    /// Counts entities, facts, dates, promises and knowledge after the reading with this number, from 1; `told` holds the
    /// chapters read so far, `asked` the names and sentences about which the author is asked.
    fn counts(&self, story: &Story, told: &[u32], reading: usize, asked: &[String]) -> [LabelCounts; 5] {
        let names = Names::of(story);
        let mut counts = [LabelCounts::default(); 5];
        let mut note = |kind: usize, label: &str, words: &[&str], outcome: LabelOutcome| {
            let count = &mut counts[kind];
            let is_asked = asked.iter().any(|asked| words.iter().all(|word| asked.contains(word)));
            let what = match outcome {
                LabelOutcome::Kept { copies } => {
                    count.kept += 1;
                    count.doubled += usize::from(copies > 1);
                    if copies > 1 { "doubled" } else { return }
                }
                _ if is_asked => {
                    count.asked += 1;
                    "asked"
                }
                LabelOutcome::Wrong => {
                    count.wrong += 1;
                    "wrong"
                }
                LabelOutcome::Lost => {
                    count.lost += 1;
                    "lost"
                }
            };
            eprintln!("reading {reading}, {}: {what}: {label}", KINDS[kind]);
        };
        for label in self.entity.iter().filter(|label| label.span.holds(told, reading)) {
            let is_called = |name: &String, alias: &[String]| {
                label.names.contains(name) || alias.iter().any(|alias| label.names.contains(alias))
            };
            let copies = match label.kind {
                PieceKind::Character => story.characters.iter().filter(|one| is_called(&one.name, &one.alias)).count(),
                PieceKind::Location => story.locations().iter().filter(|one| is_called(&one.name, &one.alias)).count(),
                _ => story.items().iter().filter(|one| is_called(&one.name, &one.alias)).count(),
            };
            let kinds = [PieceKind::Character, PieceKind::Location, PieceKind::Organisation, PieceKind::Item];
            let elsewhere = kinds.iter().any(|kind| *kind != label.kind && names.knows(*kind, &label.names[0]));
            let outcome = match copies {
                0 if elsewhere => LabelOutcome::Wrong,
                0 => LabelOutcome::Lost,
                copies => LabelOutcome::Kept { copies },
            };
            note(0, &label.names[0], &[&label.names[0]], outcome);
        }
        for label in self.fact.iter().filter(|label| label.span.holds(told, reading)) {
            let said: Vec<&Fact> = story.facts.iter().filter(|fact| label.is_said_by(fact, &names)).collect();
            let same: Vec<&&Fact> = said.iter().filter(|fact| fact.mode == label.mode).collect();
            let outcome = match (label.span.wrong, same.len(), said.len()) {
                (true, 0, _) => LabelOutcome::Kept { copies: 1 },
                (true, ..) => LabelOutcome::Wrong,
                // Two chapters may tell the same; one chapter tells it once.
                (false, 1.., _) => LabelOutcome::Kept { copies: most_of_one_chapter(&same) },
                (false, 0, 1..) => LabelOutcome::Wrong,
                (false, 0, 0) => LabelOutcome::Lost,
            };
            let text = format!("{} {} {} ({:?})", label.subject, label.predicate, label.other, label.mode);
            note(1, &text, &[&label.subject, &label.other], outcome);
        }
        for label in self.date.iter().filter(|label| label.span.holds(told, reading)) {
            let is_event = |title: &str| label.events.iter().any(|event| title.starts_with(event.as_str()));
            let events: Vec<_> = story.timeline_events.iter().filter(|event| is_event(&event.title)).collect();
            let differs = |id: &str| {
                let settled = story.documents.iter().filter_map(|document| document.settled.as_ref());
                settled
                    .flat_map(|settled| &settled.differs)
                    .any(|differs| differs.event == id && differs.field == "timestamp")
            };
            let is_right = events.iter().any(|event| event.timestamp.contains(&label.time));
            let outcome = match events.len() {
                0 => LabelOutcome::Lost,
                copies if is_right => LabelOutcome::Kept { copies },
                // A told time that differs from the plan is a finding until the author decides.
                _ if events.iter().any(|event| differs(&event.id)) => LabelOutcome::Kept { copies: 1 },
                _ => LabelOutcome::Wrong,
            };
            note(2, &format!("{} {}", label.events[0], label.time), &[&label.events[0]], outcome);
        }
        for label in self.promise.iter().filter(|label| label.span.holds(told, reading)) {
            let is_called = |name: &str| label.names.iter().any(|one| fold(one) == fold(name));
            let own: Vec<_> = story.promises.iter().filter(|promise| is_called(&promise.name)).collect();
            let is_listed = |plant: &str| story.promises.iter().any(|promise| fold(&promise.name) == fold(plant));
            let plants = story.outline_nodes.iter().flat_map(|node| &node.plants);
            let planted = plants.filter(|plant| is_called(plant) && !is_listed(plant)).count();
            let outcome = match own.len() + planted {
                0 => LabelOutcome::Lost,
                _ if own.iter().any(|promise| promise.paid.is_empty() == label.paid) => LabelOutcome::Wrong,
                copies => LabelOutcome::Kept { copies },
            };
            note(3, &label.names[0], &[&label.names[0]], outcome);
        }
        for label in self.knowledge.iter().filter(|label| label.span.holds(told, reading)) {
            let is_knower = |fact: &&Fact| {
                let knows = predicate::find(&fact.predicate)
                    .is_some_and(|word| matches!(word.role, Some(PredicateRole::Knowing | PredicateRole::Learning)));
                let known = fact.known_by.iter().any(|one| is_same(&names, &one.who, &label.who));
                known || knows && fact.mode == Mode::Narrated && is_same(&names, &fact.subject, &label.who)
            };
            let facts: Vec<&Fact> = story.facts.iter().filter(|fact| fact.label().contains(&label.of)).collect();
            let known = facts.iter().any(is_knower);
            let outcome = match (label.span.wrong, known) {
                (true, true) => LabelOutcome::Wrong,
                (true, false) | (false, true) => LabelOutcome::Kept { copies: 1 },
                (false, false) => LabelOutcome::Lost,
            };
            note(4, &format!("{}: {}", label.who, label.of), &[&label.of], outcome);
        }
        counts
    }
}

impl FactLabel {
    /// Returns whether a fact says the same, under any name of the predicate and in either direction.
    fn is_said_by(&self, fact: &Fact, names: &Names) -> bool {
        let word = |name: &str| predicate::find(name).map(|word| word.name.clone()).unwrap_or_else(|| name.to_owned());
        let other = fact.object.clone().unwrap_or_else(|| match &fact.value {
            serde_json::Value::String(text) => text.clone(),
            value => value.to_string(),
        });
        let (own, wanted) = (word(&fact.predicate), word(&self.predicate));
        let is_other = is_same(names, &other, &self.other) || fact.object.is_none() && other.contains(&self.other);
        let straight = own == wanted && is_same(names, &fact.subject, &self.subject) && is_other;
        let inverse = predicate::find(&self.predicate).and_then(|word| word.inverse.clone());
        let turned = inverse.is_some_and(|inverse| word(&inverse) == own)
            && is_same(names, &fact.subject, &self.other)
            && is_same(names, &other, &self.subject);
        straight || turned
    }
}

/// Returns whether two names mean one piece, or are the same words.
fn is_same(names: &Names, one: &str, other: &str) -> bool {
    let kinds = [PieceKind::Character, PieceKind::Location, PieceKind::Organisation, PieceKind::Item];
    let is_one = |kind: &PieceKind| {
        let (one, other) = (names.resolve(*kind, one), names.resolve(*kind, other));
        one.is_some() && one == other
    };
    one.trim() == other.trim() || kinds.iter().any(is_one)
}

/// Returns the highest number of facts that come from one chapter.
fn most_of_one_chapter(facts: &[&&Fact]) -> usize {
    let mut copies = std::collections::BTreeMap::<&str, usize>::new();
    for fact in facts {
        *copies.entry(fact.source.as_ref().map_or("", |source| source.document.as_str())).or_default() += 1;
    }
    copies.into_values().max().unwrap_or_default()
}
