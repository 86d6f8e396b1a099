mod parameters;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use simhost_services::ServiceDesk;
use simhost_streams::{
    Control, Effect, Input, InputError, Parameter, Progress, SessionHost, SessionRequest, Stream,
    types,
};

use super::parameters::SERVICES as PARAMETERS;
use super::{SERVICES as TYPE_DESCRIPTIONS, mode_services, services};
use crate::interfaces::ServiceType;

/// A session with a robot, a crate and a wall.
#[derive(Default)]
struct Yard {
    sent: Mutex<Vec<Input>>,
    steps: AtomicU64,
    /// Gain of the controller.
    gain: Mutex<String>,
    is_paused: Mutex<bool>,
    names: Mutex<Vec<String>>,
}

impl Control for Yard {
    fn send(&self, input: Input) -> Result<(), InputError> {
        match &input {
            Input::Pause => *self.is_paused.lock().unwrap() = true,
            Input::Resume => *self.is_paused.lock().unwrap() = false,
            Input::Step { steps } => drop(self.steps.fetch_add(*steps, Ordering::Relaxed)),
            // no step follows during a pause
            Input::Command { .. } => *self.is_paused.lock().unwrap() = true,
            Input::Parameter { value, .. } if value.parse().is_ok_and(|gain: f64| gain < 0.0) => {
                return Err(InputError::World { text: "KP is out of range".to_owned() });
            }
            Input::Parameter { value, .. } => value.clone_into(&mut self.gain.lock().unwrap()),
            Input::Add { fragment, .. } if fragment.contains("unknown") => {
                return Err(InputError::World { text: "unknown class".to_owned() });
            }
            Input::Add { fragment, .. } => {
                let name = fragment.split('"').nth(1).map(str::to_owned);
                self.names.lock().unwrap().extend(name);
            }
            Input::Pose { entity, .. } if entity == "block/wall" => {
                let (found, help) = (entity.clone(), String::new());
                return Err(InputError::Unknown { what: "movable block", found, help });
            }
            _ => {}
        }
        self.sent.lock().unwrap().push(input);
        Ok(())
    }

    fn input_streams(&self) -> Vec<Arc<Stream>> {
        let mut stream = Stream::new("robot/mode", Arc::new(types::Number::TYPE));
        let (vehicle, kind) = ("robot".to_owned(), "control_mode_request".to_owned());
        stream.effect = Some(Effect::Command { vehicle, kind });
        vec![Arc::new(stream)]
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter =
            |name: &str, value: &str| Parameter { name: name.to_owned(), value: value.to_owned() };
        vec![
            parameter("robot/controller/KP", &self.gain.lock().unwrap()),
            parameter("robot/sensor/scan/origin", "0 0.5 1"),
            parameter("robot/friction/curve", "3"),
            parameter("robot/dynamics/open", "true"),
        ]
    }

    fn progress(&self) -> Progress {
        let steps = self.steps.load(Ordering::Relaxed);
        let is_paused = *self.is_paused.lock().unwrap();
        Progress { steps, is_paused, pace: Some(1.0), seed: 7, ..Progress::default() }
    }
}

impl SessionHost for Yard {
    fn describe(&self) -> Result<String, String> {
        let names = self.names.lock().unwrap();
        let added = names.iter().map(String::as_str);
        let vehicles = std::iter::once("robot").chain(added).map(|name| {
            json!({
                "label": name, "dynamics": "simhost/differential",
                "controller": "simhost/twist_pid", "friction": "simhost/default",
            })
        });
        let info =
            json!({"unit": "N·m·s/m", "doc": "Gain.", "min": 0.0, "max": null, "choices": []});
        let curve =
            json!({"unit": "1", "doc": "Curve.", "min": null, "max": null, "choices": ["3", "4"]});
        Ok(json!({
            "vehicles": vehicles.collect::<Vec<_>>(),
            "bodies": [{"label": "block/crate", "movable": true}, {"label": "block/wall", "movable": false}],
            "parameters": {"robot/controller/KP": info, "robot/friction/curve": curve},
        })
        .to_string())
    }

    fn asset(&self, _: &str) -> Option<Arc<[u8]>> {
        None
    }

