//! The owner of a lease, with a check whether the process is still alive.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// A process that runs threads.
///
/// On Linux a dead process on the same machine is recognised, so that its threads can be resumed at once instead of
/// after the lease has expired. A process whose state is unknown counts as alive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    host: String,
    pid: u32,
    /// The boot id, process namespace and start time; `None` if the system has no such data.
    identity: Option<Identity>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    boot: String,
    namespace: String,
    started: u64,
}

impl Owner {
    /// Returns the current process.
    pub fn this_process() -> Self {
        let pid = std::process::id();
        let host = read("/proc/sys/kernel/hostname").unwrap_or_else(|| "this host".to_owned());
        let identity =
            started(pid).zip(surroundings()).map(|(started, (boot, namespace))| Identity { boot, namespace, started });
        Self { host, pid, identity }
    }

    /// Returns whether the process has certainly ended.
    pub fn is_dead(&self) -> bool {
        let Some(identity) = &self.identity else { return false };
        let Some((boot, namespace)) = surroundings() else { return false };
        let same_place = identity.boot == boot && identity.namespace == namespace;
        same_place && started(self.pid) != Some(identity.started)
    }

    /// Returns a readable name of the process.
    pub(crate) fn describe(&self) -> String {
        format!("process {} on {}", self.pid, self.host)
    }
}

/// Returns the id of the current boot and the process namespace.
fn surroundings() -> Option<(String, String)> {
    let boot = read("/proc/sys/kernel/random/boot_id")?;
    let namespace = std::fs::read_link("/proc/self/ns/pid").ok()?;
    Some((boot, namespace.to_string_lossy().into_owned()))
}

/// Returns the start time of the process, in ticks since boot; `None` if the process has ended, even as a zombie.
fn started(pid: u32) -> Option<u64> {
    let stat = read(format!("/proc/{pid}/stat"))?;
    // The name in parentheses may contain anything; the fields after the name are counted from 3.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_alive_until_it_ends() {
        let owner = Owner::this_process();
        assert!(!owner.is_dead());
        let Some(identity) = owner.identity.clone() else { return };
        let reused =
            Owner { identity: Some(Identity { started: identity.started + 1, ..identity.clone() }), ..owner.clone() };
        assert!(reused.is_dead(), "the process id now belongs to another process");
        assert!(identity.boot.len() == 36 && identity.namespace.starts_with("pid:["), "{identity:?}");
        let gone = Identity { started: 0, ..identity };
        for elsewhere in [
            Identity { boot: "another boot".to_owned(), ..gone.clone() },
            Identity { namespace: "pid:[1]".to_owned(), ..gone },
        ] {
            let owner = Owner { identity: Some(elsewhere), ..owner.clone() };
            assert!(!owner.is_dead(), "another machine or container cannot be judged from here: {owner:?}");
        }
        assert!(!Owner { identity: None, ..owner }.is_dead());
    }
}
