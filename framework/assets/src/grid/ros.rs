//! Maps of the ROS package `map_server`: a short YAML file that refers to an image.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use granit_parser::{Event, Parser, ScanError};
use simhost_scene::OccupancyGrid;

use crate::image::GreyImage;
use crate::{AssetError, Limits, Problem, file, image};

/// Maximum size of a map description in bytes. Descriptions have a few lines.
const MAX_BYTES: u64 = 64 << 10;

/// Interpretation of grey levels between the thresholds.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
    /// Unknown.
    #[default]
    Trinary,
    /// Interpolated between free and solid.
    Scale,
}

/// Description of a map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RosMap {
    /// Path of the image, relative to the description.
    pub image: PathBuf,
    /// Side of a pixel in m.
    pub resolution: f64,
    /// Lower left corner, m.
    pub origin: [f64; 2],
    /// Whether white is solid instead of black.
    pub negate: bool,
    /// Probability of being solid above which a pixel is solid.
    pub occupied_threshold: f64,
    /// Probability of being solid below which a pixel is free.
    pub free_threshold: f64,
    /// Interpretation of the levels in between.
    pub mode: Mode,
}

pub(super) fn read(path: &Path, limits: &Limits) -> Result<OccupancyGrid, AssetError> {
    let map = file::read(path, limits)
        .and_then(|bytes| RosMap::from_bytes(&bytes))
        .map_err(|problem| problem.at(path))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let image = image::read(&folder.join(&map.image), limits)?;
    map.grid(&image).map_err(|problem| problem.at(path))
}

impl RosMap {
    /// Parses a description.
    ///
    /// # Errors
    /// The text is not valid, or a value is out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Problem> {
        Problem::bounded("bytes in the description", bytes.len() as u64, MAX_BYTES)?;
        let text = crate::numbers::text(bytes)?;
        let mapping = Mapping::parse(text)?;
        let origin = mapping.numbers("origin")?;
        let Some((&[x, y], yaw)) = origin.split_first_chunk() else {
            let found = origin.len();
            let detail = format!("`origin` has {found} numbers; expected three: x, y, yaw");
            return Err(Problem::syntax(FORMAT, detail));
        };
        if let Some(yaw) = yaw.first().filter(|yaw| **yaw != 0.0) {
            let detail = format!("`origin` has a yaw of {yaw} rad, which is not supported");
            let remedy = "turn the image by that angle, and write 0";
            return Err(Problem::Unsupported { detail, remedy });
        }
        let occupied_threshold = probability(&mapping, "occupied_thresh")?;
        let free_threshold = probability(&mapping, "free_thresh")?;
        if free_threshold > occupied_threshold {
            let (name, value) = ("free_thresh", free_threshold);
            return Err(Problem::Option { name, value, expected: "at most `occupied_thresh`" });
        }
        Ok(Self {
            image: PathBuf::from(mapping.required("image")?),
            resolution: mapping.number("resolution")?,
            origin: [x, y],
            negate: negate(&mapping)?,
            occupied_threshold,
            free_threshold,
            mode: mode(&mapping)?,
        })
    }

    /// Converts the image of the description to a map.
    ///
    /// # Errors
    /// The resolution or the origin is out of range.
    pub fn grid(&self, image: &GreyImage) -> Result<OccupancyGrid, Problem> {
        let white = f64::from(image.white());
        let cell = |level: u16| {
            let bright = f64::from(level) / white;
            let solid = if self.negate { bright } else { 1.0 - bright };
            super::log_odds(self.free(solid).clamp(0.01, 0.99))
        };
        // map_server takes transparent pixels as unknown
        super::from_levels(image, self.origin, self.resolution, cell, Some(super::log_odds(0.5)))
    }

    /// Returns the probability of being free for a probability of being solid.
    fn free(&self, solid: f64) -> f64 {
        if solid > self.occupied_threshold {
            return 0.0;
        }
        if solid < self.free_threshold {
            return 1.0;
        }
        let span = self.occupied_threshold - self.free_threshold;
        match self.mode {
            Mode::Scale if span > 0.0 => 1.0 - (solid - self.free_threshold) / span,
            _ => 0.5,
        }
    }
}

fn probability(mapping: &Mapping, name: &'static str) -> Result<f64, Problem> {
    match mapping.number(name)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        value => Err(Problem::Option { name, value, expected: "a probability from 0 to 1" }),
    }
}

/// Returns whether white is solid: a number, or a boolean of YAML 1.1, which ROS reads.
fn negate(mapping: &Mapping) -> Result<bool, Problem> {
    let Some(text) = mapping.text("negate")? else { return Ok(false) };
    match boolean(text) {
        Some(is_negated) => Ok(is_negated),
        None => Ok(mapping.number("negate")? != 0.0),
    }
}

