//! Step of 1,000 robots whose friction, masses, wheel radii and gains all differ, divided by the
//! step of equal robots: with the built-in friction, and with a friction model in a shared library.

#![allow(missing_docs)]

use std::fmt::Write;

use simhost_benches::{Ratio, build, is_test_run, report, shared_friction_library};
use simhost_registry::{Catalogue, FolderSource, Options, PluginFolder};

/// Steps of a measurement, on which the vehicles do not meet.
const STEPS: u64 = 16;
/// Largest ratio of the times.
const LIMIT: f64 = 1.3;

/// Returns a world of robots. Those that differ have numbers within 20 % of those that are equal.
fn world(count: usize, differ: bool, friction: &str) -> String {
    let mut text =
        String::from("<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>");
    for i in 0..count {
        let draw = |middle: f64, what: usize| {
            let part = ((i + 1) as f64 * 0.618_033_988_75 + what as f64 * 0.414_213_562).fract();
            if differ { middle * (0.8 + 0.4 * part) } else { middle }
        };
        let (x, y) = (30 * (i % 32), 30 * (i / 32));
        let _ = write!(
            text,
            "<vehicle name=\"v{i}\"><dynamics class=\"differential\">\
             <chassis mass=\"{}\" zmin=\"0.05\" zmax=\"0.6\"/>\
             <l_wheel pos=\"0 0.5\" mass=\"4\" width=\"0.2\" diameter=\"{}\"/>\
             <r_wheel pos=\"0 -0.5\" mass=\"4\" width=\"0.2\" diameter=\"{}\"/>\
             <controller class=\"twist_pid\"><KP>{}</KP><KI>{}</KI><KD>{}</KD><max_torque>{}\
             </max_torque><V>1</V><W>20</W></controller></dynamics>\
             <friction class=\"{friction}\"><mu>{}</mu><C_damping>{}</C_damping></friction>\
             <init_pose>{x} {y} 0</init_pose></vehicle>",
            draw(15.0, 0),
            draw(0.4, 1),
            draw(0.4, 2),
            draw(10.0, 3),
            draw(1.0, 4),
            draw(0.05, 5),
            draw(50.0, 6),
            draw(0.7, 7),
            draw(0.01, 8),
        );
    }
    text + "</mvsim_world>"
}

/// Measures the friction class `default` of a catalogue.
fn measure(name: &str, catalogue: &Catalogue, count: usize) -> f64 {
    let mut simulations =
        [true, false].map(|differ| build(catalogue, &world(count, differ, "default"), &[], 1));
    let [differ, equal] = &mut simulations;
    let mut differ = || differ.run(STEPS).expect("nothing diverges");
    let mut equal = || equal.run(STEPS).expect("nothing diverges");
    if is_test_run() {
        differ();
        equal();
        return 1.0;
    }
    let ratio = Ratio::measure(20, differ, equal);
    let per_step = |time: f64| time * 1e9 / (STEPS as f64 * count as f64);
    report(&format!(
        "{name}: {:.0} ns per vehicle and step, {:.0} ns for equal ones: {:.2} times, at most {LIMIT}",
        per_step(ratio.first),
        per_step(ratio.second),
        ratio.value()
    ));
    ratio.value()
}

fn main() {
    let count = if is_test_run() { 20 } else { 1_000 };
    let built_in = Catalogue::collect(Options::default()).expect("nothing to scan");
    let library = shared_friction_library();
    let folder = library.parent().expect("a file is in a folder").to_path_buf();
    let folders = vec![PluginFolder { path: folder, source: FolderSource::PluginDir }];
    let without = [simhost_abi::Kind::Friction].into();
    let options = Options { without, folders, ..Options::default() };
    let shared = Catalogue::collect(options).expect("the folder can be read");
    let ratios = [
        measure("built-in friction", &built_in, count),
        measure("friction in a shared library", &shared, count),
    ];
    assert!(ratios.iter().all(|ratio| *ratio <= LIMIT), "robots that differ are too slow");
}
