//! Vehicles with a powertrain: traction, top speed, energy and gear shifts.

use crate::support::runs::Run;
use crate::support::world::{World, model, vehicle};

const RADIUS: f64 = 0.31;

/// A car of 1048 kg with a moment of inertia of 0.577 kg·m² per wheel.
fn car(powertrain: &str, more: &str) -> String {
    let wheel = |tag: &str| format!("<{tag} mass=\"12\" width=\"0.2\" diameter=\"0.62\"/>");
    format!(
        "<vehicle name=\"a\"><init_pose>0 0 0</init_pose>{more}<dynamics class=\"ackermann_powertrain\">\
         <rl_wheel pos=\"0 0.75\" mass=\"12\" width=\"0.2\" diameter=\"0.62\"/>\
         <rr_wheel pos=\"0 -0.75\" mass=\"12\" width=\"0.2\" diameter=\"0.62\"/>{}{}\
         <f_wheels_x>2.5</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
         <wheel_inertia>0.577</wheel_inertia>{powertrain}\
         <chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.5\"><shape><pt>-0.8 -0.85</pt><pt>3.3 -0.85</pt>\
         <pt>3.3 0.85</pt><pt>-0.8 0.85</pt></shape></chassis>\
         <controller class=\"pedals\"/></dynamics>\
         <friction class=\"default\"><mu>0.9</mu><C_damping>0</C_damping></friction></vehicle>",
        wheel("fl_wheel"),
        wheel("fr_wheel"),
    )
}

/// Runs a world with one command from the start: throttle, brake, steering and gear.
fn drive(content: &str, dt: f64, seconds: f64, command: [f64; 4]) -> Run {
    let world = World::new().step(dt).xml(content);
    let run = world.command(0.0, "a", "drive", &command).run(seconds);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
    run
}

/// Distance, acceleration, load of the rear left wheel, and spins of the rear wheels, left on ice and right on
/// asphalt, after three seconds.
struct HalfIce {
    distance: f64,
    acceleration: f64,
    load: f64,
    spins: [f64; 2],
}

fn on_half_ice(kind: &str, differential: &str) -> HalfIce {
    let ice = "<element class=\"property_region\"><x_min>-50</x_min><x_max>50</x_max>\
               <y_min>0</y_min><y_max>50</y_max><property_name>friction_mu</property_name>\
               <value_double>0.05</value_double></element>";
    let powertrain = format!(
        "<gearbox><automatic>false</automatic></gearbox><engine><inertia>0</inertia></engine>\
         <rear_differential><kind>{kind}</kind>{differential}</rear_differential>"
    );
    let world = format!("{ice}{}", car(&powertrain, ""));
    let run = drive(&world, 0.002, 3.0, [0.3, 0.0, 0.0, 1.0]);
    let speeds = run.column("a", "vx_mps");
    HalfIce {
        distance: run.last("a", "x_m"),
        // mean of the last half second
        acceleration: (speeds[speeds.len() - 1] - speeds[speeds.len() - 251]) / 0.5,
        load: run.wheel("rl", "normal_n"),
        spins: ["rl", "rr"].map(|wheel| run.wheel(wheel, "spin_radps")),
    }
}

#[test]
fn differentials_on_half_ice() {
    let open = on_half_ice("open", "");
    let torsen = on_half_ice("torsen", "<bias>3</bias>");
    let locked = on_half_ice("locked", "");
    let electronic = on_half_ice("electronic", "<lock_torque>60</lock_torque>");
    let distances = [&open, &torsen, &locked, &electronic].map(|run| run.distance);

    // the wheel on ice spins, and the other one gets no more torque than the ice supports
    assert!(open.spins[0] > 10.0 * open.spins[1], "{:?}", open.spins);
    let expected = 2.0 * 0.05 * open.load / 1048.0;
    let acceleration = open.acceleration;
    assert!((acceleration - expected).abs() < 0.1 * expected, "{acceleration}, {expected} m/s²");

    let [left, right] = locked.spins;
    assert!((left - right).abs() < 0.001 * right && right > 5.0, "{left} {right}");
    assert!(locked.distance > 3.0 * open.distance, "{distances:?}");
    assert!(locked.acceleration > 2.5 * open.acceleration);
    for between in [&torsen, &electronic] {
        assert!(1.2 * open.distance < between.distance, "{distances:?}");
        assert!(between.distance < 0.95 * locked.distance, "{distances:?}");
    }
}

