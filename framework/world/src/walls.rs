//! Walls: pairs of points.

use crate::description::Wall;
use crate::fields::Fields;
use crate::numbers::{Quantity, parse_number};
use crate::reader::Reader;
use crate::xml::{Element, Text};

/// Most points in one tag: each end is compared with all earlier ones.
const MAX_POINTS: usize = 20_000;

/// Rows of a homogeneous transformation.
type Matrix = [[f64; 4]; 4];

impl Reader<'_> {
    pub(crate) fn walls(&mut self, element: &Element) {
        let mut fields = Fields::new(element);
        let thickness = self.number_child(&mut fields, &Quantity::positive("wallThickness", "m"));
        let height = self.number_child(&mut fields, &Quantity::positive("wallHeight", "m"));
        let transformation = fields.child("transformation").and_then(|child| self.leaf(child));
        let transformation = transformation.and_then(|text| self.matrix(text));
        if let Some(scale) = fields.child("scale") {
            self.warning(scale.name_span, "`<scale>` has no effect here", "ignored");
        }
        if let Some(model) = fields.child("model_uri") {
            self.unsupported(model.name_span, "`<model_uri>` of walls");
        }
        let shape = fields.child("shape");
        fields.ignore(&["color"]);
        self.finish(fields);
        let Some(shape) = shape else { return };
        let Some(mut points) = self.points(shape) else { return };
        if points.len() < 2 || points.len() % 2 != 0 {
            let message = format!("walls need pairs of points, not {}", points.len());
            self.error(shape.name_span, message, "expected two <pt> for each wall", Vec::new());
            return;
        }
        if points.len() > MAX_POINTS {
            let message = format!("more than {MAX_POINTS} points of walls in one tag");
            let help = "help: use several <walls>".to_owned();
            self.error(shape.name_span, message, "", vec![help]);
            return;
        }
        if let Some(matrix) = transformation {
            points.iter_mut().for_each(|point| *point = transformed(&matrix, *point));
        }
        let (thickness, height) = (thickness.unwrap_or(0.1), height.unwrap_or(2.0));
        let spans = shape.children.iter().filter(|child| child.name == "pt").step_by(2);
        let segments = shifted(&points, thickness);
        for ((from, to), span) in segments.into_iter().zip(spans.map(|pt| pt.name_span)) {
            if from == to {
                self.error(span, "a wall without length", "both points are equal", Vec::new());
            }
            self.world.walls.push(Wall { from, to, thickness, height, span });
        }
    }

    /// `[a b c d; …]` with four rows.
    fn matrix(&mut self, text: &Text) -> Option<Matrix> {
        let value = self.value(text)?;
        let inside = value.trim_matches(|c: char| c == '[' || c == ']' || c.is_whitespace());
        let mut matrix = Matrix::default();
        let mut rows = 0;
        for row in inside.split(';').filter(|row| !row.trim().is_empty()) {
            let numbers: Option<Vec<f64>> = crate::numbers::words(row).map(parse_number).collect();
            match (numbers.as_deref(), matrix.get_mut(rows)) {
                (Some([a, b, c, d]), Some(row)) => *row = [*a, *b, *c, *d],
                _ => rows = usize::MAX - 1,
            }
            rows += 1;
            if rows > 4 {
                break;
            }
        }
        if rows != 4 {
            let label = "expected four rows of four numbers: [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]";
            self.error(text.span, "`transformation` is not understood", label, Vec::new());
        }
        (rows == 4).then_some(matrix)
    }
}

fn transformed(matrix: &Matrix, [x, y]: [f64; 2]) -> [f64; 2] {
    [0, 1].map(|row| matrix[row][0] * x + matrix[row][1] * y + matrix[row][3])
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
