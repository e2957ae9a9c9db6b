//! What models really send instead of JSON.

use serde_json::{Value, json};

use super::Outline;
use crate::structured::read::{AnswerReader, AnswerReading};
use crate::structured::schema_of;

/// What an answer must be read as.
enum Want {
    /// The wanted value as it stands.
    Clean(Value),
    /// The wanted value, mended.
    Mended(Value),
    /// The beginning of a value.
    Cut,
    /// Something to ask about; a problem holds these words.
    Bad(&'static str),
}

use Want::{Bad, Clean, Cut, Mended};

fn outline(summary: &str) -> Value {
    json!({"title": "青羽", "chapters": [{"n": 1, "summary": summary}]})
}

fn check(cases: &[(&str, &str, Want)]) {
    let reader = AnswerReader::new(&schema_of::<Outline>()).unwrap();
    for (name, answer, want) in cases {
        let reading = reader.read(answer, false);
        match (want, &reading) {
            (Clean(wanted), AnswerReading::Value { value, repaired: false })
            | (Mended(wanted), AnswerReading::Value { value, repaired: true })
                if wanted == value => {}
            (Cut, AnswerReading::Cut { .. }) => {}
            (Bad(words), AnswerReading::Bad { problems }) if problems.iter().any(|problem| problem.contains(words)) => {
            }
            _ => panic!("{name}: {answer}\nwas read as {reading:?}"),
        }
    }
}

#[test]
fn eighteen_broken_answers() {
    check(&[
        (
            "fence",
            "```json\n{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]}\n```",
            Clean(outline("雪夜")),
        ),
        (
            "prose around",
            "好的，大纲如下：\n{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]}\n如需修改，请告诉我。",
            Clean(outline("雪夜")),
        ),
        (
            "thinking with a draft",
            "<think>先写 {\"title\":\"初稿\",\"chapters\":[]} 再改</think>{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]}",
            Clean(outline("雪夜")),
        ),
        (
            "thinking without its opening tag, then a fence",
            "用户要 [大纲] {草稿\n</think>\n\n```\n{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]}\n```\n",
            Clean(outline("雪夜")),
        ),
        (
            "a list in the prose before it",
            "根据要求[1]与{风格}：{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]}",
            Clean(outline("雪夜")),
        ),
        (
            "Chinese curly quotes",
            "{“title”：“青羽”，“chapters”：[{“n”：1，“summary”：“他说“走”。”}]}",
            Mended(outline("他说“走”。")),
        ),
        (
            "unescaped quotes inside speech",
            r#"{"title":"青羽","chapters":[{"n":1,"summary":"他说"你来了"，转身"}]}"#,
            Mended(outline("他说\"你来了\"，转身")),
        ),
        (
            "unescaped quotes before a comma and brackets",
            r#"{"title":"青羽","chapters":[{"n":1,"summary":"门上写着"进",门下写着"{出}"","done":true}]}"#,
            Mended(
                json!({"title":"青羽","chapters":[{"n":1,"summary":"门上写着\"进\",门下写着\"{出}\"","done":true}]}),
            ),
        ),
        (
            "raw newline and tab in a string",
            "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\n\t门开\"}]}",
            Mended(outline("雪夜\n\t门开")),
        ),
        (
            "full-width punctuation between values",
            "｛\"title\"：\"青羽\"，\"chapters\"：［｛\"n\"：1，\"summary\"：\"雪，夜：\"｝］｝",
            Mended(outline("雪，夜：")),
        ),
        (
            "trailing commas",
            "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\",},],}",
            Mended(outline("雪夜")),
        ),
        (
            "comments, one with an apostrophe",
            "{\n  \"title\": \"青羽\", // it's the title\n  /* all of them */\n  \"chapters\": [{\"n\": 1, \"summary\": \"雪夜\"}]\n}",
            Mended(outline("雪夜")),
        ),
        (
            "Python literals and single quotes",
            "{'title': '青羽', 'chapters': [{'n': 1, 'summary': '雪夜', 'done': True, 'mood': None}]}",
            Mended(json!({"title":"青羽","chapters":[{"n":1,"summary":"雪夜","done":true,"mood":null}]})),
        ),
        ("unquoted keys", "{title: \"青羽\", chapters: [{n: 1, summary: \"雪夜\"}]}", Mended(outline("雪夜"))),
        (
            "missing commas between lines",
            "{\n  \"title\": \"青羽\"\n  \"chapters\": [{\"n\": 1\n \"summary\": \"雪夜\"}]\n}",
            Mended(outline("雪夜")),
        ),
        (
            "escapes JSON does not know",
            r#"{"title":"青羽","chapters":[{"n":1,"summary":"C:\雪\'夜"}]}"#,
            Mended(outline(r"C:\雪'夜")),
        ),
        ("cut inside a string", "```json\n{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜，门", Cut),
        ("cut inside a key", "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"},{\"n\":2,\"sum", Cut),
    ]);
}

#[test]
fn more_broken_answers() {
    check(&[
        ("plain", "{\"title\":\"青羽\",\"chapters\":[]}", Clean(json!({"title":"青羽","chapters":[]}))),
        (
            "byte order mark",
            "\u{FEFF}{\"title\":\"青羽\",\"chapters\":[]}",
            Clean(json!({"title":"青羽","chapters":[]})),
        ),
        (
            "thinking tag and fence inside a string",
            "稿子：{\"title\":\"</think>\",\"chapters\":[{\"n\":1,\"summary\":\"```json\\n[1]\\n```\"}]}",
            Clean(json!({"title":"</think>","chapters":[{"n":1,"summary":"```json\n[1]\n```"}]})),
        ),
        (
            "a bracket forgotten in a closed fence",
            "```json\n{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]\n```",
            Mended(outline("雪夜")),
        ),
        (
            "a bracket forgotten in the middle",
            "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"]}",
            Mended(outline("雪夜")),
        ),
        (
            "a small example before the answer",
            "格式 {\"n\": 1}，回答：{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}]}",
            Clean(outline("雪夜")),
        ),
        (
            "the better of two fences",
            "```json\n{\"a\":1}\n```\n改为\n```json\n{\"title\":\"青羽\",\"chapters\":[]}\n```",
            Clean(json!({"title":"青羽","chapters":[]})),
        ),
        ("elided", "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}, ...]}", Bad("...")),
        ("elided in Chinese", "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}，……]}", Bad("...")),
        ("nothing", "", Bad("no JSON")),
        ("an apology", "抱歉，我无法完成。", Bad("no JSON")),
        ("an empty object", "{}", Bad("\"title\" is a required property")),
        ("another shape", "[1, 2]", Bad("/: [1,2] is not of type \"object\"")),
        (
            "two wrong values, each with its path",
            r#"{"title":7,"chapters":[{"n":1,"summary":"雪"},{"n":"二","summary":"夜"}]}"#,
            Bad("/chapters/1/n: "),
        ),
    ]);
}

