//! What moves by a plan: animations, and actors on their paths.

mod state;

use simhost_scene::{MassProperties, Pose3};
use simhost_sdk::math;
use simhost_world::{Actor, Animation, Gait, Pose, World};

use crate::physics::{Body, BodySpec, BodyState, Physics, Surface};

/// Corners of an actor's outline.
const ACTOR_CORNERS: usize = 32;

/// A pose of the world file as geometry has it.
pub(crate) fn pose3(pose: &Pose) -> Pose3 {
    let Pose { x, y, z, yaw, pitch, roll } = *pose;
    Pose3 { x, y, z, yaw, pitch, roll }
}

/// Where an object that starts at `start` is at a time, s: between keyframes positions and angles
/// change evenly, angles the shorter way round.
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

/// Everything that a plan moves.
pub(crate) struct Plans {
    animated: Vec<Animated>,
    pub walkers: Vec<Walker>,
}

struct Animated {
    body: Body,
    start: Pose,
    animation: std::sync::Arc<Animation>,
}

/// An actor on its way.
pub(crate) struct Walker {
    pub actor: Actor,
    pub body: Body,
    /// Corners of its body, m.
    pub outline: Vec<[f64; 2]>,
    pose: Pose3,
    /// Where the present leg began, and how much of it is done, 0 to 1.
    from: Pose3,
    progress: f64,
    /// Number of the waypoint it goes to.
    next: usize,
    /// Rest of the wait, s.
    pause: f64,
}

impl Plans {
    /// No plans yet.
    pub fn new() -> Self {
        Self { animated: Vec::new(), walkers: Vec::new() }
    }

    /// Adds a body that plays an animation.
    pub fn add_animated(&mut self, body: Body, start: Pose, animation: std::sync::Arc<Animation>) {
        self.animated.push(Animated { body, start, animation });
    }

    /// Adds the actors of a world.
    pub fn add_actors(&mut self, world: &World, physics: &mut Physics) {
        for actor in &world.actors {
            let pose = pose3(&actor.pose);
            let outline = circle(actor.collision_radius);
            let spec = BodySpec {
                name: format!("actor '{}'", actor.name),
                mass: MassProperties::polygon(75.0, &outline),
                outline: &outline,
                span: [0.0, actor.collision_height],
                surface: Surface { friction: 0.5, restitution: 0.0 },
            };
            let Some(body) = physics.add_driven(spec, &flat_state(&pose), pose.z) else { continue };
            self.walkers.push(Walker {
                actor: actor.clone(),
                body,
                outline,
                pose,
                from: pose,
                progress: 0.0,
                next: 0,
                pause: 0.0,
            });
        }
    }

    /// Whether nothing follows a plan.
    pub fn is_empty(&self) -> bool {
        self.animated.is_empty() && self.walkers.is_empty()
    }

    /// Tells bodies where to be at the end of a step that ends at `time`, s.
    pub fn advance(&mut self, time: f64, dt: f64, physics: &mut Physics) {
        for one in &self.animated {
            let pose = animated(&one.start, Some(&one.animation), time);
            move_to(one.body, &pose, physics);
        }
        for walker in &mut self.walkers {
            if let Some(animation) = &walker.actor.animation {
                walker.pose = animated(&walker.actor.pose, Some(animation), time);
            } else {
                walker.walk(dt);
            }
            move_to(walker.body, &walker.pose, physics);
        }
    }
}

impl Walker {
    /// Straight on to the next waypoint at the speed of its gait; waits there as long as it says.
    fn walk(&mut self, dt: f64) {
        if self.pause > 0.0 {
            self.pause -= dt;
            return;
        }
        let Some(goal) = self.actor.path.get(self.next).copied() else { return };
        let speed = match goal.gait {
            Gait::Idle => return,
            Gait::Walk => self.actor.walking_speed,
            Gait::Run => self.actor.running_speed,
        };
        let to = pose3(&goal.pose);
        let (dx, dy, dz) = (to.x - self.from.x, to.y - self.from.y, to.z - self.from.z);
        let length = (dx * dx + dy * dy + dz * dz).sqrt();
        self.progress = if length > 1e-9 { self.progress + speed * dt / length } else { 1.0 };
        let part = self.progress.min(1.0);
        self.pose = Pose3 {
            x: self.from.x + part * dx,
            y: self.from.y + part * dy,
            z: self.from.z + part * dz,
            yaw: self.heading(&to, length, part),
            ..to
        };
        if self.progress >= 1.0 {
            self.arrive(to, goal.pause);
        }
    }

    /// Along the way, turned to it over its first tenth and to the waypoint over its last fifth.
    fn heading(&self, to: &Pose3, length: f64, part: f64) -> f64 {
        if length <= 0.1 {
            return to.yaw;
        }
        let along = math::atan2(to.y - self.from.y, to.x - self.from.x);
        let turn = |from: f64, to: f64, part: f64| from + part * math::wrap_angle(to - from);
        if part < 0.1 {
            turn(self.from.yaw, along, part / 0.1)
        } else if part > 0.8 {
            turn(along, to.yaw, (part - 0.8) / 0.2)
        } else {
            along
        }
    }

    fn arrive(&mut self, at: Pose3, pause: f64) {
        (self.from, self.progress, self.pause) = (at, 0.0, pause);
        self.next += 1;
        if self.actor.repeats && self.next == self.actor.path.len() {
            self.next = 0;
        }
    }
}

fn move_to(body: Body, pose: &Pose3, physics: &mut Physics) {
    let (sin, cos) = math::sin_cos(pose.yaw);
    physics.drive_to(body, [pose.x, pose.y], [cos, sin]);
    physics.set_height(body, pose.z);
}

/// A body at rest at a pose.
pub(crate) fn flat_state(pose: &Pose3) -> BodyState {
    let (sin, cos) = math::sin_cos(pose.yaw);
    BodyState { position: [pose.x, pose.y], heading: [cos, sin], ..BodyState::default() }
}

fn circle(radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let (sin, cos) = math::sin_cos(std::f64::consts::TAU * k as f64 / ACTOR_CORNERS as f64);
        [radius * cos, radius * sin]
    };
    (0..ACTOR_CORNERS).map(corner).collect()
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
