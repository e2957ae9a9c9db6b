//! Runs at work: set up from settings, driven to their end, and written down.

mod config;
mod drive;

use std::num::NonZeroU32;
use std::sync::Arc;

use jiff::Timestamp;
use qingyu_agents::{Prompts, Workshop};
use qingyu_agents::pipeline::{HumanAnswer as Answer, HumanReviewRequest, PipelineState, pipeline};
use qingyu_graph::{CompiledGraph, Snapshot, Thread};
use qingyu_llm::Models;
use qingyu_store::{NewProject, NewRun, Run, RunStatus as Kept};
use qingyu_story::{Language, Story};
use tokio::sync::oneshot;

use crate::archive::StoryArchive;
use crate::calls::{self, Pricing};
use crate::journal::Journal;
use crate::lessons;
use crate::roster::{Chosen, Roster};
use crate::settings::Effective;
use crate::studio::{Studio, USER};
use crate::{CreateRequest, Error, EventKind, HumanAnswer, ModelChoice, ModelReason, RunHandle};
use config::RunConfig;
use drive::Driver;

/// How a run begins.
enum Start {
    /// With its first input.
    Input,
    /// From where it stood.
    Resume,
    /// With a person's answer.
    Answer(Box<Answer>),
}

/// What the settings make of a run: who serves, and the rest of its workshop.
pub(crate) struct Setup {
    chosen: Chosen,
    pub(crate) models: Models,
    pricing: Pricing,
    pub(crate) prompts: Prompts,
    pub(crate) answer_tokens: Option<u32>,
}

impl Studio {
    /// Starts a run. See [`Studio::create`].
    pub(crate) async fn begin(&self, request: CreateRequest) -> Result<RunHandle, Error> {
        let requirement = request.checked_requirement()?;
        let project = match &request.project {
            Some(given) => Some(self.find_project(given).await?),
            None => None,
        };
        if let Some(project) = &project {
            self.refuse_second_run(&project.id).await?;
        }
        let id = project.as_ref().map(|project| project.id.as_str());
        let (effective, mut config) = RunConfig::new(self.settings(), id, &request)?;
        config.language = request
            .language
            .unwrap_or_else(|| project.as_ref().map_or_else(|| Language::of(&requirement), |project| project.language));
        let setup = self.set_up(&effective, &[]).await?;

        let new_run = NewRun {
            requirement: requirement.clone(),
            config: serde_json::json!(config),
            model: setup.chosen.default.model.clone(),
        };
        let now = Timestamp::now();
        let run = match id {
            Some(id) => self.runs_table().create(id, new_run, now).await,
            None => {
                let title = request.title.filter(|title| !title.trim().is_empty());
                let title = title.unwrap_or_else(|| title_of(&requirement));
                let new = NewProject { title, language: config.language, premise: requirement };
                self.runs_table().create_in_new_project(new, new_run, now).await
            }
        };
        let run = run.map_err(|error| self.place("").store(error))?;
        self.launch(run, &config, setup, Start::Input).await
    }

    /// Goes on with a run. See [`Studio::resume`].
    pub(crate) async fn go_on(&self, given: &str, answer: Option<HumanAnswer>) -> Result<RunHandle, Error> {
        let run = self.find_run(given).await?;
        let place = self.place(&run.id);
        if run.status == Kept::Done {
            return Err(Error::NothingToResume { run: run.id });
        }
        let snapshot = self.snapshot(&run.id).await?;
        let mut lessons = Vec::new();
        let start = match (snapshot, answer) {
            (None, None) => Start::Input,
            (Some(_), None) => Start::Resume,
            (Some(snapshot), Some(answer)) if !snapshot.questions.is_empty() => {
                let answer = answer_to(&snapshot, answer)?;
                lessons = question(&snapshot)
                    .map_or_else(Vec::new, |asked| lessons::of_answer(&run, &asked, &answer, Timestamp::now()));
                Start::Answer(Box::new(answer))
            }
            (_, Some(_)) => {
                let status = self.status_of(&run).await?;
                return Err(Error::NotWaiting { run: run.id, status });
            }
        };
        let (effective, config) = RunConfig::of(self.settings(), &run)?;
        let usage = self.runs_table().usage(&run.id).await.map_err(|error| place.store(error))?;
        let setup = self.set_up(&effective, &usage).await?;
        let handle = self.launch(run, &config, setup, start).await?;
        if config.pipeline.preferences {
            self.learn(lessons).await;
        }
        Ok(handle)
    }

