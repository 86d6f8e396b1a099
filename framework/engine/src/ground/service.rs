//! The ground as a host of models that do not perceive: height, slopes, and positions on Earth.

use simhost_abi::host::ServiceHost;
use simhost_abi::{EARTH_SERVICE, EarthPoint, GROUND_SERVICE};

use super::Ground;

impl ServiceHost for Ground {
    #[inline]
    fn offers(&self, id: &str) -> bool {
        [GROUND_SERVICE, EARTH_SERVICE].contains(&id)
    }

    #[inline]
    fn ground(&self, point: [f64; 3]) -> (f64, [f64; 2]) {
        self.slope(point)
    }

    fn locate(&self, point: [f64; 3]) -> EarthPoint {
        Self::locate(self, point)
    }
}
