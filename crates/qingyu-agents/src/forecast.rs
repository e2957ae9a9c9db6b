//! Forecasts of a command's model calls: kinds of calls, their number and their size.
//!
//! `calls_of` is the only place with knowledge of the calls of each workflow. Prompt sizes are measured from the
//! prompt files; typical sizes are used for contents and responses. A prefix shared by all prompts of a kind is
//! expected in the provider's cache from the second call on.

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Prompts;
use crate::config::PipelineConfig;
use crate::plan::{ExecutionPlan, Step};
use crate::writing::WritingConfig;

/// Default token count of a prompt without a file.
const UNKNOWN_SYSTEM: u64 = 900;
const UNKNOWN_PROMPT: u64 = 300;
/// Tokens per English word, punctuation included.
const PER_ENGLISH_WORD: f64 = 1.35;
/// Tokens per Chinese character.
const PER_CHARACTER: f64 = 1.0;

/// The workflow to forecast.
#[derive(Debug, Clone)]
pub enum Workflow<'a> {
    /// Create the material of a story.
    Create {
        /// The expected plan.
        plan: &'a ExecutionPlan,
        /// Tokens of the requirement.
        requirement: u64,
        /// Tokens of the existing material.
        material: u64,
        /// Pipeline switches.
        config: &'a PipelineConfig,
    },
    /// Write chapters.
    Write {
        /// Words per chapter.
        chapters: &'a [u32],
        /// Limits.
        config: &'a WritingConfig,
    },
    /// Plan the levels of a long book.
    Plan {
        /// Number of chapters for which volumes and arcs are made; 0 if they exist.
        length: u32,
        /// Number of chapters planned.
        chapters: u32,
        /// Number of arcs before which the later plans are held against the text.
        arcs: u32,
    },
    /// Read chapters with a model.
    Read {
        /// Words per chapter.
        chapters: &'a [u32],
        /// Limits.
        config: &'a WritingConfig,
    },
    /// Analyze prose for the requested aspects.
    Analyze {
        /// Tokens of the prose.
        text: u64,
        /// Number of aspects.
        aspects: u64,
    },
    /// Review prose before publication.
    Review,
    /// Split a task in words and run agents on the parts.
    Task {
        /// Tokens of the task.
        request: u64,
    },
}

/// One kind of model call.
#[derive(Debug, Clone, PartialEq)]
struct CallKind {
    /// Purpose; selects the model.
    purpose: String,
    /// File names of the system prompt and the prompt, without language.
    prompts: [&'static str; 2],
    /// Expected number of calls.
    times: Times,
    /// Tokens after the system prompt shared by all calls of the kind.
    stable: u64,
    /// Tokens different in every call.
    varying: u64,
    /// Tokens of a response.
    answer: u64,
}

/// Number of occurrences in the best, usual and worst case.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Times {
    /// Best case, without retries.
    least: f64,
    /// Usual case.
    likely: f64,
    /// Worst case, with every possible retry.
    most: f64,
}

/// What the calls of one kind will come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastRow {
    /// The purpose.
    pub purpose: String,
    /// How many calls.
    pub calls: Range,
    /// Tokens of the requests, cached ones included.
    pub input: Range,
    /// Of these, expected in the provider's cache.
    pub cached: Range,
    /// Tokens of the answers.
    pub output: Range,
}

/// A number that is not certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// When all goes well.
    pub least: u64,
    /// Usually.
    pub likely: u64,
    /// When nothing does.
    pub most: u64,
}

impl Range {
    /// Applies `of` to each case and returns the range.
    pub fn map(of: impl Fn(fn(&Self) -> u64) -> u64) -> Self {
        Self { least: of(|range| range.least), likely: of(|range| range.likely), most: of(|range| range.most) }
    }
}

impl std::ops::AddAssign for Range {
    fn add_assign(&mut self, other: Self) {
        self.least += other.least;
        self.likely += other.likely;
        self.most += other.most;
    }
}

impl Times {
    fn once(times: f64) -> Self {
        Self { least: times, likely: times, most: times }
    }

    fn of(least: f64, likely: f64, most: f64) -> Self {
        Self { least, likely, most }
    }

