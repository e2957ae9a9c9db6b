//! Cost estimates of commands.

use std::collections::BTreeSet;

use qingyu_agents::forecast::{ForecastRow, Range, Workflow, forecast};
use qingyu_agents::levels::planned_length;
use qingyu_agents::plan::{default_plan, fixed_plan};
use qingyu_agents::prompts::{MaterialForm, PromptMaterial};
use qingyu_agents::writing::book::NumberedBook;
use qingyu_llm::estimate::tokens;
use qingyu_llm::{Cost, Prices, Usage};
use qingyu_story::bounded::at_most;
use qingyu_story::chapters::ChapterName;
use qingyu_story::levels::said_part_length;
use qingyu_story::{Language, Prose, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::models::roster::ModelRoster;
use crate::studio::Studio;

/// The command to estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ForecastRequest {
    /// Create or extend the material of a story.
    Create {
        /// The user's requirement.
        requirement: String,
        /// The project to extend.
        project: Option<String>,
    },
    /// Write chapters of a project.
    Write {
        /// The project.
        project: String,
        /// The chapters; by default all chapters without text.
        #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
        #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
        chapters: Vec<ChapterName>,
        /// The words per chapter; by default the outline's length or the usual length.
        #[serde(default, deserialize_with = "at_most::<100_000, _, _>")]
        #[schemars(range(max = 100_000))]
        words: Option<u32>,
    },
    /// Have a model read chapters.
    Read {
        /// The project.
        project: String,
        /// The chapters; by default all chapters with a current text unread by any model.
        #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
        #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
        chapters: Vec<ChapterName>,
    },
    /// Analyse prose.
    Analyze {
        /// The prose.
        text: String,
        /// The number of aspects.
        #[serde(deserialize_with = "at_most::<100, _, _>")]
        #[schemars(range(max = 100))]
        aspects: u64,
    },
    /// Review prose before publication.
    Review,
    /// Perform a task given in words.
    Task {
        /// The task.
        request: String,
    },
}

/// The cost estimate of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Forecast {
    /// The affected chapters, if any.
    pub chapters: Vec<u32>,
    /// The estimates by kind of call.
    pub rows: Vec<ForecastLine>,
    /// The tokens of all requests.
    pub input: Range,
    /// The request tokens expected in the providers' caches.
    pub cached: Range,
    /// The tokens of all answers.
    pub output: Range,
    /// The price by currency, of all calls with a known price.
    pub costs: Vec<CostRange>,
    /// The models without a known price, excluded from the sums.
    pub unpriced: Vec<String>,
}

/// The cost estimate of a kind of call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastLine {
    /// The number of calls and tokens.
    #[serde(flatten)]
    pub row: ForecastRow,
    /// The model.
    pub model: String,
    /// The price, if known.
    pub cost: Option<CostRange>,
}

/// An estimated amount of money, in millionths of the currency's unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostRange {
    /// The range of the amount.
    #[serde(flatten)]
    pub micros: Range,
    /// The currency's code.
    pub currency: String,
}

