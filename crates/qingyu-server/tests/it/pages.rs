//! The studio's pages, as a browser asks for them. What holds here holds for the page that says how to get them as well.

use qingyu_server::http::openapi;
use qingyu_studio::Studio;
use reqwest::StatusCode;

use crate::house::{House, home};
use crate::web::web;

const BROWSER: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

#[tokio::test]
async fn a_browser_gets_the_page_wherever_it_looks() {
    let home = home();
    let house = House::open(&home).await;
    for path in ["/", "/index.html", "/begin", "/p/p-lighthouse/write/d-1"] {
        let answer = web().get(house.url(path)).header("accept", BROWSER).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(header("cache-control"), "no-store", "{path}");
        let policy = header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(answer.text().await.unwrap().contains("<title>青羽 · Qingyu</title>"), "{path}");
    }
    house.go().await;
}

#[tokio::test]
async fn a_program_is_told_that_nothing_is_there() {
    let home = home();
    let house = House::open(&home).await;
    let paths = ["/begin", "/assets/none.js", "/assets/../Cargo.toml", "/..%2f..%2fCargo.toml", "/index.html.gz"];
    for path in paths {
        let answer = web().get(house.url(path)).header("accept", "*/*").send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.headers()["content-type"], "application/problem+json", "{path}");
    }
    // A piece that is gone since an upgrade is not the page, whoever asks.
    let gone = web().get(house.url("/assets/index-00000000.js")).header("accept", BROWSER).send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    let posted = web().post(house.url("/begin")).header("accept", BROWSER).send().await.unwrap();
    assert_eq!(posted.status(), StatusCode::NOT_FOUND);
    house.go().await;
}

#[tokio::test]
async fn only_where_no_key_is_needed_is_the_page_told_the_word_of_the_door() {
    let home = home();
    let house = House::open(&home).await;
    let page = web().get(house.url("/")).send().await.unwrap().text().await.unwrap();
    let token = page.split("name=\"qingyu-page\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(token.len(), 64);
    let asked = |token: &str| {
        let asked = web().get(house.url("/api/v1/projects")).header("sec-fetch-site", "same-origin");
        asked.header("x-qingyu-page", token).send()
    };
    assert_eq!(asked(token).await.unwrap().status(), StatusCode::OK);
    assert_eq!(asked("guessed").await.unwrap().status(), StatusCode::UNAUTHORIZED);
    house.go().await;

    let home = crate::house::home();
    let (house, _) = House::guarded(&home).await;
    let page = web().get(house.url("/")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("name=\"qingyu-page\" content=\"\""));
    house.go().await;
}

/// The types of the pages are made of this file (`npm run types` in `web`).
#[test]
fn the_pages_know_the_document_that_is_served() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
    let document = format!("{:#}\n", openapi::document(None));
    if std::env::var_os("QINGYU_UPDATE_FILES").is_some() {
        std::fs::write(path, &document).unwrap();
    }
    let is_known = std::fs::read_to_string(path).unwrap() == document;
    assert!(
        is_known,
        "web/openapi.json is old: QINGYU_UPDATE_FILES=1 runs this test and writes it, then `npm run types` in web"
    );
}

/// The page of a run shows the nodes of its graph by name, such as the steps before which it can stop.
#[test]
fn the_pages_have_a_name_for_every_node_of_a_graph() {
    let graphs = Studio::graphs();
    let nodes: Vec<&str> = graphs.iter().flat_map(|graph| &graph.nodes).map(|node| node.name.as_str()).collect();
    assert!(nodes.contains(&"gate") && nodes.contains(&"outline_agent"), "{nodes:?}");
    for language in ["zh", "en"] {
        let folder = format!("{}/../../web/src/words/{language}", env!("CARGO_MANIFEST_DIR"));
        let file = |name: &str| std::fs::read_to_string(format!("{folder}/{name}.ts")).unwrap();
        let (runs, common) = (file("runs"), file("common"));
        let known = [words_in(&runs, "agent"), words_in(&runs, "node"), words_in(&common, "agent")].concat();
        let unknown: Vec<&str> = nodes.iter().copied().filter(|node| !known.contains(node)).collect();
        assert!(unknown.is_empty(), "runs.node of web/src/words/{language} lacks {unknown:?}");
    }
}

/// Returns the keys of a section of a file of words.
fn words_in<'a>(file: &'a str, section: &str) -> Vec<&'a str> {
    let (_, from) = file.split_once(&format!("\n  {section}: {{\n")).expect("a section");
    let (inside, _) = from.split_once("\n  }").expect("an end of the section");
    inside.lines().filter_map(|line| line.trim().split_once(": ")).map(|(key, _)| key).collect()
}
