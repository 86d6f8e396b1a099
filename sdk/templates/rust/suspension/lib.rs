use simhost_sdk::prelude::*;

/// Trailing arms: a wheel moves on a circle about a bearing in front of it, so that braking lifts the
/// wheel and keeps the rear of the vehicle down.
#[derive(Params)]
pub struct TemplateName {
    /// Length of the arm, ahead of the wheel. A larger value gives less anti-lift.
    #[param(default = 0.5, above = 0.0, unit = "m")]
    arm: f64,
    /// Height of the bearing above the wheel centre at rest. A larger value gives more anti-lift.
    #[param(default = 0.0, unit = "m")]
    height: f64,
    /// Compression of the spring per travel of the wheel. A larger value makes the axle stiffer.
    #[param(default = 0.8, above = 0.0, unit = "1")]
    motion_ratio: f64,
}

impl TemplateName {
    /// Returns the position of a wheel that has travelled, and its rates.
    fn corner(&self, corner: &CornerMotion, wheel_radius: f64) -> CornerKinematics {
        // the wheel centre is (x, z) from the bearing, on a circle
        let radius = (self.arm * self.arm + self.height * self.height).sqrt();
        let z = (corner.travel - self.height).clamp(-0.99 * radius, 0.99 * radius);
        let x = -(radius * radius - z * z).sqrt();
        let forward = -z / x;
        let rates = TravelRates {
            // the carrier turns by 1/x per travel
            contact_x: forward + wheel_radius / x,
            centre_x: forward,
            ..TravelRates::default()
        };
        CornerKinematics {
            longitudinal: x + self.arm,
            spring: self.motion_ratio * corner.travel,
            motion_ratio: self.motion_ratio,
            jacking: corner.jacking(&rates, wheel_radius),
            ..CornerKinematics::default()
        }
    }
}

#[model]
impl Suspension for TemplateName {
    fn kinematics(&self, axle: &AxleMotion, _: &Step, _: &mut ()) -> AxleKinematics {
        let corners = axle.corners().map(|corner| self.corner(&corner, axle.wheel_radius));
        // wheels that move straight up and down have their roll centre on the ground
        AxleKinematics::new(corners, [0.0; 2])
    }
}

export_plugin! { vendor: "template_vendor", suspension: { "template_name" => TemplateName } }
