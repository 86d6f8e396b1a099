//! Casting the rays of all sensors that are due together, on an engine in place of the CPU.
//!
//! The engine finds the first triangle along each ray; what the triangle means is resolved here, and every sensor
//! then reads its returns as if it had cast its own rays. Sensors whose readings have an influence on the state
//! stay on the CPU unless the engine is required, so that results do not depend on it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use simhost_abi::NO_ENTITY;
use simhost_sensing::{Placed, Tessellation, TriangleHit};

use super::group::SensorGroup;
use super::spatial::is_fixed;
use crate::moment::Moment;
use crate::scan_engine::{ScanEngine, ScanError, ScanFallback, ScanPose};
use crate::sensors::spatial::Request;
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::workers::Crew;

/// Reach of endless walls for sensors that see further, m. Those are cast on the CPU.
const LONGEST: f64 = 1000.0;

/// An engine and what it knows.
pub(super) struct Acceleration {
    /// The engine, unless it has failed.
    engine: Option<Box<dyn ScanEngine>>,
    pub device: String,
    /// Whether its failure ends the run, and readings that have an influence on the state come from it.
    is_required: bool,
    scene: Option<Tessellation>,
    /// What moves, and the part of it that sensors see which see no bodies.
    moving: [Vec<Placed>; 2],
    patterns: Patterns,
    /// What casts the rays of each sensor.
    uses: Vec<Use>,
    pub fallback: Option<ScanFallback>,
    poses: Vec<ScanPose>,
    hits: Vec<TriangleHit>,
}

impl Acceleration {
    /// Creates the use of an engine by `sensors` sensors.
    pub fn new(engine: Box<dyn ScanEngine>, is_required: bool, sensors: usize) -> Self {
        Self {
            device: engine.name(),
            engine: Some(engine),
            is_required,
            scene: None,
            moving: Default::default(),
            patterns: Patterns::default(),
            uses: vec![Use::Unknown; sensors],
            fallback: None,
            poses: Vec::new(),
            hits: Vec::new(),
        }
    }

    /// Returns whether the engine is in use.
    pub fn is_active(&self) -> bool {
        self.engine.is_some()
    }

