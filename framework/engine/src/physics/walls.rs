//! Walls as outlines, and vertical planes as upright boxes around their openings.

use simhost_scene::Pose2;
use simhost_world::{OpeningKind, VerticalPlane, Wall};

use super::body::BodyState;

/// A solid box of a vertical plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WallBox {
    /// Outline in the frame of the plane, m.
    pub outline: Vec<[f64; 2]>,
    /// Heights of the lowest and the highest point above the pose of the plane, m.
    pub span: [f64; 2],
}

/// Kind of object that passes through the openings of a vertical plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// Rays of sensors, which pass through every opening.
    Ray,
    /// A body, which passes through doors that are high enough.
    Body,
    /// A body in a profile without heights, which passes through every door.
    FlatBody,
}

/// Returns the solid boxes of a vertical plane.
pub(crate) fn wall_boxes(plane: &VerticalPlane, passage: Passage) -> Vec<WallBox> {
    let [dx, dy] = [0, 1].map(|k| plane.to[k] - plane.from[k]);
    let length = (dx * dx + dy * dy).sqrt();
    let holes = holes(plane, passage, length);
    let mut cuts: Vec<f64> = holes.iter().flat_map(|(along, _)| *along).collect();
    cuts.extend([0.0, length]);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mut boxes = Vec::new();
    for stretch in cuts.windows(2) {
        let middle = 0.5 * (stretch[0] + stretch[1]);
        let open = holes.iter().filter(|([low, high], _)| *low < middle && middle < *high);
        let spans = solid([plane.z, plane.z + plane.height], open.map(|(_, span)| *span).collect());
        let at = |along: f64| {
            let part = along / length;
            [plane.from[0] + part * dx, plane.from[1] + part * dy]
        };
        let (local, state) = straight_wall(at(stretch[0]), at(stretch[1]), plane.thickness);
        let outline: Vec<[f64; 2]> = local.iter().map(|p| state.transform(*p)).collect();
        boxes.extend(spans.into_iter().map(|span| WallBox { outline: outline.clone(), span }));
    }
    boxes
}

/// Returns the openings as intervals along the plane and in height above its pose, m.
fn holes(plane: &VerticalPlane, passage: Passage, length: f64) -> Vec<([f64; 2], [f64; 2])> {
    plane
        .openings
        .iter()
        .filter(|opening| passage == Passage::Ray || opening.kind == OpeningKind::Door)
        .map(|opening| {
            let (middle, half) = (opening.position * length, 0.5 * opening.width);
            let along = [(middle - half).clamp(0.0, length), (middle + half).clamp(0.0, length)];
            let heights = match passage {
                Passage::FlatBody => [f64::NEG_INFINITY, f64::INFINITY],
                _ => [opening.z_min, opening.z_max].map(|z| z - plane.pose.z),
            };
            (along, heights)
        })
        .collect()
}

/// Returns the parts of a height span that no hole covers.
fn solid(whole: [f64; 2], mut holes: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    holes.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut parts = Vec::new();
    let mut low = whole[0];
    for [bottom, top] in holes {
        if bottom > low {
            parts.push([low, bottom.min(whole[1])]);
        }
        low = low.max(top);
    }
    if low < whole[1] {
        parts.push([low, whole[1]]);
    }
    parts
}

/// Returns the pose of a vertical plane, seen from above.
pub(crate) fn plane_pose(plane: &VerticalPlane) -> Pose2 {
    Pose2 { x: plane.pose.x, y: plane.pose.y, yaw: plane.pose.yaw }
}

/// Returns the outline of a wall about its middle, and its pose.
pub(crate) fn wall_outline(wall: &Wall) -> (Vec<[f64; 2]>, BodyState) {
    straight_wall(wall.from, wall.to, wall.thickness)
}

/// Returns the outline of a straight wall about its middle, and its pose.
fn straight_wall(from: [f64; 2], to: [f64; 2], thickness: f64) -> (Vec<[f64; 2]>, BodyState) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
    let (half_length, half_width) = (0.5 * length, 0.5 * thickness);
    let outline = vec![
        [-half_length, -half_width],
        [half_length, -half_width],
        [half_length, half_width],
        [-half_length, half_width],
    ];
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    let heading = if length > 0.0 { [along[0] / length, along[1] / length] } else { [1.0, 0.0] };
    (outline, BodyState { position: middle, heading, ..BodyState::default() })
}

#[cfg(test)]
mod tests {
    use super::solid;

    #[test]
    fn openings_leave_the_wall_below_and_above() {
        assert_eq!(solid([0.0, 3.0], vec![[0.0, 2.1]]), [[2.1, 3.0]]);
        assert_eq!(solid([0.0, 3.0], vec![[2.0, 2.5], [0.9, 2.2]]), [[0.0, 0.9], [2.5, 3.0]]);
        assert_eq!(solid([0.0, 3.0], Vec::new()), [[0.0, 3.0]]);
        assert!(solid([0.0, 3.0], vec![[-1.0, 4.0]]).is_empty());
    }
}
