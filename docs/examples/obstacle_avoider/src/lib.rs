use simhost_sdk::ports::{ImposedTwist, PlanarPose};
use simhost_sdk::prelude::*;

/// Drives to a goal and keeps away from what is near: each neighbour pushes the vehicle away and to its
/// own right-hand side, so that vehicles that meet head-on pass each other like cars in a roundabout.
#[derive(Params)]
pub struct Avoider {
    /// Goal, world frame. Another value sends the vehicle elsewhere.
    #[param(required, unit = "m")]
    goal_x: f64,
    /// Goal, world frame. Another value sends the vehicle elsewhere.
    #[param(required, unit = "m")]
    goal_y: f64,
    /// Largest speed. A larger value makes the vehicle arrive earlier.
    #[param(default = 1.0, above = 0.0, unit = "m/s")]
    speed: f64,
    /// Gap between the outlines at which the push is as strong as the wish to drive on. A larger value
    /// makes the vehicle keep away.
    #[param(default = 0.5, above = 0.0, unit = "m")]
    gap: f64,
}

#[model]
impl Controller for Avoider {
    const PERCEIVES: bool = true;

    fn control(&self, at: &PlanarPose, step: &Step, _: &mut ()) -> ImposedTwist {
        let (dx, dy) = (self.goal_x - at.x, self.goal_y - at.y);
        let pull = self.speed / (dx * dx + dy * dy).sqrt().max(1.0);
        let (mut wish_x, mut wish_y) = (pull * dx, pull * dy);
        let query = NeighbourQuery::new([at.x, at.y], 5.0).of(entity::ALL);
        for other in step.neighbours(&query, &mut [Neighbour::NONE; 16]).nearest {
            let (x, y) = (other.position[0] - at.x, other.position[1] - at.y);
            let gap = other.distance - 2.0 * other.radius;
            let push = self.speed * math::exp((self.gap - gap) / 0.5) / other.distance;
            wish_x -= push * (x - 0.8 * y);
            wish_y -= push * (y + 0.8 * x);
        }
        let wish = (wish_x * wish_x + wish_y * wish_y).sqrt();
        let error = math::wrap_angle(math::atan2(wish_y, wish_x) - at.yaw);
        let turn = if wish > 0.05 { (3.0 * error).clamp(-2.0, 2.0) } else { 0.0 };
        let (_, ahead) = math::sin_cos(error);
        ImposedTwist {
            twist_vx: wish.min(self.speed) * ahead.max(0.0),
            twist_vy: 0.0,
            twist_omega: turn,
        }
    }
}

export_plugin! { vendor: "example", controller: { "avoider" => Avoider } }
