//! Inputs of a field, as declared in its dependencies.
//!
//! One declaration serves the order of work, staleness and the prompt: a field is made from, and is stale because of,
//! exactly what its model is shown.

/// The word for the item before, in the dependencies of a list field.
pub(crate) const PREVIOUS: &str = "previous";

/// The suffix that selects the findings of a research which concern the field.
const RELEVANT: &str = "?relevant";

/// A parsed dependency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInput<'a> {
    /// The path of the field.
    pub path: &'a str,
    /// A JSON Pointer into its value; empty for the whole value.
    pub pointer: &'a str,
    /// Whether only the findings are meant that concern the dependent field.
    pub is_relevant: bool,
}

impl<'a> FieldInput<'a> {
    /// Parses a dependency such as `a/b`, `a/b#/pointer` or `a/b?relevant`.
    pub fn parse(dependency: &'a str) -> Self {
        let (rest, is_relevant) = match dependency.strip_suffix(RELEVANT) {
            Some(rest) => (rest, true),
            None => (dependency, false),
        };
        let (path, pointer) = rest.split_once('#').unwrap_or((rest, ""));
        Self { path, pointer, is_relevant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_parsed() {
        for (given, path, pointer, is_relevant) in [
            ("a/b", "a/b", "", false),
            ("a/b#/c/0", "a/b", "/c/0", false),
            ("a/b?relevant", "a/b", "", true),
            ("a/b?other", "a/b?other", "", false),
        ] {
            assert_eq!(FieldInput::parse(given), FieldInput { path, pointer, is_relevant });
        }
    }
}
