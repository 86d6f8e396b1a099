//! The parts of a vehicle, for descriptions in URDF.

use serde_json::{Value, json};
use simhost::Session;
use simhost_scene::Pose3;
use simhost_world::{WheelTurning, World};

/// Returns the parts of a vehicle in JSON, in its frame: lengths in m, angles in rad, masses in kg.
///
/// # Errors
/// There is no such vehicle.
pub fn describe(name: &str, world: &World, session: &Session) -> Result<String, String> {
    let found = world.vehicles.iter().find(|vehicle| vehicle.name == name);
    let vehicle = found.ok_or_else(|| format!("unknown vehicle: '{name}'"))?;
    let wheels = vehicle.wheels.iter().map(|wheel| {
        json!({
            "name": wheel.name(), "x": wheel.x, "y": wheel.y, "yaw": wheel.yaw,
            "turns": !matches!(wheel.turning, WheelTurning::Fixed),
            "mass": wheel.mass, "width": wheel.width, "diameter": wheel.diameter,
        })
    });
    let chassis = &vehicle.chassis;
    Ok(json!({
        "name": name,
        "chassis": {
            "outline": chassis.polygon, "z_min": chassis.z_min, "z_max": chassis.z_max,
            "mass": chassis.mass,
        },
        "wheels": wheels.collect::<Vec<_>>(),
        "sensors": sensors(name, session),
    })
    .to_string())
}

/// Returns the sensors of a vehicle with their poses.
fn sensors(vehicle: &str, session: &Session) -> Vec<Value> {
    let simulation = session.simulation();
    let all = simulation.sensors().iter().enumerate();
    let own = all.filter(|(_, info)| info.vehicle == vehicle);
    let described = own.map(|(index, info)| {
        let Pose3 { x, y, z, yaw, pitch, roll } = simulation.samples().origin(index);
        json!({"name": info.sensor, "pose": [x, y, z, yaw, pitch, roll]})
    });
    described.collect()
}
