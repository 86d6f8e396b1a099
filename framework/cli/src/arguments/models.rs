//! Options that decide which models are available, and how worlds are read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{Args, ValueEnum};
use simhost_abi::Kind;
use simhost_assets::Limits as AssetLimits;
use simhost_fetch::{FetchOptions, Fetcher};
use simhost_world::{Allow, CodePlace, Limits, LoadOptions, PROFILES, SharedFetcher};

use super::seconds;
use crate::{downloads, interrupt};

/// Options that decide which models are available.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Models")]
pub struct Models {
    /// Directory with plugins (repeatable). Searched in the order given, before SIMHOST_PLUGIN_PATH,
    /// the plugin folder of the user, and the built-in models.
    #[arg(long, value_name = "DIR")]
    pub plugin_dir: Vec<PathBuf>,

    /// File with models in Python (repeatable), for the program of the Python package.
    #[arg(long, value_name = "FILE")]
    pub python: Vec<PathBuf>,

    /// Disable all built-in models, or the models of one family: friction, dynamics, controllers,
    /// sensors, actuators, environments, observers or suspensions (repeatable).
    #[arg(long, value_name = "off[=FAMILY]", value_parser = builtin)]
    pub builtin: Vec<Without>,

    /// Report where plugins were searched and what was found.
    #[arg(short, long)]
    pub verbose: bool,
}

/// Built-in models that are disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// All built-in models.
    All,
    /// The built-in models of one kind.
    Kind(Kind),
}

impl std::fmt::Display for Without {
    /// Writes the value of the option.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::Kind(kind) = self else { return f.write_str("off") };
        let of_kind = |family: &&Family| family.kind() == *kind;
        let family = Family::value_variants().iter().find(of_kind);
        let value = family.and_then(Family::to_possible_value);
        write!(f, "off={}", value.as_ref().map_or("", |value| value.get_name()))
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Family {
    Friction,
    Dynamics,
    Controllers,
    Sensors,
    Actuators,
    Environments,
    Observers,
    Suspensions,
}

impl Family {
    fn kind(self) -> Kind {
        match self {
            Self::Friction => Kind::Friction,
            Self::Dynamics => Kind::Dynamics,
            Self::Controllers => Kind::Controller,
            Self::Sensors => Kind::Sensor,
            Self::Actuators => Kind::Actuator,
            Self::Environments => Kind::Environment,
            Self::Observers => Kind::Observer,
            Self::Suspensions => Kind::Suspension,
        }
    }
}

fn builtin(text: &str) -> Result<Without, String> {
    let Some(family) = text.strip_prefix("off") else {
        return Err("expected `off` or `off=FAMILY`".into());
    };
    let Some(family) = family.strip_prefix('=') else {
        return if family.is_empty() {
            Ok(Without::All)
        } else {
            Err("expected `off` or `off=FAMILY`".into())
        };
    };
    let family = Family::from_str(family, true).map_err(|_| {
        "unknown family; expected friction, dynamics, controllers, sensors, actuators, environments, \
         observers or suspensions"
            .to_string()
    })?;
    Ok(Without::Kind(family.kind()))
}

/// Largest value of `--max-file-size` in MiB: positions in a file are 32-bit numbers.
const MAX_FILE_SIZE: u64 = (1 << 12) - 1;
/// Largest value of `--max-depth`.
const MAX_DEPTH: u64 = 500;

/// Options for reading worlds.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reading the world")]
pub struct Loading {
    /// Report unknown elements and attributes as warnings instead of errors.
    #[arg(long)]
    lenient: bool,

    /// Compatibility profile [default: the profile of the world, else corrected].
    #[arg(long, value_name = "PROFILE", value_parser = profiles())]
    compat: Option<String>,

    /// Seed of all random numbers [default: the seed of the world, else 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Allow the world to run $(commands), to download files, or to run the code of FMUs (repeatable).
    #[arg(long, value_name = "WHAT")]
    allow: Vec<Permission>,

    /// Read addresses that start with URL_PREFIX from a local folder instead (repeatable).
    #[arg(long, value_name = "URL_PREFIX=DIR", env = "SIMHOST_MIRROR")]
    mirror: Vec<Mirrors>,