fn mode(mapping: &Mapping) -> Result<Mode, Problem> {
    match mapping.text("mode")? {
        None | Some("trinary") => Ok(Mode::Trinary),
        Some("scale") => Ok(Mode::Scale),
        Some(other) => {
            let other: String = other.chars().take(40).collect();
            let detail = format!("unknown `mode`: `{other}`; expected trinary or scale");
            Err(Problem::syntax(FORMAT, detail))
        }
    }
}

/// Maximum nesting of collections.
const MAX_DEPTH: usize = 32;

/// Returns the value of a boolean in the spellings of YAML 1.1.
fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y" => {
            Some(true)
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N" => {
            Some(false)
        }
        _ => None,
    }
}

/// A value of the mapping.
///
/// Deeper collections are skipped. Aliases are rejected because they can expand without bound.
enum YamlValue {
    Scalar(String),
    List(Vec<String>),
    /// A collection of collections, or a mapping.
    Nested,
}

/// The mapping of a description.
struct Mapping {
    entries: Vec<(String, YamlValue)>,
}

impl Mapping {
    /// Parses the first document of a text.
    fn parse(text: &str) -> Result<Self, Problem> {
        let mut reader = Reader::default();
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(syntax)?;
            if reader.take(event)? {
                break;
            }
        }
        Ok(Self { entries: reader.entries })
    }

    /// Returns the text of a scalar, or `None` if the key is missing.
    fn text(&self, key: &str) -> Result<Option<&str>, Problem> {
        match self.find(key) {
            None => Ok(None),
            Some(YamlValue::Scalar(text)) => Ok(Some(text)),
            Some(_) => {
                Err(Problem::syntax(FORMAT, format!("`{key}` is a collection; expected one value")))
            }
        }
    }

    /// Returns the text of a required scalar.
    fn required(&self, key: &str) -> Result<&str, Problem> {
        self.text(key)?.ok_or_else(|| missing(key))
    }

    /// Returns a required number.
    fn number(&self, key: &str) -> Result<f64, Problem> {
        number(key, self.required(key)?)
    }

    /// Returns a required list of numbers.
    fn numbers(&self, key: &str) -> Result<Vec<f64>, Problem> {
        match self.find(key) {
            None => Err(missing(key)),
            Some(YamlValue::List(items)) => items.iter().map(|item| number(key, item)).collect(),
            Some(_) => {
                Err(Problem::syntax(FORMAT, format!("`{key}` is not a list; expected numbers")))
            }
        }
    }

    fn find(&self, key: &str) -> Option<&YamlValue> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

fn missing(key: &str) -> Problem {
    Problem::syntax(FORMAT, format!("`{key}` is missing"))
}

fn number(key: &str, text: &str) -> Result<f64, Problem> {
    let parsed = f64::from_str(text).ok();
    parsed.ok_or_else(|| {
        let found: String = text.chars().take(40).collect();
        Problem::syntax(FORMAT, format!("`{key}` is `{found}`; expected a number"))
    })
}

fn syntax(error: ScanError) -> Problem {
    Problem::syntax(FORMAT, error)
}

/// Builds the mapping from the events of a document.
#[derive(Default)]
struct Reader {
    entries: Vec<(String, YamlValue)>,
    key: Option<String>,
    /// Open collections, the root included.
    depth: usize,
}

impl Reader {
    /// Processes one event. Returns whether the root has ended.
    fn take(&mut self, event: Event) -> Result<bool, Problem> {
        match event {
            Event::Scalar(text, ..) => self.scalar(text.into_owned())?,
            Event::MappingStart(..) => self.open(YamlValue::Nested)?,
            Event::SequenceStart(..) => self.open(YamlValue::List(Vec::new()))?,
            Event::MappingEnd | Event::SequenceEnd => {
                self.depth -= 1;
                return Ok(self.depth == 0);
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                return Err(Problem::syntax(FORMAT, "aliases are not supported"));
            }
            _ => {}
        }
        Ok(false)
    }

