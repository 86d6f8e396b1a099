//! A model of each kind with published outputs, or ports with one value per wheel.

use simhost_sdk::prelude::*;

/// Coulomb friction with a temperature.
#[derive(Params)]
pub struct Warm {
    /// Friction coefficient.
    #[param(default = 0.8)]
    pub mu: f64,
}

/// Temperature of a tyre.
#[derive(State)]
pub struct Heat {
    /// Temperature above the air temperature.
    #[state(unit = "K")]
    pub heat: f64,
}

/// Quantities that drive nothing.
#[derive(Ports)]
pub struct Glow {
    /// Temperature of the tyre.
    #[port(unit = "K")]
    pub temperature: f64,
    /// Power that the tyre turns into heat.
    #[port(unit = "W")]
    pub loss: f64,
}

#[model]
impl Friction for Warm {
    type Published = Glow;

    fn force(&self, wheel: &Wheel, step: &Step, state: &mut Heat) -> Force {
        state.heat += 1.0;
        wheel.oppose_sliding(self.mu, step)
    }

    fn simplifies(&self, wheel: &Wheel) -> bool {
        wheel.vy == 0.0
    }

    fn simplified_force(&self, wheel: &Wheel, step: &Step, state: &mut Heat) -> Force {
        state.heat += 1.0;
        wheel.oppose_sliding(self.mu, step)
    }

    fn publish(&self, wheel: &Wheel, force: &Force, _: &Step, state: &Heat) -> Glow {
        Glow { temperature: 290.0 + state.heat, loss: -force.fy * wheel.vy }
    }
}

/// Wheel speeds and a command.
#[derive(Ports)]
pub struct Speeds {
    /// Commanded speed.
    #[port(unit = "m/s", command)]
    pub speed: f64,
    /// Wheel spin.
    #[port(unit = "rad/s", required)]
    pub spin: PerWheel,
}

/// The torques, and the slowest wheel.
#[derive(Ports)]
pub struct Torque {
    /// Torque.
    #[port(unit = "N·m")]
    pub torque: f64,
    /// Spin of the slowest wheel.
    #[port(unit = "rad/s", publish)]
    pub slowest: f64,
}

/// Limits the torque by the wheel that spins fastest.
#[derive(Params)]
pub struct Traction {
    /// Torque for an error of 1 m/s.
    #[param(default = 1.0, unit = "N·s")]
    pub gain: f64,
}

#[model]
impl Controller for Traction {
    const COMMANDS: CommandKinds = &[];

    fn control(&self, inputs: &Speeds, _: &Step, _: &mut ()) -> Torque {
        let fastest = inputs.spin.iter().fold(0.0, f64::max);
        let slowest = inputs.spin.iter().fold(f64::INFINITY, f64::min);
        Torque { torque: self.gain * (inputs.speed - fastest), slowest }
    }
}

/// Two wheels whose rolling speeds are measured.
#[derive(Params)]
pub struct Pair {}

/// Nothing drives it.
#[derive(Ports)]
pub struct Nothing {}

/// Measurements of the vehicle and of each wheel.
#[derive(Ports)]
pub struct Measured {
    /// Mean rolling speed.
    #[port(unit = "m/s")]
    pub mean: f64,
    /// Rolling speed of each wheel.
    #[port(unit = "m/s")]
    pub rolling: [f64; 2],
}

#[model]
impl Dynamics for Pair {
    const WHEELS: &'static [WheelPlace] =
        &[WheelPlace::at("l_wheel", 0.0, 0.5), WheelPlace::at("r_wheel", 0.0, -0.5)];
    const CHASSIS: Chassis =
        Chassis::new(1.0, [0.1, 0.2], &[-0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1, 0.1]);

    fn drive(&self, _: &Nothing, _: &mut Wheels, _: &Step, _: &mut ()) {}

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let rolling = [0, 1].map(|wheel| wheels.rolling_speed(wheel));
        Measured { mean: 0.5 * (rolling[0] + rolling[1]), rolling }
    }
}

/// Counts the wheels that stand.
#[derive(Params)]
pub struct Standing {}

/// Number of wheels.
#[derive(Ports)]
pub struct Count {
    /// Number of wheels that stand.
    #[port(unit = "1")]
    pub standing: f64,
}

/// Wheel speeds.
#[derive(Ports)]
pub struct Spins {
    /// Wheel spin.
    #[port(unit = "rad/s")]
    pub spin: PerWheel,
}

#[model]
impl Sensor for Standing {
    fn read(
        &self,
        inputs: &Spins,
        _: &mut RayReadings,
        _: &mut Random,
        _: &Step,
        _: &mut (),
    ) -> Count {
        Count { standing: inputs.spin.iter().filter(|spin| *spin == 0.0).count() as f64 }
    }
}
