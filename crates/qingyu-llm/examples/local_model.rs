//! Finds a model server on the local machine and requests a typed answer. Runs without keys.
//!
//! Start Ollama, llama.cpp, LM Studio or vLLM, then `cargo run -p qingyu-llm --example local_model -- "a lighthouse"`.

use std::io::Write;

use qingyu_llm::probe::probe_loopback;
use qingyu_llm::structured::ask;
use qingyu_llm::{ChatEvent, ChatMessage, ChatRequest, LlmClient, Providers};
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
    let model = LlmClient::default().chat(&server.provider, model, None)?;
    let request = ChatRequest {
        purpose: "character.generate".into(),
        messages: vec![ChatMessage::user(format!("Invent the main character of a story about {theme}."))],
        temperature: Some(0.7),
        max_tokens: Some(300),
        ..ChatRequest::default()
    };
    let mut show = |event: &ChatEvent| {
        if let ChatEvent::Text(piece) = event {
            eprint!("{piece}");
        }
    };
    let answer = ask::<Character>(model.as_ref(), request, &mut show).await?;
    eprintln!("\n{} attempt(s), {:?}", answer.attempts, answer.usage);
    writeln!(std::io::stdout(), "{:#?}", answer.value)?;
    Ok(())
}
