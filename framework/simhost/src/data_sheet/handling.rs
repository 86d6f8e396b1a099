//! Handling: the linear single-track model, and the handling diagram beyond it.
//!
//! With axles of the cornering stiffnesses C_f and C_r whose lateral forces act at the pneumatic trails t_f
//! and t_r behind them, the balance of moments in a steady turn at the lateral acceleration a_y gives the
//! forces F_f = m a_y (b + t_r)/l and F_r = m a_y (a − t_f)/l with l = a + b − t_f + t_r, and the understeer
//! gradient K = (F_f/C_f − F_r/C_r)/a_y. The characteristic speed of a vehicle that understeers is √(L/K), the
//! critical speed of a vehicle that oversteers √(−L/K), and the yaw velocity gain v/(L + K v²): T. D. Gillespie,
//! "Fundamentals of Vehicle Dynamics", 1992, chapter 6; terms of ISO 8855.
//!
//! Simplifications: tyres at their loads at rest, no drive torque, no drag, small angles.

use simhost_model::TyreMotion;

use super::tyres::AxleTyres;
use super::{Rows, SheetAxle, SheetInput, SheetRow};

/// Lateral accelerations of the handling diagram, m/s².
const STEPS: usize = 20;
const STEP: f64 = 0.5;
/// Largest slip angle of the diagram, rad, and its number of points.
const WIDEST: f64 = 0.3;
const POINTS: usize = 40;

/// Lateral forces of the axles per lateral acceleration, kg, and their cornering stiffnesses, N/rad; front, rear.
struct SingleTrack {
    share: [f64; 2],
    stiffness: [f64; 2],
    wheelbase: f64,
}

impl SingleTrack {
    fn new(input: &SheetInput<'_>, tyres: &[AxleTyres]) -> Result<Self, String> {
        let ([front, rear], [front_tyres, rear_tyres]) = (&input.axles[..], tyres) else {
            let count = input.axles.len();
            return Err(format!("the single-track model has two axles, the vehicle {count}"));
        };
        if !input.steers(front) || input.steers(rear) {
            return Err("the vehicle does not steer with its front wheels only".to_owned());
        }
        let [front_stiffness, front_trail] = front_tyres.stiffness.clone()?;
        let [rear_stiffness, rear_trail] = rear_tyres.stiffness.clone()?;
        let (mass, centre) = (input.mass()?, input.centre()?[0]);
        let (to_front, to_rear) = (front.x - centre, centre - rear.x);
        let arm = to_front + to_rear - front_trail + rear_trail;
        Ok(Self {
            share: [mass * (to_rear + rear_trail) / arm, mass * (to_front - front_trail) / arm],
            stiffness: [front_stiffness, rear_stiffness],
            wheelbase: input.wheelbase()?,
        })
    }

    /// Returns the understeer gradient, rad/(m/s²).
    fn understeer(&self) -> f64 {
        self.share[0] / self.stiffness[0] - self.share[1] / self.stiffness[1]
    }

    /// Returns the yaw velocity per steering angle at a speed, m/s, in 1/s.
    fn yaw_velocity_gain(&self, speed: f64) -> f64 {
        speed / (self.wheelbase + self.understeer() * speed * speed)
    }
}

pub(super) fn rows(input: &SheetInput<'_>, tyres: &[AxleTyres]) -> Vec<SheetRow> {
    let mut rows = Rows("Handling", Vec::new());
    for (axle, tyres) in input.axles.iter().zip(tyres) {
        let [stiffness, trail] =
            [0, 1].map(|place| tyres.stiffness.clone().map(|values| values[place]));
        rows.add(format!("cornering stiffness of the {}", axle.name), "N/rad", stiffness);
        rows.add(format!("pneumatic trail of the {}", axle.name), "m", trail);
    }
    let track = SingleTrack::new(input, tyres);
    let of = |value: fn(&SingleTrack) -> f64| track.as_ref().map(value).map_err(Clone::clone);
    let understeer = of(SingleTrack::understeer);
    rows.add("understeer gradient", "°/(m/s²)", understeer.clone().map(f64::to_degrees));
    let oversteers = understeer.is_ok_and(|gradient| gradient < 0.0);
    let name = if oversteers { "critical speed" } else { "characteristic speed" };
    rows.add(name, "km/h", of(|one| 3.6 * (one.wheelbase / one.understeer().abs()).sqrt()));
    let speed = input.options.speed;
    let gain = track.as_ref().map(|one| one.yaw_velocity_gain(speed)).map_err(Clone::clone);
    rows.add("yaw velocity gain", "1/s", gain);
    let steers = input.axles.iter().any(|axle| input.steers(axle));
    let ratio = if steers { Ok(input.options.steering_ratio) } else { Err(()) };
    rows.add("steering ratio", "1", ratio.map_err(|()| "the vehicle has no steered wheel".into()));
    rows.1
}