    /// Time limit for connecting to a server, for its response, and for each wait for data, s.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    timeout: Duration,

    /// Treatment of meshes and images that are missing or cannot be read.
    #[arg(long, value_name = "HOW", default_value = "error")]
    missing_assets: MissingAssets,

    /// Largest size of a file, MiB.
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().file_size >> 20)]
    #[arg(value_parser = RangedU64ValueParser::<u64>::new().range(1..=MAX_FILE_SIZE))]
    max_file_size: u64,

    /// Deepest nesting of elements, after includes.
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_DEPTH))]
    max_depth: usize,

    /// Largest number of elements of a world, after includes and loops.
    #[arg(long, value_name = "N", default_value_t = Limits::default().elements)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    max_elements: usize,

    /// Largest number of pixels of an image or cells of a map.
    #[arg(long, value_name = "N", default_value_t = AssetLimits::default().max_pixels)]
    #[arg(value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    max_pixels: u64,
}

/// Something that a world may do only if the user allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Permission {
    /// Run the shell commands in `$(…)`.
    Shell,
    /// Download files from `http://…` and `https://…` addresses.
    Net,
    /// Run the code of FMUs that the world names, in separate processes.
    Fmu,
    /// Run the code of FMUs in this process, which is faster, and which a crash of an FMU ends.
    FmuInProcess,
}

/// Treatment of meshes and images that are missing or cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingAssets {
    /// Report an error.
    Error,
    /// Use the bounds that are known, with a warning.
    Placeholder,
}

impl Loading {
    /// Returns the options of the world reader.
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions {
            lenient: self.lenient,
            flatten: false,
            keep_tree: false,
            compat: self.compat.clone(),
            seed: self.seed,
            allow: Allow {
                shell: self.allows(Permission::Shell),
                file_models: match self.allows(Permission::FmuInProcess) {
                    true => Some(CodePlace::Here),
                    false => self.allows(Permission::Fmu).then_some(CodePlace::Separate),
                },
            },
            limits: Limits {
                file_size: self.max_file_size << 20,
                depth: self.max_depth,
                elements: self.max_elements,
            },
            missing_assets: match self.missing_assets {
                MissingAssets::Error => simhost_world::MissingAssets::Error,
                MissingAssets::Placeholder => simhost_world::MissingAssets::Placeholder,
            },
            fetcher: SharedFetcher(Arc::new(Fetcher::new(self.fetch_options()))),
            asset_limits: self.asset_limits(),
            variables: BTreeMap::new(),
            streams: Vec::new(),
            stop: interrupt::flag(),
            confinement: None,
            client_folders: Vec::new(),
        }
    }

    fn fetch_options(&self) -> FetchOptions {
        FetchOptions {
            allow_net: self.allows(Permission::Net),
            mirrors: self.mirrors(),
            max_bytes: self.max_file_size << 20,
            progress: Some(downloads::observer()),
            timeout: self.timeout,
            stop: interrupt::flag(),
            ..FetchOptions::default()
        }
    }

    fn asset_limits(&self) -> AssetLimits {
        let mut limits = AssetLimits::default();
        limits.max_file_bytes = self.max_file_size << 20;
        limits.max_pixels = self.max_pixels;
        limits
    }

    /// Returns the mirrors with absolute folders, because a model can change the working folder.
    fn mirrors(&self) -> Vec<(String, PathBuf)> {
        let mirrors = self.mirror.iter().flat_map(|mirrors| mirrors.0.clone());
        let absolute = |folder: PathBuf| std::path::absolute(&folder).unwrap_or(folder);
        mirrors.map(|(prefix, folder)| (prefix, absolute(folder))).collect()
    }

    fn allows(&self, permission: Permission) -> bool {
        self.allow.contains(&permission)
    }
}

fn profiles() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES.map(|profile| profile.name))
}

/// Schemes of addresses that can be mirrored.
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// Mirrors of one option or of `SIMHOST_MIRROR`: pairs of an address prefix and a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrors(pub Vec<(String, PathBuf)>);

