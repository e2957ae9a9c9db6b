use unicode_width::UnicodeWidthStr;

use crate::home::{EN, Home, OFFLINE, ZH};

#[test]
fn a_run_is_replayed_from_its_cassette_here_and_elsewhere() {
    for requirement in [ZH, EN] {
        let home = Home::new();
        let made = home.create(requirement, &["--json"]).expect_worked().json();
        let run = made["run"].as_str().unwrap();
        let again = home.run(&["replay", run, "--json"]).expect(0).json();
        assert_eq!(again["identical"], true, "{again}");
        assert!(again["project"].is_null() && again["spent"]["calls"] == 0);
        let text = home.run(&["replay", run]).expect(0);
        assert!(text.stdout.contains("✓") && text.stderr.is_empty(), "{text:?}");
        for line in text.stdout.lines() {
            assert!(line.width() <= 80, "{line}");
        }

        let elsewhere = Home::new();
        let file = home.path().join("cassettes").join(format!("{run}.jsonl"));
        let arguments = ["replay", file.to_str().unwrap(), "--keep", "--title", "灯塔", "--json"];
        let kept = elsewhere.run(&arguments).expect(0).json();
        let shown = elsewhere.run(&["show", kept["project"].as_str().unwrap(), "--json"]).expect(0).json();
        assert_eq!(shown["story"]["outline_nodes"], made["outline_nodes"]);
        assert_eq!(shown["project"]["title"], "灯塔");
        let spent = elsewhere.run(&["cost", "--json"]).expect(0).json();
        assert_eq!((&spent["total"]["calls"], &spent["today"]["calls"]), (&0.into(), &0.into()), "{spent}");
        assert!(spent["total"]["replayed"].as_u64().unwrap() > 3);
    }
}

#[test]
fn a_changed_prompt_is_told_and_what_is_wrong_too() {
    let home = Home::new();
    let made = home.create(EN, &["--json"]).expect_worked().json();
    let run = made["run"].as_str().unwrap();
    let prompt = home.file("mine.md", b"{% include \"shared/context.en.md\" %}\n\nWrite a plot. {{ task }}\n");
    let changed = format!("plot/generate.en.md={}", prompt.display());
    let arguments = [&["replay", run, "--prompt", &changed, "--json"], &OFFLINE[..]].concat();
    let again = home.run(&arguments).expect(0).json();
    let calls = again["runs"][0]["calls"].as_array().unwrap();
    let asked: Vec<_> = calls.iter().filter(|call| !call["asked"].is_null()).map(|call| &call["purpose"]).collect();
    assert_eq!(asked, ["plot.generate"], "{again}");
    let none = home.run(&["replay", "r-none"]).expect(1);
    assert!(none.stderr.contains("error[unknown_run]"), "{none:?}");
    let torn = home.file("torn.jsonl", b"{\"version\":9}\n");
    let torn = home.run(&["replay", torn.to_str().unwrap(), "--json"]).expect(1).json();
    assert_eq!(torn["error"]["code"], "bad_cassette");
}

#[test]
fn estimates_are_tables_and_documents() {
    let home = Home::new();
    let made = home.create(ZH, &["--json"]).expect_worked().json();
    let project = made["project"].as_str().unwrap();
    let model = ["--model", "deepseek/deepseek-flash"];
    let key = |arguments: &[&str]| {
        let mut command = home.command(&[&["estimate"], arguments, &model[..]].concat());
        command.env("DEEPSEEK_API_KEY", "sk-none");
        crate::home::CommandOutput::of(command.output().unwrap()).expect(0)
    };
    for arguments in [&["create", ZH][..], &["write", project, "--chapters", "1-2"], &["task", "把第三章写紧一些"]]
    {
        let document = key(&[arguments, &["--json"]].concat()).json();
        let rows = document["rows"].as_array().unwrap();
        assert!(!rows.is_empty() && rows.iter().all(|row| row["cost"]["currency"] == "USD"), "{document}");
        assert!(document["costs"][0]["least"].as_u64() <= document["costs"][0]["most"].as_u64());
        for line in key(arguments).stdout.lines() {
            assert!(line.width() <= 80, "{line}");
        }
    }
    let two = key(&["write", project, "--chapters", "1-2", "--json"]).json();
    assert_eq!(two["chapters"], serde_json::json!([1, 2]));
    let cached =
        two["rows"].as_array().unwrap().iter().map(|row| row["cached"]["likely"].as_u64().unwrap()).sum::<u64>();
    assert!(cached > 0, "the second chapter finds the beginning in the cache");
    let review = key(&["review", "x", "--json"]).json();
    let calls = &review["rows"][0]["calls"];
    assert_eq!((&calls["least"], &calls["most"]), (&0.into(), &1.into()), "a text without such words asks nobody");
}

#[test]
fn spending_and_prices_are_shown() {
    let home = Home::new();
    assert!(home.run(&["cost", "--ui-lang", "en"]).expect(0).stdout.starts_with("Nothing has been spent yet."));
    let made = home.create(EN, &["--json"]).expect_worked().json();
    let run = made["run"].as_str().unwrap();
    for by in ["run", "project", "chapter", "agent", "purpose", "model", "day"] {
        let report = home.run(&["cost", run, "--by", by, "--json"]).expect(0).json();
        assert_eq!(report["total"]["calls"], made["usage"]["calls"], "{by}");
        assert!(!report["rows"].as_array().unwrap().is_empty());
        for line in home.run(&["cost", run, "--by", by]).expect(0).stdout.lines() {
            assert!(line.width() <= 80, "{line}");
        }
    }
    home.file("config.toml", b"[prices.\"mine/own\"]\ncurrency = \"EUR\"\ninput = 1.5\noutput = 3\ncached = 0.1\n");
    let prices = home.run(&["models", "--prices", "--json"]).expect(0).json();
    assert_eq!(prices["mine/own"]["cached"], 0.1);
    assert!(home.run(&["models", "--prices"]).expect(0).stdout.contains("mine/own"));
}

#[test]
fn a_budget_says_what_to_raise_and_the_run_goes_on() {
    let home = Home::new();
    let stopped = home
        .create(EN, &["--set", "budget.tokens=2000", "--set", "budget.free_models=true", "--json"])
        .expect(1)
        .json();
    let failure = &stopped["errors"][0];
    assert_eq!(
        (&failure["code"], &failure["data"]["setting"]),
        (&"budget".into(), &"budget.tokens".into()),
        "{stopped}"
    );
    let raised = format!("budget.tokens={}", 10_000_000);
    let run = stopped["run"].as_str().unwrap();
    let text = home
        .run(&["resume", run, "--set", "budget.tokens=2001", "--set", "budget.free_models=true", "--ui-lang", "en"])
        .expect(1);
    assert!(text.stderr.contains("budget.tokens=6000"), "{text:?}");
    home.run(&["resume", run, "--set", &raised, "--json"]).expect_worked();
    assert_eq!(home.run(&["replay", run, "--json"]).expect(0).json()["identical"], true);
}
