//! Whatever the text, every character has one place.

use proptest::prelude::*;
use qingyu_formats::{Error, SplitOptions, split};

fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "",
        "　　",
        " ",
        "第一章 雨",
        "第二章",
        "第二章",
        "第一卷 风",
        "楔子",
        "番外一",
        "《雨夜》",
        "作者：沈舟",
        "目录",
        "***",
        "———",
        "1",
        "2、灯",
        "Chapter 3: Rain",
        "PROLOGUE",
        "# 一",
        "## 二",
        "- 甲",
        "> 引",
        "`码`",
        "***粗***",
        "[a](b)",
        "<b>x</b>",
        "&amp;",
        "　　雨下了一夜。",
        "    四个空格",
        "It rained all night and",
        "he came.",
        "\u{feff}零",
        "\u{200b}",
        "字\u{0}",
        "\r",
        "\t制表",
    ]);
    prop_oneof![4 => words.prop_map(str::to_owned), 1 => any::<String>().prop_map(|text| text.replace('\n', " "))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_covered(lines in prop::collection::vec(line(), 1..40), name in prop::sample::select(vec!["a.txt", "a.md"]), cut in prop::option::of(1_usize..30)) {
        let text = format!("字\n{}", lines.join("\n"));
        let reading = qingyu_formats::ReadOptions { format: qingyu_formats::Format::of_name(name), ..Default::default() };
        match qingyu_formats::read(&mut text.as_bytes(), &reading) {
            Ok(ingested) => {
                let found = split(&ingested, &SplitOptions { cut, ..SplitOptions::default() }).unwrap();
                let c = found.coverage;
                prop_assert_eq!(c.characters(), ingested.text.chars().count());
                let sum = c.text() + c.headings() + c.title() + c.front() + c.contents() + c.separators() + c.apart() + c.blank();
                prop_assert_eq!(sum, c.characters());
                prop_assert_eq!(found.chapters.iter().map(|one| one.characters).sum::<usize>(), c.text() + c.separators());
            }
            Err(error) => prop_assert!(matches!(error, Error::NotText { .. } | Error::Empty), "{:?}", error),
        }
    }
}
