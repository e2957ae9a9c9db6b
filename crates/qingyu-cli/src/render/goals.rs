//! Goals, the words of the last days, and the streak.

use qingyu_studio::{ChapterProgress, WritingDay, WritingProgress};

use super::numbers::{bar, grouped};
use super::page::{FAINT, GOOD, PLAIN, TextPage, paint};

/// Width of a bar, in columns.
const BAR: usize = 30;
/// The number of days shown.
const DAYS: usize = 14;

/// Draws how far the author is.
pub(crate) fn progress(page: &mut TextPage<'_>, progress: &WritingProgress) {
    let today = u64::try_from(progress.written_today).unwrap_or(0);
    goal(page, "goals-today", today, progress.day_goal);
    goal(page, "goals-book", progress.length as u64, progress.book_goal);
    let streak = [("days", progress.streak.into()), ("longest", progress.longest_streak.into())];
    page.say(0, PLAIN, "goals-streak", &streak);
    for ChapterProgress { title, length, goal } in &progress.chapters {
        let Some(goal) = goal else { continue };
        let length = format!("{} / {}", grouped(*length as u64), grouped((*goal).into()));
        page.lead(2, &format!("{length}  "), FAINT, PLAIN, title);
    }
    let recent = &progress.days[progress.days.len().saturating_sub(DAYS)..];
    if recent.is_empty() {
        return page.say(0, FAINT, "goals-no-days", &[]);
    }
    page.gap();
    for WritingDay { date, hand, agents } in recent {
        let agents = match agents {
            0 => String::new(),
            agents => page.texts().fill("goals-agents", &[("words", agents.to_string().into())]),
        };
        page.lead(2, &format!("{date}  "), FAINT, PLAIN, &format!("{hand:+}  {agents}"));
    }
}

fn goal(page: &mut TextPage<'_>, label: &str, length: u64, goal: Option<u32>) {
    let label = page.label(label);
    let goal = u64::from(goal.unwrap_or(0));
    if goal == 0 {
        return page.line(&format!("{}{}", paint(FAINT, &label), grouped(length)));
    }
    let share = (length.min(goal) * 100 / goal) as u8;
    let figure = bar(share, BAR.min(page.width() / 3));
    page.line(&format!("{}{} {} / {}", paint(FAINT, &label), paint(GOOD, &figure), grouped(length), grouped(goal)));
}
