//! Point clouds of sensors: one file per sample in the format PCD 0.7 of the Point Cloud Library.
//!
//! Format: <https://pointclouds.org/documentation/tutorials/pcd_file_format.html>, with `DATA binary`,
//! little endian.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::RecordError;
use crate::file_name::{FileNames, remove_samples};
use crate::text::Text;

/// Fields in the order of the file, with their types: `F` for a float of 4 bytes, or `U` and a number of
/// bytes. Fields of other names follow as floats.
const KNOWN: [(&str, Type); 9] = [
    ("x", Type::Float),
    ("y", Type::Float),
    ("z", Type::Float),
    ("range", Type::Float),
    ("intensity", Type::Float),
    ("ring", Type::Unsigned16),
    ("time", Type::Float),
    ("entity", Type::Unsigned32),
    ("class", Type::Unsigned16),
];

/// Name of the output that is 0 for rays that are not returns, and else the number of the return of its beam.
const VALID: &str = "valid";
/// Name of the field with that number.
const RETURN: &str = "return";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Float,
    Unsigned16,
    Unsigned32,
}

impl Type {
    const fn letter(self) -> char {
        match self {
            Self::Float => 'F',
            Self::Unsigned16 | Self::Unsigned32 => 'U',
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::Float | Self::Unsigned32 => 4,
            Self::Unsigned16 => 2,
        }
    }

    fn push(self, value: f64, to: &mut Vec<u8>) {
        match self {
            Self::Float => to.extend((value as f32).to_le_bytes()),
            Self::Unsigned16 => to.extend((value as u16).to_le_bytes()),
            Self::Unsigned32 => to.extend((value as u32).to_le_bytes()),
        }
    }
}

/// Form of the clouds of a sensor: the place of each field in a sample.
#[derive(Clone, Debug)]
pub struct CloudForm {
    fields: Vec<(String, Type, Range<usize>)>,
    valid: Option<Range<usize>>,
    rays: usize,
}

