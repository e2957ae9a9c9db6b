//! Validates a chapter against the rules of a platform.
//!
//! - [`PlatformRules`]: the rules, a data file each; [`Inspector`]: all platforms and the validation
//! - `length`, `title`, `contacts`, `layout`: the checks, with stable codes
//!
//! | codes | about |
//! |---|---|
//! | QC101–QC105 | the length of the chapter |
//! | QC201–QC204 | the title |
//! | QC301–QC305 | contacts in the text |
//! | QC401–QC411 | paragraphs and layout |

mod chapter;
mod collector;
mod contacts;
mod finding;
mod inspector;
mod layout;
mod length;
mod platform;
#[cfg(test)]
mod tests;
mod title;

pub use chapter::InspectedChapter;
pub use contacts::Contacts;
pub use finding::Finding;
pub use inspector::{Inspector, split_title};
pub use platform::PlatformRules;
