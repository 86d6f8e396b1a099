//! DC motor with a gearbox, on a supply whose voltage limits the current.
//!
//! V = R i + k N ω and T = k N i, with the spin ω of the wheel, the gear ratio N and the torque T on the wheel.
//! Source: G. F. Franklin, J. D. Powell and A. Emami-Naeini, *Feedback Control of Dynamic Systems*, 8th ed. 2019,
//! section 2.3, without the inductance. The motor follows the commanded torque with the current
//! i = T/(k N) where the voltage can drive it. The power at the terminals is (R i + k N ω) i.
//!
//! Simplification: the gearbox has no losses and no inertia. Limit: the published power belongs to the torque of the
//! port at the mean spin of the wheels, and a class that gives the torque to each of two wheels takes twice as much.

use simhost_sdk::prelude::*;

/// The wheels that a motor turns.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Turned {
    #[param(key = "all")]
    All,
    #[param(key = "left")]
    Left,
    #[param(key = "right")]
    Right,
    #[param(key = "front_left")]
    FrontLeft,
    #[param(key = "front_right")]
    FrontRight,
    #[param(key = "rear_left")]
    RearLeft,
    #[param(key = "rear_right")]
    RearRight,
}

impl Turned {
    /// Returns whether the motor turns a wheel at this position, m, from the middle of all wheels along x.
    #[inline(always)]
    fn has(self, ahead: f64, left: f64) -> bool {
        match self {
            Self::All => true,
            Self::Left => left > 0.0,
            Self::Right => left < 0.0,
            Self::FrontLeft => ahead > 0.0 && left > 0.0,
            Self::FrontRight => ahead > 0.0 && left < 0.0,
            Self::RearLeft => ahead < 0.0 && left > 0.0,
            Self::RearRight => ahead < 0.0 && left < 0.0,
        }
    }
}

/// DC motor whose current, and so whose torque, is limited by the voltage of its supply, which is a battery if
/// the vehicle has a sensor that measures its voltage.
#[derive(Params)]
pub struct DcMotor {
    /// Wheels that the motor turns, by their places on the vehicle and without casters. The motor turns with
    /// their mean spin.
    #[param(default = "all")]
    wheels: Turned,
    /// Torque per current of the motor, k. A larger value gives more torque at a lower speed.
    #[param(default = 0.05, above = 0.0, unit = "N·m/A", scaling = Scaling::INVARIANT)]
    torque_constant: f64,
    /// Resistance of the winding, R. A larger value wastes more power.
    #[param(default = 0.2, above = 0.0, unit = "Ω", scaling = Scaling::new(-3.0, 0.0))]
    resistance: f64,
    /// Revolutions of the motor per revolution of the wheel, N. A larger value gives more torque at a lower speed.
    #[param(default = 20.0, above = 0.0, scaling = Scaling::FINAL_DRIVE)]
    gear_ratio: f64,
    /// Largest current; 0 for no limit. A smaller value makes the vehicle accelerate less.
    #[param(default = 0.0, range = 0.0.., unit = "A", scaling = Scaling::POWER)]
    max_current: f64,
    /// Voltage of the supply until a battery has been sampled, or without one.
    #[param(default = 24.0, range = 0.0.., unit = "V", scaling = Scaling::INVARIANT)]
    supply_voltage: f64,
}

/// Value of the voltage without a sample.
const NO_SAMPLE: f64 = -1.0;

/// Speed of the wheels, and the supply.
#[derive(Ports)]
pub struct Driven {
    /// Wheel spin, positive when rolling forwards.
    #[port(unit = "rad/s")]
    pub spin: PerWheel,
    /// Wheel position ahead of the reference point.
    #[port(unit = "m")]
    pub wheel_x: PerWheel,
    /// Wheel position left of the reference point.
    #[port(unit = "m")]
    pub wheel_y: PerWheel,
    /// 1 for a wheel that the class steers, 2 for a caster, 0 for a fixed wheel.
    #[port(unit = "1")]
    pub steers: PerWheel,
    /// Voltage of the supply, negative for an unknown one.
    #[port(unit = "V", optional, default = NO_SAMPLE)]
    pub voltage: f64,
}

/// Outputs that a battery and other sensors can read.
#[derive(Ports)]
pub struct Drawn {
    /// Electric power, positive out of the supply.
    #[port(unit = "W")]
    pub power: f64,
    /// Current of the motor, positive where it drives forwards.
    #[port(unit = "A")]
    pub motor_current: f64,
}

impl DcMotor {
    /// Returns the voltage that the motor induces, V.
    #[inline(always)]
    fn induced(&self, driven: &Driven) -> f64 {
        let middle = driven.wheel_x.iter().sum::<f64>() / driven.wheel_x.count().max(1) as f64;
        let (mut sum, mut count) = (0.0, 0.0);
        for wheel in 0..driven.spin.count() {
            let (x, y) = (driven.wheel_x.get(wheel), driven.wheel_y.get(wheel));
            if driven.steers.get(wheel) < 1.5 && self.wheels.has(x - middle, y) {
                sum += driven.spin.get(wheel);
                count += 1.0;
            }
        }
        self.torque_constant * self.gear_ratio * sum / f64::max(count, 1.0)
    }

