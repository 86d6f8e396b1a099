//! A program that steps a world, restores a snapshot, and steps it again.

use simhost_engine::{Fit, RestoreError, Simulation, Snapshot};
use simhost_world::{LoadOptions, load};

use crate::support::runs::catalogue;
use crate::support::world_files;

fn simulation(name: &str) -> Simulation {
    let worlds = world_files::all();
    let file = worlds.iter().find(|world| world.name == name).unwrap();
    let world = load(&file.path, &LoadOptions::default(), &catalogue()).unwrap().world;
    file.simulation(&world)
}

/// Returns the state hash after each step.
fn steps(simulation: &mut Simulation, count: usize) -> Vec<u128> {
    let step = |_| {
        simulation.step().unwrap();
        simulation.state_hash().unwrap()
    };
    (0..count).map(step).collect()
}

#[test]
fn a_world_that_is_rewound_goes_the_same_way() {
    for name in ["demo", "parking", "office", "depot", "crowd"] {
        let mut simulation = simulation(name);
        steps(&mut simulation, 100);
        let snapshot = simulation.snapshot().unwrap();
        assert_eq!(snapshot.state_hash(), simulation.state_hash().unwrap());
        let readings = |simulation: &Simulation| -> Vec<(usize, Vec<f64>)> {
            simulation.samples().readings().collect()
        };
        let first = steps(&mut simulation, 60);
        let read = readings(&simulation);
        // each step changes the state
        assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
        for _ in 0..2 {
            simulation.restore(&snapshot, Fit::Exact).unwrap();
            assert_eq!(simulation.snapshot().unwrap(), snapshot, "{name}");
            assert!(steps(&mut simulation, 60) == first, "{name} goes another way");
            assert_eq!(readings(&simulation), read, "{name}");
        }
    }
}

#[test]
fn what_cannot_be_restored_changes_nothing() {
    let mut simulation = simulation("demo");
    steps(&mut simulation, 50);
    let good = simulation.snapshot().unwrap();
    steps(&mut simulation, 50);
    let hash = simulation.state_hash().unwrap();
    // a snapshot of another world
    let other = self::simulation("parking").snapshot().unwrap();
    let error = simulation.restore(&other, Fit::Slots).unwrap_err();
    assert!(matches!(error, RestoreError::Misfit { may_be_forced: false, .. }), "{error}");
    // a valid header with truncated data, which is detected only after half of it is read
    let bytes = good.to_bytes();
    let short = &bytes[..bytes.len() - 16 - 100];
    let check = xxhash_rust::xxh3::xxh3_128(short).to_le_bytes();
    let short = Snapshot::from_bytes(&[short, &check].concat()).unwrap();
    let error = simulation.restore(&short, Fit::Exact).unwrap_err();
    assert!(matches!(error, RestoreError::Damaged(_)), "{error}");
    assert_eq!(simulation.state_hash().unwrap(), hash);
    simulation.restore(&good, Fit::Exact).unwrap();
    assert_eq!(simulation.clock().steps, 50);
}
