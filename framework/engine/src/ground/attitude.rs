//! Height, pitch and roll of a vehicle on uneven ground.

use std::ops::ControlFlow;

use nalgebra::{Matrix3, Vector3};
use simhost_scene::Pose3;
use simhost_sdk::math;
use smallvec::SmallVec;

use super::Patch;
use super::fall::{Course, Fall, Plane, Stance};

/// Contact points of a vehicle with the ground, vehicle frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footing {
    /// Positions of the wheels, then of the ends of the body where the wheels alone cannot support it,
    /// m.
    pub points: Vec<[f64; 2]>,
    /// Number of points that are wheels.
    wheels: usize,
    /// Greatest height of the ground above a point at which it still supports the point, m.
    pub climb: f64,
    /// Set if all wheels lie on one line, across which there is no slope.
    line: Option<ContactLine>,
}

/// Wheels in one line.
#[derive(Clone, Copy, Debug)]
struct ContactLine {
    /// Direction of the line, vehicle frame.
    along: [f64; 2],
    /// Middle of the wheels, m.
    middle: [f64; 2],
    /// Extents of the body to the left and to the right of the line, m, between whose ends the slope
    /// across is measured; `None` if the body keeps its attitude across the line.
    sides: Option<[f64; 2]>,
}

impl Footing {
    /// Creates the points of a vehicle. Wheels in one line along the vehicle (a bicycle) give the slope
    /// along it, and the ground below the sides of the outline that across. If `supported` is true and
    /// the wheels form one axle, the front and rear ends of the outline support the vehicle too;
    /// otherwise it keeps its attitude.
    pub fn new(wheels: &[[f64; 2]], outline: &[[f64; 2]], climb: f64, supported: bool) -> Self {
        let points = wheels.to_vec();
        let mut footing = Self { points, wheels: wheels.len(), climb, line: None };
        let Some((middle, along)) = line_through(wheels) else { return footing };
        let extent = |direction: [f64; 2], from: [f64; 2]| {
            let offset =
                |p: &[f64; 2]| (p[0] - from[0]) * direction[0] + (p[1] - from[1]) * direction[1];
            outline.iter().map(offset).fold(0.0, f64::max).max(LEAST_ARM)
        };
        let [x, y] = along;
        let sides = || [extent([-y, x], middle), extent([y, -x], middle)];
        let is_axle = y.abs() > x.abs() || wheels.len() < 2;
        match (is_axle, supported) {
            (false, _) => footing.line = Some(ContactLine { along, middle, sides: Some(sides()) }),
            (true, false) => footing.line = Some(ContactLine { along, middle, sides: None }),
            (true, true) => {
                let front = outline.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
                let back = outline.iter().map(|p| p[0]).fold(f64::INFINITY, f64::min);
                footing.points.extend([[front, 0.0], [back, 0.0]]);
                if is_narrow(&footing.points) {
                    // a single wheel in the middle
                    let [left, right] = sides();
                    footing.points.extend([[middle[0], left], [middle[0], -right]]);
                }
            }
        }
        footing
    }

    /// Advances a vehicle that can leave the ground by `dt` seconds; see [`Fall::advance`].
    pub fn fall(
        &self,
        fall: &mut Fall,
        patch: &Patch<'_>,
        [pose, ground]: [&Pose3; 2],
        course: Course,
        balance: &Balance,
        gravity_and_dt: [f64; 2],
    ) -> Pose3 {
        fall.advance(
            pose,
            ground,
            &self.stance(patch, [pose, ground], course, balance),
            course,
            gravity_and_dt,
        )
    }

    /// Returns the contact points of a vehicle with this pose. Ground next to the plane on which all of it stands counts as a
    /// part of that plane: tyres and springs reach it.
    fn stance(
        &self,
        patch: &Patch<'_>,
        [pose, ground]: [&Pose3; 2],
        course: Course,
        balance: &Balance,
    ) -> Stance {
        let from = |at: &Pose3, point: [f64; 2]| {
            let [x, y, z] = at.transform([point[0], point[1], 0.0]);
            (course.to_heading([x - at.x, y - at.y]), z)
        };
        let mut stance = Stance {
            centre: from(pose, balance.centre).0,
            gyration: balance.gyration,
            ..Stance::default()
        };
        let plane = Plane::of(ground);
        for point in &self.points {
            let (place, _) = from(pose, *point);
            let [_, _, height] = support(patch, self, pose, *point);
            let near = plane.at(place);
            let is_near = (height - near).abs() <= self.climb;
            stance.points.push(place);
            stance.heights.push(if is_near { near } else { height });
        }
        stance
    }
}

