use super::{Fan, Rotation, Vec2, Vec3, meet_triangle};

const A: Vec3 = Vec3::new(1.5, -2.0, 0.25);
const B: Vec3 = Vec3::new(-0.5, 3.0, 4.0);

/// A quarter turn about the z axis.
const LEFT: Rotation =
    Rotation { axes: [Vec3::new(0.0, 1.0, 0.0), Vec3::new(-1.0, 0.0, 0.0), Vec3::Z] };

#[test]
fn products_of_vectors() {
    assert_eq!(A.dot(B), -0.75 - 6.0 + 1.0);
    assert_eq!(A.cross(B), Vec3::new(-8.75, -6.125, 3.5));
    assert_eq!(Vec3::new(2.0, 3.0, 6.0).length(), 7.0);
    assert_eq!(Vec3::new(0.0, 0.0, -4.0).unit(), -Vec3::Z);
    assert_eq!(Vec2::new(2.0, 1.0).cross(Vec2::new(1.0, 3.0)), 5.0);
    assert_eq!(Vec2::new(2.0, 1.0).dot(Vec2::new(1.0, 3.0)), 5.0);
}

#[test]
fn operations_on_components() {
    let mut sum = A + 2.0 * B;
    assert_eq!(sum, Vec3::new(0.5, 4.0, 8.25));
    sum -= B * 2.0;
    sum += Vec3::ZERO;
    assert_eq!((sum, -A / 2.0), (A, Vec3::new(-0.75, 1.0, -0.125)));
    sum[2] = A[0];
    assert_eq!(sum.to_array(), [1.5, -2.0, 1.5]);
    assert_eq!(Vec2::from([1.0, 2.0]).map(f64::sqrt).x, 1.0);
}

#[test]
fn rotations_convert_between_frames() {
    assert_eq!(LEFT.apply(A), Vec3::new(2.0, 1.5, 0.25));
    assert_eq!(LEFT.invert(LEFT.apply(A)), A);
    assert_eq!(LEFT.compose(&LEFT).apply(A), Vec3::new(-1.5, 2.0, 0.25));
    assert_eq!(LEFT.compose(&LEFT.inverse()), Rotation::IDENTITY);
}

#[test]
fn rays_meet_triangles_from_both_sides() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    let above = Vec3::new(0.25, 0.25, 2.0);
    assert_eq!(meet_triangle(above, -Vec3::Z, corners), Some(2.0));
    assert_eq!(meet_triangle(-above, Vec3::Z, corners.map(|corner| -corner)), Some(2.0));
    assert_eq!(meet_triangle(above, Vec3::Z, corners), None);
    assert_eq!(meet_triangle(above, Vec3::new(1.0, 0.0, 0.0), corners), None);
}

#[test]
fn the_rays_of_a_full_turn_are_evenly_spread() {
    use std::f64::consts::{PI, TAU};
    for rays in [2, 36, 360, 720] {
        let fan = Fan::new(TAU, rays);
        let next = fan.direction(rays - 1) + fan.spacing;
        assert!((next - fan.first - TAU).abs() < 1e-12, "{rays}: {next}");
    }
    let half = Fan::new(PI, 181);
    assert_eq!([half.first, half.spacing], [-0.5 * PI, PI / 180.0]);
    assert!((half.direction(180) - 0.5 * PI).abs() < 1e-12);
    assert_eq!(Fan::new(0.5, 1), Fan { first: -0.25, spacing: 0.5 });
}
