// Added to the crate whose mutants are tried: says which of them is on, and notes which a test has come by.
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{LazyLock, Mutex};

static ON: LazyLock<Option<u32>> = LazyLock::new(|| std::env::var("QINGYU_MUTANT").ok()?.parse().ok());

/// The file in which it is noted, and what is noted already.
static REACHED: LazyLock<Option<Mutex<(File, HashSet<u32>)>>> = LazyLock::new(|| {
    let file = OpenOptions::new().append(true).create(true).open(std::env::var_os("QINGYU_MUTANTS_REACHED")?).ok()?;
    Some(Mutex::new((file, HashSet::new())))
});

pub(crate) fn on(mutant: u32) -> bool {
    if let Some(reached) = &*REACHED {
        let mut reached = reached.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if reached.1.insert(mutant) {
            // At once, since a process may be killed; in one write, since others append to the same file.
            let _ = reached.0.write_all(format!("{mutant}\n").as_bytes());
        }
    }
    *ON == Some(mutant)
}
