//! Versions of FMI.

use std::path::{Path, PathBuf};

/// Version of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmiVersion {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

impl FmiVersion {
    /// Returns the name of the folder of the library in an FMU on this platform.
    pub(crate) fn platform(self) -> String {
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        match self {
            Self::Two => {
                let short = match system {
                    "macos" => "darwin",
                    "windows" => "win",
                    other => other,
                };
                let bits = if processor == "x86_64" { "64" } else { processor };
                format!("{short}{bits}")
            }
            Self::Three => {
                let short = if system == "macos" { "darwin" } else { system };
                format!("{processor}-{short}")
            }
        }
    }
}

/// Returns the FMUs to write with their versions: the path itself for one version, and for several
/// versions paths with `.fmi2` and `.fmi3` before the ending.
pub fn fmu_files(out: &Path, versions: &[FmiVersion]) -> Vec<(FmiVersion, PathBuf)> {
    let with = |version: FmiVersion| {
        let ending = out.extension().unwrap_or_default().to_string_lossy().into_owned();
        let number = if version == FmiVersion::Two { 2 } else { 3 };
        out.with_extension(format!("fmi{number}.{ending}"))
    };
    match versions {
        [version] => vec![(*version, out.to_owned())],
        several => several.iter().map(|version| (*version, with(*version))).collect(),
    }
}
