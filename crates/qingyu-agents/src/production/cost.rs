//! The cost of making fields, estimated before anything is paid for.

use qingyu_llm::{Cost, Usage, estimate};
use qingyu_production::FieldBoard;
use qingyu_production::golden::as_text;
use qingyu_story::{Language, Story};

use super::material;
use crate::notice::counted;
use crate::production::resources::ProductionResources;
use crate::production::state::ContentProductionState;
use crate::prompts::PromptName;

/// Tokens assumed for a value of unknown length.
const UNKNOWN: u64 = 800;

/// The expected cost of making fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FieldCost {
    /// Number of calls, without retries.
    pub(super) calls: usize,
    /// Tokens of requests and answers.
    pub(super) tokens: u64,
    /// The price at the highest tariff; `None` if it is not known.
    pub(super) money: Option<Cost>,
}

/// Returns the cost of making each field of `paths` once. An answer is taken to be as long as the present value.
pub(super) fn of_fields(
    room: &ProductionResources,
    state: &ContentProductionState,
    story: &Story,
    paths: &[String],
) -> FieldCost {
    let workshop = &room.workshop;
    let board = FieldBoard::new(&story.fields);
    let system = workshop.prompts.render(PromptName::PRODUCTION_SYSTEM, state.language, &()).unwrap_or_default();
    let system = estimate::tokens(&system);
    let golden = serde_json::to_string(&state.golden_context).map_or(0, |text| estimate::tokens(&text));
    let mut usage = Usage { estimated: true, ..Usage::default() };
    for path in paths {
        let Ok(making) = material::making(state, story, &board, path) else { continue };
        let prompt = workshop.prompts.render(PromptName::PRODUCTION_MAKE, state.language, &making).unwrap_or_default();
        usage.input += system + golden + estimate::tokens(&prompt);
        let value = board.get(path).map(|field| as_text(&field.value)).filter(|text| !text.is_empty());
        usage.output += value.map_or(UNKNOWN, |text| estimate::tokens(&text));
    }
    let model = workshop.models.for_purpose("production.make").name().to_owned();
    FieldCost { calls: paths.len(), tokens: usage.input + usage.output, money: workshop.prices.cost(&model, usage) }
}

impl FieldCost {
    /// Returns the cost in words.
    pub(super) fn text(&self, language: Language) -> String {
        let Self { calls, tokens, money } = self;
        let money = money.as_ref().filter(|money| money.micros > 0);
        match language {
            Language::Zh => {
                let money = money.map(|money| format!("，约 {money}")).unwrap_or_default();
                format!("{calls} 次模型调用，约 {tokens} 个 token{money}")
            }
            Language::En => {
                let calls = counted(*calls, "model call", "model calls");
                let money = money.map(|money| format!(", about {money}")).unwrap_or_default();
                format!("{calls}, about {tokens} tokens{money}")
            }
        }
    }
}
