//! Parsing of written numbers in Chinese and English.
//!
//! ```
//! use qingyu_story::numerals::read_chinese;
//!
//! assert_eq!(read_chinese("一百零三"), Some(103));
//! assert_eq!(read_chinese("１２"), Some(12));
//! assert_eq!(read_chinese("两三千"), None, "no one number");
//! ```

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const UNITS: [(char, u32); 4] = [('万', 10_000), ('千', 1000), ('百', 100), ('十', 10)];

/// Returns whether `c` can be part of a numeral: digits of any width, Chinese digits and units, including financial
/// numerals.
pub fn is_numeral(c: char) -> bool {
    latin_digit(c).is_some() || digit(c).is_some() || unit(c).is_some()
}

/// Returns whether `c` is a Chinese digit or unit of ordinary prose. Financial numerals (`壹`, `陆`) are excluded: in
/// prose they are as often parts of names.
pub fn is_plain_numeral(c: char) -> bool {
    "零〇一二三四五六七八九两兩十百千万萬亿億".contains(c)
}

/// Returns whether `c` is an ASCII digit or a [plain numeral](is_plain_numeral).
pub fn is_digit_or_numeral(c: char) -> bool {
    c.is_ascii_digit() || is_plain_numeral(c)
}

/// Parses a heading number in either language, including positions such as `上`.
pub fn read(text: &str) -> Option<u32> {
    let close: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    match close.as_str() {
        "上" | "正" => return Some(1),
        "中" => return Some(2),
        "下" => return Some(3),
        _ => {}
    }
    read_heading_number(&close).or_else(|| read_english(text.trim()))
}

/// Parses the number within a volume heading, such as `第二卷 海` or `Book Two`.
pub fn read_within(words: &str) -> Option<u32> {
    let from = words.find(is_heading_numeral)?;
    let number: String = words[from..].chars().take_while(|c| is_heading_numeral(*c) || *c == ' ').collect();
    read(&number)
}

/// Returns whether `c` can be part of the number of a heading: a numeral, or a number in a circle. In prose a circle is the
/// sign of a note, so [`is_numeral`] does not know it.
pub(crate) fn is_heading_numeral(c: char) -> bool {
    is_numeral(c) || matches!(c, '①'..='⑳' | '⓪' | '❶'..='❾' | '⓿')
}

/// Parses a number without spaces as [`read_chinese`], also in circles: `⑫`, and `①①⑥` for 116.
pub(crate) fn read_heading_number(text: &str) -> Option<u32> {
    let mut characters = text.chars();
    if let (Some(circled @ '①'..='⑳'), None) = (characters.next(), characters.next()) {
        return Some(u32::from(circled) - u32::from('①') + 1);
    }
    let plain: String = text.chars().map(without_circle).collect();
    u32::try_from(read_chinese(&plain)?).ok()
}

/// Returns the digit in a circle as a plain digit, other characters unchanged.
fn without_circle(c: char) -> char {
    let digit = match c {
        '①'..='⑨' => u32::from(c) - u32::from('①') + 1,
        '❶'..='❾' => u32::from(c) - u32::from('❶') + 1,
        '⓪' | '⓿' => 0,
        _ => return c,
    };
    char::from_digit(digit, 10).unwrap_or(c)
}

/// Parses a Chinese numeral: with units (`一百零三`, `12万`), digit by digit (`二〇`), financial (`壹佰贰拾`), or in digits of any
/// width (`１２`); at most twelve characters. Never negative.
///
/// Returns `None` for an ambiguous numeral such as `两三千`. A digit after a unit counts ones: `一百二` is 102, as in
/// headings.
pub fn read_chinese(text: &str) -> Option<i64> {
    let text = text.replace('廿', "二十").replace('卅', "三十");
    let numerals: Vec<char> = text.chars().collect();
    if numerals.is_empty() || numerals.len() > LONGEST {
        return None;
    }
    let value = |c: char| latin_digit(c).or_else(|| digit(c));
    if numerals.iter().all(|c| value(*c).is_some()) {
        return Some(numerals.iter().filter_map(|c| value(*c)).fold(0, |number, digit| number * 10 + digit));
    }
    let (mut all, mut whole, mut section) = (0_i64, 0_i64, 0_i64);
    // The digits before the next unit, and whether they are Latin digits, where several may follow each other.
    let mut pending: Option<(i64, bool)> = None;
    for c in numerals {
        if let Some(more) = latin_digit(c) {
            pending = match pending {
                None => Some((more, true)),
                Some((known, true)) => Some((known * 10 + more, true)),
                Some(_) => return None,
            };
        } else if let Some(more) = digit(c) {
            match pending {
                None | Some((0, false)) => pending = Some((more, false)),
                Some(_) => return None,
            }
        } else {
            let count = pending.take().map(|(count, _)| count);
            match unit(c)? {
                large @ 10_000.. => {
                    section = section.checked_add(count.unwrap_or(0))?;
                    if large == 10_000 {
                        whole = whole.checked_add(section.max(1).checked_mul(large)?)?;
                    } else {
                        all = all.checked_add(whole.checked_add(section)?.max(1).checked_mul(large)?)?;
                        whole = 0;
                    }
                    section = 0;
                }
                small => section = section.checked_add(count.filter(|count| *count > 0).unwrap_or(1) * small)?,
            }
        }
    }
    all.checked_add(whole)?.checked_add(section)?.checked_add(pending.map_or(0, |(count, _)| count))
}

