//! Poses of animated objects over time.

use simhost_scene::Pose3;
use simhost_sdk::math;
use simhost_world::{Animation, Pose};

/// Converts a pose of the world file.
pub(crate) fn pose3(pose: &Pose) -> Pose3 {
    let Pose { x, y, z, yaw, pitch, roll } = *pose;
    Pose3 { x, y, z, yaw, pitch, roll }
}

/// Returns the pose at `time` seconds of an object that starts at `start`. Between keyframes,
/// positions and angles are interpolated linearly, angles the shorter way round.
pub(crate) fn animated(start: &Pose, animation: Option<&Animation>, time: f64) -> Pose3 {
    let start = pose3(start);
    let Some(frames) = animation.map(|animation| animation.keyframes.as_slice()) else {
        return start;
    };
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return start };
    let time = if last.0 > 0.0 { time % last.0 } else { 0.0 };
    if time <= first.0 {
        return start.compose(pose3(&first.1));
    }
    let next = frames.iter().position(|frame| frame.0 >= time).unwrap_or(frames.len() - 1);
    let ((from, a), (to, b)) = (&frames[next.saturating_sub(1)], &frames[next]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_repeats_and_turns_the_shorter_way() {
        let start = Pose { x: 1.0, yaw: std::f64::consts::FRAC_PI_2, ..Pose::default() };
        let at = |degrees: f64, x: f64| Pose { x, yaw: degrees.to_radians(), ..Pose::default() };
        let animation =
            Animation { keyframes: vec![(0.0, at(170.0, 0.0)), (2.0, at(-170.0, 4.0))] };
        let middle = animated(&start, Some(&animation), 1.0);
        assert!((middle.x - 1.0).abs() < 1e-12 && (middle.y - 2.0).abs() < 1e-12);
        assert!((math::wrap_angle(middle.yaw) - (270f64 - 360.0).to_radians()).abs() < 1e-12);
        assert_eq!(animated(&start, Some(&animation), 5.0), middle);
    }
}
