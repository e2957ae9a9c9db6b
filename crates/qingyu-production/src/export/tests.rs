use serde_json::{Value, json};

use super::*;
use crate::Templates;
use crate::change::put;
use crate::research::{Finding, Report, Source};

fn course(language: Language) -> Story {
    let (production, fields) = Templates::builtin().get("course").unwrap().begin(language);
    Story { production: Some(production), fields, language, ..Story::default() }
}

fn outline() -> Value {
    let lesson = |title: &str| json!({"title": title, "goal": "g", "points": ["p"], "exercise": "e"});
    json!({"title": "定价", "lessons": [lesson("一"), lesson("二"), lesson("三"), lesson("四")]})
}

fn source(number: u32) -> Source {
    Source { number, title: format!("甲 {number}"), url: format!("https://{number}.example/"), ..Source::default() }
}

fn finding(claim: &str, source: u32) -> Finding {
    Finding { claim: claim.into(), sources: vec![source], is_supported: true, question: 0 }
}

fn drafted(format: &ProductionFormat, paths: &[String]) -> ProductionExport {
    export(&filled(), "定价课", Language::Zh, format, paths, Readiness::Draft).unwrap()
}

fn filled() -> Story {
    let mut story = course(Language::Zh);
    let values = [
        (
            "research/report",
            json!(Report {
                question: "q".into(),
                findings: vec![finding("多数产品分三档", 1), finding("一些人不敢定价", 2)],
                sources: vec![source(1), source(2)],
                ..Report::default()
            }),
        ),
        ("design_inner/promise", json!("学会定价。")),
        ("design_inner/outline", outline()),
        ("produce_inner/lessons/1", json!("# 大\n\n```\n# 不是标题 [1]\n```\n\n## 小\n\n有据 [2]。")),
        ("produce_inner/lessons/3", json!("没有标题")),
        ("produce_outer/landing_page", json!("长".repeat(20_001))),
    ];
    for (path, value) in values {
        put(&mut story, path, value, Default::default()).unwrap();
    }
    story
}

#[test]
fn a_document_has_titles_shifted_headings_and_the_cited_sources() {
    let paths = ["produce_inner/lessons".to_owned()];
    let exported = drafted(&ProductionFormat::Markdown, &paths);
    let expected = "# 定价\n\n## 课文 1：一\n\n### 大\n\n```\n# 不是标题 [1]\n```\n\n#### 小\n\n有据 [1]。\n\n## 课文 3：三\n\n\
                    没有标题\n\n## 资料来源\n\n1. [甲 2](<https://2.example/>)\n";
    assert_eq!(exported.files[0].text, expected);
    assert_eq!((exported.files.len(), exported.files[0].title.as_str()), (1, "定价"), "the title of the outline");
    assert_eq!(exported.missing, ["produce_inner/lessons/2", "produce_inner/lessons/4"]);
}

#[test]
fn there_is_one_document_for_each_audience_without_names_of_members() {
    let mut story = filled();
    let mail = |at: usize| json!({"subject": format!("第 {at} 封"), "body": "你好。"});
    put(
        &mut story,
        "design_outer/positioning",
        json!({"statement": "s", "alternatives": [], "difference": "d", "not_for": "n"}),
        Default::default(),
    )
    .unwrap();
    put(&mut story, "produce_outer/emails", json!([mail(1), mail(2), mail(3)]), Default::default()).unwrap();
    let exported = export(&story, "x", Language::Zh, &ProductionFormat::Markdown, &[], Readiness::Draft).unwrap();
    let parts: Vec<&str> = exported.files.iter().map(|file| file.part.as_str()).collect();
    assert_eq!(parts, ["学员", "访客", "邮件订阅者", "社交媒体"]);
    assert!(exported.files[2].text.starts_with("# 定价\n\n## 第 1 封\n\n你好。\n"), "{}", exported.files[2].text);
    assert!(!exported.files.iter().any(|file| file.text.contains("**body**")));
    assert!(!exported.files[1].text.contains("资料来源"), "it cites nothing");
}

