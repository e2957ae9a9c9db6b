//! Listing of tasks.

use a2a::{A2AError, ListTasksRequest, ListTasksResponse, TaskState};
use jiff::Timestamp;
use qingyu_studio::RunRow;

use super::{A2aAgent, kept, length};
use crate::error::{invalid, of_studio};
use crate::frames::timestamp;
use crate::task::{TaskSnapshot, state};

/// Default number of tasks per page.
const PAGE: i32 = 50;
/// Maximum number of tasks per page.
const MOST: i32 = 100;

impl A2aAgent {
    pub(crate) async fn list_tasks(&self, request: ListTasksRequest) -> Result<ListTasksResponse, A2AError> {
        let size = request.page_size.unwrap_or(PAGE);
        if !(1..=MOST).contains(&size) {
            return Err(invalid(format!("pageSize must be from 1 to {MOST}")));
        }
        let history = length(request.history_length)?;
        let cursor =
            request.page_token.as_deref().filter(|token| !token.is_empty()).map(TaskCursor::read).transpose()?;
        let wanted = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (context, tenant) = (wanted(&request.context_id), wanted(&request.tenant));
        let status = request.status.filter(|status| *status != TaskState::Unspecified);
        let after: Option<std::time::SystemTime> = request.status_timestamp_after.map(Into::into);

        let user = self.studio.scope().user();
        let mut found = Vec::new();
        for row in self.studio.runs().await.map_err(|error| of_studio(&error))? {
            if tenant.as_ref().is_some_and(|tenant| *tenant != row.project) {
                continue;
            }
            let note = self.door.notes().get(user, &row.run).await.map_err(|error| kept(&error))?;
            let given_up = note.as_ref().and_then(|note| note.canceled);
            let own = note.as_ref().map(|note| note.context.as_str()).filter(|context| !context.is_empty());
            let is_of = |context: &String| own.unwrap_or(&row.project) == context;
            let at = given_up.unwrap_or(updated(&row));
            let is_wanted = context.as_ref().is_none_or(is_of)
                && status.as_ref().is_none_or(|status| *status == state(row.status, given_up.is_some()))
                && after.is_none_or(|after| std::time::SystemTime::from(at) > after);
            if is_wanted {
                found.push((TaskCursor { at, run: row.run }, note));
            }
        }
        found.sort_by(|(one, _), (other, _)| other.cmp(one));
        let total = i32::try_from(found.len()).unwrap_or(i32::MAX);
        found.retain(|(place, _)| cursor.as_ref().is_none_or(|cursor| place < cursor));
        let has_more = found.len() > usize::try_from(size).unwrap_or_default();
        found.truncate(usize::try_from(size).unwrap_or_default());

        let next = found.last().filter(|_| has_more).map(|(place, _)| place.write()).unwrap_or_default();
        let mut tasks = Vec::with_capacity(found.len());
        for (place, note) in found {
            let stand = TaskSnapshot::of(&self.studio, note, &place.run).await?;
            let artifacts = match request.include_artifacts {
                Some(true) => Some(stand.artifacts(&self.studio).await),
                _ => None,
            };
            let mut task = stand.task(history, artifacts);
            // The timestamp used for sorting, so that the visible order is consistent.
            task.status.timestamp = Some(timestamp(place.at).into());
            tasks.push(task);
        }
        Ok(ListTasksResponse { page_size: size, total_size: total, next_page_token: next, tasks })
    }
}

/// Returns the time of a run's last update known to lists.
fn updated(row: &RunRow) -> Timestamp {
    row.ended.unwrap_or(row.started)
}

/// A position in the list, newest first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TaskCursor {
    at: Timestamp,
    run: String,
}

impl TaskCursor {
    fn write(&self) -> String {
        format!("{}_{}", self.at.as_nanosecond(), self.run)
    }

    fn read(token: &str) -> Result<Self, A2AError> {
        let bad = || invalid("pageToken is none of ours");
        let (at, run) = token.split_once('_').ok_or_else(bad)?;
        let at = at.parse().ok().and_then(|at| Timestamp::from_nanosecond(at).ok()).ok_or_else(bad)?;
        Ok(Self { at, run: run.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_again() {
        let place = TaskCursor { at: "2026-11-22T10:00:00.123456789Z".parse().unwrap(), run: "r-1_x".into() };
        assert_eq!(TaskCursor::read(&place.write()).unwrap(), place);
        for bad in ["", "x", "x_r", "99999999999999999999999999999999_r"] {
            assert!(TaskCursor::read(bad).is_err(), "{bad}");
        }
    }
}