impl Studio {
    /// Returns the cost estimate of a command with the current settings, without calling a model.
    pub async fn forecast(&self, request: &ForecastRequest) -> Result<Forecast, Error> {
        let project = match request {
            ForecastRequest::Write { project, .. }
            | ForecastRequest::Read { project, .. }
            | ForecastRequest::Create { project: Some(project), .. } => Some(self.kept_story(project).await?),
            _ => None,
        };
        let id = project.as_ref().map(|(id, _)| id.as_str());
        let effective = self.settings().effective(id)?;
        let roster = ModelRoster::new(&effective, self.settings())?;
        let chosen = roster.choose().await?;
        let (prices, prompts) = (roster.prices(&chosen)?, self.prompts(&effective)?);
        let story = project.map(|(_, kept)| kept.story);

        let values = &effective.values;
        let mut chapters = Vec::new();
        let of = |workflow: Workflow<'_>, language: Language| forecast(&workflow, language, &prompts);
        let rows = match request {
            ForecastRequest::Create { requirement, .. } => {
                let language = story.as_ref().map_or_else(|| Language::of(requirement), |story| story.language);
                let config = &values.pipeline;
                // What a planner will plan is not known; these steps at least.
                let is_fixed = config.enable_planner || config.is_fixed();
                let plan = if is_fixed { fixed_plan(language) } else { default_plan(language) }.execution_plan;
                let material = story.as_ref().map_or(0, tokens_of);
                let create = Workflow::Create { plan: &plan, requirement: tokens(requirement), material, config };
                let arc = said_part_length(requirement, language).unwrap_or(ARC_USUAL);
                let levels = planned_length(requirement, language);
                let levels = levels.map(|length| Workflow::Plan { length, chapters: arc.min(length), arcs: 0 });
                [Some(create), levels].into_iter().flatten().flat_map(|workflow| of(workflow, language)).collect()
            }
            ForecastRequest::Write { chapters: named, words, .. } => {
                let story = story.unwrap_or_default();
                let planned: Vec<(u32, u32)> = chapters_of(&story, named, *words, values.writing.words)?;
                chapters = planned.iter().map(|(number, _)| *number).collect();
                let words: Vec<u32> = planned.into_iter().map(|(_, words)| words).collect();
                let write = Workflow::Write { chapters: &words, config: &values.writing };
                // Chapters that the outline does not have yet are planned on the way.
                let outlined = NumberedBook::of(&story).len();
                let unplanned = chapters.last().map_or(0, |last| last.saturating_sub(outlined));
                let plan = Workflow::Plan { length: 0, chapters: unplanned, arcs: unplanned.div_ceil(ARC_USUAL) };
                [write, plan].into_iter().flat_map(|workflow| of(workflow, story.language)).collect()
            }
            ForecastRequest::Read { chapters: named, .. } => {
                let story = story.unwrap_or_default();
                let found = chapters_to_read(&story, named)?;
                chapters = found.iter().map(|(number, _)| *number).collect();
                let words: Vec<u32> = found.into_iter().map(|(_, words)| words).collect();
                of(Workflow::Read { chapters: &words, config: &values.writing }, story.language)
            }
            ForecastRequest::Analyze { text, aspects } => {
                of(Workflow::Analyze { text: tokens(text), aspects: *aspects }, Language::of(text))
            }
            ForecastRequest::Review => of(Workflow::Review, Language::default()),
            ForecastRequest::Task { request } => of(Workflow::Task { request: tokens(request) }, Language::of(request)),
        };
        let served = |purpose: &str| match self.given_models() {
            Some(models) => models.for_purpose(purpose).name().to_owned(),
            None => chosen.of(role_of(purpose)).to_owned(),
        };
        Ok(added_up(chapters, rows, &prices, served))
    }
}

/// The usual length of an arc, in chapters.
const ARC_USUAL: u32 = 20;

/// Returns the role serving a purpose.
fn role_of(purpose: &str) -> &str {
    match purpose.split('.').next().unwrap_or_default() {
        "plan" => "planner",
        "chapter" => "writer",
        role => role,
    }
}

/// Returns the chapters to be written, with their lengths in words.
fn chapters_of(story: &Story, named: &[ChapterName], words: Option<u32>, usual: u32) -> Result<Vec<(u32, u32)>, Error> {
    let book = NumberedBook::of(story);
    let ahead = book.ahead(named);
    let last = ahead.iter().flatten().last().copied().unwrap_or_default();
    let wanted: BTreeSet<u32> = ahead.map_or_else(|| book.numbers(named), Ok)?.into_iter().collect();
    let is_wanted = |number: &u32| match wanted.is_empty() {
        true => book.document(*number).is_none(),
        false => wanted.contains(number),
    };
    let words_of = |number: u32| {
        let planned = book.node(number).and_then(|node| node.words).filter(|words| *words > 0);
        words.or(planned).unwrap_or(usual)
    };
    Ok((1..=book.len().max(last)).filter(is_wanted).map(|number| (number, words_of(number))).collect())
}

