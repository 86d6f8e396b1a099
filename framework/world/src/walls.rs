//! Straight walls from pairs of points.

use std::sync::Arc;

use simhost_assets::{matrix, mesh};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::outline::read_points;
use crate::reader::{ElementReader, FromEntry, Given, declare};
use crate::semantic;
use crate::sources::Span;
use crate::tree::{Element, Text};
use crate::vocabulary::field::child;
use crate::vocabulary::{Entry, Section, Value, element, number, positive, section};

/// A straight wall on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Start in the world frame in m.
    pub from: [f64; 2],
    /// End in the world frame in m.
    pub to: [f64; 2],
    /// Thickness in m.
    pub thickness: f64,
    /// Height in m.
    pub height: f64,
    /// Red, green, blue and opacity.
    pub color: [u8; 4],
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
    /// Position of the wall's first point.
    pub span: Span,
}

/// Maximum number of points in one element: each end is compared with all earlier ones.
const MAX_POINTS: usize = 20_000;
/// Format of a transformation.
const TRANSFORMATION: &str = "four rows of four numbers: [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]";

/// The ends of the walls.
const SHAPE: Entry =
    child(Value::Element(&SEGMENTS)).named("shape").doc("Ends of the walls, in pairs.");

declare! {
    /// Straight walls on the ground. An end that meets an end of an earlier wall of the element is shifted by half the thickness.
    section = element("walls").with(&[SHAPE]);

    /// `<walls>` as given.
    #[derive(Clone)]
    pub(crate) struct GivenWalls {
        /// A 3D model whose lines are the walls.
        model: Option<Text> = child(Value::Uri).named("model_uri");
        /// Homogeneous transformation of all points.
        transformation: Option<Matrix> =
            child(Value::Formatted(TRANSFORMATION)).or("[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]");
        /// Thickness.
        thickness: f64 = child(positive("m")).named("wallThickness").or("0.1");
        /// Height.
        height: f64 = child(positive("m")).named("wallHeight").or("2");
        /// Colour.
        color: [u8; 4] = child(Value::Color).or("#323232");
        /// Semantic class.
        semantic: Option<Arc<str>> =
            semantic::ENTRY,
            child(number("1")).named("scale").doc("Factor on all lengths.")
                .ignored("MVSim reads it, but does not use it; write a <transformation>");
    }
}

static SEGMENTS: Section = section(
    "shape",
    "Ends of the walls, in pairs. At most 20 000 points.",
    &[child(Value::Row(&["X Y"])).named("pt").doc("An end in m.").repeats()],
);

/// Rows of a homogeneous transformation.
#[derive(Clone, Copy)]
pub(crate) struct Matrix([[f64; 4]; 4]);

/// Ends of walls with their positions in the file.
type Ends = Vec<([f64; 3], Span)>;

/// Reads `<walls>`.
pub(crate) fn read_walls(context: &mut Context<'_>, element: &Element) -> Vec<Wall> {
    let mut reader = ElementReader::new(context, element, GivenWalls::SECTION);
    let given = reader.fields::<GivenWalls>();
    let shape = reader.child("shape");
    let context = reader.finish();
    let Some(given) = given else { return Vec::new() };
    let GivenWalls { model, transformation, thickness, height, color, semantic } = given;
    let ends = read_ends(context, element, shape, model.as_ref());
    let Some(mut points) = ends else { return Vec::new() };
    if let Some(matrix) = transformation {
        points.iter_mut().for_each(|(point, _)| *point = transformed(&matrix, *point));
    }
    let planar: Vec<_> = points.iter().map(|(point, _)| [point[0], point[1]]).collect();
    let mut walls = Vec::new();
    let spans = points.iter().step_by(2).map(|(_, span)| *span);
    for ((from, to), span) in shifted(&planar, thickness).into_iter().zip(spans) {
        if from == to {
            // vertical lines of a model are not walls
            if shape.is_none() {
                continue;
            }
            let label = "both points are equal seen from above";
            context.report.error(span, "a wall without length", label);
        }
        let semantic = semantic.clone();
        walls.push(Wall { from, to, thickness, height, color, semantic, span });
    }
    walls
}

/// Reads the ends of all walls.
fn read_ends(
    context: &mut Context<'_>,
    element: &Element,
    shape: Option<&Element>,
    model: Option<&Text>,
) -> Option<Ends> {
    let points = match (shape, model) {
        (Some(shape), _) => ends_of_shape(context, shape),
        (None, Some(model)) => ends_of_model(context, model),
        (None, None) => {
            let error = Diagnostic::error("walls without a shape")
                .at(element.name_span)
                .help("write <shape> with <pt>, or <model_uri>");
            context.report.push(error);
            None
        }
    }?;
    if points.len() > MAX_POINTS {
        let error = Diagnostic::error(format!("more than {MAX_POINTS} points in one <walls>"))
            .at(element.name_span)
            .help("use several <walls>");
        context.report.push(error);
        return None;
    }
    Some(points)
}

/// Reads pairs of `<pt>`, which lie on the ground.
fn ends_of_shape(context: &mut Context<'_>, shape: &Element) -> Option<Ends> {
    let points = read_points(context, shape, &SEGMENTS)?;
    if points.len() < 2 || points.len() % 2 != 0 {
        let message = format!("walls need pairs of points: found {}", points.len());
        context.report.error(shape.name_span, message, "expected two <pt> for each wall");
        return None;
    }
    let spans = shape.children.iter().filter(|child| child.name == "pt");
    let points = points.into_iter().zip(spans);
    Some(points.map(|([x, y], pt)| ([x, y, 0.0], pt.name_span)).collect())
}

/// Reads the lines of a 3D model.
fn ends_of_model(context: &mut Context<'_>, text: &Text) -> Option<Ends> {
    let path = files::resource(context, text)?;
    let limits = context.assets.limits;
    let read = |path: &_| mesh::read_wireframe(path, &limits);
    let lines = files::read(context, text.span, &path, read)?;
    Some(lines.into_iter().flatten().map(|point| (point, text.span)).collect())
}

impl FromEntry for Matrix {
    fn parse(context: &mut Context<'_>, entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let text = Text::parse(context, entry, given)?;
        match matrix::parse_transformation(text.value()?, &context.assets.limits) {
            Ok(rows) => Some(Self(rows)),
            Err(problem) => {
                let message = format!("cannot parse `transformation`: {}", problem.detail());
                context.report.error(text.span, message, &format!("expected {TRANSFORMATION}"));
                None
            }
        }
    }
}

fn transformed(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| {
        let row = matrix.0[row];
        row[0] * x + row[1] * y + row[2] * z + row[3]
    })
}

/// Returns the segments between pairs of points. An end that meets an earlier wall is moved
/// outwards by half the thickness, which closes the corner.
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
