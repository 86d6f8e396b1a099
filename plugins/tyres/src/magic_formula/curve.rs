//! The formula itself, and the weights of combined slip.
//!
//! y(x) = D sin(C atan(B x − E (B x − atan B x))), shifted by S_H along x and by S_V along y. The
//! vertical shift is added to the force; inside the sine it would be an angle.

use simhost_sdk::math;

/// A curve of force over slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curve {
    /// Stiffness factor.
    pub b: f64,
    /// Shape factor.
    pub c: f64,
    /// Peak, N.
    pub d: f64,
    /// Curvature factor.
    pub e: f64,
    /// Horizontal shift.
    pub s_h: f64,
    /// Vertical shift, N.
    pub s_v: f64,
}

impl Curve {
    /// Returns the force at a slip, N.
    #[inline(always)]
    pub fn at(&self, slip: f64) -> f64 {
        self.d * math::sin(self.angle(slip)) + self.s_v
    }

    /// Returns the horizontal shift with which the curve goes through the origin, or 0 for a curve without
    /// stiffness.
    #[inline(always)]
    pub fn through_origin(&self) -> f64 {
        if self.s_v == 0.0 || self.b == 0.0 || self.d == 0.0 {
            return 0.0;
        }
        // D sin(C atan y) = -S_V
        let sine = (-self.s_v / self.d).clamp(-0.99, 0.99);
        let angle = math::atan(sine / (1.0 - sine * sine).sqrt());
        let y = math::tan(angle / self.c);
        // y = (1 - E) x + E atan x by Newton's method, from a point next to the solution
        let slope = |x: f64| (1.0 - self.e) + self.e / (1.0 + x * x);
        let x = y - (bent(y, self.e) - y) / slope(y);
        let x = x - (bent(x, self.e) - y) / slope(x);
        let x = x - (bent(x, self.e) - y) / slope(x);
        x / self.b
    }

    /// Returns C atan(B x − E (B x − atan B x)), rad.
    #[inline(always)]
    pub fn angle(&self, slip: f64) -> f64 {
        let x = self.b * (slip + self.s_h);
        self.c * math::atan(bent(x, self.e))
    }
}

/// Returns x − E (x − atan x).
#[inline(always)]
fn bent(x: f64, e: f64) -> f64 {
    (1.0 - e) * x + e * math::atan(x)
}

/// The factor by which slip in the other direction reduces a pure force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// Stiffness factor.
    pub b: f64,
    /// Shape factor.
    pub c: f64,
    /// Curvature factor.
    pub e: f64,
    /// Horizontal shift.
    pub s_h: f64,
}

impl Weight {
    /// Returns the factor at a slip in the other direction: 1 without such slip. Large slip can make it
    /// negative.
    #[inline(always)]
    pub fn at(&self, slip: f64) -> f64 {
        self.cosine(slip + self.s_h) / self.cosine(self.s_h)
    }

    #[inline(always)]
    fn cosine(&self, x: f64) -> f64 {
        math::cos(self.c * math::atan(bent(self.b * x, self.e)))
    }
}

/// Returns cos(atan x).
#[inline(always)]
pub fn cos_atan(x: f64) -> f64 {
    1.0 / (1.0 + x * x).sqrt()
}
