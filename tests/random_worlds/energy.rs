//! Kinetic energy of worlds in which nothing drives.

use simhost_engine::Simulation;

use super::generate::{Generated, Kind};

/// Largest rise of the energy above the least so far, as a share of the energy at the start.
const RISE: f64 = 1e-9;
/// The same share where bristles of `lugre` give back what they have stored.
const FROM_BRISTLES: f64 = 0.05;

/// Least energy of a world so far, J.
pub struct Energy {
    start: f64,
    least: f64,
    most_rise: f64,
}

impl Energy {
    pub fn new(world: &Generated, simulation: &Simulation) -> Self {
        let start = total(world, simulation);
        let has_bristles = world.world.text().contains("\"lugre\"");
        let most_rise = start * if has_bristles { FROM_BRISTLES } else { RISE };
        Self { start, least: start, most_rise }
    }

    /// Returns an error if a step has added energy to a world in which nothing acts.
    pub fn rise(&mut self, world: &Generated, simulation: &Simulation) -> Option<String> {
        if world.kind != Kind::Coasting {
            return None;
        }
        let energy = total(world, simulation);
        let rise = energy - self.least;
        self.least = self.least.min(energy);
        let is_bounded = rise <= self.most_rise;
        (!is_bounded).then(|| {
            let time = simulation.clock().time();
            format!("the energy rises by {rise} of {} J at {time} s", self.start)
        })
    }
}

/// Returns the kinetic energy of all bodies and wheels, J.
fn total(world: &Generated, simulation: &Simulation) -> f64 {
    let mut sum = 0.0;
    let vehicles = simulation.vehicles().map(|one| (one.name.to_owned(), one.twist));
    let labels = simulation.movers().map(|(label, _)| label.to_owned());
    let blocks = labels.filter_map(|label| {
        let (_, velocity) = simulation.motion_of(&label).ok()?;
        Some((label.split_once('/')?.1.to_owned(), velocity))
    });
    for (name, [vx, vy, omega]) in vehicles.chain(blocks) {
        let Some(body) = world.bodies.iter().find(|body| body.name == name) else { continue };
        let Some((mass, _)) = body.mass else { continue };
        let [x, y] = mass.centre;
        let (vx, vy) = (vx - omega * y, vy + omega * x);
        sum += 0.5 * mass.mass * (vx * vx + vy * vy)
            + 0.5 * mass.inertia_about_centre() * omega * omega;
    }
    for wheel in simulation.wheels() {
        let body = world.bodies.iter().find(|body| body.name == wheel.vehicle);
        let inertia = body.and_then(|body| body.mass).map_or(0.0, |(_, inertia)| inertia);
        sum += 0.5 * inertia * wheel.spin * wheel.spin;
    }
    sum
}
