//! Suspension: roll and pitch of a body on springs, and the moment that the springs transmit to the
//! wheels.
//!
//! About each axis I s̈ = h F + m g h s − K s − C ṡ, with the force F of the ground on the wheels, the
//! height h of the centre of mass, and K = Σ k r² and C = Σ c r² over the wheels at distances r from it.
//! The springs transmit K s + C ṡ to the wheels. Source: any book on vehicle dynamics, such as R. N.
//! Jazar, "Vehicle Dynamics", 3rd ed. 2017, ch. 11.
//!
//! Wheels of an axle can have springs k and dampers c of their own, and an anti-roll bar adds its stiffness to K.
//! The axles then share the moment of roll by their stiffnesses and dampings: with two axles of the track t, the
//! loads of the front wheels change by ± (K_f s + C_f ṡ)/t.
//!
//! Simplification: the axes of roll and pitch lie on the ground, and the body does not heave.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use simhost_scene::polygon;
use simhost_sdk::math;
use simhost_world::{AxleSprings, BodySprings, Chassis};

use crate::loads::{Support, WheelSpring};

/// Rates of the springs and dampers of a body, for pitch (index 0) and roll (index 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringRates {
    /// Stiffness K, N·m/rad.
    pub stiffness: [f64; 2],
    /// Damping C, N·m·s/rad.
    pub damping: [f64; 2],
    /// Moment of inertia I about an axis on the ground, kg·m².
    pub inertia: [f64; 2],
    /// Product m h of the mass of the chassis and the height of its centre of mass, kg·m.
    pub toppling: f64,
    /// Sums of the spring rates, N/m, and of the damping rates, N·s/m, of all wheels.
    pub heave: [f64; 2],
}

/// Springs of a body.
#[derive(Clone, Debug)]
pub(crate) struct Springs {
    /// Rates of springs and dampers.
    pub rates: SpringRates,
    /// Distribution of the load over the wheels by springs, and by dampers, if those of the axles differ.
    pub shares: Option<Arc<[Support; 2]>>,
}

/// Angle, rad, and rate, rad/s, of a body relative to the ground; positive in the direction in which a
/// forward or leftward force on the wheels tilts the body.
pub(crate) type Sway = [f64; 2];

impl Springs {
    /// Creates the springs of a chassis with its centre of mass at `centre` over wheels at these
    /// positions, vehicle frame, m.
    pub fn new(
        suspension: &BodySprings,
        chassis: &Chassis,
        centre: [f64; 2],
        wheels: &[[f64; 2]],
    ) -> Self {
        let arms = [0, 1].map(|axis| {
            let arm = |wheel: &[f64; 2]| (wheel[axis] - centre[axis]).powi(2);
            wheels.iter().map(arm).collect::<Vec<f64>>()
        });
        let bar: f64 = suspension.axles.iter().map(|axle| axle.anti_roll_bar).sum();
        let about = |common: f64, own: fn(&AxleSprings) -> f64| {
            let rates = of_wheels(suspension, wheels.len(), common, own);
            [0, 1].map(|axis| match suspension.axles.is_empty() {
                true => common * arms[axis].iter().sum::<f64>(),
                false => arms[axis].iter().zip(&rates).map(|(arm, rate)| arm * rate).sum(),
            })
        };
        let [pitch, roll] = about(suspension.stiffness, |axle| axle.stiffness);
        // about an axis on the ground (parallel axis theorem)
        let inertia = Self::own_inertia(Some(suspension), chassis)
            .map(|inertia| inertia + chassis.mass * chassis.centre_height().powi(2));
        let sum = |common: f64, own: fn(&AxleSprings) -> f64| {
            of_wheels(suspension, wheels.len(), common, own).iter().sum()
        };
        let rates = SpringRates {
            stiffness: [pitch, roll + bar],
            damping: about(suspension.damping, |axle| axle.damping),
            inertia,
            toppling: chassis.mass * chassis.centre_height(),
            heave: [
                sum(suspension.stiffness, |axle| axle.stiffness),
                sum(suspension.damping, |axle| axle.damping),
            ],
        };
        Self { rates, shares: shares(suspension, wheels) }
    }

    /// Returns the moment of the dampers about an axis, N·m, at a rate in rad/s.
    pub fn damping_moment(&self, axis: usize, rate: f64) -> f64 {
        self.rates.damping[axis] * rate
    }

    /// Returns whether the body falls over because the springs are too soft for its height.
    pub fn are_too_soft(&self, gravity: f64) -> bool {
        self.rates.stiffness.iter().any(|stiffness| *stiffness <= self.rates.toppling * gravity)
    }

