//! Surface and marks of a network in colours, as one mesh for pictures, pages and cameras.

use simhost_scene::{Mesh, MeshError};

use crate::driven::{DRIVEN, INSIDE};
use crate::marks::{MARK_COLOURS, add_marks};
use crate::network::{Network, RoadPlace};
use crate::road::{LaneSection, NetworkRoad};

/// Colours of lanes by their types; all other types have the first colour.
const LANE_COLOURS: &[([u8; 4], &[&str])] = &[
    ([0x8d, 0xa0, 0x78, 0xff], &[]),
    ([0x5c, 0x60, 0x66, 0xff], DRIVEN),
    ([0xb9, 0xb2, 0xa6, 0xff], &["sidewalk", "walking", "curb"]),
    ([0xa0, 0x5a, 0x50, 0xff], &["biking"]),
    ([0x74, 0x7a, 0x86, 0xff], &["parking"]),
    ([0x7c, 0x7e, 0x80, 0xff], &["border", "shoulder", "stop", "restricted", "median"]),
];
/// Height of the drawn surface above the road, so that it hides level ground at the same height, m.
const ABOVE_GROUND: f64 = 1e-3;
/// Height of a step between lanes from which on its side is drawn, m.
const STEP: f64 = 1e-3;
/// Deviation of a chord from its arc, m.
const SAG: f64 = 0.02;
/// Longest part of a straight road, and of one whose profiles change, m.
const LONGEST: [f64; 2] = [20.0, 4.0];
/// Shortest part, m.
const SHORTEST: f64 = 0.5;
/// Largest number of parts of all roads, beyond which they are longer.
const MOST_PARTS: f64 = 2e6;
/// Number of corners beyond which nothing further is drawn.
const MOST_CORNERS: usize = 10_000_000;

/// A mesh that is being built.
#[derive(Default)]
pub(crate) struct Painter {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    paint: Vec<u16>,
    /// Shortest part of a road, m.
    shortest: f64,
}

impl Painter {
    fn is_full(&self) -> bool {
        self.vertices.len() >= MOST_CORNERS
    }

    /// Adds a strip between two edges with as many points.
    pub fn strip(&mut self, left: &[[f64; 3]], right: &[[f64; 3]], colour: u16) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(left.iter().zip(right).flat_map(|(left, right)| [*left, *right]));
        for part in 1..left.len().min(right.len()) as u32 {
            let [a, b] = [first + 2 * part - 2, first + 2 * part];
            // counter-clockwise from above
            self.triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
            self.paint.extend([colour; 2]);
        }
    }
}

impl Network {
    /// Returns surface and marks of all lanes, and the sides of kerbs, in colours. The surface is 1 mm above the road, and
    /// marks 6 mm. Beyond ten million corners, nothing further is drawn.
    ///
    /// # Errors
    /// The network has coordinates that a mesh cannot have.
    pub fn surface(&self) -> Result<Mesh, MeshError> {
        let shortest = SHORTEST.max(self.length() / MOST_PARTS);
        let mut painter = Painter { shortest, ..Painter::default() };
        for road in 0..self.roads.len() {
            for section in 0..self.roads[road].sections.len() {
                if !painter.is_full() {
                    self.paint_section(road, section, &mut painter);
                }
            }
        }
        let Painter { vertices, triangles, paint, .. } = painter;
        let lanes = LANE_COLOURS.iter().map(|(colour, _)| *colour);
        let palette = lanes.chain(MARK_COLOURS.iter().map(|(_, colour)| *colour)).collect();
        Ok(Mesh::new(vertices, triangles)?.painted(palette, paint))
    }

