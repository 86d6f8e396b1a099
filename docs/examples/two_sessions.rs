//! Two sessions of one world side by side, with another controller gain in the second one.
//!
//! Run it from the folder of the repository: `cargo run -p simhost --example two_sessions`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Odometry, Options, Session, Twist, seconds};

pub fn main() -> Result<(), simhost::Error> {
    let mut plain = Session::open("worlds/demo.world.xml", Options::default())?;
    // the second session uses the same plugins, which are not loaded again
    let catalogue = Some(plain.world().catalogue().clone());
    let options = Options { catalogue, ..Options::default() };
    let mut soft = Session::open("worlds/demo.world.xml", options)?;
    soft.edit().set_parameter("robot/controller/KP", "2")?;

    for sim in [&plain, &soft] {
        sim.vehicle("robot")?.command(Twist { vx: 1.0, vy: 0.0, omega: 0.0 })?;
    }
    println!("time    KP 20      KP 2");
    for tenth in 1..=8 {
        let time = seconds(0.1 * f64::from(tenth));
        let mut speeds = [0.0; 2];
        for (sim, speed) in [&mut plain, &mut soft].into_iter().zip(&mut speeds) {
            sim.run_until(time)?;
            *speed = sim.latest::<Odometry>("robot/ground_truth")?.twist[0];
        }
        println!("{:.1} s   {:.3} m/s  {:.3} m/s", time.0, speeds[0], speeds[1]);
    }
    Ok(())
}
