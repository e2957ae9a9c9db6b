//! Sentences that place somebody on a ladder: `林青突破到筑基`, `Kael reached Golden Core`.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use regex::Regex;

use super::cues::Tense;
use super::forms::Forms;
use super::line::PEOPLE;
use super::stretches::AttributedSentence;
use super::told::extraction_of;
use crate::language::simplified;
use crate::settlement::extraction::ToldFact;
use crate::{Ladder, Language, Mode};

/// The sentences of one language about one ladder.
struct ClimbForm<'s> {
    ladder: &'s Ladder,
    language: Language,
    patterns: ClimbPatterns,
}

/// Each pattern names `who` and `step`, and whether it tells of a fall.
type ClimbPatterns = Arc<[(Regex, bool)]>;

/// Number of names up to which the patterns of a ladder have all of its steps; above, only those in the text.
const MOST_NAMES: usize = 200;
/// Number of ladders whose compiled patterns are kept.
const MOST_COMPILED: usize = 64;

/// The sentences about the ladders of a story.
pub(super) struct ClimbForms<'s>(Vec<ClimbForm<'s>>);

impl<'s> ClimbForms<'s> {
    /// Returns the sentences about the steps that a text names.
    pub(super) fn of(ladders: &'s [Ladder], text: &str) -> Self {
        if ladders.is_empty() {
            return Self(Vec::new());
        }
        let told = comparable(text);
        let forms = ladders.iter().flat_map(|ladder| {
            [Language::Zh, Language::En].into_iter().filter_map(|language| ClimbForm::new(ladder, language, &told))
        });
        Self(forms.collect())
    }

    /// Returns the statements of a sentence.
    pub(super) fn read(&self, stretch: &AttributedSentence<'_>) -> Vec<ToldFact> {
        let mut found = Vec::new();
        let cues = &Forms::of(stretch.language).cues;
        let text = stretch.line.text.as_str();
        for form in self.0.iter().filter(|form| form.language == stretch.language) {
            for (pattern, is_fall) in form.patterns.iter() {
                let Some(captures) = pattern.captures(text).filter(|_| !cues.asks(text)) else { continue };
                let (who, step) = (&captures["who"], captures["step"].trim().to_owned());
                let span = captures.get(0).map_or(0..0, |whole| whole.range());
                let mode = cues.mode(text, span.clone(), Tense::Present);
                let Some((subject, mode)) = stretch.line.name(who).zip(mode) else { continue };
                let by = cues.teller(text, &span).filter(|_| mode == Mode::Said);
                let by = by.and_then(|by| stretch.line.name(&text[by]));
                if form.ladder.place(&step.clone().into()).is_none() {
                    continue;
                }
                let words =
                    if *is_fall { vec!["falls_to", &form.ladder.name] } else { vec![form.ladder.name.as_str()] };
                for predicate in words {
                    found.push(extraction_of(stretch, &subject, predicate, step.clone().into(), (mode, by.clone())));
                }
                break;
            }
        }
        found
    }
}

impl<'s> ClimbForm<'s> {
    /// Returns the sentences about the steps of a ladder that stand in the comparable text `told`; `None` without any.
    fn new(ladder: &'s Ladder, language: Language, told: &str) -> Option<Self> {
        let names = ladder.steps.iter().flat_map(|step| step.alias.iter().chain([&step.name]));
        let is_own = |name: &&String| Language::of_script(name) == language && !name.trim().is_empty();
        let is_told = |name: &&String| told.contains(&comparable(name));
        let own: Vec<&String> = names.filter(is_own).collect();
        if !own.iter().any(is_told) {
            return None;
        }
        // Names that the text lacks match nothing: with all of them the patterns are the same for every chapter.
        let named = own.iter().copied().filter(|name| own.len() <= MOST_NAMES || is_told(name));
        let mut names: Vec<String> = named.map(|name| name.trim().chars().map(simplified).collect()).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let steps = names.iter().map(|name| regex::escape(name)).collect::<Vec<_>>().join("|");
        Some(Self { ladder, language, patterns: patterns(language, &steps) })
    }
}

