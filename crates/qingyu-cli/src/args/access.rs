//! Arguments of `qingyu users`, `keys`, `audit` and `backup`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use jiff::{Span, Timestamp, Zoned};
use qingyu_studio::{Cost, Right};

/// Commands for the users of a server.
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// List the users.
    List,
    /// Add a user.
    Add(AddUser),
    /// Reject all requests of a user; the user's data is kept.
    Disable(NamedUser),
    /// Enable a disabled user.
    Enable(NamedUser),
}

/// Arguments of `users add`.
#[derive(Debug, Args)]
pub(crate) struct AddUser {
    /// The id: lowercase Latin letters, digits, `.`, `_` and `-`.
    pub(crate) user: String,
    /// The display name.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Allow the user to hold admin keys.
    #[arg(long)]
    pub(crate) admin: bool,
}

/// Arguments of `users disable` and `users enable`.
#[derive(Debug, Args)]
pub(crate) struct NamedUser {
    /// The id of the user.
    pub(crate) user: String,
}

/// Commands for API keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// List the keys, without their secrets.
    List(ListKeys),
    /// Create a key. The secret is shown only once.
    Make(MakeKey),
    /// Revoke a key immediately.
    Revoke(RevokeKey),
}

/// Arguments of `keys list`.
#[derive(Debug, Args)]
pub(crate) struct ListKeys {
    /// Only keys of the given user.
    #[arg(long, value_name = "USER")]
    pub(crate) user: Option<String>,
}

/// Arguments of `keys make`.
#[derive(Debug, Args)]
pub(crate) struct MakeKey {
    /// The owner (default: you).
    #[arg(long, value_name = "USER")]
    pub(crate) user: Option<String>,
    /// A name describing the purpose of the key.
    #[arg(long, default_value = "")]
    pub(crate) name: String,
    /// The rights of the key.
    #[arg(long, default_value = "write")]
    pub(crate) right: KeyRight,
    /// Limit the key to the given project of the user; may be repeated.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Vec<String>,
    /// Lifetime, such as `30d` or `12h` (default: no expiry).
    #[arg(long, value_name = "TIME", value_parser = after)]
    pub(crate) expires: Option<Timestamp>,
    /// Maximum requests per minute.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) requests_per_minute: Option<NonZeroU32>,
    /// Maximum concurrent runs.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) parallel_runs: Option<u32>,
    /// Maximum tokens per day.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tokens_per_day: Option<u64>,
    /// Maximum spending per day, such as `20CNY`.
    #[arg(long, value_name = "MONEY", value_parser = money)]
    pub(crate) money_per_day: Option<Cost>,
}

/// The rights of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyRight {
    /// Read only.
    Read,
    /// Read, and comment on words of chapters.
    Comment,
    /// Suggest other words for chapters as well.
    Suggest,
    /// Change projects, start runs and spend money.
    Write,
    /// Answer runs as their approver, and change the approvers of runs, as well.
    Approve,
    /// Manage users and keys as well.
    Admin,
}

impl From<KeyRight> for Right {
    fn from(right: KeyRight) -> Self {
        match right {
            KeyRight::Read => Self::Read,
            KeyRight::Comment => Self::Comment,
            KeyRight::Suggest => Self::Suggest,
            KeyRight::Write => Self::Write,
            KeyRight::Approve => Self::Approve,
            KeyRight::Admin => Self::Admin,
        }
    }
}

/// Arguments of `keys revoke`.
#[derive(Debug, Args)]
pub(crate) struct RevokeKey {
    /// The id of the key, or an id prefix.
    pub(crate) key: String,
}

/// Commands for the audit log.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// List the entries, newest first.
    List(ListAudit),
    /// Verify that no entry was changed or removed.
    Verify,
}

/// Arguments of `audit list`.
#[derive(Debug, Args)]
pub(crate) struct ListAudit {
    /// Only entries before the given number.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) before: Option<u64>,
    /// Maximum number of entries.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    pub(crate) most: usize,
}

/// Commands for backups of the database.
#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// List the scheduled backups, with the next one and the failure of the last try.
    List,
    /// Back up the whole database to a file, while in use.
    Make(MakeBackup),
    /// Restore a backup as the database.
    Restore(RestoreBackup),
}

/// Arguments of `backup make`.
#[derive(Debug, Args)]
pub(crate) struct MakeBackup {
    /// The new file; existing files are never overwritten.
    pub(crate) file: PathBuf,
}

/// Arguments of `backup restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreBackup {
    /// The backup file.
    pub(crate) file: PathBuf,
    /// Replace an existing database, which is kept in the folder `backups`.
    #[arg(long)]
    pub(crate) replace: bool,
}

/// Parses a duration such as `30d` and returns the timestamp so far in the future.
pub(super) fn after(text: &str) -> Result<Timestamp, String> {
    let span: Span = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    let then = Zoned::now().checked_add(span).map_err(|error| error.to_string())?;
    Ok(then.timestamp())
}

/// Parses an amount and a currency, such as `20CNY` or `0.5 USD`.
fn money(text: &str) -> Result<Cost, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (amount, currency) = (text[..end].parse::<f64>(), text[end..].trim().to_ascii_uppercase());
    match amount {
        Ok(amount) if currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            Ok(Cost { micros: (amount * 1e6).round() as u64, currency })
        }
        _ => Err("20CNY".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_an_amount_and_a_currency() {
        for (text, micros) in [("20CNY", Some(20_000_000)), ("0.5 cny", Some(500_000)), ("0CNY", Some(0))] {
            assert_eq!(money(text).ok(), micros.map(|micros| Cost { micros, currency: "CNY".into() }), "{text}");
        }
        for text in ["", "20", "CNY", "20 yuan", "-1CNY", "1.2.3CNY", "20元"] {
            assert!(money(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_is_counted_from_now() {
        for (text, hours) in [("30d", 30 * 24), ("12h", 12), ("2 weeks", 14 * 24)] {
            let wait = after(text).unwrap().duration_since(Timestamp::now()).as_hours();
            // A change to or from daylight saving time shifts the result by an hour.
            assert!((hours - 2..=hours + 1).contains(&wait), "{text}: {wait}");
        }
        assert!(after("soon").is_err());
    }
}