    /// Returns the reason why the CPU casts the rays of a sensor of a group, or `None` if the engine does.
    pub fn reason(&self, sensor: usize, group: &SensorGroup) -> Option<&'static str> {
        group.reason_for_cpu(self.is_required).or_else(|| self.uses[sensor].reason())
    }

    /// Casts the rays of the groups that have been aimed.
    ///
    /// # Errors
    /// [`ScanError`] if the engine has failed and is required.
    pub fn scan(
        &mut self,
        groups: &mut [SensorGroup],
        tables: &[Table],
        moment: &Moment,
        crew: Crew<'_>,
    ) -> Result<(), ScanError> {
        let Some(surroundings) = moment.surroundings() else { return Ok(()) };
        let jobs = self.jobs(groups, tables);
        if jobs.is_empty() {
            return Ok(());
        }
        let Some(mut engine) = self.engine.take() else { return Ok(()) };
        match self.cast(&mut *engine, jobs, groups, surroundings, crew) {
            Ok(()) => self.engine = Some(engine),
            Err(error) if self.is_required => return Err(error),
            Err(error) => {
                let (step, time) = (moment.clock.steps, moment.clock.time());
                self.fallback = Some(ScanFallback { step, time, reason: error.text });
            }
        }
        Ok(())
    }

    /// Returns the rays of all sensors that the engine can cast.
    fn jobs(&mut self, groups: &mut [SensorGroup], tables: &[Table]) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (number, group) in groups.iter_mut().enumerate() {
            let is_due = group.is_fresh() && group.casts_rays();
            if !is_due || group.reason_for_cpu(self.is_required).is_some() {
                continue;
            }
            for lane in 0..group.members.len() {
                let now = &mut self.uses[group.members[lane].sensor];
                if matches!(now, Use::Cpu(_)) {
                    continue;
                }
                let Some(request) = group.request(lane, tables) else { continue };
                let job = Job { group: number, lane, request };
                now.follow(&job, group.directions(lane), &mut self.patterns);
                if matches!(now, Use::Engine(_)) {
                    jobs.push(job);
                }
            }
        }
        jobs
    }

    fn cast(
        &mut self,
        engine: &mut dyn ScanEngine,
        mut jobs: Vec<Job>,
        groups: &mut [SensorGroup],
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) -> Result<(), ScanError> {
        self.place(engine, &jobs, surroundings)?;
        if let Some(patterns) = self.patterns.take_new() {
            engine.set_patterns(patterns)?;
        }
        let Some(scene) = &self.scene else { return Ok(()) };
        jobs.retain(|job| job.is_covered(scene, surroundings));
        let (all, few): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.request.see_bodies);
        for (jobs, moving) in [all, few].into_iter().zip(&self.moving) {
            if jobs.is_empty() {
                continue;
            }
            self.poses.clear();
            for job in &jobs {
                let sensor = groups[job.group].members[job.lane].sensor;
                if let Use::Engine(patterns) = &self.uses[sensor] {
                    job.add_to(patterns, &mut self.poses);
                }
            }
            self.hits.clear();
            engine.scan(moving, &self.poses, &mut self.hits)?;
            let expected: usize = jobs.iter().map(|job| groups[job.group].rays()).sum();
            if self.hits.len() != expected {
                let found = self.hits.len();
                let text = format!("the engine returned {found} hits; expected {expected}");
                return Err(ScanError { text });
            }
            let mut rest = &self.hits[..];
            for job in &jobs {
                let group = &mut groups[job.group];
                let (hits, others) = rest.split_at(group.rays());
                rest = others;
                group.take(&job.request, hits, scene, moving, surroundings, crew);
            }
        }
        Ok(())
    }

    /// Brings the scene of the engine up to the present state.
    fn place(
        &mut self,
        engine: &mut dyn ScanEngine,
        jobs: &[Job],
        surroundings: &Surroundings,
    ) -> Result<(), ScanError> {
        let space = surroundings.space();
        let [moving, few] = &mut self.moving;
        let is_known = self.scene.as_ref().is_some_and(|scene| scene.place_moving(space, moving));
        if !is_known {
            let reach = jobs.iter().map(Job::reach).filter(|reach| *reach <= LONGEST);
            let scene = space.tessellate(reach.fold(0.0, f64::max).max(1.0));
            engine.load(&scene.meshes, &scene.fixed)?;
            scene.place_moving(space, moving);
            self.scene = Some(scene);
        }
        few.clear();
        few.extend(moving.iter().filter(|one| is_fixed(one.number, surroundings)));
        Ok(())
    }
}

/// Smallest number of rays from one pose that are cast by an engine, if there are several poses.
const RAYS_PER_POSE: usize = 8;

/// What casts the rays of a sensor.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Use {
    /// Not known before its first sample.
    Unknown,
    /// The CPU, for this reason.
    Cpu(&'static str),
    /// The engine, with these patterns for the poses.
    Engine(Vec<usize>),
}

impl Use {
    /// Returns the reason why the CPU casts the rays, or `None` if the engine does.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Unknown => Some("it has given no sample"),
            Self::Cpu(reason) => Some(reason),
            Self::Engine(_) => None,
        }
    }

    /// Decides what casts the rays of a sample with these directions.
    pub fn follow(&mut self, job: &Job, directions: &[[f64; 3]], patterns: &mut Patterns) {
        let Request { poses, group, see_own, see_bodies, own, is_new, .. } = &job.request;
        let count = job.request.all_poses().len();
        if let Self::Engine(known) = self {
            if !is_new && known.len() == count {
                return;
            }
            *self = Self::Cpu("its directions change from sample to sample");
        } else if !poses.is_empty() && *group < RAYS_PER_POSE {
            *self = Self::Cpu("few of its rays share a pose");
        } else if *see_own && !see_bodies && *own != NO_ENTITY {
            *self = Self::Cpu("it sees its own vehicle and no other bodies");
        } else {
            let group = directions.chunks((*group).max(1));
            *self = Self::Engine(group.map(|group| patterns.number_of(group)).collect());
        }
    }
}