/// Returns the patterns of a language for an alternation of step names, compiled once per ladder.
fn patterns(language: Language, steps: &str) -> ClimbPatterns {
    static COMPILED: LazyLock<Mutex<HashMap<(Language, String), ClimbPatterns>>> = LazyLock::new(Mutex::default);
    let key = (language, steps.to_owned());
    let known = COMPILED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    if let Some(known) = known {
        return known;
    }
    let new = ClimbPatterns::from(compile(language, steps));
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if compiled.len() >= MOST_COMPILED {
        compiled.clear();
    }
    compiled.entry(key).or_insert(new).clone()
}

fn compile(language: Language, steps: &str) -> Vec<(Regex, bool)> {
    let sources: &[(&str, bool)] = match language {
        Language::Zh => &[
            (
                "(?P<who>[<P>])[^，。；、]{0,8}?(?:跌落|跌回|跌至|跌到|掉到|掉回|降到|降至|退回|倒退)(?:到|至|回|了)*(?P<step><S>)",
                true,
            ),
            (
                "(?P<who>[<P>])[^，。；、]{0,6}?(?:突破|晋升|晋级|踏入|迈入|晋入|升入|升|进阶|跨入|步入)(?:到|至|为|成|了|入)*(?P<step><S>)",
                false,
            ),
            (
                "(?P<who>[<P>])(?:已经|已|如今|现在|仍|还|本就)*是(?:一名|一位|个)?(?P<step><S>)(?:期|境)?的?(?:修士|高手|强者|大能|真人|修为|武者|剑修)",
                false,
            ),
        ],
        Language::En => &[
            (
                r"(?i)(?P<who>[<P>])(?:[’']s \w+)?(?: \w+){0,2}? (?:fell|dropped|regressed|sank|slipped)(?: back)?(?: down)? to (?:the )?(?P<step><S>)",
                true,
            ),
            (
                r"(?i)(?P<who>[<P>])(?: \w+){0,2}? (?:reached|broke through to|broken through to|advanced to|ascended to|rose to|risen to|stepped into|entered) (?:the )?(?P<step><S>)",
                false,
            ),
        ],
    };
    let step = match language {
        Language::Zh => format!(
            "(?:{steps})(?:期|境)?(?:大圆满|圆满|巅峰|初期|前期|中期|后期|第?(?:[0-9]{{1,6}}|[零〇一二三四五六七八九十百千两]{{1,8}})[层重星阶段])?"
        ),
        Language::En => format!(r"(?:(?:early|mid|middle|late|peak) )?(?:{steps})\b"),
    };
    let pattern = |(source, is_fall): &(&str, bool)| {
        let source = source.replace("<P>", PEOPLE).replace("<S>", &step);
        // A text that names thousands of steps would not compile; they are read from panels alone.
        Regex::new(&source).ok().map(|pattern| (pattern, *is_fall))
    };
    sources.iter().filter_map(pattern).collect()
}

/// Returns a text in simplified characters and lower case, without spaces.
fn comparable(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(simplified).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_of_a_ladder_are_compiled_once_for_all_chapters() {
        let step = |name: &str| crate::LadderStep { name: name.into(), ..crate::LadderStep::default() };
        let ladders = [Ladder {
            name: "境界".into(),
            steps: vec![step("练气"), step("筑基"), step("金丹")],
            ..Ladder::default()
        }];
        let form = |text: &str| ClimbForms::of(&ladders, text).0.pop();
        let (one, other) = (form("他突破到筑基。").unwrap(), form("她已是金丹修士。").unwrap());
        assert!(Arc::ptr_eq(&one.patterns, &other.patterns), "chapters that name other steps share the patterns");
        assert!(form("雨下了一夜。").is_none());
    }
}
