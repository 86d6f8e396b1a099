use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

/// Drives each vehicle to the other side of a centre, around the others: of some velocities, it takes the one
/// that deviates least from the direct way and collides latest, given that the others avoid it as well (reciprocal velocity
/// obstacles, van den Berg et al. 2008).
#[derive(Params)]
pub struct Crossing {
    /// Distance that two vehicles keep between their reference points.
    #[param(default = 1.0, above = 0.0, unit = "m")]
    clearance: f64,
    /// Largest speed.
    #[param(default = 1.0, above = 0.0, unit = "m/s")]
    speed: f64,
    /// Largest yaw rate.
    #[param(default = 1.5, above = 0.0, unit = "rad/s")]
    max_turn: f64,
    /// Weight of a collision, times the time to it. A larger value makes the ways around longer.
    #[param(default = 4.0, range = 0.0..=1e3, unit = "m")]
    caution: f64,
}

/// Goal of a vehicle, and the velocity that it has been given.
#[derive(Clone, Copy, State)]
pub struct Plan {
    /// Whether the goal is known, 1 or 0.
    #[state(discrete)]
    begun: f64,
    /// Goal along x, world frame.
    #[state(unit = "m")]
    goal_x: f64,
    /// Goal along y, world frame.
    #[state(unit = "m")]
    goal_y: f64,
    /// Velocity along x, world frame.
    #[state(unit = "m/s")]
    vx: f64,
    /// Velocity along y, world frame.
    #[state(unit = "m/s")]
    vy: f64,
}

/// Twist, and distance to the goal.
#[derive(Ports)]
pub struct Commands {
    /// Forward velocity.
    #[port(unit = "m/s")]
    vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Distance to the goal.
    #[port(unit = "m", publish)]
    distance: f64,
}

/// Directions and speeds that are tried.
const DIRECTIONS: usize = 36;
const SPEEDS: usize = 4;

#[model]
impl Fleet for Crossing {
    const COMMANDS: CommandKinds = &[command!("twist": "vx", "", "omega")];

    fn command(&self, robots: &mut Group<PlanarPose, Commands, Plan>) {
        let poses: Vec<PlanarPose> = (0..robots.len()).map(|k| *robots.inputs(k)).collect();
        let count = poses.len() as f64;
        let sum = |of: fn(&PlanarPose) -> f64| poses.iter().map(of).sum::<f64>() / count;
        let centre = [sum(|pose| pose.x), sum(|pose| pose.y)];
        let mut plans: Vec<Plan> = (0..robots.len()).map(|k| robots.state(k)).collect();
        for (plan, pose) in plans.iter_mut().zip(&poses).filter(|(plan, _)| plan.begun == 0.0) {
            let [goal_x, goal_y] = [2.0 * centre[0] - pose.x, 2.0 * centre[1] - pose.y];
            *plan = Plan { begun: 1.0, goal_x, goal_y, vx: 0.0, vy: 0.0 };
        }
        for k in 0..robots.len() {
            let (own, plan) = (poses[k], plans[k]);
            let way = [plan.goal_x - own.x, plan.goal_y - own.y];
            let distance = (way[0] * way[0] + way[1] * way[1]).sqrt();
            let [vx, vy] = self.velocity(k, way, &poses, &plans);
            let speed = (vx * vx + vy * vy).sqrt();
            let turn = math::wrap_angle(math::atan2(vy, vx) - own.yaw);
            let (_, ahead) = math::sin_cos(turn);
            let omega = if speed < 0.02 { 0.0 } else { math::limit(3.0 * turn, self.max_turn) };
            let commands = Commands { vx: speed * ahead.max(0.0), omega, distance };
            robots.set(k, &commands, &Plan { vx, vy, ..plan });
        }
    }
}

impl Crossing {
    /// Returns the velocity of a vehicle, given the way to its goal and the last velocities of all.
    fn velocity(&self, own: usize, way: [f64; 2], poses: &[PlanarPose], plans: &[Plan]) -> [f64; 2] {
        let distance = (way[0] * way[0] + way[1] * way[1]).sqrt();
        if distance < 0.05 {
            return [0.0; 2];
        }
        // the last metre is driven slowly
        let wanted = way.map(|part| part / distance * self.speed.min(distance));
        let heading = math::atan2(wanted[1], wanted[0]);
        let tries = (0..DIRECTIONS).flat_map(|direction| {
            // those to the right of the way come first, so that two that meet do not hesitate
            let angle = heading - core::f64::consts::TAU * direction as f64 / DIRECTIONS as f64;
            let (sin, cos) = math::sin_cos(angle);
            (0..=SPEEDS).map(move |step| {
                let speed = self.speed * step as f64 / SPEEDS as f64;
                [speed * cos, speed * sin]
            })
        });
        let cost = |velocity: [f64; 2]| {
            let off = [velocity[0] - wanted[0], velocity[1] - wanted[1]];
            let soonest = (0..poses.len()).filter(|k| *k != own).fold(f64::INFINITY, |soonest, k| {
                soonest.min(self.time_to_collision(own, k, velocity, poses, plans))
            });
            (off[0] * off[0] + off[1] * off[1]).sqrt() + self.caution / soonest
        };
        let mut best = (cost(wanted), wanted);
        for velocity in tries {
            let cost = cost(velocity);
            if cost < best.0 {
                best = (cost, velocity);
            }
        }
        best.1
    }

    /// Returns the time until two vehicles are too close, if one takes a velocity and the other does half of the
    /// avoiding; infinite for never.
    fn time_to_collision(
        &self,
        own: usize,
        other: usize,
        velocity: [f64; 2],
        poses: &[PlanarPose],
        plans: &[Plan],
    ) -> f64 {
        let away = [poses[other].x - poses[own].x, poses[other].y - poses[own].y];
        let closing = [
            2.0 * velocity[0] - plans[own].vx - plans[other].vx,
            2.0 * velocity[1] - plans[own].vy - plans[other].vy,
        ];
        let along = away[0] * closing[0] + away[1] * closing[1];
        let square = closing[0] * closing[0] + closing[1] * closing[1];
        let gap = away[0] * away[0] + away[1] * away[1] - self.clearance * self.clearance;
        let root = along * along - square * gap;
        if along <= 0.0 || root < 0.0 {
            return f64::INFINITY;
        }
        // those that are too close already move apart
        ((along - root.sqrt()) / square).max(0.01)
    }
}

export_plugin! { vendor: "example", fleet: { "crossing" => Crossing } }
