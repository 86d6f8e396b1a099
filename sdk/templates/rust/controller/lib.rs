use simhost_sdk::prelude::*;

/// Drives to a point and stops there. The speed follows the distance, the yaw rate the bearing.
#[derive(Params)]
pub struct TemplateName {
    /// Speed per metre of distance. A larger value makes the vehicle brake later.
    #[param(default = 0.8, above = 0.0, unit = "1/s", per_lane)]
    speed_gain: f64,
    /// Yaw rate per radian of bearing. A larger value makes the vehicle turn more sharply.
    #[param(default = 2.0, above = 0.0, unit = "1/s", per_lane)]
    turn_gain: f64,
    /// Largest speed.
    #[param(default = 1.5, above = 0.0, unit = "m/s", per_lane)]
    max_speed: f64,
    /// Largest yaw rate.
    #[param(default = 1.0, above = 0.0, unit = "rad/s", per_lane)]
    max_turn: f64,
}

/// The commanded point and the pose of the vehicle.
#[derive(Clone, Copy, Ports)]
pub struct Inputs {
    /// Goal position, world frame.
    #[port(unit = "m", command, key = "goal_x")]
    pub goal_x: f64,
    /// Goal position, world frame.
    #[port(unit = "m", command, key = "goal_y")]
    pub goal_y: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    pub y: f64,
    /// Heading, counter-clockwise from the world x axis.
    #[port(unit = "rad")]
    pub yaw: f64,
}

/// Imposed velocity, which fits every dynamics class.
#[derive(Debug, Ports)]
pub struct Twist {
    /// Forward velocity.
    #[port(unit = "m/s")]
    pub twist_vx: f64,
    /// Leftward velocity.
    #[port(unit = "m/s")]
    pub twist_vy: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    pub twist_omega: f64,
}

#[model]
impl Controller for TemplateName {
    // in a command file: time, vehicle, template_name_goal, x, y
    const COMMANDS: CommandKinds = &[command!("template_name_goal": "goal_x", "goal_y")];

    fn control(&self, inputs: &Inputs, _: &Step, _: &mut ()) -> Twist {
        let (east, north) = (inputs.goal_x - inputs.x, inputs.goal_y - inputs.y);
        let (sin, cos) = math::sin_cos(inputs.yaw);
        let (ahead, left) = (cos * east + sin * north, cos * north - sin * east);
        // the bearing is undefined at the goal
        let near = ahead * ahead + left * left < 1e-6;
        let bearing = if near { 0.0 } else { math::atan2(left, ahead) };
        Twist {
            twist_vx: math::limit(self.speed_gain * ahead.max(0.0), self.max_speed),
            twist_vy: 0.0,
            twist_omega: math::limit(self.turn_gain * bearing, self.max_turn),
        }
    }
}

export_plugin! { vendor: "template_vendor", controller: { "template_name" => TemplateName } }
