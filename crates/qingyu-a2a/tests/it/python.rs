//! The official Python client against our door, over each binding.

use crate::environment::{python, script};
use crate::rig::Rig;

#[tokio::test(flavor = "multi_thread")]
async fn the_official_client_completes_runs_over_every_binding() {
    let Some(python) =
        tokio::task::spawn_blocking(|| python("a2a-python", "the official Python client")).await.unwrap()
    else {
        return;
    };
    let rig = Rig::new().await;
    let url = rig.serve().await;
    let ran = tokio::process::Command::new(python).args([&script("client.py"), &url]).output().await.unwrap();
    let (told, failed) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}\n{failed}");
    for binding in ["JSONRPC", "HTTP+JSON", "GRPC"] {
        assert!(told.contains(&format!("{binding}: done")), "{told}");
    }
}