impl CloudForm {
    /// Creates the form of samples that hold the values of these outputs one after the other, each with
    /// its name, its unit and its number of values. Returns `None` if they are not points: `x`, `y` and `z`
    /// in m, with one value per ray.
    pub fn new<'o>(outputs: impl Iterator<Item = (&'o str, &'o str, usize)>) -> Option<Self> {
        let mut first = 0;
        let mut all: Vec<(&str, &str, Range<usize>)> = Vec::new();
        for (name, unit, count) in outputs {
            all.push((name, unit, first..first + count));
            first += count;
        }
        let place = |wanted: &str| all.iter().find(|(name, ..)| *name == wanted);
        let rays = place("x")?.2.len();
        let is_point = |name: &str| {
            place(name).is_some_and(|(_, unit, place)| *unit == "m" && place.len() == rays)
        };
        if rays < 2 || !["x", "y", "z"].into_iter().all(is_point) {
            return None;
        }
        let per_ray = all.iter().filter(|(.., place)| place.len() == rays);
        let known = KNOWN.iter().filter_map(|(name, kind)| {
            let (.., place) = per_ray.clone().find(|(other, ..)| other == name)?;
            Some(((*name).to_owned(), *kind, place.clone()))
        });
        let is_known = |name: &str| name == VALID || KNOWN.iter().any(|(known, _)| *known == name);
        let others = per_ray.clone().filter(|(name, ..)| !is_known(name));
        let others = others.map(|(name, _, place)| (word(name), Type::Float, place.clone()));
        let valid = per_ray.clone().find(|(name, ..)| *name == VALID);
        let valid = valid.map(|(.., place)| place.clone());
        let number = valid.clone().map(|place| (RETURN.to_owned(), Type::Unsigned16, place));
        let fields = known.chain(number).chain(others).collect();
        Some(Self { fields, valid, rays })
    }

    /// Returns the values of a field in a sample, if there is one.
    fn values<'s>(&self, sample: &'s [f64], wanted: &str) -> Option<&'s [f64]> {
        let field = self.fields.iter().find(|(name, ..)| name == wanted);
        field.map(|(.., place)| &sample[place.clone()])
    }

    /// Returns the returns of a sample, ordered by time and then by ring.
    fn returns(&self, sample: &[f64]) -> Vec<usize> {
        let valid = self.valid.as_ref().map(|place| &sample[place.clone()]);
        let is_return = |ray: &usize| valid.is_none_or(|valid| valid[*ray] != 0.0);
        let mut rays: Vec<usize> = (0..self.rays).filter(is_return).collect();
        let keys = ["time", "ring"].map(|name| self.values(sample, name));
        let key = |ray: usize| keys.map(|values| values.map_or(0.0, |values| values[ray]));
        rays.sort_by(|a, b| {
            let (a, b) = (key(*a), key(*b));
            a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
        });
        rays
    }

    /// Returns the points of a sample, m, sensor frame, in the order of the file.
    pub fn points(&self, sample: &[f64]) -> Vec<[f64; 3]> {
        let place = |wanted: &str| {
            let field = self.fields.iter().find(|(name, ..)| name == wanted);
            field.map_or(0, |(.., place)| place.start)
        };
        let places = ["x", "y", "z"].map(place);
        let rays = self.returns(sample).into_iter();
        rays.map(|ray| places.map(|place| sample[place + ray])).collect()
    }

    /// Returns the range of each ray, m, infinite for none, the number of rings, and whether the columns
    /// follow each other clockwise.
    pub fn ranges(&self, sample: &[f64]) -> (Vec<f64>, usize, bool) {
        let mut ranges = vec![f64::INFINITY; self.rays];
        let rings = self.values(sample, "ring").into_iter().flatten();
        let rings = rings.fold(0.0, |most: f64, ring| most.max(*ring)) as usize + 1;
        // sine of the angle from the return before in each ring
        let (mut last, mut turn) = (vec![None; rings], 0.0);
        for (ray, [x, y, z]) in self.returns(sample).into_iter().zip(self.points(sample)) {
            ranges[ray] = (x * x + y * y + z * z).sqrt();
            let before: Option<[f64; 2]> = last[ray % rings].replace([x, y]);
            let [bx, by] = before.unwrap_or([x, y]);
            turn += (bx * y - by * x).signum();
        }
        (ranges, rings, turn < 0.0)
    }

    /// Returns the file of a sample. `viewpoint` is the pose of the sensor in the world: x, y, z, m, and the
    /// quaternion w, x, y, z.
    ///
    /// # Panics
    /// If the sample has fewer values than the outputs.
    pub fn pcd(&self, viewpoint: [f64; 7], sample: &[f64]) -> Vec<u8> {
        let rays = self.returns(sample);
        let mut header = String::from("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n");
        let line = |key: &str, value: &dyn Fn(&str, Type) -> String| {
            let values = self.fields.iter().map(|(name, kind, _)| value(name, *kind));
            format!("{key} {}\n", values.collect::<Vec<_>>().join(" "))
        };
        header += &line("FIELDS", &|name, _| name.to_owned());
        header += &line("SIZE", &|_, kind| kind.size().to_string());
        header += &line("TYPE", &|_, kind| kind.letter().to_string());
        header += &line("COUNT", &|_, _| "1".to_owned());
        let count = rays.len();
        let viewpoint = viewpoint.map(|value| (value + 0.0).to_string()).join(" ");
        // writing to a string cannot fail
        let _ = write!(
            header,
            "WIDTH {count}\nHEIGHT 1\nVIEWPOINT {viewpoint}\nPOINTS {count}\nDATA binary\n"
        );
        let size: usize = self.fields.iter().map(|(_, kind, _)| kind.size()).sum();
        let mut bytes = Vec::with_capacity(header.len() + size * count);
        bytes.extend(header.as_bytes());
        for ray in rays {
            for (_, kind, place) in &self.fields {
                kind.push(sample[place.start + ray], &mut bytes);
            }
        }
        bytes
    }
}

/// Returns a name without white space, which separates names in a header.
fn word(name: &str) -> String {
    name.replace(char::is_whitespace, "_")
}

/// Folders of the clouds of a run: `VEHICLE.SENSOR/TIME.pcd`, with the time in ns in 19 digits.
#[derive(Default)]
pub struct CloudFolders {
    /// Folder and form of each sensor that gives points, by its index.
    sensors: Vec<Option<(PathBuf, CloudForm)>>,
}

