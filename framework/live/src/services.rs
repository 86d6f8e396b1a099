//! The services of a session as the protocol has them.

use std::sync::OnceLock;

use serde_json::{Value, json};
use simhost_services::{Caller, Service, ServiceDesk, ServiceForm, modes, services};
use simhost_streams::ros::{Layout, Schema};

use crate::protocol::Call;

/// Bit of a number that marks services of vehicles.
const MARK: u32 = 1 << 31;

/// A service with the form of its messages. Its number is its index.
struct Offer {
    service: &'static Service,
    form: ServiceForm,
}

/// Returns all services, in the order of their numbers.
fn offers() -> &'static [Offer] {
    static OFFERS: OnceLock<Vec<Offer>> = OnceLock::new();
    OFFERS.get_or_init(|| {
        // a test reads the forms of all services
        let form = |service: &Service| ServiceForm::named(service.kind).ok();
        services(true).filter_map(|service| Some(Offer { service, form: form(service)? })).collect()
    })
}

/// Returns the services of a desk with their numbers.
fn offered(desk: &ServiceDesk) -> impl Iterator<Item = (u32, &'static Offer)> {
    (0..).zip(offers()).take(services(desk.host.is_some()).count())
}

/// Returns the form of the service for modes.
fn mode_form() -> Option<&'static ServiceForm> {
    static FORM: OnceLock<Option<ServiceForm>> = OnceLock::new();
    FORM.get_or_init(|| ServiceForm::named(modes::TYPE).ok()).as_ref()
}

fn name(service: &Service) -> String {
    format!("/simhost/{}", service.name)
}

fn mode_name(vehicle: &str) -> String {
    format!("/{vehicle}/{}", modes::KIND)
}

/// Returns the number of the service of a vehicle. It depends on the name alone (FNV-1a), so that it stays
/// while other vehicles come and go.
fn mode_number(vehicle: &str) -> u32 {
    let mix = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    vehicle.bytes().fold(0x811c_9dc5, mix) | MARK
}

/// Returns the names of all services.
pub fn names(desk: &ServiceDesk) -> impl Iterator<Item = String> {
    let shared = offered(desk).map(|(_, offer)| name(offer.service));
    shared.chain(modes::vehicles(&*desk.control).into_iter().map(|vehicle| mode_name(&vehicle)))
}

/// Returns the services as clients read them.
pub fn advertised(desk: &ServiceDesk) -> Value {
    let shared = offered(desk)
        .map(|(id, Offer { service, form })| advert(id, &name(service), service.kind, form));
    let vehicles = modes::vehicles(&*desk.control).into_iter();
    let modes = vehicles.zip(std::iter::repeat(mode_form())).filter_map(|(vehicle, form)| {
        Some(advert(mode_number(&vehicle), &mode_name(&vehicle), modes::TYPE, form?))
    });
    json!({"op": "advertiseServices", "services": shared.chain(modes).collect::<Vec<_>>()})
}

fn advert(id: u32, name: &str, kind: &str, form: &ServiceForm) -> Value {
    let [request, response] = &form.schemas;
    let part = |Schema { name, text }: &Schema| json!({"encoding": "cdr", "schemaName": name, "schemaEncoding": "ros2msg", "schema": text});
    json!({
        "id": id, "name": name, "type": kind,
        "request": part(request), "response": part(response),
        "requestSchema": request.text, "responseSchema": response.text,
    })
}

/// Handles a call of a client and returns its response, or the reason why the request cannot be read.
pub fn call(call: &Call<'_>, client: &str, desk: &ServiceDesk) -> Result<Vec<u8>, String> {
    let is_json = match call.encoding {
        "json" => true,
        "cdr" => false,
        other => return Err(format!("unknown encoding: '{other}'; expected 'cdr' or 'json'")),
    };
    let caller = Caller { name: client, waits: false };
    let (form, response) = match offered(desk).find(|(id, _)| *id == call.service) {
        Some((_, Offer { service, form })) => {
            let request = read(&form.request, &name(service), service.kind, call.payload, is_json)?;
            (form, service.call(desk, caller, &request))
        }
        None => {
            let vehicles = modes::vehicles(&*desk.control);
            let vehicle = vehicles.iter().find(|one| mode_number(one) == call.service);
            let (vehicle, form) = vehicle.zip(mode_form()).ok_or_else(|| {
                format!("unknown service: {}; expected a number that is advertised", call.service)
            })?;
            let name = mode_name(vehicle);
            let request = read(&form.request, &name, modes::TYPE, call.payload, is_json)?;
            let response = modes::request(desk, caller, vehicle, &request);
            (form, response.map_err(|(_, reason)| reason)?)
        }
    };
    let bytes = form.response.encode(&response).map_err(|error| error.to_string())?;
    match is_json {
        // fields that are left at their defaults are in the message, too
        true => form.response.decode(&bytes).map(|value| value.to_string().into_bytes()),
        false => Ok(bytes),
    }
    .map_err(|error| error.to_string())
}

