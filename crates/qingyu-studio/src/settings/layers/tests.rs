//! The values of all layers together.

use super::*;

fn environment(home: &Path, variables: &[(&str, &str)]) -> Environment {
    let home = ("QINGYU_HOME", home.to_str().unwrap());
    Environment::new([home].iter().chain(variables).map(|(name, value)| ((*name).into(), (*value).into())))
}

#[test]
fn values_are_those_of_the_highest_layer() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join("projects")).unwrap();
    std::fs::write(home.path().join("projects/p-1.toml"), "[pipeline]\nmax_iterations = 5").unwrap();
    let mut flags = Table::new();
    assign(&mut flags, "pipeline.max_iterations", "7").unwrap();
    for (variables, flags, value) in [
        (&[] as &[_], Table::new(), 5),
        (&[("QINGYU_MAX_ITERATIONS", "6")], Table::new(), 6),
        (&[("QINGYU_MAX_ITERATIONS", "6")], flags, 7),
    ] {
        let settings = Settings::load(environment(home.path(), variables), flags).unwrap();
        assert_eq!(settings.values(Some("p-1")).unwrap().pipeline.max_iterations, value);
    }
}

#[test]
fn the_compiled_in_settings_are_the_defaults_of_the_parts() {
    let home = tempfile::tempdir().unwrap();
    let settings = Settings::load(environment(home.path(), &[]), toml::Table::new()).unwrap();
    let values = settings.values(None).unwrap();
    assert_eq!(values.pipeline, qingyu_agents::PipelineConfig::default());
    assert_eq!(values.checker, qingyu_story::check::Config::default());
    assert_eq!(values.models.default, "auto");
    // Every section that can be set stands in the file, at least as a comment.
    let sections = serde_json::to_value(SettingValues::default()).unwrap();
    for section in sections.as_object().unwrap().keys() {
        assert!(DEFAULTS.contains(&format!("[{section}")), "{section} is not shown in defaults.toml");
    }
}

#[test]
fn the_examples_in_the_compiled_in_file_can_be_set() {
    let home = tempfile::tempdir().unwrap();
    let is_example = |rest: &&str| rest.starts_with(|first: char| !first.is_whitespace());
    let example = |line| str::strip_prefix(line, "#").filter(is_example).unwrap_or(line);
    let uncommented: Vec<&str> = DEFAULTS.lines().map(example).collect();
    std::fs::write(home.path().join("config.toml"), uncommented.join("\n")).unwrap();
    let settings = Settings::load(environment(home.path(), &[]), toml::Table::new()).unwrap();
    assert!(settings.values(None).unwrap().budget.money.is_some());
}

#[test]
fn every_variable_sets_what_it_says() {
    for variable in VARIABLES {
        let Some(setting) = variable.setting else { continue };
        let home = tempfile::tempdir().unwrap();
        let value = match setting {
            "ui.language" => "en",
            "models.default" => "a/b",
            "embeddings.embedder" => "ollama/bge-m3",
            "storage.durability" => "relaxed",
            "storage.url" => "postgresql://me@127.0.0.1/x",
            "prompts.folder" => "/tmp/prompts",
            _ => "9",
        };
        let settings = Settings::load(environment(home.path(), &[(variable.name, value)]), toml::Table::new()).unwrap();
        let rows = settings.rows(None).unwrap();
        let row = rows.iter().find(|row| row.key == setting).unwrap();
        assert_eq!((row.layer, row.source.as_deref()), (SettingLayer::Environment, Some(variable.name)));
    }
}
