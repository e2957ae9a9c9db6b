use proptest::prelude::*;
use serde_json::json;

use super::*;

fn fields() -> Vec<Field> {
    let field = |(path, title): &(&str, &str)| Field {
        path: (*path).into(),
        title: (*title).into(),
        schema: json!({"type": "string"}),
        ..Field::default()
    };
    let named = [
        ("design_inner/outline", "课程大纲"),
        ("design_inner/outline_notes", "课程大纲备注"),
        ("produce_inner/lessons", "课文"),
        ("produce_inner/lessons/3", "课文 3：涨价"),
        ("simulate/report", "模拟报告"),
        ("evaluate/report", "评估报告"),
    ];
    named.iter().map(field).collect()
}

/// What is referred to, as `text → path#pointer` or `text ?near`.
fn shown(text: &str) -> String {
    let show = |reference: &FieldReference| {
        let written = &text[reference.range.clone()];
        match &reference.target {
            ReferenceTarget::Field { path, pointer } if pointer.is_empty() => format!("{written} → {path}"),
            ReferenceTarget::Field { path, pointer } => format!("{written} → {path}#{pointer}"),
            ReferenceTarget::Unknown { near, .. } => format!("{written} ? {}", near.join(",")),
        }
    };
    references(text, &fields()).iter().map(show).collect::<Vec<_>>().join("; ")
}

#[test]
fn references_are_found() {
    let cases = [
        ("改 @design_inner/outline 吧", "@design_inner/outline → design_inner/outline"),
        ("@outline", "@outline → design_inner/outline"),
        ("@Outline, please", "@Outline → design_inner/outline"),
        ("@outlines", "@outlines ? "),
        ("把@课程大纲改短", "@课程大纲 → design_inner/outline"),
        ("把@课程大纲备注删掉", "@课程大纲备注 → design_inner/outline_notes"),
        ("＠课文 再写", "＠课文 → produce_inner/lessons"),
        ("@lessons/3太长", "@lessons/3 → produce_inner/lessons/3"),
        ("@lessons/33", "@lessons/33 ? "),
        ("@课文 3：涨价，", "@课文 3：涨价 → produce_inner/lessons/3"),
        (
            "@design_inner/outline#/lessons/2 和 @lessons",
            "@design_inner/outline#/lessons/2 → design_inner/outline#/lessons/2; @lessons → produce_inner/lessons",
        ),
        ("@outline#", "@outline → design_inner/outline"),
        ("@report", "@report ? simulate/report,evaluate/report"),
        ("@大纲", "@大纲 ? design_inner/outline,design_inner/outline_notes"),
        ("@没有这个", "@没有这个 ? "),
        ("a@outline.example, @ 和 @@", ""),
        ("", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn ranges_stand_on_characters_in_order(text in "([@＠#/a课文程大纲 3_.ßİ]|lessons|outline|\\PC){0,24}") {
        let mut end = 0;
        for reference in references(&text, &fields()) {
            prop_assert!(reference.range.start >= end);
            prop_assert!(text.get(reference.range.clone()).is_some_and(|written| written.starts_with(['@', '＠'])));
            end = reference.range.end;
        }
    }
}
