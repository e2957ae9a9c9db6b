//! The node that collects the context card of a chapter.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_llm::estimate;
use qingyu_story::{Names, PieceKind, Story};
use qingyu_tools::{Permission, ToolCaller};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Error;
use crate::progress::ChapterStep;
use crate::writing::asking::{ChapterWork, load};
use crate::writing::book::NumberedBook;
use crate::writing::brief::Brief;
use crate::writing::card;
use crate::writing::context_card::ContextCard;
use crate::writing::names::{GENERATION, NEXT_CHAPTER, WRITER};
use crate::writing::notice::WritingNotice;
use crate::writing::plan::ChapterPlan;
use crate::writing::resources::WritingResources;
use crate::writing::state::{ToolCallRow, WritingState};

/// Names of the tools, by result.
const CONTEXT: &str = "workspace_context_tool";
const PASSAGES: &str = "rag_tool";

/// Number of previous chapters searched for dialogue.
const VOICES: usize = 5;

/// Maximum tokens of the passages from one search.
const SEARCH_TOKENS: u64 = 600;

pub(in crate::writing) async fn run(
    room: Arc<WritingResources>,
    state: Arc<WritingState>,
    context: Context,
) -> Result<Command<WritingState>, NodeError> {
    let mut work = ChapterWork::new(&room, &state, &context);
    let gathered = gathered(&mut work).await?;
    let passages = gathered.passages.len();
    work.reason(&WritingNotice::Gathered { tokens: gathered.card.tokens, passages });
    if state.config.brief_only {
        work.tell(ChapterStep::Briefed);
        let brief = brief(&work, &state, &gathered.card);
        work.write(|update| update.briefs(vec![brief]));
    }
    let update = work.update.tool_calls(gathered.calls).rag_results(gathered.passages).retrieved_context(gathered.card);
    let next = if state.config.brief_only { NEXT_CHAPTER } else { GENERATION };
    Ok(Command::update(update).goto([next]))
}

/// Returns the collected context, as a stored step; failed tools cause warnings.
pub(super) async fn gathered(work: &mut ChapterWork<'_>) -> Result<RetrievedMaterial, NodeError> {
    let (room, state) = (work.room, work.state);
    let input = (state.number(), &state.plan, &state.tools_to_use);
    let gathered: RetrievedMaterial = work.context.step("card", &input, || gather(room, state)).await?;
    for call in &gathered.calls {
        if let Some(error) = &call.error {
            work.warn(&WritingNotice::ToolFailed { tool: &call.tool, error });
        }
    }
    for engine in &gathered.replaced {
        let server = engine["server"].as_str().unwrap_or_default();
        work.warn(&WritingNotice::SearchedHere { server, reason: engine["reason"].as_str() });
    }
    Ok(gathered)
}

/// The stored result of the retrieval.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct RetrievedMaterial {
    pub(super) card: ContextCard,
    passages: Vec<Value>,
    calls: Vec<ToolCallRow>,
    /// The search servers that were not used, once each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<Value>,
}

async fn gather(room: &WritingResources, state: &WritingState) -> Result<RetrievedMaterial, Error> {
    let chapter = state.chapter.as_ref().expect("this node runs only with a chapter in hand");
    let (story, _) = load(room).await?;
    let book = NumberedBook::of(&story);
    let names = book.names();
    let mut people: Vec<String> = Vec::new();
    let planned = state.plan.scenes.iter().flat_map(|scene| &scene.participants);
    for name in planned.chain(&chapter.surroundings.participants).chain([&state.plan.point_of_view]) {
        if let Some(named) = names.resolve(PieceKind::Character, name)
            && !people.contains(&named.id)
        {
            people.push(named.id.clone());
        }
    }
    let outlined = chapter.surroundings.outline.join("\n");
    let mentioned = mentioned(&story, names, &format!("{}\n{outlined}", plan_text(&state.plan)));
    let mut absent: Vec<String> = Vec::new();
    for name in about_whom(&story, names, &chapter.surroundings.absent, &state.plan) {
        if let Some(named) = names.resolve(PieceKind::Character, &name)
            && !people.contains(&named.id)
            && !absent.contains(&named.id)
            && absent.len() < card::ABSENT
        {
            absent.push(named.id.clone());
        }
    }
    let texts = (1..state.number()).rev().filter_map(|before| book.document(before)).take(VOICES);
    let said = card::said(&story, &people, texts.map(|document| document.text.as_str()));
    let mut tools = RetrievalTools { room, state, calls: Vec::new() };
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
    let (mut passages, mut replaced): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for search in &state.plan.searches {
        let arguments = json!({
            "query": search,
            "as_of": chapter.node,
            "content_types": ["chapter"],
            "top_k": state.config.passages,
            "max_tokens": SEARCH_TOKENS,
        });
        let found = tools.call(PASSAGES, arguments).await;
        let engines = found.as_ref().and_then(|found| found["engines"].as_array()).into_iter().flatten();
        for engine in engines.filter(|engine| engine["state"] != "used") {
            if !replaced.iter().any(|other| other["server"] == engine["server"]) {
                replaced.push(engine.clone());
            }
        }
        let own = chapter.base.as_ref().map(|base| base.document.as_str());
        let found = found.as_ref().and_then(|found| found["results"].as_array()).into_iter().flatten();
        for passage in found.filter(|passage| passage["id"].as_str() != own) {
            if passages.len() < state.config.passages
                && !passages.iter().any(|other| other["anchor"] == passage["anchor"])
            {
                passages.push(passage.clone());
            }
        }
    }
    let stable = state.retrieved_context.stable.clone();
    let passages_shown = passages.clone();
    let here = people.iter().chain(&absent).filter_map(|id| names.resolve(PieceKind::Character, id));
    let here: Vec<usize> = here.map(|named| named.position).collect();
    let earlier = card::earlier_people(&story, names, &room.workshop.rules.earlier, &here);
    let found = card::CardMaterial {
        story: Some(story.as_ref()),
        plan: state.own_plan(),
        related,
        people,
        absent,
        said,
        mentioned,
        passages: passages_shown,
        has_text: chapter.base.is_some(),
        earlier,
    };
    let text = card::chapter(&chapter.surroundings, &found, state.config.card_tokens);
    let tokens = estimate::tokens(&stable) + estimate::tokens(&text);
    let card = ContextCard { stable, chapter: text, tokens };
    Ok(RetrievedMaterial { card, passages, calls: tools.calls, replaced })
}