/// Reads a request.
fn read(
    layout: &Layout,
    name: &str,
    kind: &str,
    payload: &[u8],
    is_json: bool,
) -> Result<Value, String> {
    // a request without fields has a byte of padding or nothing at all
    if payload.is_empty() && is_json || layout.fields().next().is_none() && !is_json {
        return Ok(json!({}));
    }
    if !is_json {
        let read = layout.decode(payload);
        return read.map_err(|error| format!("request of {name}: not {kind} in CDR: {error}"));
    }
    let mut given: Value = serde_json::from_slice(payload)
        .map_err(|error| format!("request of {name}: {error}; expected the fields of {kind}"))?;
    let Some(fields) = given.as_object_mut() else {
        return Err(format!("request of {name}: expected an object with the fields of {kind}"));
    };
    // ROS 2 has this field in messages without any
    fields.remove("structure_needs_at_least_one_member");
    let is_known = |field: &&String| layout.fields().any(|one| one.name == **field);
    if let Some(field) = fields.keys().find(|field| !is_known(field)) {
        return Err(format!(
            "request of {name}: unknown field '{field}'; expected the fields of {kind}"
        ));
    }
    // most fields of the standard are left at their defaults
    let has_defaults = kind.starts_with("simulation_interfaces/");
    let mut required = layout.fields().filter(|field| field.is_required && !has_defaults);
    if let Some(field) = required.find(|field| !fields.contains_key(field.name)) {
        return Err(format!("request of {name}: missing field '{}'", field.name));
    }
    let complete = layout.encode(&given).map_err(|error| format!("request of {name}: {error}"))?;
    layout.decode(&complete).map_err(|error| format!("request of {name}: {error}"))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use simhost_streams::{
        Control, Effect, Input, InputError, Progress, SessionHost, Stream, types,
    };

    use super::*;

    /// A session with a vehicle whose controller has modes, which knows its world.
    #[derive(Default)]
    struct Garage(Mutex<Vec<Input>>);

    impl Control for Garage {
        fn send(&self, input: Input) -> Result<(), InputError> {
            self.0.lock().unwrap().push(input);
            Ok(())
        }

        fn input_streams(&self) -> Vec<Arc<Stream>> {
            let stream = Stream::new("ego/cmd_control_mode_request", types::Number::TYPE.into());
            let (vehicle, kind) = ("ego".to_owned(), "control_mode_request".to_owned());
            let effect = Some(Effect::Command { vehicle, kind });
            vec![Arc::new(Stream { effect, ..stream })]
        }

        fn progress(&self) -> Progress {
            Progress::default()
        }
    }

    impl SessionHost for Garage {
        fn describe(&self) -> Result<String, String> {
            Ok(r#"{"vehicles": [{"label": "ego"}]}"#.to_owned())
        }

        fn asset(&self, _: &str) -> Option<Arc<[u8]>> {
            None
        }
    }

    fn desk() -> (Arc<Garage>, ServiceDesk) {
        let garage = Arc::new(Garage::default());
        (garage.clone(), ServiceDesk::new(garage.clone()).with_host(garage))
    }

    fn ask(
        desk: &ServiceDesk,
        name: &str,
        encoding: &str,
        payload: &[u8],
    ) -> Result<Vec<u8>, String> {
        let services = advertised(desk)["services"].clone();
        let all = services.as_array().unwrap();
        let service = all.iter().find(|one| one["name"] == name).unwrap()["id"].as_u64().unwrap();
        super::call(&Call { service: service as u32, call: 1, encoding, payload }, "a", desk)
    }

    #[test]
    fn modes_are_requested_by_the_service_of_autoware() {
        let (garage, desk) = desk();
        let services = advertised(&desk)["services"].clone();
        let last = services.as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["type"], "autoware_vehicle_msgs/srv/ControlModeCommand");
        let name = "/ego/control_mode_request";
        assert!(names(&desk).any(|one| one == name));
        let ask = |encoding, payload: &[u8]| ask(&desk, name, encoding, payload);
        let stamped = |mode: u8| [&[0, 1, 0, 0], &[7; 8][..], &[mode]].concat();
        assert_eq!(ask("cdr", &stamped(4)).unwrap(), [0, 1, 0, 0, 1]);
        assert_eq!(ask("cdr", &stamped(2)).unwrap(), [0, 1, 0, 0, 0], "an unknown mode");
        assert_eq!(ask("json", b"{\"mode\": 1}").unwrap(), br#"{"success":true}"#);
        assert!(ask("cdr", &stamped(1)[..11]).unwrap_err().contains("not autoware_vehicle_msgs"));
        assert!(ask("json", b"{}").unwrap_err().contains("missing field 'mode'"));
        let sent = garage.0.lock().unwrap().clone();
        let expected = [4.0, 2.0, 1.0].map(|mode| Input::Command {
            vehicle: "ego".to_owned(),
            kind: "control_mode_request".to_owned(),
            values: vec![mode],
        });
        assert_eq!(sent, expected);
    }

    #[test]
    fn requests_are_read_from_cdr() {
        let (garage, desk) = desk();
        let form = ServiceForm::named("simhost_msgs/srv/AddFault").unwrap();
        let fault = json!({
            "vehicle": "car", "sensor": "brake", "severity": "damaged", "code": 12, "text": "worn out",
        });
        let payload = form.request.encode(&fault).unwrap();
        let name = "/simhost/add_fault";
        let response = ask(&desk, name, "cdr", &payload).unwrap();
        assert_eq!(response, [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
        let expected = Input::AddFault {
            vehicle: "car".to_owned(),
            sensor: "brake".to_owned(),
            severity: "damaged".to_owned(),
            code: 12,
            text: "worn out".to_owned(),
        };
        assert_eq!(*garage.0.lock().unwrap(), [expected]);
        assert!(ask(&desk, name, "cdr", &payload[..20]).unwrap_err().contains("CDR"));
        assert_eq!(ask(&desk, "/simhost/pause", "cdr", &[]).unwrap()[4], 1);
        assert_eq!(ask(&desk, "/simhost/pause", "cdr", &[0]).unwrap()[4], 1, "padding");
    }

    #[test]
    fn requests_are_read_from_json() {
        let (_, desk) = desk();
        for (service, payload, problem) in [
            ("set_pose", "{}", "missing field 'entity'"),
            (
                "set_pose",
                r#"{"entity": 1, "x": 1, "y": 1, "yaw": 0}"#,
                "entity is 1; expected a text",
            ),
            ("remove", r#"{"entity": "a", "b": 1}"#, "unknown field 'b'"),
            ("remove", "garbage", "expected the fields of simhost_msgs/srv/Remove"),
            ("remove", "[]", "expected an object"),
        ] {
            let name = format!("/simhost/{service}");
            let error = ask(&desk, &name, "json", payload.as_bytes()).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
        let nothing = br#"{"structure_needs_at_least_one_member": 0}"#;
        let paused = ask(&desk, "/simhost/pause", "json", nothing).unwrap();
        assert_eq!(paused, br#"{"message":"","success":true}"#);
        // the services of the standard have defaults for all fields
        let listed = ask(&desk, "/simhost/get_entities", "json", b"{}").unwrap();
        let listed: Value = serde_json::from_slice(&listed).unwrap();
        assert_eq!(
            (&listed["entities"], &listed["result"]["result"]),
            (&json!(["ego"]), &json!(1))
        );
    }

    #[test]
    fn every_service_is_offered() {
        let (_, desk) = desk();
        assert_eq!(offers().len(), services(true).count());
        let known = ServiceDesk::new(Arc::new(Garage::default()));
        assert!(names(&known).all(|name| name != "/simhost/describe"), "without a world");
        assert!(names(&desk).any(|name| name == "/simhost/describe"));
    }
}
