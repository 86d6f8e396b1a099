//! Poses of animated objects over time.

use simhost_scene::Pose3;
use simhost_sdk::math;
use simhost_world::Animation;

/// Speed from which a stretch of an animation counts as a jump, m/s.
const JUMP_SPEED: f64 = 100.0;
/// Distance, m, and angle, rad, up to which an animation ends where it begins.
const CLOSED: f64 = 1e-6;

/// Pose and velocity of an animated object at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    /// Pose in the world frame.
    pub pose: Pose3,
    /// Velocity in the plane, m/s, world frame, and yaw rate, rad/s.
    pub velocity: [f64; 3],
    /// Whether the object has not moved there, but has been placed.
    pub jumps: bool,
}

/// Returns the pose at `time` seconds of an object that starts at `start`. Between keyframes,
/// positions and angles are interpolated linearly, angles the shorter way round. Before the first
/// keyframe the object is at `start`.
pub(crate) fn animated(start: &Pose3, animation: Option<&Animation>, time: f64) -> Pose3 {
    let start = *start;
    let Some(frames) = animation.map(|animation| animation.keyframes.as_slice()) else {
        return start;
    };
    let Some(last) = frames.last() else { return start };
    let time = if last.0 > 0.0 { time % last.0 } else { 0.0 };
    let Some(stretch) = Stretch::at(frames, time) else { return start };
    let Stretch { from, a, to, b } = stretch;
    let part = if to > from { (time - from) / (to - from) } else { 1.0 };
    let mix = |a: f64, b: f64| a + part * (b - a);
    let turn = |a: f64, b: f64| a + part * math::wrap_angle(b - a);
    start.compose(Pose3 {
        x: mix(a.x, b.x),
        y: mix(a.y, b.y),
        z: mix(a.z, b.z),
        yaw: turn(a.yaw, b.yaw),
        pitch: turn(a.pitch, b.pitch),
        roll: turn(a.roll, b.roll),
    })
}

/// Returns pose and velocity at the end of a step of `dt` seconds that ends at `time`, s. The object
/// is placed if the animation starts again somewhere else in the step, or reaches a late first
/// keyframe, or crosses a stretch that is shorter than a step or faster than [`JUMP_SPEED`].
pub(crate) fn motion(start: &Pose3, animation: &Animation, time: f64, dt: f64) -> Motion {
    let frames = animation.keyframes.as_slice();
    let pose = animated(start, Some(animation), time);
    let still = Motion { pose, velocity: [0.0; 3], jumps: false };
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return still };
    let period = last.0;
    if period <= 0.0 {
        return still;
    }
    let (before, now) = ((time - dt).max(0.0), time);
    let (from, to) = (before % period, now % period);
    let starts_again = to < from || now - before >= period;
    let beginning = if first.0 > 0.0 { Pose3::default() } else { first.1 };
    let is_late = first.0 > 0.0 && !is_same(&beginning, &first.1);
    let passes = |at: f64| {
        if starts_again { from < at || at <= to } else { from < at && at <= to }
    };
    let is_abrupt = frames.windows(2).any(|pair| {
        let stretch = Stretch::between([&pair[0], &pair[1]]);
        let overlaps = if starts_again {
            from < stretch.to || stretch.from < to
        } else {
            from < stretch.to && stretch.from < to
        };
        overlaps && stretch.is_abrupt(dt)
    });
    let jumps =
        starts_again && !is_same(&last.1, &beginning) || is_late && passes(first.0) || is_abrupt;
    let ahead = Stretch::after(frames, to).filter(|stretch| !stretch.is_abrupt(dt));
    let velocity = ahead.map_or([0.0; 3], |stretch| stretch.velocity(start));
    Motion { pose, velocity, jumps }
}

/// The motion from one keyframe to the next.
#[derive(Clone, Copy)]
struct Stretch {
    /// Times, s.
    from: f64,
    to: f64,
    /// Poses relative to the initial pose.
    a: Pose3,
    b: Pose3,
}

impl Stretch {
    fn between([first, last]: [&(f64, Pose3); 2]) -> Self {
        Self { from: first.0, to: last.0, a: first.1, b: last.1 }
    }

    /// Returns the stretch that leads to the pose at `time`, s, or `None` before the first keyframe.
    fn at(frames: &[(f64, Pose3)], time: f64) -> Option<Self> {
        let first = frames.first()?;
        if time < first.0 {
            return None;
        }
        if time == first.0 {
            return Some(Self::between([first; 2]));
        }
        let next = frames.iter().position(|frame| frame.0 >= time).unwrap_or(frames.len() - 1);
        Some(Self::between([&frames[next.saturating_sub(1)], &frames[next]]))
    }

