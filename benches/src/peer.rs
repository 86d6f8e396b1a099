//! Figures of another simulator, to which benches compare their own.
//!
//! MVSim 1.2.0, commit 9c1b072, built with `-O3` for itself and its Box2D, measured in November 2026 on
//! two cores of a shared x86-64 machine. CPU time per vehicle and step of 5 ms is the difference of two
//! whole runs divided by the steps. `benches/peers/run.sh` repeats the measurement where MVSim is
//! installed.

use crate::report;

/// Time of a step per vehicle with 1, 100 and 1,000 vehicles, µs.
pub const DIFFERENTIAL_STEP_US: [f64; 3] = [5.1, 3.9, 4.6];
/// Time of a step per vehicle with 1, 100 and 1,000 vehicles, µs.
pub const ACKERMANN_STEP_US: [f64; 3] = [5.8, 4.7, 6.3];
/// Friction classes, and time of a call for one wheel, ns.
pub const FRICTION_NS: [(&str, f64); 3] =
    [("default", 57.0), ("wardiagnemma", 72.0), ("ellipse", 122.0)];
/// Time to load a world of 1,000 vehicles per vehicle, µs; the least of 22 to 30.
pub const LOADING_US: f64 = 22.0;
/// Memory per vehicle at 10,000 vehicles, kB; the least of 20 to 28.
pub const MEMORY_KB: f64 = 20.0;

/// Prints a figure, that of MVSim and their ratio, which is greater than one if MVSim needs more.
pub fn compare(work: &str, unit: &str, ours: f64, mvsim: f64) {
    report(&format!(
        "  {work}: {ours:.3} {unit}, MVSim {mvsim} {unit} (table of 2026-11), ratio {:.1}",
        mvsim / ours
    ));
}
