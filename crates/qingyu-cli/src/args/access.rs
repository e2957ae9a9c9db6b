//! `qingyu users`, `keys`, `audit`, `backup` and their arguments.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use jiff::{Span, Timestamp, Zoned};
use qingyu_studio::{Cost, Right};

/// Users of a server.
#[derive(Debug, Subcommand)]
pub(crate) enum UsersCommand {
    /// List the users.
    List,
    /// Add a user.
    Add(AddUser),
    /// Let nobody ask as this user any more; what is there stays.
    Disable(NamedUser),
    /// Let the user in again.
    Enable(NamedUser),
}

/// Arguments of `users add`.
#[derive(Debug, Args)]
pub(crate) struct AddUser {
    /// The id: small Latin letters, digits, `.`, `_` and `-`.
    pub(crate) user: String,
    /// The name, for people.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// May have keys that change users and keys.
    #[arg(long)]
    pub(crate) admin: bool,
}

/// Arguments of `users disable` and `users enable`.
#[derive(Debug, Args)]
pub(crate) struct NamedUser {
    /// The id of the user.
    pub(crate) user: String,
}

/// Keys of programs and people.
#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// List the keys, without their secrets.
    List(ListKeys),
    /// Make a key. It is shown once.
    Make(MakeKey),
    /// Take a key back; it does not hold from now on.
    Revoke(RevokeKey),
}

/// Arguments of `keys list`.
#[derive(Debug, Args)]
pub(crate) struct ListKeys {
    /// Only those of this user.
    #[arg(long, value_name = "USER")]
    pub(crate) user: Option<String>,
}

/// Arguments of `keys make`.
#[derive(Debug, Args)]
pub(crate) struct MakeKey {
    /// Whose it is; yours if nobody is named.
    #[arg(long, value_name = "USER")]
    pub(crate) user: Option<String>,
    /// What it is for.
    #[arg(long, default_value = "")]
    pub(crate) name: String,
    /// What it allows.
    #[arg(long, default_value = "write")]
    pub(crate) right: KeyRight,
    /// Only for this project of the user; may be given several times.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Vec<String>,
    /// How long it holds, such as `30d` or `12h`; for ever if not given.
    #[arg(long, value_name = "TIME", value_parser = after)]
    pub(crate) expires: Option<Timestamp>,
    /// The most requests in a minute.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) requests_per_minute: Option<NonZeroU32>,
    /// The most runs at work at once.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) parallel_runs: Option<u32>,
    /// The most tokens in a day.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tokens_per_day: Option<u64>,
    /// The most money in a day, such as `20CNY`.
    #[arg(long, value_name = "MONEY", value_parser = money)]
    pub(crate) money_per_day: Option<Cost>,
}

/// What a key allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyRight {
    /// Look.
    Read,
    /// Change projects, start runs and spend money on them.
    Write,
    /// Change users and keys as well.
    Admin,
}

impl From<KeyRight> for Right {
    fn from(right: KeyRight) -> Self {
        match right {
            KeyRight::Read => Self::Read,
            KeyRight::Write => Self::Write,
            KeyRight::Admin => Self::Admin,
        }
    }
}

/// Arguments of `keys revoke`.
#[derive(Debug, Args)]
pub(crate) struct RevokeKey {
    /// The id of the key, or what it begins with.
    pub(crate) key: String,
}

/// What was done with users, keys and copies.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// List what was done, newest first.
    List(ListAudit),
    /// Check that nothing in it was changed or is missing.
    Verify,
}

/// Arguments of `audit list`.
#[derive(Debug, Args)]
pub(crate) struct ListAudit {
    /// Only what is older than this number.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) before: Option<u64>,
    /// How much of it.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    pub(crate) most: usize,
}

/// The database copied and put back.
#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// Copy the whole database to a file, while everything goes on working.
    Make(MakeBackup),
    /// Put a copy in the place of the database.
    Restore(RestoreBackup),
}

/// Arguments of `backup make`.
#[derive(Debug, Args)]
pub(crate) struct MakeBackup {
    /// The file; nothing is written over.
    pub(crate) file: PathBuf,
}

/// Arguments of `backup restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreBackup {
    /// The copy.
    pub(crate) file: PathBuf,
    /// Also if there is a database; it is kept in the folder `backups`.
    #[arg(long)]
    pub(crate) replace: bool,
}

/// The moment that is so long from now, such as `30d`.
fn after(text: &str) -> Result<Timestamp, String> {
    let span: Span = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    let then = Zoned::now().checked_add(span).map_err(|error| error.to_string())?;
    Ok(then.timestamp())
}

/// An amount and a currency, such as `20CNY` or `0.5 USD`.
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
            // A day may have an hour more or less.
            assert!((hours - 2..=hours + 1).contains(&wait), "{text}: {wait}");
        }
        assert!(after("soon").is_err());
    }
}
