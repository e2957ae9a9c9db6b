//! How a text becomes the terms it is found by.
//!
//! Chinese is cut into overlapping pairs of characters: no dictionary, so an unknown name is never missed. Everything
//! else is cut into words and lower-cased. Texts and queries go through the same analysis.

use qingyu_story::language::is_han;

/// The terms of `text`, in order, repeated as often as they occur.
///
/// A Chinese character that stands alone is a term of its own. Full-width letters and digits count as their plain
/// forms.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let mut word = String::new();
    let mut run = Vec::new();
    for c in text.chars().map(narrow) {
        if is_han(c) {
            finish_word(&mut word, &mut terms);
            run.push(c);
        } else if c.is_alphanumeric() {
            finish_run(&mut run, &mut terms);
            word.extend(c.to_lowercase());
        } else {
            finish_word(&mut word, &mut terms);
            finish_run(&mut run, &mut terms);
        }
    }
    finish_word(&mut word, &mut terms);
    finish_run(&mut run, &mut terms);
    terms
}

fn finish_word(word: &mut String, terms: &mut Vec<String>) {
    if !word.is_empty() {
        terms.push(std::mem::take(word));
    }
}

fn finish_run(run: &mut Vec<char>, terms: &mut Vec<String>) {
    match run.as_slice() {
        [] => {}
        [alone] => terms.push(alone.to_string()),
        several => terms.extend(several.windows(2).map(|pair| pair.iter().collect::<String>())),
    }
    run.clear();
}

fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_both_scripts() {
        let cases = [
            ("", ""),
            ("林", "林"),
            ("霓虹城", "霓虹|虹城"),
            ("林深走进霓虹城，AI-7 醒了。", "林深|深走|走进|进霓|霓虹|虹城|ai|7|醒了"),
            ("The Gardener's key", "the|gardener|s|key"),
            ("ＡＢＣ１２　夜", "abc12|夜"),
            ("……！？", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(terms(text).join("|"), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_part_of_a_chinese_text_is_found_in_the_whole(text in "[一-龥]{4,20}", start in 0usize..3) {
            let characters = text.chars().collect::<Vec<_>>();
            let part = characters[start..].iter().collect::<String>();
            let whole = terms(&text);
            proptest::prop_assert!(terms(&part).iter().all(|term| whole.contains(term) || part.chars().count() == 1));
        }
    }
}
