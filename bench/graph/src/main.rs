//! Measures the state graph: one kind of work a call, one line of JSON on standard output.
//!
//! `run.py` calls it in turn with the programs that it is compared with, and makes the table of `docs/benchmarks.md`.

mod chain;
mod fanout;
mod growth;
mod journal;
mod measure;
mod places;
mod startup;
mod threads;
mod works;

use anyhow::bail;

const USAGE: &str = "one of: chain | loop | chain-sqlite FOLDER | chain-postgres URL | fanout | threads FOLDER | \
                     growth-sqlite FOLDER | growth-postgres URL | startup | journal FILE";

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let line = match words[..] {
        ["chain"] => chain::without_a_store().await?,
        ["loop"] => chain::looped().await?,
        ["chain-sqlite", folder] => chain::on_sqlite(folder).await?,
        ["chain-postgres", url] => chain::on_postgres(url).await?,
        ["fanout"] => fanout::measure().await?,
        ["threads", folder] => threads::measure(folder).await?,
        ["growth-sqlite", folder] => growth::on_sqlite(folder).await?,
        ["growth-postgres", url] => growth::on_postgres(url).await?,
        ["startup"] => startup::measure().await?,
        ["journal", file] => journal::leave(file).await?,
        _ => bail!(USAGE),
    };
    println!("{line}");
    Ok(())
}
