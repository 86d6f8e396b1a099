//! Cubic polynomials over intervals, of which OpenDRIVE makes profiles, widths and offsets.

/// A polynomial a + b ds + c ds² + d ds³ from `start` on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cubic {
    /// Where it begins, m.
    pub start: f64,
    /// Coefficients a, b, c and d.
    pub coefficients: [f64; 4],
}

impl Cubic {
    /// Returns the value at a distance from the start.
    fn value(&self, ds: f64) -> f64 {
        let [a, b, c, d] = self.coefficients;
        a + ds * (b + ds * (c + ds * d))
    }

    /// Returns the derivative at a distance from the start.
    fn slope(&self, ds: f64) -> f64 {
        let [_, b, c, d] = self.coefficients;
        b + ds * (2.0 * c + ds * 3.0 * d)
    }

    /// Returns the second derivative at a distance from the start.
    fn bend(&self, ds: f64) -> f64 {
        let [_, _, c, d] = self.coefficients;
        2.0 * c + 6.0 * d * ds
    }
}

/// A function that is a cubic polynomial in each interval. Without polynomials it is 0, and before the first one too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoadProfile(Vec<Cubic>);

impl RoadProfile {
    /// Creates a profile. Polynomials are sorted by their starts; of several with the same start, the last one counts.
    pub fn new(mut cubics: Vec<Cubic>) -> Self {
        cubics.sort_by(|one, other| one.start.total_cmp(&other.start));
        Self(cubics)
    }

    /// Returns whether the function is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|one| one.coefficients == [0.0; 4])
    }

    /// Returns whether the function is one straight line.
    pub(crate) fn is_straight(&self) -> bool {
        self.0.len() < 2 && self.0.iter().all(|one| one.coefficients[2..] == [0.0; 2])
    }

    /// Returns the polynomial at a place, and the distance from its start.
    fn at(&self, s: f64) -> Option<(&Cubic, f64)> {
        let after = self.0.partition_point(|one| one.start <= s);
        let cubic = self.0.get(after.checked_sub(1)?)?;
        Some((cubic, s - cubic.start))
    }

    /// Returns the value at a place.
    #[inline]
    pub fn value(&self, s: f64) -> f64 {
        self.at(s).map_or(0.0, |(cubic, ds)| cubic.value(ds))
    }

    /// Returns the derivative at a place.
    #[inline]
    pub fn slope(&self, s: f64) -> f64 {
        self.at(s).map_or(0.0, |(cubic, ds)| cubic.slope(ds))
    }

    /// Returns the second derivative at a place.
    pub fn bend(&self, s: f64) -> f64 {
        self.at(s).map_or(0.0, |(cubic, ds)| cubic.bend(ds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_uses_the_last_polynomial_that_has_begun() {
        let profile = RoadProfile::new(vec![
            Cubic { start: 10.0, coefficients: [5.0, 1.0, 0.0, 0.0] },
            Cubic { start: 0.0, coefficients: [1.0, 0.0, 2.0, 0.5] },
        ]);
        assert_eq!(profile.value(-1.0), 0.0);
        assert_eq!(profile.value(2.0), 1.0 + 8.0 + 4.0);
        assert_eq!(profile.slope(2.0), 8.0 + 6.0);
        assert_eq!(profile.bend(2.0), 4.0 + 6.0);
        assert_eq!((profile.value(10.0), profile.value(12.0)), (5.0, 7.0));
    }
}
