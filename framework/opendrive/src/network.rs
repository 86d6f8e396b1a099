//! A road network, and positions on it.

use std::f64::consts::PI;

use simhost_xml::Note;

use crate::index::{RoadIndex, Segment};
use crate::math::{atan, cos, hypot, sin_cos, tan};
use crate::plan::wrapped;
use crate::road::{Lane, LaneEdges, NetworkRoad};

/// A road network.
pub struct Network {
    /// Version of the format: revMajor and revMinor.
    pub version: [u32; 2],
    /// Text of `<geoReference>`: a projection as PROJ writes it.
    pub geo_reference: Option<String>,
    /// Roads.
    pub roads: Vec<NetworkRoad>,
    /// Junctions.
    pub junctions: Vec<Junction>,
    /// What was not read, each element once, with its first line.
    pub notes: Vec<Note>,
    pub(crate) index: RoadIndex,
}

/// A junction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Junction {
    /// Name in links.
    pub id: String,
    /// Connections.
    pub connections: Vec<Connection>,
}

/// A way through a junction.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Road that leads into the junction.
    pub incoming: usize,
    /// Road in the junction.
    pub connecting: usize,
    /// Whether the connecting road is entered at its end.
    pub at_end: bool,
    /// Numbers of lanes: of the incoming road and of the connecting one.
    pub lanes: Vec<(i32, i32)>,
}

/// A place on a road.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoadPlace {
    /// Index of the road.
    pub road: usize,
    /// Distance along the reference line, m.
    pub s: f64,
    /// Lateral distance from the reference line, m, positive to the left.
    pub t: f64,
}

/// A pose on a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoadPose {
    /// Position, m.
    pub place: [f64; 3],
    /// Direction of the reference line, rad.
    pub heading: f64,
    /// Pitch, rad, positive downhill, and roll, rad, positive if the left side is higher, of the plane of the road.
    pub tilt: [f64; 2],
    /// Curvature of the reference line, 1/m, positive to the left.
    pub curvature: f64,
}

/// A pose on a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LanePose {
    /// Position, m.
    pub place: [f64; 3],
    /// Driving direction of the lane, rad from 0 to 2π: along the middle of the lane, against the reference line for lanes
    /// that are driven in that direction.
    pub heading: f64,
    /// Width of the lane, m.
    pub width: f64,
    /// Curvature of the middle of the lane, 1/m, with the sign of the reference line.
    pub curvature: f64,
    /// Middle of the lane, m along t.
    pub centre: f64,
    /// Derivative of the height along the driving direction: rise over distance.
    pub grade: f64,
    /// Speed limit, m/s, if there is one.
    pub speed_limit: Option<f64>,
}

/// A place in a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LanePlace {
    /// Place on the road.
    pub on: RoadPlace,
    /// Number of the lane.
    pub lane: i32,
    /// Distance from the middle of the lane, m, positive to the left of the reference line.
    pub offset: f64,
    /// Distance of the point from the lane, m; 0 inside.
    pub away: f64,
}

impl Network {
    /// Returns the index of a road by its name.
    pub fn road(&self, id: &str) -> Option<usize> {
        self.roads.iter().position(|road| road.id == id)
    }

    /// Returns the pose of a place on a road. Position = reference point + t R e_y with the rotation R = R_z(heading)
    /// R_y(−atan z') R_x(superelevation), so that the lateral distance is measured along the slope.
    pub fn pose(&self, at: RoadPlace) -> RoadPose {
        let road = &self.roads[at.road];
        let line = road.reference(at.s);
        let frame = CrossFrame::of(road, at.s);
        let (sin, cos) = sin_cos(line.heading);
        let [along, across, up] = frame.lateral.map(|part| part * at.t);
        let [x, y] = line.place;
        RoadPose {
            place: [
                x + cos * along - sin * across,
                y + sin * along + cos * across,
                road.elevation.value(at.s) + up + road.relief(at.s, at.t),
            ],
            heading: line.heading,
            tilt: [-atan(frame.slope), frame.roll],
            curvature: line.curvature,
        }
    }

