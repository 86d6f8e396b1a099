use simhost_sdk::prelude::*;

/// A row of ultrasonic rangers at the front, and the speed over ground.
#[derive(Params)]
pub struct TemplateName {
    /// Number of rangers.
    #[param(default = 5, range = 2..=64)]
    rangers: usize,
    /// Angle between the outermost rangers.
    #[param(default = 90.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG)]
    spread: f64,
    /// Largest range. Objects beyond it give no echo.
    #[param(default = 4.0, above = 0.0, unit = "m", per_lane)]
    max_range: f64,
    /// Standard deviation of the noise on the ranges, m, and on the speed, m/s.
    #[param(default = 0.02, range = 0.0.., unit = "m", per_lane)]
    noise: f64,
}

/// Measurements of the vehicle.
#[derive(Clone, Copy, Ports)]
pub struct Inputs {
    /// Forward velocity.
    #[port(unit = "m/s")]
    pub vx: f64,
    /// Leftward velocity.
    #[port(unit = "m/s")]
    pub vy: f64,
}

/// Readings of one number each, which become columns of the CSV file.
#[derive(Debug, PartialEq, Ports)]
pub struct Readings {
    /// Speed over ground.
    #[port(unit = "m/s")]
    pub ground_speed: f64,
    /// Nearest echo, or `max_range` without an echo.
    #[port(unit = "m")]
    pub nearest: f64,
}

/// Readings of one number per ranger.
#[derive(Clone, Copy, RayPorts)]
pub enum PerRanger {
    /// Distance, or `max_range` without an echo.
    #[port(unit = "m")]
    Echo,
}

#[model]
impl Sensor for TemplateName {
    fn rays(&self) -> usize {
        self.rangers
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        (aim.x, aim.z, aim.max_range) = (0.5, 0.3, self.max_range);
        let spacing = self.spread / (self.rangers - 1) as f64;
        for (ranger, angle) in aim.angles.iter_mut().enumerate() {
            *angle = spacing * ranger as f64 - 0.5 * self.spread;
        }
    }

    fn read(
        &self,
        inputs: &Inputs,
        rays: &mut RayReadings<PerRanger>,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) -> Readings {
        let mut nearest = self.max_range;
        for ranger in 0..self.rangers {
            // one random number per ranger, so that a missing echo does not change the other readings
            let noise = self.noise * random.normal();
            let echo = (rays.ranges[ranger] + noise).clamp(0.0, self.max_range);
            rays.set(PerRanger::Echo, ranger, echo);
            nearest = nearest.min(echo);
        }
        let speed = (inputs.vx * inputs.vx + inputs.vy * inputs.vy).sqrt();
        Readings { ground_speed: speed + self.noise * random.normal(), nearest }
    }
}

export_plugin! { vendor: "template_vendor", sensor: { "template_name" => TemplateName } }
