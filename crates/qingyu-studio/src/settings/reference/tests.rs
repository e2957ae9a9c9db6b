use std::collections::BTreeSet;
use std::path::PathBuf;

use super::*;
use crate::Settings;
use crate::settings::{Environment, assign};

/// With this variable set, the pages are written instead of compared.
const UPDATE: &str = "QINGYU_UPDATE_FILES";

fn all(language: Language) -> Vec<SettingDescription> {
    describe(language).into_iter().flat_map(|section| section.settings).collect()
}

#[test]
fn every_setting_is_described_in_both_languages() {
    let english = describe(Language::En);
    let mut keys = BTreeSet::new();
    for section in &english {
        keys.insert(section.name.clone());
        assert!(!section.meaning.is_empty(), "[{}] says nothing", section.name);
        for setting in &section.settings {
            assert!(keys.insert(setting.key.clone()), "{} is there twice", setting.key);
            assert!(!setting.meaning.is_empty(), "{} says nothing", setting.key);
            assert!(
                !setting.example.is_empty(),
                "{} has no example: add one to defaults.toml or its type",
                setting.key
            );
        }
    }
    let translated: BTreeSet<String> = CHINESE_MEANINGS.keys().cloned().collect();
    let lacking: Vec<_> = keys.difference(&translated).collect();
    let surplus: Vec<_> = translated.difference(&keys).collect();
    assert!(
        lacking.is_empty() && surplus.is_empty(),
        "reference.zh.toml lacks {lacking:#?}, has too many {surplus:#?}"
    );
}

#[test]
fn defaults_maxima_and_variables_belong_to_settings() {
    let sections = describe(Language::En);
    let mut keys = Vec::new();
    fn names(table: &Table, path: &[String], keys: &mut Vec<String>) {
        for (name, value) in table {
            let path: Vec<String> = path.iter().chain([name]).cloned().collect();
            match value {
                toml::Value::Table(inner) => names(inner, &path, keys),
                _ => keys.push(edit::written(&path)),
            }
        }
    }
    names(&table(&with_examples()), &[], &mut keys);
    keys.extend(VARIABLES.iter().filter_map(|variable| variable.setting.map(str::to_owned)));
    keys.extend(maxima::names().map(str::to_owned));
    for key in keys {
        assert!(described(&sections, &key).is_some(), "{key} is described nowhere");
    }
    for setting in sections.iter().flat_map(|section| &section.settings) {
        let is_number = matches!(setting.form, SettingForm::WholeNumber | SettingForm::WholeNumbers);
        assert!(setting.maximum.is_none() || is_number || setting.form == SettingForm::Number, "{setting:?}");
    }
}

#[test]
fn every_example_is_taken() {
    // What is needed beside one.
    let beside = [("budget.currency", "USD"), ("providers.mine.base_url", "http://127.0.0.1:9/v1")];
    for setting in all(Language::En) {
        let (key, value) = setting.example.split_once(" = ").unwrap();
        assert!(setting.is_of(key), "{} is no example of {}", setting.example, setting.key);
        let mut flags = Table::new();
        for (key, value) in beside {
            assign(&mut flags, key, value).unwrap();
        }
        assign(&mut flags, key, value).unwrap();
        let environment = Environment::new([("QINGYU_HOME".to_owned(), "/nonexistent".to_owned())]);
        let loaded = Settings::load(environment, flags);
        assert!(loaded.is_ok(), "{}: {:?}", setting.example, loaded.err());
    }
}

#[test]
fn a_setting_is_found_by_its_name() {
    let sections = describe(Language::En);
    let found = |key: &str| described(&sections, key).map(|setting| setting.key.as_str());
    assert_eq!(found("budget.tokens"), Some("budget.tokens"));
    assert_eq!(found("models.default"), Some("models.default"));
    assert_eq!(found("models.outline"), Some("models.<role>"));
    assert_eq!(found("models.effort.review"), Some("models.effort.<role>"));
    assert_eq!(found("prices.\"a/b.c\".input"), Some("prices.<model>.input"));
    assert_eq!(found("providers.mine.extra_body.a.b"), Some("providers.<provider>.extra_body"));
    assert_eq!(found("budget.nothing"), None);
    let budget = described(&sections, "budget.tokens").unwrap();
    assert_eq!((budget.form, &budget.default, budget.maximum), (SettingForm::WholeNumber, &None, Some(1e15)));
    assert_eq!(budget.variable.as_deref(), Some("QINGYU_BUDGET_TOKENS"));
    let search = described(&sections, "web.search").unwrap();
    assert_eq!(search.choices, ["none", "duckduckgo", "searxng", "brave", "tavily"]);
    assert_eq!(search.default, Some("duckduckgo".into()));
}

#[test]
fn the_pages_of_settings_are_up_to_date() {
    for (language, file) in [(Language::En, "settings.md"), (Language::Zh, "settings.zh.md")] {
        let page = page(language);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(&path, &page).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == page, "docs/{file} is out of date; run this test with {UPDATE}=1");
    }
}

