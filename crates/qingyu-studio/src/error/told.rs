//! Errors with details of the machine removed, for remote callers.

use std::path::Path;

use crate::error::Error;
use crate::error::storage::{name_of, without_folder};

impl Error {
    /// Removes paths and addresses from the error: keeps file names only, and no address of the database. The log has
    /// the full error.
    #[must_use]
    pub(crate) fn for_others(self) -> Self {
        match self {
            Self::Storage(failure) => Self::Storage(failure.for_others()),
            Self::BadCassette { path, message } => {
                Self::BadCassette { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::BadModelFile { path, message } => {
                Self::BadModelFile { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::BadSettings { layer, source_name, key, message } => {
                let source_name = source_name.map(|name| name_of(Path::new(&name)).display().to_string());
                Self::BadSettings { layer, source_name, key, message }
            }
            // A message about a file begins with its path.
            Self::Unwritten { message } => {
                let reason = message.rsplit_once(": ").map_or(message.as_str(), |(_, reason)| reason);
                Self::Unwritten { message: reason.to_owned() }
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::error::StorageFailure;

    #[test]
    fn others_are_not_told_where_things_are_kept() {
        let path = || PathBuf::from("/srv/secret/qingyu.db");
        let message = || "cannot open /srv/secret/qingyu.db: no".to_owned();
        for error in [
            Error::Storage(StorageFailure::DiskFull { path: path() }),
            Error::Storage(StorageFailure::Busy { path: path() }),
            Error::Storage(StorageFailure::NewerData { path: path() }),
            Error::Storage(StorageFailure::ReadOnly { path: path(), message: message() }),
            Error::Storage(StorageFailure::Corrupt { path: path(), message: message() }),
            Error::Storage(StorageFailure::Failed { path: path(), message: message() }),
            Error::BadCassette { path: path(), message: message() },
            Error::BadModelFile { path: path(), message: message() },
            Error::Unwritten { message: "/srv/secret/雨夜/README.md: permission denied".into() },
            Error::Unwritten { message: "/srv/secret/雨夜: the mirror of another project".into() },
            Error::Storage(StorageFailure::OnServer { command: "pg_dump --file='/srv/secret/a.db'".into() }),
            Error::Storage(StorageFailure::Unreachable {
                server: "secret:5432".into(),
                message: "secret:5432 refused".into(),
            }),
            Error::BadSettings {
                layer: crate::SettingLayer::User,
                source_name: Some("/srv/secret/config.toml".into()),
                key: "a.b".into(),
                message: "no".into(),
            },
        ] {
            let code = error.code().to_owned();
            let told = error.for_others();
            let text = format!("{told} {:?}", told.data());
            assert!(!text.contains("secret"), "{text}");
            assert_eq!(told.code(), code);
        }
    }
}
