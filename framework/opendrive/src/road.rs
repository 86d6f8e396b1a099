//! Roads with their profiles, lane sections and lanes.

use crate::cubic::RoadProfile;
use crate::math::tan;
use crate::object::RoadObject;
use crate::plan::{PlanPiece, PlanPose};

/// Type of a lane, as its attribute `type`.
pub type LaneType = String;

/// A road.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkRoad {
    /// Name of the road in links.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Length of the reference line, m.
    pub length: f64,
    /// Index of the junction that the road is part of.
    pub junction: Option<usize>,
    /// Whether traffic keeps to the left.
    pub is_left_hand: bool,
    /// Reference line from above.
    pub plan: Vec<PlanPiece>,
    /// Height of the reference line, m.
    pub elevation: RoadProfile,
    /// Angle about the reference line, rad, positive if the left side is higher.
    pub superelevation: RoadProfile,
    /// Crossfall on both sides.
    pub crossfall: Vec<Crossfall>,
    /// Heights of the cross section over the reference line.
    pub shapes: Vec<CrossSection>,
    /// Offset of the centre lane from the reference line, m.
    pub lane_offset: RoadProfile,
    /// Lane sections, by their starts.
    pub sections: Vec<LaneSection>,
    /// Speed limits of the road, m/s, from places on.
    pub speeds: Vec<(f64, f64)>,
    /// What follows at the start and at the end.
    pub links: [Option<RoadLink>; 2],
    /// Where bridges and tunnels begin and end, m.
    pub structures: Vec<[f64; 2]>,
    /// Objects.
    pub objects: Vec<RoadObject>,
}

/// Crossfall of a side of a road from a place on: the surface falls towards its edge by this angle.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossfall {
    /// Sides on which it acts: left, right.
    pub sides: [bool; 2],
    /// Angle, rad.
    pub angle: RoadProfile,
}

/// Height over the lateral position at a place of a road.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossSection {
    /// Place, m.
    pub s: f64,
    /// Height, m, over t.
    pub height: RoadProfile,
}

/// What a road is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoadLink {
    /// A road, at its start or its end.
    Road {
        /// Index of the road.
        road: usize,
        /// Whether it is connected at its end.
        at_end: bool,
    },
    /// A junction.
    Junction(usize),
}

/// Lanes between two places of a road.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneSection {
    /// Where it begins, m.
    pub start: f64,
    /// Marks of the centre lane.
    pub centre_marks: Vec<RoadMark>,
    /// Lanes to the left of the centre lane, from the inside to the outside.
    pub left: Vec<Lane>,
    /// Lanes to the right of the centre lane, from the inside to the outside.
    pub right: Vec<Lane>,
}

/// A lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Number: positive to the left, negative to the right.
    pub id: i32,
    /// Type, such as `driving`, `sidewalk` or `border`.
    pub kind: LaneType,
    /// Width over the distance from the start of the section, m; or the outer border as an offset from the centre lane.
    pub edge: LaneEdge,
    /// Heights of the inner and the outer edge above the road, m, from distances from the start of the section on.
    pub heights: Vec<(f64, [f64; 2])>,
    /// Speed limits, m/s, from distances from the start of the section on.
    pub speeds: Vec<(f64, f64)>,
    /// Friction coefficients from distances from the start of the section on.
    pub frictions: Vec<(f64, f64)>,
    /// Marks of the outer edge: type and colour from distances from the start of the section on.
    pub marks: Vec<RoadMark>,
    /// Whether the lane is level although the road has a superelevation.
    pub is_level: bool,
    /// Numbers of the lanes before and after.
    pub links: [Option<i32>; 2],
}

/// Edge of a lane.
#[derive(Clone, Debug, PartialEq)]
pub enum LaneEdge {
    /// Width, m.
    Width(RoadProfile),
    /// Distance of the outer edge from the centre lane along t, m.
    Border(RoadProfile),
}

