//! Tries ten commands from one state, on ten threads, and continues with the best of them.
//!
//! Run it from the folder of the repository: `cargo run -p simhost --example best_of_ten`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Error, Odometry, Options, Session, Twist, seconds};

/// The place that the robot is to reach, m.
const GOAL: [f64; 2] = [-3.0, 4.0];

/// Returns the distance from the goal, m.
fn distance(sim: &mut Session) -> Result<f64, Error> {
    let truth: Odometry = sim.latest("robot/ground_truth")?;
    Ok((truth.pose[0] - GOAL[0]).hypot(truth.pose[1] - GOAL[1]))
}

/// Returns the distance from the goal one second after a command.
fn try_out(mut sim: Session, command: Twist) -> Result<f64, Error> {
    sim.vehicle("robot")?.command(command)?;
    sim.run_until(seconds(sim.time().0 + 1.0))?;
    distance(&mut sim)
}

pub fn main() -> Result<(), Error> {
    let mut sim = Session::open("worlds/demo.world.xml", Options::default())?;
    for _ in 0..12 {
        let commands: Vec<Twist> =
            (0..10).map(|n| Twist { vx: 1.0, vy: 0.0, omega: 0.4 * f64::from(n) - 1.8 }).collect();
        let mut forks = Vec::new();
        for command in &commands {
            forks.push((sim.fork()?, *command));
        }
        let distances: Vec<Result<f64, Error>> = std::thread::scope(|scope| {
            let start = |(fork, command)| scope.spawn(move || try_out(fork, command));
            let threads: Vec<_> = forks.into_iter().map(start).collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        });
        let distances = distances.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        let best = (0..10).min_by(|a, b| distances[*a].total_cmp(&distances[*b])).unwrap_or(0);
        sim.vehicle("robot")?.command(commands[best])?;
        sim.run_until(seconds(sim.time().0 + 1.0))?;
        let (time, turn, left) = (sim.time().0, commands[best].omega, distance(&mut sim)?);
        println!("{time:4.1} s: turned with {turn:4.1} rad/s, {left:.2} m from the goal");
        if left < 0.5 {
            break;
        }
    }
    Ok(())
}
