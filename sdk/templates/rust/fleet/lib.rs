use simhost_sdk::prelude::*;

/// Gathers vehicles: each drives towards the centre of the fleet and stops at a distance from it.
#[derive(Params)]
pub struct TemplateName {
    /// Distance from the centre at which a vehicle stops. A larger value makes the fleet wider.
    #[param(default = 2.0, range = 0.0..=1e6, unit = "m")]
    spacing: f64,
    /// Speed per metre of distance. A larger value makes the vehicles brake later.
    #[param(default = 0.8, above = 0.0, unit = "1/s")]
    speed_gain: f64,
    /// Yaw rate per radian of bearing. A larger value makes the vehicles turn more sharply.
    #[param(default = 2.0, above = 0.0, unit = "1/s")]
    turn_gain: f64,
    /// Largest speed.
    #[param(default = 1.5, above = 0.0, unit = "m/s")]
    max_speed: f64,
    /// Largest yaw rate.
    #[param(default = 1.0, above = 0.0, unit = "rad/s")]
    max_turn: f64,
}

/// The pose of a vehicle.
#[derive(Ports)]
pub struct Inputs {
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    y: f64,
    /// Heading, counter-clockwise from the world x axis.
    #[port(unit = "rad")]
    yaw: f64,
    /// 0 after a model of the vehicle has faulted.
    #[port(unit = "1", default = 1.0)]
    enabled: f64,
}

/// The commanded twist of a vehicle, and its distance from the centre.
#[derive(Ports)]
pub struct Outputs {
    /// Forward velocity.
    #[port(unit = "m/s")]
    vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Distance from the centre of the fleet.
    #[port(unit = "m", publish)]
    distance: f64,
}

#[model]
impl Fleet for TemplateName {
    // every drive with a controller of twists can be in the fleet; vy, the second value, is skipped
    const COMMANDS: CommandKinds = &[command!("twist": "vx", "", "omega")];

    fn command(&self, vehicles: &mut Group<Inputs, Outputs, ()>) {
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for lane in 0..vehicles.len() {
            let Inputs { x, y, enabled, .. } = *vehicles.inputs(lane);
            sum = [sum[0] + enabled * x, sum[1] + enabled * y];
            count += enabled;
        }
        let centre = sum.map(|sum| if count > 0.0 { sum / count } else { 0.0 });
        for lane in 0..vehicles.len() {
            let Inputs { x, y, yaw, .. } = *vehicles.inputs(lane);
            let (east, north) = (centre[0] - x, centre[1] - y);
            let (sin, cos) = math::sin_cos(yaw);
            let (ahead, left) = (cos * east + sin * north, cos * north - sin * east);
            let distance = (ahead * ahead + left * left).sqrt();
            let far = distance > self.spacing;
            let speed = self.speed_gain * (distance - self.spacing);
            // a vehicle slows down while the centre is beside or behind it
            let facing = if far { (ahead / distance).max(0.2) } else { 0.0 };
            let bearing = if far { math::atan2(left, ahead) } else { 0.0 };
            let commands = Outputs {
                vx: math::limit(facing * speed, self.max_speed),
                omega: math::limit(self.turn_gain * bearing, self.max_turn),
                distance,
            };
            vehicles.set(lane, &commands, &());
        }
    }
}

export_plugin! { vendor: "template_vendor", fleet: { "template_name" => TemplateName } }
