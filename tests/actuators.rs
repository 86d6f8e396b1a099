//! Actuators between a controller and a dynamics class.

mod errors;

use std::path::{Path, PathBuf};

use crate::support::{OPTIMISED, Outcome, Workspace, bad_plugins};

/// Length of the steps of all worlds, s.
const DT: f64 = 0.01;

/// Builds the plugin with the cart, its controller and its actuators, and returns the folder.
fn plugins(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("actuators").join(name);
    bad_plugins::build_of("actuator.c", &folder, "actuator", macros);
    folder
}

fn world(content: &str) -> Workspace {
    Workspace::new(&format!(
        "<mvsim_world><simul_timestep>{DT}</simul_timestep>\n{content}</mvsim_world>"
    ))
}

/// Returns a car that steers to 15° at 3 m/s.
fn car(name: &str, y: f64, actuators: &str) -> String {
    format!(
        "<vehicle name=\"{name}\"><init_pose>0 {y} 0</init_pose><init_vel>3 0 0</init_vel>\
         <dynamics class=\"ackermann\"><controller class=\"front_steer_pid\"><V>3</V>\
         <STEER_ANG>15</STEER_ANG></controller>\n{actuators}\n</dynamics></vehicle>\n"
    )
}

/// Returns a cart whose wheels are driven with 0.1 N·m and 0.6 N·m.
fn cart(name: &str, y: f64, actuators: &str) -> String {
    format!(
        "<vehicle name=\"{name}\"><init_pose>0 {y} 0</init_pose><dynamics class=\"cart\">\
         <controller class=\"pusher\"><push>0.1</push></controller>\n{actuators}\n</dynamics></vehicle>\n"
    )
}

/// Runs `world.xml` for a second and records some quantities.
fn run(workspace: &Workspace, plugins: Option<&Path>, more: &[&str]) -> Outcome {
    let mut all = vec!["world.xml", "--duration", "1", "--log-period", "0.01", "--hash-every", "1"];
    if !more.contains(&"--resume") {
        all.extend(["--out", "out"]);
    }
    if let Some(plugins) = plugins {
        all.extend(["--plugin-dir", plugins.to_str().unwrap()]);
    }
    all.extend(more);
    workspace.run(&all)
}

/// Returns the recorded values of a quantity.
fn recorded(workspace: &Workspace, name: &str) -> Vec<f64> {
    workspace.table("quantities.csv").numbers(name)
}

fn line<'o>(outcome: &'o Outcome, begin: &str) -> &'o str {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let found = outcome.stdout.lines().find(|line| line.starts_with(begin));
    found.unwrap_or_else(|| panic!("no `{begin}` in {}", outcome.stdout))
}

