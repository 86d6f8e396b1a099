//! A rectangular patch of ice.

use simhost_sdk::prelude::*;

/// A rectangular patch of slippery ground.
#[derive(Params)]
pub struct Ice {
    /// Friction coefficient on the patch. A smaller value makes vehicles slide more.
    #[param(default = 0.1, range = 0.0..=3.0, unit = "1")]
    mu: f64,
    /// Rolling resistance coefficient on the patch; by default, the value of the friction model is
    /// unchanged.
    #[param(range = 0.0..=1.0, unit = "1")]
    c_rr: Option<f64>,
    /// Centre of the patch along the world x axis.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    x: f64,
    /// Centre of the patch along the world y axis.
    #[param(default = 0.0, range = -1e9..=1e9, unit = "m")]
    y: f64,
    /// Direction of the length, counter-clockwise from the world x axis.
    #[param(default = 0.0, range = -360.0..=360.0, unit = "deg", scale = math::DEG)]
    yaw: f64,
    /// Length of the patch. A larger value makes vehicles slide for longer.
    #[param(default = 10.0, above = 0.0, unit = "m")]
    length: f64,
    /// Width of the patch. A larger value lets more wheels slide.
    #[param(default = 10.0, above = 0.0, unit = "m")]
    width: f64,
}

#[model]
impl Environment for Ice {
    fn surface(&self, [x, y, _]: [f64; 3], _: &Step, _: &()) -> Surface {
        let ((sin, cos), x, y) = (math::sin_cos(self.yaw), x - self.x, y - self.y);
        let (along, across) = (cos * x + sin * y, cos * y - sin * x);
        let is_inside = 2.0 * along.abs() <= self.length && 2.0 * across.abs() <= self.width;
        if is_inside { Surface { mu: Some(self.mu), c_rr: self.c_rr } } else { Surface::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::Ice;
    use simhost_sdk::prelude::*;
    use simhost_sdk::testing;

    #[test]
    fn the_patch_is_turned() {
        let ice: Ice = testing::environment(&[("yaw", 90.0), ("length", 8.0), ("width", 2.0)]);
        let mu = |point| ice.surface(point, &testing::step(), &()).mu;
        assert_eq!(mu([0.0, 3.9, 0.0]), Some(0.1));
        assert_eq!(mu([3.9, 0.0, 0.0]), None);
    }
}
