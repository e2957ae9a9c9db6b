use super::*;
use crate::{Environment, Settings};

const NAME: &str = "outline/generate.zh.md";
const OWN: &str = "只写三章。\n{{ requirement | inert }}\n{{ task }}\n";

async fn studio(home: &Path) -> Studio {
    let home = ("QINGYU_HOME".to_owned(), home.to_str().unwrap().to_owned());
    Studio::open(Settings::load(Environment::new([home]), toml::Table::new()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_text_of_the_authors_takes_the_place_of_a_prompt_and_goes_again() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    let row = studio.write_prompt(NAME, OWN.into()).await.unwrap();
    assert!(row.overridden && row.problem.is_none());
    assert_eq!((row.agent.as_str(), row.part.as_str(), row.language), ("outline", "generate", Language::Zh));
    assert_eq!(std::fs::read_to_string(home.path().join("prompts").join(NAME)).unwrap(), OWN);
    // What runs are asked with is the same.
    let effective = studio.settings().effective(None).unwrap();
    assert_eq!(studio.prompts(&effective).unwrap().overridden()[NAME], OWN);

    let view = studio.prompt_view(NAME, None).await.unwrap();
    assert_eq!(view.text.as_deref(), Some(OWN));
    assert!(view.built_in.contains("规划大纲") && view.variables.contains(&"task".into()), "{view:?}");
    assert!(view.preview.text.unwrap().starts_with("只写三章。\n写一个灯塔看守人"));
    let listed = studio.prompt_rows().unwrap();
    assert_eq!(listed.iter().filter(|row| row.overridden).count(), 1);

    assert!(!studio.delete_prompt(NAME).await.unwrap().overridden);
    assert!(!studio.delete_prompt(NAME).await.unwrap().overridden, "there is nothing to take away");
    assert_eq!(studio.prompt_view(NAME, None).await.unwrap().text, None);
}

#[tokio::test]
async fn what_cannot_be_filled_is_refused_with_its_line_and_not_kept() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    for (text, wrong) in [
        ("一\n{{ taks }}", Some(2)),
        ("一\n二\n{% if %}", Some(3)),
        ("{{ material.nobody }}", Some(1)),
        ("一\n{{ task | nofilter }}", Some(2)),
        ("{% include \"../../etc/passwd\" %}", Some(1)),
        (&"长".repeat(30_000), None),
    ] {
        let error = studio.write_prompt(NAME, text.into()).await.unwrap_err();
        let Error::BadPrompt { name, line, message } = &error else { panic!("{error:?}") };
        assert_eq!((name.as_str(), *line, error.code()), (NAME, wrong, "bad_prompt"), "{message}");
        let preview = studio.preview_prompt(NAME, text.into(), None).await.unwrap();
        assert_eq!((preview.text, preview.problem.unwrap().line), (None, wrong));
    }
    assert!(!home.path().join("prompts").exists());
}

#[tokio::test]
async fn no_path_of_a_request_is_opened() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    std::fs::create_dir_all(home.path().join("prompts")).unwrap();
    for name in
        ["../config.toml", "/etc/passwd", "outline/generate.zh.md/../../x", "outline/generate.zh", "", "notes.md"]
    {
        let refused = [
            studio.prompt_view(name, None).await.unwrap_err(),
            studio.preview_prompt(name, String::new(), None).await.unwrap_err(),
            studio.write_prompt(name, "x".into()).await.unwrap_err(),
            studio.delete_prompt(name).await.unwrap_err(),
        ];
        assert!(refused.iter().all(|error| error.code() == "unknown_prompt"), "{name}: {refused:?}");
    }
}

#[tokio::test]
async fn a_text_that_was_put_there_by_hand_and_cannot_be_used_is_shown_with_its_problem() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    let folder = home.path().join("prompts/outline");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("generate.zh.md"), "{{ taks }}").unwrap();
    std::fs::write(folder.join("generate.en.md"), "Three chapters. {{ task }}").unwrap();
    let rows = studio.prompt_rows().unwrap();
    let own: Vec<_> = rows.iter().filter(|row| row.overridden).map(|row| (&*row.name, row.problem.is_some())).collect();
    assert_eq!(own, [(NAME, true), ("outline/generate.en.md", false)]);
    let view = studio.prompt_view(NAME, None).await.unwrap();
    assert_eq!((view.text.as_deref(), view.preview.text), (Some("{{ taks }}"), None));
    assert!(view.preview.problem.unwrap().message.contains("taks"));
    // Another can be mended meanwhile.
    studio.write_prompt("plot/system.zh.md", "你写情节。".into()).await.unwrap();
}

#[tokio::test]
async fn a_shared_part_is_seen_in_those_that_include_it() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    studio.write_prompt("shared/rules.zh.md", "随便写。".into()).await.unwrap();
    let including = studio.prompt_view("outline/system.zh.md", None).await.unwrap();
    assert!(including.preview.text.unwrap().contains("随便写。"));
}
