//! Input streams.

use std::sync::Arc;

use simhost_engine::{CommandKind, Simulation};
use simhost_streams::source::INTERFACES;
use simhost_streams::{Direction, Effect, Stream, StreamType, Trigger, types};
use simhost_world::World;

use super::bind::{MAP, base_link, entity};
use super::draft::Draft;
use super::message_name;
use super::vehicles::Moving;

/// Kinds of commands of the controllers for Autoware, with its messages.
const AUTOWARE: [(&str, StreamType); 8] = [
    ("control", types::ControlCommand::TYPE),
    ("manual_control", types::ControlCommand::TYPE),
    ("gear", types::GearCommand::TYPE),
    ("manual_gear", types::GearCommand::TYPE),
    ("turn_indicators", types::TurnIndicatorsCommand::TYPE),
    ("hazard_lights", types::HazardLightsCommand::TYPE),
    ("engage", types::Engage::TYPE),
    ("initial_pose", types::PoseWithCovariance::TYPE),
];

/// Adds the input streams.
pub(super) fn add(
    world: &World,
    simulation: &Simulation,
    moving: &[Moving],
    drafts: &mut Vec<Draft>,
) {
    let (twist, ackermann) = (Arc::new(types::Twist::TYPE), Arc::new(types::AckermannDrive::TYPE));
    let pose = Arc::new(types::Pose::TYPE);
    let in_world = world.settings.profile.velocity_in_world_frame;
    let of_velocity = |frame: String| if in_world { MAP.to_owned() } else { frame };
    let autoware = AUTOWARE.map(|(name, kind)| (name, Arc::new(kind)));
    for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
        let frame = base_link(vehicle);
        let class = world.vehicles.get(number).map(|one| one.controller.model.full_name.clone());
        for kind in simulation.command_kinds(number) {
            let effect = Effect::Command { vehicle: vehicle.clone(), kind: kind.name.clone() };
            let name = command_stream(&kind.name);
            let known = match kind.name.as_str() {
                "twist" => Some(&twist),
                "speed_steer" => Some(&ackermann),
                name => {
                    let is_own = class.as_deref().is_some_and(|class| INTERFACES.contains(&class));
                    let known = autoware.iter().find(|(known, _)| is_own && *known == name);
                    known.map(|(_, kind)| kind)
                }
            };
            let form = known.unwrap_or(&twist).clone();
            let mut stream = input(format!("{vehicle}/{name}"), form, effect);
            // an initial pose is one in the world
            stream.frame = if name == "cmd_initial_pose" { MAP.to_owned() } else { frame.clone() };
            if let Some(class) = &class {
                stream.source = class.to_string();
            }
            drafts.push(match known {
                Some(_) => Draft::of_values(stream, []),
                // the type is replaced by the one of its values
                None => {
                    let message = format!("{}Command", message_name(&kind.name));
                    Draft::typed(stream, message, values(entity(vehicle), &kind))
                }
            });
        }
        drafts.extend(motion_inputs(vehicle, of_velocity(frame), &pose, &twist));
    }
    let blocks = moving.iter().map(|one| &one.frame).filter(|frame| frame.starts_with("block/"));
    drafts.extend(
        blocks.flat_map(|block| motion_inputs(block, of_velocity(block.clone()), &pose, &twist)),
    );
    let host = [
        ("parameters/set", types::Parameter::TYPE, Effect::Parameter),
        ("pause", types::Bool::TYPE, Effect::Pause),
        ("step", types::Count::TYPE, Effect::Step),
        ("pace", types::Number::TYPE, Effect::Pace),
        ("recording/set", types::Recording::TYPE, Effect::Recording),
    ];
    drafts.extend(host.map(|(name, kind, effect)| {
        Draft::of_values(input(name.to_owned(), kind.into(), effect), [])
    }));
}

/// Returns the name of the stream of a kind of command, without the name of the vehicle.
pub fn command_stream(kind: &str) -> String {
    match kind {
        "twist" => "cmd_vel".to_owned(),
        "speed_steer" => "cmd_ackermann".to_owned(),
        name => format!("cmd_{name}"),
    }
}

fn input(name: String, kind: Arc<StreamType>, effect: Effect) -> Stream {
    Stream {
        direction: Direction::Input,
        trigger: Trigger::Event,
        effect: Some(effect),
        ..Stream::new(name, kind)
    }
}

/// Returns the inputs that set pose and velocity of an entity.
fn motion_inputs(
    entity: &str,
    frame: String,
    pose: &Arc<StreamType>,
    twist: &Arc<StreamType>,
) -> [Draft; 2] {
    let effect = Effect::Pose { entity: entity.to_owned() };
    let mut place = input(format!("{entity}/set_pose"), pose.clone(), effect);
    place.frame = MAP.to_owned();
    let effect = Effect::Velocity { entity: entity.to_owned() };
    let mut launch = input(format!("{entity}/set_velocity"), twist.clone(), effect);
    launch.frame = frame;
    [place, launch].map(|stream| Draft::of_values(stream, []))
}

/// Returns the quantities and the names of the values of a kind of command: inputs of controllers, which have
/// units, or nothing.
fn values(entity: &str, kind: &CommandKind) -> Vec<(Option<String>, String)> {
    let value = |(place, port): (usize, &Option<String>)| match port {
        Some(port) => (Some(format!("{entity}/controller/{port}")), port.clone()),
        None => (None, format!("ignored_{}", place + 1)),
    };
    kind.values.iter().enumerate().map(value).collect()
}
