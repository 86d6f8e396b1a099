//! Properties of every friction class: energy, friction circle, symmetry, continuity at standstill, finite outputs.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simhost_friction::{default::Coulomb, ellipse::Ellipse, ward_iagnemma::WardIagnemma};
use simhost_sdk::{Force, Friction, Step, Wheel, testing};
use simhost_tyres::burckhardt::Burckhardt;
use simhost_tyres::fiala::Fiala;
use simhost_tyres::lugre::LuGre;
use simhost_tyres::magic_formula::MagicFormula;
use simhost_tyres::tmeasy::TMeasy;
use simhost_tyres::{Brake, SteadyTyre, steady};

use crate::near_zero::within;

type Push = dyn Fn(&Wheel, Brake, &Step) -> Force;

/// A friction class at the start of a run.
struct Class {
    name: String,
    force: Box<Push>,
    /// Maximum ratio of the resultant to the load, for a load.
    limit: Box<dyn Fn(f64) -> f64>,
    /// Friction coefficient on a ground that sets none.
    mu: f64,
}

fn plain<M: Friction<Inputs: Default>>(name: &str, mu: f64) -> Class {
    let model: M = testing::friction(&[]);
    let force = move |wheel: &Wheel, _: Brake, step: &Step| {
        let wheel = wheel.with(M::Inputs::default());
        model.force(&wheel, step, &mut testing::initial::<M::State>())
    };
    Class { name: name.into(), force: Box::new(force), limit: Box::new(move |_| mu), mu }
}

fn tyre<M: Friction<State = steady::Lag, Inputs = Brake> + SteadyTyre>(
    name: &str,
    relaxation: f64,
) -> Class {
    tyre_with::<M>(name, &[("relaxation_length", relaxation)])
}

fn tyre_with<M: Friction<State = steady::Lag, Inputs = Brake> + SteadyTyre>(
    name: &str,
    given: &[(&str, f64)],
) -> Class {
    let (model, other): (M, M) = (testing::friction(given), testing::friction(given));
    let mu = model.mu();
    Class {
        name: format!("{name}, {given:?}"),
        force: Box::new(move |wheel, brake, step| {
            Friction::force(&model, &wheel.with(brake), step, &mut steady::Lag::default())
        }),
        limit: Box::new(move |load| {
            // in the Magic Formula, both directions can be at their peaks
            let beyond = if other.can_exceed_peak() { 2f64.sqrt() } else { 1.0 };
            beyond * other.peak(load, 1.0) / load.max(1e-300)
        }),
        mu,
    }
}

impl Class {
    fn push(&self, wheel: &Wheel, step: &Step) -> Force {
        (self.force)(wheel, Brake::default(), step)
    }
}

fn tyres() -> Vec<Class> {
    let mut classes = vec![plain::<LuGre>("lugre", 1.2)];
    for relaxation in [0.0, 0.3] {
        classes.push(tyre::<Fiala>("fiala", relaxation));
        classes.push(tyre::<TMeasy>("tmeasy", relaxation));
        classes.push(tyre::<MagicFormula>("magic_formula", relaxation));
        classes.push(tyre::<Burckhardt>("burckhardt", relaxation));
    }
    let carcass = [("cx", 185e3), ("cy", 164e3), ("dx", 700.0), ("dy", 600.0)];
    classes.push(tyre_with::<TMeasy>("tmeasy", &carcass[..2]));
    classes.push(tyre_with::<TMeasy>("tmeasy", &carcass));
    classes
}

/// Friction classes without a slip curve.
fn others() -> Vec<Class> {
    vec![
        plain::<Coulomb>("default", 0.8),
        plain::<WardIagnemma>("wardiagnemma", 0.8),
        plain::<Ellipse>("ellipse", 0.85),
    ]
}

fn every() -> Vec<Class> {
    tyres().into_iter().chain(others()).collect()
}

prop_compose! {
    /// A wheel of at most nine tenths of the mass of a hoop as heavy as its load.
    ///
    /// With I = mR² an impulse class makes body and wheel exchange their speeds and loses no energy,
    /// so that the resistance of the ground, which has the sign of the earlier speed, adds some.
    fn wheels()(
        vx in within(30.0), vy in within(10.0), rolling in within(30.0), rolls in any::<bool>(),
        load in 20.0..9000.0_f64, radius in 0.1..0.6_f64, part in 0.01..0.9_f64,
    ) -> Wheel {
        let slips = if rolls { 0.02 * rolling } else { rolling - vx };
        let inertia = part * load / 9.81 * radius * radius;
        Wheel {
            vx, vy, spin: (vx + slips) / radius, normal_force: load, radius, inertia, ..testing::wheel()
        }
    }
}

fn steps() -> impl Strategy<Value = Step> {
    (0.001..0.01_f64).prop_map(|dt| Step::new(0.0, dt))
}