/// Returns the handling diagram of a vehicle, up to the lateral acceleration at which an axle has no more grip. Roll moves
/// load to the outer wheels, in proportion to the roll stiffnesses of the axles.
pub(super) fn diagram(input: &SheetInput<'_>, tyres: &[AxleTyres]) -> Vec<[f64; 2]> {
    let Ok(track) = SingleTrack::new(input, tyres) else { return Vec::new() };
    let stiffness: Vec<f64> = input.axles.iter().map(|axle| roll_stiffness(input, axle)).collect();
    let moment = input.roll_moment() / stiffness.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let slip = |axle: usize| -> Option<Vec<f64>> {
        let (at, bench) = (&input.axles[axle], tyres[axle].bench.as_ref()?);
        let transfer = moment * stiffness[axle] / at.track().max(f64::MIN_POSITIVE);
        let turn = Turn { load: at.load, transfer, share: track.share[axle] };
        Some(turn.slip_angles(bench, input.options.speed))
    };
    let Some((front, rear)) = slip(0).zip(slip(1)) else { return Vec::new() };
    let angles = front.iter().zip(&rear).enumerate();
    angles.map(|(step, (front, rear))| [STEP * step as f64, front - rear]).collect()
}

/// Returns the roll stiffness of an axle, N·m/rad; with a rigid body, a number that is proportional to it.
pub(super) fn roll_stiffness(input: &SheetInput<'_>, axle: &SheetAxle) -> f64 {
    let middle = axle.y.iter().sum::<f64>() / axle.y.len().max(1) as f64;
    let arms = axle.wheels.iter().zip(&axle.y).map(|(wheel, y)| (*wheel, (y - middle).powi(2)));
    let Some(suspension) = &input.vehicle.suspension else { return arms.map(|one| one.1).sum() };
    let own = |wheel: usize| suspension.axles.iter().find(|one| one.wheels.contains(&wheel));
    let springs =
        arms.map(|(wheel, arm)| arm * own(wheel).map_or(suspension.stiffness, |one| one.stiffness));
    let bar = own(axle.wheels[0]).map_or(0.0, |one| one.anti_roll_bar);
    springs.sum::<f64>() + bar
}

/// A steady left turn of an axle with two wheels.
struct Turn {
    /// Load of the axle at rest, N.
    load: f64,
    /// Load that moves to the outer wheel per lateral acceleration, kg.
    transfer: f64,
    /// Lateral force per lateral acceleration, kg.
    share: f64,
}

impl Turn {
    /// Returns the slip angles to the right, rad, for rising lateral accelerations, until the axle has no more grip.
    fn slip_angles(&self, bench: &simhost_model::FlatTrack, speed: f64) -> Vec<f64> {
        let angle = |at: usize| WIDEST * (at as f64 / POINTS as f64).powi(2);
        let motions = (0..STEPS * POINTS).flat_map(|number| {
            let shift = self.transfer * STEP * (number / POINTS) as f64;
            [-shift, shift].map(|shift| TyreMotion {
                load: (0.5 * self.load + shift).clamp(0.0, self.load),
                speed,
                slip_angle: -angle(number % POINTS),
                slip_ratio: 0.0,
            })
        });
        let Ok(forces) = bench.measure(&motions.collect::<Vec<_>>()) else { return Vec::new() };
        let axle: Vec<f64> = forces.chunks(2).map(|pair| pair[0].fy + pair[1].fy).collect();
        let needed = (0..STEPS).map(|step| self.share * STEP * step as f64);
        let found = axle.chunks(POINTS).zip(needed).map_while(|(forces, needed)| {
            let after = forces.iter().position(|force| *force >= needed)?;
            let before = after.saturating_sub(1);
            let rise = forces[after] - forces[before];
            let part = if rise > 0.0 { (needed - forces[before]) / rise } else { 0.0 };
            Some(angle(before) + part * (angle(after) - angle(before)))
        });
        found.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,500 kg, a = 1.2 m, b = 1.4 m, C_f = 80 kN/rad, C_r = 100 kN/rad, by hand.
    #[test]
    fn the_understeer_gradient_follows_the_single_track_model() {
        let wheelbase = 2.6;
        let share = [1500.0 * 1.4 / wheelbase, 1500.0 * 1.2 / wheelbase];
        let track = SingleTrack { share, stiffness: [8e4, 1e5], wheelbase };
        assert!((track.understeer() - 0.003_173_08).abs() < 1e-8, "{}", track.understeer());
        assert!((track.yaw_velocity_gain(20.0) - 20.0 / (2.6 + 1.269_231)).abs() < 1e-5);
    }
}
