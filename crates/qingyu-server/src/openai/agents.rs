//! The models, which are our agents.

/// An agent that can be asked as a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Agent {
    /// Its name as a model.
    pub(super) model: &'static str,
    /// Its name in the studio; none answers from a project's material.
    pub(super) agent: Option<&'static str>,
}

/// All of them.
pub(super) const AGENTS: [Agent; 4] = [
    Agent { model: "qingyu", agent: None },
    Agent { model: "qingyu-creative", agent: Some("creative") },
    Agent { model: "qingyu-analysis", agent: Some("analysis") },
    Agent { model: "qingyu-review", agent: Some("text_review") },
];

/// The agent that a model's name means, and the project that stands after an `@`.
pub(super) fn meant(model: &str) -> Option<(Agent, Option<&str>)> {
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
