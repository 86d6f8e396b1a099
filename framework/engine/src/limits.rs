//! Limits of speeds, beyond which a run counts as diverged.

/// Limits beyond which a run counts as diverged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Greatest speed of a body, m/s.
    pub speed: f64,
    /// Greatest yaw rate of a body, rad/s.
    pub yaw_rate: f64,
    /// Greatest spin of a wheel, rad/s. The rims of wheels burst far below: at 1 cm, the default is
    /// 1 km/s.
    pub spin: f64,
    /// Greatest change of speed of a body by the contacts of one step, as a multiple of the greatest
    /// speed that any point of the touching bodies had before. An elastic impact explains a factor of
    /// 2, a chain of three ever lighter bodies one of 4.
    pub contact_gain: f64,
    /// Change of speed that contacts can always cause, m/s, because overlaps are pushed apart.
    pub contact_margin: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { speed: 1000.0, yaw_rate: 1e4, spin: 1e5, contact_gain: 4.0, contact_margin: 5.0 }
    }
}
