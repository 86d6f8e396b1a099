//! Targets of the names of variations in a world.

use simhost_model::nearest;
use simhost_streams::{Input, InputError};
use simhost_world::ParameterOwner;

use crate::error::{Error, VariationError};
use crate::session::Session;
use crate::streams::command_stream;

/// Target of a name.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The seed of a member.
    Seed,
    /// A parameter of a model.
    Parameter,
    /// A value in a parameter that is a text of names with values.
    Entry(TextEntry),
    /// A number of a fault of a vehicle, by their indices.
    Fault { vehicle: usize, fault: usize },
    /// The pose of an entity, or one of its components.
    Pose(MotionPart),
    /// The velocity of an entity, or one of its components.
    Velocity(MotionPart),
    /// A command, or one of its values.
    Command {
        vehicle: String,
        kind: String,
        /// Number of values.
        width: usize,
        /// Index of the value.
        part: Option<usize>,
    },
}

/// A value in a parameter that is a text such as `LMUY 0.8; PKY1 -20`.
#[derive(Clone, Debug, PartialEq)]
pub struct TextEntry {
    /// Name of the parameter.
    pub parameter: String,
    /// Name of the value.
    pub key: String,
    /// The text in the world.
    pub text: String,
}

impl TextEntry {
    fn find(parameter: &str, key: &str, session: &Session) -> Self {
        let known = session.world().description().map(|world| world.parameters());
        let known = known.into_iter().flatten().find(|(name, _)| name == parameter);
        let (parameter, key) = (parameter.to_owned(), key.to_owned());
        Self { parameter, key, text: known.map_or(String::new(), |(_, text)| text) }
    }
}

/// Returns a text of names with values in which one has another value, or is added.
pub fn with_entry(text: &str, key: &str, value: &str) -> String {
    let is_other = |row: &&str| {
        let name = row.split(['=', ' ', '\t']).next().unwrap_or_default();
        !row.is_empty() && !name.eq_ignore_ascii_case(key)
    };
    let rows = text.split([';', '\n']).map(str::trim).filter(is_other).map(str::to_owned);
    rows.chain([format!("{key} {value}")]).collect::<Vec<_>>().join("; ")
}

/// An entity, and a component of its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPart {
    /// Name of a vehicle, or `block/NAME`.
    pub entity: String,
    /// Index of the component.
    pub part: Option<usize>,
}

const POSE: [&str; 3] = ["x", "y", "yaw"];
const VELOCITY: [&str; 3] = ["vx", "vy", "omega"];

impl Target {
    /// Looks a name up.
    ///
    /// # Errors
    /// [`VariationError::Name`] with the nearest name.
    pub fn find(name: &str, session: &Session) -> Result<Self, VariationError> {
        if name == "seed" {
            return Ok(Self::Seed);
        }
        if let Some((_, found)) = own_names(session).find(|(known, _)| known == name) {
            return Ok(found);
        }
        // a colon after the last part of the name
        let split = name.rsplit_once(':').filter(|(_, key)| !key.contains('/'));
        if let Some((parameter, key)) = split
            && session.world().find_parameter(parameter).is_ok()
        {
            return Ok(Self::Entry(TextEntry::find(parameter, key, session)));
        }
        match session.world().find_parameter(split.map_or(name, |(parameter, _)| parameter)) {
            Ok(ParameterOwner::Fault { vehicle, fault }) => Ok(Self::Fault { vehicle, fault }),
            Ok(_) => Ok(Self::Parameter),
            Err(Error::Input(InputError::Unknown { what, help, .. })) => {
                Err(unknown(name, session, what, help))
            }
            Err(error) => {
                Err(VariationError::Name { name: name.to_owned(), help: error.to_string() })
            }
        }
    }

    /// Returns the number of numbers that a value has; `None` for a text as in a world file.
    pub fn width(&self) -> Option<usize> {
        match self {
            Self::Seed | Self::Parameter | Self::Entry(_) | Self::Fault { .. } => None,
            Self::Pose(MotionPart { part: None, .. })
            | Self::Velocity(MotionPart { part: None, .. }) => Some(3),
            Self::Command { part: None, width, .. } => Some(*width),
            _ => Some(1),
        }
    }
}

