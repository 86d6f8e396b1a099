//! A robot drives through a gate by model predictive path integral control (Williams et al. 2017).
//!
//! Run it from the folder of the repository: `cargo run --release -p simhost --example predictive`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Ensemble, EnsembleOptions, Error, Odometry, Options, Session, Twist};

const MEMBERS: usize = 256;
const WORLD: &str = "<mvsim_world> <simul_timestep>0.025</simul_timestep> <walls>
    <shape><pt>4 -2</pt> <pt>4 0.9</pt></shape> <shape><pt>4 2.1</pt> <pt>4 4</pt></shape></walls>
    <vehicle name='robot'> <init_pose>0 0 0</init_pose> <dynamics class='differential'>
    <controller class='twist_pid'/> </dynamics> </vehicle> </mvsim_world>";
type Plan = Vec<[f64; 2]>; // vx and omega for 50 ms each

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
    if hits { way + 20.0 } else { way }
}

/// Lets members try variants of a plan from their present state, and returns the weighted mean.
fn improved(plan: &Plan, members: &mut Ensemble, state: &mut u64) -> Result<Plan, Error> {
    let poses = members.select(["robot/pose"])?;
    let mut matrix = vec![0.0; MEMBERS * poses.width()];
    let (mut tried, mut costs) = (Vec::new(), vec![0.0; MEMBERS]);
    for [vx, omega] in plan {
        let row = |_| [vx + 0.4 * draw(state), 0.0, omega + draw(state)];
        let drawn: Vec<f64> = (0..MEMBERS).flat_map(row).collect();
        members.set("robot/cmd_vel", &drawn)?;
        members.step(2)?;
        members.read(&poses, &mut matrix)?;
        let rows = matrix.chunks(poses.width());
        costs.iter_mut().zip(rows).for_each(|(sum, row)| *sum += cost(row[0], row[1]));
        tried.push(drawn);
    }
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let weights: Vec<f64> = costs.iter().map(|cost| ((least - cost) / 0.2).exp()).collect();
    let mean = |drawn: &[f64], at: usize| {
        let rows = weights.iter().zip(drawn.chunks(3));
        rows.map(|(weight, row)| weight * row[at]).sum::<f64>() / weights.iter().sum::<f64>()
    };
    Ok(tried.iter().map(|drawn| [mean(drawn, 0).clamp(0.0, 1.5), mean(drawn, 2)]).collect())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Session::from_text(WORLD, "gate.world.xml", Options::default())?;
    let mut members = sim.ensemble(EnsembleOptions::members(MEMBERS))?;
    let (mut plan, mut state, mut x, mut way) = (vec![[0.0; 2]; 20], 1, 0.0, String::new());
    let start = std::time::Instant::now();
    while x < 7.8 && sim.time().0 < 10.0 {
        members.restart(&mut sim)?;
        plan = improved(&plan, &mut members, &mut state)?;
        sim.vehicle("robot")?.command(Twist { vx: plan[0][0], vy: 0.0, omega: plan[0][1] })?;
        plan.rotate_left(1);
        sim.run_steps(2)?;
        let truth: Odometry = sim.latest("robot/ground_truth")?;
        x = truth.pose[0];
        way += &format!("{x:.2},{:.2} ", -truth.pose[1]);
    }
    let (time, ratio) = (sim.time().0, sim.time().0 / start.elapsed().as_secs_f64());
    println!("at x = {x:.1} m after {time:.2} s, {ratio:.1} times as fast as real time");
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-0.5 -3 9 4' width='720' fill='none' \
               stroke-width='0.05'>\n<path d='M4 1V-0.9M4 -2.1V-3' stroke='black'/>";
    std::fs::create_dir_all("out")?;
    let line = format!("{svg}\n<polyline points='{way}' stroke='#4477aa'/>\n</svg>\n");
    Ok(std::fs::write("out/predictive.svg", line)?)
}
