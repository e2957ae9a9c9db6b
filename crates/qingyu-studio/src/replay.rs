//! Recorded runs played again: without network and byte for byte, or with another model or other prompts to see what becomes
//! different.
//!
//! A run is played on a stage: a data folder of its own that is thrown away, or the user's, where the project is kept. What it
//! needs comes from the cassette alone, so a file from elsewhere plays in an empty folder. Sessions of several runs are
//! played one after the other in the same project.

mod compare;
mod stage;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use qingyu_agents::Prompts;
use qingyu_llm::cassette::{Cassette, Difference, Recording};
use qingyu_llm::stack::{Fresh, ReplayLog, Replayed, ReplayedCall, Reuse};
use qingyu_llm::{ChatModel, Models, Prices};
use qingyu_story::Story;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::Pricing;
use crate::cassettes::{ANSWER, END, End, Recipe};
use crate::roster::{Chosen, Roster};
use crate::studio::{Given, Props};
use crate::{
    Error, Failure, HumanAnswer, Layer, ModelChoice, ModelReason, RunStatus, Studio, StudioEvent, UsageView, calls,
};
use stage::Stage;

pub use compare::ChangedPiece;

/// What is played again, and how.
#[derive(Debug, Clone, Default)]
pub struct ReplayRequest {
    /// A run, named as for [`resume`](Studio::resume), if no file is given.
    pub run: String,
    /// A cassette from anywhere.
    pub file: Option<PathBuf>,
    /// Whether the project is kept among the user's; otherwise it is thrown away.
    pub keep: bool,
    /// The title of the project that is kept; that of the recording when absent.
    pub title: Option<String>,
    /// The model that is asked for what the recording does not hold. Without changed prompts it answers everything that
    /// another model answered then.
    pub model: Option<String>,
    /// The role it is asked in, such as `outline`; all when absent.
    pub role: Option<String>,
    /// Prompts to run with instead of those of the recording, by file, such as `outline/generate.zh.md`.
    pub prompts: BTreeMap<String, String>,
}

impl ReplayRequest {
    /// Plays the cassette at `path` as it was recorded.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { file: Some(path.into()), ..Self::default() }
    }

    /// Plays a run as it was recorded.
    pub fn run(run: impl Into<String>) -> Self {
        Self { run: run.into(), ..Self::default() }
    }

    /// Whether something is to be different.
    fn is_variant(&self) -> bool {
        self.model.is_some() || !self.prompts.is_empty()
    }
}

/// What came of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// The cassette.
    pub cassette: PathBuf,
    /// The runs, in the order of recording.
    pub runs: Vec<ReplayedRun>,
    /// Whether every run made again, byte for byte, what it made then.
    pub identical: bool,
    /// The project, if it was kept.
    pub project: Option<String>,
    /// What the calls cost that were asked now.
    pub spent: UsageView,
}

/// A run that was played again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedRun {
    /// The run as it was recorded.
    pub recorded: String,
    /// What kind of run.
    pub kind: String,
    /// What it was about.
    pub requirement: String,
    /// How it ended then, if the recording has its end.
    pub then: Option<RunStatus>,
    /// How it ended now.
    pub now: RunStatus,
    /// Why it failed now, if it did.
    pub failure: Option<Failure>,
    /// Whether story and document are the same bytes; none if the recording does not say what they were.
    pub identical: Option<bool>,
    /// Whether the story is; likewise.
    pub same_story: Option<bool>,
    /// Where the documents part, the first places.
    pub differences: Vec<Difference>,
    /// The pieces of the story that are different.
    pub pieces: Vec<ChangedPiece>,
    /// Every call, and whether it was played or asked.
    pub calls: Vec<ReplayedCall>,
    /// The purposes of recorded calls that nobody asked for.
    pub unplayed: Vec<String>,
    /// Prompts that are not the recorded ones, by file.
    pub changed_prompts: Vec<String>,
    /// The embedder whose vectors the run compared, if the replay compared others.
    pub embedder: Option<String>,
    /// The run now, if it was kept.
    pub run: Option<String>,
}

impl ReplayedRun {
    /// How many calls were played, and how many asked.
    pub fn counts(&self) -> (usize, usize) {
        let asked = self.calls.iter().filter(|call| call.asked.is_some()).count();
        (self.calls.len() - asked, asked)
    }
}

