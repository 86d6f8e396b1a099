//! Memory per vehicle, and per member of an ensemble: the peak of a process with many of them minus
//! the peak of a process with a single vehicle, or with few members.

#![allow(missing_docs)]

use std::io::Write;
use std::process::Command;

use simhost::{Ensemble, EnsembleOptions};
use simhost_benches::{is_test_run, report, simulation};
use simhost_registry::{Catalogue, Options};

/// Names the number of vehicles or members to the processes that are measured.
const COUNT: &str = "SIMHOST_BENCH_COUNT";

fn main() {
    if let Ok(count) = std::env::var(COUNT) {
        let count = count.parse().expect("a number of vehicles or members");
        let what = std::env::args().nth(1).expect("a dynamics class or an ensemble");
        match what.strip_prefix("ensemble-") {
            Some(sensor) => step_ensemble(sensor == "laser", count),
            None => step_vehicles(&what, count),
        }
        let _ = writeln!(std::io::stdout(), "{}", peak().unwrap_or_default());
        return;
    }
    // 1,000 take more memory than the peak of a process varies by
    let count = if is_test_run() { 1_000 } else { 10_000 };
    for (class, name) in [("differential", "differential"), ("ackermann", "Ackermann")] {
        if let Some(each) = memory_per_one(class, [1, count]) {
            report(&format!("  memory per {name} vehicle: {each:.2} kB"));
        }
    }
    // with few members, the tables are as wide as with many
    let counts = if is_test_run() { [10, 1_000] } else { [256, 4096] };
    for (what, name, limit, aim) in [
        ("ensemble-plain", "no sensors", 8.0, 6.0),
        ("ensemble-laser", "a laser with 64 rays", 14.0, 12.0),
    ] {
        if let Some(each) = memory_per_one(what, counts) {
            report(&format!(
                "  memory per further member, one differential robot with {name}: {each:.2} kB; at most {limit}, aim \
                 {aim}"
            ));
        }
    }
}

fn step_vehicles(class: &str, count: usize) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let mut simulation = simulation(&catalogue, class, count);
    simulation.run(20).expect("nothing diverges");
    assert_eq!(simulation.vehicle_names().len(), count);
}

/// Steps members that differ in friction, pose and command. Half of them are reset once.
fn step_ensemble(has_laser: bool, members: usize) {
    let laser = "<sensor class=\"laser\" name=\"scan\"><sensor_period>0.05</sensor_period><nrays>64</nrays></sensor>";
    let world = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>\
         <walls><shape><pt>20 -20</pt> <pt>20 20</pt></shape></walls>\
         <vehicle name=\"robot\"> <init_pose>0 0 0</init_pose><dynamics class=\"differential\"><controller class=\"twist_pid\"/></dynamics>\
         {}</vehicle></mvsim_world>",
        if has_laser { laser } else { "" }
    );
    let mut options = EnsembleOptions::members(members).seed(1);
    for text in [
        "robot/friction/mu=uniform:0.4:0.9",
        "robot/pose/yaw=uniform:-1:1",
        "robot/cmd_vel/vx=uniform:0.3:1",
    ] {
        options = options.vary(text.parse().expect("it can be read"));
    }
    let mut ensemble =
        Ensemble::from_text(&world, "bench.world.xml", options).expect("the world is right");
    ensemble.step(20).expect("nothing fails");
    let mask: Vec<bool> = (0..members).map(|member| member % 2 == 0).collect();
    ensemble.reset(&mask, None).expect("they start");
    ensemble.step(20).expect("nothing fails");
    assert_eq!((ensemble.members(), ensemble.apart()), (members, 0));
}

/// Returns the greatest resident size of this process, kB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Returns the memory of each further vehicle or member from the first count to the second one, kB.
fn memory_per_one(what: &str, counts: [usize; 2]) -> Option<f64> {
    let [few, many] = counts.map(|count| peak_of_process(what, count));
    if few == 0.0 {
        report("  memory: not measured, this system does not report the peak of a process");
        return None;
    }
    if is_test_run() {
        assert!(many >= few, "{what}: {many} kB with {}, {few} with {}", counts[1], counts[0]);
        return None;
    }
    Some((many - few) / (counts[1] - counts[0]) as f64)
}

/// Returns the peak of a process with `count` vehicles or members, kB; 0 if the system does not report it.
fn peak_of_process(what: &str, count: usize) -> f64 {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg(what).env(COUNT, count.to_string()).output();
    let output = output.expect("this program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number of kB")
}
