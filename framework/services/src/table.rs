//! The table of all services.

use serde_json::{Value, json};
use simhost_streams::{Input, InputError, SessionRequest};

use crate::desk::{FAILED, NOT_FOUND, OK, ServiceDesk, ServiceRefusal, UNSUPPORTED};
use crate::entities::pose_in_world;
use crate::piece::{PARSE_ERROR, Piece};
use crate::service::{Action, Outcome, Service, failure, response};
use crate::{entities, session};

/// Makes services from rows with the name, the type, the form of the action with the action, the effect, and for types
/// of `simhost_msgs` the definition of the request.
macro_rules! services {
    ($($name:literal $kind:literal $form:ident($action:expr) $doc:literal $($request:literal)?;)*) => {
        &[$(Service {
            name: $name,
            kind: $kind,
            doc: $doc,
            request: concat!($($request)?),
            action: Action::$form($action),
        }),*]
    };
}

/// Services that need no knowledge of the world, which servers of recordings offer too.
const RUN: &[Service] = services! {
    "pause" "std_srvs/srv/Trigger" Message(|call| call.send(Input::Pause))
        "Pauses the run.";
    "resume" "std_srvs/srv/Trigger" Message(|call| call.send(Input::Resume))
        "Ends the pause.";
    "set_paused" "std_srvs/srv/SetBool" Message(session::set_paused)
        "Pauses the run, or ends the pause.";
    "step" "simhost_msgs/srv/Step" Message(session::step)
        "Advances the run by steps during a pause."
        "# Number of steps to make during a pause; 0 counts as 1.\nuint64 steps 1\n";
    "reset" "simhost_msgs/srv/Reset" Message(session::reset)
        "Returns to the start."
        "# Seed of all random numbers; -1 keeps the present one.\nint64 seed -1\n";
    "pace" "simhost_msgs/srv/Pace" Message(session::pace)
        "Changes the pace."
        "# Simulated time per wall time, greater than 0.\nfloat64 factor\n";
    "stop" "std_srvs/srv/Trigger" Message(session::stop)
        "Ends the run.";
    "add_fault" "simhost_msgs/srv/AddFault" Message(session::add_fault)
        "Makes an entry in the fault memory of a vehicle."
        "# Vehicle in whose fault memory the entry is made.\nstring vehicle\n\
         # Part that reports the fault, such as brake.\nstring sensor\n\
         # ok, service_required, damaged, critical or failure.\nstring severity\n\
         # Number of the fault among those of its part.\nuint32 code 0\n\
         # Description, empty if there is none.\nstring text \"\"\n";
    "clear_faults" "simhost_msgs/srv/ClearFaults"
        Message(|call| call.send(Input::ClearFaults { vehicle: call.text("vehicle") }))
        "Clears the fault memory of a vehicle."
        "# Vehicle whose fault memory is cleared.\nstring vehicle\n";
};