    fn paint_section(&self, road: usize, number: usize, painter: &mut Painter) {
        let of = &self.roads[road];
        let section = &of.sections[number];
        let end = of.sections.get(number + 1).map_or(of.length, |next| next.start);
        let places = places(of, [section.start, end], painter.shortest);
        for lanes in [&section.left, &section.right] {
            // the outer edge of the lane before, for the side of a kerb
            let mut before: Option<Vec<[f64; 3]>> = None;
            for lane in lanes {
                let edges = [0.0, 1.0].map(|part| self.edge(road, &places, lane.id, part));
                let [inner, outer] = &edges;
                let colour = colour_of(&lane.kind);
                if let Some(before) = &before {
                    let is_step = before.iter().zip(inner).any(|(a, b)| (a[2] - b[2]).abs() > STEP);
                    if is_step {
                        painter.strip(before, inner, colour);
                    }
                }
                match lane.id > 0 {
                    true => painter.strip(outer, inner, colour),
                    false => painter.strip(inner, outer, colour),
                }
                before = Some(edges[1].clone());
            }
        }
        let mark = LANE_COLOURS.len() as u16;
        add_marks(section, [section.start, end], &mut |lane, along, offset, half, colour| {
            if painter.is_full() {
                return false;
            }
            let cut = places_between(&places, along);
            let sides = [half, -half].map(|by| self.mark_edge(road, &cut, lane, offset + by));
            painter.strip(&sides[0], &sides[1], mark + colour);
            true
        });
    }

    /// Returns points of a lane: its inner edge for a part of 0 and its outer edge for 1.
    fn edge(&self, road: usize, places: &[f64], lane: i32, part: f64) -> Vec<[f64; 3]> {
        let points = places.iter().filter_map(|&s| {
            let edges = self.roads[road].edges(s, lane)?;
            // within the lane, whose height counts, and not the one beside it
            let inset = INSIDE * (1.0 - 2.0 * part) * (edges.outer - edges.inner).signum();
            let t = edges.inner + part * (edges.outer - edges.inner) + inset;
            let [x, y, z] = self.pose(RoadPlace { road, s, t }).place;
            Some([x, y, z + ABOVE_GROUND])
        });
        points.collect()
    }

    /// Returns points beside the outer edge of a lane, m to its left.
    fn mark_edge(&self, road: usize, places: &[f64], lane: i32, by: f64) -> Vec<[f64; 3]> {
        let points = places.iter().filter_map(|&s| {
            let edges = self.roads[road].edges(s, lane)?;
            let [x, y, z] = self.pose(RoadPlace { road, s, t: edges.outer + by }).place;
            Some([x, y, z + 6.0 * ABOVE_GROUND])
        });
        points.collect()
    }
}

/// Returns the number of the colour of a type of lanes.
fn colour_of(kind: &str) -> u16 {
    LANE_COLOURS.iter().position(|(_, kinds)| kinds.contains(&kind)).unwrap_or(0) as u16
}

/// Returns the places of a section between which the surface is plane.
pub(crate) fn places(road: &NetworkRoad, [from, to]: [f64; 2], shortest: f64) -> Vec<f64> {
    let [straight, changing] = LONGEST;
    let is_plain = road.elevation.is_straight()
        && road.superelevation.is_zero()
        && road.lane_offset.is_straight()
        && road.section(from).is_straight();
    let longest = if is_plain { straight } else { changing };
    // the next section begins at the very end
    let last = (to - INSIDE).max(from);
    let mut places = vec![from];
    let mut s = from;
    while s < last {
        let end = road.plan.iter().map(|piece| piece.start).find(|start| *start > s + shortest);
        let sharpest = [s, s + changing].map(|at| road.reference(at.min(last)).curvature.abs());
        let arc = (8.0 * SAG / sharpest[0].max(sharpest[1]).max(1e-9)).sqrt();
        let step = s + longest.min(arc).max(shortest);
        s = step.min(end.unwrap_or(last)).min(last);
        if last - s < INSIDE {
            s = last;
        }
        places.push(s);
    }
    places
}

/// Returns the ends of a part of a section and the places between them.
fn places_between(places: &[f64], [from, to]: [f64; 2]) -> Vec<f64> {
    let last = places.last().copied().unwrap_or(to);
    let mut cut = vec![from];
    cut.extend(places.iter().copied().filter(|s| *s > from + INSIDE && *s < to - INSIDE));
    cut.push(to.min(last));
    cut
}

impl LaneSection {
    /// Returns whether the edges of all lanes are straight along a straight reference line.
    fn is_straight(&self) -> bool {
        use crate::road::LaneEdge::{Border, Width};
        self.left.iter().chain(&self.right).all(|lane| match &lane.edge {
            Width(profile) | Border(profile) => profile.is_straight(),
        })
    }
}
