//! A robot drives through a gate by model predictive path integral control (Williams et al. 2017).
//!
//! Run it from the folder of the repository: `cargo run --release -p simhost --example predictive`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Ensemble, EnsembleOptions, Error, Odometry, Options, Selected, Session, Twist};

const MEMBERS: usize = 256;
const WORLD: &str = "<mvsim_world> <simul_timestep>0.01</simul_timestep>
    <walls><shape><pt>4 -2</pt> <pt>4 0.9</pt> <pt>4 2.1</pt> <pt>4 4</pt></shape></walls>
    <vehicle name='robot'> <dynamics class='differential'> <controller class='twist_pid'/>
    </dynamics> </vehicle> </mvsim_world>";

/// Returns a number with mean 0 and variance 1: the sum of 12 uniform ones by xorshift64.
fn draw(state: &mut u64) -> f64 {
    let next = |_| {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..12).map(next).sum::<f64>() - 6.0
}

/// Returns what it costs to be at a place: its way to the goal through the gate, and a wall.
fn cost(x: f64, y: f64) -> f64 {
    let hits = (x - 4.0).abs() < 0.6 && (y - 1.5).abs() > 0.2;
    let way = if x < 4.3 { (x - 4.3).hypot(y - 1.5) + 4.0 } else { (x - 8.0).hypot(y) };
    0.1 * way + if hits { 5.0 } else { 0.0 }
}

/// Lets members try variants of a plan from their present state, and returns their weighted mean.
fn improved(
    plan: &[[f64; 2]],
    members: &mut Ensemble,
    poses: &Selected,
    state: &mut u64,
) -> Result<Vec<[f64; 2]>, Error> {
    let (mut tried, mut costs) = (Vec::new(), vec![0.0; MEMBERS]);
    let mut matrix = vec![0.0; MEMBERS * poses.width()];
    for [vx, omega] in plan {
        let drawn: Vec<f64> = (0..MEMBERS)
            .flat_map(|_| [vx + 0.3 * draw(state), 0.0, omega + 0.8 * draw(state)])
            .collect();
        members.set("robot/cmd_vel", &drawn)?;
        members.step(5)?;
        members.read(poses, &mut matrix)?;
        let rows = matrix.chunks(poses.width());
        costs.iter_mut().zip(rows).for_each(|(sum, row)| *sum += cost(row[0], row[1]));
        tried.push(drawn);
    }
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let weights: Vec<f64> = costs.iter().map(|cost| ((least - cost) / 0.3).exp()).collect();
    let all: f64 = weights.iter().sum();
    let mean = |drawn: &[f64], at: usize| {
        let rows = weights.iter().zip(drawn.chunks(3));
        rows.map(|(weight, row)| weight * row[at]).sum::<f64>() / all
    };
    Ok(tried.iter().map(|one| [mean(one, 0).clamp(0.0, 1.5), mean(one, 2)]).collect())
}

pub fn main() -> Result<(), Error> {
    let mut sim = Session::from_text(WORLD, "gate.world.xml", Options::default())?;
    let mut members = sim.ensemble(EnsembleOptions::members(MEMBERS))?;
    let poses = members.select(["robot/pose"])?;
    let (mut plan, mut state, mut x) = (vec![[0.0; 2]; 30], 1, 0.0);
    let start = std::time::Instant::now();
    while x < 7.8 && sim.time().0 < 20.0 {
        members.restart(&mut sim)?;
        plan = improved(&plan, &mut members, &poses, &mut state)?;
        sim.vehicle("robot")?.command(Twist { vx: plan[0][0], vy: 0.0, omega: plan[0][1] })?;
        plan.rotate_left(1);
        sim.run_steps(5)?;
        let truth: Odometry = sim.latest("robot/ground_truth")?;
        x = truth.pose[0];
        println!("{:5.2} s: at {x:5.2}, {:5.2} m {}", sim.time().0, truth.pose[1], members.apart());
    }
    let ratio = sim.time().0 / start.elapsed().as_secs_f64();
    println!("at the goal after {:.2} s, {ratio:.1} times as fast as real time", sim.time().0);
    Ok(())
}
