//! Progress of a run: results on standard output, activity on standard error.

mod board;

use std::cell::Cell;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use qingyu_studio::agents::orchestrator::Status;
use qingyu_studio::agents::production::SPEAKER;
use qingyu_studio::agents::progress::{ChapterStep, FieldStep, Progress};
use qingyu_studio::agents::writing::WRITER;
use qingyu_studio::llm::Substitution;
use qingyu_studio::operations as op;
use qingyu_studio::story::{Agent, CorrectionInstruction, Story};
use qingyu_studio::{ModelChoice, ModelReason, StudioEvent, StudioEventKind, UsageView};

use self::board::{ProgressBoard, figures};
use crate::args::WatchArgs;
use crate::desk::Desk;
use crate::error::Error;
use crate::render::page::{CARE, FAINT, GOOD, NAME, PLAIN, TextPage};
use crate::render::wrap::shorten;
use crate::render::{chapters, lists, plan, report};
use crate::screen::Screen;

/// Name of the rule-based offline model.
const OFFLINE_MODEL: &str = "offline-rules-1";
/// The agent whose completion is reported by its review report.
const REVIEWER: &str = "review_agent";
/// Maximum number of quotes per issue in the progress; `show` prints all quotes.
const QUOTES: usize = 4;
/// Maximum length of the piece names in a line of progress.
const PIECES: usize = 160;

/// The level of detail of the progress output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportDetail {
    /// Everything, for people.
    Story,
    /// Only the activity on standard error; standard output is reserved for a document.
    Work,
    /// Raw events, one JSON line each.
    Events,
    /// No output.
    Nothing,
}

/// A reporter of the events of a run.
pub(crate) struct RunReporter<'a> {
    screen: &'a Screen,
    board: ProgressBoard,
    detail: ReportDetail,
    since: Instant,
    /// Texts of the run for its beginning, its plan and its end.
    requirement: String,
    resumed: bool,
    estimate: Option<UsageView>,
    /// The streamed reply as already shown to the user; the last line may be incomplete.
    said: String,
    is_line_open: Cell<bool>,
    is_talk: bool,
    pub(crate) data_folder: PathBuf,
    pub(crate) elapsed: Option<Duration>,
}

impl<'a> RunReporter<'a> {
    pub(crate) fn new(screen: &'a Screen, watch: &WatchArgs) -> Self {
        let detail = match (watch.events, watch.quiet, screen.json()) {
            (true, ..) => ReportDetail::Events,
            (_, true, _) => ReportDetail::Nothing,
            (_, _, true) => ReportDetail::Work,
            _ => ReportDetail::Story,
        };
        let live = matches!(detail, ReportDetail::Story | ReportDetail::Work) && std::io::stderr().is_terminal();
        Self {
            screen,
            board: ProgressBoard::new(live),
            detail,
            since: Instant::now(),
            requirement: String::new(),
            resumed: false,
            estimate: None,
            said: String::new(),
            is_line_open: Cell::new(false),
            is_talk: false,
            data_folder: PathBuf::new(),
            elapsed: None,
        }
    }

    /// Omits the subject and model, known after the first turn of a conversation.
    pub(crate) fn within_talk(mut self) -> Self {
        self.is_talk = true;
        self
    }

    /// Returns whether `text` was already shown by streaming.
    pub(crate) fn has_said(&self, text: &str) -> bool {
        !text.trim().is_empty() && self.said.trim_end().ends_with(text.trim())
    }

    /// Returns the elapsed time of the run.
    pub(crate) fn elapsed(&self) -> Duration {
        self.elapsed.unwrap_or_else(|| self.since.elapsed())
    }

    /// Removes the progress lines, before a question or the end.
    pub(crate) fn pause(&mut self) {
        self.board.clear();
        // An error of standard output is returned by the next result.
        let _ = self.aside(|| Ok(()));
    }

    /// Writes a line to standard error, also at low levels of detail.
    pub(crate) fn remark(&self, key: &str) {
        let mut page = self.screen.page();
        page.say(0, CARE, key, &[]);
        let text = page.finish();
        let _ = self.aside(|| {
            self.screen.note(&text);
            Ok(())
        });
    }

