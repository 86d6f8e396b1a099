//! Three vehicles that differ in values of parameters only, far from each other: each moves as it does alone.

use fastrand::Rng;
use simhost::Session;

use crate::support::robots::{Robot, between, robot};
use crate::support::world::World;

/// Parameters that get another value per vehicle.
const CHANGED: usize = 3;
/// Simulated time, s.
const DURATION: f64 = 2.0;

/// A value of a parameter of a vehicle, by the name that the session gives it.
type Setting = (String, String);

/// Returns what is wrong with the vehicles of a seed.
pub fn differences(seed: u64) -> Vec<String> {
    let mut random = Rng::with_seed(seed);
    let step = [0.001, 0.005, 0.01][random.usize(0..3)];
    let robot = robot(&mut random);
    let world = |vehicles: &[usize]| {
        vehicles.iter().fold(World::new().step(step), |world, number| {
            let name = format!("v{number}");
            let pose = format!("<init_pose>0 {} {}</init_pose>", 200 * number, 20 * number);
            let (kind, values) = robot.command(robot.speed, robot.turn);
            world.xml(&robot.xml(&name, &pose)).command(0.1, &name, kind, &values)
        })
    };
    let all = world(&[0, 1, 2]);
    let settings = settings(&mut random, &all.open().0);
    let together = poses(&all, &settings);
    let mut wrong = Vec::new();
    for number in 0..3 {
        let prefix = format!("v{number}/");
        let own = settings.iter().filter(|(name, _)| name.starts_with(&prefix)).cloned();
        let own: Vec<Setting> = own.collect();
        let alone = poses(&world(&[number]), &own);
        let is_equal = match (&together, &alone) {
            (Ok(all), Ok(one)) => all[number] == one[0],
            // one of the other vehicles
            (Err(_), _) => true,
            (Ok(_), Err(_)) => false,
        };
        if !is_equal {
            wrong.push(describe(&robot, &own, number));
        }
    }
    wrong
}

fn describe(robot: &Robot, settings: &[Setting], number: usize) -> String {
    format!("v{number} of {} with {settings:?} moves otherwise than alone", robot.case)
}

/// Returns other values of some parameters, which each vehicle accepts.
fn settings(random: &mut Rng, session: &Session) -> Vec<Setting> {
    let parameters = session.inputs().parameters();
    let numbers = parameters.into_iter().filter_map(|(name, value)| {
        let value: f64 = value.parse().ok()?;
        (value != 0.0 && value.is_finite()).then_some((name, value))
    });
    let mut numbers: Vec<(String, f64)> = numbers.collect();
    let mut chosen = Vec::new();
    for _ in 0..3 * CHANGED {
        if numbers.is_empty() {
            break;
        }
        let (name, value) = numbers.swap_remove(random.usize(0..numbers.len()));
        chosen.push((name, (value * between(random, 0.8, 1.2)).to_string()));
    }
    chosen
}

/// Returns the poses of all vehicles at the end.
fn poses(world: &World, settings: &[Setting]) -> Result<Vec<[f64; 6]>, String> {
    let (mut session, _) = world.open();
    for (name, value) in settings {
        // values that a model refuses are refused alone, too
        let _ = session.edit().set_parameter(name, value);
    }
    session.run_until(simhost::seconds(DURATION)).map_err(|error| error.to_string())?;
    Ok(session.simulation().vehicles().map(|vehicle| vehicle.pose).collect())
}
