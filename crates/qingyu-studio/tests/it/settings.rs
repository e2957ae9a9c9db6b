use qingyu_studio::{Environment, Error, SettingLayer, Settings};
use serde_json::json;

use crate::{environment, table};

struct Layers {
    user: &'static str,
    project: &'static str,
    environment: &'static [(&'static str, &'static str)],
    flags: &'static [(&'static str, &'static str)],
}

impl Layers {
    fn load(&self, home: &std::path::Path) -> Result<Settings, Error> {
        std::fs::write(home.join("config.toml"), self.user).unwrap();
        std::fs::create_dir_all(home.join("projects")).unwrap();
        std::fs::write(home.join("projects/p-1.toml"), self.project).unwrap();
        Settings::load(environment(home, self.environment), table(self.flags))
    }
}

#[test]
fn each_layer_goes_over_those_before_it() {
    let key = "pipeline.max_iterations";
    let (user, project) = ("[pipeline]\nmax_iterations = 4", "[pipeline]\nmax_iterations = 5");
    let variable: &[_] = &[("QINGYU_MAX_ITERATIONS", "6")];
    let flag: &[_] = &[("pipeline.max_iterations", "7")];
    for (user, project, environment, flags, value, layer) in [
        ("", "", &[] as &[_], &[] as &[_], 3, SettingLayer::Default),
        (user, "", &[], &[], 4, SettingLayer::User),
        (user, project, &[], &[], 5, SettingLayer::Project),
        (user, project, variable, &[], 6, SettingLayer::Environment),
        (user, project, variable, flag, 7, SettingLayer::Flag),
        ("", project, &[], flag, 7, SettingLayer::Flag),
        (user, "", variable, &[], 6, SettingLayer::Environment),
    ] {
        let home = tempfile::tempdir().unwrap();
        let settings = Layers { user, project, environment, flags }.load(home.path()).unwrap();
        let rows = settings.rows(Some("p-1")).unwrap();
        let row = rows.iter().find(|row| row.key == key).unwrap();
        assert_eq!((&row.value, row.layer), (&json!(value), layer), "{user:?} {project:?} {environment:?} {flags:?}");
        let source = row.source.as_deref().unwrap_or_default();
        match layer {
            SettingLayer::User => assert!(source.ends_with("config.toml"), "{source}"),
            SettingLayer::Project => assert!(source.ends_with("p-1.toml"), "{source}"),
            SettingLayer::Environment => assert_eq!(source, "QINGYU_MAX_ITERATIONS"),
            SettingLayer::Default | SettingLayer::Flag => assert_eq!(source, ""),
        }
    }
}

#[test]
fn what_a_layer_gets_wrong_is_named_with_the_layer() {
    for (user, environment, flags, key, layer) in [
        (
            "[pipeline]\nmax_iterations = \"many\"",
            &[] as &[_],
            &[] as &[_],
            "pipeline.max_iterations",
            SettingLayer::User,
        ),
        ("[pipelines]", &[], &[], "pipelines", SettingLayer::User),
        ("[pipeline]\nmax_iteration = 2", &[], &[], "pipeline.max_iteration", SettingLayer::User),
        ("[models]\nauthor = \"a/b\"", &[], &[], "models.author", SettingLayer::User),
        ("[storage]\ndurability = \"none\"", &[], &[], "storage.durability", SettingLayer::User),
        ("[timeouts]\nidle = 0", &[], &[], "timeouts.idle", SettingLayer::User),
        ("[retries]\nlongest_wait = -1", &[], &[], "retries.longest_wait", SettingLayer::User),
        ("[budget]\nmoney = 1.0", &[], &[], "budget.money", SettingLayer::User),
        ("", &[("QINGYU_BUDGET_TOKENS", "lots")], &[], "budget.tokens", SettingLayer::Environment),
        ("", &[("QINGYU_UI_LANG", "fr")], &[], "ui.language", SettingLayer::Environment),
        ("", &[], &[("pipeline.enable_rag", "maybe")], "pipeline.enable_rag", SettingLayer::Flag),
        (
            "[pipeline]\nenable_rag = true",
            &[],
            &[("pipeline.enable_rag", "2")],
            "pipeline.enable_rag",
            SettingLayer::Flag,
        ),
        ("not toml", &[], &[], "", SettingLayer::User),
    ] {
        let home = tempfile::tempdir().unwrap();
        let error = Layers { user, project: "", environment, flags }.load(home.path()).unwrap_err();
        let Error::BadSettings { layer: found, key: named, message, .. } = &error else { panic!("{user}: {error:?}") };
        assert_eq!((named.as_str(), *found), (key, layer), "{user} {environment:?} {flags:?}: {message}");
        assert_eq!(error.code(), "bad_settings");
    }
}

