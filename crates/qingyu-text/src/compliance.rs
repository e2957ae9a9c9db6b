//! Whether a chapter keeps the rules of a platform.
//!
//! - [`Platform`]: the rules, a data file each; [`Inspector`]: all of them and the check
//! - `length`, `title`, `contacts`, `layout`: what is checked, with codes that stay
//!
//! | codes | about |
//! |---|---|
//! | QC101–QC105 | the length of the chapter |
//! | QC201–QC204 | its title |
//! | QC301–QC305 | contacts in the text |
//! | QC401–QC411 | paragraphs and layout |

mod contacts;
mod inspector;
mod layout;
mod length;
mod platform;
#[cfg(test)]
mod tests;
mod title;

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use contacts::Contacts;
pub use inspector::{Chapter, Inspector, split_title};
pub use platform::{
    ContactRules, LayoutRules, LengthRules, ParagraphRules, Platform, PlatformName, Setting, TitleRules,
};

/// A rule of a platform that a chapter does not keep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The code, such as `QC101`; it never means anything else.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// Its bytes in the text, if it has a place.
    pub span: Option<Range<usize>>,
    /// The text as it stands there.
    pub text: String,
    /// What is wrong, in the language asked for.
    pub title: String,
    /// What to do, in the language asked for.
    pub advice: String,
    /// The values that title and advice are filled with.
    pub values: BTreeMap<String, String>,
}
