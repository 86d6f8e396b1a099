//! Services that concern the world rather than the clock: its description, changes of what it holds, snapshots, and who
//! drives which vehicle.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use simhost_streams::{
    Control, Count, Effect, Input, RecordingAction, SessionHost, SessionRequest, Stream,
};

use crate::cdr::{self, Reader};
use crate::drivers::Drivers;

use crate::protocol::Call;

/// Number of the first of these services. Services of the run count from 0.
const FIRST: u32 = 100;

/// Action that handles the request of a client.
pub struct Desk<'a> {
    /// The session.
    pub control: &'a dyn Control,
    /// What is known about the world.
    pub library: Option<&'a dyn SessionHost>,
    /// Who drives which vehicle.
    pub drivers: &'a Drivers,
    /// Name of the client.
    pub client: String,
}

/// Kind of a field of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    Text,
    Number,
}

/// A service.
struct Offer {
    name: &'static str,
    /// Name of the type in ROS 2.
    kind: &'static str,
    /// Definition of the request.
    request: &'static str,
    fields: &'static [(&'static str, FieldKind)],
    action: OfferAction,
}

#[derive(Clone, Copy)]
enum OfferAction {
    Describe,
    Add,
    Remove,
    SetPose,
    Log,
    Record,
    Claim,
    Release,
    Snapshot,
    Restore,
    SaveWorld,
    ListQuantities,
    ReadQuantities,
    ReadContacts,
}

const VEHICLE: (&str, FieldKind) = ("vehicle", FieldKind::Text);
const ENTITY: (&str, FieldKind) = ("entity", FieldKind::Text);

impl Offer {
    /// Returns a service whose request has no fields.
    const fn trigger(name: &'static str, action: OfferAction) -> Self {
        Self { name, kind: "std_srvs/srv/Trigger", request: "", fields: &[], action }
    }
}

/// All services. The number of a service is its index behind [`FIRST`].
const OFFERS: [Offer; 14] = [
    Offer::trigger("/simhost/describe", OfferAction::Describe),
    Offer {
        name: "/simhost/add",
        kind: "simhost_msgs/srv/Add",
        request: "# Piece of a world file with new vehicles and blocks.\nstring fragment\n",
        fields: &[("fragment", FieldKind::Text)],
        action: OfferAction::Add,
    },
    Offer {
        name: "/simhost/remove",
        kind: "simhost_msgs/srv/Remove",
        request: "# Name of a vehicle, or block/NAME.\nstring entity\n",
        fields: &[ENTITY],
        action: OfferAction::Remove,
    },
    Offer {
        name: "/simhost/set_pose",
        kind: "simhost_msgs/srv/SetPose",
        request: "# Name of a vehicle, or block/NAME, which then stands still.\nstring entity\n\
            # Position in the world, m.\nfloat64 x\nfloat64 y\n# Heading, rad.\nfloat64 yaw\n",
        fields: &[
            ENTITY,
            ("x", FieldKind::Number),
            ("y", FieldKind::Number),
            ("yaw", FieldKind::Number),
        ],
        action: OfferAction::SetPose,
    },
    Offer {
        name: "/simhost/log",
        kind: "simhost_msgs/srv/Log",
        request: "# Vehicle whose log is switched; empty for all vehicles.\nstring vehicle\n\
            # on, off, new or clear.\nstring action\n",
        fields: &[VEHICLE, ("action", FieldKind::Text)],
        action: OfferAction::Log,
    },
    Offer {
        name: "/simhost/record",
        kind: "simhost_msgs/srv/Record",
        request: "# on: all streams are recorded in an MCAP file from now on; off: the file is completed.\n\
            string action\n",
        fields: &[("action", FieldKind::Text)],
        action: OfferAction::Record,
    },
    Offer {
        name: "/simhost/claim",
        kind: "simhost_msgs/srv/Claim",
        request: "# Vehicle that only this client commands until it releases it or leaves.\nstring vehicle\n",
        fields: &[VEHICLE],
        action: OfferAction::Claim,
    },
    Offer {
        name: "/simhost/release",
        kind: "simhost_msgs/srv/Release",
        request: "# Vehicle that others may command again.\nstring vehicle\n",
        fields: &[VEHICLE],
        action: OfferAction::Release,
    },
    Offer::trigger("/simhost/snapshot", OfferAction::Snapshot),
    Offer {
        name: "/simhost/restore",
        kind: "simhost_msgs/srv/Restore",
        request: "# Name that /simhost/snapshot has returned.\nstring name\n",
        fields: &[("name", FieldKind::Text)],
        action: OfferAction::Restore,
    },
    Offer {
        name: "/simhost/save_world",
        kind: "simhost_msgs/srv/SaveWorld",
        request: "# Initial poses that differ from those of the world file, a line each: entity, x and y in m, yaw in rad.\n\
            string poses\n",
        fields: &[("poses", FieldKind::Text)],
        action: OfferAction::SaveWorld,
    },
    Offer::trigger("/simhost/list_quantities", OfferAction::ListQuantities),
    Offer {
        name: "/simhost/read_quantities",
        kind: "simhost_msgs/srv/ReadQuantities",
        request: "# Names of quantities, a line each.\nstring names\n",
        fields: &[("names", FieldKind::Text)],
        action: OfferAction::ReadQuantities,
    },
    Offer::trigger("/simhost/read_contacts", OfferAction::ReadContacts),
];

