//! Wheels of any inertia, with any damping and step, lose energy and come to rest.

#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use simhost_friction::rolling::Brake;
use simhost_friction::{default::Coulomb, ellipse::Ellipse, ward_iagnemma::WardIagnemma};
use simhost_sdk::{Friction, Step, Wheel, testing};

/// A wheel that carries a mass on level ground.
#[derive(Clone, Copy, Debug)]
struct Drive {
    wheel: Wheel,
    brake: Brake,
    dt: f64,
}

impl Drive {
    /// Makes a step as the host does: spin, brake, then the velocity of the mass.
    fn step<M: Friction<State = (), Inputs = Brake>>(&mut self, model: &M) {
        let step = Step::new(0.0, self.dt);
        let force = model.force(&self.wheel.with(self.brake), &step, &mut ());
        let wheel = &mut self.wheel;
        wheel.spin += self.dt * (wheel.torque + force.spin_torque) / wheel.inertia;
        let most = self.dt * self.brake.brake_limit / wheel.inertia;
        wheel.spin -= wheel.spin.clamp(-most, most);
        wheel.vx += self.dt * force.fx / wheel.mass();
        wheel.vy += self.dt * force.fy / wheel.mass();
    }

    fn energy(&self) -> f64 {
        let Wheel { vx, vy, spin, inertia, .. } = self.wheel;
        0.5 * (self.wheel.mass() * (vx * vx + vy * vy) + inertia * spin * spin)
    }
}

fn log(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

fn drives() -> impl Strategy<Value = Drive> {
    let wheel =
        (log(0.05, 1e4), log(0.01, 0.7), log(1e-7, 10.0), -30.0..30.0, -3.0..3.0, -1e3..1e3);
    let ground = (prop_oneof![Just(-1.0), 0.0..1.2], prop_oneof![Just(0.0), 0.0..0.5]);
    (wheel, ground, log(5e-4, 0.02), prop_oneof![Just(0.0), log(1e-3, 1e3)]).prop_map(
        |((mass, radius, inertia, vx, vy, spin), (mu, c_rr), dt, brake_limit)| Drive {
            wheel: Wheel {
                vx,
                vy,
                spin,
                radius,
                inertia,
                normal_force: 9.81 * mass,
                mu_override: mu,
                c_rr_override: c_rr,
                ..testing::wheel()
            },
            brake: Brake { brake_limit, slope_fx: 0.0 },
            dt,
        },
    )
}

/// Regression: with damping and resistances of the start of the step, the spin of a wheel of 23 g
/// grew by a factor of 2.2 per step, up to 5.6e208 rad/s.
fn rolls_out<M: Friction<State = (), Inputs = Brake>>(
    name: &str,
    given: &[(&str, f64)],
    drive: Drive,
) -> Result<(), TestCaseError> {
    let model: M = testing::friction(given);
    let mut drive = drive;
    let fastest = drive.wheel.spin.abs().max(drive.wheel.vx.abs() / drive.wheel.radius);
    let first = drive.energy();
    for number in 0..400 {
        let before = drive.energy();
        drive.step(&model);
        let (spin, energy) = (drive.wheel.spin, drive.energy());
        prop_assert!(spin.abs() <= fastest * (1.0 + 1e-9), "{name}: {spin} rad/s in {number}");
        let gained = energy - before;
        prop_assert!(gained <= 1e-9 * first, "{name}: gains {gained} J of {first} in {number}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_wheel_gains_energy(drive in drives(), c_damping in prop_oneof![Just(0.01), log(1e-3, 10.0)]) {
        let given = [("C_damping", c_damping)];
        rolls_out::<Coulomb>("default", &given, drive)?;
        rolls_out::<WardIagnemma>("wardiagnemma", &given, drive)?;
        let slippery = [given[0], ("A_roll", 5e3), ("R2", 2.0)];
        rolls_out::<WardIagnemma>("wardiagnemma, rough ground", &slippery, drive)?;
        rolls_out::<Ellipse>("ellipse", &given, drive)?;
    }

    /// A brake that grips stops wheel and mass within the step, and holds them on a slope.
    #[test]
    fn a_strong_brake_stops_within_a_step(drive in drives(), slope_fx in -1.0..1.0_f64) {
        let mut drive = drive;
        let mass = drive.wheel.mass();
        drive.wheel.mu_override = 1e9;
        let pull = slope_fx * mass;
        drive.brake = Brake { brake_limit: 1e12, slope_fx: pull };
        drive.step(&testing::friction::<Coulomb>(&[]));
        let speed = drive.wheel.vx + drive.dt * pull / mass;
        prop_assert!(drive.wheel.spin == 0.0, "{drive:?}");
        prop_assert!(speed.abs() < 1e-6, "{speed}: {drive:?}");
    }
}
