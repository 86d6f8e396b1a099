//! An estimate of the parameters of a tyre from the markings on its side.
//!
//! The nominal load is half of the load that the load index permits, p_n = ½ g m (p/p_LI)^0.8; the
//! curves per load are the same as for a tyre of the same type. Source: Project Chrono,
//! `ChTMeasyTire` (`GuessPassCar70Par`, `GuessTruck80Par`). The mass of the index is m = 45 kg
//! 10^(LI/80), which the table of the tyre makers (ETRTO Standards Manual) rounds within 2 %.

use simhost_sdk::prelude::*;

use super::curve::Direction;

/// Pattern of a tyre.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A passenger car tyre with an aspect ratio of 70 %.
    #[param(key = "passenger")]
    Passenger,
    /// A truck tyre with an aspect ratio of 80 %.
    #[param(key = "truck")]
    Truck,
    /// The given values of the parameters.
    #[param(key = "given")]
    Given,
}

const PASSENGER: [Direction; 2] = [
    Direction {
        stiffness: [18.3741, 19.4669],
        peak: [1.1292, 1.0896],
        sliding: [0.80149, 0.76917],
        at_peak: [0.13913; 2],
        at_sliding: [0.66667; 2],
    },
    Direction {
        stiffness: [15.9826, 12.8509],
        peak: [1.0009, 0.91367],
        sliding: [0.8336, 0.77336],
        at_peak: [0.14852, 0.18504],
        at_sliding: [0.96524, 1.0714],
    },
];

const TRUCK: [Direction; 2] = [
    Direction {
        stiffness: [17.7764, 14.5301],
        peak: [0.89965, 0.77751],
        sliding: [0.46183, 0.42349],
        at_peak: [0.10811, 0.12389],
        at_sliding: [0.66667; 2],
    },
    Direction {
        stiffness: [7.4013, 6.8505],
        peak: [0.75876, 0.72628],
        sliding: [0.68276, 0.65319],
        at_peak: [0.33167, 0.33216],
        at_sliding: [1.0296; 2],
    },
];

impl Kind {
    /// Returns the values of the longitudinal and the lateral direction.
    pub fn directions(self) -> Option<[Direction; 2]> {
        match self {
            Self::Passenger => Some(PASSENGER),
            Self::Truck => Some(TRUCK),
            Self::Given => None,
        }
    }
}

/// Returns the nominal load, N, for a load index and the inflation pressure relative to the
/// pressure of the index.
pub fn nominal_load(index: u32, inflation: f64) -> f64 {
    let mass = 45.0 * math::pow(10.0, f64::from(index) / 80.0);
    0.5 * 9.81 * mass * math::pow(inflation, 0.8)
}

#[cfg(test)]
mod tests {
    /// Values from the table of the tyre makers, kg.
    #[test]
    fn the_load_index_is_that_of_the_makers() {
        for (index, mass) in [(60, 250.0), (80, 450.0), (91, 615.0), (100, 800.0), (150, 3350.0)] {
            let ours = 2.0 * super::nominal_load(index, 1.0) / 9.81;
            assert!((ours / mass - 1.0).abs() < 0.02, "{index}: {ours} kg");
        }
    }
}
