//! Search in the fields of a project, for questions about their values.

use qingyu_knowledge::{Chunk, MemoryIndex, Query, Source};
use qingyu_production::golden::as_text;
use qingyu_production::simulation::mentioned;
use qingyu_production::{progress, reports};
use qingyu_story::production::Field;
use qingyu_story::{PieceKind, Story};
use serde_json::Value;

use super::context::FieldSource;

/// Maximum number of passages for a question.
const MOST: usize = 8;
/// Characters after which a passage ends with its line.
const LENGTH: usize = 500;

/// Words of a question about progress, which the list of fields answers.
const PROGRESS: [&str; 19] = [
    "进度",
    "过期",
    "哪一步",
    "哪个阶段",
    "完成",
    "还有哪些",
    "还差",
    "字段",
    "stale",
    "progress",
    "left to",
    "far along",
    "status",
    "which fields",
    "finished",
    "still missing",
    "what fields",
    "where are we",
    "is left",
];

/// Words at the beginning of a question without its mark, and Chinese words anywhere in one.
const ASKING: [&str; 9] = ["what ", "which ", "who ", "why ", "how ", "where ", "when ", "did ", "does "];
const ASKING_ZH: [&str; 5] = ["什么", "谁", "为何", "怎么", "多少"];

/// Returns whether words that want to see something ask about content, and not about progress. Words that name a
/// simulated reader always do.
pub(super) fn is_question(words: &str, fields: &[Field]) -> bool {
    if !mentioned(words, fields).is_empty() {
        return true;
    }
    let words = words.trim().to_lowercase();
    let is_asked = words.ends_with(['?', '？'])
        || ASKING.iter().any(|word| words.starts_with(word))
        || ASKING_ZH.iter().any(|word| words.contains(word));
    is_asked && !PROGRESS.iter().any(|word| words.contains(word))
}

/// Returns the passages of the fields that a question is about, the best first; with `paths` only of these fields.
///
/// The title of each passage begins with its number from 1, which an answer cites.
pub(super) fn passages(story: &Story, question: &str, paths: &[String]) -> Vec<FieldSource> {
    let is_meant = |field: &&Field| {
        let is_named = |path: &String| field.path == *path || field.item.as_ref().is_some_and(|item| item.of == *path);
        !field.is_empty() && !field.is_pattern() && (paths.is_empty() || paths.iter().any(is_named))
    };
    let chunks = story.fields.iter().filter(is_meant).flat_map(|field| chunks(story, field)).collect();
    let hits = MemoryIndex::new(chunks).search(&Query { limit: MOST, ..Query::new(question) });
    let title = |path: &str| story.fields.iter().find(|field| field.path == path).map(|field| field.title.clone());
    let passage = |(number, hit): (usize, qingyu_knowledge::Hit)| {
        let path = hit.chunk.source.id;
        let title = format!("[{number}] {}", title(&path).unwrap_or_default());
        FieldSource { path, title, value: Value::Null, text: hit.chunk.text }
    };
    (1..).zip(hits).map(passage).collect()
}

/// Returns the passages of a field: lines together, up to about half a page.
fn chunks(story: &Story, field: &Field) -> Vec<Chunk> {
    let kind = progress::phase_of(story, field).map(|phase| phase.kind);
    let report = kind.and_then(|kind| reports::markdown(kind, &field.value, story.language));
    let text = report.unwrap_or_else(|| as_text(&field.value));
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match parts.last_mut().filter(|part| part.chars().count() < LENGTH) {
            Some(part) => {
                part.push('\n');
                part.push_str(line);
            }
            None => parts.push(line.to_owned()),
        }
    }
    // The statements of a reader in a report form one passage: a question names the reader.
    parts.extend(reports::said_by_readers(&field.value, story.language).into_iter().map(|(_, said)| said));
    let chunk = |(part, text): (u32, String)| Chunk {
        source: Source { kind: PieceKind::Document, id: field.path.clone() },
        part,
        version: field.version,
        range: None,
        text,
        heading: field.title.clone(),
        fields: Default::default(),
    };
    (0..).zip(parts).map(chunk).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::Language;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_reader_said_is_found_by_the_readers_name() {
        let read = |persona: &str, words: &str| {
            json!({"persona": persona, "interaction": "objection", "reaction": {
                "words": words, "objections": [{"words": words}],
            }})
        };
        for (language, ruth, other, words, question) in [
            (Language::En, "Ruth", "Amir", "nobody alone at a desk has an hour", "What did Ruth object to?"),
            (Language::Zh, "老王", "小李", "一个人值班，没有整块的时间", "老王反对什么？"),
        ] {
            let value = json!({"outcomes": [], "readings": [read(other, "fine"), read(ruth, words)]});
            let report = Field { path: "simulate/report".into(), title: "R".into(), value, ..Field::default() };
            let story = Story { language, fields: vec![report], ..Story::default() };
            assert!(is_question(&question.replace(['?', '？'], ""), &story.fields));
            let found = passages(&story, question, &[]);
            assert!(found[0].text.contains(words) && found[0].path == "simulate/report", "{found:?}");
        }
    }

    #[test]
    fn a_question_finds_the_passage_and_not_all_that_was_made() {
        let field = |path: &str, title: &str, value: Value| Field {
            path: path.into(),
            title: title.into(),
            value,
            version: 1,
            ..Field::default()
        };
        let filler = (0..60).map(|at| format!("段落 {at}：羊毛要先洗再纺。")).collect::<Vec<_>>().join("\n");
        let story = Story {
            language: Language::Zh,
            fields: vec![
                field("lessons/1", "课文 1", json!(filler)),
                field(
                    "simulate/report",
                    "模拟报告",
                    json!({"objections": [{"persona": "老王", "words": "老王不信一小时能学会"}]}),
                ),
            ],
            ..Story::default()
        };
        let found = passages(&story, "老王反对什么？", &[]);
        assert_eq!((found[0].path.as_str(), found[0].title.as_str()), ("simulate/report", "[1] 模拟报告"));
        assert!(found[0].text.contains("不信一小时") && found.len() <= MOST);
        assert!(
            passages(&story, "老王反对什么？", &["lessons/1".to_owned()]).iter().all(|hit| hit.path == "lessons/1")
        );
        let asks = |words: &str| is_question(words, &[]);
        assert!(asks("What did the readers object to?") && asks("老王反对什么？") && asks("what is in lesson two"));
        assert!(!asks("现在有哪些过期了？") && !asks("show me the outline") && !asks("what is left to do?"));
    }
}