/// Distribution of the mass of a vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Balance {
    /// Centre of mass, vehicle frame, m.
    pub centre: [f64; 2],
    /// Squares of the radii of gyration for pitch and roll, m².
    pub gyration: [f64; 2],
}

/// Least distance from the line of the wheels at which the ground across it is measured, m.
const LEAST_ARM: f64 = 0.1;
/// Width of a group of points, as a part of its length, below which they count as one line.
const LEAST_WIDTH: f64 = 1e-3;

/// Returns middle and direction of the line on which all wheels stand, or `None` if they do not.
fn line_through(wheels: &[[f64; 2]]) -> Option<([f64; 2], [f64; 2])> {
    if wheels.is_empty() || !is_narrow(wheels) {
        return None;
    }
    let count = wheels.len() as f64;
    let middle = [0, 1].map(|axis| wheels.iter().map(|at| at[axis]).sum::<f64>() / count);
    let from_middle = wheels.iter().map(|at| [at[0] - middle[0], at[1] - middle[1]]);
    let square = |[x, y]: [f64; 2]| x * x + y * y;
    let furthest = from_middle.fold([0.0; 2], |a, b| if square(b) > square(a) { b } else { a });
    let length = square(furthest).sqrt();
    let along = if length > 1e-6 { furthest.map(|value| value / length) } else { [0.0, 1.0] };
    Some((middle, along))
}

/// Returns whether points lie on one line.
fn is_narrow(points: &[[f64; 2]]) -> bool {
    let Some((first, rest)) = points.split_first() else { return true };
    // twice the greatest area of a triangle of the first point and two others, and the square of
    // the greatest distance from it
    let (mut area, mut square) = (0f64, 0f64);
    for (i, a) in rest.iter().enumerate() {
        let [ax, ay] = [a[0] - first[0], a[1] - first[1]];
        square = square.max(ax * ax + ay * ay);
        for b in &rest[i + 1..] {
            area = area.max((ax * (b[1] - first[1]) - ay * (b[0] - first[0])).abs());
        }
    }
    area <= LEAST_WIDTH * square
}

/// Slope above which ground with an edge counts as a step, over which a vehicle does not tilt.
const MAX_SLOPE: f64 = 1.5;
/// The same for the ground next to wheels on one line, which can be a kerb.
const MAX_SIDE_SLOPE: f64 = 0.8;

/// Difference of heights below which ground is level, m.
const LEVEL: f64 = 1e-4;

/// Points on the ground, m. Few vehicles have more.
type Heights = SmallVec<[[f64; 3]; 16]>;

/// Returns a pose with the height, pitch and roll of the ground below it: those of the least-squares
/// plane through the ground at the points of the footing, or along and across the line of the wheels.
/// Two passes are made, because the points move when the vehicle tilts.
pub(crate) fn attitude(patch: &Patch<'_>, footing: &Footing, pose: Pose3) -> Pose3 {
    attitude_beyond(patch, footing, pose, LEVEL)
}

/// As [`attitude`], for ground that counts as level if its heights differ by less than `level`, m.
pub(super) fn attitude_beyond(
    patch: &Patch<'_>,
    footing: &Footing,
    mut pose: Pose3,
    level: f64,
) -> Pose3 {
    if footing.points.is_empty() {
        return pose;
    }
    for _ in 0..2 {
        let ground = footing.points.iter().map(|at| support(patch, footing, &pose, *at)).collect();
        match resting(patch, footing, pose, ground, level) {
            ControlFlow::Continue(next) => pose = next,
            ControlFlow::Break(at_step) => return at_step,
        }
    }
    pose
}

/// Passes after which the pose of a vehicle at the start counts as found.
const MOST_PASSES: usize = 50;
/// Change of height, m, and of pitch and roll, rad, below which it is found.
const FOUND: f64 = 1e-12;

