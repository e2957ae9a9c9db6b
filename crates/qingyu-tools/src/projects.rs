//! `project_tool`: lists and creates projects.

use futures::future::BoxFuture;
use qingyu_llm::structured::schema_of;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::texts::Text;
use crate::workspace::ProjectSeed;
use crate::writing::{needed, page};
use crate::{Action, Category, Metadata, Permission, Tool, ToolContext, ToolError, Toolbox, desk};

/// The tool. Works on all projects, so takes no `project_id`.
#[derive(Debug)]
struct ProjectTool(Metadata);

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do. create begins a project without any piece; later calls name it by the id that the answer gives.
    action: Do,
    /// The title, for create; made from the premise if left out.
    title: Option<String>,
    /// The author's words for what the book is about, for create.
    premise: Option<String>,
    /// The language of the book, for create; that of its title and premise if left out.
    language: Option<Language>,
    /// How many projects to skip; for list.
    offset: Option<usize>,
    /// How many projects to give at most; for list.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    List,
    Create,
}

impl Default for ProjectTool {
    fn default() -> Self {
        let name = "project_tool";
        let schema = schema_of::<Arguments>().schema;
        // A new project changes no existing project: write permission suffices.
        let actions = vec![Action { pure: false, ..Action::read("list") }, Action::write("create")];
        Self(Metadata {
            actions,
            permission: Permission::Write,
            ..Metadata::with_schema(name, Category::Writing, Text::named(name), schema)
        })
    }
}

impl Tool for ProjectTool {
    fn metadata(&self) -> &Metadata {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let arguments: Arguments = desk::read(arguments)?;
            match arguments.action {
                Do::List => {
                    let projects = context.workspaces.list().await?;
                    Ok(page("projects", projects, arguments.offset, arguments.limit, |project| json!(project)))
                }
                Do::Create => Ok(json!({"project": context.workspaces.create(arguments.beginning()?).await?})),
            }
        })
    }
}

impl Arguments {
    fn beginning(self) -> Result<ProjectSeed, ToolError> {
        let word = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let (title, premise) = (word(self.title), word(self.premise));
        let said = needed(premise.as_deref().or(title.as_deref()), "/title")?;
        let language = self.language.unwrap_or_else(|| Language::of(said));
        Ok(ProjectSeed { title, language, premise: premise.unwrap_or_default() })
    }
}

impl Toolbox {
    /// Returns the toolbox with the project tool.
    #[must_use]
    pub fn with_projects(mut self) -> Self {
        self.register_ours(std::sync::Arc::new(ProjectTool::default()));
        self
    }
}
