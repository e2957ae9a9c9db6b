//! Books brought in and out on the command line, their versions and branches.

use crate::home::Home;

const BOOK: &str = "《雨夜》\n作者：沈舟\n\n第一卷 风起\n第一章 来客\n　　雨下了一夜。\n　　他来了。\n\n　　天亮了。\n第二章 灯\n　　灯灭了。\n第四章 海\n　　海很大。\n";

/// The project that a manuscript has become.
fn import(home: &Home, text: &str) -> String {
    let file = home.file("雨夜.txt", text.as_bytes());
    let brought = home.run(&["import", file.to_str().unwrap(), "--json"]).expect(0).json();
    brought["project"]["project"].as_str().unwrap().to_owned()
}

#[test]
fn a_manuscript_becomes_a_project_once() {
    let home = Home::new();
    let bytes = encoding_of(BOOK);
    let file = home.file("雨夜.txt", &bytes);
    let path = file.to_str().unwrap();
    let dry = home.run(&["import", path, "--dry-run"]).expect(0).stdout;
    assert!(dry.contains("gb18030") && dry.contains("缺第 3 章"), "{dry}");
    assert_eq!(home.run(&["projects", "--json"]).expect(0).json().as_array().unwrap().len(), 0);
    let first = home.run(&["import", path, "--json"]).expect(0).json();
    assert_eq!(first["title"], "雨夜");
    assert_eq!((first["chapters"].as_array().unwrap().len(), first["change"].as_u64()), (3, Some(1)));
    assert_eq!(first["coverage"]["characters"], BOOK.chars().count());
    let project = first["project"]["project"].as_str().unwrap();
    let again = home.run(&["import", path, "--json"]).expect(0).json();
    assert_eq!((again["again"].as_bool(), &again["change"]), (Some(true), &serde_json::Value::Null), "{again}");
    assert_eq!(again["project"]["project"], project);
    assert_eq!(home.run(&["projects", "--json"]).expect(0).json().as_array().unwrap().len(), 1);
    let story = home.run(&["export-story", project]).expect(0).json();
    assert_eq!(story["documents"][0]["text"], "雨下了一夜。\n他来了。\n\n天亮了。");
    assert_eq!(story["outline_nodes"][1]["parent"], "第一卷 风起");

    let changed = home.file("b.txt", BOOK.replace("灯灭了", "灯亮了").as_bytes());
    let changed = changed.to_str().unwrap();
    let refused = home.run(&["import", changed, "--project", project, "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "different_text", "{refused}");
    let replaced = home.run(&["import", changed, "--project", project, "--replace", "--json"]).expect(0).json();
    assert_eq!(replaced["chapters"][1]["state"], "replaced");

    let reference = home.file("参考.md", "# 海\n\n浪。\n".as_bytes());
    let reference =
        home.run(&["import", reference.to_str().unwrap(), "--as", "reference", "--project", project, "--json"]);
    assert_eq!(reference.expect(0).json()["chapters"][0]["title"], "参考");
    let text = home.run(&["import", path, "--project", project]).stdout
        + &home.run(&["import", path, "--ui-lang", "en", "--dry-run"]).stdout;
    assert!(text.contains("characters:"), "{text}");
}

fn encoding_of(text: &str) -> Vec<u8> {
    // Only what the test needs: the bytes of GB18030, as `iconv` gives them.
    let mut child = std::process::Command::new("python3")
        .args(["-c", "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode().encode('gb18030'))"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    child.wait_with_output().unwrap().stdout
}

#[test]
fn files_are_read_in_any_encoding_by_every_command() {
    let home = Home::new();
    let text = "雨下了一夜，他没有回来。灯还亮着，她在门口站了很久。";
    let gbk = home.file("夜.txt", &encoding_of(text));
    let gbk = gbk.to_str().unwrap();
    let analysed = home.run(&["analyze", gbk, "--json"]).expect(0);
    assert!(analysed.stderr.is_empty() || analysed.stderr.contains("gb18030"), "{}", analysed.stderr);
    assert!(home.run(&["review", gbk, "--json"]).stdout.contains('{'));
    let project = import(&home, BOOK);
    home.run(&["edit", &project, "第二章 灯", "--file", gbk]).expect(0);
    let story = home.run(&["export-story", &project]).expect(0);
    assert!(story.stdout.contains(text), "{}", story.stdout);
    let marked = home.file("story.json", format!("\u{feff}{}", story.stdout).as_bytes());
    home.run(&["import-story", marked.to_str().unwrap()]).expect(0);
    let mut lost = BOOK.as_bytes().to_vec();
    lost.remove(BOOK.find('灭').unwrap());
    let lost = home.file("lost.txt", &lost);
    let brought = home.run(&["import", lost.to_str().unwrap(), "--dry-run", "--json"]).expect(0).json();
    assert_eq!(brought["encoding"]["by"], "nearly", "{brought}");
    assert_eq!(brought["chapters"].as_array().unwrap().len(), 3);
    let told = home.run(&["import", lost.to_str().unwrap(), "--encoding", "utf-8", "--dry-run"]).expect(0);
    assert!(told.stdout.contains('�'), "{}", told.stdout);
}

#[test]
fn a_folder_is_a_manuscript_in_natural_order() {
    let home = Home::new();
    for name in ["书", "空"] {
        std::fs::create_dir(home.path().join(name)).unwrap();
    }
    let folder = home.file("书/第10章 c.txt", "海很大。\n".as_bytes());
    home.file("书/第1章 a.txt", "雨下了一夜。\n".as_bytes());
    home.file("书/第2章 b.md", "灯灭了。\n".as_bytes());
    home.file("书/notes.pdf", b"%PDF");
    let folder = folder.parent().unwrap().to_str().unwrap();
    let brought = home.run(&["import", folder, "--dry-run", "--json"]).expect(0).json();
    let titles: Vec<&str> =
        brought["chapters"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!((titles, brought["title"].as_str()), (vec!["第1章 a", "第2章 b", "第10章 c"], Some("书")));
    let empty = home.file("空/x.pdf", b"%PDF");
    home.run(&["import", empty.parent().unwrap().to_str().unwrap()]).expect(2);
}

#[test]
fn a_project_folder_is_read_in_the_order_of_its_index() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join("夜.scriv/Files/Docs")).unwrap();
    let document =
        |id: u8, title: &str| format!("<BinderItem ID='{id}' Type='Text'><Title>{title}</Title></BinderItem>");
    let items = |kind: &str, items: &str| {
        format!("<BinderItem Type='{kind}'><Title>x</Title><Children>{items}</Children></BinderItem>")
    };
    let binder = items("DraftFolder", &(document(9, "来客") + &document(2, "灯")))
        + &items("ResearchFolder", &document(5, "灯塔史"));
    let index = format!("<ScrivenerProject><Binder>{binder}</Binder></ScrivenerProject>");
    let index = home.file("夜.scriv/夜.scrivx", index.as_bytes());
    home.file("夜.scriv/Files/Docs/9.rtf", b"{\\rtf1 It rained.}");
    home.file("夜.scriv/Files/Docs/2.rtf", b"{\\rtf1 It was dark");
    home.file("夜.scriv/Files/Docs/5.rtf", b"{\\rtf1 A history.}");
    for path in [index.parent().unwrap(), index.as_path()] {
        let brought = home.run(&["import", path.to_str().unwrap(), "--dry-run", "--json"]).expect(0).json();
        let titles: Vec<&str> =
            brought["chapters"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
        assert_eq!((titles, brought["title"].as_str()), (vec!["来客", "灯"], Some("夜")), "{brought}");
        assert_eq!(brought["format"], "scrivener");
        assert_eq!(brought["left_out"][0]["names"][0], "灯塔史");
        assert_eq!(brought["warnings"][0]["warning"], "truncated");
    }
    let path = index.to_str().unwrap();
    for (language, words) in [("en", ["outside the manuscript", "ends in the middle"]), ("zh", ["书稿以外", "不完整"])]
    {
        let shown = home.run(&["import", path, "--dry-run", "--ui-lang", language]).expect(0).stdout;
        assert!(words.iter().all(|word| shown.contains(word)) && shown.contains("灯塔史"), "{shown}");
    }
}

#[test]
fn the_author_says_what_a_heading_is() {
    let home = Home::new();
    let file = home.file("戏.txt", "场景一 渡口\n甲。\n场景二 账本\n乙。\n".as_bytes());
    let file = file.to_str().unwrap();
    let count = |arguments: &[&str]| {
        let all: Vec<&str> = ["import", file, "--dry-run", "--json"].iter().chain(arguments).copied().collect();
        home.run(&all).expect(0).json()["chapters"].as_array().unwrap().len()
    };
    assert_eq!((count(&["--heading", "场景."]), count(&["--no-split"])), (2, 1));
    let refused = home.run(&["import", file, "--heading", "幕", "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "bad_manuscript", "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains('幕'), "{refused}");
}

#[test]
fn what_stands_before_the_first_chapter_goes_out_there() {
    let home = Home::new();
    let text = "雨夜\n\n简介：一个很长的故事，讲一座灯塔和守塔人的二十年。\n\n第一章 来客\n雨下了一夜。\n\n第二章 灯\n灯灭了。\n";
    let project = import(&home, text);
    let out = home.run(&["export", &project, "--format", "md", "--output", "-"]).expect(0).stdout;
    let places = ["简介", "第一章 来客", "第二章 灯"].map(|words| out.find(words));
    assert!(places[0].is_some() && places.is_sorted(), "{out}");
}

#[test]
fn a_book_goes_out_and_comes_back() {
    let home = Home::new();
    let project = import(&home, BOOK);
    let before = home.run(&["export-story", &project]).expect(0).json();
    for format in ["md", "txt", "epub", "docx"] {
        let path = home.path().join(format!("out.{format}"));
        let path = path.to_str().unwrap();
        let exported =
            home.run(&["export", &project, "--format", format, "--output", path, "--author", "沈舟", "--json"]);
        assert_eq!(exported.expect(0).json()["chapters"], 3);
        let bytes = std::fs::read(path).unwrap();
        let refused = home.run(&["export", &project, "--output", path, "--json"]).expect(1).json();
        assert_eq!(refused["error"]["code"], "file_exists", "{refused}");
        home.run(&["export", &project, "--output", path, "--author", "沈舟", "--force"]).expect(0);
        assert_eq!(std::fs::read(path).unwrap(), bytes, "{format}: the same book has the same bytes");
        let other = Home::new();
        let brought = other.run(&["import", path, "--json"]).expect(0).json();
        let after = other.run(&["export-story", brought["project"]["project"].as_str().unwrap()]).expect(0).json();
        assert_eq!(after["documents"], before["documents"], "{format}");
        assert_eq!(after["outline_nodes"], before["outline_nodes"], "{format}");
    }
    let path = home.path().join("fanqie.txt");
    home.run(&["export", &project, "--platform", "fanqie", "--chapters", "2-", "--output", path.to_str().unwrap()])
        .expect(0);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("第一卷 风起\n\n\n第2章 灯\n\n　　灯灭了。\n"), "{text}");
    home.run(&["export", &project, "--platform", "qidian", "--format", "epub"]).expect(2);
    home.run(&["export", &project, "--chapters", "4-1"]).expect(1);
    home.run(&["export", &project, "--chapters", "9"]).expect(1);
}

#[test]
fn what_is_no_manuscript_is_refused_in_both_languages() {
    let home = Home::new();
    let pdf = home.file("a.pdf", b"%PDF-1.7");
    for (language, words) in [("en", "is unknown"), ("zh", "无法识别")] {
        let refused = home.run(&["import", pdf.to_str().unwrap(), "--ui-lang", language]).expect(1);
        assert!(refused.stderr.contains("bad_manuscript") && refused.stderr.contains(words), "{}", refused.stderr);
    }
    let epub = home.file("a.epub", b"noise");
    for (language, words) in [("en", "is damaged: it is not an archive"), ("zh", "已损坏（不是压缩包）")] {
        let refused = home.run(&["import", epub.to_str().unwrap(), "--ui-lang", language]).expect(1);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    home.run(&["import", "no-such-file.txt"]).expect(1);
    assert_eq!(home.run(&["projects", "--json"]).expect(0).json().as_array().unwrap().len(), 0);
}

#[test]
fn versions_are_compared_and_put_back() {
    let home = Home::new();
    let project = import(&home, BOOK);
    let changed = home.file("b.txt", BOOK.replace("雨下了一夜", "雨下了两夜").as_bytes());
    home.run(&["import", changed.to_str().unwrap(), "--project", &project, "--replace"]).expect(0);
    let text = home.run(&["diff", &project, "第一章", "--ui-lang", "en"]).expect(0).stdout;
    assert!(text.contains("雨下了[-一-]{+两+}夜"), "{text}");
    let whole = home.run(&["diff", &project, "--json"]).expect(0).json();
    assert_eq!(whole["texts"].as_array().unwrap().len(), 1, "{whole}");
    assert_eq!((&whole["texts"][0]["added"], &whole["texts"][0]["removed"]), (&1.into(), &1.into()));
    let coloured = home.run(&["diff", &project, "1", "--color", "always"]).expect(0).stdout;
    assert!(coloured.contains("\u{1b}[32m"), "{coloured}");

    let restored = home.run(&["restore", &project, "1", "--version", "1", "--json"]).expect(0).json();
    assert_eq!((&restored["version"], &restored["change"]), (&3.into(), &3.into()), "{restored}");
    let again = home.run(&["restore", &project, "第一章 来客", "--version", "1", "--json"]).expect(0).json();
    assert_eq!(again["change"], serde_json::Value::Null);
    let versions = home.run(&["diff", &project, "1", "--from", "1", "--to", "3", "--json"]).expect(0).json();
    assert_eq!(versions["texts"][0]["hunks"].as_array().unwrap().len(), 0);
    assert_eq!(versions["versions"].as_array().unwrap().len(), 3);
    let story = home.run(&["export-story", &project]).expect(0).json();
    assert_eq!(story["documents"][0]["text"], "雨下了一夜。\n他来了。\n\n天亮了。");
    assert_eq!(
        home.run(&["restore", &project, "1", "--version", "9", "--json"]).expect(1).json()["error"]["code"],
        "unknown_version"
    );
    assert_eq!(home.run(&["diff", &project, "无此章", "--json"]).expect(1).json()["error"]["code"], "unknown_document");
    home.run(&["undo", &project]).expect(0);
}

#[test]
fn a_story_is_told_in_two_ways() {
    let home = Home::new();
    let project = import(&home, BOOK);
    let replace = |project: &str, from: &str, to: &str| {
        let file = home.file("c.txt", BOOK.replace(from, to).as_bytes());
        home.run(&["import", file.to_str().unwrap(), "--project", project, "--replace"]).expect(0);
    };
    let text = |project: &str, place: usize| {
        home.run(&["export-story", project]).expect(0).json()["documents"][place]["text"].as_str().unwrap().to_owned()
    };
    let branch = home.run(&["branch", &project, "create", "另一种", "--json"]).expect(0).json();
    let branch = branch["project"].as_str().unwrap().to_owned();
    assert_eq!(text(&branch, 1), "灯灭了。");
    home.run(&["branch", &project, "create", "另一种"]).expect(2);
    let list = home.run(&["projects", "--ui-lang", "en"]).expect(0).stdout;
    assert!(list.contains("└ 另一种"), "{list}");

    replace(&branch, "灯灭了", "灯亮了");
    let compared = home.run(&["branch", &project, "compare", "另一种", "--json"]).expect(0).json();
    assert_eq!(compared["pieces"][0]["branch"], "changed", "{compared}");
    let merged = home.run(&["branch", &project, "merge", "另一种", "--json"]).expect(0).json();
    assert_eq!((merged["taken"].as_array().unwrap().len(), text(&project, 1)), (1, "灯亮了。".to_owned()));
    let again = home.run(&["branch", &project, "merge", "另一种", "--json"]).expect(0).json();
    assert_eq!(again["change"], serde_json::Value::Null);

    // What one side alone changes after a merge is no conflict.
    replace(&project, "灯灭了", "灯很亮");
    home.run(&["branch", &project, "merge", "另一种"]).expect(0);
    assert_eq!(text(&project, 1), "灯很亮。");

    replace(&branch, "灯灭了", "灯红了");
    let refused = home.run(&["branch", &project, "merge", "另一种", "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "branch_conflict", "{refused}");
    assert_eq!(text(&project, 1), "灯很亮。");
    home.run(&["branch", &project, "merge", "另一种", "--take", "branch"]).expect(0);
    assert_eq!(text(&project, 1), "灯红了。");
    home.run(&["undo", &project]).expect(0);
    assert_eq!(text(&project, 1), "灯很亮。");

    home.run(&["branch", &project, "delete", "另一种"]).expect(2);
    home.run(&["branch", &project, "delete", "另一种", "--yes"]).expect(0);
    assert_eq!(home.run(&["branch", &project, "--json"]).expect(0).json().as_array().unwrap().len(), 0);
    home.run(&["show", &branch]).expect(1);
    assert_eq!(
        home.run(&["branch", &project, "merge", "另一种", "--json"]).expect(1).json()["error"]["code"],
        "unknown_branch"
    );
    home.run(&["branch", &project, "create"]).expect(2);
}

#[test]
fn what_a_chapter_says_follows_its_import_and_its_restoration() {
    let home = Home::new();
    let story = r#"{"premise": "雨夜", "language": "zh", "characters": [{"name": "林深", "background": "记者"}],
        "outline_nodes": [{"name": "第一章 雨", "order": 1, "description": "林深来了。"}],
        "documents": [{"title": "第一章 雨", "order": 1, "outline_node": "第一章 雨", "version": 1, "text": "雨停了。"}]}"#;
    let file = home.file("story.json", story.as_bytes());
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    let project = imported["project"]["project"].as_str().unwrap().to_owned();
    let facts = || home.run(&["export-story", &project]).expect(0).json()["facts"].as_array().map_or(0, Vec::len);
    assert_eq!(facts(), 0);

    let file = home.file("book.txt", "第二章 夜\n\n林深今年二十六岁。他没有说话。\n".as_bytes());
    let brought = home.run(&["import", file.to_str().unwrap(), "--as", "book", "--project", &project, "--json"]);
    let brought = brought.expect(0).json();
    assert_eq!((&brought["settled"]["chapters"], &brought["settled"]["facts"]), (&1.into(), &1.into()), "{brought}");
    assert_eq!(facts(), 1);

    let file = home.file("edited.txt", "他没有说话。".as_bytes());
    home.run(&["edit", &project, "2", "--file", file.to_str().unwrap()]).expect(0);
    assert_eq!(facts(), 0, "the sentence is gone");
    home.run(&["restore", &project, "2", "--version", "1"]).expect(0);
    assert_eq!(facts(), 1, "the sentence is back");
}

#[test]
fn an_imported_book_is_read_by_rules_and_a_failed_reading_keeps_it() {
    let home = Home::new();
    let text = "第一章 雨\n\n林青今年二十六岁。林青住在旧港。林青说：“走吧。”林青站起来。\n\n\
        第二章 夜\n\n林青走了。林青说：“好。”林青推开门，看见苏婉。苏婉说：“坐。”\n";
    let file = home.file("in.txt", text.as_bytes());
    home.run(&["import", file.to_str().unwrap()]).expect(0);
    let projects = home.run(&["projects", "--json"]).expect(0).json();
    let project = projects[0]["project"].as_str().unwrap();
    let facts = || home.run(&["export-story", project]).expect(0).json()["facts"].clone();
    let before = facts();
    assert!(before.to_string().contains("旧港"), "{before}");
    let failed = home.run(&["read", project, "--model", "offline-rules-1", "--ui-lang", "zh"]).expect(1);
    assert!(failed.stdout.contains("还没有模型读过：1-2"), "{failed:?}");
    assert_eq!(facts(), before, "what the rules have read is kept");
}