/// Services for which the server must know the world.
const WORLD: &[Service] = services! {
    "describe" "std_srvs/srv/Trigger" Message(session::describe)
        "Returns a description of the world and its inputs in JSON as `message`.";
    "add" "simhost_msgs/srv/Add"
        Message(|call| call.send(Input::Add { fragment: call.text("fragment"), files: Vec::new() }))
        "Adds entities."
        "# Piece of a world file with new vehicles and blocks.\nstring fragment\n";
    "remove" "simhost_msgs/srv/Remove"
        Message(|call| call.send(Input::Remove { entity: call.text("entity") }))
        "Removes an entity."
        "# Name of a vehicle, or block/NAME.\nstring entity\n";
    "set_pose" "simhost_msgs/srv/SetPose" Message(session::set_pose)
        "Moves a vehicle or a block, which then stands still."
        "# Name of a vehicle, or block/NAME, which then stands still.\nstring entity\n\
         # Position in the world, m.\nfloat64 x\nfloat64 y\n# Heading, rad.\nfloat64 yaw\n";
    "log" "simhost_msgs/srv/Log" Message(session::log)
        "Switches the logs of vehicles."
        "# Vehicle whose log is switched; empty for all vehicles.\nstring vehicle\n\
         # on, off, new or clear.\nstring action\n";
    "record" "simhost_msgs/srv/Record" Message(session::record)
        "Records all streams of the run in an MCAP file, and returns its path as `message`."
        "# on: all streams are recorded in an MCAP file from now on; off: the file is completed.\n\
         string action\n";
    "claim" "simhost_msgs/srv/Claim" Message(session::claim)
        "Lets only this client command a vehicle, and returns its name as `message`."
        "# Vehicle that only this client commands until it releases it or leaves.\nstring vehicle\n";
    "release" "simhost_msgs/srv/Release" Message(session::release)
        "Lets others command a vehicle again."
        "# Vehicle that others may command again.\nstring vehicle\n";
    "snapshot" "std_srvs/srv/Trigger" Message(|call| call.ask(SessionRequest::Snapshot))
        "Keeps the present state, and returns its name as `message`.";
    "restore" "simhost_msgs/srv/Restore"
        Message(|call| call.ask(SessionRequest::Restore(call.text("name"))))
        "Returns to a snapshot."
        "# Name that /simhost/snapshot has returned.\nstring name\n";
    "save_world" "simhost_msgs/srv/SaveWorld" Message(session::save_world)
        "Returns the world with all changes as a world file as `message`."
        "# Initial poses that differ from those of the world file, a line each: entity, x and y in m, yaw in rad.\n\
         string poses\n";
    "list_quantities" "std_srvs/srv/Trigger" Message(|call| call.ask(SessionRequest::ListQuantities))
        "Returns all quantities in JSON as `message`.";
    "read_quantities" "simhost_msgs/srv/ReadQuantities" Message(session::read_quantities)
        "Returns the time and the present values of quantities in JSON as `message`."
        "# Names of quantities, a line each.\nstring names\n";
    "read_contacts" "std_srvs/srv/Trigger" Message(|call| call.ask(SessionRequest::ReadContacts))
        "Returns the time and the points at which bodies touch in JSON as `message`.";
    "get_simulator_features" "simulation_interfaces/srv/GetSimulatorFeatures" Whole(features)
        "Lists the supported features of `simulation_interfaces`.";
    "get_simulation_state" "simulation_interfaces/srv/GetSimulationState" Result(get_state)
        "Returns whether the run is stopped, playing or paused.";
    "set_simulation_state" "simulation_interfaces/srv/SetSimulationState" Result(set_state)
        "Stops, plays, pauses or ends the run.";
    "step_simulation" "simulation_interfaces/srv/StepSimulation" Result(step_simulation)
        "Advances the run by steps during a pause, and waits for them.";
    "reset_simulation" "simulation_interfaces/srv/ResetSimulation" Result(reset_simulation)
        "Returns to the start, or removes the entities that have been spawned.";
    "get_current_world" "simulation_interfaces/srv/GetCurrentWorld" Result(world)
        "Returns the name and the file of the world.";
    "get_entities" "simulation_interfaces/srv/GetEntities" Result(entities::list)
        "Lists the entities that pass a filter.";
    "get_entities_states" "simulation_interfaces/srv/GetEntitiesStates" Result(entities::states)
        "Returns the poses and velocities of the entities that pass a filter.";
    "get_entity_state" "simulation_interfaces/srv/GetEntityState" Result(entities::state)
        "Returns the pose and the velocity of an entity.";
    "get_entity_info" "simulation_interfaces/srv/GetEntityInfo" Result(entities::info)
        "Returns the kind, the tags and a description of an entity.";
    "set_entity_state" "simulation_interfaces/srv/SetEntityState" Result(entities::set_state)
        "Sets the pose or the velocity of an entity.";
    "spawn_entity" "simulation_interfaces/srv/SpawnEntity" Result(spawn_entity)
        "Adds an entity.";
    "spawn_entities" "simulation_interfaces/srv/SpawnEntities" Result(spawn_all)
        "Adds several entities.";
    "delete_entity" "simulation_interfaces/srv/DeleteEntity" Result(delete)
        "Removes an entity.";
    "get_spawnables" "simulation_interfaces/srv/GetSpawnables" Result(spawnables)
        "Lists the classes of the world from which entities can be made.";
};

/// Returns the services of a server, which may know the world, in their order.
pub fn services(knows_world: bool) -> impl Iterator<Item = &'static Service> {
    RUN.iter().chain(WORLD.iter().filter(move |_| knows_world))
}

/// Features of `simulation_interfaces/msg/SimulatorFeatures` that are supported, by number: spawning and deleting,
/// tags, categories and texts of entities; getting and setting their states, getting information, spawnables; resets
/// of everything and of spawned entities; getting and setting the state of the simulation, pauses, one and several
/// steps; information on the world; several entities at once.
const FEATURES: &[u8] = &[0, 1, 4, 8, 9, 10, 11, 12, 14, 20, 23, 24, 25, 26, 31, 32, 44, 50];

const STOPPED: u8 = 0;
const PLAYING: u8 = 1;
const PAUSED: u8 = 2;
const QUITTING: u8 = 3;

const ALREADY_THERE: u8 = 101;
const INCORRECT_TRANSITION: u8 = 103;

/// Scope of a reset: everything.
const EVERYTHING: u64 = 255;
/// Scope of a reset: entities that have been spawned.
const SPAWNED: u64 = 4;