    fn by(self, factor: f64) -> Self {
        Self { least: self.least * factor, likely: self.likely * factor, most: self.most * factor }
    }
}

/// Returns the tokens of `words` Chinese characters or English words.
fn tokens_of_words(words: u32, language: Language) -> u64 {
    let per_word = match language {
        Language::Zh => PER_CHARACTER,
        Language::En => PER_ENGLISH_WORD,
    };
    (f64::from(words) * per_word).ceil() as u64
}

/// Returns the forecast of a workflow, a row for each kind of call.
pub fn forecast(workflow: &Workflow<'_>, language: Language, prompts: &Prompts) -> Vec<ForecastRow> {
    calls_of(workflow, language).iter().map(|kind| kind.row(language, prompts)).collect()
}

/// Returns the kinds of calls of a workflow, in order of first use.
fn calls_of(workflow: &Workflow<'_>, language: Language) -> Vec<CallKind> {
    match workflow {
        Workflow::Create { plan, requirement, material, config } => create(plan, *requirement, *material, config),
        Workflow::Write { chapters, config } => write(chapters, config, language),
        Workflow::Plan { length, chapters, arcs } => plan(*length, *chapters, *arcs),
        Workflow::Read { chapters, config } => read(chapters, config, language),
        Workflow::Analyze { text, aspects } => {
            // The figures are computed; the model reads figures and text once, and judges all aspects.
            let sizes = [0, *text + 800, 200 + 300 * aspects];
            vec![kind("analysis.judge", ["analysis/system", "analysis/judge"], Times::once(1.0), sizes)]
        }
        // Words, duplicates and platform rules are checked locally; the model is called once about the words, if any.
        Workflow::Review => {
            let once = Times::of(0.0, 1.0, 1.0);
            vec![kind("text_review.judge", ["text_review/system", "text_review/judge"], once, [0, 1_500, 300])]
        }
        Workflow::Task { request } => {
            let split = ["orchestrator/system", "orchestrator/split"];
            let step = ["creative/system", "creative/general"];
            vec![
                kind("orchestrator.split", split, Times::of(0.0, 1.0, 1.0), [0, *request + 400, 500]),
                kind("creative.general", step, Times::of(1.0, 2.0, 6.0), [1_000, 4_000, 1_500]),
            ]
        }
    }
}