    /// Estimates the cost of a new plan, shown with the plan. A resumed run is skipped, since its original settings may
    /// differ.
    pub(crate) async fn estimate(&mut self, desk: &Desk, event: &StudioEvent) {
        if let StudioEventKind::Progress(Progress::Planned { plan, .. }) = &event.kind
            && self.detail == ReportDetail::Story
            && !self.resumed
        {
            let estimate = desk
                .call(op::EstimatePlan { plan: plan.execution_plan.clone(), requirement: self.requirement.clone() })
                .await;
            self.estimate = estimate.ok().map(|estimate| estimate.usage);
        }
    }

    /// Reports one event.
    pub(crate) fn tell(&mut self, event: &StudioEvent) -> Result<(), Error> {
        match &event.kind {
            StudioEventKind::RunStarted { data_folder, requirement, resumed, .. } => {
                self.data_folder.clone_from(data_folder);
                self.requirement.clone_from(requirement);
                self.resumed = *resumed;
            }
            StudioEventKind::Completed { summary } => self.elapsed = Some(Duration::from_millis(summary.millis)),
            _ => {}
        }
        match self.detail {
            ReportDetail::Events => self.screen.print_json_line(event),
            ReportDetail::Nothing => Ok(()),
            ReportDetail::Work | ReportDetail::Story => self.draw(&event.kind),
        }
    }

    fn draw(&mut self, event: &StudioEventKind) -> Result<(), Error> {
        match event {
            StudioEventKind::RunStarted { .. } if self.is_talk => Ok(()),
            StudioEventKind::RunStarted { requirement, model, resumed, answered_by, .. } => self.note(|page| {
                started(page, requirement, model, *resumed);
                if let Some(name) = answered_by {
                    page.labelled(0, "run-answered-by", name);
                }
            }),
            StudioEventKind::Progress(progress) => self.draw_progress(progress),
            StudioEventKind::Completed { .. }
            | StudioEventKind::Waiting { .. }
            | StudioEventKind::Failed { .. }
            | StudioEventKind::Interrupted => {
                self.board.clear();
                Ok(())
            }
            StudioEventKind::Saved { .. } => Ok(()),
        }
    }

