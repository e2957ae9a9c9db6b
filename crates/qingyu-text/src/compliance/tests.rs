use std::collections::BTreeMap;

use qingyu_story::{Language, Prose};

use super::*;

/// The codes and words found on a platform.
fn found(platform: &str, title: Option<&str>, text: &str) -> String {
    let inspector = Inspector::default();
    let platform = inspector.platform(Some(platform)).unwrap();
    let prose = Prose::of(text);
    let findings = inspector.check(&InspectedChapter { title, text, prose: &prose }, platform, Language::Zh);
    for finding in &findings {
        assert!(!finding.title.contains(['{', '}']) && !finding.advice.contains(['{', '}']), "{finding:?}");
        if let Some(span) = &finding.span {
            assert_eq!(text.get(span.clone()), Some(finding.text.as_str()));
        }
    }
    findings
        .iter()
        .map(|finding| format!("{} {}", finding.code, finding.text))
        .collect::<Vec<_>>()
        .join("; ")
        .trim()
        .into()
}

fn long(text: &str) -> String {
    let mut long = "雨停了，她把灯点上，坐在窗前等人来。\n".repeat(150);
    long.push_str(text);
    long
}

#[test]
fn contacts_are_found_however_they_are_written() {
    let cases = [
        ("上 http://a.example/b?c=1，看", "QC301 http://a.example/b?c=1"),
        ("上www.abc.com看。", "QC301 www.abc.com"),
        ("去 abc-d.com 找我", "QC301 abc-d.com"),
        ("去ａｂｃ．ｃｏｍ找我", "QC301 ａｂｃ．ｃｏｍ"),
        ("他打13800138000。", "QC302 13800138000"),
        ("他打 138-0013-8000。", "QC302 138-0013-8000"),
        ("号码是１３８００１３８０００", "QC302 １３８００１３８０００"),
        ("拨 010-12345678 找他", "QC302 010-12345678"),
        ("call 555-123-4567 now", "QC302 555-123-4567"),
        ("编号 20231105001234", ""),
        ("公元1984年3月5日，3000人", ""),
        ("加QQ群：123456789", "QC303 QQ群：123456789"),
        ("我的qq是 12345678", "QC303 qq是 12345678"),
        ("微信：abc_123", "QC304 微信：abc_123"),
        ("加 vx abc12345", "QC304 vx abc12345"),
        ("他用微信给她发了消息", ""),
        ("他打开 wechat again and again", ""),
        ("写信到 a.b@c-d.com。", "QC305 a.b@c-d.com"),
        ("他说@everyone 快来", ""),
        ("It ended.Come here. A 3.5 percent rise, e.g. this.", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(found("general", None, &long(text)), expected, "{text}");
    }
}

#[test]
fn each_platform_has_its_lengths_and_titles() {
    let text = long("");
    let cases = [
        ("qidian", Some("第三章 夜雨"), text.as_str(), ""),
        ("qidian", Some(""), &text, "QC201"),
        ("qidian", Some("夜雨"), &text, "QC202"),
        ("qidian", Some("第三章 【求票】夜雨★"), &text, "QC204"),
        ("qidian", Some("第三章 一个特别特别特别特别特别特别特别特别特别长的标题"), &text, "QC203"),
        ("qidian", None, &text[..text.len() / 2 / 3 * 3], "QC103"),
        ("qidian", None, "雨停了。", "QC102"),
        ("general", None, "", "QC101"),
        ("fanqie", Some("第3章夜雨"), &text, ""),
        ("general", Some("夜雨"), &text, ""),
    ];
    for (platform, title, text, expected) in cases {
        let codes = found(platform, title, text);
        assert_eq!(codes.trim_end(), expected, "{platform} {title:?}");
    }
    assert!(found("fanqie", None, &text.repeat(2)).starts_with("QC104"));
    assert!(found("fanqie", None, &text.repeat(5)).starts_with("QC105"));
}

#[test]
fn layout_is_checked() {
    let codes = |text: &str| {
        let found = found("qidian", Some("第三章 夜雨"), &long(text));
        found.split("; ").map(|one| one.split(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let cases = [
        ("\n雨停了。", ""),
        ("\n\n\n雨停了。", "QC405"),
        ("**重点**来了。", ""),
        ("她笑了😀。", "QC407"),
        ("後來電腦裡的鐘聲響了。", "QC408"),
        ("她姓乾，是後來的。", ""),
        ("雨\u{200b}停了。", "QC409"),
        ("雨\u{e000}停了。", "QC409"),
        ("  雨停了。", "QC404"),
        ("　　雨停了。", "QC403"),
        ("他走了很久很久很久很久很久，\n又走了很久很久很久很久很久很\n然后在很久很久很久很久以后的\n停下。", "QC410"),
    ];
    for (text, expected) in cases {
        assert_eq!(codes(text), expected, "{text}");
    }
    let endless = long(&"雨停了，她把灯点上".repeat(60));
    assert!(found("qidian", None, &endless).starts_with("QC401 雨停了"));
    assert_eq!(found("qidian", Some("第三章 夜雨"), &format!("第三章 夜雨\n{}", long(""))), "QC411 第三章 夜雨");
}

#[test]
fn a_user_brings_a_platform_and_sets_severities() {
    let toml =
        "name = 'mine'\n[length]\nleast = 10\n[severities]\nQC102 = 'low'\nQC301 = 'off'\n[contacts]\nlinks = true";
    let inspector = Inspector::default().with(PlatformRules::parse(toml).unwrap());
    let platform = inspector.platform(Some("MINE")).unwrap();
    let text = "www.abc.com";
    let prose = Prose::of(text);
    let findings = inspector.check(&InspectedChapter { title: None, text, prose: &prose }, platform, Language::En);
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].code.as_str(), findings[0].severity), ("QC102", qingyu_story::Severity::Low));
    assert!(findings[0].title.contains("mine wants at least 10"), "{}", findings[0].title);
    assert_eq!(inspector.platform(None).unwrap().name, "general");
    assert_eq!(inspector.platform(Some("起点中文网")).unwrap().name, "qidian");
    let unknown = inspector.platform(Some("x")).unwrap_err();
    assert!(matches!(unknown, crate::Error::UnknownPlatform { known, .. } if known.len() == 4));
    assert!(PlatformRules::parse("colour = 1").is_err());
}

#[test]
fn every_code_has_its_words_in_both_languages() {
    let codes = crate::messages::codes();
    assert_eq!(codes.len(), 25 + 8, "of the platforms, and of the floor");
    for code in codes {
        for language in [Language::Zh, Language::En] {
            let (title, advice) = crate::messages::message(code, language, &BTreeMap::new());
            assert!(!title.is_empty() && !advice.is_empty(), "{code}");
        }
    }
}

#[test]
fn a_title_is_taken_off_a_file() {
    let cases = [
        ("第三章 夜雨\n\n雨停了。", Some("第三章 夜雨")),
        ("# 夜雨\n雨停了。", Some("夜雨")),
        ("Chapter 3: Rain\nIt rained.", Some("Chapter 3: Rain")),
        ("雨停了。\n她走了。", None),
        ("第三章他没有读完，就把书合上了。", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let (title, rest, from) = split_title(text);
        assert_eq!(title, expected, "{text}");
        assert_eq!(&text[from..], rest);
    }
}
