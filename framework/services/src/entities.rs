//! Services of `simulation_interfaces` about entities: their names, states and descriptions.

use regex_lite::Regex;
use serde_json::{Value, json};
use simhost_streams::ros::{quaternion, yaw_pitch_roll};
use simhost_streams::{Input, SessionRequest};

use crate::desk::{FAILED, NOT_FOUND, ServiceDesk, ServiceRefusal, UNSUPPORTED};
use crate::service::Outcome;

/// Result code of `SetEntityState` for a pose that is not one.
const INVALID_POSE: u8 = 101;

/// Category of blocks that can be moved.
const OBJECT: u8 = 0;
/// Category of vehicles.
const ROBOT: u8 = 1;
/// Category of actors.
const DYNAMIC_OBJECT: u8 = 4;
/// Category of blocks that do not move.
const STATIC_OBJECT: u8 = 5;

/// Frames in which poses of requests can be.
const WORLD_FRAMES: [&str; 3] = ["", "map", "world"];

/// An entity of the world.
pub struct Entity {
    /// Name of a vehicle, `block/NAME` or `actor/NAME`.
    pub name: String,
    /// Name in the names of its quantities.
    quantity: String,
    category: u8,
    description: String,
    tags: Vec<String>,
}

/// An entity with its motion in the frame of the world.
struct Placed {
    /// x, y, z, m; yaw, pitch, roll, rad.
    pose: [f64; 6],
    /// Velocity along x and y, m/s; yaw rate, rad/s.
    twist: [f64; 3],
}

impl Placed {
    /// Returns its `EntityState` at a time in s.
    fn state(&self, time: f64) -> Value {
        let [x, y, z, yaw, pitch, roll] = self.pose;
        let [qx, qy, qz, qw] = quaternion([yaw, pitch, roll]);
        let [vx, vy, rate] = self.twist;
        json!({
            "header": {"stamp": stamp(time), "frame_id": "map"},
            "pose": {
                "position": {"x": x, "y": y, "z": z},
                "orientation": {"x": qx, "y": qy, "z": qz, "w": qw},
            },
            "twist": {"linear": {"x": vx, "y": vy}, "angular": {"z": rate}},
        })
    }
}

/// Returns a time in s as `builtin_interfaces/msg/Time`.
pub fn stamp(time: f64) -> Value {
    let nanoseconds = (time * 1e9).round() as u64;
    json!({"sec": nanoseconds / 1_000_000_000, "nanosec": nanoseconds % 1_000_000_000})
}

