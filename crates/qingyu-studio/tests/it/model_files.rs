//! Models in GGUF files, with a program in the place of llama.cpp's server.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use qingyu_studio::operations as op;
use qingyu_studio::{ModelTrial, Settings, Studio};

use crate::environment;

/// Says that it is loading once, then answers whatever is asked; each start is a line in `started`.
const SERVER: &str = r#"#!/usr/bin/env python3
import http.server, json, os, sys
folder = os.path.dirname(os.path.abspath(__file__))
arguments = sys.argv[1:]
assert open(arguments[arguments.index("--model") + 1], "rb").read(4) == b"GGUF"
assert arguments[arguments.index("--host") + 1] == "127.0.0.1"
with open(os.path.join(folder, "started"), "a") as started:
    started.write(f"{os.getpid()}\n")
loading = [503]

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(loading.pop() if loading else 200)
        self.end_headers()

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = '{"word":"雪","letters":1}' if "JSON" in json.dumps(asked, ensure_ascii=False) else "雪落无声。"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        piece = {"choices": [{"delta": {"content": said}, "finish_reason": "stop"}]}
        self.wfile.write(f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_):
        pass

port = int(arguments[arguments.index("--port") + 1])
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"#;

/// Ends at once, with its reason.
const BROKEN: &str = "#!/bin/sh\necho 'error: unknown model architecture' >&2\nexit 1\n";

fn program(folder: &Path, script: &str) {
    let path = folder.join("llama-server");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Tries the model in a file of these bytes; `script` is what is installed.
async fn tried(folder: &Path, bytes: &[u8], script: Option<&str>) -> Result<ModelTrial, String> {
    let file = folder.join("writer.gguf");
    std::fs::write(&file, bytes).unwrap();
    if let Some(script) = script {
        program(folder, script);
    }
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", folder.display());
    let settings = Settings::load(environment(&folder.join("home"), &[("PATH", &path)]), toml::Table::new()).unwrap();
    let studio = Studio::open(settings).await.unwrap();
    let model = Some(format!("file:{}", file.display()));
    studio.call(op::TryModel { model }).await.map_err(|error| error.code().to_owned())
}

fn started(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("started")).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_file_is_served_while_it_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let trial = tried(folder.path(), b"GGUF and the rest", Some(SERVER)).await.unwrap();
    assert!(trial.works, "{trial:?}");
    assert_eq!(trial.text.said, "雪落无声。");
    let started = started(folder.path());
    assert_eq!(started.len(), 1, "one program serves all requests");
    let process = Path::new("/proc").join(&started[0]);
    for _ in 0..100 {
        if !process.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the program has not ended with its last user");
}

#[tokio::test]
async fn what_cannot_be_served_is_said_before_anything_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(tried(folder.path(), b"GGUF", None).await.unwrap_err(), "no_model_server");
    for bytes in [b"PK\x03\x04 an archive".as_slice(), b"", b"GG"] {
        assert_eq!(tried(folder.path(), bytes, Some(SERVER)).await.unwrap_err(), "bad_model_file");
    }
}

#[tokio::test]
async fn a_program_that_ends_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let trial = tried(folder.path(), b"GGUF", Some(BROKEN)).await.unwrap();
    let failure = trial.text.failure.unwrap();
    assert_eq!((trial.works, failure.code.as_str()), (false, "provider_unreachable"));
    assert!(failure.message.contains("unknown model architecture"), "{}", failure.message);
}
