//! A program that simulates a world, drives a robot in it and reads what comes out.
//!
//! Run it from the folder of the repository: `cargo run -p simhost --example embed`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Odometry, Options, Session, Twist, seconds};

pub fn main() -> Result<(), simhost::Error> {
    let mut sim = Session::open("worlds/demo.world.xml", Options::default())?;
    let robot = sim.vehicle("robot")?;

    // a function that is called before every step: turn away from the wall
    let name = robot.name().to_owned();
    sim.hooks().each_step(move |step| {
        if step.steps() == 400 {
            step.vehicle(&name)?.command(Twist { vx: 0.5, vy: 0.0, omega: 0.6 })?;
        }
        Ok(())
    });

    robot.command(Twist { vx: 1.0, vy: 0.0, omega: 0.0 })?;
    for second in 1..=4 {
        sim.run_until(seconds(f64::from(second)))?;
        let odometry: Odometry = sim.latest("robot/odometry")?;
        let truth: Odometry = sim.latest("robot/ground_truth")?;
        println!(
            "{second} s: at {:6.3}, {:6.3} m; odometry says {:6.3}, {:6.3} m",
            truth.pose[0], truth.pose[1], odometry.pose[0], odometry.pose[1]
        );
    }

    // the state can be copied, and the copy does not disturb the original
    let mut other = sim.fork()?;
    other.edit().set_parameter("robot/controller/KP", "5")?;
    other.run_until(seconds(6.0))?;
    println!("the copy has reached {} s, the original is at {} s", other.time().0, sim.time().0);
    Ok(())
}
