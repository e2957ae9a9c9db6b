use std::path::Path;

use qingyu_story::{Character, Language, Story};

use crate::access::{KeyRequest, Right, UserRequest, UserRole};
use crate::mirrors::outcome::MirrorCommit;
use crate::settings::change::SettingEdit;
use crate::stories::import::StoryFile;
use crate::{Environment, Settings, Studio};

/// A studio with the folder `mirrors` in its home for mirrors.
async fn studio(home: &Path) -> Studio {
    std::fs::write(home.join("config.toml"), format!("[mirror]\nfolder = {:?}\n", home.join("mirrors"))).unwrap();
    open(home).await
}

async fn open(home: &Path) -> Studio {
    let home = ("QINGYU_HOME".to_owned(), home.to_str().unwrap().to_owned());
    Studio::open(Settings::load(Environment::new([home]), toml::Table::new()).unwrap()).await.unwrap()
}

/// The same studio for a caller with a key: of the local user, or of another one.
async fn with_key(studio: &Studio, user: Option<&str>, right: Right) -> Studio {
    let access = studio.access();
    if let Some(user) = user {
        let request = UserRequest { user: user.into(), name: None, role: UserRole::Admin };
        access.add_user(request).await.unwrap();
    }
    let request = KeyRequest {
        user: user.map(str::to_owned),
        name: "a key".into(),
        right,
        projects: Vec::new(),
        expires: None,
        limits: crate::KeyUsageLimits::default(),
    };
    let key = access.make_key(request).await.unwrap();
    studio.of(&access.authenticate(key.secret.reveal()).await.unwrap())
}

/// Imports a book with a character.
async fn book(studio: &Studio, title: &str) -> String {
    let person = Character { name: "林青".into(), age: Some(52), ..Character::default() };
    let story = Story { language: Language::Zh, characters: vec![person], ..Story::default() };
    let file = StoryFile { story, unknown: Vec::new() };
    studio.import(file, Some(title.to_owned())).await.unwrap().project.project
}

#[tokio::test]
async fn a_mirror_is_updated_read_back_and_told() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    let project = book(&studio, "守灯人").await;
    let before = studio.mirror_status(&project).await.unwrap();
    assert_eq!((before.is_available, before.on, before.folder, before.version), (true, true, None, None));
    let run = studio.run_mirror(&project, false).await.unwrap();
    let folder = home.path().join("mirrors/守灯人");
    assert_eq!((&run.update.folder, run.read), (&folder, None));
    let card = folder.join("人物/林青.md");
    let edited = std::fs::read_to_string(&card).unwrap().replace("52", "53");
    std::fs::write(&card, edited).unwrap();
    std::fs::remove_file(folder.join("README.md")).unwrap();
    let status = studio.mirror_status(&project).await.unwrap();
    assert_eq!((status.changed, status.deleted), (vec!["人物/林青.md".to_owned()], vec!["README.md".to_owned()]));
    assert_eq!(status.last_update.unwrap().written, 2);

    let run = studio.run_mirror(&project, true).await.unwrap();
    assert_eq!(run.read.as_ref().unwrap().cards[0].fields, ["年龄"]);
    let status = studio.mirror_status(&project).await.unwrap();
    assert_eq!((status.version, status.changed.len(), status.deleted.len()), (Some(status.project_version), 0, 0));
    assert_eq!(status.last_reading.map(|record| record.reading), run.read);
    assert_eq!(studio.story_at(&project, None).await.unwrap().characters[0].age, Some(53));
    let last = studio.changes(&project).await.unwrap().pop().unwrap();
    studio.undo(&project, None).await.unwrap();
    let undone = studio.story_at(&project, None).await.unwrap();
    assert_eq!(undone.characters[0].age, Some(52), "{last:?} is a change like any other");
}

