//! Chapters named in every way, and edited with their node and text together.

use crate::home::Home;

const BOOK: &str = "《河灯》\n作者：沈舟\n\n楔子 坠河\n　　清晨起了雾。\n\n第一卷 风起\n第001章 夜雨\n　　雨下了一夜。\n第002章 归人\n　　他回来了。天亮了。\n\n第二卷 云涌\n第001章 旧账\n　　账本翻开了。\n第003章 灯\n　　灯灭了。\n";

fn import(home: &Home) -> String {
    let file = home.file("河灯.txt", BOOK.as_bytes());
    let brought = home.run(&["import", file.to_str().unwrap(), "--json"]).expect(0).json();
    brought["project"]["project"].as_str().unwrap().to_owned()
}

/// The titles in reading order.
fn titles(list: &serde_json::Value) -> Vec<&str> {
    list["chapters"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap()).collect()
}

#[test]
fn every_door_means_the_same_chapter() {
    let home = Home::new();
    let project = import(&home);
    for name in
        ["2", "第2章", "第二章", "第 2 章", "Chapter 2", "第002章 归人", "归人", "d-3", "#3", "第一卷第二章", "@第二章"]
    {
        let difference = home.run(&["diff", &project, name, "--json"]).expect(0).json();
        assert_eq!(difference["texts"][0]["title"], "第002章 归人", "diff {name}");
        let analysed = home.run(&["analyze", &project, name, "--json"]).expect(0).json();
        assert_eq!(analysed["title"], "第002章 归人", "analyze {name}");
        let exported = home.run(&["export", &project, "--chapters", name, "--output", "-"]).expect(0).stdout;
        assert!(exported.contains("他回来了") && !exported.contains("雨下了"), "export {name}: {exported}");
        let cost = home.run(&["estimate", "write", &project, "--chapters", name, "--json"]).expect(0).json();
        assert_eq!(cost["chapters"], serde_json::json!([3]), "estimate {name}");
    }
    let unclear = home.run(&["diff", &project, "第一章", "--json"]).expect(1).json();
    assert_eq!(unclear["error"]["code"], "ambiguous_chapter", "{unclear}");
    let told = unclear["error"]["hint"].as_str().unwrap();
    assert!(told.contains("第001章 夜雨 (#2)") && told.contains("第001章 旧账 (#4)"), "{told}");
    home.run(&["diff", &project, "9"]).expect(1);
}