#[test]
fn top_speed_is_where_the_engine_balances_the_air() {
    let powertrain = "<engine><torque_map>1000 150; 6000 100; 7000 70</torque_map>\
                      <max_speed>7000</max_speed></engine><gearbox><ratios>1</ratios></gearbox>\
                      <final_drive>3.9</final_drive>";
    let more = "<init_vel>40 0 0</init_vel><aerodynamics drag_area=\"0.8\"/>";
    let run = drive(&car(powertrain, more), 0.01, 150.0, [1.0, 0.0, 0.0, 1.0]);
    let speed = run.last("a", "vx_mps");
    // engine power after losses minus aerodynamic power, W
    let surplus = |speed: f64| {
        let engine = speed / RADIUS * 3.9;
        let rpm = engine * 30.0 / std::f64::consts::PI;
        let torque = if rpm < 6000.0 {
            150.0 - 0.01 * (rpm - 1000.0)
        } else {
            100.0 - 0.03 * (rpm - 6000.0)
        };
        torque * engine * 0.96 * 0.97 - 0.5 * 1.225 * 0.8 * speed.powi(3)
    };
    let (mut low, mut high) = (20.0, 80.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if surplus(middle) > 0.0 { low = middle } else { high = middle }
    }
    assert!((speed - low).abs() < 0.02 * low, "{speed} m/s, expected {low}");
}

#[test]
fn what_the_battery_gives_is_work_and_losses() {
    let powertrain = "<source>electric</source><final_drive>8</final_drive>\
                      <motor><max_power>20</max_power><efficiency>0.85</efficiency></motor>\
                      <battery><capacity>100</capacity><resistance>0.4</resistance>\
                      <initial_charge>0.5</initial_charge></battery>";
    let dt = 0.002;
    let run = drive(&car(powertrain, ""), dt, 15.0, [1.0, 0.0, 0.0, 1.0]);
    let wheels = run.table("wheels.csv");
    let of = |wheel: &str, column: &str| wheels.only("wheel", wheel).numbers(column);
    let power = |wheel: &str| -> Vec<f64> {
        let spins = of(wheel, "spin_radps");
        of(wheel, "torque_nm").iter().zip(spins).map(|(torque, spin)| torque * spin).collect()
    };
    let interval = of("rl", "time_s")[2] - of("rl", "time_s")[1];
    let (left, right) = (power("rl"), power("rr"));
    let (mut work, mut heat) = (0.0, 0.0);
    for (left, right) in left.iter().zip(&right) {
        let electric = (left + right) / 0.97 / 0.85;
        let current = (400.0 - (160_000.0 - 1.6 * electric).sqrt()) / 0.8;
        work += electric * interval;
        heat += 0.4 * current * current * interval;
    }
    assert!((work + heat - 180e3).abs() < 0.01 * 180e3, "{work} + {heat} J");
    assert!(heat > 0.02 * work, "{heat}");
    assert!(left.last().unwrap().abs() < 1e-6, "it drives on without charge");
}

#[test]
fn braking_with_the_motor_gives_range_back() {
    let distance = |torque: f64| {
        let powertrain = format!(
            "<source>electric</source><final_drive>8</final_drive>\
             <motor><regeneration_torque>{torque}</regeneration_torque></motor>\
             <battery><capacity>40</capacity><initial_charge>0.5</initial_charge></battery>"
        );
        let car = car(&powertrain, "<aerodynamics drag_area=\"2\"/>");
        let world = World::new()
            .step(0.005)
            .xml(&car)
            .command(0.0, "a", "drive", &[0.3, 0.0, 0.0, 1.0])
            .command(6.0, "a", "drive", &[0.0, 0.15, 0.0, 1.0])
            .command(12.0, "a", "drive", &[0.5, 0.0, 0.0, 1.0]);
        world.run(40.0).last("a", "x_m")
    };
    let (with, without) = (distance(120.0), distance(0.0));
    assert!(with > 1.05 * without, "{with} m with, {without} m without");
}

/// Returns the time and the spin of the rear left wheel at each shift, and the length of the first one.
fn shifts(throttle: f64) -> (Vec<(f64, f64)>, f64) {
    let car = car("<driven>all</driven>", "<aerodynamics drag_area=\"0.7\"/>");
    let run = drive(&car, 0.005, 120.0, [throttle, 0.0, 0.0, 1.0]);
    let wheel = run.table("wheels.csv").only("wheel", "rl");
    let (times, torques) = (wheel.numbers("time_s"), wheel.numbers("torque_nm"));
    let spins = wheel.numbers("spin_radps");
    let none = |torque: &&f64| torque.abs() < 1e-9;
    let begins: Vec<usize> =
        (2..torques.len()).filter(|&i| torques[i - 1] > 1.0 && none(&&torques[i])).collect();
    let without = torques[begins[0]..].iter().take_while(none).count();
    let at = begins.iter().map(|&i| (times[i], spins[i])).collect();
    (at, without as f64 * (times[2] - times[1]))
}

