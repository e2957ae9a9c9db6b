//! The letters of lines, to compare lines without punctuation and spaces.

/// Returns the letters and digits of a text, as they are written.
pub(crate) fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// Returns the letters and digits of a text in lower case.
pub(crate) fn plain(text: &str) -> String {
    letters(text).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_and_spaces_do_not_count() {
        assert_eq!(letters("Chapter 2: “Rain”").collect::<String>(), "Chapter2Rain");
        assert_eq!((plain("Chapter 2: “Rain”"), plain("第二章　夜雨！")), ("chapter2rain".into(), "第二章夜雨".into()));
    }
}