/// Returns the chapters to be read by a model, with their lengths in words.
fn chapters_to_read(story: &Story, named: &[ChapterName]) -> Result<Vec<(u32, u32)>, Error> {
    let book = NumberedBook::of(story);
    let chapters = if named.is_empty() { book.unread(1..=book.len()) } else { book.numbers(named)? };
    let length = |number: u32| Some(Prose::of(&book.document(number)?.text).length);
    let words = |number: u32| Some((number, u32::try_from(length(number)?).unwrap_or(u32::MAX)));
    Ok(chapters.into_iter().filter_map(words).collect())
}

/// Returns the number of tokens of a story in a prompt.
fn tokens_of(story: &Story) -> u64 {
    let PromptMaterial {
        worldview,
        outline_nodes,
        characters,
        character_relations,
        timeline_events,
        plot_nodes,
        style,
    } = PromptMaterial::of(story, MaterialForm::Fields);
    let sections = [worldview, outline_nodes, characters, character_relations, timeline_events, plot_nodes, style];
    sections.iter().flatten().map(|section| tokens(section)).sum()
}

fn added_up(chapters: Vec<u32>, rows: Vec<ForecastRow>, prices: &Prices, served: impl Fn(&str) -> String) -> Forecast {
    let mut all = Forecast {
        chapters,
        rows: Vec::new(),
        input: Range::default(),
        cached: Range::default(),
        output: Range::default(),
        costs: Vec::new(),
        unpriced: Vec::new(),
    };
    for row in rows {
        let model = served(&row.purpose);
        let cost = priced(&row, &model, prices);
        all.input += row.input;
        all.cached += row.cached;
        all.output += row.output;
        match &cost {
            Some(cost) => match all.costs.iter_mut().find(|sum| sum.currency == cost.currency) {
                Some(sum) => sum.micros += cost.micros,
                None => all.costs.push(cost.clone()),
            },
            None if !all.unpriced.contains(&model) => all.unpriced.push(model.clone()),
            None => {}
        }
        all.rows.push(ForecastLine { row, model, cost });
    }
    all
}

fn priced(row: &ForecastRow, model: &str, prices: &Prices) -> Option<CostRange> {
    let currency = prices.of(model)?.currency.clone();
    let cost = |of: fn(&Range) -> u64| {
        let usage = Usage {
            input: of(&row.input),
            cached: of(&row.cached),
            output: of(&row.output),
            estimated: true,
            ..Usage::default()
        };
        prices.cost(model, usage).map_or(0, |cost: Cost| cost.micros)
    };
    Some(CostRange { micros: Range::map(cost), currency })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_added_up_and_what_has_none_is_named() {
        let range = |number: u64| Range { least: number, likely: 2 * number, most: 3 * number };
        let row = |purpose: &str| ForecastRow {
            purpose: purpose.into(),
            calls: range(1),
            input: range(1_000),
            cached: range(400),
            output: range(100),
        };
        let served = |purpose: &str| match role_of(purpose) {
            "writer" => "mine/priced".to_owned(),
            "planner" => "mine/unknown".to_owned(),
            _ => "offline-rules-1".to_owned(),
        };
        let own = "\"mine/priced\" = { currency = \"CNY\", input = 2.0, cached = 0.2, output = 3.0 }".parse().unwrap();
        let prices = Prices::with_overrides(&own).unwrap();
        let rows = vec![row("plan.create"), row("chapter.generate"), row("chapter.fix"), row("settle.extract")];
        let all = added_up(vec![1], rows, &prices, served);
        // CNY per million tokens: 2 for input, a tenth for cached input, 3 for output.
        let one = 600 * 2 + 400 / 5 + 100 * 3;
        assert_eq!(all.rows[1].cost.as_ref().unwrap().micros, Range { least: one, likely: 2 * one, most: 3 * one });
        assert_eq!(all.rows[0].cost, None);
        assert_eq!(all.unpriced, ["mine/unknown"]);
        let cny = all.costs.iter().find(|cost| cost.currency == "CNY").unwrap();
        assert_eq!((cny.micros.likely, all.input.likely, all.costs.len()), (4 * one, 8_000, 2));
    }
}
