//! The typed values of all settings.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use qingyu_agents::{PipelineConfig, ProductionConfig, WritingConfig};
use qingyu_llm::{Effort, Prefixes, Prices, Provider};
use qingyu_story::check;
use qingyu_tools::mcp::McpServers;
use qingyu_web::WebSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::settings::backups::{BackupSettings, interval};
use crate::settings::engines::EngineSettings;

/// The roles with an optional model of their own.
pub const ROLES: [&str; 19] = [
    "planner",
    "worldview",
    "outline",
    "character",
    "plot",
    "style",
    "writer",
    "review",
    "settle",
    "assistant",
    "orchestrator",
    "creative",
    "analysis",
    "text_review",
    "data_analysis",
    "production",
    "research",
    "consumer",
    "judge",
];

/// The schema of the storage, unless set.
const STORAGE_SCHEMA: &str = "qingyu";

/// All settings. Values missing in every layer are unset.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SettingValues {
    /// The user interface.
    pub(crate) ui: UiSettings,
    /// The models of roles.
    pub(crate) models: ModelSettings,
    /// Overrides of built-in providers, and further providers. Keys are not allowed here.
    #[schemars(with = "BTreeMap<String, Provider>")]
    pub(crate) providers: Table,
    /// Overrides of built-in prices.
    #[schemars(with = "Prices")]
    pub(crate) prices: Table,
    /// The embedder for search.
    pub(crate) embeddings: EmbeddingSettings,
    /// The budgets of a run and of all runs of a day. Unlimited by default.
    pub(crate) budget: BudgetSettings,
    /// The recording of runs.
    pub(crate) cassettes: CassetteSettings,
    /// The nodes before and after which runs stop and wait for a resume.
    pub(crate) breakpoints: BreakpointSettings,
    /// The approval of runs that wait for a person.
    pub(crate) approval: ApprovalSettings,
    /// The rate limits of a provider per model.
    pub(crate) limits: RateLimitSettings,
    /// The timeouts of model calls.
    pub(crate) timeouts: TimeoutSettings,
    /// The retries of model calls.
    pub(crate) retries: RetrySettings,
    /// The switches and thresholds of the pipeline.
    pub(crate) pipeline: PipelineConfig,
    /// The switches and limits of writing chapters.
    pub(crate) writing: WritingConfig,
    /// The author's goals.
    pub(crate) goals: GoalSettings,
    /// Readable mirrors of the books, as folders of Markdown.
    pub(crate) mirror: MirrorSettings,
    /// Scheduled backups of the database while a server is at work.
    pub(crate) backups: BackupSettings,
    /// The limits of content productions.
    pub(crate) production: ProductionConfig,
    /// Web search and web reading.
    pub(crate) web: WebSettings,
    /// The enabled rules, and the severity of their findings.
    pub(crate) checker: check::Config,
    /// Other servers with additional tools.
    pub(crate) mcp_servers: McpServers,
    /// The location and durability of data.
    pub(crate) storage: StorageSettings,
    /// Servers for search, the graph and memories.
    pub(crate) engines: EngineSettings,
    /// Another studio's server with the story on which tools and tasks work; usually set for a single project.
    pub(crate) workspace: WorkspaceSettings,
    /// The access of other programs and machines.
    pub(crate) server: Server,
    /// The author's prompts.
    pub(crate) prompts: PromptSettings,
    /// The author's lists of words and rules.
    pub(crate) lists: ListSettings,
}

/// The access of other programs and machines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address to listen on; the loopback address by default. Other addresses require every caller to authenticate
    /// with a key.
    pub host: Option<IpAddr>,
    /// The port; 0 selects a free port.
    pub port: u16,
    /// The host names of the server, besides the names of the local machine; requests for other hosts are rejected.
    pub hosts: Vec<String>,
    /// The origins of allowed web pages, such as `https://studio.example.com`.
    pub origins: Vec<String>,
    /// The public address, such as `https://qingyu.example.com`; the address of the request by default.
    pub public_url: Option<String>,
    /// Private hosts with ports, such as `127.0.0.1:9000`, allowed as webhook targets of other agents.
    pub webhooks: Vec<String>,
    /// Whether a proxy terminates TLS. Required for listening on an address beyond the local machine.
    pub behind_tls: bool,
    /// The maximum number of concurrent connections.
    pub connections: usize,
    /// The maximum number of concurrent runs of all users; further runs are refused.
    pub runs: usize,
    /// The maximum size of a request in bytes; manuscripts may be 64 times larger.
    pub body_bytes: usize,
    /// The number of idle seconds before a stream sends a heartbeat.
    pub heartbeat_seconds: u64,
    /// The timeout of a shutdown, in seconds.
    pub grace_seconds: u64,
}

/// The user interface.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct UiSettings {
    /// The language of messages.
    pub(crate) language: UiLanguage,
}