/// The rays of one sensor.
struct Job {
    /// Index of the group, and lane of the sensor in it.
    pub group: usize,
    pub lane: usize,
    pub request: Request,
}

impl Job {
    /// Returns the height above and below 0 up to which the rays reach, m.
    pub fn reach(&self) -> f64 {
        let poses = self.request.all_poses().iter();
        poses.map(|pose| pose.z.abs()).fold(0.0, f64::max) + self.request.max_range
    }

    /// Returns whether the rays meet the same in the scene of the engine.
    pub fn is_covered(&self, scene: &Tessellation, surroundings: &Surroundings) -> bool {
        let mut poses = self.request.all_poses().iter().map(|pose| pose.position());
        poses.all(|position| scene.covers(surroundings.space(), position, self.request.max_range))
    }

    /// Adds the sensors of the engine that cast the rays.
    pub fn add_to(&self, patterns: &[usize], list: &mut Vec<ScanPose>) {
        let Request { own, see_own, max_range, .. } = self.request;
        let ignored = (own != NO_ENTITY && !see_own).then_some(own);
        let poses = self.request.all_poses().iter().zip(patterns);
        list.extend(poses.map(|(pose, pattern)| ScanPose {
            pattern: *pattern,
            position: pose.position(),
            rotation: pose.rotation(),
            max_range,
            ignored,
        }));
    }
}

/// Patterns of directions in the frame of their sensors.
#[derive(Default)]
struct Patterns {
    list: Vec<Vec<[f64; 3]>>,
    /// Patterns by the hash of their bits.
    numbers: HashMap<u64, Vec<usize>>,
    /// Whether there are patterns that the engine does not know.
    has_new: bool,
}

impl Patterns {
    /// Returns the number of a pattern.
    pub fn number_of(&mut self, directions: &[[f64; 3]]) -> usize {
        let mut hasher = DefaultHasher::new();
        directions.len().hash(&mut hasher);
        directions.as_flattened().iter().for_each(|part| part.to_bits().hash(&mut hasher));
        let known = self.numbers.entry(hasher.finish()).or_default();
        if let Some(number) = known.iter().find(|number| self.list[**number] == directions) {
            return *number;
        }
        known.push(self.list.len());
        self.list.push(directions.to_vec());
        self.has_new = true;
        self.list.len() - 1
    }

    /// Returns all patterns if there are new ones since the last call.
    pub fn take_new(&mut self) -> Option<&[Vec<[f64; 3]>]> {
        std::mem::take(&mut self.has_new).then_some(&*self.list)
    }
}

#[cfg(test)]
mod tests {
    use simhost_vectors::{Vec3, meet_triangle};
    use simhost_world::World;

    use crate::build::Options;
    use crate::scan_engine::{
        Placed, ScanEngine, ScanError, ScanPose, SensorEngine, TriangleHit, TriangleMesh,
    };
    use crate::simulation::Simulation;
    use crate::step::StepError;
    use crate::tests::read;

    type Vector = [f64; 3];

    /// An engine that casts rays one by one, and fails in a scan.
    #[derive(Default)]
    struct Fake {
        meshes: Vec<TriangleMesh>,
        fixed: Vec<Placed>,
        patterns: Vec<Vec<Vector>>,
        scans: usize,
        /// Number of the scan in which it fails.
        fails_in: Option<usize>,
    }