    /// Chooses and opens what the settings ask for; nothing is written yet.
    pub(crate) async fn set_up(
        &self,
        effective: &Effective,
        used: &[qingyu_store::AgentUsage],
    ) -> Result<Setup, Error> {
        let roster = Roster::new(effective, self.settings().environment())?;
        let prompts = self.prompts(effective)?;
        let chosen = match self.given_models() {
            Some(models) => chosen_from(models),
            None => roster.choose().await?,
        };
        let prices = roster.prices(&chosen)?;
        let models = match self.given_models() {
            Some(models) => models.clone(),
            None => roster.open(&chosen, prices.clone(), calls::spent(used))?,
        };
        let answer_tokens = effective.values.limits.answer_tokens.map(NonZeroU32::get);
        Ok(Setup { chosen, models, pricing: Pricing(Arc::new(prices)), prompts, answer_tokens })
    }

    /// The prompts, the author's own among them.
    pub(crate) fn prompts(&self, effective: &Effective) -> Result<Prompts, Error> {
        let folder = effective.values.prompts.folder.clone();
        let folder = folder.unwrap_or_else(|| self.settings().home().join("prompts"));
        Prompts::with_overrides(&folder).map_err(|error| effective.bad("prompts.folder", error.to_string()))
    }

    /// Sets the run to work.
    async fn launch(&self, run: Run, config: &RunConfig, setup: Setup, start: Start) -> Result<RunHandle, Error> {
        let place = self.place(&run.id);
        let Setup { chosen, models, pricing, prompts, answer_tokens } = setup;
        let (journal, writer, events) = Journal::new(self.runs_table().clone(), &run, pricing.clone());
        let archive = StoryArchive { stories: self.stories_table().clone(), journal: journal.clone() };
        let graph = pipeline(Workshop {
            models,
            prices: Arc::clone(&pricing.0),
            prompts: Arc::new(prompts),
            rules: Arc::new(config.checker.clone()),
            answer_tokens,
            archive: Some(Arc::new(archive)),
        });
        let graph = graph.map_err(|error| Error::Internal { message: error.to_string() })?;
        let thread = self.thread(&graph, &run.id).recursion_limit(config.pipeline.supersteps());
        let resumed = !matches!(start, Start::Input);
        let work = match start {
            Start::Input => thread.start(self.input(&run, config).await?).await,
            Start::Resume => thread.resume().await,
            Start::Answer(answer) => thread.answer(answer).await,
        };
        let work = work.map_err(|error| place.graph(&error))?;
        self.runs_table().resumed(&run.id).await.map_err(|error| place.store(error))?;

        tokio::spawn(writer.run());
        journal.tell(EventKind::RunStarted {
            requirement: run.requirement.clone(),
            model: chosen.default,
            roles: chosen.roles,
            data_folder: self.settings().home().to_path_buf(),
            resumed,
        });
        let (done, outcome) = oneshot::channel();
        let cancellation = work.cancel_handle();
        let (id, project) = (run.id.clone(), run.project.clone());
        let driver = Driver { studio: self.clone(), run, thread, journal, pricing, begun: std::time::Instant::now() };
        tokio::spawn(async move {
            // Nobody need wait for it; it is written down.
            let _ = done.send(driver.drive(work).await);
        });
        Ok(RunHandle { run: id, project, events, outcome, cancellation })
    }

    /// The first input of a run.
    async fn input(
        &self,
        run: &Run,
        config: &RunConfig,
    ) -> Result<<PipelineState as qingyu_graph::State>::Update, Error> {
        let kept = self.stories_table().load(&run.project).await.map_err(|error| self.place(&run.id).store(error))?;
        let input = PipelineState::input(run.requirement.clone(), config.language, config.pipeline.clone())
            .user_id(USER.into())
            .project_id(run.project.clone())
            .run_id(run.id.clone());
        let input = match config.pipeline.preferences {
            true => input.preferences(self.preferences(&run.project, config.language).await?),
            false => input,
        };
        Ok(input.story(&Story { premise: kept.story.premise.clone(), ..Story::default() }, &kept.story))
    }

