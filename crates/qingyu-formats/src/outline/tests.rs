use super::*;
use qingyu_story::RoleType;

const CHINESE: &str = "# 渡口\n\n写一个慢热的悬疑故事。\n\n## 一、人物\n\n| 姓名 | 角色 | 年龄 | 职业 | 口头禅 |\n|---|---|---|---|---|\n\
    | 林青 | 主角 | 32岁 | 守塔人 | 再等等 |\n| 老周 | 反派 |  | 船主 |  |\n\n- 阿九（小九）：渡口的孩子\n\n\
    ## 世界观\n\n江边小镇，1998 年。\n\n| 地点 | 描述 |\n|---|---|\n| 渡口 | 旧码头 |\n\n## 大纲\n\n### 第一卷 雾\n\n\
    - 第一章 来客：雨下了一夜。\n- 第二章：账本——少了一页。\n\n## 文风\n\n短句。\n";

const ENGLISH: &str = "# The Ferry\n\nA slow mystery.\n\n## Characters\n\n| Name | Role | Notes |\n|---|---|---|\n\
    | Ann Shaw | protagonist | keeps the light |\n| Cole | the ferryman | |\n\n## Outline\n\n\
    | Chapter | Title | Summary | Characters | Words |\n|---|---|---|---|---|\n\
    | 1 | The Rain | He comes. | Ann, Cole | 2,000 |\n| 2 | The Ledger | A page is gone. | | 1500 |\n";

#[test]
fn a_chinese_outline_gives_cast_places_and_chapters() {
    let outline = read_outline(CHINESE);
    let cast: Vec<_> = outline.characters.iter().map(|one| (one.name.as_str(), one.role_type, one.age)).collect();
    let expected = [
        ("林青", RoleType::Protagonist, Some(32)),
        ("老周", RoleType::Antagonist, None),
        ("阿九", RoleType::Supporting, None),
    ];
    assert_eq!(cast, expected);
    assert_eq!(outline.characters[0].occupation, "守塔人");
    assert_eq!(outline.characters[0].background, "口头禅：再等等");
    assert_eq!(outline.characters[2].alias, ["小九"]);
    assert_eq!(outline.characters[2].background, "渡口的孩子");
    let places: Vec<_> = outline.locations.iter().map(|one| (one.name.as_str(), one.description.as_str())).collect();
    assert_eq!((places, outline.setting.as_str()), (vec![("渡口", "旧码头")], "江边小镇，1998 年。"));
    let nodes: Vec<_> = outline
        .nodes
        .iter()
        .map(|node| (node.order, node.name.as_str(), node.parent.as_deref(), node.description.as_str()))
        .collect();
    let volume = Some("第一卷 雾");
    assert_eq!(
        nodes,
        [
            (1, "第一卷 雾", None, ""),
            (2, "第一章 来客", volume, "雨下了一夜。"),
            (3, "第二章 账本", volume, "少了一页。"),
        ]
    );
    assert_eq!(
        outline.rest,
        "# 渡口\n\n写一个慢热的悬疑故事。\n\n## 世界观\n\n江边小镇，1998 年。\n\n## 文风\n\n短句。"
    );
}

#[test]
fn an_english_outline_gives_cast_and_chapters() {
    let outline = read_outline(ENGLISH);
    let cast: Vec<_> = outline.characters.iter().map(|one| (one.name.as_str(), one.background.as_str())).collect();
    assert_eq!(cast, [("Ann Shaw", "keeps the light"), ("Cole", "Role: the ferryman")]);
    let nodes: Vec<_> = outline.nodes.iter().map(|node| (node.name.as_str(), node.description.as_str())).collect();
    assert_eq!(nodes, [("Chapter 1: The Rain", "He comes."), ("Chapter 2: The Ledger", "A page is gone.")]);
    assert_eq!(outline.nodes[0].participants, ["Ann", "Cole"]);
    assert_eq!((outline.chapters(), outline.nodes[0].words, outline.nodes[1].words), (2, Some(2_000), Some(1_500)));
    assert_eq!(outline.rest, "# The Ferry\n\nA slow mystery.");
}

#[test]
fn chapter_headings_take_the_paragraphs_below() {
    let first = "# Outline\n\n## Chapter 1: The Rain\n\nHe comes.\n\nIt rains.\n\n";
    let outline = read_outline(&format!("{first}## Chapter 2: The Ledger\n\nA page is gone.\n"));
    let nodes: Vec<_> = outline.nodes.iter().map(|node| (node.name.as_str(), node.description.as_str())).collect();
    assert_eq!(nodes, [("Chapter 1: The Rain", "He comes.\nIt rains."), ("Chapter 2: The Ledger", "A page is gone.")]);
}

#[test]
fn places_without_a_setting_stay_in_the_rest() {
    let text = "## Places\n\n- The Ferry: an old quay\n\n## Cast\n\n- Ann: keeps the light\n";
    let outline = read_outline(text);
    assert_eq!((outline.locations.len(), outline.characters.len()), (0, 1));
    assert_eq!(outline.rest, "## Places\n\n- The Ferry: an old quay");
}

#[test]
fn a_text_without_these_forms_is_all_rest() {
    for text in [
        "写一个守塔人的故事。\n\n- 慢热\n- 色调：冷",
        "| 指标 | 值 |\n|---|---|\n| 节奏 | 慢 |",
        "## 人物\n\n沉默的守塔人。",
        "> 第一章 引文",
    ] {
        let outline = read_outline(text);
        assert!(outline.is_empty(), "{outline:?}");
        assert_eq!(outline.rest, text);
    }
}
