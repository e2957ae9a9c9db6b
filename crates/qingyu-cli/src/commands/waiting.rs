//! Spinners and progress bars of commands that wait, on standard error.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::screen::Screen;

/// Interval between two frames of a spinner.
const FRAME: Duration = Duration::from_millis(120);

/// Returns a spinner with the text named `key`; hidden without a terminal.
pub(super) fn spinner(screen: &Screen, key: &str) -> ProgressBar {
    let spinner = ProgressBar::with_draw_target(None, target(screen));
    spinner.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("the template is constant"));
    spinner.set_message(screen.texts().get(key));
    spinner.enable_steady_tick(FRAME);
    spinner
}

/// Returns a progress bar without a length yet; hidden without a terminal.
pub(super) fn progress_bar(screen: &Screen) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target(screen));
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len}").expect("the template is constant"));
    bar
}

fn target(screen: &Screen) -> ProgressDrawTarget {
    let is_seen = !screen.json() && std::io::stderr().is_terminal();
    if is_seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
}
