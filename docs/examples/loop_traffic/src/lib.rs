use simhost_sdk::ports::ImposedTwist;
use simhost_sdk::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const STRAIGHT: f64 = 60.0; // length of the straights of the oval, m
const RADIUS: f64 = 20.0; // radius of its half circles, m

/// Keeps the lane of an oval about the origin, and a gap to the car ahead by the Intelligent Driver
/// Model (Treiber, Hennecke and Helbing 2000): 10 m/s, 2 and 3 m/s², headway 1 s, 2 m at rest.
#[derive(Params)]
pub struct Driver {
    /// Time at which the car brakes hard for 2 s. A larger value lets it brake later.
    #[param(default = 1e9, unit = "s")]
    brakes_at: f64,
}

/// Position of the car, world frame.
#[derive(Ports)]
pub struct Position {
    /// Along the straights.
    #[port(unit = "m")]
    x: f64,
    /// Across the straights.
    #[port(unit = "m")]
    y: f64,
}

/// Returns distance along the lane, offset to its left, heading and curvature at a point.
fn lane(x: f64, y: f64) -> [f64; 4] {
    let along = x.clamp(-0.5 * STRAIGHT, 0.5 * STRAIGHT);
    let heading = (math::atan2(y, x - along) + FRAC_PI_2).rem_euclid(TAU);
    let straight = if heading < PI { 0.5 * STRAIGHT + along } else { 1.5 * STRAIGHT - along };
    let offset = RADIUS - length([x - along, y]);
    [RADIUS * heading + straight, offset, heading, f64::from(x != along) / RADIUS]
}
fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}
#[model]
impl Controller for Driver {
    const PERCEIVES: bool = true;

    fn control(&self, car: &Position, step: &Step, _: &mut ()) -> ImposedTwist {
        let query = NeighbourQuery::new([car.x, car.y], 50.0).of(entity::VEHICLE | entity::OWN);
        let mut buffer = [Neighbour::NONE; 16];
        let [own, others @ ..] = step.neighbours(&query, &mut buffer).nearest else {
            return ImposedTwist { twist_vx: 0.0, twist_vy: 0.0, twist_omega: 0.0 };
        };
        let ([s, offset, heading, curvature], vx) = (lane(car.x, car.y), length(own.velocity));
        let (mut gap, mut closing) = (f64::INFINITY, 0.0);
        for other in others {
            let ahead = lane(other.position[0], other.position[1])[0] - s;
            let free = ahead.rem_euclid(2.0 * STRAIGHT + TAU * RADIUS) - 2.0 * other.box_max[0];
            if free < gap {
                (gap, closing) = (free, vx - length(other.velocity));
            }
        }
        let wanted = 2.0 + (vx + 0.5 * vx * closing / 6f64.sqrt()).max(0.0);
        let free = 1.0 - math::pow(vx / 10.0, 4.0) - (wanted / gap.max(0.1)).powi(2);
        let brakes = (0.0..2.0).contains(&(step.time - self.brakes_at));
        let acceleration = if brakes { -4.0 } else { 2.0 * free.max(-4.0) };
        let turn = curvature - 0.05 * offset - 0.4 * math::wrap_angle(own.yaw - heading);
        ImposedTwist {
            twist_vx: (vx + step.dt * acceleration).max(0.0),
            twist_vy: 0.0,
            twist_omega: vx * turn,
        }
    }
}

export_plugin! { vendor: "example", controller: { "driver" => Driver } }
