//! ISO 3888-1:2018 (double lane change) and ISO 3888-2:2011 (obstacle avoidance).
//!
//! The driver looks at one point of the path ahead (C. C. MacAdam, "An optimal preview control for linear
//! systems", Journal of Dynamic Systems, Measurement, and Control 102, 1980) and steers the arc that reaches it,
//! with the understeer that the circle of ISO 4138 shows. The path goes from the middle of one lane to that of the
//! next, and begins and ends its turns within the lanes.

use super::rig::{MotionSample, Pedals, Rig};
use super::{Metric, circle};
use crate::Error;

/// A part of a track between two rows of cones.
pub(super) struct ConeGate {
    /// Start and end, m.
    along: [f64; 2],
    /// Width: a part of the width of the vehicle, and an addition, m; and the least width, m.
    width: [f64; 3],
    /// Whether the gate lies beside the first one, and not in line with it.
    is_beside: bool,
}

/// A track.
pub(super) struct LaneTrack {
    gates: [ConeGate; 3],
    /// Distance to the side: between the middles of the gates for a fixed lane, or between their edges.
    offset: f64,
    is_between_edges: bool,
    /// Distance within the lanes in which the driver already turns, m.
    reach: f64,
    /// Whether the driver lets the vehicle coast from the first gate on.
    coasts: bool,
}

const fn gate(along: [f64; 2], width: [f64; 3], is_beside: bool) -> ConeGate {
    ConeGate { along, width, is_beside }
}

pub(super) const ISO_3888_1: LaneTrack = LaneTrack {
    gates: [
        gate([0.0, 15.0], [1.1, 0.25, 0.0], false),
        gate([45.0, 70.0], [1.2, 0.25, 0.0], true),
        gate([95.0, 125.0], [1.3, 0.25, 0.0], false),
    ],
    offset: 3.5,
    is_between_edges: false,
    reach: 8.0,
    coasts: false,
};

pub(super) const ISO_3888_2: LaneTrack = LaneTrack {
    gates: [
        gate([0.0, 12.0], [1.1, 0.25, 0.0], false),
        gate([25.5, 36.5], [1.0, 1.0, 0.0], true),
        gate([49.0, 61.0], [1.3, 0.25, 3.0], false),
    ],
    offset: 1.0,
    is_between_edges: true,
    reach: 4.5,
    coasts: true,
};

/// Distance before the first gate, m.
const RUN_UP: f64 = 30.0;
/// Time for which the driver looks ahead, s.
const PREVIEW: f64 = 0.3;
/// Greatest steering angle, rad.
const MOST_STEER: f64 = 0.5;

impl LaneTrack {
    /// Returns start, end, and the y of the right and the left edge of each gate, m, for a vehicle of a width.
    fn edges(&self, width: f64) -> [[f64; 4]; 3] {
        let wide = |gate: &ConeGate| (gate.width[0] * width + gate.width[1]).max(gate.width[2]);
        let first = wide(&self.gates[0]);
        self.gates.each_ref().map(|gate| {
            let own = wide(gate);
            let right = match (gate.is_beside, self.is_between_edges) {
                (true, true) => 0.5 * first + self.offset,
                (true, false) => self.offset - 0.5 * own,
                // on the right edges of the first gate
                (false, _) => -0.5 * first,
            };
            [RUN_UP + gate.along[0], RUN_UP + gate.along[1], right, right + own]
        })
    }
}

/// Returns the y of the path through the middles of the gates at x, m.
fn path(gates: &[[f64; 4]; 3], reach: f64, x: f64) -> f64 {
    let middle = |gate: &[f64; 4]| 0.5 * (gate[2] + gate[3]);
    let mut y = middle(&gates[0]);
    for pair in gates.windows(2) {
        let (from, to) = (pair[0][1] - reach, pair[1][0] + reach);
        let part = ((x - from) / (to - from)).clamp(0.0, 1.0);
        // a cosine from gate to gate
        let smooth = 0.5 - 0.5 * libm::cos(std::f64::consts::PI * part);
        y += smooth * (middle(&pair[1]) - middle(&pair[0]));
    }
    y
}

pub(super) fn run(
    rig: &Rig<'_>,
    speed: f64,
    track: &LaneTrack,
) -> Result<(Vec<Metric>, Vec<MotionSample>), Error> {
    let gates = track.edges(rig.width());
    let understeer = circle::understeer(rig, &circle::slowly(rig, speed, 2.0)?);
    let understeer = if understeer.is_finite() { understeer.max(0.0) } else { 0.0 };
    let end = gates[2][1];
    let duration = 3.0 * (end + 10.0) / speed;
    let samples = rig.drive(speed, duration, |now| {
        let [x, y] = now.position;
        if x > end + 5.0 || now.speed() < 0.3 * speed {
            return None;
        }
        let ahead = (PREVIEW * now.speed()).max(3.0);
        let (sin, cos) = libm::sincos(now.yaw);
        // where the path is ahead of the vehicle, to its left
        let target = [x + cos * ahead, path(&gates, track.reach, x + cos * ahead)];
        let aside = cos * (target[1] - y) - sin * (target[0] - x);
        let curvature = 2.0 * aside / (ahead * ahead);
        let base = rig.wheelbase + understeer * now.speed() * now.speed();
        let steer = libm::atan(base * curvature).clamp(-MOST_STEER, MOST_STEER);
        let coasts = track.coasts && x > RUN_UP + 2.0;
        let drive = if coasts { 0.0 } else { rig.hold(now, speed) };
        Some(Pedals { steer, drive, brake: 0.0 })
    })?;
    let is_through = samples.last().is_some_and(|last| last.position[0] > end);
    let clearance = clearance(rig, &gates, &samples);
    let greatest = |value: &dyn Fn(&MotionSample) -> f64| {
        samples.iter().map(|one| value(one).abs()).fold(0.0, f64::max)
    };
    let exit = samples.last().map_or(f64::NAN, MotionSample::speed);
    let holds = is_through && clearance >= 0.0;
    let metrics = vec![
        Metric::limited("least distance to the cones", clearance, "m", holds),
        Metric::new("greatest lateral acceleration", greatest(&|one| one.lateral), "m/s²"),
        Metric::new("greatest yaw rate", greatest(&MotionSample::yaw_rate).to_degrees(), "°/s"),
        Metric::new("greatest steering angle", greatest(&|one| one.steer).to_degrees(), "°"),
        Metric::new("greatest roll", greatest(&|one| one.roll).to_degrees(), "°"),
        Metric::new("speed at the end", 3.6 * exit, "km/h"),
    ];
    Ok((metrics, samples))
}

/// Returns the least distance of the outline to the cones of all gates, m, negative if one is hit.
fn clearance(rig: &Rig<'_>, gates: &[[f64; 4]; 3], samples: &[MotionSample]) -> f64 {
    let mut least = f64::INFINITY;
    for one in samples {
        for corner in &rig.outline {
            let [x, y] = one.place(*corner);
            for [from, to, right, left] in gates {
                if *from <= x && x <= *to {
                    least = least.min(y - right).min(left - y);
                }
            }
        }
    }
    least
}
