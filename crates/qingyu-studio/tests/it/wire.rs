//! The same answers from a server that speaks the providers' protocols.

use qingyu_llm::Reply;
use qingyu_llm::testing::server::{Recorded, Scripted, Server};

use crate::answers::{CALLS, USAGE, answer};

pub(crate) const KEY: &str = "sk-canary-5f2a91";

/// The purpose a request serves, told by the schema its answer must have.
pub(crate) fn purpose(asked: &Recorded) -> &'static str {
    let schema = asked.schema_name().unwrap_or_default().to_lowercase();
    let of = |part: &str| CALLS.into_iter().find(|purpose| purpose.starts_with(part)).unwrap();
    match schema.as_str() {
        "plan" => of("plan."),
        name if name.contains("outline") => of("outline"),
        name if name.contains("character") => of("character"),
        name if name.contains("plot") => of("plot"),
        name if name.contains("judgement") => of("review"),
        other => panic!("no purpose for {other:?}: {}", asked.body),
    }
}

pub(crate) fn reply(asked: &Recorded) -> Scripted {
    let text = answer(purpose(asked)).to_string();
    Scripted::reply(Reply { text, usage: USAGE, ..Reply::default() })
}

/// Settings in which `mine` is that server.
pub(crate) fn write_settings(home: &std::path::Path, server: &Server, wire: &str) {
    let output = if wire == "anthropic" { "tool" } else { "json_schema" };
    let settings = format!(
        "[models]\nauto = [\"mine/writer\"]\nlocal = []\n[providers.mine]\nbase_url = \"{}/v1\"\nwire = \"{wire}\"\n\
         output = \"{output}\"\nmax_tokens = 4096\nkey_variable = \"MINE_API_KEY\"\n[retries]\nattempts = 1\n\
         [prices.\"mine/writer\"]\ncurrency = \"CNY\"\ninput = 2\noutput = 8\n",
        server.url()
    );
    std::fs::write(home.join("config.toml"), settings).unwrap();
}
