//! Runs that produce content in phases, with the user.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::production::{ContentProductionState, Order, ProductionRoom, Turn, production};
use qingyu_agents::{CallRecord, production as agents};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_production::{Error as Refused, progress};
use qingyu_store::{Project, Run, RunStatus as Kept, Standing};
use qingyu_story::production::Autonomy;
use qingyu_story::{Language, Story};
use qingyu_web::{Key, Web, WebSettings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::Beginning;
use super::config::RunConfig;
use super::kind::{Equipment, Kind, RunKind};
use super::look::Looking;
use crate::command::with_model;
use crate::operations::ResumeRequest;
use crate::outcome::{ContentMade, Made, Question, Told};
use crate::settings::Effective;
use crate::studio::Studio;
use crate::{CreateRequest, Error, HumanAnswer, RunHandle};

/// A run of a production.
pub(crate) struct Produce;

/// Asks for content to be produced, in a new project.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ProduceRequest {
    /// The user's first words.
    pub premise: String,
    /// The template: which phases and fields; `course` when absent.
    pub template: Option<String>,
    /// The title of the project; made from the premise when absent.
    pub title: Option<String>,
    /// The language of the work; found from the premise when absent.
    pub language: Option<Language>,
    /// Which phases wait for a person, by name, over what the template says; `all` names every one.
    pub autonomy: Vec<(String, Autonomy)>,
    /// The model for every role of this run, above all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

/// Tells a production what to do next.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TellRequest {
    /// The project, by id or unique beginning of it.
    pub project: String,
    /// What is to be done; only what the project says by itself (the phase that is due) when absent.
    pub order: Option<agents::Order>,
    /// The model for every role, above all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

/// What such a run is to do first, as it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct First {
    order: Option<agents::Order>,
    /// What was said in the run before it.
    messages: Vec<agents::Spoken>,
}

/// How many lines of an earlier run's conversation a new one begins with.
const REMEMBERED: usize = 40;

impl Studio {
    /// Begins a production in a new project. Returns once project and run are on disk and the run works.
    ///
    /// The run waits wherever a person is to decide; [`tell`](Self::tell) goes on. Fails as [`create`](Self::create) does,
    /// and with [`Error::Production`] if there is no such template or phase.
    pub async fn produce(&self, request: ProduceRequest) -> Result<RunHandle, Error> {
        let ProduceRequest { premise, template, title, language, autonomy, model, overrides } = request;
        let premise = CreateRequest::new(premise).checked_requirement()?;
        let language = language.unwrap_or_else(|| Language::of(&premise));
        let story = self.begun(template.as_deref().unwrap_or("course"), language, &premise, &autonomy)?;
        let overrides = with_model(overrides, model.as_deref());
        // What is wrong with the settings is said before there is a project.
        RunConfig::new(self.settings(), None, RunKind::Produce, self.request_settings(overrides.clone()).await?)?;
        let project = self.new_project(title, language, &premise, &story).await?;
        self.begin_production(project, premise, First::default(), overrides).await
    }

    /// Tells the production of a project what to do: its run goes on, or a new one begins if the last has ended.
    ///
    /// A project without phases and fields, such as a book, gets those of the template `novel` first. Fails with
    /// [`Error::RunUnfinished`] if the run was interrupted or has failed and must be resumed first, and with
    /// [`Error::ThreadBusy`] if it works.
    pub async fn tell(&self, request: TellRequest) -> Result<RunHandle, Error> {
        let TellRequest { project, order, model, overrides } = request;
        let project = self.find_project(&project).await?;
        let overrides = with_model(overrides, model.as_deref());
        let newest = self.production_run(&project.id).await?;
        match newest {
            Some(run) if run.status != Kept::Done => {
                if self.is_worked_on(&run.id).await? {
                    return Err(Error::ThreadBusy { run: run.id });
                }
                if order.is_some() && !self.is_asking(&run).await? {
                    return Err(Error::RunUnfinished { run: run.id });
                }
                let answer = order.map(|order| HumanAnswer::Order { order });
                self.go_on(ResumeRequest { run: run.id, answer, question: None, overrides }).await
            }
            ended => {
                self.have_production(&project).await?;
                let messages = match ended {
                    Some(run) => self.said(&run).await?,
                    None => Vec::new(),
                };
                let words = order.as_ref().and_then(agents::Order::words).unwrap_or(&project.premise).to_owned();
                self.begin_production(project, words, First { order, messages }, overrides).await
            }
        }
    }

