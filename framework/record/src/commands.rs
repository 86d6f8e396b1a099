//! Files of commands: csv with rows `time_s,vehicle,kind,v1[,v2…]`, and rows `time_s,,parameter,NAME,VALUE` that
//! set a parameter of a model.

use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;

/// Largest size of a file of commands, bytes.
const MOST_BYTES: u64 = 256 << 20;

/// A command of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandRow {
    /// Time from which it acts, s.
    pub time: f64,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Kind of the command.
    pub kind: String,
    /// Values in the order of the kind, with those that are ignored.
    pub values: Vec<f64>,
}

/// A parameter of a model that a file of commands sets.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRow {
    /// Time from which the value holds, s.
    pub time: f64,
    /// Full name of the parameter.
    pub name: String,
    /// Value as in a world file.
    pub value: String,
}

/// The rows of a file of commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandFile {
    /// Commands for vehicles.
    pub commands: Vec<CommandRow>,
    /// Parameters of models.
    pub parameters: Vec<ParameterRow>,
}

/// The commands that a vehicle accepts: for each kind its name and the inputs that its values set, in
/// order. `None` stands for a value that is ignored.
pub type CommandKinds = Vec<(String, Vec<Option<String>>)>;

/// A vehicle of the world and the commands that it accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandedVehicle {
    /// Name of the vehicle.
    pub name: String,
    /// Kinds of commands.
    pub kinds: CommandKinds,
}

/// A file of commands cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}{}: {text}", line.map_or(String::new(), |line| format!(":{line}")))]
pub struct CommandFileError {
    path: String,
    line: Option<u64>,
    text: String,
}

/// Reads a file of commands for these vehicles. Lines that start with `#` are comments, and a first
/// line that starts with `time_s` is a header. `nearest` returns the name of the vehicle that is most
/// similar to an unknown name.
///
/// # Errors
/// [`CommandFileError`] with file and line if the file cannot be read, the rows are not sorted by time,
/// or a row does not fit its vehicle.
pub fn read_commands(
    path: &Path,
    vehicles: &[CommandedVehicle],
    nearest: impl Fn(&str) -> Option<String>,
) -> Result<CommandFile, CommandFileError> {
    let shown = path.display().to_string();
    let fail =
        |line: Option<u64>, text: String| CommandFileError { path: shown.clone(), line, text };
    let content = simhost_files::read(path, MOST_BYTES)
        .map_err(|error| fail(None, format!("failed to read the commands: {error}")))?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(Cursor::new(content));
    let vehicles = Directory::new(vehicles);
    let mut file = CommandFile::default();
    let mut latest = f64::NEG_INFINITY;
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map(csv::Position::line);
            fail(line, format!("failed to read the commands: {error}"))
        })?;
        let line = record.position().map(csv::Position::line);
        if record.get(0) == Some("time_s") && latest == f64::NEG_INFINITY {
            continue;
        }
        let time = match record.get(1) == Some("") {
            true => {
                let row = parameter(&record).map_err(|text| fail(line, text))?;
                file.parameters.push(row);
                file.parameters[file.parameters.len() - 1].time
            }
            false => {
                let row = row(&record, &vehicles, &nearest).map_err(|text| fail(line, text))?;
                file.commands.push(row);
                file.commands[file.commands.len() - 1].time
            }
        };
        if time < latest {
            let text = format!("time {time} s comes after {latest} s: sort the rows by time");
            return Err(fail(line, text));
        }
        latest = time;
    }
    Ok(file)
}

/// Reads a row that belongs to no vehicle.
fn parameter(record: &csv::StringRecord) -> Result<ParameterRow, String> {
    let fields: Vec<&str> = record.iter().collect();
    let &[time, _, "parameter", name, value] = &fields[..] else {
        let text =
            "a row without a vehicle sets a parameter; expected time_s,,parameter,NAME,VALUE";
        return Err(text.to_owned());
    };
    Ok(ParameterRow {
        time: number(time, "time_s")?,
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

/// The vehicles by name.
struct Directory<'v> {
    vehicles: &'v [CommandedVehicle],
    by_name: HashMap<&'v str, &'v CommandedVehicle>,
}

impl<'v> Directory<'v> {
    fn new(vehicles: &'v [CommandedVehicle]) -> Self {
        let mut by_name = HashMap::with_capacity(vehicles.len());
        for vehicle in vehicles {
            work::count();
            by_name.entry(vehicle.name.as_str()).or_insert(vehicle);
        }
        Self { vehicles, by_name }
    }

    fn find(&self, name: &str) -> Option<&'v CommandedVehicle> {
        work::count();
        self.by_name.get(name).copied()
    }
}

/// Counts the vehicles that are examined, in tests.
mod work {
    #[cfg(test)]
    thread_local! {
        static EXAMINED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    pub(super) fn count() {
        #[cfg(test)]
        EXAMINED.with(|examined| examined.set(examined.get() + 1));
    }

    #[cfg(test)]
    pub(super) fn take_count() -> usize {
        EXAMINED.with(std::cell::Cell::take)
    }
}

fn row(
    record: &csv::StringRecord,
    vehicles: &Directory<'_>,
    nearest: &impl Fn(&str) -> Option<String>,
) -> Result<CommandRow, String> {
    let field = |index: usize, name: &str| {
        record
            .get(index)
            .ok_or_else(|| format!("missing {name}: expected a row time_s,vehicle,kind,v1[,v2…]"))
    };
    let time = number(field(0, "time")?, "time_s")?;
    let name = field(1, "vehicle")?;
    let kind = field(2, "kind")?;
    let vehicle = vehicles.find(name);
    let vehicle = vehicle.ok_or_else(|| unknown_vehicle(name, vehicles.vehicles, nearest(name)))?;
    let inputs = inputs(vehicle, kind)?;
    let found = record.len() - 3;
    if found != inputs.len() {
        let names: Vec<&str> =
            inputs.iter().map(|input| input.as_deref().unwrap_or("(ignored)")).collect();
        return Err(format!(
            "wrong number of values for '{kind}': found {found}, expected {} ({})",
            inputs.len(),
            names.join(", ")
        ));
    }
    let mut values = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        values.push(number(&record[3 + index], input.as_deref().unwrap_or("ignored value"))?);
    }
    let (vehicle, kind) = (name.to_owned(), kind.to_owned());
    Ok(CommandRow { time, vehicle, kind, values })
}

/// Returns the inputs that a kind of command sets.
fn inputs<'v>(vehicle: &'v CommandedVehicle, kind: &str) -> Result<&'v [Option<String>], String> {
    let known = vehicle.kinds.iter().find(|(name, _)| name == kind);
    known.map(|(_, inputs)| inputs.as_slice()).ok_or_else(|| {
        let accepted = if vehicle.kinds.is_empty() {
            "accepts no commands".to_owned()
        } else {
            let list: Vec<_> = vehicle.kinds.iter().map(|(name, _)| format!("'{name}'")).collect();
            format!("accepts {}", list.join(", "))
        };
        format!(
            "unknown command '{kind}' for vehicle '{}': its controller {accepted}",
            vehicle.name
        )
    })
}

