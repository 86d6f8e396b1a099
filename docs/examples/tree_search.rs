//! Drives to a place by a search through forks of the present state: a tree of four commands, one after the other.
//!
//! Run it from the folder of the repository: `cargo run --release -p simhost --example tree_search`.
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use simhost::{Error, Odometry, Options, Session, Twist, seconds};

/// The place that the robot is to reach, m.
const GOAL: [f64; 2] = [-3.0, 4.0];
/// The yaw rates among which it chooses, rad/s, and how long it keeps one, s.
const TURNS: [f64; 3] = [-1.0, 0.0, 1.0];
const PIECE: f64 = 0.5;

/// Returns the distance from the goal, m.
fn distance(sim: &mut Session) -> Result<f64, Error> {
    let truth: Odometry = sim.latest("robot/ground_truth")?;
    Ok((truth.pose[0] - GOAL[0]).hypot(truth.pose[1] - GOAL[1]))
}

/// Drives on with a yaw rate.
fn drive(sim: &mut Session, omega: f64) -> Result<(), Error> {
    sim.vehicle("robot")?.command(Twist { vx: 1.0, vy: 0.0, omega })?;
    sim.run_until(seconds(sim.time().0 + PIECE))?;
    Ok(())
}

/// Returns the least distance after `depth` commands, and the first of them.
fn search(sim: &mut Session, depth: u32, forks: &mut u32) -> Result<(f64, f64), Error> {
    if depth == 0 {
        return Ok((distance(sim)?, 0.0));
    }
    let mut best = (f64::INFINITY, 0.0);
    for omega in TURNS {
        let mut next = sim.fork()?;
        *forks += 1;
        drive(&mut next, omega)?;
        let (distance, _) = search(&mut next, depth - 1, forks)?;
        if distance < best.0 {
            best = (distance, omega);
        }
    }
    Ok(best)
}

pub fn main() -> Result<(), Error> {
    let mut sim = Session::open("worlds/demo.world.xml", Options::default())?;
    let (began, mut forks) = (Instant::now(), 0);
    while sim.time().0 < 12.0 && distance(&mut sim)? > 0.5 {
        let (expected, omega) = search(&mut sim, 4, &mut forks)?;
        drive(&mut sim, omega)?;
        println!(
            "{:4.1} s: turns with {omega:4.1} rad/s, to be {expected:.2} m from the goal",
            sim.time().0
        );
    }
    let rate = f64::from(forks) / began.elapsed().as_secs_f64();
    println!("{:.2} m from the goal; {forks} forks, {rate:.0} per second", distance(&mut sim)?);
    Ok(())
}