    fn ask(&self, request: SessionRequest) -> Result<String, String> {
        match request {
            SessionRequest::ListClasses => Ok(json!(["vehicle:robot", "block:crate"]).to_string()),
            SessionRequest::ReadQuantities(_) => {
                let quarter = std::f64::consts::FRAC_PI_2;
                Ok(json!({"time_s": 1.25, "values": {
                    "robot/pose": [1.0, 2.0, 0.0, quarter, 0.0, 0.0], "robot/twist": [0.5, 0.0, 0.1],
                    "crate/pose": [3.0, 4.0, 0.0, 0.0, 0.0, 0.0], "crate/twist": [0.0, 1.0, 0.0],
                    "wall/pose": [9.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                }})
                .to_string())
            }
            other => Err(format!("{other:?}")),
        }
    }
}

/// Services of a yard.
struct Caller {
    yard: Arc<Yard>,
    desk: Arc<ServiceDesk>,
}

impl Caller {
    fn new() -> Self {
        let yard = Arc::new(Yard { gain: Mutex::new("2".to_owned()), ..Yard::default() });
        let desk = ServiceDesk::new(yard.clone()).with_host(yard.clone());
        let desk = desk.with_world("yard", "yard.world.xml");
        Self { yard, desk: Arc::new(desk) }
    }

    /// Calls a service as a client does.
    fn call(&self, name: &str, request: Value) -> Value {
        let all = services(&self.desk).unwrap();
        let service = all.iter().find(|one| one.name == format!("/simhost/{name}"));
        let service = service.unwrap_or_else(|| panic!("{name}"));
        let kind = ServiceType::named(&service.kind.name).unwrap();
        let answer = (service.answer)(&kind.request.encode(&request).unwrap());
        kind.response.decode(&answer).unwrap()
    }

    /// Returns the code of the result of a call.
    fn code(&self, name: &str, request: Value) -> u64 {
        self.call(name, request)["result"]["result"].as_u64().unwrap()
    }

