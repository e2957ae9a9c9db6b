//! How much a line in the form of a heading resembles a sentence.

use qingyu_story::language::is_han;

use super::label::BETWEEN;

/// How much a line resembles a sentence. A doubtful heading must fit the numbers and layout of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SentenceDoubt {
    /// No resemblance.
    None,
    /// Ends like a sentence, or has the length of a sentence.
    Some,
    /// Reads like a sentence.
    Much,
}

/// Maximum length in characters of a title without a space after its number; longer lines are sentences.
const CLINGING: usize = 20;
/// Length in characters beyond which a line is doubtful.
const LONG: usize = 60;
const VERY_LONG: usize = 120;
/// Characters after `第三章` that continue a sentence.
const GOING_ON: &[char] = &['的', '了', '，', '。'];
/// Characters after `第三章` that continue a sentence, or begin a short title without punctuation: `第三章中原`.
const MAY_GO_ON: &[char] = &['里', '裡', '中', '是', '在', '就', '都', '也', '才', '与', '和', '时'];
const PUNCTUATION: &[char] = &['，', '。', '；', '：', ',', ';', '！', '？', '…'];

/// Returns whether a line can end a sentence.
pub(crate) fn ends_a_sentence(line: &str) -> bool {
    line.ends_with(|c| "。！？…”’」』》）)!?.．\"':：;；—*~～〞﹂﹄».".contains(c))
}

/// Returns the doubt about a Chinese heading; `rest` is the text after number and unit.
pub(super) fn chinese(line: &str, rest: &str) -> SentenceDoubt {
    let doubt = length(line);
    if rest.is_empty() {
        return doubt;
    }
    let quotes = rest.contains(['“', '”', '「', '」', '"']);
    let is_parted = rest.starts_with(BETWEEN) || rest.starts_with(['（', '(', '【', '《', '】', '〖', ']']);
    // The title may be what somebody says, also behind a second number.
    let title = rest.trim_start_matches(|c: char| BETWEEN.contains(&c) || c.is_ascii_digit());
    let inside = title.strip_prefix(['“', '「']).and_then(|title| title.strip_suffix(['”', '」']));
    let is_quoted = inside.is_some_and(|inside| !inside.contains(['“', '”', '「', '」', '。']));
    let own = if is_parted {
        match () {
            () if is_quoted => SentenceDoubt::None,
            () if rest.ends_with(['，', ',', '；', ';', '：', ':', '、']) => SentenceDoubt::Much,
            () if rest.ends_with(['。', '…', '”', '」', '"']) || quotes && rest.contains('：') => {
                SentenceDoubt::Some
            }
            () => SentenceDoubt::None,
        }
    } else {
        let is_told = rest.contains(PUNCTUATION) || rest.chars().count() > CLINGING;
        match () {
            () if rest.starts_with(GOING_ON) => SentenceDoubt::Much,
            () if is_told && (quotes || rest.starts_with(MAY_GO_ON)) => SentenceDoubt::Much,
            () if rest.ends_with(['。', '，', '；', ',', ';', '…']) => SentenceDoubt::Much,
            () if is_told => SentenceDoubt::Some,
            () => SentenceDoubt::None,
        }
    };
    doubt.max(own)
}

/// Returns the doubt about an English heading; `None` if the line is no heading.
pub(super) fn english(line: &str, rest: &str, is_counted: bool) -> Option<SentenceDoubt> {
    // Capitals have the length of a sentence only.
    let is_loud = !line.chars().any(char::is_lowercase) && line.chars().count() <= VERY_LONG;
    let doubt = if is_loud { SentenceDoubt::None } else { length(line) };
    if !line.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '§') {
        return None;
    }
    let behind = rest.trim_start();
    if behind.is_empty() {
        return Some(doubt);
    }
    let is_parted = behind.starts_with(BETWEEN) || behind.starts_with(['(', ')', '[']);
    let begins_title =
        behind.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || is_han(c) || "“\"‘'«《".contains(c));
    let own = match () {
        () if is_parted => {
            let title = behind.trim_start_matches(BETWEEN);
            if is_counted && title.starts_with(|c: char| c.is_lowercase()) {
                SentenceDoubt::Some
            } else {
                SentenceDoubt::None
            }
        }
        // Chapter 3 Rain, but not: Chapter 3 was the longest.
        () if rest.starts_with(' ') && begins_title => {
            if behind.ends_with(['.', ',', ';']) && behind.chars().any(char::is_lowercase) {
                SentenceDoubt::Much
            } else {
                SentenceDoubt::None
            }
        }
        () => return None,
    };
    let open = if behind.ends_with([',', ';']) { SentenceDoubt::Some } else { SentenceDoubt::None };
    Some(doubt.max(own).max(open))
}

