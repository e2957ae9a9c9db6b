//! The content tools: fields of a production read, changed and handed out, the web searched, and orders to those who make.
//!
//! - [`read_field`], [`update_field`], [`export_content`]: on the project as it is
//! - [`web_search`]: what an engine finds; words of strangers
//! - [`generate_field`], [`deep_research`], [`evaluate_content`], [`simulate_consumer`]: orders that a [`Producer`] carries out

pub mod deep_research;
pub mod evaluate_content;
pub mod export_content;
pub mod generate_field;
pub mod read_field;
pub mod simulate_consumer;
pub mod update_field;
pub mod web_search;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use qingyu_production::simulation::{Interaction, Persona};
use qingyu_production::{Board, Error, content, text};
use qingyu_story::Story;
use qingyu_story::production::{Criterion, Field};
use qingyu_web::Search;
use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::desk::OnDesk;
use crate::{Action, Category, Context, Metadata, Permission, Problem, Tool, ToolError, Toolbox};

/// What takes a model, and so a run of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// The web is searched and read.
    Research {
        /// What is asked.
        question: String,
        /// Most sources that are read; as many as usual if nothing is said.
        max_sources: Option<usize>,
    },
    /// A field is made.
    Make {
        /// Its path.
        path: String,
        /// The field, if the project does not have it yet.
        new: Option<Box<Field>>,
        /// What is wanted of it.
        instruction: String,
    },
    /// Simulated consumers read.
    Simulate {
        /// Who.
        personas: Vec<Persona>,
        /// Paths of the content; all of it if there are none.
        contents: Vec<String>,
        /// What they do; everything if there is nothing.
        interactions: Vec<Interaction>,
    },
    /// Content is judged.
    Evaluate {
        /// Paths of the content; all of it if there are none.
        contents: Vec<String>,
        /// By what; the criteria of the production if there are none.
        criteria: Vec<Criterion>,
    },
}

/// What came of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The path of the field that has the value.
    pub field: String,
    /// The run that made it.
    pub run: String,
    /// What went on in a simpler way.
    pub warnings: Vec<String>,
}

/// Carries out orders, each as a run that is recorded and paid once.
pub trait Producer: Debug + Send + Sync {
    /// Carries out an order on the project of that id, and returns when it is done.
    ///
    /// A run goes on if the future is dropped. Fails with the code `busy` while another run works on the project, and with
    /// `not_made` if the run ended without a value; a new field is there then, without one.
    fn order<'a>(&'a self, project: &'a str, order: Order) -> BoxFuture<'a, Result<Made, ToolError>>;
}

/// Carries out nothing: for doors that have no models.
#[derive(Debug, Clone, Copy)]
pub struct NoProducer;

impl Producer for NoProducer {
    fn order<'a>(&'a self, _: &'a str, _: Order) -> BoxFuture<'a, Result<Made, ToolError>> {
        let message = "no model can be asked here".to_owned();
        Box::pin(async { Err(ToolError::Refused { message }) })
    }
}

impl Toolbox {
    /// The toolbox with the content tools. Those that need models give their orders to `producer`; without `search`,
    /// nothing can be searched.
    ///
    /// Not for agents inside of runs: no run begins another.
    #[must_use]
    pub fn with_content(mut self, producer: Arc<dyn Producer>, search: Option<Arc<dyn Search>>) -> Self {
        let tools: [Arc<dyn Tool>; 8] = [
            Arc::new(deep_research::DeepResearch::new(Arc::clone(&producer))),
            Arc::new(web_search::WebSearch::new(search)),
            Arc::new(generate_field::GenerateField::new(Arc::clone(&producer))),
            Arc::new(evaluate_content::EvaluateContent::new(Arc::clone(&producer))),
            Arc::new(simulate_consumer::SimulateConsumer::new(producer)),
            Arc::new(OnDesk::new(read_field::ReadField)),
            Arc::new(OnDesk::new(update_field::UpdateField)),
            Arc::new(export_content::ExportContent::default()),
        ];
        for tool in tools {
            self.register(tool).expect("no tool of ours is called so");
        }
        self
    }
}

