//! Vehicles that were made from the file of a robot: its text, and the frames of its links.
//!
//! Each link has a frame with its name, fixed to the vehicle or to a wheel. Frames that would have the name of a link get
//! another one: the frame of the vehicle has the name that its description gives, and others a name that ends with
//! `_sensor`.

use std::collections::{HashMap, HashSet};

use simhost_engine::Simulation;
use simhost_scene::Pose3;
use simhost_streams::{Stream, Trigger, types};
use simhost_world::{LinkMotion, RobotDescription, World};

use super::bind::{base_link, unused};
use super::draft::{Draft, Fixed, Gate};

/// The robots of a world.
pub(super) struct Robots<'w> {
    robots: Vec<(&'w str, &'w RobotDescription)>,
    /// Names of frames by the names that they would have without the robots.
    renamed: HashMap<String, String>,
}

/// A link on a wheel or on the chassis.
pub(super) struct Mounted {
    /// Frame of the link.
    pub frame: String,
    /// Name of the wheel, and whether the link turns about its axle, for a link on a wheel.
    pub wheel: Option<(String, LinkMotion)>,
    /// x, y, z, m; yaw, pitch, roll, rad.
    pub pose: [f64; 6],
}

impl<'w> Robots<'w> {
    /// Finds the robots among the vehicles of a simulation.
    pub fn new(world: &'w World, simulation: &'w Simulation) -> Self {
        let vehicles = simulation.vehicle_names().iter().zip(&world.vehicles);
        let robots =
            vehicles.filter_map(|(name, one)| Some((name.as_str(), &**one.robot.as_ref()?)));
        let robots: Vec<_> = robots.collect();
        let mut renamed = HashMap::new();
        for (vehicle, robot) in &robots {
            let links = robot.links.iter().map(|link| format!("{vehicle}/{}", link.name));
            let own = format!("{vehicle}/{}", robot.frame);
            let mut taken: HashSet<String> = links.chain([own.clone()]).collect();
            let sensors = simulation.sensors().iter().filter(|one| one.vehicle == *vehicle);
            for sensor in sensors {
                let frame = format!("{vehicle}/{}", sensor.sensor);
                if taken.contains(&frame) {
                    let name = unused(&format!("{frame}_sensor"), "_", |name| {
                        taken.insert(name.to_owned())
                    });
                    renamed.insert(frame, name);
                }
            }
            renamed.insert(base_link(vehicle), own);
        }
        Self { robots, renamed }
    }

    /// Returns the name of a frame. The frame of an image follows the name of its sensor.
    pub fn name(&self, frame: String) -> String {
        if self.renamed.is_empty() {
            return frame;
        }
        if let Some(name) = self.renamed.get(&frame) {
            return name.clone();
        }
        let of_sensor = frame.rsplit_once('/');
        let renamed = of_sensor
            .and_then(|(sensor, image)| Some(format!("{}/{image}", self.renamed.get(sensor)?)));
        renamed.unwrap_or(frame)
    }

    /// Gives the frames of streams other than transforms their names.
    pub fn rename(&self, drafts: &mut [Draft]) {
        if self.renamed.is_empty() {
            return;
        }
        let others = drafts.iter_mut().map(|draft| &mut draft.stream);
        for stream in others.filter(|one| one.name != "tf" && one.name != "tf_static") {
            if stream.labels.first() == Some(&stream.child_frame) {
                stream
                    .labels
                    .iter_mut()
                    .for_each(|label| *label = self.name(std::mem::take(label)));
            }
            let frames = [&mut stream.frame, &mut stream.child_frame].into_iter();
            for frame in frames.chain(&mut stream.label_frames) {
                *frame = self.name(std::mem::take(frame));
            }
        }
    }

    /// Returns the links of a vehicle.
    pub fn links(&self, vehicle: &str) -> Vec<Mounted> {
        let robot = self.robots.iter().find(|(name, _)| *name == vehicle);
        let links = robot.iter().flat_map(|(_, robot)| robot.links.iter());
        links
            .map(|link| {
                let Pose3 { x, y, z, yaw, pitch, roll } = link.pose;
                Mounted {
                    frame: format!("{vehicle}/{}", link.name),
                    wheel: link.wheel.clone().map(|wheel| (wheel, link.motion)),
                    pose: [x, y, z, yaw, pitch, roll],
                }
            })
            .collect()
    }

    /// Returns the streams with the files.
    pub fn descriptions(&self) -> impl Iterator<Item = Draft> {
        self.robots.iter().map(|(vehicle, robot)| {
            let stream = Stream {
                trigger: Trigger::Start,
                doc: "The file of the robot from which the vehicle was made.".into(),
                ..Stream::new(format!("{vehicle}/robot_description"), types::Text::TYPE.into())
            };
            let content = Fixed { texts: vec![robot.text.to_string()], ..Fixed::default() };
            Draft { gate: Gate::Once { is_passed: false }, ..Draft::fixed(stream, content) }
        })
    }
}
