//! Outlines and poses.

use simhost_scene::Pose3;

use crate::description::Pose;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::Section;
use crate::vocabulary::chassis::SHAPE;
use crate::xml::Element;

/// Smallest area of an outline, m².
const MIN_AREA: f64 = 1e-9;
/// Most corners of an outline.
const MAX_CORNERS: usize = 1000;

impl Reader<'_> {
    /// The `<pt>` of a shape.
    pub(crate) fn points(
        &mut self,
        shape: &Element,
        section: &'static Section,
    ) -> Option<Vec<[f64; 2]>> {
        let mut tag = Tag::new(self, shape, section);
        let children = tag.children(&["pt"]);
        tag.finish();
        let mut points = Vec::with_capacity(children.len());
        for child in &children {
            let text = self.leaf(child);
            let row = text.and_then(|text| self.row(text, "pt", &["X Y"]));
            points.extend(row.map(|row| [row[0], row[1]]));
        }
        (points.len() == children.len()).then_some(points)
    }

    /// The outline of a body.
    pub(crate) fn outline(&mut self, shape: &Element) -> Option<Vec<[f64; 2]>> {
        let points = self.points(shape, &SHAPE)?;
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
}

impl Tag<'_, '_, '_> {
    /// `init_pose`, else `init_pose3d`.
    pub(crate) fn pose(&mut self) -> Option<Pose> {
        let (flat, full) = (self.given_row("init_pose"), self.given_row("init_pose3d"));
        flat.or(full).map(|row| pose_of(&row))
    }

    /// Whether a pose is given, right or wrong.
    pub(crate) fn has_pose(&mut self) -> bool {
        self.is_given("init_pose") || self.is_given("init_pose3d")
    }

    /// `init_vel`, with its turning in rad/s.
    pub(crate) fn velocity(&mut self) -> Option<[f64; 3]> {
        let row = self.given_row("init_vel")?;
        Some([row[0], row[1], row[2].to_radians()])
    }

    /// A range from a lower to an upper bound.
    pub(crate) fn range(&mut self, lower: &str, upper: &str) -> [f64; 2] {
        let range = [self.number(lower), self.number(upper)];
        if range[1] <= range[0] {
            let message = format!("`{upper}` {} is not above `{lower}` {}", range[1], range[0]);
            let label = format!("expected {upper} greater than {lower}");
            self.reader.error(self.element.name_span, message, label, Vec::new());
        }
        range
    }
}

impl Reader<'_> {
    /// A body without a pose.
    pub(crate) fn without_pose(&mut self, element: &Element, name: &str) {
        let message = format!("{} `{name}` has no pose", element.name);
        let help = "help: write <init_pose>X Y YAW_DEG</init_pose>".to_owned();
        self.error(element.name_span, message, "", vec![help]);
    }
}

/// `X Y YAW_DEG` or `X Y Z YAW_DEG PITCH_DEG ROLL_DEG`.
pub(crate) fn pose_of(row: &[f64]) -> Pose {
    match *row {
        [x, y, yaw] => Pose { x, y, yaw: yaw.to_radians(), ..Pose::default() },
        [x, y, z, yaw, pitch, roll] => {
            let [yaw, pitch, roll] = [yaw, pitch, roll].map(f64::to_radians);
            Pose { x, y, z, yaw, pitch, roll }
        }
        _ => Pose::default(),
    }
}

impl From<Pose> for Pose3 {
    fn from(Pose { x, y, z, yaw, pitch, roll }: Pose) -> Self {
        Self { x, y, z, yaw, pitch, roll }
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
