//! Options of a connection string. Unknown options are rejected if they could change the meaning of a command.

use std::collections::BTreeSet;
use std::time::Duration;

use super::super::bson::Bson;
use super::{MongoSettings, decode};

/// Ignored options, which affect only performance.
const IGNORED: [&str; 11] = [
    "compressors",
    "heartbeatfrequencyms",
    "localthresholdms",
    "maxconnecting",
    "maxstalenessseconds",
    "minpoolsize",
    "servermonitoringmode",
    "uuidrepresentation",
    "waitqueuetimeoutms",
    "zlibcompressionlevel",
    "readpreferencetags",
];

/// Parses the options into `settings`, and returns `authSource`.
pub(super) fn read(settings: &mut MongoSettings, query: &str) -> Result<Option<String>, String> {
    let (mut seen, mut source) = (BTreeSet::new(), None);
    for option in query.split('&').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').ok_or("an option has no value")?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err("the name of an option is not letters and digits".to_owned());
        }
        let option = UriOption { name, value: decode(value, name)? };
        if option.value.is_empty() {
            return Err(format!("{name} has no value"));
        }
        if !seen.insert(name.to_ascii_lowercase()) {
            return Err(format!("{name} stands there twice"));
        }
        if name.eq_ignore_ascii_case("authSource") {
            source = Some(option.value);
        } else {
            option.set(settings)?;
        }
    }
    if seen.contains("tls") && seen.contains("ssl") {
        return Err("tls and ssl are the same: write one of them".to_owned());
    }
    Ok(source)
}

/// An option with a value.
struct UriOption<'q> {
    name: &'q str,
    value: String,
}

impl UriOption<'_> {
    fn set(self, settings: &mut MongoSettings) -> Result<(), String> {
        let lower = self.name.to_ascii_lowercase();
        match lower.as_str() {
            "replicaset" => settings.replica_set = Some(self.value),
            "directconnection" => settings.is_direct = self.flag()?,
            "tls" | "ssl" => settings.has_tls = self.flag()?,
            "appname" if self.value.len() > 128 => return Err(self.bad("is longer than 128 bytes")),
            "appname" => settings.app_name = self.value,
            "connecttimeoutms" => settings.connect_timeout = self.milliseconds()?,
            "serverselectiontimeoutms" => settings.selection_timeout = self.milliseconds()?,
            "sockettimeoutms" | "timeoutms" => settings.command_timeout = self.milliseconds()?,
            "maxidletimems" => settings.max_idle = Some(self.milliseconds()?),
            "maxpoolsize" => settings.pool_size = usize::try_from(self.number()?).unwrap_or(usize::MAX).min(1000),
            "retryreads" => settings.retries_reads = self.flag()?,
            "retrywrites" => settings.retries_writes = self.flag()?,
            "w" => {
                let members = self.value.parse::<i32>().map_or_else(|_| Bson::from(self.value.as_str()), Bson::from);
                if members == Bson::Int32(0) {
                    return Err("w=0 would lose writes unseen: leave it out, or write w=majority".to_owned());
                }
                settings.write_concern.insert("w", members);
            }
            "journal" => settings.write_concern.insert("j", self.flag()?),
            "wtimeoutms" => {
                settings.write_concern.insert("wtimeout", i64::from(self.number()?));
            }
            "readconcernlevel" => settings.read_concern.insert("level", self.value),
            "readpreference" if self.value != "primary" => {
                return Err("reads go to the primary: leave readPreference out".to_owned());
            }
            "readpreference" => {}
            "authmechanism" if self.value != "SCRAM-SHA-256" => {
                return Err(
                    "only SCRAM-SHA-256 is supported: leave authMechanism out, and give the user a password for it"
                        .to_owned(),
                );
            }
            "authmechanism" => {}
            "loadbalanced" if self.flag()? => return Err(self.bad("is not supported: name the members themselves")),
            "loadbalanced" => {}
            name if name.starts_with("tls") || name.starts_with("ssl") => {
                return Err(self.bad("is not supported: add the authority's certificate to those of the system"));
            }
            name if IGNORED.contains(&name) => {}
            _ => return Err(self.bad("is not known: leave it out")),
        }
        Ok(())
    }

    fn bad(&self, what: &str) -> String {
        format!("{} {what}", self.name)
    }

    fn flag(&self) -> Result<bool, String> {
        self.value.parse().map_err(|_| self.bad("is neither true nor false"))
    }

    fn number(&self) -> Result<u32, String> {
        self.value.parse().ok().filter(|number| *number > 0).ok_or_else(|| self.bad("is not a number above 0"))
    }

    fn milliseconds(&self) -> Result<Duration, String> {
        self.number().map(|number| Duration::from_millis(number.into()))
    }
}
