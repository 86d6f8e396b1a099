//! Services of `simulation_interfaces` that add and remove entities.

use serde_json::{Value, json};
use simhost_streams::{Input, InputError, SessionRequest};

use super::desk::ServiceDesk;
use super::entities::{self, pose_in_world};
use super::{Entry, FAILED, NOT_FOUND, Refusal, response};

/// The services of this module.
pub const SERVICES: &[Entry] = &[
    ("spawn_entity", "simulation_interfaces/srv/SpawnEntity", |desk, request| {
        response(spawn(desk, request).map(|name| json!({"entity_name": name})))
    }),
    ("spawn_entities", "simulation_interfaces/srv/SpawnEntities", spawn_all),
    ("delete_entity", "simulation_interfaces/srv/DeleteEntity", |desk, request| {
        response(delete(desk, request["entity"].as_str().unwrap_or_default()))
    }),
    ("get_spawnables", "simulation_interfaces/srv/GetSpawnables", |desk, request| {
        response(spawnables(desk, request))
    }),
];

const NAME_NOT_UNIQUE: u8 = 101;
const NAME_INVALID: u8 = 102;
const UNSUPPORTED_FORMAT: u8 = 103;
const NO_RESOURCE: u8 = 104;
const NAMESPACE_INVALID: u8 = 105;
const PARSE_ERROR: u8 = 106;
const INVALID_POSE: u8 = 109;
/// Result code of `SpawnEntities` if there is none for one of the entities.
const ENTITIES_FAILED: u8 = 150;

/// Kinds of entities that can be spawned.
const KINDS: [&str; 3] = ["vehicle", "block", "actor"];

fn spawnables(desk: &ServiceDesk, request: &Value) -> Result<Value, Refusal> {
    let classes = desk.ask(SessionRequest::ListClasses)?;
    let all = classes.as_array().into_iter().flatten().filter_map(Value::as_str).map(|uri| {
        let (kind, class) = uri.split_once(':').unwrap_or((uri, ""));
        json!({
            "entity_resource": {"uri": uri},
            "description": format!("{kind} of the class '{class}' of the world"),
        })
    });
    let mut found = response(Ok(json!({"spawnables": all.collect::<Vec<_>>()})));
    let sources: Vec<&str> =
        request["sources"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !sources.is_empty() {
        let text = format!(
            "only classes of the world are listed; unknown sources: {}",
            sources.join(", ")
        );
        found["result"]["error_message"] = text.into();
    }
    Ok(found)
}

fn spawn_all(desk: &ServiceDesk, request: &Value) -> Value {
    let requests = request["spawn_requests"].as_array().cloned().unwrap_or_default();
    let mut all = Vec::new();
    let mut failed = 0;
    for one in &requests {
        let outcome = spawn(desk, one);
        failed += usize::from(outcome.is_err());
        all.push(response(outcome.map(|name| json!({"entity_name": name}))));
    }
    let mut reply = match failed {
        0 => response(Ok(json!({}))),
        _ => {
            let text = format!("{failed} of {} entities have not been spawned", requests.len());
            response(Err((ENTITIES_FAILED, text)))
        }
    };
    reply["results"] = all.into();
    reply
}

fn delete(desk: &ServiceDesk, entity: &str) -> Result<Value, Refusal> {
    if !entities::all(desk)?.iter().any(|known| known.name == entity) {
        return Err((NOT_FOUND, format!("there is no entity '{entity}'")));
    }
    desk.send(Input::Remove { entity: entity.to_owned() })?;
    desk.state().spawned.retain(|known| known != entity);
    Ok(json!({}))
}

/// Adds an entity, and returns its name.
fn spawn(desk: &ServiceDesk, request: &Value) -> Result<String, Refusal> {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let resource = |key: &str| request["entity_resource"][key].as_str().unwrap_or_default();
    let pose = &request["initial_pose"];
    let [x, y, yaw] = pose_in_world(&pose["header"]["frame_id"], &pose["pose"])
        .map_err(|text| (INVALID_POSE, text))?;
    let mut piece = match (resource("uri"), resource("resource_string")) {
        ("", "") => return Err((NO_RESOURCE, "neither a URI nor a text is given".to_owned())),
        ("", text) => Piece::of_text(text)?,
        (uri, _) if uri.starts_with("file://") || uri.ends_with(".xml") => Piece::of_file(uri)?,
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

/// Adds the entity of a piece, and waits until it is there.
fn add(desk: &ServiceDesk, fragment: String, entity: String) -> Result<String, Refusal> {
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
    Ok(entity)
}

/// Returns the name of a new entity: the one that is asked for, that of the piece, or a new one.
fn free_name(
    desk: &ServiceDesk,
    asked: &str,
    may_rename: bool,
    piece: &Piece,
) -> Result<String, Refusal> {
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

/// A piece of a world file with one entity.
struct Piece {
    text: String,
    kind: &'static str,
    /// Place of the opening tag of the entity, from `<` to behind `>`.
    tag: std::ops::Range<usize>,
}

impl Piece {
    /// Makes an entity of a class, given as `vehicle:robot`.
    fn of_class(uri: &str) -> Result<Self, Refusal> {
        let parts = uri.split_once(':');
        let found =
            parts.and_then(|(kind, class)| Some((*KINDS.iter().find(|one| **one == kind)?, class)));
        let is_plain = |class: &str| !class.contains(['<', '>', '&', '"']);
        let Some((kind, class)) = found.filter(|(_, class)| is_plain(class)) else {
            let text = format!(
                "the URI is '{uri}'; expected a file or a class of the world, such as vehicle:robot"
            );
            return Err((UNSUPPORTED_FORMAT, text));
        };
        Self::of_text(&format!("<{kind} class=\"{class}\"></{kind}>"))
    }

    /// Reads a piece of a world file. Its relative paths start at the folder of the world.
    fn of_file(uri: &str) -> Result<Self, Refusal> {
        let path = uri.strip_prefix("file://").unwrap_or(uri);
        let text = std::fs::read_to_string(path)
            .map_err(|error| (PARSE_ERROR, format!("cannot read {path}: {error}")))?;
        Self::of_text(&text)
    }

    /// Finds the entity in a piece of a world file.
    fn of_text(text: &str) -> Result<Self, Refusal> {
        let refused = || {
            let text = "the text is not a piece of a world file that begins with <vehicle>, <block> or <actor>";
            (UNSUPPORTED_FORMAT, text.to_owned())
        };
        let start = first_tag(text).ok_or_else(refused)?;
        let rest = &text[start + 1..];
        let end_of_name = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == ':'));
        let name = &rest[..end_of_name.unwrap_or(rest.len())];
        let kind = KINDS.iter().find(|kind| **kind == name).ok_or_else(refused)?;
        let end = start + 1 + end_of_tag(rest).ok_or_else(refused)?;
        let mut piece = Self { text: text.to_owned(), kind, tag: start..end };
        if piece.text[piece.tag.clone()].ends_with("/>") {
            piece.text.replace_range(end - 2..end, &format!("></{kind}>"));
            piece.tag.end -= 1;
        }
        Ok(piece)
    }

    /// Returns the name of the entity for other services.
    fn entity(&self, name: &str) -> String {
        if self.kind == "vehicle" { name.to_owned() } else { format!("{}/{name}", self.kind) }
    }

    /// Returns the place of the value of an attribute of the opening tag.
    fn place_of(&self, name: &str) -> Option<std::ops::Range<usize>> {
        let tag = &self.text[self.tag.clone()];
        let mut at = tag.find(char::is_whitespace)?;
        loop {
            at += tag[at..].find(|letter: char| letter.is_alphabetic())?;
            let equals = at + tag[at..].find('=')?;
            let open = equals + tag[equals..].find(['"', '\''])?;
            let quote = tag[open..].chars().next()?;
            let close = open + 1 + tag[open + 1..].find(quote)?;
            if tag[at..equals].trim() == name {
                return Some(self.tag.start + open + 1..self.tag.start + close);
            }
            at = close + 1;
        }
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.place_of(name).map(|place| &self.text[place])
    }

    fn set_name(&mut self, name: &str) {
        let (place, value) = match self.place_of("name") {
            Some(place) => (place, name.to_owned()),
            None => {
                let at = self.tag.start + 1 + self.kind.len();
                (at..at, format!(" name=\"{name}\""))
            }
        };
        let before = self.text.len();
        self.text.replace_range(place, &value);
        self.tag.end = self.tag.end + self.text.len() - before;
    }

    /// Replaces the initial pose: x and y, m, and yaw, degrees.
    fn set_pose(&mut self, [x, y, yaw]: [f64; 3]) {
        for name in ["init_pose", "init_pose3d"] {
            let (open, close) = (format!("<{name}>"), format!("</{name}>"));
            let found = self.text.find(&open).zip(self.text.find(&close));
            if let Some((start, end)) = found.filter(|(start, end)| start < end) {
                self.text.replace_range(start..end + close.len(), "");
            }
        }
        self.text.insert_str(self.tag.end, &format!("<init_pose>{x} {y} {yaw}</init_pose>"));
    }
}

/// Returns the place of the first opening tag, behind declarations and comments.
fn first_tag(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => return Some(at),
        };
        at += rest.find(end)? + end.len();
    }
}

