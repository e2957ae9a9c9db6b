//! A book as a folder of readable files, and edits brought back from it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::home::Home;

const BOOK: &str = "《河灯》\n\n第一章 夜雨\n　　雨下了一夜。\n　　他没有睡。\n\n第二章 归人\n　　他回来了。天亮了。\n";

fn import(home: &Home) -> String {
    let file = home.file("河灯.txt", BOOK.as_bytes());
    let brought = home.run(&["import", file.to_str().unwrap(), "--json"]).expect(0).json();
    brought["project"]["project"].as_str().unwrap().to_owned()
}

fn text(home: &Home, project: &str, chapter: &str) -> String {
    let story = home.run(&["export-story", project]).expect(0).json();
    let documents = story["documents"].as_array().unwrap().clone();
    let found = documents.iter().find(|document| document["title"] == chapter).unwrap();
    found["text"].as_str().unwrap().to_owned()
}

/// The file of a chapter.
fn file(folder: &Path, title: &str) -> PathBuf {
    let files = std::fs::read_dir(folder.join("章节")).unwrap().map(|entry| entry.unwrap().path());
    let is_its = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().ends_with(&format!("{title}.md"));
    files.into_iter().find(is_its).unwrap()
}

fn change(path: &Path, old: &str, new: &str) {
    let content = std::fs::read_to_string(path).unwrap();
    assert!(content.contains(old), "{content}");
    std::fs::write(path, content.replace(old, new)).unwrap();
}

#[test]
fn chapters_edited_in_the_folder_are_brought_back() {
    let home = Home::new();
    let project = import(&home);
    let folder = home.path().join("镜像");
    let to = folder.to_str().unwrap();
    let first = home.run(&["mirror", &project, "--to", to, "--json"]).expect(0).json();
    assert_eq!(
        (&first["removed"], &first["kept"], &first["commit"]),
        (&json!([]), &json!([]), &json!("off")),
        "{first}"
    );
    assert!(std::fs::read_to_string(folder.join("README.md")).unwrap().starts_with("# 河灯"));
    let before = text(&home, &project, "第一章 夜雨");
    let path = file(&folder, "第一章 夜雨");
    let content = std::fs::read_to_string(&path).unwrap();
    assert!(content.starts_with("# 第一章 夜雨\n\n") && content.contains("雨下了一夜。\n\n"), "{content}");

    change(&path, "他没有睡。", "他一夜没有睡。");
    let kept = home.run(&["mirror", &project, "--to", to, "--json"]).expect(0).json();
    assert_eq!(kept["kept"].as_array().unwrap().len(), 1, "an edited file is not overwritten: {kept}");
    let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    assert_eq!(read["read"]["edited"][0]["title"], "第一章 夜雨", "{read}");
    assert_eq!((&read["read"]["conflicts"], &read["kept"]), (&json!([]), &json!([])), "{read}");
    assert_eq!(text(&home, &project, "第一章 夜雨"), before.replace("他没有睡。", "他一夜没有睡。"));
    let again = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    assert_eq!((&again["read"]["edited"], &again["written"]), (&json!([]), &json!([])), "{again}");
    change(&path, "# 第一章 夜雨", "# 第一章 雨停");
    home.run(&["mirror", &project, "--to", to, "--read"]).expect(0);
    assert!(text(&home, &project, "第一章 雨停").contains("他一夜没有睡。"));
    assert!(file(&folder, "第一章 雨停").exists() && !path.exists(), "the file follows its title");
    let other = home.create("写一个灯塔看守人的短篇", &["--yes", "--json"]).expect_worked().json();
    let refused = home.run(&["mirror", other["project"].as_str().unwrap(), "--to", to, "--json"]);
    assert_eq!(refused.code, Some(1), "the folder of another book: {refused:?}");
}

#[test]
fn a_chapter_changed_on_both_sides_loses_nothing() {
    let home = Home::new();
    let project = import(&home);
    let folder = home.path().join("镜像");
    let to = folder.to_str().unwrap();
    home.run(&["mirror", &project, "--to", to]).expect(0);
    let path = file(&folder, "第二章 归人");
    change(&path, "天亮了。", "天没有亮。");
    let mine = home.file("改.txt", "　　他没有回来。\n".as_bytes());
    home.run(&["edit", &project, "2", "--file", mine.to_str().unwrap()]).expect(0);
    let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(3).json();
    let conflict: &Value = &read["read"]["conflicts"][0];
    let beside = folder.join(conflict["beside"].as_str().unwrap());
    assert!(std::fs::read_to_string(&beside).unwrap().contains("他没有回来。"), "{read}");
    assert!(std::fs::read_to_string(&path).unwrap().contains("天没有亮。"), "the file stays");
    assert!(text(&home, &project, "第二章 归人").contains("他没有回来。"), "the chapter stays");
    let told = home.run(&["mirror", &project, "--to", to, "--read", "--ui-lang", "en"]).expect(3).stdout;
    assert!(told.contains("in the folder and in the studio"), "{told}");

    change(&path, "他回来了。", "他没有回来。");
    std::fs::remove_file(beside).unwrap();
    let settled = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    assert_eq!(settled["read"]["edited"][0]["title"], "第二章 归人", "{settled}");
    assert!(text(&home, &project, "第二章 归人").contains("他没有回来。天没有亮。"));
}

