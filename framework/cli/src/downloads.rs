//! Shows the progress of downloads.

use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use simhost_fetch::Progress;

use crate::terminal;

/// Returns an observer that shows a progress bar on a terminal, and prints a line when a download is
/// complete.
pub fn observer() -> simhost_fetch::Observer {
    let shown: Mutex<Option<ProgressBar>> = Mutex::new(None);
    Box::new(move |progress: Progress| {
        let Ok(mut shown) = shown.lock() else { return };
        if progress.finished {
            if let Some(bar) = shown.take() {
                bar.finish_and_clear();
            }
            terminal::remark(&format!("fetched {} ({} bytes)", progress.url, progress.received));
            return;
        }
        let bar = shown.get_or_insert_with(|| bar(progress.url, progress.total));
        bar.set_position(progress.received);
    })
}

fn bar(url: &str, total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(10));
    let template = "{msg} {bar:30.cyan/blue} {bytes}/{total_bytes} {bytes_per_sec}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.with_message(url.to_owned())
}
