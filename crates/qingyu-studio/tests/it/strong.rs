//! What answers of a strong model have shown; they are in `tests/strong`.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_llm::ChatRequest;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_studio::agents::WritingTask;
use qingyu_studio::operations as op;
use qingyu_studio::story::settlement::{Config, Extraction, settle};
use qingyu_studio::story::{Config as Rules, Document, Fact, ReadState, Story, check};
use qingyu_studio::{ApplyMode, ChapterWriteRequest, Outcome, ReadingMode, RunAnswer, RunStatus, StoryFile, Studio};
use serde_json::{Value, json};

use crate::{finish, script, studio};

const FIRST: &str = include_str!("../strong/chapter-1.txt");
const SECOND: &str = include_str!("../strong/chapter-2.txt");
const EDITED: &str = include_str!("../strong/chapter-2-edited.txt");

/// A contradiction: the dimension, the words of the second chapter, and what the prompt must show for a reader to see it.
const CONTRADICTIONS: [(&str, &str, &str); 4] = [
    ("timeline", "路上走了八天，进京是八月初七，午时刚过。", "八月初三"),
    ("timeline", "他叫沈伯安，景和十三年冬月进的京，左眉上有一道疤。", "二月十九"),
    ("continuity", "令尊的尺，三年来一直收在我手里，今日还给沈仵作。", "寄回银骨尺"),
    ("character", "她早就知道，三年前在这间冰房里验太子尸首的人就是沈伯安", "第一次知道三年前"),
];

/// A reader who reports a contradiction if both of its sides stand in the prompt, and nothing else.
fn careful(request: &ChatRequest) -> ModelScript {
    let prompt: String = request.messages.iter().map(|message| message.text.as_str()).collect();
    match request.purpose.as_str() {
        "chapter.settle" => {
            let is_first = request.context["text"].as_str().unwrap().starts_with("景和十七年八月初二");
            let told = if is_first {
                include_str!("../strong/settled-1.json")
            } else {
                include_str!("../strong/settled-2.json")
            };
            script::reply(&serde_json::from_str(told).unwrap())
        }
        "chapter.review" => script::reply(&review(&prompt)),
        purpose => script::reply(&script::answer(purpose)),
    }
}

fn review(prompt: &str) -> Value {
    let seen = CONTRADICTIONS.iter().filter(|(_, quote, evidence)| prompt.contains(quote) && prompt.contains(evidence));
    let issues: Vec<Value> = seen
        .map(|(dimension, quote, evidence)| {
            json!({"dimension": dimension, "severity": "high", "title": "与前文矛盾", "quote": quote, "why": evidence, "fix": "改回"})
        })
        .collect();
    let dimensions = ["task", "setting", "timeline", "continuity", "character", "logic", "style"];
    let verdicts = dimensions.map(|dimension| {
        let broken = issues.iter().any(|issue| issue["dimension"] == dimension);
        json!({"dimension": dimension, "verdict": if broken { "broken" } else { "holds" }, "note": ""})
    });
    let score = if issues.is_empty() { 90 } else { 55 };
    json!({"score": score, "verdicts": verdicts, "issues": issues, "summary": "读过了。"})
}

fn book() -> StoryFile {
    let mut story: Story = serde_json::from_str(include_str!("../strong/story.json")).unwrap();
    story.documents = [("d-1", FIRST), ("d-2", SECOND)]
        .into_iter()
        .zip(&story.outline_nodes)
        .map(|((id, text), node)| Document {
            id: id.into(),
            title: node.name.clone(),
            order: node.order,
            outline_node: Some(node.id.clone()),
            version: 1,
            text: text.trim_end().into(),
            ..Document::default()
        })
        .collect();
    StoryFile { story, unknown: Vec::new() }
}

async fn read(studio: &Studio, project: &str) -> Outcome {
    let task = WritingTask::Read { chapters: Vec::new() };
    let request = ChapterWriteRequest { project: project.into(), task, ..ChapterWriteRequest::default() };
    let mut outcome = finish(studio.write(request).await.unwrap()).await.1;
    // Whether an event has two names is for the author to say, some other time.
    while outcome.status == RunStatus::Waiting {
        let later = RunAnswer::Decide { answers: BTreeMap::new(), choices: BTreeMap::new() };
        outcome = finish(studio.answer(&outcome, later).await.unwrap()).await.1;
    }
    outcome
}