/// Parses the minimum and maximum of a Chinese numeral: 2000 and 3000 for `两三千`, 15 and 16 for `十五六`, twice 103 for
/// `一百零三`.
pub(crate) fn read_between(text: &str) -> Option<(i64, i64)> {
    if let Some(number) = read_chinese(text).filter(|_| text.chars().count() != 2 || text.chars().any(|c| !is_one(c))) {
        return Some((number, number));
    }
    let numerals: Vec<char> = text.chars().collect();
    let at = numerals.windows(2).position(|pair| is_one(pair[0]) && is_one(pair[1]))?;
    let (less, more) = (digit(numerals[at])?, digit(numerals[at + 1])?);
    let without = |place: usize| -> String {
        numerals.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, c)| *c).collect()
    };
    (more == less + 1).then_some(())?;
    Some((read_chinese(&without(at + 1))?, read_chinese(&without(at))?))
}

/// Returns whether `c` is a Chinese digit from one to nine.
fn is_one(c: char) -> bool {
    digit(c).is_some_and(|value| value > 0)
}

/// The maximum length of a parsed numeral, in characters.
const LONGEST: usize = 12;

/// Returns a number in heading notation: `十二`, `一百零三`.
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

/// The English numbers from 0 to 19.
pub(crate) const WORDS: [&str; 20] = [
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
/// The English tens from 20 to 90.
pub(crate) const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// The ordinals of [`WORDS`].
pub(crate) const ORDINALS: [&str; 20] = [
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

/// Returns a regular expression of the English numbers below a thousand in words.
pub fn english_pattern() -> String {
    let (tens, ones, small) = (TENS.join("|"), WORDS[1..10].join("|"), WORDS[1..].join("|"));
    let below = format!("(?:{tens})(?:[- ](?:{ones}))?|{small}");
    format!("(?:(?:a|one|two|three|four|five) hundred(?:(?: and)? (?:{below}))?|{below})")
}

/// Returns a regular expression of the English ordinals below a hundred in words.
pub fn ordinal_pattern() -> String {
    let (tens, ones) = (TENS.join("|"), ORDINALS[1..10].join("|"));
    format!("(?:(?:{tens})[- ](?:{ones})|{}|{})", ORDINALS[1..].join("|"), TENTHS.join("|"))
}

/// Parses an English number: `12`, `XII`, `Twelve`, `twenty-one`, `the twelfth` without its article, `3rd`.
pub(crate) fn read_english(word: &str) -> Option<u32> {
    let lower = word.trim_end_matches('.').to_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !digits.is_empty() && matches!(&lower[digits.len()..], "" | "st" | "nd" | "rd" | "th") {
        return digits.parse().ok();
    }
    in_words(&lower).or_else(|| roman(&word.to_uppercase()))
}

/// Parses a number below a thousand in words.
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
    // `six-and-twenty` is twenty-six.
    let turned = rest.split_once("-and-").or_else(|| rest.split_once(" and "));
    let parts = turned.map(|(ones, tens)| (tens, ones)).or_else(|| rest.split_once(['-', ' ']));
    let number = match parts {
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

/// Returns whether `word` uses the old form `IIII`, as in old books and on clocks.
fn is_old_four(word: &str) -> bool {
    word.ends_with("IIII") && word.trim_end_matches('I').len() + 4 == word.len() && word.len() <= 6
}

/// Returns a number below 400 as a Roman numeral: `XIV`.
pub fn in_roman(number: u32) -> String {
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

fn latin_digit(c: char) -> Option<i64> {
    match c {
        '0'..='9' => c.to_digit(10).map(i64::from),
        '０'..='９' => Some(i64::from(u32::from(c) - u32::from('０'))),
        _ => None,
    }
}

fn digit(c: char) -> Option<i64> {
    match c {
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

fn unit(c: char) -> Option<i64> {
    match c {
        '十' | '拾' => Some(10),
        '百' | '佰' => Some(100),
        '千' | '仟' => Some(1000),
        '万' | '萬' => Some(10_000),
        '亿' | '億' => Some(100_000_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for number in (0..12_000).chain([20_010, 100_000, 1_010_203]) {
            assert_eq!(read_chinese(&chinese(number)), Some(i64::from(number)), "{}", chinese(number));
        }
    }

    #[test]
    fn chinese_numerals() {
        let numbers: &[(&str, Option<i64>)] = &[
            ("十", Some(10)),
            ("十二", Some(12)),
            ("二十", Some(20)),
            ("一百零五", Some(105)),
            ("三百一十二", Some(312)),
            ("两千零七十七", Some(2077)),
            ("两千三百四十一", Some(2341)),
            ("二〇七七", Some(2077)),
            ("一二", Some(12)),
            ("一〇", Some(10)),
            ("一万二千", Some(12_000)),
            ("九千八百五十四", Some(9854)),
            ("一二三四五六七八九〇一二", Some(123_456_789_012)),
            ("一二三四五六七八九〇一二三", None),
            ("二三十", None),
            ("两三千", None),
            ("１２", Some(12)),
            ("第", None),
            ("12万", Some(120_000)),
            ("3千5百", Some(3500)),
            ("壹佰贰拾叁", Some(123)),
            ("兩百", Some(200)),
            ("廿三", Some(23)),
            ("一千二", Some(1002)),
            ("三亿五千万", Some(350_000_000)),
            ("一3", Some(13)),
            ("一3百", None),
            ("", None),
            ("章", None),
        ];
        for (text, expected) in numbers {
            assert_eq!(read_chinese(text), *expected, "{text}");
        }
    }

    #[test]
    fn digits_and_plain_numerals_are_told_from_other_letters() {
        assert!("09〇两兩百萬亿".chars().all(is_digit_or_numeral));
        assert!(!"９壹陆①a第".chars().any(is_digit_or_numeral));
    }

    #[test]
    fn digits_in_circles_are_numerals_of_headings() {
        let cases = [("①", 1), ("⑫", 12), ("①①⑥", 116), ("①〇", 10), ("②⓪", 20), ("❶❷", 12), ("第②①卷", 21)];
        cases.iter().for_each(|(text, number)| {
            assert_eq!(read(text).or_else(|| read_within(text)), Some(*number), "{text}");
        });
        assert!(!is_numeral('①'), "in prose a circle is the sign of a note");
    }

    #[test]
    fn numerals_that_mean_a_stretch() {
        let cases = [
            ("两三千", Some((2000, 3000))),
            ("两三", Some((2, 3))),
            ("十五六", Some((15, 16))),
            ("三四十", Some((30, 40))),
            ("一百零三", Some((103, 103))),
            ("三五", None),
            ("九", Some((9, 9))),
        ];
        cases.iter().for_each(|(text, expected)| assert_eq!(read_between(text), *expected, "{text}"));
    }

    #[test]
    fn english_numbers() {
        let cases = [("12", 12), ("XIV", 14), ("Twelve", 12), ("twenty-one", 21), ("Ninety", 90)];
        cases.iter().for_each(|(text, number)| assert_eq!(read_english(text), Some(*number), "{text}"));
        let cases = [
            ("First", 1),
            ("twenty-first", 21),
            ("3rd", 3),
            ("one hundred and two", 102),
            ("six-and-twenty", 26),
            ("xc", 90),
            ("IIII", 4),
        ];
        cases.iter().for_each(|(text, number)| assert_eq!(read_english(text), Some(*number), "{text}"));
        assert_eq!((read_english("door"), read_english("CIVIL")), (None, None));
        assert_eq!((chinese(10), chinese(20), chinese(110)), ("十".into(), "二十".into(), "一百一十".into()));
    }
}