impl FromStr for Mirrors {
    type Err = String;

    /// Parses `URL_PREFIX=DIR`, or several of them with separators in between.
    fn from_str(text: &str) -> Result<Self, String> {
        split(text).into_iter().map(mirror).collect::<Result<_, _>>().map(Self)
    }
}

/// Splits at `;`, and at the path separator of the platform, but only where an address follows: a
/// colon inside an address or a folder does not separate.
fn split(text: &str) -> Vec<&str> {
    let of_paths = if cfg!(windows) { ';' } else { ':' };
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (at, separator) in text.match_indices([';', of_paths]) {
        let next = at + separator.len();
        if next == text.len() || SCHEMES.iter().any(|scheme| text[next..].starts_with(scheme)) {
            pieces.push(&text[begin..at]);
            begin = next;
        }
    }
    pieces.push(&text[begin..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn mirror(text: &str) -> Result<(String, PathBuf), String> {
    let example = "expected URL_PREFIX=DIR, such as https://example.org/models=models";
    let (prefix, folder) = text.split_once('=').ok_or(example)?;
    if !SCHEMES.iter().any(|scheme| prefix.len() > scheme.len() && prefix.starts_with(scheme)) {
        return Err(format!("`{prefix}` is not an http or https address; {example}"));
    }
    if folder.is_empty() {
        return Err(format!("missing folder after `{prefix}=`; {example}"));
    }
    Ok((prefix.to_owned(), PathBuf::from(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Vec<(String, PathBuf)> {
        text.parse::<Mirrors>().unwrap().0
    }

    fn pair(prefix: &str, folder: &str) -> (String, PathBuf) {
        (prefix.to_owned(), folder.into())
    }

    #[test]
    fn mirrors_are_separated_where_an_address_follows() {
        let one = pair("http://h:8080/a", "/m:1;x");
        assert_eq!(parsed("http://h:8080/a=/m:1;x"), vec![one.clone()]);
        let two = pair("https://g/", "b=c");
        assert_eq!(parsed("http://h:8080/a=/m:1;x;https://g/=b=c;"), [one.clone(), two.clone()]);
        if !cfg!(windows) {
            assert_eq!(parsed("http://h:8080/a=/m:1;x:https://g/=b=c"), [one, two]);
        }
        assert_eq!(parsed(""), []);
    }

    #[test]
    fn invalid_mirrors_are_refused() {
        for wrong in ["models", "ftp://h/=m", "http://=m", "h/=m", "http://h/=", "=m"] {
            assert!(wrong.parse::<Mirrors>().is_err(), "{wrong}");
        }
    }
}

#[cfg(test)]
mod mirror_tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        loading: Loading,
    }

    fn parse(arguments: &str) -> Result<Loading, clap::Error> {
        let words = std::iter::once("simhost").chain(arguments.split_whitespace());
        Line::try_parse_from(words).map(|line| line.loading)
    }

    #[test]
    fn without_options_the_reader_uses_its_defaults() {
        let options = parse("").unwrap().load_options();
        assert_eq!((options.allow, options.limits), (Allow::default(), Limits::default()));
    }

    #[test]
    fn every_option_reaches_the_reader() {
        let line = "--lenient --compat mvsim-1.2 --seed 7 --allow shell --max-file-size 2 \
                    --max-depth 3 --max-elements 4 --max-pixels 5 --missing-assets placeholder";
        let options = parse(line).unwrap().load_options();
        assert!(options.lenient && options.allow.shell);
        assert_eq!((options.compat.as_deref(), options.seed), (Some("mvsim-1.2"), Some(7)));
        assert_eq!(options.limits, Limits { file_size: 2 << 20, depth: 3, elements: 4 });
        assert_eq!(options.asset_limits.max_pixels, 5);
        assert_eq!(options.missing_assets, simhost_world::MissingAssets::Placeholder);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for wrong in [
            "--allow everything",
            "--mirror models",
            "--missing-assets ignore",
            "--max-file-size 0",
            "--max-file-size 4096",
            "--max-depth 501",
            "--max-elements -1",
            "--max-pixels 1e8",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
