//! The profile `mvsim-1.2` reproduces trajectories measured on MVSim.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::runs::Run;
use crate::support::world::World;
use crate::support::{Table, Workspace, measured::Case};

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/reference");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders.into_iter().map(Case::read).collect()
}

/// Mass, moment of inertia about the origin, and centre of mass.
fn body_errors(case: &Case, run: &Run) -> Vec<String> {
    let read = |path: PathBuf| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    let theirs = read(case.folder.join("case.json"));
    let ours = &read(run.path("manifest.json"))["vehicles"][0];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let mass = number(&ours["mass_kg"]);
    let [x, y] = [0, 1].map(|axis| number(&ours["centre_of_mass_m"][axis]));
    let inertia = number(&ours["yaw_inertia_kgm2"]) + mass * (x * x + y * y);
    [
        (mass, &theirs["body_mass_kg"]),
        (inertia, &theirs["body_inertia_about_origin_kg_m2"]),
        (x, &theirs["com_m"][0]),
        (y, &theirs["com_m"][1]),
    ]
    .into_iter()
    .filter(|(ours, theirs)| (ours - number(theirs)).abs() > 1e-6 * ours.abs().max(1.0))
    .map(|(ours, theirs)| format!("{}: body {ours}, not {theirs}", case.name))
    .collect()
}

fn check(case: &Case) -> Vec<String> {
    let workspace = Workspace::new("");
    workspace.write("case.world.xml", &case.world);
    workspace.write("case.commands.csv", &case.commands());
    let world = World::of_file(&workspace.path(""), "case").profile("mvsim-1.2").every(0.25);
    let run = world.run(case.duration());
    let theirs = Table::read(&case.folder.join("trajectory.csv"));
    let ours = run.table("trajectory.csv");
    let column = |name: &str, name_ref: &str| (ours.numbers(name), theirs.numbers(name_ref));
    let (t, t_ref) = (ours.numbers("time_s"), theirs.numbers("t"));
    assert_eq!(t.len(), t_ref.len(), "{}", case.name);
    let ((x, x_ref), (y, y_ref), (yaw, yaw_ref)) =
        (column("x_m", "x"), column("y_m", "y"), column("yaw_rad", "yaw"));
    let mut wrong = body_errors(case, &run);
    let mut driven = 0.0;
    for i in 0..t.len() {
        assert!((t[i] - t_ref[i]).abs() < 1e-9, "{}: {} against {}", case.name, t[i], t_ref[i]);
        if i > 0 {
            driven += (x_ref[i] - x_ref[i - 1]).hypot(y_ref[i] - y_ref[i - 1]);
        }
        let off = (x[i] - x_ref[i]).hypot(y[i] - y_ref[i]);
        if off > 1e-3 + 5e-4 * driven {
            wrong.push(format!("{} at {} s: {off} m off after {driven} m", case.name, t[i]));
        }
        let turned = (yaw[i] - yaw_ref[i] + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU)
            - std::f64::consts::PI;
        if turned.abs() > 1e-3 {
            wrong.push(format!("{} at {} s: yaw {turned} rad off", case.name, t[i]));
        }
    }
    let wheels = run.table("wheels.csv");
    for (number, wheel) in case.wheels().iter().enumerate() {
        let ours = wheels.only("wheel", wheel).numbers("spin_radps");
        let theirs = theirs.numbers(&format!("w{number}_spin"));
        assert_eq!(ours.len(), theirs.len(), "{} {wheel}", case.name);
        let name = &case.name;
        // the spin oscillates from step to step, because the ellipse is stiff
        if case.class("friction") == "ellipse" {
            let rms =
                |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
            let error = rms(&mut ours.iter().zip(&theirs).map(|(ours, theirs)| ours - theirs));
            let allowed =
                0.02 * rms(&mut theirs.iter().copied()) + 1e-3 * (theirs.len() as f64).sqrt();
            if error > allowed {
                wrong.push(format!(
                    "{name}: RMS error of the spin of {wheel}, {error} of {allowed}"
                ));
            }
            continue;
        }
        for ((t, ours), theirs) in t.iter().zip(ours).zip(theirs) {
            if (ours - theirs).abs() > 5e-3 * theirs.abs() + 1e-3 {
                wrong.push(format!("{name} at {t} s: {wheel} spins {ours}, not {theirs}"));
            }
        }
    }
    wrong
}

#[test]
fn the_trajectories_of_mvsim_are_reproduced() {
    let wrong: Vec<String> = cases().iter().flat_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_class_and_kind_of_command_is_among_the_cases() {
    let cases = cases();
    let set = |pick: &dyn Fn(&Case) -> String| -> Vec<String> {
        cases.iter().map(pick).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let dynamics = set(&|case| case.class("dynamics").into());
    assert_eq!(
        dynamics,
        [
            "ackermann",
            "ackermann_drivetrain",
            "differential",
            "differential_3_wheels",
            "differential_4_wheels"
        ]
    );
    assert_eq!(set(&|case| case.class("friction").into()), ["default", "ellipse", "wardiagnemma"]);
    let controllers = set(&|case| case.class("controller").into());
    assert_eq!(
        controllers,
        ["front_steer_pid", "raw", "twist_front_steer_pid", "twist_ideal", "twist_pid"]
    );
    assert_eq!(set(&|case| case.mode().into()), ["raw", "steer", "twist"]);
}