fn features(_: &ServiceDesk, _: &Value) -> Value {
    let info = concat!("simhost ", env!("CARGO_PKG_VERSION"), "; simulation_interfaces 2.1.0");
    json!({"features": {
        "features": FEATURES, "spawn_formats": ["simhost world file"], "custom_info": info,
    }})
}

/// Returns the state of the simulation.
fn state(desk: &ServiceDesk) -> u8 {
    let progress = desk.control.progress();
    match (progress.is_paused, desk.state().stopped_at) {
        (false, _) => PLAYING,
        (true, Some(steps)) if steps == progress.steps => STOPPED,
        (true, _) => PAUSED,
    }
}

fn get_state(desk: &ServiceDesk, _: &Value) -> Outcome {
    Ok(json!({"state": {"state": state(desk)}}))
}

fn set_state(desk: &ServiceDesk, request: &Value) -> Outcome {
    let target = request["state"]["state"].as_u64().and_then(|state| u8::try_from(state).ok());
    let present = state(desk);
    match target {
        Some(target) if target == present => {
            Err((ALREADY_THERE, "the simulation is in this state already".to_owned()))
        }
        Some(STOPPED) => stop(desk),
        Some(target @ (PLAYING | PAUSED)) => {
            // a simulation that is stopped is at its start and does not run
            desk.state().stopped_at = None;
            desk.send(if target == PLAYING { Input::Resume } else { Input::Pause })?;
            Ok(json!({}))
        }
        Some(QUITTING) => desk.post(Input::Stop).map(|()| json!({})),
        _ => {
            let text =
                "unknown state; expected stopped (0), playing (1), paused (2) or quitting (3)";
            Err((INCORRECT_TRANSITION, text.to_owned()))
        }
    }
}

/// Pauses at the start.
fn stop(desk: &ServiceDesk) -> Outcome {
    let seed = desk.control.progress().seed;
    desk.send(Input::Pause)?;
    desk.send(Input::Reset { seed })?;
    let mut state = desk.state();
    state.stopped_at = Some(desk.control.progress().steps);
    state.spawned.clear();
    Ok(json!({}))
}

/// Makes steps during a pause, and waits until they are complete.
fn step_simulation(desk: &ServiceDesk, request: &Value) -> Outcome {
    let steps = request["steps"].as_u64().unwrap_or(1);
    let progress = desk.control.progress();
    if !progress.is_paused {
        return Err((FAILED, "the simulation is not paused; steps need a pause".to_owned()));
    }
    if steps == 0 {
        return Ok(json!({}));
    }
    desk.state().stopped_at = None;
    desk.post(Input::Step { steps })?;
    let last = progress.steps.saturating_add(steps);
    if !desk.wait(&|progress| progress.steps >= last) {
        return Err((FAILED, format!("the {steps} steps have not been completed")));
    }
    // samples of the last step are out when the session answers
    desk.settle();
    Ok(json!({}))
}

fn reset_simulation(desk: &ServiceDesk, request: &Value) -> Outcome {
    match request["scope"].as_u64().unwrap_or(0) {
        0 | EVERYTHING | 7 => {
            let progress = desk.control.progress();
            desk.send(Input::Reset { seed: progress.seed })?;
            desk.state().spawned.clear();
            Ok(json!({}))
        }
        SPAWNED => {
            let spawned = std::mem::take(&mut desk.state().spawned);
            for entity in spawned {
                desk.send(Input::Remove { entity })?;
            }
            Ok(json!({}))
        }
        other => {
            let text = format!(
                "the scope {other} is not supported; expected everything (0 or 255) or spawned entities (4)"
            );
            Err((UNSUPPORTED, text))
        }
    }
}

fn world(desk: &ServiceDesk, _: &Value) -> Outcome {
    let resource = json!({"uri": desk.path});
    Ok(json!({"world": {"name": desk.world, "world_resource": resource}}))
}

const NAME_NOT_UNIQUE: u8 = 101;
const NAME_INVALID: u8 = 102;
const NO_RESOURCE: u8 = 104;
const NAMESPACE_INVALID: u8 = 105;
const INVALID_POSE: u8 = 109;
/// Result code of `SpawnEntities` if there is none for one of the entities.
const ENTITIES_FAILED: u8 = 150;

