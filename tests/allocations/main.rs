//! Allocations of a step in steady state, on one thread and without output.
//!
//! Allocations by the code of the project are errors. Those within rapier and parry are allowed.

#![allow(clippy::unwrap_used)]

mod counter;
#[path = "../support/world_files.rs"]
mod world_files;

use std::sync::Mutex;

use counter::{Owner, Stacks, count, live, stacks};
use simhost::{Ensemble, EnsembleOptions, Options, Session};
use simhost_engine::Simulation;
use simhost_registry::Catalogue;
use simhost_world::{LoadOptions, load};
use world_files::WorldFile;

// the families register themselves
use simhost_families as _;

/// Steps after which buffers have reached their size.
const WARM_UP: usize = 200;
/// Steps whose allocations are counted. Every sensor of the worlds is sampled in them.
const STEPS: usize = 100;
/// Worlds that need plugins, which tests of their own build.
const WITH_PLUGINS: [&str; 2] = ["c_plugin", "third_party"];

/// Returns the simulation of a world after its warm-up.
fn warm(world: &WorldFile, catalogue: &Catalogue) -> Simulation {
    let loaded = load(&world.path, &LoadOptions::default(), catalogue).unwrap();
    let mut simulation = world.simulation(&loaded.world);
    steps(&mut simulation, WARM_UP);
    simulation
}

/// Runs some steps, half of them one by one and half as a run.
fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count / 2 {
        simulation.step().unwrap();
    }
    simulation.run(count as u64 / 2).unwrap();
}

/// Returns the stacks of the allocations of a world in [`STEPS`] steps.
fn allocations(world: &WorldFile, catalogue: &Catalogue) -> Stacks {
    let measure = || {
        let mut simulation = warm(world, catalogue);
        count(|| steps(&mut simulation, STEPS))
    };
    // the first run has what a thread allocates once, too
    let counted = if measure() == 0 { 0 } else { measure() };
    if counted == 0 {
        return Stacks::default();
    }
    // backtraces take long; the next run repeats the last
    let mut simulation = warm(world, catalogue);
    let stacks = stacks(|| steps(&mut simulation, STEPS));
    assert_eq!(stacks.values().sum::<usize>(), counted, "{} repeats itself", world.name);
    stacks
}