/// One session with what stands in its header.
struct Act {
    recording: Arc<Recording>,
    answers: Vec<Value>,
    recipe: Recipe,
    recorded: String,
    project: String,
    prompts: BTreeMap<String, String>,
    end: Option<End>,
}

/// What one act came to.
struct Played {
    row: ReplayedRun,
    story: Story,
    document: Value,
}

/// Hears what a run tells while it is played.
pub type Listener<'a> = &'a mut (dyn FnMut(&StudioEvent) + Send);

impl Studio {
    /// Plays a recorded run again, or the runs of a cassette one after the other, and says what was different.
    ///
    /// Nothing is asked of any model unless the request names one or changes a prompt; what a run asks that was not recorded
    /// then ends it with [`Error::NotRecorded`], as a failure of that run. Fails with [`Error::NoCassette`] if the run was not
    /// recorded, with [`Error::BadCassette`] if the file cannot be played.
    pub async fn replay(&self, request: ReplayRequest, listener: Listener<'_>) -> Result<Replay, Error> {
        let path = match &request.file {
            Some(path) => path.clone(),
            None => self.cassette_of(&request.run).await?,
        };
        let acts = acts(Cassette::open(&path), &path)?;
        let baseline = match request.is_variant() {
            true => self.play_all(&acts, &Stage::scratch(self)?, &ReplayRequest::default(), &path, &mut |_| {}).await?,
            false => Vec::new(),
        };
        acts.iter().for_each(|act| act.recording.rewind());
        let stage = if request.keep { Stage::of(self)? } else { Stage::scratch(self)? };
        let mut played = self.play_all(&acts, &stage, &request, &path, listener).await?;
        for (number, (act, played)) in acts.iter().zip(&mut played).enumerate() {
            match baseline.get(number) {
                Some(then) => compare::with(then, played),
                None => self.compare_with_recording(act, played).await,
            }
        }
        let spent = self.charge(&acts, &played, request.keep).await?;
        let project = stage.project().filter(|_| request.keep);
        if let (Some(project), Some(title)) = (&project, &request.title) {
            let renamed = self.projects_table().rename(project, title).await;
            renamed.map_err(|error| self.place("").store(error))?;
        }
        let runs: Vec<ReplayedRun> = played.into_iter().map(|played| played.row).collect();
        let identical = runs.len() == acts.len() && runs.iter().all(|run| run.identical == Some(true));
        Ok(Replay { cassette: path, runs, identical, project, spent })
    }

    /// Plays the text of a cassette as it was recorded, and keeps the project, which is given; `name` is for failures.
    pub(crate) async fn play_and_keep(&self, name: &str, text: &str) -> Result<String, Error> {
        let path = Path::new(name);
        let acts = acts(Cassette::parse(text), path)?;
        let (stage, request) = (Stage::of(self)?, ReplayRequest { keep: true, ..ReplayRequest::default() });
        let played = self.play_all(&acts, &stage, &request, path, &mut |_| {}).await?;
        let bad = |message: &str| Error::BadCassette { path: path.to_path_buf(), message: message.into() };
        if let Some(failure) = played.iter().find_map(|played| played.row.failure.as_ref()) {
            return Err(bad(&failure.message));
        }
        stage.project().ok_or_else(|| bad("it makes no project"))
    }

    async fn cassette_of(&self, given: &str) -> Result<PathBuf, Error> {
        let run = self.find_run(given).await?;
        let path = self.cassette(&run.id);
        if path.exists() { Ok(path) } else { Err(Error::NoCassette { run: run.id }) }
    }

    /// Plays the acts until one does not end as it did.
    async fn play_all(
        &self,
        acts: &[Act],
        stage: &Stage,
        request: &ReplayRequest,
        path: &Path,
        listener: Listener<'_>,
    ) -> Result<Vec<Played>, Error> {
        let mut all = Vec::with_capacity(acts.len());
        for act in acts {
            let played = self.play(act, stage, request, path, listener).await?;
            let failed = played.row.failure.is_some();
            all.push(played);
            if failed {
                break;
            }
        }
        Ok(all)
    }