/// Returns the names of all services, if the server knows the world.
pub fn names(knows_world: bool) -> impl Iterator<Item = String> {
    let offers: &[Offer] = if knows_world { &OFFERS } else { &[] };
    offers.iter().map(|offer| offer.name.to_owned())
}

/// Returns the services as clients read them, if the server knows the world. `part` describes a request or a response.
pub fn advertised(
    knows_world: bool,
    response: &str,
    part: &dyn Fn(&str, &str, &str) -> Value,
) -> Vec<Value> {
    let offers: &[Offer] = if knows_world { &OFFERS } else { &[] };
    let describe = |(index, Offer { name, kind, request, .. }): (u32, &Offer)| {
        json!({
            "id": index, "name": name, "type": kind,
            "request": part(kind, request, "Request"), "response": part(kind, response, "Response"),
            "requestSchema": request, "responseSchema": response,
        })
    };
    (FIRST..).zip(offers).map(describe).collect()
}

/// Carries a call out if it is one of these services, and returns its response, or the reason why the request cannot
/// be read.
pub fn call(call: &Call<'_>, is_json: bool, desk: &Desk<'_>) -> Option<Result<Vec<u8>, String>> {
    let index = call.service.checked_sub(FIRST)? as usize;
    let offer = OFFERS.get(index).filter(|_| desk.library.is_some())?;
    Some(fields(offer, call.payload, is_json).map(|fields| {
        let (success, message) = match carry_out(offer, &fields, desk) {
            Ok(message) => (true, message),
            Err(message) => (false, message),
        };
        match is_json {
            true => json!({"success": success, "message": message}).to_string().into_bytes(),
            false => cdr::outcome(success, &message),
        }
    }))
}

