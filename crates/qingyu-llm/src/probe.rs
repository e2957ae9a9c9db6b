//! Discovers model servers on the local machine.

use std::time::Duration;

use futures::future::join_all;

use crate::provider::{Provider, Providers};
use crate::wire::{ClientLimits, LlmClient};

/// Timeout of a server's response.
const PATIENCE: Duration = Duration::from_millis(400);

/// A responding server.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalServer {
    /// The provider row of the server.
    pub provider: Provider,
    /// The available models, in the server's order.
    pub models: Vec<String>,
}

/// Fetches the models of each loopback provider in `providers` concurrently and returns the responding servers.
///
/// Takes 0.4 s at most. The built-in rows cover the ports 11434 (Ollama), 8080 (llama.cpp), 1234 (LM Studio) and 8000
/// (vLLM).
pub async fn probe_loopback(providers: &Providers) -> Vec<LocalServer> {
    let client = LlmClient::new(ClientLimits { connect: PATIENCE, idle: PATIENCE, ..ClientLimits::default() });
    let local = providers.iter().filter(|provider| provider.is_loopback() && provider.key_variable.is_none());
    let asked = local.map(|provider| {
        let client = client.clone();
        async move {
            let models = tokio::time::timeout(PATIENCE, client.models(provider, None)).await.ok()?.ok()?;
            Some(LocalServer { provider: provider.clone(), models })
        }
    });
    join_all(asked).await.into_iter().flatten().collect()
}