#[tokio::test]
async fn a_book_without_a_folder_for_mirrors_has_none() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = book(&studio, "守灯人").await;
    assert!(!studio.mirror_status(&project).await.unwrap().is_available);
    assert_eq!(studio.run_mirror(&project, true).await.unwrap_err().code(), "no_mirror");
    assert_eq!(studio.set_mirror(&project, Some(true), None).await.unwrap_err().code(), "no_mirror");
}

#[tokio::test]
async fn callers_with_keys_write_below_the_folder_of_the_operator_only() {
    let home = tempfile::tempdir().unwrap();
    let here = studio(home.path()).await;
    let (near, afar) = (with_key(&here, None, Right::Admin).await, with_key(&here, Some("warden"), Right::Admin).await);
    let project = book(&here, "../../outside").await;
    let run = near.run_mirror(&project, false).await.unwrap();
    assert_eq!(run.update.folder, Path::new("outside"), "without the folders above it");
    assert!(home.path().join("mirrors/outside/README.md").exists());
    assert_eq!(near.set_mirror(&project, None, Some(true)).await.unwrap_err().code(), "forbidden");
    assert!(!near.mirror_status(&project).await.unwrap().may_commit, "said before it is refused");
    assert!(here.mirror_status(&project).await.unwrap().may_commit);
    assert!(!near.set_mirror(&project, Some(false), None).await.unwrap().on);
    assert!(here.set_mirror(&project, Some(true), Some(true)).await.unwrap().git);

    assert_eq!(afar.mirror_status(&project).await.unwrap_err().code(), "unknown_project");
    let theirs = book(&afar, "她的书").await;
    assert!(!afar.mirror_status(&theirs).await.unwrap().is_available);
    assert_eq!(afar.run_mirror(&theirs, false).await.unwrap_err().code(), "no_mirror");
}

#[tokio::test]
async fn a_mirror_that_is_off_stays_as_it_is_until_it_is_on() {
    let home = tempfile::tempdir().unwrap();
    let studio = studio(home.path()).await;
    let (first, second) = (book(&studio, "第一本").await, book(&studio, "第二本").await);
    studio.set_mirror(&second, Some(false), None).await.unwrap();
    studio.update_mirrors().await;
    let mirrors = home.path().join("mirrors");
    assert!(mirrors.join("第一本").exists() && !mirrors.join("第二本").exists());
    studio.set_mirror(&second, Some(true), None).await.unwrap();
    studio.update_mirrors().await;
    assert!(mirrors.join("第二本").exists());
    let status = studio.mirror_status(&first).await.unwrap();
    assert_eq!(status.version, Some(status.project_version));
}

#[tokio::test]
async fn a_book_with_a_folder_of_its_own_is_mirrored_there() {
    let (home, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let studio = studio(home.path()).await;
    let project = book(&studio, "守灯人").await;
    studio.update_mirrors().await;
    let first = home.path().join("mirrors/守灯人/README.md");
    let before = std::fs::read_to_string(&first).unwrap();
    let edit = SettingEdit::new("mirror.folder", Some(serde_json::json!(own.path()))).unwrap();
    studio.settings().write(Some(&project), &edit).unwrap();
    studio.update_project(&project, Some("灯塔"), None).await.unwrap();
    studio.take_ladders(&project, "xianxia").await.unwrap();
    studio.update_mirrors().await;
    assert!(own.path().join("灯塔/README.md").exists(), "below its own folder");
    assert_eq!(std::fs::read_to_string(&first).unwrap(), before, "the earlier mirror stays as it is");
}

#[tokio::test]
async fn callers_with_keys_are_not_told_the_message_of_git() {
    let home = tempfile::tempdir().unwrap();
    let here = studio(home.path()).await;
    let near = with_key(&here, None, Right::Admin).await;
    let failed = || MirrorCommit::Failed { message: "fatal: /srv/secret/.git: no".into() };
    assert_eq!(here.told_commit(failed()), failed());
    assert_eq!(near.told_commit(failed()), MirrorCommit::Failed { message: String::new() });
    assert_eq!(near.told_commit(MirrorCommit::Missing), MirrorCommit::Missing);
}