/// The language of messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UiLanguage {
    /// The language of the terminal or browser.
    #[default]
    Auto,
    /// 中文
    Zh,
    /// English
    En,
}

/// The models of roles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ModelSettings {
    /// A model for every role, overriding all settings below.
    pub(crate) all: Option<String>,
    /// The default model. `auto` is the first model of the list `auto` with a provider key, else a server on this
    /// machine, else the offline model. Otherwise `provider/model`; `provider/usual`, `/best` or `/cheap`; the newest
    /// model of a family, such as `anthropic/claude-sonnet-*`; `file:PATH.gguf`, served by llama.cpp's `llama-server`
    /// on demand; `offline-rules-1`; or `cassette:FILE` for the recorded answers in a file.
    pub(crate) default: String,
    /// The fallback models, called in order when the model of a role fails.
    pub(crate) fallbacks: Vec<String>,
    /// The models tried by `auto`, in order: the first with a provider key wins.
    pub(crate) auto: Vec<String>,
    /// The providers on this machine tried by `auto` afterwards, in order.
    pub(crate) local: Vec<String>,
    /// The reasoning effort by role; the model's default for other roles.
    pub(crate) effort: BTreeMap<String, Effort>,
    /// Models of single roles.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, RoleModel>")]
    pub(crate) roles: BTreeMap<String, String>,
}

/// The model of the role. Roles are planner, worldview, outline, character, plot, style, writer (chapters), review (of
/// plans and chapters), settle (reads facts from chapters; a cheap model suffices), assistant; for tasks orchestrator,
/// creative, analysis, text_review, data_analysis; for content production, research, consumer, judge.
#[derive(JsonSchema)]
#[schemars(transparent)]
#[expect(dead_code, reason = "it describes a setting")]
struct RoleModel(String);

/// The embedder for search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EmbeddingSettings {
    /// `lexical`, `provider/model`, or `local:` and the path of a model's folder.
    pub(crate) embedder: String,
    /// The text prefixes expected by the model; by default the prefixes in its folder, or none.
    pub(crate) prefixes: Option<Prefixes>,
}

/// The budgets of a run and of all runs of a day. Unlimited by default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct BudgetSettings {
    /// The tokens of a run, requests plus answers.
    pub(crate) tokens: Option<u64>,
    /// The money of a run, in units of `currency`. With a money budget, models without a known price are refused.
    pub(crate) money: Option<f64>,
    /// The code of the currency, such as `CNY`.
    pub(crate) currency: Option<String>,
    /// The tokens of all runs and questions of a day.
    pub(crate) per_day_tokens: Option<u64>,
    /// The money of all runs and questions of a day, in units of `currency`.
    pub(crate) per_day_money: Option<f64>,
    /// Whether token limits apply to free models as well.
    pub(crate) free_models: bool,
}

/// The author's goals, in the unit in which editors count: characters with punctuation in Chinese, words in English. The
/// goals of chapters are in the outline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GoalSettings {
    /// The length to write in a day; no goal by default.
    pub(crate) day: Option<u32>,
    /// The length of the finished book; no goal by default.
    pub(crate) book: Option<u32>,
}

/// Readable mirrors of the books, as folders of Markdown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MirrorSettings {
    /// The folder in which each book of the local user has a folder, kept up to date after each save while a server or a
    /// command is at work; no mirrors by default.
    pub(crate) folder: Option<PathBuf>,
    /// Whether mirrors are kept up to date; a book may have its own setting.
    pub(crate) on: bool,
    /// Whether each mirror is a git repository with a commit for each update; needs the program `git`.
    pub(crate) git: bool,
}

/// The recording of runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CassetteSettings {
    /// Whether to record runs.
    pub(crate) record: bool,
    /// The number of days to keep a recording after its last call; forever by default.
    pub(crate) keep_days: Option<u32>,
    /// The total size of recordings in megabytes, deleting the oldest first; unlimited by default.
    pub(crate) keep_megabytes: Option<u64>,
}

/// The nodes before and after which runs stop and wait for a resume. `qingyu graph` shows the nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct BreakpointSettings {
    /// The nodes before which a run stops.
    pub(crate) before: Vec<String>,
    /// The nodes after which a run stops, if anything follows.
    pub(crate) after: Vec<String>,
}

/// The approval of runs that wait for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ApprovalSettings {
    /// The only person who may answer new runs: the name of a member of the project with the role `approve`, or the ID
    /// of the project's owner, `local` on this machine. By default everybody with the right to write.
    pub(crate) by: Option<String>,
}

/// The rate limits of a provider per model, and the maximum length of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RateLimitSettings {
    /// Requests per minute.
    pub(crate) requests_per_minute: Option<NonZeroU32>,
    /// Tokens per minute, requests plus answers.
    pub(crate) tokens_per_minute: Option<NonZeroU32>,
    /// The maximum number of tokens of an answer, including reasoning.
    pub(crate) answer_tokens: Option<NonZeroU32>,
}