    async fn play(
        &self,
        act: &Act,
        stage: &Stage,
        request: &ReplayRequest,
        path: &Path,
        listener: Listener<'_>,
    ) -> Result<Played, Error> {
        let Act { recording, recipe, .. } = act;
        let bad = |message: String| Error::BadCassette { path: path.to_path_buf(), message };
        let prompts = Prompts::builtin().with_texts(&recipe.prompts).map_err(|error| bad(error.to_string()))?;
        let prompts = prompts.with_texts(&request.prompts).map_err(|error| Error::BadSettings {
            layer: Layer::Flag,
            source_name: None,
            key: "prompts".into(),
            message: error.to_string(),
        })?;
        let log = Arc::new(ReplayLog::default());
        let models = self.cast(act, request, &log).await?;
        let hashes = prompts.hashes(recipe.language);
        let changed = act.prompts.iter().filter(|(file, hash)| hashes.get(*file) != Some(*hash));
        let changed_prompts = changed.map(|(file, _)| file.clone()).collect();
        let props = Props { prices: self.prices_of(recipe).await?, prompts, preferences: recipe.preferences.clone() };
        let (settings, embedder) = stage.settings(recipe).map_err(|error| bad(error.to_string()))?;
        let studio = Self::assemble(settings, Some(Given { models, replay: Some(props) })).await?;
        // What is kept is of whoever asks.
        let studio = if stage.is_scratch() { studio } else { studio.of(self.scope()) };
        let beginning = stage.beginning(&studio, recipe, &act.project).await?;

        let mut answers = act.answers.iter();
        let mut handle = studio.begin_kind(recipe.kind, beginning).await?;
        stage.made(&act.project, handle.project());
        let outcome = loop {
            while let Some(event) = handle.next().await {
                listener(&event);
            }
            let outcome = handle.finish().await;
            let answer = answers.next().filter(|_| outcome.status == RunStatus::Waiting);
            let Some(answer) = answer else { break outcome };
            let answer: HumanAnswer = serde_json::from_value(answer.clone()).map_err(|error| bad(error.to_string()))?;
            handle = studio.resume(&outcome.run, Some(answer)).await?;
        };
        let kept = studio.stories_table().load(&outcome.project).await;
        let story = kept.map_err(|error| studio.place(&outcome.run).store(error))?.story;
        let row = ReplayedRun {
            recorded: act.recorded.clone(),
            kind: recipe.kind.name().into(),
            requirement: recipe.requirement.clone(),
            then: act.end.as_ref().map(|end| end.status),
            now: outcome.status,
            failure: outcome.errors.last().filter(|_| outcome.status == RunStatus::Failed).cloned(),
            identical: None,
            same_story: None,
            differences: Vec::new(),
            pieces: Vec::new(),
            calls: log.calls(),
            unplayed: recording.unplayed(),
            changed_prompts,
            embedder,
            run: request.keep.then(|| outcome.run.clone()),
        };
        Ok(Played { row, story, document: crate::cassettes::comparable(&outcome) })
    }

    /// The models of an act: players of its calls, with somebody who is asked for others if the request wants that.
    async fn cast(&self, act: &Act, request: &ReplayRequest, log: &Arc<ReplayLog>) -> Result<Models, Error> {
        let Act { recording, recipe, .. } = act;
        let fresh = match request.is_variant() {
            true => Some(self.fresh(request).await?),
            false => None,
        };
        let player = |route: &str, name: &str| -> Arc<dyn ChatModel> {
            let player = Replayed::new(name, Arc::clone(recording)).log(Arc::clone(log));
            let Some(fresh) = &fresh else { return Arc::new(player) };
            let role = request.role.as_deref();
            let asked_anew = request.model.is_some()
                && match role {
                    Some(role) => crate::roster::routes(role).contains(&route),
                    None => request.prompts.is_empty(),
                };
            let reuse = if asked_anew { Reuse::OfTheModel } else { Reuse::Any };
            Arc::new(player.or(Fresh { model: Arc::clone(fresh.for_purpose(route)), reuse }))
        };
        let mut models = Models::new(player("", &recipe.model));
        for (route, name) in &recipe.routes {
            models = models.route(route.clone(), player(route, name));
        }
        if let Some(role) = &request.role {
            for route in crate::roster::routes(role) {
                if !recipe.routes.contains_key(route) {
                    models = models.route(route, player(route, &recipe.model));
                }
            }
        }
        Ok(models)
    }

