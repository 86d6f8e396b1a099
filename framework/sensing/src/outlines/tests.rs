use super::*;
use crate::reference;
use crate::scene::PlanarScene;

/// Draws numbers from 0 to 1 (Knuth 1997, MMIX).
fn draw(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a regular outline whose corners are shifted, in either direction.
fn outline(corners: usize, state: &mut u64) -> Shape {
    let size = 0.05 + 2.0 * draw(state);
    let flat = if draw(state) < 0.3 { 0.05 } else { 1.0 };
    let mut points: Vec<[f64; 2]> = (0..corners)
        .map(|at| {
            let (sin, cos) = libm::sincos(at as f64 * std::f64::consts::TAU / corners as f64);
            let shift = 0.1 * draw(state);
            [size * cos + shift, flat * size * sin - shift]
        })
        .collect();
    if draw(state) < 0.5 {
        points.reverse();
    }
    Shape::new(&points)
}

#[test]
fn the_far_sides_of_outlines_change_no_bit() {
    let (state, mut culled) = (&mut 1, 0);
    for round in 0..3000 {
        let mut all = Outlines::default();
        let away = if round % 50 == 0 { 1e5 } else { 4.0 };
        for owner in 0..1 + round % 4 {
            let shape = outline(3 + round as usize % 6, state);
            let [x, y, yaw] = [away, 4.0, 7.0].map(|reach| reach * (draw(state) - 0.5));
            all.add(owner, &shape, Pose2 { x, y, yaw }, [0.0, 1.0]);
            culled += usize::from(all.all[owner as usize].winding != 0.0);
        }
        let corners = all.corners.clone();
        let [x, y, yaw] = [4.0, 4.0, 7.0].map(|reach| reach * (draw(state) - 0.5));
        let mut origin = Pose2 { x, y, yaw };
        if round % 7 == 0 {
            // on an edge, or in line with it
            let (a, b, part) = (corners[0], corners[1], 3.0 * draw(state) - 1.0);
            (origin.x, origin.y) = (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]));
        }
        let noise = if round % 3 == 0 { 0.02 } else { 0.0 };
        let mut angles: Vec<f64> =
            (0..90).map(|ray| f64::from(ray) * 0.07 - 3.1 + noise * draw(state)).collect();
        for (ray, corner) in corners.iter().enumerate() {
            // rays at and beside corners
            let to = libm::atan2(corner[1] - origin.y, corner[0] - origin.x) - origin.yaw;
            let beside = [0.0, 1e-16, 1e-13, 1e-8, 1e-6, 3e-6][round as usize % 6];
            let at = (3 * ray + round as usize) % 90;
            angles[at] = if noise > 0.0 { to + beside * (draw(state) - 0.5) } else { angles[at] };
            if round % 3 == 1 {
                // the whole fan turns so that one of its rays meets the corner
                origin.yaw += to - angles[at] + beside * (draw(state) - 0.5);
            }
        }
        let scene = PlanarScene::new(Vec::new(), all);
        let see = Visibility::All;
        let fan = Fan { origin, z: 0.5, angles: &angles, max_range: 8.0, ignore: None, see };
        let (mut found, mut expected) = ([0.0; 90], [0.0; 90]);
        scene.cast(&fan, &mut found);
        reference::cast(&scene, &fan, &mut expected);
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "round {round}");
    }
    assert!(culled > 3000, "{culled}");
}
