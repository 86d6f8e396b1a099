//! Downloads over HTTPS and HTTP with `ureq`.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use crate::cache::{Entry, failed};
use crate::checksum::Running;
use crate::{FetchError, Observer, Progress};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);
const TOTAL_TIMEOUT: Duration = Duration::from_secs(900);
const MAX_REDIRECTS: u32 = 5;

/// Number of bytes between progress reports.
const BLOCK: usize = 1 << 16;

/// Downloads a file into its cache entry. A failure leaves nothing behind.
pub(crate) fn download(
    url: &str,
    entry: &Entry,
    max_bytes: u64,
    observer: Option<&Observer>,
) -> Result<PathBuf, FetchError> {
    let failure = |error: ureq::Error| match error {
        ureq::Error::StatusCode(status) => FetchError::Status { url: url.to_owned(), status },
        error => interrupted(url, error),
    };
    let mut response = agent().get(url).call().map_err(failure)?;
    let total = response.body().content_length();
    let too_large = || FetchError::TooLarge { what: url.to_owned(), limit: max_bytes };
    if total.is_some_and(|total| total > max_bytes) {
        return Err(too_large());
    }
    let report = |received: u64, finished: bool| {
        if let Some(observer) = observer {
            observer(Progress { url, received, total, finished });
        }
    };
    let mut file = entry.temporary()?;
    let mut sum = Running::default();
    let mut body = response.body_mut().as_reader();
    let mut block = vec![0; BLOCK];
    let mut received = 0;
    loop {
        let count = body.read(&mut block).map_err(|error| interrupted(url, error))?;
        if count == 0 {
            break;
        }
        received += count as u64;
        if received > max_bytes {
            return Err(too_large());
        }
        sum.add(&block[..count]);
        file.write_all(&block[..count]).map_err(failed(file.path()))?;
        report(received, false);
    }
    if received == 0 || total.is_some_and(|total| total != received) {
        let expected = total.map_or("some".to_owned(), |total| total.to_string());
        return Err(interrupted(url, format!("expected {expected} bytes, found {received}")));
    }
    report(received, true);
    entry.keep(file, &sum.finish())
}

fn interrupted(url: &str, detail: impl ToString) -> FetchError {
    FetchError::Download { url: url.to_owned(), detail: detail.to_string() }
}

fn agent() -> ureq::Agent {
    let builder = ureq::Agent::config_builder()
        .max_redirects(MAX_REDIRECTS)
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_recv_response(Some(RESPONSE_TIMEOUT))
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
