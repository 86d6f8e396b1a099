//! A program of ten lines that drives a robot.
//!
//! Run it from the folder of the repository: `cargo run --release -p simhost --example first`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Odometry, Options, Session, Twist, seconds};

pub fn main() -> Result<(), simhost::Error> {
    let mut sim = Session::open("worlds/demo.world.xml", Options::default())?;
    sim.vehicle("robot")?.command(Twist { vx: 0.5, vy: 0.0, omega: 0.2 })?;
    sim.run_until(seconds(10.0))?;
    let truth: Odometry = sim.latest("robot/ground_truth")?;
    println!("{:.3} m, {:.3} m", truth.pose[0], truth.pose[1]);
    Ok(())
}
