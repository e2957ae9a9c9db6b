//! Replaying the sessions of a cassette.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use qingyu_agents::Prompts;
use qingyu_llm::cassette::Cassette;
use qingyu_llm::stack::{Fresh, ReplayLog, Replayed, Reuse};
use qingyu_llm::{ChatModel, ModelRoutes, Prices};

use crate::error::Error;
use crate::models::choice::{ModelChoice, ModelReason};
use crate::models::roster::{ModelRoster, routes};
use crate::models::selection::ModelSelection;
use crate::runs::cassettes::{CassetteHeader, comparable, fingerprint};
use crate::runs::event::StudioEvent;
use crate::runs::replay::compare;
use crate::runs::replay::report::{ReplayReport, ReplayRequest, ReplayedRun};
use crate::runs::replay::session::{PlayedSession, RecordedSession, acts};
use crate::runs::replay::stage::ReplayStage;
use crate::runs::requests::RunAnswer;
use crate::runs::status::RunStatus;
use crate::settings::layer::SettingLayer;
use crate::spending::calls;
use crate::spending::calls::Pricing;
use crate::spending::usage::UsageView;
use crate::studio::{ModelOverride, ReplayInputs, Studio};

/// A callback for the events of a replayed run.
type Listener<'a> = &'a mut (dyn FnMut(&StudioEvent) + Send);

impl Studio {
    /// Replays a recorded run, or the runs of a cassette in order, and returns the differences.
    ///
    /// Makes no live calls unless the request names a model or changes a prompt; a call missing from the recording then
    /// ends the run with [`Error::NotRecorded`], reported as the run's failure. Returns [`Error::NoCassette`] if the
    /// run was not recorded, [`Error::BadCassette`] if the file is not playable.
    pub async fn replay(&self, request: ReplayRequest, listener: Listener<'_>) -> Result<ReplayReport, Error> {
        let path = match &request.file {
            Some(path) => path.clone(),
            None => self.cassette_of(&request.run).await?,
        };
        let acts = acts(Cassette::open(&path), &path)?;
        let baseline = match request.is_variant() {
            true => {
                self.play_all(&acts, &ReplayStage::scratch(self)?, &ReplayRequest::default(), &path, &mut |_| {})
                    .await?
            }
            false => Vec::new(),
        };
        acts.iter().for_each(|act| act.recording.rewind());
        let stage = if request.keep { ReplayStage::of(self)? } else { ReplayStage::scratch(self)? };
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
        Ok(ReplayReport { cassette: path, runs, identical, project, spent })
    }

    /// Replays the text of a cassette unchanged, keeps the project and returns its ID; `name` is used in errors.
    pub(crate) async fn play_and_keep(&self, name: &str, text: &str) -> Result<String, Error> {
        let path = Path::new(name);
        let acts = acts(Cassette::parse(text), path)?;
        let (stage, request) = (ReplayStage::of(self)?, ReplayRequest { keep: true, ..ReplayRequest::default() });
        let played = self.play_all(&acts, &stage, &request, path, &mut |_| {}).await?;
        let bad = |message: &str| Error::BadCassette { path: path.to_path_buf(), message: message.into() };
        if let Some(failure) = played.iter().find_map(|played| played.row.failure.as_ref()) {
            return Err(bad(&failure.message));
        }
        stage.project().ok_or_else(|| bad("it makes no project"))
    }

    async fn cassette_of(&self, given: &str) -> Result<PathBuf, Error> {
        let run = self.find_run(given).await?;
        self.refuse_closed_books(&run)?;
        let path = self.cassette(&run.id);
        if path.exists() { Ok(path) } else { Err(Error::NoCassette { run: run.id }) }
    }

