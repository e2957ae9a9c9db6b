//! Texts counted and reviewed on the command line: files, chapters, whole projects.

use serde_json::Value;

use crate::home::Home;

/// A project of three chapters, the third of which copies the first; its id.
fn project(home: &Home) -> String {
    let lines = |sentence: fn(usize) -> String| (1..=60).map(sentence).collect::<String>();
    let lamps = lines(|at| format!("第{at}盏灯亮了，林深沿着石阶往下走，数到{}就停。\n", at * 77));
    let river = lines(|at| format!("河水涨到第{at}级，苏晚把船缆又系紧{}圈，谁也没有说话。\n", at * 13));
    let document = |order: usize, title: &str, text: String| serde_json::json!({"title": title, "order": order, "outline_node": title, "text": text});
    let node = |order: usize, name: &str| serde_json::json!({"name": name, "kind": "chapter", "order": order, "words": 2000, "participants": ["林深"]});
    let story = serde_json::json!({
        "premise": "灯一盏一盏亮起来。",
        "characters": [{"name": "林深"}, {"name": "苏晚"}],
        "outline_nodes": [node(1, "第一章 灯"), node(2, "第二章 石阶"), node(3, "第三章 回声"), node(4, "第四章 天亮")],
        "documents": [
            document(1, "第一章 灯", format!("{lamps}“走吧。”林深说。他很高兴。")),
            document(2, "第二章 石阶", river),
            document(3, "第三章 回声", lamps.clone()),
        ],
    });
    let file = home.path().join("story.json");
    std::fs::write(&file, story.to_string()).unwrap();
    let imported = home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
    imported["project"]["project"].as_str().unwrap().to_owned()
}

#[test]
fn a_file_is_counted() {
    let home = Home::new();
    let file = home.path().join("夜雨.txt");
    std::fs::write(&file, "雨停了。“走吧。”林深低声说。他很高兴，冲出门去。").unwrap();
    let file = file.to_str().unwrap();
    let counted = home.run(&["analyze", file, "--json"]).expect(0).json();
    assert_eq!((&counted["title"], &counted["document"]), (&"夜雨".into(), &Value::Null));
    assert_eq!(counted["figures"]["dialogue"]["speakers"][0]["name"], "林深");
    let page = home.run(&["analyze", file, "--aspect", "emotion,pace", "--ui-lang", "en"]).expect(0).stdout;
    assert!(page.contains("Emotion") && page.contains("Pace") && !page.contains("Style"), "{page}");
    home.run(&["analyze", file, "--aspect", "taste"]).expect(2);
    assert_eq!(home.run(&["analyze", "no-such-thing", "--json"]).expect(1).json()["error"]["code"], "unknown_project");
}