    /// Returns the height of a place on a road, m.
    #[inline]
    pub fn height(&self, at: RoadPlace) -> f64 {
        let road = &self.roads[at.road];
        let frame = CrossFrame::of(road, at.s);
        road.elevation.value(at.s) + at.t * frame.lateral[2] + road.relief(at.s, at.t)
    }

    /// Returns the pose of a place in a lane: `offset` from its middle, m. Returns `None` for a lane that the road does not
    /// have there.
    pub fn lane_pose(&self, road: usize, s: f64, lane: i32, offset: f64) -> Option<LanePose> {
        let of = &self.roads[road];
        let edges = of.edges(s, lane)?;
        let t = edges.centre() + offset;
        let pose = self.pose(RoadPlace { road, s, t });
        // the centre lane counts as a lane to the left
        let is_against = (lane >= 0) != of.is_left_hand;
        let along = pose.heading + atan(edges.centre_slope());
        let heading = if is_against { along + PI } else { along };
        let frame = CrossFrame::of(of, s);
        let rise = frame.slope + edges.centre_slope() * tan(frame.roll);
        Some(LanePose {
            place: pose.place,
            heading: heading.rem_euclid(2.0 * PI),
            width: edges.width(),
            curvature: pose.curvature / (1.0 - pose.curvature * edges.centre()),
            centre: edges.centre(),
            grade: if is_against { -rise } else { rise },
            speed_limit: of.speed_limit(s, lane),
        })
    }

    /// Returns the place in the nearest lane that `fits`. With a heading, rad, a lane in this direction is preferred where
    /// several are as near, as in junctions; with a height, m, the nearest surface, as on bridges.
    pub fn nearest(
        &self,
        point: [f64; 2],
        height: Option<f64>,
        heading: Option<f64>,
        fits: impl Fn(&Lane) -> bool,
    ) -> Option<LanePlace> {
        let mut search = Search { of: self, point, height, heading, fits, best: None };
        self.index.over(point, &mut |segment, away| search.see(segment, away));
        // a point in a lane is not nearer to another one
        if search.best.is_none_or(|(_, found)| found.away > 0.0) {
            self.index.around(point, &mut |segment, away| search.see(segment, away));
        }
        search.best.map(|(_, found)| found)
    }

    /// Returns short parts of all roads with the boxes around them, road by road.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        self.index.segments()
    }

    /// Returns the total length of all roads, m.
    pub fn length(&self) -> f64 {
        self.roads.iter().map(|road| road.length).sum()
    }
}

/// A search for the nearest lane.
struct Search<'n, F> {
    of: &'n Network,
    point: [f64; 2],
    height: Option<f64>,
    heading: Option<f64>,
    fits: F,
    /// The best place so far, and its distance with everything that speaks against it, m.
    best: Option<(f64, LanePlace)>,
}

impl<F: Fn(&Lane) -> bool> Search<'_, F> {
    /// Looks at a part of a road at a distance. Returns whether the search goes on.
    fn see(&mut self, segment: &Segment, away: f64) -> bool {
        if self.best.is_some_and(|(score, _)| away > score) {
            return false;
        }
        let road = &self.of.roads[segment.road];
        let Some((s, t)) = road.project(self.point, segment) else { return true };
        let Some((lane, edges)) = road.lane_at(s, t, &self.fits) else { return true };
        let found = LanePlace {
            on: RoadPlace { road: segment.road, s, t },
            lane: lane.id,
            offset: t - edges.centre(),
            away: distance(away_from(edges, t), road.overshoot(self.point, s)),
        };
        let score = found.away + self.objection(&found, edges);
        if self.best.is_none_or(|(other, _)| score < other) {
            self.best = Some((score, found));
        }
        true
    }

    /// Returns what speaks against a lane that is as near as another one, m.
    fn objection(&self, found: &LanePlace, edges: LaneEdges) -> f64 {
        let mut score = 0.01 * (found.offset / edges.width().max(0.1)).abs().min(1.0);
        if let Some(z) = self.height {
            score += (self.of.height(found.on) - z).abs();
        }
        if let Some(heading) = self.heading {
            let pose = self.of.lane_pose(found.on.road, found.on.s, found.lane, found.offset);
            score += pose.map_or(0.0, |pose| 0.5 * (1.0 - cos(wrapped(pose.heading - heading))));
        }
        score
    }
}

