//! Shows the progress of downloads.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use simhost_fetch::{FetchProgress, Stage};

use crate::terminal;

/// Time between lines about a download if standard error is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(2);

/// Display of one download.
struct DownloadBar {
    bar: ProgressBar,
    last_line: Instant,
}

/// Returns an observer that shows a progress bar on a terminal, and lines elsewhere.
pub fn observer() -> simhost_fetch::FetchObserver {
    let shown: Mutex<Option<DownloadBar>> = Mutex::new(None);
    Box::new(move |progress: FetchProgress| {
        let Ok(mut shown) = shown.lock() else { return };
        match progress.stage {
            Stage::Connecting => *shown = Some(DownloadBar::new(progress.url)),
            Stage::Receiving => {
                if let Some(display) = &mut *shown {
                    display.update(&progress);
                }
            }
            Stage::Complete | Stage::Failed => {
                if let Some(display) = shown.take() {
                    display.bar.finish_and_clear();
                }
                if progress.stage == Stage::Complete {
                    let FetchProgress { url, received, .. } = progress;
                    terminal::remark(&format!("fetched {url} ({received} bytes)"));
                }
            }
        }
    })
}

impl DownloadBar {
    fn new(url: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template("connecting to fetch {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(url.to_owned());
        if bar.is_hidden() {
            terminal::remark(&format!("fetching {url}"));
        } else {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Self { bar, last_line: Instant::now() }
    }

    fn update(&mut self, progress: &FetchProgress<'_>) {
        let FetchProgress { url, received, total, .. } = *progress;
        if self.bar.is_hidden() {
            if self.last_line.elapsed() >= BETWEEN_LINES {
                let of = total.map_or(String::new(), |total| format!(" of {total}"));
                terminal::remark(&format!("fetching {url}: {received}{of} bytes"));
                self.last_line = Instant::now();
            }
            return;
        }
        if self.bar.length() != total || received == 0 {
            self.bar.set_style(style(total));
            if let Some(total) = total {
                self.bar.set_length(total);
            }
        }
        self.bar.set_position(received);
    }
}

/// Returns the style of a bar for a download with or without a known size.
fn style(total: Option<u64>) -> ProgressStyle {
    let template = match total {
        Some(_) => "{msg} {bar:30.cyan/blue} {bytes}/{total_bytes} {bytes_per_sec}",
        None => "{msg} {bytes} {bytes_per_sec}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
