//! Outlines and poses.

use crate::description::Pose;
use crate::fields::Fields;
use crate::reader::Reader;
use crate::xml::Element;

/// Smallest area of an outline, m².
const MIN_AREA: f64 = 1e-9;
/// Most corners of an outline.
const MAX_CORNERS: usize = 1000;

impl Reader<'_> {
    /// The `<pt>` of a shape.
    pub(crate) fn points(&mut self, shape: &Element) -> Option<Vec<[f64; 2]>> {
        let mut fields = Fields::new(shape);
        let mut complete = true;
        let mut points = Vec::new();
        for point in fields.children("pt") {
            let row = match self.leaf(point) {
                Some(text) => self.row(text, "pt", &["X Y"]),
                None => None,
            };
            match row.as_deref() {
                Some([x, y]) => points.push([*x, *y]),
                _ => complete = false,
            }
        }
        self.finish(fields);
        complete.then_some(points)
    }

    /// The outline of a body.
    pub(crate) fn outline(&mut self, shape: &Element) -> Option<Vec<[f64; 2]>> {
        let points = self.points(shape)?;
        let (problem, expected) = if points.len() < 3 {
            ("an outline needs three points", "expected at least three <pt>X Y</pt>")
        } else if points.len() > MAX_CORNERS {
            ("an outline with too many points", "expected at most 1000")
        } else if area(&points).abs() <= MIN_AREA {
            ("the outline has no area", "the points lie on a line")
        } else if crosses_itself(&points) {
            ("the outline crosses itself", "expected the corners in order around the body")
        } else {
            return Some(points);
        };
        self.error(shape.name_span, problem, expected, Vec::new());
        None
    }

    /// `init_pose`, else `init_pose3d`.
    pub(crate) fn pose(&mut self, flat: Option<&Element>, full: Option<&Element>) -> Option<Pose> {
        if let Some(element) = flat {
            let row = self.leaf(element).and_then(|text| {
                let text = text.clone();
                self.row(&text, "init_pose", &["X Y YAW_DEG"])
            })?;
            let yaw = row[2].to_radians();
            return Some(Pose { x: row[0], y: row[1], yaw, ..Pose::default() });
        }
        let element = full?;
        let text = self.leaf(element)?;
        let row = self.row(text, "init_pose3d", &["X Y Z YAW_DEG PITCH_DEG ROLL_DEG"])?;
        let [yaw, pitch, roll] = [row[3], row[4], row[5]].map(f64::to_radians);
        Some(Pose { x: row[0], y: row[1], z: row[2], yaw, pitch, roll })
    }

    /// `init_vel`.
    pub(crate) fn velocity(&mut self, element: Option<&Element>) -> [f64; 3] {
        let row = element.and_then(|element| {
            let text = self.leaf(element)?;
            self.row(text, "init_vel", &["VX VY OMEGA_DEG"])
        });
        row.map_or([0.0; 3], |row| [row[0], row[1], row[2].to_radians()])
    }
}

/// Positive when the corners run counter-clockwise, m².
fn area(points: &[[f64; 2]]) -> f64 {
    edges(points).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

fn edges(points: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

fn crosses_itself(points: &[[f64; 2]]) -> bool {
    let edges: Vec<_> = edges(points).collect();
    type Edge = ([f64; 2], [f64; 2]);
    let side =
        |(a, b): Edge, p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let cross =
        |e: Edge, f: Edge| side(e, f.0) * side(e, f.1) < 0.0 && side(f, e.0) * side(f, e.1) < 0.0;
    let pairs = |(i, e): (usize, &Edge)| edges[i + 1..].iter().any(|f| cross(*e, *f));
    edges.iter().enumerate().any(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bow_tie_crosses_itself_and_a_square_does_not() {
        assert!(crosses_itself(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 2.0]]));
        assert!(!crosses_itself(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]));
        assert_eq!(area(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), 1.0);
    }
}
