//! Sensors on an engine that casts triangle after triangle, and on engines that fail.

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
                [0, 1, 2].map(|k| one.position[k] + Vec3::from(one.rotation[k]).dot(point.into()))
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
    let is_far = |a: f64, b: f64| a != b && (a - b).abs() > 1e-4 * a.abs().max(b.abs()).max(1.0);
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