/// The retries after temporary failures of a provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RetrySettings {
    /// The total number of attempts.
    pub(crate) attempts: u32,
    /// The wait before the second attempt, in seconds; doubled for each further retry.
    pub(crate) first_wait: f64,
    /// The maximum wait between two attempts, in seconds.
    pub(crate) longest_wait: f64,
}

/// The timeouts of model calls, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TimeoutSettings {
    /// The timeout for a connection, in seconds.
    pub(crate) connect: u64,
    /// The timeout for the first byte of an answer, and between two bytes, in seconds.
    pub(crate) idle: u64,
}

/// The location and durability of data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StorageSettings {
    /// The durability of a commit.
    pub(crate) durability: StorageDurability,
    /// The PostgreSQL server for all data, such as `postgresql://qingyu@db.example.com/qingyu`; by default a file in
    /// the data folder.
    pub(crate) url: Option<String>,
    /// The schema of all tables on the server.
    pub(crate) schema: Option<String>,
    /// The maximum number of connections to the server.
    pub(crate) connections: Option<usize>,
}

/// Another studio's server with the story on which tools and tasks work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WorkspaceSettings {
    /// The address of the server, such as `https://books.example.com`; by default the story is in this studio.
    pub(crate) url: Option<String>,
    /// The ID of the project on the server; by default the ID of the project here.
    pub(crate) project: Option<String>,
    /// The environment variable with the key for the server.
    pub(crate) key_env: Option<String>,
}

/// The durability of a commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StorageDurability {
    /// Survives a power cut.
    #[default]
    Strict,
    /// Survives a crash; a power cut may lose the last seconds.
    Relaxed,
}

/// The author's lists of words and rules for analysis and review.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ListSettings {
    /// The folder of lists; by default `lists` in the data folder.
    pub(crate) folder: Option<PathBuf>,
}

/// The author's prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PromptSettings {
    /// The folder of prompts overriding built-in prompts of the same name; by default `prompts` in the data folder.
    pub(crate) folder: Option<PathBuf>,
}

impl SettingValues {
    /// Validates constraints beyond the types; returns the invalid setting and the problem.
    pub(crate) fn check(&self) -> Result<(), (String, String)> {
        let is_unknown = |role: &&String| !ROLES.contains(&role.as_str());
        let (models, efforts) = (self.models.roles.keys().find(is_unknown), self.models.effort.keys().find(is_unknown));
        let named = [models.map(|role| format!("models.{role}")), efforts.map(|role| format!("models.effort.{role}"))];
        if let Some(key) = named.into_iter().flatten().next() {
            return Err((key, format!("there is no such role; roles are {}", ROLES.join(", "))));
        }
        let BudgetSettings { money, currency, per_day_money, .. } = &self.budget;
        for (key, money) in [("budget.money", money), ("budget.per_day_money", per_day_money)] {
            if money.is_some_and(|money| !money.is_finite() || money < 0.0) {
                return Err((key.into(), "must be a number from 0 up".into()));
            }
            if money.is_some() && currency.is_none() {
                return Err((key.into(), "needs budget.currency beside it".into()));
            }
        }
        let waits =
            [("retries.first_wait", self.retries.first_wait), ("retries.longest_wait", self.retries.longest_wait)];
        if let Some((key, _)) = waits.into_iter().find(|(_, seconds)| !(0.0..=600.0).contains(seconds)) {
            return Err((key.into(), "must be between 0 and 600".into()));
        }
        // Settings are shown and recorded; keys must not be.
        for (key, given, variable) in [
            ("web.search_key", &self.web.search_key, "QINGYU_WEB_SEARCH_KEY"),
            ("web.reader_key", &self.web.reader_key, "QINGYU_WEB_READER_KEY"),
        ] {
            if given.is_some() {
                return Err((key.into(), format!("keys stand in the environment, as {variable}, never in settings")));
            }
        }
        self.engines.check()?;
        let schema = self.storage.schema.as_deref().unwrap_or(STORAGE_SCHEMA);
        if self.storage.url.is_some() && self.engines.postgres.schema == schema {
            let problem = "must be another schema than that of storage, whose tables have the same names";
            return Err(("engines.postgres.schema".into(), problem.into()));
        }
        if let Some(every) = &self.backups.every {
            interval(every).map_err(|message| ("backups.every".to_owned(), message))?;
        }
        if self.backups.keep == 0 {
            return Err(("backups.keep".into(), "must be at least 1".into()));
        }
        if self.retries.attempts == 0 {
            return Err(("retries.attempts".into(), "must be at least 1".into()));
        }
        let timeouts = [("timeouts.connect", self.timeouts.connect), ("timeouts.idle", self.timeouts.idle)];
        if let Some((key, _)) = timeouts.into_iter().find(|(_, seconds)| *seconds == 0) {
            return Err((key.into(), "must be at least 1".into()));
        }
        Ok(())
    }
}