/// The page about all settings.
fn page(language: Language) -> String {
    let zh = language == Language::Zh;
    let mut page = String::from(if zh { ZH_BEGIN } else { EN_BEGIN });
    for provider in qingyu_llm::Providers::built_in().iter() {
        let variable = provider.key_variable.as_deref().map_or_else(|| "–".to_owned(), code);
        let _ = writeln!(page, "| {} | {variable} | {} |", code(&provider.name), code(&provider.base_url));
    }
    for section in describe(language) {
        let SectionDescription { name, meaning, settings } = section;
        let _ = write!(page, "\n## `[{name}]`\n\n{meaning}");
        if settings.iter().any(|setting| setting.restart) {
            page.push_str(if zh {
                "改动在服务器重启后生效。"
            } else {
                " A change counts when the server is started anew."
            });
        }
        if settings.iter().any(|setting| setting.machine) {
            page.push_str(match zh {
                true => "只有本机的使用者能改，持密钥的来访者不能。",
                false => " Only the user of the machine changes it, never a caller with a key.",
            });
        }
        page.push_str(if zh { ZH_HEAD } else { EN_HEAD });
        for setting in settings {
            let default = setting.default.as_ref().map_or_else(|| "–".to_owned(), |value| code(&in_toml(value)));
            let maximum = setting.maximum.map_or_else(|| "–".to_owned(), grouped);
            let variable = setting.variable.as_deref().map_or_else(|| "–".to_owned(), code);
            let _ = writeln!(
                page,
                "| {} | {} | {default} | {maximum} | {variable} | {} | {} |",
                code(&setting.key),
                form_in_words(&setting, zh),
                code(&setting.example),
                setting.meaning.replace('|', "\\|")
            );
        }
    }
    page
}

const EN_BEGIN: &str = "# Settings

Every setting, made from the program's own types by a test (`QINGYU_UPDATE_FILES=1 cargo nextest run -p qingyu-studio settings::reference`); do not edit it
by hand. `qingyu config` shows what holds on your machine, where each value comes from, and what is not set.

Later layers win: what is compiled in, `config.toml` in the data folder (`qingyu config path`), `projects/<id>.toml` beside it for one book, environment variables,
flags. The examples are lines of such a file, above its first `[section]`; `<name>` stands for any name. The keys of models are no settings: `qingyu models key PROVIDER`, or their variables.
Variables that set nothing below: `QINGYU_HOME` (the data folder), `QINGYU_SERVER` and `QINGYU_SERVER_KEY` (the server that commands work on), `QINGYU_LOG` (what is logged),
`QINGYU_WEB_SEARCH_KEY` and `QINGYU_WEB_READER_KEY` (the keys of a search engine and of a reader of pages). Numbers are at least 0.

The providers that are known, with the variable of each key (`[providers]` adds others):

| provider | variable | address |
|---|---|---|
";
const EN_HEAD: &str =
    "\n\n| setting | form | default | at most | variable | example | meaning |\n|---|---|---|---|---|---|---|\n";
const ZH_BEGIN: &str = "# 设置一览

全部设置项，由测试从程序自身的类型生成（`QINGYU_UPDATE_FILES=1 cargo nextest run -p qingyu-studio settings::reference`），请勿手改。
本机实际生效的值、各自的来源以及尚未设置的项，用 `qingyu config` 查看。

后者覆盖前者：程序自带的默认值、数据文件夹里的 `config.toml`（`qingyu config path` 给出位置）、旁边只管一本书的 `projects/<id>.toml`、环境变量、命令行选项。
示例都是设置文件里的一行，写在第一个 `[段落]` 之前；`<name>` 这样的地方可填任意名称。模型密钥不写在设置里：用 `qingyu models key 服务商`，或相应的环境变量。
下表以外的环境变量：`QINGYU_HOME`（数据文件夹）、`QINGYU_SERVER` 与 `QINGYU_SERVER_KEY`（命令所用的服务器）、`QINGYU_LOG`（日志内容）、
`QINGYU_WEB_SEARCH_KEY` 与 `QINGYU_WEB_READER_KEY`（搜索引擎与网页阅读服务的密钥）。数值都不小于 0。

已知的服务商及其密钥所在的环境变量（可用 `[providers]` 另加）：

| 服务商 | 环境变量 | 地址 |
|---|---|---|
";
const ZH_HEAD: &str = "\n\n| 设置 | 形式 | 默认 | 上限 | 环境变量 | 示例 | 含义 |\n|---|---|---|---|---|---|---|\n";

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

fn in_toml(value: &Value) -> String {
    toml::Value::try_from(value.clone()).map_or_else(|_| value.to_string(), |value| value.to_string())
}

fn form_in_words(setting: &SettingDescription, zh: bool) -> String {
    let choices = || setting.choices.iter().map(|choice| format!("`{choice:?}`")).collect::<Vec<_>>();
    match (setting.form, zh) {
        (SettingForm::Switch, false) => "`true` or `false`".into(),
        (SettingForm::Switch, true) => "`true` 或 `false`".into(),
        (SettingForm::WholeNumber, false) => "whole number".into(),
        (SettingForm::WholeNumber, true) => "整数".into(),
        (SettingForm::Number, false) => "number".into(),
        (SettingForm::Number, true) => "数".into(),
        (SettingForm::Text, false) => "text".into(),
        (SettingForm::Text, true) => "文字".into(),
        (SettingForm::Choice, false) => choices().join(", "),
        (SettingForm::Choice, true) => choices().join("、"),
        (SettingForm::Texts, false) => "list of texts".into(),
        (SettingForm::Texts, true) => "文字列表".into(),
        (SettingForm::Choices, false) => format!("list of {}", choices().join(", ")),
        (SettingForm::Choices, true) => format!("列表，取自 {}", choices().join("、")),
        (SettingForm::WholeNumbers, false) => "list of whole numbers".into(),
        (SettingForm::WholeNumbers, true) => "整数列表".into(),
        (SettingForm::Table, false) => "table".into(),
        (SettingForm::Table, true) => "表".into(),
    }
}

/// A number with its thousands apart.
fn grouped(number: f64) -> String {
    let whole = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
