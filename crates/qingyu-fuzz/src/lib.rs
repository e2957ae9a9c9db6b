//! What must hold for any bytes that strangers send: one function per parser.
//!
//! Each function takes bytes, gives them to one parser and panics if that breaks a promise. The fuzzer feeds them
//! (`fuzz/`, which needs the nightly compiler), and so do the tests of this crate, with all seeds and thousands of variations
//! of them.
//!
//! The map:
//!
//! - `stories`: stories, times, the arguments of tools
//! - `models`: answers of models, the streams they come in, cassettes
//! - `manuscripts`: plain text, Markdown, EPUB and DOCX
//! - `pages`: pages of the web, PDF, addresses
//! - `asked`: conditions of a search, patterns of the story graph, questions in plain words
//! - `prose`: the prose of a book
//! - `threads`: the journal of a thread
//! - `sample`: a small story in both languages, for what is asked of one and told in one
//! - `requests`: what somebody asks for in plain words
//! - `doors`: settings, messages of an MCP client, the events of a run on a server
//!
//! The feature `studio`, which is on, is what `requests` and `doors` need: the agents, the studio and its server take the
//! fuzzer's compiler as long again as all the rest.

mod asked;
#[cfg(feature = "studio")]
mod doors;
mod input;
mod manuscripts;
mod models;
mod pages;
mod prose;
#[cfg(feature = "studio")]
mod requests;
mod sample;
mod stories;
mod threads;

pub use asked::{condition, pattern, question};
#[cfg(feature = "studio")]
pub use doors::{mcp_message, run_events, settings};
pub use manuscripts::{manuscript_archive, manuscript_entries, manuscript_text};
pub use models::{cassette, model_answer, provider_stream};
pub use pages::{web_address, web_page, web_pdf};
pub use prose::prose;
#[cfg(feature = "studio")]
pub use requests::request;
pub use stories::{story, times, tool_arguments};
pub use threads::{journal, journals_left};

/// A name, and what must hold for any bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All of them, by name.
pub const TARGETS: &[Target] = &[
    ("cassette", cassette),
    ("condition", condition),
    ("journal", journal),
    ("manuscript_archive", manuscript_archive),
    ("manuscript_entries", manuscript_entries),
    ("manuscript_text", manuscript_text),
    #[cfg(feature = "studio")]
    ("mcp_message", mcp_message),
    ("model_answer", model_answer),
    ("pattern", pattern),
    ("prose", prose),
    ("provider_stream", provider_stream),
    ("question", question),
    #[cfg(feature = "studio")]
    ("request", request),
    #[cfg(feature = "studio")]
    ("run_events", run_events),
    #[cfg(feature = "studio")]
    ("settings", settings),
    ("story", story),
    ("times", times),
    ("tool_arguments", tool_arguments),
    ("web_address", web_address),
    ("web_page", web_page),
    ("web_pdf", web_pdf),
];