#[test]
fn a_file_that_cannot_be_read_back_is_named_and_the_others_go_on() {
    let home = Home::new();
    let project = import(&home);
    let folder = home.path().join("镜像");
    let to = folder.to_str().unwrap();
    home.run(&["mirror", &project, "--to", to]).expect(0);
    let before = text(&home, &project, "第一章 夜雨");
    let first = file(&folder, "第一章 夜雨");
    let gbk = [0xd3_u8, 0xea, 0xa1, 0xa3];
    std::fs::write(&first, gbk).unwrap();
    change(&file(&folder, "第二章 归人"), "天亮了。", "天没有亮。");
    let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(3).json();
    assert_eq!(read["read"]["refused"][0]["reason"], "not_utf8", "{read}");
    assert_eq!(read["read"]["edited"][0]["title"], "第二章 归人", "{read}");
    assert_eq!(text(&home, &project, "第一章 夜雨"), before);
    assert_eq!(std::fs::read(&first).unwrap(), gbk);
    let told = home.run(&["mirror", &project, "--to", to, "--read", "--ui-lang", "en"]).expect(3).stdout;
    assert!(told.contains("UTF-8"), "{told}");
}

#[test]
fn a_title_that_is_refused_loses_nothing() {
    let home = Home::new();
    let project = import(&home);
    let folder = home.path().join("镜像");
    let to = folder.to_str().unwrap();
    home.run(&["mirror", &project, "--to", to]).expect(0);
    let path = file(&folder, "第二章 归人");
    change(&path, "天亮了。", "天没有亮。");
    change(&path, "# 第二章 归人", "# 第一章 夜雨");
    for _ in 0..2 {
        let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(3).json();
        assert_eq!(read["read"]["refused"][0]["reason"], "title_taken", "{read}");
        assert_eq!(read["read"]["conflicts"], json!([]), "{read}");
    }
    assert!(text(&home, &project, "第二章 归人").contains("天亮了。"), "neither title nor text");
    assert!(std::fs::read_to_string(&path).unwrap().contains("天没有亮。"));
    change(&path, "# 第一章 夜雨", "# 第二章 天未亮");
    home.run(&["mirror", &project, "--to", to, "--read"]).expect(0);
    assert!(text(&home, &project, "第二章 天未亮").contains("天没有亮。"));
}

#[test]
fn the_folder_of_the_settings_follows_each_command() {
    let home = Home::new();
    let root = home.path().join("books");
    home.file("config.toml", format!("[mirror]\nfolder = {:?}\n", root.to_str().unwrap()).as_bytes());
    let project = import(&home);
    let folder = root.join("河灯");
    assert!(std::fs::read_to_string(file(&folder, "第一章 夜雨")).unwrap().contains("雨下了一夜"));
    let mine = home.file("改.txt", "　　雨停了。\n".as_bytes());
    home.run(&["edit", &project, "1", "--file", mine.to_str().unwrap()]).expect(0);
    assert!(std::fs::read_to_string(file(&folder, "第一章 夜雨")).unwrap().contains("雨停了"));
    home.run(&["chapter", "rename", &project, "1", "第一章 雨停"]).expect(0);
    assert!(file(&folder, "第一章 雨停").exists());
    home.run(&["project", "rename", &project, "河灯记"]).expect(0);
    home.run(&["edit", &project, "1", "--file", mine.to_str().unwrap()]).expect(0);
    let committed = home.run(&["mirror", &project, "--git", "--json"]).expect(0).json();
    assert!(committed["folder"].as_str().unwrap().ends_with("河灯记"), "{committed}");
    assert!(["committed", "missing"].contains(&committed["commit"].as_str().unwrap()), "{committed}");
}

const STORY: &str = r#"{
    "premise": "雨夜里，一把铜钥匙换了主人。",
    "language": "zh",
    "characters": [
        {"name": "林青", "age": 52, "occupation": "灯塔看守人", "background": "生在海边。"},
        {"name": "李四"}
    ],
    "worldview": {
        "locations": [{"name": "灯塔", "alias": ["白塔"], "description": "立在礁石上。"}],
        "items": [{"name": "铜钥匙", "holder": "李四"}]
    }
}"#;

