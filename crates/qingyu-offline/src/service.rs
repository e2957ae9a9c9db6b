//! The service's tasks by rules: splitting a task, phrasing figures, doubts about words.
//!
//! Prose is refused as everywhere; the rules cannot judge the meaning of a word in context, so no doubts are returned.

use qingyu_agents::AgentRegistry;
use qingyu_agents::orchestrator::{SplitContext, Subtask, Subtasks, router};
use qingyu_agents::service::analysis::{Judgement, JudgementContext, Verdict};
use qingyu_agents::service::data_analysis::{Phrased, PhrasingContext};
use qingyu_agents::service::figures::NamedFigure;
use qingyu_agents::service::text_review::Doubts;
use qingyu_story::Language;

/// Splits the task by its words among the available agents.
pub(crate) fn split(splitting: &SplitContext) -> Subtasks {
    let mut subtasks = router::split(&splitting.description, &AgentRegistry::builtin(), splitting.max_subtasks);
    let is_offered = |name: &str| splitting.offers(name);
    for part in &mut subtasks {
        part.candidates.retain(|name| is_offered(name));
        if let Some(first) = part.candidates.first() {
            part.agent.clone_from(first);
        }
    }
    subtasks.retain(|part| is_offered(&part.agent));
    let kept = subtasks.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    for part in &mut subtasks {
        part.depends_on.retain(|name| kept.contains(name));
    }
    let why = match splitting.language {
        Language::Zh => "按词句拆分，不理解意思",
        Language::En => "taken apart by words alone, without understanding",
    };
    let subtasks = subtasks.into_iter().map(Subtask::with_joined_candidates).collect();
    Subtasks { subtasks, reasoning: vec![why.into()] }
}

/// Returns the figures named by the question, or the default figures.
pub(crate) fn phrase(phrasing: &PhrasingContext) -> Phrased {
    const KNOWN: [(&str, &str, &str, &[&str]); 6] = [
        ("total.length", "全书长度", "the length", &["字", "长", "long", "word", "length"]),
        ("total.dialogue_share", "对话占比", "the share of dialogue", &["对话", "dialogue"]),
        ("total.sentence_length", "平均句长", "the mean sentence", &["句", "sentence"]),
        ("project.chapters_written", "已写章节", "the chapters written", &["章", "chapter"]),
        ("project.progress", "进度", "the progress", &["进度", "完成", "progress"]),
        ("chapters", "章节数", "the number of chapters", &["几章", "chapters"]),
    ];
    let zh = phrasing.language == Language::Zh;
    let asked = phrasing.description.to_lowercase();
    let value = |name: &str| phrasing.figures.iter().find(|figure| figure.name == name);
    let named = KNOWN.iter().filter(|row| row.3.iter().any(|word| asked.contains(word)) && value(row.0).is_some());
    let mut rows = named.collect::<Vec<_>>();
    if rows.is_empty() {
        rows = KNOWN.iter().filter(|row| value(row.0).is_some()).take(3).collect();
    }
    let told = rows.iter().filter_map(|row| {
        let NamedFigure { value, .. } = value(row.0)?;
        Some(if zh { format!("{}为 {value}", row.1) } else { format!("{} is {value}", row.2) })
    });
    let told = told.collect::<Vec<_>>();
    let answer = match zh {
        true => format!("{}。（离线规则只报数字，不解读。）", told.join("，")),
        false => format!("{}. (The offline rules tell figures and do not read meaning into them.)", told.join(", ")),
    };
    // A chapter has no such totals: use the first figures.
    let mut figures = rows.iter().map(|row| row.0.to_owned()).collect::<Vec<_>>();
    if figures.is_empty() {
        figures = phrasing.figures.first().map(|figure| figure.name.clone()).into_iter().collect();
    }
    Phrased { answer, figures }
}

/// Returns each aspect by its figures, with a sentence selected by the program.
pub(crate) fn judge(judging: &JudgementContext) -> Judgement {
    let zh = judging.language == Language::Zh;
    let verdict = |aspect: &String| {
        let (names, picked): (&[&str], &[&str]) = match aspect.as_str() {
            "style" => (&["sentences.mean", "paragraphs.mean", "dialogue.share"], &["longest_sentence"]),
            "emotion" => (&["emotion.polarity", "emotion.intensity"], &["emotional", "most_positive", "most_negative"]),
            "pace" => (&["pace.mean", "pace.actions"], &["quickest", "slowest"]),
            _ => (&["readability.score", "variety.moving"], &["longest_sentence"]),
        };
        let known = names.iter().filter_map(|name| judging.figures.iter().find(|figure| figure.name == *name));
        let known = known.collect::<Vec<_>>();
        let told = known.iter().map(|figure| format!("{} = {}", figure.name, figure.value)).collect::<Vec<_>>();
        let quote = judging.shown.iter().find(|shown| picked.contains(&shown.shows.as_str())).or(judging.shown.first());
        let verdict = match zh {
            true => format!("{}。离线规则只报指标，好坏由作者判断。", told.join("，")),
            false => {
                format!("{}. The offline rules tell figures; whether that is good, the author judges.", told.join(", "))
            }
        };
        Verdict {
            aspect: aspect.clone(),
            verdict,
            figures: known.iter().map(|figure| figure.name.clone()).collect(),
            quotes: quote.map(|shown| shown.quote.clone()).into_iter().collect(),
        }
    };
    Judgement { aspects: judging.aspects.iter().map(verdict).collect(), suggestions: Vec::new() }
}

/// Returns no doubts: the rules do not know the meaning of a word in context.
pub(crate) fn doubt() -> Doubts {
    Doubts::default()
}
