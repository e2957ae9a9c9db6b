//! The order of phases.

use qingyu_story::Story;
use qingyu_story::production::{Autonomy, Field, Phase, Production};

use crate::Error;

/// Returns the phase with the name or title.
pub fn phase<'a>(production: &'a Production, given: &str) -> Result<&'a Phase, Error> {
    let wanted = given.trim().to_lowercase();
    let is_meant = |phase: &&Phase| phase.name.to_lowercase() == wanted || phase.title.to_lowercase() == wanted;
    let known = || production.phases.iter().map(|phase| phase.name.clone()).collect();
    production
        .phases
        .iter()
        .find(is_meant)
        .ok_or_else(|| Error::UnknownPhase { name: given.to_owned(), known: known() })
}

/// Returns the current phase; `None` if all are done.
pub fn current(production: &Production) -> Option<&Phase> {
    production.phases.iter().find(|phase| phase.name == production.current_phase)
}

/// Marks the current phase as done and moves to the next open phase; returns its name, `None` if all are done.
pub fn advance(production: &mut Production) -> Option<&str> {
    let place = production.phases.iter().position(|phase| phase.name == production.current_phase);
    if let Some(place) = place {
        production.phases[place].is_done = true;
    }
    let after = place.map_or(0, |place| place + 1);
    let rest = production.phases[after.min(production.phases.len())..].iter();
    let next = rest.chain(&production.phases).find(|phase| !phase.is_done).map(|phase| phase.name.clone());
    production.current_phase = next.unwrap_or_default();
    Some(production.current_phase.as_str()).filter(|name| !name.is_empty())
}

/// Moves back to a phase and marks the phase as not done.
pub fn revisit(production: &mut Production, given: &str) -> Result<(), Error> {
    let name = phase(production, given)?.name.clone();
    for phase in &mut production.phases {
        phase.is_done &= phase.name != name;
    }
    production.current_phase = name;
    Ok(())
}

/// Sets the autonomy of phases; `all` means every phase.
///
/// Returns an error without effect if a phase does not exist.
pub fn set_autonomy(production: &mut Production, settings: &[(String, Autonomy)]) -> Result<(), Error> {
    let mut phases = production.phases.clone();
    for (given, autonomy) in settings {
        let name = if given == "all" { None } else { Some(phase(production, given)?.name.clone()) };
        for phase in phases.iter_mut().filter(|phase| name.as_ref().is_none_or(|name| phase.name == *name)) {
            phase.autonomy = *autonomy;
        }
    }
    production.phases = phases;
    Ok(())
}

/// Returns the phase of a field.
pub fn phase_of<'a>(story: &'a Story, field: &Field) -> Option<&'a Phase> {
    story.production.as_ref()?.phases.iter().find(|phase| phase.name == field.phase)
}

/// Returns whether the value of a field is researched, simulated or evaluated by its phase, so that no model can make
/// the value from other fields.
pub fn is_report(story: &Story, field: &Field) -> bool {
    phase_of(story, field).is_some_and(|phase| phase.kind.gives_report())
}
