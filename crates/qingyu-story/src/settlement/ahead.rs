//! Statements about what is still to come, told as if it happened.
//!
//! A sentence such as `明天他要启程` or `he will leave tomorrow` says what somebody means to do. A reader who reports it as
//! narrated is corrected: the statement is a plan.

use std::borrow::Cow;

use super::Extraction;
use crate::Mode;
use crate::language::is_han;
use crate::names::fold;

/// Chinese words for a day or time that is still to come.
const DAYS: [&str; 15] = [
    "明天",
    "明日",
    "明晚",
    "明早",
    "明儿",
    "明年",
    "后天",
    "后日",
    "下周",
    "下个月",
    "下月",
    "来年",
    "来日",
    "改天",
    "改日",
];
/// Words after such a day that make it a part of a name or a thing: `明天的会`, `明日报`, `后天养成`.
const NO_DAY: [&str; 5] = ["的", "报", "之", "养", "形"];
/// Chinese verbs for what is still to come.
const INTENDS: [&str; 4] = ["将要", "将会", "打算", "盘算着"];
/// Chinese words that may stand beside a day in a phrase of time.
const BESIDE_DAY: [&str; 17] = [
    "一早",
    "清早",
    "早上",
    "早晨",
    "上午",
    "中午",
    "下午",
    "傍晚",
    "晚上",
    "夜里",
    "天亮",
    "天一亮",
    "一大早",
    "这时候",
    "到了",
    "等",
    "就",
];
/// The same for English.
const BESIDE_TOMORROW: [&str; 11] =
    ["morning", "afternoon", "evening", "night", "noon", "dawn", "at", "early", "by", "first", "then"];
/// Words before `will` and `shall` that make them a verb.
const WHO_WILL: [&str; 8] = ["i", "you", "he", "she", "it", "we", "they", "who"];
/// Words after `going to` that make it a way and not an intention.
const ON_THE_WAY: [&str; 20] = [
    "the", "a", "an", "his", "her", "my", "our", "their", "your", "bed", "town", "work", "school", "church", "sea",
    "sleep", "war", "prison", "market", "him",
];
/// English words between two clauses.
const CONJUNCTIONS: [&str; 9] =
    [" and ", " but ", " that ", " said ", " says ", " when ", " before ", " after ", " because "];
/// English words that do not tell which clause a statement rests on.
const WEAK: [&str; 12] = ["the", "and", "his", "her", "she", "they", "with", "that", "will", "for", "from", "into"];

/// Returns the extraction with narrated events and facts about what is still to come marked as planned.
pub(super) fn with_plans(extraction: &Extraction) -> Cow<'_, Extraction> {
    let is_plan = |mode: Mode, quote: &str, about: [&str; 2]| mode == Mode::Narrated && is_ahead(quote, about);
    let events: Vec<usize> = (0..extraction.events.len())
        .filter(|at| {
            let event = &extraction.events[*at];
            let is_dated = event.mode == Mode::Narrated && is_day_ahead(&event.timestamp);
            is_dated || is_plan(event.mode, &event.quote, [&event.title, &event.description])
        })
        .collect();
    let facts: Vec<usize> = (0..extraction.facts.len())
        .filter(|at| {
            let fact = &extraction.facts[*at];
            let value = fact.object.as_deref().or(fact.value.as_str()).unwrap_or_default();
            // `明天他要去的那家铺子是老周的` says something about the shop.
            let is_described = fact.quote.contains('的');
            !is_described && is_plan(fact.mode, &fact.quote, [value, &fact.predicate])
        })
        .collect();
    if events.is_empty() && facts.is_empty() {
        return Cow::Borrowed(extraction);
    }
    let mut told = extraction.clone();
    events.into_iter().for_each(|at| told.events[at].mode = Mode::Planned);
    facts.into_iter().for_each(|at| told.facts[at].mode = Mode::Planned);
    Cow::Owned(told)
}

/// Returns whether the words of a statement about `about` (a title or value, then a longer text) are about what is still to
/// come. Of several clauses, the one that shares most with the statement counts, with a phrase of time before it.
fn is_ahead(quote: &str, about: [&str; 2]) -> bool {
    let mut quote = fold(quote);
    CONJUNCTIONS.iter().for_each(|word| quote = quote.replace(word, ","));
    let marks = [
        '，', '。', '；', '！', '？', '、', '：', '“', '”', '「', '」', '…', '说', ',', '.', ';', '!', '?', ':', '"',
        '\n',
    ];
    let clauses: Vec<&str> = quote.split(marks).map(str::trim).filter(|clause| !clause.is_empty()).collect();
    if !clauses.iter().any(|clause| is_marked(clause)) {
        return false;
    }
    let phrases: Vec<bool> = clauses.iter().map(|clause| is_phrase_of_time(clause)).collect();
    let told: Vec<usize> = (0..clauses.len()).filter(|at| !phrases[*at]).collect();
    let at = match told.as_slice() {
        [] => return false,
        [only] => *only,
        several => {
            let best = |about: &str| {
                let shared = several.iter().map(|at| (shared(clauses[*at], about), *at));
                shared.max_by_key(|(count, at)| (*count, std::cmp::Reverse(*at))).filter(|(count, _)| *count > 0)
            };
            match best(about[0]).or_else(|| best(about[1])) {
                Some((_, at)) => at,
                None => return false,
            }
        }
    };
    is_marked(clauses[at]) || at > 0 && phrases[at - 1] && is_marked(clauses[at - 1])
}

