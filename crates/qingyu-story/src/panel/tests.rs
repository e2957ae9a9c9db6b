use super::blocks::panels;
use super::{Panel, PanelValue};

/// The panels of a text, a line each: what opened it, its owner, its entries.
fn read(text: &str) -> Vec<String> {
    let entry = |panel: &Panel| {
        let of = panel.entries.iter().map(|entry| match &entry.value {
            PanelValue::Amount { now, unit, .. } => format!("{}={now}{unit}", entry.key),
            PanelValue::Change { by, .. } => format!("{}{by:+}", entry.key),
            PanelValue::Text(text) => format!("{}: {text}", entry.key),
        });
        of.collect::<Vec<_>>().join(", ")
    };
    let line = |panel: Panel| format!("[{}] {} | {}", panel.title, panel.owner, entry(&panel));
    panels(text).into_iter().map(line).collect()
}

#[test]
fn chinese_panels_are_read() {
    for (text, expected) in [
        ("【面板】\n【姓名：林青】\n【境界：炼气三层】\n【力量：12】", "[面板] 林青 | 境界: 炼气三层, 力量=12"),
        (
            "【姓名：林青\n境界：筑基初期\n力量：12（+5）\n灵石：300/1000】",
            "[] 林青 | 境界: 筑基初期, 力量=12, 灵石=300",
        ),
        ("【宿主：林青，境界：筑基初期，力量：12，敏捷：9】", "[] 林青 | 境界: 筑基初期, 力量=12, 敏捷=9"),
        ("【叮！获得灵石×100】", "[]  | 灵石+100"),
        ("【消耗灵石1000】", "[]  | 灵石-1000"),
        ("【系统提示：力量+5】", "[]  | 力量+5"),
        ("【获得500点经验】", "[]  | 经验+500"),
        ("【恭喜宿主，境界提升至筑基初期！】", "[]  | 境界: 筑基初期"),
        ("他看见【力量提升5点】几个字。", "[]  | 力量+5"),
        ("——人物面板——\n姓名：林青\n等级：5级\n力量：十二", "[人物面板] 林青 | 等级=5级, 力量=12"),
        ("【宿主】林青\n【境界】金丹中期\n【寿元】500", "[] 林青 | 境界: 金丹中期, 寿元=500"),
        ("【剩余贡献：60】", "[]  | 贡献=60"),
        ("【林青的面板】\n【灵石：1,200块】", "[林青的面板]  | 灵石=1200块"),
    ] {
        assert_eq!(read(text), [expected], "{text}");
    }
}

#[test]
fn english_boxes_are_read() {
    for (text, expected) in [
        ("[Status]\n[Name: Kael]\n[Level: 5]\n[Strength: 12]", "[Status] Kael | Level=5, Strength=12"),
        ("**Status**\n**Name:** Kael\n**Level: 5**\n**Strength:** 12", "[Status] Kael | Level=5, Strength=12"),
        ("> Level: 5\n> HP: 85/100", "[]  | Level=5, HP=85"),
        ("| Name | Kael |\n|---|---|\n| Level | 5 |\n| Strength | 12 |", "[] Kael | Level=5, Strength=12"),
        ("`Name: Kael`\n`Level: 5`", "[] Kael | Level=5"),
        ("[Stamina 20 + 5 = 25]", "[]  | Stamina=25"),
        ("[+5 Strength]", "[]  | Strength+5"),
        ("[You have gained 300 Gold!]", "[]  | Gold+300"),
        ("[You have spent 40 Mana]", "[]  | Mana-40"),
        ("[Level up! You are now level 6.]", "[]  | level=6"),
        ("[Strength has increased by 2.]", "[]  | Strength+2"),
        ("[Kael's Status]\n[Gold: 1,200]", "[Kael's Status]  | Gold=1200"),
    ] {
        assert_eq!(read(text), [expected], "{text}");
    }
}

#[test]
fn a_second_name_begins_another_panel() {
    let read = read("【姓名：林青，等级：3】\n【姓名：周茂，等级：9】");
    assert_eq!(read, ["[] 林青 | 等级=3", "[] 周茂 | 等级=9"]);
}

#[test]
fn what_is_no_panel_is_passed_over() {
    for text in [
        "他说：“今天有12个人。”",
        "【物品：玄铁剑】\n【攻击力：12】",
        "【任务：杀十只狼】\n【奖励：灵石100】",
        "See [the note](https://example.org) and [1].",
        "[Item: Iron Sword]\n[Attack: 12]",
        "【叮！】",
        "【下一章更精彩】",
        "【注】此处从略",
        "Time: 12",
        "[Quest: Ten Wolves]\n[Reward: 300 Gold]",
    ] {
        assert_eq!(read(text), [""; 0], "{text}");
    }
}

#[test]
fn sums_are_worked_out() {
    let wrong = |text: &str| panels(text)[0].entries[0].wrong_sum();
    assert_eq!(wrong("【力量：12 + 5 = 18】"), Some((17.0, 18.0)));
    assert_eq!(wrong("【力量：12 + 5 = 17】"), None);
    assert_eq!(wrong("【力量：12（+5）= 18】"), Some((17.0, 18.0)));
    assert_eq!(wrong("【力量：12 → 18（+5）】"), Some((17.0, 18.0)));
    assert_eq!(wrong("【力量+5（12→18）】"), Some((17.0, 18.0)));
    assert_eq!(wrong("【灵石：1200 - 300 = 900】"), None);
    assert_eq!(wrong("[Strength: 12 -> 17]"), None);
}
