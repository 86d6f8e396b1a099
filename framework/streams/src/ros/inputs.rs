//! Inputs from messages.

use serde_json::Value;

use super::generic::identifiers;
use super::layout::{Kind, Layout, Part, Shape};
use super::schema::schema;
use super::writer::yaw_pitch_roll;
use crate::input::{Input, InputError, RecordingAction};
use crate::stream::{Effect, Stream};

/// Returns the input in a message of an input stream as CDR.
///
/// # Errors
/// [`InputError`] if the stream is not an input, the bytes are not a message of its type, or a number is not
/// finite.
pub fn input_from_cdr(stream: &Stream, bytes: &[u8]) -> Result<Input, InputError> {
    let effect = effect_of(stream)?;
    let message = layout(stream)?.decode(bytes).map_err(|error| failed(stream, error))?;
    input(stream, effect, &message)
}

/// Returns the input in a message of an input stream as JSON. Fields that are missing are 0 or empty.
///
/// # Errors
/// [`InputError`] if the stream is not an input, the text is not JSON, or a field is unknown, has another
/// type or is not finite.
pub fn input_from_json(stream: &Stream, text: &str) -> Result<Input, InputError> {
    let message = serde_json::from_str(text).map_err(|error| failed(stream, error))?;
    input_from_value(stream, &message)
}

/// Returns the input in a message of an input stream as a JSON value, as [`input_from_json`] does.
///
/// # Errors
/// As [`input_from_json`], except errors of JSON.
pub fn input_from_value(stream: &Stream, message: &Value) -> Result<Input, InputError> {
    let effect = effect_of(stream)?;
    check(&layout(stream)?, 0, message, &mut String::new())?;
    input(stream, effect, message)
}

fn effect_of(stream: &Stream) -> Result<&Effect, InputError> {
    stream.effect.as_ref().ok_or_else(|| failed(stream, "it is an output of the simulation"))
}

fn layout(stream: &Stream) -> Result<Layout, InputError> {
    Layout::new(&schema(&stream.kind)).map_err(|error| failed(stream, error))
}

fn failed(stream: &Stream, reason: impl ToString) -> InputError {
    InputError::Message { stream: stream.name.clone(), text: reason.to_string() }
}

/// Checks the fields of a message. `path` is the path of the message, for errors.
fn check(
    layout: &Layout,
    message: usize,
    value: &Value,
    path: &mut String,
) -> Result<(), InputError> {
    let Value::Object(fields) = value else {
        let name = if path.is_empty() { "the message" } else { path };
        return Err(wrong(name, value, "an object"));
    };
    let parts = &layout.messages[message].fields;
    for (name, value) in fields {
        let end = path.len();
        if end > 0 {
            path.push('.');
        }
        path.push_str(name);
        let Some(part) = parts.iter().find(|part| part.name == *name) else {
            let known: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
            let help = format!("expected one of: {}", known.join(", "));
            return Err(InputError::Unknown { what: "field", found: path.clone(), help });
        };
        check_part(layout, part, value, path)?;
        path.truncate(end);
    }
    Ok(())
}

fn check_part(
    layout: &Layout,
    part: &Part,
    value: &Value,
    path: &mut String,
) -> Result<(), InputError> {
    let elements = match (part.shape, value) {
        (Shape::One, value) => std::slice::from_ref(value),
        (Shape::Array(count), Value::Array(list)) if list.len() != count => {
            return Err(wrong(path, value, &format!("a list of {count} values")));
        }
        (_, Value::Array(list)) => list,
        _ => return Err(wrong(path, value, "a list")),
    };
    for element in elements {
        let expected = match part.kind {
            Kind::Message(inner) => {
                check(layout, inner, element, path)?;
                continue;
            }
            Kind::Bool if !element.is_boolean() => "true or false",
            Kind::Text(_) if !element.is_string() => "a text",
            Kind::F32 | Kind::F64 if !element.is_number() => "a finite number",
            Kind::Byte | Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 if !element.is_u64() => {
                "a whole number, 0 or more"
            }
            Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 if !element.is_i64() => "a whole number",
            _ => continue,
        };
        return Err(wrong(path, element, expected));
    }
    Ok(())
}

fn wrong(name: &str, found: &Value, expected: &str) -> InputError {
    // the rest of the message stays in view
    const LONGEST: usize = 40;
    let mut found = found.to_string();
    if let Some((end, _)) = found.char_indices().nth(LONGEST) {
        found.truncate(end);
        found.push('…');
    }
    InputError::Value { name: name.to_owned(), found, expected: expected.to_owned() }
}

