//! Motion along the middle of lanes, from a lane to those that follow it.

use simhost_scene::{LanePath, RoadSpot};

use crate::driven::DrivenRoads;
use crate::route::LaneKey;

/// Longest part of a way that is passed at once, m.
const STRIDE: f64 = 2.0;
/// Largest number of parts, so that a search over lanes without a length ends.
const MOST_PARTS: usize = 1_000_000;
/// Distance that counts as none, m.
const NOTHING: f64 = 1e-9;

/// A place that moves along lanes.
pub(crate) struct LaneMarch<'n> {
    of: &'n DrivenRoads,
    path: LanePath<'n>,
    number: u32,
    key: LaneKey,
    s: f64,
    /// Level distance from the start, m.
    gone: f64,
    parts: usize,
}

impl<'n> LaneMarch<'n> {
    /// Begins at a place of a lane.
    pub fn new(of: &'n DrivenRoads, path: LanePath<'n>) -> Option<Self> {
        let LanePath { index: number, s, .. } = path;
        let key = of.key(number)?;
        let [low, high] = of.network().extent(key);
        s.is_finite().then(|| Self {
            of,
            path,
            number,
            key,
            s: s.clamp(low, high),
            gone: 0.0,
            parts: 0,
        })
    }

    /// Moves on to a level distance from the start, m, and returns the place there; `None` beyond the end of the network.
    pub fn to(&mut self, distance: f64) -> Option<RoadSpot> {
        if distance.is_nan() {
            return None;
        }
        while distance - self.gone > NOTHING {
            self.parts += 1;
            if self.parts > MOST_PARTS || !self.pass((distance - self.gone).min(STRIDE)) {
                return None;
            }
        }
        self.of.spot(self.key, self.s, 0.0, 0.0)
    }

    /// Moves by at most a distance, m: to the end of the lane or, at its end, to the next lane. Returns whether there is
    /// one. The distance along the reference line follows from the stretch in the middle (midpoint rule).
    fn pass(&mut self, distance: f64) -> bool {
        let network = self.of.network();
        let [low, high] = network.extent(self.key);
        let (end, sign) = if network.is_along(self.key) { (high, 1.0) } else { (low, -1.0) };
        let rest = (end - self.s) * sign;
        if rest <= NOTHING {
            return self.enter_next();
        }
        let middle = self.s + sign * 0.5 * (distance / self.stretch(self.s)).min(rest);
        let stretch = self.stretch(middle);
        let wanted = distance / stretch;
        if wanted >= rest {
            self.gone += rest * self.stretch(self.s + sign * 0.5 * rest);
            self.s = end;
        } else {
            self.gone += distance;
            self.s += sign * wanted;
        }
        true
    }

    /// Returns the length of the middle of the lane per length of the reference line.
    fn stretch(&self, s: f64) -> f64 {
        let road = &self.of.network().roads[self.key.road];
        let Some(edges) = road.edges(s, self.key.lane) else { return 1.0 };
        let along = 1.0 - road.curvature(s) * edges.centre();
        let across = edges.centre_slope();
        (along * along + across * across).sqrt().max(1e-3)
    }

    fn enter_next(&mut self) -> bool {
        let following = self.of.following(self.number);
        let on_route = following.iter().find(|next| self.path.route.contains(next));
        let next = on_route.or_else(|| match self.path.turns {
            0 => following.first(),
            turns => {
                let count = following.len().max(1) as u64;
                following.get((mixed(turns ^ u64::from(self.number)) % count) as usize)
            }
        });
        let Some((next, key)) = next.and_then(|next| Some((*next, self.of.key(*next)?))) else {
            return false;
        };
        let [low, high] = self.of.network().extent(key);
        self.s = if self.of.network().is_along(key) { low } else { high };
        (self.number, self.key) = (next, key);
        true
    }
}

/// Mixes the bits of a number (the finaliser of SplitMix64; Steele, Lea and Flood, OOPSLA 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
