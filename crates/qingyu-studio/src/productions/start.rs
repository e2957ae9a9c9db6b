//! Starting a production, and giving it orders.

use jiff::Timestamp;
use qingyu_agents::production as agents;
use qingyu_store::{Project, RunStatus as Kept};
use qingyu_story::production::Autonomy;
use qingyu_story::{Language, Story, title};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::error::Error;
use crate::projects::draft::new_project;
use crate::runs::config::RunConfig;
use crate::runs::handle::RunHandle;
use crate::runs::kind::RunKind;
use crate::runs::requests::{CreateRequest, ResumeRequest, RunAnswer, with_model};
use crate::runs::setup::PlannedRun;
use crate::runs::types::produce::{ProduceRun, ProductionOrder};
use crate::studio::Studio;

/// A request for a production in a new project.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ProduceRequest {
    /// The user's premise.
    pub premise: String,
    /// The template of phases and fields; `course` by default.
    pub template: Option<String>,
    /// The title of the project; derived from the premise by default.
    pub title: Option<String>,
    /// The language of the work; detected from the premise by default.
    pub language: Option<Language>,
    /// The phases waiting for a person, by name, overriding the template; `all` means every phase.
    pub autonomy: Vec<(String, Autonomy)>,
    /// The model for every role of this run; overrides all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

/// The next order to a production.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TellRequest {
    /// The project, by ID or unique prefix.
    pub project: String,
    /// The order; by default the next phase of the project.
    pub order: Option<agents::Order>,
    /// The model for every role; overrides all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

impl Studio {
    /// Starts a production in a new project. Returns after the project and the run are stored and the run is working.
    ///
    /// The run waits at each decision of a person; [`tell`](Self::tell) continues the run. Returns the errors of
    /// [`create`](Self::create), and [`Error::Production`] if the template or phase does not exist.
    pub async fn produce(&self, request: ProduceRequest) -> Result<RunHandle, Error> {
        let ProduceRequest { premise, template, title, language, autonomy, model, overrides } = request;
        let premise = CreateRequest::new(premise).checked_requirement()?;
        let language = language.unwrap_or_else(|| Language::of(&premise));
        let story = self.begun(template.as_deref().unwrap_or("course"), language, &premise, &autonomy)?;
        let overrides = with_model(overrides, model.as_deref());
        // Reports errors of the settings before creating the project.
        let request = self.request_settings(overrides.clone()).await?;
        let (effective, _) = RunConfig::new(self.settings(), None, RunKind::Produce, request)?;
        self.approver_of_new_run(None, &effective).await?;
        let project = self.new_project(title, language, &premise, &story).await?;
        self.begin_production(project, premise, ProductionOrder::default(), overrides).await
    }

    /// Sends an order to the production of a project: resumes its run, or starts a new run if the last has finished.
    ///
    /// A project without phases and fields, such as a book, gets the template `novel` first. Returns
    /// [`Error::RunUnfinished`] if the run was interrupted or failed and must be resumed first, and
    /// [`Error::ThreadBusy`] if the run is working.
    pub async fn tell(&self, request: TellRequest) -> Result<RunHandle, Error> {
        let TellRequest { project, order, model, overrides } = request;
        let project = self.find_project(&project).await?;
        let overrides = with_model(overrides, model.as_deref());
        let newest = self.production_run(&project.id).await?;
        if let Some(run) = newest.as_ref().filter(|run| run.status != Kept::Done) {
            self.refuse_unless_approver(run)?;
        }
        if let Some(words) = order.as_ref().and_then(agents::Order::words) {
            self.learn_from_words(&project.id, words).await;
        }
        match newest {
            Some(run) if run.status != Kept::Done => {
                if self.is_worked_on(&run.id).await? {
                    return Err(Error::ThreadBusy { run: run.id });
                }
                if order.is_some() && !self.is_asking(&run).await? {
                    return Err(Error::RunUnfinished { run: run.id });
                }
                let answer = order.map(|order| RunAnswer::Order { order });
                self.resume_with(ResumeRequest { run: run.id, answer, question: None, overrides }).await
            }
            ended => {
                self.have_production(&project).await?;
                let messages = match ended {
                    Some(run) => self.said(&run).await?,
                    None => Vec::new(),
                };
                let words = order.as_ref().and_then(agents::Order::words).unwrap_or(&project.premise).to_owned();
                self.begin_production(project, words, ProductionOrder { order, messages, said: Vec::new() }, overrides)
                    .await
            }
        }
    }

    async fn begin_production(
        &self,
        project: Project,
        requirement: String,
        first: ProductionOrder,
        overrides: Table,
    ) -> Result<RunHandle, Error> {
        let language = Some(project.language);
        let said = self.said_in_session(&project.id).await?;
        let order = serde_json::json!(ProductionOrder { said, ..first });
        let project = Some(project);
        self.begin_as::<ProduceRun>(PlannedRun {
            requirement,
            order,
            project,
            title: None,
            language,
            outline: None,
            overrides,
        })
        .await
    }

    /// Creates a project with phases and fields.
    async fn new_project(
        &self,
        title: Option<String>,
        language: Language,
        premise: &str,
        story: &Story,
    ) -> Result<Project, Error> {
        let subject = title::named_in(premise).or_else(|| title::subject_in(premise));
        let new = new_project(title.as_deref().or(subject.as_deref()), premise, language);
        let project = self.projects_table().create(new, Timestamp::now()).await;
        let project = project.map_err(|error| self.place("").store(error))?;
        self.save_by_hand(&project.id, &Story::default(), story, project.version).await?;
        Ok(project)
    }

    /// Inserts the phases and fields of a book into a project without any.
    async fn have_production(&self, project: &Project) -> Result<(), Error> {
        let (id, kept) = self.kept_story(&project.id).await?;
        if kept.story.production.is_some() {
            return Ok(());
        }
        let begun = self.begun("novel", project.language, &project.premise, &[])?;
        let after = Story { production: begun.production, fields: begun.fields, ..kept.story.clone() };
        self.save_by_hand(&id, &kept.story, &after, kept.version).await
    }
}