fn unknown_vehicle(name: &str, vehicles: &[CommandedVehicle], nearest: Option<String>) -> String {
    let hint = match (nearest, vehicles.first()) {
        (Some(meant), _) => format!("did you mean '{meant}'?"),
        (None, Some(other)) => format!("the world has, for instance, '{}'", other.name),
        (None, None) => "the world has no vehicles".to_owned(),
    };
    format!("unknown vehicle '{name}': {hint}")
}

fn number(text: &str, name: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("{name} is '{text}'; expected a finite number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<CommandRow>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("commands.csv");
        std::fs::write(&path, text).expect("a temporary file");
        let kinds = vec![("torque".to_owned(), vec![Some("left".to_owned()), None])];
        let vehicles = [CommandedVehicle { name: "robot".to_owned(), kinds }];
        let nearest = |name: &str| name.starts_with("rob").then(|| "robot".to_owned());
        read_commands(&path, &vehicles, nearest)
            .map(|file| file.commands)
            .map_err(|error| error.to_string().replace(&path.display().to_string(), "commands.csv"))
    }

    #[test]
    fn rows_have_the_values_of_their_kind() {
        let rows = read("time_s,vehicle,kind,v1\n# a comment\n0.5, robot, torque, 2, 3\n");
        let (vehicle, kind, values) = ("robot".to_owned(), "torque".to_owned(), vec![2.0, 3.0]);
        assert_eq!(rows, Ok(vec![CommandRow { time: 0.5, vehicle, kind, values }]));
    }

    #[test]
    fn the_work_grows_with_rows_and_vehicles_not_with_their_product() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("commands.csv");
        for count in [100, 200, 400] {
            let kinds = vec![("torque".to_owned(), vec![Some("left".to_owned())])];
            let vehicle = |k| CommandedVehicle { name: format!("v{k}"), kinds: kinds.clone() };
            let vehicles: Vec<_> = (0..count).map(vehicle).collect();
            let text: String = (0..count).map(|k| format!("{k},v{},torque,1\n", k / 2)).collect();
            std::fs::write(&path, text).expect("a temporary file");
            work::take_count();
            let rows =
                read_commands(&path, &vehicles, |_| None).expect("the rows are correct").commands;
            assert_eq!((rows.len(), rows[7].vehicle.as_str()), (count, "v3"));
            assert_eq!(work::take_count(), 2 * count);
        }
    }

    #[test]
    fn errors_name_file_line_and_value() {
        for (text, expected) in [
            (
                "0,robot",
                "commands.csv:1: missing kind: expected a row time_s,vehicle,kind,v1[,v2…]",
            ),
            ("0,robt,torque,1,1", "commands.csv:1: unknown vehicle 'robt': did you mean 'robot'?"),
            (
                "0,car,torque,1,1",
                "commands.csv:1: unknown vehicle 'car': the world has, for instance, 'robot'",
            ),
            (
                "0,robot,twist,1",
                "commands.csv:1: unknown command 'twist' for vehicle 'robot': its controller accepts 'torque'",
            ),
            (
                "0,robot,torque,1",
                "commands.csv:1: wrong number of values for 'torque': found 1, expected 2 (left, (ignored))",
            ),
            ("0,robot,torque,x,1", "commands.csv:1: left is 'x'; expected a finite number"),
            (
                "1,robot,torque,1,1\n0,robot,torque,1,1",
                "commands.csv:2: time 0 s comes after 1 s: sort the rows by time",
            ),
        ] {
            assert_eq!(read(text), Err(expected.to_owned()));
        }
    }

    #[test]
    fn rows_without_a_vehicle_set_parameters() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("commands.csv");
        std::fs::write(&path, "1,,parameter,robot/friction/mu,0.3\n").expect("a temporary file");
        let file = read_commands(&path, &[], |_| None).expect("the row is correct");
        let (name, value) = ("robot/friction/mu".to_owned(), "0.3".to_owned());
        assert_eq!(file.parameters, [ParameterRow { time: 1.0, name, value }]);
        let error = read("1,,parameter,robot/friction/mu\n").expect_err("no value");
        assert!(error.contains("expected time_s,,parameter,NAME,VALUE"), "{error}");
        assert!(
            read("2,,parameter,a,1\n1,,parameter,a,2\n").is_err_and(|error| error.contains("sort"))
        );
    }
}
