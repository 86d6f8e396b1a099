//! Walls: pairs of points.

use simhost_assets::{matrix, mesh};

use crate::description::Wall;
use crate::reader::Reader;
use crate::sources::Span;
use crate::tag::Tag;
use crate::vocabulary::walls::{SEGMENTS, WALLS};
use crate::xml::{Element, Text};

/// Most points in one tag: each end is compared with all earlier ones.
const MAX_POINTS: usize = 20_000;

/// Rows of a homogeneous transformation.
type Matrix = [[f64; 4]; 4];

impl Reader<'_> {
    pub(crate) fn walls(&mut self, element: &Element) {
        let mut tag = Tag::new(self, element, &WALLS);
        let (thickness, height) = (tag.number("wallThickness"), tag.number("wallHeight"));
        let transformation = tag.text_of("transformation");
        let (shape, model) = (tag.child("shape"), tag.text_of("model_uri"));
        tag.finish();
        let transformation = transformation.and_then(|text| self.transformation(text));
        let points = match (shape, model) {
            (Some(shape), _) => self.wall_ends(shape),
            (None, Some(model)) => self.wall_lines(model),
            (None, None) => {
                let help = "help: write <shape> with <pt>, or <model_uri>".to_owned();
                self.error(element.name_span, "walls without a shape", "", vec![help]);
                None
            }
        };
        let Some(mut points) = points else { return };
        if points.len() > MAX_POINTS {
            let message = format!("more than {MAX_POINTS} points of walls in one tag");
            let help = "help: use several <walls>".to_owned();
            self.error(element.name_span, message, "", vec![help]);
            return;
        }
        if let Some(matrix) = transformation {
            points.iter_mut().for_each(|(point, _)| *point = transformed(&matrix, *point));
        }
        let plane: Vec<_> = points.iter().map(|(point, _)| [point[0], point[1]]).collect();
        let segments = shifted(&plane, thickness);
        for ((from, to), (_, span)) in segments.into_iter().zip(points.iter().step_by(2)) {
            if from == to && shape.is_none() {
                continue;
            }
            if from == to {
                let label = "both points are equal seen from above";
                self.error(*span, "a wall without length", label, Vec::new());
            }
            self.world.walls.push(Wall { from, to, thickness, height, span: *span });
        }
    }

    /// Pairs of `<pt>`, on the ground.
    fn wall_ends(&mut self, shape: &Element) -> Option<Vec<([f64; 3], Span)>> {
        let points = self.points(shape, &SEGMENTS)?;
        if points.len() < 2 || points.len() % 2 != 0 {
            let message = format!("walls need pairs of points, not {}", points.len());
            self.error(shape.name_span, message, "expected two <pt> for each wall", Vec::new());
            return None;
        }
        let spans = shape.children.iter().filter(|child| child.name == "pt");
        let points = points.into_iter().zip(spans);
        Some(points.map(|([x, y], pt)| ([x, y, 0.0], pt.name_span)).collect())
    }

    /// The lines of a model. What stands upright in it is no wall by itself.
    fn wall_lines(&mut self, text: &Text) -> Option<Vec<([f64; 3], Span)>> {
        let path = self.resource(text)?;
        let limits = self.asset_limits;
        let lines =
            self.read_asset(text.span, &path, |path| mesh::read_wireframe(path, &limits))?;
        Some(lines.into_iter().flatten().map(|point| (point, text.span)).collect())
    }

    fn transformation(&mut self, text: &Text) -> Option<Matrix> {
        let value = self.value(text)?;
        match matrix::parse_transformation(&value, &self.asset_limits) {
            Ok(matrix) => Some(matrix),
            Err(problem) => {
                let message = format!("`transformation` is not understood: {problem}");
                let label =
                    "expected four rows of four numbers: [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]";
                self.error(text.span, message, label, Vec::new());
                None
            }
        }
    }
}

fn transformed(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| {
        let row = matrix[row];
        row[0] * x + row[1] * y + row[2] * z + row[3]
    })
}

/// Segments whose ends leave room for the thickness of earlier walls that they meet.
fn shifted(points: &[[f64; 2]], thickness: f64) -> Vec<([f64; 2], [f64; 2])> {
    let mut earlier: Vec<[f64; 2]> = Vec::new();
    let mut segments = Vec::new();
    for pair in points.chunks_exact(2) {
        let (mut from, mut to) = (pair[0], pair[1]);
        let length = libm::hypot(to[0] - from[0], to[1] - from[1]);
        let meets = |point: [f64; 2]| {
            let near = |other: &[f64; 2]| {
                libm::hypot(other[0] - point[0], other[1] - point[1]) < 1.01 * thickness
            };
            earlier.iter().any(near)
        };
        if length > 0.0 {
            let step = [0, 1].map(|axis| (to[axis] - from[axis]) / length * thickness / 2.0);
            let (at_start, at_end) = (meets(from), meets(to));
            if at_start {
                from = [from[0] - step[0], from[1] - step[1]];
            }
            if at_end {
                to = [to[0] + step[0], to[1] + step[1]];
            }
        }
        earlier.extend(pair);
        segments.push((from, to));
    }
    segments
}
