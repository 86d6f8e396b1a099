//! Shared parts of the benches: worlds, direct calls of models, and ratios of alternating rounds.

pub mod embree;
pub mod growth;
pub mod heap;
mod ratio;
mod rig;
pub mod scans;
pub mod space;
mod worlds;

pub use ratio::{Ratio, fastest, is_test_run, report};
pub use rig::{Rig, shared_friction, shared_friction_library};
pub use worlds::{
    build, camera_simulation, crowd_world, floor_plan_simulation, segments_simulation, simulation,
    simulation_on_threads,
};

/// Declares `main` of a bench: the functions to run, each measured for one second in that many samples.
#[macro_export]
macro_rules! bench_main {
    (samples: $samples:expr, $($function:ident),+) => {
        criterion::criterion_group! {
            name = benches;
            config = criterion::Criterion::default()
                .sample_size($samples)
                .measurement_time(std::time::Duration::from_secs(1));
            targets = $($function),+
        }
        criterion::criterion_main!(benches);
    };
}

// the built-in families register themselves, but the linker drops crates that are not named
use simhost_families as _;
