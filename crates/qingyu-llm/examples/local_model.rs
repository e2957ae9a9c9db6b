//! Shows how a model on this machine is found and asked for a typed answer. Runs without keys.
//!
//! Start Ollama, llama.cpp, LM Studio or vLLM, then `cargo run -p qingyu-llm --example local_model -- "a lighthouse"`.

use std::io::Write;

use qingyu_llm::probe::probe_loopback;
use qingyu_llm::structured::ask;
use qingyu_llm::{Client, Event, Message, Providers, Request};
use schemars::JsonSchema;
use serde::Deserialize;

/// A character of a story.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Character {
    /// The name.
    #[schemars(length(max = 30))]
    pub name: String,
    /// The age in years.
    #[schemars(range(min = 5, max = 99))]
    pub age: u32,
    /// What the character wants, in one sentence.
    #[schemars(length(max = 80))]
    pub wish: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let theme = std::env::args().nth(1).unwrap_or_else(|| "a lighthouse in the snow".into());
    let found = probe_loopback(&Providers::built_in()).await;
    let Some((server, model)) = found.iter().find_map(|server| Some((server, server.models.first()?))) else {
        eprintln!("no model server answers on this machine");
        return Ok(());
    };
    eprintln!("asking {} of {}", model, server.provider.name);
    let model = Client::default().chat(&server.provider, model, None)?;
    let request = Request {
        purpose: "character.generate".into(),
        messages: vec![Message::user(format!("Invent the main character of a story about {theme}."))],
        temperature: Some(0.7),
        max_tokens: Some(300),
        ..Request::default()
    };
    let mut show = |event: &Event| {
        if let Event::Text(piece) = event {
            eprint!("{piece}");
        }
    };
    let answer = ask::<Character>(model.as_ref(), request, &mut show).await?;
    eprintln!("\n{} attempt(s), {:?}", answer.attempts, answer.usage);
    writeln!(std::io::stdout(), "{:#?}", answer.value)?;
    Ok(())
}
