//! A conversation with a production on a terminal.

use std::path::PathBuf;

use qingyu_studio::RunStatus;
use qingyu_studio::agents::production::Order;
use qingyu_studio::operations as op;
use qingyu_studio::story::production::Autonomy;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::turn::{ProductionTurn, TurnOrigin, answer, end, turn};
use crate::args::RunControlArgs;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::production as draw;
use crate::screen::Screen;
use crate::watch;

/// The file of the input history, in the data folder.
const HISTORY: &str = "history.txt";
/// Maximum number of history lines.
const LINES: usize = 1_000;

/// A parsed input line.
enum LineCommand {
    Order(Order),
    Fields,
    Read(String),
    Help,
    Leave,
    Nothing,
}

/// Runs the conversation until the user leaves or the run ends.
pub(super) async fn converse(
    desk: &Desk,
    screen: &Screen,
    project: &str,
    begun: ProductionTurn,
    working: RunControlArgs,
) -> Result<Exit, Error> {
    answer(screen, &begun, &working.watch)?;
    let mut lines = TerminalLines::open(desk.home().join(HISTORY))?;
    loop {
        let prompt = format!("{} ", screen.texts().get("produce-prompt"));
        let Some(line) = lines.next(prompt).await? else {
            screen.show(&(), |page| draw::left(page, project))?;
            return Ok(Exit::Done);
        };
        match parse_line(line.trim()) {
            LineCommand::Nothing => {}
            LineCommand::Help => screen.show(&(), draw::help)?,
            LineCommand::Leave => {
                screen.show(&(), |page| draw::left(page, project))?;
                return Ok(Exit::Done);
            }
            LineCommand::Fields => {
                let view = desk.call(op::ReadProduction { project: project.to_owned() }).await?;
                screen.show(&(), |page| draw::production(page, &view))?;
            }
            LineCommand::Read(field) => {
                match desk.call(op::ReadField { project: project.to_owned(), path: field }).await {
                    Ok(view) => screen.show(&(), |page| draw::field(page, &view))?,
                    Err(error) => screen.fail(&error.into()),
                }
            }
            LineCommand::Order(order) => {
                let turn = turn(desk, screen, project, order, &working, TurnOrigin::Conversation).await?;
                if turn.outcome.status != RunStatus::Waiting {
                    return end(desk, screen, &turn, &working.watch).await;
                }
                watch::failures(screen, &turn.outcome);
                answer(screen, &turn, &working.watch)?;
            }
        }
    }
}

/// Parses a line: words, or a command after a slash.
fn parse_line(line: &str) -> LineCommand {
    let Some(command) = line.strip_prefix('/') else {
        return match line {
            "" => LineCommand::Nothing,
            text => LineCommand::Order(Order::Say { text: text.to_owned() }),
        };
    };
    let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let rest = rest.trim().to_owned();
    let autonomy =
        |how| Order::Autonomy { phases: vec![(if rest.is_empty() { "all".to_owned() } else { rest.clone() }, how)] };
    match name {
        "fields" => LineCommand::Fields,
        "read" => LineCommand::Read(rest),
        "go" => LineCommand::Order(Order::Advance),
        "phase" => LineCommand::Order(Order::Revisit { phase: rest }),
        "make" => {
            let fields = rest.split_whitespace().map(str::to_owned).collect();
            LineCommand::Order(Order::Make { fields, instruction: String::new(), is_change: false })
        }
        "stale" => LineCommand::Order(Order::MakeStale),
        "research" => LineCommand::Order(Order::Research { question: rest, max_sources: None }),
        "auto" => LineCommand::Order(autonomy(Autonomy::Auto)),
        "wait" => LineCommand::Order(autonomy(Autonomy::Wait)),
        "quit" | "exit" | "q" => LineCommand::Leave,
        "end" => LineCommand::Order(Order::End),
        _ => LineCommand::Help,
    }
}

/// A line reader for the terminal, with editing and history.
struct TerminalLines {
    /// `None` only while a line is being read.
    editor: Option<DefaultEditor>,
    history: PathBuf,
}

impl TerminalLines {
    fn open(history: PathBuf) -> Result<Self, Error> {
        let config = rustyline::Config::builder().max_history_size(LINES).map_err(|error| failed(&error))?;
        let mut editor =
            DefaultEditor::with_config(config.auto_add_history(true).build()).map_err(|error| failed(&error))?;
        // A missing or unreadable history starts empty.
        editor.load_history(&history).ok();
        Ok(Self { editor: Some(editor), history })
    }

    /// Returns the next line; `None` if the user leaves.
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
