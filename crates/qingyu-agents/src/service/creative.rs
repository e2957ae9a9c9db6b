//! Writing for the author: going on, dialogue, scenes, characters, changes of what is written.
//!
//! Each kind has its own steps. What comes of it is looked at by the rules of the checker, and mended at most twice; it is
//! a proposal, which nobody but the orchestrator writes into the project.
//!
//! - `prose`: what a model is asked for and answers; `look`: what the rules find in it; `spans`: changes by place

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::{Character, Language, Names, PieceKind, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod look;
mod prose;
mod spans;

pub use prose::{Fix, Fixes, Rewriting, Sketch, Sketching, Writing};

use super::agent::Summary;
use super::target::Target;
use super::work::Asking;
use super::{Agent, Check, Course, Done, Failure, Halt, Skills, Step, Task, Understanding, Work};
use crate::prompts::Folder;
use crate::tool_use::Limits;
use crate::writing::book::Book;
use crate::writing::card;
use crate::writing::state::Constraints;

/// Writes.
#[derive(Debug)]
pub struct Creative;

static PROMPTS: Folder = crate::prompt_folder!(
    "creative",
    ["system", "plot", "continue", "dialogue", "scene", "character", "general", "rewrite", "mend"],
    [
        "description",
        "language",
        "kind",
        "title",
        "before",
        "material",
        "cards",
        "relations",
        "beats",
        "setting",
        "characters",
        "requirements",
        "words",
        "earlier",
        "passage",
        "problems",
        "draft"
    ]
);

/// Words that ask for a text to be changed.
pub(crate) const REWRITES: [&str; 17] = [
    "改得",
    "改成",
    "改写",
    "改一改",
    "重写",
    "修改",
    "润色",
    "缩写",
    "扩写",
    "精简",
    "rewrite",
    "revise",
    "polish",
    "change ",
    "tighten",
    "shorten",
    "edit ",
];
/// What can be written, with the words that ask for it; the first that fits.
const KINDS: [(&str, &[&str]); 5] = [
    ("rewrite", &REWRITES),
    ("continue", &["续写", "继续", "接着写", "往下写", "continue", "go on", "next part"]),
    ("dialogue", &["对话", "台词", "对白", "dialogue", "conversation"]),
    ("scene", &["场景", "描写", "一幕", "scene", "describe"]),
    ("character", &["人物", "角色", "小传", "character", "portrait"]),
];
/// How much of the text before is shown, in characters.
const BEFORE: usize = 1_500;
/// How much of a text that is to be changed is shown, in characters.
const PASSAGE: usize = 12_000;
/// What the card of the chapter may cost, in tokens.
const CARD: u64 = 4_000;
/// How often what was written is mended.
const MENDS: usize = 2;

/// What the task is about.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct About {
    kind: String,
    target: Target,
    characters: Vec<String>,
}

/// What was found before writing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Gathered {
    material: String,
    cards: Vec<String>,
    relations: Vec<String>,
}

