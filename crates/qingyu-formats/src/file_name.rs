//! File names made from titles.

/// Maximum length of a name in bytes, with room for an extension and a temporary suffix.
const LONGEST: usize = 180;

/// Returns a safe file name for `title`, without extension: no separators, no characters forbidden by an operating
/// system, no reserved names.
///
/// The default for an empty title is `book`.
pub fn file_name(title: &str) -> String {
    const FORBIDDEN: &[char] = &['/', '\\', ':', '*', '?', '"', '<', '>', '|'];
    const KEPT: &[&str] = &["con", "prn", "aux", "nul"];
    let unseen = |c: char| {
        c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let cleaned: String =
        title.chars().filter(|c| !unseen(*c)).map(|c| if FORBIDDEN.contains(&c) { ' ' } else { c }).collect();
    let mut name = String::new();
    for word in cleaned.split_whitespace() {
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    let mut end = name.len().min(LONGEST);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let name = name[..end].trim_matches(['.', ' ', '-']);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let port = |prefix| stem.strip_prefix(prefix).is_some_and(|rest: &str| rest.len() == 1 && rest != "0");
    match name {
        "" => "book".into(),
        name if KEPT.contains(&stem.as_str()) || port("com") || port("lpt") => format!("book {name}"),
        name => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_are_harmless() {
        let cases = [
            ("灯塔", "灯塔"),
            ("../../etc/passwd", "etc passwd"),
            ("C:\\a*b?", "C a b"),
            ("  ..  ", "book"),
            ("NUL", "book NUL"),
            ("com1.txt", "book com1.txt"),
            ("a\u{202e}b\0c\nd", "abcd"),
            ("-rf", "rf"),
        ];
        cases.iter().for_each(|(title, name)| assert_eq!(file_name(title), *name));
        assert!(file_name(&"雨".repeat(200)).len() <= super::LONGEST);
    }
}
