//! Quotation marks, brackets and the ends of sentences in both languages. Whatever reads speech or sentences asks here.
//!
//! Single quotation marks are also apostrophes, so they can be told only in their line: see [`singles`].

/// Opening quotation marks with those that close them.
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

/// Brackets that stand in Chinese prose; those of notes in Latin letters are left to the reader of layouts.
const BRACKETS: [(char, char); 3] = [('（', '）'), ('《', '》'), ('【', '】')];

/// The quotation mark that closes what `opener` opens; `None` if it opens no quotation.
pub fn closing_quote(opener: char) -> Option<char> {
    QUOTES.iter().find(|(open, _)| *open == opener).map(|(_, close)| close[0])
}

/// Whether `closer` closes a quotation that `opener` opens.
pub fn closes_quote(opener: char, closer: char) -> bool {
    QUOTES.iter().any(|(open, close)| *open == opener && close.contains(&closer))
}

/// Whether `c` may open a quotation. A straight mark may also close one, and a single one may be an apostrophe.
pub fn opens_quote(c: char) -> bool {
    closing_quote(c).is_some()
}

/// Whether `c` is a quotation mark of either side that is never an apostrophe.
pub fn is_double_quote(c: char) -> bool {
    !matches!(c, '‘' | '’') && QUOTES.iter().any(|(open, close)| *open == c || close.contains(&c))
}

/// Whether `c` is a quotation mark of either side; a single one may be an apostrophe.
pub fn is_quote(c: char) -> bool {
    matches!(c, '‘' | '’' | '\'') || is_double_quote(c)
}

/// Whether `c` opens a quotation and can do nothing else.
pub fn opens_only(c: char) -> bool {
    opens_quote(c) && !is_straight(c)
}

/// Whether `c` may close a quotation; a single mark may be an apostrophe.
pub fn may_close_quote(c: char) -> bool {
    is_quote(c) && !opens_only(c)
}

/// Whether `c` opens and closes quotations alike.
pub(crate) fn is_straight(c: char) -> bool {
    matches!(c, '"' | '＂' | '\'')
}

/// The mark that closes what `opener` opens, of quotations and of brackets.
pub(crate) fn closer_of(opener: char) -> Option<char> {
    let bracket = || BRACKETS.iter().find(|(open, _)| *open == opener).map(|(_, close)| *close);
    closing_quote(opener).or_else(bracket)
}

/// Whether `closer` is the other half of `opener`, of quotations and of brackets.
pub(crate) fn closes(opener: char, closer: char) -> bool {
    (opener == '\'' && closer == '\'') || closes_quote(opener, closer) || BRACKETS.contains(&(opener, closer))
}

/// Whether `c` closes a quotation or a bracket and can do nothing else.
pub(crate) fn only_closes(c: char) -> bool {
    let is_closing = |(_, close): &(char, &[char])| close.contains(&c);
    let is_plain = !is_straight(c) && c != '’' && c != '“';
    is_plain && (QUOTES.iter().any(is_closing) || BRACKETS.iter().any(|(_, close)| *close == c))
}

/// Whether `c` ends a sentence wherever it stands, in full width. `．` does so only in some texts: see
/// [`dots_are_stops`].
pub fn is_full_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '‼' | '⁇' | '⁈' | '⁉')
}

/// Whether `c` may end a sentence in either language; a full stop of Latin letters may also shorten a word.
pub fn may_end_sentence(c: char) -> bool {
    is_full_stop(c) || matches!(c, '．' | '.' | '!' | '?' | '…')
}

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 20] = [
    "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Sr", "Jr", "Capt", "Lt", "Col", "Gen", "Sgt", "Rev", "vs", "No", "Mt",
    "Fr", "Esq", "Messrs",
];

/// Whether a word of Latin letters is one that a full stop shortens, such as `Mr`.
pub fn is_abbreviation(word: &str) -> bool {
    ABBREVIATIONS.contains(&word)
}

/// Whether the text, without the marks that close speech and brackets, ends where a sentence can end.
pub fn ends_sentence(text: &str) -> bool {
    let bare =
        text.trim_end_matches(|c: char| c.is_whitespace() || is_quote(c) || matches!(c, '）' | ')' | '】' | ']'));
    bare.ends_with(may_end_sentence) || bare.ends_with(['—', '–', '_'])
}

/// Whether `．` is the full stop of the text, as in many old ones that know no `。`; elsewhere it parts foreign names.
pub fn dots_are_stops(text: &str) -> bool {
    let count = |mark| text.matches(mark).count();
    let dots = count('．');
    dots > 0 && dots > count('。')
}

/// What a single quotation mark does where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Single {
    /// It opens a quotation.
    Opens,
    /// It closes one.
    Closes,
}

/// Whether the single quotation marks of the text quote speech: there are more of them that open than double ones. In
/// other texts they stand within speech, or around a word.
pub fn singles_quote(text: &str) -> bool {
    if !text.contains(['‘', '\'']) {
        return false;
    }
    let doubles = text.chars().filter(|c| is_double_quote(*c)).count();
    let opening = text.lines().flat_map(singles).filter(|(_, single)| *single == Single::Opens).count();
    opening * 2 > doubles
}

/// The single quotation marks of a line that quote, by byte, with what they do; apostrophes are left out.
///
/// `’` behind a mark closes; behind a letter it closes only if nothing else closes what is open. A straight mark opens
/// only if one behind a mark closes it.
pub fn singles(line: &str) -> Vec<(usize, Single)> {
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
            |opener: char| later().any(|later| later.closes == Some(Sure::Yes) && closes(opener, later.mark));
        match open {
            Some(opener) if mark.closes.is_some() && closes(opener, mark.mark) => {
                let closes_here = mark.closes == Some(Sure::Yes) || !is_closed_later(opener);
                if closes_here {
                    found.push((mark.at, Single::Closes));
                    open = None;
                }
            }
            None if mark.opens && (mark.mark == '‘' || is_closed_later(mark.mark)) => {
                found.push((mark.at, Single::Opens));
                open = Some(mark.mark);
            }
            _ => {}
        }
    }
    found
}

/// A line with more of them is no prose.
const MOST: usize = 2_000;

/// How surely a mark closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sure {
    Yes,
    Perhaps,
}

/// A single mark that is no apostrophe within a word.
struct Candidate {
    at: usize,
    mark: char,
    opens: bool,
    closes: Option<Sure>,
}

/// Words that begin with an apostrophe.
const ELIDED: [&str; 14] =
    ["tis", "twas", "twere", "twill", "em", "til", "cause", "bout", "ere", "im", "er", "is", "ave", "neath"];

fn candidates(line: &str) -> Vec<Candidate> {
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
            let closes = ends.then_some(if is_letter(before) { Sure::Perhaps } else { Sure::Yes });
            if opens || closes.is_some() {
                marks.push(Candidate { at, mark: c, opens, closes });
            }
        }
        before = Some(c);
    }
    marks
}

/// The parts of a sentence outside of quotation marks that have a letter or digit.
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
        if open.last().is_some_and(|opener| closes(*opener, c)) && single != Some(Single::Opens) {
            open.pop();
        } else if opens_quote(c) || single == Some(Single::Opens) {
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
        let open = found.iter().filter(|(_, single)| *single == Single::Opens).map(|(at, _)| *at);
        let spans: Vec<&str> = open
            .map(|start| {
                let closes = |(at, single): &&(usize, Single)| *single == Single::Closes && *at > start;
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
