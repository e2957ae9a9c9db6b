//! The next steps of a new author.

use qingyu_studio::{Guide, GuideStep, RunStatus};

use super::page::{FAINT, GOOD, PLAIN, STRONG, TextPage};

/// Draws the steps, marking finished ones, and the next command.
pub(crate) fn guide(page: &mut TextPage<'_>, guide: &Guide) {
    let texts = page.texts();
    page.heading(&texts.get("guide-title"));
    for step in GuideStep::ALL {
        let (mark, style) = match () {
            () if guide.done.contains(&step) => ("✓ ", GOOD),
            () if guide.next == Some(step) => ("▸ ", STRONG),
            () => ("· ", FAINT),
        };
        page.lead(2, mark, style, style, &texts.word("guide-step", step));
    }
    let offline = if guide.is_offline { "guide-offline" } else { "guide-model" };
    page.gap();
    page.say(2, FAINT, offline, &[("model", guide.model.as_str().into())]);
    let Some(next) = guide.next else { return page.say(0, PLAIN, "guide-done", &[]) };
    let project = guide.project.as_deref().unwrap_or_default();
    if let Some(title) = &guide.title {
        page.say(2, FAINT, "guide-book", &[("title", title.as_str().into()), ("project", project.into())]);
    }
    page.gap();
    page.paragraph(0, STRONG, &texts.get("next-title"));
    let resumed = guide.run.as_ref().filter(|_| guide.status != Some(RunStatus::Running));
    let begin = format!("create --directions \"{}\"", texts.get("guide-example"));
    let commands: Vec<(String, &str)> = match (next, resumed) {
        (GuideStep::Model, _) => {
            vec![("models key deepseek".into(), "guide-next-key"), (begin, "guide-next-offline")]
        }
        (_, Some(run)) => vec![(format!("resume {run}"), "guide-next-resume")],
        (GuideStep::Direction, None) => vec![(begin, "guide-next-direction")],
        (GuideStep::Material, None) => vec![(format!("create --project {project} \"…\""), "guide-next-material")],
        (GuideStep::Chapter, None) => vec![(format!("write {project} --chapters 1"), "guide-next-chapter")],
    };
    for (command, key) in commands {
        page.command(2, &command);
        page.say(6, FAINT, key, &[]);
    }
}
