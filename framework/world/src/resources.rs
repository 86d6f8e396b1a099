//! Files that a world points to.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_fetch::{FetchOptions, Fetcher};

use crate::reader::Reader;
use crate::sources::Span;
use crate::xml::Text;

/// What happens to a mesh or an image that cannot be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingAssets {
    /// The world cannot be used.
    #[default]
    Error,
    /// A warning; bodies get a bounding shape as far as one is known.
    Placeholder,
}

/// Finds files by their addresses, and may be shared.
#[derive(Clone)]
pub struct SharedFetcher(pub Arc<Fetcher>);

impl Default for SharedFetcher {
    /// Files of this machine alone.
    fn default() -> Self {
        Self(Arc::new(Fetcher::new(FetchOptions::default())))
    }
}

impl fmt::Debug for SharedFetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedFetcher")
    }
}

impl Reader<'_> {
    /// The path of a file that lies on this machine, relative to the file that names it.
    pub(crate) fn local_path(&mut self, text: &Text) -> Option<PathBuf> {
        let name = self.value(text)?;
        if name.is_empty() {
            self.error(text.span, "the name of a file is empty", "expected a path", Vec::new());
            return None;
        }
        Some(self.resolve(text.span.file, name.strip_prefix("file://").unwrap_or(&name)))
    }

    /// Where a resource lies; none with an error or warning when it cannot be had.
    pub(crate) fn resource(&mut self, text: &Text) -> Option<PathBuf> {
        let name = self.value(text)?;
        let [own, of_world] = [text.span.file, 0].map(|file| self.directory(file));
        // files that exist are written for either directory
        let found = self.fetcher.0.resolve(&name, &own);
        let found =
            found.or_else(|error| self.fetcher.0.resolve(&name, &of_world).map_err(|_| error));
        match found {
            Ok(path) => Some(path),
            Err(error) => {
                let help = "help: `--missing-assets placeholder` goes on without it".to_owned();
                self.missing_asset(text.span, error.to_string(), vec![help]);
                None
            }
        }
    }

    fn missing_asset(&mut self, span: Span, message: String, notes: Vec<String>) {
        match self.missing_assets {
            MissingAssets::Error => self.error(span, message, "cannot be had", notes),
            MissingAssets::Placeholder => self.warning(span, message, "left out"),
        }
    }

    /// What a reader made of a file, or an error at the place that names it.
    pub(crate) fn read_asset<T>(
        &mut self,
        text: &Text,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<T, simhost_assets::AssetError>,
    ) -> Option<T> {
        match read(path) {
            Ok(read) => Some(read),
            Err(error) => {
                self.error(text.span, error.to_string(), "cannot be used", Vec::new());
                None
            }
        }
    }
}