fn distance(across: f64, along: f64) -> f64 {
    if along == 0.0 { across } else { hypot(across, along) }
}

fn away_from(edges: LaneEdges, t: f64) -> f64 {
    let (low, high) = (edges.inner.min(edges.outer), edges.inner.max(edges.outer));
    (low - t).max(t - high).max(0.0)
}

/// The plane of the cross section at a place.
struct CrossFrame {
    /// Derivative of the elevation by s.
    slope: f64,
    /// Superelevation, rad.
    roll: f64,
    /// Lateral axis: along the reference line, to its left, and up.
    lateral: [f64; 3],
}

impl CrossFrame {
    #[inline]
    fn of(road: &NetworkRoad, s: f64) -> Self {
        let slope = road.elevation.slope(s);
        if road.superelevation.is_zero() {
            return Self { slope, roll: 0.0, lateral: [0.0, 1.0, 0.0] };
        }
        let roll = road.superelevation.value(s);
        let ((sin, cos), rise) = (sin_cos(roll), (1.0 + slope * slope).sqrt());
        Self { slope, roll, lateral: [-slope / rise * sin, cos, sin / rise] }
    }
}

impl NetworkRoad {
    /// Returns a place of the road from above, m.
    pub(crate) fn seen_from_above(&self, s: f64, t: f64) -> [f64; 2] {
        let (line, frame) = (self.reference(s), CrossFrame::of(self, s));
        let (sin, cos) = sin_cos(line.heading);
        let [along, across, _] = frame.lateral.map(|part| part * t);
        let [x, y] = line.place;
        [x + cos * along - sin * across, y + sin * along + cos * across]
    }

    /// Returns the place of a point on a part of the road, s and t: a zero of the distance along the reference line
    /// (Newton's method, then secants). A point beyond an end of the road is placed at the end.
    pub(crate) fn project(&self, point: [f64; 2], on: &Segment) -> Option<(f64, f64)> {
        // a little beyond the part, so that a zero at its end is found from both sides
        let slack = 0.05 * (on.to - on.from) + 1e-9;
        let [low, high] = [on.from - slack, on.to + slack];
        let mut s = on.guess(point)?;
        let mut before: Option<[f64; 2]> = None;
        for _ in 0..30 {
            let line = self.reference(s);
            let frame = CrossFrame::of(self, s);
            let (sin, cos) = sin_cos(line.heading);
            let [dx, dy] = [point[0] - line.place[0], point[1] - line.place[1]];
            let (along, across) = (cos * dx + sin * dy, cos * dy - sin * dx);
            let t = across / frame.lateral[1].max(1e-6);
            let rest = along - t * frame.lateral[0];
            // the slope from the last two places, which knows how the tilt changes
            let stretch = match before {
                Some([other, old]) if (other - s).abs() > 1e-9 => (old - rest) / (s - other),
                _ => 1.0 - line.curvature * across,
            };
            if stretch <= 0.0 {
                return None;
            }
            let change = rest / stretch;
            let is_beyond_end = s == 0.0 && change <= 0.0 || s == self.length && change >= 0.0;
            if change.abs() < 1e-9 || is_beyond_end {
                return (low..=high).contains(&s).then_some((s, t));
            }
            before = Some([s, rest]);
            s = (s + change).clamp(0.0, self.length);
        }
        None
    }

    /// Returns the distance of a point from the cross section at a place along the road, m: 0 unless it is beyond an end.
    pub(crate) fn overshoot(&self, point: [f64; 2], s: f64) -> f64 {
        if s > 0.0 && s < self.length {
            return 0.0;
        }
        let line = self.reference(s);
        let (sin, cos) = sin_cos(line.heading);
        let along = cos * (point[0] - line.place[0]) + sin * (point[1] - line.place[1]);
        let is_beyond = if s <= 0.0 { along < 0.0 } else { along > 0.0 };
        if is_beyond { along.abs() } else { 0.0 }
    }
}
