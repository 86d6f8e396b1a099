use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

/// Flocking (Reynolds 1987): keep apart from neighbours, head where they head, stay close to them.
#[derive(Params)]
pub struct Flock {
    /// Distance up to which a vehicle is a neighbour.
    #[param(default = 10.0, above = 0.0, unit = "m")]
    radius: f64,
    /// Distance that neighbours keep.
    #[param(default = 4.0, above = 0.0, unit = "m")]
    spacing: f64,
    /// Speed.
    #[param(default = 0.7, above = 0.0, unit = "m/s")]
    speed: f64,
    /// Largest yaw rate.
    #[param(default = 1.0, above = 0.0, unit = "rad/s")]
    max_turn: f64,
}

/// Twist and order.
#[derive(Ports)]
pub struct Commands {
    /// Forward velocity.
    #[port(unit = "m/s")]
    vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Length of the mean heading (Vicsek et al. 1995): 1 if all vehicles head in one direction.
    #[port(unit = "1", publish)]
    order: f64,
}

#[model]
impl Fleet for Flock {
    const COMMANDS: CommandKinds = &[command!("twist": "vx", "", "omega")];

    fn command(&self, flock: &mut Group<PlanarPose, Commands, ()>) {
        let headings = (0..flock.len()).map(|k| math::sin_cos(flock.inputs(k).yaw));
        let (north, east) = headings.fold((0.0, 0.0), |sum, (sin, cos)| (sum.0 + sin, sum.1 + cos));
        let order = (north * north + east * east).sqrt() / flock.len() as f64;
        for k in 0..flock.len() {
            let (own, mut aim) = (flock.inputs(k), [0.0; 2]);
            for j in (0..flock.len()).filter(|j| *j != k) {
                let (dx, dy) = (flock.inputs(j).x - own.x, flock.inputs(j).y - own.y);
                let square = (dx * dx + dy * dy).max(0.01);
                if square < self.radius * self.radius {
                    let (sin, cos) = math::sin_cos(flock.inputs(j).yaw);
                    // negative below the spacing: away from the neighbour
                    let pull = (1.0 - self.spacing * self.spacing / square) / square.sqrt();
                    aim = [aim[0] + cos + pull * dx, aim[1] + sin + pull * dy];
                }
            }
            let turn = math::wrap_angle(math::atan2(aim[1], aim[0]) - own.yaw);
            let omega = if aim == [0.0; 2] { 0.0 } else { math::limit(2.0 * turn, self.max_turn) };
            flock.set(k, &Commands { vx: self.speed, omega, order }, &());
        }
    }
}

export_plugin! { vendor: "example", fleet: { "flock" => Flock } }