    fn scalar(&mut self, text: String) -> Result<(), Problem> {
        match (self.depth, self.key.take()) {
            (0, _) => return Err(not_a_mapping()),
            (1, None) => {
                if self.entries.iter().any(|(key, _)| *key == text) {
                    let key: String = text.chars().take(40).collect();
                    return Err(Problem::syntax(FORMAT, format!("duplicate key `{key}`")));
                }
                self.key = Some(text);
            }
            (1, Some(key)) => self.entries.push((key, YamlValue::Scalar(text))),
            (2, _) => {
                if let Some((_, YamlValue::List(items))) = self.entries.last_mut() {
                    items.push(text);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, value: YamlValue) -> Result<(), Problem> {
        self.depth += 1;
        match self.depth {
            1 if matches!(value, YamlValue::Nested) => {}
            1 => return Err(not_a_mapping()),
            2 => {
                let key = self.key.take();
                let key = key.ok_or_else(|| Problem::syntax(FORMAT, "a key is a collection"))?;
                self.entries.push((key, value));
            }
            depth if depth > MAX_DEPTH => {
                return Err(Problem::syntax(FORMAT, "its collections are nested too deeply"));
            }
            _ => {
                if let Some((_, last)) = self.entries.last_mut() {
                    *last = YamlValue::Nested;
                }
            }
        }
        Ok(())
    }
}

fn not_a_mapping() -> Problem {
    Problem::syntax(FORMAT, "expected lines such as `resolution: 0.05`")
}

const FORMAT: &str = "ROS map";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::png;

    const TEXT: &str = "image: room.png\nresolution: 0.05\norigin: [-1.0, 2, 0.0]\nnegate: 0\n\
        occupied_thresh: 0.65\nfree_thresh: 0.196\n";

    fn cells(text: &str) -> Vec<i8> {
        let image = image::from_bytes(&png(4, 1, &[0, 128, 205, 254]), &Limits::default()).unwrap();
        RosMap::from_bytes(text.as_bytes()).unwrap().grid(&image).unwrap().cells().to_vec()
    }

    #[test]
    fn thresholds_and_modes() {
        assert_eq!(cells(TEXT), [-74, 0, 0, 74]);
        assert_eq!(cells(&TEXT.replace("negate: 0", "negate: true")), [74, 0, -74, -74]);
        let scaled = cells(&format!("{TEXT}mode: scale\n"));
        // (0.498 − 0.196)/0.454 = 0.665 of the way to solid
        assert_eq!(scaled, [-74, -11, 74, 74]);
    }

    /// As map_server reads unknown cells that map_saver has written.
    #[test]
    fn transparent_pixels_are_unknown() {
        use crate::image::tests::encoded;
        let levels = [0, 255, 0, 0, 254, 255, 254, 128];
        let image = encoded(4, 1, png::ColorType::GrayscaleAlpha, png::BitDepth::Eight, &levels);
        let image = image::from_bytes(&image, &Limits::default()).unwrap();
        for mode in ["trinary", "scale"] {
            let map = RosMap::from_bytes(format!("{TEXT}mode: {mode}\n").as_bytes()).unwrap();
            assert_eq!(map.grid(&image).unwrap().cells(), [-74, 0, 74, 0], "{mode}");
        }
    }

    #[test]
    fn booleans_have_the_spellings_of_yaml_1_1() {
        for (text, is_negated) in [
            ("no", false),
            ("off", false),
            ("FALSE", false),
            ("yes", true),
            ("On", true),
            ("1", true),
            ("0.0", false),
        ] {
            let map = RosMap::from_bytes(
                TEXT.replace("negate: 0", &format!("negate: {text}")).as_bytes(),
            );
            assert_eq!(map.unwrap().negate, is_negated, "{text}");
        }
        assert!(RosMap::from_bytes(TEXT.replace("negate: 0", "negate: maybe").as_bytes()).is_err());
    }

    #[test]
    fn a_description_refers_to_an_image() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("room.yaml");
        std::fs::write(&path, TEXT).unwrap();
        let error = read(&path, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("room.png: cannot be read"), "{error}");
        std::fs::write(folder.path().join("room.png"), png(1, 1, &[0])).unwrap();
        let map = read(&path, &Limits::default()).unwrap();
        assert_eq!((map.corner(), map.resolution()), ([-1.0, 2.0], 0.05));
    }

    #[test]
    fn invalid_descriptions_are_rejected() {
        for (from, to) in [
            ("resolution: 0.05\n", ""),
            ("0.05", "[1, 2]"),
            ("[-1.0, 2, 0.0]", "[1]"),
            ("[-1.0, 2, 0.0]", "[-1.0, 2, 0.3]"),
            ("0.65", "7"),
            ("negate: 0", "mode: raw"),
            ("free_thresh: 0.196", "free_thresh: 0.7"),
            ("negate: 0", "resolution: 0.1"),
            ("image: room.png", "image: &a [*a, *a]"),
        ] {
            assert!(RosMap::from_bytes(TEXT.replace(from, to).as_bytes()).is_err(), "{to}");
        }
        let image = image::from_bytes(&png(1, 1, &[0]), &Limits::default()).unwrap();
        let map = RosMap::from_bytes(TEXT.replace("0.05", "0").as_bytes()).unwrap();
        assert!(matches!(map.grid(&image), Err(Problem::Grid(_))));
        assert!(RosMap::from_bytes(&b"a: ".repeat(30_000)).is_err());
        assert!(RosMap::from_bytes("[".repeat(60_000).as_bytes()).is_err());
    }
}
