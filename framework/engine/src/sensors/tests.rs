//! Growth of the work of building sensors, and equal samples for any division into groups.

use simhost_world::World;

use super::{NOBODY, Shared};
use crate::build::Options;
use crate::sensors::member::Member;
use crate::simulation::Simulation;
use crate::tests::read;

/// A world with sensors that stand around a block, with the numbers of rays of `rays`.
fn world(rays: impl Iterator<Item = usize>) -> World {
    let sensor = |(i, rays)| {
        format!(
            "<sensor class=\"laser\" name=\"s{i}\"><nrays>{rays}</nrays><pose>0.1 0.2 0</pose>\
             <sensor_period>0.01</sensor_period></sensor>"
        )
    };
    let sensors: String = rays.enumerate().map(sensor).collect();
    let text = format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep><block name=\"box\"><mass>10</mass>\
         <shape_from_visual/><geometry type=\"box\" lx=\"1\" ly=\"1\" lz=\"1\"/>\
         <init_pose>5 0 0</init_pose></block>{sensors}</mvsim_world>"
    );
    read(&text)
}

#[test]
fn sensors_find_their_groups_without_comparing_with_all() {
    for count in [10, 40, 160] {
        // each number of rays twice
        let world = world((0..2 * count).map(|i| 2 + i % count));
        let mut shared = Shared::default();
        for (number, sensor) in world.sensors.iter().enumerate() {
            shared.add(sensor, Member::new(number, NOBODY, None, 0));
        }
        assert_eq!(shared.groups.len(), count);
        assert!(shared.groups.iter().all(|members| members.len() == 2));
        assert_eq!(shared.compared, count, "one comparison for each second sensor");
    }
}

#[test]
fn sensors_with_equal_parameters_share_their_columns() {
    let world = world([1500, 1500, 9, 1500].into_iter());
    let simulation =
        Simulation::new(&world, Options { seed: 1, threads: 1 }).expect("a valid world");
    let columns = |sensor: usize| simulation.sensors()[sensor].columns.outputs().as_ptr();
    // though each of the large ones is in a group of its own
    assert!(columns(0) == columns(1) && columns(0) == columns(3) && columns(0) != columns(2));
    assert_eq!(simulation.sensors()[2].columns.len(), 18);
}

#[test]
fn samples_do_not_depend_on_threads_or_groups() {
    let world = world((0..9).map(|i| [4100, 600, 31][i % 3]));
    let hashes = [1, 2, 4].map(|threads| {
        let options = Options { seed: 1, threads };
        let mut simulation = Simulation::new(&world, options).expect("a valid world");
        simulation.start().expect("nothing faults");
        for _ in 0..3 {
            simulation.step().expect("nothing faults");
        }
        assert_eq!(simulation.samples().readings().count(), 9);
        simulation.result_hash()
    });
    assert_eq!(hashes, [hashes[0]; 3]);
}
