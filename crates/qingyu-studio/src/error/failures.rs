//! Conversion of lower-level errors into studio errors.

use std::error::Error as StdError;
use std::path::Path;

use qingyu_llm::stack::Scope;

use crate::access::limits::ExceededLimit;
use crate::error::{Error, Noun, ProviderFailure, StorageFailure};
use crate::settings::layer::SettingLayer;

/// The context of an error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailureContext<'a> {
    /// The database file.
    pub(crate) database: &'a Path,
    /// The run; empty outside a run.
    pub(crate) run: &'a str,
}

impl FailureContext<'_> {
    /// Converts a database error.
    pub(crate) fn database(self, error: &qingyu_db::Error) -> Error {
        use qingyu_db::Error as Db;
        let (path, message) = (self.database.to_path_buf(), error.to_string());
        match error {
            Db::Busy => Error::Storage(StorageFailure::Busy { path }),
            Db::Unreachable { server, reason } => {
                Error::Storage(StorageFailure::Unreachable { server: server.clone(), message: reason.clone() })
            }
            Db::DiskFull => Error::Storage(StorageFailure::DiskFull { path }),
            Db::ReadOnly | Db::CannotOpen { .. } => Error::Storage(StorageFailure::ReadOnly { path, message }),
            Db::NotADatabase { .. } | Db::Damaged { .. } => Error::Storage(StorageFailure::Corrupt { path, message }),
            Db::Exists { path } => Error::Storage(StorageFailure::TargetExists { path: path.clone() }),
            Db::NewerSchema { .. } => Error::Storage(StorageFailure::NewerData { path }),
            error if qingyu_store::is_damage(error) => Error::Storage(StorageFailure::Corrupt { path, message }),
            _ => Error::Storage(StorageFailure::Failed { path, message }),
        }
    }

    /// Converts a store error.
    pub(crate) fn store(self, error: qingyu_store::Error) -> Error {
        use qingyu_store::Error as Store;
        match error {
            Store::Database(error) => self.database(&error),
            Store::Binned { project } => Error::ProjectBinned { project },
            Store::NotBinned { project } => Error::ProjectNotBinned { project },
            Store::UnknownProject { given } => Error::unknown(Noun::Project, given),
            Store::Taken => Error::RequestAtWork,
            Store::Busy { run } | Store::Lost { run } => Error::ThreadBusy { run },
            Store::KeyBusy { most } => Error::Limit(ExceededLimit::parallel_runs(most)),
            Store::KeyRevoked { .. } => Error::Unauthorized,
            Store::UnknownRun { given } => Error::unknown(Noun::Run, given),
            Store::UnknownAccount { given } => Error::unknown(Noun::User, given),
            Store::AccountExists { id } => Error::BadUser { given: id, reason: "taken".into() },
            Store::MemberExists { .. } => Error::BadKey { reason: "taken".into() },
            Store::SeriesChanged { project } => Error::Conflict { project },
            Store::SeriesCircle { project } => Error::SeriesCircle { project },
            Store::TooManyMembers { .. } => Error::BadKey { reason: "too_many".into() },
            Store::UnknownKey { given } => Error::unknown(Noun::Key, given),
            Store::Ambiguous { given, matches } => Error::Ambiguous { given, matches },
            Store::Conflict { project, .. } => Error::Conflict { project },
            Store::UnknownChange { project, change, newest } => Error::UnknownChange { project, change, newest },
            Store::BranchExists { project, name } => Error::BadBranch { project, name, reason: "taken".into() },
            Store::UnknownBranch { project, given } => Error::UnknownBranch { project, given },
            Store::ChangedSince { change, piece, by, .. } => Error::ChangedSince { change, piece, by },
            // The cause is the embedder, not the disk.
            Store::Dimensions { ref model, .. } | Store::NotFinite { ref model } => {
                Error::Provider(ProviderFailure::Failed {
                    model: model.clone(),
                    status: None,
                    message: error.to_string(),
                })
            }
            Store::BadRow { .. } => Error::Storage(StorageFailure::Corrupt {
                path: self.database.to_path_buf(),
                message: error.to_string(),
            }),
        }
    }

    /// Converts a memory error.
    pub(crate) fn memory(self, error: qingyu_memory::Error) -> Error {
        use qingyu_memory::Error as Memory;
        let path = self.database.to_path_buf();
        match error {
            Memory::Database(error) => self.database(&error),
            Memory::Unknown { id } => Error::unknown(Noun::Memory, id),
            Memory::Unfit { what, reason } => Error::BadMemory { what: what.into(), message: reason },
            // All retries lost to concurrent writers.
            Memory::AlreadyThere { .. } | Memory::Changed { .. } => Error::Storage(StorageFailure::Busy { path }),
            Memory::BadRow { .. } => Error::Storage(StorageFailure::Corrupt { path, message: error.to_string() }),
            Memory::OverBudget { .. } | Memory::Unreachable { .. } | Memory::Refused { .. } => {
                Error::Storage(StorageFailure::Failed { path, message: error.to_string() })
            }
        }
    }

    /// Converts an error of the graph engine or of an executed node.
    pub(crate) fn graph(self, error: &qingyu_graph::Error) -> Error {
        use qingyu_graph::Error as Graph;
        let run = || self.run.to_owned();
        match error {
            Graph::ThreadBusy { .. } | Graph::Fenced { .. } => Error::ThreadBusy { run: run() },
            Graph::GraphChanged { changes, .. } => Error::GraphChanged { run: run(), message: changes.join("; ") },
            Graph::NoSuchThread { .. } => Error::unknown(Noun::Run, run()),
            Graph::NoSuchCheckpoint { checkpoint, .. } | Graph::CheckpointOfCall { checkpoint, .. } => {
                Error::UnknownCheckpoint { run: run(), checkpoint: *checkpoint }
            }
            Graph::Database(error) => self.database(error),
            Graph::Corrupt { reason } => {
                Error::Storage(StorageFailure::Corrupt { path: self.database.to_path_buf(), message: reason.clone() })
            }
            Graph::Node { node, message, source, .. } => {
                let known = source.as_ref().and_then(|source| self.known(source.get()));
                known.unwrap_or_else(|| Error::Pipeline { node: node.clone(), message: message.clone() })
            }
            error => Error::Pipeline { node: String::new(), message: error.to_string() },
        }
    }

    /// Returns the first actionable error among the causes of `error`.
    pub(crate) fn known(self, error: &(dyn StdError + 'static)) -> Option<Error> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<Error>() {
                return Some(error.clone());
            }
            if let Some(error) = error.downcast_ref::<qingyu_llm::Error>() {
                return Some(model(error));
            }
            if let Some(error) = error.downcast_ref::<qingyu_store::Error>() {
                return Some(self.store(error.clone()));
            }
            if let Some(error) = error.downcast_ref::<qingyu_db::Error>() {
                return Some(self.database(error));
            }
            if let Some(error) = error.downcast_ref::<qingyu_graph::SharedError>() {
                return self.known(error.get());
            }
            cause = error.source();
        }
        None
    }

    /// Converts a file system error.
    pub(crate) fn file(self, path: &Path, error: &std::io::Error) -> Error {
        use std::io::ErrorKind;
        let path = path.to_path_buf();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Error::Storage(StorageFailure::DiskFull { path }),
            _ => Error::Storage(StorageFailure::ReadOnly { path, message: error.to_string() }),
        }
    }
}

