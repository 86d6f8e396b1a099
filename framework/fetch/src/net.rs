//! Downloads over HTTPS and HTTP with `ureq`.
//!
//! A thread of its own talks to the server, so that a download can be stopped while it waits.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use ureq::{Error, Timeout};

use crate::cache::{Entry, Running, failed};
use crate::{FetchError, FetchOptions, FetchProgress, Stage};

/// Time limit of a download.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(900);
/// Mirrors and release pages redirect up to twice; longer chains are loops.
const MAX_REDIRECTS: u32 = 5;
/// Interval between looks at the request to stop.
const LOOK: Duration = Duration::from_millis(20);
/// Number of bytes that are read at once.
const BLOCK: usize = 1 << 16;
/// Number of blocks that can wait.
const WAITING: usize = 4;

/// Part of a response.
enum Part {
    /// The start, with the length of the content if the server reports it.
    Head(Option<u64>),
    Block(Vec<u8>),
    End,
    Failed(FetchError),
}

/// Downloads a file into its cache entry. A failure leaves nothing behind.
pub(crate) fn download(
    url: &str,
    entry: &Entry,
    options: &FetchOptions,
) -> Result<PathBuf, FetchError> {
    let mut transfer = Transfer { url, options, received: 0, total: None };
    transfer.report(Stage::Connecting);
    let outcome = transfer.run(entry);
    transfer.report(if outcome.is_ok() { Stage::Complete } else { Stage::Failed });
    outcome
}

/// A download and its progress.
struct Transfer<'t> {
    url: &'t str,
    options: &'t FetchOptions,
    received: u64,
    total: Option<u64>,
}

impl Transfer<'_> {
    fn report(&self, stage: Stage) {
        if let Some(observer) = &self.options.progress {
            let Self { url, received, total, .. } = *self;
            observer(FetchProgress { url, received, total, stage });
        }
    }

    fn run(&mut self, entry: &Entry) -> Result<PathBuf, FetchError> {
        let (sender, parts) = sync_channel(WAITING);
        let (url, timeout) = (self.url.to_owned(), self.options.timeout);
        std::thread::spawn(move || talk(&url, timeout, &sender));
        let mut file = entry.temporary()?;
        let mut sum = Running::default();
        loop {
            match self.next(&parts)? {
                Part::Head(total) => {
                    self.total = total;
                    self.limit(total.unwrap_or(0))?;
                }
                Part::Block(block) => {
                    self.received += block.len() as u64;
                    self.limit(self.received)?;
                    sum.add(&block);
                    file.write_all(&block).map_err(failed(file.path()))?;
                }
                Part::End => break,
                Part::Failed(error) => return Err(error),
            }
            self.report(Stage::Receiving);
        }
        if self.received == 0 || self.total.is_some_and(|total| total != self.received) {
            let expected = self.total.map_or("some".to_owned(), |total| total.to_string());
            let detail = format!("expected {expected} bytes, found {}", self.received);
            return Err(interrupted(self.url, detail));
        }
        entry.keep(file, &sum.finish())
    }

    /// Waits for the next part, or for the request to stop.
    fn next(&self, parts: &Receiver<Part>) -> Result<Part, FetchError> {
        loop {
            if self.options.stop.load(Ordering::Relaxed) {
                return Err(FetchError::Stopped { url: self.url.to_owned() });
            }
            match parts.recv_timeout(LOOK) {
                Ok(part) => return Ok(part),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(interrupted(self.url, "the transfer ended unexpectedly"));
                }
            }
        }
    }

    fn limit(&self, bytes: u64) -> Result<(), FetchError> {
        let limit = self.options.max_bytes;
        if bytes <= limit {
            return Ok(());
        }
        Err(FetchError::TooLarge { what: self.url.to_owned(), limit })
    }
}

/// Requests a file and sends the response in parts, until they are no longer received.
fn talk(url: &str, timeout: Duration, parts: &SyncSender<Part>) {
    let mut response = match agent(timeout).get(url).call() {
        Ok(response) => response,
        Err(error) => {
            let _ = parts.send(Part::Failed(failure(url, timeout, error)));
            return;
        }
    };
    let mut left = parts.send(Part::Head(response.body().content_length())).is_ok();
    let mut body = response.body_mut().as_reader();
    let mut block = vec![0; BLOCK];
    while left {
        let part = match body.read(&mut block) {
            Ok(0) => Part::End,
            Ok(count) => Part::Block(block[..count].to_vec()),
            Err(error) => {
                let error = match error.downcast::<Error>() {
                    Ok(error) => failure(url, timeout, error),
                    Err(error) => interrupted(url, error),
                };
                Part::Failed(error)
            }
        };
        left = matches!(part, Part::Block(_));
        left &= parts.send(part).is_ok();
    }
}

/// Returns the error of a request, with the limit of a time-out.
fn failure(url: &str, timeout: Duration, error: Error) -> FetchError {
    let limit = timeout.as_secs_f64();
    match error {
        Error::StatusCode(status) => FetchError::Status { url: url.to_owned(), status },
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            timed_out(url, format!("no connection within {limit} s"))
        }
        Error::Timeout(Timeout::Global | Timeout::PerCall) => {
            timed_out(url, format!("not complete within {} s", TOTAL_TIMEOUT.as_secs()))
        }
        Error::Timeout(Timeout::RecvBody | Timeout::PerRead) => {
            timed_out(url, format!("no data for {limit} s"))
        }
        Error::Timeout(_) => timed_out(url, format!("no response within {limit} s")),
        error => interrupted(url, error),
    }
}

fn timed_out(url: &str, detail: String) -> FetchError {
    FetchError::TimedOut { url: url.to_owned(), detail }
}

fn interrupted(url: &str, detail: impl ToString) -> FetchError {
    FetchError::Download { url: url.to_owned(), detail: detail.to_string() }
}

fn agent(timeout: Duration) -> ureq::Agent {
    let builder = ureq::Agent::config_builder()
        .max_redirects(MAX_REDIRECTS)
        .timeout_resolve(Some(timeout))
        .timeout_connect(Some(timeout))
        .timeout_send_request(Some(timeout))
        .timeout_recv_response(Some(timeout))
        .timeout_per_read(Some(timeout))
        .timeout_global(Some(TOTAL_TIMEOUT))
        .user_agent(concat!("simhost/", env!("CARGO_PKG_VERSION")));
    let builder = builder.tls_config(
        ureq::tls::TlsConfig::builder()
            .unversioned_rustls_crypto_provider(std::sync::Arc::new(
                rustls_graviola::default_provider(),
            ))
            .build(),
    );
    builder.build().new_agent()
}