impl Agent for Creative {
    fn name(&self) -> &'static str {
        "creative"
    }

    fn skills(&self) -> Skills {
        Skills {
            zh: "写作：续写（continue）、对话（dialogue）、场景（scene）、人物（character）、改写已有正文（rewrite）、其他创作（general）",
            en: "writes: goes on (continue), dialogue, scene, character, changes of what is written (rewrite), anything \
                 else (general)",
            words: &[
                "续写",
                "继续写",
                "接着写",
                "往下写",
                "写一",
                "创作",
                "对话",
                "台词",
                "对白",
                "场景",
                "描写",
                "小传",
                "改得",
                "改成",
                "改写",
                "重写",
                "修改",
                "润色",
                "扩写",
                "缩写",
                "精简",
                "continue",
                "write",
                "dialogue",
                "scene",
                "portrait",
                "rewrite",
                "revise",
                "polish",
                "tighten",
                "shorten",
                "describe",
            ],
            changes: true,
        }
    }

    fn prompts(&self) -> Option<&'static Folder> {
        Some(&PROMPTS)
    }

    fn tools(&self) -> &'static [&'static str] {
        &[
            "workspace_context_tool",
            "character_tool",
            "relationship_tool",
            "timeline_tool",
            "worldview_tool",
            "outline_tool",
            "document_tool",
            "encyclopedia_tool",
            "rag_tool",
        ]
    }

    fn understand<'a>(&'a self, task: &'a Task, work: &'a Work<'_>) -> BoxFuture<'a, Result<Understanding, Halt>> {
        async move {
            let kind = kind_of(task);
            let target = match kind {
                "rewrite" => Target::to_read(task, work).await?,
                "continue" if task.context.previous_content.is_some() => {
                    Target::of(task, work).await?.unwrap_or_default()
                }
                "continue" => Target::or_last(task, work).await?,
                _ => Target::of(task, work).await?.unwrap_or_default(),
            };
            let named = match (task.context.characters.is_empty(), &task.project) {
                (true, Some(_)) => work.read("named", |story| named(story, &task.description)).await?,
                _ => task.context.characters.clone(),
            };
            // Whom the author names in a dialogue are those who speak; elsewhere they come beside those of the chapter.
            let characters = match kind {
                _ if !task.context.characters.is_empty() => named,
                "dialogue" if !named.is_empty() => named,
                _ => target.participants.iter().cloned().chain(named).fold(Vec::new(), |mut all, name| {
                    if !all.contains(&name) {
                        all.push(name);
                    }
                    all
                }),
            };
            Ok(Understanding::new(kind, &About { kind: kind.into(), target, characters }))
        }
        .boxed()
    }

    fn plan(&self, understanding: &Understanding, language: Language) -> Vec<Step> {
        let step = |action: &str| match action {
            "retrieve_context" => Step::new(action, language, "检索相关角色和设定", "gathering people and settings"),
            "retrieve_characters" => Step::new(action, language, "获取角色信息", "reading the characters' cards"),
            "analyze_relationship" => Step::new(action, language, "分析角色关系", "reading what ties them"),
            "generate_plot" => Step::new(action, language, "构思情节发展", "thinking out what happens"),
            "write_content" => Step::new(action, language, "撰写正文", "writing"),
            "write_changes" => Step::new(action, language, "改写", "changing the text"),
            "work_with_tools" => Step::new(action, language, "查阅资料并写作", "looking things up and writing"),
            _ => Step::new(action, language, "一致性检查", "checking for contradictions"),
        };
        let actions: &[&str] = match understanding.kind.as_str() {
            "continue" => &["retrieve_context", "generate_plot", "write_content", "consistency_check"],
            "dialogue" => &["retrieve_characters", "analyze_relationship", "write_content", "consistency_check"],
            "scene" => &["retrieve_context", "write_content", "consistency_check"],
            "character" => &["retrieve_characters", "analyze_relationship", "write_content", "consistency_check"],
            "rewrite" => &["retrieve_context", "write_changes", "consistency_check"],
            _ => &["work_with_tools", "consistency_check"],
        };
        actions.iter().map(|action| step(action)).collect()
    }

    fn execute_step<'a>(
        &'a self,
        step: &'a Step,
        course: &'a Course,
        work: &'a Work<'_>,
    ) -> BoxFuture<'a, Result<Done, Halt>> {
        async move {
            let about: About = course.about();
            match step.action.as_str() {
                "retrieve_context" => retrieve_context(&about, course, work).await,
                "retrieve_characters" => retrieve_characters(&about, course, work).await,
                "analyze_relationship" => analyze_relationship(&about, course, work).await,
                "generate_plot" => prose::sketch(&about, course, work).await,
                "write_content" => prose::write(&about, course, work).await,
                "write_changes" => prose::rewrite(&about, course, work).await,
                "work_with_tools" => with_tools(&about, course, work).await,
                _ => look::check_and_mend(&about, course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &Course) -> Summary {
        let about: About = course.about();
        let checked = course.of("consistency_check");
        let output = checked.map(|done| done.output.clone()).unwrap_or_default();
        let findings = checked.map_or(Value::Null, |done| done.data["findings"].clone());
        let data = json!({
            "title": about.target.title,
            "document": about.target.document,
            "sketch": course.data("generate_plot"),
            "findings": findings,
        });
        Summary { output, data }
    }
}

fn kind_of(task: &Task) -> &'static str {
    let given = task.context.kind.as_deref();
    if given == Some("general") {
        return "general";
    }
    let named = given.and_then(|given| KINDS.iter().find(|(kind, _)| *kind == given));
    let lower = task.description.to_lowercase();
    let found = named.or_else(|| KINDS.iter().find(|(_, words)| words.iter().any(|word| lower.contains(word))));
    found.map_or("general", |(kind, _)| kind)
}

async fn retrieve_context(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    if course.task.project.is_none() {
        return Ok(Done::with(&Gathered::default()));
    }
    let mut arguments = json!({
        "task_type": match (about.kind.as_str(), about.target.text.is_empty()) {
            ("rewrite", _) => "review_content",
            (_, true) => "create_chapter",
            _ => "continue_writing",
        },
        "context_scope": "related_entities",
        "max_tokens": 4_000,
    });
    if let Some(chapter) = about.target.node.clone().or_else(|| about.target.document.clone()) {
        arguments["chapter_id"] = chapter.into();
    }
    if !about.characters.is_empty() {
        arguments["character_ids"] = json!(about.characters);
    }
    let used = work.tool("context", "workspace_context_tool", arguments).await?;
    if !used.success {
        without(work, &used.tool_name, used.error.as_deref().unwrap_or_default());
    }
    let related = used.result["related_content"].clone();
    let material = work.read("material", |story| material(story, about, related)).await?;
    Ok(Done {
        checks: vec![Check::one("context", used.success)],
        ..Done::with(&Gathered { material, ..Gathered::default() })
    })
}

