//! Servers of a team, switched on by the settings, through the commands: PostgreSQL for search and memory, Redis for
//! sessions. A server that is missing is reported; `CI=true` demands both.

use std::io::Write as _;

use qingyu_db::{Postgres, PostgresSettings};
use serde_json::Value;

use crate::home::Home;

const VARIABLE: &str = "QINGYU_TEST_POSTGRES";
const LOCAL: &str = "postgresql://postgres@127.0.0.1:5432/test";
const REDIS: &str = "redis://127.0.0.1:6379";
/// A port without a server.
const WRONG: &str = "postgresql://postgres@127.0.0.1:1/test";

const STORY: &str = r#"{
    "language": "zh",
    "characters": [
        {"name": "林青", "role_type": "protagonist"}, {"name": "苏婉", "traits": ["谨慎"]}, {"name": "老周", "traits": ["勇敢"]}
    ],
    "facts": [{"subject": "老周", "predicate": "背叛", "object": "林青", "from": "第三章 旧港",
               "source": {"document": "第三章 旧港", "version": 1, "quote": "老周把林青的去向说了出去。"}}],
    "outline_nodes": [{"name": "第一章 雨夜", "order": 1}, {"name": "第三章 旧港", "order": 3}],
    "documents": [{"title": "第三章 旧港", "order": 3, "version": 1, "outline_node": "第三章 旧港",
                   "text": "老周把林青的去向说了出去。雨还在下。"}]
}"#;

/// A schema of its own on the PostgreSQL server, and a home that uses it.
struct Team {
    home: Home,
    url: String,
    schema: String,
    runtime: tokio::runtime::Runtime,
    postgres: Postgres,
}

impl Team {
    /// Returns `None` without a server, unless CI demands one.
    fn new(name: &str) -> Option<Self> {
        let url = std::env::var(VARIABLE).unwrap_or_else(|_| LOCAL.to_owned());
        let schema = format!("qingyu_cli_{name}_{}", std::process::id());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let settings = PostgresSettings { schema: schema.clone(), ..PostgresSettings::new(&url) };
        match runtime.block_on(Postgres::open(settings)) {
            Ok(postgres) => Some(Self { home: Home::new(), url, schema, runtime, postgres }),
            Err(error) => {
                let is_demanded =
                    std::env::var_os(VARIABLE).is_some() || std::env::var("CI").is_ok_and(|ci| ci == "true");
                assert!(!is_demanded, "the tests need a PostgreSQL server: {error}");
                let _ = writeln!(std::io::stderr(), "skipped: no PostgreSQL ({error})");
                None
            }
        }
    }

    /// Writes the settings: the switches, and where the servers are.
    fn settings(&self, switches: &str, url: &str) {
        let Self { schema, .. } = self;
        let settings = format!(
            "[engines]\n{switches}\n[engines.postgres]\nurl = \"{url}\"\nschema = \"{schema}\"\n\
             [engines.redis]\nurl = \"{REDIS}\"\nprefix = \"{schema}\"\n"
        );
        self.home.file("config.toml", settings.as_bytes());
    }

    fn project(&self) -> String {
        let file = self.home.file("story.json", STORY.as_bytes());
        let imported = self.home.run(&["import-story", file.to_str().unwrap(), "--json"]).expect(0).json();
        imported["project"]["project"].as_str().unwrap().to_owned()
    }

    fn search(&self, project: &str) -> Value {
        self.home.run(&["search", project, "谁曾经背叛过主角", "--json"]).expect(0).json()
    }

    /// Counts the rows of a table on the server.
    fn count(&self, table: &str) -> i64 {
        let select = format!("SELECT count(*) FROM {}.{table}", self.schema);
        self.runtime.block_on(async {
            let client = self.postgres.client().await.unwrap();
            client.query_one(&select, &[]).await.unwrap().get(0)
        })
    }

    fn memories(&self) -> Vec<String> {
        let listed = self.home.run(&["memory", "list", "--json"]).expect(0).json();
        let mut texts: Vec<String> =
            listed.as_array().unwrap().iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect();
        texts.sort();
        texts
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let drop = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema);
        let dropped = self.runtime.block_on(async {
            let client = self.postgres.client().await.ok()?;
            client.batch_execute(&drop).await.ok()
        });
        if dropped.is_none() {
            let _ = writeln!(std::io::stderr(), "schema {} is left behind", self.schema);
        }
    }
}

fn states(answer: &Value) -> Vec<(&str, &str)> {
    let engines = answer["engines"].as_array().map(Vec::as_slice).unwrap_or_default();
    engines.iter().map(|row| (row["part"].as_str().unwrap(), row["state"].as_str().unwrap())).collect()
}