/// Converts an error of a model call.
pub(crate) fn model(error: &qingyu_llm::Error) -> Error {
    use qingyu_llm::Error as Llm;
    match error.clone() {
        Llm::NoCredit { model, message } => Error::Provider(ProviderFailure::NoCredit { model, message }),
        Llm::BadKey { model, status, message, url } => {
            Error::Provider(ProviderFailure::Refused { model, status, message: with_address(&message, &url) })
        }
        Llm::Http { model, status, body, url, .. } if matches!(status, 401 | 403) => {
            Error::Provider(ProviderFailure::Refused { model, status, message: with_address(&body, &url) })
        }
        Llm::Http { model, status: 429 | 503 | 529, body, retry_after, url } => {
            let retry_after = retry_after.map(|wait| wait.as_secs());
            Error::Provider(ProviderFailure::Busy { model, message: with_address(&body, &url), retry_after })
        }
        Llm::Http { model, status, body, url, .. } => {
            let message = with_address(&format!("HTTP {status}: {body}"), &url);
            Error::Provider(ProviderFailure::Failed { model, status: Some(status), message })
        }
        Llm::BadAddress { model, status, message, url } => {
            Error::Provider(ProviderFailure::Address { model, address: url.into(), status, message })
        }
        Llm::NoSuchModel { model, available, .. } => {
            let provider = model.split('/').next().unwrap_or_default().to_owned();
            Error::ModelNotServed { model, provider, models: available.into() }
        }
        Llm::PromptTooLong { model, message, .. } => Error::Provider(ProviderFailure::PromptTooLong { model, message }),
        Llm::Provider { model, message } => Error::Provider(ProviderFailure::Failed { model, status: None, message }),
        Llm::Transport { model, message } => Error::Provider(ProviderFailure::Unreachable { model, message }),
        Llm::Resting { model, retry_after } => Error::Provider(ProviderFailure::Busy {
            model,
            message: error.to_string(),
            retry_after: Some(retry_after.as_secs()),
        }),
        Llm::Filtered { model, purpose, message } => {
            Error::Provider(ProviderFailure::Filtered { model, purpose, message })
        }
        Llm::Empty { model, purpose, thought } => Error::Provider(ProviderFailure::Empty { model, purpose, thought }),
        Llm::Replay { purpose, difference } => Error::NotRecorded { purpose, difference },
        Llm::Truncated { partial } => Error::Provider(ProviderFailure::Cut { characters: partial.chars().count() }),
        Llm::BadOutput { purpose, attempts, problems, .. } => {
            Error::Provider(ProviderFailure::BadOutput { purpose, attempts, problems })
        }
        Llm::Unsupported { model, purpose, hint } => {
            Error::Provider(ProviderFailure::Unsupported { model, purpose, hint })
        }
        Llm::Budget { overdraft: Some(over), .. } if over.scope == Scope::Key => {
            Error::Limit(ExceededLimit::by_call(over))
        }
        Llm::Budget { message, overdraft } => Error::Budget { message, overdraft: overdraft.map(Box::new) },
        Llm::Settings(message) => {
            Error::BadSettings { layer: SettingLayer::User, source_name: None, key: "providers".into(), message }
        }
    }
}

