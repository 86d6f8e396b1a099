//! A whole world, from its text to the checked description.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use simhost_fetch::{FetchOptions, Fetcher};
use simhost_registry::{Catalogue, Options};
use simhost_world::{LoadOptions, MissingAssets, SharedFetcher, load_text};

/// Path of the fuzzed world, so that it can use the includes and assets in `worlds`.
const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../worlds/fuzzed.xml");

/// Reads a world and renders its diagnostics. Files of `worlds` can be read, no file is written
/// outside of a temporary folder, and neither shell nor network is available.
///
/// Returns whether the text was read.
pub fn world(text: &[u8]) -> bool {
    static OPTIONS: LazyLock<LoadOptions> = LazyLock::new(options);
    thread_local! {
        static CATALOGUE: Catalogue =
            Catalogue::collect(Options::default()).expect("there is no folder to search");
    }
    if leads_elsewhere(text) {
        return false;
    }
    // the length of the input decides how unknown names are treated
    let options = LoadOptions { lenient: text.len() % 2 == 1, ..OPTIONS.clone() };
    CATALOGUE.with(|catalogue| match load_text(Path::new(PLACE), text, &options, catalogue) {
        Err(error) => drop(error.to_string()),
        Ok(loaded) => {
            loaded.warnings.iter().take(20).for_each(|found| {
                let _ = found.render(&loaded.sources, false);
            });
        }
    });
    true
}

fn options() -> LoadOptions {
    let mut options = LoadOptions::default();
    options.limits.elements = 5000;
    options.limits.file_size = 1 << 20;
    options.asset_limits = crate::limits();
    options.missing_assets = MissingAssets::Placeholder;
    options.fetcher = SharedFetcher(Arc::new(Fetcher::new(FetchOptions {
        cache_dir: Some(std::env::temp_dir().join("simhost-fuzz")),
        ..FetchOptions::default()
    })));
    options
}

/// Whether a path is absolute or goes up: other files differ from machine to machine, and so would
/// what is found. Reading them would do no harm, so a path put together from pieces may pass.
fn leads_elsewhere(text: &[u8]) -> bool {
    text.windows(3).any(|at| {
        let begins = matches!(at[0], b'"' | b'\'' | b'>' | b'|' | b'=') && at[1] == b'/';
        at == b"../" || (begins && at[2] != b'>')
    }) || text.windows(5).any(|at| at.eq_ignore_ascii_case(b"file:"))
}
