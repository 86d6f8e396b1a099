//! Choice of the processor that casts the rays of sensors in space.

use std::fmt;
use std::str::FromStr;

/// Processor that casts the rays of sensors in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GpuMode {
    /// The CPU.
    #[default]
    Off,
    /// A GPU if there is one, for readings that have no influence on the state. Without one, or if it fails,
    /// the CPU.
    Auto,
    /// A GPU, for all readings. If there is none, or it fails, the session cannot continue.
    Require,
    /// An adapter that runs on the CPU, for readings that have no influence on the state. It is slower than
    /// [`Self::Off`], and there to test the scans.
    Software,
}

impl GpuMode {
    /// All modes with their names.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("off", Self::Off),
        ("auto", Self::Auto),
        ("require", Self::Require),
        ("software", Self::Software),
    ];
}

impl fmt::Display for GpuMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMES.iter().find(|(_, mode)| mode == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

impl FromStr for GpuMode {
    type Err = String;

    /// # Errors
    /// Returns a message with the valid names for any other text.
    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == text);
        let expected = || "expected off, auto, require or software".to_owned();
        named.map(|(_, mode)| *mode).ok_or_else(expected)
    }
}

/// An adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Adapter {
    /// Name that the driver gives it.
    pub name: String,
    /// Name and version of the driver.
    pub driver: String,
    /// `Vulkan` or `OpenGL`.
    pub backend: String,
}