/// A mark on the outer edge of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct RoadMark {
    /// Distance from the start of the section, m.
    pub start: f64,
    /// Type, such as `solid` or `broken`.
    pub kind: String,
    /// Colour, such as `standard` or `yellow`.
    pub colour: String,
    /// Width, m, if it is given.
    pub width: Option<f64>,
}

/// Edges of a lane at a place, along t, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaneEdges {
    /// Inner edge.
    pub inner: f64,
    /// Outer edge.
    pub outer: f64,
    /// Derivatives of both by s.
    pub slopes: [f64; 2],
}

impl LaneEdges {
    /// Returns the middle.
    pub fn centre(&self) -> f64 {
        0.5 * (self.inner + self.outer)
    }

    /// Returns the derivative of the middle by s.
    pub fn centre_slope(&self) -> f64 {
        0.5 * (self.slopes[0] + self.slopes[1])
    }

    /// Returns the distance between the edges.
    pub fn width(&self) -> f64 {
        (self.outer - self.inner).abs()
    }
}

/// Returns the last value whose start is at or before a place.
pub(crate) fn last_before<T>(values: &[(f64, T)], s: f64) -> Option<&T> {
    let after = values.partition_point(|(start, _)| *start <= s);
    values.get(after.checked_sub(1)?).map(|(_, value)| value)
}

impl LaneSection {
    /// Returns the lanes of the side of a lane's number.
    pub fn side(&self, id: i32) -> &[Lane] {
        if id > 0 { &self.left } else { &self.right }
    }

    /// Returns a lane.
    pub fn lane(&self, id: i32) -> Option<&Lane> {
        self.side(id).iter().find(|lane| lane.id == id)
    }

    /// Calls `see` with the lanes of a side and their edges at a place of the road, from the inside to the outside, until
    /// it returns a value. `offset` is the lane offset there and its derivative.
    fn walk<R>(
        &self,
        left: bool,
        s: f64,
        [offset, slope]: [f64; 2],
        mut see: impl FnMut(&Lane, LaneEdges) -> Option<R>,
    ) -> Option<R> {
        let (sign, lanes) = if left { (1.0, &self.left) } else { (-1.0, &self.right) };
        let ds = s - self.start;
        let (mut inner, mut inner_slope) = (offset, slope);
        for lane in lanes {
            let (outer, outer_slope) = match &lane.edge {
                LaneEdge::Width(width) => {
                    (inner + sign * width.value(ds), inner_slope + sign * width.slope(ds))
                }
                LaneEdge::Border(border) => (offset + border.value(ds), slope + border.slope(ds)),
            };
            let edges = LaneEdges { inner, outer, slopes: [inner_slope, outer_slope] };
            if let Some(found) = see(lane, edges) {
                return Some(found);
            }
            (inner, inner_slope) = (outer, outer_slope);
        }
        None
    }
}

impl Lane {
    /// Returns the height above the road at a place, m, between the edges, and its slope over t.
    pub(crate) fn height(&self, ds: f64, edges: LaneEdges, t: f64) -> f64 {
        let Some([inner, outer]) = last_before(&self.heights, ds) else { return 0.0 };
        let width = edges.outer - edges.inner;
        let part = if width == 0.0 { 0.5 } else { ((t - edges.inner) / width).clamp(0.0, 1.0) };
        inner + part * (outer - inner)
    }
}

impl NetworkRoad {
    /// Returns the place of the reference line.
    pub fn reference(&self, s: f64) -> PlanPose {
        let after = self.plan.partition_point(|piece| piece.start <= s);
        let piece = &self.plan[after.max(1) - 1];
        piece.at(s - piece.start)
    }

    /// Returns the curvature of the reference line, 1/m, positive to the left.
    pub fn curvature(&self, s: f64) -> f64 {
        let after = self.plan.partition_point(|piece| piece.start <= s);
        let piece = &self.plan[after.max(1) - 1];
        piece.curvature(s - piece.start)
    }

    /// Returns the lane section at a place.
    pub fn section(&self, s: f64) -> &LaneSection {
        let after = self.sections.partition_point(|section| section.start <= s);
        &self.sections[after.max(1) - 1]
    }