/// A chapter that was edited by hand so that it contradicts the one before it in two dates, an owner and a secret.
#[tokio::test]
async fn an_edit_that_contradicts_the_chapter_before_is_unread_until_a_reader_reports_it() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&ScriptedModel::responding("careful", careful))).await;
    let project = studio.import(book(), None).await.unwrap().project.project;
    let outcome = read(&studio, &project).await;
    assert_eq!(outcome.status, RunStatus::Done, "{:?}", outcome.errors);
    let made = outcome.book_made().unwrap();
    assert!(made.chapters.iter().all(|row| row.read && row.findings.iter().all(|finding| finding.code.is_some())));

    let edited = studio
        .call(op::EditChapter { project: project.clone(), chapter: "2".into(), text: EDITED.into(), expected: None })
        .await
        .unwrap();
    assert_eq!(edited.reading, ReadState::Changed);
    assert_eq!(studio.projects().await.unwrap()[0].unread, Some(1));
    assert_eq!(studio.show(&project).await.unwrap().chapters[1].state, ReadState::Changed);
    assert_eq!(studio.check(&project, &[]).await.unwrap().basis.chapters[1].state, ReadState::Changed);
    let reconciled = studio.reconcile(&project, &[], ReadingMode::Recalled, ApplyMode::Show).await.unwrap();
    assert_eq!(reconciled.readings[1].state, ReadState::Changed);

    let outcome = read(&studio, &project).await;
    let rows = &outcome.book_made().unwrap().chapters;
    assert_eq!(rows.iter().map(|row| (row.chapter, row.read)).collect::<Vec<_>>(), [(2, true)]);
    let reported = |quote: &str| rows[0].findings.iter().any(|finding| finding.quote.contains(quote));
    let missing: Vec<_> = CONTRADICTIONS.iter().filter(|(_, quote, _)| !reported(quote)).collect();
    assert!(missing.is_empty(), "not reported: {missing:?} among {:#?}", rows[0].findings);
    assert!(rows[0].score.is_some_and(|score| score < 70), "{:?}", rows[0].score);
    assert_eq!(studio.projects().await.unwrap()[0].unread, Some(0));
}

/// What was known of a text comes back with the text.
#[tokio::test]
async fn a_restored_text_brings_its_facts_summary_and_reading_back() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path(), script::models(&ScriptedModel::responding("careful", careful))).await;
    let project = studio.import(book(), None).await.unwrap().project.project;
    read(&studio, &project).await;
    let before = studio.story_at(&project, None).await.unwrap();
    let known = |story: &Story| -> BTreeSet<String> { story.facts.iter().map(Fact::label).collect() };

    studio
        .call(op::EditChapter {
            project: project.clone(),
            chapter: "2".into(),
            text: "她在路上。".into(),
            expected: None,
        })
        .await
        .unwrap();
    read(&studio, &project).await;
    let edited = studio.story_at(&project, None).await.unwrap();
    assert!(known(&edited).len() < known(&before).len());

    studio.restore(&project, "d-2", 1).await.unwrap();
    let restored = studio.story_at(&project, None).await.unwrap();
    assert_eq!(known(&restored), known(&before));
    assert_eq!(restored.documents[1].summary, before.documents[1].summary);
    assert_eq!(restored.documents[1].read_state(), ReadState::Read);
}

fn extraction(told: &str) -> Extraction {
    serde_json::from_str(told).unwrap()
}

/// The second reading lists what is new to it, and leaves out cards and facts that the text still tells.
#[test]
fn a_second_reading_withdraws_nothing_that_the_text_still_tells() {
    let mut story = book().story;
    let first = extraction(include_str!("../strong/settled-1.json"));
    settle(&mut story, "d-1", &first, Config::default()).unwrap();
    let before = story.clone();
    let again = extraction(include_str!("../strong/settled-1-again.json"));
    let settlement = settle(&mut story, "d-1", &again, Config::default()).unwrap();
    let names = |story: &Story| -> BTreeSet<String> {
        let cards = story.characters.iter().map(|card| card.name.clone());
        cards.chain(story.locations().iter().map(|place| place.name.clone())).collect()
    };
    assert!(names(&before).contains("冯二") && names(&before).contains("青阳县"), "{:?}", names(&before));
    assert_eq!(names(&before).difference(&names(&story)).collect::<Vec<_>>(), [""; 0]);
    let said = |story: &Story| -> BTreeSet<String> {
        let value = |fact: &Fact| fact.object.clone().unwrap_or_else(|| json!(fact.value).to_string());
        story.facts.iter().map(|fact| format!("{} {} {}", fact.subject, fact.predicate, value(fact))).collect()
    };
    assert_eq!(said(&before).difference(&said(&story)).collect::<Vec<_>>(), [""; 0], "{:?}", settlement.rejected);

    let child = story.facts.iter().find(|fact| fact.predicate == "孩子").unwrap();
    assert_eq!((child.subject.as_str(), child.object.as_deref()), ("沈伯安", Some("沈砚秋")));
    let issues = check(&story, &Rules::default());
    let kinship: Vec<_> = issues.iter().filter(|issue| issue.code.as_deref() == Some("QY608")).collect();
    assert!(kinship.is_empty(), "the father of the one is the father of the other's child: {kinship:?}");
}

