//! The full example of the driving-lab manual (listing 1): 30 frames per second, a car, an observer that
//! notes its motion, one second, and one second more. The motor is set to full throttle, so that there is
//! something to see.
//!
//! Run it from the folder of the repository: `cargo run -p simhost --example driving_lab`.
#![allow(clippy::print_stdout, missing_docs)]

use std::sync::{Arc, Mutex};

use simhost::{CarBuilder, Command, Context, Hook, HookError, Options, Session, seconds};

/// Notes time, position and speed after every frame, and prints them at the end.
#[derive(Clone, Default)]
pub struct Plotter {
    pub rows: Arc<Mutex<Vec<[f64; 3]>>>,
}

impl Hook for Plotter {
    fn after_step(&mut self, context: &Context<'_>) -> Result<(), HookError> {
        let mut rows = self.rows.lock().expect("no hook panics");
        for car in context.simulation().vehicles() {
            rows.push([context.time().0, car.pose[0], car.twist[0]]);
        }
        Ok(())
    }

    fn end(&mut self, _: &Context<'_>) {
        println!("time, s   x, m     speed, m/s");
        let rows = self.rows.lock().expect("no hook panics");
        for [time, x, speed] in rows.iter().skip(9).step_by(10) {
            println!("{time:7.3}  {x:7.4}  {speed:10.4}");
        }
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 1. a car with the defaults of the lab
    let file = std::env::temp_dir().join(format!("lab-car-{}.json", std::process::id()));
    CarBuilder::new().store(&file)?;

    // 2. a world with 30 frames per second and this car
    let world = format!(
        "<mvsim_world><simul_timestep>$f{{1/30}}</simul_timestep>\
         <vehicle name=\"car\" file=\"{}\"/></mvsim_world>",
        file.display()
    );
    let mut sim = Session::from_text(&world, "driving_lab.world.xml", Options::default())?;
    std::fs::remove_file(&file)?;

    // 3. an observer
    let plotter = Plotter::default();
    sim.hooks().add(plotter.clone());

    // 4. one second, and one second more
    let (kind, values) = ("actuator_targets".to_owned(), vec![3.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    sim.vehicle("car")?.command(Command { kind, values })?;
    sim.control().stop_after(seconds(1.0))?;
    sim.run_until(seconds(9.0))?;
    println!("stopped after {} frames at {} s", sim.steps(), sim.time().0);
    sim.control().extend(seconds(1.0))?;
    sim.run_until(seconds(9.0))?;
    println!("stopped after {} frames at {} s", sim.steps(), sim.time().0);
    sim.finish()?;
    Ok(())
}
