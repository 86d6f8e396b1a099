use simhost_sdk::prelude::*;

/// Pose from the encoders of two driven wheels and a gyroscope, both sensors of the same vehicle.
///
/// The distance comes from the wheels. The yaw rate is a weighted mean: ω = w ω_gyro + (1 − w) ω_wheels,
/// ω_wheels = R (ω_right − ω_left)/b.
#[derive(Params)]
pub struct TemplateName {
    /// Rolling radius R of both wheels. A larger value makes the estimated way longer.
    #[param(default = 0.2, above = 0.0, unit = "m")]
    wheel_radius: f64,
    /// Distance b between the wheels. A larger value makes the yaw rate of the wheels smaller.
    #[param(default = 0.4, above = 0.0, unit = "m")]
    track: f64,
    /// Weight w of the gyroscope. A larger value makes slip matter less, and the bias of the gyroscope more.
    #[param(default = 0.98, range = 0.0..=1.0)]
    gyro_weight: f64,
}

/// Readings of other sensors, and the time between two samples.
#[derive(Ports)]
pub struct Inputs {
    /// Speeds of the left and the right wheel, of `encoders`.
    #[port(unit = "rad/s")]
    pub velocity: Reading,
    /// Yaw rate, of an `imu`.
    #[port(unit = "rad/s")]
    pub angular_velocity_z: Reading,
    /// Time between two samples of this sensor.
    #[port(unit = "s")]
    pub sample_period: f64,
}

/// Pose relative to the start: x ahead, y to the left.
#[derive(Debug, PartialEq, Ports)]
pub struct Pose {
    /// Position ahead.
    #[port(unit = "m")]
    pub estimated_x: f64,
    /// Position to the left.
    #[port(unit = "m")]
    pub estimated_y: f64,
    /// Yaw, positive counter-clockwise, not wrapped.
    #[port(unit = "rad")]
    pub estimated_yaw: f64,
}

/// Pose of the last sample.
#[derive(State)]
pub struct Last {
    /// Position ahead.
    #[state(unit = "m")]
    pub x: f64,
    /// Position to the left.
    #[state(unit = "m")]
    pub y: f64,
    /// Yaw, positive counter-clockwise.
    #[state(unit = "rad")]
    pub yaw: f64,
}

#[model]
impl Sensor for TemplateName {
    fn read(
        &self,
        inputs: &Inputs,
        _: &mut RayReadings,
        _: &mut Random,
        _: &Step,
        last: &mut Last,
    ) -> Pose {
        // before the first samples the vehicle is taken to rest
        if let [left, right, ..] = *inputs.velocity.values() {
            let speed = 0.5 * self.wheel_radius * (left + right);
            let of_wheels = self.wheel_radius * (right - left) / self.track;
            let of_gyro = inputs.angular_velocity_z.values().first().copied();
            let of_gyro = of_gyro.unwrap_or(of_wheels);
            let rate = self.gyro_weight * of_gyro + (1.0 - self.gyro_weight) * of_wheels;
            let turn = rate * inputs.sample_period;
            // heading in the middle of the interval, so that an arc is exact to second order
            let (sin, cos) = math::sin_cos(last.yaw + 0.5 * turn);
            let way = speed * inputs.sample_period;
            (last.x, last.y, last.yaw) = (last.x + way * cos, last.y + way * sin, last.yaw + turn);
        }
        Pose { estimated_x: last.x, estimated_y: last.y, estimated_yaw: last.yaw }
    }
}

export_plugin! { vendor: "template_vendor", sensor: { "template_name" => TemplateName } }