#[test]
fn a_review_ends_as_a_check_does() {
    let home = Home::new();
    let file = home.path().join("chapter.txt");
    std::fs::write(&file, "第三章 夜雨\n\n他在赌 博网站上输光了钱，加我微信：abc_12345。\n").unwrap();
    let file = file.to_str().unwrap();
    let found = home.run(&["review", file, "--platform", "qidian", "--json"]).expect(4).json();
    assert_eq!(found["verdict"], "failed");
    let review = &found["reviews"][0];
    assert_eq!(
        (&review["title"], &review["review"]["sensitive"][0]["word"]),
        (&"第三章 夜雨".into(), &"赌博网站".into())
    );
    let span = &review["review"]["sensitive"][0]["span"];
    let text = std::fs::read_to_string(file).unwrap();
    let (from, to) = (span["start"].as_u64().unwrap() as usize, span["end"].as_u64().unwrap() as usize);
    assert_eq!(&text[from..to], "赌 博网站", "places are those of the file, its title included");
    let refused = home.run(&["review", file, "--platform", "nowhere", "--json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "unknown_platform");

    let own = home.path().join("own.toml");
    std::fs::write(&own, "level = 'loose'\n[length]\nmost = 3\n[severities]\nQC105 = 'low'\n").unwrap();
    let clean = home.path().join("clean.txt");
    std::fs::write(&clean, "雨停了，她走了。").unwrap();
    let (own, clean) = (own.to_str().unwrap(), clean.to_str().unwrap());
    let found = home.run(&["review", clean, "--platform", own, "--json"]).expect(0).json();
    assert_eq!(
        (&found["verdict"], &found["reviews"][0]["review"]["compliance"][0]["code"]),
        (&"passed".into(), &"QC105".into())
    );
}

#[test]
fn the_authors_lists_are_read_from_a_folder() {
    let home = Home::new();
    let file = home.path().join("text.txt");
    std::fs::write(&file, "灯塔下有人赌博。").unwrap();
    let lists = home.path().join("words");
    std::fs::create_dir_all(lists.join("platforms")).unwrap();
    home.file("config.toml", format!("[lists]\nfolder = {:?}\n", lists.to_str().unwrap()).as_bytes());
    let file = file.to_str().unwrap();
    let words = |arguments: &[&str]| -> Vec<String> {
        let found = home.run(&[&["review", file, "--json"], arguments].concat()).json();
        let hits = found["reviews"][0]["review"]["sensitive"].as_array().unwrap_or_else(|| panic!("{found}")).clone();
        hits.iter().map(|hit| hit["word"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(words(&[]), ["赌博"]);
    let own = "[[lists]]\ncategory = 'secret'\nwords = ['灯塔']\n";
    std::fs::write(lists.join("sensitive.toml"), own).unwrap();
    std::fs::write(lists.join("platforms/mine.toml"), "level = 'loose'\n").unwrap();
    assert_eq!(words(&[]), ["灯塔", "赌博"]);
    assert_eq!(words(&["--platform", "mine"]), [""; 0]);
    std::fs::rename(lists.join("sensitive.toml"), lists.join("sensitive.only.toml")).unwrap();
    assert_eq!(words(&[]), ["灯塔"]);
    std::fs::write(lists.join("emotion.zh.toml"), "reach = 'far'").unwrap();
    let failed = home.run(&["analyze", file, "--json"]).expect(1).json();
    assert_eq!(failed["error"]["code"], "bad_settings", "{failed}");
    assert!(failed.to_string().contains("emotion.zh.toml"), "{failed}");
}

#[test]
fn a_project_is_counted_and_reviewed() {
    let home = Home::new();
    let project = project(&home);
    let stats = home.run(&["stats", &project, "--json"]).expect(0).json();
    assert_eq!(stats["progress"]["chapters_written"], 3);
    assert_eq!(stats["progress"]["words_planned"], 8000);
    assert_eq!(stats["characters"][0]["name"], "林深");
    assert_eq!(stats["characters"][0]["speeches"], 1);
    let page = home.run(&["stats", &project, "--ui-lang", "en"]).expect(0).stdout;
    assert!(page.contains("第二章 石阶") && page.contains("3 / 4"), "{page}");

    let chapter = home.run(&["analyze", &project, "1", "--json"]).expect(0).json();
    assert_eq!((&chapter["title"], &chapter["figures"]["dialogue"]["speeches"]), (&"第一章 灯".into(), &1.into()));
    let book = home.run(&["analyze", &project, "--json"]).expect(0).json();
    assert!(book["figures"]["length"].as_u64() > chapter["figures"]["length"].as_u64(), "{book}");
    assert_eq!(home.run(&["analyze", &project, "4", "--json"]).expect(1).json()["error"]["code"], "no_text");

    let copied = home.run(&["review", &project, "3", "--json"]).expect(4).json();
    let originality = &copied["reviews"][0]["review"]["originality"];
    assert_eq!((&originality["share"], &originality["sources"][0]["source"]), (&1.0.into(), &"第一章 灯".into()));
    home.run(&["review", &project, "2"]).expect(0);
    let all = home.run(&["review", &project, "--json"]).expect(4).json();
    assert_eq!(all["reviews"].as_array().unwrap().len(), 3);
}

#[test]
fn a_model_judges_on_top_of_what_is_computed() {
    let home = Home::new();
    let project = project(&home);
    let offline = ["--judge", "--model", "offline-rules-1"];
    let analyze = |more: &[&str]| home.run(&[&["analyze", &project, "1"], &offline[..], more].concat()).expect(0);
    let computed = home.run(&["analyze", &project, "1", "--json"]).expect(0).json();
    let judged = analyze(&["--aspect", "style,pace", "--json"]).json();
    assert_eq!(judged["figures"], computed["figures"], "the computed half is what it is without a model");
    let judgement = &judged["judgement"];
    assert_eq!((&judgement["status"], &judgement["doubts"]), (&"done".into(), &Value::Null));
    let verdicts = judgement["judgement"]["aspects"].as_array().unwrap();
    assert_eq!(
        verdicts.iter().map(|verdict| verdict["aspect"].as_str().unwrap()).collect::<Vec<_>>(),
        ["style", "pace"]
    );
    assert_eq!(verdicts[0]["figures"][0], "sentences.mean");
    assert!(verdicts[0]["verdict"].as_str().unwrap().contains("离线规则只报指标"), "{judgement}");
    let run = judgement["run"].as_str().unwrap();
    assert_eq!(home.run(&["show", run, "--json"]).expect(0).json()["runs"][0]["run"], run, "it is a run like others");
    let page = analyze(&["--ui-lang", "en", "--quiet"]).stdout;
    let (figures, verdict) = (page.find("Style").unwrap(), page.find("The judgement").unwrap());
    assert!(figures < verdict && page.contains("sentences.mean"), "{page}");

    // A word of the author's own list is found by both halves.
    let lists = home.path().join("words");
    std::fs::create_dir_all(&lists).unwrap();
    std::fs::write(lists.join("sensitive.toml"), "[[lists]]\ncategory = 'secret'\nwords = ['船缆']\n").unwrap();
    home.file("config.toml", format!("[lists]\nfolder = {:?}\n", lists.to_str().unwrap()).as_bytes());
    let plain = home.run(&["review", &project, "2", "--json"]);
    let reviewed = home.run(&[&["review", &project, "2", "--json"], &offline[..]].concat());
    assert_eq!(plain.code, reviewed.code, "a judgement clears nothing");
    let reviewed = reviewed.json();
    assert_eq!(reviewed["reviews"], plain.json()["reviews"]);
    assert!(!reviewed["reviews"][0]["review"]["sensitive"].as_array().unwrap().is_empty());
    assert_eq!(reviewed["judgement"]["doubts"], serde_json::json!([]), "the rules doubt nothing");
    assert_eq!(reviewed["judgement"]["usage"]["calls"], 1, "the agent found the word, so it asked");
}

#[test]
fn only_a_chapter_is_judged() {
    let home = Home::new();
    let file = home.path().join("text.txt");
    std::fs::write(&file, "雨停了。").unwrap();
    let file = file.to_str().unwrap();
    for command in ["analyze", "review"] {
        let refused = home.run(&[command, file, "--judge", "--json"]).expect(2).json();
        assert_eq!(refused["error"]["code"], "nothing_to_judge");
        home.run(&[command, file, "--model", "offline-rules-1"]).expect(2);
    }
}

/// A reference of eight chapters, each of which ends with a question.
fn reference() -> String {
    let chapter = |number: usize| {
        format!(
            "第{number}章 夜航{number}\n\n船在第{number}个夜里离了岸，谁也没有点灯。\n\n“往北走。”林青说。“{number}里路就到。”林青说。“把帆收了。”林青说。\n\n他数着浪，数到{}就停下来。是谁在船尾敲门？\n\n",
            number * 7
        )
    };
    (1..=8).map(chapter).collect()
}

#[test]
fn a_reference_is_taken_apart_and_kept_as_a_genre() {
    let home = Home::new();
    let file = home.path().join("夜航.txt");
    std::fs::write(&file, reference()).unwrap();
    let file = file.to_str().unwrap();
    let torn = home.run(&["teardown", file, "--json"]).expect(0).json();
    let chapters = torn["structure"]["chapters"].as_array().unwrap();
    assert_eq!((chapters.len(), &chapters[0]["ends"]), (8, &"question".into()));
    assert_eq!(chapters[0]["stage"][0]["name"], "林青");
    assert_eq!(torn["structure"]["basis"][4]["by"], "form");
    assert!(!torn.to_string().contains("是谁在船尾敲门"), "no sentence of a reference is given out");
    assert_eq!(home.run(&["projects", "--json"]).expect(0).json(), serde_json::json!([]));

    let page = home.run(&["teardown", file, "--genre", "yehang", "--ui-lang", "en"]).expect(0).stdout;
    assert!(page.contains("What the figures rest on") && page.contains("--genre yehang"), "{page}");
    let listed = home.run(&["genres", "yehang", "--file"]).expect(0).stdout;
    assert!(listed.contains("every_ending_pulls = true") && !listed.contains("林青"), "{listed}");
    let refused = home.run(&["teardown", file, "--genre", "yehang", "--json"]);
    assert_eq!(refused.json()["error"]["code"], "target_exists");
    let named = home.run(&["teardown", file, "--genre", "仙侠", "--ui-lang", "en"]);
    assert!(named.stdout.contains("What the figures rest on"), "a failed save loses nothing: {}", named.stdout);
    assert!(!named.stdout.contains("--genre 仙侠"), "{}", named.stdout);
    home.run(&["teardown", file, "--genre", "yehang", "--replace"]).expect(0);
    assert_eq!(
        home.run(&["teardown", file, "--genre", "../x", "--json"]).expect(1).json()["error"]["code"],
        "bad_request"
    );
}
