//! Vertical planes as upright boxes between their openings.

use simhost_scene::Pose2;
use simhost_world::{OpeningKind, VerticalPlane};

use crate::physics::straight_wall;

/// A box of a wall.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// In the plane's frame, m.
    pub outline: Vec<[f64; 2]>,
    /// Lowest and highest point above the plane's pose, m.
    pub span: [f64; 2],
}

/// Who meets a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meets {
    /// Sight goes through every opening.
    Sight,
    /// A body goes through doors that are high enough.
    Body,
    /// A body whose height does not count goes through doors.
    FlatBody,
}

/// The boxes of a plane for who meets it.
pub(crate) fn pieces(plane: &VerticalPlane, meets: Meets) -> Vec<Piece> {
    let [dx, dy] = [0, 1].map(|k| plane.to[k] - plane.from[k]);
    let length = (dx * dx + dy * dy).sqrt();
    let holes: Vec<([f64; 2], [f64; 2])> = plane
        .openings
        .iter()
        .filter(|opening| meets == Meets::Sight || opening.kind == OpeningKind::Door)
        .map(|opening| {
            let (middle, half) = (opening.position * length, 0.5 * opening.width);
            let along = [(middle - half).clamp(0.0, length), (middle + half).clamp(0.0, length)];
            let heights = match meets {
                Meets::FlatBody => [f64::NEG_INFINITY, f64::INFINITY],
                _ => [opening.z_min, opening.z_max].map(|z| z - plane.pose.z),
            };
            (along, heights)
        })
        .collect();
    let mut cuts: Vec<f64> = holes.iter().flat_map(|(along, _)| *along).collect();
    cuts.extend([0.0, length]);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let mut pieces = Vec::new();
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
        pieces.extend(spans.into_iter().map(|span| Piece { outline: outline.clone(), span }));
    }
    pieces
}

/// What is left of a span of heights between holes.
fn solid(whole: [f64; 2], mut holes: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    holes.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut left = Vec::new();
    let mut low = whole[0];
    for [bottom, top] in holes {
        if bottom > low {
            left.push([low, bottom.min(whole[1])]);
        }
        low = low.max(top);
    }
    if low < whole[1] {
        left.push([low, whole[1]]);
    }
    left
}

/// Where a plane stands, in the plane of the world.
pub(crate) fn place(plane: &VerticalPlane) -> Pose2 {
    Pose2 { x: plane.pose.x, y: plane.pose.y, yaw: plane.pose.yaw }
}

#[cfg(test)]
mod tests {
    use super::solid;

    #[test]
    fn openings_leave_what_is_below_and_above() {
        assert_eq!(solid([0.0, 3.0], vec![[0.0, 2.1]]), [[2.1, 3.0]]);
        assert_eq!(solid([0.0, 3.0], vec![[2.0, 2.5], [0.9, 2.2]]), [[0.0, 0.9], [2.5, 3.0]]);
        assert_eq!(solid([0.0, 3.0], Vec::new()), [[0.0, 3.0]]);
        assert!(solid([0.0, 3.0], vec![[-1.0, 4.0]]).is_empty());
    }
}
