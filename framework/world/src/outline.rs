//! Outlines of bodies and lists of points.

use crate::context::Context;
use crate::reader::{ElementReader, FromEntry, Given, leaf_text};
use crate::tree::Element;
use crate::value;
use crate::vocabulary::field::child;
use crate::vocabulary::{Entry, Section, Value, section};

/// Minimum area of an outline in m².
const MIN_AREA: f64 = 1e-9;
/// Maximum number of corners of an outline.
const MAX_CORNERS: usize = 1000;

pub(crate) static SHAPE: Section = section(
    "shape",
    "Outline of a body: 3 to 1000 corners in order. The outline must enclose an area and must not cross itself.",
    &[child(Value::Row(&["X Y"])).named("pt").doc("A corner in m.").repeats()],
);

/// Reads the `<pt>` children of an element.
pub(crate) fn read_points(
    context: &mut Context<'_>,
    element: &Element,
    section: &'static Section,
) -> Option<Vec<[f64; 2]>> {
    let mut reader = ElementReader::new(context, element, section);
    let children = reader.children(&["pt"]);
    let context = reader.finish();
    let mut points = Vec::with_capacity(children.len());
    for child in &children {
        let text = leaf_text(context, child);
        let row = text.and_then(|text| value::row(context, text, "pt", &["X Y"]));
        points.extend(row.map(|row| [row[0], row[1]]));
    }
    (points.len() == children.len()).then_some(points)
}

/// The outline of a body, by default a square with a side of 1 m.
impl FromEntry for Vec<[f64; 2]> {
    fn parse(context: &mut Context<'_>, _entry: &'static Entry, given: Given<'_>) -> Option<Self> {
        let Given::Child(shape) = given else { return None };
        read_outline(context, shape)
    }

    fn of_default(_entry: &'static Entry, _text: &str) -> Option<Self> {
        Some(vec![[-0.5, -0.5], [-0.5, 0.5], [0.5, 0.5], [0.5, -0.5]])
    }
}

/// Reads the outline of a body.
fn read_outline(context: &mut Context<'_>, shape: &Element) -> Option<Vec<[f64; 2]>> {
    let points = read_points(context, shape, &SHAPE)?;
    let (message, expected) = if points.len() < 3 {
        let message = format!("the outline has {} points", points.len());
        (message, "expected at least three <pt>X Y</pt>")
    } else if points.len() > MAX_CORNERS {
        let message = format!("the outline has {} points", points.len());
        (message, "expected at most 1000")
    } else if area(&points).abs() <= MIN_AREA {
        ("the outline has no area".to_owned(), "the points lie on a line")
    } else if crosses_itself(&points) {
        let message = "the outline crosses itself".to_owned();
        (message, "expected the corners in order around the body")
    } else {
        return Some(points);
    };
    context.report.error(shape.name_span, message, expected);
    None
}

/// Returns an outline as a body can have it: itself, or its convex hull where it crosses itself or has too many corners.
#[cfg(feature = "opendrive")]
pub(crate) fn usable(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    if points.len() > MAX_CORNERS || crosses_itself(&points) {
        return simhost_scene::polygon::convex_hull(&points);
    }
    points
}

/// Reports a body whose highest point is not above its lowest point.
pub(crate) fn check_heights(context: &mut Context<'_>, element: &Element, z_min: f64, z_max: f64) {
    if z_max <= z_min {
        let message = format!("`zmax` {z_max} is not above `zmin` {z_min}");
        context.report.error(element.name_span, message, "expected zmax greater than zmin, in m");
    }
}

/// Returns the signed area in m², positive if the corners run counter-clockwise.
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