/// Returns the doubt about a line with a number and possibly a title; `None` for a sentence or list entry.
pub(super) fn bare(number: &str, rest: &str) -> Option<SentenceDoubt> {
    const TITLE: usize = 40;
    let behind = rest.trim_start_matches(|c: char| BETWEEN.contains(&c) || matches!(c, ')' | '）'));
    if behind.is_empty() {
        return Some(SentenceDoubt::None);
    }
    // A title that a site has hidden: 68、**
    if behind.chars().all(|c| matches!(c, '*' | '＊' | '×' | '□' | '█')) {
        return Some(SentenceDoubt::None);
    }
    // 00:17 is a time.
    if rest.starts_with([':', '：']) && behind.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // L. M. Nobody is a name.
    let is_initial =
        |text: &str| text.len() >= 2 && text.as_bytes()[0].is_ascii_uppercase() && text.as_bytes()[1] == b'.';
    if number.len() == 1 && is_initial(behind) && behind.split_whitespace().count() < 4 {
        return None;
    }
    let is_chinese = behind.chars().any(is_han);
    if is_chinese {
        const QUOTED: usize = 12;
        let inside = behind.strip_prefix(['“', '「']).and_then(|title| title.strip_suffix(['”', '」']));
        let is_quoted = inside
            .is_some_and(|inside| inside.chars().count() <= QUOTED && !inside.contains(['，', '。', '！', '？', '“']));
        if is_quoted {
            return Some(SentenceDoubt::None);
        }
        let is_sentence = behind.ends_with(['。', '，', '；', '：', ',', ';', '…', '”', '」', '、'])
            || behind.contains('。')
            || behind.contains(['“', '「']) && behind.contains(['，', '？', '！', '：', '?', '!']);
        return (!is_sentence && behind.chars().count() <= TITLE).then_some(SentenceDoubt::None);
    }
    let is_loud = !behind.chars().any(char::is_lowercase) && behind.chars().any(char::is_alphabetic);
    if is_loud {
        return Some(SentenceDoubt::None);
    }
    // I had been there: a number only if punctuation separates the number from its title.
    let is_parted = rest.trim_start().starts_with(BETWEEN) || number.chars().all(|c| c.is_ascii_digit());
    let begins_title = behind.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || "“\"‘'【［".contains(c));
    // A title may end like a speech or an exclamation, if its words are capitalized.
    let is_loose_end = behind.ends_with(['?', '!', '”', '"', '’', '\'']) && !is_title_case(behind);
    let is_short = behind.chars().count() <= 2 * TITLE && !behind.ends_with([',', ';', ':']) && !is_loose_end;
    let is_sentence = behind.ends_with('.') && behind.split_whitespace().count() > 8;
    (is_parted && begins_title && is_short).then_some(if is_sentence {
        SentenceDoubt::Much
    } else {
        SentenceDoubt::None
    })
}

/// Returns whether all long words are capitalized.
fn is_title_case(title: &str) -> bool {
    const WORDS: usize = 8;
    let words: Vec<&str> = title.split_whitespace().collect();
    let is_capital = |word: &&str| word.chars().find(|c| c.is_alphabetic()).is_none_or(char::is_uppercase);
    words.len() <= WORDS
        && words.iter().filter(|word| word.chars().count() > 4).all(is_capital)
        && words.first().is_some_and(is_capital)
}

fn length(line: &str) -> SentenceDoubt {
    match line.chars().count() {
        0..=LONG => SentenceDoubt::None,
        count if count <= VERY_LONG => SentenceDoubt::Some,
        _ => SentenceDoubt::Much,
    }
}
