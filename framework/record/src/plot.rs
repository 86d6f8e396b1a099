//! A plot of paths as SVG, without fonts or libraries.

mod axes;

use std::fmt::Write;

use axes::{Axes, HEIGHT, LEFT, TOP, WIDTH};

/// Vehicles that the legend names.
const LEGEND: usize = 12;
/// Characters of a name that the legend has room for.
const NAME: usize = 22;
/// Size of the image, pixels.
const IMAGE: [f64; 2] = [LEFT + WIDTH + 190.0, TOP + HEIGHT + 60.0];
/// Colours of the first vehicles, told apart also by most who are colour-blind.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#5c5c5c"];

/// Draws paths in the plane, each with the name of its vehicle and its points x y in m, as an SVG
/// image: equal scales on both axes, a colour for each vehicle, a dot at the start.
///
/// Points closer than a pixel are left out; a point that is not finite, or beyond 10⁹ m, breaks
/// the path.
pub fn trajectory_svg(paths: &[(String, Vec<[f64; 2]>)]) -> String {
    let axes = Axes::around(paths.iter().flat_map(|(_, path)| path));
    let [width, height] = IMAGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    axes.draw(&mut svg);
    svg.push_str(
        "<g fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">\n",
    );
    for (k, (_, path)) in paths.iter().enumerate() {
        draw_path(&mut svg, &axes, path, &colour(k));
    }
    svg.push_str("</g>\n");
    for (k, (_, path)) in paths.iter().enumerate() {
        if let Some([x, y]) = path.first().and_then(|point| axes.pixel(*point)) {
            let colour = colour(k);
            put(
                &mut svg,
                format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#fff\" \
                     stroke=\"{colour}\" stroke-width=\"2\"/>\n"
                ),
            );
        }
    }
    draw_legend(&mut svg, paths);
    svg.push_str("</svg>\n");
    svg
}

fn put(svg: &mut String, text: std::fmt::Arguments) {
    svg.write_fmt(text).expect("memory takes every write");
}

fn draw_path(svg: &mut String, axes: &Axes, path: &[[f64; 2]], colour: &str) {
    let mut data = String::new();
    let mut drawn: Option<[f64; 2]> = None;
    let mut left_out: Option<[f64; 2]> = None;
    for point in path {
        let Some(pixel) = axes.pixel(*point) else {
            end(&mut data, left_out.take());
            drawn = None;
            continue;
        };
        let command = match drawn {
            None => 'M',
            Some([x, y]) if (pixel[0] - x).hypot(pixel[1] - y) < 1.0 => {
                left_out = Some(pixel);
                continue;
            }
            Some(_) => 'L',
        };
        put(&mut data, format_args!("{command}{:.1} {:.1}", pixel[0], pixel[1]));
        drawn = Some(pixel);
        left_out = None;
    }
    end(&mut data, left_out);
    if !data.is_empty() {
        put(svg, format_args!("<path d=\"{data}\" stroke=\"{colour}\"/>\n"));
    }
}

/// A path ends where the vehicle stopped, however near the last point drawn.
fn end(data: &mut String, last: Option<[f64; 2]>) {
    if let Some([x, y]) = last {
        put(data, format_args!("L{x:.1} {y:.1}"));
    }
}

fn draw_legend(svg: &mut String, paths: &[(String, Vec<[f64; 2]>)]) {
    let x = LEFT + WIDTH + 20.0;
    let mut y = TOP + 12.0;
    for (k, (name, _)) in paths.iter().take(LEGEND).enumerate() {
        let (x_end, x_text, y_line, colour) = (x + 18.0, x + 25.0, y - 4.0, colour(k));
        let name = label(name);
        put(
            svg,
            format_args!(
                "<path d=\"M{x} {y_line}H{x_end}\" stroke=\"{colour}\" stroke-width=\"3\"/>\
                 <text x=\"{x_text}\" y=\"{y}\" fill=\"#222\">{name}</text>\n"
            ),
        );
        y += 20.0;
    }
    if let Some(more) = paths.len().checked_sub(LEGEND).filter(|more| *more > 0) {
        put(svg, format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"#666\">and {more} more</text>\n"));
    }
}

fn label(name: &str) -> String {
    let mut label = String::new();
    for (k, c) in name.chars().enumerate() {
        match c {
            _ if k == NAME => {
                label.push('…');
                break;
            }
            '&' => label.push_str("&amp;"),
            '<' => label.push_str("&lt;"),
            '>' => label.push_str("&gt;"),
            // not allowed in XML
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => label.push('\u{fffd}'),
            c => label.push(c),
        }
    }
    label
}

/// Beyond the named colours, hues a golden angle apart.
fn colour(vehicle: usize) -> String {
    if let Some(named) = COLOURS.get(vehicle) {
        return (*named).to_owned();
    }
    let hue = (vehicle as f64 * 137.507_764 + 15.0) % 360.0 / 60.0;
    let channel = |shift: f64| {
        let distance = ((hue + shift) % 6.0 - 3.0).abs() - 1.0;
        (50.0 + 150.0 * distance.clamp(0.0, 1.0)) as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(4.0), channel(2.0))
}
