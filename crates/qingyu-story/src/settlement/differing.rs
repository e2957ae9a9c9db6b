//! Compares times and places as told with those as planned.

use super::record::Differs;
use crate::names::fold;
use crate::{TimelineEvent, time};

impl Differs {
    /// Returns whether `event` still differs in the story.
    pub(crate) fn is_open(&self, event: &TimelineEvent) -> bool {
        match self.field.as_str() {
            "timestamp" => are_other_times(&event.timestamp, &self.told),
            _ => event.location.as_deref().is_some_and(|planned| are_other_places(planned, &self.told)),
        }
    }
}

/// Returns whether two times certainly differ. A time without a year takes the planned time's year.
pub(crate) fn are_other_times(planned: &str, told: &str) -> bool {
    let other = time::parse(&with_year(planned, told)).moment();
    time::parse(planned).moment().zip(other).is_some_and(|(one, other)| one.is_before(&other) || other.is_before(&one))
}

/// Returns the told time, with the planned time's year if not parsable without.
pub(crate) fn with_year(planned: &str, told: &str) -> String {
    let told = told.trim();
    let year = planned.find('年').map_or("", |at| &planned[..at + '年'.len_utf8()]);
    let dated = format!("{year}{told}");
    match time::parse(told).moment().is_none() && time::parse(&dated).moment().is_some() {
        true => dated,
        false => told.to_owned(),
    }
}

/// Returns whether two place names have nothing in common; a room is part of its house.
pub(crate) fn are_other_places(planned: &str, told: &str) -> bool {
    let (planned, told) = (fold(planned), fold(told));
    !planned.is_empty() && !told.is_empty() && !planned.contains(&told) && !told.contains(&planned)
}
