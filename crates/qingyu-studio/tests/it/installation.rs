use qingyu_studio::{CheckState, Studio};

use crate::offline;

#[tokio::test]
async fn the_doctor_finds_a_new_installation_sound() {
    let home = tempfile::tempdir().unwrap();
    let rows = Studio::doctor(&offline(&home.path().join("new"))).await;
    let names: Vec<_> = rows.iter().map(|row| row.check.as_str()).collect();
    for check in ["data_folder", "free_space", "sqlite_version", "database", "settings", "model", "prompts", "clock"] {
        assert!(names.contains(&check), "{check} is not among {names:?}");
    }
    let failed: Vec<_> = rows.iter().filter(|row| row.state == CheckState::Failed).collect();
    assert!(failed.is_empty(), "{failed:?}");
}
