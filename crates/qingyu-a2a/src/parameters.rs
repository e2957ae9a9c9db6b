//! The service parameter of every request: the protocol version.

use a2a::A2AError;

/// The supported version: major and minor number.
const SPOKEN: [&str; 2] = ["1", "0"];

/// Rejects other protocol versions. A missing or empty version means 0.3.
pub(crate) fn check_version(given: Option<&str>) -> Result<(), A2AError> {
    let given = given.map(str::trim).filter(|given| !given.is_empty()).unwrap_or("0.3");
    match given.split('.').take(2).eq(SPOKEN) {
        true => Ok(()),
        false => Err(A2AError::version_not_supported(given)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_version_is_spoken() {
        for (given, is_spoken) in [
            (Some("1.0"), true),
            (Some(" 1.0.1 "), true),
            (Some("1.1"), false),
            (Some("0.3"), false),
            (Some("99.0"), false),
            (Some("1"), false),
            (Some("one"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(check_version(given).is_ok(), is_spoken, "{given:?}");
        }
    }
}
