//! Collects the picture of a run: tracks, outlines of vehicles, obstacles, maps and regions.

use simhost_engine::Simulation;
use simhost_pictures::scene::placed;
use simhost_pictures::{Picture, Scene, Shape, ShapeKind, Track};
use simhost_scene::Pose2;
use simhost_world::World;

/// Bodies that moved or turned less are not drawn again, m or rad.
const LEAST_MOTION: f64 = 1e-3;
/// Positions of a track at which every second one is dropped.
const MAX_POINTS: usize = 2000;

/// Collects the picture of a run while it is running.
pub struct Drawing {
    scene: Scene,
    tracks: Vec<Track>,
}

impl Drawing {
    /// Starts the picture of a world that has not been stepped.
    pub fn new(world: &World) -> Self {
        let named = |name: &str| Track { name: name.to_owned(), ..Track::default() };
        Self {
            scene: Scene::new(world),
            tracks: world.vehicles.iter().map(|vehicle| named(&vehicle.name)).collect(),
        }
    }

    /// Adds a position to the track of a vehicle. Vehicles that were added while the program runs have
    /// no track.
    pub fn add(&mut self, vehicle: usize, position: [f64; 2]) {
        let Some(track) = self.tracks.get_mut(vehicle) else { return };
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
        let Self { scene, mut tracks } = self;
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