/// Returns whether a time as told is a day still to come, and nothing else.
fn is_day_ahead(time: &str) -> bool {
    let time = fold(time.trim());
    is_marked(&time) && is_phrase_of_time(&time)
}

/// Returns whether a folded clause says that something is still to come.
fn is_marked(clause: &str) -> bool {
    let is_day = DAYS.iter().any(|day| {
        clause.match_indices(day).any(|(at, _)| {
            let after = &clause[at + day.len()..];
            !clause[..at].ends_with("到了") && !NO_DAY.iter().any(|word| after.starts_with(word))
        })
    });
    let intends = INTENDS.iter().any(|verb| {
        clause.match_indices(verb).any(|(at, _)| {
            let (before, after) = (&clause[..at], &clause[at + verb.len()..]);
            !after.is_empty() && !before.ends_with(['的', '没', '无', '有', '原', '本'])
        })
    });
    is_day || intends || is_marked_in_english(clause)
}

fn is_marked_in_english(clause: &str) -> bool {
    let words: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let before = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
    let after = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    words.iter().enumerate().any(|(at, word)| match *word {
        "tomorrow" => !before(at).ends_with("until"),
        "will" | "shall" => WHO_WILL.contains(&before(at)) && !after(at).is_empty(),
        "next" => matches!(after(at), "week" | "month" | "year") && before(at) != "the",
        "going" => {
            let verb = words.get(at + 2).copied().unwrap_or_default();
            matches!(before(at), "is" | "are" | "am" | "was" | "were")
                && after(at) == "to"
                && !verb.is_empty()
                && !ON_THE_WAY.contains(&verb)
        }
        word => word.ends_with("'ll") || word.ends_with("’ll"),
    })
}

/// Returns whether a folded clause is nothing but a phrase of time such as `明天一早` or `tomorrow morning`.
fn is_phrase_of_time(clause: &str) -> bool {
    if clause.chars().any(is_han) {
        let mut rest = clause.to_owned();
        DAYS.iter().chain(&BESIDE_DAY).for_each(|word| rest = rest.replace(word, ""));
        return rest.trim().is_empty();
    }
    let words = clause.split_whitespace();
    words.clone().any(|word| word == "tomorrow")
        && words.clone().all(|word| word == "tomorrow" || BESIDE_TOMORROW.contains(&word))
}

/// Returns how much a folded clause has of the words of a text: Chinese characters, or English words by their beginnings.
fn shared(clause: &str, about: &str) -> usize {
    let about = fold(about);
    let letters = about.chars().filter(|c| is_han(*c) && clause.contains(*c)).count();
    let beginning = |word: &str| word.chars().take(4).collect::<String>();
    let of = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() || is_han(c));
        words.filter(|word| word.len() > 2 && !WEAK.contains(word)).map(beginning).collect()
    };
    let there = of(clause);
    letters + of(&about).into_iter().filter(|word| there.contains(word)).count()
}

#[cfg(test)]
mod tests {
    use super::{is_ahead, is_day_ahead};

    #[test]
    fn what_somebody_will_do_is_ahead() {
        for (quote, title) in [
            ("明天他要启程去京城。", "启程去京城"),
            ("明天一早，他就启程去京城。", "启程去京城"),
            ("“我下个月去青阳县。”他说。", "去青阳县"),
            ("她打算卖掉祖宅。", "卖掉祖宅"),
            ("他收起刀，说明天再去码头看看。", "去码头"),
            ("He will leave for the city tomorrow.", "leaves for the city"),
            ("Tomorrow morning, he leaves for the city.", "leaves for the city"),
            ("\"I'll sell the boat,\" she said, and closed the door.", "sells the boat"),
            ("She was going to sell the boat.", "sells the boat"),
            ("We shall meet next week.", "meeting"),
            ("He gave her the sword and said he would come back tomorrow.", "comes back"),
        ] {
            assert!(is_ahead(quote, [title, ""]), "{quote}");
        }
        assert!(is_day_ahead("明天一早") && is_day_ahead("Tomorrow night") && is_day_ahead("后天"));
    }

    #[test]
    fn what_happens_beside_a_plan_is_not() {
        for (quote, title) in [
            ("第二天他启程去了京城。", "启程去京城"),
            ("他把剑交给她，说明天再来取。", "交出剑"),
            ("“明天再说吧。”她关上了门。", "关上门"),
            ("明天的会取消了。", "取消会议"),
            ("《明日报》登了他的名字。", "登报"),
            ("他没有别的打算。", "没有打算"),
            ("He gave her the sword and said he would come back tomorrow.", "gives her the sword"),
            ("到了明天，他已经走远。", "走远"),
            ("The next morning he left for the city.", "leaves for the city"),
            ("The will was read against her wishes.", "reading of the will"),
            ("She was going to the market.", "way to the market"),
            ("\"I'll sell the boat,\" she said, and closed the door.", "closes the door"),
        ] {
            assert!(!is_ahead(quote, [title, ""]), "{quote}");
        }
        assert!(!is_day_ahead("第二天") && !is_day_ahead("the next morning") && !is_day_ahead(""));
    }
}