#[test]
fn chapters_are_edited_with_node_and_text() {
    let home = Home::new();
    let project = import(&home);
    let renamed = home.run(&["chapter", "rename", &project, "2", "第002章 故人", "--json"]).expect(0).json();
    assert!(titles(&renamed).contains(&"第002章 故人"), "{renamed}");
    let exported = home.run(&["export", &project, "--output", "-"]).expect(0).stdout;
    assert!(exported.contains("故人") && !exported.contains("归人"), "{exported}");

    home.run(&["chapter", "split", &project, "2", "天亮了", "第003章 天亮"]).expect(0);
    home.run(&["chapter", "move", &project, "旧账", "--after", "楔子"]).expect(0);
    home.run(&["chapter", "insert", &project, "第003章 间章", "--after", "灯"]).expect(0);
    let list = home.run(&["chapter", "show", &project, "--json"]).expect(0).json();
    assert_eq!(
        titles(&list),
        ["楔子 坠河", "第001章 旧账", "第001章 夜雨", "第002章 故人", "第003章 天亮", "第003章 灯", "第003章 间章"]
    );
    assert_eq!(list["same_numbers"][0]["number"], 3, "{list}");

    let deleted = home.run(&["chapter", "delete", &project, "天亮", "--json"]).expect(0).json();
    assert!(!titles(&deleted).contains(&"第003章 天亮"), "{deleted}");
    let exported = home.run(&["export", &project, "--output", "-"]).expect(0).stdout;
    assert!(!exported.contains("天亮了"), "{exported}");
    home.run(&["undo", &project]).expect(0);
    home.run(&["chapter", "join", &project, "故人"]).expect(0);
    let exported = home.run(&["export", &project, "--chapters", "2", "--output", "-"]).expect(0).stdout;
    assert!(exported.contains("他回来了") && exported.contains("天亮了"), "{exported}");
    let refused = home.run(&["chapter", "split", &project, "灯", "不在", "x", "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "bad_chapter_edit");
    assert!(refused["error"]["message"].as_str().unwrap().contains("不在"), "{refused}");
}

#[test]
fn comments_stay_at_their_words() {
    let home = Home::new();
    let project = import(&home);
    let added = home.run(&["comments", "add", &project, "旧账", "账本翻开了", "谁翻开的？", "--json"]).expect(0).json();
    let id = added["changed"].as_str().unwrap().to_owned();
    assert_eq!(added["comments"][0]["quote"], "账本翻开了", "{added}");
    home.run(&["comments", "reply", &project, &id, "他自己。"]).expect(0);

    let file = home.file("旧账.txt", "　　天黑之后，账本又翻开了。\n".as_bytes());
    home.run(&["edit", &project, "旧账", "--file", file.to_str().unwrap()]).expect(0);
    let listed = home.run(&["comments", "list", &project, "旧账", "--json"]).expect(0).json();
    assert_eq!(listed["comments"][0]["quote"], "账本又翻开了", "{listed}");
    assert_eq!(listed["comments"][0]["thread"].as_array().unwrap().len(), 2);
    let log = home.run(&["log", &project, "--json"]).expect(0).json();
    let newest = log.as_array().unwrap().last().unwrap();
    let kinds: Vec<&str> = newest["put"].as_array().unwrap().iter().filter_map(|put| put["kind"].as_str()).collect();
    assert!(kinds.contains(&"document") && !kinds.contains(&"comment"), "{newest}");

    home.run(&["comments", "resolve", &project, &id]).expect(0);
    let open = home.run(&["comments", "list", &project]).expect(0).stdout;
    assert!(!open.contains("谁翻开的"), "{open}");
    let file = home.file("空.txt", "　　他在雨里睡着。\n".as_bytes());
    home.run(&["edit", &project, "旧账", "--file", file.to_str().unwrap()]).expect(0);
    let all = home.run(&["comments", "list", &project, "--all"]).expect(0).stdout;
    assert!(all.contains("谁翻开的") && all.contains("账本又翻开了"), "{all}");
    home.run(&["comments", "remove", &project, &id]).expect(0);
    let refused = home.run(&["comments", "reply", &project, &id, "？", "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "unknown_comment");
    let refused = home.run(&["comments", "add", &project, "旧账", "没有这些字", "？", "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "bad_comment");
}

#[test]
fn suggested_words_are_accepted_or_refused() {
    let home = Home::new();
    let imported = import(&home);
    let project = imported.as_str();
    let suggest =
        ["comments", "suggest", project, "旧账", "账本翻开了", "账本合上了", "--remark", "更合前文", "--json"];
    let added = home.run(&suggest).expect(0).json();
    let id = added["changed"].as_str().unwrap();
    assert_eq!(added["comments"][0]["replacement"], "账本合上了", "{added}");
    let listed = home.run(&["comments", "list", project]).expect(0).stdout;
    assert!(listed.contains("→ 账本合上了") && listed.contains("更合前文"), "{listed}");
    let accepted = home.run(&["comments", "accept", project, id, "--json"]).expect(0).json();
    assert_eq!(accepted["comments"][0]["resolved"], true, "{accepted}");
    let exported = home.run(&["export", project, "--output", "-"]).expect(0).stdout;
    assert!(exported.contains("账本合上了") && !exported.contains("账本翻开了"), "{exported}");
    let again = home.run(&["comments", "accept", project, id, "--json"]).expect(2).json();
    assert_eq!(again["error"]["code"], "bad_comment");
    let remark = home.run(&["comments", "add", project, "旧账", "账本合上了", "好", "--json"]).expect(0).json();
    let id = remark["changed"].as_str().unwrap();
    let refused = home.run(&["comments", "accept", project, id, "--ui-lang", "en"]).expect(2).stderr;
    assert!(refused.contains("suggests no other words"), "{refused}");
}

#[test]
fn goals_count_what_is_written_by_hand() {
    let home = Home::new();
    let project = import(&home);
    let set = home.run(&["goals", &project, "--day", "5", "--book", "1000", "--json"]).expect(0).json();
    assert_eq!((&set["day_goal"], &set["book_goal"]), (&5.into(), &1000.into()), "{set}");
    assert_eq!((&set["written_today"], &set["streak"]), (&0.into(), &0.into()), "an import is not written: {set}");
    let file = home.file("灯.txt", "　　灯灭了。他又点上一*盏*。\n".as_bytes());
    let edited = home.run(&["edit", &project, "灯", "--file", file.to_str().unwrap(), "--json"]).expect(0).json();
    let stats = home.run(&["stats", &project, "--json"]).expect(0).json();
    let row = stats["chapters"].as_array().unwrap().iter().find(|row| row["document"] == edited["id"]).unwrap();
    let figures = home.run(&["analyze", &project, "灯", "--json"]).expect(0).json();
    assert_eq!([&edited["length"], &row["length"], &figures["figures"]["length"]], [11; 3], "{row}");
    let after = home.run(&["goals", &project, "--json"]).expect(0).json();
    assert_eq!((&after["written_today"], &after["streak"]), (&7.into(), &1.into()), "{after}");
    let shown = home.run(&["goals", &project, "--day", "0"]).expect(0).stdout;
    assert!(shown.contains("+7"), "{shown}");
}

#[test]
fn a_long_book_is_planned_arc_by_arc() {
    let home = Home::new();
    let made = home.create("写一部一百二十章的悬疑小说，主角是私家侦探", &["--yes", "--json"]).expect_worked().json();
    let project = made["project"].as_str().unwrap().to_owned();
    let outline = |home: &Home| {
        let story = home.run(&["export-story", &project]).expect(0).json();
        let nodes = story["outline_nodes"].as_array().unwrap().clone();
        let count = |kind: &str| nodes.iter().filter(|node| node["kind"] == kind).count();
        (count("book"), count("act"), count("arc"), count("chapter"))
    };
    let (books, volumes, arcs, chapters) = outline(&home);
    assert_eq!(books, 1);
    assert!(volumes >= 1 && arcs >= 5 && (10..30).contains(&chapters), "{volumes} {arcs} {chapters}");
    let planned = home.run(&["plan", &project, "--json"]).expect(0).json();
    assert!(planned["answer"].as_str().unwrap().contains("全书约 120 章"), "{planned}");
    let next = outline(&home);
    assert!(next.3 >= chapters + 10 && next.2 == arcs, "{next:?}");
    home.run(&["plan", &project, "--to", "120"]).expect(0);
    assert_eq!(outline(&home).3, 120);
    let told = home.run(&["plan", &project, "--arc", "99"]);
    assert!(told.code != Some(0) && (told.stdout + &told.stderr).contains("没有这一幕"));
}
