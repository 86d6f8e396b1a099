//! Braking distances of 1,000 cars whose friction and brakes are random, with a histogram.
//!
//! Run it from the folder of the repository: `cargo run --release -p simhost --example monte_carlo`.
#![allow(clippy::print_stdout, missing_docs)]

use simhost::{Ensemble, EnsembleOptions, VariedValue};

const MEMBERS: usize = 1000;
const WORLD: &str = "<mvsim_world> <simul_timestep>0.005</simul_timestep>
  <vehicle name='car'> <init_pose>0 0 0</init_pose> <init_vel>20 0 0</init_vel>
    <dynamics class='ackermann'>
      <rl_wheel mass='15' diameter='0.6'/> <rr_wheel mass='15' diameter='0.6'/>
      <fl_wheel mass='15' diameter='0.6'/> <fr_wheel mass='15' diameter='0.6'/>
      <f_wheels_x>2.5</f_wheels_x> <chassis mass='1000' zmax='0.8'>
        <shape> <pt>-0.8 -1</pt> <pt>3.3 -1</pt> <pt>3.3 1</pt> <pt>-0.8 1</pt> </shape> </chassis>
      <controller class='pedals'/>
    </dynamics>
    <friction class='default'><C_damping>0</C_damping></friction> </vehicle>
</mvsim_world>";

/// Returns the distance in m after which a car stops that brakes as hard as tyres and brakes allow.
fn ideal(mu: f64, torque: f64) -> f64 {
    // four wheels of 15 kg turn with the car, each with half of its mass at its rim
    let brakes = torque / 0.3 / (1000.0 + 1.5 * 4.0 * 15.0);
    20.0 * 20.0 / (2.0 * brakes.min(mu * 9.81))
}

/// Returns a histogram with a bar for each metre from 20 to 80 as SVG.
fn histogram(values: &[f64]) -> String {
    let mut svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 260' \
                   font-family='sans-serif' font-size='12' text-anchor='middle'>\n\
                   <rect width='640' height='260' fill='white'/>\n"
        .to_owned();
    for metre in 20..80 {
        let count = values.iter().filter(|value| value.floor() == f64::from(metre)).count();
        let (x, tall) = (10 * metre - 180, 2 * count);
        let y = 220 - tall;
        svg += &format!("<rect x='{x}' y='{y}' width='9' height='{tall}' fill='#4477aa'/>\n");
        if metre % 10 == 0 {
            svg += &format!("<text x='{x}' y='236'>{metre}</text>\n");
        }
    }
    svg + "<path d='M20 220.5H620' stroke='black'/>\n\
           <text x='320' y='254'>braking distance in m</text>\n</svg>\n"
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = EnsembleOptions::members(MEMBERS)
        .vary("car/friction/mu=truncated:0.7:0.15:0.3:1".parse()?)
        .vary("car/cmd_pedals/brake_torque=uniform:1800:2600".parse()?);
    let mut ensemble = Ensemble::from_text(WORLD, "braking.world.xml", options)?;
    ensemble.step(1600)?; // 8 s

    let pose = ensemble.select(["car/pose"])?;
    let mut matrix = vec![0.0; MEMBERS * pose.width()];
    ensemble.read(&pose, &mut matrix)?;
    let mut distances: Vec<f64> = matrix.chunks(pose.width()).map(|row| row[0]).collect();
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for (member, distance) in distances.iter().enumerate() {
        if let [VariedValue::Number(mu), VariedValue::Number(torque)] = ensemble.values(member)?[..]
        {
            let longer = distance / ideal(mu, torque);
            (least, most) = (least.min(longer), most.max(longer));
        }
    }
    distances.sort_by(f64::total_cmp);
    let mean = distances.iter().sum::<f64>() / MEMBERS as f64;
    let [low, high] = [0.05, 0.95].map(|part| distances[(part * MEMBERS as f64) as usize]);
    println!("braking distance: mean {mean:.1} m, 5 % quantile {low:.1} m, 95 % {high:.1} m");
    println!("{least:.3} to {most:.3} times v²/2a");
    std::fs::create_dir_all("out")?;
    Ok(std::fs::write("out/monte_carlo.svg", histogram(&distances))?)
}