/// Returns the places, things and organisations that a text names, in the order of mention.
fn mentioned(story: &Story, names: &Names, text: &str) -> Vec<Value> {
    let kinds = [PieceKind::Location, PieceKind::Item, PieceKind::Organisation];
    let mut found: Vec<Value> = Vec::new();
    for mention in names.mentions(text) {
        for named in mention.bearers.iter().filter(|named| kinds.contains(&named.kind)) {
            let is_known = found.iter().any(|one| one["name"] == named.name.as_str());
            if let Some(piece) = story.piece(named.kind, named.position).filter(|_| !is_known) {
                let mut fields = piece.fields();
                fields.insert("kind".into(), json!(named.kind));
                found.push(Value::Object(fields));
            }
        }
    }
    found
}

/// Returns the names of people that the chapter is about: those of the outline, and those whom the plan names. Whom the
/// plan names only in what must not happen is left out.
fn about_whom(story: &Story, names: &Names, outlined: &[String], plan: &ChapterPlan) -> Vec<String> {
    let text = plan_text(plan);
    let people: Vec<String> = plan.scenes.iter().flat_map(|scene| &scene.participants).cloned().collect();
    let mut planned = card::named(story, names, &text);
    planned.extend(card::relatives(story, names, &people, &text));
    let avoided = card::named(story, names, &plan.must_avoid.join("\n"));
    let is_meant = |name: &&String| planned.contains(name) || !avoided.contains(name);
    outlined.iter().filter(is_meant).chain(&planned).cloned().collect()
}

/// Returns the plan as a text to search for names.
fn plan_text(plan: &ChapterPlan) -> String {
    let scenes = plan.scenes.iter().flat_map(|scene| [&scene.location, &scene.title].into_iter().chain(&scene.beats));
    let text: Vec<&str> = scenes.chain(&plan.must_keep).map(String::as_str).collect();
    text.join("\n")
}

/// Calls allowed tools and records each call.
struct RetrievalTools<'a> {
    room: &'a WritingResources,
    state: &'a WritingState,
    calls: Vec<ToolCallRow>,
}

impl RetrievalTools<'_> {
    /// Calls a tool; returns `None` for a failed call, with the error in its record.
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
        let caller = ToolCaller {
            language: self.state.language,
            run: Some(self.state.run_id.clone()),
            ..ToolCaller::new(WRITER, Permission::Read)
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

fn brief(work: &ChapterWork<'_>, state: &WritingState, card: &ContextCard) -> Brief {
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

#[cfg(test)]
mod tests {
    use qingyu_story::Character;

    use super::*;
    use crate::writing::plan::ScenePlan;

    #[test]
    fn whom_the_plan_only_forbids_the_chapter_is_not_about() {
        let card = |name: &str| Character { name: name.into(), ..Character::default() };
        let characters = ["罗九畴", "卢元朴", "胡应奎", "沈希哲"].map(card).to_vec();
        let story = Story { characters, ..Story::default() };
        let scene =
            ScenePlan { beats: vec!["胡应奎死在案前，罗九畴站在廊下".into()], ..ScenePlan::default() };
        let plan = ChapterPlan {
            scenes: vec![scene],
            must_avoid: vec!["卢元朴改册".into(), "罗九畴邀约".into()],
            ..ChapterPlan::default()
        };
        let outlined = ["罗九畴", "卢元朴", "沈希哲"].map(str::to_owned);
        let about = about_whom(&story, &Names::of(&story), &outlined, &plan);
        assert_eq!(about, ["罗九畴", "沈希哲", "胡应奎", "罗九畴"], "who is in a beat stays");
    }
}
