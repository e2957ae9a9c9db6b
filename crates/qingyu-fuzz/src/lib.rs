//! Fuzz targets for untrusted input: a function per parser.
//!
//! Each function passes bytes to a parser and panics on a violated guarantee. The functions are called by the fuzzer
//! (`fuzz/`, with the nightly compiler), and by the tests of the crate, with all seeds and thousands of variations.
//!
//! Modules:
//!
//! - `stories`: stories, times, the arguments of tools
//! - `models`: responses of models, their streams, cassettes
//! - `manuscripts`: plain text, Markdown, EPUB and DOCX
//! - `pages`: web pages, PDF, addresses
//! - `asked`: search conditions, patterns of the story graph, questions
//! - `prose`: the prose of a book
//! - `threads`: the journal of a thread
//! - `sample`: a small story in both languages, used by other targets
//! - `requests`: requests in plain words
//! - `doors`: settings, messages of an MCP client, the events of a run on a server
//!
//! The default feature `studio` is required by `requests` and `doors`: with the agents, the studio and its server, the
//! fuzzer's compile time doubles.

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

/// A target name, and its function.
pub type FuzzTarget = (&'static str, fn(&[u8]));

/// All targets, by name.
pub const TARGETS: &[FuzzTarget] = &[
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
