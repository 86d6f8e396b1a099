//! ISO 3888-1:2018 (double lane change) and ISO 3888-2:2011 (obstacle avoidance).
//!
//! The driver looks at one point of the path ahead (C. C. MacAdam, "An optimal preview control for linear
//! systems", Journal of Dynamic Systems, Measurement, and Control 102, 1980) and steers the arc that reaches it,
//! with the understeer that the circle of ISO 4138 shows. He knows where the vehicle will be when his steering has
//! an effect. The path goes from lane to lane, and begins and ends its turns within the lanes.
//!
//! Like the drivers of the standard, the driver practises: the track is driven repeatedly, with one
//! parameter changed at a time, and a change is kept if it increases the distance to the cones. The
//! result is the best run.

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use super::{Metric, dwell};
use crate::Error;

/// A part of a track between two rows of cones.
pub(super) struct ConeGate {
    /// Start and end, m.
    along: [f64; 2],
    /// Width: a part of the width of the vehicle, and an addition, m; and the least width, m.
    width: [f64; 3],
    /// Whether the gate is next to the first one, and not in line with it.
    is_beside: bool,
}

/// A track.
pub(super) struct LaneTrack {
    gates: [ConeGate; 3],
    /// Distance to the side: between the middles of the gates for a fixed lane, or between their edges.
    offset: f64,
    is_between_edges: bool,
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
    coasts: true,
};

/// Distance before the first gate, m.
const RUN_UP: f64 = 30.0;
/// Number of times by which the steps of changed habits are halved.
const ROUNDS: usize = 7;
/// Distance to the cones above which the driver stops practising, m.
const ENOUGH: f64 = 0.3;
/// Greatest steering angle, rad.
const MOST_STEER: f64 = 0.5;

/// How a driver drives.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Habits {
    /// Time for which he looks ahead, s.
    preview: f64,
    /// Time after which his steering has an effect, s.
    delay: f64,
    /// Part of a lane in which he already turns.
    reach: f64,
    /// Offset of the path in the second lane as a fraction of the offset of the middle of the lane.
    aim: f64,
}

impl Habits {
    const FIRST: Self = Self { preview: 0.3, delay: 0.15, reach: 0.3, aim: 1.0 };
    /// The first changes.
    const STEPS: [f64; 4] = [0.1, 0.1, 0.1, 0.1];

    /// Returns the habits with one of them changed, within their limits.
    fn changed(self, which: usize, by: f64) -> Self {
        let mut all = [self.preview, self.delay, self.reach, self.aim];
        let limits = [[0.1, 0.8], [0.0, 0.4], [0.0, 0.5], [0.7, 1.3]];
        all[which] = (all[which] + by).clamp(limits[which][0], limits[which][1]);
        let [preview, delay, reach, aim] = all;
        Self { preview, delay, reach, aim }
    }
}

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

/// Returns the y of the path through the gates at x, m.
fn path(gates: &[[f64; 4]; 3], habits: &Habits, x: f64) -> f64 {
    let [first, second, third] = gates.map(|gate| 0.5 * (gate[2] + gate[3]));
    let middles = [first, first + habits.aim * (second - first), third];
    let mut y = first;
    for (pair, middles) in gates.windows(2).zip(middles.windows(2)) {
        let within = |gate: &[f64; 4]| habits.reach * (gate[1] - gate[0]);
        let (from, to) = (pair[0][1] - within(&pair[0]), pair[1][0] + within(&pair[1]));
        let part = ((x - from) / (to - from)).clamp(0.0, 1.0);
        // a cosine from gate to gate
        let smooth = 0.5 - 0.5 * libm::cos(std::f64::consts::PI * part);
        y += smooth * (middles[1] - middles[0]);
    }
    y
}

pub(super) fn run(rig: &Rig<'_>, track: &LaneTrack) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let gates = track.edges(rig.width());
    let understeer = dwell::understeer(rig, &dwell::slowly(rig, 2.0)?.samples);
    let understeer = if understeer.is_finite() { understeer.max(0.0) } else { 0.0 };
    let driver = Driver { rig, track, gates: &gates, understeer };
    let run = driver.practise()?;
    let samples = &run.samples;
    let end = gates[2][1];
    let is_through = samples.last().is_some_and(|last| last.position[0] > end);
    let clearance = clearance(rig, &gates, samples);
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
    Ok((metrics, run))
}

/// A driver on a track.
struct Driver<'d> {
    rig: &'d Rig<'d>,
    track: &'d LaneTrack,
    gates: &'d [[f64; 4]; 3],
    /// Understeer gradient, rad/(m/s²).
    understeer: f64,
}

