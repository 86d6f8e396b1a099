//! The dimensions of a car from a `vehicle_info.param.yaml` of Autoware.
//!
//! ```yaml
//! /**:
//!   ros__parameters:
//!     wheel_base: 2.79 # m
//! ```
//!
//! The file is a small part of YAML: maps in block style whose values are numbers, texts or flags, with
//! comments. Lists, anchors, quotes over several lines and tabs are not supported.

use std::collections::BTreeMap;

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
}

impl VehicleInfo {
    /// Reads the dimensions of a file.
    ///
    /// # Errors
    /// A message with file, line and the nearest key if a line is not understood, a key is unknown or
    /// given twice, a value is not a positive number (an overhang can be 0), or the wheelbase is
    /// missing.
    pub fn read(file: &TextFile) -> Result<Self, String> {
        let mut info = Self::default();
        let mut parents: Vec<(usize, &str)> = Vec::new();
        for (number, line) in file.text.lines().enumerate() {
            let at = |text: String| format!("{}:{}: {text}", file.path, number + 1);
            let Some((indent, key, value)) = entry(line).map_err(at)? else { continue };
            parents.retain(|(parent, _)| *parent < indent);
            if value.is_empty() {
                parents.push((indent, key));
                continue;
            }
            if parents.last().is_none_or(|(_, parent)| *parent != "ros__parameters") {
                let text = format!(
                    "`{key}` stands outside of `ros__parameters`; expected `/**:`, below it \
                     `ros__parameters:`, and below that the dimensions"
                );
                return Err(at(text));
            }
            info.set(key, value).map_err(at)?;
        }
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

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let Some(key) = KEYS.into_iter().find(|known| *known == key) else {
            let help = match nearest(key) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("expected one of: {}", KEYS.join(", ")),
            };
            return Err(format!("unknown key `{key}`; {help}"));
        };
        let can_be_zero = key.ends_with("overhang");
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.filter(|number| *number > 0.0 || can_be_zero && *number == 0.0);
        let Some(number) = number else {
            let expected = if can_be_zero { "a number of at least 0" } else { "a positive number" };
            return Err(format!("{key} is '{value}'; expected {expected}"));
        };
        match self.values.insert(key, number) {
            None => Ok(()),
            Some(_) => Err(format!("duplicate key `{key}`; expected it once")),
        }
    }
}

/// Returns indentation, key and value of a line; nothing for a line without an entry.
fn entry(line: &str) -> Result<Option<(usize, &str, &str)>, String> {
    let content = match line.find('#') {
        Some(0) => "",
        Some(at) if line[..at].ends_with([' ', '\t']) => &line[..at],
        _ => line,
    };
    let content = content.trim_end();
    let text = content.trim_start_matches(' ');
    if text.is_empty() || text == "---" {
        return Ok(None);
    }
    if text.contains('\t') {
        return Err("found a tab; expected spaces".to_owned());
    }
    let Some((key, value)) = text.split_once(':') else {
        return Err(format!("found `{text}`; expected `key: value`"));
    };
    let (value, key) = (value.trim(), key.trim_matches(['"', '\'']));
    if key.is_empty() || value.starts_with(['[', '{', '&', '*', '|', '>']) {
        return Err(format!("found `{text}`; expected `key: number`"));
    }
    Ok(Some((content.len() - text.len(), key, value.trim_matches(['"', '\'']))))
}

/// Returns the known key that is most similar to an unknown one.
fn nearest(key: &str) -> Option<&'static str> {
    let distances = KEYS.into_iter().map(|known| (distance(key, known), known));
    let (distance, known) = distances.min()?;
    (distance <= key.len().max(3) / 3 + 1).then_some(known)
}

/// Returns the number of letters that have to be inserted, removed or replaced (Levenshtein 1966).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use super::*;

    const SAMPLE: &str = "# of a sample vehicle\n/**:\n  ros__parameters:\n    wheel_radius: 0.383 # m\n    \
                          wheel_base: 2.79 # between the axles\n    left_overhang: 0.0\n    \
                          max_steer_angle: 0.70\n";

    fn read(text: &str) -> Result<VehicleInfo, String> {
        VehicleInfo::read(&TextFile { path: "/car.yaml".to_owned(), text: text.to_owned() })
    }

    #[test]
    fn a_sample_gives_its_dimensions() {
        let info = read(SAMPLE).unwrap();
        assert_eq!(info.get("wheel_base"), Some(2.79));
        assert_eq!(info.get("max_steer_angle"), Some(0.7));
        assert_eq!(info.get("left_overhang"), Some(0.0));
        assert_eq!(info.get("wheel_tread"), None);
    }

    #[test]
    fn errors_name_line_and_nearest_key() {
        let fault = |from: &str, to: &str| read(&SAMPLE.replace(from, to)).unwrap_err();
        assert_eq!(
            fault("wheel_base", "whel_base"),
            "/car.yaml:5: unknown key `whel_base`; did you mean `wheel_base`?"
        );
        assert_eq!(
            fault("2.79", "long"),
            "/car.yaml:5: wheel_base is 'long'; expected a positive number"
        );
        assert!(fault("wheel_base: 2.79", "wheel_base: -1").contains("'-1'; expected a positive"));
        assert!(fault("left_overhang: 0.0", "left_overhang: -1").contains("of at least 0"));
        assert!(fault("wheel_base:", "wheel_base").starts_with("/car.yaml:5: found `wheel_base 2"));
        assert!(fault("wheel_radius: 0.383", "wheel_base: 1").contains(":5: duplicate key"));
        assert!(
            fault("  ros__parameters:\n", "").starts_with("/car.yaml:3: `wheel_radius` stands")
        );
        assert!(fault("left_overhang: 0.0", "\tleft: 0").contains("found a tab"));
        assert!(fault("0.70", "[0.70]").contains("expected `key: number`"));
        assert!(fault("wheel_base: 2.79 # between the axles", "").contains("missing `wheel_base`"));
        assert!(fault("wheel_radius", "zzz").contains("expected one of: wheel_radius"));
    }
}
