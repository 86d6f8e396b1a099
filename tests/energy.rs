//! Coasting on flat ground: no friction model creates energy.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use simhost_scene::{MassProperties, Pose2, polygon};
use support::Workspace;

/// Friction classes of MVSim, and those that MVSim does not have.
const FRICTIONS: [&str; 3] = ["default", "wardiagnemma", "ellipse"];
const TYRES: [&str; 5] = ["fiala", "tmeasy", "magic_formula", "burckhardt", "lugre"];
/// Parameters besides the defaults. `lugre` has bristles of its own and therefore no relaxation length.
const RELAXATION: [&str; 2] = ["", "<relaxation_length>0.3</relaxation_length>"];
/// Largest share of the initial energy that the carcass of a tyre returns while a vehicle comes to rest. Measured:
/// 0.5 % with the bristles of `lugre` and 8 % with a relaxation length, 13 % where differentials lock as well.
const FROM_BRISTLES: f64 = 0.01;
const FROM_CARCASS: f64 = 0.15;
/// Mass and moment of inertia of a default wheel: 2 kg, diameter 0.4 m, width 0.2 m, a solid cylinder.
const WHEEL: (f64, f64, f64, f64) = (2.0, 0.4, 0.2, 0.04);

/// Default chassis and wheels of a class.
fn body(dynamics: &str) -> MassProperties {
    let ackermann = dynamics.starts_with("ackermann");
    let (mass, outline): (f64, &[[f64; 2]]) = if ackermann {
        (500.0, &[[-0.8, -1.0], [1.5, -0.9], [1.8, -0.8], [1.8, 0.8], [1.5, 0.9], [-0.8, 1.0]])
    } else {
        (15.0, &[[-0.4, -0.5], [0.4, -0.5], [0.6, -0.3], [0.6, 0.3], [0.4, 0.5], [-0.4, 0.5]])
    };
    let wheels: &[[f64; 2]] = match dynamics {
        "differential" => &[[0.0, 0.5], [0.0, -0.5]],
        "differential_3_wheels" => &[[0.0, 0.5], [0.0, -0.5], [0.5, 0.0]],
        "differential_4_wheels" => &[[0.0, 0.5], [0.0, -0.5], [0.5, 0.5], [0.5, -0.5]],
        _ => &[[0.0, 0.9], [0.0, -0.9], [1.3, 1.0], [1.3, -1.0]],
    };
    let (wheel_mass, diameter, width, _) = WHEEL;
    wheels.iter().fold(MassProperties::polygon(mass, &polygon::convex_hull(outline)), |sum, at| {
        let pose = Pose2 { x: at[0], y: at[1], yaw: 0.0 };
        sum + MassProperties::rectangle(wheel_mass, diameter, width, pose)
    })
}

/// Returns the kinetic energy after each step, J.
fn energies(workspace: &Workspace, body: &MassProperties) -> Vec<f64> {
    let mut energies: BTreeMap<u64, f64> = BTreeMap::new();
    let rows = |file: &str| {
        let text = std::fs::read_to_string(workspace.path("out").join(file)).unwrap();
        text.lines().skip(1).map(str::to_string).collect::<Vec<_>>()
    };
    let number =
        |row: &str, column: usize| row.split(',').nth(column).unwrap().parse::<f64>().unwrap();
    let step = |row: &str| (number(row, 0) * 1e6).round() as u64;
    for row in rows("trajectory.csv") {
        let (vx, vy, omega) = (number(&row, 8), number(&row, 9), number(&row, 10));
        let (vx, vy) = (vx - omega * body.centre[1], vy + omega * body.centre[0]);
        let energy = 0.5 * body.mass * (vx * vx + vy * vy)
            + 0.5 * body.inertia_about_centre() * omega * omega;
        energies.insert(step(&row), energy);
    }
    for row in rows("wheels.csv") {
        let spin = number(&row, 3);
        *energies.get_mut(&step(&row)).unwrap() += 0.5 * WHEEL.3 * spin * spin;
    }
    energies.into_values().collect()
}

