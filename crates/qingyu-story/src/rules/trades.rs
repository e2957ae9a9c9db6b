//! Two trades of one person within a year.

use super::RuleMaterial;
use super::claims::{StatementPair, narrated_of_people};
use super::steady_chapters::SteadyChapters;
use crate::language::has_any;
use crate::truth::{GroundTruth, StatementBasis, TruthStatement};

/// Trades that take years to learn, so that hardly anybody has two; the words of a line mean one trade.
const TRADES: [&[&str]; 31] = [
    &["医生", "大夫", "郎中", "中医", "军医", "狱医", "行医", "doctor", "physician", "surgeon"],
    &["木匠", "carpenter", "joiner"],
    &["铁匠", "打铁", "smith", "blacksmith"],
    &["石匠", "泥瓦匠", "瓦匠", "mason", "stonemason", "bricklayer"],
    &["银匠", "金匠", "goldsmith", "silversmith"],
    &["锁匠", "locksmith"],
    &["裁缝", "tailor", "dressmaker", "seamstress"],
    &["鞋匠", "shoemaker", "cobbler"],
    &["屠夫", "屠户", "butcher"],
    &["厨子", "厨师", "cook", "chef"],
    &["教师", "老师", "教员", "教书先生", "教书", "教授", "teacher", "schoolmaster", "schoolmistress", "professor"],
    &["记者", "编辑", "journalist", "reporter", "editor"],
    &["律师", "lawyer", "solicitor", "barrister", "attorney"],
    &["法官", "judge", "magistrate"],
    &["警察", "警官", "捕快", "捕头", "policeman", "constable"],
    &["和尚", "monk", "friar"],
    &["牧师", "神父", "priest", "vicar", "parson", "clergyman"],
    &["账房", "账房先生", "会计", "accountant", "bookkeeper"],
    &["画家", "画师", "painter"],
    &["剃头匠", "理发师", "barber", "hairdresser"],
    &["面包师", "baker"],
    &["磨坊主", "miller"],
    &["箍桶匠", "cooper"],
    &["织工", "weaver"],
    &["陶工", "potter"],
    &["马鞍匠", "saddler"],
    &["车匠", "wheelwright"],
    &["钟表匠", "watchmaker", "clockmaker"],
    &["药剂师", "apothecary", "pharmacist"],
    &["接生婆", "稳婆", "midwife"],
    &["矿工", "miner"],
];

/// Words of a sentence that tells of a new trade, a second one, one of the past, or one in disguise.
const OTHERWISE: &[&str] = &[
    "改行",
    "转行",
    "改做",
    "改当",
    "做起",
    "当起",
    "当上",
    "做上",
    "成了",
    "成为",
    "升",
    "学做",
    "学医",
    "学徒",
    "从前",
    "以前",
    "曾",
    "过去",
    "当年",
    "早年",
    "本来",
    "原本",
    "后来",
    "从此",
    "不再",
    "兼",
    "也",
    "又",
    "还",
    "同时",
    "白天",
    "晚上",
    "扮",
    "假",
    "冒充",
    "化名",
    "外号",
    "绰号",
    "人称",
    "became",
    "become",
    "turned",
    "now",
    "also",
    "both",
    "as well",
    "once",
    "formerly",
    "used to",
    "had been",
    "by day",
    "by night",
    "disguise",
    "disguised",
    "pretended",
    "posing",
    "called",
    "nicknamed",
    "apprentice",
    "apprenticed",
];

/// Returns the pairs of narrated sentences that give one person two trades, with no year known to pass between them.
pub(super) fn two_trades<'t, 's>(material: &'t RuleMaterial<'s>) -> Vec<StatementPair<'t, 's>> {
    let truth = material.truth();
    let mut pairs = Vec::new();
    let mut chapters = None;
    for occupations in narrated_of_people(truth, "occupation") {
        let told: Vec<(&TruthStatement<'s>, usize, u32)> =
            occupations.into_iter().filter_map(|one| trade_told(truth, one)).collect();
        let chapters = chapters.get_or_insert_with(|| SteadyChapters::of(material));
        let first = told.iter().enumerate().find_map(|(place, (second, trade, late))| {
            let is_other = |(_, other, early): &&(_, usize, u32)| {
                other != trade && chapters.are_one_year(*early.min(late), *early.max(late))
            };
            let (first, ..) = told[..place].iter().find(is_other)?;
            Some((*first, *second))
        });
        pairs.extend(first);
    }
    pairs
}

/// Returns a fact that plainly gives somebody a trade, with its line in [`TRADES`] and its chapter.
fn trade_told<'t, 's>(
    truth: &GroundTruth<'s>,
    one: &'t TruthStatement<'s>,
) -> Option<(&'t TruthStatement<'s>, usize, u32)> {
    let is_fact = matches!(one.basis, StatementBasis::Fact(_)) && one.span.until.is_none();
    let text = one.text().filter(|_| is_fact)?.trim().to_lowercase();
    let trade = TRADES.iter().position(|words| words.iter().any(|word| is_trade(&text, word)))?;
    let is_plain = !has_any(truth.quote(one), OTHERWISE);
    is_plain.then_some((one, trade, one.order?))
}

/// Returns whether an occupation is a trade, in English perhaps with a word before it: `village blacksmith`.
fn is_trade(occupation: &str, trade: &str) -> bool {
    let rest = occupation.strip_suffix(trade);
    rest.is_some_and(|rest| rest.is_empty() || trade.is_ascii() && rest.ends_with(' '))
}

#[cfg(test)]
mod tests {
    use super::is_trade;

    #[test]
    fn a_trade_may_have_a_word_before_it() {
        for (occupation, trade) in
            [("木匠", "木匠"), ("blacksmith", "blacksmith"), ("village blacksmith", "blacksmith")]
        {
            assert!(is_trade(occupation, trade), "{occupation}");
        }
        for (occupation, trade) in
            [("小木匠", "木匠"), ("blacksmith", "smith"), ("blacksmith’s apprentice", "blacksmith")]
        {
            assert!(!is_trade(occupation, trade), "{occupation}");
        }
    }
}
