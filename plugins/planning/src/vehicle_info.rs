//! The dimensions of a car from a `vehicle_info.param.yaml` of Autoware.
//!
//! ```yaml
//! /**:
//!   ros__parameters:
//!     wheel_base: 2.79 # m
//! ```
//!
//! The file is YAML: maps whose values are numbers. Other keys, which nodes of ROS ignore, can have any
//! value, and are a warning.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser};
use simhost_sdk::TextFile;

/// Keys of the dimensions, in m and rad.
pub const KEYS: [&str; 10] = [
    "wheel_radius",
    "wheel_width",
    "wheel_base",
    "wheel_tread",
    "front_overhang",
    "rear_overhang",
    "left_overhang",
    "right_overhang",
    "vehicle_height",
    "max_steer_angle",
];

/// Dimensions of a car.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VehicleInfo {
    values: BTreeMap<&'static str, f64>,
    /// Other keys, with the nearest dimension.
    unknown: Vec<String>,
}

/// Greatest steering angle, rad.
const MOST_STEERING: f64 = std::f64::consts::FRAC_PI_2;

impl VehicleInfo {
    /// Reads the dimensions of a file.
    ///
    /// # Errors
    /// A message with file and line if a line is not understood, a dimension is given twice or is not a
    /// positive number (an overhang can be 0), the steering angle is more than a right angle, or the
    /// wheelbase is missing.
    pub fn read(file: &TextFile) -> Result<Self, String> {
        let mut reader = Reader::default();
        for event in Parser::new_from_str(&file.text) {
            let (number, taken) = match event {
                Ok((event, span)) => {
                    let number = span.start.line();
                    (number, reader.take(&event, || line(file, number)))
                }
                Err(error) => broken(file, error.marker().line()),
            };
            taken.map_err(|text| format!("{}:{number}: {text}", file.path))?;
        }
        let info = reader.info;
        match info.get("wheel_base") {
            Some(_) => Ok(info),
            None => Err(format!(
                "{}: missing `wheel_base`; expected `wheel_base: 2.79` below `ros__parameters`",
                file.path
            )),
        }
    }

    /// Returns a dimension in m or rad, if the file gives it.
    pub fn get(&self, key: &str) -> Option<f64> {
        self.values.get(key).copied()
    }

    /// Returns the keys that are not dimensions, with the nearest dimension.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    fn ignore(&mut self, key: &str) {
        self.unknown.push(match nearest(key) {
            Some(nearest) => format!("`{key}` (did you mean `{nearest}`?)"),
            None => format!("`{key}`"),
        });
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let Some(key) = KEYS.into_iter().find(|known| *known == key) else {
            self.ignore(key);
            return Ok(());
        };
        let can_be_zero = key.ends_with("overhang");
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.filter(|number| *number > 0.0 || can_be_zero && *number == 0.0);
        let Some(number) = number else {
            let expected = if can_be_zero { "a number of at least 0" } else { "a positive number" };
            return Err(format!("{key} is '{value}'; expected {expected}"));
        };
        if key == "max_steer_angle" && number >= MOST_STEERING {
            let angle = number.to_radians();
            return Err(format!(
                "{key} is {value}; expected an angle in rad below {MOST_STEERING:.4}; {value} degrees are \
                 {angle:.4} rad"
            ));
        }
        match self.values.insert(key, number) {
            None => Ok(()),
            Some(_) => Err(format!("duplicate key `{key}`; expected it once")),
        }
    }
}

/// Builds the dimensions from the events of a file.
#[derive(Default)]
struct Reader {
    info: VehicleInfo,
    /// Keys of the open maps; empty for the outermost.
    parents: Vec<String>,
    /// Key whose value is next.
    key: Option<String>,
    /// Number of open collections in the value of a key that is not a dimension.
    ignored: usize,
}

impl Reader {
    /// Processes an event. `line` returns the line in which it starts.
    fn take<'t>(
        &mut self,
        event: &Event<'_>,
        line: impl FnOnce() -> &'t str,
    ) -> Result<(), String> {
        if self.ignored > 0 {
            match event {
                Event::MappingStart(..) | Event::SequenceStart(..) => self.ignored += 1,
                Event::MappingEnd | Event::SequenceEnd => self.ignored -= 1,
                _ => {}
            }
            return Ok(());
        }
        let is_other = |key: &String| !KEYS.contains(&key.as_str());
        let is_ignored = self.is_inside() && self.key.as_ref().is_some_and(is_other);
        let opens = matches!(event, Event::MappingStart(..) | Event::SequenceStart(..));
        match event {
            Event::MappingStart(..)
            | Event::SequenceStart(..)
            | Event::Alias(_)
            | Event::UnresolvedAlias(_)
                if is_ignored =>
            {
                self.ignored = usize::from(opens);
                self.info.ignore(&self.key.take().unwrap_or_default());
            }
            Event::MappingStart(..) => self.parents.push(self.key.take().unwrap_or_default()),
            Event::MappingEnd => {
                self.parents.pop();
            }
            Event::Scalar(..) if self.parents.is_empty() => {
                return Err(format!("found `{}`; expected `key: value`", line()));
            }
            Event::Scalar(text, ..) => match self.key.take() {
                None => self.key = Some(text.to_string()),
                Some(key) => return self.entry(&key, text),
            },
            Event::SequenceStart(..) | Event::Alias(_) | Event::UnresolvedAlias(_) => {
                return Err(format!("found `{}`; expected `key: number`", line()));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns whether the open map is the map of the parameters.
    fn is_inside(&self) -> bool {
        self.parents.last().is_some_and(|parent| parent == "ros__parameters")
    }

    fn entry(&mut self, key: &str, value: &str) -> Result<(), String> {
        if !self.is_inside() {
            return Err(format!(
                "`{key}` stands outside of `ros__parameters`; expected `/**:`, below it \
                 `ros__parameters:`, and below that the dimensions"
            ));
        }
        self.info.set(key, value)
    }
}

/// Returns a line without its indentation and comment.
fn line(file: &TextFile, number: usize) -> &str {
    let line = file.text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
    line.split(" #").next().unwrap_or_default().trim()
}

/// Explains an error of syntax. One that is due to a tab is found in the line before it.
fn broken(file: &TextFile, number: usize) -> (usize, Result<(), String>) {
    let tab = (number..=number + 1).find(|number| {
        file.text.lines().nth(number.saturating_sub(1)).is_some_and(|line| line.contains('\t'))
    });
    match tab {
        Some(number) => (number, Err("found a tab; expected spaces".to_owned())),
        None => (number, Err(format!("found `{}`; expected `key: value`", line(file, number)))),
    }
}

/// Returns the known key that is most similar to an unknown one.
fn nearest(key: &str) -> Option<&'static str> {
    let distances = KEYS.into_iter().map(|known| (strsim::levenshtein(key, known), known));
    let (distance, known) = distances.min()?;
    (distance <= key.len().max(3) / 3 + 1).then_some(known)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests;