/// Returns the message with the requested address appended.
fn with_address(said: &str, address: &str) -> String {
    if address.is_empty() { said.to_owned() } else { format!("{said} ({address})") }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use qingyu_llm::Error as Llm;
    use qingyu_llm::stack::Overdraft;

    use super::*;

    #[test]
    fn model_failures_are_sorted_by_what_to_do() {
        let http = |status| Llm::Http {
            model: "m".into(),
            status,
            body: "no".into(),
            retry_after: Some(Duration::from_secs(7)),
            url: Box::default(),
        };
        for (error, code) in [
            (http(401), "provider_refused"),
            (Llm::NoCredit { model: "m".into(), message: "insufficient_quota".into() }, "no_credit"),
            (Llm::Empty { model: "m".into(), purpose: "p".into(), thought: true }, "empty_answer"),
            (http(403), "provider_refused"),
            (http(400), "provider"),
            (
                Llm::BadAddress {
                    model: "m".into(),
                    status: Some(404),
                    message: "no".into(),
                    url: "http://x/v1".into(),
                },
                "provider_address",
            ),
            (Llm::Filtered { model: "m".into(), purpose: "p".into(), message: String::new() }, "content_refused"),
            (Llm::PromptTooLong { model: "m".into(), message: "2 > 1".into(), limit: None }, "prompt_too_long"),
            (http(429), "provider_busy"),
            (http(500), "provider"),
            (Llm::Transport { model: "m".into(), message: "timed out".into() }, "provider_unreachable"),
            (Llm::Resting { model: "m".into(), retry_after: Duration::from_secs(9) }, "provider_busy"),
            (Llm::Truncated { partial: "{".into() }, "answer_cut"),
            (Llm::Budget { message: "100 of 100".into(), overdraft: None }, "budget"),
            (Llm::Settings("no".into()), "bad_settings"),
        ] {
            assert_eq!(model(&error).code(), code, "{error}");
        }
        assert_eq!(model(&http(429)).data()["retry_after"], 7);
        let (scope, currency) = (Scope::Key, Some("CNY".to_owned()));
        let over = Overdraft { scope, currency, limit: 5_000_000, spent: 5_000_000, set_aside: 0, asked: 9 };
        let limit = model(&Llm::Budget { message: over.to_string(), overdraft: Some(over) });
        assert_eq!((limit.code(), &limit.data()["limit"]), ("limit", &"money_per_day".into()));
        assert_eq!(limit.data()["most"], 5.0);
    }

    #[test]
    fn a_failure_is_found_under_what_wraps_it() {
        #[derive(Debug, thiserror::Error)]
        #[error("outer")]
        struct Outer(#[source] Llm);

        let place = FailureContext { database: Path::new("/data/qingyu.db"), run: "r-1" };
        let error = Outer(Llm::Budget { message: "100 of 100".into(), overdraft: None });
        assert_eq!(place.known(&error).map(|error| error.code().to_owned()).as_deref(), Some("budget"));
        assert!(place.known(&std::fmt::Error).is_none());
        let shared = qingyu_graph::SharedError::new(qingyu_store::Error::Database(qingyu_db::Error::DiskFull));
        assert_eq!(place.known(&shared).map(|error| error.code().to_owned()).as_deref(), Some("disk_full"));
    }
}
