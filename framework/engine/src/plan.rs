//! Motion by plan: animations, and actors on their paths.

use std::sync::Arc;

use simhost_scene::{MassProperties, Pose3};
use simhost_sdk::math;
use simhost_world::{Actor, Animation, Gait, World};

use crate::animation::{Motion, motion};
use crate::live_state::live_state;
use crate::physics::{Body, BodySpec, BodyState, Physics, Surface};

/// Corners of an actor's outline.
const ACTOR_CORNERS: usize = 32;

/// Everything that moves by plan.
#[derive(Clone, Default)]
pub(crate) struct Plans {
    animated: Vec<Animated>,
    /// Actors in the order of the world file.
    pub walkers: Vec<Walker>,
}

#[derive(Clone)]
struct Animated {
    body: Body,
    start: Pose3,
    animation: Arc<Animation>,
}

/// An actor on its path.
#[derive(Clone)]
pub(crate) struct Walker {
    /// Description of the actor.
    pub actor: Arc<Actor>,
    /// Body of the actor.
    pub body: Body,
    /// Outline in the body frame, m.
    pub outline: Arc<[[f64; 2]]>,
    pose: Pose3,
    /// Pose at the start of the present leg.
    from: Pose3,
    /// Completed part of the present leg, 0 to 1.
    progress: f64,
    /// Index of the next waypoint.
    next: usize,
    /// Remaining waiting time, s.
    pause: f64,
}

live_state! { Plans { state { walkers } world { animated } } }

live_state! { Walker { state { pose, from, progress, next, pause } world { actor, body, outline } } }

impl Plans {
    /// Adds a body that plays an animation.
    pub fn add_animated(&mut self, body: Body, start: Pose3, animation: Arc<Animation>) {
        self.animated.push(Animated { body, start, animation });
    }

    /// Adds the actors of a world.
    pub fn add_actors(&mut self, world: &World, physics: &mut Physics) {
        for actor in &world.actors {
            let (pose, state) = start_of(&actor.pose, actor.animation.as_deref());
            let outline = circle(actor.collision_radius);
            let spec = BodySpec {
                name: format!("actor '{}'", actor.name),
                mass: MassProperties::polygon(75.0, &outline),
                outline: &outline,
                span: [0.0, actor.collision_height],
                surface: Surface { friction: 0.5, restitution: 0.0 },
            };
            let Some(body) = physics.add_kinematic(spec, &state, pose.z) else { continue };
            physics.bodies.set_round(body);
            self.walkers.push(Walker {
                actor: Arc::new(actor.clone()),
                body,
                outline: outline.into(),
                pose,
                from: pose,
                progress: 0.0,
                next: 0,
                pause: 0.0,
            });
        }
    }

    /// Continues the actors of other plans that have the same names.
    pub fn take_over(&mut self, old: &Self) {
        for walker in &mut self.walkers {
            let named = |old: &&Walker| old.actor.name == walker.actor.name;
            if let Some(Walker { pose, from, progress, next, pause, .. }) =
                old.walkers.iter().find(named)
            {
                (walker.pose, walker.from) = (*pose, *from);
                (walker.progress, walker.next, walker.pause) = (*progress, *next, *pause);
            }
        }
    }

    /// Returns whether nothing moves by plan.
    pub fn is_empty(&self) -> bool {
        self.animated.is_empty() && self.walkers.is_empty()
    }

    /// Sets the poses that bodies reach at the end of a step of `dt` seconds that ends at `time`, s.
    pub fn advance(&mut self, time: f64, dt: f64, physics: &mut Physics) {
        for one in &self.animated {
            follow(one.body, &motion(&one.start, &one.animation, time, dt), physics);
        }
        for walker in &mut self.walkers {
            if let Some(animation) = &walker.actor.animation {
                let motion = motion(&walker.actor.pose, animation, time, dt);
                walker.pose = motion.pose;
                follow(walker.body, &motion, physics);
            } else {
                walker.walk(dt);
                move_to(walker.body, &walker.pose, physics);
            }
        }
    }
}

impl Walker {
    /// Walks straight to the next waypoint at the speed of its gait and waits there for its pause.
    fn walk(&mut self, dt: f64) {
        if self.pause > 0.0 {
            self.pause -= dt;
            return;
        }
        let Some(goal) = self.actor.path.waypoints.get(self.next).copied() else { return };
        let speed = match goal.gait {
            Gait::Idle => return,
            Gait::Walk => self.actor.walking_speed,
            Gait::Run => self.actor.running_speed,
        };
        let to = goal.pose;
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

    /// Returns the yaw along the leg: turning to the leg over its first tenth, and to the waypoint
    /// over its last fifth.
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
        if self.actor.path.repeats && self.next == self.actor.path.waypoints.len() {
            self.next = 0;
        }
    }
}

/// Moves a body as its animation does, or places it.
fn follow(body: Body, motion: &Motion, physics: &mut Physics) {
    if motion.jumps {
        physics.place_kinematic(body, moving_state(motion));
        physics.bodies.set_height(body, motion.pose.z);
    } else {
        move_to(body, &motion.pose, physics);
    }
}

fn move_to(body: Body, pose: &Pose3, physics: &mut Physics) {
    let (sin, cos) = math::sin_cos(pose.yaw);
    physics.move_kinematic(body, [pose.x, pose.y], [cos, sin]);
    physics.bodies.set_height(body, pose.z);
}

/// Returns pose and state at the start of an object that plays an animation or none.
pub(crate) fn start_of(pose: &Pose3, animation: Option<&Animation>) -> (Pose3, BodyState) {
    match animation {
        None => (*pose, state_at(pose)),
        Some(animation) => {
            let motion = motion(pose, animation, 0.0, 0.0);
            (motion.pose, moving_state(&motion))
        }
    }
}

fn moving_state(motion: &Motion) -> BodyState {
    let [vx, vy, omega] = motion.velocity;
    BodyState { velocity: [vx, vy], omega, ..state_at(&motion.pose) }
}

/// Returns the state of a body at rest at a pose.
pub(crate) fn state_at(pose: &Pose3) -> BodyState {
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
