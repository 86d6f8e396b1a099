//! Rays of one direction from many points, which ask for any hit: those towards the sun.
//!
//! The boxes of all objects are seen along the direction, and entered into a grid across it. A ray whose
//! cell has no box ahead meets none of them, and needs no search. The grid selects rays and never reaches a
//! result.

use simhost_vectors::Vec3;

use super::beam::{Beam, dot};
use super::nearest::Nearest;
use super::{Objects, Space};

/// Number of cells along each axis of the grid.
const SIZE: usize = 64;
/// Smallest number of rays per object for which a grid is made.
const RAYS_PER_OBJECT: usize = 4;
/// Part by which boxes are enlarged for rounding errors.
const MARGIN: f64 = 1e-9;

/// The objects of a space, seen along a direction.
#[derive(Clone, Debug, Default)]
pub struct Shade {
    /// A ray of the direction; `None` if it meets nothing.
    beam: Option<Beam>,
    /// Axes across the direction and along it.
    axes: [[f64; 3]; 3],
    /// Smallest coordinates across the direction, m, and cells per metre.
    low: [f64; 2],
    per_metre: [f64; 2],
    /// Largest coordinate along the direction of the boxes in each cell, m.
    ends: Vec<f64>,
    /// Whether rays are looked up.
    is_ready: bool,
}

/// A box seen along the axes: its smallest and its largest coordinates, m.
type AxisRange = [[f64; 2]; 3];

impl Shade {
    /// Looks at the objects of a space along a direction, for a number of rays of a largest range, m.
    pub fn look(&mut self, space: &Space, direction: [f64; 3], max_range: f64, rays: usize) {
        self.is_ready = false;
        self.beam = Beam::new([0.0; 3], direction, max_range);
        let Some(beam) = self.beam else { return };
        let count = space.fixed.count() + space.moving.get().count();
        if count.saturating_mul(RAYS_PER_OBJECT) > rays {
            return;
        }
        let along = beam.direction;
        let flattest = (0..3)
            .fold(0, |best, axis| if along[axis].abs() < along[best].abs() { axis } else { best });
        let mut across = [0.0; 3];
        across[flattest] = 1.0;
        let along = Vec3::from(along);
        let across = along.cross(across.into()).unit();
        self.axes = [across, along.cross(across), along].map(Vec3::to_array);
        let mut all = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        let mut is_known = true;
        self.each_box(space, |extent| {
            is_known &= extent.iter().flatten().all(|end| end.is_finite());
            for (all, [low, high]) in all.iter_mut().zip(extent) {
                *all = [all[0].min(low), all[1].max(high)];
            }
        });
        self.low = all.map(|[low, _]| low);
        self.per_metre = all.map(|[low, high]| SIZE as f64 / (high - low));
        self.ends.clear();
        self.ends.resize(SIZE * SIZE, f64::NEG_INFINITY);
        let mut ends = std::mem::take(&mut self.ends);
        // boxes have a margin, so that their extent is not zero
        self.is_ready = is_known;
        if self.is_ready {
            self.each_box(space, |extent| self.enter(extent, &mut ends));
        }
        self.ends = ends;
    }

    /// Calls `take` with the extent of each object.
    fn each_box(&self, space: &Space, mut take: impl FnMut(AxisRange)) {
        for Objects { prisms, instances } in [&space.fixed, space.moving.get()] {
            let prisms = prisms.iter().map(|prism| prism.space_bounds());
            let boxes = prisms.chain(instances.all.iter().map(|instance| instance.bounds));
            boxes.for_each(|bounds| take(self.extent(bounds)));
        }
    }

    fn extent(&self, [min, max]: [[f64; 3]; 2]) -> AxisRange {
        let middle = [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
        let half = [0, 1, 2].map(|axis| 0.5 * (max[axis] - min[axis]));
        let size = middle.iter().chain(&half).map(|part| part.abs()).sum::<f64>();
        self.axes.map(|axis| {
            let reach = dot(axis.map(f64::abs), half) + MARGIN * (1.0 + size);
            let at = dot(axis, middle);
            [at - reach, at + reach]
        })
    }

    fn enter(&self, extent: AxisRange, ends: &mut [f64]) {
        let [across, up] = [0, 1].map(|axis| {
            let cell = |at: f64| ((at - self.low[axis]) * self.per_metre[axis]) as usize;
            let [low, high] = extent[axis].map(cell);
            low.min(SIZE - 1)..high.min(SIZE - 1) + 1
        });
        for row in up {
            for end in &mut ends[row * SIZE..][across.clone()] {
                *end = end.max(extent[2][1]);
            }
        }
    }

    /// Returns whether an object can be ahead of a point.
    #[inline(always)]
    fn can_meet(&self, point: [f64; 3]) -> bool {
        if !self.is_ready {
            return true;
        }
        let at =
            |axis: usize| (dot(self.axes[axis], point) - self.low[axis]) * self.per_metre[axis];
        let (across, up) = (at(0), at(1));
        let is_inside = |at: f64| at >= 0.0 && at <= SIZE as f64;
        if !(is_inside(across) && is_inside(up)) {
            return false;
        }
        let cell = |at: f64| (at as usize).min(SIZE - 1);
        dot(self.axes[2], point) <= self.ends[cell(up) * SIZE + cell(across)]
    }
}

impl Space {
    /// Returns whether a ray from a point, m, meets something along the direction and within the range of
    /// `shade`, which has looked at this space. `accepts` accepts the numbers of objects.
    pub fn is_shaded(
        &self,
        shade: &Shade,
        point: [f64; 3],
        accepts: &impl Fn(u32) -> bool,
    ) -> bool {
        let is_finite = point.iter().all(|part| part.is_finite());
        let Some(beam) = shade.beam.filter(|_| is_finite) else { return false };
        let beam = Beam { origin: point, ..beam };
        if shade.can_meet(point) {
            return self.cast(&beam, accepts).is_some();
        }
        let mut nearest = Nearest(None);
        self.cast_ground(&beam, accepts, &mut nearest);
        nearest.0.is_some()
    }
}
