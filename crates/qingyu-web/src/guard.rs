//! Which addresses may be reached at all.

/// Decides which addresses may be reached.
#[derive(Debug, Clone)]
pub struct Guard {}
