use simhost_sdk::prelude::*;

/// Coulomb friction whose coefficient depends on the temperature of the tread. The heat capacity is
/// lumped: `C dT/dt = P - h (T - Ta)`, with the sliding power P and Newton's law of cooling.
#[derive(Params)]
pub struct HeatingTyre {
    /// Friction coefficient at the best temperature. A larger value gives the tyre more grip.
    #[param(default = 1.0, range = 0.0..=2.0)]
    mu: f64,
    /// Temperature of most grip. A larger value lets the tyre need more sliding to warm up.
    #[param(default = 360.0, above = 0.0, unit = "K")]
    best: f64,
    /// Distance from it at which half of the grip is left. A larger value makes the tyre tolerant.
    #[param(default = 80.0, above = 0.0, unit = "K")]
    width: f64,
    /// Heat capacity of the tread. A larger value lets the tyre heat up slowly.
    #[param(default = 4000.0, above = 0.0, unit = "J/K")]
    capacity: f64,
    /// Heat flow into air and ground per kelvin. A larger value cools the tyre down faster.
    #[param(default = 40.0, range = 0.0..=1000.0, unit = "W/K")]
    cooling: f64,
    /// Temperature of the air, at which the tyre starts.
    #[param(default = 293.15, above = 0.0, unit = "K")]
    ambient: f64,
}

/// State of a tyre.
#[derive(State)]
pub struct Tread {
    /// Temperature of the tread.
    #[state(unit = "K", initial_from = "ambient")]
    temperature: f64,
}

/// Quantities to be recorded.
#[derive(Ports)]
pub struct Heat {
    /// Friction coefficient at the present temperature.
    #[port(unit = "1")]
    grip: f64,
    /// Power of the sliding contact patch, which heats the tread.
    #[port(unit = "W")]
    sliding_power: f64,
}

impl HeatingTyre {
    fn grip(&self, temperature: f64) -> f64 {
        let distance = (temperature - self.best) / self.width;
        self.mu / (1.0 + distance * distance)
    }

    fn sliding_power(&self, wheel: &Wheel, force: &Force) -> f64 {
        let [x, y] = wheel.sliding();
        -(force.fx * x + force.fy * y)
    }
}

#[model]
impl Friction for HeatingTyre {
    type Published = Heat;

    fn force(&self, wheel: &Wheel, step: &Step, tread: &mut Tread) -> Force {
        let force = wheel.oppose_sliding(wheel.mu(self.grip(tread.temperature)), step);
        let lost = self.cooling * (tread.temperature - self.ambient);
        let power = self.sliding_power(wheel, &force) - lost;
        tread.temperature += step.dt * power / self.capacity;
        force
    }

    fn publish(&self, wheel: &Wheel, force: &Force, _: &Step, tread: &Tread) -> Heat {
        let grip = self.grip(tread.temperature);
        Heat { grip, sliding_power: self.sliding_power(wheel, force) }
    }
}

export_plugin! { vendor: "example", friction: { "heating_tyre" => HeatingTyre } }