    /// Returns the torque on the wheel per current, N·m/A.
    #[inline(always)]
    fn torque_per_current(&self) -> f64 {
        self.torque_constant * self.gear_ratio
    }
}

#[model]
impl Actuator for DcMotor {
    const UNIT: &'static str = "N·m";
    type Published = Drawn;

    fn actuate(&self, command: f64, driven: &Driven, _: &Step, _: &mut ()) -> f64 {
        let measured = driven.voltage;
        let voltage = if measured < 0.0 { self.supply_voltage } else { measured };
        let most = if self.max_current > 0.0 { self.max_current } else { f64::INFINITY };
        let induced = self.induced(driven);
        // a current that the voltage cannot drive is 0, so that the supply never brakes the wheel by itself
        let upper = ((voltage - induced) / self.resistance).clamp(0.0, most);
        let lower = ((-voltage - induced) / self.resistance).clamp(-most, 0.0);
        let current = (command / self.torque_per_current()).max(lower).min(upper);
        self.torque_per_current() * current
    }

    fn publish(&self, driven: &Driven, torque: f64, _: &Step, _: &()) -> Drawn {
        let current = torque / self.torque_per_current();
        let power = (self.resistance * current + self.induced(driven)) * current;
        Drawn { power, motor_current: current }
    }
}

#[cfg(test)]
mod tests {
    use simhost_sdk::testing;

    use super::*;

    /// A motor with k N = 1 N·m/A and R = 0.5 Ω on the right wheel.
    fn motor() -> DcMotor {
        let given = [("wheels", "right"), ("resistance", "0.5"), ("max_current", "30")];
        testing::written_actuator(&given)
    }

    /// A vehicle with a left and a right wheel, and a caster in front.
    fn driven(spins: &'static [f64; 3], voltage: f64) -> Driven {
        Driven {
            spin: PerWheel::of(spins),
            wheel_x: PerWheel::of(&[0.0, 0.0, 0.5]),
            wheel_y: PerWheel::of(&[0.5, -0.5, -0.1]),
            steers: PerWheel::of(&[0.0, 0.0, 2.0]),
            voltage,
        }
    }

    #[test]
    fn a_motor_has_the_mean_spin_of_its_wheels() {
        let spins = PerWheel::of(&[1.0, 2.0, 4.0, 8.0]);
        let car = Driven {
            spin: spins,
            wheel_x: PerWheel::of(&[0.0, 0.0, 2.0, 2.0]),
            wheel_y: PerWheel::of(&[0.5, -0.5, 0.5, -0.5]),
            steers: PerWheel::of(&[0.0, 0.0, 1.0, 1.0]),
            voltage: 12.0,
        };
        for (wheels, spin) in [
            ("all", 3.75),
            ("left", 2.5),
            ("right", 5.0),
            ("front_left", 4.0),
            ("front_right", 8.0),
            ("rear_left", 1.0),
            ("rear_right", 2.0),
        ] {
            let motor: DcMotor = testing::written_actuator(&[("wheels", wheels)]);
            assert_eq!(motor.induced(&car), spin, "{wheels}");
        }
    }

    #[test]
    fn the_voltage_limits_the_torque() {
        let torque =
            |command, driven: &Driven| motor().actuate(command, driven, &testing::step(), &mut ());
        let slow = driven(&[99.0, 4.0, 70.0], 12.0);
        assert_eq!(torque(5.0, &slow), 5.0);
        assert_eq!(torque(50.0, &slow), 16.0, "(12 − 4)/0.5");
        assert_eq!(torque(-50.0, &slow), -30.0, "the limit of the current is below (12 + 4)/0.5");
        assert_eq!(torque(50.0, &driven(&[0.0, 4.0, 0.0], NO_SAMPLE)), 30.0);
        let fast = driven(&[0.0, 20.0, 0.0], 12.0);
        assert_eq!(torque(5.0, &fast), 0.0);
        assert_eq!(
            torque(5.0, &driven(&[0.0, 4.0, 0.0], 0.0)),
            0.0,
            "an empty supply does not brake"
        );
    }

    #[test]
    fn the_power_is_that_of_the_shaft_and_of_the_winding() {
        let slow = driven(&[0.0, 4.0, 0.0], 12.0);
        let drawn = motor().publish(&slow, 6.0, &testing::step(), &());
        assert_eq!((drawn.power, drawn.motor_current), (6.0 * 4.0 + 0.5 * 36.0, 6.0));
        let braked = motor().publish(&slow, -6.0, &testing::step(), &());
        assert_eq!(braked.power, -6.0 * 4.0 + 0.5 * 36.0);
    }
}
