//! Knowledge and history from a conversation: statements that the author asks to remember, and tasks done in a session.

use jiff::Timestamp;
use qingyu_memory::learning::Lesson;
use qingyu_memory::long_term::{Evidence, Kind, Source, What};
use qingyu_story::Language;

/// The words before a statement to remember, lower case; longer words first.
const BEGINNINGS: [&str; 6] =
    ["请记住", "记住", "please remember that", "please remember", "remember that", "remember:"];
/// The maximum length of a remembered statement, in characters.
const LONGEST: usize = 300;

/// Returns the lesson of words that ask to remember a statement, such as `记住：旧港没有灯塔`; `None` for other words and
/// for questions.
pub(crate) fn of_words(project: &str, words: &str, at: Timestamp) -> Option<Lesson> {
    let words = words.trim();
    let folded = words.to_lowercase();
    let beginning = BEGINNINGS.iter().find(|beginning| folded.starts_with(**beginning))?;
    // Lower case may have another length in bytes, so characters are counted.
    let rest: String = words.chars().skip(beginning.chars().count()).collect();
    let statement = rest.trim_start_matches(|c: char| c.is_whitespace() || "：:，,".contains(c)).trim();
    let is_question = statement.ends_with(['？', '?', '吗', '么']);
    if statement.chars().count() < 2 || is_question {
        return None;
    }
    Some(lesson(Kind::Knowledge, project, cut(statement), Evidence::new(at, What::Said, "")))
}

/// Returns the lesson of a task done in a session; `run` is its place.
pub(crate) fn of_task(project: &str, run: &str, task: &str, language: Language, at: Timestamp) -> Lesson {
    let task = cut(task.trim());
    let text = match language {
        Language::Zh => format!("交办过：{task}"),
        Language::En => format!("had this done: {task}"),
    };
    lesson(Kind::History, project, text, Evidence::new(at, What::Approved, run))
}

fn lesson(kind: Kind, project: &str, text: String, evidence: Evidence) -> Lesson {
    let source = if evidence.what == What::Said { Source::User } else { Source::Learnt };
    Lesson { kind, project: Some(project.into()), topic: text.clone(), text, evidence, source, needed: 1 }
}

fn cut(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_statements_to_remember_become_knowledge() {
        let at = Timestamp::UNIX_EPOCH;
        let learnt = |words: &str| of_words("p", words, at).map(|lesson| lesson.text);
        for (words, expected) in [
            ("记住：旧港没有灯塔", Some("旧港没有灯塔")),
            ("请记住，苏婉  不会游泳。", Some("苏婉 不会游泳。")),
            ("Please remember that the clock is slow", Some("the clock is slow")),
            ("Remember: no lighthouse", Some("no lighthouse")),
            ("记住了吗？", None),
            ("记住", None),
            ("谁记住了密码", None),
            ("Remember the clock?", None),
        ] {
            assert_eq!(learnt(words).as_deref(), expected, "{words}");
        }
        let task = of_task("p", "r-1", "检查人物设定", Language::Zh, at);
        assert_eq!((task.kind, task.text.as_str()), (Kind::History, "交办过：检查人物设定"));
    }
}
