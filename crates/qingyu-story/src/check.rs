//! The checker: runs the rules over a story and returns their findings.
//!
//! The rules import `finding`; everything else here imports the rules.

mod checker;
mod coverage;
mod finding;
mod fix;
mod ledger;
mod neighbours;
mod place;
mod plan_text;
mod run;
mod sarif;
mod score;
#[cfg(test)]
mod tests;
mod undecided;

pub use checker::{RecheckStats, StoryChecker};
pub use coverage::coverage;
pub use finding::{Config, Finding};
pub use fix::{AppliedFix, FixReport, fix, fix_chosen, plan_may_follow};
pub use place::EvidencePlace;
pub use run::{check, findings, findings_with};
pub use sarif::sarif;
pub use score::{penalty, score, score_of};
pub use undecided::undecided;
