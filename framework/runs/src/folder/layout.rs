//! The series that the columns of a file hold.

use simhost_record::{ColumnName, Standard, parse_column_name};

/// The series that the columns of a file hold.
#[derive(Debug, PartialEq)]
pub struct Layout {
    /// Start of all names that does not depend on the row, such as `robot/sensor/scan/`; it can be empty.
    pub prefix: String,
    /// Texts before each name in the columns after the time: `["", "/wheel/"]` for vehicle and wheel.
    pub keys: &'static [&'static str],
    /// The series of each row.
    pub series: Vec<FileColumns>,
}

/// Adjacent columns that one series consists of.
#[derive(Debug, PartialEq)]
pub struct FileColumns {
    /// End of the name of the series.
    pub name: String,
    /// Unit of each column.
    pub units: Vec<String>,
    /// Whether the series is an array.
    pub is_array: bool,
    /// Index of the first column.
    pub first: usize,
}

/// Column of `wheels.csv` whose quantity has another name.
const RENAMED: [(&str, &str); 1] = [("normal", "normal_force")];

impl Layout {
    /// Returns the layout of a file by its name and header; `None` if it is not a table over time.
    pub fn of(file: &str, header: &[String], vehicles: &[String]) -> Option<Self> {
        if header.first().map(String::as_str) != Some("time_s") {
            return None;
        }
        let standard = Standard::ALL.iter().find(|standard| standard.file_name() == file);
        match standard {
            Some(Standard::Trajectory) => return Some(Self::motion(header, ["pose", "twist"])),
            Some(Standard::Odometry) => {
                return Some(Self::motion(header, ["odometry_pose", "odometry_twist"]));
            }
            _ => {}
        }
        let keys: &[&str] = match header.get(1..) {
            Some([vehicle, wheel, ..]) if vehicle == "vehicle" && wheel == "wheel" => {
                &["", "/wheel/"]
            }
            Some([vehicle, ..]) if vehicle == "vehicle" => &[""],
            _ => &[],
        };
        let mut series = grouped(header, 1 + keys.len());
        let stem = file.strip_suffix(".csv").unwrap_or(file);
        let mut prefix = String::new();
        if file == Standard::Wheels.file_name() {
            for one in &mut series {
                let renamed = RENAMED.iter().find(|(column, _)| *column == one.name);
                one.name = renamed.map_or(&*one.name, |(_, name)| name).to_owned();
            }
        } else if !keys.is_empty() {
            for one in &mut series {
                one.name = format!("{stem}/{}", one.name);
            }
        } else if file != "quantities.csv" && header.iter().all(|column| !column.ends_with(']')) {
            prefix = match vehicle_of(stem, vehicles) {
                Some((vehicle, sensor)) => format!("{vehicle}/sensor/{sensor}/"),
                None => format!("{stem}/"),
            };
        }
        Some(Self { prefix, keys, series })
    }

    /// Returns the layout of a file with the pose and the twist of vehicles.
    fn motion(header: &[String], [pose, twist]: [&str; 2]) -> Self {
        let array = |name: &str, first: usize, end: usize| {
            let columns = header.get(first..end.min(header.len())).unwrap_or_default();
            let unit = |column: &String| parse_column_name(column).unit.to_owned();
            let units = columns.iter().map(unit).collect();
            FileColumns { name: name.to_owned(), units, is_array: true, first }
        };
        let series = vec![array(pose, 2, 8), array(twist, 8, 11)];
        Self { prefix: String::new(), keys: &[""], series }
    }
}

/// Returns the vehicle and the sensor that a file name consists of.
fn vehicle_of<'a>(stem: &'a str, vehicles: &'a [String]) -> Option<(&'a str, &'a str)> {
    let fitting = vehicles.iter().filter_map(|vehicle| {
        let start = simhost_record::file_name_of(vehicle);
        let sensor = stem.strip_prefix(&*start)?.strip_prefix('.')?;
        Some((vehicle.as_str(), sensor))
    });
    fitting.max_by_key(|(vehicle, _)| vehicle.len())
}

/// Joins columns whose indices count from 0 to arrays.
fn grouped(header: &[String], first: usize) -> Vec<FileColumns> {
    let mut series: Vec<FileColumns> = Vec::new();
    let names: Vec<ColumnName<'_>> =
        header.iter().map(|column| parse_column_name(column)).collect();
    let mut at = first;
    while at < header.len() {
        let ColumnName { name, unit, index } = names[at];
        let of_array = names[at..].iter().enumerate();
        let len =
            of_array.take_while(|(k, other)| other.name == name && other.index == Some(*k)).count();
        let is_array = index == Some(0) && len > 0;
        let len = if is_array { len } else { 1 };
        let units = names[at..at + len].iter().map(|one| one.unit.to_owned()).collect();
        let name = match (is_array, index) {
            (false, Some(index)) => format!("{name}_{index}"),
            _ => name.to_owned(),
        };
        debug_assert!(!unit.is_empty());
        series.push(FileColumns { name, units, is_array, first: at });
        at += len;
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Vec<String> {
        text.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn columns_with_indices_are_arrays() {
        let columns = header("time_s,range_m_0,range_m_1,valid_0,valid_1,speed_2_mps,leg_7");
        let vehicles = ["a".to_owned(), "a.b".to_owned()];
        let layout = Layout::of("a.b.c.csv", &columns, &vehicles).unwrap();
        assert_eq!(layout.prefix, "a.b/sensor/c/");
        let series: Vec<(&str, usize, bool)> = layout
            .series
            .iter()
            .map(|one| (one.name.as_str(), one.units.len(), one.is_array))
            .collect();
        let expected =
            [("range", 2, true), ("valid", 2, true), ("speed_2", 1, false), ("leg_7", 1, false)];
        assert_eq!(series, expected);
        assert_eq!(layout.series[2].units, ["m/s"]);
    }

    #[test]
    fn columns_of_quantities_have_their_unit_in_brackets() {
        let columns =
            header("time_s,car/twist[0] [m/s],car/twist[1] [rad/s],car/mass [kg],a/t[0] [s]");
        let layout = Layout::of("quantities.csv", &columns, &[]).unwrap();
        let series: Vec<(&str, &[String], bool)> =
            layout.series.iter().map(|one| (&*one.name, &*one.units, one.is_array)).collect();
        let units =
            |list: &[&str]| -> Vec<String> { list.iter().map(|u| (*u).to_owned()).collect() };
        assert_eq!(series[0], ("car/twist", &*units(&["m/s", "rad/s"]), true));
        assert_eq!(series[1], ("car/mass", &*units(&["kg"]), false));
        assert_eq!(series[2], ("a/t", &*units(&["s"]), true));
    }

    #[test]
    fn tables_without_time_are_not_series() {
        assert_eq!(Layout::of("notes.csv", &header("name,value"), &[]), None);
    }
}
