//! Services of simhost's own about the run, its world, its snapshots and who drives which vehicle.

use serde_json::{Value, json};
use simhost_streams::{Count, Effect, Input, RecordingAction, SessionRequest, Stream};

use crate::desk::{FAILED, ServiceRefusal};
use crate::service::Call;

/// Message of a response, or the reason why the request is rejected.
type Reply = Result<String, ServiceRefusal>;

pub fn set_paused(call: &Call<'_>) -> Reply {
    let is_paused = call.request["data"].as_bool().unwrap_or_default();
    call.send(if is_paused { Input::Pause } else { Input::Resume })
}

pub fn stop(call: &Call<'_>) -> Reply {
    // nothing answers once the run has ended
    call.desk.post(Input::Stop).map(|()| String::new())
}

pub fn step(call: &Call<'_>) -> Reply {
    let steps = call.request["steps"].as_u64().unwrap_or(1).max(1);
    call.send(Input::Step { steps })
}

pub fn reset(call: &Call<'_>) -> Reply {
    let seed = call.request["seed"].as_u64();
    call.send(Input::Reset { seed: seed.unwrap_or_else(|| call.desk.control.progress().seed) })
}

pub fn pace(call: &Call<'_>) -> Reply {
    match call.request["factor"].as_f64() {
        Some(factor) if factor > 0.0 => call.send(Input::Pace { factor }),
        found => {
            let found = found.map_or_else(|| "not finite".to_owned(), |factor| factor.to_string());
            Err((FAILED, format!("factor is {found}; expected a number greater than 0")))
        }
    }
}

pub fn add_fault(call: &Call<'_>) -> Reply {
    call.send(Input::AddFault {
        vehicle: call.text("vehicle"),
        sensor: call.text("sensor"),
        severity: call.text("severity"),
        code: call.request["code"].as_u64().unwrap_or_default() as u32,
        text: call.text("text"),
    })
}

pub fn set_pose(call: &Call<'_>) -> Reply {
    let pose = ["x", "y", "yaw"].map(|name| call.request[name].as_f64());
    let [Some(x), Some(y), Some(yaw)] = pose else {
        return Err((FAILED, "the pose is not finite".to_owned()));
    };
    call.send(Input::Pose { entity: call.text("entity"), pose: [x, y, yaw] })
}

pub fn log(call: &Call<'_>) -> Reply {
    let found = call.text("action");
    let action = RecordingAction::from_name(&found)
        .ok_or_else(|| (FAILED, format!("action is '{found}'; expected on, off, new or clear")))?;
    call.send(Input::Recording { vehicle: call.text("vehicle"), action })
}

pub fn record(call: &Call<'_>) -> Reply {
    match &*call.text("action") {
        "on" => call.ask(SessionRequest::Record(true)),
        "off" => call.ask(SessionRequest::Record(false)),
        other => Err((FAILED, format!("action is '{other}'; expected on or off"))),
    }
}

pub fn claim(call: &Call<'_>) -> Reply {
    let (desk, client) = (call.desk, call.caller.name);
    let claimed = desk.drivers.claim(&call.text("vehicle"), client, &*desk.control);
    claimed.map_err(|reason| (FAILED, reason))
}

pub fn release(call: &Call<'_>) -> Reply {
    let released = call.desk.drivers.release(&call.text("vehicle"), call.caller.name);
    released.map_err(|reason| (FAILED, reason))
}

pub fn read_quantities(call: &Call<'_>) -> Reply {
    let names = call.text("names").lines().map(str::to_owned).collect();
    call.ask(SessionRequest::ReadQuantities(names))
}

