//! The overview of a project.

use qingyu_studio::agents::OutlineParameters;
use qingyu_studio::{ProjectView, RunQuestion};

use super::page::{CARE, FAINT, PLAIN, TextPage};
use super::{basis, directions, ending, lists, report};

/// Draws the overview of a project: its description, contents, status and suggested views.
pub(crate) fn overview(page: &mut TextPage<'_>, view: &ProjectView) {
    let texts = page.texts();
    let project = &view.project;
    page.heading(&project.title);
    let (premise, parameters) = OutlineParameters::split(&project.premise);
    page.paragraph(2, PLAIN, premise.trim());
    page.labelled(2, "overview-genre", parameters.genre.as_deref().unwrap_or_default());
    page.labelled(2, "overview-audience", parameters.target_audience.as_deref().unwrap_or_default());
    let chapters = parameters.chapter_count.map(|count| count.to_string());
    page.labelled(2, "overview-chapters", chapters.as_deref().unwrap_or_default());
    page.labelled(2, "ending-project", &project.project);
    page.labelled(2, "overview-language", &texts.word("language", project.language));
    page.labelled(2, "overview-updated", &lists::moment(project.updated));
    ending::pieces(page, &view.story);
    basis::readings(page, 2, &project.project, &view.chapters);
    lists::usage(page, &view.usage);
    if let Some(found) = &view.report {
        page.heading(&texts.get("report-title"));
        report::score(page, &report::without_waived(found, &view.story));
        report::age(page, view.changed_since_report);
    }
    if let Some(RunQuestion::Directions(asked)) = &view.question {
        directions::offered(page, asked);
    }
    if let Some(RunQuestion::HumanReview(review)) = &view.question {
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