    impl Fake {
        fn nearest(&self, moving: &[Placed], sensor: &ScanPose, direction: Vector) -> TriangleHit {
            let turned = sensor.rotation.map(|row| Vec3::from(row).dot(direction.into()));
            let mut best = TriangleHit::NOTHING;
            let moving = moving.iter().filter(|one| sensor.ignored != Some(one.number));
            for one in self.fixed.iter().chain(moving) {
                let mesh = &self.meshes[one.mesh];
                let corner = |at: u32| {
                    let point = mesh.vertices[at as usize].map(|part| one.scale * part);
                    [0, 1, 2]
                        .map(|k| one.position[k] + Vec3::from(one.rotation[k]).dot(point.into()))
                };
                for (triangle, at) in (0..).zip(&mesh.triangles) {
                    let range = meet_triangle(
                        sensor.position.into(),
                        turned.into(),
                        at.map(corner).map(Vec3::from),
                    );
                    let range = range.filter(|range| *range <= sensor.max_range);
                    let range = range.unwrap_or(f64::INFINITY) as f32;
                    if range < best.range {
                        best = TriangleHit { range, piece: one.piece, triangle };
                    }
                }
            }
            best
        }
    }

    impl ScanEngine for Fake {
        fn name(&self) -> String {
            "fake".to_owned()
        }

        fn load(&mut self, meshes: &[TriangleMesh], fixed: &[Placed]) -> Result<(), ScanError> {
            (self.meshes, self.fixed) = (meshes.to_vec(), fixed.to_vec());
            Ok(())
        }

        fn set_patterns(&mut self, patterns: &[Vec<Vector>]) -> Result<(), ScanError> {
            self.patterns = patterns.to_vec();
            Ok(())
        }

        fn scan(
            &mut self,
            moving: &[Placed],
            sensors: &[ScanPose],
            hits: &mut Vec<TriangleHit>,
        ) -> Result<(), ScanError> {
            self.scans += 1;
            if self.fails_in == Some(self.scans) {
                return Err(ScanError { text: "the device is lost: a test".to_owned() });
            }
            for sensor in sensors {
                let rays = self.patterns[sensor.pattern].iter();
                hits.extend(rays.map(|ray| self.nearest(moving, sensor, *ray)));
            }
            Ok(())
        }
    }

    /// Returns a world with two vehicles that have a lidar, a block that moves, and a pillar. No ray lies in a surface, as
    /// it would in the top of a vehicle at 0.6 m.
    fn world(lidar: &str, more: &str) -> World {
        let vehicle = |name: &str, y: f64| {
            format!(
                "<vehicle name=\"{name}\"><init_pose>0 {y} 20</init_pose><init_vel>1 0 30</init_vel>\
             <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>\
             <sensor class=\"lidar3d\" name=\"lidar\"><pose_3d>0 0 0.73 0 0 0</pose_3d>\
             <vert_nrays>9</vert_nrays><horz_nrays>40</horz_nrays><range_std_noise>0</range_std_noise>\
             <max_range>30</max_range><sensor_period>0.05</sensor_period>{lidar}</sensor></vehicle>"
            )
        };
        let block = |name: &str, at: &str, form: &str| {
            format!(
                "<block name=\"{name}\"><init_pose>{at}</init_pose><init_vel>0.4 0 20</init_vel><mass>9</mass>\
             <shape_from_visual/><geometry {form}/></block>"
            )
        };
        let text = format!(
            "<mvsim_world><simul_timestep>0.01</simul_timestep>{}{}{}{}{more}<walls><wallHeight>2</wallHeight>\
         <shape><pt>-5 -4</pt><pt>5 -4</pt><pt>5 -4</pt><pt>5 6</pt></shape></walls></mvsim_world>",
            vehicle("a", 0.0),
            vehicle("b", 3.0),
            block("crate", "2 1 10", "type=\"box\" lx=\"0.6\" ly=\"0.8\" lz=\"0.9\""),
            block("pillar", "-2 1 0", "type=\"cylinder\" radius=\"0.3\" length=\"2\""),
        );
        read(&text)
    }

    fn simulation(world: &World, engine: Option<(Fake, bool)>, threads: usize) -> Simulation {
        let options = Options { seed: 1, threads };
        let mut simulation = Simulation::new(world, options).expect("the world is right");
        if let Some((engine, is_required)) = engine {
            simulation.set_scan_engine(Box::new(engine), is_required);
        }
        simulation.start().expect("nothing faults");
        simulation
    }