/// As [`attitude`], for a vehicle whose inclination is not known yet. Each point stands on the ground that
/// is reached from the reference point without a step, so that a slope on which the vehicle stands carries
/// all of its wheels however high it rises. Passes are made until the pose no longer changes.
pub(crate) fn starting_attitude(patch: &Patch<'_>, footing: &Footing, pose: Pose3) -> Pose3 {
    if footing.points.is_empty() {
        return pose;
    }
    let ground = footing.points.iter().map(|at| reached(patch, footing, &pose, *at)).collect();
    let (ControlFlow::Continue(mut pose) | ControlFlow::Break(mut pose)) =
        resting(patch, footing, pose, ground, LEVEL);
    for _ in 0..MOST_PASSES {
        let next = attitude(patch, footing, pose);
        let change = [next.z - pose.z, next.pitch - pose.pitch, next.roll - pose.roll];
        pose = next;
        if change.iter().all(|change| change.abs() < FOUND) {
            break;
        }
    }
    pose
}

/// Returns a pose on the ground at the points of the footing; `Break` at a step.
fn resting(
    patch: &Patch<'_>,
    footing: &Footing,
    pose: Pose3,
    ground: Heights,
    level: f64,
) -> ControlFlow<Pose3, Pose3> {
    let ground = within_reach(ground, footing);
    let lowest = ground.iter().map(|p| p[2]).fold(f64::INFINITY, f64::min);
    let highest = ground.iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max);
    if footing.line.is_none_or(|line| line.sides.is_none()) && highest - lowest < level {
        return ControlFlow::Continue(Pose3 { z: highest, pitch: 0.0, roll: 0.0, ..pose });
    }
    let plane = match &footing.line {
        Some(line) => line.plane(&ground, &pose, |at| support(patch, footing, &pose, at)),
        None => plane(&ground, &pose),
    };
    match plane {
        Some([height, along, across])
            if along * along + across * across < MAX_SLOPE * MAX_SLOPE
                || !has_edge(patch, footing, &ground) =>
        {
            // the normal (−along, −across, 1) is the z axis of R_z R_y R_x
            let length = (1.0 + along * along + across * across).sqrt();
            let sin_roll = across / length;
            let roll = math::atan2(sin_roll, (1.0 - sin_roll * sin_roll).sqrt());
            ControlFlow::Continue(Pose3 { z: height, pitch: -math::atan(along), roll, ..pose })
        }
        // at a step the vehicle stays on its upper wheels
        Some(_) => ControlFlow::Break(Pose3 { z: highest, ..pose }),
        None => {
            let mean = ground.iter().map(|p| p[2]).sum::<f64>() / ground.len() as f64;
            ControlFlow::Continue(Pose3 { z: mean, ..pose })
        }
    }
}

/// Distance between points at which the ground is followed, m.
const STRIDE: f64 = 0.02;
/// Largest number of such points.
const MOST_STRIDES: f64 = 1000.0;

/// Returns the point on the ground below a point of the vehicle that is reached from the reference point
/// of the vehicle without climbing a step, world frame, m.
fn reached(patch: &Patch<'_>, footing: &Footing, pose: &Pose3, [x, y]: [f64; 2]) -> [f64; 3] {
    let strides = ((x * x + y * y).sqrt() / STRIDE).ceil().clamp(1.0, MOST_STRIDES);
    let mut at = pose.position();
    for stride in 1..=strides as usize {
        let part = stride as f64 / strides;
        let [x, y, _] = pose.transform([part * x, part * y, 0.0]);
        at = [x, y, patch.height(x, y, at[2] + footing.climb)];
    }
    at
}

/// Number of parts into which the ground between two points is divided.
const PARTS: usize = 32;
/// Number of times that a steep part is halved.
const HALVINGS: usize = 30;
/// Rise at a single place that is an edge, m.
const EDGE: f64 = 1e-3;

/// Returns whether the ground between points has an edge, so that it is not a slope: it jumps, or rises in
/// terrain over one cell by more than can be climbed.
fn has_edge(patch: &Patch<'_>, footing: &Footing, ground: &[[f64; 3]]) -> bool {
    let next = ground.iter().cycle().skip(1);
    ground.iter().zip(next).any(|(a, b)| {
        let place = |part: f64| [0, 1, 2].map(|axis| a[axis] + part * (b[axis] - a[axis]));
        let height = |part: f64| {
            let [x, y, z] = place(part);
            patch.height(x, y, z + footing.climb)
        };
        let length = ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt();
        (0..PARTS).any(|part| {
            let [mut from, mut to] = [part, part + 1].map(|part| part as f64 / PARTS as f64);
            let [mut low, mut high] = [height(from), height(to)];
            if (high - low).abs() <= MAX_SLOPE * length * (to - from) {
                return false;
            }
            let [x, y, _] = place(0.5 * (from + to));
            if patch.rise_per_cell([x, y]) > footing.climb {
                return true;
            }
            for _ in 0..HALVINGS {
                let middle = 0.5 * (from + to);
                let between = height(middle);
                if (between - low).abs() > (high - between).abs() {
                    (to, high) = (middle, between);
                } else {
                    (from, low) = (middle, between);
                }
            }
            (high - low).abs() > EDGE
        })
    })
}