pub fn save_world(call: &Call<'_>) -> Reply {
    let poses = poses(&call.text("poses")).map_err(|reason| (FAILED, reason))?;
    call.ask(SessionRequest::SaveWorld(poses))
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
pub fn describe(call: &Call<'_>) -> Reply {
    let world = call.desk.description().unwrap_or_default();
    let streams = call.desk.control.input_streams();
    let inputs: Vec<Value> = streams.iter().map(|stream| input(stream)).collect();
    Ok(json!({"world": world, "inputs": inputs}).to_string())
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
    use std::sync::Arc;

    use simhost_streams::{Control as _, SessionHost, types};

    use super::*;
    use crate::desk::ServiceDesk;
    use crate::driven::Driven;
    use crate::service::Caller;
    use crate::table::services;

    fn garage() -> Arc<Driven> {
        let stream = Stream::new("car/cmd_vel", types::Twist::TYPE.into());
        Arc::new(Driven::new(stream, "car", "twist"))
    }

    /// Knows nothing, and repeats what it is asked for.
    struct Echo;

    impl SessionHost for Echo {
        fn describe(&self) -> Result<String, String> {
            Ok(r#"{"seed":7}"#.to_owned())
        }

        fn asset(&self, _: &str) -> Option<Arc<[u8]>> {
            None
        }

        fn ask(&self, request: SessionRequest) -> Result<String, String> {
            Ok(format!("{request:?}"))
        }
    }

    fn desk(garage: &Arc<Driven>) -> ServiceDesk {
        ServiceDesk::new(garage.clone()).with_host(Arc::new(Echo))
    }

    fn ask(desk: &ServiceDesk, name: &str, request: Value) -> Value {
        ask_as("a", desk, name, request)
    }

    fn ask_as(client: &str, desk: &ServiceDesk, name: &str, request: Value) -> Value {
        let service = services(true).find(|service| service.name == name).unwrap();
        service.call(desk, Caller { name: client, waits: false }, &request)
    }

    #[test]
    fn requests_become_inputs() {
        let garage = garage();
        let desk = desk(&garage);
        for (name, request) in [
            ("set_pose", json!({"entity": "car", "x": 1, "y": 2.5, "yaw": -1})),
            ("remove", json!({"entity": "block/b"})),
            ("add", json!({"fragment": "<block/>"})),
            ("reset", json!({"seed": -1})),
            ("step", json!({"steps": 0})),
        ] {
            assert_eq!(ask(&desk, name, request)["success"], true, "{name}");
        }
        let expected = [
            Input::Pose { entity: "car".to_owned(), pose: [1.0, 2.5, -1.0] },
            Input::Remove { entity: "block/b".to_owned() },
            Input::Add { fragment: "<block/>".to_owned(), files: Vec::new() },
            Input::Reset { seed: 0 },
            Input::Step { steps: 1 },
        ];
        assert_eq!(*garage.sent.lock().unwrap(), expected);
    }

    #[test]
    fn requests_become_questions() {
        let garage = garage();
        let desk = desk(&garage);
        let record = |action| ask(&desk, "record", json!({"action": action}));
        assert_eq!(record("on")["message"], "Record(true)");
        assert_eq!(record("off")["message"], "Record(false)");
        let saved = ask(&desk, "save_world", json!({"poses": "my car 1 2 3\n"}));
        assert_eq!(saved["message"], "SaveWorld([(\"my car\", [1.0, 2.0, 3.0])])");
        for (name, request, reason) in [
            ("record", json!({"action": "new"}), "action is 'new'; expected on or off"),
            (
                "save_world",
                json!({"poses": "car 1 x 3"}),
                "pose is 'car 1 x 3'; expected NAME X Y YAW",
            ),
            ("log", json!({"action": "x"}), "action is 'x'; expected on, off, new or clear"),
            ("pace", json!({"factor": 0}), "factor is 0; expected a number greater than 0"),
            ("set_pose", json!({"x": 1, "y": null, "yaw": 0}), "the pose is not finite"),
        ] {
            let refused = ask(&desk, name, request);
            assert_eq!((&refused["success"], &refused["message"]), (&json!(false), &json!(reason)));
        }
        assert!(garage.sent.lock().unwrap().is_empty());
    }

    #[test]
    fn one_client_drives_a_vehicle_at_a_time() {
        let garage = garage();
        let desk = desk(&garage);
        let car = || json!({"vehicle": "car"});
        let [a, b] = ["a", "b"].map(|client| {
            let desk = &desk;
            move |name: &str| ask_as(client, desk, name, car())
        });
        assert!(desk.drivers.parameter().is_none());
        assert_eq!(a("claim")["message"], "a");
        assert_eq!(a("claim")["success"], true, "again");
        assert_eq!(b("claim")["message"], "car is driven by a, which has claimed it");
        let stream = &garage.input_streams()[0];
        let refusal = "car is driven by a, which has claimed it";
        assert_eq!(desk.drivers.refusal(stream, "b").as_deref(), Some(refusal));
        assert_eq!(desk.drivers.refusal(stream, "a"), None);
        assert_eq!(b("release")["success"], false);
        desk.drivers.leave("a");
        assert_eq!(b("claim")["success"], true);
        assert_eq!(desk.drivers.parameter().unwrap().value, r#"{"car":"b"}"#);
        assert_eq!(b("release")["success"], true);
        assert_eq!(desk.drivers.refusal(stream, "a"), None);
        let unknown = ask(&desk, "claim", json!({"vehicle": "cra"}));
        assert_eq!(unknown["success"], false);
    }

    #[test]
    fn the_description_has_the_world_and_the_inputs() {
        let garage = garage();
        let reply = ask(&desk(&garage), "describe", json!({}));
        let described: Value = serde_json::from_str(reply["message"].as_str().unwrap()).unwrap();
        assert_eq!(described["world"]["seed"], 7);
        assert_eq!(described["inputs"][0]["vehicle"], "car");
        assert_eq!(described["inputs"][0]["fields"][0]["count"], 3);
        assert!(services(false).all(|service| service.name != "describe"), "without a world");
    }
}
