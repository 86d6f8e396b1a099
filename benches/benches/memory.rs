//! Memory per vehicle: the peak of a process with 10,000 vehicles less that of one with a single one.

#![allow(missing_docs)]

use std::io::Write;
use std::process::Command;

use simhost_benches::{is_test_run, peer, report, simulation};
use simhost_registry::{Catalogue, Options};

/// Names the number of vehicles to the processes that are measured.
const VEHICLES: &str = "SIMHOST_BENCH_VEHICLES";

fn main() {
    if let Ok(count) = std::env::var(VEHICLES) {
        let peak = peak_after_steps(count.parse().expect("a number of vehicles"));
        let _ = writeln!(std::io::stdout(), "{}", peak.unwrap_or_default());
        return;
    }
    let count = if is_test_run() { 100 } else { 10_000 };
    for (class, name) in [("differential", "differential"), ("ackermann", "Ackermann")] {
        let [one, many] = [1, count].map(|count| peak_of_process(class, count));
        if one == 0.0 {
            report("  memory: not measured, this system does not report the peak of a process");
        } else if is_test_run() {
            assert!(many >= one, "{count} vehicles need at least the memory of one");
        } else {
            let each = (many - one) / (count - 1) as f64;
            peer::compare(&format!("memory per {name} vehicle"), "kB", each, peer::MEMORY_KB);
        }
    }
}

/// Steps a world and returns the greatest resident size of this process, kB.
fn peak_after_steps(count: usize) -> Option<f64> {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let class = std::env::args().nth(1).expect("a dynamics class");
    let mut simulation = simulation(&catalogue, &class, count);
    simulation.run(20).expect("nothing diverges");
    assert_eq!(simulation.vehicle_names().len(), count);
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Returns the peak of a process with `count` vehicles, kB; 0 if the system does not report it.
fn peak_of_process(class: &str, count: usize) -> f64 {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg(class).env(VEHICLES, count.to_string()).output();
    let output = output.expect("this program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number of kB")
}