impl CloudFolders {
    /// Creates the folders of sensors in `directory`: vehicle, sensor, and the form of its clouds if it gives
    /// points. Clouds of earlier runs are removed.
    ///
    /// # Errors
    /// [`RecordError::Directory`] if a folder cannot be created.
    pub fn create<'s>(
        directory: &Path,
        sensors: impl Iterator<Item = (&'s str, &'s str, Option<CloudForm>)>,
    ) -> Result<Self, RecordError> {
        let mut names = FileNames::default();
        let mut folders = Vec::new();
        for (vehicle, sensor, form) in sensors {
            let Some(form) = form else {
                folders.push(None);
                continue;
            };
            let path = directory.join(names.claim_folder(vehicle, sensor));
            simhost_files::create_folder(&path)
                .map_err(|source| RecordError::Directory { path: path.clone(), source })?;
            remove_samples(&path, ".pcd");
            folders.push(Some((path, form)));
        }
        Ok(Self { sensors: folders })
    }

    /// Returns the folders.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sensors.iter().flatten().map(|(path, _)| path.as_path())
    }

    /// Returns whether a sensor gives points.
    pub fn has(&self, sensor: usize) -> bool {
        self.sensors.get(sensor).is_some_and(Option::is_some)
    }

    /// Writes the cloud of a sample that was taken `time` ns after the start, and returns its path. `None` for a
    /// sensor that does not give points.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written.
    pub fn write(
        &self,
        sensor: usize,
        time: u64,
        viewpoint: [f64; 7],
        sample: &[f64],
    ) -> Result<Option<PathBuf>, RecordError> {
        let Some(Some((folder, form))) = self.sensors.get(sensor) else { return Ok(None) };
        let path = folder.join(format!("{time:019}.pcd"));
        match simhost_files::write(&path, form.pcd(viewpoint, sample)) {
            Ok(()) => Ok(Some(path)),
            Err(source) => Err(RecordError::Write { path, source }),
        }
    }
}

/// Writes a CSV file with numbers and their names, whose columns are `number` and `name`.
///
/// # Errors
/// [`RecordError::Create`] if the file cannot be written.
pub fn write_named(
    path: &Path,
    number: &str,
    names: impl Iterator<Item = (u32, String)>,
) -> Result<(), RecordError> {
    let mut text = format!("{number},name\n");
    for (number, name) in names {
        // writing to a string cannot fail
        let _ = writeln!(text, "{number},{}", Text::field(&name));
    }
    simhost_files::write(path, text)
        .map_err(|source| RecordError::Create { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rays of two rings, in the reverse order of their times; the second ray is lost.
    fn sample() -> (CloudForm, Vec<f64>) {
        let outputs = [
            ("count", "1", vec![7.0]),
            ("valid", "1", vec![1.0, 0.0, 2.0]),
            ("x", "m", vec![1.0, 0.0, 4.0]),
            ("y", "m", vec![2.0, 0.0, 5.0]),
            ("z", "m", vec![3.0, 0.0, 6.0]),
            ("ring", "1", vec![1.0, 0.0, 0.0]),
            ("entity", "1", vec![70_000.0, -1.0, 3.0]),
            ("dust level", "1", vec![0.5, 0.0, 0.25]),
        ];
        let shape = outputs.iter().map(|(name, unit, values)| (*name, *unit, values.len()));
        let form = CloudForm::new(shape).unwrap();
        (form, outputs.iter().flat_map(|(.., values)| values.clone()).collect())
    }

    #[test]
    fn a_file_has_a_header_and_the_returns_by_time_and_ring() {
        let (form, sample) = sample();
        let file = form.pcd([1.0, -2.0, 0.5, 1.0, 0.0, 0.0, 0.0], &sample);
        let header = "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n\
            FIELDS x y z ring entity return dust_level\nSIZE 4 4 4 2 4 2 4\nTYPE F F F U U U F\n\
            COUNT 1 1 1 1 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 1 -2 0.5 1 0 0 0\nPOINTS 2\nDATA binary\n";
        assert_eq!(String::from_utf8_lossy(&file[..header.len()]), header);
        let mut expected = Vec::new();
        for (point, ring, entity, number, dust) in
            [([4.0f32, 5.0, 6.0], 0u16, 3u32, 2u16, 0.25f32), ([1.0, 2.0, 3.0], 1, 70_000, 1, 0.5)]
        {
            expected.extend(point.iter().flat_map(|value| value.to_le_bytes()));
            expected.extend(ring.to_le_bytes());
            expected.extend(entity.to_le_bytes());
            expected.extend(number.to_le_bytes());
            expected.extend(dust.to_le_bytes());
        }
        assert_eq!(file[header.len()..], expected);
    }

    #[test]
    fn other_sensors_give_no_points() {
        let form = |outputs: &[(&'static str, &'static str, usize)]| {
            CloudForm::new(outputs.iter().copied()).is_some()
        };
        assert!(form(&[("x", "m", 9), ("y", "m", 9), ("z", "m", 9)]));
        assert!(!form(&[("x", "m", 9), ("y", "m", 9), ("z", "m", 1)]));
        assert!(!form(&[("x", "m", 1), ("y", "m", 1), ("z", "m", 1)]));
        assert!(!form(&[("x", "m/s", 9), ("y", "m", 9), ("z", "m", 9)]));
        assert!(!form(&[("range", "m", 9), ("valid", "1", 9)]));
    }
}
