//! The Markdown of documents, as `document` and `html` read it.

use pulldown_cmark::{Options, Parser};

/// Returns the events of a Markdown document, which may have tables and struck-out text.
pub(super) fn events(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Returns whether an address is one of the web, which becomes a link; any other address is shown behind its words.
pub(super) fn is_web(address: &str) -> bool {
    ["http://", "https://", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
}
