//! The command `qingyu series`.

use qingyu_studio::operations as op;
use qingyu_studio::story::EarlierKind;
use qingyu_studio::{EarlierRequest, EarlierRow, Noun};

use crate::args::SeriesCommand;
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::series as draw;
use crate::screen::Screen;

pub(super) async fn series(desk: &Desk, screen: &Screen, command: SeriesCommand) -> Result<Exit, Error> {
    let rows = match command {
        SeriesCommand::Show { book } => desk.call(op::ReadSeries { project: book }).await?,
        SeriesCommand::Add { book, earlier, canon, gap } => {
            let rows = kept(desk, &book).await?;
            let expected = Some(projects(&rows));
            let mut books = rows.into_iter().map(request).collect::<Vec<_>>();
            let kind = if canon { EarlierKind::Canon } else { EarlierKind::Volume };
            let gap = gap.unwrap_or_default();
            books.extend(earlier.into_iter().map(|project| EarlierRequest { project, kind, gap: gap.clone() }));
            desk.call(op::SetSeries { project: book, books, expected }).await?
        }
        SeriesCommand::Move { book, earlier, to } => {
            let mut rows = kept(desk, &book).await?;
            let expected = Some(projects(&rows));
            let row = rows.remove(position(&rows, &earlier)?);
            let place = to.saturating_sub(1).min(rows.len());
            rows.insert(place, row);
            let books = rows.into_iter().map(request).collect();
            desk.call(op::SetSeries { project: book, books, expected }).await?
        }
        SeriesCommand::Remove { book, earlier } => {
            let mut rows = kept(desk, &book).await?;
            let expected = Some(projects(&rows));
            rows.remove(position(&rows, &earlier)?);
            let books = rows.into_iter().map(request).collect();
            desk.call(op::SetSeries { project: book, books, expected }).await?
        }
    };
    screen.show(&rows, |page| draw::series(page, &rows)).map(|()| Exit::Done)
}

async fn kept(desk: &Desk, book: &str) -> Result<Vec<EarlierRow>, Error> {
    Ok(desk.call(op::ReadSeries { project: book.to_owned() }).await?)
}

/// Returns the projects of the rows, to be compared with the list at the time of the change.
fn projects(rows: &[EarlierRow]) -> Vec<String> {
    rows.iter().map(|row| row.project.clone()).collect()
}

fn request(row: EarlierRow) -> EarlierRequest {
    EarlierRequest { project: row.project, kind: row.kind, gap: row.gap }
}

/// Returns the index of the row with the given place in the order, project or title.
fn position(rows: &[EarlierRow], given: &str) -> Result<usize, Error> {
    let given = given.trim();
    let by_place = given.parse::<usize>().ok().and_then(|place| place.checked_sub(1)).filter(|at| *at < rows.len());
    let by_name = || {
        let is_named = |row: &EarlierRow| row.project == given || (!given.is_empty() && row.title.trim() == given);
        let is_begun = |row: &EarlierRow| !given.is_empty() && row.project.starts_with(given);
        rows.iter().position(is_named).or_else(|| rows.iter().position(is_begun))
    };
    by_place.or_else(by_name).ok_or_else(|| qingyu_studio::Error::unknown(Noun::Project, given).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_book_is_named_by_place_project_or_title() {
        let row = |project: &str, title: &str| EarlierRow {
            project: project.into(),
            title: title.into(),
            kind: EarlierKind::Volume,
            gap: String::new(),
            missing: false,
            shared: Vec::new(),
        };
        let rows = [row("p-tide-abcd", "潮声"), row("p-harbour-efgh", "旧港")];
        for (given, place) in [("1", 0), ("2", 1), ("旧港", 1), ("p-tide", 0), (" p-harbour-efgh ", 1)] {
            assert_eq!(position(&rows, given).ok(), Some(place), "{given}");
        }
        for given in ["0", "3", "海", ""] {
            assert!(position(&rows, given).is_err(), "{given}");
        }
    }
}
