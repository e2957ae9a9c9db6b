//! Our agents as models.

/// An agent callable as a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ModelAgent {
    /// The model name.
    pub(super) model: &'static str,
    /// The name in the studio; `None` answers from a project's material.
    pub(super) agent: Option<&'static str>,
}

/// All agents.
pub(super) const AGENTS: [ModelAgent; 4] = [
    ModelAgent { model: "qingyu", agent: None },
    ModelAgent { model: "qingyu-creative", agent: Some("creative") },
    ModelAgent { model: "qingyu-analysis", agent: Some("analysis") },
    ModelAgent { model: "qingyu-review", agent: Some("text_review") },
];

/// Parses a model name into the agent and the optional project after `@`.
pub(super) fn meant(model: &str) -> Option<(ModelAgent, Option<&str>)> {
    let (name, project) = match model.split_once('@') {
        Some((name, project)) => (name, Some(project).filter(|project| !project.is_empty())),
        None => (model, None),
    };
    AGENTS.into_iter().find(|agent| agent.model == name).map(|agent| (agent, project))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_carry_projects() {
        for (model, expected) in [
            ("qingyu", Some(("qingyu", None))),
            ("qingyu@p-1", Some(("qingyu", Some("p-1")))),
            ("qingyu-review@", Some(("qingyu-review", None))),
            ("gpt-4o", None),
            ("", None),
        ] {
            assert_eq!(meant(model).map(|(agent, project)| (agent.model, project)), expected, "{model}");
        }
    }
}