    /// Who is asked for what was not recorded: the model of the request, else those of the settings.
    async fn fresh(&self, request: &ReplayRequest) -> Result<Models, Error> {
        if let Some(models) = self.given_models() {
            return Ok(models.clone());
        }
        let effective = self.settings().effective(None)?;
        let roster = Roster::new(&effective, self.settings())?;
        let chosen = match &request.model {
            Some(model) => {
                roster.check(model)?;
                let why = ModelReason::Configured { layer: Layer::Flag };
                let default = ModelChoice { model: roster.resolved(model).await?, why };
                Chosen { default, roles: BTreeMap::new(), fallbacks: Vec::new() }
            }
            None => roster.choose().await?,
        };
        let prices = roster.prices(&chosen)?;
        let (ledger, _) = self.ledger(&roster, prices, None).await?;
        roster.open(&chosen, ledger)
    }

    /// What calls cost: as it was then, and as it is now for what was not known then.
    async fn prices_of(&self, recipe: &Recipe) -> Result<Prices, Error> {
        let effective = self.settings().effective(None)?;
        let now = Prices::with_overrides(&effective.values.prices)
            .map_err(|error| effective.bad("prices", error.to_string()))?;
        Ok(recipe.prices.clone().or(&now))
    }

    /// Adds up what was asked now and, if nothing else keeps it, writes it down as spent.
    async fn charge(&self, acts: &[Act], played: &[Played], is_kept: bool) -> Result<UsageView, Error> {
        let mut rows = Vec::new();
        for (act, played) in acts.iter().zip(played) {
            let pricing = Pricing(Arc::new(self.prices_of(&act.recipe).await?));
            for asked in played.row.calls.iter().filter(|call| call.asked.is_some()) {
                let cost = pricing.0.cost(&asked.model, asked.usage).map(|cost| cost.micros);
                let call = qingyu_store::Call {
                    agent: asked.purpose.split('.').next().unwrap_or_default().into(),
                    purpose: asked.purpose.clone(),
                    model: asked.model.clone(),
                    attempts: 1,
                    ..pricing.counted(&asked.model, asked.usage, cost)
                };
                rows.push(calls::used(&call));
                if !is_kept {
                    let recorded = self.runs_table().record_outside(None, call, Timestamp::now()).await;
                    recorded.map_err(|error| self.place("").store(error))?;
                }
            }
        }
        Ok(calls::sum(&rows))
    }

    async fn compare_with_recording(&self, act: &Act, played: &mut Played) {
        let Some(end) = &act.end else { return };
        compare::with_end(end, played);
        if played.row.same_story == Some(false)
            && let Ok(then) = self.stories_table().at(&act.project, end.version).await
            && crate::cassettes::fingerprint(&then.story) == end.story
        {
            played.row.pieces = compare::pieces(&then.story, &played.story);
        }
    }
}

/// The acts of a cassette.
fn acts<E: ToString>(cassette: Result<Cassette, E>, path: &Path) -> Result<Vec<Act>, Error> {
    let bad = |message: String| Error::BadCassette { path: path.to_path_buf(), message };
    let cassette = cassette.map_err(|error| bad(error.to_string()))?;
    let mut acts = Vec::new();
    for session in cassette.sessions {
        let Some(header) = session.header.clone() else {
            return Err(bad("it does not say how its run began; it was recorded by an earlier release".into()));
        };
        if header.partial {
            return Err(bad(format!("the beginning of run {} was not recorded", header.run)));
        }
        let recipe: Recipe = serde_json::from_value(header.request).map_err(|error| bad(error.to_string()))?;
        let end = session.mark(END).map(|mark| serde_json::from_value(mark.body.clone()));
        let end = end.transpose().map_err(|error: serde_json::Error| bad(error.to_string()))?;
        acts.push(Act {
            recipe,
            recorded: header.run,
            project: header.project,
            prompts: header.prompts,
            end,
            answers: session.marks.iter().filter(|mark| mark.kind == ANSWER).map(|mark| mark.body.clone()).collect(),
            recording: Arc::new(session.recording),
        });
    }
    if acts.is_empty() {
        return Err(bad("there is nothing on it".into()));
    }
    Ok(acts)
}
