//! Collects the picture of a run: tracks, outlines of vehicles, obstacles, maps and regions.

use simhost_engine::Simulation;
use simhost_pictures::scene::placed;
use simhost_pictures::{Picture, Scene, Shape, ShapeKind, Track};
use simhost_scene::Pose2;
use simhost_world::{Vehicle, World};

/// Bodies that moved or turned less are not drawn again, m or rad.
const LEAST_MOTION: f64 = 1e-3;
/// Positions of a track at which every second one is dropped.
const MAX_POINTS: usize = 2000;

/// Greatest acceleration of a vehicle that drives, m/s², and its shortest jump, m.
const MOST_ACCELERATION: f64 = 100.0;
const LEAST_JUMP: f64 = 0.2;

/// Collects the picture of a run while it is running.
pub struct Drawing {
    scene: Scene,
    tracks: Vec<Track>,
    /// The last position of each vehicle; its time is not a number before the first one.
    last: Vec<Passed>,
}

/// A position of a vehicle.
#[derive(Clone, Copy)]
struct Passed {
    /// Time, s.
    time: f64,
    /// Position, m.
    position: [f64; 2],
    /// Mean speed since the position before, m/s.
    speed: f64,
}

impl Passed {
    /// Returns the next position, and whether the vehicle was placed there instead of driving.
    fn next(self, time: f64, position: [f64; 2]) -> (Self, bool) {
        let passed = time - self.time;
        let way = (position[0] - self.position[0]).hypot(position[1] - self.position[1]);
        let speed = if passed > 0.0 { way / passed } else { 0.0 };
        let reach = passed * (2.0 * self.speed + MOST_ACCELERATION * passed) + LEAST_JUMP;
        // also false before the first position
        let is_placed = way > reach;
        let is_driven = passed > 0.0 && !is_placed;
        (Self { time, position, speed: if is_driven { speed } else { self.speed } }, is_placed)
    }
}

/// Returns the state of a vehicle before its first position.
fn start(vehicle: &Vehicle) -> Passed {
    let [forwards, leftwards, _] = vehicle.velocity;
    Passed { time: f64::NAN, position: [0.0; 2], speed: forwards.hypot(leftwards) }
}

impl Drawing {
    /// Starts the picture of a world that has not been stepped.
    pub fn new(world: &World) -> Self {
        let named = |name: &str| Track { name: name.to_owned(), ..Track::default() };
        Self {
            scene: Scene::new(world),
            tracks: world.vehicles.iter().map(|vehicle| named(&vehicle.name)).collect(),
            last: world.vehicles.iter().map(start).collect(),
        }
    }

    /// Adds a position to the track of a vehicle. Vehicles that were added while the program runs have
    /// no track. The track has a gap where a vehicle was placed elsewhere.
    pub fn add(&mut self, vehicle: usize, time: f64, position: [f64; 2]) {
        let Some((track, last)) = self.tracks.get_mut(vehicle).zip(self.last.get_mut(vehicle))
        else {
            return;
        };
        let (passed, is_placed) = last.next(time, position);
        *last = passed;
        if is_placed {
            track.points.push([f64::NAN; 2]);
        }
        track.points.push(position);
        if track.points.len() > MAX_POINTS {
            let mut keep = false;
            track.points.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }

    /// Returns the picture of the run, which has ended.
    pub fn picture(self, simulation: &Simulation) -> Picture {
        let Self { scene, mut tracks, .. } = self;
        let mut shapes = scene.all_shapes();
        shapes.extend(moved(&scene, simulation));
        let vehicles = scene.vehicles.iter().zip(simulation.vehicles());
        for (track, (body, vehicle)) in tracks.iter_mut().zip(vehicles) {
            let [x, y, _, yaw, ..] = vehicle.pose;
            track.start = placed(&body.outline, body.start);
            track.end = placed(&body.outline, Pose2 { x, y, yaw });
        }
        Picture { shapes, tracks }
    }
}

/// Returns the bodies that are no longer where they were at the start.
fn moved(scene: &Scene, simulation: &Simulation) -> Vec<Shape> {
    let mut rest = &*scene.movers;
    let mut shapes = Vec::new();
    for (label, pose) in simulation.movers() {
        // names may repeat; both lists are in the order of the world file
        let Some(index) = rest.iter().position(|mover| mover.label == label) else { continue };
        let mover = &rest[index];
        rest = &rest[index + 1..];
        let distance = (pose.x - mover.start.x).hypot(pose.y - mover.start.y);
        if distance.max((pose.yaw - mover.start.yaw).abs()) > LEAST_MOTION {
            shapes.push(Shape { kind: ShapeKind::Moved, outline: mover.at(pose) });
        }
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vehicle_that_is_placed_elsewhere_does_not_drive_there() {
        let start = Passed { time: f64::NAN, position: [0.0; 2], speed: 0.0 };
        let (start, is_placed) = start.next(0.0, [0.0; 2]);
        assert!(!is_placed);
        let (placed, is_placed) = start.next(0.02, [5.0, 1.0]);
        assert!(is_placed);
        assert!(!placed.next(0.04, [5.1, 1.0]).1);
        // fast, and braking
        let fast = Passed { time: 0.0, position: [0.0; 2], speed: 60.0 };
        let (fast, is_placed) = fast.next(0.1, [6.0, 0.0]);
        assert!(!is_placed && !fast.next(0.2, [11.5, 0.0]).1);
    }
}
