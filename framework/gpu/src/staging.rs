//! Data that change with every submission, in the form in which the device reads it.

use simhost_vectors::Vec3;

use crate::geometry::Geometry;
use crate::lattice::Lattice;
use crate::pattern::Patterns;
use crate::program::TOP;
use crate::scene::{Instance, Light, Output, Sensor, bounds, unit};
use crate::tree::{Bounds, Content, Tree};

/// Words of an instance: the matrix from the world to the mesh by rows, each followed by a coordinate
/// of the position on the lattice (12); the rest of the position, and the step of the mesh (4); root,
/// number, group, unused (4).
const INSTANCE_WORDS: usize = 20;
/// Words of a job: see `rays_of` and `scan` in the shader.
const JOB_WORDS: usize = 32;
/// Rays of a group of threads.
pub(crate) const GROUP: u32 = 64;

/// Moving instances with the tree over them.
pub(crate) struct Movers {
    pub lattice: Lattice,
    pub tree: Tree,
    pub words: Vec<u32>,
    /// Most entries on the stack of a traversal of any mesh.
    pub stack: usize,
}

impl Movers {
    pub fn new(instances: &[Instance], geometry: &mut Geometry) -> Self {
        let boxes: Vec<_> = instances.iter().map(|instance| geometry.bounds(instance)).collect();
        let filled = boxes.iter().filter(|(min, max)| min[0] <= max[0]);
        let (min, max) = bounds(filled.flat_map(|(min, max)| [*min, *max]));
        let lattice = Lattice::around(min, max);
        let rounded = |(min, max): &([f64; 3], [f64; 3])| {
            if min[0] > max[0] {
                return Bounds::around([[0; 3]]);
            }
            let all = Bounds::around([lattice.round(*min), lattice.round(*max)]);
            Bounds { min: all.min.map(|c| c - 1), max: all.max.map(|c| c + 1) }
        };
        let boxes: Vec<Bounds> = boxes.iter().map(rounded).collect();
        let mut movers = Self {
            lattice,
            tree: Tree::build(&boxes, Content::Instances, TOP),
            words: Vec::new(),
            stack: 0,
        };
        for instance in instances {
            movers.add(instance, geometry);
        }
        movers
    }

    fn add(&mut self, instance: &Instance, geometry: &mut Geometry) {
        let mesh = geometry.mesh(instance.mesh);
        self.stack = self.stack.max(mesh.stack);
        let (near, rest) = self.lattice.locate(instance.place(mesh.lattice.origin));
        for axis in 0..3 {
            let column = instance.pose.rotation.map(|row| row[axis] / instance.scale[axis]);
            self.words.extend(column.map(|c| (c as f32).to_bits()));
            self.words.push(near[axis] as u32);
        }
        self.words.extend(rest.map(f32::to_bits));
        self.words.push((mesh.lattice.step as f32).to_bits());
        self.words.extend([mesh.root, instance.number, instance.group.unwrap_or(u32::MAX), 0]);
        debug_assert_eq!(self.words.len() % INSTANCE_WORDS, 0);
    }
}

/// Jobs whose results share a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub first_job: u32,
    pub end_job: u32,
    pub first_group: u32,
    pub end_group: u32,
    /// Number of rays.
    pub rays: u32,
}

/// The rays of all sensors: a job per block of a pattern.
#[derive(Default)]
pub(crate) struct Jobs {
    pub words: Vec<u32>,
    pub parts: Vec<Part>,
    /// First ray of each sensor, and the number of rays.
    pub starts: Vec<usize>,
}

impl Jobs {
    /// Divides sensors into jobs, and jobs into parts of at most `most` rays.
    pub fn new(
        sensors: &[Sensor],
        patterns: &Patterns,
        fixed: Lattice,
        movers: Lattice,
        most: usize,
    ) -> Self {
        let mut jobs = Self { starts: vec![0], ..Self::default() };
        let mut part = Part::default();
        let mut rays = 0;
        for sensor in sensors {
            for block in &patterns.blocks[sensor.pattern] {
                if part.rays > 0 && (part.rays + block.count) as usize > most {
                    jobs.parts.push(part);
                    let (first_job, first_group) = (part.end_job, part.end_group);
                    part = Part { first_job, first_group, rays: 0, ..part };
                }
                let place = part.rays;
                jobs.add(
                    sensor,
                    [part.end_group, block.count, block.first, place, block.offset],
                    fixed,
                    movers,
                );
                part.end_job += 1;
                part.end_group += block.count.div_ceil(GROUP);
                part.rays += block.count;
                rays += block.count as usize;
            }
            jobs.starts.push(rays);
        }
        if part.rays > 0 {
            jobs.parts.push(part);
        }
        jobs
    }

