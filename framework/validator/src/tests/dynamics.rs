//! Tests of dynamics classes.

mod mirror;
mod vehicle;

pub(crate) use mirror::mirror;

use crate::case::Case;
use crate::instance::{Outcome, fail_for, of_seed};
use crate::tests::halving::divergence;
use vehicle::Vehicle;

/// Simulated time of a test, and its longest step, s.
const DURATION: f64 = 0.6;
const STEP: f64 = 0.02;
/// Largest number of random cases, because each is a small simulation.
const CASES: usize = 8;

/// `dynamics-no-energy`
pub(crate) fn no_energy(case: &Case) -> Outcome {
    for seed in case.seeds().take(CASES) {
        let mut vehicle = Vehicle::new(case, seed, 0.0)?;
        let first = vehicle.energy();
        for step in 0..(DURATION / STEP) as u64 {
            vehicle.step(step, STEP)?;
            let now = vehicle.energy();
            if now > first * (1.0 + 1e-3) + 1e-9 || now.is_nan() {
                let what = format!(
                    "without actuators the energy rises from {first} J to {now} J in {} s",
                    (step + 1) as f64 * STEP
                );
                return of_seed(seed, fail_for(what, vehicle.given()));
            }
        }
    }
    Ok(())
}

/// `dynamics-halving-dt`
pub(crate) fn halving_dt(case: &Case) -> Outcome {
    for seed in case.seeds().take(CASES) {
        let run = |dt: f64| {
            let mut vehicle = Vehicle::new(case, seed, 0.2)?;
            for step in 0..(DURATION / dt).round() as u64 {
                vehicle.step(step, dt)?;
            }
            Ok((vehicle.motion(), vehicle.given()))
        };
        let (coarse, _) = run(STEP)?;
        let (middle, _) = run(0.5 * STEP)?;
        let (fine, given) = run(0.25 * STEP)?;
        if let Some((what, _)) = divergence("motion", STEP, [&coarse, &middle, &fine]) {
            return of_seed(seed, fail_for(what, given));
        }
    }
    Ok(())
}
