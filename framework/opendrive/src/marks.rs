//! Marks on the outer edges of lanes and on the centre lane.

use crate::road::{LaneSection, RoadMark};

/// Colours of marks by their names in the format; all other names have the first colour.
pub(crate) const MARK_COLOURS: &[(&[&str], [u8; 4])] = &[
    (&["standard", "white"], [0xf2, 0xf2, 0xee, 0xff]),
    (&["yellow"], [0xf0, 0xc0, 0x30, 0xff]),
    (&["orange"], [0xe8, 0x80, 0x20, 0xff]),
    (&["red"], [0xc8, 0x30, 0x28, 0xff]),
    (&["blue"], [0x30, 0x60, 0xc0, 0xff]),
    (&["green"], [0x30, 0x90, 0x48, 0xff]),
    (&["violet", "purple"], [0x80, 0x48, 0xa8, 0xff]),
    (&["black"], [0x20, 0x20, 0x20, 0xff]),
];
/// Width of a mark that gives none, m.
const WIDTH: f64 = 0.12;
/// Length of a dash, and of the space after it, m.
const DASH: [f64; 2] = [3.0, 6.0];
/// Length of a dot of `botts dots`, and of the space after it, m.
const DOT: [f64; 2] = [0.12, 2.0];

/// How a line is drawn along the road.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stroke {
    Solid,
    Dashes([f64; 2]),
}

/// Returns the lines of a type of marks, from left to right.
fn strokes(kind: &str) -> &'static [Stroke] {
    use Stroke::{Dashes, Solid};
    match kind {
        "solid" | "edge" => &[Solid],
        "broken" => &[Dashes(DASH)],
        "solid solid" => &[Solid, Solid],
        "solid broken" => &[Solid, Dashes(DASH)],
        "broken solid" => &[Dashes(DASH), Solid],
        "broken broken" => &[Dashes(DASH), Dashes(DASH)],
        "botts dots" => &[Dashes(DOT)],
        _ => &[],
    }
}

/// Calls `draw` with each line of a section, which begins and ends at `extent`, m: the number of the lane on whose outer
/// edge it is, where it begins and ends along the road, its distance to the left of the edge, half of its width, all m,
/// and the number of its colour. A line of dashes ends when `draw` returns false.
pub(crate) fn add_marks(
    section: &LaneSection,
    extent: [f64; 2],
    draw: &mut impl FnMut(i32, [f64; 2], f64, f64, u16) -> bool,
) {
    let lanes = section.left.iter().chain(&section.right).map(|lane| (lane.id, &lane.marks));
    for (lane, marks) in lanes.chain([(0, &section.centre_marks)]) {
        for (place, mark) in marks.iter().enumerate() {
            let end = marks.get(place + 1).map_or(extent[1], |next| extent[0] + next.start);
            let along = [extent[0] + mark.start, end.min(extent[1])];
            add_mark(mark, along, &mut |along, offset, half, colour| {
                draw(lane, along, offset, half, colour)
            });
        }
    }
}

fn add_mark(
    mark: &RoadMark,
    [from, to]: [f64; 2],
    draw: &mut impl FnMut([f64; 2], f64, f64, u16) -> bool,
) {
    let width = mark.width.filter(|width| *width > 0.0).unwrap_or(WIDTH);
    let known = MARK_COLOURS.iter().position(|(names, _)| names.contains(&mark.colour.as_str()));
    let colour = known.unwrap_or(0) as u16;
    let strokes = strokes(&mark.kind);
    for (line, stroke) in strokes.iter().enumerate() {
        // two lines are a width apart
        let offset = width * (strokes.len() as f64 - 1.0 - 2.0 * line as f64);
        match *stroke {
            Stroke::Solid if to > from => {
                draw([from, to], offset, 0.5 * width, colour);
            }
            Stroke::Solid => {}
            Stroke::Dashes([dash, space]) => {
                let count = ((to - from) / (dash + space)).ceil().max(0.0) as usize;
                for number in 0..count {
                    let start = from + number as f64 * (dash + space);
                    let end = (start + dash).min(to);
                    if end <= start || !draw([start, end], offset, 0.5 * width, colour) {
                        break;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(kind: &str, width: Option<f64>, extent: [f64; 2]) -> Vec<([f64; 2], f64, f64, u16)> {
        let mark = RoadMark { start: 0.0, kind: kind.into(), colour: "yellow".into(), width };
        let mut found = Vec::new();
        add_mark(&mark, extent, &mut |along, offset, half, colour| {
            found.push((along, offset, half, colour));
            true
        });
        found
    }

    #[test]
    fn two_lines_are_a_width_apart_and_dashes_end_with_the_section() {
        assert_eq!(
            lines("solid solid", Some(0.2), [5.0, 9.0]),
            [([5.0, 9.0], 0.2, 0.1, 1), ([5.0, 9.0], -0.2, 0.1, 1)]
        );
        let dashes = lines("broken", None, [10.0, 20.5]);
        assert_eq!(dashes, [([10.0, 13.0], 0.0, 0.06, 1), ([19.0, 20.5], 0.0, 0.06, 1)]);
        assert_eq!(lines("none", None, [0.0, 9.0]), []);
    }
}
