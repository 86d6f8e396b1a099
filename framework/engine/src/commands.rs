//! Commands from a csv file: `time_s,vehicle,kind,v1[,v2…]`.

use std::path::Path;

use crate::columns::Column;

/// One command, resolved to the columns that it sets.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub time: f64,
    pub table: usize,
    pub lane: usize,
    pub values: Vec<(Column, f64)>,
}

impl Command {
    /// Whether it acts on a step that begins at `time`, s.
    pub fn is_due(&self, time: f64) -> bool {
        time >= self.time - 1e-9
    }
}

/// What a command may say to a vehicle.
pub(crate) struct Vocabulary {
    pub table: usize,
    pub lane: usize,
    pub kinds: Vec<Kind>,
}

/// A kind of command that a controller takes.
pub(crate) struct Kind {
    pub name: String,
    /// Names and columns of its values; one without is skipped.
    pub values: Vec<Option<(String, Column)>>,
}

/// Commands in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    pub(crate) rows: Vec<Command>,
}

/// What is wrong with a file of commands.
#[derive(Debug, thiserror::Error)]
#[error("{path}{}: {text}", line.map_or(String::new(), |line| format!(":{line}")))]
pub struct CommandsError {
    path: String,
    line: Option<u64>,
    text: String,
}

/// Reads a file of commands for vehicles that `vocabulary` knows by name.
pub(crate) fn read(
    path: &Path,
    vehicles: &[String],
    vocabulary: impl Fn(&str) -> Option<Vocabulary>,
) -> Result<Commands, CommandsError> {
    let shown = path.display().to_string();
    let fail = |line: Option<u64>, text: String| CommandsError { path: shown.clone(), line, text };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_path(path)
        .map_err(|error| fail(None, format!("cannot be read: {error}")))?;
    let mut commands = Commands::default();
    let mut latest = f64::NEG_INFINITY;
    for record in reader.records() {
        let record = record.map_err(|error| {
            fail(error.position().map(csv::Position::line), format!("cannot be read: {error}"))
        })?;
        let line = record.position().map(csv::Position::line);
        if record.get(0) == Some("time_s") && commands.rows.is_empty() {
            continue;
        }
        let command = row(&record, vehicles, &vocabulary).map_err(|text| fail(line, text))?;
        if command.time < latest {
            let text =
                format!("time {} s comes after {latest} s: sort the rows by time", command.time);
            return Err(fail(line, text));
        }
        latest = command.time;
        commands.rows.push(command);
    }
    Ok(commands)
}

fn row(
    record: &csv::StringRecord,
    vehicles: &[String],
    vocabulary: &impl Fn(&str) -> Option<Vocabulary>,
) -> Result<Command, String> {
    let field = |index: usize, name: &str| {
        record.get(index).ok_or_else(|| format!("no {name}: a row is time_s,vehicle,kind,v1[,v2…]"))
    };
    let time = number(field(0, "time")?, "time_s")?;
    let vehicle = field(1, "vehicle")?;
    let kind = field(2, "kind")?;
    let known = vocabulary(vehicle).ok_or_else(|| {
        format!("unknown vehicle '{vehicle}'{}", nearest(vehicle, vehicles.iter()))
    })?;
    let kinds: Vec<&String> = known.kinds.iter().map(|kind| &kind.name).collect();
    let Some(Kind { values: ports, .. }) = known.kinds.iter().find(|known| known.name == kind)
    else {
        let taken = if kinds.is_empty() {
            "takes no commands".to_string()
        } else {
            let list: Vec<_> = kinds.iter().map(|kind| format!("'{kind}'")).collect();
            format!("takes {}", list.join(", "))
        };
        return Err(format!("vehicle '{vehicle}' does not take '{kind}': its controller {taken}"));
    };
    let given = record.len() - 3;
    if given != ports.len() {
        let names: Vec<&str> =
            ports.iter().map(|port| port.as_ref().map_or("(ignored)", |(name, _)| name)).collect();
        return Err(format!(
            "'{kind}' takes {} values ({}), got {given}",
            ports.len(),
            names.join(", ")
        ));
    }
    let mut values = Vec::new();
    for (index, port) in ports.iter().enumerate() {
        let name = port.as_ref().map_or("ignored value", |(name, _)| name);
        let value = number(&record[3 + index], name)?;
        values.extend(port.as_ref().map(|(_, column)| (*column, value)));
    }
    Ok(Command { time, table: known.table, lane: known.lane, values })
}

fn number(text: &str, name: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("{name} is '{text}': expected a finite number")),
    }
}

/// « — did you mean …?», or the list when nothing is near.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<&str> = known.map(String::as_str).collect();
    match (simhost_model::nearest(name, names.iter().copied()), names.first()) {
        (Some(meant), _) => format!(": did you mean '{meant}'?"),
        (None, Some(other)) => format!(": the world has, for instance, '{other}'"),
        (None, None) => ": the world has no vehicles".to_string(),
    }
}
