//! Triangles and trees of a scene in the form in which the device reads them.
//!
//! The triangles of all fixed instances are placed in the world and stored in one tree. Meshes of
//! moving instances have separate trees, built when an instance uses them for the first time.

use crate::error::GpuError;
use crate::lattice::Lattice;
use crate::scene::{Instance, Mesh, Scene, bounds};
use crate::tree::{Bounds, Content, NODE_WORDS, Tree};

/// Words of a triangle: three corners on the lattice (9), number of the instance, index in the
/// mesh, colour.
pub(crate) const TRIANGLE_WORDS: usize = 12;
/// Most triangles that copies of one fixed mesh may have together. Meshes with more are fixed
/// instances of shared geometry.
const PLACED: usize = 1 << 22;
/// Edges above this length in m are halved, so that corners are near what they are seen from, and
/// their differences have digits enough in 32 bits.
const EDGE: f64 = 128.0;
/// Share of the extent of a scene below which no edge is halved, which bounds the number of pieces.
const EDGE_SHARE: f64 = 1.0 / 256.0;

struct Triangle {
    corners: [[f64; 3]; 3],
    number: u32,
    index: u32,
    colour: [u8; 3],
}

/// A tree over the triangles of a mesh or of all fixed instances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// Reference to the root.
    pub root: u32,
    /// Lattice of the corners.
    pub lattice: Lattice,
    /// Most entries on the stack of a traversal.
    pub stack: usize,
}

/// All triangles and trees.
pub(crate) struct Geometry {
    scene: Scene,
    /// Triangles of [`TRIANGLE_WORDS`] words.
    pub triangles: Vec<u32>,
    /// Nodes of [`NODE_WORDS`] words.
    pub nodes: Vec<u32>,
    /// Tree over all placed instances.
    pub fixed: Placement,
    /// Fixed instances that were not placed.
    pub loose: Vec<Instance>,
    meshes: Vec<Option<Placement>>,
}

impl Geometry {
    /// Checks a scene, and builds the tree of its fixed instances.
    pub fn new(scene: Scene) -> Result<Self, GpuError> {
        for (index, mesh) in scene.meshes.iter().enumerate() {
            mesh.check(index)?;
        }
        let mut uses = vec![0usize; scene.meshes.len()];
        for (index, instance) in scene.fixed.iter().enumerate() {
            instance.check(index, scene.meshes.len())?;
            uses[instance.mesh] += 1;
        }
        let few = |instance: &&Instance| {
            scene.meshes[instance.mesh].triangles.len().saturating_mul(uses[instance.mesh])
                <= PLACED
        };
        let (placed, loose): (Vec<&Instance>, Vec<&Instance>) = scene.fixed.iter().partition(few);
        let triangles: Vec<Triangle> =
            placed.into_iter().flat_map(|instance| place(instance, &scene.meshes)).collect();
        let loose =
            loose.into_iter().map(|instance| Instance { group: None, ..*instance }).collect();
        let meshes = vec![None; scene.meshes.len()];
        let lattice = Lattice::around([0.0; 3], [0.0; 3]);
        let fixed = Placement { root: 0, lattice, stack: 0 };
        let mut geometry =
            Self { scene, triangles: Vec::new(), nodes: Vec::new(), fixed, loose, meshes };
        geometry.fixed = geometry.add(triangles);
        Ok(geometry)
    }

    /// Returns the number of meshes.
    pub fn mesh_count(&self) -> usize {
        self.meshes.len()
    }

    /// Returns the tree of a mesh, which is built on the first call.
    pub fn mesh(&mut self, index: usize) -> Placement {
        if let Some(placement) = self.meshes[index] {
            return placement;
        }
        let mesh = &self.scene.meshes[index];
        let triangle = |k: usize| Triangle {
            corners: mesh.corners(k),
            number: u32::MAX,
            index: k as u32,
            colour: mesh.colour(k),
        };
        let triangles = (0..mesh.triangles.len()).map(triangle).collect();
        let placement = self.add(triangles);
        self.meshes[index] = Some(placement);
        placement
    }