    /// Returns all samples of a few steps.
    fn samples(simulation: &mut Simulation) -> Vec<Vec<f64>> {
        let mut samples = Vec::new();
        for _ in 0..20 {
            simulation.step().expect("nothing fails");
            samples.extend(simulation.samples().readings().map(|(_, numbers)| numbers));
        }
        samples
    }

    /// Compares two samples, and returns the number of values that differ by more than 1e-4 of the larger.
    fn differences(some: &[Vec<f64>], others: &[Vec<f64>]) -> [usize; 2] {
        assert_eq!(some.len(), others.len());
        let pairs = some.iter().flatten().zip(others.iter().flatten());
        let is_far =
            |a: f64, b: f64| a != b && (a - b).abs() > 1e-4 * a.abs().max(b.abs()).max(1.0);
        let all = some.iter().flatten().count();
        [all, pairs.filter(|(a, b)| is_far(**a, **b)).count()]
    }

    fn engines(simulation: &Simulation) -> Vec<Option<&'static str>> {
        let report = simulation.samples().scan_report().expect("an engine is installed");
        assert_eq!(report.device, "fake");
        report.sensors.iter().map(|SensorEngine { on_cpu, .. }| *on_cpu).collect()
    }

    #[test]
    fn an_engine_reads_what_the_cpu_reads() {
        for lidar in ["", "<spin>10</spin>", "<ignore_parent_body>false</ignore_parent_body>"] {
            let world = world(lidar, "");
            let expected = samples(&mut simulation(&world, None, 1));
            assert!(expected.len() >= 6, "{} samples", expected.len());
            let mut fast = simulation(&world, Some((Fake::default(), false)), 1);
            let found = samples(&mut fast);
            let [all, far] = differences(&found, &expected);
            assert!(far <= all / 5000, "{lidar}: {far} of {all} values differ");
            assert_eq!(engines(&fast), [None, None], "{lidar}");
            assert_eq!(fast.samples().scan_fallback(), None);
            let mut slow = simulation(&world, None, 1);
            samples(&mut slow);
            assert_eq!(fast.result_hash(), slow.result_hash(), "{lidar}");
            assert_eq!(found, samples(&mut simulation(&world, Some((Fake::default(), false)), 3)));
        }
    }

    #[test]
    fn the_cpu_continues_after_a_failure() {
        let world = world("", "");
        let expected = samples(&mut simulation(&world, None, 1));
        let fake = Fake { fails_in: Some(2), ..Fake::default() };
        let mut failing = simulation(&world, Some((fake, false)), 1);
        let found = samples(&mut failing);
        // both vehicles, from the second sample on
        assert_eq!(found[2..], expected[2..]);
        assert_ne!(found[..2], expected[..2]);
        let fallback = failing.samples().scan_fallback().expect("the engine has failed");
        assert_eq!((fallback.step, fallback.time), (10, 0.1));
        assert_eq!(fallback.reason, "the device is lost: a test");
    }

    #[test]
    fn a_failure_of_a_required_engine_fails_the_step() {
        let world = world("", "");
        let fake = Fake { fails_in: Some(1), ..Fake::default() };
        let mut failing = simulation(&world, Some((fake, true)), 1);
        let ended = failing.run(20);
        assert!(
            matches!(&ended, Err(StepError::Scan(error)) if error.text.contains("lost")),
            "{ended:?}"
        );
        assert_eq!(failing.clock().steps, 5);
    }

    #[test]
    fn readings_that_have_an_influence_stay_on_the_cpu() {
        let fault = "<sensor class=\"laser\" name=\"plane\"/>";
        let noisy = world("<angle_std_noise_deg>0.1</angle_std_noise_deg>", fault);
        let mut found = simulation(&noisy, Some((Fake::default(), false)), 1);
        samples(&mut found);
        let changes = Some("its directions change from sample to sample");
        assert_eq!(engines(&found), [changes, changes, Some("its rays lie in a plane")]);
    }
}