#[test]
fn what_is_not_ready_is_refused_with_every_reason() {
    let refused = |story: &Story, paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        match export(story, "x", Language::Zh, &ProductionFormat::Markdown, &paths, Readiness::Ready) {
            Err(Error::NotReady { problems }) => problems,
            Ok(_) => Vec::new(),
            Err(error) => panic!("{error}"),
        }
    };
    let mut story = filled();
    let lesson = |more: &str| json!(format!("{}{more}", "长".repeat(1_200)));
    put(&mut story, "produce_inner/lessons/1", lesson(" [1]"), Default::default()).unwrap();
    assert_eq!(refused(&story, &["produce_inner/lessons/1"]), [""; 0]);
    for (text, expected) in [
        (lesson(""), "「课文 1：一」没有引用与它有关的调研结论"),
        (lesson(" [1] [7]"), "「课文 1：一」引用了不存在的来源 [7]"),
        (lesson(" [1]〔待补：例子〕"), "「课文 1：一」有 1 处待写，如“〔待补：例子〕”"),
        (lesson(" [1]\n\nTODO 补一个例子。"), "「课文 1：一」有 1 处待写，如“TODO”"),
        (lesson(" [1]\n\nLoved it. [Insert a quote here]"), "「课文 1：一」有 1 处待写，如“[Insert a quote here]”"),
    ] {
        put(&mut story, "produce_inner/lessons/1", text, Default::default()).unwrap();
        assert_eq!(refused(&story, &["produce_inner/lessons/1"]), [expected]);
    }
    put(&mut story, "produce_inner/lessons/1", json!("太短 [1]"), Default::default()).unwrap();
    let short = refused(&story, &["produce_inner/lessons/1"]);
    assert!(short.len() == 1 && short[0].ends_with("要求至少 1000 字"), "{short:?}");
    assert_eq!(refused(&story, &["produce_inner/lessons/2"]), ["「课文 2：二」还是空的"]);
    put(&mut story, "produce_inner/lessons/1", lesson(" [1]"), Default::default()).unwrap();
    story.production.as_mut().unwrap().voice.forbidden = vec!["长长长".into()];
    assert_eq!(refused(&story, &["produce_inner/lessons/1"]), ["「课文 1：一」里有不该用的“长长长”"]);
    story.production.as_mut().unwrap().voice = Default::default();
    put(&mut story, "design_inner/promise", json!("另一句。"), Default::default()).unwrap();
    assert!(refused(&story, &["produce_inner/lessons/1"]).contains(&"「课文 1：一」已过期".to_owned()));
    // A project whose title is the beginning of the premise, before there is an outline.
    let mut story = course(Language::En);
    story.premise = "A short course on pricing for independent developers who".into();
    put(&mut story, "produce_outer/landing_page", json!("Text."), Default::default()).unwrap();
    let paths = ["produce_outer/landing_page".to_owned()];
    let title = "A short course on pricing for";
    let error = export(&story, title, Language::En, &ProductionFormat::Markdown, &paths, Readiness::Ready).unwrap_err();
    assert!(error.to_string().contains("only the beginning of your first words"), "{error}");
    // Data are whatever they are.
    assert!(export(&story, title, Language::En, &ProductionFormat::Json, &[], Readiness::Ready).is_ok());
}

#[test]
fn data_has_every_field_with_its_status() {
    let exported = drafted(&ProductionFormat::Json, &[]);
    let data: Value = serde_json::from_str(&exported.files[0].text).unwrap();
    let of =
        |path: &str| data["fields"].as_array().unwrap().iter().find(|field| field["path"] == path).unwrap().clone();
    assert_eq!(of("design_inner/outline")["value"], outline());
    assert_eq!(
        (of("intent/report")["status"].clone(), of("design_inner/promise")["version"].clone()),
        (json!("empty"), json!(1))
    );
    assert_eq!(data["sources"].as_array().unwrap().len(), 2);
}

#[test]
fn a_long_text_is_said_to_be_long_and_is_whole() {
    let exported = drafted(&ProductionFormat::Channels(None), &[]);
    let names: Vec<_> = exported.files.iter().map(|file| file.channel.as_deref().unwrap()).collect();
    assert_eq!(names, ["handout", "wechat", "email"]);
    let [TooLong { channel, length, limit: 20_000 }] = exported.too_long.as_slice() else {
        panic!("{:?}", exported.too_long)
    };
    assert_eq!((channel.as_str(), *length), ("wechat", exported.files[1].text.chars().count()));
    assert!(exported.files[1].text.contains(&"长".repeat(20_001)));
    assert!(
        exported.files[0].text.contains("## 课文 1：一")
            && exported.files[0].text.contains("1. 甲 2 https://2.example/")
    );
}

#[test]
fn every_channel_of_every_template_can_be_filled_before_there_is_anything() {
    for template in Templates::builtin().all() {
        for language in [Language::Zh, Language::En] {
            let (production, fields) = template.begin(language);
            let story = Story { production: Some(production), fields, ..Story::default() };
            let exported =
                export(&story, "x", language, &ProductionFormat::Channels(None), &[], Readiness::Draft).unwrap();
            assert_eq!(exported.files.len(), template.channels.len());
        }
    }
}

#[test]
fn what_does_not_exist_is_refused() {
    let story = filled();
    let channel =
        export(&story, "x", Language::Zh, &ProductionFormat::Channels(Some("fax".into())), &[], Readiness::Ready);
    assert!(matches!(channel, Err(Error::UnknownChannel { known, .. }) if known.len() == 3));
    let field = export(&story, "x", Language::Zh, &ProductionFormat::Markdown, &["nothing".into()], Readiness::Ready);
    assert!(matches!(field, Err(Error::UnknownField { .. })));
    let none = export(&Story::default(), "x", Language::Zh, &ProductionFormat::Json, &[], Readiness::Ready);
    assert_eq!(none, Err(Error::NoProduction));
}