    fn add(&mut self, sensor: &Sensor, numbers: [u32; 5], fixed: Lattice, movers: Lattice) {
        let [group, count, first, place, offset] = numbers;
        let words = &mut self.words;
        for (row, number) in sensor.pose.rotation.iter().zip([group, count, first]) {
            words.extend(row.map(|c| (c as f32).to_bits()));
            words.push(number);
        }
        let (near, rest) = fixed.locate(sensor.pose.position);
        words.extend(near.map(|c| c as u32));
        words.push(place);
        words.extend(rest.map(f32::to_bits));
        words.push(sensor.near.to_bits());
        let (near, rest) = movers.locate(sensor.pose.position);
        words.extend(near.map(|c| c as u32));
        words.push(sensor.far.to_bits());
        words.extend(rest.map(f32::to_bits));
        words.push(sensor.ignore.unwrap_or(u32::MAX));
        let (key, deviation) = sensor.noise.map_or((0, 0.0), |noise| (noise.key, noise.deviation));
        words.extend([key as u32, (key >> 32) as u32, deviation.to_bits(), offset]);
        debug_assert_eq!(words.len() % JOB_WORDS, 0);
    }
}

/// Roots and steps of the trees of fixed instances and of movers.
pub(crate) struct Trees {
    pub roots: [u32; 2],
    pub steps: [f64; 2],
}

/// Returns the parameters of the dispatch of a part.
pub(crate) fn parameters(part: Part, trees: &Trees, light: &Light) -> [u32; 12] {
    let sun = unit(light.sun.into()).unwrap_or(Vec3::Z).to_array().map(|c| (c as f32).to_bits());
    let steps = trees.steps.map(|step| (step as f32).to_bits());
    let [red, green, blue] = light.sky;
    let sky = u32::from_le_bytes([red, green, blue, 255]);
    let ambient = light.ambient.clamp(0.0, 1.0).to_bits();
    let [fixed, mover] = trees.roots;
    [
        part.first_group,
        part.first_job,
        part.end_job,
        fixed,
        mover,
        steps[0],
        steps[1],
        ambient,
        sun[0],
        sun[1],
        sun[2],
        sky,
    ]
}

/// Returns the number of groups in x and y that hold all groups of a part.
pub(crate) fn grid(part: Part, most: u32) -> (u32, u32) {
    let groups = part.end_group - part.first_group;
    let x = groups.clamp(1, most);
    (x, groups.div_ceil(x))
}

/// Returns the number of bytes of the results of a part.
pub(crate) fn bytes(part: Part, output: Output) -> u64 {
    u64::from(part.rays) * 4 * output.words() as u64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::scene::{Pattern, Pose};

    #[test]
    fn parts_hold_whole_blocks_within_their_limit() {
        let lines = Pattern { directions: vec![[1.0, 0.0, 0.0]; 250] };
        let patterns = Patterns::new(&[lines], 100).unwrap();
        let pose = Pose::IDENTITY;
        let sensor = Sensor { pattern: 0, pose, near: 0.0, far: 1.0, ignore: None, noise: None };
        let lattice = Lattice::around([0.0; 3], [1.0; 3]);
        let jobs = Jobs::new(&[sensor; 2], &patterns, lattice, lattice, 200);
        assert_eq!(jobs.starts, [0, 250, 500]);
        let rays: Vec<u32> = jobs.parts.iter().map(|part| part.rays).collect();
        assert_eq!(rays, [200, 150, 150]);
        let groups: Vec<(u32, u32)> =
            jobs.parts.iter().map(|part| (part.first_group, part.end_group)).collect();
        assert_eq!(groups, [(0, 4), (4, 7), (7, 10)]);
        assert_eq!(jobs.words.len(), 6 * JOB_WORDS);
    }

    #[test]
    fn a_grid_holds_all_groups() {
        for groups in [1, 65_535, 65_536, 131_072, 1_000_003] {
            let part = Part { first_group: 5, end_group: 5 + groups, ..Part::default() };
            let (x, y) = grid(part, 65_535);
            assert!(x <= 65_535 && y <= 65_535 && u64::from(x) * u64::from(y) >= u64::from(groups));
        }
    }
}
