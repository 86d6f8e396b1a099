use simhost_sdk::prelude::*;

/// A rover with six wheels, three per side, and one torque per side.
#[derive(Params)]
pub struct TemplateName {
    /// Largest torque of a wheel. A larger value makes the rover accelerate harder.
    #[param(default = 20.0, above = 0.0, unit = "N·m")]
    max_wheel_torque: f64,
}

/// Actuators. The controllers `twist_pid` and `raw` drive ports of these names.
#[derive(Ports)]
pub struct Sides {
    /// Torque on each left wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_left: f64,
    /// Torque on each right wheel, positive forwards.
    #[port(unit = "N·m")]
    pub torque_right: f64,
}

/// Measurements of the rover.
#[derive(Ports)]
pub struct Measured {
    /// Forward velocity estimated from the wheels.
    #[port(unit = "m/s")]
    pub odometry_vx: f64,
    /// Leftward velocity estimated from the wheels, always 0.
    #[port(unit = "m/s")]
    pub odometry_vy: f64,
    /// Yaw rate estimated from the wheels.
    #[port(unit = "rad/s")]
    pub odometry_omega: f64,
    /// Distance between the middle wheels.
    #[port(unit = "m")]
    pub track: f64,
    /// Rolling radius.
    #[port(unit = "m")]
    pub wheel_radius: f64,
}

/// Indices of the left wheels in [`Dynamics::WHEELS`].
const LEFT: [usize; 3] = [0, 2, 4];
const RIGHT: [usize; 3] = [1, 3, 5];

#[model]
impl Dynamics for TemplateName {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("front_left", 0.5, 0.4),
        WheelPlace::at("front_right", 0.5, -0.4),
        WheelPlace::at("middle_left", 0.0, 0.4),
        WheelPlace::at("middle_right", 0.0, -0.4),
        WheelPlace::at("rear_left", -0.5, 0.4),
        WheelPlace::at("rear_right", -0.5, -0.4),
    ];
    const CHASSIS: Chassis = Chassis {
        mass: 40.0,
        z_min: 0.1,
        z_max: 0.5,
        polygon: &[-0.6, -0.3, 0.6, -0.3, 0.6, 0.3, -0.6, 0.3],
    };

    fn drive(&self, sides: &Sides, wheels: &mut Wheels, _: &Step, _: &mut ()) {
        for (side, torque) in [(LEFT, sides.torque_left), (RIGHT, sides.torque_right)] {
            let torque = math::limit(torque, self.max_wheel_torque);
            for wheel in side {
                wheels.set_torque(wheel, torque);
            }
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let mean =
            |side: [usize; 3]| side.map(|w| wheels.rolling_speed(w)).iter().sum::<f64>() / 3.0;
        let track = wheels.y(LEFT[1]) - wheels.y(RIGHT[1]);
        Measured {
            odometry_vx: 0.5 * (mean(LEFT) + mean(RIGHT)),
            odometry_vy: 0.0,
            odometry_omega: (mean(RIGHT) - mean(LEFT)) / track,
            track,
            wheel_radius: wheels.radius(LEFT[1]),
        }
    }
}

export_plugin! { vendor: "template_vendor", dynamics: { "template_name" => TemplateName } }
