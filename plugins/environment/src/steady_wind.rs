//! Wind of constant velocity, the same everywhere.

use simhost_sdk::prelude::*;

/// Wind of constant velocity, the same everywhere.
#[derive(Params)]
pub struct SteadyWind {
    /// Speed of the air. A larger value pushes vehicles with aerodynamic forces more.
    #[param(default = 5.0, range = 0.0..=200.0, unit = "m/s")]
    speed: f64,
    /// Direction in which the air moves, counter-clockwise from the world x axis.
    #[param(default = 0.0, range = -360.0..=360.0, unit = "deg", scale = math::DEG)]
    direction: f64,
    /// Upward velocity of the air. A larger value presses vehicles on slopes more downhill or uphill.
    #[param(default = 0.0, range = -100.0..=100.0, unit = "m/s")]
    upward: f64,
}

#[model]
impl Environment for SteadyWind {
    fn wind(&self, _: [f64; 3], _: &Step, _: &()) -> [f64; 3] {
        let (sin, cos) = math::sin_cos(self.direction);
        [self.speed * cos, self.speed * sin, self.upward]
    }
}

#[cfg(test)]
mod tests {
    use super::SteadyWind;
    use simhost_sdk::prelude::*;
    use simhost_sdk::testing;

    #[test]
    fn the_direction_is_that_in_which_the_air_moves() {
        let wind: SteadyWind = testing::environment(&[("speed", 8.0), ("direction", 90.0)]);
        let [x, y, z] = wind.wind([3.0, 4.0, 5.0], &testing::step(), &());
        assert!(x.abs() < 1e-12 && (y - 8.0).abs() < 1e-12 && z == 0.0, "{x} {y} {z}");
    }
}
