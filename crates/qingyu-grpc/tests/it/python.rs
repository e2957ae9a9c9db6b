//! Python clients with stubs made of our description, against our door.

use crate::environment::{python, script};
use crate::rig::{Caller, Rig};

#[tokio::test(flavor = "multi_thread")]
async fn clients_in_python_make_answer_and_stop_runs() {
    let Some(python) = tokio::task::spawn_blocking(|| python("grpc-python", "Python clients over gRPC")).await.unwrap()
    else {
        return;
    };
    let rig = Rig::new(Caller::Owner).await;
    let proto = concat!(env!("CARGO_MANIFEST_DIR"), "/proto");
    let stubs = tempfile::tempdir().unwrap();
    let address = rig.url.trim_start_matches("http://");
    let arguments = [&*script("client.py"), address, proto, stubs.path().to_str().unwrap()];
    let ran = tokio::process::Command::new(python).args(arguments).output().await.unwrap();
    let (told, failed) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}\n{failed}");
    for done in ["reflected", "healthy", "created", "answered", "cancelled", "refused"] {
        assert!(told.lines().any(|line| line == done), "{done} is missing: {told}");
    }
}
