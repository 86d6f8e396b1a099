//! Bodies that overlap, collide at high speed, are squeezed, or have animations placed on them: single
//! cases, and random worlds of each kind.

use simhost_sdk::Random;
use simhost_world::World;

use crate::physics::Body;
use crate::simulation::Simulation;
use crate::tests::{read, started};

mod animations;
mod piles;
mod walls;

const PROFILES: [&str; 2] = ["corrected", "mvsim-1.2"];
/// Number of random worlds of each kind.
const CASES: u64 = if cfg!(debug_assertions) { 15 } else { 60 };
/// Greatest speed of a body that nothing drives, m/s, unless something faster drives another.
const SLOW: f64 = 2.0;
/// Relative excess of speeds: the parts of a rigid body move at slightly different speeds, and what is struck leaves
/// with 1 % more in each of two impacts with the restitution of 0.01 that blocks have.
const TOLERANCE: f64 = 0.04;

/// Reads a world with steps of `dt` seconds.
fn world(profile: &str, dt: f64, elements: &str) -> World {
    let text = format!(
        "<mvsim_world compat=\"{profile}\"><simul_timestep>{dt}</simul_timestep>{elements}\
         </mvsim_world>"
    );
    read(&text)
}

fn build(world: &World) -> Simulation {
    started(world, 1)
}

/// Draws the numbers of random worlds.
struct Draw(Random);

impl Draw {
    fn new(seed: u64) -> Self {
        Self(Random::new(Random::new(seed).bits()))
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.uniform()
    }

    /// Draws from a distribution that is uniform in the logarithm.
    fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.0.uniform())
    }

    fn chance(&mut self, part: f64) -> bool {
        self.0.uniform() < part
    }

    fn count(&mut self, low: usize, high: usize) -> usize {
        self.within(low as f64, high as f64 + 1.0) as usize
    }
}

/// The ends of a wall, m.
type Segment = [[f64; 2]; 2];

fn thin_wall([[x0, y0], [x1, y1]]: Segment) -> String {
    format!(
        "<walls><wallThickness>0.05</wallThickness><shape><pt>{x0} {y0}</pt><pt>{x1} {y1}</pt>\
         </shape></walls>"
    )
}

/// Returns whether two segments cross.
fn cross([a, b]: Segment, [c, d]: Segment) -> bool {
    let side = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

fn speed([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

/// Extremes of a run.
#[derive(Debug, Default)]
struct Seen {
    /// Greatest speed of any other body, m/s, by its velocity or by its path.
    speed: f64,
    /// Name of that body, and time, s.
    at: (String, f64),
    /// Greatest speed of a body that follows a plan or a prescribed velocity, m/s.
    driven_speed: f64,
    /// Bodies whose centres of mass have crossed a wall with which they did not overlap at the start.
    crossed: Vec<String>,
    /// Greatest speed, m/s, and yaw rate, rad/s, of any other body at the end.
    end: [f64; 2],
    /// Depths of the overlaps at the end, m, with the names of the bodies.
    overlaps: Vec<(f64, String, String)>,
}

/// Runs a simulation for `seconds`.
fn observe(simulation: &mut Simulation, seconds: f64, walls: &[Segment]) -> Seen {
    let dt = simulation.state.clock.dt;
    let count = simulation.state.physics.bodies.len();
    let centres = |simulation: &Simulation| -> Vec<[f64; 2]> {
        simulation
            .state
            .physics
            .bodies
            .range(&(0..count))
            .iter()
            .map(|body| body.centre())
            .collect()
    };
    let in_walls: Vec<String> = simulation
        .state
        .physics
        .depths(0.0)
        .into_iter()
        .filter(|(_, _, other)| other == "a wall")
        .map(|(_, name, _)| name)
        .collect();
    let mut seen = Seen::default();
    let mut before = centres(simulation);
    for _ in 0..(seconds / dt).round() as u64 {
        simulation.step().expect("nothing diverges");
        let now = centres(simulation);
        for number in 0..count {
            let (body, path) = (Body::numbered(number), [before[number], now[number]]);
            let (name, state) = (
                simulation.state.physics.bodies.name(body),
                simulation.state.physics.bodies.state(body),
            );
            let is_driven = simulation.state.physics.bodies.is_driven(body);
            if !simulation.state.physics.bodies.is_planned(body)
                && walls.iter().any(|wall| cross(*wall, path))
                && !seen.crossed.iter().chain(&in_walls).any(|one| one == name)
            {
                seen.crossed.push(name.to_owned());
            }
            let moved = [0, 1].map(|axis| (path[1][axis] - path[0][axis]) / dt);
            let fastest = speed(state.velocity).max(speed(moved));
            if is_driven {
                seen.driven_speed = seen.driven_speed.max(speed(state.velocity));
            } else if fastest > seen.speed {
                (seen.speed, seen.at) = (fastest, (name.to_owned(), simulation.state.clock.time()));
            }
        }
        before = now;
    }
    let bodies = (0..count).map(Body::numbered);
    for body in bodies.filter(|body| !simulation.state.physics.bodies.is_driven(*body)) {
        let state = simulation.state.physics.bodies.state(body);
        seen.end[0] = seen.end[0].max(speed(state.velocity));
        seen.end[1] = seen.end[1].max(state.omega.abs());
    }
    seen.overlaps = simulation.state.physics.depths(5e-3);
    seen
}

/// Returns the position of a vehicle, m, and its speed, m/s.
fn vehicle_at(simulation: &Simulation, name: &str) -> ([f64; 2], f64) {
    let name = format!("vehicle '{name}'");
    let bodies = (0..simulation.state.physics.bodies.len()).map(Body::numbered);
    let body = bodies.into_iter().find(|body| simulation.state.physics.bodies.name(*body) == name);
    let state = simulation.state.physics.bodies.state(body.expect("there is such a vehicle"));
    (state.position, speed(state.velocity))
}

/// Returns a vehicle of 0.5 m by 0.5 m.
fn robot(name: &str, pose: &str, controller: &str) -> String {
    format!(
        "<vehicle name=\"{name}\"><init_pose>{pose}</init_pose><dynamics class=\"differential\">\
         <l_wheel pos=\"0 0.2\" width=\"0.05\" diameter=\"0.2\"/><r_wheel pos=\"0 -0.2\" \
         width=\"0.05\" diameter=\"0.2\"/><chassis mass=\"15\"><shape><pt>-0.25 -0.25</pt>\
         <pt>0.25 -0.25</pt><pt>0.25 0.25</pt><pt>-0.25 0.25</pt></shape></chassis>{controller}\
         </dynamics></vehicle>"
    )
}

const UNDRIVEN: &str = "<controller class=\"raw\"/>";
