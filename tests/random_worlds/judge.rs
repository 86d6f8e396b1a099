//! Runs generated worlds and judges their motion.

use std::collections::BTreeMap;

use simhost_engine::{Options, Simulation};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load_text};

use super::generate::{Body, Generated, Mover, THICKNESS, Wall};

/// Speed that any body can reach without being thrown, m/s.
const FREE_SPEED: f64 = 2.0;
/// Speed below which a body is at rest, m/s.
const REST: f64 = 1e-3;
/// Time over which the speed at the end is measured, s.
const END: f64 = 0.1;
/// Distance below which bodies count as touching, m.
const NEAR: f64 = 0.1;
const GRAVITY: f64 = 9.81;

/// State of a body while a world runs.
struct Track {
    at: [f64; 2],
    /// Position of the centre at [`END`] before the end, m.
    before_end: Option<[f64; 2]>,
    /// Time at which something driven was last near it or linked to it, perhaps through others, s.
    disturbed: f64,
    /// Greatest speed after that, m/s.
    speed: f64,
    /// Walls that it cannot pass. The others are those in which it began.
    walls: Vec<Wall>,
}

/// Runs a world on one thread and on two. Returns everything that is wrong with its motion.
pub fn judge(world: &Generated, catalogue: &Catalogue) -> Vec<String> {
    let (mut wrong, hash) = run(world, catalogue, 1);
    let (_, again) = run(world, catalogue, 2);
    if hash != again {
        wrong.push("the result depends on the number of threads".to_owned());
    }
    wrong
}

fn run(world: &Generated, catalogue: &Catalogue, threads: usize) -> (Vec<String>, u128) {
    let options = LoadOptions::default();
    let loaded = load_text("world.xml".as_ref(), world.text.as_bytes(), &options, catalogue)
        .unwrap_or_else(|error| panic!("{:?}\n{}", error.diagnostics, world.text));
    let duration = loaded.world.settings.duration.unwrap();
    let mut simulation = Simulation::new(&loaded.world, Options { seed: 0, threads }).unwrap();
    simulation.start().unwrap();
    let mut tracks = start(world, &simulation);
    let (mut wrong, mut fastest) = (Vec::new(), FREE_SPEED);
    let dt = simulation.clock().dt;
    while simulation.clock().time() < duration - 0.5 * dt {
        if let Err(error) = simulation.step() {
            wrong.push(error.to_string());
            break;
        }
        if threads == 1 {
            let time = simulation.clock().time();
            let is_end = time >= duration - END - 0.5 * dt;
            follow(world, &simulation, &mut tracks, &mut fastest, &mut wrong);
            for track in tracks.iter_mut().filter(|track| is_end && track.before_end.is_none()) {
                track.before_end = Some(track.at);
            }
        }
    }
    if threads == 1 && wrong.is_empty() {
        wrong.extend(moving_at_the_end(world, &tracks, duration));
    }
    wrong.dedup_by(|a, b| a.split(" at ").next() == b.split(" at ").next());
    (wrong, simulation.result_hash())
}

fn start(world: &Generated, simulation: &Simulation) -> Vec<Track> {
    let places = places(world, simulation);
    let tracks = world.bodies.iter().zip(places).map(|(body, at)| {
        let beside = |wall: &&Wall| distance(at, **wall) > body.radius + THICKNESS;
        let walls = world.walls.iter().filter(beside).copied().collect();
        Track { at, before_end: None, disturbed: 0.0, speed: 0.0, walls }
    });
    tracks.collect()
}

/// Returns the present centres of mass of all bodies, m.
fn places(world: &Generated, simulation: &Simulation) -> Vec<[f64; 2]> {
    let place = |body: &Body| {
        if body.is_vehicle {
            let mut vehicles = simulation.vehicles().zip(simulation.masses());
            let (found, mass) = vehicles.find(|(vehicle, _)| vehicle.name == body.name).unwrap();
            let ([x, y, _, yaw, ..], [along, across]) =
                (found.pose, mass.centre.unwrap_or_default());
            let (sin, cos) = yaw.sin_cos();
            return [x + cos * along - sin * across, y + sin * along + cos * across];
        }
        let mut movers = simulation.movers();
        let is_it = |label: &str| label.split_once('/').unwrap().1 == body.name;
        let (_, pose) = movers.find(|(label, _)| is_it(label)).unwrap();
        [pose.x, pose.y]
    };
    world.bodies.iter().map(place).collect()
}

