//! Services that clients can call.

use serde::Deserialize;
use serde_json::{Value, json};
use simhost_streams::{Control, Input};

use crate::cdr::{self, Reader};
use crate::mode;
use crate::offers::{self, Desk};
use crate::protocol::Call;

/// A service.
struct Service {
    name: &'static str,
    /// Name of the type in ROS 2.
    kind: &'static str,
    /// Definition of the request.
    request: &'static str,
    action: Action,
}

#[derive(Clone, Copy)]
enum Action {
    Pause,
    Resume,
    Step,
    Reset,
    Pace,
    Stop,
    AddFault,
    ClearFaults,
}

/// Definition of all responses.
const RESPONSE: &str = "# Whether the request was accepted. It acts at the start of the next step.\n\
    bool success\n# The reason if it was not.\nstring message\n";

/// All services. The number of a service is its index.
const SERVICES: [Service; 8] = [
    Service {
        name: "/simhost/pause",
        kind: "std_srvs/srv/Trigger",
        request: "",
        action: Action::Pause,
    },
    Service {
        name: "/simhost/resume",
        kind: "std_srvs/srv/Trigger",
        request: "",
        action: Action::Resume,
    },
    Service {
        name: "/simhost/step",
        kind: "simhost_msgs/srv/Step",
        request: "# Number of steps to make during a pause; 0 counts as 1.\nuint64 steps\n",
        action: Action::Step,
    },
    Service {
        name: "/simhost/reset",
        kind: "simhost_msgs/srv/Reset",
        request: "# Seed of all random numbers; -1 keeps the present one.\nint64 seed -1\n",
        action: Action::Reset,
    },
    Service {
        name: "/simhost/pace",
        kind: "simhost_msgs/srv/Pace",
        request: "# Simulated time per wall time, greater than 0.\nfloat64 factor\n",
        action: Action::Pace,
    },
    Service {
        name: "/simhost/stop",
        kind: "std_srvs/srv/Trigger",
        request: "",
        action: Action::Stop,
    },
    Service {
        name: "/simhost/add_fault",
        kind: "simhost_msgs/srv/AddFault",
        request: "# Vehicle in whose fault memory the entry is made.\nstring vehicle\n\
            # Part that reports the fault, such as brake.\nstring sensor\n\
            # ok, service_required, damaged, critical or failure.\nstring severity\n\
            # Number of the fault among those of its part.\nuint32 code\n\
            # Description, empty if there is none.\nstring text\n",
        action: Action::AddFault,
    },
    Service {
        name: "/simhost/clear_faults",
        kind: "simhost_msgs/srv/ClearFaults",
        request: "# Vehicle whose fault memory is cleared.\nstring vehicle\n",
        action: Action::ClearFaults,
    },
];

/// Returns the names of all services.
pub fn names(control: &dyn Control, knows_world: bool) -> impl Iterator<Item = String> {
    let names = SERVICES.iter().map(|service| service.name.to_owned());
    names.chain(offers::names(knows_world)).chain(mode::names(control))
}

/// Returns the services as clients read them.
pub fn advertised(control: &dyn Control, knows_world: bool) -> Value {
    let part = |kind: &str, schema: &str, part: &str| {
        json!({
            "encoding": "cdr", "schemaName": format!("{kind}_{part}"),
            "schemaEncoding": "ros2msg", "schema": schema,
        })
    };
    let services = SERVICES.iter().enumerate().map(|(id, Service { name, kind, request, .. })| {
        json!({
            "id": id, "name": name, "type": kind,
            "request": part(kind, request, "Request"), "response": part(kind, RESPONSE, "Response"),
            "requestSchema": request, "responseSchema": RESPONSE,
        })
    });
    let offers = offers::advertised(knows_world, RESPONSE, &part);
    let services: Vec<_> = services.chain(offers).chain(mode::advertised(control)).collect();
    json!({"op": "advertiseServices", "services": services})
}

