//! The energy of a car changes by the powers that act on it.

use proptest::array::{uniform3, uniform4};
use proptest::prelude::*;
use simhost_cars::car::{AxleForces, Car, CarState, Rest, Spring};
use simhost_cars::equations::{Acting, Attitude, Equations, Links, Touch, TyreForce, Tyres};
use simhost_cars::plane::Plane;
use simhost_sdk::Energies;
use simhost_sdk::vectors::Vec3;
use simhost_suspension::springs::{DamperForce, SpringForce, Stop};

use crate::motion::{at_rest, symmetric};

/// Tyres with given forces.
struct Given([[f64; 3]; 4]);

impl Tyres for Given {
    fn force(&self, wheel: usize, _: &Touch, _: &Acting, _: f64) -> TyreForce {
        let [fx, fy, aligning] = self.0[wheel];
        TyreForce { fx, fy, aligning, spin_torque: 0.0 }
    }
    fn spin_rate(&self, _: usize, _: f64, _: &Acting, _: f64) -> f64 {
        0.0
    }
}

/// A car with all springs and dampers, whose axles differ.
fn car(planar: bool, curved: bool) -> Car {
    let symmetric = symmetric();
    let stop = Stop { clearance: 0.01, stiffness: 1e5, progression: 3e6 };
    let axle = AxleForces {
        spring: SpringForce::new(&[[-0.1, -3000.0], [0.0, 100.0], [0.1, 2500.0]], [stop; 2])
            .expect("a rising curve"),
        damper: DamperForce::new(&[[-1.0, -2500.0], [1.0, 900.0]]).expect("a rising curve"),
        carries_weight: false,
    };
    Car {
        x: [-1.4, -1.4, 1.1, 1.1],
        unsprung: [30.0, 30.0, 45.0, 45.0],
        roll_arm: [0.35, 0.35, 0.4, 0.4],
        bar: [5e3, 5e3, 2e4, 2e4],
        tyre_damping: [300.0; 4],
        springs: symmetric.springs.map(|spring| Spring { damping: 1500.0, ..spring }),
        curves: [curved.then(|| axle.clone()), None],
        planar,
        ..symmetric
    }
}

/// Returns the rate of change of the energy in a state, W, by differences, and the powers.
fn rates(car: &Car, state: &CarState, forces: [[f64; 3]; 4], acting: &Acting) -> (f64, Energies) {
    let rest: Rest = car.rest();
    let tyres = Given(forces);
    let equations = Equations { car, rest: &rest, tyres: &tyres };
    let energies =
        |state: &CarState| equations.energies(state, &Attitude::of(state.angles), acting);
    let (rates, _) = equations.rates(state, acting);
    let at = |time: f64| {
        let Energies { kinetic_energy, potential_energy, .. } =
            energies(&state.advanced(&rates, time));
        kinetic_energy + potential_energy
    };
    let step = 1e-6;
    ((at(step) - at(-step)) / (2.0 * step), energies(state))
}

proptest! {
    /// The sum of the powers is the rate of change of the energy, to the precision of differences in space, and to the small
    /// angles of a car that moves in the plane as one mass.
    #[test]
    fn powers_change_the_energy(
        planar: bool,
        curved: bool,
        angles in uniform3(-0.02..0.02_f64),
        velocity in uniform3(-0.5..0.5_f64),
        rate in uniform3(-0.1..0.1_f64),
        travel in uniform4(-0.03..0.03_f64),
        rise in uniform4(-0.5..0.5_f64),
        forces in uniform4([-4e3..4e3_f64, -4e3..4e3_f64, -2e3..2e3_f64]),
        links in uniform4([0.6..1.2_f64, -200.0..200.0_f64]),
        slope in [-0.1..0.1_f64, -0.1..0.1_f64],
        air in uniform3(-300.0..300.0_f64),
        yaw in -3.0..3.0_f64,
    ) {
        let car = car(planar, curved);
        let [vx, vy, vz] = velocity;
        let ground = [Plane::new(0.0, slope); 4];
        let on_slope = Attitude::on_ground(&ground, yaw);
        let [roll, pitch, _] = on_slope.angles();
        let rest = at_rest(&car);
        let state = CarState {
            angles: [roll + angles[0], pitch + angles[1], yaw],
            velocity: Vec3::new(20.0 * vx, 4.0 * vy, vz),
            rate: Vec3::from(rate),
            travel,
            rise,
            ..rest
        };
        let links = [0, 1, 2, 3].map(|wheel: usize| {
            let ([ratio, jacking], at) = (links[wheel], travel[wheel]);
            Links { spring: ratio * at, at, ratio, jacking, has_jacking: curved }
        });
        let acting = Acting {
            ground,
            links,
            air: Vec3::from(air),
            air_moment: Vec3::new(0.0, air[1], air[0]),
            ..Acting::NOTHING
        };
        let (change, found) = rates(&car, &state, forces, &acting);
        let Energies { tyre_power, damping_power, air_power, .. } = found;
        let sum = tyre_power + damping_power + air_power;
        let size = tyre_power.abs() + damping_power.abs() + air_power.abs() + 1000.0;
        let most = if planar { 2e-2 } else { 1e-5 };
        prop_assert!((change - sum).abs() < most * size, "{change} W, explained {sum} W of {found:?}");
    }

    /// The compression of tyres has the power of the motion of the wheels on ground that does not rise.
    #[test]
    fn tyres_are_compressed_by_the_motion_of_the_wheels(
        travel in uniform4(-0.01..0.01_f64), rise in uniform4(-0.5..0.5_f64), slope in -0.05..0.05_f64,
    ) {
        let car = car(false, false);
        let acting = Acting { ground: [Plane::new(0.0, [slope, 0.0]); 4], ..Acting::NOTHING };
        let velocity = Vec3::new(3.0, 0.0, 0.2);
        let state = CarState { travel, rise, velocity, ..at_rest(&car) };
        let rest = car.rest();
        let equations = Equations { car: &car, rest: &rest, tyres: &Given([[0.0; 3]; 4]) };
        let (rates, _) = equations.rates(&state, &acting);
        let energies = |time: f64| {
            let state = state.advanced(&rates, time);
            equations.energies(&state, &Attitude::of(state.angles), &acting)
        };
        let change = (energies(1e-6).tyre_energy - energies(-1e-6).tyre_energy) / 2e-6;
        let power = energies(0.0).compression_power;
        prop_assert!((change - power).abs() < 1e-4 * (power.abs() + 100.0), "{change} W and {power} W");
    }
}
