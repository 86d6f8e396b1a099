//! Rays towards the sun meet what rays that are cast one by one meet.

use crate::scenes::{Draws, everything};
use simhost_scene::Pose2;
use simhost_sensing::{Beam, Geometry, Shade, Shape, Space, Top};

/// Compares rays along a direction from random points. Returns the numbers of points in the light and in
/// the shadow.
fn compare(space: &Space, direction: [f64; 3], draws: &mut Draws, rays: usize) -> [usize; 2] {
    let mut shade = Shade::default();
    shade.look(space, direction, 100.0, rays);
    let mut counts = [0, 0];
    let accepts = |number: u32| number != 3;
    for _ in 0..2000 {
        let point = [9.0, 9.0, 3.0].map(|size| draws.between(-size, size));
        let beam = Beam::new(point, direction, 100.0).expect("a direction");
        let expected = space.cast(&beam, &accepts).is_some();
        let found = space.is_shaded(&shade, point, &accepts);
        assert_eq!(found, expected, "{point:?} along {direction:?}");
        counts[usize::from(found)] += 1;
    }
    counts
}

#[test]
fn shadows_are_those_of_rays_that_are_cast_one_by_one() {
    let mut draws = Draws(23);
    let mut sum = [0, 0];
    for round in 0..24 {
        let space = everything(&mut draws, [3, 12][round % 2]);
        let direction = match round {
            0 => [0.0, 0.0, 1.0],
            1 => [1.0, 0.0, 0.0],
            2 => [0.0, -1.0, 0.0],
            _ => [draws.between(-1.0, 1.0), draws.between(-1.0, 1.0), draws.between(0.01, 1.0)],
        };
        // few rays are cast without a search for objects before
        let rays = if round == 5 { 10 } else { 2000 };
        let counts = compare(&space, direction, &mut draws, rays);
        sum = [0, 1].map(|kind| sum[kind] + counts[kind]);
    }
    assert!(sum.iter().all(|count| *count > 5_000), "{sum:?}");
}

/// More objects than a cell distinguishes, and more than are looked up.
#[test]
fn many_objects_throw_their_shadows() {
    let mut draws = Draws(24);
    let square = Shape::new(&[[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]]);
    for count in [150, 1100] {
        let mut space = Space::default();
        let ball = space.add_geometry(Geometry::Sphere(0.3));
        space.set_fixed(|solids| {
            for number in 0..count {
                let pose = draws.pose(9.0);
                if number % 2 == 0 {
                    solids.add(
                        number,
                        &square,
                        Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw },
                        0.0,
                        Top::Flat(1.0),
                    );
                } else {
                    solids.place(number, ball, &pose, 1.0);
                }
            }
        });
        let counts = compare(&space, [0.5, -0.3, 0.6], &mut draws, 5000);
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }
}

#[test]
fn without_objects_or_a_direction_nothing_is_dark() {
    let space = Space::default();
    for direction in [[0.0, 0.6, 0.8], [0.0; 3], [f64::NAN; 3]] {
        let mut shade = Shade::default();
        shade.look(&space, direction, 10.0, 100);
        for point in [[0.0; 3], [f64::INFINITY; 3], [f64::NAN; 3]] {
            assert!(!space.is_shaded(&shade, point, &|_| true), "{point:?} {direction:?}");
        }
    }
}
