//! Errors with details of the machine removed, for remote callers.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// The replacement for the database's address.
const SERVER: &str = "the database server";

impl Error {
    /// Removes paths and addresses from the error: keeps file names only, and no address of the database. The log has
    /// the full error.
    #[must_use]
    pub(crate) fn for_others(self) -> Self {
        match self {
            Self::TargetExists { path } => Self::TargetExists { path: name_of(&path) },
            Self::HasData { path } => Self::HasData { path: name_of(&path) },
            Self::DiskFull { path } => Self::DiskFull { path: name_of(&path) },
            Self::DatabaseBusy { path } => Self::DatabaseBusy { path: name_of(&path) },
            Self::NewerData { path } => Self::NewerData { path: name_of(&path) },
            Self::ReadOnly { path, message } => {
                Self::ReadOnly { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::Corrupt { path, message } => {
                Self::Corrupt { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::Storage { path, message } => {
                Self::Storage { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::BadCassette { path, message } => {
                Self::BadCassette { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::BadModelFile { path, message } => {
                Self::BadModelFile { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::Unreachable { server, message } => {
                let message = message.replace(&server, SERVER);
                tracing::warn!(server, message, "database server unreachable");
                Self::Unreachable { server: SERVER.into(), message }
            }
            Self::BadSettings { layer, source_name, key, message } => {
                let source_name = source_name.map(|name| name_of(Path::new(&name)).display().to_string());
                Self::BadSettings { layer, source_name, key, message }
            }
            other => other,
        }
    }
}

fn name_of(path: &Path) -> PathBuf {
    path.file_name().map(PathBuf::from).unwrap_or_default()
}

/// Returns the message with the path replaced by the file name.
fn without_folder(message: &str, path: &Path) -> String {
    match path.parent().and_then(Path::to_str).filter(|folder| folder.len() > 1) {
        Some(folder) => message.replace(&format!("{folder}/"), "").replace(folder, ""),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_not_told_where_things_are_kept() {
        let path = || PathBuf::from("/srv/secret/qingyu.db");
        let message = || "cannot open /srv/secret/qingyu.db: no".to_owned();
        for error in [
            Error::DiskFull { path: path() },
            Error::DatabaseBusy { path: path() },
            Error::NewerData { path: path() },
            Error::ReadOnly { path: path(), message: message() },
            Error::Corrupt { path: path(), message: message() },
            Error::Storage { path: path(), message: message() },
            Error::BadCassette { path: path(), message: message() },
            Error::BadModelFile { path: path(), message: message() },
            Error::Unreachable { server: "secret:5432".into(), message: "secret:5432 refused".into() },
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