    /// Returns the lane offset at a place, and its derivative.
    pub(crate) fn offset(&self, s: f64) -> [f64; 2] {
        [self.lane_offset.value(s), self.lane_offset.slope(s)]
    }

    /// Returns the edges of a lane at a place, if it exists there.
    pub fn edges(&self, s: f64, id: i32) -> Option<LaneEdges> {
        if id == 0 {
            // the centre lane has no width
            let [offset, slope] = self.offset(s);
            return Some(LaneEdges { inner: offset, outer: offset, slopes: [slope; 2] });
        }
        self.section(s)
            .walk(id > 0, s, self.offset(s), |lane, edges| (lane.id == id).then_some(edges))
    }

    /// Returns the lane at a lateral position, or the nearest one that `fits`, with its edges.
    pub fn lane_at(
        &self,
        s: f64,
        t: f64,
        fits: impl Fn(&Lane) -> bool,
    ) -> Option<(&Lane, LaneEdges)> {
        let (section, offset) = (self.section(s), self.offset(s));
        let mut nearest: Option<(f64, i32, LaneEdges)> = None;
        for left in [true, false] {
            section.walk(left, s, offset, |lane, edges| {
                let (low, high) = (edges.inner.min(edges.outer), edges.inner.max(edges.outer));
                let away = (low - t).max(t - high).max(0.0);
                let is_nearer = nearest.is_none_or(|(other, ..)| away < other);
                if edges.width() > 1e-9 && fits(lane) && is_nearer {
                    nearest = Some((away, lane.id, edges));
                }
                None::<()>
            });
        }
        let (_, id, edges) = nearest?;
        section.lane(id).map(|lane| (lane, edges))
    }

    /// Returns the outermost edges of all lanes at a place: right, left, m along t.
    pub fn outer_edges(&self, s: f64) -> [f64; 2] {
        let (section, offset) = (self.section(s), self.offset(s));
        [false, true].map(|left| {
            let mut edge = offset[0];
            section.walk(left, s, offset, |_, edges| {
                edge = edges.outer;
                None::<()>
            });
            edge
        })
    }

    /// Returns the height of the surface above the plane of the cross section at a place, m: shapes, crossfall, lanes.
    pub(crate) fn relief(&self, s: f64, t: f64) -> f64 {
        let mut height = self.shape(s, t);
        let side = usize::from(t < 0.0);
        if let Some(fall) = self.crossfall.iter().rev().find(|one| one.sides[side]) {
            height -= t.abs() * tan(fall.angle.value(s));
        }
        let (section, offset) = (self.section(s), self.offset(s));
        let of_lane = section.walk(t > offset[0], s, offset, |lane, edges| {
            let is_in = (edges.inner.min(edges.outer)..=edges.inner.max(edges.outer)).contains(&t);
            (is_in && !lane.heights.is_empty()).then(|| lane.height(s - section.start, edges, t))
        });
        height + of_lane.unwrap_or(0.0)
    }

    /// Returns the height of the cross section, m, interpolated linearly between the places where it is given.
    fn shape(&self, s: f64, t: f64) -> f64 {
        let after = self.shapes.partition_point(|one| one.s <= s);
        let height = |place: usize| self.shapes.get(place).map(|one| (one.s, one.height.value(t)));
        match (after.checked_sub(1).and_then(height), height(after)) {
            (Some((from, low)), Some((to, high))) => low + (high - low) * (s - from) / (to - from),
            (Some((_, only)), None) => only,
            (None, _) => 0.0,
        }
    }

    /// Returns the speed limit of a lane, m/s, or that of the road.
    pub fn speed_limit(&self, s: f64, id: i32) -> Option<f64> {
        let section = self.section(s);
        let of_lane =
            section.lane(id).and_then(|lane| last_before(&lane.speeds, s - section.start));
        of_lane.or_else(|| last_before(&self.speeds, s)).copied()
    }
}
