//! Input streams.

use std::sync::Arc;

use simhost_engine::{CommandKind, Simulation};
use simhost_streams::{Count, Direction, Effect, Field, Stream, StreamType, Trigger, types};
use simhost_world::World;

use super::draft::{Draft, Part, Source};
use super::message_names::message_name;
use super::vehicles::{MAP, Moving, entity};

/// Adds the input streams.
pub(super) fn add(
    world: &World,
    simulation: &Simulation,
    moving: &[Moving],
    drafts: &mut Vec<Draft>,
) {
    let (twist, ackermann) = (Arc::new(types::TWIST), Arc::new(types::ACKERMANN_DRIVE));
    let pose = Arc::new(types::POSE);
    for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
        let frame = format!("{vehicle}/base_link");
        let class = world.vehicles.get(number).map(|one| one.controller.model.full_name.clone());
        for kind in simulation.command_kinds(number) {
            let effect = Effect::Command { vehicle: vehicle.clone(), kind: kind.name.clone() };
            let (name, kind, source) = match kind.name.as_str() {
                "twist" => ("cmd_vel".to_owned(), twist.clone(), Source::Input),
                "speed_steer" => ("cmd_ackermann".to_owned(), ackermann.clone(), Source::Input),
                _ => {
                    // the type is replaced by the one of its values
                    let message = format!("{}Command", message_name(&kind.name));
                    let parts = parts(entity(vehicle), &kind);
                    let source = Source::Typed { message, parts };
                    (format!("cmd_{}", kind.name), twist.clone(), source)
                }
            };
            let mut stream = input(format!("{vehicle}/{name}"), kind, effect);
            stream.frame = frame.clone();
            if let Some(class) = &class {
                stream.source = class.to_string();
            }
            drafts.push(Draft::new(stream, source));
        }
        drafts.push(pose_input(vehicle, &pose));
    }
    let blocks = moving.iter().map(|one| &one.frame).filter(|frame| frame.starts_with("block/"));
    drafts.extend(blocks.map(|block| pose_input(block, &pose)));
    let host = [
        ("parameters/set", types::PARAMETER, Effect::Parameter),
        ("pause", types::BOOL, Effect::Pause),
        ("step", types::COUNT, Effect::Step),
        ("pace", types::NUMBER, Effect::Pace),
        ("recording/set", types::RECORDING, Effect::Recording),
    ];
    drafts.extend(host.map(|(name, kind, effect)| {
        Draft::new(input(name.to_owned(), kind.into(), effect), Source::Input)
    }));
}

fn input(name: String, kind: Arc<StreamType>, effect: Effect) -> Stream {
    Stream {
        direction: Direction::Input,
        trigger: Trigger::Event,
        effect: Some(effect),
        ..Stream::new(name, kind)
    }
}

fn pose_input(entity: &str, kind: &Arc<StreamType>) -> Draft {
    let effect = Effect::Pose { entity: entity.to_owned() };
    let mut stream = input(format!("{entity}/set_pose"), kind.clone(), effect);
    stream.frame = MAP.to_owned();
    Draft::new(stream, Source::Input)
}

/// Returns the values of a kind of command. Inputs of controllers are quantities with units.
fn parts(entity: &str, kind: &CommandKind) -> Vec<Part> {
    let part = |(place, port): (usize, &Option<String>)| match port {
        Some(port) => {
            Part::Quantity { name: format!("{entity}/controller/{port}"), field: port.clone() }
        }
        None => Part::Field(Field {
            name: format!("ignored_{}", place + 1).into(),
            unit: "1".into(),
            doc: "Has no effect.".into(),
            count: Count::One,
        }),
    };
    kind.values.iter().enumerate().map(part).collect()
}