/// Returns all entities: vehicles, then blocks, then actors.
pub fn all(desk: &ServiceDesk) -> Result<Vec<Entity>, ServiceRefusal> {
    let description = desk.description()?;
    let list = |key: &str| description[key].as_array().cloned().unwrap_or_default();
    let vehicles = list("vehicles").into_iter().map(|vehicle| of_vehicle(&vehicle));
    let bodies = list("bodies").into_iter().map(|body| of_body(&body));
    // the world and entities of other kinds come first in the names of quantities
    let mut bare = vec!["world".to_owned()];
    let entities = vehicles.chain(bodies).map(|entity| {
        let name = &entity.name;
        let own = name.strip_prefix("block/").or_else(|| name.strip_prefix("actor/"));
        let own = own.unwrap_or(name).to_owned();
        let earlier = bare.iter().filter(|one| **one == own).count();
        let quantity = if earlier == 0 { own.clone() } else { format!("{own}#{}", earlier + 1) };
        bare.push(own);
        Entity { quantity, ..entity }
    });
    Ok(entities.collect())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn of_vehicle(vehicle: &Value) -> Entity {
    let classes = ["dynamics", "controller", "friction"].map(|part| text(&vehicle[part]));
    let description = format!("vehicle with {}", classes.join(", "));
    let tags = ["vehicle".to_owned()].into_iter().chain(classes).collect();
    let (name, quantity) = (text(&vehicle["label"]), String::new());
    Entity { name, quantity, category: ROBOT, description, tags }
}

fn of_body(body: &Value) -> Entity {
    let name = text(&body["label"]);
    let is_movable = body["movable"].as_bool().unwrap_or_default();
    let kind = name.split('/').next().unwrap_or_default().to_owned();
    let (category, description) = match (kind.as_str(), is_movable) {
        ("actor", _) => (DYNAMIC_OBJECT, "actor that follows a path"),
        (_, true) => (OBJECT, "block that can be pushed"),
        (_, false) => (STATIC_OBJECT, "block that does not move"),
    };
    let (description, quantity) = (description.to_owned(), String::new());
    Entity { name, quantity, category, description, tags: vec![kind] }
}

/// Returns the entity that a request names.
fn named(desk: &ServiceDesk, request: &Value) -> Result<Entity, ServiceRefusal> {
    let name = request["entity"].as_str().unwrap_or_default();
    let found = all(desk)?.into_iter().find(|entity| entity.name == name);
    found.ok_or_else(|| (NOT_FOUND, format!("unknown entity: '{name}'")))
}

/// Returns the entities that pass `EntityFilters`.
fn matching(desk: &ServiceDesk, filters: &Value) -> Result<Vec<Entity>, ServiceRefusal> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    if !list(&filters["bounds"]["points"]).is_empty() {
        return Err((UNSUPPORTED, "filters with bounds are not supported".to_owned()));
    }
    let filter = filters["filter"].as_str().unwrap_or_default();
    // an empty expression matches every name
    let filter = Regex::new(filter).map_err(|error| {
        (FAILED, format!("the filter '{filter}' is not a regular expression: {error}"))
    })?;
    let categories = list(&filters["categories"]);
    let tags = list(&filters["tags"]["tags"]);
    let is_all = filters["tags"]["filter_mode"] == 1;
    let is_match = |entity: &Entity| {
        let has = |tag: &Value| entity.tags.iter().any(|own| tag == own);
        filter.is_match(&entity.name)
            && (categories.is_empty()
                || categories.iter().any(|one| one["category"] == entity.category))
            && (tags.is_empty() || if is_all { tags.iter().all(has) } else { tags.iter().any(has) })
    };
    Ok(all(desk)?.into_iter().filter(is_match).collect())
}

/// Returns the time in s, and where entities are.
fn poses(desk: &ServiceDesk, entities: Vec<Entity>) -> Result<(f64, Vec<Placed>), ServiceRefusal> {
    let of =
        |what: &'static str| entities.iter().map(move |one| format!("{}/{what}", one.quantity));
    let read = desk.ask(SessionRequest::ReadQuantities(of("pose").chain(of("twist")).collect()))?;
    let time = read["time_s"].as_f64().unwrap_or_default();
    let values = |name: String| {
        let list = read["values"][name].as_array().cloned().unwrap_or_default();
        list.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect::<Vec<f64>>()
    };
    let placed = entities.iter().zip(of("pose").zip(of("twist"))).map(|(entity, (pose, twist))| {
        let pose = values(pose).first_chunk().copied();
        let pose = pose.ok_or((FAILED, format!("the pose of '{}' is not known", entity.name)))?;
        // what does not move has no velocity
        let [vx, vy, rate] = values(twist).first_chunk().copied().unwrap_or_default();
        let twist = match entity.category {
            ROBOT => turned([vx, vy], pose[3]),
            _ => [vx, vy],
        };
        Ok(Placed { pose, twist: [twist[0], twist[1], rate] })
    });
    Ok((time, placed.collect::<Result<_, ServiceRefusal>>()?))
}

/// Returns a vector that is turned counter-clockwise.
fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    [cos * x - sin * y, sin * x + cos * y]
}

pub fn list(desk: &ServiceDesk, request: &Value) -> Outcome {
    let found = matching(desk, &request["filters"])?;
    let names: Vec<String> = found.into_iter().map(|entity| entity.name).collect();
    Ok(json!({"entities": names}))
}

pub fn info(desk: &ServiceDesk, request: &Value) -> Outcome {
    let Entity { category, description, tags, .. } = named(desk, request)?;
    let category = json!({"category": category});
    Ok(json!({"info": {"category": category, "description": description, "tags": tags}}))
}