#[test]
fn secrets_are_not_shown() {
    let home = tempfile::tempdir().unwrap();
    let secret = "sk-canary-5f2a91";
    let user = format!(
        "[providers.mine]\nbase_url = \"http://me:{secret}@127.0.0.1:9/v1\"\nheaders = {{ x-key = \"{secret}\" }}\n\
         extra_body = {{ token = \"{secret}\" }}"
    );
    std::fs::write(home.path().join("config.toml"), user).unwrap();
    let environment = environment(home.path(), &[("DEEPSEEK_API_KEY", secret), ("QINGYU_MODEL", "mine/m")]);
    let settings = Settings::load(environment.clone(), toml::Table::new()).unwrap();
    let rows = settings.rows(None).unwrap();
    let shown = serde_json::to_string(&rows).unwrap();
    assert!(shown.contains("providers.mine.base_url") && shown.contains("***"), "{shown}");
    for text in [shown, format!("{settings:?}"), format!("{environment:?}")] {
        assert!(!text.contains(secret), "{text}");
    }
    // A file that is no TOML is not quoted either.
    std::fs::write(home.path().join("config.toml"), format!("[providers.mine]\nkey = {secret}")).unwrap();
    let error = Settings::load(environment, toml::Table::new()).unwrap_err();
    assert!(!format!("{error} {error:?}").contains(secret), "{error}");
    assert!(error.to_string().contains("line 2"), "{error}");
}

#[test]
fn the_data_folder_is_the_platforms_unless_it_is_named() {
    let home = |variables: &[(&str, &str)]| {
        let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Environment::new(variables).home().display().to_string()
    };
    assert_eq!(home(&[("QINGYU_HOME", "/q"), ("XDG_DATA_HOME", "/x")]), "/q");
    if cfg!(target_os = "linux") {
        assert_eq!(home(&[("XDG_DATA_HOME", "/x"), ("HOME", "/h")]), "/x/qingyu");
        assert_eq!(home(&[("QINGYU_HOME", " "), ("HOME", "/h")]), "/h/.local/share/qingyu");
    }
}

#[test]
fn assignments_make_tables() {
    let made =
        table(&[("pipeline.max_iterations", "2"), ("models.all", "a/b"), ("prices.x.input", "1.5"), ("a", "[1]")]);
    let expected = "a = [1]\nmodels.all = \"a/b\"\npipeline.max_iterations = 2\nprices.x.input = 1.5";
    assert_eq!(made, expected.parse::<toml::Table>().unwrap());
    for key in ["", ".a", "a.", "a..b", &["a"; 33].join("."), &["'a'"; 33].join("."), &"a.".repeat(1 << 20)] {
        let error = qingyu_studio::settings::assign(&mut toml::Table::new(), key, "1");
        assert!(error.is_err(), "{} bytes", key.len());
    }
    assert!(qingyu_studio::settings::assign(&mut toml::Table::new(), &["a"; 32].join("."), "1").is_ok());
    assert!(qingyu_studio::settings::assign(&mut table(&[("a", "1")]), "a.b", "1").is_err());
}
