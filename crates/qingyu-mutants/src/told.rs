//! What is shown meanwhile: in place on a terminal, a line at a time elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Elsewhere what is under way is told no more often than this.
const PAUSE: Duration = Duration::from_secs(30);

pub(crate) struct Told {
    began: Instant,
    terminal: bool,
    last: Mutex<Instant>,
}

impl Told {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), terminal: std::io::stderr().is_terminal(), last: Mutex::new(Instant::now()) }
    }

    pub(crate) fn seconds(&self) -> u64 {
        self.began.elapsed().as_secs()
    }

    /// What is done from now on.
    pub(crate) fn begin(&self, text: &str) {
        if self.terminal {
            self.in_place(text);
        } else {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            eprintln!("{:>5} s: {text}", self.seconds());
        }
    }

    /// How far it is.
    pub(crate) fn state(&self, text: &str) {
        if self.terminal {
            self.in_place(text);
        } else if self.last.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= PAUSE {
            self.begin(text);
        }
    }

    /// What stays.
    pub(crate) fn line(&self, text: &str) {
        if self.terminal {
            self.in_place("");
        }
        eprintln!("{text}");
    }

    pub(crate) fn end(&self) {
        if self.terminal {
            self.in_place("");
        }
    }

    fn in_place(&self, text: &str) {
        eprint!("\r\x1b[K{text}");
        let _ = std::io::stderr().flush();
    }
}