pub fn state(desk: &ServiceDesk, request: &Value) -> Outcome {
    let (time, placed) = poses(desk, vec![named(desk, request)?])?;
    Ok(json!({"state": placed[0].state(time)}))
}

pub fn states(desk: &ServiceDesk, request: &Value) -> Outcome {
    let entities = matching(desk, &request["filters"])?;
    let known: Vec<String> = entities.iter().map(|entity| entity.name.clone()).collect();
    let (time, placed) = poses(desk, entities)?;
    let states: Vec<Value> = placed.iter().map(|one| one.state(time)).collect();
    Ok(json!({"entities": known, "states": states}))
}

/// Returns x and y, m, and yaw, rad, of a pose in a frame.
///
/// # Errors
/// The reason why it is not a pose in the frame of the world.
pub fn pose_in_world(frame: &Value, pose: &Value) -> Result<[f64; 3], String> {
    let frame = frame.as_str().unwrap_or_default();
    if !WORLD_FRAMES.contains(&frame.trim_start_matches('/')) {
        return Err(format!("the frame is '{frame}'; expected map or world"));
    }
    let number = |part: &str, axis: &str| pose[part][axis].as_f64().unwrap_or(f64::NAN);
    let [x, y] = ["x", "y"].map(|axis| number("position", axis));
    let orientation = ["x", "y", "z", "w"].map(|axis| number("orientation", axis));
    let norm: f64 = orientation.iter().map(|part| part * part).sum();
    if !(x.is_finite() && y.is_finite()) {
        return Err("the position is not finite".to_owned());
    }
    if !(0.98..1.02).contains(&norm) {
        return Err(format!("the square of the quaternion is {norm}; expected 1"));
    }
    Ok([x, y, yaw_pitch_roll(orientation)[0]])
}

pub fn set_state(desk: &ServiceDesk, request: &Value) -> Outcome {
    let entity = named(desk, request)?;
    let is_set = |what: &str| request[what].as_bool().unwrap_or_default();
    let (sets_pose, sets_twist) = (is_set("set_pose"), is_set("set_twist"));
    if is_set("set_acceleration") {
        return Err((UNSUPPORTED, "accelerations follow from forces and cannot be set".to_owned()));
    }
    let state = &request["state"];
    let frame = &state["header"]["frame_id"];
    let in_world = description_says_world_frame(desk)?;
    let name = entity.name.clone();
    let (_, placed) = poses(desk, vec![entity])?;
    let pose = match sets_pose {
        true => pose_in_world(frame, &state["pose"]).map_err(|text| (INVALID_POSE, text))?,
        false => [placed[0].pose[0], placed[0].pose[1], placed[0].pose[3]],
    };
    // a new pose alone would end the motion
    let twist = if sets_twist { twist_of(&state["twist"])? } else { placed[0].twist };
    if sets_pose {
        desk.post(Input::Pose { entity: name.clone(), pose })?;
    }
    if sets_twist || sets_pose {
        let [vx, vy] = match in_world {
            true => [twist[0], twist[1]],
            false => turned([twist[0], twist[1]], -pose[2]),
        };
        desk.send(Input::Velocity { entity: name, velocity: [vx, vy, twist[2]] })?;
    }
    Ok(json!({}))
}

/// Returns velocities along x and y, m/s, and the yaw rate, rad/s, of a `geometry_msgs/msg/Twist`.
fn twist_of(twist: &Value) -> Result<[f64; 3], ServiceRefusal> {
    let number = |part: &str, axis: &str| {
        let number = twist[part][axis].as_f64();
        number.ok_or_else(|| (FAILED, "the twist is not finite".to_owned()))
    };
    Ok([number("linear", "x")?, number("linear", "y")?, number("angular", "z")?])
}

/// Returns whether inputs have velocities in the frame of the world instead of the frame of the
/// entity.
fn description_says_world_frame(desk: &ServiceDesk) -> Result<bool, ServiceRefusal> {
    Ok(desk.description()?["velocity_in_world_frame"].as_bool().unwrap_or_default())
}