impl Driver<'_> {
    /// Drives the track with different parameters. Returns the run with the greatest distance to
    /// the cones.
    fn practise(&self) -> Result<DrivenRun, Error> {
        let mut habits = Habits::FIRST;
        let mut best = self.drive(&habits)?;
        let mut room = self.room(&best.samples);
        for round in 0..ROUNDS {
            for which in 0..Habits::STEPS.len() {
                for sign in [1.0, -1.0] {
                    let step = sign * Habits::STEPS[which] / f64::from(1 << round);
                    // as far as it helps
                    while room < ENOUGH {
                        let changed = habits.changed(which, step);
                        let run = self.drive(&changed)?;
                        let found = self.room(&run.samples);
                        if changed == habits || found <= room {
                            break;
                        }
                        (habits, best, room) = (changed, run, found);
                    }
                }
            }
        }
        Ok(best)
    }

    /// Returns the least distance to the cones, m; where the vehicle does not reach the end, less than any.
    fn room(&self, samples: &[MotionSample]) -> f64 {
        let reached = samples.last().map_or(0.0, |last| last.position[0]) - self.gates[2][1];
        clearance(self.rig, self.gates, samples) + if reached < 0.0 { reached } else { 0.0 }
    }

    fn drive(&self, habits: &Habits) -> Result<DrivenRun, Error> {
        let Self { rig, track, gates, understeer } = *self;
        let (end, speed) = (gates[2][1], rig.speed);
        let duration = 3.0 * (end + 10.0) / speed;
        rig.drive(duration, |now| {
            if now.position[0] > end + 5.0 || now.speed() < 0.3 * speed {
                return None;
            }
            let [x, y, yaw] = now.after(habits.delay);
            let ahead = (habits.preview * now.speed()).max(3.0);
            let (sin, cos) = libm::sincos(yaw);
            // where the path is ahead of the vehicle, to its left
            let target = [x + cos * ahead, path(gates, habits, x + cos * ahead)];
            let aside = cos * (target[1] - y) - sin * (target[0] - x);
            let curvature = 2.0 * aside / (ahead * ahead);
            let base = rig.wheelbase + understeer * now.speed() * now.speed();
            let steer = libm::atan(base * curvature).clamp(-MOST_STEER, MOST_STEER);
            let coasts = track.coasts && now.position[0] > RUN_UP + 2.0;
            Some(Demand { steer, pace: if coasts { Pace::Coast } else { Pace::Hold } })
        })
    }
}

/// Returns the smallest distance of the outline to the cones of all gates, m, negative if a cone is
/// hit: of its corners to the rows of cones, and of the cones at the ends of the rows to its sides.
fn clearance(rig: &Rig<'_>, gates: &[[f64; 4]; 3], samples: &[MotionSample]) -> f64 {
    let cones: Vec<[f64; 2]> = gates
        .iter()
        .flat_map(|[from, to, right, left]| {
            [[*from, *right], [*from, *left], [*to, *right], [*to, *left]]
        })
        .collect();
    let mut least = f64::INFINITY;
    for one in samples {
        let outline: Vec<[f64; 2]> = rig.outline.iter().map(|corner| one.place(*corner)).collect();
        for [x, y] in &outline {
            for [from, to, right, left] in gates {
                if from <= x && x <= to {
                    least = least.min(y - right).min(left - y);
                }
            }
        }
        for cone in &cones {
            least = least.min(distance(&outline, *cone));
        }
    }
    least
}

/// Returns the distance of a point from a convex polygon with corners counter-clockwise, m, negative inside of it.
fn distance(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> f64 {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let (mut inside, mut outside) = (f64::NEG_INFINITY, f64::INFINITY);
    for ([ax, ay], [bx, by]) in sides {
        let (along, aside) = ([bx - ax, by - ay], [x - ax, y - ay]);
        let length = along[0].hypot(along[1]);
        // to the right of a side is outside
        inside = inside.max((along[1] * aside[0] - along[0] * aside[1]) / length);
        let part = (along[0] * aside[0] + along[1] * aside[1]) / (length * length);
        let part = part.clamp(0.0, 1.0);
        let away = (aside[0] - part * along[0]).hypot(aside[1] - part * along[1]);
        outside = outside.min(away);
    }
    if inside < 0.0 { inside } else { outside }
}

#[cfg(test)]
mod tests {
    use super::distance;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]];

    #[test]
    fn a_cone_in_a_side_is_hit_although_no_corner_is_near() {
        let cases =
            [([1.0, 0.016], -0.016), ([1.0, -0.3], 0.3), ([2.3, 1.4], 0.5), ([0.5, 0.5], -0.5)];
        for (cone, expected) in cases {
            assert!((distance(&SQUARE, cone) - expected).abs() < 1e-12, "{cone:?}");
        }
    }

    /// The distance is that to the nearest of many points on the border.
    #[test]
    fn distances_are_those_to_the_nearest_point_of_the_border() {
        let sides = SQUARE.iter().zip(SQUARE.iter().cycle().skip(1));
        let on_side = |(a, b): (&[f64; 2], &[f64; 2])| {
            let (a, b) = (*a, *b);
            (0..1000).map(move |k| {
                let part = f64::from(k) / 1000.0;
                [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]
            })
        };
        let border: Vec<[f64; 2]> = sides.flat_map(on_side).collect();
        for number in 0..500 {
            let draw = |factor: f64| (f64::from(number) * factor).fract();
            let (x, y) = (6.0 * draw(0.618_033_988) - 2.0, 5.0 * draw(0.754_877_666) - 2.0);
            let nearest = border.iter().map(|at| (at[0] - x).hypot(at[1] - y));
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            let is_inside = (0.0..=2.0).contains(&x) && (0.0..=1.0).contains(&y);
            let expected = if is_inside { -nearest } else { nearest };
            assert!((distance(&SQUARE, [x, y]) - expected).abs() < 2e-3, "{x} {y}");
        }
    }
}