    /// Replays the sessions until a session ends differently from its recording.
    async fn play_all(
        &self,
        acts: &[RecordedSession],
        stage: &ReplayStage,
        request: &ReplayRequest,
        path: &Path,
        listener: Listener<'_>,
    ) -> Result<Vec<PlayedSession>, Error> {
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

    /// Replays one recorded run in a studio of its own, with the recorded answers of models and people. A replay in the
    /// user's own data keeps its project.
    ///
    /// Fails with [`Error::BadCassette`] if the recording cannot be used.
    pub(crate) async fn play(
        &self,
        act: &RecordedSession,
        stage: &ReplayStage,
        request: &ReplayRequest,
        path: &Path,
        listener: Listener<'_>,
    ) -> Result<PlayedSession, Error> {
        let RecordedSession { recording, recipe, .. } = act;
        let bad = |message: String| Error::BadCassette { path: path.to_path_buf(), message };
        let prompts = Prompts::builtin().with_texts(&recipe.prompts).map_err(|error| bad(error.to_string()))?;
        let prompts = prompts.with_texts(&request.prompts).map_err(|error| Error::BadSettings {
            layer: SettingLayer::Flag,
            source_name: None,
            key: "prompts".into(),
            message: error.to_string(),
        })?;
        let log = Arc::new(ReplayLog::default());
        let models = self.cast(act, request, &log).await?;
        let hashes = prompts.hashes(recipe.language);
        let changed = act.prompts.iter().filter(|(file, hash)| hashes.get(*file) != Some(*hash));
        let changed_prompts = changed.map(|(file, _)| file.clone()).collect();
        let (prices, preferences) = (self.prices_of(recipe).await?, recipe.preferences.clone());
        let earlier = recipe.earlier.clone();
        let props = ReplayInputs { prices, prompts, preferences, earlier, recording: Arc::clone(recording) };
        let (settings, embedder) = stage.settings(recipe).map_err(|error| bad(error.to_string()))?;
        let studio = Self::assemble(settings, Some(ModelOverride { models, replay: Some(props) })).await?;
        // Kept data belong to the caller.
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
            let answer: RunAnswer = serde_json::from_value(answer.clone()).map_err(|error| bad(error.to_string()))?;
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
        Ok(PlayedSession { row, story, document: comparable(&outcome) })
    }

    /// Returns the models of a session: players of the recorded calls, with an optional live model as fallback.
    async fn cast(
        &self,
        act: &RecordedSession,
        request: &ReplayRequest,
        log: &Arc<ReplayLog>,
    ) -> Result<ModelRoutes, Error> {
        let RecordedSession { recording, recipe, .. } = act;
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
                    Some(role) => routes(role).contains(&route),
                    None => request.prompts.is_empty(),
                };
            let reuse = if asked_anew { Reuse::OfTheModel } else { Reuse::Any };
            Arc::new(player.or(Fresh { model: Arc::clone(fresh.for_purpose(route)), reuse }))
        };
        let mut models = ModelRoutes::new(player("", &recipe.model));
        for (route, name) in &recipe.routes {
            models = models.route(route.clone(), player(route, name));
        }
        if let Some(role) = &request.role {
            for route in routes(role) {
                if !recipe.routes.contains_key(route) {
                    models = models.route(route, player(route, &recipe.model));
                }
            }
        }
        Ok(models)
    }

    /// Returns the live models: the model of the request, else the configured models.
    async fn fresh(&self, request: &ReplayRequest) -> Result<ModelRoutes, Error> {
        if let Some(models) = self.given_models() {
            return Ok(models.clone());
        }
        let effective = self.settings().effective(None)?;
        let roster = ModelRoster::new(&effective, self.settings())?;
        let chosen = match &request.model {
            Some(model) => {
                roster.check(model)?;
                let why = ModelReason::Configured { layer: SettingLayer::Flag };
                let default = ModelChoice { model: roster.resolved(model).await?, why };
                ModelSelection { default, roles: BTreeMap::new(), fallbacks: Vec::new() }
            }
            None => roster.choose().await?,
        };
        let prices = roster.prices(&chosen)?;
        let (ledger, _) = self.ledger(&roster, prices, None).await?;
        roster.open(&chosen, ledger)
    }

    /// Returns the recorded prices, with current prices as fallback.
    async fn prices_of(&self, recipe: &CassetteHeader) -> Result<Prices, Error> {
        let effective = self.settings().effective(None)?;
        let now = Prices::with_overrides(&effective.values.prices)
            .map_err(|error| effective.bad("prices", error.to_string()))?;
        Ok(recipe.prices.clone().or(&now))
    }

    /// Sums the live calls and records the spending unless a kept run already does.
    pub(crate) async fn charge(
        &self,
        acts: &[RecordedSession],
        played: &[PlayedSession],
        is_kept: bool,
    ) -> Result<UsageView, Error> {
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

    async fn compare_with_recording(&self, act: &RecordedSession, played: &mut PlayedSession) {
        let Some(end) = &act.end else { return };
        compare::with_end(end, played);
        if played.row.same_story == Some(false)
            && let Ok(then) = self.stories_table().at(&act.project, end.version).await
            && fingerprint(&then.story) == end.story
        {
            played.row.pieces = compare::pieces(&then.story, &played.story);
        }
    }
}
