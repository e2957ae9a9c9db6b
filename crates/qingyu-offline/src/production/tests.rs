//! Premises, schemas and changes as data.

use proptest::prelude::*;
use qingyu_agents::production::context::{ConversationLine, FieldContext, InterviewContext, RouteContext, Who};
use qingyu_story::Language::{self, En, Zh};
use serde_json::{Value, json};

use super::{brief::ProductionBrief, interview, make, route, tables};

fn line(who: Who, text: &str) -> ConversationLine {
    ConversationLine { who, text: text.into() }
}

#[test]
fn a_premise_says_for_whom_about_what_and_in_which_form() {
    let cases: [(Language, &str, [&str; 3]); 12] = [
        (Zh, "为独立开发者写一门关于定价的短课程", ["独立开发者", "定价", "短课程"]),
        (Zh, "面向新手父母的，关于睡眠的系列文章", ["新手父母", "睡眠", "系列文章"]),
        (Zh, "给设计师做一个产品页", ["设计师", "给设计师做一个产品页", "产品页"]),
        (Zh, "写一门关于摄影的课程", ["", "摄影", "课程"]),
        (Zh, "拍一条讲咖啡的短视频", ["", "咖啡", "短视频"]),
        (Zh, "写给老师的手册", ["老师", "写给老师的手册", "手册"]),
        (En, "a short course on pricing for indie developers", ["indie developers", "pricing", "short course"]),
        (En, "A short video about Rust for students", ["students", "Rust", "short video"]),
        (En, "Write a course for New Parents on sleep.", ["New Parents", "sleep", "course"]),
        (En, "a product page for a tea shop", ["a tea shop", "a product page for a tea shop", "product page"]),
        (En, "tea", ["", "tea", ""]),
        (Zh, "", ["", "", ""]),
    ];
    for (language, premise, expected) in cases {
        let brief = ProductionBrief::read(language, tables::of(language), premise, &[]);
        let found = ["audience", "topic", "form"].map(|slot| brief.known.get(slot).map_or("", String::as_str));
        assert_eq!(found, expected, "{premise}");
    }
}

#[test]
fn the_interview_asks_each_question_once_and_skips_what_is_known() {
    for (language, premise) in [(Zh, "为独立开发者写一门关于定价的短课程"), (En, "a short course on pricing")]
    {
        let asked = json!({
            "language": language, "template": "", "premise": premise, "conversation": [], "wanted": [], "asked": 0
        });
        let mut asking: InterviewContext = serde_json::from_value(asked).unwrap();
        let tables = tables::of(language);
        let mut seen = Vec::new();
        while asking.asked < 8 {
            let text = interview::ask(&asking);
            assert_eq!(text.contains(&tables.may_go_on), text != tables.all_asked && asking.asked >= 3, "{text}");
            if text == tables.all_asked {
                break;
            }
            assert!(!seen.contains(&text), "asked twice: {text}");
            asking.conversation.extend([line(Who::Agent, &text), line(Who::User, "…")]);
            asking.asked += 1;
            seen.push(text);
        }
        assert_eq!(seen.len(), if language == Zh { 4 } else { 5 });
    }
}

#[test]
fn answers_reach_the_report_and_what_is_not_known_is_marked() {
    let tables = tables::of(Zh);
    let conversation = vec![
        line(Who::Agent, &tables.questions[1].text),
        line(Who::User, "不敢收钱"),
        line(Who::Agent, &tables.questions[2].text),
        line(Who::User, "生成"),
    ];
    let text = json!({ "type": "string", "minLength": 1 });
    let schema = json!({ "type": "object", "properties": { "audience": text, "problem": text, "promise": text } });
    let premise = "为独立开发者写一门关于定价的短课程".to_owned();
    let path = "intent/report".to_owned();
    let making = FieldContext { premise, path, schema, conversation, ..FieldContext::default() };
    let made: Value = serde_json::from_str(&make::make(&making)).unwrap();
    assert_eq!(made["audience"], "独立开发者");
    assert_eq!(made["problem"], "不敢收钱");
    assert_eq!(made["promise"], "〔待写：看完能做成什么〕");
}

#[test]
fn changes_are_made_to_the_letter_or_not_at_all() {
    let list = json!(["甲", "乙", "丙"]);
    let cases = [
        (list.clone(), "把“甲”改成“丁”", json!(["丁", "乙", "丙"])),
        (list.clone(), "change 甲 to 丁", json!(["丁", "乙", "丙"])),
        (list.clone(), "删掉乙", json!(["甲", "丙"])),
        (list.clone(), "更有趣一点", list.clone()),
        (json!(["甲", "乙"]), "删掉乙", json!(["甲", "乙"])),
    ];
    for (before, instruction, after) in cases {
        let schema = json!({ "type": "array", "minItems": 2, "items": { "type": "string" } });
        let making =
            FieldContext { schema, before: Some(before), instruction: instruction.into(), ..FieldContext::default() };
        assert_eq!(make::make(&making), after.to_string(), "{instruction}");
    }
    let mut making = FieldContext { is_text: true, before: Some("正文".into()), ..FieldContext::default() };
    making.instruction = "更有趣一点".into();
    let once = make::make(&making);
    assert!(once.starts_with("正文\n\n> ") && once.contains("更有趣一点"), "{once}");
    making.before = Some(once.clone().into());
    assert_eq!(make::make(&making), once);
}

#[test]
fn only_talk_is_sure() {
    let asking = RouteContext { text: "嗯".into(), ..RouteContext::default() };
    assert_eq!(route::route(&asking)["intent"], "chat");
    let floor = serde_json::from_value(json!("generate")).unwrap();
    let unsure = route::route(&RouteContext { floor: Some(floor), ..asking });
    assert_eq!(unsure["intent"], "generate");
    assert!(unsure["confidence"].as_f64() < Some(0.6));
}

fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0_u64..9, 9_u64..40)
            .prop_map(|(least, most)| json!({ "type": "string", "minLength": least, "maxLength": most })),
        (-9_i64..9).prop_map(|least| json!({ "type": "integer", "minimum": least, "maximum": least + 3 })),
        Just(json!({ "type": "number" })),
        Just(json!({ "type": "boolean" })),
        Just(json!({ "enum": ["a", 2] })),
    ];
    let name =
        prop::sample::select(vec!["lessons", "title", "shots", "constraints", "tone", "personas", "x", "seconds"]);
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            (inner.clone(), 0_u64..6, 0_u64..4).prop_map(
                |(of, least, more)| json!({ "type": "array", "items": of, "minItems": least, "maxItems": least + more })
            ),
            prop::collection::btree_map(name.clone(), inner, 0..4).prop_map(|of| {
                let required: Vec<_> = of.keys().collect();
                json!({ "type": "object", "properties": of, "required": required, "additionalProperties": false })
            }),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_the_schema_the_value_fits(schema in schemas(), premise in ".{0,20}", is_english: bool) {
        let language = if is_english { En } else { Zh };
        let making = FieldContext { language, premise, schema: schema.clone(), path: "a/lessons/2".into(), ..FieldContext::default() };
        let made = make::make(&making);
        prop_assert_eq!(&made, &make::make(&making));
        let value: Value = serde_json::from_str(&made).unwrap();
        prop_assert!(jsonschema::is_valid(&schema, &value), "{} does not fit {}", value, schema);
    }
}
