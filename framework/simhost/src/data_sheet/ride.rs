//! Ride: frequencies, damping ratios and roll gradient of a body on springs.
//!
//! Each motion is a linear oscillator I s̈ + C ṡ + K s = 0 with ω = √(K/I) and ζ = C/(2 √(K I)). For pitch
//! and roll, K is the stiffness of the springs less m g h, because the body turns about an axis on the ground
//! and its weight topples it: R. N. Jazar, "Vehicle Dynamics", 3rd ed. 2017, chapter 11, without roll centres.
//! For heave, K is the sum of the spring rates and I the mass of the body: T. D. Gillespie, "Fundamentals of
//! Vehicle Dynamics", 1992, chapter 5, with rigid tyres.
//!
//! Limit: the simulated body rolls and pitches but does not heave, so the heave values are design values.

use std::f64::consts::TAU;

use simhost_engine::SpringRates;

use super::{Rows, SheetInput, SheetRow};

/// A motion of the body as an oscillator.
type Motion<'m> = &'m dyn Fn(&SpringRates) -> Oscillator;

/// An oscillator: inertia, damping and stiffness.
#[derive(Clone, Copy, Debug)]
struct Oscillator {
    inertia: f64,
    damping: f64,
    stiffness: f64,
}

impl Oscillator {
    /// Returns the undamped natural frequency, Hz.
    fn frequency(self) -> f64 {
        (self.stiffness / self.inertia).sqrt() / TAU
    }

    /// Returns the damping relative to critical damping.
    fn damping_ratio(self) -> f64 {
        0.5 * self.damping / (self.stiffness * self.inertia).sqrt()
    }
}

impl SheetInput<'_> {
    /// Returns the springs, or the reason why there are none.
    pub(super) fn springs(&self) -> Result<SpringRates, String> {
        let found = self.simulation.bodies().nth(self.number).and_then(|one| one.springs);
        found.ok_or_else(|| "the body has no springs: the vehicle has no <suspension>".to_owned())
    }

    /// Returns the moment on the wheels per lateral acceleration, N·m/(m/s²): Σ m h, and the weight of the body that the roll
    /// displaces.
    pub(super) fn roll_moment(&self) -> f64 {
        let lean = self.springs().map_or(0.0, |springs| roll_gradient(self, &springs));
        let weight = self.springs().map_or(0.0, |springs| springs.toppling * self.gravity);
        self.moment() + weight * lean
    }
}

/// Returns the roll per lateral acceleration, rad/(m/s²): Σ m h/(K − m g h).
fn roll_gradient(input: &SheetInput<'_>, springs: &SpringRates) -> f64 {
    input.moment() / (springs.stiffness[1] - springs.toppling * input.gravity)
}

/// Returns the oscillator of the body about an axis: 0 for pitch, 1 for roll.
fn about(springs: &SpringRates, gravity: f64, axis: usize) -> Oscillator {
    Oscillator {
        inertia: springs.inertia[axis],
        damping: springs.damping[axis],
        stiffness: springs.stiffness[axis] - springs.toppling * gravity,
    }
}

pub(super) fn rows(input: &SheetInput<'_>) -> Vec<SheetRow> {
    let mut rows = Rows("Ride", Vec::new());
    let springs = input.springs();
    let mass = input.vehicle.chassis.mass;
    let heave = |springs: &SpringRates| {
        let [stiffness, damping] = springs.heave;
        Oscillator { inertia: mass, damping, stiffness }
    };
    let sway = |axis: usize| move |springs: &SpringRates| about(springs, input.gravity, axis);
    let [pitch, roll] = [0, 1].map(sway);
    let motions: [(&str, Motion<'_>); 3] = [("heave", &heave), ("pitch", &pitch), ("roll", &roll)];
    for (name, motion) in motions {
        let motion = springs.as_ref().map(motion).map_err(Clone::clone);
        rows.add(format!("{name} frequency"), "Hz", motion.clone().map(Oscillator::frequency));
        rows.add(format!("{name} damping ratio"), "1", motion.map(Oscillator::damping_ratio));
    }
    let per_degree = |springs: &SpringRates| springs.stiffness[1].to_radians();
    rows.add("roll stiffness", "N·m/°", springs.as_ref().map(per_degree).map_err(Clone::clone));
    let gradient = springs.map(|springs| roll_gradient(input, &springs).to_degrees());
    rows.add("roll gradient", "°/(m/s²)", gradient);
    rows.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,400 kg on four springs of 25 kN/m and dampers of 1.5 kN·s/m: by hand 1.3451 Hz and 0.2535.
    #[test]
    fn an_oscillator_has_the_frequency_and_damping_of_the_closed_form() {
        let body = Oscillator { inertia: 1400.0, damping: 6000.0, stiffness: 1e5 };
        assert!((body.frequency() - 1.345_09).abs() < 1e-4, "{}", body.frequency());
        assert!((body.damping_ratio() - 0.253_546).abs() < 1e-5, "{}", body.damping_ratio());
    }
}
