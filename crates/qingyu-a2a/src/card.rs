//! The agent cards: description, URLs and skills of the agent.

use std::collections::HashMap;

use a2a::{
    A2AError, AgentCapabilities, AgentCard, AgentInterface, AgentProvider, ApiKeySecurityScheme,
    HttpAuthSecurityScheme, SecurityScheme, TRANSPORT_PROTOCOL_GRPC, TRANSPORT_PROTOCOL_HTTP_JSON,
    TRANSPORT_PROTOCOL_JSONRPC,
};
use qingyu_studio::Right;

use crate::agent::A2aAgent;
use crate::error::of_studio;
use crate::skill::Skill;

/// The path of the HTTP+JSON operations.
pub(crate) const HTTP_JSON: &str = "/a2a/v1";
/// The path of JSON-RPC.
pub(crate) const JSON_RPC: &str = "/a2a";
/// Maximum number of projects in the extended card.
const PROJECTS: usize = 20;

/// Returns the card of the agent at `base`.
pub(crate) fn card(base: &str, needs_key: bool) -> AgentCard {
    let interface = |path: &str, binding: &str| AgentInterface::new(format!("{base}{path}"), binding);
    let bearer = HttpAuthSecurityScheme {
        scheme: "bearer".into(),
        description: Some("A key of the server.".into()),
        bearer_format: None,
    };
    let header = ApiKeySecurityScheme {
        location: "header".into(),
        name: "x-api-key".into(),
        description: Some("The same key.".into()),
    };
    let schemes = HashMap::from([
        ("bearer".to_owned(), SecurityScheme::HttpAuth(bearer)),
        ("key".to_owned(), SecurityScheme::ApiKey(header)),
    ]);
    let requirement = |name: &str| HashMap::from([(name.to_owned(), Vec::new())]);
    AgentCard {
        name: "Qingyu".into(),
        description:
            "A studio for stories: it plans, writes, reviews and corrects them, answers questions about them, and \
                      produces content in phases. Chinese and English."
                .into(),
        version: env!("CARGO_PKG_VERSION").into(),
        supported_interfaces: vec![
            interface(JSON_RPC, TRANSPORT_PROTOCOL_JSONRPC),
            interface(HTTP_JSON, TRANSPORT_PROTOCOL_HTTP_JSON),
            interface("", TRANSPORT_PROTOCOL_GRPC),
        ],
        capabilities: AgentCapabilities {
            streaming: Some(true),
            push_notifications: Some(true),
            extensions: None,
            extended_agent_card: Some(true),
        },
        default_input_modes: vec!["text/plain".into(), "application/json".into()],
        default_output_modes: vec!["text/plain".into(), "application/json".into()],
        skills: Skill::cards(),
        provider: Some(AgentProvider { organization: "Qingyu".into(), url: base.to_owned() }),
        documentation_url: None,
        icon_url: None,
        security_schemes: needs_key.then_some(schemes),
        security_requirements: needs_key.then(|| vec![requirement("bearer"), requirement("key")]),
        signatures: None,
    }
}

impl A2aAgent {
    /// Returns the card for an authenticated caller, with the newest projects as tenants.
    pub(crate) async fn extended_card(&self, base: &str) -> Result<AgentCard, A2AError> {
        self.demand(Right::Read)?;
        let projects = self.studio.projects().await.map_err(|error| of_studio(&error))?;
        let mut card = card(base, self.door.options.needs_key);
        let url = format!("{base}{HTTP_JSON}");
        card.supported_interfaces.extend(projects.into_iter().take(PROJECTS).map(|row| AgentInterface {
            tenant: Some(row.project),
            ..AgentInterface::new(&url, TRANSPORT_PROTOCOL_HTTP_JSON)
        }));
        Ok(card)
    }
}
