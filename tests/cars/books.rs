//! Energy books of cars with wheel travel: the sum of all work is the change of energy.

use super::{CLASSES, car, linear};
use crate::support::world::{World, model};

const TERMS: [&str; 7] =
    ["motor_j", "brake_j", "slip_j", "rolling_j", "damping_j", "drag_j", "contact_j"];

/// Drive torque, N·m, torque of the brakes, N·m, and steering angle, rad, from a time on, s.
type Commands = [(f64, [f64; 3])];

const BRAKING: &Commands = &[(0.0, [500.0, 0.0, 0.0]), (1.0, [0.0, 3000.0, 0.0])];
const TURN: &Commands = &[(0.5, [300.0, 0.0, 0.06])];
const SLALOM: &Commands = &[
    (0.0, [300.0, 0.0, 0.06]),
    (0.7, [300.0, 0.0, -0.06]),
    (1.6, [300.0, 0.0, 0.06]),
    (2.5, [300.0, 0.0, -0.06]),
];

/// The largest difference between the change of energy and the work in a run, J, and the work of all terms, J.
fn imbalance(
    world: World,
    dynamics: crate::support::world::Model,
    commands: &Commands,
) -> [f64; 2] {
    let moving = car(dynamics).pose(-60, 0, 0).velocity(15, 0, 0);
    let world = world.vehicle("car", moving);
    let command = |world: World, (time, values): &(f64, [f64; 3])| {
        world.command(*time, "car", "pedals", values)
    };
    let world = commands.iter().fold(world, command);
    let run = world.energy().run(3.5);
    let table = run.table("energy.csv");
    let [kinetic, potential] = ["kinetic_j", "potential_j"].map(|name| table.numbers(name));
    let terms = TERMS.map(|name| table.numbers(name));
    let mut worst = [0.0f64; 2];
    for row in 0..kinetic.len() {
        let energy = kinetic[row] + potential[row] - kinetic[0] - potential[0];
        let work: f64 = terms.iter().map(|term| term[row]).sum();
        let worked: f64 = terms.iter().map(|term| term[row].abs()).sum();
        worst = [worst[0].max((energy - work).abs()), worst[1].max(worked)];
    }
    worst
}

fn rough(class: char) -> String {
    format!(
        "<element class=\"elevation_map\"><roughness>{class}</roughness><roughness_length>200</roughness_length>\
         <roughness_width>60</roughness_width><resolution>0.2</resolution><corner_min_x>-80</corner_min_x>\
         <corner_min_y>-30</corner_min_y></element>"
    )
}

/// Checks the books of all classes on some ground: the imbalance is at most a part of all work.
fn check(name: &str, steps: &[f64], most: f64, ground: impl Fn(World) -> World) {
    let wishbones = "<suspension class=\"double_wishbone\" axle=\"front\"/>";
    let suspensions = [String::new(), linear("front") + &linear("rear"), wishbones.into()];
    for class in CLASSES {
        for (commands, suspension) in [BRAKING, TURN, SLALOM].into_iter().zip(&suspensions) {
            for dt in steps {
                let dynamics = model(class)
                    .xml(suspension)
                    .set("front_anti_roll_bar", 15000)
                    .set("drag_area", 0.8);
                let world = ground(World::new().step(*dt));
                let [off, work] = imbalance(world, dynamics, commands);
                let part = off / work;
                assert!(
                    part < most,
                    "{name}, {class}, {dt} s: {off} J of {work} J, {}",
                    suspension
                );
            }
        }
    }
}

#[test]
fn all_work_of_a_car_changes_its_energy() {
    check("level", &[0.001, 0.005], 3e-4, |world| world);
    check("uphill", &[0.005], 3e-4, |world| world.slope(5.0));
    check("downhill", &[0.005], 3e-4, |world| world.slope(-5.0));
}

#[test]
fn the_work_of_rough_ground_is_in_the_books() {
    check("rough", &[0.001], 3e-4, |world| world.xml(&rough('B')));
    check("rough", &[0.005], 2e-3, |world| world.xml(&rough('B')));
    // within the step that meets the kerb, the powers are not continuous
    let kerb = "<element class=\"horizontal_plane\"><x_min>-50</x_min><x_max>200</x_max>\
        <y_min>-30</y_min><y_max>30</y_max><z>0.04</z></element>";
    check("kerb", &[0.001], 5e-3, |world| world.xml(kerb));
}

/// Keeping books changes nothing.
#[test]
fn books_do_not_change_the_run() {
    let hash = |keeps: bool| {
        let world =
            World::new().step(0.002).slope(3.0).command(0.2, "car", "pedals", &[300.0, 0.0, 0.05]);
        let dynamics = model("car_14dof").xml(&linear("front"));
        let world =
            world.vehicle("car", car(dynamics).pose(0, 0, 0).velocity(12, 0, 0)).record("car/**");
        let world = if keeps { world.energy() } else { world };
        let run = world.run(1.0);
        (run.read("quantities.csv"), run.read("trajectory.csv"))
    };
    assert!(hash(true) == hash(false));
}
