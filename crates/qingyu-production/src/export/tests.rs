use serde_json::json;

use super::*;
use crate::Templates;
use crate::change::put;
use crate::research::{Report, Source};

fn course(language: Language) -> Story {
    let (production, fields) = Templates::builtin().get("course").unwrap().begin(language);
    Story { production: Some(production), fields, language, ..Story::default() }
}

fn outline() -> Value {
    let lesson = |title: &str| json!({"title": title, "goal": "g", "points": ["p"], "exercise": "e"});
    json!({"title": "定价", "lessons": [lesson("一"), lesson("二"), lesson("三"), lesson("四")]})
}

fn source(number: u32) -> Source {
    Source { number, title: "甲".into(), url: "https://a.example/".into(), ..Source::default() }
}

fn filled() -> Story {
    let mut story = course(Language::Zh);
    let values = [
        (
            "research/report",
            json!(Report { question: "q".into(), sources: vec![source(1), source(2)], ..Report::default() }),
        ),
        ("design_inner/promise", json!("学会定价。")),
        ("design_inner/outline", outline()),
        ("produce_inner/lessons/1", json!("# 大\n\n```\n# 不是标题\n```\n\n## 小")),
        ("produce_inner/lessons/3", json!("没有标题")),
        ("produce_outer/landing_page", json!("长".repeat(20_001))),
    ];
    for (path, value) in values {
        put(&mut story, path, value, Default::default()).unwrap();
    }
    story
}

#[test]
fn a_document_has_titles_shifted_headings_and_sources() {
    let paths = ["produce_inner/lessons".to_owned()];
    let exported = export(&filled(), "定价课", Language::Zh, &Format::Markdown, &paths).unwrap();
    let expected = "# 定价课\n\n## 课文 1：一\n\n### 大\n\n```\n# 不是标题\n```\n\n#### 小\n\n## 课文 3：三\n\n没有标题\n\n\
                    ## 资料来源\n\n1. 甲 <https://a.example/>\n";
    assert_eq!(exported.files[0].text, expected);
    assert_eq!(exported.missing, ["produce_inner/lessons/2", "produce_inner/lessons/4"]);
}

#[test]
fn data_has_every_field_with_its_status() {
    let exported = export(&filled(), "定价课", Language::Zh, &Format::Json, &[]).unwrap();
    let data: Value = serde_json::from_str(&exported.files[0].text).unwrap();
    let of =
        |path: &str| data["fields"].as_array().unwrap().iter().find(|field| field["path"] == path).unwrap().clone();
    assert_eq!(of("design_inner/outline")["value"], outline());
    assert_eq!(
        (of("intent/report")["status"].clone(), of("design_inner/promise")["version"].clone()),
        (json!("empty"), json!(1))
    );
    assert_eq!(data["sources"].as_array().unwrap().len(), 1);
}

#[test]
fn a_long_text_is_said_to_be_long_and_is_whole() {
    let exported = export(&filled(), "定价课", Language::Zh, &Format::Channels(None), &[]).unwrap();
    let names: Vec<_> = exported.files.iter().map(|file| file.channel.as_deref().unwrap()).collect();
    assert_eq!(names, ["handout", "wechat", "email"]);
    let [TooLong { channel, length, limit: 20_000 }] = exported.too_long.as_slice() else {
        panic!("{:?}", exported.too_long)
    };
    assert_eq!((channel.as_str(), *length), ("wechat", exported.files[1].text.chars().count()));
    assert!(exported.files[1].text.contains(&"长".repeat(20_001)));
    assert!(exported.files[0].text.contains("## 课文 1：一") && exported.files[0].text.contains("https://a.example/"));
}

#[test]
fn every_channel_of_every_template_can_be_filled_before_there_is_anything() {
    for template in Templates::builtin().all() {
        for language in [Language::Zh, Language::En] {
            let (production, fields) = template.begin(language);
            let story = Story { production: Some(production), fields, ..Story::default() };
            let exported = export(&story, "x", language, &Format::Channels(None), &[]).unwrap();
            assert_eq!(exported.files.len(), template.channels.len());
        }
    }
}

#[test]
fn what_does_not_exist_is_refused() {
    let story = filled();
    let channel = export(&story, "x", Language::Zh, &Format::Channels(Some("fax".into())), &[]);
    assert!(matches!(channel, Err(Error::UnknownChannel { known, .. }) if known.len() == 3));
    let field = export(&story, "x", Language::Zh, &Format::Markdown, &["nothing".into()]);
    assert!(matches!(field, Err(Error::UnknownField { .. })));
    assert_eq!(export(&Story::default(), "x", Language::Zh, &Format::Json, &[]), Err(Error::NoProduction));
}