    fn draw_progress(&mut self, progress: &Progress) -> Result<(), Error> {
        match progress {
            Progress::Planned { plan, fallback } => self.result(|page| {
                plan::plan(page, plan, fallback.as_deref());
                if let Some(estimate) = &self.estimate {
                    page.labelled(2, "plan-estimate", &lists::spent(page.texts(), estimate));
                }
            }),
            Progress::PlanAdjusted { reason, plan } => self.result(|page| {
                page.gap();
                page.say(0, CARE, "plan-adjusted", &[("reason", reason.as_str().into())]);
                plan::plan(page, plan, None);
            }),
            Progress::AgentStarted { agent, mode, task, .. } => {
                let texts = self.screen.texts();
                let name = texts.word("agent", agent);
                self.board.start(agent, &name, task);
                if self.board.is_live() {
                    return Ok(());
                }
                let mode = texts.word("work-mode", *mode);
                let lead = texts.fill("agent-started", &[("agent", name.into()), ("mode", mode.into())]);
                self.note(|page| page.lead(2, &lead, NAME, FAINT, task))
            }
            // Replies to the user are shown while streaming.
            Progress::Text { agent, text } if agent == SPEAKER && self.detail == ReportDetail::Story => {
                self.said.push_str(text);
                self.board.aside(|| self.screen.print(text))?;
                self.is_line_open.set(!self.said.ends_with('\n'));
                Ok(())
            }
            Progress::Text { agent, text } => {
                self.board.text(agent, text);
                Ok(())
            }
            Progress::Called { agent, model, substitution, usage, attempts, repaired, reused, .. } => {
                self.board.called(agent, usage);
                let Substitution { wanted, error } = substitution.clone().unwrap_or_default();
                let trouble = [
                    substitution.is_some().then_some("call-substituted"),
                    reused.then_some("call-reused"),
                    repaired.then_some("call-repaired"),
                    (*attempts > 1).then_some("call-attempts"),
                ];
                let model = model.as_str();
                self.note(|page| {
                    for key in trouble.into_iter().flatten() {
                        let arguments = [
                            ("model", model.into()),
                            ("attempts", (*attempts).into()),
                            ("wanted", wanted.as_str().into()),
                            ("error", error.as_str().into()),
                        ];
                        page.say(4, FAINT, key, &arguments);
                    }
                })
            }
            Progress::AgentFinished { agent, summary, pieces, .. } => self.finished(agent, summary, pieces),
            Progress::Reviewed { iteration, report } => {
                self.board.finish(REVIEWER);
                let number = iteration + 1;
                self.result(|page| {
                    let title = page.texts().fill("report-title-numbered", &[("number", number.into())]);
                    report::report(page, &title, report, &Story::default(), QUOTES);
                    page.gap();
                })
            }
            Progress::CorrectionPlanned { iteration, mode, agents, instructions } => {
                self.result(|page| correction(page, *iteration, mode, agents, instructions))
            }
            Progress::Chapter { chapter, title, step } => self.chapter(*chapter, title, step),
            Progress::TaskSplit { subtasks, .. } if subtasks.len() > 1 => self.note(|page| {
                for part in subtasks {
                    page.lead(2, &format!("{}  ", part.name), NAME, FAINT, &part.description);
                }
            }),
            Progress::SubtaskStarted { task, agent, description } => {
                let name = self.screen.texts().word("agent", agent);
                self.board.start(task, &name, description);
                if self.board.is_live() {
                    return Ok(());
                }
                self.note(|page| page.lead(2, &format!("{name}  "), NAME, FAINT, description))
            }
            Progress::StepStarted { task, description, .. } => {
                if self.board.is_live() {
                    self.board.text(task, description);
                    return Ok(());
                }
                self.note(|page| page.paragraph(4, FAINT, description))
            }
            Progress::SubtaskFinished { task, agent, status, summary } => {
                self.board.finish(task);
                let name = self.screen.texts().word("agent", agent);
                let (mark, style) = if *status == Status::Done { ("✓ ", GOOD) } else { ("! ", CARE) };
                self.note(|page| page.lead(2, mark, style, PLAIN, &format!("{name}  {}", shorten(summary, PIECES))))
            }
            Progress::Understood { text } => self.note(|page| page.paragraph(0, PLAIN, text)),
            Progress::Phase { title, .. } => self.note(|page| page.heading(title)),
            Progress::Field { path, title, step } => self.field(path, title, step),
            Progress::HumanReviewRequested { .. }
            | Progress::WritesRequested { .. }
            | Progress::TaskSplit { .. }
            | Progress::ToolCalled { .. } => Ok(()),
            Progress::Warning { message } => self.note(|page| page.lead(2, "! ", CARE, PLAIN, message)),
        }
    }

    fn chapter(&mut self, number: u32, title: &str, step: &ChapterStep) -> Result<(), Error> {
        match step {
            ChapterStep::Started { .. } => self.board.start(WRITER, &self.screen.texts().word("agent", WRITER), title),
            ChapterStep::Settled { .. } | ChapterStep::Briefed => {
                self.board.finish(WRITER);
            }
            _ => {}
        }
        match step {
            ChapterStep::Started { .. } | ChapterStep::Reviewed { .. } | ChapterStep::Settled { .. } => {
                self.result(|page| chapters::step(page, number, title, step))
            }
            _ => self.note(|page| chapters::step(page, number, title, step)),
        }
    }