/// Returns the place behind the end of the tag that a text begins in. `>` can occur in values of attributes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Piece;

    #[test]
    fn pieces_get_names_and_poses() {
        let mut piece = Piece::of_class("vehicle:robot").unwrap();
        assert_eq!((piece.attribute("class"), piece.attribute("name")), (Some("robot"), None));
        piece.set_name("r2");
        piece.set_pose([1.0, -2.5, 90.0]);
        let expected =
            "<vehicle name=\"r2\" class=\"robot\"><init_pose>1 -2.5 90</init_pose></vehicle>";
        assert_eq!(piece.text, expected);
        let text = "<?xml version=\"1.0\"?><!-- <block/> -->\n<block note='a > b' name = \"box\"/>";
        let mut piece = Piece::of_text(text).unwrap();
        assert_eq!(piece.attribute("name"), Some("box"));
        assert_eq!(piece.entity("box"), "block/box");
        piece.set_name("crate");
        piece.set_pose([0.0; 3]);
        assert!(
            piece.text.ends_with(
                "<block note='a > b' name = \"crate\"><init_pose>0 0 0</init_pose></block>"
            ),
            "{}",
            piece.text
        );
        let mut piece =
            Piece::of_text("<actor name='a'><init_pose>9 9 9</init_pose></actor>").unwrap();
        piece.set_pose([1.0, 2.0, 3.0]);
        assert_eq!(piece.text, "<actor name='a'><init_pose>1 2 3</init_pose></actor>");
        for wrong in ["", "robot", "<robot/>", "<vehicle", "<!-- <vehicle/>", "<vehicle name=\"a"] {
            assert!(Piece::of_text(wrong).is_err(), "{wrong}");
        }
        assert!(Piece::of_class("vehicle:a\"b").is_err());
        assert!(Piece::of_class("package://robot.sdf").is_err());
        assert!(Piece::of_file("file:///nowhere.xml").is_err());
    }
}