fn kind(
    purpose: impl Into<String>,
    prompts: [&'static str; 2],
    times: Times,
    [stable, varying, answer]: [u64; 3],
) -> CallKind {
    CallKind { purpose: purpose.into(), prompts, times, stable, varying, answer }
}

fn create(plan: &ExecutionPlan, requirement: u64, material: u64, config: &PipelineConfig) -> Vec<CallKind> {
    let mut kinds = Vec::new();
    if config.enable_planner {
        kinds.push(kind(
            "plan.create",
            ["planner/system", "planner/generate"],
            Times::once(1.0),
            [0, requirement + material, 900],
        ));
    }
    // After a failed review, either the meta-scheduler orders corrections, or everything is regenerated.
    let rounds = f64::from(config.max_iterations);
    let (corrections, repeats) = if config.enable_meta_scheduler { (rounds, 0.0) } else { (0.0, rounds) };
    let again = |times: f64| Times::of(1.0, 1.0 + times.min(1.0) * 0.8, 1.0 + times);
    let usual = |step: &Step| crate::estimate::usual_answer(step);
    let all: u64 = plan.steps.iter().filter(|step| !step.is_review()).map(usual).sum();
    for step in plan.steps.iter().filter(|step| !step.is_review()) {
        let needed = plan.needed_by(step.step_id);
        let earlier: u64 = needed.iter().filter_map(|id| plan.step(*id)).map(usual).sum();
        let folder = step.agent.trim_end_matches("_agent");
        let made = [requirement, material + earlier + 200, usual(step)];
        kinds.push(kind(format!("{folder}.generate"), work(folder, "generate"), again(repeats), made));
        // A correction returns only changes.
        let mended = [requirement, material + all + 900, usual(step) / 2];
        kinds.push(kind(
            format!("{folder}.correct"),
            work(folder, "correct"),
            Times::of(0.0, corrections.min(1.0) * 0.4, corrections),
            mended,
        ));
    }
    if plan.steps.iter().any(Step::is_review) {
        let times = again(rounds);
        let read = [requirement, material + all + 400, 1_000];
        kinds.push(kind("review.judge", ["review/system", "review/generate"], times, read));
    }
    kinds
}

fn work(folder: &str, way: &str) -> [&'static str; 2] {
    match (folder, way) {
        ("worldview", "generate") => ["worldview/system", "worldview/generate"],
        ("worldview", _) => ["worldview/system", "worldview/correct"],
        ("outline", "generate") => ["outline/system", "outline/generate"],
        ("outline", _) => ["outline/system", "outline/correct"],
        ("character", "generate") => ["character/system", "character/generate"],
        ("character", _) => ["character/system", "character/correct"],
        ("plot", "generate") => ["plot/system", "plot/generate"],
        ("plot", _) => ["plot/system", "plot/correct"],
        (_, "generate") => ["style/system", "style/generate"],
        _ => ["style/system", "style/correct"],
    }
}

/// Returns the calls for the levels of a long book: a call for the book, for each volume of usual length, for ten chapters.
fn plan(length: u32, chapters: u32, arcs: u32) -> Vec<CallKind> {
    let tries = |calls: u32| Times::of(1.0, 1.1, 3.0).by(f64::from(calls));
    let (books, volumes) = (u32::from(length > 0), length.div_ceil(100));
    let kinds = [
        kind("outline.book", ["outline/levels", "outline/book"], tries(books), [1_500, 1_500, 2_000]),
        kind("outline.arcs", ["outline/levels", "outline/arcs"], tries(volumes), [1_500, 2_500, 1_800]),
        kind(
            "outline.chapters",
            ["outline/levels", "outline/chapters"],
            tries(chapters.div_ceil(10)),
            [1_500, 4_500, 3_000],
        ),
        // A look at many plans takes several calls.
        kind(
            "outline.later",
            ["outline/levels", "outline/later"],
            Times::of(1.0, 2.0, 8.0).by(f64::from(arcs)),
            [1_500, 4_500, 600],
        ),
    ];
    kinds.into_iter().filter(|kind| kind.times.most > 0.0).collect()
}

/// Returns the calls to write chapters: plan, prose (scene by scene for long chapters), review, fixes until the chapter
/// passes, settlement.
fn write(chapters: &[u32], config: &WritingConfig, language: Language) -> Vec<CallKind> {
    let count = chapters.len() as f64;
    let total: u64 = chapters.iter().map(|words| tokens_of_words(*words, language)).sum();
    let text = total.checked_div(chapters.len() as u64).unwrap_or(0);
    let scenes: u64 = chapters.iter().map(|words| u64::from(words.div_ceil(config.scene_limit.max(1)).max(1))).sum();
    let scene = total.checked_div(scenes).unwrap_or(0);
    // A third of the context card is the same for all chapters.
    let (stable, card) = (config.card_tokens / 3, config.card_tokens - config.card_tokens / 3);
    let retries = f64::from(config.max_retries);
    let mut kinds = vec![kind(
        "chapter.understand",
        ["chapter/system", "chapter/understand"],
        Times::of(1.0, 1.05, 2.0).by(count),
        [stable, card / 2, 700],
    )];
    if config.brief_only {
        return kinds;
    }
    let per_chapter = |least: f64, likely: f64, most: f64| Times::of(least, likely, most).by(count);
    kinds.push(kind(
        "chapter.generate",
        ["chapter/system", "chapter/generate"],
        Times::of(1.0, 1.1, 2.0).by(scenes as f64),
        [stable, card + 1_500, scene],
    ));
    if scenes > chapters.len() as u64 {
        let seams = scenes as f64 - count;
        let times = Times::of(0.0, 0.5, 1.0).by(seams);
        kinds.push(kind("chapter.seams", ["chapter/system", "chapter/seams"], times, [stable, 1_600, 400]));
    }
    kinds.extend([
        kind(
            "chapter.review",
            ["critic/system", "critic/review"],
            per_chapter(1.0, 1.4, 1.0 + retries),
            [stable, card / 2 + text + 500, 900],
        ),
        kind(
            "chapter.fix",
            ["chapter/system", "chapter/fix"],
            per_chapter(0.0, 0.4, retries),
            [stable, text + 600, 500],
        ),
        kind(
            "chapter.settle",
            ["settle/system", "settle/extract"],
            per_chapter(1.0, 1.0, 1.0),
            [0, text + 900, 800 + text / 2],
        ),
    ]);
    kinds
}

/// Returns the calls to read chapters: a review and an extraction for each.
fn read(chapters: &[u32], config: &WritingConfig, language: Language) -> Vec<CallKind> {
    let count = chapters.len() as f64;
    let total: u64 = chapters.iter().map(|words| tokens_of_words(*words, language)).sum();
    let text = total.checked_div(chapters.len() as u64).unwrap_or(0);
    let (stable, card) = (config.card_tokens / 3, config.card_tokens - config.card_tokens / 3);
    let times = Times::of(1.0, 1.1, 3.0).by(count);
    let reviewed = [stable, card / 2 + text + 500, 900];
    vec![
        kind("chapter.review", ["critic/system", "critic/review"], times, reviewed),
        kind("chapter.settle", ["settle/system", "settle/extract"], times, [0, text + 900, 800 + text / 2]),
    ]
}

impl CallKind {
    fn row(&self, language: Language, prompts: &Prompts) -> ForecastRow {
        let [system, prompt] = self.prompts;
        let system = prompts.tokens(system, language).unwrap_or(UNKNOWN_SYSTEM);
        let prompt = prompts.tokens(prompt, language).unwrap_or(UNKNOWN_PROMPT);
        let one = system + prompt + self.stable + self.varying;
        let calls = |times: f64| times.ceil() as u64;
        let Times { least, likely, most } = self.times;
        let times = |tokens: u64| Range {
            least: (tokens as f64 * least).round() as u64,
            likely: (tokens as f64 * likely).round() as u64,
            most: (tokens as f64 * most).round() as u64,
        };
        // The first call pays the full price; later calls read the provider's cache.
        let again = |times: f64| ((times - 1.0).max(0.0) * (system + self.stable) as f64).round() as u64;
        ForecastRow {
            purpose: self.purpose.clone(),
            calls: Range { least: calls(least), likely: calls(likely), most: calls(most) },
            input: times(one),
            cached: Range { least: again(least), likely: again(likely), most: again(most) },
            output: times(self.answer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixed_plan;

    fn row<'a>(rows: &'a [ForecastRow], purpose: &str) -> &'a ForecastRow {
        rows.iter().find(|row| row.purpose == purpose).unwrap_or_else(|| panic!("no {purpose}: {rows:#?}"))
    }

    fn write(chapters: &[u32], language: Language) -> Vec<ForecastRow> {
        let config = WritingConfig::default();
        forecast(&Workflow::Write { chapters, config: &config }, language, &Prompts::builtin())
    }

    #[test]
    fn a_chapter_more_costs_a_chapter_more_and_less_where_the_cache_helps() {
        let (one, ten) = (write(&[2_500], Language::Zh), write(&[2_500; 10], Language::Zh));
        for (one, ten) in one.iter().zip(&ten) {
            assert_eq!(one.purpose, ten.purpose);
            assert!(one.input.least <= one.input.likely && one.input.likely <= one.input.most);
            assert_eq!(ten.output.most, 10 * one.output.most, "{}", one.purpose);
            assert!(ten.input.likely.abs_diff(10 * one.input.likely) <= 10);
        }
        let generate = row(&ten, "chapter.generate");
        assert_eq!((row(&one, "chapter.generate").cached.least, generate.calls.least), (0, 10));
        assert!(generate.cached.least > 9 * WritingConfig::default().card_tokens / 3);
        assert_eq!(generate.output.least, 25_000);
        assert!(ten.iter().all(|row| row.purpose != "chapter.seams"), "such chapters are written at once");
    }

    #[test]
    fn long_chapters_are_written_in_scenes_and_english_ones_by_words() {
        let rows = write(&[9_000], Language::Zh);
        assert_eq!(row(&rows, "chapter.generate").calls.least, 3);
        assert_eq!(row(&rows, "chapter.seams").calls.most, 2);
        let (chinese, english) = (write(&[2_000], Language::Zh), write(&[2_000], Language::En));
        let text = |rows| row(rows, "chapter.generate").output.least;
        assert_eq!((text(&chinese), text(&english)), (2_000, 2_700));
        let config = WritingConfig { brief_only: true, ..WritingConfig::default() };
        let briefs = Workflow::Write { chapters: &[2_000], config: &config };
        assert_eq!(calls_of(&briefs, Language::Zh).len(), 1, "a brief is only understood");
    }

    #[test]
    fn a_creation_is_planned_made_reviewed_and_perhaps_mended() {
        let plan = fixed_plan(Language::Zh).execution_plan;
        let config = PipelineConfig::default();
        let of = |config: &PipelineConfig, requirement: u64| {
            let workflow = Workflow::Create { plan: &plan, requirement, material: 0, config };
            forecast(&workflow, Language::Zh, &Prompts::builtin())
        };
        let rows = of(&config, 30);
        let purposes: Vec<_> = rows.iter().map(|row| row.purpose.as_str()).collect();
        let expected = [
            "plan.create",
            "outline.generate",
            "outline.correct",
            "character.generate",
            "character.correct",
            "plot.generate",
            "plot.correct",
            "review.judge",
        ];
        assert_eq!(purposes, expected);
        assert_eq!(
            row(&rows, "review.judge").calls,
            Range { least: 1, likely: 2, most: 1 + u64::from(config.max_iterations) }
        );
        assert_eq!(row(&rows, "plot.correct").calls.least, 0);
        let short = row(&rows, "outline.generate").input.likely;
        assert_eq!(row(&of(&config, 1_030), "outline.generate").input.likely, short + 1_000);
        let without = PipelineConfig { enable_planner: false, enable_meta_scheduler: false, ..config };
        let rows = of(&without, 30);
        assert!(rows.iter().all(|row| row.purpose != "plan.create"));
        assert_eq!(row(&rows, "plot.correct").calls.most, 0);
        let most = |config: &PipelineConfig, purpose| row(&of(config, 30), purpose).calls.most;
        let again = 1 + u64::from(without.max_iterations);
        assert_eq!(
            (most(&without, "plot.generate"), most(&without, "review.judge")),
            (again, again),
            "all is made again"
        );
        let once = PipelineConfig { max_iterations: 0, ..without };
        assert_eq!((most(&once, "plot.generate"), most(&once, "review.judge")), (1, 1));
    }

    #[test]
    fn prompts_are_measured_where_there_are_files() {
        let prompts = Prompts::builtin();
        for language in [Language::Zh, Language::En] {
            assert!(prompts.tokens("outline/system", language).unwrap() > 300);
            assert_eq!(prompts.tokens("outline/sing", language), None);
        }
        for workflow in [Workflow::Analyze { text: 2_000, aspects: 3 }, Workflow::Task { request: 50 }] {
            let rows = forecast(&workflow, Language::Zh, &prompts);
            assert!(!rows.is_empty() && rows.iter().all(|row| row.input.most > 0 && row.output.most > 0));
        }
        let review = forecast(&Workflow::Review, Language::Zh, &prompts);
        assert_eq!((review.len(), review[0].calls.least, review[0].calls.most), (1, 0, 1), "no word, no question");
    }

    #[test]
    fn every_kind_of_call_has_its_files() {
        let prompts = Prompts::builtin();
        let plan = fixed_plan(Language::Zh).execution_plan;
        let (pipeline, writing) = (PipelineConfig::default(), WritingConfig::default());
        for workflow in [
            Workflow::Create { plan: &plan, requirement: 1, material: 0, config: &pipeline },
            Workflow::Write { chapters: &[9_000], config: &writing },
            Workflow::Analyze { text: 1, aspects: 1 },
            Workflow::Task { request: 1 },
        ] {
            for kind in calls_of(&workflow, Language::Zh) {
                for file in kind.prompts {
                    assert!(prompts.tokens(file, Language::Zh).is_some(), "{} is filled from {file}", kind.purpose);
                }
            }
        }
    }
}
