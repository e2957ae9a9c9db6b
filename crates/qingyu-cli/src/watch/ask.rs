//! Asking the person at the terminal.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::Command;

use qingyu_studio::agents::AuthorQuestions;
use qingyu_studio::agents::direction::DirectionsRequest;
use qingyu_studio::agents::orchestrator::WriteRequest;
use qingyu_studio::agents::writing::Decision as Said;
use qingyu_studio::{Failure, HumanAnswer, HumanReview, Outcome};
use serde_json::Value;

use super::edited;
use crate::error::Error;
use crate::render::failure::Worded;
use crate::render::page::{CARE, FAINT, NAME, PLAIN, paint};
use crate::render::{chapters, directions, tasks};
use crate::screen::Screen;
use crate::signals::Signals;

/// The keys of a run's document that a person may edit.
const MATERIAL: [&str; 7] =
    ["worldview", "outline_nodes", "characters", "character_relations", "timeline_events", "plot_nodes", "style"];

/// What the person wants.
pub(crate) enum Decision {
    /// The run goes on with this.
    Answer(HumanAnswer),
    /// The run waits on.
    Later,
    /// The person pressed Ctrl-C.
    Stop,
}

/// Shows why the run waits and asks until there is an answer.
pub(crate) async fn answer(
    screen: &Screen,
    signals: &mut Signals,
    outcome: &Outcome,
    review: &HumanReview,
    data_folder: &Path,
) -> Result<Decision, Error> {
    let texts = screen.texts();
    let mut page = screen.page();
    page.gap();
    page.paragraph(0, CARE.bold(), &texts.get("decision-title"));
    page.paragraph(2, PLAIN, &texts.word("review-reason", &review.reason));
    for (key, action) in [("a", "ask-approve"), ("r", "ask-reject"), ("e", "ask-edit"), ("q", "ask-later")] {
        page.lead(2, &format!("{key}  "), NAME, PLAIN, &texts.get(action));
    }
    screen.note(&page.finish());
    loop {
        let Some(line) = read_line(screen, signals, "ask-prompt").await else { return Ok(Decision::Stop) };
        match line.trim().to_lowercase().as_str() {
            "a" => return Ok(Decision::Answer(HumanAnswer::Approve)),
            "r" => match read_line(screen, signals, "ask-feedback").await {
                Some(feedback) if feedback.trim().is_empty() => {}
                Some(feedback) => return Ok(Decision::Answer(HumanAnswer::Reject { feedback })),
                None => return Ok(Decision::Stop),
            },
            "e" => match edit(outcome, data_folder) {
                Ok(Some(answer)) => return Ok(Decision::Answer(answer)),
                Ok(None) => screen.note(&format!("  {}\n", paint(FAINT, &texts.get("ask-unchanged")))),
                Err(error) => {
                    let mut page = screen.page();
                    Worded::of_error(texts, &error).draw(&mut page);
                    screen.note(&page.finish());
                }
            },
            "q" | "" => return Ok(Decision::Later),
            _ => screen.note(&format!("  {}\n", paint(FAINT, &texts.get("ask-again")))),
        }
    }
}

/// Shows the directions that a new book could take and asks for one.
pub(crate) async fn choose(screen: &Screen, signals: &mut Signals, offered: &DirectionsRequest) -> Decision {
    let mut page = screen.page();
    directions::offered(&mut page, offered);
    page.gap();
    page.say(2, FAINT, "ask-direction-how", &[]);
    screen.note(&page.finish());
    loop {
        let Some(line) = read_line(screen, signals, "ask-direction").await else { return Decision::Stop };
        match line.trim() {
            "" | "q" => return Decision::Later,
            "s" => return Decision::Answer(HumanAnswer::Approve),
            words => {
                let answer = HumanAnswer::to_directions(words);
                if let HumanAnswer::Direct { direction, mix, .. } = &answer {
                    let is_there = |number: &u32| (1..=offered.directions.len()).contains(&(*number as usize));
                    if !is_there(direction) || !mix.values().all(is_there) {
                        screen.note(&format!("  {}\n", paint(FAINT, &screen.texts().get("ask-direction-again"))));
                        continue;
                    }
                }
                return Decision::Answer(answer);
            }
        }
    }
}

