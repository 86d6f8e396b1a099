//! The part of a ray between two surfaces.

use simhost_vectors::{Vec2, Vec3};

/// The part of a ray between two surfaces: distances, m, and the normals there.
pub(super) struct Slab {
    pub from: f64,
    pub to: f64,
    pub normals: [[f64; 3]; 2],
}

impl Slab {
    /// The whole line of the ray.
    pub const WHOLE: Self =
        Self { from: f64::NEG_INFINITY, to: f64::INFINITY, normals: [[0.0; 3]; 2] };

    /// Keeps the part where `offset + distance * rate` is at most 0.
    pub fn clip(&mut self, offset: f64, rate: f64, normal: [f64; 3]) {
        let distance = -offset / rate;
        if rate == 0.0 {
            if offset > 0.0 {
                self.empty();
            }
        } else if rate > 0.0 {
            self.leave(distance, normal);
        } else {
            self.enter(distance, normal);
        }
    }

    fn empty(&mut self) {
        (self.from, self.to) = (f64::INFINITY, f64::NEG_INFINITY);
    }

    fn enter(&mut self, distance: f64, normal: [f64; 3]) {
        if distance > self.from {
            (self.from, self.normals[0]) = (distance, normal);
        }
    }

    fn leave(&mut self, distance: f64, normal: [f64; 3]) {
        if distance < self.to {
            (self.to, self.normals[1]) = (distance, normal);
        }
    }

    /// Returns whether a distance lies in the part.
    pub fn holds(&self, distance: f64) -> bool {
        self.from <= distance && distance <= self.to
    }

    /// Keeps the part where p + distance · q lies in the unit disc. `normal` returns the normal at a
    /// point of the circle.
    pub fn clip_disc(&mut self, p: [f64; 2], q: [f64; 2], normal: impl Fn([f64; 2]) -> [f64; 3]) {
        let (p, q) = (Vec2::from(p), Vec2::from(q));
        let (a, b, c) = (q.dot(q), p.dot(q), p.dot(p) - 1.0);
        let root = b * b - a * c;
        if a == 0.0 && c <= 0.0 {
            return;
        }
        if a == 0.0 || root < 0.0 {
            return self.empty();
        }
        let at = |distance: f64| normal((p + distance * q).to_array());
        let (near, far) = ((-b - root.sqrt()) / a, (-b + root.sqrt()) / a);
        self.enter(near, at(near));
        self.leave(far, at(far));
    }

    /// Keeps the part where p + distance · q lies in the unit ball.
    pub fn clip_ball(&mut self, p: [f64; 3], q: [f64; 3]) {
        let (p, q) = (Vec3::from(p), Vec3::from(q));
        let (a, b, c) = (q.dot(q), p.dot(q), p.dot(p) - 1.0);
        let root = b * b - a * c;
        if root < 0.0 {
            return self.empty();
        }
        for (sign, is_first) in [(-1.0, true), (1.0, false)] {
            let distance = (-b + sign * root.sqrt()) / a;
            let normal = (p + distance * q).unit().to_array();
            if is_first { self.enter(distance, normal) } else { self.leave(distance, normal) }
        }
    }
}
