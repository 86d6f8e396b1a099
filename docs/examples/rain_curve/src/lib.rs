use simhost_sdk::prelude::*;

/// A cloud that drifts along the world x axis. The road below it is covered with water.
#[derive(Params)]
pub struct Cloud {
    /// Position of its centre at the start. A smaller value makes it arrive later.
    #[param(default = -130.0, unit = "m", range = -1e6..=1e6)]
    x: f64,
    /// Speed of its drift. A larger value makes it arrive earlier and stay for less time.
    #[param(default = 10.0, unit = "m/s", range = 0.0..=100.0)]
    drift: f64,
    /// Radius of the rain. A larger value makes more of the road wet.
    #[param(default = 60.0, above = 0.0, unit = "m")]
    radius: f64,
    /// Depth of the water within a second of rain. A larger value makes the road wet faster.
    #[param(default = 0.5, above = 0.0, unit = "mm/s", scale = 1e-3)]
    rate: f64,
    /// Friction coefficient of the dry road, from which that of the wet road is reckoned.
    #[param(default = 0.8, range = 0.0..=2.0)]
    dry: f64,
    /// Friction coefficient of the road under deep water. A smaller value makes cars slide more.
    #[param(default = 0.35, range = 0.0..=2.0)]
    wet: f64,
}

/// The weather of the whole world.
#[derive(State)]
pub struct Sky {
    /// Centre of the cloud along the world x axis.
    #[state(unit = "m", initial_from = "x")]
    x: f64,
    /// Depth of the water below the cloud.
    #[state(unit = "m", initial = 0.0)]
    depth: f64,
}

/// Depth of water that takes 63 % of the difference between dry and wet, m.
const DEEP: f64 = 1e-3;
/// Time within which standing water drains to 37 %, s.
const DRAIN: f64 = 10.0;

#[model]
impl Environment for Cloud {
    fn update(&self, step: &Step, sky: &mut Sky) {
        sky.x += step.dt * self.drift;
        sky.depth += step.dt * (self.rate - sky.depth / DRAIN);
    }

    fn surface(&self, [x, y, _]: [f64; 3], _: &Step, sky: &Sky) -> Surface {
        let ahead = x - sky.x;
        if ahead * ahead + y * y > self.radius * self.radius {
            return Surface::default();
        }
        let mu = self.wet + (self.dry - self.wet) * math::exp(-sky.depth / DEEP);
        Surface { mu: Some(mu), ..Surface::default() }
    }
}

export_plugin! { vendor: "example", environment: { "cloud" => Cloud } }
