//! Source of the SDK of a new project.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::plugin::Language;
use crate::process::{Code, Failure};

/// Source tree that this program was built from; empty in a release.
const OWN_TREE: &str = env!("SIMHOST_TREE");
const PLUGIN_HEADER: &str = include_str!("../../../../../sdk/c/simhost_plugin.h");
const MATH_HEADER: &str = include_str!("../../../../../sdk/c/simhost_math.h");
const CPP_HEADER: &str = include_str!("../../../../../sdk/c/simhost_plugin.hpp");
/// Functions of a model in a WebAssembly module.
const MODULE_SOURCE: &str = include_str!("../../../../../sdk/c/simhost_module.c");
const TEST_HEADER: &str = include_str!("../../../../../sdk/c/simhost_test.h");

/// The source of the SDK, see `build/sdk.rs`.
const SOURCE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sdk.deflate"));
/// Folder of a project into which it is unpacked.
pub const COPY: &str = "simhost-sdk";

const TAKES: &str = "--sdk expects `copy` for a copy of the SDK in the project, a folder that contains simhost-sdk, \
                     directly or in `sdk` (a checkout of simhost), or the URL of a git repository";

/// Source of the SDK.
#[derive(Debug, PartialEq, Eq)]
pub enum Sdk {
    /// Absolute path of the folder that contains the SDK.
    Folder(PathBuf),
    /// URL of a git repository.
    Git(String),
    /// Version requirement for the package registry.
    Version(String),
    /// The SDK that this program carries: for Rust, its source in a folder of the project; for C and C++, its headers.
    Embedded,
}

impl Sdk {
    /// Interprets the value of `--sdk`. Without one, a project in Rust uses the source tree that this program was built
    /// from, or if that is gone, a copy of the SDK that the program carries.
    ///
    /// # Errors
    /// Fails if a folder does not contain the SDK, or if a project in C or C++ names something other than a
    /// folder.
    pub fn find(given: Option<&str>, language: Language) -> Result<Self, Failure> {
        Self::find_beside(Path::new(OWN_TREE), given, language)
    }

    fn find_beside(own: &Path, given: Option<&str>, language: Language) -> Result<Self, Failure> {
        match given {
            Some(_) if language == Language::Python => {
                let text =
                    "--sdk does not apply to a project in Python, which uses the Python package";
                Err(Failure::new(Code::BadInput, text))
            }
            Some("copy") => Ok(Self::Embedded),
            Some(text) if language != Language::Rust && !Path::new(text).exists() => {
                let text = format!(
                    "missing folder `{text}`; a project in {} takes its headers from a folder or, without \
                     --sdk, from simhost itself",
                    language.title()
                );
                Err(Failure::new(Code::BadInput, text))
            }
            Some(text) if is_git(text) => Ok(Self::Git(text.to_owned())),
            Some(text) if is_version(text) && !Path::new(text).exists() => {
                Ok(Self::Version(text.to_owned()))
            }
            Some(folder) => in_folder(Path::new(folder))
                .ok_or_else(|| missing(&format!("missing simhost-sdk in `{folder}`"))),
            None if language != Language::Rust => Ok(Self::Embedded),
            None if own.as_os_str().is_empty() => Ok(Self::Embedded),
            None => Ok(in_folder(own).unwrap_or(Self::Embedded)),
        }
    }

    /// Returns the value of `simhost-sdk =` in `Cargo.toml`.
    pub fn dependency(&self) -> String {
        let quoted = |key: &str, text: &str| {
            // every JSON string is also a TOML string
            format!("{{ {key} = {} }}", serde_json::Value::from(text))
        };
        match self {
            Self::Folder(folder) => quoted("path", &folder.to_string_lossy()),
            Self::Git(url) => quoted("git", url),
            Self::Version(version) => quoted("version", version),
            Self::Embedded => quoted("path", &format!("{COPY}/sdk")),
        }
    }

    /// Returns the paths and texts of the files of the SDK that a project in Rust contains.
    pub fn source(&self) -> Vec<(String, String)> {
        match self {
            Self::Embedded => unpack(),
            _ => Vec::new(),
        }
    }

    /// Returns the names and texts of the headers for C, or for C++.
    ///
    /// # Errors
    /// Fails if the folder of the SDK lacks one of them.
    pub fn headers(&self, language: Language) -> Result<Vec<(&'static str, String)>, Failure> {
        let mut own = vec![
            ("simhost_plugin.h", PLUGIN_HEADER),
            ("simhost_math.h", MATH_HEADER),
            ("simhost_test.h", TEST_HEADER),
            ("simhost_module.c", MODULE_SOURCE),
        ];
        if language == Language::Cpp {
            own.push(("simhost_plugin.hpp", CPP_HEADER));
        }
        let read = |(name, own): (&'static str, &str)| {
            let Self::Folder(folder) = self else { return Ok((name, own.to_owned())) };
            let path = folder.join("c").join(name);
            fs::read_to_string(&path)
                .map(|text| (name, text))
                .map_err(|error| missing(&format!("cannot read `{}`: {error}", path.display())))
        };
        own.into_iter().map(read).collect()
    }
}

