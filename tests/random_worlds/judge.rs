//! Runs generated worlds and judges their motion.

use std::collections::BTreeMap;

use simhost_engine::Simulation;

use super::energy::Energy;
use super::generate::{Body, Generated, Kind, Mover, THICKNESS, Wall, distance, minus};

/// Speed that any body can reach without being thrown, m/s.
const FREE_SPEED: f64 = 2.0;
/// Drift of a body at rest, m/s: 1 mm in ten minutes.
const REST: f64 = 1e-3 / 600.0;
/// The same where bodies touch, which can be pushed out of each other for seconds, and for wheels with bristles on terrain.
const REST_IN_CONTACT: f64 = 1e-2;
/// Factor by which a body can be faster than the fastest part that pushes it: light ones slip out of the gap between
/// heavy ones.
const SLIP: f64 = 3.0;
/// Time over which the speed at the end is measured, s.
const END: f64 = 0.2;
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

/// Runs a world step by step on one thread. Returns everything that is wrong with its motion, and its result hash.
pub fn judge(world: &Generated) -> (Vec<String>, u128) {
    let (mut session, _) = world.world.open();
    session.record().begin().unwrap();
    let mut tracks = start(world, session.simulation());
    let mut energy = Energy::new(world, session.simulation());
    let (mut wrong, mut fastest) = (Vec::new(), FREE_SPEED);
    let [dt, duration] = world.times;
    for _ in 0..(duration / dt).round() as u64 {
        if let Err(error) = session.run_steps(1) {
            wrong.push(error.to_string());
            break;
        }
        let simulation = session.simulation();
        let time = simulation.clock().time();
        let is_end = time >= duration - END - 0.5 * dt;
        follow(world, simulation, &mut tracks, &mut fastest, &mut wrong);
        wrong.extend(energy.rise(world, simulation));
        for track in tracks.iter_mut().filter(|track| is_end && track.before_end.is_none()) {
            track.before_end = Some(track.at);
        }
    }
    // vehicles coast on
    if wrong.is_empty() && world.kind != Kind::Coasting {
        wrong.extend(moving_at_the_end(world, &tracks, duration));
    }
    wrong.dedup_by(|a, b| a.split(' ').next() == b.split(' ').next());
    (wrong, session.simulation().result_hash())
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
            let mut vehicles = simulation.vehicles().zip(simulation.bodies());
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
        match mover(world, body, time) {
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
        let is_slow = *speed <= SLIP * *fastest;
        if body.mover == Mover::Others && !is_slow && world.kind != Kind::Coasting {
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

/// Returns the cause of the motion of a body at a time.
fn mover(world: &Generated, body: &Body, time: f64) -> Mover {
    match (world.kind, body.mover) {
        (Kind::Stopping(stop), Mover::Controller(_)) if time > stop => Mover::Others,
        (_, mover) => mover,
    }
}

/// Finds the bodies that something driven can move.
fn disturb(world: &Generated, tracks: &mut [Track], speeds: &[f64], time: f64) {
    let bodies = &world.bodies;
    let mut reached: Vec<bool> =
        bodies.iter().map(|body| mover(world, body, time) != Mover::Others).collect();
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
    let text = world.world.text();
    let has_bristles = text.contains("\"lugre\"") && text.contains("elevation_map");
    let bodies = world.bodies.iter().zip(tracks).enumerate();
    let moving = bodies.filter_map(|(number, (body, track))| {
        // half the friction, for slopes and neighbours; and time for overlaps to be resolved
        let stop = track.speed / (0.5 * body.friction * GRAVITY) + 3.0;
        let had_time = track.disturbed + stop < duration - END;
        // a body that began in a wall can be jammed between it and others, from which it is pushed
        // in contradictory directions
        let is_jammed = track.walls.len() < world.walls.len();
        let [x, y] = track.before_end?;
        let speed = (track.at[0] - x).hypot(track.at[1] - y) / END;
        let in_contact = has_bristles || touches(world, tracks, number);
        let is_still = speed <= if in_contact { REST_IN_CONTACT } else { REST };
        (mover(world, body, duration) == Mover::Others && had_time && !is_jammed && !is_still)
            .then(|| format!("{} still has {speed} m/s", body.name))
    });
    moving.collect()
}

/// Returns whether a body may touch another one or a wall.
fn touches(world: &Generated, tracks: &[Track], number: usize) -> bool {
    let (at, radius) = (tracks[number].at, world.bodies[number].radius + NEAR);
    let mut others = world.bodies.iter().zip(tracks).enumerate();
    let is_near = |(other, (body, track)): (usize, (&Body, &Track))| {
        let [x, y] = minus(at, track.at);
        other != number && x.hypot(y) < radius + body.radius
    };
    others.any(is_near) || world.walls.iter().any(|wall| distance(at, *wall) < radius)
}

fn cross([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    ax * by - ay * bx
}

/// Returns whether the way between two points crosses a wall.
fn crosses(from: [f64; 2], to: [f64; 2], [start, end]: Wall) -> bool {
    let side = |point| cross(minus(end, start), minus(point, start));
    let along = |point| cross(minus(to, from), minus(point, from));
    side(from) * side(to) < 0.0 && along(start) * along(end) < 0.0
}
