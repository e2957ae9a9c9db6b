//! Shows what is there.

use std::sync::Arc;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_production::{Board, Status, golden};
use qingyu_story::Language;

use crate::production::desk::Desk;
use crate::production::notice::Notice;
use crate::production::order::Turn;
use crate::production::{ContentProductionState, ProductionRoom};

pub(in crate::production) async fn run(
    room: Arc<ProductionRoom>,
    state: Arc<ContentProductionState>,
    context: Context,
) -> Result<Command<ContentProductionState>, NodeError> {
    let mut desk = Desk::new(&room, &state, &context);
    let (story, _) = desk.load().await?;
    desk.look_at(&story);
    let board = Board::new(&story.fields);
    let shown = state.work.wanted.iter().filter_map(|path| {
        let field = board.get(path)?;
        let text = golden::as_text(&board.value(path)?);
        let title = &field.title;
        Some(if text.is_empty() {
            Notice::NoValue { title }.text(state.language)
        } else {
            format!("@{path}  {title}\n\n{text}")
        })
    });
    let mut text = shown.collect::<Vec<_>>().join("\n\n");
    if text.is_empty() {
        let rows =
            board.rows().into_iter().map(|row| (row.path, row.title, word(row.status, state.language).to_owned()));
        text = Notice::Overview { rows: &rows.collect::<Vec<_>>() }.text(state.language);
    }
    let (phase, fields) = (state.current_phase.clone(), state.work.wanted.clone());
    Ok(desk.listen(Turn { phase, text, fields, ..Turn::default() }))
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
