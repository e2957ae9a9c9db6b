//! Numbers as headings write them.

const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const UNITS: [(char, u32); 4] = [('万', 10_000), ('千', 1000), ('百', 100), ('十', 10)];

/// Whether a Chinese numeral can have `c` in it, digits of any width included.
pub(crate) fn is_numeral(c: char) -> bool {
    digit(c).is_some() || unit(c).is_some()
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

/// Reads an English number: `12`, `XII`, `Twelve`, `twenty-one`.
pub fn read_english(word: &str) -> Option<u32> {
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
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    let lower = word.to_lowercase();
    let small = |word: &str| WORDS.iter().position(|known| *known == word);
    let ten = |word: &str| TENS.iter().position(|known| *known == word).map(|at| at * 10 + 20);
    let (first, second) = lower.split_once('-').unwrap_or((&lower, ""));
    let number = match (small(first), ten(first)) {
        (Some(number), _) if second.is_empty() => Some(number),
        (_, Some(tens)) if second.is_empty() => Some(tens),
        (_, Some(tens)) => small(second).filter(|ones| (1..10).contains(ones)).map(|ones| tens + ones),
        _ => None,
    };
    number.and_then(|number| u32::try_from(number).ok()).or_else(|| roman(word))
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
    u32::try_from(sum).ok().filter(|sum| *sum > 0)
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
        assert_eq!((read_chinese(""), read_chinese("章"), read_english("door")), (None, None, None));
        assert_eq!((chinese(10), chinese(20), chinese(110)), ("十".into(), "二十".into(), "一百一十".into()));
    }
}
