//! Ids suitable for typing.

use uuid::Uuid;

/// Crockford's base 32: no letters similar to digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Maximum number of letters of a title in an id.
const SLUG: usize = 20;

/// Returns a new project id: `p-lighthouse-keeper-7k2m` for a Latin title, `p-3fx9ta` for others.
pub fn project(title: &str) -> String {
    match slug(title) {
        slug if slug.is_empty() => format!("p-{}", random(6)),
        slug => format!("p-{slug}-{}", random(4)),
    }
}

/// Returns a new run id, such as `r-4qk2m7xa`.
pub fn run() -> String {
    format!("r-{}", random(8))
}

/// Returns the first Latin words of a title, in lower case with hyphens; empty if the title has other letters.
fn slug(title: &str) -> String {
    if title.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) {
        return String::new();
    }
    let mut slug = String::new();
    for word in title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if slug.len() + word.len() >= SLUG {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word.to_ascii_lowercase());
    }
    slug
}

/// Returns `length` random characters, at most 16.
fn random(length: usize) -> String {
    Uuid::new_v4().into_bytes().iter().take(length).map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_give_typeable_ids() {
        for (title, beginning, length) in [
            ("Locked Room on a Generation Ship", "p-locked-room-on-a-", 4),
            ("赛博侦探", "p-", 6),
            ("赛博侦探 Cyber", "p-", 6),
            ("", "p-", 6),
            ("Supercalifragilisticexpialidocious", "p-", 6),
            ("O'Brien & Sons", "p-o-brien-sons-", 4),
        ] {
            let id = project(title);
            let rest = id.strip_prefix(beginning).unwrap_or_else(|| panic!("{id} does not begin with {beginning}"));
            assert_eq!(rest.len(), length, "{id}");
            assert!(rest.bytes().all(|byte| ALPHABET.contains(&byte)), "{id}");
        }
    }

    #[test]
    fn ids_differ() {
        let ids: std::collections::BTreeSet<_> = (0..100).map(|_| run()).collect();
        assert_eq!(ids.len(), 100);
    }
}
