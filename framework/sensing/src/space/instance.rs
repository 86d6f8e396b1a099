//! Instances: shared geometry at a pose.

mod seen;

use std::sync::Arc;

use simhost_scene::Rotation;

use super::beam::{Beam, Label, Stretch, Strike, dot};
use super::mesh::{Body, DEPTH, Node};
use super::nearest::{Course, Nearest};
use super::prism::Extrusion;
use super::slab::Slab;
use super::triangle::Facet;
use crate::tree::{Bounds, MARGIN, Tree};
pub(super) use seen::SeenBox;

/// Distance from a mesh at which a point has the colour of its image, m.
const SKIN_REACH: f64 = 1e-3;

/// Geometry in its own frame, which any number of instances share.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// A triangle mesh.
    Mesh(Arc<Body>),
    /// A box between its smallest and its largest corner, m.
    Box([[f64; 3]; 2]),
    /// A cylinder about the z axis, centred on the origin.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half of the length along z, m.
        half: f64,
    },
    /// A sphere about the origin with this radius, m.
    Sphere(f64),
    /// A prism.
    Prism(Arc<Extrusion>),
}

impl Geometry {
    /// Returns the smallest and the largest coordinates, m.
    fn bounds(&self) -> [[f64; 3]; 2] {
        match self {
            Self::Mesh(body) => body.bounds(),
            Self::Box(corners) => *corners,
            Self::Cylinder { radius, half } => {
                [[-radius, -radius, -half], [*radius, *radius, *half]]
            }
            Self::Sphere(radius) => [[-radius; 3], [*radius; 3]],
            Self::Prism(extrusion) => extrusion.bounds(),
        }
    }
}

/// Geometry at a pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub label: Label,
    /// Index of the geometry.
    pub geometry: usize,
    /// Factor on all lengths.
    pub scale: f64,
    pub position: [f64; 3],
    pub rotation: Rotation,
    /// Smallest and largest coordinates in the world frame, m, with a margin.
    pub bounds: [[f64; 3]; 2],
}

impl Instance {
    /// Transforms a point of the geometry to a frame with the axes of the world, given the position of
    /// the instance in it.
    #[inline(always)]
    pub fn place(&self, point: [f64; 3], position: [f64; 3]) -> [f64; 3] {
        // `array::map` is not always inlined, which would end the vector loop
        let [x, y, z] = point;
        let (scaled, r) = ([self.scale * x, self.scale * y, self.scale * z], &self.rotation);
        [
            dot(r[0], scaled) + position[0],
            dot(r[1], scaled) + position[1],
            dot(r[2], scaled) + position[2],
        ]
    }

    /// Returns the position relative to the origin of a ray.
    pub fn offset(&self, origin: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.position[axis] - origin[axis])
    }

    /// Transforms a vector from the axes of the world to the axes of the instance.
    fn turned_back(&self, vector: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| dot(self.rotation.map(|row| row[axis]), vector))
    }

    /// Transforms a vector from the axes of the instance to the axes of the world.
    fn turned(&self, vector: [f64; 3]) -> [f64; 3] {
        self.rotation.map(|row| dot(row, vector))
    }
}

/// Instances in the world frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Instances {
    pub all: Vec<Instance>,
    tree: Tree,
    /// Instances of meshes with images.
    skinned: Vec<usize>,
}

impl Instances {
    pub fn clear(&mut self) {
        self.all.clear();
        self.skinned.clear();
    }

