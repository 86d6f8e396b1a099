//! SVG documents.

use std::fmt::Write;

use quick_xml::escape::partial_escape;

use super::{Anchor, Colour, Drawing, Item};

/// Returns a drawing as an SVG document.
pub fn document(drawing: &Drawing) -> String {
    let [width, height] = drawing.size;
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n\
         <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"#FFFFFF\"/>\n"
    );
    for item in &drawing.items {
        // writing to memory does not fail
        let _ = add(&mut svg, item);
    }
    svg += "</svg>\n";
    svg
}

fn add(svg: &mut String, item: &Item) -> std::fmt::Result {
    match item {
        Item::Line { points, colour, width, dash } => {
            svg.push_str("<polyline fill=\"none\" stroke-linejoin=\"round\"");
            paint(svg, "stroke", *colour)?;
            write!(svg, " stroke-width=\"{}\"", Number(*width))?;
            if !dash.is_empty() {
                let lengths: Vec<String> =
                    dash.iter().map(|part| Number(part * width).to_string()).collect();
                write!(svg, " stroke-dasharray=\"{}\"", lengths.join(" "))?;
            }
            add_points(svg, points)
        }
        Item::Polygon { points, colour } => {
            svg.push_str("<polygon");
            paint(svg, "fill", *colour)?;
            add_points(svg, points)
        }
        Item::Text { text, at: [x, y], size, colour, anchor, is_upright } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let (x, y) = (Number(*x), Number(*y));
            write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"")?;
            write!(svg, " font-family=\"DejaVu Sans, Verdana, sans-serif\"")?;
            write!(svg, " font-size=\"{}\"", Number(*size))?;
            paint(svg, "fill", *colour)?;
            if *is_upright {
                write!(svg, " transform=\"rotate(270, {x}, {y})\"")?;
            }
            writeln!(svg, ">\n{}\n</text>", partial_escape(text))
        }
    }
}

fn paint(svg: &mut String, attribute: &str, colour: Colour) -> std::fmt::Result {
    let [red, green, blue] = colour.rgb;
    write!(svg, " {attribute}=\"#{red:02X}{green:02X}{blue:02X}\"")?;
    match colour.alpha < 1.0 {
        true => write!(svg, " {attribute}-opacity=\"{}\"", Number(colour.alpha)),
        false => Ok(()),
    }
}

fn add_points(svg: &mut String, points: &[[f32; 2]]) -> std::fmt::Result {
    svg.push_str(" points=\"");
    for (k, [x, y]) in points.iter().enumerate() {
        let space = if k == 0 { "" } else { " " };
        write!(svg, "{space}{},{}", Number(*x), Number(*y))?;
    }
    svg.push_str("\"/>\n");
    Ok(())
}

/// A number with at most one decimal.
struct Number(f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (f64::from(self.0) * 10.0).round() / 10.0;
        // no negative zero
        write!(f, "{}", rounded + 0.0)
    }
}
