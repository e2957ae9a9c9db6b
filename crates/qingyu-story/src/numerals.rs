//! Numbers as headings write them.

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const UNITS: [(char, u32); 4] = [('万', 10_000), ('千', 1000), ('百', 100), ('十', 10)];

/// Whether a Chinese numeral can have `c` in it, digits of any width included.
pub(crate) fn is_numeral(c: char) -> bool {
    digit(c).is_some() || unit(c).is_some()
}

/// Reads a number as headings write it, in either language; places such as `上` count as well.
pub(crate) fn read(text: &str) -> Option<u32> {
    let close: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    match close.as_str() {
        "上" | "正" => return Some(1),
        "中" => return Some(2),
        "下" => return Some(3),
        _ => {}
    }
    let mut characters = close.chars();
    if let (Some(circled @ '①'..='⑳'), None) = (characters.next(), characters.next()) {
        return Some(u32::from(circled) - u32::from('①') + 1);
    }
    let close = close.replace('廿', "二十").replace('卅', "三十");
    read_chinese(&close).or_else(|| read_english(text.trim()))
}

/// The number within a heading of a volume, such as `第二卷 海` or `Book Two`.
pub(crate) fn read_within(words: &str) -> Option<u32> {
    let from = words.find(is_numeral)?;
    let number: String = words[from..].chars().take_while(|c| is_numeral(*c) || *c == ' ').collect();
    read(&number)
}

/// Reads a Chinese numeral, such as `一百零三`, `二〇`, `１２` or `12`.
pub fn read_chinese(text: &str) -> Option<u32> {
    if text.is_empty() || text.chars().count() > 12 {
        return None;
    }
    if text.chars().all(|c| digit(c).is_some()) {
        return text.chars().try_fold(0_u32, |sum, c| sum.checked_mul(10)?.checked_add(digit(c)?));
    }
    let (mut whole, mut section, mut pending) = (0_u32, 0_u32, None);
    for c in text.chars() {
        if let Some(digit) = digit(c) {
            pending = Some(pending.map_or(Some(digit), |known: u32| known.checked_mul(10)?.checked_add(digit))?);
        } else {
            match unit(c)? {
                10_000 => {
                    whole =
                        whole.checked_add(section.checked_add(pending.take().unwrap_or(0))?.checked_mul(10_000)?)?;
                    section = 0;
                }
                unit => {
                    section = section.checked_add(pending.take().filter(|n| *n > 0).unwrap_or(1).checked_mul(unit)?)?;
                }
            }
        }
    }
    whole.checked_add(section)?.checked_add(pending.unwrap_or(0))
}

/// Writes a number as a heading does: `十二`, `一百零三`.
pub fn chinese(number: u32) -> String {
    if number == 0 {
        return "零".into();
    }
    if number >= 100_000_000 {
        return number.to_string();
    }
    let mut text = String::new();
    if number >= 10_000 {
        text.push_str(&chinese(number / 10_000));
        text.push('万');
    }
    let mut rest = number % 10_000;
    let mut gap = number >= 10_000 && rest > 0 && rest < 1000;
    for (sign, size) in &UNITS[1..] {
        let count = rest / size;
        rest %= size;
        if count == 0 {
            gap |= !text.is_empty() && rest > 0;
            continue;
        }
        if std::mem::take(&mut gap) {
            text.push('零');
        }
        if !(count == 1 && *size == 10 && text.is_empty()) {
            text.push(DIGITS[count as usize]);
        }
        text.push(*sign);
    }
    if rest > 0 {
        if gap {
            text.push('零');
        }
        text.push(DIGITS[rest as usize]);
    }
    text
}

const WORDS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// The ordinals of [`WORDS`].
const ORDINALS: [&str; 20] = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
/// The ordinals of [`TENS`].
const TENTHS: [&str; 8] =
    ["twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth"];

/// A pattern of the English numbers below a thousand in words.
pub(crate) fn english_pattern() -> String {
    let (tens, ones, small) = (TENS.join("|"), WORDS[1..10].join("|"), WORDS[1..].join("|"));
    let below = format!("(?:{tens})(?:[- ](?:{ones}))?|{small}");
    format!("(?:(?:a|one|two|three|four|five) hundred(?:(?: and)? (?:{below}))?|{below})")
}

/// A pattern of the English ordinals below a hundred in words.
pub(crate) fn ordinal_pattern() -> String {
    let (tens, ones) = (TENS.join("|"), ORDINALS[1..10].join("|"));
    format!("(?:(?:{tens})[- ](?:{ones})|{}|{})", ORDINALS[1..].join("|"), TENTHS.join("|"))
}

