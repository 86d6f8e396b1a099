//! The work of a scan does not grow with the world, and repeated scans allocate nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use simhost_scene::{OccupancyGrid, Pose2};
use simhost_sensing::{Fan, Outlines, PlanarScene, Shape, Visibility, Work};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Adds squares of 1 m on a lattice with `side` places per side, 3 m apart, about the origin.
fn add_squares(side: usize, outlines: &mut Outlines) {
    let square = Shape::new(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]);
    for item in 0..side * side {
        let at = |place: usize| 3.0 * (place as f64 - 0.5 * side as f64);
        let pose = Pose2 { x: at(item % side), y: at(item / side), yaw: 0.1 * item as f64 };
        outlines.add(item as u32, &square, pose, [0.0, 1.0]);
    }
}

fn angles() -> Vec<f64> {
    (0..181).map(|ray| (f64::from(ray) - 90.0).to_radians()).collect()
}

/// Returns the work of scans from a few places about the origin, added up.
fn work(scene: &PlanarScene, max_range: f64) -> Work {
    let angles = angles();
    let mut ranges = vec![0.0; angles.len()];
    let mut sum = Work::default();
    for place in 0..20 {
        let t = 0.37 * f64::from(place);
        let origin = Pose2 { x: t.sin() + 1.5, y: 1.5, yaw: t };
        let (ignore, see) = (None, Visibility::All);
        let work = scene
            .cast(&Fan { origin, z: 0.5, angles: &angles, max_range, ignore, see }, &mut ranges);
        sum.groups += work.groups;
        sum.candidates += work.candidates;
        sum.cells += work.cells;
    }
    sum
}

/// Asserts that a scene of a hundred times the size takes the same work, but for the depth of the tree.
fn assert_constant([small, large]: [Work; 2]) {
    assert!(small.candidates > 20 && small.cells == 0, "{small:?}");
    assert!(large.candidates < 2 * small.candidates, "{large:?}, {small:?} for a 100th");
    assert!(large.groups < 3 * small.groups, "{large:?}, {small:?} for a 100th");
}

#[test]
fn a_laser_does_not_examine_every_outline_that_moves() {
    assert_constant([32, 320].map(|side| {
        let mut scene = PlanarScene::default();
        scene.update(|moving| add_squares(side, moving));
        work(&scene, 20.0)
    }));
}

#[test]
fn a_laser_does_not_examine_every_outline_that_is_fixed() {
    assert_constant([32, 320].map(|side| {
        let mut fixed = Outlines::default();
        add_squares(side, &mut fixed);
        work(&PlanarScene::new(Vec::new(), fixed), 20.0)
    }));
}

/// Returns a scene of rooms of 40 × 40 cells of 0.1 m without doors, about the origin.
fn rooms(side: usize) -> PlanarScene {
    let count = 40 * side;
    let is_wall =
        |cell: usize| (cell % count).is_multiple_of(40) || (cell / count).is_multiple_of(40);
    let cells = (0..count * count).map(|cell| if is_wall(cell) { -9 } else { 9 }).collect();
    let corner = [-0.05 * count as f64 - 1.0; 2];
    let grid = OccupancyGrid::new(corner, 0.1, [count; 2], cells).expect("a valid grid");
    PlanarScene::new(vec![Arc::new(grid)], Outlines::default())
}

#[test]
fn a_laser_does_not_examine_the_walls_of_other_rooms() {
    assert_constant([4, 40].map(|side| work(&rooms(side), 1e6)));
}

#[test]
fn scans_and_updates_allocate_nothing_once_buffers_have_grown() {
    let mut scene = rooms(4);
    let angles = angles();
    let mut ranges = vec![0.0; angles.len()];
    let mut sample = || {
        scene.update(|moving| add_squares(10, moving));
        for yaw in 0..4 {
            let origin = Pose2 { x: 0.0, y: 0.0, yaw: f64::from(yaw) };
            let (ignore, see) = (Some(3), Visibility::All);
            let fan = Fan { origin, z: 0.5, angles: &angles, max_range: 30.0, ignore, see };
            scene.cast(&fan, &mut ranges);
        }
    };
    sample();
    let before = ALLOCATIONS.get();
    sample();
    // `add_squares` makes one shape: its corners
    assert_eq!(ALLOCATIONS.get() - before, 1);
}