    /// Returns the stretch that starts at `time`, s, or before and ends later.
    fn after(frames: &[(f64, Pose3)], time: f64) -> Option<Self> {
        let pairs = frames.windows(2).map(|pair| Self::between([&pair[0], &pair[1]]));
        pairs.into_iter().find(|stretch| stretch.from <= time && time < stretch.to)
    }

    /// Returns the velocity in the plane, m/s, and the yaw rate, rad/s, of an object that starts at
    /// `start`.
    fn velocity(&self, start: &Pose3) -> [f64; 3] {
        let time = self.to - self.from;
        let [a, b] = [self.a, self.b].map(|pose| start.compose(pose));
        let turn = math::wrap_angle(self.b.yaw - self.a.yaw);
        [(b.x - a.x) / time, (b.y - a.y) / time, turn / time]
    }

    /// Returns whether a step of `dt` seconds cannot follow it.
    fn is_abrupt(&self, dt: f64) -> bool {
        let time = self.to - self.from;
        let [dx, dy] = [self.b.x - self.a.x, self.b.y - self.a.y];
        let distance = (dx * dx + dy * dy).sqrt();
        !is_same(&self.a, &self.b) && (time < dt * (1.0 - 1e-9) || distance > JUMP_SPEED * time)
    }
}

fn is_same(a: &Pose3, b: &Pose3) -> bool {
    let apart = [a.x - b.x, a.y - b.y, a.z - b.z];
    let angles = [a.yaw - b.yaw, a.pitch - b.pitch, a.roll - b.roll].map(math::wrap_angle);
    apart.iter().chain(&angles).all(|difference| difference.abs() <= CLOSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_repeats_and_turns_the_shorter_way() {
        let start = Pose3 { x: 1.0, yaw: std::f64::consts::FRAC_PI_2, ..Pose3::default() };
        let at = |degrees: f64, x: f64| Pose3 { x, yaw: degrees.to_radians(), ..Pose3::default() };
        let animation =
            Animation { keyframes: vec![(0.0, at(170.0, 0.0)), (2.0, at(-170.0, 4.0))] };
        let middle = animated(&start, Some(&animation), 1.0);
        assert!((middle.x - 1.0).abs() < 1e-12 && (middle.y - 2.0).abs() < 1e-12);
        assert!((math::wrap_angle(middle.yaw) - (270f64 - 360.0).to_radians()).abs() < 1e-12);
        assert_eq!(animated(&start, Some(&animation), 5.0), middle);
    }
    fn at(x: f64) -> Pose3 {
        Pose3 { x, ..Pose3::default() }
    }

    fn moved(keyframes: &[(f64, f64)], time: f64) -> Motion {
        let keyframes = keyframes.iter().map(|(time, x)| (*time, at(*x))).collect();
        motion(&Pose3::default(), &Animation { keyframes }, time, 0.1)
    }

    #[test]
    fn an_animation_starts_with_the_velocity_of_its_first_stretch() {
        let start = moved(&[(0.0, 5.0), (2.0, 9.0)], 0.0);
        assert_eq!((start.pose.x, start.velocity[0], start.jumps), (5.0, 2.0, false));
    }

    #[test]
    fn an_animation_that_starts_again_elsewhere_places() {
        let open = [(0.0, 0.0), (2.0, 4.0)];
        assert!(!moved(&open, 1.95).jumps);
        let again = moved(&open, 2.05);
        assert!(again.jumps && again.velocity[0] == 2.0 && (again.pose.x - 0.1).abs() < 1e-12);
        let closed = [(0.0, 0.0), (1.0, 4.0), (2.0, 0.0)];
        assert!(!moved(&closed, 2.05).jumps);
    }

    #[test]
    fn the_initial_pose_is_held_before_a_late_first_keyframe() {
        let late = [(1.0, 5.0), (2.0, 6.0)];
        assert_eq!(moved(&late, 0.95), Motion { velocity: [0.0; 3], ..moved(&late, 0.0) });
        let first = moved(&late, 1.05);
        assert!(first.jumps && first.velocity[0] == 1.0, "{first:?}");
        // and again in the next period
        let again = moved(&late, 2.05);
        assert!(again.jumps && again.pose.x == 0.0 && again.velocity == [0.0; 3]);
        assert!(!moved(&[(1.0, 0.0), (2.0, 6.0)], 1.05).jumps);
    }

    #[test]
    fn a_stretch_that_no_step_can_follow_is_a_jump() {
        let abrupt = [(0.0, 0.0), (1.0, 1.0), (1.01, 7.0), (3.0, 7.0)];
        assert!(!moved(&abrupt, 1.0).jumps);
        let jump = moved(&abrupt, 1.1);
        assert!(jump.jumps && jump.velocity == [0.0; 3] && jump.pose.x == 7.0);
        let fast = [(0.0, 0.0), (1.0, 101.0), (2.0, 0.0)];
        assert!(moved(&fast, 0.5).jumps && moved(&fast, 0.5).velocity == [0.0; 3]);
    }
}