/// Returns all names of poses, velocities and commands.
fn own_names(session: &Session) -> impl Iterator<Item = (String, Target)> {
    let simulation = session.simulation();
    let motions = simulation.placeable().flat_map(|entity| {
        let of = |what: &str, parts: [&str; 3], target: fn(MotionPart) -> Target| {
            let place = |part| target(MotionPart { entity: entity.to_owned(), part });
            let whole = (format!("{entity}/{what}"), place(None));
            let parts = parts.into_iter().enumerate();
            let parts =
                parts.map(|(part, name)| (format!("{entity}/{what}/{name}"), place(Some(part))));
            std::iter::once(whole).chain(parts).collect::<Vec<_>>()
        };
        let mut names = of("pose", POSE, Target::Pose);
        names.extend(of("velocity", VELOCITY, Target::Velocity));
        names
    });
    let vehicles = simulation.vehicle_names().iter().enumerate();
    let commands = vehicles.flat_map(|(number, vehicle)| {
        simulation.command_kinds(number).into_iter().flat_map(move |kind| {
            let stream = format!("{vehicle}/{}", command_stream(&kind.name));
            let width = kind.values.len();
            let command = |part| Target::Command {
                vehicle: vehicle.clone(),
                kind: kind.name.clone(),
                width,
                part,
            };
            let mut names = vec![(stream.clone(), command(None))];
            for (part, port) in kind.values.iter().enumerate() {
                if let Some(port) = port {
                    let short = port.strip_prefix("command_").unwrap_or(port);
                    names.push((format!("{stream}/{short}"), command(Some(part))));
                }
            }
            names
        })
    });
    motions.chain(commands)
}

/// Returns the error of an unknown name. `parameter` says what is unknown if it is the name of a parameter, with the
/// help.
fn unknown(name: &str, session: &Session, what: &str, help: String) -> VariationError {
    const ONCE: &str = "variables, classes and counts of the world file are the same in all members, because the \
                        world is expanded once";
    let own: Vec<String> = own_names(session).map(|(name, _)| name).collect();
    let near_own = nearest(name, own.iter().map(String::as_str).chain(["seed"]));
    let mut help = match near_own {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None if what != "parameter" => format!("unknown {what}; {help}"),
        None => help,
    };
    let last = name.rsplit('/').next().unwrap_or_default();
    if !name.contains('/') || matches!(last, "class" | "count" | "name") {
        help = format!("{ONCE}; {help}");
    }
    VariationError::Name { name: name.to_owned(), help }
}

/// Returns pose and velocity of an entity in a session: before the first step exactly the values of
/// the world file, or the values that have been set.
pub fn motion_of(session: &Session, entity: &str) -> [[f64; 3]; 2] {
    let world = session.world();
    let described = world.description().filter(|_| session.steps() == 0).and_then(|world| {
        let block = entity.strip_prefix("block/");
        let vehicle = world.vehicles.iter().find(|one| one.name == entity);
        let block = world.blocks.iter().find(|one| Some(&*one.name) == block);
        let of_vehicle = vehicle.map(|one| (one.pose, one.velocity));
        of_vehicle.or(block.map(|one| (one.pose, one.velocity)))
    });
    let Some((pose, velocity)) = described else {
        let motion = session.simulation().motion_of(entity);
        return motion.map_or([[0.0; 3]; 2], |(pose, velocity)| [pose, velocity]);
    };
    let start = [[pose.x, pose.y, pose.yaw], velocity];
    world.early_inputs().iter().fold(start, |[pose, velocity], input| match input {
        Input::Pose { entity: placed, pose } if placed == entity => [*pose, [0.0; 3]],
        Input::Velocity { entity: launched, velocity } if launched == entity => [pose, *velocity],
        _ => [pose, velocity],
    })
}