/// Returns the paths and texts of the files in [`SOURCE`].
fn unpack() -> Vec<(String, String)> {
    let mut text = String::new();
    let read = flate2::read::DeflateDecoder::new(SOURCE).read_to_string(&mut text);
    read.expect("the build has packed it");
    let (mut files, mut rest) = (Vec::new(), text.as_str());
    while let Some((path, after)) = rest.split_once('\n') {
        let (size, after) = after.split_once('\n').expect("each path has a size");
        let (file, after) = after.split_at(size.parse().expect("a size is a number"));
        files.push((format!("{COPY}/{path}"), file.to_owned()));
        rest = after;
    }
    files
}

fn missing(what: &str) -> Failure {
    Failure::new(Code::BadInput, format!("{what}\nhelp: {TAKES}"))
}

fn is_git(text: &str) -> bool {
    text.contains("://") || text.starts_with("git@") || text.ends_with(".git")
}

/// Returns whether a text is a version, optionally with `=`, `^` or `~` in front.
fn is_version(text: &str) -> bool {
    let numbers = text.trim_start_matches(['=', '^', '~']);
    numbers.starts_with(|c: char| c.is_ascii_digit())
        && numbers.chars().all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c))
}

fn in_folder(folder: &Path) -> Option<Sdk> {
    let has_sdk = |folder: &Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.lines().any(|line| line.replace(' ', "") == "name=\"simhost-sdk\"")
    };
    [folder.to_owned(), folder.join("sdk")]
        .into_iter()
        .find(|folder| has_sdk(folder))
        .map(|folder| Sdk::Folder(absolute(&folder)))
}

/// Returns the canonical form of a path, or the path itself where there is none.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Result<Sdk, Failure> {
        Sdk::find(Some(text), Language::Rust)
    }

    #[test]
    fn the_option_takes_a_folder_an_address_or_a_version() {
        let own = Sdk::Folder(absolute(Path::new(OWN_TREE)).join("sdk"));
        assert_eq!(find(OWN_TREE).unwrap(), own);
        assert_eq!(find(&format!("{OWN_TREE}/sdk")).unwrap(), own);
        assert_eq!(Sdk::find(None, Language::Rust).unwrap(), own);
        assert_eq!(Sdk::find(None, Language::C).unwrap(), Sdk::Embedded);
        for url in ["https://example.org/simhost", "git@example.org:simhost", "../simhost.git"] {
            assert_eq!(find(url).unwrap(), Sdk::Git(url.into()));
        }
        for version in ["0.1", "=1.2.3", "^0.3.0-rc.1"] {
            assert_eq!(find(version).unwrap(), Sdk::Version(version.into()));
        }
        assert_eq!(find("0.1").unwrap().dependency(), "{ version = \"0.1\" }");
    }

    #[test]
    fn without_the_source_tree_a_project_gets_a_copy() {
        let gone = Path::new("/nowhere/simhost");
        for language in Language::ALL {
            assert_eq!(Sdk::find_beside(gone, None, language).unwrap(), Sdk::Embedded);
        }
        assert_eq!(find("copy").unwrap(), Sdk::Embedded);
        let files = Sdk::Embedded.source();
        let text = |path: &str| {
            let found = files.iter().find(|(known, _)| known == path);
            &found.unwrap_or_else(|| panic!("no {path}")).1
        };
        let own = fs::read_to_string(Path::new(OWN_TREE).join("sdk/src/lib.rs")).unwrap();
        assert_eq!(*text("simhost-sdk/sdk/src/lib.rs"), own);
        assert!(text("simhost-sdk/Cargo.toml").contains("libm = "));
        assert!(!text("simhost-sdk/sdk/Cargo.toml").contains("[[test]]"));
        assert!(find(OWN_TREE).unwrap().source().is_empty());
    }

    #[test]
    fn c_takes_headers_from_a_folder_only() {
        for language in [Language::C, Language::Cpp] {
            let failure = Sdk::find(Some("https://example.org/simhost"), language).unwrap_err();
            assert!(failure.text.contains("takes its headers from a folder"), "{}", failure.text);
            let in_folder = Sdk::find(Some(OWN_TREE), language).unwrap().headers(language);
            assert_eq!(in_folder.unwrap(), Sdk::Embedded.headers(language).unwrap());
        }
    }

    #[test]
    fn a_folder_without_sdk_is_refused_with_the_alternatives() {
        for folder in ["/", "nowhere", OWN_TREE.trim_end_matches("/../..")] {
            let failure = find(folder).unwrap_err();
            assert!(failure.text.contains("missing simhost-sdk in"), "{}", failure.text);
            assert!(failure.text.contains("--sdk expects `copy`"), "{}", failure.text);
            assert_eq!(failure.code, Code::BadInput);
        }
    }
}