/// Returns the point on the ground below a point of the vehicle, world frame, m.
fn support(patch: &Patch<'_>, footing: &Footing, pose: &Pose3, [x, y]: [f64; 2]) -> [f64; 3] {
    let [x, y, z] = pose.transform([x, y, 0.0]);
    [x, y, patch.height(x, y, z + footing.climb)]
}

impl ContactLine {
    /// Returns height at the pose and slopes along and across it: the least-squares line through the
    /// ground below the wheels, and across it the slope between the sides of the body. `support` returns
    /// the ground below a point of the vehicle. Returns `None` without sides.
    fn plane(
        &self,
        ground: &[[f64; 3]],
        pose: &Pose3,
        support: impl Fn([f64; 2]) -> [f64; 3],
    ) -> Option<[f64; 3]> {
        let sides = self.sides?;
        let (sin, cos) = math::sin_cos(pose.yaw);
        let [x, y] = self.along;
        // coordinates along and across the line, relative to the pose
        let place = |[at_x, at_y, _]: &[f64; 3]| {
            let (dx, dy) = (at_x - pose.x, at_y - pose.y);
            let (forward, left) = (cos * dx + sin * dy, cos * dy - sin * dx);
            [x * forward + y * left, x * left - y * forward]
        };
        let count = ground.len() as f64;
        let mean = |of: &dyn Fn(&[f64; 3]) -> f64| ground.iter().map(of).sum::<f64>() / count;
        let [s, t] = [0, 1].map(|axis| mean(&|p| place(p)[axis]));
        let height = mean(&|p| p[2]);
        let square = mean(&|p| (place(p)[0] - s).powi(2));
        let slope = mean(&|p| (place(p)[0] - s) * (p[2] - height)) / square;

        // the ground below the sides, without kerbs
        let [left, right] = [sides[0], -sides[1]].map(|arm| {
            let at = support([self.middle[0] - y * arm, self.middle[1] + x * arm]);
            let [along, across] = place(&at);
            let line = height + slope * (along - s);
            let is_kerb = (at[2] - line).abs() > MAX_SIDE_SLOPE * arm.abs();
            [across, if is_kerb { 0.0 } else { at[2] - line }]
        });
        let cross = (left[1] - right[1]) / (left[0] - right[0]);
        let solved = [height - slope * s - cross * t, slope * x - cross * y, slope * y + cross * x];
        solved.iter().all(|value| value.is_finite()).then_some(solved)
    }
}

/// Raises or lowers the ground below the ends of the body to that below the wheels where a step lies
/// between them, so that an end that protrudes over an edge does not tilt the vehicle.
fn within_reach(mut ground: Heights, footing: &Footing) -> Heights {
    let (wheels, ends) = ground.split_at_mut(footing.wheels);
    let height = wheels.iter().map(|p| p[2]).sum::<f64>() / wheels.len().max(1) as f64;
    for (end, [x, y]) in ends.iter_mut().zip(&footing.points[footing.wheels..]) {
        if (end[2] - height).abs() > MAX_SLOPE * x.abs().max(y.abs()) {
            end[2] = height;
        }
    }
    ground
}

/// Returns height at the pose and slopes along and across it of the least-squares plane through
/// points, or `None` if they lie in a line.
fn plane(ground: &[[f64; 3]], pose: &Pose3) -> Option<[f64; 3]> {
    let (sin, cos) = math::sin_cos(pose.yaw);
    let mut normal = Matrix3::zeros();
    let mut right = Vector3::zeros();
    for [x, y, height] in ground {
        let (dx, dy) = (x - pose.x, y - pose.y);
        let row = Vector3::new(1.0, cos * dx + sin * dy, cos * dy - sin * dx);
        normal += row * row.transpose();
        right += row * *height;
    }
    let solved = normal.cholesky()?.solve(&right);
    solved.iter().all(|value| value.is_finite()).then(|| [solved[0], solved[1], solved[2]])
}
