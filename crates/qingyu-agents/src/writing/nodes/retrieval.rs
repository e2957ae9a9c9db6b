//! Gathers what a chapter is written from: the context card.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_llm::estimate;
use qingyu_story::{Names, PieceKind};
use qingyu_tools::{Caller, Permission};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Error;
use crate::progress::ChapterStep;
use crate::writing::asking::{Work, load};
use crate::writing::book::Book;
use crate::writing::brief::Brief;
use crate::writing::notice::Notice;
use crate::writing::state::{ContextCard, ToolCallRow};
use crate::writing::{GENERATION, NEXT_CHAPTER, WRITER, WritingRoom, WritingState, card};

/// The tools that gather, by what they give.
const CONTEXT: &str = "workspace_context_tool";
const PASSAGES: &str = "rag_tool";

/// Chapters before in which people are heard speaking.
const VOICES: usize = 5;

/// The most tokens of the passages of one search.
const SEARCH_TOKENS: u64 = 600;

pub(in crate::writing) async fn run(
    room: Arc<WritingRoom>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = Work::new(&room, &state, &context);
    let gathered = gathered(&mut work).await?;
    let passages = gathered.passages.len();
    work.reason(&Notice::Gathered { tokens: gathered.card.tokens, passages });
    if state.config.brief_only {
        work.tell(ChapterStep::Briefed);
        let brief = brief(&work, &state, &gathered.card);
        work.write(|update| update.briefs(vec![brief]));
    }
    let update = work.update.tool_calls(gathered.calls).rag_results(gathered.passages).retrieved_context(gathered.card);
    let next = if state.config.brief_only { NEXT_CHAPTER } else { GENERATION };
    Ok(Command::update(update).goto([next]))
}

/// What was gathered for the chapter, as a stored step; tools that failed are warned about.
pub(super) async fn gathered(work: &mut Work<'_>) -> Result<Gathered, NodeError> {
    let (room, state) = (work.room, work.state);
    let input = (state.number(), &state.plan, &state.tools_to_use);
    let gathered: Gathered = work.context.step("card", &input, || gather(room, state)).await?;
    for call in &gathered.calls {
        if let Some(error) = &call.error {
            work.warn(&Notice::ToolFailed { tool: &call.tool, error });
        }
    }
    Ok(gathered)
}

/// What was gathered, as it is stored.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Gathered {
    pub(super) card: ContextCard,
    passages: Vec<Value>,
    calls: Vec<ToolCallRow>,
}

async fn gather(room: &WritingRoom, state: &WritingState) -> Result<Gathered, Error> {
    let chapter = state.chapter.as_ref().expect("this node runs only with a chapter in hand");
    let (story, _) = load(room).await?;
    let names = Names::of(&story);
    let mut people: Vec<String> = Vec::new();
    let planned = state.plan.scenes.iter().flat_map(|scene| &scene.participants);
    for name in planned.chain(&chapter.surroundings.participants).chain([&state.plan.point_of_view]) {
        if let Some(named) = names.resolve(PieceKind::Character, name)
            && !people.contains(&named.id)
        {
            people.push(named.id.clone());
        }
    }
    let book = Book::of(&story);
    let texts = (1..state.number()).rev().filter_map(|before| book.document(before)).take(VOICES);
    let said = card::said(&story, &people, texts.map(|document| document.text.as_str()));
    let mut tools = Tools { room, state, calls: Vec::new() };
    let related = tools
        .call(
            CONTEXT,
            json!({
                "task_type": "create_chapter",
                "context_scope": "related_entities",
                "chapter_id": chapter.node,
                "character_ids": &people,
                "max_tokens": card::RELATED_TOKENS,
            }),
        )
        .await;
    let related = related.map(|answer| answer["related_content"].clone()).unwrap_or_default();
    let mut passages: Vec<Value> = Vec::new();
    for search in &state.plan.searches {
        let arguments = json!({
            "query": search,
            "as_of": chapter.node,
            "source": "prose",
            "top_k": state.config.passages,
            "max_tokens": SEARCH_TOKENS,
        });
        let found = tools.call(PASSAGES, arguments).await;
        let own = chapter.base.as_ref().map(|base| base.document.as_str());
        let found = found.as_ref().and_then(|found| found["passages"].as_array()).into_iter().flatten();
        for passage in found.filter(|passage| passage["id"].as_str() != own) {
            if passages.len() < state.config.passages
                && !passages.iter().any(|other| other["anchor"] == passage["anchor"])
            {
                passages.push(passage.clone());
            }
        }
    }
    let stable = state.retrieved_context.stable.clone();
    let found = card::Gathered { story: Some(story.as_ref()), related, people, said, passages: passages.clone() };
    let text = card::chapter(&chapter.surroundings, &found, state.config.card_tokens);
    let tokens = estimate::tokens(&stable) + estimate::tokens(&text);
    Ok(Gathered { card: ContextCard { stable, chapter: text, tokens }, passages, calls: tools.calls })
}

/// Calls tools, as long as they may be called, and keeps a row of each call.
struct Tools<'a> {
    room: &'a WritingRoom,
    state: &'a WritingState,
    calls: Vec<ToolCallRow>,
}

impl Tools<'_> {
    /// The answer; none if there was none, and the row says why.
    async fn call(&mut self, tool: &str, mut arguments: Value) -> Option<Value> {
        if !self.state.tools_to_use.iter().any(|allowed| allowed == tool) {
            return None;
        }
        let row = ToolCallRow {
            chapter: self.state.number(),
            tool: tool.to_owned(),
            arguments: arguments.to_string(),
            error: None,
        };
        arguments["project_id"] = self.room.workspace.project().into();
        let caller = Caller {
            language: self.state.language,
            run: Some(self.state.run_id.clone()),
            ..Caller::new(WRITER, Permission::Read)
        };
        let outcome = self.room.tools.call(tool, arguments, &caller).await;
        let (answer, error) = match outcome.result {
            Ok(answer) => (Some(answer), None),
            Err(error) => (None, Some(error.to_string())),
        };
        self.calls.push(ToolCallRow { error, ..row });
        answer
    }
}

fn brief(work: &Work<'_>, state: &WritingState, card: &ContextCard) -> Brief {
    let chapter = work.chapter();
    Brief {
        chapter: chapter.number,
        title: chapter.title.clone(),
        words: chapter.words,
        plan: state.plan.clone(),
        from_outline: state.plan_fallback.is_some(),
        card: format!("{}\n{}", card.stable, card.chapter).trim().to_owned(),
    }
}
