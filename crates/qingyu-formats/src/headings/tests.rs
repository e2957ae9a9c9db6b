use super::*;

fn told(line: &str) -> String {
    let Some(ParsedHeading { volume, chapter }) = read(line) else { return "text".into() };
    let label = |kind: &str, label: Option<HeadingLabel>| {
        label.map(|l| format!("{kind}{} {}", l.number.map_or("-".into(), |n| n.to_string()), l.words))
    };
    [label("v", volume), label("c", chapter)].into_iter().flatten().collect::<Vec<_>>().join(" / ")
}

#[test]
fn headings_are_told_from_sentences() {
    let cases = [
        ("第三章", "c3 第三章"),
        ("　　第十二章　夜雨", "c12 第十二章 夜雨"),
        ("第12章：归来", "c12 第12章：归来"),
        ("第 12 章 归来", "c12 第 12 章 归来"),
        ("第一百零三回 风雪", "c103 第一百零三回 风雪"),
        ("第三章雨夜来客", "c3 第三章雨夜来客"),
        ("【第五章 重逢】", "c5 第五章 重逢"),
        ("第三章的时候，他还不知道", "text"),
        ("第三章他写了三天，终于写完。", "text"),
        ("第三章 他写完了。", "text"),
        ("第一卷 风起", "v1 第一卷 风起"),
        ("卷二 云涌", "v2 卷二 云涌"),
        ("卷起袖子", "text"),
        ("上卷", "v1 上卷"),
        ("上部队去了", "text"),
        ("第一卷 风起 第三章 夜雨", "v1 第一卷 风起 / c3 第三章 夜雨"),
        ("第五卷 终章", "v5 第五卷 终章"),
        ("第五卷 十五话", "v5 第五卷 / c15 十五话"),
        ("第一卷 Mission.2 灯", "v1 第一卷 / c2 Mission.2 灯"),
        ("楔子", "c- 楔子"),
        ("番外二 海边", "c- 番外二 海边"),
        ("番外的事他不管", "text"),
        ("序幕拉开了", "text"),
        ("尾声（上）", "c- 尾声（上）"),
        ("Chapter 12", "c12 Chapter 12"),
        ("CHAPTER IX. The Rain", "c9 CHAPTER IX. The Rain"),
        ("Chapter Twenty-One: Home", "c21 Chapter Twenty-One: Home"),
        ("Chapter Two Rain", "c2 Chapter Two Rain"),
        ("Chapter 3 - Rain", "c3 Chapter 3 - Rain"),
        ("Chapter 3-Rain", "c3 Chapter 3-Rain"),
        ("Chapter two was the longest of them.", "text"),
        ("Part One", "v1 Part One"),
        ("Part of him wanted to stay.", "text"),
        ("Book I", "v1 Book I"),
        ("Prologue", "c- Prologue"),
        ("Prologue to a war", "text"),
        ("他推开门。", "text"),
        ("", "text"),
    ];
    cases.iter().for_each(|(line, expected)| assert_eq!(told(line), *expected, "{line}"));
}
