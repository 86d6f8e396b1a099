//! A modified snapshot with a valid checksum.

use std::cell::RefCell;
use std::path::Path;

use simhost_engine::{Fit, Options, Simulation, Snapshot};
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load_text};
use xxhash_rust::xxh3::xxh3_128;

/// Number of bytes of the checksum at the end.
const CHECK: usize = 16;

const WORLD: &str = "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
    <controller class=\"twist_pid\"><V>1</V></controller></dynamics><friction class=\"lugre\"/>\
    <sensor class=\"laser\" name=\"l\"/></vehicle><vehicle name=\"b\"><init_pose>0.9 0 0</init_pose>\
    <dynamics class=\"ackermann\"/></vehicle><block><init_pose>-2 0 0</init_pose></block></mvsim_world>";

/// Restores a snapshot that is truncated after `cut` bytes and has bytes replaced. The simulation accepts it or is
/// left unchanged.
pub fn snapshot(cut: Option<u16>, edits: &[(u16, u8)]) {
    thread_local! {
        static GOOD: Vec<u8> = good();
        // a refused snapshot leaves no trace, so that one simulation is enough
        static TRIED: RefCell<Simulation> = RefCell::new(simulation());
    }
    GOOD.with(|bytes| {
        let mut bytes = bytes[..bytes.len() - CHECK].to_vec();
        bytes.truncate(cut.map_or(usize::MAX, usize::from));
        for (at, value) in edits {
            if let Some(byte) = bytes.get_mut(usize::from(*at)) {
                *byte = *value;
            }
        }
        let check = xxh3_128(&bytes).to_le_bytes();
        bytes.extend_from_slice(&check);
        let Ok(altered) = Snapshot::from_bytes(&bytes) else { return };
        TRIED.with_borrow_mut(|simulation| take(simulation, &altered));
    });
}

fn take(simulation: &mut Simulation, altered: &Snapshot) {
    let before = simulation.state_hash().expect("it has no model that cannot save");
    if simulation.restore(altered, Fit::Slots).is_err() {
        assert_eq!(simulation.state_hash().expect("as before"), before);
    }
}

fn good() -> Vec<u8> {
    let mut simulation = simulation();
    for _ in 0..50 {
        simulation.step().expect("nothing faults");
    }
    simulation.snapshot().expect("every model saves").to_bytes()
}

fn simulation() -> Simulation {
    thread_local! {
        static CATALOGUE: Catalogue =
            Catalogue::collect(Default::default()).expect("there is no folder to search");
    }
    let options = LoadOptions::default();
    CATALOGUE.with(|catalogue| {
        let loaded = load_text(Path::new("fuzzed.xml"), WORLD.as_bytes(), &options, catalogue)
            .expect("the world is right");
        let mut simulation = Simulation::new(&loaded.world, Options { seed: 0, threads: 1 })
            .expect("the models take their parameters");
        simulation.start().expect("nothing faults");
        simulation
    })
}