/// Velocity and spin after one step of the host.
fn after(wheel: &Wheel, force: &Force, dt: f64) -> Wheel {
    let mass = wheel.normal_force / wheel.gravity;
    Wheel {
        vx: wheel.vx + dt / mass * force.fx,
        vy: wheel.vy + dt / mass * (force.fy + wheel.slope_fy),
        spin: wheel.spin + dt / wheel.inertia * (wheel.torque + force.spin_torque),
        ..*wheel
    }
}

fn energy(wheel: &Wheel) -> f64 {
    let mass = wheel.normal_force / wheel.gravity;
    0.5 * mass * (wheel.vx * wheel.vx + wheel.vy * wheel.vy)
        + 0.5 * wheel.inertia * wheel.spin * wheel.spin
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_step_makes_energy(wheel in wheels(), step in steps()) {
        for class in every() {
            let force = class.push(&wheel, &step);
            let (before, then) = (energy(&wheel), energy(&after(&wheel, &force, step.dt)));
            prop_assert!(then <= before * (1.0 + 1e-12), "{}: {before} J, then {then} J", class.name);
        }
    }

    /// The host applies the brake after the force, up to its limit.
    #[test]
    fn a_brake_takes_energy_and_does_not_turn_the_wheel_back(
        wheel in wheels(), step in steps(), most in 0.0..1e6_f64,
    ) {
        for class in tyres() {
            let force = (class.force)(&wheel, Brake { brake_limit: most, slope_fx: 0.0, camber: 0.0 }, &step);
            let mut then = after(&wheel, &force, step.dt);
            let by = step.dt * most / wheel.inertia;
            then.spin -= then.spin.clamp(-by, by);
            let (before, now) = (energy(&wheel), energy(&then));
            prop_assert!(now <= before * (1.0 + 1e-12), "{}: {before} J, then {now} J", class.name);
            // within one step, a wheel that slides can turn with the ground
            let back = then.spin * wheel.spin < 0.0 && then.spin * then.vx < 0.0;
            prop_assert!(!back, "{}: {} rad/s, then {} rad/s", class.name, wheel.spin, then.spin);
        }
    }

    /// A wheel that its brake locks slides alike, whatever the torque.
    #[test]
    fn a_locked_wheel_does_not_know_the_torque_of_its_brake(
        v in within(30.0), vy in within(10.0), load in 20.0..9000.0_f64, step in steps(),
    ) {
        let wheel = Wheel { vx: v, vy, spin: 0.0, normal_force: load, radius: 0.3, inertia: 0.01 * load / 9.81, ..testing::wheel() };
        let most = 3.0 * load * wheel.radius;
        for class in tyres() {
            let brake = |part: f64| Brake { brake_limit: part * most, slope_fx: 0.0, camber: 0.0 };
            let [once, more] = [1.0, 1e4].map(|part| (class.force)(&wheel, brake(part), &step));
            prop_assert_eq!(once, more, "{}", class.name);
        }
    }

    /// The rolling resistance of the wheel is not part of the contact.
    #[test]
    fn the_contact_takes_power(wheel in wheels(), step in steps()) {
        for class in tyres() {
            let Force { fx, fy, spin_torque } = class.push(&wheel, &step);
            let power = fx * wheel.vx + fy * wheel.vy + spin_torque * wheel.spin;
            prop_assert!(power <= 1e-9 * wheel.normal_force, "{}: {power} W", class.name);
        }
    }

    #[test]
    fn the_resultant_stays_in_the_circle(
        wheel in wheels(), step in steps(), torque in within(5e3), slope in within(1e3),
        ground in prop_oneof![Just(-1.0), 0.0..1.5_f64],
    ) {
        let wheel =
            Wheel { torque, slope_fy: slope, mu_override: ground, ..wheel };
        for class in every() {
            let Force { fx, fy, .. } = class.push(&wheel, &step);
            // the limits of `ellipse` are its own parameters
            let own = ground < 0.0 || class.name == "ellipse";
            let grip = if own { 1.0 } else { ground / class.mu };
            let most = grip * (class.limit)(wheel.normal_force) * wheel.normal_force;
            let size = (fx * fx + fy * fy).sqrt();
            prop_assert!(size <= most * (1.0 + 1e-12) + 1e-9, "{}: {size} N of {most} N", class.name);
        }
    }

    #[test]
    fn a_mirrored_wheel_is_pushed_mirrored(
        wheel in wheels(), step in steps(), torque in within(1e3), slope in within(1e3),
        steer in within(1.0),
    ) {
        let wheel = Wheel { torque, slope_fy: slope, steer, ..wheel };
        let mirrored = Wheel { vy: -wheel.vy, slope_fy: -slope, steer: -steer, ..wheel };
        for class in tyres() {
            let (one, other) = (class.push(&wheel, &step), class.push(&mirrored, &step));
            prop_assert_eq!(one, Force { fy: -other.fy, ..other }, "{}", class.name);
        }
        // these classes round angles of half a turn
        for class in others() {
            let (one, other) = (class.push(&wheel, &step), class.push(&mirrored, &step));
            let apart = (one.fx - other.fx).abs().max((one.fy + other.fy).abs());
            prop_assert!(apart < 1e-9 * wheel.normal_force, "{}: {apart} N", class.name);
        }
    }

    /// Backwards, all quantities along the wheel change their sign.
    #[test]
    fn a_tyre_has_no_front(wheel in wheels(), step in steps(), torque in within(1e3)) {
        let wheel = Wheel { torque, ..wheel };
        let back = Wheel { vx: -wheel.vx, spin: -wheel.spin, torque: -torque, ..wheel };
        for class in tyres() {
            let (one, other) = (class.push(&wheel, &step), class.push(&back, &step));
            let turned = Force { fx: -other.fx, spin_torque: -other.spin_torque, ..other };
            prop_assert_eq!(one, turned, "{}", class.name);
        }
    }

    #[test]
    fn the_force_goes_through_standstill_without_a_jump(
        wheel in wheels(), step in steps(), axis in 0..3_usize, torque in within(50.0),
    ) {
        // the other speeds determine the direction of the slip
        let fast = |speed: f64| if speed.abs() > 1e-2 { speed } else { 0.0 };
        let spin = fast(wheel.spin * wheel.radius) / wheel.radius;
        let wheel = Wheel { vx: fast(wheel.vx), vy: fast(wheel.vy), spin, ..wheel };
        let wheel = Wheel { torque, ..wheel };
        for class in tyres() {
            let at = |v: f64| {
                let wheel = match axis {
                    0 => Wheel { vx: v, ..wheel },
                    1 => Wheel { vy: v, ..wheel },
                    // rolling with little slip, as in a vehicle that stops
                    _ => Wheel { vx: v, vy: 0.1 * v, spin: 1.02 * v / wheel.radius, ..wheel },
                };
                class.push(&wheel, &step)
            };
            // force that removes the difference of the speeds, plus the change of direction of a sliding tyre
            let mass = wheel.normal_force / wheel.gravity;
            let near = 1e-7;
            let most = 1e-3 * wheel.normal_force + 10.0 * near * mass / step.dt;
            let (below, above) = (at(-near), at(near));
            let jump = (below.fx - above.fx).hypot(below.fy - above.fy);
            prop_assert!(jump <= most, "{}: {jump} N of {} N", class.name, wheel.normal_force);
        }
    }

    /// Changes the speed through zero in small steps.
    #[test]
    fn no_class_jumps_on_its_way_through_standstill(
        load in 50.0..9000.0_f64, part in 0.01..0.3_f64, slip in -0.2..0.2_f64, drift in -0.3..0.3_f64,
        step in steps(),
    ) {
        const SPEEDS: f64 = 2e-4;
        let (radius, mass) = (0.3, load / 9.81);
        let at = |v: f64| Wheel {
            vx: v, vy: drift * v, spin: (1.0 + slip) * v / radius, normal_force: load, radius,
            inertia: part * mass * radius * radius, ..testing::wheel()
        };
        for class in every() {
            let forces = (-500..=500).map(|n| class.push(&at(f64::from(n) * SPEEDS), &step));
            let forces: Vec<Force> = forces.collect();
            let jump = |pair: &[Force]| (pair[1].fx - pair[0].fx).hypot(pair[1].fy - pair[0].fy);
            let jump = forces.windows(2).map(jump).fold(0.0, f64::max);
            // force that stops the mass, at least a tenth of the load
            let most = (2.0 * SPEEDS * mass / step.dt).max(0.1 * load);
            prop_assert!(jump <= most, "{}: {jump} N of {load} N", class.name);
        }
    }

    #[test]
    fn forces_are_finite(
        v in proptest::array::uniform2(within(1e4)), spin in within(1e5), torque in within(1e7),
        load in prop_oneof![Just(0.0), Just(-10.0), 0.0..1e7_f64], gravity in prop_oneof![Just(0.0), 0.0..30.0_f64],
        radius in 0.01..3.0_f64, inertia in 1e-6..1e4_f64, dt in 1e-6..0.1_f64,
        slope in within(1e6), mu in prop_oneof![Just(0.0), -1.0..5.0_f64],
    ) {
        let wheel = Wheel {
            vx: v[0], vy: v[1], spin, torque, normal_force: load, gravity, radius, inertia,
            slope_fy: slope, mu_override: mu, ..testing::wheel()
        };
        for class in every() {
            let Force { fx, fy, spin_torque } = class.push(&wheel, &Step::new(0.0, dt));
            let finite = fx.is_finite() && fy.is_finite() && spin_torque.is_finite();
            prop_assert!(finite, "{}: {fx} {fy} {spin_torque}", class.name);
        }
    }
}
