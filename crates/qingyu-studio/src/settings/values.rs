//! What can be set.

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

/// The roles that can have a model of their own.
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

/// Everything that can be set. Values that are not in any layer are not set at all.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Values {
    /// How the user is spoken to.
    pub ui: Ui,
    /// Who serves which role.
    pub models: Models,
    /// What is different about providers, and further ones. Keys never stand here.
    #[schemars(with = "BTreeMap<String, Provider>")]
    pub providers: Table,
    /// What is different about prices.
    #[schemars(with = "Prices")]
    pub prices: Table,
    /// What makes the vectors that search compares.
    pub embeddings: Embeddings,
    /// What a run may spend, and all runs of a day. Nothing is limited that is not set.
    pub budget: Budget,
    /// What is recorded of runs.
    pub cassettes: Cassettes,
    /// What a provider allows each model.
    pub limits: Limits,
    /// How long to wait for a model.
    pub timeouts: Timeouts,
    /// How patiently to try again.
    pub retries: Retries,
    /// The switches and borders of the pipeline.
    pub pipeline: PipelineConfig,
    /// The switches and limits of the writing of chapters.
    pub writing: WritingConfig,
    /// The limits of productions of content.
    pub production: ProductionConfig,
    /// How the web is searched and read.
    pub web: WebSettings,
    /// Which rules run, and how bad their findings are.
    pub checker: check::Config,
    /// Other servers whose tools are used beside ours.
    pub mcp_servers: McpServers,
    /// Where it is kept, and how safely.
    pub storage: Storage,
    /// How other programs and other machines get in.
    pub server: Server,
    /// The author's own prompts.
    pub prompts: Prompts,
    /// The author's own lists of words and rules.
    pub lists: Lists,
}

/// How other programs and other machines get in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address that is listened at; this machine's own when absent. Beyond this machine a key is demanded of everybody.
    pub host: Option<IpAddr>,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// The names it is reached by, beside those of this machine; requests that name another host are refused.
    pub hosts: Vec<String>,
    /// The origins of pages that may ask, such as `https://studio.example.com`.
    pub origins: Vec<String>,
    /// The address that others are told, such as `https://qingyu.example.com`; that of the request when absent.
    pub public_url: Option<String>,
    /// The hosts with ports, such as `127.0.0.1:9000`, that other agents may be told at although they are private.
    pub webhooks: Vec<String>,
    /// Whether somebody before it ends TLS. Without it no address beyond this machine is listened at.
    pub behind_tls: bool,
    /// How many connections are open at once.
    pub connections: usize,
    /// How many runs work at once, of all users; more are refused until one has ended.
    pub runs: usize,
    /// The most bytes of a request; manuscripts may have 64 times as many.
    pub body_bytes: usize,
    /// After how many seconds of silence a stream says that it is still there.
    pub heartbeat_seconds: u64,
    /// How many seconds the server may take to go.
    pub grace_seconds: u64,
}

/// How the user is spoken to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ui {
    /// The language of messages.
    pub language: UiLanguage,
}

/// The language of messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UiLanguage {
    /// As the terminal or browser says.
    #[default]
    Auto,
    /// 中文
    Zh,
    /// English
    En,
}

/// Who serves which role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Models {
    /// One model for every role, whatever stands below.
    pub all: Option<String>,
    /// The model of the roles that have none of their own. `auto` is the first model of the list `auto` whose provider has a key,
    /// else a server on this machine, else the offline model. Otherwise `provider/model`; `provider/usual`, `/best` or `/cheap`; the newest
    /// of a family, such as `anthropic/claude-sonnet-*`; `file:PATH.gguf`, which llama.cpp's `llama-server` serves while it is needed;
    /// `offline-rules-1`; or `cassette:FILE` for the answers that were recorded in a file.
    pub default: String,
    /// Asked in this order when the model of a role fails.
    pub fallbacks: Vec<String>,
    /// The models that `auto` tries, in this order: the first whose provider has a key.
    pub auto: Vec<String>,
    /// The providers on this machine that `auto` tries after them, in this order.
    pub local: Vec<String>,
    /// How hard the model of a role thinks before it answers; as it is used to for roles that are not named.
    pub effort: BTreeMap<String, Effort>,
    /// Models of single roles.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, RoleModel>")]
    pub roles: BTreeMap<String, String>,
}