fn never_rises(dynamics: &str) {
    rises_at_most(1e-9, dynamics, "<controller class=\"raw\"/>");
}

/// Asserts that energy rises in no step by more than the share `part`.
fn rises_at_most(part: f64, dynamics: &str, inside: &str) {
    let body = body(dynamics);
    let tyres = TYRES.into_iter().flat_map(|tyre| RELAXATION.map(|relaxation| (tyre, relaxation)));
    let tyres = tyres.filter(|tyre| *tyre != ("lugre", RELAXATION[1]));
    for (friction, relaxation) in FRICTIONS.map(|friction| (friction, "")).into_iter().chain(tyres)
    {
        for rolling in ["", "<C_rr>0.01</C_rr><C_damping>0.05</C_damping>"] {
            let parameters = format!("{rolling}{relaxation}");
            for velocity in ["1 0 0", "1 0.5 20"] {
                for (dt, profile) in [
                    ("0.001", "corrected"),
                    ("0.005", "corrected"),
                    ("0.001", "mvsim-1.2"),
                    ("0.005", "mvsim-1.2"),
                ] {
                    let stores = friction == "lugre" || !relaxation.is_empty();
                    // straight motion stores little energy
                    let same = stores && (velocity == "1 0 0" || !rolling.is_empty());
                    if same || profile != "corrected" && TYRES.contains(&friction) {
                        continue;
                    }
                    let workspace = Workspace::new(&format!(
                        "<mvsim_world><simul_timestep>{dt}</simul_timestep><vehicle name=\"v\">\
                         <dynamics class=\"{dynamics}\">{inside}</dynamics>\
                         <friction class=\"{friction}\">{parameters}</friction>\
                         <init_pose>0 0 30</init_pose><init_vel>{velocity}</init_vel></vehicle>\
                         </mvsim_world>"
                    ));
                    let arguments =
                        ["world.xml", "--duration", "3", "--compat", profile, "--out", "out"];
                    let outcome = workspace.run(&arguments);
                    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
                    let energies = energies(&workspace, &body);
                    // only energy stored in bristles and carcasses returns
                    let (rise, part) = if stores {
                        let mut least = f64::INFINITY;
                        let back = energies.iter().map(|energy| {
                            least = least.min(*energy);
                            energy - least
                        });
                        let part = if friction == "lugre" { FROM_BRISTLES } else { FROM_CARCASS };
                        assert!(energies.iter().all(|energy| *energy <= energies[0]));
                        (back.fold(0.0, f64::max), part)
                    } else {
                        (energies.windows(2).map(|e| e[1] - e[0]).fold(f64::MIN, f64::max), part)
                    };
                    let case =
                        format!("{dynamics} {friction} {parameters} {velocity} {dt} {profile}");
                    assert!(rise <= part * energies[0], "{case}: rises by {rise} J");
                    assert!(energies[energies.len() - 1] < energies[0], "{case}: nothing is lost");
                }
            }
        }
    }
}

#[test]
fn differential() {
    never_rises("differential");
}

#[test]
fn differential_3_wheels() {
    never_rises("differential_3_wheels");
}

#[test]
fn differential_4_wheels() {
    never_rises("differential_4_wheels");
}

#[test]
fn ackermann() {
    never_rises("ackermann");
}

#[test]
fn ackermann_drivetrain() {
    never_rises("ackermann_drivetrain");
}

#[test]
fn ackermann_powertrain() {
    // a locked differential reacts to a sliding tyre one step late, and returns energy in the next step
    for (kind, part) in [("open", 1e-9), ("torsen", 1e-9), ("locked", 5e-4), ("electronic", 5e-4)] {
        let differential = |at: &str| {
            format!(
                "<{at}_differential><kind>{kind}</kind><preload>5</preload></{at}_differential>"
            )
        };
        let inside = format!(
            "<controller class=\"pedals\"/><driven>all</driven>{}{}{}",
            differential("center"),
            differential("front"),
            differential("rear")
        );
        rises_at_most(part, "ackermann_powertrain", &inside);
    }
}