async fn retrieve_characters(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    if course.task.project.is_none() {
        return Ok(Done::with(&Gathered::default()));
    }
    let get = |name: &String| ("character_tool", json!({"action": "get", "character_id": name}));
    let calls = about.characters.iter().take(8).map(get).collect::<Vec<_>>();
    let used = work.tools("characters", &calls).await?;
    let mut cards = Vec::new();
    for (name, used) in about.characters.iter().zip(&used) {
        match used.success {
            true => cards.extend(Character::deserialize(&used.result["character"]).ok()),
            false => without(work, &format!("character_tool {name}"), used.error.as_deref().unwrap_or_default()),
        }
    }
    let (held, of) = (cards.len(), used.len());
    let gathered = work.read("cards", |story| told_of(story, &cards)).await?;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let checks = vec![Check { what: "cards".into(), held: count(held), of: count(of) }];
    Ok(Done { checks, ..Done::with(&gathered) })
}

async fn analyze_relationship(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    if course.task.project.is_none() || about.characters.is_empty() {
        return Ok(Done::with(&Gathered::default()));
    }
    let used = work.tool("relations", "relationship_tool", json!({"action": "get_graph"})).await?;
    if !used.success {
        without(work, &used.tool_name, used.error.as_deref().unwrap_or_default());
    }
    let edges = used.result["edges"].as_array().cloned().unwrap_or_default();
    let names = &about.characters;
    let relations = work.read("ties", |story| ties(story, names, &edges)).await?;
    Ok(Done {
        checks: vec![Check::one("relations", used.success)],
        ..Done::with(&Gathered { relations, ..Gathered::default() })
    })
}

/// Whom of the cast the author's words name, in that order.
fn named(story: &Story, words: &str) -> Vec<String> {
    let names = Names::of(story);
    let mut found: Vec<String> = Vec::new();
    for mention in names.mentions(words) {
        // A name that two characters share names neither for certain.
        if let [one] = mention.bearers.as_slice()
            && one.kind == PieceKind::Character
            && !found.contains(&story.characters[one.position].name)
        {
            found.push(story.characters[one.position].name.clone());
        }
    }
    found
}

/// What is known around the text: style, world, the story so far, people, facts.
fn material(story: &Story, about: &About, related: Value) -> String {
    let book = Book::of(story);
    let names = Names::of(story);
    let people: Vec<String> = about
        .characters
        .iter()
        .filter_map(|name| Some(names.resolve(PieceKind::Character, name)?.id.clone()))
        .collect();
    let number = about.target.document.as_deref().and_then(|document| book.number_of(document)).or_else(|| {
        let node = about.target.node.as_deref()?;
        (1..=book.len()).find(|number| book.node(*number).is_some_and(|one| one.id == node))
    });
    let texts = story.documents.iter().rev().filter(|document| document.order > 0).take(5);
    let said = card::said(story, &people, texts.map(|document| document.text.as_str()));
    let found = card::Gathered { story: Some(story), related, people, said, passages: Vec::new() };
    let stable = card::stable(story, &Constraints::default(), &[]);
    let around = match number {
        Some(number) => card::chapter(&card::surroundings(&book, number), &found, CARD),
        None => card::material(&found, CARD),
    };
    format!("{stable}\n{around}").trim().to_owned()
}

/// The cards of those who take part, with the style of the book, which every prose is written in.
fn told_of(story: &Story, cast: &[Character]) -> Gathered {
    let people: Vec<String> = cast.iter().map(|card| card.id.clone()).collect();
    let texts = story.documents.iter().rev().filter(|document| document.order > 0).take(5);
    let said = card::said(story, &people, texts.map(|document| document.text.as_str()));
    Gathered {
        material: card::stable(story, &Constraints::default(), &[]),
        cards: card::cards(cast, &said, story.language),
        relations: Vec::new(),
    }
}

/// What is between those people and nobody else, a line each.
fn ties(story: &Story, people: &[String], edges: &[Value]) -> Vec<String> {
    let names = Names::of(story);
    let of = |name: &str| names.resolve(PieceKind::Character, name).map(|named| named.position);
    let here: Vec<usize> = people.iter().filter_map(|name| of(name)).collect();
    let is_here = |edge: &Value, key: &str| edge[key].as_str().and_then(of).is_some_and(|one| here.contains(&one));
    let own = |edge: &&Value| is_here(edge, "from") && is_here(edge, "to");
    let edges: Vec<Value> = edges.iter().filter(own).take(20).cloned().collect();
    card::ties(&edges, story.language)
}

/// Anything else: the model looks up what it needs, and writes.
async fn with_tools(about: &About, course: &Course, work: &Work<'_>) -> Result<Done, Halt> {
    let writing = prose::writing(about, course);
    let asking = Asking { temperature: Some(0.8), ..Asking::once("general") };
    let limits = Limits { rounds: 6, ..Limits::default() };
    let text = work.act(asking, &writing, limits).await??;
    if let Some(refusal) = prose::refusal(&text, course.language()) {
        return Err(Halt::Failed(Failure::Model { message: refusal }));
    }
    Ok(Done::with(&json!({"text": text.trim()})))
}

/// Says that a tool failed and the work goes on.
fn without(work: &Work<'_>, tool: &str, why: &str) {
    work.warn(match work.language() {
        Language::Zh => format!("{tool} 没有成功，在没有它的情况下继续：{why}"),
        Language::En => format!("{tool} failed; going on without it: {why}"),
    });
}