    /// Returns the moments of inertia about the y and x axes through the centre of mass of the chassis,
    /// kg·m².
    fn own_inertia(suspension: Option<&BodySprings>, chassis: &Chassis) -> [f64; 2] {
        let hull = polygon::convex_hull(&chassis.polygon);
        let extent = |axis: usize| {
            let along = || hull.iter().map(|corner| corner[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        let height = chassis.z_max - chassis.z_min;
        let given = suspension.map(|one| [one.pitch_inertia, one.roll_inertia]).unwrap_or_default();
        [0, 1].map(|axis| {
            let extent = extent(axis);
            given[axis].unwrap_or(chassis.mass * (extent * extent + height * height) / 12.0)
        })
    }

    /// Returns the squares of the radii of gyration of a chassis about its y and x axes, m².
    pub fn gyration(suspension: Option<&BodySprings>, chassis: &Chassis) -> [f64; 2] {
        Self::own_inertia(suspension, chassis).map(|inertia| inertia / chassis.mass)
    }

    /// Advances the sway along an axis (0: x, 1: y) by a step of `dt` seconds under the moment
    /// `moment`, N·m, and returns the moment that the springs transmit, N·m. Implicit Euler is stable
    /// for any stiffness. The wheels can balance moments within `limits`, N·m; beyond, those of one side
    /// lift.
    pub fn transmit(
        &self,
        axis: usize,
        moment: f64,
        gravity: f64,
        dt: f64,
        [least, most]: [f64; 2],
        sway: &mut Sway,
    ) -> f64 {
        let [angle, rate] = *sway;
        let was = *sway;
        let (stiffness, damping) = (self.rates.stiffness[axis], self.rates.damping[axis]);
        let by_inertia = dt / self.rates.inertia[axis];
        let rest = stiffness - self.rates.toppling * gravity;
        let rate = (rate + by_inertia * (moment - rest * angle))
            / (1.0 + by_inertia * (damping + dt * rest));
        *sway = [angle + dt * rate, rate];
        let transmitted = stiffness * sway[0] + damping * rate;
        if least <= transmitted && transmitted <= most {
            return transmitted;
        }
        let held = transmitted.clamp(least, most);
        let [angle, rate] = was;
        let rate =
            rate + by_inertia * (moment + self.rates.toppling * gravity * math::sin(angle) - held);
        let angle = angle + dt * rate;
        *sway =
            if angle.abs() < FRAC_PI_2 { [angle, rate] } else { [FRAC_PI_2.copysign(angle), 0.0] };
        held
    }
}

/// Returns a rate of each wheel: that of its axle, or else `common`.
fn of_wheels(
    suspension: &BodySprings,
    count: usize,
    common: f64,
    own: impl Fn(&AxleSprings) -> f64,
) -> Vec<f64> {
    let mut rates = vec![common; count];
    for axle in &*suspension.axles {
        axle.wheels.iter().for_each(|wheel| rates[*wheel] = own(axle));
    }
    rates
}

/// Returns the distributions over wheels whose springs or dampers differ.
fn shares(suspension: &BodySprings, wheels: &[[f64; 2]]) -> Option<Arc<[Support; 2]>> {
    if suspension.axles.is_empty() {
        return None;
    }
    let stiffness = of_wheels(suspension, wheels.len(), suspension.stiffness, |one| one.stiffness);
    let damping = of_wheels(suspension, wheels.len(), suspension.damping, |one| one.damping);
    let mut bars = vec![0.0; wheels.len()];
    for axle in &*suspension.axles {
        // a roll of the body by 1 rad twists the bar, which pushes with equal and opposite forces
        let places = || axle.wheels.iter().map(|wheel| wheels[*wheel][1]);
        let middle = places().sum::<f64>() / places().len().max(1) as f64;
        let arms: f64 = places().map(|y| (y - middle).powi(2)).sum();
        for wheel in axle.wheels.iter().filter(|_| arms > 0.0) {
            bars[*wheel] += axle.anti_roll_bar * (wheels[*wheel][1] - middle) / arms;
        }
    }
    let springs = stiffness.into_iter().zip(bars);
    let springs = springs.map(|(rate, bar)| WheelSpring { rate, bar });
    let dampers = damping.into_iter().map(|rate| WheelSpring { rate, bar: 0.0 });
    Some(Arc::new([
        Support::on_springs(wheels, &springs.collect::<Vec<_>>()),
        Support::on_springs(wheels, &dampers.collect::<Vec<_>>()),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No limit to the moments that the wheels balance.
    const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    fn springs() -> Springs {
        let rates = SpringRates {
            stiffness: [6e4; 2],
            damping: [5e3; 2],
            inertia: [800.0; 2],
            toppling: 700.0,
            heave: [1e5, 8e3],
        };
        Springs { rates, shares: None }
    }

    #[test]
    fn at_rest_springs_transmit_the_moment_and_the_tilted_weight() {
        let (springs, mut sway) = (springs(), [0.0; 2]);
        let transmitted =
            (0..20_000).fold(0.0, |_, _| springs.transmit(1, 3000.0, 9.81, 1e-3, ANY, &mut sway));
        // (K − m g h) s = M
        let angle = 3000.0 / (6e4 - 700.0 * 9.81);
        assert!((sway[0] - angle).abs() < 1e-9 && sway[1].abs() < 1e-9, "{sway:?}");
        assert!((transmitted - 6e4 * angle).abs() < 1e-4);
    }

    #[test]
    fn an_undamped_body_oscillates_at_its_natural_frequency() {
        let undamped = SpringRates { damping: [0.0; 2], ..springs().rates };
        let (springs, mut sway) = (Springs { rates: undamped, shares: None }, [0.1, 0.0]);
        let dt = 1e-5;
        let steps = (0..200_000).take_while(|_| {
            springs.transmit(0, 0.0, 9.81, dt, ANY, &mut sway);
            sway[0] > 0.0
        });
        let quarter = std::f64::consts::FRAC_PI_2 / ((6e4 - 700.0 * 9.81) / 800.0f64).sqrt();
        let found = steps.count() as f64 * dt;
        assert!((found - quarter).abs() < 1e-3 * quarter, "{found} s, expected {quarter} s");
    }
}