/// Imports a story with cards and writes its mirror.
fn with_cards(home: &Home) -> (String, PathBuf) {
    let file = home.file("story.json", STORY.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    let project = imported["project"]["project"].as_str().unwrap().to_owned();
    let folder = home.path().join("镜像");
    home.run(&["mirror", &project, "--to", folder.to_str().unwrap()]).expect(0);
    (project, folder)
}

#[test]
fn cards_edited_in_the_folder_are_brought_back() {
    let home = Home::new();
    let (project, folder) = with_cards(&home);
    let to = folder.to_str().unwrap();
    let story = || home.run(&["export-story", &project]).expect(0).json();
    let (before, changes) = (story(), home.run(&["log", &project, "--json"]).expect(0).json());
    let unchanged = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    assert_eq!((&unchanged["read"]["cards"], &unchanged["written"]), (&json!([]), &json!([])), "{unchanged}");
    assert_eq!(story(), before);

    change(&folder.join("人物/林青.md"), "52", "53");
    change(&folder.join("地点/灯塔.md"), "立在礁石上。", "立在黑礁石上。\n\n风很大。");
    let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    let cards = read["read"]["cards"].as_array().unwrap();
    assert_eq!(cards.len(), 2, "{read}");
    assert!(cards.iter().any(|card| card["name"] == "林青" && card["fields"] == json!(["年龄"])), "{read}");
    let mut expected = before;
    expected["characters"][0]["age"] = json!(53);
    expected["worldview"]["locations"][0]["description"] = json!("立在黑礁石上。\n\n风很大。");
    assert_eq!(story(), expected, "those fields and no other");
    let after = home.run(&["log", &project, "--json"]).expect(0).json();
    assert_eq!(after.as_array().unwrap().len(), changes.as_array().unwrap().len() + 2, "a change for each card");
    let again = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    assert_eq!((&again["read"]["cards"], &again["kept"]), (&json!([]), &json!([])), "{again}");
}

#[test]
fn a_field_that_cannot_be_read_is_named_and_stays_in_the_file() {
    let home = Home::new();
    let (project, folder) = with_cards(&home);
    let to = folder.to_str().unwrap();
    let path = folder.join("人物/林青.md");
    change(&path, "52", "很老");
    change(&path, "灯塔看守人", "看守人");
    for _ in 0..2 {
        let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(3).json();
        let refused = &read["read"]["refused"][0];
        assert_eq!(refused["reason"], "unread_fields", "{read}");
        assert_eq!(refused["fields"], json!([{"label": "年龄", "reason": "not_a_number"}]), "{read}");
        assert_eq!(read["read"]["conflicts"], json!([]), "{read}");
        assert!(std::fs::read_to_string(&path).unwrap().contains("很老"));
    }
    let person = &home.run(&["export-story", &project]).expect(0).json()["characters"][0];
    assert_eq!((&person["age"], &person["occupation"]), (&json!(52), &json!("看守人")));
    let told = home.run(&["mirror", &project, "--to", to, "--read", "--ui-lang", "en"]).expect(3).stdout;
    assert!(told.contains("not a whole number"), "{told}");
    change(&path, "很老", "60");
    home.run(&["mirror", &project, "--to", to, "--read"]).expect(0);
    assert_eq!(home.run(&["export-story", &project]).expect(0).json()["characters"][0]["age"], 60);
}

#[test]
fn a_card_changed_on_both_sides_or_deleted_in_the_folder_loses_nothing() {
    let home = Home::new();
    let (project, folder) = with_cards(&home);
    let to = folder.to_str().unwrap();
    let path = folder.join("人物/林青.md");
    change(&path, "生在海边。", "生在船上。");
    let call = r#"{"action": "update", "character_id": "林青", "character_data": {"occupation": "渔夫"}}"#;
    home.run(&["tool", &project, "character_tool", call]).expect(0);
    let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(3).json();
    assert_eq!(read["read"]["conflicts"][0]["title"], "林青", "{read}");
    let beside = folder.join(read["read"]["conflicts"][0]["beside"].as_str().unwrap());
    assert!(std::fs::read_to_string(&beside).unwrap().contains("渔夫"), "{read}");
    let person = &home.run(&["export-story", &project]).expect(0).json()["characters"][0];
    assert_eq!((&person["occupation"], &person["background"]), (&json!("渔夫"), &json!("生在海边。")));

    change(&path, "灯塔看守人", "渔夫");
    std::fs::remove_file(beside).unwrap();
    home.run(&["mirror", &project, "--to", to, "--read"]).expect(0);
    let person = &home.run(&["export-story", &project]).expect(0).json()["characters"][0];
    assert_eq!((&person["occupation"], &person["background"]), (&json!("渔夫"), &json!("生在船上。")));

    std::fs::remove_file(folder.join("物件/铜钥匙.md")).unwrap();
    let read = home.run(&["mirror", &project, "--to", to, "--read", "--json"]).expect(0).json();
    assert_eq!((&read["read"]["deleted"], &read["written"]), (&json!(["物件/铜钥匙.md"]), &json!(["物件/铜钥匙.md"])));
    let story = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(story["worldview"]["items"][0]["name"], "铜钥匙");
}
