//! Objects of a network as upright prisms, which stop vehicles and hide what is behind them.

use crate::math::{hypot, sin_cos};
use crate::network::Network;
use crate::object::{ObjectCorner, ObjectOutline, ObjectRepeat, ObjectSize, RoadObject};
use crate::road::NetworkRoad;
use crate::surface::places;

/// Length, width or thickness where a file gives none, m.
const THIN: f64 = 0.1;
/// Number of corners of a round object.
const ROUND: usize = 12;
/// Shortest piece of an object along a road, m.
const SHORTEST: f64 = 0.5;
/// Longest piece of an object along a road that rises, m.
const STEP: f64 = 2.0;
/// Smallest area of a prism, m².
const SMALLEST: f64 = 1e-6;

/// A prism with vertical sides.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadObstacle<'n> {
    /// The object that it is a part of.
    pub object: &'n RoadObject,
    /// Corners from above, counter-clockwise, m.
    pub outline: Vec<[f64; 2]>,
    /// Heights of the lower and the upper side, m.
    pub heights: [f64; 2],
}

impl Network {
    /// Returns all objects with a height as prisms: objects along a curve as several of them. Heights are above the reference
    /// line, as ASAM OpenDRIVE 1.8 defines them; pitch and roll of objects have no effect. Returns `None` for more than `most`.
    pub fn obstacles(&self, most: usize) -> Option<Vec<RoadObstacle<'_>>> {
        let mut found = Vec::new();
        for road in &self.roads {
            for object in road.objects.iter().filter(|object| object.is_obstacle()) {
                let mut prisms = Prisms { road, object, most, found: &mut found };
                prisms.add()?;
            }
        }
        Some(found)
    }
}

/// Prisms of an object.
struct Prisms<'n, 'f> {
    road: &'n NetworkRoad,
    object: &'n RoadObject,
    most: usize,
    found: &'f mut Vec<RoadObstacle<'n>>,
}

/// A corner from above with the heights of the lower and the upper side, m.
type Corner = ([f64; 2], [f64; 2]);

impl Prisms<'_, '_> {
    /// Adds the prisms of the object. Returns `None` if there are too many.
    fn add(&mut self) -> Option<()> {
        let object = self.object;
        if object.repeats.is_empty() {
            return self.single(object.at, object.size);
        }
        for repeat in &object.repeats {
            if repeat.distance == 0.0 {
                self.continuous(repeat)?;
                continue;
            }
            let copies = (repeat.length / repeat.distance + 1e-9).floor();
            // most of them would be too many
            (copies < self.most as f64).then_some(())?;
            for copy in 0..=copies as usize {
                let along = copy as f64 * repeat.distance;
                let part = if repeat.length > 0.0 { along / repeat.length } else { 0.0 };
                let (lateral, size) = repeat.at(part);
                if repeat.start + along <= self.road.length {
                    self.single([repeat.start + along, lateral], size)?;
                }
            }
        }
        Some(())
    }

    /// Adds the object at a place of the road.
    fn single(&mut self, at: [f64; 2], size: ObjectSize) -> Option<()> {
        let object = self.object;
        if !object.outlines.is_empty() {
            return object.outlines.iter().try_for_each(|one| self.outlined(one, at, size));
        }
        let local = |at| ObjectCorner { is_local: true, at, rise: 0.0, height: size.height };
        let corners: Vec<_> = if size.radius > 0.0 {
            let turn = |number| std::f64::consts::TAU * number as f64 / ROUND as f64;
            (0..ROUND)
                .map(|number| sin_cos(turn(number)))
                .map(|(sin, cos)| local([size.radius * cos, size.radius * sin]))
                .collect()
        } else {
            let [u, v] = [size.length, size.width].map(|side| 0.5 * or_thin(side));
            [[-u, -v], [u, -v], [u, v], [-u, v]].map(local).to_vec()
        };
        self.outlined(&ObjectOutline { corners, is_closed: true }, at, size)
    }