fn spawnables(desk: &ServiceDesk, request: &Value) -> Outcome {
    let classes = desk.ask(SessionRequest::ListClasses)?;
    let all = classes.as_array().into_iter().flatten().filter_map(Value::as_str).map(|uri| {
        let (kind, class) = uri.split_once(':').unwrap_or((uri, ""));
        json!({
            "entity_resource": {"uri": uri},
            "description": format!("{kind} of the class '{class}' of the world"),
        })
    });
    let mut found = json!({"spawnables": all.collect::<Vec<_>>()});
    let sources: Vec<&str> =
        request["sources"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !sources.is_empty() {
        let text = format!(
            "only classes of the world are listed; unknown sources: {}",
            sources.join(", ")
        );
        found["result"] = failure(OK, &text);
    }
    Ok(found)
}

fn spawn_all(desk: &ServiceDesk, request: &Value) -> Outcome {
    let requests = request["spawn_requests"].as_array().into_iter().flatten();
    let outcomes: Vec<Outcome> = requests.map(|one| spawn_entity(desk, one)).collect();
    let (count, failed) = (outcomes.len(), outcomes.iter().filter(|one| one.is_err()).count());
    let mut reply = json!({"results": outcomes.into_iter().map(response).collect::<Vec<_>>()});
    if failed > 0 {
        let text = format!("{failed} of {count} entities have not been spawned");
        reply["result"] = failure(ENTITIES_FAILED, &text);
    }
    Ok(reply)
}

fn delete(desk: &ServiceDesk, request: &Value) -> Outcome {
    let entity = request["entity"].as_str().unwrap_or_default();
    if !entities::all(desk)?.iter().any(|known| known.name == entity) {
        return Err((NOT_FOUND, format!("unknown entity: '{entity}'")));
    }
    desk.send(Input::Remove { entity: entity.to_owned() })?;
    desk.state().spawned.retain(|known| known != entity);
    Ok(json!({}))
}

/// Adds an entity, and returns its name.
fn spawn_entity(desk: &ServiceDesk, request: &Value) -> Outcome {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let resource = |key: &str| request["entity_resource"][key].as_str().unwrap_or_default();
    let pose = &request["initial_pose"];
    let [x, y, yaw] = pose_in_world(&pose["header"]["frame_id"], &pose["pose"])
        .map_err(|text| (INVALID_POSE, text))?;
    let mut piece = match (resource("uri"), resource("resource_string")) {
        ("", "") => return Err((NO_RESOURCE, "neither a URI nor a text is given".to_owned())),
        ("", text) => Piece::of_text(text)?,
        (uri, _) if uri.starts_with("file://") || uri.ends_with(".xml") => {
            Piece::of_file(uri, &desk.folders)?
        }
        (uri, _) => Piece::of_class(uri)?,
    };
    let name = free_name(desk, text("name"), request["allow_renaming"] == true, &piece)?;
    let namespace = text("entity_namespace").trim_matches('/');
    if !namespace.is_empty() && namespace != name {
        let text = format!(
            "the namespace is '{namespace}'; expected none, as topics are under the name '{name}'"
        );
        return Err((NAMESPACE_INVALID, text));
    }
    piece.set_name(&name);
    piece.set_pose([x, y, yaw.to_degrees()]);
    add(desk, piece.text.clone(), piece.entity(&name))
}

/// Adds the entity of a piece, waits until it is there, and returns its name.
fn add(desk: &ServiceDesk, fragment: String, entity: String) -> Outcome {
    let sent = desk.control.send(Input::Add { fragment, files: Vec::new() });
    sent.map_err(|error| match error {
        InputError::World { text } => (PARSE_ERROR, text),
        other => (FAILED, other.to_string()),
    })?;
    let is_there = || entities::all(desk).is_ok_and(|all| all.iter().any(|one| one.name == entity));
    desk.settle();
    if !is_there() {
        return Err((FAILED, format!("the run has refused '{entity}', see its messages")));
    }
    desk.state().spawned.push(entity.clone());
    Ok(json!({"entity_name": entity}))
}

/// Returns the name of a new entity: the requested name, the name in the piece, or a new name.
fn free_name(
    desk: &ServiceDesk,
    asked: &str,
    may_rename: bool,
    piece: &Piece,
) -> Result<String, ServiceRefusal> {
    let own = piece.attribute("name").map(str::to_owned).unwrap_or_default();
    let name = if asked.is_empty() { own } else { asked.to_owned() };
    let is_valid =
        |letter: char| !letter.is_control() && !matches!(letter, '/' | '<' | '>' | '&' | '"');
    if name.is_empty() && !may_rename {
        return Err((NAME_INVALID, "the name is empty, and renaming is not allowed".to_owned()));
    }
    if !name.chars().all(is_valid) {
        return Err((NAME_INVALID, format!("the name '{name}' has letters that are not accepted")));
    }
    let known = entities::all(desk)?;
    let is_free = |name: &str| !known.iter().any(|one| one.name == piece.entity(name));
    if !name.is_empty() && is_free(&name) {
        return Ok(name);
    }
    if !may_rename {
        return Err((NAME_NOT_UNIQUE, format!("the name '{name}' is taken")));
    }
    let class = piece.attribute("class").unwrap_or(piece.kind);
    let base = if name.is_empty() { class } else { &name };
    let mut numbered = (2..).map(|number| format!("{base}_{number}"));
    Ok(numbered.find(|name| is_free(name)).unwrap_or(name))
}
