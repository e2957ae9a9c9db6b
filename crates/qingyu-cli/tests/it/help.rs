use unicode_width::UnicodeWidthStr;

use crate::home::Home;

const COMMANDS: &[&str] = &[
    "",
    "create",
    "write",
    "correct",
    "rewrite",
    "runs",
    "projects",
    "show",
    "resume",
    "models",
    "doctor",
    "config",
    "rules",
    "graph",
    "search",
    "ask",
    "index",
    "import",
    "export",
    "diff",
    "restore",
    "branch",
    "replay",
    "estimate",
    "cost",
    "analyze",
    "review",
    "stats",
    "goals",
    "edit",
    "mirror",
    "reconcile",
    "task",
    "continue",
    "dialogue",
    "scene",
];

#[test]
fn every_command_explains_itself_in_both_languages() {
    let home = Home::new();
    for language in ["en", "zh"] {
        let mut all = String::new();
        for command in COMMANDS {
            let arguments: Vec<&str> =
                [command, "--help", "--ui-lang", language].into_iter().skip_while(|a| a.is_empty()).collect();
            let help = home.run(&arguments).expect(0);
            assert_eq!(help.stderr, "");
            all += &format!("$ qingyu {command} --help\n{}\n", help.stdout);
        }
        insta::assert_snapshot!(format!("help_{language}"), all);
    }
}

#[test]
fn short_help_fits_the_terminal() {
    let home = Home::new();
    for language in ["en", "zh"] {
        for command in COMMANDS {
            let arguments: Vec<&str> =
                [command, "-h", "--ui-lang", language].into_iter().skip_while(|a| a.is_empty()).collect();
            for line in home.run(&arguments).expect(0).stdout.lines() {
                assert!(line.width() <= 80, "{language} {command}: {line}");
            }
        }
    }
}

#[test]
fn the_language_of_messages_is_told_by_flag_variable_settings_or_locale() {
    let home = Home::new();
    let speaks = |command: &mut std::process::Command| {
        String::from_utf8(command.output().unwrap().stdout).unwrap().lines().next().unwrap_or_default().to_owned()
    };
    let english = "No runs yet.";
    assert!(!speaks(&mut home.command(&["runs"])).starts_with(english), "C.UTF-8 tells nothing");
    assert!(speaks(home.command(&["runs"]).env("LANG", "en_GB.UTF-8")).starts_with(english));
    home.file("config.toml", b"[ui]\nlanguage = \"en\"\n");
    assert!(speaks(home.command(&["runs"]).env("LANG", "zh_CN.UTF-8")).starts_with(english));
    assert!(!speaks(home.command(&["runs"]).env("QINGYU_UI_LANG", "zh")).starts_with(english));
    assert!(speaks(home.command(&["runs", "--ui-lang", "en"]).env("QINGYU_UI_LANG", "zh")).starts_with(english));
}