/// Tokens of the requests for the three chapters by the prompts of 27 November 2026: those of the plan, the prose, the
/// first review and the reading of each. The same weights as in `bench/memory/prompts.py`.
const TOKENS_BEFORE: f64 = 54_934.0;

fn tokens(text: &str) -> f64 {
    text.chars().map(|c| if c > '\u{2e80}' { 0.7 } else { 0.27 }).sum()
}

/// A writer who answers as the strong model did, and a reviewer who finds nothing.
fn answered(request: &ChatRequest) -> ModelScript {
    let number = request.context["chapter"].as_u64().unwrap_or_default();
    let of = |texts: [&'static str; 3]| texts[usize::try_from(number).unwrap() - 1];
    let json = |text: &str| script::reply(&serde_json::from_str(text).unwrap());
    match request.purpose.as_str() {
        "chapter.understand" => json(of([
            include_str!("../strong/understood-1.json"),
            include_str!("../strong/understood-2.json"),
            include_str!("../strong/understood-3.json"),
        ])),
        "chapter.generate" => ModelScript::from(of([FIRST, SECOND, include_str!("../strong/chapter-3.txt")])),
        "chapter.review" => script::reply(&review("")),
        "chapter.settle" => json(of([
            include_str!("../strong/settled-1.json"),
            include_str!("../strong/settled-2.json"),
            include_str!("../strong/settled-3.json"),
        ])),
        "chapter.fix" => script::reply(&json!({"fixes": []})),
        purpose => script::reply(&script::answer(purpose)),
    }
}

/// The prompts of three chapters cost a third less than they did, with what a provider's cache knows counted at a tenth;
/// nothing stands in them twice, and no English word but the names that an answer needs.
#[tokio::test]
async fn a_chapter_is_written_from_two_thirds_of_the_tokens() {
    let home = tempfile::tempdir().unwrap();
    let model = ScriptedModel::responding("strong", answered);
    let studio = studio(home.path(), script::models(&model)).await;
    let story: Story = serde_json::from_str(include_str!("../strong/plan.json")).unwrap();
    let project = studio.import(StoryFile { story, unknown: Vec::new() }, None).await.unwrap().project.project;
    let task = serde_json::from_value(json!({"kind": "draft", "chapters": [1, 2, 3]})).unwrap();
    let request =
        ChapterWriteRequest { project: project.clone(), task, words: Some(1_800), ..ChapterWriteRequest::default() };
    let mut outcome = finish(studio.write(request).await.unwrap()).await.1;
    while outcome.status == RunStatus::Waiting {
        let later = RunAnswer::Decide { answers: BTreeMap::new(), choices: BTreeMap::new() };
        outcome = finish(studio.answer(&outcome, later).await.unwrap()).await.1;
    }
    assert_eq!(outcome.status, RunStatus::Done, "{:?}", outcome.errors);

    let mut seen = BTreeSet::new();
    let mut sent: Vec<String> = Vec::new();
    let (mut all, mut uncached) = (0.0, 0.0);
    for request in model.requests() {
        let counts = ["chapter.understand", "chapter.generate", "chapter.review", "chapter.settle"];
        let chapter = request.context["chapter"].as_u64().unwrap_or_default();
        if !counts.contains(&request.purpose.as_str()) || !seen.insert((request.purpose.clone(), chapter)) {
            continue;
        }
        let text = request.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n");
        let common = |other: &String| other.chars().zip(text.chars()).take_while(|(one, two)| one == two).count();
        let cached = sent.iter().map(common).max().unwrap_or_default();
        let cached = tokens(&text.chars().take(cached).collect::<String>());
        eprintln!("chapter {chapter} {}: {:.0} tokens, {cached:.0} cached", request.purpose, tokens(&text));
        all += tokens(&text);
        uncached += tokens(&text) - cached * 0.9;
        sent.push(text);
    }
    assert_eq!(seen.len(), 12, "four calls for each chapter: {seen:?}");
    eprintln!("{all:.0} tokens, {uncached:.0} with the cache, {TOKENS_BEFORE:.0} before");
    assert!(all < TOKENS_BEFORE * 0.85, "{all}");
    assert!(uncached < TOKENS_BEFORE * 2.0 / 3.0, "{uncached}");

    let last = sent.iter().rev().find(|text| text.contains("现在写") || text.contains("写出整章正文")).unwrap();
    assert!(last.contains("【谁知道什么】"), "{last}");
    assert!(last.contains("沈砚秋手里"), "{last}");
    let mut past_ages = last.lines().filter(|line| line.contains("年龄21"));
    assert!(
        past_ages.all(|line| line.contains("往事：年龄21")),
        "an age from a flashback is not the present one: {last}"
    );
    let mut lines = BTreeSet::new();
    let twice: Vec<&str> = last.lines().filter(|line| line.chars().count() > 20 && !lines.insert(*line)).collect();
    assert_eq!(twice, [""; 0], "nothing stands twice");
}