/// The model of this role. Roles are planner, worldview, outline, character, plot, style, writer (chapters), review (of plans and
/// chapters), settle (reads what chapters say; a cheap one will do), assistant; for tasks orchestrator, creative, analysis, text_review,
/// data_analysis; for content production, research, consumer, judge.
#[derive(JsonSchema)]
#[schemars(transparent)]
#[expect(dead_code, reason = "it describes a setting")]
struct RoleModel(String);

/// What makes the vectors that search compares.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Embeddings {
    /// `lexical`, `provider/model`, or `local:` and the path of a model's folder.
    pub embedder: String,
    /// What the model wants to read before a text; what its folder says, or nothing, when absent.
    pub prefixes: Option<Prefixes>,
}

/// What a run may spend, and all runs of a day. Nothing is limited that is not set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Tokens of a run, of requests and answers together.
    pub tokens: Option<u64>,
    /// Money of a run, in units of `currency`. With this set, models whose price is unknown are refused.
    pub money: Option<f64>,
    /// The code of the currency, such as `CNY`.
    pub currency: Option<String>,
    /// Tokens of all runs and questions of one day together.
    pub per_day_tokens: Option<u64>,
    /// Money of all of them, in units of `currency`.
    pub per_day_money: Option<f64>,
    /// Whether the limits on tokens hold for models whose stated price is nothing, too.
    pub free_models: bool,
}

/// What is recorded of runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Cassettes {
    /// Whether runs are recorded.
    pub record: bool,
    /// For how many days after its last call a recording is kept; for ever when absent.
    pub keep_days: Option<u32>,
    /// How many megabytes are kept; the oldest go first. Everything when absent.
    pub keep_megabytes: Option<u64>,
}

/// What a provider allows each model, per minute, and how long an answer may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Requests per minute.
    pub requests_per_minute: Option<NonZeroU32>,
    /// Tokens per minute, of requests and answers together.
    pub tokens_per_minute: Option<NonZeroU32>,
    /// The most tokens of one answer, thinking included.
    pub answer_tokens: Option<NonZeroU32>,
}

/// How patiently to try again when a provider fails for a passing reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Retries {
    /// Attempts in all.
    pub attempts: u32,
    /// Seconds before the second attempt; they double each time.
    pub first_wait: f64,
    /// The most seconds between two attempts.
    pub longest_wait: f64,
}

/// How long to wait for a model, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// Seconds to wait for a connection.
    pub connect: u64,
    /// Seconds to wait for the first byte of an answer, and between two.
    pub idle: u64,
}

/// How safely it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Storage {
    /// What a commit survives.
    pub durability: Durability,
    /// The PostgreSQL server that keeps everything, such as `postgresql://qingyu@db.example.com/qingyu`; a file in the data
    /// folder when absent.
    pub url: Option<String>,
    /// The schema of that server in which all tables stand.
    pub schema: Option<String>,
    /// How many connections to that server are open at most.
    pub connections: Option<usize>,
}

/// What a commit survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// A power cut.
    #[default]
    Strict,
    /// A crash; a power cut may lose the last seconds.
    Relaxed,
}

/// The author's own lists of words and rules, by which texts are counted and reviewed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lists {
    /// A folder of lists; `lists` in the data folder when absent.
    pub folder: Option<PathBuf>,
}

/// The author's own prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Prompts {
    /// A folder whose files replace prompts of the same name; `prompts` in the data folder when absent.
    pub folder: Option<PathBuf>,
}

impl Values {
    /// What the types cannot say; gives the name of the setting and what is wrong with it.
    pub(crate) fn check(&self) -> Result<(), (String, String)> {
        let is_unknown = |role: &&String| !ROLES.contains(&role.as_str());
        let (models, efforts) = (self.models.roles.keys().find(is_unknown), self.models.effort.keys().find(is_unknown));
        let named = [models.map(|role| format!("models.{role}")), efforts.map(|role| format!("models.effort.{role}"))];
        if let Some(key) = named.into_iter().flatten().next() {
            return Err((key, format!("there is no such role; roles are {}", ROLES.join(", "))));
        }
        let Budget { money, currency, per_day_money, .. } = &self.budget;
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
        // Settings are shown and recorded; keys are not.
        for (key, given, variable) in [
            ("web.search_key", &self.web.search_key, "QINGYU_WEB_SEARCH_KEY"),
            ("web.reader_key", &self.web.reader_key, "QINGYU_WEB_READER_KEY"),
        ] {
            if given.is_some() {
                return Err((key.into(), format!("keys stand in the environment, as {variable}, never in settings")));
            }
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
