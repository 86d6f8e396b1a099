//! The same run gives the same bytes in every folder and on any number of threads.

use crate::support::world::{World, differential, model};

const FILES: [&str; 5] =
    ["trajectory.csv", "odometry.csv", "wheels.csv", "a.scan.csv", "b.scan.csv"];

/// Two vehicles that collide, walls, a block that is pushed, and noisy scans.
fn world() -> World {
    World::new().step(0.005).set("random_seed", 5).xml(
        "<vehicle:class name=\"robot\"><dynamics class=\"differential\">\
         <controller class=\"twist_pid\"><V>1</V></controller></dynamics>\
         <sensor class=\"laser\" name=\"scan\"><nrays>91</nrays><range_std_noise>0.02</range_std_noise>\
         </sensor></vehicle:class>\n\
         <vehicle name=\"a\" class=\"robot\"><init_pose>0 0 0</init_pose></vehicle>\n\
         <vehicle name=\"b\" class=\"robot\"><init_pose>4 0.2 180</init_pose></vehicle>\n\
         <block name=\"crate\"><mass>5</mass><init_pose>2 0.4 20</init_pose></block>\n\
         <walls><shape><pt>-3 -3</pt><pt>7 -3</pt></shape></walls>\n",
    )
}

/// Returns the files of a run of the program in an environment.
fn run(environment: &[(&str, &str)]) -> Vec<Vec<u8>> {
    let workspace = world().workspace();
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "4", "--out", "out", "--threads", "2"]);
    command.envs(environment.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    FILES.iter().map(|file| std::fs::read(workspace.path("out").join(file)).unwrap()).collect()
}

#[test]
fn files_are_the_same_bytes_elsewhere_and_on_more_threads() {
    let in_process = |threads: usize| {
        let run = world().threads(threads).run(4.0);
        FILES.map(|file| run.read(file).into_bytes()).to_vec()
    };
    let first = in_process(1);
    assert!(first == run(&[("TZ", "Asia/Tokyo"), ("LANG", "de_DE.UTF-8"), ("HOME", "/")]));
    assert!(first == in_process(4));
    // the vehicles did collide: both are pushed aside or held back
    let text = String::from_utf8(first[0].clone()).unwrap();
    let last: Vec<f64> =
        text.lines().last().unwrap().split(',').skip(2).map(|n| n.parse().unwrap()).collect();
    assert!(last[0] > 0.5, "b went through everything: {last:?}");
}

#[test]
fn a_seed_changes_the_noise_and_nothing_else() {
    let first = world().run(4.0);
    assert!(
        first.tables == world().seed(5).run(4.0).tables,
        "the seed of the world is the default"
    );
    let other = world().seed(6).run(4.0);
    for (number, file) in FILES.into_iter().enumerate() {
        assert_eq!(first.table(file) == other.table(file), number < 3, "{file}");
    }
}

/// Enough vehicles to occupy several threads.
#[test]
fn a_large_world_does_not_depend_on_threads() {
    let vehicles = (0..2500).fold(World::new(), |world, i| {
        let controller = model("twist_pid").set("V", 1).set("W", i % 40);
        let robot = differential().controller(controller).pose(3 * (i % 40), 3 * (i / 40), 0);
        world.vehicle(&format!("v{i}"), robot)
    });
    let wheels = |threads: usize| {
        let run = vehicles.clone().every(0.1).threads(threads).run(0.3);
        run.table("wheels.csv").clone()
    };
    assert!(wheels(1) == wheels(3));
}
