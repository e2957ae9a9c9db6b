//! Quotation marks, brackets and sentence ends of both languages, used by every parser of speech or sentences.
//!
//! Single quotation marks are also apostrophes, so classifying them requires the whole line: see `singles`.

/// Opening quotation marks with their closing marks.
const QUOTES: [(char, &[char]); 13] = [
    ('“', &['”']),
    ('‘', &['’']),
    ('「', &['」']),
    ('『', &['』']),
    ('﹁', &['﹂']),
    ('﹃', &['﹄']),
    ('｢', &['｣']),
    ('〝', &['〞', '〟']),
    ('«', &['»']),
    ('‹', &['›']),
    ('„', &['“', '”']),
    ('"', &['"']),
    ('＂', &['＂']),
];

/// Brackets of Chinese prose; note brackets in Latin letters are left to the layout parser.
const BRACKETS: [(char, char); 3] = [('（', '）'), ('《', '》'), ('【', '】')];

/// Returns the closing quotation mark of `opener`; `None` if `opener` is no opening mark.
pub(crate) fn closing_quote(opener: char) -> Option<char> {
    QUOTES.iter().find(|(open, _)| *open == opener).map(|(_, close)| close[0])
}

/// Returns whether `closer` closes a quotation opened by `opener`.
pub(crate) fn closes_quote(opener: char, closer: char) -> bool {
    QUOTES.iter().any(|(open, close)| *open == opener && close.contains(&closer))
}

/// Returns whether `c` may open a quotation. A straight mark may also close, and a single mark may be an apostrophe.
pub fn opens_quote(c: char) -> bool {
    closing_quote(c).is_some()
}

/// Returns whether `c` is an opening or closing quotation mark, never an apostrophe.
pub fn is_double_quote(c: char) -> bool {
    !matches!(c, '‘' | '’') && QUOTES.iter().any(|(open, close)| *open == c || close.contains(&c))
}

/// Returns whether `c` is an opening or closing quotation mark; a single mark may be an apostrophe.
pub fn is_quote(c: char) -> bool {
    matches!(c, '‘' | '’' | '\'') || is_double_quote(c)
}

/// Returns whether `c` can only open a quotation.
pub(crate) fn opens_only(c: char) -> bool {
    opens_quote(c) && !is_straight(c)
}

/// Returns whether `c` may close a quotation; a single mark may be an apostrophe.
pub fn may_close_quote(c: char) -> bool {
    is_quote(c) && !opens_only(c)
}

/// Returns whether `c` both opens and closes quotations.
pub(crate) fn is_straight(c: char) -> bool {
    matches!(c, '"' | '＂' | '\'')
}

/// Returns the closing mark of `opener`, for quotations and brackets.
pub(crate) fn closer_of(opener: char) -> Option<char> {
    let bracket = || BRACKETS.iter().find(|(open, _)| *open == opener).map(|(_, close)| *close);
    closing_quote(opener).or_else(bracket)
}

/// Returns whether `closer` matches `opener`, for quotations and brackets.
pub(crate) fn closes(opener: char, closer: char) -> bool {
    (opener == '\'' && closer == '\'') || closes_quote(opener, closer) || BRACKETS.contains(&(opener, closer))
}

/// Returns whether `c` can only close a quotation or a bracket.
pub(crate) fn only_closes(c: char) -> bool {
    let is_closing = |(_, close): &(char, &[char])| close.contains(&c);
    let is_plain = !is_straight(c) && c != '’' && c != '“';
    is_plain && (QUOTES.iter().any(is_closing) || BRACKETS.iter().any(|(_, close)| *close == c))
}

/// Returns whether `c` always ends a sentence, in full width. `．` does so only in some texts: see [`dots_are_stops`].
pub(crate) fn is_full_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '‼' | '⁇' | '⁈' | '⁉')
}

/// Returns whether `c` may end a sentence in either language; a Latin full stop may also mark an abbreviation.
pub fn may_end_sentence(c: char) -> bool {
    is_full_stop(c) || matches!(c, '．' | '.' | '!' | '?' | '…')
}

/// Abbreviations ending in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 20] = [
    "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Sr", "Jr", "Capt", "Lt", "Col", "Gen", "Sgt", "Rev", "vs", "No", "Mt",
    "Fr", "Esq", "Messrs",
];