    /// Adds geometry of this index at a pose.
    pub fn add(
        &mut self,
        label: Label,
        index: usize,
        geometry: &Geometry,
        position: [f64; 3],
        rotation: Rotation,
        scale: f64,
    ) {
        let mut instance =
            Instance { label, geometry: index, scale, position, rotation, bounds: [[0.0; 3]; 2] };
        let [min, max] = geometry.bounds();
        let half = [0, 1, 2].map(|axis| 0.5 * scale.abs() * (max[axis] - min[axis]));
        let middle = [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
        let middle = instance.place(middle, position);
        for axis in 0..3 {
            let reach = dot(rotation[axis].map(f64::abs), half);
            let margin = MARGIN * (1.0 + middle[axis].abs() + reach);
            instance.bounds[0][axis] = middle[axis] - reach - margin;
            instance.bounds[1][axis] = middle[axis] + reach + margin;
        }
        if matches!(geometry, Geometry::Mesh(body) if body.has_skins()) {
            self.skinned.push(self.all.len());
        }
        self.all.push(instance);
    }

    /// Returns the colour of an image on a mesh of an object at a point in the world frame, m, on a surface, and how
    /// far the point is from it, m.
    pub fn skin_at(
        &self,
        label: Label,
        point: [f64; 3],
        geometries: &[Geometry],
    ) -> Option<(f64, [u8; 4])> {
        let own = self.skinned.iter().map(|at| &self.all[*at]);
        let own = own.filter(|instance| instance.label.number == label.number);
        let colors = own.filter_map(|instance| {
            let Geometry::Mesh(body) = &geometries[instance.geometry] else { return None };
            let paint = label.surface.checked_sub(instance.label.surface)?;
            let away = [0, 1, 2].map(|axis| point[axis] - instance.position[axis]);
            let own = instance.turned_back(away).map(|part| part / instance.scale);
            let scale = instance.scale.abs();
            let (distance, color) = body.skin_at(own, paint, SKIN_REACH / scale)?;
            Some((distance * scale, color))
        });
        colors.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Prepares the instances for rays.
    pub fn prepare(&mut self) {
        self.tree.build(self.all.len(), |item| {
            let [min, max] = self.all[item].bounds;
            Bounds { min: [min[0], min[1]], max: [max[0], max[1]] }
        });
    }

    /// Offers the nearest instance that a ray meets.
    pub fn cast(
        &self,
        beam: &Beam,
        geometries: &[Geometry],
        accepts: &dyn Fn(u32) -> bool,
        nearest: &mut Nearest,
    ) {
        if !self.all.is_empty() {
            let meet = |item: usize, nearest: &mut Nearest| {
                let instance = &self.all[item];
                if accepts(instance.label.number) {
                    instance.meet(&geometries[instance.geometry], beam, nearest);
                }
            };
            self.tree.walk(&mut Course { beam, nearest, meet });
        }
    }

    /// As [`Self::cast`], with every instance and every triangle.
    pub fn cast_by_force(
        &self,
        beam: &Beam,
        geometries: &[Geometry],
        accepts: &dyn Fn(u32) -> bool,
        nearest: &mut Nearest,
    ) {
        for instance in self.all.iter().filter(|instance| accepts(instance.label.number)) {
            match &geometries[instance.geometry] {
                Geometry::Mesh(body) => {
                    let sight = InstanceSight::new(instance, beam);
                    (0..body.len()).for_each(|at| sight.meet(body, at, beam, nearest));
                }
                Geometry::Prism(extrusion) => instance.meet_prism(extrusion, beam, nearest),
                solid => instance.meet_solid(solid, beam, nearest),
            }
        }
    }
}

impl Instance {
    /// Offers what a ray meets of the instance.
    pub fn meet(&self, geometry: &Geometry, beam: &Beam, nearest: &mut Nearest) {
        match geometry {
            Geometry::Mesh(body) => InstanceSight::new(self, beam).descend(body, beam, nearest),
            Geometry::Prism(extrusion) => self.meet_prism(extrusion, beam, nearest),
            solid => self.meet_solid(solid, beam, nearest),
        }
    }

    /// Offers what a ray meets of a prism.
    fn meet_prism(&self, extrusion: &Extrusion, beam: &Beam, nearest: &mut Nearest) {
        let unscaled = |vector| self.turned_back(vector).map(|part| part / self.scale);
        let origin = unscaled(self.offset(beam.origin)).map(|part| -part);
        let direction = self.turned_back(beam.direction);
        let Some(own) = Beam::new(origin, direction, beam.max_range / self.scale) else { return };
        let Some((range, normal)) = extrusion.meet(&own) else { return };
        let normal = beam.facing(self.turned(normal));
        let Label { number, surface } = self.label;
        nearest.offer(beam, Some(Strike { range: range * self.scale, normal, number, surface }));
    }

    /// Offers what a ray meets of a box, a cylinder or a sphere.
    fn meet_solid(&self, geometry: &Geometry, beam: &Beam, nearest: &mut Nearest) {
        let origin = self.turned_back(self.offset(beam.origin)).map(|part| -part);
        let direction = self.turned_back(beam.direction);
        let mut slab = Slab::WHOLE;
        let s = self.scale;
        let mut between = |axis: usize, low: f64, high: f64| {
            let mut normal = [0.0; 3];
            normal[axis] = 1.0;
            slab.clip(s * low - origin[axis], -direction[axis], normal.map(|part| -part));
            slab.clip(origin[axis] - s * high, direction[axis], normal);
        };
        match geometry {
            Geometry::Mesh(_) | Geometry::Prism(_) => return,
            Geometry::Box([min, max]) => {
                (0..3).for_each(|axis| between(axis, min[axis], max[axis]))
            }
            Geometry::Cylinder { radius, half } => {
                between(2, -half, *half);
                let of = |vector: [f64; 3]| [vector[0] / (s * radius), vector[1] / (s * radius)];
                slab.clip_disc(of(origin), of(direction), |[x, y]| [x, y, 0.0]);
            }
            Geometry::Sphere(radius) => {
                let of = |vector: [f64; 3]| vector.map(|part| part / (s * radius));
                slab.clip_ball(of(origin), of(direction));
            }
        }
        if slab.from > slab.to {
            return;
        }
        for (range, normal) in [(slab.from, slab.normals[0]), (slab.to, slab.normals[1])] {
            if (0.0..f64::INFINITY).contains(&range) {
                let normal = beam.facing(self.turned(normal));
                let Label { number, surface } = self.label;
                nearest.offer(beam, Some(Strike { range: range + 0.0, normal, number, surface }));
                return;
            }
        }
    }
}

/// A mesh as it is seen along a ray.
struct InstanceSight<'i> {
    instance: &'i Instance,
    /// Position relative to the origin of the ray, m.
    position: [f64; 3],
    /// Origin and direction in the frame of the mesh, in units of the mesh per m.
    origin: [f64; 3],
    direction: [f64; 3],
}

impl<'i> InstanceSight<'i> {
    fn new(instance: &'i Instance, beam: &Beam) -> Self {
        let position = instance.offset(beam.origin);
        let unscaled = |vector| instance.turned_back(vector).map(|part| part / instance.scale);
        let origin = unscaled(position).map(|part| -part);
        Self { instance, position, origin, direction: unscaled(beam.direction) }
    }