    /// One run at a time works on a project; a run that waits or was stopped does not count.
    async fn refuse_second_run(&self, project: &str) -> Result<(), Error> {
        let runs = self.runs_table().of_project(project).await.map_err(|error| self.place("").store(error))?;
        for run in runs.into_iter().filter(|run| run.status == Kept::Running) {
            if self.is_worked_on(&run.id).await? {
                return Err(Error::ThreadBusy { run: run.id });
            }
        }
        Ok(())
    }

    /// The run's thread as it stands; `None` if it never got its first input.
    pub(crate) async fn snapshot(&self, run: &str) -> Result<Option<Snapshot<PipelineState>>, Error> {
        let snapshot = self.thread(self.looking_graph(), run).snapshot().await;
        snapshot.map_err(|error| self.place(run).graph(&error))
    }

    pub(crate) fn thread(&self, graph: &CompiledGraph<PipelineState>, run: &str) -> Thread<PipelineState> {
        graph.thread(Arc::clone(self.threads()), run)
    }
}

/// The pipeline for looking at threads; it never works.
pub(crate) fn looking_graph() -> Result<CompiledGraph<PipelineState>, Error> {
    let models = Models::new(Arc::new(qingyu_offline::model()));
    pipeline(Workshop::new(models)).map_err(|error| Error::Internal { message: error.to_string() })
}

/// What a person is asked, if the thread asks.
pub(crate) fn question(snapshot: &Snapshot<PipelineState>) -> Option<HumanReviewRequest> {
    let question = snapshot.questions.first()?;
    serde_json::from_value(question.payload.clone()).ok()
}

/// A person's answer in the pipeline's terms.
fn answer_to(snapshot: &Snapshot<PipelineState>, answer: HumanAnswer) -> Result<Answer, Error> {
    Ok(match answer {
        HumanAnswer::Approve => Answer::Approve,
        HumanAnswer::Reject { feedback } => Answer::Reject { feedback },
        HumanAnswer::Edit { material } => {
            let story = question(snapshot).map_or_else(|| snapshot.state.story(), |asked| asked.story);
            Answer::Edit { story: Box::new(crate::command::edited(&story, material)?) }
        }
    })
}

fn chosen_from(models: &Models) -> Chosen {
    let default = ModelChoice {
        model: models.default_model().name().into(),
        why: ModelReason::Configured { layer: crate::Layer::Flag },
    };
    let roles = models.routes().map(|(role, model)| (role.to_owned(), model.name().to_owned())).collect();
    Chosen { default, roles, fallbacks: Vec::new() }
}

/// A title from the first words of a requirement: whole clauses of at most 24 Chinese characters, or eight words.
pub(crate) fn title_of(requirement: &str) -> String {
    const CHARACTERS: usize = 24;
    const WORDS: usize = 8;
    let ends = |c: char| matches!(c, '。' | '！' | '？' | '；' | '!' | '?' | ';' | '\n');
    let sentence = requirement.split(ends).map(str::trim).find(|part| !part.is_empty()).unwrap_or(requirement);
    let is_pause = |c: char| matches!(c, '，' | '、' | '：' | ',' | ':');
    let title: String = match Language::of(sentence) {
        Language::Zh => sentence.chars().take(CHARACTERS).collect(),
        Language::En => sentence.split_whitespace().take(WORDS).collect::<Vec<_>>().join(" "),
    };
    let is_cut = title.chars().count() < sentence.chars().count();
    let clauses = if is_cut { title.rfind(is_pause).map_or(title.as_str(), |end| &title[..end]) } else { &title };
    clauses.trim_end_matches(is_pause).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_whole_clauses() {
        for (requirement, title) in [
            (
                "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术",
                "创作一部赛博朋克背景的侦探小说，主角是私家侦探",
            ),
            ("一个灯塔看守人收到自己三十年前寄出的信", "一个灯塔看守人收到自己三十年前寄出的信"),
            ("雨夜。她走了", "雨夜"),
            ("\n  灯塔\n第二行", "灯塔"),
            (
                "A locked-room mystery on a generation ship; the detective is the gardener",
                "A locked-room mystery on a generation ship",
            ),
            ("One, two three four five six seven eight nine", "One"),
            ("。", "。"),
        ] {
            assert_eq!(title_of(requirement), title);
        }
        assert_eq!(title_of(&"长".repeat(100)).chars().count(), 24);
    }
}
