//! Downloads over HTTPS and HTTP, through `ureq`.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use crate::cache::{Entry, failed};
use crate::checksum::Running;
use crate::{FetchError, Observer, Progress};

const CONNECT: Duration = Duration::from_secs(20);
const ANSWER: Duration = Duration::from_secs(60);
const WHOLE: Duration = Duration::from_secs(900);
const MAX_REDIRECTS: u32 = 5;

/// Reports come after so many bytes.
const BLOCK: usize = 1 << 16;

/// Downloads to the place of an address in the cache; what fails leaves nothing there.
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
    let mut file = entry.passing()?;
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
        return Err(interrupted(url, format!("{received} bytes came, expected {expected}")));
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
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(ANSWER))
        .timeout_global(Some(WHOLE))
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