    /// Returns the box around an instance in the world.
    pub fn bounds(&self, instance: &Instance) -> ([f64; 3], [f64; 3]) {
        let (min, max) = self.scene.meshes[instance.mesh].bounds();
        if min[0] > max[0] {
            return (min, max);
        }
        let corner = |k: usize| {
            let side = |axis: usize| if k >> axis & 1 == 0 { min[axis] } else { max[axis] };
            instance.place([side(0), side(1), side(2)])
        };
        bounds((0..8).map(corner))
    }

    fn add(&mut self, triangles: Vec<Triangle>) -> Placement {
        let (min, max) = bounds(triangles.iter().flat_map(|triangle| triangle.corners));
        let lattice = Lattice::around(min, max);
        let extent = (0..3).map(|k| max[k] - min[k]).fold(0.0, f64::max);
        let edge = EDGE.max(extent * EDGE_SHARE);
        let triangles: Vec<Triangle> =
            triangles.into_iter().flat_map(|triangle| halve(triangle, edge)).collect();
        let corners = triangles.iter().map(|t| t.corners.map(|corner| lattice.round(corner)));
        let solid: Vec<([[i32; 3]; 3], &Triangle)> =
            corners.zip(&triangles).filter(|(corners, _)| has_area(corners)).collect();
        let boxes: Vec<Bounds> =
            solid.iter().map(|(corners, _)| Bounds::around(corners.iter().copied())).collect();
        let first = (self.triangles.len() / TRIANGLE_WORDS) as u32;
        let base = (self.nodes.len() / NODE_WORDS) as u32;
        let tree = Tree::build(&boxes, Content::Triangles(first), base);
        for k in &tree.order {
            let (corners, triangle) = &solid[*k as usize];
            self.triangles.extend(corners.iter().flatten().map(|c| *c as u32));
            let [red, green, blue] = triangle.colour;
            let colour = u32::from_le_bytes([red, green, blue, 255]);
            self.triangles.extend([triangle.number, triangle.index, colour]);
        }
        self.nodes.extend(&tree.words);
        Placement { root: tree.root, lattice, stack: tree.stack }
    }
}

fn place(instance: &Instance, meshes: &[Mesh]) -> Vec<Triangle> {
    let mesh = &meshes[instance.mesh];
    let triangle = |k: usize| Triangle {
        corners: mesh.corners(k).map(|corner| instance.place(corner)),
        number: instance.number,
        index: k as u32,
        colour: mesh.colour(k),
    };
    (0..mesh.triangles.len()).map(triangle).collect()
}

/// Halves the longest edge of a triangle, and of its halves, until all are short enough. Triangles
/// that share an edge halve it at the same point, so that no gap opens.
fn halve(triangle: Triangle, edge: f64) -> Vec<Triangle> {
    let mut done = Vec::new();
    let mut open = vec![triangle];
    while let Some(triangle) = open.pop() {
        let squared = |k: usize| {
            let (a, b) = (triangle.corners[k], triangle.corners[(k + 1) % 3]);
            (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>()
        };
        let lengths = [squared(0), squared(1), squared(2)];
        let longest = (0..3).fold(0, |best, k| if lengths[k] > lengths[best] { k } else { best });
        if lengths[longest] <= edge * edge || !lengths[longest].is_finite() {
            done.push(triangle);
            continue;
        }
        let [a, b, c] = [0, 1, 2].map(|k| triangle.corners[(longest + k) % 3]);
        let middle = [0, 1, 2].map(|k| 0.5 * (a[k] + b[k]));
        open.push(Triangle { corners: [middle, b, c], ..triangle });
        open.push(Triangle { corners: [a, middle, c], ..triangle });
    }
    done
}

fn has_area(corners: &[[i32; 3]; 3]) -> bool {
    let side =
        |to: usize| [0, 1, 2].map(|k| i128::from(corners[to][k]) - i128::from(corners[0][k]));
    let (a, b) = (side(1), side(2));
    (0..3).any(|k| a[k] * b[(k + 1) % 3] != a[(k + 1) % 3] * b[k])
}

#[cfg(test)]
mod tests;
