//! Prompts to the person at the terminal.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use qingyu_studio::agents::AuthorQuestions;
use qingyu_studio::agents::direction::DirectionsRequest;
use qingyu_studio::agents::orchestrator::{AgentsRequest, WriteRequest};
use qingyu_studio::agents::writing::Decision as Said;
use qingyu_studio::{FailureRecord, HumanReview, Outcome, RunAnswer};
use serde_json::Value;

use super::editor::{edited, run_editor};
use crate::error::Error;
use crate::render::failure::FailureText;
use crate::render::page::{CARE, FAINT, NAME, PLAIN, paint};
use crate::render::{chapters, directions, tasks};
use crate::screen::Screen;
use crate::signals::Signals;

/// The keys of a run's document a person may edit.
const MATERIAL: [&str; 7] =
    ["worldview", "outline_nodes", "characters", "character_relations", "timeline_events", "plot_nodes", "style"];

/// The person's response to a prompt.
pub(crate) enum PromptOutcome {
    /// Resume the run with an answer.
    Answer(RunAnswer),
    /// Leave the run waiting.
    Later,
    /// The person pressed Ctrl-C.
    Stop,
}

/// Shows the reason of waiting and prompts until there is an answer.
pub(crate) async fn answer(
    screen: &Screen,
    signals: &mut Signals,
    outcome: &Outcome,
    review: &HumanReview,
    data_folder: &Path,
) -> Result<PromptOutcome, Error> {
    let texts = screen.texts();
    screen.note_page(|page| {
        page.gap();
        page.paragraph(0, CARE.bold(), &texts.get("decision-title"));
        page.paragraph(2, PLAIN, &texts.word("review-reason", &review.reason));
        for (key, action) in [("a", "ask-approve"), ("r", "ask-reject"), ("e", "ask-edit"), ("q", "ask-later")] {
            page.lead(2, &format!("{key}  "), NAME, PLAIN, &texts.get(action));
        }
    });
    loop {
        let Some(line) = read_line(screen, signals, "ask-prompt").await else { return Ok(PromptOutcome::Stop) };
        match line.trim().to_lowercase().as_str() {
            "a" => return Ok(PromptOutcome::Answer(RunAnswer::Approve)),
            "r" => match read_line(screen, signals, "ask-feedback").await {
                Some(feedback) if feedback.trim().is_empty() => {}
                Some(feedback) => return Ok(PromptOutcome::Answer(RunAnswer::Reject { feedback })),
                None => return Ok(PromptOutcome::Stop),
            },
            "e" => match edit(outcome, data_folder) {
                Ok(Some(answer)) => return Ok(PromptOutcome::Answer(answer)),
                Ok(None) => hint(screen, "ask-unchanged"),
                Err(error) => screen.note_page(|page| FailureText::of_error(texts, &error).draw(page)),
            },
            "q" | "" => return Ok(PromptOutcome::Later),
            _ => hint(screen, "ask-again"),
        }
    }
}

/// Shows the directions of a new book and prompts for a choice.
pub(crate) async fn choose(screen: &Screen, signals: &mut Signals, offered: &DirectionsRequest) -> PromptOutcome {
    screen.note_page(|page| {
        directions::offered(page, offered);
        page.gap();
        page.say(2, FAINT, "ask-direction-how", &[]);
    });
    loop {
        let Some(line) = read_line(screen, signals, "ask-direction").await else { return PromptOutcome::Stop };
        match line.trim() {
            "" | "q" => return PromptOutcome::Later,
            "s" => return PromptOutcome::Answer(RunAnswer::Approve),
            words => {
                let answer = RunAnswer::to_directions(words);
                if let RunAnswer::Direct { direction, mix, .. } = &answer {
                    let is_there = |number: &u32| (1..=offered.directions.len()).contains(&(*number as usize));
                    if !is_there(direction) || !mix.values().all(is_there) {
                        hint(screen, "ask-direction-again");
                        continue;
                    }
                }
                return PromptOutcome::Answer(answer);
            }
        }
    }
}

