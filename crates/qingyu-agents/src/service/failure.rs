//! Reasons of failed tasks.

use qingyu_graph::NodeError;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a task fails of; said to the user, and no reason to stop other tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Failure {
    /// Nobody is called so.
    UnknownAgent {
        /// Who was asked for.
        agent: String,
        /// Who there is.
        known: Vec<String>,
    },
    /// Its words may be meant for several agents, or for none, and the user named none of them.
    Undecided {
        /// The agents, by name.
        agents: Vec<String>,
        /// What each of them does, in the task's language.
        skills: Vec<String>,
    },
    /// It took too long.
    TimedOut {
        /// How many seconds it was given.
        seconds: u64,
    },
    /// There is no text to work on.
    EmptyText,
    /// No chapter is meant by that.
    UnknownChapter {
        /// What was asked for.
        given: String,
    },
    /// Several chapters may be meant by that.
    AmbiguousChapter {
        /// What was asked for.
        given: String,
        /// How to name each of them.
        choices: Vec<String>,
    },
    /// It needs a chapter or a text, and none was named.
    NoText,
    /// It was to go on with the last chapter that has a text, and none has one.
    NothingWritten,
    /// It needs a project, and none can be had.
    NoProject {
        /// Why.
        message: String,
    },
    /// The model answered with nothing that can be used.
    Model {
        /// What happened, in the model's words.
        message: String,
    },
    /// The model cannot do this, and says so.
    Unsupported {
        /// The model.
        model: String,
        /// What it was asked for.
        purpose: String,
        /// What to do instead.
        hint: String,
    },
    /// A task that it builds on failed.
    Dependency {
        /// Which.
        task: String,
    },
    /// A tool that it cannot do without failed.
    Tool {
        /// Which.
        tool: String,
        /// Why.
        message: String,
    },
}

impl Failure {
    /// Returns the failure as text.
    pub fn text(&self, language: Language) -> String {
        match (language, self) {
            (Language::Zh, Self::UnknownAgent { agent, known }) => {
                format!("没有叫「{agent}」的智能体；现有：{}", known.join("、"))
            }
            (Language::En, Self::UnknownAgent { agent, known }) => {
                format!("there is no agent called {agent}; there are {}", known.join(", "))
            }
            (Language::Zh, Self::Undecided { agents, skills }) => {
                format!(
                    "说不准该交给哪个智能体，没有动手。请换个说法，或指定其中一个：{}",
                    listed(agents, skills, "：")
                )
            }
            (Language::En, Self::Undecided { agents, skills }) => format!(
                "the words do not say which agent is meant, and nothing was done; say it differently, or name one of: {}",
                listed(agents, skills, ": ")
            ),
            (Language::Zh, Self::TimedOut { seconds }) => format!("超过 {seconds} 秒没有做完，已放弃"),
            (Language::En, Self::TimedOut { seconds }) => format!("given up after {seconds} s"),
            (Language::Zh, Self::EmptyText) => "文本是空的，没有可做的".into(),
            (Language::En, Self::EmptyText) => "the text is empty, there is nothing to work on".into(),
            (Language::Zh, Self::AmbiguousChapter { given, choices }) => {
                format!("「{given}」可以是：{}", choices.join("；"))
            }
            (Language::En, Self::AmbiguousChapter { given, choices }) => {
                format!("\"{given}\" may be {}", choices.join(", "))
            }
            (Language::Zh, Self::UnknownChapter { given }) => format!("找不到「{given}」这一章"),
            (Language::En, Self::UnknownChapter { given }) => format!("no chapter is called {given}"),
            (Language::Zh, Self::NoText) => "需要指定章节或文本".into(),
            (Language::En, Self::NoText) => "a chapter or a text has to be named".into(),
            (Language::Zh, Self::NothingWritten) => {
                "还没有哪一章有正文，没有可续写的；先写出一章，或指明要写哪一章".into()
            }
            (Language::En, Self::NothingWritten) => {
                "no chapter has a text yet, so there is none to go on with; write one first, or name the chapter".into()
            }
            (Language::Zh, Self::NoProject { message }) => format!("打不开项目：{message}"),
            (Language::En, Self::NoProject { message }) => format!("the project cannot be opened: {message}"),
            (Language::Zh, Self::Model { message }) => format!("模型没有给出可用的回答：{message}"),
            (Language::En, Self::Model { message }) => format!("the model gave nothing that can be used: {message}"),
            (Language::Zh, Self::Unsupported { model, purpose, hint }) => format!("{model} 做不了 {purpose}：{hint}"),
            (Language::En, Self::Unsupported { model, purpose, hint }) => {
                format!("{model} cannot do {purpose}: {hint}")
            }
            (Language::Zh, Self::Dependency { task }) => format!("它所依赖的子任务 {task} 没有完成"),
            (Language::En, Self::Dependency { task }) => format!("the sub-task {task} that it builds on was not done"),
            (Language::Zh, Self::Tool { tool, message }) => format!("工具 {tool} 没有成功：{message}"),
            (Language::En, Self::Tool { tool, message }) => format!("the tool {tool} failed: {message}"),
        }
    }
}

/// Returns the names with their descriptions, a line each.
fn listed(names: &[String], skills: &[String], colon: &str) -> String {
    let line = |(name, does): (&String, &String)| format!("\n- {name}{colon}{does}");
    names.iter().zip(skills).map(line).collect()
}

/// The reason an agent stopped.
#[derive(Debug)]
pub(crate) enum AgentHalt {
    /// The task failed; other tasks continue.
    Failed(Failure),
    /// The run stops and can be resumed.
    Run(NodeError),
}

impl From<Failure> for AgentHalt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<NodeError> for AgentHalt {
    fn from(error: NodeError) -> Self {
        Self::Run(error)
    }
}

impl From<crate::Error> for AgentHalt {
    fn from(error: crate::Error) -> Self {
        Self::Run(error.into())
    }
}