/// Carries a call out and returns its response, or the reason why the request cannot be read.
pub fn call(call: &Call<'_>, desk: &Desk<'_>) -> Result<Vec<u8>, String> {
    let control = desk.control;
    let is_json = match call.encoding {
        "json" => true,
        "cdr" => false,
        other => return Err(format!("unknown encoding: '{other}'; expected 'cdr' or 'json'")),
    };
    let Some(service) = SERVICES.get(call.service as usize) else {
        let offered = offers::call(call, is_json, desk);
        return offered.or_else(|| mode::call(call, is_json, control)).unwrap_or_else(|| {
            Err(format!("unknown service: {}; expected a number that is advertised", call.service))
        });
    };
    let input = input(service, call.payload, is_json, control)?;
    let (success, message) = match control.send(input) {
        Ok(()) => (true, String::new()),
        Err(error) => (false, error.to_string()),
    };
    Ok(match is_json {
        true => json!({"success": success, "message": message}).to_string().into_bytes(),
        false => cdr::outcome(success, &message),
    })
}

/// Fields of all requests in JSON.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    steps: Option<u64>,
    seed: Option<i64>,
    factor: Option<f64>,
    vehicle: Option<String>,
    sensor: Option<String>,
    severity: Option<String>,
    code: Option<u32>,
    text: Option<String>,
    /// Placeholder of ROS 2 for messages without fields.
    #[serde(rename = "structure_needs_at_least_one_member")]
    _none: Option<u8>,
}

fn input(
    service: &Service,
    payload: &[u8],
    is_json: bool,
    control: &dyn Control,
) -> Result<Input, String> {
    let fields = match is_json {
        true if payload.is_empty() => Fields::default(),
        true => serde_json::from_slice(payload).map_err(|error| {
            format!("request of {}: {error}; expected the fields of {}", service.name, service.kind)
        })?,
        false => fields_of_cdr(service, payload)
            .ok_or_else(|| format!("request of {}: not {} in CDR", service.name, service.kind))?,
    };
    Ok(match service.action {
        Action::Pause => Input::Pause,
        Action::Resume => Input::Resume,
        Action::Stop => Input::Stop,
        Action::Step => Input::Step { steps: fields.steps.unwrap_or(1).max(1) },
        Action::Reset => {
            let seed = fields.seed.and_then(|seed| u64::try_from(seed).ok());
            Input::Reset { seed: seed.unwrap_or_else(|| control.progress().seed) }
        }
        Action::Pace => {
            let factor = fields.factor.ok_or("request of /simhost/pace: missing field 'factor'")?;
            if !(factor.is_finite() && factor > 0.0) {
                return Err(format!("factor is {factor}; expected a number greater than 0"));
            }
            Input::Pace { factor }
        }
        Action::AddFault => Input::AddFault {
            vehicle: required(service, "vehicle", fields.vehicle)?,
            sensor: required(service, "sensor", fields.sensor)?,
            severity: required(service, "severity", fields.severity)?,
            code: fields.code.unwrap_or(0),
            text: fields.text.unwrap_or_default(),
        },
        Action::ClearFaults => {
            Input::ClearFaults { vehicle: required(service, "vehicle", fields.vehicle)? }
        }
    })
}

fn required(service: &Service, name: &str, value: Option<String>) -> Result<String, String> {
    value.ok_or_else(|| format!("request of {}: missing field '{name}'", service.name))
}

fn fields_of_cdr(service: &Service, payload: &[u8]) -> Option<Fields> {
    let fields = Fields::default();
    // a request without fields has a byte of padding or nothing at all
    if service.request.is_empty() {
        return Some(fields);
    }
    let mut reader = Reader::new(payload)?;
    let mut text = || reader.text().map(str::to_owned);
    Some(match service.action {
        Action::AddFault => {
            let (vehicle, sensor, severity) = (text()?, text()?, text()?);
            let code = reader.u32()?;
            Fields {
                vehicle: Some(vehicle),
                sensor: Some(sensor),
                severity: Some(severity),
                code: Some(code),
                text: reader.text().map(str::to_owned),
                ..fields
            }
        }
        Action::ClearFaults => Fields { vehicle: Some(text()?), ..fields },
        Action::Step => Fields { steps: Some(reader.i64()?.cast_unsigned()), ..fields },
        Action::Reset => Fields { seed: Some(reader.i64()?), ..fields },
        Action::Pace => Fields { factor: Some(reader.f64()?), ..fields },
        Action::Pause | Action::Resume | Action::Stop => fields,
    })
}

