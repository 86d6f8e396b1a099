//! Cases of planning models: constant inputs for some steps, and the state at the end.
//!
//! A case runs in a world with one vehicle, so the models come from the catalogue, and plugins can
//! replace them.

mod cases;
mod world;

pub use cases::{CaseError, PlanningCase, Reason, read};
pub use world::{Ended, run};

/// Names of the compared results, in the order of the file.
pub const RESULTS: [&str; 6] = ["x_m", "y_m", "yaw_rad", "vx_mps", "ax_mps2", "steer_rad"];

/// Error below which a result counts as equal, m, rad, m/s or m/s².
pub const ABSOLUTE: f64 = 1e-12;

/// Comparison of a case.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Model of the case.
    pub model: String,
    /// Largest error of a result as a multiple of what its tolerance allows; at most 1 in a case that
    /// passes.
    pub worst: f64,
    /// Largest relative error of a result whose absolute error counts.
    pub relative: f64,
    /// Descriptions of the results that are wrong.
    pub wrong: Vec<String>,
}

/// Compares a case with the results of its run.
pub fn compare(case: &PlanningCase, found: &Ended) -> Comparison {
    let (mut worst, mut relative, mut wrong) = (0.0f64, 0.0f64, Vec::new());
    for ((name, expected), found) in RESULTS.iter().zip(case.results).zip(found.results) {
        let Some(expected) = expected else { continue };
        let error = if *name == "yaw_rad" {
            simhost_sdk::math::wrap_angle(found - expected).abs()
        } else {
            (found - expected).abs()
        };
        let allowed = (case.tolerance * expected.abs()).max(ABSOLUTE);
        let share = if error.is_nan() { f64::INFINITY } else { error / allowed };
        worst = worst.max(share);
        if error > ABSOLUTE && expected != 0.0 {
            relative = relative.max(error / expected.abs());
        }
        if share > 1.0 {
            let line = case.line;
            wrong
                .push(format!("line {line}: {name} is {found}; expected {expected} ± {allowed:e}"));
        }
    }
    Comparison { model: case.model.clone(), worst, relative, wrong }
}

#[cfg(test)]
mod tests;