/// Prompts for each question about chapters until answered; postponed questions are asked again later.
pub(crate) async fn decide(screen: &Screen, signals: &mut Signals, asked: &AuthorQuestions) -> PromptOutcome {
    let (mut answers, mut choices) = (BTreeMap::new(), BTreeMap::new());
    for (number, question) in asked.questions.iter().enumerate() {
        screen.note_page(|page| chapters::question(page, number + 1, question));
        let candidates = chapters::candidates(question);
        let prompt = if candidates.len() > 1 { "ask-which" } else { "ask-question" };
        loop {
            let Some(line) = read_line(screen, signals, prompt).await else { return PromptOutcome::Stop };
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
                ("" | "q", None) => return PromptOutcome::Later,
                _ => {
                    hint(screen, "ask-question-again");
                    continue;
                }
            };
            answers.insert(question.id.clone(), said);
            break;
        }
    }
    PromptOutcome::Answer(RunAnswer::Decide { answers, choices })
}

/// Shows the proposed changes of texts and prompts until there is an answer.
pub(crate) async fn agree(screen: &Screen, signals: &mut Signals, asked: &WriteRequest) -> PromptOutcome {
    screen.note_page(|page| tasks::writes(page, asked));
    loop {
        let Some(line) = read_line(screen, signals, "ask-writes").await else { return PromptOutcome::Stop };
        match line.trim().to_lowercase().as_str() {
            "y" => return PromptOutcome::Answer(RunAnswer::Approve),
            "n" => return PromptOutcome::Answer(RunAnswer::Reject { feedback: String::new() }),
            "q" | "" => return PromptOutcome::Later,
            _ => hint(screen, "ask-writes-again"),
        }
    }
}

/// Prompts for the agent of each part of a task whose words do not decide it.
pub(crate) async fn assign(screen: &Screen, signals: &mut Signals, asked: &AgentsRequest) -> PromptOutcome {
    let mut choices = BTreeMap::new();
    for part in &asked.undecided {
        screen.note_page(|page| tasks::undecided(page, part));
        loop {
            let Some(line) = read_line(screen, signals, "ask-agent").await else { return PromptOutcome::Stop };
            let line = line.trim().to_lowercase();
            let numbered = line.parse::<usize>().ok().and_then(|number| part.agents.get(number.checked_sub(1)?));
            let chosen = numbered.or_else(|| part.agents.iter().find(|agent| agent.name == line));
            match (line.as_str(), chosen) {
                (_, Some(agent)) => {
                    choices.insert(part.task.clone(), agent.name.clone());
                    break;
                }
                ("n", None) => return PromptOutcome::Answer(RunAnswer::Reject { feedback: String::new() }),
                ("" | "q", None) => return PromptOutcome::Later,
                _ => hint(screen, "ask-agent-again"),
            }
        }
    }
    PromptOutcome::Answer(RunAnswer::Decide { answers: BTreeMap::new(), choices })
}

/// Reports the exhausted budget and prompts for a larger budget; returns `None` if unchanged.
pub(crate) async fn raise(
    screen: &Screen,
    signals: &mut Signals,
    failure: &FailureRecord,
) -> Result<Option<toml::Table>, Error> {
    let Some(setting) = failure.data.get("setting").and_then(Value::as_str) else { return Ok(None) };
    screen.note_page(|page| {
        page.gap();
        page.paragraph(0, CARE, &FailureText::of(screen.texts(), failure).message);
    });
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
        hint(screen, "ask-raise-again");
    }
}

/// Shows a short text, after which the prompt is repeated.
fn hint(screen: &Screen, key: &str) {
    screen.note(&format!("  {}\n", paint(FAINT, &screen.texts().get(key))));
}

/// Reads a line from the terminal; `None` on Ctrl-C. End of input returns an empty line.
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

/// Opens the material in the editor and returns the edited material; `None` if unchanged. Text with parse errors is
/// kept for another attempt.
fn edit(outcome: &Outcome, data_folder: &Path) -> Result<Option<RunAnswer>, Error> {
    // The server's data folder may be hidden or on another machine.
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