#[cfg(test)]
mod tests {
    use simhost_streams::{InputError, Progress, Stream, types};

    use super::*;
    use crate::driven::Driven;
    use crate::drivers::Drivers;

    struct Deaf;

    impl Control for Deaf {
        fn send(&self, _: Input) -> Result<(), InputError> {
            Ok(())
        }

        fn progress(&self) -> Progress {
            Progress::default()
        }
    }

    /// Writes texts and a number in CDR.
    fn cdr(texts: &[&str], code: u32, last: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let text = |out: &mut Vec<u8>, text: &str| {
            out.resize(out.len().next_multiple_of(4), 0);
            out.extend((text.len() as u32 + 1).to_le_bytes());
            out.extend(text.as_bytes());
            out.push(0);
        };
        texts.iter().for_each(|one| text(&mut out, one));
        out.resize(out.len().next_multiple_of(4), 0);
        out.extend(code.to_le_bytes());
        text(&mut out, last);
        [&[0, 1, 0, 0][..], &out].concat()
    }

    #[test]
    fn modes_are_requested_by_the_service_of_autoware() {
        let stream = Stream::new("ego/cmd_control_mode_request", types::Number::TYPE.into());
        let control = Driven::new(stream, "ego", "control_mode_request");
        assert!(!names(&Deaf, false).any(|name| name.contains("mode")));
        assert!(names(&control, false).any(|name| name == "/ego/control_mode_request"));
        let services = advertised(&control, false)["services"].clone();
        let last = services.as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["type"], "autoware_vehicle_msgs/srv/ControlModeCommand");
        let service = last["id"].as_u64().unwrap() as u32;
        let (drivers, client) = (Drivers::default(), String::new());
        let desk = Desk { control: &control, library: None, drivers: &drivers, client };
        let ask = |encoding, payload: &[u8]| {
            super::call(&Call { service, call: 1, encoding, payload }, &desk)
        };
        let stamped = |mode: u8| [&[0, 1, 0, 0], &[7; 8][..], &[mode]].concat();
        assert_eq!(ask("cdr", &stamped(4)).unwrap(), [0, 1, 0, 0, 1]);
        assert_eq!(ask("cdr", &stamped(2)).unwrap(), [0, 1, 0, 0, 0], "an unknown mode");
        assert_eq!(ask("json", b"{\"mode\": 1}").unwrap(), br#"{"success":true}"#);
        assert!(ask("cdr", &stamped(1)[..11]).unwrap_err().contains("not autoware_vehicle_msgs"));
        assert!(ask("json", b"{}").unwrap_err().contains("missing field `mode`"));
        let sent = control.sent.lock().unwrap().clone();
        let expected = [4.0, 2.0, 1.0].map(|mode| Input::Command {
            vehicle: "ego".to_owned(),
            kind: "control_mode_request".to_owned(),
            values: vec![mode],
        });
        assert_eq!(sent, expected);
    }

    #[test]
    fn faults_are_read_from_cdr() {
        let service = SERVICES.iter().find(|one| one.name == "/simhost/add_fault").unwrap();
        let payload = cdr(&["car", "brake", "damaged"], 12, "worn out");
        let read = input(service, &payload, false, &Deaf).unwrap();
        let expected = Input::AddFault {
            vehicle: "car".to_owned(),
            sensor: "brake".to_owned(),
            severity: "damaged".to_owned(),
            code: 12,
            text: "worn out".to_owned(),
        };
        assert_eq!(read, expected);
        assert!(input(service, &payload[..20], false, &Deaf).unwrap_err().contains("CDR"));
    }
}