#[test]
fn only_rapier_allocates_in_steady_state() {
    let catalogue = Catalogue::collect(simhost_registry::Options::default()).unwrap();
    // the onset of a fault allocates its entry in the memory of the vehicle
    let is_counted = |world: &WorldFile| {
        world.name != "breakdowns" && !WITH_PLUGINS.contains(&world.name.as_str())
    };
    let worlds = Mutex::new(world_files::all().into_iter().filter(is_counted));
    let ours = Mutex::new(Vec::new());
    // allocations are counted per thread
    let examine = || {
        loop {
            let Some(world) = worlds.lock().unwrap().next() else { return };
            for ((owner, stack), count) in allocations(&world, &catalogue) {
                if owner == Owner::Project {
                    let name = &world.name;
                    let text = format!("{name}: {count} allocations in {STEPS} steps\n{stack}");
                    ours.lock().unwrap().push(text);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(examine);
        examine();
    });
    let ours = ours.into_inner().unwrap();
    assert!(ours.is_empty(), "a step allocates:\n{}", ours.join("\n"));
}

/// Members that are stepped together and apart, commanded, read, and reset without new draws. Some return to their
/// starts at a time, so that members are at different steps.
#[test]
fn ensembles_allocate_nothing_in_steady_state() {
    const MEMBERS: usize = 64;
    let laser = "<sensor class='laser' name='scan'><sensor_period>0.05</sensor_period><nrays>64</nrays></sensor>";
    for (sensor, selected) in [("", "robot/pose"), (laser, "robot/sensor/scan/range")] {
        let world = format!(
            "<mvsim_world><walls><shape><pt>9 -9</pt> <pt>9 9</pt></shape></walls><vehicle name='robot'> <init_pose>0 0 0</init_pose>\
             <dynamics class='differential'><controller class='twist_pid'/></dynamics>{sensor}</vehicle></mvsim_world>"
        );
        let mut options = EnsembleOptions::members(MEMBERS).seed(1);
        for text in ["robot/friction/mu=lhs:0.5:1", "robot/pose/yaw=range:0:1:64"] {
            options = options.vary(text.parse().unwrap());
        }
        let mut ensemble = Ensemble::from_text(&world, "robots.world.xml", options).unwrap();
        let selected = ensemble.select([selected]).unwrap();
        let mut matrix = vec![0.0f32; MEMBERS * selected.width()];
        let commands: Vec<f64> =
            (0..MEMBERS).flat_map(|member| [0.3, 0.0, 0.01 * member as f64]).collect();
        let masks = [3, 4, 5]
            .map(|part| -> Vec<bool> { (0..MEMBERS).map(|member| member % part == 0).collect() });
        let mut rounds = |count: usize| {
            for round in 0..count {
                ensemble.reset(&masks[round % 3], None).unwrap();
                ensemble.set("robot/cmd_vel", &commands).unwrap();
                ensemble.step(23).unwrap();
                ensemble.step_some(5, &masks[(round + 1) % 3]).unwrap();
                ensemble.read_f32(&selected, &mut matrix).unwrap();
                ensemble.set("robot/cmd_vel", &commands).unwrap();
            }
            // all return, so that rounds repeat
            ensemble.reset(&[true; MEMBERS], None).unwrap();
        };
        rounds(12);
        rounds(12);
        if count(|| rounds(12)) > 0 {
            let found = stacks(|| rounds(12));
            let ours = found.iter().filter(|((owner, _), _)| *owner == Owner::Project);
            let ours: Vec<String> =
                ours.map(|((_, stack), count)| format!("{count} in 12 rounds\n{stack}")).collect();
            assert!(ours.is_empty(), "an ensemble allocates:\n{}", ours.join("\n"));
        }
    }
}

/// A session, and what is done to it again and again.
type Repeated<'a> = (&'a str, &'a dyn Fn(&mut Session));

/// Steps, resets, forks, ensembles, and entities that come and go leave nothing behind. The first rounds fill tables that
/// grow to a size.
#[test]
fn resets_and_edits_leave_no_memory_behind() {
    let rounds = if cfg!(debug_assertions) { 300 } else { 100_000 };
    let world = "<mvsim_world><vehicle:class name='r'><dynamics class='differential'><controller class='twist_pid'/></dynamics>\
                 <sensor class='laser'><nrays>9</nrays></sensor></vehicle:class><vehicle name='robot' class='r'>\
                 <init_pose>0 0 0</init_pose></vehicle><observer class='metrics' quantities='robot/pose'/></mvsim_world>";
    let open = || Session::from_text(world, "robot.world.xml", Options::default()).unwrap();
    let add = "<vehicle name='other' class='r'><init_pose>5 0 0</init_pose></vehicle>";
    let repeated: [Repeated<'_>; 5] = [
        ("reset", &|session| session.edit().reset(1).unwrap()),
        ("open", &|_| drop(open())),
        ("fork", &|session| drop(session.fork().unwrap())),
        ("ensemble", &|_| {
            let options = EnsembleOptions::members(3).seed(1);
            drop(Ensemble::from_text(world, "robot.world.xml", options).unwrap());
        }),
        ("add and remove", &|session| {
            session.edit().add(add).unwrap();
            session.edit().remove("other").unwrap();
        }),
    ];
    for (name, act) in repeated {
        let mut session = open();
        let mut some = |count: usize| {
            for _ in 0..count {
                act(&mut session);
                session.run_steps(1).unwrap();
            }
            session.edit().reset(1).unwrap();
            live()
        };
        let (before, count) = (some(50), if name == "reset" { rounds } else { rounds / 10 });
        let after = some(count);
        let grown = (after - before) as f64 / count as f64;
        assert!(grown < 1.0, "{name}: {grown} bytes per round after {count} rounds");
    }
}
