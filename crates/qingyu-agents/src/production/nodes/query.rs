//! The node that shows fields, and answers questions about their values.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::{FieldBoard, Status, citation, golden};
use qingyu_story::Language;

use crate::production::context::ChatContext;
use crate::production::desk::ProductionNode;
use crate::production::notice::ProductionNotice;
use crate::production::order::{Order, Turn};
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;
use crate::production::{field_search, material};
use crate::prompts::PromptName;

pub(in crate::production) async fn run(
    room: Arc<ProductionResources>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = ProductionNode::new(&room, &state, &context);
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    let words = state.order.as_ref().and_then(Order::words).unwrap_or_default();
    if field_search::is_question(words, &story.fields) {
        return answer(desk, words).await;
    }
    let board = FieldBoard::new(&story.fields);
    let shown = state.work.wanted.iter().filter_map(|path| {
        let field = board.get(path)?;
        let text = golden::as_text(&board.value(path)?);
        let title = &field.title;
        Some(if text.is_empty() {
            ProductionNotice::NoValue { title }.text(state.language)
        } else {
            format!("@{path}  {title}\n\n{text}")
        })
    });
    let mut text = shown.collect::<Vec<_>>().join("\n\n");
    let mut fields = state.work.wanted.clone();
    if text.is_empty() {
        let rows = board.rows();
        // After a list of everything, "confirm these" means the drafts in it.
        let drafts = rows.iter().filter(|row| row.status == Status::Draft);
        fields = drafts.map(|row| row.path.clone()).collect();
        let rows = rows.into_iter().map(|row| (row.path, row.title, word(row.status, state.language).to_owned()));
        text = ProductionNotice::Overview { rows: &rows.collect::<Vec<_>>() }.text(state.language);
    }
    let phase = state.current_phase.clone();
    Ok(desk.listen(Turn { phase, text, fields, ..Turn::default() }))
}

/// Answers a question about the fields from the passages found in them, with citations.
async fn answer(mut desk: ProductionNode<'_>, question: &str) -> Result<Command<ContentProductionState>, NodeError> {
    let state = desk.state;
    // The conversation is left out: the answer does not depend on it, and the request would only get longer.
    let asking = desk
        .see(|story| ChatContext {
            language: state.language,
            template: material::template(story),
            premise: String::new(),
            sources: field_search::passages(story, question, &state.work.wanted),
            text: question.to_owned(),
            phase: state.current_phase.clone(),
            fields: material::field_lines(story),
            conversation: Vec::new(),
        })
        .await?;
    let spoken = desk.speak("chat", PromptName::PRODUCTION_CHAT, 0.3, &asking).await?;
    let is_error = spoken.is_err();
    let known = |number: u32| number >= 1 && number as usize <= asking.sources.len();
    let text = match spoken {
        Ok(text) => {
            let (text, _) = citation::purge_in(&text, known);
            let mut cited = citation::named_in(&text);
            cited.sort_unstable();
            cited.dedup();
            let line = |number: u32| {
                let source = &asking.sources[number as usize - 1];
                format!("{} @{}", source.title, source.path)
            };
            let lines: Vec<String> = cited.into_iter().map(line).collect();
            if lines.is_empty() { text } else { format!("{text}\n\n{}", lines.join("\n")) }
        }
        Err(error) => ProductionNotice::ChatFailed { error: &error }.text(state.language),
    };
    let (phase, fields) = (state.current_phase.clone(), state.work.wanted.clone());
    Ok(desk.listen(Turn { phase, text, fields, is_error, ..Turn::default() }))
}

fn word(status: Status, language: Language) -> &'static str {
    match (status, language) {
        (Status::Empty, Language::Zh) => "空",
        (Status::Draft, Language::Zh) => "待确认",
        (Status::Confirmed, Language::Zh) => "已确认",
        (Status::Stale, Language::Zh) => "过期",
        (Status::Empty, Language::En) => "empty",
        (Status::Draft, Language::En) => "draft",
        (Status::Confirmed, Language::En) => "confirmed",
        (Status::Stale, Language::En) => "stale",
    }
}
