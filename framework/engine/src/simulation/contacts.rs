//! Random worlds in which bodies overlap, collide and are squeezed.

use simhost_registry::Catalogue;
use simhost_sdk::Random;
use simhost_world::{LoadOptions, World, load_text};

use crate::build::Options;
use crate::physics::Body;
use crate::simulation::Simulation;

// built-in models register themselves
use simhost_controllers as _;
use simhost_dynamics as _;
use simhost_friction as _;

mod animations;
mod piles;
mod walls;

/// Reads a world with steps of `dt` seconds.
fn world(profile: &str, dt: f64, elements: &str) -> World {
    let catalogue = Catalogue::collect(simhost_registry::Options::default()).expect("built-ins");
    let text = format!(
        "<mvsim_world compat=\"{profile}\"><simul_timestep>{dt}</simul_timestep>{elements}\
         </mvsim_world>"
    );
    let loaded =
        load_text("world.xml".as_ref(), text.as_bytes(), &LoadOptions::default(), &catalogue);
    loaded.unwrap_or_else(|error| panic!("{error:?}\n{text}")).world
}

fn build(world: &World) -> Simulation {
    let mut simulation =
        Simulation::new(world, Options { seed: 1, threads: 1 }).expect("the world is right");
    simulation.start().expect("nothing faults");
    simulation
}

/// Extremes of a run.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    /// Greatest speed of a body that nothing drives, m/s, by its velocity and by its path.
    speed: f64,
    /// Name of that body and time, s.
    at: (String, f64),
    /// Bodies whose centres crossed a wall.
    crossed: Vec<String>,
    /// Greatest speed and yaw rate at the end.
    end_speed: f64,
    end_rate: f64,
    /// End.
    failure: Option<String>,
    remaining: Vec<(f64, String, String)>,
    /// Greatest speed of a body that follows a plan, m/s.
    driver: f64,
}

/// A wall as a segment.
type Segment = [[f64; 2]; 2];

fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn cross([a, b]: Segment, [c, d]: Segment) -> bool {
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

fn speed([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// Runs a simulation for `seconds`. `driven` are the names of bodies that something drives.
fn observe(simulation: &mut Simulation, seconds: f64, walls: &[Segment], driven: &[&str]) -> Seen {
    let mut seen = Seen::default();
    let dt = simulation.clock.dt;
    let count = simulation.physics.body_count();
    let centres = |simulation: &Simulation| -> Vec<[f64; 2]> {
        simulation.physics.bodies(&(0..count)).iter().map(|body| body.centre()).collect()
    };
    let steps = (seconds / dt).round() as u64;
    let start = centres(simulation);
    let mut before = start.clone();
    let inside: Vec<String> = simulation
        .physics
        .depths(0.0)
        .into_iter()
        .filter(|one| one.2 == "a wall")
        .map(|one| one.1)
        .collect();
    for _ in 0..steps {
        if let Err(error) = simulation.step() {
            seen.failure = Some(error.to_string());
            return seen;
        }
        let now = centres(simulation);
        for number in 0..count {
            let name = simulation.physics.name(Body::numbered(number)).to_owned();
            if simulation.physics.is_kinematic(Body::numbered(number)) {
                let state = simulation.physics.state(Body::numbered(number));
                seen.driver = seen.driver.max(speed(state.velocity));
                continue;
            }
            let path = [before[number], now[number]];
            if std::env::var("TRACE").is_ok_and(|t| name.contains(t.as_str())) {
                println!(
                    "{:.4} {:?} {:?}",
                    simulation.clock.time(),
                    *simulation.physics.state(Body::numbered(number)),
                    simulation.physics.depths(0.001)
                );
            }
            if walls.iter().any(|wall| cross(*wall, path))
                && !seen.crossed.contains(&name)
                && !inside.contains(&name)
            {
                seen.crossed.push(name.clone());
            }
            if driven.iter().any(|one| name.contains(&format!("'{one}'"))) {
                continue;
            }
            let state = simulation.physics.state(Body::numbered(number));
            let moved = [0, 1].map(|k| (path[1][k] - path[0][k]) / dt);
            let fastest = speed(state.velocity).max(speed(moved));
            if fastest > seen.speed {
                seen.speed = fastest;
                seen.at = (name, simulation.clock.time());
            }
        }
        before = now;
    }
    for number in 0..count {
        let name = simulation.physics.name(Body::numbered(number));
        if driven.iter().any(|one| name.contains(&format!("'{one}'"))) {
            continue;
        }
        let state = simulation.physics.state(Body::numbered(number));
        seen.end_speed = seen.end_speed.max(speed(state.velocity));
        seen.end_rate = seen.end_rate.max(state.omega.abs());
    }
    seen.remaining = simulation.physics.depths(0.003);
    if std::env::var("SHOW").is_ok() {
        simulation.physics.show();
    }
    seen
}