#[test]
fn search_ask_and_memory_use_postgresql_and_survive_its_absence() {
    let Some(team) = Team::new("all") else { return };
    let project = team.project();
    let embedded = team.search(&project);
    assert!(embedded.get("engines").is_none(), "{embedded}");
    team.home.run(&["memory", "add", "少用感叹号"]).expect(0);

    let all = "all = \"postgres\"\nshort_term = \"redis\"";
    team.settings(all, &team.url);
    let found = team.search(&project);
    assert_eq!(states(&found), [("keywords", "used")]);
    assert_eq!(found["hits"], embedded["hits"], "the same hits with the same scores");
    assert!(team.count("search_chunk") > 0);
    let answer = team.home.run(&["ask", &project, "谁把林青的去向说了出去？", "--json"]).expect(0).json();
    assert_eq!((states(&answer), &answer["holds"]), (vec![("keywords", "used")], &true.into()));
    let turn = ["ask", project.as_str(), "雨停了吗？", "--session", "夜谈"];
    let turns = || team.home.run(&["memory", "list", "--session", "夜谈", "--json"]).expect(0).json();
    team.home.run(&turn).expect(0);
    assert_eq!(turns().as_array().unwrap().len(), 1);
    assert_eq!(team.memories(), ["少用感叹号"]);
    assert_eq!(team.count("memory"), 1, "the memories of before are handed over");
    let checks = team.home.run(&["doctor", "--json"]);
    let checks: Value = serde_json::from_str(&checks.stdout).unwrap();
    let rows = checks.as_array().unwrap().iter().filter(|row| row["check"] == "engine");
    let rows: Vec<_> =
        rows.map(|row| (row["data"]["part"].as_str().unwrap(), row["state"].as_str().unwrap())).collect();
    assert_eq!(rows, [("keywords", "ok"), ("long_term", "ok"), ("short_term", "ok")], "{checks}");

    team.settings(all, WRONG);
    let found = team.search(&project);
    assert_eq!((states(&found), &found["hits"]), (vec![("keywords", "down")], &embedded["hits"]));
    let said = team.home.run(&["search", &project, "雨", "--ui-lang", "zh"]).expect(0).stdout;
    assert!(said.contains("PostgreSQL 127.0.0.1:1") && said.contains("由内置的部分回答"), "{said}");
    let answer = team.home.run(&["ask", &project, "谁把林青的去向说了出去？", "--json"]).expect(0).json();
    assert_eq!((states(&answer), &answer["holds"]), (vec![("keywords", "down")], &true.into()));
    team.home.run(&["memory", "add", "句子要短"]).expect(0);
    assert_eq!(team.memories(), ["句子要短", "少用感叹号"]);
    assert_eq!(team.count("memory"), 1);

    team.settings(all, &team.url);
    assert_eq!(states(&team.search(&project)), [("keywords", "used")]);
    assert_eq!(team.memories(), ["句子要短", "少用感叹号"]);
    assert_eq!(team.count("memory"), 2, "written while the server was down");
    team.home.run(&turn).expect(0);
    assert_eq!(turns().as_array().unwrap().len(), 2, "one server stopping does not end a session on another");
    let indexed = team.home.run(&["index", &project, "--json"]).expect(0).json();
    assert_eq!(states(&indexed), [("keywords", "used")]);
}

#[test]
fn vectors_are_copied_piece_by_piece_and_follow_changes() {
    let Some(team) = Team::new("vectors") else { return };
    let project = team.project();
    // Which of two equally near chunks comes first is up to the server.
    let ids = |found: &Value| {
        let hits = found["hits"].as_array().unwrap().iter();
        let mut ids: Vec<String> = hits.map(|hit| hit["chunk"]["source"]["id"].as_str().unwrap().to_owned()).collect();
        ids[1..].sort();
        ids
    };
    let embedded = team.search(&project);
    team.settings("vectors = \"postgres\"", &team.url);
    let found = team.search(&project);
    assert_eq!((states(&found), ids(&found)), (vec![("vectors", "used")], ids(&embedded)));
    let copied = team.count("vector_point");
    assert!(copied > 0);
    let passages = team.home.run(&["tool", &project, "rag_tool", r#"{"query": "林青的去向"}"#]).expect(0).json();
    assert!(passages.to_string().contains(r#""state":"used""#), "{passages}");
    let rebuilt = team.home.run(&["index", &project, "--rebuild", "--json"]).expect(0).json();
    assert_eq!(states(&rebuilt), [("vectors", "used")]);
    assert_eq!(team.count("vector_point"), copied);
    let unsaid = team.home.run(&["search", &project, "雨", "--explain", "--ui-lang", "en"]).expect(0).stdout;
    assert!(unsaid.contains("Vector search") && unsaid.contains("PostgreSQL"), "{unsaid}");
}

#[test]
fn a_password_in_the_settings_is_refused() {
    let home = Home::new();
    home.file("config.toml", b"[engines.postgres]\nurl = \"postgresql://a:secret@127.0.0.1/x\"\n");
    let refused = home.run(&["projects", "--json"]).expect(1);
    assert!(refused.stdout.contains("engines.postgres.url") && !refused.stdout.contains("secret@"), "{refused:?}");
}