/// Checks the last step.
fn follow(
    world: &Generated,
    simulation: &Simulation,
    tracks: &mut [Track],
    fastest: &mut f64,
    wrong: &mut Vec<String>,
) {
    let (time, dt) = (simulation.clock().time(), simulation.clock().dt);
    let places = places(world, simulation);
    let speeds = places
        .iter()
        .zip(&*tracks)
        .map(|([x, y], track)| (x - track.at[0]).hypot(y - track.at[1]) / dt);
    let speeds: Vec<f64> = speeds.collect();
    let vehicles: BTreeMap<&str, f64> =
        simulation.vehicles().map(|vehicle| (vehicle.name, vehicle.twist[2])).collect();
    for (body, speed) in world.bodies.iter().zip(&speeds) {
        match body.mover {
            Mover::Plan(planned) => *fastest = fastest.max(planned),
            Mover::Controller(wanted) => {
                // its fastest point
                let turning = vehicles[body.name.as_str()].abs() * body.radius;
                *fastest = fastest.max(wanted.max(*speed) + turning);
            }
            Mover::Others => {}
        }
    }
    for ((body, track), (at, speed)) in
        world.bodies.iter().zip(&mut *tracks).zip(places.iter().zip(&speeds))
    {
        // an end of a body that turns is faster than its centre, and passes that on
        if body.mover == Mover::Others && *speed > 1.5 * *fastest + REST {
            wrong.push(format!("{} has {speed} m/s at {time} s, allowed {fastest}", body.name));
        }
        let is_planned = matches!(body.mover, Mover::Plan(_));
        let crossed = track.walls.iter().find(|wall| crosses(track.at, *at, **wall));
        if let Some(wall) = crossed.filter(|_| !is_planned) {
            wrong.push(format!("{} passes the wall {wall:?} at {time} s", body.name));
        }
        track.at = *at;
    }
    disturb(world, tracks, &speeds, time);
}

/// Finds the bodies that something driven can move.
fn disturb(world: &Generated, tracks: &mut [Track], speeds: &[f64], time: f64) {
    let bodies = &world.bodies;
    let mut reached: Vec<bool> = bodies.iter().map(|body| body.mover != Mover::Others).collect();
    let mut open: Vec<usize> = (0..bodies.len()).filter(|index| reached[*index]).collect();
    while let Some(one) = open.pop() {
        for other in 0..bodies.len() {
            let [[ax, ay], [bx, by]] = [one, other].map(|index| tracks[index].at);
            let reach = bodies[one].radius + bodies[other].radius + NEAR;
            let linked = bodies[one].link == Some(other) || bodies[other].link == Some(one);
            if !reached[other] && (linked || (ax - bx).hypot(ay - by) < reach) {
                reached[other] = true;
                open.push(other);
            }
        }
    }
    for ((track, reached), speed) in tracks.iter_mut().zip(reached).zip(speeds) {
        if reached {
            (track.disturbed, track.speed) = (time, *speed);
        }
        track.speed = track.speed.max(*speed);
    }
}

/// Returns the bodies that still move although friction has had time to stop them.
fn moving_at_the_end(world: &Generated, tracks: &[Track], duration: f64) -> Vec<String> {
    let bodies = world.bodies.iter().zip(tracks);
    let moving = bodies.filter_map(|(body, track)| {
        // half the friction, for slopes and neighbours; and time for overlaps to be resolved
        let stop = track.speed / (0.5 * body.friction * GRAVITY) + 3.0;
        let had_time = track.disturbed + stop < duration - END;
        // a body that began in a wall can be jammed between it and others, from which it is pushed
        // in contradictory directions
        let is_jammed = track.walls.len() < world.walls.len();
        let [x, y] = track.before_end?;
        let speed = (track.at[0] - x).hypot(track.at[1] - y) / END;
        (body.mover == Mover::Others && had_time && !is_jammed && speed > REST)
            .then(|| format!("{} still has {speed} m/s", body.name))
    });
    moving.collect()
}

fn cross([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    ax * by - ay * bx
}

fn minus([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> [f64; 2] {
    [ax - bx, ay - by]
}

/// Returns whether the way between two points crosses a wall.
fn crosses(from: [f64; 2], to: [f64; 2], [start, end]: Wall) -> bool {
    let side = |point| cross(minus(end, start), minus(point, start));
    let along = |point| cross(minus(to, from), minus(point, from));
    side(from) * side(to) < 0.0 && along(start) * along(end) < 0.0
}

/// Returns the distance of a point from a wall, m.
fn distance(point: [f64; 2], [start, end]: Wall) -> f64 {
    let ([dx, dy], [px, py]) = (minus(end, start), minus(point, start));
    let part = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (px - part * dx).hypot(py - part * dy)
}