/// Returns whether a Latin word is an abbreviation written with a full stop, such as `Mr`.
pub fn is_abbreviation(word: &str) -> bool {
    ABBREVIATIONS.contains(&word)
}

/// Returns whether the text, ignoring marks closing speech and brackets, ends at a possible sentence end.
pub fn ends_sentence(text: &str) -> bool {
    let bare =
        text.trim_end_matches(|c: char| c.is_whitespace() || is_quote(c) || matches!(c, '）' | ')' | '】' | ']'));
    bare.ends_with(may_end_sentence) || bare.ends_with(['—', '–', '_'])
}

/// Returns whether `．` is the text's full stop, as in many old texts without `。`; elsewhere `．` separates foreign
/// names.
pub(crate) fn dots_are_stops(text: &str) -> bool {
    let count = |mark| text.matches(mark).count();
    let dots = count('．');
    dots > 0 && dots > count('。')
}

/// The role of a single quotation mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SingleQuoteRole {
    /// Opens a quotation.
    Opens,
    /// Closes a quotation.
    Closes,
}

/// Returns whether the text's single quotation marks quote speech: more opening single than double marks. In other
/// texts single marks are nested in speech, or enclose a word.
pub(crate) fn singles_quote(text: &str) -> bool {
    if !text.contains(['‘', '\'']) {
        return false;
    }
    let doubles = text.chars().filter(|c| is_double_quote(*c)).count();
    let opening = text.lines().flat_map(singles).filter(|(_, single)| *single == SingleQuoteRole::Opens).count();
    opening * 2 > doubles
}

/// Returns the quoting single quotation marks of a line, by byte index, with their roles; apostrophes are left out.
///
/// `’` after a mark closes; after a letter only if nothing else closes the open quotation. A straight mark opens only
/// if closed by a straight mark after another mark.
pub(crate) fn singles(line: &str) -> Vec<(usize, SingleQuoteRole)> {
    let mut found = Vec::new();
    if !line.contains(['‘', '’', '\'']) {
        return found;
    }
    let marks = candidates(line);
    if marks.len() > MOST {
        return found;
    }
    let mut open: Option<char> = None;
    for (number, mark) in marks.iter().enumerate() {
        let later = || marks[number + 1..].iter().take_while(|later| !later.opens || later.closes.is_some());
        let is_closed_later =
            |opener: char| later().any(|later| later.closes == Some(QuoteCertainty::Yes) && closes(opener, later.mark));
        match open {
            Some(opener) if mark.closes.is_some() && closes(opener, mark.mark) => {
                let closes_here = mark.closes == Some(QuoteCertainty::Yes) || !is_closed_later(opener);
                if closes_here {
                    found.push((mark.at, SingleQuoteRole::Closes));
                    open = None;
                }
            }
            None if mark.opens && (mark.mark == '‘' || is_closed_later(mark.mark)) => {
                found.push((mark.at, SingleQuoteRole::Opens));
                open = Some(mark.mark);
            }
            _ => {}
        }
    }
    found
}

/// The maximum number of marks; a line with more is no prose.
const MOST: usize = 2_000;

/// The certainty of a closing mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuoteCertainty {
    Yes,
    Perhaps,
}

/// A single mark other than an apostrophe within a word.
struct QuoteCandidate {
    at: usize,
    mark: char,
    opens: bool,
    closes: Option<QuoteCertainty>,
}

/// Words beginning with an apostrophe.
const ELIDED: [&str; 14] =
    ["tis", "twas", "twere", "twill", "em", "til", "cause", "bout", "ere", "im", "er", "is", "ave", "neath"];

fn candidates(line: &str) -> Vec<QuoteCandidate> {
    let mut marks = Vec::new();
    let mut before = None;
    let mut letters = line.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        if matches!(c, '‘' | '’' | '\'') {
            let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !crate::language::is_han(c));
            let is_inner = is_latin(before) && is_latin(next);
            let word: String = line[at + c.len_utf8()..].chars().take_while(|c| c.is_alphabetic()).collect();
            let is_elided = ELIDED.contains(&word.to_lowercase().as_str());
            let starts = before.is_none_or(|c: char| c.is_whitespace() || !c.is_alphanumeric()) || c == '‘';
            let opens = c != '’' && !is_inner && starts && !is_elided && next.is_some_and(|c| !c.is_whitespace());
            let ends = c != '‘' && !is_inner && !is_latin(next) && before.is_some_and(|c| !c.is_whitespace());
            let closes = ends.then_some(if is_letter(before) { QuoteCertainty::Perhaps } else { QuoteCertainty::Yes });
            if opens || closes.is_some() {
                marks.push(QuoteCandidate { at, mark: c, opens, closes });
            }
        }
        before = Some(c);
    }
    marks
}

