//! Vehicles that drive off edges, stand on steep planes, or have no weight.

use crate::simulation::Simulation;
use crate::tests::{read, started};

fn build(content: &str) -> Simulation {
    let text =
        format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{content}</mvsim_world>");
    started(&read(&text), 1)
}

/// Runs a world and returns height, m, pitch, rad, and the speed as seen from above, m/s, of its vehicle after every step.
fn run(content: &str, seconds: f64) -> Vec<[f64; 3]> {
    let mut simulation = build(content);
    let mut rows = Vec::new();
    for _ in 0..(seconds / 0.005) as usize {
        simulation.step().expect("nothing faults");
        let vehicles = &simulation.state.tables[0].vehicles;
        let pose = vehicles.pose3(0);
        let speed = simulation.state.physics.bodies.state(vehicles.lanes[0].body).speed();
        rows.push([pose.z, pose.pitch, speed]);
    }
    rows
}

fn car(pose: &str, velocity: f64) -> String {
    format!(
        "<vehicle name=\"c\"><init_pose3d>{pose}</init_pose3d><init_vel>{velocity} 0 0</init_vel>\
         <dynamics class=\"ackermann\"><chassis mass=\"1000\" zmin=\"0.3\" zmax=\"1.3\"><shape>\
         <pt>-0.5 -0.8</pt><pt>3.1 -0.8</pt><pt>3.1 0.8</pt><pt>-0.5 0.8</pt></shape></chassis>\
         <rl_wheel pos=\"0 0.75\" diameter=\"0.6\"/><rr_wheel pos=\"0 -0.75\" diameter=\"0.6\"/>\
         <fl_wheel diameter=\"0.6\"/><fr_wheel diameter=\"0.6\"/><f_wheels_x>2.6</f_wheels_x>\
         <f_wheels_d>1.5</f_wheels_d><controller class=\"raw\"/></dynamics></vehicle>"
    )
}

/// A car that drove off an edge of 1 m gained 5.8 kJ, and one off 5 m fell level.
#[test]
fn a_car_that_drives_off_an_edge_dips_its_nose_and_keeps_its_speed() {
    for height in [1.0, 5.0, 20.0] {
        let floor = format!(
            "<element class=\"horizontal_plane\"><z>{height}</z><x_min>-20</x_min><x_max>5</x_max>\
             </element>"
        );
        let rows = run(&(floor + &car(&format!("0 0 {height} 0 0 0"), 5.0)), 2.5);
        for (step, [z, pitch, speed]) in rows.iter().enumerate() {
            assert!(
                // within a wheel of the edge, the plane of the body still pulls
                (speed - 5.0).abs() < 0.25,
                "{height} m, step {step}: {speed} m/s, {z}, {pitch}"
            );
        }
        // the front leaves at 0.48 s, and the rear at 1 s
        let [_, pitch, _] = rows[190];
        let turning = (rows[190][1] - rows[189][1]) / 0.005;
        assert!(
            pitch > 0.2 && (height == 1.0 || turning > 1.0),
            "{height} m: {pitch} rad, {turning} rad/s"
        );
        if height > 1.0 {
            let rate = |at: usize| (rows[at][1] - rows[at - 1][1]) / 0.005;
            let [first, later] = [rate(205), rate(230)];
            let kept = rows[230][1] > 1.19 || (later - first).abs() < 0.02 * first;
            assert!(kept && rows[205][1] > pitch, "{height} m: {first} and {later} rad/s");
        }
    }
}

#[test]
fn a_slow_car_gains_no_speed_while_it_hangs_over_an_edge() {
    let floor = "<element class=\"horizontal_plane\"><z>0.8</z><x_min>-20</x_min><x_max>3</x_max></element>";
    let rows = run(&(floor.to_owned() + &car("0 0 0.8 0 0 0", 2.0)), 2.5);
    let most = rows.iter().map(|[.., speed]| *speed).fold(0.0, f64::max);
    assert!(most < 2.2, "{most} m/s");
}

/// With its nose up, a car on a plane of 80° stood, because points of its outline counted as longer than they are.
#[test]
fn cars_slide_down_steep_planes_whatever_their_heading() {
    for degrees in [50.0f64, 65.0, 70.0, 75.0, 80.0, 84.0] {
        for yaw in [0, 180] {
            let plane = format!(
                "<element class=\"horizontal_plane\"><init_pose3d>0 0 500 0 -{degrees} 0</init_pose3d>\
                 <x_min>-2000</x_min><x_max>2000</x_max><y_min>-50</y_min><y_max>50</y_max></element>"
            );
            let rows = run(&(plane + &car(&format!("0 0 500.1 {yaw} 0 0"), 0.0)), 1.0);
            let (sin, cos) = degrees.to_radians().sin_cos();
            let [.., speed] = rows[rows.len() - 1];
            // wheels roll: they turn as well
            let least = 0.8 * 9.81 * sin * cos;
            assert!((least..9.81 * sin * cos).contains(&speed), "{degrees}°, {yaw}°: {speed} m/s");
        }
    }
}

/// Without gravity, an axle balanced a moment of infinity times 0.
#[test]
fn vehicles_without_weight_move_on_in_every_class() {
    let frictions = ["default", "wardiagnemma", "ellipse"];
    let classes = [
        "differential",
        "differential_3_wheels",
        "differential_4_wheels",
        "ackermann",
        "ackermann_drivetrain",
    ];
    let slope = "<element class=\"horizontal_plane\"><init_pose3d>0 0 50 0 20 0</init_pose3d><x_min>-100</x_min>\
        <x_max>100</x_max><y_min>-50</y_min><y_max>50</y_max></element>";
    for class in classes {
        for friction in frictions {
            for ground in ["", slope] {
                let simulation = format!(
                    "<gravity>0</gravity>{ground}<vehicle name=\"v\"><init_pose3d>0 0 60 0 0 0</init_pose3d>\
                     <init_vel>1 0.5 20</init_vel><dynamics class=\"{class}\"><controller class=\"raw\"/>\
                     </dynamics><friction class=\"{friction}\"/></vehicle>"
                );
                let mut simulation = build(&simulation);
                let motion = |of: &Simulation| {
                    *of.state.physics.bodies.state(of.state.tables[0].vehicles.lanes[0].body)
                };
                let before = motion(&simulation);
                for _ in 0..100 {
                    simulation.step().expect("nothing faults");
                }
                let after = motion(&simulation);
                let change =
                    [0, 1].map(|axis| (after.velocity[axis] - before.velocity[axis]).abs());
                let turned = (after.omega - before.omega).abs();
                let moves_on = change.into_iter().chain([turned]).all(|part| part < 0.02);
                assert!(moves_on, "{class}, {friction}, '{ground}': {before:?}, {after:?}");
            }
        }
    }
}
