//! A pseudo terminal with the command in it: what is typed goes in, what is drawn is read as text. Waits for text, never
//! for time.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use rexpect::process::{PtyProcess, Signal, WaitStatus};

use crate::home::Home;

/// Longer than anything takes that a test waits for.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Terminal {
    process: PtyProcess,
    keys: File,
    drawn: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    /// How much of the text was looked for already.
    seen: usize,
}

impl Terminal {
    pub(crate) fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut command = home.command(arguments);
        command.env("TERM", "xterm").stdin(Stdio::inherit());
        let mut process = PtyProcess::new(command).unwrap();
        process.set_kill_timeout(Some(1_000));
        let keys = process.get_file_handle().unwrap();
        let mut screen = process.get_file_handle().unwrap();
        let (sender, drawn) = mpsc::channel();
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            // A terminal whose process is gone cannot be read.
            while let Ok(length @ 1..) = screen.read(&mut piece) {
                if sender.send(piece[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { process, keys, drawn, bytes: Vec::new(), seen: 0 }
    }

    /// Everything that was drawn so far, without what moves the cursor or paints.
    pub(crate) fn text(&self) -> String {
        plain(&String::from_utf8_lossy(&self.bytes))
    }

    /// Waits until `words` are drawn, after what was waited for before.
    #[track_caller]
    pub(crate) fn see(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let text = self.text();
            let rest = text.get(self.seen..).unwrap_or_default();
            if let Some(place) = rest.find(words) {
                self.seen += place + words.len();
                return;
            }
            match self.drawn.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(piece) => self.bytes.extend(piece),
                Err(why) => panic!("{words:?} is not drawn ({why}), but: {rest}"),
            }
        }
    }

    #[track_caller]
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Types a line, and waits for each of `answers` and then for the next prompt.
    #[track_caller]
    pub(crate) fn say(&mut self, line: &str, answers: &[&str], prompt: &str) {
        self.press(&format!("{line}\r"));
        for answer in answers {
            self.see(answer);
        }
        self.see(prompt);
    }

    /// Waits for the process to end by itself, and gives its exit code with all that was drawn.
    #[track_caller]
    pub(crate) fn end(mut self) -> (i32, String) {
        let deadline = Instant::now() + PATIENCE;
        while let Ok(piece) = self.drawn.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.bytes.extend(piece);
        }
        match self.process.wait().unwrap() {
            WaitStatus::Exited(_, code) => (code, self.text()),
            status => panic!("{status:?}: {}", self.text()),
        }
    }

    /// Ends the process as a power cut would.
    pub(crate) fn kill(mut self) -> String {
        self.process.signal(Signal::SIGKILL).unwrap();
        self.process.wait().unwrap();
        self.text()
    }
}

/// The text without control sequences.
fn plain(drawn: &str) -> String {
    let mut text = String::new();
    let mut rest = drawn.chars();
    while let Some(character) = rest.next() {
        match character {
            '\u{1b}' => {
                if rest.next() == Some('[') {
                    // The first letter ends it.
                    let _ = rest.find(|character| ('@'..='~').contains(character));
                }
            }
            '\r' => {}
            character => text.push(character),
        }
    }
    text
}

#[test]
fn control_sequences_are_no_text() {
    assert_eq!(plain("\r\u{1b}[K您> \u{1b}[1;32m好\u{1b}[0m\r\n"), "您> 好\n");
    assert_eq!(plain("一半\u{1b}[3"), "一半");
}