/// Returns the parts of a sentence outside quotation marks, if containing a letter or digit.
pub fn outside_quotes(sentence: &str) -> Vec<String> {
    let singles = if singles_quote(sentence) { singles(sentence) } else { Vec::new() };
    let mut parts = vec![String::new()];
    let mut open: Vec<char> = Vec::new();
    for (at, c) in sentence.char_indices() {
        let single = singles.iter().find(|(place, _)| *place == at).map(|(_, single)| *single);
        let is_mark = is_double_quote(c) || single.is_some();
        if !is_mark {
            if open.is_empty() {
                parts.last_mut().expect("there is one part at least").push(c);
            }
            continue;
        }
        if open.last().is_some_and(|opener| closes(*opener, c)) && single != Some(SingleQuoteRole::Opens) {
            open.pop();
        } else if opens_quote(c) || single == Some(SingleQuoteRole::Opens) {
            open.push(c);
        }
        parts.push(String::new());
    }
    parts.retain(|part| part.chars().any(char::is_alphanumeric));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn quoted(line: &str, expected: &[&str]) {
        let found = singles(line);
        let open = found.iter().filter(|(_, single)| *single == SingleQuoteRole::Opens).map(|(at, _)| *at);
        let spans: Vec<&str> = open
            .map(|start| {
                let closes =
                    |(at, single): &&(usize, SingleQuoteRole)| *single == SingleQuoteRole::Closes && *at > start;
                let end = found.iter().find(closes).map_or(line.len(), |(at, _)| *at);
                line[start..end].trim_start_matches(['‘', '\''])
            })
            .collect();
        assert_eq!(spans, expected, "{line}");
    }

    #[test]
    fn single_marks_are_told_from_apostrophes() {
        quoted("‘Come in,’ said Nora. ‘The gate is shut.’", &["Come in,", "The gate is shut."]);
        quoted("‘It’s the dogs’ bowl,’ he said.", &["It’s the dogs’ bowl,"]);
        quoted("‘’Tis late,’ he said.", &["’Tis late,"]);
        quoted("It was the dogs’ bowl; they didn’t eat.", &[]);
        quoted("He wrote ‘gate’ on the wall.", &["gate"]);
        quoted("'Come in,' said Nora. 'The gate's shut.'", &["Come in,", "The gate's shut."]);
        quoted("The dogs' bowl wasn't there, 'twas gone.", &[]);
        quoted("他说‘好’。", &["好"]);
        quoted("‘One paragraph that goes on", &["One paragraph that goes on"]);
    }

    #[test]
    fn marks_have_two_halves() {
        for (open, close) in QUOTES {
            assert!(close.iter().all(|close| closes(open, *close)), "{open}");
        }
        assert!(only_closes('﹂') && only_closes('）') && !only_closes('"') && !only_closes('’'));
        assert!(closes_quote('„', '“') && opens_quote('“'));
    }

    #[test]
    fn a_full_width_dot_ends_sentences_where_there_is_no_other_full_stop() {
        assert!(
            dots_are_stops("雨停了．他走了．")
                && !dots_are_stops("卡尔．马克思来了。他走了。")
                && !dots_are_stops("雨停了。")
        );
        assert!(ends_sentence("“走吧。”") && ends_sentence("He went.’") && !ends_sentence("他推开门，"));
    }

    #[test]
    fn what_is_quoted_is_left_out() {
        assert_eq!(outside_quotes("﹁走，﹂他说。"), ["他说。"]);
        assert_eq!(outside_quotes("‘Go,’ he said."), [" he said."]);
        assert_eq!(outside_quotes("It's late, “he said” \"once\"."), ["It's late, "]);
    }
}