    fn field(&mut self, path: &str, title: &str, step: &FieldStep) -> Result<(), Error> {
        if *step == FieldStep::Started {
            self.board.start(path, title, path);
            return Ok(());
        }
        self.board.finish(path);
        let texts = self.screen.texts();
        self.note(|page| match step {
            FieldStep::Made { version } => {
                let figures = texts.fill("field-made", &[("version", (*version).into())]);
                page.lead(2, "✓ ", GOOD, PLAIN, &format!("{title}  {path}  {figures}"));
            }
            FieldStep::Failed { message } => page.lead(2, "✗ ", CARE, PLAIN, &format!("{title}  {message}")),
            FieldStep::Kept => page.lead(2, "! ", CARE, PLAIN, &format!("{title}  {}", texts.get("field-kept"))),
            FieldStep::Started => {}
        })
    }

    fn finished(&mut self, agent: &str, summary: &str, pieces: &[String]) -> Result<(), Error> {
        let figures = self.board.finish(agent).map(|found| figures(self.screen, found)).unwrap_or_default();
        let comma = self.screen.texts().get("list-comma");
        let name = self.screen.texts().word("agent", agent);
        self.note(|page| {
            page.lead(2, "✓ ", GOOD, PLAIN, &format!("{name}  {summary}  {figures}"));
            if !pieces.is_empty() {
                page.paragraph(4, FAINT, &shorten(&pieces.join(&comma), PIECES));
            }
        })
    }

    /// Draws a part of the result, for people.
    fn result(&self, draw: impl FnOnce(&mut TextPage<'_>)) -> Result<(), Error> {
        if self.detail != ReportDetail::Story {
            return Ok(());
        }
        let mut page = self.screen.page();
        draw(&mut page);
        let text = page.finish();
        self.aside(|| self.screen.print(&text))
    }

    /// Draws a progress message.
    fn note(&self, draw: impl FnOnce(&mut TextPage<'_>)) -> Result<(), Error> {
        let mut page = self.screen.page();
        draw(&mut page);
        let text = page.finish();
        if text.is_empty() {
            return Ok(());
        }
        self.aside(|| {
            self.screen.note(&text);
            Ok(())
        })
    }

    /// Runs `write` at the start of a line, with the progress lines removed meanwhile.
    fn aside(&self, write: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        self.board.aside(|| {
            if self.is_line_open.replace(false) {
                self.screen.print("\n")?;
            }
            write()
        })
    }
}

fn started(page: &mut TextPage<'_>, requirement: &str, model: &ModelChoice, resumed: bool) {
    let texts = page.texts();
    page.labelled(0, if resumed { "run-resumed" } else { "run-started" }, &shorten(requirement, PIECES));
    if model.model == OFFLINE_MODEL && !resumed {
        page.lead(0, &texts.get("offline-badge"), CARE.invert(), PLAIN, &format!(" {}", texts.get("offline-what")));
    }
    page.labelled(0, "model-label", &format!("{} — {}", model.model, why(page, &model.why)));
}

fn why(page: &TextPage<'_>, reason: &ModelReason) -> String {
    let texts = page.texts();
    match reason {
        ModelReason::Configured { layer } => {
            texts.fill("why-configured", &[("layer", texts.word("layer", *layer).into())])
        }
        ModelReason::KeySet { variable, .. } => texts.fill("why-key-set", &[("variable", variable.as_str().into())]),
        ModelReason::KeyKept { provider } => texts.fill("why-key-kept", &[("provider", provider.as_str().into())]),
        ModelReason::LocalServer { url } => texts.fill("why-local-server", &[("url", url.as_str().into())]),
        ModelReason::NothingElse => texts.get("why-nothing-else"),
    }
}

fn correction(
    page: &mut TextPage<'_>,
    iteration: u32,
    mode: &str,
    agents: &[Agent],
    instructions: &[CorrectionInstruction],
) {
    let texts = page.texts();
    let names: Vec<String> = agents.iter().map(|agent| texts.word("agent", *agent)).collect();
    page.heading(&texts.fill("correction-title", &[("round", iteration.into())]));
    page.labelled(2, "correction-mode", &texts.word("correction", mode));
    page.labelled(2, "correction-agents", &names.join(" → "));
    for instruction in instructions {
        report::fix(page, 2, instruction);
    }
    page.gap();
}