/// Returns the input in a message whose fields have been checked.
fn input(stream: &Stream, effect: &Effect, message: &Value) -> Result<Input, InputError> {
    let message = MessageValues(message);
    match effect {
        Effect::Command { vehicle, kind } => {
            let values = values(stream, message)?;
            Ok(Input::Command { vehicle: vehicle.clone(), kind: kind.clone(), values })
        }
        Effect::Pose { entity } => {
            let pose = message.pose()?;
            Ok(Input::Pose { entity: entity.clone(), pose })
        }
        Effect::Velocity { entity } => {
            let [vx, vy, omega] =
                ["linear.x", "linear.y", "angular.z"].map(|path| message.number(path));
            Ok(Input::Velocity { entity: entity.clone(), velocity: [vx?, vy?, omega?] })
        }
        Effect::Parameter => {
            let (name, value) = (message.text("name"), message.text("value"));
            Ok(Input::Parameter { name, value })
        }
        Effect::Pause => match message.at("data").and_then(Value::as_bool).unwrap_or_default() {
            true => Ok(Input::Pause),
            false => Ok(Input::Resume),
        },
        Effect::Step => {
            let steps = message.at("data").and_then(Value::as_u64).unwrap_or_default();
            Ok(Input::Step { steps })
        }
        Effect::Pace => Ok(Input::Pace { factor: message.number("data")? }),
        Effect::Recording => {
            let (vehicle, action) = (message.text("vehicle"), message.text("action"));
            let action = RecordingAction::from_name(&action).ok_or_else(|| InputError::Value {
                name: "action".to_owned(),
                found: format!("'{action}'"),
                expected: "on, off, new or clear".to_owned(),
            })?;
            Ok(Input::Recording { vehicle, action })
        }
    }
}

/// Returns the values of a command in the order of its kind.
fn values(stream: &Stream, message: MessageValues<'_>) -> Result<Vec<f64>, InputError> {
    let paths: &[&str] = match stream.kind.message.as_ref() {
        "geometry_msgs/msg/Twist" => &["linear.x", "linear.y", "angular.z"],
        "ackermann_msgs/msg/AckermannDriveStamped" => &["drive.speed", "drive.steering_angle"],
        "autoware_control_msgs/msg/Control" => {
            &["longitudinal.velocity", "longitudinal.acceleration", "lateral.steering_tire_angle"]
        }
        "autoware_vehicle_msgs/msg/Engage" => &["engage"],
        "geometry_msgs/msg/PoseWithCovarianceStamped" => return message.initial_pose(),
        message if message.starts_with("autoware_vehicle_msgs/") => &["command"],
        _ => {
            let names = identifiers(&stream.kind);
            return names.iter().map(|name| message.number(name)).collect();
        }
    };
    paths.iter().map(|path| message.number(path)).collect()
}

/// A message as JSON.
#[derive(Clone, Copy)]
struct MessageValues<'a>(&'a Value);

impl<'a> MessageValues<'a> {
    /// Returns the value at a path such as `linear.x`.
    fn at(self, path: &str) -> Option<&'a Value> {
        path.split('.').try_fold(self.0, |value, name| value.get(name))
    }

    /// Returns a number; 0 if it is missing.
    fn number(self, path: &str) -> Result<f64, InputError> {
        match self.at(path) {
            None => Ok(0.0),
            // JSON has no form for NaN and infinities
            Some(Value::Null) => Err(not_finite(path)),
            Some(Value::Bool(flag)) => Ok(f64::from(u8::from(*flag))),
            Some(value) => value.as_f64().ok_or_else(|| wrong(path, value, "a finite number")),
        }
    }

    fn text(self, path: &str) -> String {
        self.at(path).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// Returns x, y, z and yaw of a `PoseWithCovarianceStamped`, and its stamp in s.
    fn initial_pose(self) -> Result<Vec<f64>, InputError> {
        let inner = MessageValues(self.at("pose").unwrap_or(&Value::Null));
        let [x, y, yaw] = inner.pose()?;
        let z = inner.number("pose.position.z")?;
        let [seconds, nanoseconds] =
            ["sec", "nanosec"].map(|part| self.number(&format!("header.stamp.{part}")));
        Ok(vec![x, y, z, yaw, seconds? + nanoseconds? * 1e-9])
    }

    /// Returns x, y and yaw of a `PoseStamped`.
    fn pose(self) -> Result<[f64; 3], InputError> {
        let number = |axis: &str, part: &str| self.number(&format!("pose.{part}.{axis}"));
        let position = ["x", "y"].map(|axis| number(axis, "position"));
        let [x, y] = position;
        let [qx, qy, qz, qw] = ["x", "y", "z", "w"].map(|axis| number(axis, "orientation"));
        let orientation = [qx?, qy?, qz?, qw?];
        // a message without an orientation has four zeros
        let yaw = match orientation == [0.0; 4] {
            true => 0.0,
            false => yaw_pitch_roll(orientation)[0],
        };
        Ok([x?, y?, yaw])
    }
}

fn not_finite(path: &str) -> InputError {
    let found = "not finite".to_owned();
    InputError::Value { name: path.to_owned(), found, expected: "a finite number".to_owned() }
}