/// How long an order may take: many calls of models, one after the other.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// A tool without actions that changes the project.
fn writing<A: JsonSchema>(name: &str, category: Category) -> Metadata {
    let metadata = Metadata::of::<A>(name, category, vec![Action::write("write")]);
    Metadata { actions: Vec::new(), ..metadata }
}

/// A tool that gives an order.
fn ordering<A: JsonSchema>(name: &str, category: Category) -> Metadata {
    Metadata { timeout: PATIENCE, permission: Permission::Write, ..writing::<A>(name, category) }
}

/// Gives an order, and answers with the field that it made.
async fn ordered(producer: &dyn Producer, order: Order, context: &Context) -> Result<Value, ToolError> {
    let workspace = context.workspace()?;
    let made = producer.order(workspace.project(), order).await?;
    let loaded = workspace.load().await?;
    let board = Board::new(&loaded.story.fields);
    let field = board.find(&made.field).map_err(|error| of_production(error, "/"))?;
    let mut answer = shown(&board, field);
    answer["run"] = made.run.into();
    answer["warnings"] = made.warnings.into();
    answer["version"] = loaded.version.into();
    Ok(answer)
}

/// A field with its value, and how it stands.
fn shown(board: &Board<'_>, field: &Field) -> Value {
    let value = board.value(&field.path).unwrap_or_default();
    let dependents: Vec<&str> = board.dependents(&field.path).into_iter().map(|field| field.path.as_str()).collect();
    let status = board.statuses().get(field.path.as_str()).copied();
    json!({
        "field": {
            "path": field.path, "title": field.title, "phase": field.phase, "status": status,
            "version": field.version, "is_content": field.is_content, "guidance": field.guidance,
            "schema": field.schema, "depends_on": field.depends_on, "dependents": dependents,
        },
        "text": text::markdown(&value, &field.schema),
        "value": value,
    })
}

/// The paths of content that is to be read, as the project has it: all there is if none is named.
fn readable(story: &Story, given: Option<Vec<String>>) -> Result<Vec<String>, ToolError> {
    let given = given.unwrap_or_default();
    let found = content::contents(story, &given).map_err(|error| of_production(error, "/content"))?;
    if found.is_empty() {
        return Err(ToolError::Refused { message: "there is no content to read yet".into() });
    }
    Ok(given)
}

/// What an argument says, if it says anything.
fn said(argument: &str, path: &str) -> Result<String, ToolError> {
    match argument.trim() {
        "" => Err(ToolError::invalid(path, "words")),
        words => Ok(words.to_owned()),
    }
}

/// What cannot be done with fields, where `path` is the place in the arguments that names or fills the field.
fn of_production(error: Error, path: &str) -> ToolError {
    let message = error.to_string();
    match error {
        Error::UnknownField { path: name, near } if near.is_empty() => {
            ToolError::NotFound { kind: "field".into(), name, path: path.into() }
        }
        Error::UnknownField { path: name, near } => {
            let count = near.len();
            let last = |near: &String| near.rsplit('/').next().is_some_and(|end| end == name);
            match near.iter().filter(|near| last(near)).count() {
                0 | 1 => ToolError::NotFound { kind: "field".into(), name, path: path.into() },
                _ => ToolError::Ambiguous { kind: "field".into(), name, count, path: path.into() },
            }
        }
        Error::Misfit { problems, .. } => {
            let problem = |expected: String| Problem { path: path.to_owned(), expected };
            ToolError::Invalid { problems: problems.into_iter().map(problem).collect() }
        }
        Error::UnknownChannel { known, .. } => {
            let known: Vec<String> = ["md".to_owned(), "json".to_owned()].into_iter().chain(known).collect();
            ToolError::invalid(path, format!("one of {}", known.join(", ")))
        }
        Error::BadSchema { .. } => ToolError::invalid(path, message),
        _ => ToolError::Refused { message },
    }
}