/// The fields of a request.
struct Given(BTreeMap<&'static str, Value>);

impl Given {
    fn text(&self, name: &str) -> String {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn number(&self, name: &str) -> f64 {
        self.0.get(name).and_then(Value::as_f64).unwrap_or_default()
    }
}

fn fields(offer: &Offer, payload: &[u8], is_json: bool) -> Result<Given, String> {
    let Offer { name, kind, fields: declared, .. } = offer;
    let mut found = BTreeMap::new();
    if declared.is_empty() {
        return Ok(Given(found));
    }
    if !is_json {
        let mut reader =
            Reader::new(payload).ok_or_else(|| format!("request of {name}: not {kind} in CDR"))?;
        for (field, kind_of_field) in *declared {
            let value = match kind_of_field {
                FieldKind::Text => reader.text().map(Value::from),
                FieldKind::Number => reader.f64().map(Value::from),
            };
            found.insert(
                *field,
                value.ok_or_else(|| format!("request of {name}: not {kind} in CDR"))?,
            );
        }
        return Ok(Given(found));
    }
    let mut given: Map<String, Value> = serde_json::from_slice(payload)
        .map_err(|error| format!("request of {name}: {error}; expected the fields of {kind}"))?;
    for (field, kind_of_field) in *declared {
        let value = given
            .remove(*field)
            .ok_or_else(|| format!("request of {name}: missing field '{field}'"))?;
        let (is_known, expected) = match kind_of_field {
            FieldKind::Text => (value.is_string(), "a text"),
            FieldKind::Number => (value.is_number(), "a number"),
        };
        if !is_known {
            return Err(format!(
                "request of {name}: field '{field}' is {value}; expected {expected}"
            ));
        }
        found.insert(*field, value);
    }
    match given.keys().next() {
        None => Ok(Given(found)),
        Some(other) => Err(format!(
            "request of {name}: unknown field '{other}'; expected the fields of {kind}"
        )),
    }
}

/// Carries a request out. Returns the message of the response.
///
/// # Errors
/// The reason why it was rejected.
fn carry_out(offer: &Offer, fields: &Given, desk: &Desk<'_>) -> Result<String, String> {
    let send = |input: Input| match desk.control.send(input) {
        Ok(()) => Ok(String::new()),
        Err(error) => Err(error.to_string()),
    };
    let ask = |request: SessionRequest| match desk.library {
        Some(library) => library.ask(request),
        None => Err("this server has no session".to_owned()),
    };
    match offer.action {
        OfferAction::Describe => Ok(describe(desk)),
        OfferAction::Add => {
            send(Input::Add { fragment: fields.text("fragment"), files: Vec::new() })
        }
        OfferAction::Remove => send(Input::Remove { entity: fields.text("entity") }),
        OfferAction::SetPose => {
            let pose = ["x", "y", "yaw"].map(|name| fields.number(name));
            send(Input::Pose { entity: fields.text("entity"), pose })
        }
        OfferAction::Record => match &*fields.text("action") {
            "on" => ask(SessionRequest::Record(true)),
            "off" => ask(SessionRequest::Record(false)),
            other => Err(format!("action is '{other}'; expected on or off")),
        },
        OfferAction::Log => {
            let found = fields.text("action");
            let action = RecordingAction::from_name(&found)
                .ok_or_else(|| format!("action is '{found}'; expected on, off, new or clear"))?;
            send(Input::Recording { vehicle: fields.text("vehicle"), action })
        }
        OfferAction::Claim => {
            desk.drivers.claim(&fields.text("vehicle"), &desk.client, desk.control)
        }
        OfferAction::Release => desk.drivers.release(&fields.text("vehicle"), &desk.client),
        OfferAction::Snapshot => ask(SessionRequest::Snapshot),
        OfferAction::SaveWorld => ask(SessionRequest::SaveWorld(poses(&fields.text("poses"))?)),
        OfferAction::ListQuantities => ask(SessionRequest::ListQuantities),
        OfferAction::ReadContacts => ask(SessionRequest::ReadContacts),
        OfferAction::ReadQuantities => {
            let names = fields.text("names").lines().map(str::to_owned).collect();
            ask(SessionRequest::ReadQuantities(names))
        }
        OfferAction::Restore => ask(SessionRequest::Restore(fields.text("name"))),
    }
}

/// Reads initial poses: a line for each entity, with its name, x and y in m and yaw in rad.
fn poses(text: &str) -> Result<Vec<(String, [f64; 3])>, String> {
    let pose = |line: &str| {
        let mut words = line.rsplitn(4, ' ');
        let mut number = || words.next()?.parse::<f64>().ok().filter(|number| number.is_finite());
        let (yaw, y, x) = (number()?, number()?, number()?);
        Some((words.next()?.to_owned(), [x, y, yaw]))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| pose(line).ok_or_else(|| format!("pose is '{line}'; expected NAME X Y YAW")))
        .collect()
}

/// Describes the world and the inputs that clients may publish.
fn describe(desk: &Desk<'_>) -> String {
    let world = desk.library.map(|library| library.describe());
    let world: Value = match world {
        Some(Ok(text)) => serde_json::from_str(&text).unwrap_or_default(),
        _ => Value::Null,
    };
    let inputs: Vec<Value> =
        desk.control.input_streams().iter().map(|stream| input(stream)).collect();
    json!({"world": world, "inputs": inputs}).to_string()
}

fn input(stream: &Stream) -> Value {
    let (vehicle, kind) = match &stream.effect {
        Some(Effect::Command { vehicle, kind }) => (Some(vehicle), Some(kind)),
        _ => (None, None),
    };
    let fields = stream.kind.fields.iter().map(|field| {
        let count = match field.count {
            Count::One => 1,
            Count::Fixed(count) => count,
            _ => 0,
        };
        json!({"name": field.name, "unit": field.unit, "doc": field.doc, "count": count})
    });
    json!({
        "topic": stream.topic(), "schemaName": stream.kind.message, "vehicle": vehicle, "kind": kind,
        "fields": fields.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use simhost_streams::types;

    use super::*;
    use crate::driven::Driven;

    fn garage() -> Driven {
        Driven::new(Stream::new("car/cmd_vel", types::Twist::TYPE.into()), "car", "twist")
    }

    /// Knows nothing, and repeats what it is asked for.
    struct Echo;

    impl SessionHost for Echo {
        fn describe(&self) -> Result<String, String> {
            Ok(r#"{"seed":7}"#.to_owned())
        }

        fn asset(&self, _: &str) -> Option<std::sync::Arc<[u8]>> {
            None
        }

        fn ask(&self, request: SessionRequest) -> Result<String, String> {
            Ok(format!("{request:?}"))
        }
    }

    fn desk<'a>(garage: &'a Driven, drivers: &'a Drivers, client: &str) -> Desk<'a> {
        Desk { control: garage, library: Some(&Echo), drivers, client: client.to_owned() }
    }

    fn ask(desk: &Desk<'_>, name: &str, payload: &str) -> Result<Value, String> {
        let index = OFFERS.iter().position(|offer| offer.name == name).unwrap() as u32;
        let (service, payload) = (FIRST + index, payload.as_bytes());
        let call = Call { service, call: 1, encoding: "json", payload };
        super::call(&call, true, desk).unwrap().map(|reply| serde_json::from_slice(&reply).unwrap())
    }

    #[test]
    fn changes_of_the_world_become_inputs() {
        let (garage, drivers) = (garage(), Drivers::default());
        let desk = desk(&garage, &drivers, "a");
        let pose = r#"{"entity": "car", "x": 1, "y": 2.5, "yaw": -1}"#;
        assert_eq!(ask(&desk, "/simhost/set_pose", pose).unwrap()["success"], true);
        ask(&desk, "/simhost/remove", r#"{"entity": "block/b"}"#).unwrap();
        ask(&desk, "/simhost/add", r#"{"fragment": "<block/>"}"#).unwrap();
        let expected = [
            Input::Pose { entity: "car".to_owned(), pose: [1.0, 2.5, -1.0] },
            Input::Remove { entity: "block/b".to_owned() },
            Input::Add { fragment: "<block/>".to_owned(), files: Vec::new() },
        ];
        assert_eq!(*garage.sent.lock().unwrap(), expected);
        let saved = ask(&desk, "/simhost/save_world", r#"{"poses": "my car 1 2 3\n"}"#).unwrap();
        assert_eq!(saved["message"], "SaveWorld([(\"my car\", [1.0, 2.0, 3.0])])");
        for (service, payload, problem) in [
            ("/simhost/set_pose", "{}", "missing field 'entity'"),
            ("/simhost/set_pose", r#"{"entity": 1, "x": 1, "y": 1, "yaw": 0}"#, "expected a text"),
            ("/simhost/remove", r#"{"entity": "a", "b": 1}"#, "unknown field 'b'"),
            ("/simhost/remove", "garbage", "expected the fields of"),
        ] {
            let error = ask(&desk, service, payload).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
        let record = |action| ask(&desk, "/simhost/record", &json!({"action": action}).to_string());
        assert_eq!(record("on").unwrap()["message"], "Record(true)");
        assert_eq!(record("off").unwrap()["message"], "Record(false)");
        assert_eq!(record("new").unwrap()["message"], "action is 'new'; expected on or off");
        let wrong = ask(&desk, "/simhost/log", r#"{"vehicle": "", "action": "x"}"#).unwrap();
        assert_eq!(wrong["success"], false);
        let wrong = ask(&desk, "/simhost/save_world", r#"{"poses": "car 1 x 3"}"#).unwrap();
        assert!(wrong["message"].as_str().unwrap().contains("expected NAME X Y YAW"), "{wrong}");
    }

    #[test]
    fn one_client_drives_a_vehicle_at_a_time() {
        let (garage, drivers) = (garage(), Drivers::default());
        let [a, b] = ["a", "b"].map(|client| desk(&garage, &drivers, client));
        let car = r#"{"vehicle": "car"}"#;
        assert!(drivers.parameter().is_none());
        assert_eq!(ask(&a, "/simhost/claim", car).unwrap()["message"], "a");
        assert_eq!(ask(&a, "/simhost/claim", car).unwrap()["success"], true, "again");
        let refused = ask(&b, "/simhost/claim", car).unwrap();
        assert_eq!(refused["message"], "car is driven by a, which has claimed it");
        assert_eq!(drivers.other("car", "b").as_deref(), Some("a"));
        assert_eq!(drivers.other("car", "a"), None);
        assert_eq!(ask(&b, "/simhost/release", car).unwrap()["success"], false);
        drivers.leave("a");
        assert_eq!(ask(&b, "/simhost/claim", car).unwrap()["success"], true);
        assert_eq!(drivers.parameter().unwrap().value, r#"{"car":"b"}"#);
        assert_eq!(ask(&b, "/simhost/release", car).unwrap()["success"], true);
        assert_eq!(drivers.other("car", "a"), None);
        let unknown = ask(&a, "/simhost/claim", r#"{"vehicle": "cra"}"#).unwrap();
        assert_eq!(unknown["success"], false);
    }

    #[test]
    fn the_description_has_the_world_and_the_inputs() {
        let (garage, drivers) = (garage(), Drivers::default());
        let desk = desk(&garage, &drivers, "");
        let reply = ask(&desk, "/simhost/describe", "").unwrap();
        let described: Value = serde_json::from_str(reply["message"].as_str().unwrap()).unwrap();
        assert_eq!(described["world"]["seed"], 7);
        assert_eq!(described["inputs"][0]["vehicle"], "car");
        assert_eq!(described["inputs"][0]["fields"][0]["count"], 3);
        let blind = Desk { library: None, ..desk };
        let call = Call { service: FIRST, call: 1, encoding: "json", payload: b"" };
        assert!(super::call(&call, true, &blind).is_none(), "nothing is offered without a world");
    }
}
