//! Ranges of fans in a scene of two squares.

use simhost_scene::Pose2;
use simhost_sensing::{Fan, Outlines, PlanarScene, Shape, Visibility, reference};

/// A square of 2 m that is fixed ahead of the origin, and another one that moves behind it.
fn scene() -> PlanarScene {
    let square = Shape::new(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
    let mut fixed = Outlines::default();
    fixed.add(1, &square, Pose2 { x: 5.0, y: 0.0, yaw: 0.0 }, [0.0, 1.0]);
    let mut scene = PlanarScene::new(Vec::new(), fixed);
    scene.update(|moving| moving.add(2, &square, Pose2 { x: -4.0, y: 0.5, yaw: 0.3 }, [0.0, 2.0]));
    scene
}

fn fan(angles: &[f64]) -> Fan<'_> {
    let origin = Pose2::default();
    Fan { origin, z: 0.5, angles, max_range: 20.0, ignore: None, see: Visibility::All }
}

fn range(scene: &PlanarScene, fan: Fan) -> f64 {
    let mut range = [f64::NAN];
    scene.cast(&fan, &mut range);
    range[0]
}

#[test]
fn ranges_to_a_square_are_exact() {
    let angles = [-0.1, 0.0, 0.1, 1.5];
    let mut ranges = [0.0; 4];
    scene().cast(&fan(&angles), &mut ranges);
    assert_eq!(ranges[1], 4.0);
    assert!((ranges[2] - 4.0 / 0.1f64.cos()).abs() < 1e-14);
    assert_eq!(ranges[3], f64::INFINITY);
}

#[test]
fn height_owner_reach_and_visibility_are_respected() {
    let scene = scene();
    let unseen = f64::INFINITY;
    assert_eq!(range(&scene, Fan { z: 1.5, ..fan(&[0.0]) }), unseen);
    assert_eq!(range(&scene, Fan { ignore: Some(1), ..fan(&[0.0]) }), unseen);
    assert_eq!(range(&scene, Fan { max_range: 3.9, ..fan(&[0.0]) }), unseen);
    assert_eq!(range(&scene, Fan { see: Visibility::StaticOnly, ..fan(&[3.1]) }), unseen);
    assert!(range(&scene, fan(&[3.1])) < 4.0);
}

#[test]
fn outlines_that_move_are_replaced() {
    let mut scene = scene();
    scene.update(|_| {});
    assert_eq!(range(&scene, fan(&[3.1])), f64::INFINITY);
    assert_eq!(range(&scene, fan(&[0.0])), 4.0);
}

#[test]
fn no_ray_passes_through_a_corner() {
    let scene = scene();
    for i in 0..100_000 {
        let angle = [libm::atan2(-1.0 + 2.0 * f64::from(i) / 1e5, 4.0)];
        assert!(range(&scene, fan(&angle)) < 4.3, "{angle:?}");
    }
}

/// An outline without area is met at its nearer end by a ray along it.
#[test]
fn a_line_along_a_ray_is_met_at_its_nearer_end() {
    let mut fixed = Outlines::default();
    fixed.add(1, &Shape::new(&[[3.0, 0.0], [2.0, 0.0]]), Pose2::default(), [0.0, 1.0]);
    let scene = PlanarScene::new(Vec::new(), fixed);
    let (fan, mut brute_force) = (fan(&[0.0]), [0.0]);
    reference::cast(&scene, &fan, &mut brute_force);
    assert_eq!([range(&scene, fan), brute_force[0]], [2.0; 2]);
}