    async fn begin_production(
        &self,
        project: Project,
        requirement: String,
        first: First,
        overrides: Table,
    ) -> Result<RunHandle, Error> {
        let language = Some(project.language);
        let order = serde_json::json!(first);
        let project = Some(project);
        self.begin_as::<Produce>(Beginning { requirement, order, project, title: None, language, overrides }).await
    }

    /// The newest run of a project that produces content.
    pub(crate) async fn production_run(&self, project: &str) -> Result<Option<Run>, Error> {
        for run in self.runs_of_project(project, Standing::Any, None).await? {
            if RunConfig::kept(&run)?.kind == RunKind::Produce {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// What was said last in a run.
    async fn said(&self, run: &Run) -> Result<Vec<agents::Spoken>, Error> {
        let messages = self.snapshot::<Produce>(&run.id).await?.map(|snapshot| snapshot.state.messages);
        let mut messages = messages.unwrap_or_default();
        messages.drain(..messages.len().saturating_sub(REMEMBERED));
        Ok(messages)
    }

    /// How the web is searched and read, with the keys of the environment.
    pub(crate) fn web(&self, effective: &Effective) -> Result<Web, Error> {
        let environment = self.settings().environment();
        let key = |name: &str| environment.get(name).map(Key::from);
        let settings = WebSettings {
            search_key: key("QINGYU_WEB_SEARCH_KEY"),
            reader_key: key("QINGYU_WEB_READER_KEY"),
            ..effective.values.web.clone()
        };
        Web::new(&settings).map_err(|error| effective.bad("web", error.to_string()))
    }

    /// A story with the phases and fields of a template.
    pub(crate) fn begun(
        &self,
        template: &str,
        language: Language,
        premise: &str,
        autonomy: &[(String, Autonomy)],
    ) -> Result<Story, Error> {
        let templates = self.templates()?;
        let (mut production, fields) = templates.get(template).map_err(refused)?.begin(language);
        progress::set_autonomy(&mut production, autonomy).map_err(refused)?;
        let premise = premise.to_owned();
        Ok(Story { premise, language, production: Some(production), fields, ..Story::default() })
    }
}

/// A failure of fields as the studio tells it.
pub(crate) fn refused(source: Refused) -> Error {
    Error::Production { source }
}

impl Kind for Produce {
    type State = ContentProductionState;
    type Answer = Order;

    const KIND: RunKind = RunKind::Produce;

    fn looking(looking: &Looking) -> &CompiledGraph<ContentProductionState> {
        &looking.produce
    }

    fn graph(equipment: Equipment) -> Result<CompiledGraph<ContentProductionState>, qingyu_graph::Error> {
        let Equipment { workshop, workspace, web, .. } = equipment;
        let web = web.unwrap_or_else(|| Arc::new(Web::closed()));
        production(ProductionRoom { workshop, workspace, web })
    }

    fn recursion_limit(_: &RunConfig) -> u32 {
        SUPERSTEPS
    }

    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<ContentProductionState as State>::Update, Error>> {
        async move {
            let First { order, messages } = First::deserialize(&config.order)
                .map_err(|error| Error::Internal { message: format!("the order of run {}: {error}", run.id) })?;
            Ok(ContentProductionState::input(config.language, config.production.clone())
                .order(order)
                .messages(messages)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone()))
        }
        .boxed()
    }

    fn calls(state: &ContentProductionState) -> &[CallRecord] {
        &state.calls
    }

    fn made(state: ContentProductionState) -> (Made, Told) {
        let made = ContentMade {
            current_phase: state.current_phase,
            autonomy_settings: state.autonomy_settings,
            golden_context: state.golden_context,
            messages: state.messages,
            made: state.made,
            turn: state.turn,
        };
        let told = Told { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (Made::Content(Box::new(made)), told)
    }

    fn question(snapshot: &Snapshot<ContentProductionState>) -> Option<Question> {
        let question = snapshot.questions.first()?;
        serde_json::from_value::<Turn>(question.payload.clone()).ok().map(|turn| Question::Turn { turn })
    }

    fn answer(_: &Run, _: &Snapshot<ContentProductionState>, answer: HumanAnswer) -> Result<Order, Error> {
        match answer {
            HumanAnswer::Order { order } => Ok(order),
            HumanAnswer::Approve => Ok(Order::Advance),
            HumanAnswer::Reject { feedback } => Ok(Order::Say { text: feedback }),
            HumanAnswer::Edit { .. } | HumanAnswer::Decide { .. } | HumanAnswer::Direct { .. } => {
                let message = "this run asks what is to be done next: say it in words, or approve".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// How many supersteps one turn may take: more than the fields of the longest production have levels.
const SUPERSTEPS: u32 = 1_000;
