//! A conversation with a production in a terminal.

use std::path::PathBuf;

use qingyu_studio::RunStatus;
use qingyu_studio::agents::production::Order;
use qingyu_studio::operations as op;
use qingyu_studio::story::production::Autonomy;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::{Place, Turn, answer, end, turn};
use crate::args::Working;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::production as draw;
use crate::screen::Screen;
use crate::watch;

/// Where the lines that were typed are kept, in the data folder.
const HISTORY: &str = "history.txt";
/// How many of them.
const LINES: usize = 1_000;

/// What a line of the user means here.
enum Wish {
    Order(Order),
    Fields,
    Read(String),
    Help,
    Leave,
    Nothing,
}

/// Talks until the user leaves or the run ends.
pub(super) async fn converse(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    begun: Turn,
    working: Working,
) -> Result<Exit, Error> {
    answer(screen, &begun, &working.watch)?;
    let mut lines = Lines::open(desk.home().join(HISTORY))?;
    loop {
        let prompt = format!("{} ", screen.texts().get("produce-prompt"));
        let Some(line) = lines.next(prompt).await? else {
            screen.show(&(), |page| draw::left(page, project))?;
            return Ok(Exit::Done);
        };
        match wish(line.trim()) {
            Wish::Nothing => {}
            Wish::Help => screen.show(&(), draw::help)?,
            Wish::Leave => {
                screen.show(&(), |page| draw::left(page, project))?;
                return Ok(Exit::Done);
            }
            Wish::Fields => {
                let view = desk.call(op::ReadProduction { project: project.to_owned() }).await?;
                screen.show(&(), |page| draw::production(page, &view))?;
            }
            Wish::Read(field) => match desk.call(op::ReadField { project: project.to_owned(), path: field }).await {
                Ok(view) => screen.show(&(), |page| draw::field(page, &view))?,
                Err(error) => screen.fail(&error.into()),
            },
            Wish::Order(order) => {
                let turn = turn(desk, screen, project, order, &working, Place::Conversation).await?;
                if turn.outcome.status != RunStatus::Waiting {
                    return end(desk, screen, &turn, &working.watch).await;
                }
                watch::failures(screen, &turn.outcome);
                answer(screen, &turn, &working.watch)?;
            }
        }
    }
}

/// What a line means: words, or a command after a slash.
fn wish(line: &str) -> Wish {
    let Some(command) = line.strip_prefix('/') else {
        return match line {
            "" => Wish::Nothing,
            text => Wish::Order(Order::Say { text: text.to_owned() }),
        };
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim().to_owned();
    let autonomy =
        |how| Order::Autonomy { phases: vec![(if rest.is_empty() { "all".to_owned() } else { rest.clone() }, how)] };
    match name {
        "fields" => Wish::Fields,
        "read" => Wish::Read(rest),
        "go" => Wish::Order(Order::Advance),
        "phase" => Wish::Order(Order::Revisit { phase: rest }),
        "make" => {
            let fields = rest.split_whitespace().map(str::to_owned).collect();
            Wish::Order(Order::Make { fields, instruction: String::new(), is_change: false })
        }
        "stale" => Wish::Order(Order::MakeStale),
        "research" => Wish::Order(Order::Research { question: rest, max_sources: None }),
        "auto" => Wish::Order(autonomy(Autonomy::Auto)),
        "wait" => Wish::Order(autonomy(Autonomy::Wait)),
        "quit" | "exit" | "q" => Wish::Leave,
        "end" => Wish::Order(Order::End),
        _ => Wish::Help,
    }
}

/// The lines of a person at a terminal, with editing and history.
struct Lines {
    /// None only while a line is read.
    editor: Option<DefaultEditor>,
    history: PathBuf,
}

impl Lines {
    fn open(history: PathBuf) -> Result<Self, Error> {
        let config = rustyline::Config::builder().max_history_size(LINES).map_err(|error| failed(&error))?;
        let mut editor =
            DefaultEditor::with_config(config.auto_add_history(true).build()).map_err(|error| failed(&error))?;
        // There is none yet, or it cannot be read: then it begins anew.
        editor.load_history(&history).ok();
        Ok(Self { editor: Some(editor), history })
    }

    /// The next line; none if the person leaves.
    async fn next(&mut self, prompt: String) -> Result<Option<String>, Error> {
        let mut editor = self.editor.take().expect("one line is read at a time");
        let read = tokio::task::spawn_blocking(move || {
            let line = editor.readline(&prompt);
            (editor, line)
        });
        let (mut editor, line) = read.await.expect("reading a line does not panic");
        editor.save_history(&self.history).ok();
        self.editor = Some(editor);
        match line {
            Ok(line) => Ok(Some(line)),
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }
}

fn failed(error: &ReadlineError) -> Error {
    Error::Unreadable { path: PathBuf::from("-"), message: error.to_string() }
}