    /// Offers a triangle.
    fn meet(&self, body: &Body, at: usize, beam: &Beam, nearest: &mut Nearest) {
        let corner = |index: u32| self.instance.place(body.vertices[index as usize], self.position);
        let facet = Facet::new(body.triangles[at].map(corner));
        let Label { number, surface } = body.label_of(at, self.instance.label);
        let strike = facet.meet(beam);
        nearest
            .offer(beam, strike.map(|(range, normal)| Strike { range, normal, number, surface }));
    }

    /// Searches the tree of the mesh from near to far.
    fn descend(&self, body: &Body, beam: &Beam, nearest: &mut Nearest) {
        let mut waiting = [(0u32, 0.0); DEPTH + 1];
        let mut count = 0;
        let Some(root) = body.nodes.first() else { return };
        if let Some(distance) = self.reach(root) {
            (waiting[0], count) = ((0, distance), 1);
        }
        while count > 0 {
            count -= 1;
            let (at, distance) = waiting[count];
            if !nearest.is_open(beam, distance) {
                continue;
            }
            let node = &body.nodes[at as usize];
            if node.count > 0 {
                let first = node.link as usize;
                (first..first + node.count as usize)
                    .for_each(|at| self.meet(body, at, beam, nearest));
                continue;
            }
            let halves =
                [at + 1, node.link].map(|half| (half, self.reach(&body.nodes[half as usize])));
            let is_swapped = matches!(halves, [(_, Some(a)), (_, Some(b))] if b > a);
            let order = if is_swapped { [1, 0] } else { [0, 1] };
            for (half, reach) in order.map(|half| halves[half]) {
                if let Some(distance) = reach {
                    waiting[count] = (half, distance);
                    count += 1;
                }
            }
        }
    }

    /// Returns a lower bound of the distance at which the ray can meet something in a box.
    fn reach(&self, node: &Node) -> Option<f64> {
        let mut stretch = Stretch::WHOLE;
        for axis in 0..3 {
            let (low, high) = (f64::from(node.min[axis]), f64::from(node.max[axis]));
            let (at, direction) = (self.origin[axis], self.direction[axis]);
            let margin = MARGIN * (low.abs() + high.abs() + at.abs());
            stretch = stretch.clipped(low - at - margin, high - at + margin, direction)?;
        }
        stretch.begin()
    }
}
