//! Rays of one direction from many points, which ask for any hit: those towards the sun.
//!
//! The boxes of all objects are seen along the direction, and entered into a grid across it. A ray whose
//! cell has no box ahead meets none of them, and another one is only cast at the objects of its cell. The grid
//! selects rays and objects, and never reaches a result.

use simhost_vectors::Vec3;

use super::beam::{Beam, dot};
use super::nearest::Nearest;
use super::{Objects, Space};

/// Number of cells along each axis of the grid.
const SIZE: usize = 64;
/// Smallest number of rays per object for which a grid is made.
const RAYS_PER_OBJECT: usize = 4;
/// Largest number of objects that the cells distinguish; with more, rays search for objects.
const MOST_OBJECTS: usize = 1024;
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
    cells: Vec<Cell>,
    /// The objects, if there are few of them.
    casters: Vec<Caster>,
    /// Whether rays are looked up.
    is_ready: bool,
}

/// A cell of the grid.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Largest coordinate along the direction of the boxes in the cell, m.
    end: f64,
    /// Objects in the cell: bit k stands for those whose numbers modulo 64 are k.
    objects: u64,
}

/// A box seen along the axes: its smallest and its largest coordinates, m.
type AxisRange = [[f64; 2]; 3];

/// An object of a space.
#[derive(Clone, Copy, Debug)]
struct Caster {
    extent: AxisRange,
    place: Place,
}

/// Place of an object in a space.
#[derive(Clone, Copy, Debug)]
struct Place {
    moves: bool,
    is_prism: bool,
    /// Index among the prisms or the instances.
    index: usize,
}

impl Caster {
    /// Returns whether a ray from a point can meet the object.
    #[inline(always)]
    fn is_ahead(&self, at: [f64; 3]) -> bool {
        let [across, up, along] = self.extent;
        across[0] <= at[0]
            && at[0] <= across[1]
            && up[0] <= at[1]
            && at[1] <= up[1]
            && at[2] <= along[1]
    }
}

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
        self.enter_all(space);
    }

    /// Enters all objects into the grid.
    fn enter_all(&mut self, space: &Space) {
        let mut casters = std::mem::take(&mut self.casters);
        casters.clear();
        self.each_object(space, |caster| casters.push(caster));
        let mut all = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for Caster { extent, .. } in &casters {
            for (all, [low, high]) in all.iter_mut().zip(extent) {
                *all = [all[0].min(*low), all[1].max(*high)];
            }
        }
        let mut ends = casters.iter().flat_map(|caster| caster.extent.as_flattened());
        self.is_ready = ends.all(|end| end.is_finite());
        self.low = all.map(|[low, _]| low);
        // boxes have a margin, so that their extent is not zero
        self.per_metre = all.map(|[low, high]| SIZE as f64 / (high - low));
        self.cells.clear();
        self.cells.resize(SIZE * SIZE, Cell { end: f64::NEG_INFINITY, objects: 0 });
        if self.is_ready {
            for (number, caster) in casters.iter().enumerate() {
                self.enter(number, caster);
            }
        }
        self.casters = casters;
    }

    /// Calls `take` with each object.
    fn each_object(&self, space: &Space, mut take: impl FnMut(Caster)) {
        for (objects, moves) in [(&*space.fixed, false), (space.moving.get(), true)] {
            let Objects { prisms, instances } = objects;
            let prisms = prisms.iter().map(|prism| prism.space_bounds()).enumerate();
            let instances = instances.all.iter().map(|instance| instance.bounds).enumerate();
            let prisms = prisms.map(|(index, bounds)| (bounds, true, index));
            let all = prisms.chain(instances.map(|(index, bounds)| (bounds, false, index)));
            for (bounds, is_prism, index) in all {
                let place = Place { moves, is_prism, index };
                take(Caster { extent: self.extent(bounds), place });
            }
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

    fn enter(&mut self, number: usize, Caster { extent, .. }: &Caster) {
        let [across, up] = [0, 1].map(|axis| {
            let cell = |at: f64| ((at - self.low[axis]) * self.per_metre[axis]) as usize;
            let [low, high] = extent[axis].map(cell);
            low.min(SIZE - 1)..high.min(SIZE - 1) + 1
        });
        for row in up {
            for cell in &mut self.cells[row * SIZE..][across.clone()] {
                cell.end = cell.end.max(extent[2][1]);
                cell.objects |= 1 << (number % 64);
            }
        }
    }

    /// Returns the cell of a point with these coordinates along the axes, if an object can be ahead of it.
    #[inline(always)]
    fn cell(&self, at: [f64; 3]) -> Option<&Cell> {
        let across = (at[0] - self.low[0]) * self.per_metre[0];
        let up = (at[1] - self.low[1]) * self.per_metre[1];
        let limit = SIZE as f64;
        // also false for numbers that are not numbers
        let is_inside = across >= 0.0 && across <= limit && up >= 0.0 && up <= limit;
        if !is_inside {
            return None;
        }
        let (column, row) = ((across as usize).min(SIZE - 1), (up as usize).min(SIZE - 1));
        Some(&self.cells[row * SIZE + column]).filter(|cell| at[2] <= cell.end)
    }

    /// Returns whether `meets` is true for one of the objects that can be ahead of a point.
    #[inline(always)]
    fn any_ahead(&self, point: [f64; 3], meets: impl Fn(Option<Place>) -> bool) -> bool {
        if !self.is_ready {
            return meets(None);
        }
        let [across, up, along] = self.axes;
        let at = [dot(across, point), dot(up, point), dot(along, point)];
        let Some(cell) = self.cell(at) else { return false };
        if self.casters.len() > MOST_OBJECTS {
            return meets(None);
        }
        let mut waiting = cell.objects;
        while waiting != 0 {
            let first = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            for caster in self.casters[first..].iter().step_by(64) {
                if caster.is_ahead(at) && meets(Some(caster.place)) {
                    return true;
                }
            }
        }
        false
    }
}

impl Space {
    /// Returns whether a ray from a point, m, meets something along the direction and within the range of
    /// `shade`, which has looked at this space. `accepts` accepts the numbers of objects.
    pub fn is_shaded(&self, shade: &Shade, point: [f64; 3], accepts: &dyn Fn(u32) -> bool) -> bool {
        let is_finite = point.iter().all(|part| part.is_finite());
        let Some(beam) = shade.beam.filter(|_| is_finite) else { return false };
        let beam = Beam { origin: point, ..beam };
        let meets = |place: Option<Place>| {
            let mut nearest = Nearest(None);
            match place {
                Some(place) => self.cast_at(place, &beam, accepts, &mut nearest),
                None => self.cast_objects(&beam, accepts, &mut nearest),
            }
            nearest.0.is_some()
        };
        if shade.any_ahead(point, meets) {
            return true;
        }
        let mut nearest = Nearest(None);
        self.cast_ground(&beam, accepts, &mut nearest);
        nearest.0.is_some()
    }

    /// Offers what a ray meets of one object.
    fn cast_at(
        &self,
        place: Place,
        beam: &Beam,
        accepts: &dyn Fn(u32) -> bool,
        nearest: &mut Nearest,
    ) {
        let objects = if place.moves { self.moving.get() } else { &self.fixed };
        if place.is_prism {
            let prism = objects.prisms.at(place.index);
            if accepts(prism.label.number) {
                nearest.offer(beam, objects.prisms.meet(prism, beam));
            }
        } else {
            let instance = &objects.instances.all[place.index];
            if accepts(instance.label.number) {
                instance.meet(&self.geometries[instance.geometry], beam, nearest);
            }
        }
    }
}