#[test]
fn an_automatic_gearbox_shifts_up_gear_by_gear() {
    let (at, time) = shifts(0.5);
    assert_eq!(at.len(), 4, "{at:?}");
    // each shift at an engine speed of 5500 rpm
    for ((_, spin), ratio) in at.iter().zip([3.6, 2.1, 1.4, 1.05]) {
        let rpm = spin * 3.9 * ratio * 30.0 / std::f64::consts::PI;
        assert!((rpm - 5500.0).abs() < 100.0, "{rpm} rpm");
    }
    assert!((time - 0.3).abs() < 0.011, "{time} s");
}

/// At full throttle the front wheels spin in first gear, so that the engine reaches 5500 rpm early.
#[test]
fn an_automatic_gearbox_does_not_hunt_on_spinning_wheels() {
    let (at, _) = shifts(1.0);
    assert_eq!(at.len(), 4, "{at:?}");
    assert!(at.windows(2).all(|pair| pair[1].1 > 1.2 * pair[0].1), "{at:?}");
}

#[test]
fn a_wrong_map_is_told_where_it_stands() {
    let car = car("<engine><torque_map>1000 110; 2000</torque_map></engine>", "");
    let errors = World::new().xml(&car).errors();
    assert!(errors[0].text.contains("expected two numbers, rpm and N·m"), "{errors:?}");
}

/// A class with all of its defaults, on every kind of tyre, at full throttle. `more` is inside of its element.
fn by_tyre(more: &str) -> World {
    let tyres =
        ["default", "wardiagnemma", "ellipse", "burckhardt", "fiala", "magic_formula", "tmeasy"];
    tyres.iter().enumerate().fold(World::new().step(0.005), |world, (number, tyre)| {
        let car = vehicle(model("ackermann_powertrain").xml(more)).controller("pedals");
        let car = car.friction(*tyre).pose(0, 10 * number, 0);
        world.vehicle(tyre, car).command(0.0, tyre, "drive", &[1.0, 0.0, 0.0, 1.0])
    })
}

#[test]
fn the_limiter_holds_whatever_the_grip() {
    let strong = "<engine><torque_map>1000 20000; 6500 20000</torque_map></engine>";
    for more in ["", strong, "<source>electric</source><motor><max_speed>6500</max_speed></motor>"]
    {
        let run = by_tyre(more).record("*/dynamics/engine_speed").run(6.0);
        let table = run.table("quantities.csv");
        for column in table.header.iter().filter(|name| name.contains("engine_speed")) {
            let speeds = table.numbers(column);
            let most = speeds.iter().copied().fold(0.0, f64::max) * 30.0 / std::f64::consts::PI;
            assert!(most < 1.02 * 6500.0, "{column}: {most} rpm with {more}");
        }
    }
}

#[test]
fn a_car_with_defaults_accelerates_and_shifts_as_cars_do() {
    let run = by_tyre("").record("*/dynamics/gear").run(20.0);
    let table = run.table("quantities.csv");
    for column in table.header.iter().filter(|name| name.contains("gear")) {
        let gears = table.numbers(column);
        let changes = gears.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let is_up = gears.windows(2).all(|pair| pair[1] >= pair[0]);
        assert!(changes <= 5 && is_up, "{column}: {changes} changes");
        let speed = run.last(column.split('/').next().unwrap(), "vx_mps");
        assert!((20.0..60.0).contains(&speed), "{column}: {speed} m/s");
    }
}

#[test]
fn a_car_starts_in_the_gear_that_fits_its_speed() {
    let car = |speed: f64| {
        vehicle("ackermann_powertrain").controller("pedals").pose(0, 0, 0).velocity(speed, 0, 0)
    };
    for (speed, gear) in [(0.0, 1.0), (12.0, 2.0), (30.0, 5.0)] {
        let world = World::new().vehicle("a", car(speed)).record("a/dynamics/gear");
        let run = world.command(0.0, "a", "drive", &[0.5, 0.0, 0.0, 1.0]).run(0.1);
        assert_eq!(
            *run.table("quantities.csv").numbers("a/dynamics/gear [1]").last().unwrap(),
            gear
        );
    }
}
