//! Frames of vehicles and sensors, whose transforms have to be a tree.

use std::collections::HashMap;

use simhost_engine::Simulation;
use simhost_world::{Diagnostic, World};

use super::frame_names::{MAP, base_link, odom, wheel_frame};
use super::images;
use super::sensors::uses;
use super::vehicles::moving;

/// Frames of everything that can move but vehicles start with these names.
const KINDS: [&str; 3] = ["block", "actor", "plane"];

/// Checks that no two frames have the same name, and returns the first error.
pub(super) fn check(world: &World, simulation: &Simulation) -> Option<Diagnostic> {
    let mut owners = HashMap::from([(MAP.to_owned(), "the world".to_owned())]);
    for vehicle in simulation.vehicle_names() {
        owners.insert(odom(vehicle), format!("the odometry of vehicle '{vehicle}'"));
        owners.insert(base_link(vehicle), format!("vehicle '{vehicle}'"));
    }
    for wheel in simulation.wheels() {
        let owner = format!("wheel '{}' of '{}'", wheel.wheel, wheel.vehicle);
        owners.insert(wheel_frame(wheel.vehicle, wheel.wheel), owner);
    }
    if simulation.vehicle_names().iter().any(|name| KINDS.contains(&name.as_str())) {
        let frames = moving(world, simulation).into_iter().map(|one| one.frame);
        owners.extend(frames.map(|frame| (frame.clone(), format!("'{frame}'"))));
    }
    simulation.sensors().iter().zip(uses(world)).find_map(|(info, (sensor, _))| {
        let own = format!("{}/{}", info.vehicle, info.sensor);
        let images: Vec<_> =
            info.images.iter().map(|image| images::frame(&own, &image.name)).collect();
        std::iter::once(own).chain(images).find_map(|frame| {
            let owner = format!("sensor '{}' of '{}'", info.sensor, info.vehicle);
            let other = owners.insert(frame.clone(), owner)?;
            let message = format!(
                "the frame `{frame}` of sensor '{}' is already that of {other}",
                info.sensor
            );
            let help = format!("choose another name, such as `{}_sensor`", info.sensor);
            let error = Diagnostic::error(message).at(sensor.model.span);
            Some(error.label("frame names must be unique").help(help))
        })
    })
}
