//! Users, keys, the audit and copies, through the door.

use serde_json::Value;

use crate::home::{EN, Home};

#[test]
fn users_and_keys_are_made_listed_and_ended() {
    let home = Home::new();
    let added = home.run(&["users", "add", "anna", "--name", "Anna Li", "--json"]).expect(0).json();
    assert_eq!((&added["user"], &added["name"], &added["role"]), (&"anna".into(), &"Anna Li".into(), &"member".into()));
    let twice = home.run(&["users", "add", "anna", "--json"]).expect(2).json();
    assert_eq!(twice["error"]["code"], "bad_user");
    let in_words = home.run(&["users", "add", "anna", "--ui-lang", "zh"]).expect(2).stderr;
    assert!(in_words.contains("已有用户 anna"), "{in_words}");
    let listed = home.run(&["users", "list", "--ui-lang", "en"]).expect(0).stdout;
    assert!(listed.contains("Anna Li") && listed.contains("member") && listed.contains("local"), "{listed}");
    let off = home.run(&["users", "disable", "anna", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(off.contains("停用") && off.contains("成员"), "{off}");
    assert_eq!(home.run(&["users", "enable", "anna", "--json"]).expect(0).json()["disabled"], Value::Null);
    home.run(&["users", "disable", "nobody"]).expect(1);

    let arguments =
        ["keys", "make", "--user", "anna", "--name", "editor", "--expires", "30d", "--requests-per-minute", "60"];
    let limits = ["--parallel-runs", "2", "--tokens-per-day", "100000", "--money-per-day", "20CNY", "--json"];
    let made = home.run(&[&arguments[..], &limits[..]].concat()).expect(0).json();
    let (id, secret) = (made["key"].as_str().unwrap(), made["secret"].as_str().unwrap());
    assert!(secret.starts_with(made["prefix"].as_str().unwrap()) && secret.len() == 61, "{made}");
    assert_eq!((&made["right"], &made["state"], &made["projects"]), (&"write".into(), &"active".into(), &Value::Null));
    assert_eq!(made["limits"]["money_per_day"]["micros"], 20_000_000);
    let shown = home.run(&["keys", "list", "--user", "anna", "--ui-lang", "en"]).expect(0).stdout;
    assert!(shown.contains(id) && shown.contains("60 requests a minute") && shown.contains("20 CNY a day"), "{shown}");
    let json = home.run(&["keys", "list", "--json"]).expect(0).stdout;
    assert!(json.contains(id) && !json.contains(secret) && !json.contains(&secret[12..55]), "the secret is shown once");
    let revoked = home.run(&["keys", "revoke", made["prefix"].as_str().unwrap(), "--json"]).expect(0).json();
    assert_eq!((&revoked["key"], &revoked["state"]), (&id.into(), &"revoked".into()));

    let in_words = home.run(&["keys", "make", "--right", "read", "--ui-lang", "en"]).expect(0).stdout;
    let line = in_words.lines().find(|line| line.starts_with("qy_")).unwrap();
    assert!(line.len() == 61 && in_words.contains("shown only now"), "{in_words}");
    for wrong in [
        &["keys", "make", "--user", "anna", "--right", "admin"][..],
        &["keys", "make", "--expires", "soon"],
        &["keys", "make", "--money-per-day", "20"],
        &["keys", "make", "--requests-per-minute", "0"],
    ] {
        home.run(wrong).expect(2);
    }
    home.run(&["keys", "make", "--user", "nobody"]).expect(1);
    home.run(&["keys", "make", "--project", "p-none"]).expect(1);

    let audit = home.run(&["audit", "list", "--json"]).expect(0).json();
    let told: Vec<&str> = audit.as_array().unwrap().iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(told, ["key.make", "key.revoke", "key.make", "user.enable", "user.disable", "user.add"]);
    let older = home.run(&["audit", "list", "--before", "3", "--most", "1", "--json"]).expect(0).json();
    assert_eq!(older[0]["seq"], 2);
    let whole = home.run(&["audit", "verify", "--ui-lang", "en"]).expect(0).stdout;
    assert!(whole.starts_with("All 6 entries are intact."), "{whole}");
    let table = home.run(&["audit", "list", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(table.contains("操作") && table.contains("user.add"), "{table}");
}

#[test]
fn members_of_a_project_have_roles() {
    let home = Home::new();
    let made = home.create(EN, &["--json"]).expect_worked().json();
    let project = made["project"].as_str().or(made["project_id"].as_str()).unwrap();
    let none = home.run(&["members", "list", project, "--ui-lang", "en"]).expect(0).stdout;
    assert!(none.contains("qingyu members add"), "{none}");
    let added = home.run(&["members", "add", project, "林梅", "--expires", "30d", "--json"]).expect(0).json();
    assert_eq!((&added["name"], &added["role"]), (&"林梅".into(), &"comment".into()));
    let secret = added["secret"].as_str().unwrap();
    let in_words = home.run(&["members", "add", project, "Ben", "--role", "read", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(in_words.contains("可查看") && in_words.contains("Ben 的密钥") && in_words.contains("qy_"), "{in_words}");
    let listed = home.run(&["members", "list", project, "--ui-lang", "en"]).expect(0).stdout;
    assert!(listed.contains("林梅") && listed.contains("may read and comment") && !listed.contains(secret), "{listed}");
    let changed = home.run(&["members", "change", project, "林梅", "--role", "write", "--json"]).expect(0).json();
    assert_eq!((&changed["role"], &changed["key"]), (&"write".into(), &added["key"]));
    let gone = home.run(&["members", "remove", project, "Ben", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(gone.contains("Ben 已不是成员"), "{gone}");
    let listed = home.run(&["members", "list", project, "--json"]).expect(0).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    for (arguments, exit, code) in [
        (&["members", "add", project, "林梅"][..], 2, "bad_key"),
        (&["members", "change", project, "Ben", "--role", "read"], 1, "unknown_member"),
        (&["members", "list", "p-none"], 1, "unknown_project"),
    ] {
        let refused = home.run(&[arguments, &["--json"][..]].concat()).expect(exit).json();
        assert_eq!(refused["error"]["code"], code);
    }
    home.run(&["members", "add", project, "Eve", "--role", "admin"]).expect(2);
}

#[test]
fn a_run_waits_for_its_approver() {
    let home = Home::new();
    let waiting = ["--max-iterations", "0", "--set", "pipeline.thresholds.complete=101", "--yes", "--json"];
    let made = home.create(EN, &waiting).expect(3).json();
    let (run, project) = (made["run"].as_str().unwrap(), made["project"].as_str().unwrap());
    let free = home.run(&["runs", "approver", run, "--ui-lang", "en"]).expect(0).stdout;
    assert!(free.contains("Everybody with the right to write"), "{free}");
    let refused = home.run(&["runs", "approver", run, "林梅", "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "unknown_approver");
    home.run(&["members", "add", project, "林梅", "--role", "approve"]).expect(0);
    let named = home.run(&["runs", "approver", run, "林梅", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(named.contains("只能由 林梅 答复"), "{named}");
    let refused = home.run(&["resume", run, "--approve", "--ui-lang", "en"]).expect(1).stderr;
    assert!(refused.contains("Only 林梅 may answer"), "{refused}");
    home.run(&["runs", "approver", run, "--nobody"]).expect(0);
    home.run(&["resume", run, "--approve", "--json"]).expect(0);
}

#[test]
fn the_database_is_copied_and_put_back() {
    let (home, other) = (Home::new(), Home::new());
    let made = home.create(EN, &["--json"]).expect_worked().json();
    let project = made["project"].as_str().or(made["project_id"].as_str()).unwrap().to_owned();
    let copy = home.path().join("copies.db");
    let copy = copy.to_str().unwrap();
    let told = home.run(&["backup", "make", copy, "--ui-lang", "en"]).expect(0).stdout;
    assert!(told.contains("Copied to") && [" KB)", " MB)"].iter().any(|unit| told.contains(unit)), "{told}");
    let again = home.run(&["backup", "make", copy, "--json"]).expect(1).json();
    assert_eq!(again["error"]["code"], "target_exists");

    home.run(&["doctor"]);
    other.run(&["backup", "restore", copy, "--json"]).expect(0);
    let shown = other.run(&["show", &project, "--json"]).expect(0).json();
    assert_eq!(shown["story"], home.run(&["show", &project, "--json"]).expect(0).json()["story"]);
    let refused = other.run(&["backup", "restore", copy, "--json"]).expect(1).json();
    assert_eq!(refused["error"]["code"], "has_data");
    let replaced = other.run(&["backup", "restore", copy, "--replace", "--json"]).expect(0).json();
    assert!(std::path::Path::new(replaced["replaced"].as_str().unwrap()).exists(), "{replaced}");
    assert_eq!(other.run(&["audit", "verify", "--json"]).expect(0).json()["broken_at"], Value::Null);

    let text = home.file("text.db", b"once upon a time");
    let damaged = Home::new().run(&["backup", "restore", text.to_str().unwrap(), "--json"]).expect(1).json();
    assert_eq!(damaged["error"]["code"], "corrupt");
}

#[test]
fn scheduled_backups_are_listed_and_told_by_doctor() {
    let home = Home::new();
    let none = home.run(&["backup", "list", "--ui-lang", "en"]).expect(0).stdout;
    assert!(none.contains("No scheduled backups"), "{none}");
    let doctor = || {
        let rows = home.run(&["doctor", "--local", "--json"]).expect(0).json();
        rows.as_array().unwrap().iter().find(|row| row["check"] == "backups").unwrap().clone()
    };
    assert_eq!((&doctor()["state"], &doctor()["data"]["schedule"]), (&"ok".into(), &"no".into()));

    home.file("config.toml", b"[backups]\nevery = \"1d\"\nkeep = 3\n");
    assert_eq!((&doctor()["state"], &doctor()["data"]["trouble"]), (&"warning".into(), &"none".into()), "none so far");
    std::fs::create_dir_all(home.path().join("backups")).unwrap();
    home.file("backups/auto-20260101T080000Z.db", b"db");
    let status = home.run(&["backup", "list", "--json"]).expect(0).json();
    assert_eq!((&status["every"], &status["keep"]), (&"1d".into(), &3.into()), "{status}");
    assert_eq!(status["backups"][0]["at"], "2026-01-01T08:00:00Z", "{status}");
    assert_eq!((&doctor()["state"], &doctor()["data"]["trouble"]), (&"warning".into(), &"overdue".into()));
    let told = home.run(&["doctor", "--local", "--ui-lang", "en"]).expect(0).stdout;
    assert!(told.contains("Scheduled backups") && told.contains("studio running"), "{told}");
    let listed = home.run(&["backup", "list", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(listed.contains("auto-20260101T080000Z.db"), "{listed}");
}
