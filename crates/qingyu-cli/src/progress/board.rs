//! The running agents on standard error: updating lines on a terminal, plain lines elsewhere.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use qingyu_studio::llm::Usage;

use crate::error::Error;
use crate::render::clean;
use crate::render::numbers::{elapsed, grouped};
use crate::render::wrap::tail;
use crate::screen::Screen;

/// Maximum width of the streamed text behind an agent's name, in columns.
const TAIL: usize = 60;
const TICK: Duration = Duration::from_millis(120);

/// The running agents.
pub(crate) struct ProgressBoard {
    lines: Option<MultiProgress>,
    running: BTreeMap<String, RunningAgent>,
}

struct RunningAgent {
    bar: Option<ProgressBar>,
    since: Instant,
    tokens: u64,
    text: String,
}

impl ProgressBoard {
    /// Creates a board with updating lines if `live`, else only counters.
    pub(crate) fn new(live: bool) -> Self {
        Self { lines: live.then(MultiProgress::new), running: BTreeMap::new() }
    }

    /// Returns whether the lines are updated in place.
    pub(crate) fn is_live(&self) -> bool {
        self.lines.is_some()
    }

    /// Runs `write` with the progress lines removed meanwhile.
    pub(crate) fn aside(&self, write: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        match &self.lines {
            Some(lines) => lines.suspend(write),
            None => write(),
        }
    }

    /// Inserts an agent with its display name; the line shows the task until text is streamed.
    pub(crate) fn start(&mut self, agent: &str, name: &str, task: &str) {
        let bar = self.lines.as_ref().map(|lines| {
            let style = ProgressStyle::with_template("  {spinner} {prefix}  {elapsed}  {wide_msg}");
            let bar = lines.add(ProgressBar::new_spinner());
            bar.set_style(style.expect("the template is well formed").tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ "));
            bar.set_prefix(clean::foreign(name).into_owned());
            bar.set_message(clean::foreign(task.lines().next().unwrap_or_default()).into_owned());
            bar.enable_steady_tick(TICK);
            bar
        });
        let running = RunningAgent { bar, since: Instant::now(), tokens: 0, text: String::new() };
        if let Some(before) = self.running.insert(agent.to_owned(), running) {
            before.clear();
        }
    }

    /// Appends streamed text to an agent's line.
    pub(crate) fn text(&mut self, agent: &str, piece: &str) {
        if let Some(running) = self.running.get_mut(agent) {
            running.text.push_str(piece);
            running.text = tail(&running.text, 4 * TAIL);
            running.draw();
        }
    }

    /// Records a model call of an agent and clears the streamed text.
    pub(crate) fn called(&mut self, agent: &str, usage: &Usage) {
        if let Some(running) = self.running.get_mut(agent) {
            running.tokens += usage.input + usage.output;
            running.text.clear();
            running.draw();
        }
    }

    /// Removes an agent and returns its running time and number of tokens.
    pub(crate) fn finish(&mut self, agent: &str) -> Option<(Duration, u64)> {
        let running = self.running.remove(agent)?;
        let figures = (running.since.elapsed(), running.tokens);
        running.clear();
        Some(figures)
    }

    /// Removes all agents, before a question or the end.
    pub(crate) fn clear(&mut self) {
        for running in std::mem::take(&mut self.running).into_values() {
            running.clear();
        }
    }
}

impl RunningAgent {
    fn draw(&self) {
        if let Some(bar) = &self.bar {
            let tokens = if self.tokens > 0 { format!("{} tok  ", grouped(self.tokens)) } else { String::new() };
            bar.set_message(format!("{tokens}{}", clean::foreign(&tail(&self.text, TAIL))));
        }
    }

    fn clear(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Formats the time and tokens of a finished agent, such as `1.2 s · 1,801`.
pub(crate) fn figures(screen: &Screen, (time, tokens): (Duration, u64)) -> String {
    let texts = screen.texts();
    let counted = texts.fill("agent-tokens", &[("tokens", grouped(tokens).into())]);
    if tokens == 0 { elapsed(time) } else { format!("{} · {counted}", elapsed(time)) }
}
