//! A project at a glance.

use qingyu_studio::{ProjectView, Question};

use super::page::{CARE, FAINT, PLAIN, Page};
use super::{basis, directions, ending, lists, report};

/// Draws a project: what it is, what is in it, how it stands, what to look at.
pub(crate) fn overview(page: &mut Page<'_>, view: &ProjectView) {
    let texts = page.texts();
    let project = &view.project;
    page.heading(&project.title);
    page.paragraph(2, PLAIN, &project.premise);
    page.labelled(2, "ending-project", &project.project);
    page.labelled(2, "overview-language", &texts.word("language", project.language));
    page.labelled(2, "overview-updated", &lists::moment(project.updated));
    ending::pieces(page, &view.story);
    basis::readings(page, 2, &project.project, &view.chapters);
    lists::usage(page, &view.usage);
    if let Some(found) = &view.report {
        page.heading(&texts.get("report-title"));
        report::score(page, found);
    }
    if let Some(Question::Directions(asked)) = &view.question {
        directions::offered(page, asked);
    }
    if let Some(Question::HumanReview(review)) = &view.question {
        page.gap();
        page.paragraph(0, CARE.bold(), &texts.get("decision-title"));
        page.paragraph(2, PLAIN, &texts.word("review-reason", &review.reason));
    }
    page.heading(&texts.get("overview-runs"));
    lists::runs(page, &view.runs, false, false);
    page.gap();
    page.say(0, FAINT, "overview-views", &[]);
    page.command(2, &format!("show {} outline", project.project));
}
