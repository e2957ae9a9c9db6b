//! Scores of content by rules: only countable criteria are scored.

use qingyu_agents::production::judging::ScoringContext;
use qingyu_production::evaluation::{Score, Scores};
use qingyu_story::production::Criterion;
use qingyu_story::prose::ProseSentence;
use qingyu_story::{Language, Prose, says_something};

use crate::consumer::percent;

/// Maximum length of a clear sentence, in characters or words; the English number is from plain-language guides.
const CLEAR_SENTENCE: (usize, usize) = (40, 25);

/// Names of the clarity criterion.
const CLARITY: [&str; 6] = ["clarity", "clear", "readability", "清晰", "清楚", "易读"];
const COMPLETENESS: [&str; 5] = ["completeness", "complete", "完整", "齐全", "finished"];

/// Returns a line for every criterion: a score if countable, otherwise the reason for the missing score.
pub(crate) fn score(scoring: &ScoringContext) -> Scores {
    let line = |criterion: &Criterion| {
        let is_one = |names: &[&str]| {
            let named = [criterion.name.to_lowercase(), criterion.title.to_lowercase()];
            names.iter().any(|name| named.iter().any(|given| given == name))
        };
        let counted = match () {
            () if is_one(&CLARITY) => clarity(scoring),
            () if is_one(&COMPLETENESS) => completeness(scoring),
            () => None,
        };
        let none = || (None, unknown(scoring.language), Vec::new());
        let (score, why, quotes) = counted.map_or_else(none, |(score, why, quote)| (Some(score), why, vec![quote]));
        Score { criterion: criterion.name.clone(), score, why, quotes }
    };
    Scores { scores: scoring.criteria.iter().map(line).collect() }
}

fn unknown(language: Language) -> String {
    match language {
        Language::Zh => "离线助手算不出这一条，不打分。".into(),
        Language::En => "The offline model cannot count this, and gives no score.".into(),
    }
}

/// Returns the share of sentences within the limit, with the longest sentence.
fn clarity(scoring: &ScoringContext) -> Option<(u8, String, String)> {
    let (mut all, mut clear) = (0, 0);
    let mut longest: Option<(usize, &str)> = None;
    for passage in &scoring.passages {
        let prose = Prose::of(&passage.text);
        let limit = if prose.language == Language::Zh { CLEAR_SENTENCE.0 } else { CLEAR_SENTENCE.1 };
        let is_said = |sentence: &&ProseSentence| says_something(&passage.text[sentence.range.clone()]);
        for sentence in prose.sentences.iter().filter(is_said) {
            all += 1;
            clear += usize::from(sentence.length <= limit);
            if longest.is_none_or(|(length, _)| sentence.length > length) {
                longest = Some((sentence.length, &passage.text[sentence.range.clone()]));
            }
        }
    }
    let (length, quote) = longest?;
    let why = match scoring.language {
        Language::Zh => format!(
            "按规则计算：{all} 句里有 {clear} 句不超过 {} 字，最长的一句 {length} 字。只看句长，不看内容。",
            CLEAR_SENTENCE.0
        ),
        Language::En => format!(
            "Counted by rules: {clear} of {all} sentences have at most {} words, the longest has {length}. Only lengths are \
             looked at.",
            CLEAR_SENTENCE.1
        ),
    };
    Some((percent(clear, all), why, quote.to_owned()))
}

/// Returns the share of paragraphs among paragraphs and placeholders, with the last paragraph.
fn completeness(scoring: &ScoringContext) -> Option<(u8, String, String)> {
    let open: usize = scoring.open.iter().map(|open| open.placeholders).sum();
    let written = scoring.passages.len();
    let quote = scoring.passages.last()?.text.clone();
    let why = match scoring.language {
        Language::Zh => format!("按规则计算：{written} 段写好了，{open} 处标明待写。只看标记，不看内容。"),
        Language::En => format!(
            "Counted by rules: {written} paragraphs are written, {open} places are marked as still to be written. Only \
             marks are looked at."
        ),
    };
    Some((percent(written, written + open), why, quote))
}

#[cfg(test)]
mod tests {
    use qingyu_production::content::{Content, reading};
    use qingyu_production::evaluation::check;

    use super::*;

    fn scored(language: Language, text: &str) -> Vec<(Option<u8>, String)> {
        let read = reading(&[Content { text: text.into(), ..Content::default() }], 100_000);
        let criterion =
            |name: &str, title: &str| Criterion { name: name.into(), title: title.into(), ..Criterion::default() };
        let criteria = vec![criterion("c1", "清楚"), criterion("completeness", ""), criterion("voice", "像本人")];
        let scoring = ScoringContext {
            language,
            criteria,
            passages: read.passages.clone(),
            open: read.open.clone(),
            ..ScoringContext::default()
        };
        let scores = score(&scoring);
        assert_eq!(check(&scores, &scoring.criteria, &read, language), [""; 0]);
        scores.scores.into_iter().map(|score| (score.score, score.why)).collect()
    }

    #[test]
    fn only_what_can_be_counted_has_a_score() {
        let long = format!("短句。{}。", "长".repeat(50));
        let rows = scored(Language::Zh, &format!("{long}\n〔待写：例子〕"));
        let scores: Vec<Option<u8>> = rows.iter().map(|row| row.0).collect();
        assert_eq!(scores, [Some(50), Some(50), None]);
        assert!(rows[0].1.contains("规则") && rows[2].1.contains("不打分"));
        let rows = scored(Language::En, "All is said.");
        assert_eq!((rows[0].0, rows[1].0, rows[2].0), (Some(100), Some(100), None));
    }
}