#[test]
fn actuators_act_in_the_order_of_the_file() {
    let late = "<actuator class=\"dead_time\" port=\"steer\"><delay>0.1</delay></actuator>";
    let slow = "<actuator class=\"rate_limit\" port=\"steer\" max_rate=\"0.5\" name=\"slow\"/>";
    let coarse = "<actuator class=\"quantisation\" port=\"steer\" resolution=\"0.05\"/>";
    let workspace = world(&car("a", 0.0, &[late, slow, coarse].concat()));
    let outcome =
        run(&workspace, None, &["--record", "a/actuator/**", "--record", "a/wheel/*/steer"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let [dead, slow, coarse] = ["dead_time", "slow", "quantisation"]
        .map(|name| recorded(&workspace, &format!("a/actuator/{name}/value [rad]")));
    let target = 15_f64.to_radians();
    // row k follows step k − 1
    assert!(dead[1..11].iter().all(|angle| *angle == 0.0), "{dead:?}");
    assert!(dead[11..].iter().all(|angle| (angle - target).abs() < 1e-12), "{dead:?}");
    for (row, angle) in slow.iter().enumerate() {
        let expected = (0.5 * DT * (row as f64 - 10.0).max(0.0)).min(target);
        assert!((angle - expected).abs() < 1e-12, "{angle} in row {row}, expected {expected}");
    }
    assert!(slow.iter().zip(&coarse).all(|(fine, coarse)| (fine - coarse).abs() <= 0.025 + 1e-12));
    assert!((coarse[100] - 0.25).abs() < 1e-12, "{}", coarse[100]);
    // the wheels turn as the last one of the chain says
    let wheels =
        ["fl", "fr"].map(|wheel| recorded(&workspace, &format!("a/wheel/{wheel}/steer [rad]")));
    let middle = 0.5 * (wheels[0][100] + wheels[1][100]);
    assert!((middle - 0.25).abs() < 0.02 && wheels[0][5] == 0.0, "{middle}");
}

/// The steering tags of a class are the same code as the actuators, so they give the same bits.
#[test]
fn steering_tags_equal_actuators() {
    let rate = 20.0 * (std::f64::consts::PI / 180.0);
    for (tags, class, parameters) in [
        ("<max_rate_deg>20</max_rate_deg>", "rate_limit", format!("max_rate=\"{rate}\"")),
        ("<lag>0.2</lag>", "first_order_lag", "time_constant=\"0.2\"".to_owned()),
        (
            "<lag>0.2</lag><max_rate_deg>20</max_rate_deg>",
            "first_order_lag",
            format!("time_constant=\"0.2\" max_rate=\"{rate}\""),
        ),
    ] {
        let one = car("a", 0.0, &format!("<steering>{tags}</steering>"));
        let other = format!("<actuator class=\"{class}\" port=\"steer\" {parameters}/>");
        let other = car("a", 0.0, &other);
        let rows = [one, other].map(|content| {
            let workspace = world(&content);
            let outcome = run(&workspace, None, &[]);
            assert_eq!(outcome.code, 0, "{}", outcome.stderr);
            ["trajectory.csv", "wheels.csv"].map(|name| workspace.table(name).rows)
        });
        assert_eq!(rows[0], rows[1], "{tags}");
    }
}

/// An imposed twist can be slow, too.
#[test]
fn a_component_of_an_imposed_twist_follows_with_a_lag() {
    let workspace = world(
        "<vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
         <controller class=\"twist_ideal\"><V>1</V></controller>\
         <actuator class=\"first_order_lag\" port=\"twist_vx\" time_constant=\"0.5\"/>\
         </dynamics></vehicle>",
    );
    let outcome = run(&workspace, None, &["--record", "a/twist"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for (row, vx) in recorded(&workspace, "a/twist[0] [m/s]").iter().enumerate().skip(1) {
        let expected = 1.0 - (-(row as f64) * DT / 0.5).exp();
        assert!((vx - expected).abs() < 1e-9, "{vx} in row {row}, expected {expected}");
    }
}

/// A lane of a port with one value per wheel is a wheel, which reads its own spin and the speed of its
/// vehicle.
#[test]
fn an_actuator_of_wheels_has_a_lane_per_wheel() {
    let folder = plugins("wheels", &[]);
    let own = "<actuator class=\"sees\" port=\"wheel_torque\"/>\
               <actuator class=\"saturation\" port=\"wheel_torque\" upper=\"0.3\"/>\
               <l_wheel angle=\"0.1\"/><r_wheel angle=\"0.2\"/>\
               <actuator class=\"saturation\" port=\"angle\" upper=\"0.15\" name=\"stop\"/>";
    let workspace = world(&[cart("a", 0.0, own), cart("b", 5.0, own)].concat());
    let outcome = run(&workspace, Some(&folder), &["--record", "**"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let of = |name: &str| recorded(&workspace, name);
    for vehicle in ["a", "b"] {
        let at = |wheel: &str, name: &str| of(&format!("{vehicle}/wheel/{wheel}/{name}"));
        let vx = of(&format!("{vehicle}/twist[0] [m/s]"));
        for wheel in ["l", "r"] {
            let [spin, seen] =
                [at(wheel, "spin [rad/s]"), at(wheel, "actuator/sees/seen_spin [rad/s]")];
            assert!(spin[99] != 0.0 && spin[..100] == seen[1..], "the spin of the step before");
            assert_eq!(vx[..100], at(wheel, "actuator/sees/seen_vx [m/s]")[1..]);
        }
        assert_eq!(at("l", "torque [N·m]")[50], 0.1);
        assert_eq!(at("r", "torque [N·m]")[50], 0.3);
        assert_eq!(at("l", "actuator/stop/value [rad]")[50], 0.1);
        assert_eq!(at("r", "steer [rad]")[50], 0.15);
    }
}

/// Chains that differ in class, parameters, order or names do not share a table, and neighbours do not
/// change the results.
#[test]
fn vehicles_with_different_chains_move_as_they_do_alone() {
    let lag = |name: &str, seconds: f64| {
        format!(
            "<actuator class=\"first_order_lag\" port=\"steer\" time_constant=\"{seconds}\" {name}/>"
        )
    };
    let limit = "<actuator class=\"rate_limit\" port=\"steer\" max_rate=\"0.3\"/>";
    let chains = [
        String::new(),
        lag("", 0.1),
        lag("", 0.2),
        lag("name=\"servo\"", 0.1),
        [&lag("", 0.1), limit].concat(),
        [limit, &lag("", 0.1)].concat(),
        lag("", 0.1),
    ];
    let cars = chains.iter().enumerate();
    let cars: Vec<String> = cars
        .map(|(number, chain)| car(&format!("v{number}"), 30.0 * number as f64, chain))
        .collect();
    let all = world(&cars.concat());
    line(&run(&all, None, &[]), "no warnings");
    let mut ends = Vec::new();
    for (number, own) in cars.iter().enumerate() {
        let alone = world(own);
        line(&run(&alone, None, &[]), "no warnings");
        let name = format!("v{number}");
        let rows = all.table("trajectory.csv").only("vehicle", &name);
        assert_eq!(rows.rows, alone.table("trajectory.csv").rows, "{name}");
        ends.push(rows.numbers("yaw_rad").last().unwrap().to_bits());
    }
    assert_eq!((ends[1], ends[1]), (ends[3], ends[6]), "the same chain under another name");
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), 5, "each other chain has another effect");
}

/// Delay lines, states of actuators, random numbers and integrated states are part of a snapshot, and
/// the number of threads does not matter.
#[test]
fn runs_are_repeated_on_any_number_of_threads_and_from_snapshots() {
    let folder = plugins("repeated", &[]);
    let own = "<actuator class=\"noisy\" port=\"wheel_torque\"/>\
               <actuator class=\"noisy\" port=\"wheel_torque\"/>\
               <actuator class=\"slow\" port=\"wheel_torque\"/>\
               <actuator class=\"dead_time\" port=\"wheel_torque\" delay=\"0.123\"/>";
    let steer = "<actuator class=\"dead_time\" port=\"steer\" delay=\"0.25\"/>\
                 <actuator class=\"backlash\" port=\"steer\" width=\"0.05\" initial=\"0.01\"/>";
    let mut vehicles = vec![cart("a", 0.0, own), car("b", 5.0, steer)];
    // so many that tables are divided among threads
    vehicles.extend(
        (0..2000).map(|number| car(&format!("c{number}"), 50.0 + 30.0 * f64::from(number), steer)),
    );
    let workspace = world(&vehicles.concat());
    let hashes = |more: &[&str]| {
        let outcome = run(&workspace, Some(&folder), more);
        ["state hash ", "result hash "].map(|begin| line(&outcome, begin).to_owned())
    };
    let whole = hashes(&["--snapshot-every", "0.3", "--snapshot-dir", "states"]);
    let threads: &[&str] = if OPTIMISED { &["1", "2", "4"] } else { &["2"] };
    for threads in threads {
        assert_eq!(hashes(&["--threads", threads]), whole, "{threads} threads");
    }
    let steps: &[&str] = if OPTIMISED { &["30", "60"] } else { &["60"] };
    for step in steps {
        let file = format!("states/step-{step}.snapshot");
        assert_eq!(hashes(&["--resume", &file]), whole, "from step {step}");
    }
    assert_ne!(hashes(&["--seed", "7"]), whole, "the noise depends on the seed");
}

#[test]
fn a_fault_names_the_actuator_and_is_replayed() {
    let folder = plugins("faults", &[]);
    let own = "<actuator class=\"fuse\" port=\"wheel_torque\"/>";
    let workspace = world(&[cart("a", 0.0, own), car("b", 9.0, "")].concat());
    let outcome = run(&workspace, Some(&folder), &[]);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    for part in
        ["at 0.51 s", "vehicle 'a', wheel r", "test/fuse", "the fuse has blown", "command = 0.6"]
    {
        assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr);
    }
    let again =
        workspace.run(&["replay", "out/fault-1.json", "--plugin-dir", folder.to_str().unwrap()]);
    assert!(again.stdout.contains("the fuse has blown"), "{}{}", again.stdout, again.stderr);
}

/// A vehicle that is disabled rolls on, and its actuators have the output 0. Others are not affected.
#[test]
fn the_actuators_of_a_disabled_vehicle_have_the_output_0() {
    let folder = plugins("disabled", &[]);
    for (class, code) in [("fuse", "panic"), ("nan", "non_finite")] {
        let own = format!(
            "<actuator class=\"first_order_lag\" port=\"wheel_torque\" name=\"before\"/>\
             <actuator class=\"{class}\" port=\"wheel_torque\" name=\"it\"/>\
             <actuator class=\"first_order_lag\" port=\"wheel_torque\" name=\"after\"/>"
        );
        let policy = format!("<plugin_faults on=\"{code}\" action=\"disable\"/>");
        let workspace = world(&[policy, cart("a", 0.0, &own), cart("b", 9.0, "")].concat());
        let outcome =
            run(&workspace, Some(&folder), &["--record", "a/wheel/**", "--record", "b/twist"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stdout.contains("disabled at 0.5"), "{}", outcome.stdout);
        for name in ["before", "it", "after"] {
            let values = recorded(&workspace, &format!("a/wheel/r/actuator/{name}/value [N·m]"));
            assert!(values[40] > 0.0 && values[100] == 0.0, "{name}: {values:?}");
        }
        assert!(recorded(&workspace, "b/twist[0] [m/s]")[100] > 0.0);
    }
}