/// Reads an English number: `12`, `XII`, `Twelve`, `twenty-one`, `the twelfth` without its article, `3rd`.
pub fn read_english(word: &str) -> Option<u32> {
    let lower = word.trim_end_matches('.').to_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !digits.is_empty() && matches!(&lower[digits.len()..], "" | "st" | "nd" | "rd" | "th") {
        return digits.parse().ok();
    }
    in_words(&lower).or_else(|| roman(&word.to_uppercase()))
}

/// A number below a thousand in words.
fn in_words(text: &str) -> Option<u32> {
    let (hundreds, rest) = match text.split_once("hundred") {
        Some((count, rest)) => {
            let count = count.trim();
            let count = if count == "a" { 1 } else { in_words(count)? };
            (count * 100, rest.trim_start_matches(" and").trim())
        }
        None => (0, text),
    };
    if rest.is_empty() {
        return (hundreds > 0).then_some(hundreds);
    }
    let place =
        |list: &[&str], word: &str| list.iter().position(|known| *known == word).and_then(|at| u32::try_from(at).ok());
    let small = |word: &str| place(&WORDS, word).or_else(|| place(&ORDINALS, word));
    let ten = |word: &str| place(&TENS, word).or_else(|| place(&TENTHS, word)).map(|at| at * 10 + 20);
    let number = match rest.split_once(['-', ' ']) {
        Some((tens, ones)) => ten(tens)? + small(ones).filter(|ones| (1..10).contains(ones))?,
        None => small(rest).or_else(|| ten(rest))?,
    };
    Some(hundreds + number)
}

fn roman(word: &str) -> Option<u32> {
    let value = |c| match c {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        'L' => Some(50),
        'C' => Some(100),
        _ => None,
    };
    if word.len() > 10 {
        return None;
    }
    let values: Vec<u32> = word.chars().map(value).collect::<Option<_>>()?;
    let next = |at: usize| values.get(at + 1).copied().unwrap_or(0);
    let sum = values.iter().enumerate().fold(0_i64, |sum, (at, value)| {
        if *value < next(at) { sum - i64::from(*value) } else { sum + i64::from(*value) }
    });
    u32::try_from(sum).ok().filter(|sum| *sum > 0 && (in_roman(*sum) == word || is_old_four(word)))
}

/// `IIII` and its like, as old books and clocks have them.
fn is_old_four(word: &str) -> bool {
    word.ends_with("IIII") && word.trim_end_matches('I').len() + 4 == word.len() && word.len() <= 6
}

/// A number below 400 as Romans wrote it, so that `CIVIL` is none.
fn in_roman(number: u32) -> String {
    const SIGNS: [(u32, &str); 9] =
        [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")];
    let mut rest = number;
    let mut text = String::new();
    for (value, sign) in SIGNS {
        text.push_str(&sign.repeat((rest / value) as usize));
        rest %= value;
    }
    text
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        '〇' | '零' | '○' => Some(0),
        '一' | '壹' => Some(1),
        '二' | '两' | '贰' | '貳' | '兩' => Some(2),
        '三' | '叁' | '參' => Some(3),
        '四' | '肆' => Some(4),
        '五' | '伍' => Some(5),
        '六' | '陆' | '陸' => Some(6),
        '七' | '柒' => Some(7),
        '八' | '捌' => Some(8),
        '九' | '玖' => Some(9),
        _ => None,
    }
}

fn unit(c: char) -> Option<u32> {
    match c {
        '十' | '拾' => Some(10),
        '百' | '佰' => Some(100),
        '千' | '仟' => Some(1000),
        '万' | '萬' => Some(10_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for number in (0..12_000).chain([20_010, 100_000, 1_010_203]) {
            assert_eq!(read_chinese(&chinese(number)), Some(number), "{}", chinese(number));
        }
    }

    #[test]
    fn numerals_as_people_write_them() {
        let cases = [("十二", 12), ("一百零三", 103), ("二〇", 20), ("１２", 12), ("一千二", 1002), ("两百", 200)];
        cases.iter().for_each(|(text, number)| assert_eq!(read_chinese(text), Some(*number), "{text}"));
        let cases = [("12", 12), ("XIV", 14), ("Twelve", 12), ("twenty-one", 21), ("Ninety", 90)];
        cases.iter().for_each(|(text, number)| assert_eq!(read_english(text), Some(*number), "{text}"));
        let cases =
            [("First", 1), ("twenty-first", 21), ("3rd", 3), ("one hundred and two", 102), ("xc", 90), ("IIII", 4)];
        cases.iter().for_each(|(text, number)| assert_eq!(read_english(text), Some(*number), "{text}"));
        assert_eq!(
            (read_chinese(""), read_chinese("章"), read_english("door"), read_english("CIVIL")),
            (None, None, None, None)
        );
        assert_eq!((chinese(10), chinese(20), chinese(110)), ("十".into(), "二十".into(), "一百一十".into()));
    }
}
