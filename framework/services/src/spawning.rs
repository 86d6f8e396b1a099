//! Services of `simulation_interfaces` that add and remove entities.

use serde_json::{Value, json};
use simhost_streams::{Input, InputError, SessionRequest};

use crate::desk::{FAILED, NOT_FOUND, OK, ServiceDesk, ServiceRefusal};
use crate::entities::{self, pose_in_world};
use crate::piece::{PARSE_ERROR, Piece};
use crate::service::{Outcome, failure, response};

const NAME_NOT_UNIQUE: u8 = 101;
const NAME_INVALID: u8 = 102;
const NO_RESOURCE: u8 = 104;
const NAMESPACE_INVALID: u8 = 105;
const INVALID_POSE: u8 = 109;
/// Result code of `SpawnEntities` if there is none for one of the entities.
const ENTITIES_FAILED: u8 = 150;

pub fn spawnables(desk: &ServiceDesk, request: &Value) -> Outcome {
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

pub fn spawn_all(desk: &ServiceDesk, request: &Value) -> Outcome {
    let requests = request["spawn_requests"].as_array().into_iter().flatten();
    let outcomes: Vec<Outcome> = requests.map(|one| spawn(desk, one)).collect();
    let (count, failed) = (outcomes.len(), outcomes.iter().filter(|one| one.is_err()).count());
    let mut reply = json!({"results": outcomes.into_iter().map(response).collect::<Vec<_>>()});
    if failed > 0 {
        let text = format!("{failed} of {count} entities have not been spawned");
        reply["result"] = failure(ENTITIES_FAILED, &text);
    }
    Ok(reply)
}

pub fn delete(desk: &ServiceDesk, request: &Value) -> Outcome {
    let entity = request["entity"].as_str().unwrap_or_default();
    if !entities::all(desk)?.iter().any(|known| known.name == entity) {
        return Err((NOT_FOUND, format!("unknown entity: '{entity}'")));
    }
    desk.send(Input::Remove { entity: entity.to_owned() })?;
    desk.state().spawned.retain(|known| known != entity);
    Ok(json!({}))
}

/// Adds an entity, and returns its name.
pub fn spawn(desk: &ServiceDesk, request: &Value) -> Outcome {
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