/// Asks each question about chapters until there is an answer; what is left for later is asked again another time.
pub(crate) async fn decide(screen: &Screen, signals: &mut Signals, asked: &AuthorQuestions) -> Decision {
    let (mut answers, mut choices) = (BTreeMap::new(), BTreeMap::new());
    for (number, question) in asked.questions.iter().enumerate() {
        let mut page = screen.page();
        chapters::question(&mut page, number + 1, question);
        screen.note(&page.finish());
        let candidates = chapters::candidates(question);
        let prompt = if candidates.len() > 1 { "ask-which" } else { "ask-question" };
        loop {
            let Some(line) = read_line(screen, signals, prompt).await else { return Decision::Stop };
            let line = line.trim().to_lowercase();
            let chosen = line.parse::<usize>().ok().and_then(|number| candidates.get(number.checked_sub(1)?));
            let said = match (line.as_str(), chosen) {
                (_, Some(candidate)) => {
                    choices.insert(question.id.clone(), candidate.id.clone());
                    Said::Accept
                }
                ("y", None) if candidates.len() < 2 => Said::Accept,
                ("n", None) => Said::Reject,
                ("l", None) => Said::Later,
                ("" | "q", None) => return Decision::Later,
                _ => {
                    screen.note(&format!("  {}\n", paint(FAINT, &screen.texts().get("ask-question-again"))));
                    continue;
                }
            };
            answers.insert(question.id.clone(), said);
            break;
        }
    }
    Decision::Answer(HumanAnswer::Decide { answers, choices })
}

/// Shows what would be changed in the texts and asks until there is an answer.
pub(crate) async fn agree(screen: &Screen, signals: &mut Signals, asked: &WriteRequest) -> Decision {
    let mut page = screen.page();
    tasks::writes(&mut page, asked);
    screen.note(&page.finish());
    loop {
        let Some(line) = read_line(screen, signals, "ask-writes").await else { return Decision::Stop };
        match line.trim().to_lowercase().as_str() {
            "y" => return Decision::Answer(HumanAnswer::Approve),
            "n" => return Decision::Answer(HumanAnswer::Reject { feedback: String::new() }),
            "q" | "" => return Decision::Later,
            _ => screen.note(&format!("  {}\n", paint(FAINT, &screen.texts().get("ask-writes-again")))),
        }
    }
}

/// Says that the budget is used up and asks for a larger one; none if it stays as it is.
pub(crate) async fn raise(
    screen: &Screen,
    signals: &mut Signals,
    failure: &Failure,
) -> Result<Option<toml::Table>, Error> {
    let Some(setting) = failure.data.get("setting").and_then(Value::as_str) else { return Ok(None) };
    let mut page = screen.page();
    page.gap();
    page.paragraph(0, CARE, &Worded::of(screen.texts(), failure).message);
    screen.note(&page.finish());
    loop {
        let Some(line) = read_line(screen, signals, "ask-raise").await else { return Ok(None) };
        let answer = line.trim();
        if answer.is_empty() {
            return Ok(None);
        }
        if answer.parse::<f64>().is_ok_and(|amount| amount.is_finite() && amount > 0.0) {
            let mut table = toml::Table::new();
            qingyu_studio::settings::assign(&mut table, setting, answer)?;
            return Ok(Some(table));
        }
        screen.note(&format!("  {}\n", paint(FAINT, &screen.texts().get("ask-raise-again"))));
    }
}

/// A line from the terminal; none on Ctrl-C. The end of input is an empty line.
async fn read_line(screen: &Screen, signals: &mut Signals, prompt: &str) -> Option<String> {
    screen.note(&paint(NAME, &format!("{} ", screen.texts().get(prompt))));
    let reading = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).map(|_| line).unwrap_or_default()
    });
    tokio::select! {
        line = reading => line.ok(),
        () = signals.next() => None,
    }
}

/// Opens the material in the person's editor; none if nothing was changed. What does not parse is kept for another try.
fn edit(outcome: &Outcome, data_folder: &Path) -> Result<Option<HumanAnswer>, Error> {
    // A server may not say where it keeps things, or be on another machine.
    let folder = if data_folder.is_dir() { data_folder.to_path_buf() } else { std::env::temp_dir() };
    let path = folder.join(format!("edit-{}.json", outcome.run));
    let before = material(outcome);
    if !path.exists() {
        write(&path, &before)?;
    }
    run_editor(&path)?;
    let after = std::fs::read_to_string(&path)
        .map_err(|error| Error::Unreadable { path: path.clone(), message: error.to_string() })?;
    let answer = edited(&after)?;
    std::fs::remove_file(&path).ok();
    Ok((after != before).then_some(answer))
}

fn material(outcome: &Outcome) -> String {
    let Value::Object(mut document) = outcome.document() else { return String::new() };
    document.retain(|key, _| MATERIAL.contains(&key.as_str()));
    serde_json::to_string_pretty(&document).expect("a document serialises")
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text)
        .map_err(|error| Error::Unreadable { path: PathBuf::from(path), message: error.to_string() })
}

/// Runs `VISUAL`, else `EDITOR`, else the platform's plain editor.
pub(crate) fn run_editor(path: &Path) -> Result<(), Error> {
    let told = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor = told
        .into_iter()
        .find(|editor| !editor.trim().is_empty())
        .unwrap_or_else(|| if cfg!(windows) { "notepad" } else { "vi" }.to_owned());
    let failed = |message: String| Error::Editor { editor: editor.clone(), message };
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or_default();
    match Command::new(program).args(words).arg(path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(status.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}
