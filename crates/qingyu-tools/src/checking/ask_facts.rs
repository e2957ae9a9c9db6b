//! `ask_facts`: facts with their validity, the characters who know them, and the source sentence.

use qingyu_story::truth::{self, Question, UnknownWord};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct AskFactsTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Whom or what it is about, on either side: a name, alias or id.
    about: Option<String>,
    /// What is said, under any name of the vocabulary or the story's own, such as "holds" or "瞳色".
    predicate: Option<String>,
    /// As of when: an event, a time in the story's words, or an outline node or document for what has been told by
    /// its end.
    as_of: Option<String>,
    /// Only what this character knows by then.
    known_by: Option<String>,
    /// How many facts to give at most; 100 if left out.
    limit: Option<usize>,
}

impl StoryTool for AskFactsTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let metadata = Metadata::of::<Arguments>("ask_facts", Category::Knowledge, Vec::<Action>::new());
        Metadata { pure: true, ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { about, predicate, as_of, known_by, limit } = arguments;
        let knower = known_by.map(|name| {
            let position = desk.find(qingyu_story::PieceKind::Character, &name, "/known_by")?;
            Ok::<_, ToolError>(desk.story().characters[position].name.clone())
        });
        let knower = knower.transpose()?;
        let question = Question { about, predicate, as_of };
        let mut answers = truth::ask(desk.story(), &question).map_err(unclear)?;
        answers.retain(|answer| {
            knower.as_ref().is_none_or(|knower| answer.known_by.iter().any(|known| known.who == *knower))
        });
        let total = answers.len();
        answers.truncate(limit.unwrap_or(crate::writing::PAGE));
        Ok(json!({"total": total, "facts": answers}))
    }
}

/// A name unknown to the story is an error of its argument.
fn unclear(unclear: UnknownWord) -> ToolError {
    let (path, kind, name) = match unclear {
        UnknownWord::About(name) => ("/about", "entity", name),
        UnknownWord::Predicate(name) => ("/predicate", "predicate", name),
        UnknownWord::AsOf(name) => ("/as_of", "time", name),
        UnknownWord::Chapter(chapter) => return ToolError::invalid("/as_of", chapter.to_string()),
    };
    ToolError::NotFound { kind: kind.into(), name, path: path.into() }
}