    /// Adds an outline of the object at a place.
    fn outlined(&mut self, outline: &ObjectOutline, at: [f64; 2], size: ObjectSize) -> Option<()> {
        let corners = outline.corners.iter().map(|corner| self.corner(corner, at, size));
        let mut corners: Vec<Corner> = corners.collect();
        if outline.is_closed {
            // files repeat the first corner
            while corners.len() > 1
                && corners.first().map(|one| one.0) == corners.last().map(|one| one.0)
            {
                corners.pop();
            }
            return self.push(&corners);
        }
        for pair in corners.windows(2) {
            self.push(&strip(pair, [THIN; 2]))?;
        }
        Some(())
    }

    fn corner(&self, corner: &ObjectCorner, [s, t]: [f64; 2], size: ObjectSize) -> Corner {
        let [along, across] = corner.at;
        let (place, base) = if corner.is_local {
            let [x, y] = self.road.seen_from_above(s, t);
            let (sin, cos) = sin_cos(self.road.reference(s).heading + self.object.heading);
            let place = [x + cos * along - sin * across, y + sin * along + cos * across];
            (place, self.road.elevation.value(s) + size.rise)
        } else {
            (self.road.seen_from_above(along, across), self.road.elevation.value(along))
        };
        let low = base + corner.rise;
        (place, [low, low + corner.height])
    }

    /// Adds an object along the road as pieces between which the road is straight.
    fn continuous(&mut self, repeat: &ObjectRepeat) -> Option<()> {
        let end = (repeat.start + repeat.length).min(self.road.length);
        if end <= repeat.start || repeat.start < 0.0 {
            return Some(());
        }
        let along = |s: f64| {
            let (t, size) = repeat.at((s - repeat.start) / repeat.length);
            let low = self.road.elevation.value(s) + size.rise;
            (self.road.seen_from_above(s, t), [low, low + size.height], or_thin(size.width))
        };
        let places = places(self.road, [repeat.start, end], SHORTEST);
        let mut points = vec![along(repeat.start)];
        for pair in places.windows(2) {
            // a prism is as high as its highest place
            let rises = along(pair[0]).1 != along(pair[1]).1;
            let steps = if rises { ((pair[1] - pair[0]) / STEP).ceil() } else { 1.0 };
            let step = |number| pair[0] + (pair[1] - pair[0]) * number as f64 / steps;
            points.extend((1..=steps as usize).map(step).map(along));
        }
        for pair in points.windows(2) {
            let ends = [0, 1].map(|end| (pair[end].0, pair[end].1));
            self.push(&strip(&ends, [pair[0].2, pair[1].2]))?;
        }
        Some(())
    }

    /// Adds a prism, unless it has no area or no height.
    fn push(&mut self, corners: &[Corner]) -> Option<()> {
        let low = corners.iter().map(|corner| corner.1[0]).fold(f64::INFINITY, f64::min);
        let high = corners.iter().map(|corner| corner.1[1]).fold(f64::NEG_INFINITY, f64::max);
        let mut outline: Vec<_> = corners.iter().map(|corner| corner.0).collect();
        let area = area(&outline);
        if area < 0.0 {
            outline.reverse();
        }
        if area.abs() > SMALLEST && low < high {
            (self.found.len() < self.most).then_some(())?;
            self.found.push(RoadObstacle { object: self.object, outline, heights: [low, high] });
        }
        Some(())
    }
}

/// Returns a size, or a small one for none.
fn or_thin(size: f64) -> f64 {
    if size > 0.0 { size } else { THIN }
}

/// Returns the corners of a line between two ends with a width at both.
fn strip(ends: &[Corner], widths: [f64; 2]) -> [Corner; 4] {
    let [from, to] = [ends[0].0, ends[1].0];
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = hypot(dx, dy).max(f64::MIN_POSITIVE);
    let at = |end: usize, side: f64| {
        let by = side * 0.5 * widths[end] / length;
        ([ends[end].0[0] - by * dy, ends[end].0[1] + by * dx], ends[end].1)
    };
    [at(0, -1.0), at(1, -1.0), at(1, 1.0), at(0, 1.0)]
}

/// Returns the area of a polygon, m², positive counter-clockwise.
fn area(outline: &[[f64; 2]]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    0.5 * outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>()
}
