//! Versions of FMI.

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