    fn sent(&self) -> Vec<Input> {
        std::mem::take(&mut *self.yard.sent.lock().unwrap())
    }
}

#[test]
fn states_follow_pauses_steps_and_resets() {
    let caller = Caller::new();
    let state = || caller.call("get_simulation_state", json!({}))["state"]["state"].clone();
    let set = |state: u8| caller.code("set_simulation_state", json!({"state": {"state": state}}));
    assert_eq!((state(), set(1)), (json!(1), 101), "it plays already");
    assert_eq!(caller.code("step_simulation", json!({"steps": 3})), 4, "steps need a pause");
    assert_eq!((set(2), state()), (1, json!(2)));
    assert_eq!((caller.code("step_simulation", json!({"steps": 3})), state()), (1, json!(2)));
    assert_eq!((set(0), state()), (1, json!(0)));
    assert_eq!(caller.code("step_simulation", json!({})), 1);
    assert_eq!(state(), json!(2), "a step ends the state of the start");
    assert_eq!((set(1), state()), (1, json!(1)));
    assert_eq!((set(9), set(3)), (103, 1));
    assert_eq!(caller.code("reset_simulation", json!({"scope": 2})), 0, "states alone");
    assert_eq!(caller.code("reset_simulation", json!({})), 1);
    let expected = [
        Input::Pause,
        Input::Step { steps: 3 },
        Input::Pause,
        Input::Reset { seed: 7 },
        Input::Step { steps: 1 },
        Input::Resume,
        Input::Stop,
        Input::Reset { seed: 7 },
    ];
    assert_eq!(caller.sent(), expected);
}

/// A step that another thread makes ends the waiting at once, not after a while without progress.
#[test]
fn services_wait_for_steps_of_the_session() {
    let caller = Caller::new();
    let start = Instant::now();
    let is_made = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            caller.yard.steps.fetch_add(1, Ordering::Relaxed);
            caller.desk.wake();
        });
        caller.desk.wait(&|progress| progress.steps == 1)
    });
    assert!(is_made && start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn simulators_are_asked_for_their_features_and_their_world() {
    let caller = Caller::new();
    assert_eq!(caller.call("set_paused", json!({"data": true}))["success"], true);
    assert_eq!(caller.sent(), [Input::Pause]);
    let features = caller.call("get_simulator_features", json!({}))["features"].clone();
    assert_eq!(features["features"].as_array().unwrap().len(), 18);
    let world = caller.call("get_current_world", json!({}))["world"].clone();
    assert_eq!(
        (&world["name"], &world["world_resource"]["uri"]),
        (&json!("yard"), &json!("yard.world.xml"))
    );
}

#[test]
fn entities_are_listed_with_filters() {
    let caller = Caller::new();
    let names = |filters: Value| {
        caller.call("get_entities", json!({"filters": filters}))["entities"].clone()
    };
    assert_eq!(names(json!({})), json!(["robot", "block/crate", "block/wall"]));
    assert_eq!(names(json!({"filter": "^block/"})), json!(["block/crate", "block/wall"]));
    assert_eq!(names(json!({"filter": "crat"})), json!(["block/crate"]));
    assert_eq!(names(json!({"filter": "^crate"})), json!([]));
    assert_eq!(
        names(json!({"categories": [{"category": 5}, {"category": 1}]})),
        json!(["robot", "block/wall"])
    );
    let tags = json!({"tags": ["vehicle", "block"], "filter_mode": 1});
    assert_eq!(names(json!({"tags": tags})), json!([]), "no entity has both");
    assert_eq!(caller.code("get_entities", json!({"filters": {"filter": "("}})), 4);
    let bounds = json!({"filters": {"bounds": {"points": [{}]}}});
    assert_eq!(caller.code("get_entities", bounds), 0);
}

#[test]
fn states_of_entities_are_read() {
    let caller = Caller::new();
    let state = caller.call("get_entity_state", json!({"entity": "robot"}))["state"].clone();
    assert_eq!(
        state["header"],
        json!({"stamp": {"sec": 1, "nanosec": 250_000_000}, "frame_id": "map"})
    );
    let number = |path: &str| state.pointer(path).unwrap().as_f64().unwrap();
    assert!((number("/twist/linear/y") - 0.5).abs() < 1e-12, "it drives along y of the world");
    assert!((number("/pose/orientation/z") - 0.5_f64.sqrt()).abs() < 1e-12);
    assert_eq!(caller.code("get_entity_state", json!({"entity": "rabot"})), 2);
    let all = caller.call("get_entities_states", json!({}));
    assert_eq!(all["states"].as_array().unwrap().len(), 3);
    let info = caller.call("get_entity_info", json!({"entity": "robot"}))["info"].clone();
    assert_eq!(
        (&info["category"]["category"], &info["tags"][1]),
        (&json!(1), &json!("simhost/differential"))
    );
}

#[test]
fn states_of_entities_are_set_in_the_frame_of_the_world() {
    let caller = Caller::new();
    let pose = json!({"position": {"x": 5.0, "y": 6.0}, "orientation": {"w": 1.0}});
    let twist = json!({"linear": {"x": 1.0}, "angular": {"z": 0.25}});
    let set = |more: Value| {
        let mut request = json!({"entity": "robot", "state": {"pose": pose, "twist": twist}});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        caller.code("set_entity_state", request)
    };
    assert_eq!(set(json!({"set_twist": true})), 1);
    let [Input::Velocity { velocity, .. }] = &caller.sent()[..] else { panic!() };
    // the robot points along y, so that x of the world is on its right
    assert!(velocity[0].abs() < 1e-12 && (velocity[1] + 1.0).abs() < 1e-12, "{velocity:?}");
    assert_eq!(set(json!({"set_pose": true})), 1);
    let [Input::Pose { pose, .. }, Input::Velocity { velocity, .. }] = &caller.sent()[..] else {
        panic!()
    };
    assert_eq!(*pose, [5.0, 6.0, 0.0]);
    assert!((velocity[1] - 0.5).abs() < 1e-12, "it keeps its motion: {velocity:?}");
    assert_eq!(set(json!({"set_acceleration": true})), 0);
    let frame = json!({"header": {"frame_id": "odom"}, "pose": {}});
    assert_eq!(set(json!({"set_pose": true, "state": frame})), 101);
    let zero = json!({"pose": {"orientation": {"w": 0.0}}});
    assert_eq!(set(json!({"set_pose": true, "state": zero})), 101);
    assert_eq!(set(json!({"set_pose": true, "entity": "block/wall"})), 4);
}

#[test]
fn entities_are_spawned_from_classes_and_texts() {
    let caller = Caller::new();
    let spawn = |request: Value| caller.call("spawn_entity", request);
    let code = |request: Value| spawn(request)["result"]["result"].as_u64().unwrap();
    let of_class = |name: &str| json!({"name": name, "entity_resource": {"uri": "vehicle:robot"}});
    assert_eq!(spawn(of_class("r2"))["entity_name"], "r2");
    let fragment = "<vehicle name=\"r2\" class=\"robot\"><init_pose>0 0 0</init_pose></vehicle>";
    assert_eq!(caller.sent(), [Input::Add { fragment: fragment.to_owned(), files: Vec::new() }]);
    assert_eq!(code(of_class("r2")), 101, "the name is taken");
    assert_eq!((code(of_class("")), code(of_class("a/b"))), (102, 102));
    let mut again = of_class("r2");
    again["allow_renaming"] = true.into();
    assert_eq!(spawn(again)["entity_name"], "r2_2");
    assert_eq!(code(json!({"name": "x", "entity_resource": {"uri": "robot.sdf"}})), 103);
    assert_eq!(code(json!({"name": "x"})), 104);
    let mut moved = of_class("x");
    moved["entity_namespace"] = "fleet".into();
    assert_eq!(code(moved), 105);
    assert_eq!(code(json!({"name": "x", "entity_resource": {"uri": "vehicle:unknown"}})), 106);
    let mut turned = of_class("x");
    turned["initial_pose"] = json!({"pose": {"orientation": {"w": 2.0}}});
    assert_eq!(code(turned), 109);
}

#[test]
fn spawned_entities_are_deleted() {
    let caller = Caller::new();
    let of_class = |name: &str| json!({"name": name, "entity_resource": {"uri": "vehicle:robot"}});
    let spawn = |request: Value| caller.call("spawn_entity", request);
    spawn(of_class("r2"));
    let text = json!({"resource_string": "<vehicle name='own'/>"});
    assert_eq!(
        spawn(json!({"entity_resource": text}))["result"]["result"],
        4,
        "it does not appear"
    );
    let both = json!({"spawn_requests": [of_class("r5"), of_class("r5")]});
    let reply = caller.call("spawn_entities", both);
    assert_eq!(reply["result"]["result"], 150);
    assert_eq!(reply["results"][0]["entity_name"], "r5");
    assert_eq!(reply["results"][1]["result"]["result"], 101);
    caller.sent();
    assert_eq!(caller.code("delete_entity", json!({"entity": "rr"})), 2);
    assert_eq!(caller.code("delete_entity", json!({"entity": "r5"})), 1);
    assert_eq!(caller.code("reset_simulation", json!({"scope": 4})), 1);
    let removed: Vec<String> = caller
        .sent()
        .into_iter()
        .map(|input| match input {
            Input::Remove { entity } => entity,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(removed, ["r5", "r2"]);
}

#[test]
fn classes_are_listed() {
    let caller = Caller::new();
    let found = caller.call("get_spawnables", json!({"sources": ["here"]}));
    assert_eq!(found["spawnables"][1]["entity_resource"]["uri"], "block:crate");
    assert!(found["result"]["error_message"].as_str().unwrap().contains("here"));
}

#[test]
fn types_are_described_with_their_hashes() {
    let caller = Caller::new();
    let ask = |name: &str, hash: &str| {
        caller.call("get_type_description", json!({"type_name": name, "type_hash": hash}))
    };
    let reply = ask("geometry_msgs/msg/Twist", "");
    assert_eq!(reply["successful"], true);
    let described = &reply["type_description"]["type_description"];
    assert_eq!(described["fields"][0]["type"]["nested_type_name"], "geometry_msgs/msg/Vector3");
    assert_eq!(reply["type_sources"][1]["type_name"], "geometry_msgs/msg/Vector3");
    assert_eq!(ask("std_srvs/srv/SetBool", "RIHS01_00")["successful"], false);
    assert_eq!(ask("std_srvs/srv/SetBull", "")["successful"], false);
    assert_eq!(ask("simhost_msgs/msg/Wheels", "")["successful"], true);
}

#[test]
fn bytes_that_are_not_requests_are_refused() {
    let caller = Caller::new();
    let mut state = 1_u32;
    for service in services(&caller.desk).unwrap() {
        let kind = ServiceType::named(&service.kind.name).unwrap();
        for len in 0..60 {
            let bytes: Vec<u8> = (0..len)
                .map(|at| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if at < 4 { [0, 1, 0, 0][at] } else { (state >> 24) as u8 }
                })
                .collect();
            let answer = (service.answer)(&bytes);
            kind.response
                .decode(&answer)
                .unwrap_or_else(|error| panic!("{}: {error}", service.name));
        }
        assert!(kind.response.decode(&(service.answer)(&[])).is_ok());
    }
    let all = mode_services(&caller.desk).unwrap();
    let [(vehicle, service)] = &all[..] else { panic!() };
    assert_eq!((&vehicle[..], &service.name[..]), ("robot", "input/control_mode_request"));
    let request = |mode: u8| [&[0, 1, 0, 0], &[7; 8][..], &[mode]].concat();
    assert_eq!((service.answer)(&request(1)), [0, 1, 0, 0, 1]);
    assert_eq!((service.answer)(&request(2)), [0, 1, 0, 0, 0]);
}

/// Clients of both servers find the same services. A node also has services for parameters and type descriptions.
#[test]
fn the_live_server_offers_the_same_services() {
    let caller = Caller::new();
    let settings = simhost_live::ServerSettings::new("127.0.0.1:0".parse().unwrap());
    let server = simhost_live::Server::bind(settings).unwrap();
    let address = server.address();
    let mut publisher = server.publisher(caller.desk.clone());
    let client = simhost_live::Client::connect(address, None).unwrap();
    let mut live: Vec<&str> = client.services().collect();
    live.retain(|name| *name != "/robot/control_mode_request");
    let own = [PARAMETERS, TYPE_DESCRIPTIONS].into_iter().flatten();
    let own: Vec<String> = own.map(|(name, ..)| format!("/simhost/{name}")).collect();
    let all = services(&caller.desk).unwrap();
    let mut nodes: Vec<&str> = all.iter().map(|service| &*service.name).collect();
    nodes.retain(|name| !own.iter().any(|one| one == name));
    nodes.sort_unstable();
    assert_eq!(live, nodes);
    assert!(live.len() > 30, "{live:?}");
    publisher.finish();
}
