//! Validation of requirements.

use crate::Error;
use crate::prompts::MAX_REQUIREMENT;

/// Validates `requirement`. Returns an error for an empty text, or a text too long for a model.
pub(crate) fn check(requirement: &str) -> Result<(), Error> {
    if requirement.trim().is_empty() {
        return Err(Error::EmptyRequirement);
    }
    let characters = requirement.chars().count();
    if characters > MAX_REQUIREMENT {
        return Err(Error::RequirementTooLong { characters, limit: MAX_REQUIREMENT });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_nothing_nor_too_much() {
        assert!(check("一个灯塔看守人").is_ok());
        assert!(matches!(check(" \n　"), Err(Error::EmptyRequirement)));
        assert!(check(&"雨".repeat(MAX_REQUIREMENT)).is_ok());
        let error = check(&"雨".repeat(700_000)).unwrap_err();
        assert_eq!(error.to_string(), "the requirement has 700000 characters, at most 65536 are taken");
    }
}
