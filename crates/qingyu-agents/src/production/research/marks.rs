//! Marks such as `[2]` or `【1、3】` in prose that name sources.

/// A mark: where it stands, and the numbers it names. A number too large to be one is 0, which no source has.
struct Mark {
    start: usize,
    end: usize,
    numbers: Vec<u32>,
}

/// Each number in `text` that marks name, in order; a number that is named again comes again.
pub(super) fn named(text: &str) -> Vec<u32> {
    marks(text).into_iter().flat_map(|mark| mark.numbers).collect()
}

/// The text without marks that name anything but what `is_known`, and how many numbers were taken out.
pub(super) fn purge(text: &str, is_known: impl Fn(u32) -> bool) -> (String, usize) {
    let (mut text, mut out) = (text.to_owned(), 0);
    // What is taken out may leave a new mark behind, as in `[1[9]2]`.
    loop {
        let unknown = named(&text).into_iter().filter(|number| !is_known(*number)).count();
        if unknown == 0 {
            return (text, out);
        }
        out += unknown;
        text = replaced(&text, |number| is_known(number).then_some(number));
    }
}

/// The text with its marks renumbered; each must be known to `number`.
pub(super) fn renumber(text: &str, number: impl Fn(u32) -> Option<u32>) -> String {
    replaced(text, number)
}

/// The text without any mark, and what they named.
pub(super) fn split(text: &str) -> (String, Vec<u32>) {
    let numbers = named(text);
    (purge(text, |_| false).0.trim().to_owned(), numbers)
}

fn replaced(text: &str, number: impl Fn(u32) -> Option<u32>) -> String {
    let (mut made, mut from) = (String::new(), 0);
    for mark in marks(text) {
        made.push_str(&text[from..mark.start]);
        let mut numbers: Vec<u32> = mark.numbers.into_iter().filter_map(&number).collect();
        numbers.dedup();
        if numbers.is_empty() && text[mark.end..].starts_with(['.', ',', ';', ':']) {
            made.truncate(made.trim_end_matches(' ').len());
        }
        made.extend(numbers.iter().map(|number| format!("[{number}]")));
        from = mark.end;
    }
    made.push_str(&text[from..]);
    made
}

fn marks(text: &str) -> Vec<Mark> {
    let (mut marks, mut from) = (Vec::new(), 0);
    while let Some(found) = text[from..].find(['[', '【', '［']) {
        let start = from + found;
        let open = text[start..].chars().next().map_or(1, char::len_utf8);
        let inner = start + open;
        let Some(length) = text[inner..].find([']', '】', '］']) else { break };
        match numbers(&text[inner..inner + length]) {
            Some(numbers) => {
                let mut end = inner + length;
                end += text[end..].chars().next().map_or(1, char::len_utf8);
                end += target(&text[end..]);
                marks.push(Mark { start, end, numbers });
                from = end;
            }
            None => from = inner,
        }
    }
    marks
}

/// The length of the target of a link at the beginning of `text`: it would lead where no source is.
fn target(text: &str) -> usize {
    let is_link = text.starts_with("(http") || text.starts_with("(//");
    if is_link { text.find(')').map_or(0, |end| end + 1) } else { 0 }
}

/// The numbers of a mark's inside; none if it is no mark.
fn numbers(inside: &str) -> Option<Vec<u32>> {
    let plain: String = inside.trim().trim_start_matches('^').chars().map(ascii).collect();
    let is_mark = plain.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-'));
    if !is_mark || !plain.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut numbers = Vec::new();
    for part in plain.split([',', ' ']).filter(|part| !part.is_empty()) {
        let ends: Vec<u32> = part.split('-').map(|end| end.parse().unwrap_or(0)).collect();
        match ends.as_slice() {
            // A long range names nothing that could be meant.
            [first, last] if *first <= *last && last - first < 50 => numbers.extend(*first..=*last),
            ends => numbers.extend(ends),
        }
    }
    Some(numbers)
}

/// Full-width digits and the signs between numbers, as ASCII.
fn ascii(character: char) -> char {
    match character {
        '０'..='９' => char::from_digit(character as u32 - '０' as u32, 10).unwrap_or(character),
        '，' | '、' | ';' | '；' => ',',
        '–' | '—' | '－' | '~' | '～' => '-',
        other => other,
    }
}