#[test]
fn a_provider_s_limit_makes_broken_json_a_cut_one_but_not_whole_json() {
    let reader = AnswerReader::new(&schema_of::<Outline>()).unwrap();
    let broken = "{\"title\":\"青羽\",\"chapters\":[],}";
    assert!(matches!(reader.read(broken, true), AnswerReading::Cut { .. }));
    let whole = "{\"title\":\"青羽\",\"chapters\":[]} 另外，";
    assert!(matches!(reader.read(whole, true), AnswerReading::Value { repaired: false, .. }));
}

#[test]
fn continuations_are_joined_however_they_begin() {
    let reader = AnswerReader::new(&schema_of::<Outline>()).unwrap();
    let partial = "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜，门开";
    let whole = outline("雪夜，门开了");
    for rest in [
        "了\"}]}",
        "```json\n了\"}]}\n```",
        "<think>接着写</think>了\"}]}",
        // Repeats the end of the first part.
        "\"summary\":\"雪夜，门开了\"}]}",
        // Begins anew.
        "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜，门开了\"}]}",
    ] {
        let (reading, _) = reader.read_continued(partial, rest, false);
        assert_eq!(reading, AnswerReading::Value { value: whole.clone(), repaired: false }, "{rest}");
    }
}

/// Squared, 400 kB would take minutes; they take a tenth of a second each in a debug build.
#[test]
fn hostile_answers_are_read_in_linear_time() {
    let reader = AnswerReader::new(&schema_of::<Outline>()).unwrap();
    let start = std::time::Instant::now();
    for unit in [
        "[",
        "{\"",
        "{} ",
        "{\"a\"}",
        "\"",
        "{\"a\":\"b\",'",
        "```\n{}\n",
        "{\"</think>",
        "｛“a”：“b”，",
        "</think>{\"a\":1}",
    ] {
        let reading = reader.read(&unit.repeat(400_000 / unit.len()), false);
        assert!(!matches!(reading, AnswerReading::Value { .. }), "{unit}");
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
