//! Rays per second of scans in space, compared with Embree. The ranges are compared with brute force and with
//! Embree in the same run.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use simhost_benches::embree::Embree;
use simhost_benches::space::{Scene, balls, lidar};
use simhost_benches::{fastest, is_test_run, report};
use simhost_scene::Pose3;
use simhost_sensing::{Bundle, Return};

/// Number of balls and of their rings, for about 2,000, 8,600 and 55,000 triangles.
const SCENES: [(usize, usize); 3] = [(21, 5), (22, 10), (35, 20)];
/// Of so many rays, one is compared with brute force.
const SAMPLE: usize = 97;

fn bundle(directions: &[[f64; 3]]) -> Bundle<'_> {
    let pose = Pose3 { z: 0.3, ..Pose3::default() };
    Bundle { pose, poses: &[], rays_per_pose: 1, directions, max_range: f64::INFINITY }
}

/// Compares some rays of a scan with brute force.
fn check(scene: &Scene, directions: &[[f64; 3]], found: &[Return]) {
    let some: Vec<_> = directions.iter().copied().step_by(SAMPLE).collect();
    let mut expected = vec![Return::NOTHING; some.len()];
    scene.space.scan_by_force(&bundle(&some), &|_| true, &mut expected);
    for (found, expected) in found.iter().step_by(SAMPLE).zip(&expected) {
        assert_eq!(found, expected);
    }
}

/// Compares ranges with Embree, which has single precision.
fn check_with_embree(found: &[Return], ranges: &[f32]) {
    let differs = |(found, range): &(&Return, &f32)| {
        let range = f64::from(**range);
        found.range != range && (found.range - range).abs() > 1e-3 * (1.0 + range)
            || found.range.is_finite() != range.is_finite()
    };
    let count = found.iter().zip(ranges).filter(differs).count();
    assert!(count * 10_000 <= found.len(), "{count} of {} rays differ", found.len());
}

fn scans(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scan in space, 64 × 2048 rays");
    let directions = lidar();
    let embree = (!is_test_run()).then(Embree::build).flatten();
    for (count, rings) in SCENES {
        let scene = balls(count, rings);
        let mut found = vec![Return::NOTHING; directions.len()];
        scene.space.scan(&bundle(&directions), &|_| true, &mut found);
        check(&scene, &directions, &found);
        let name = format!("{} triangles", scene.triangles.len());
        group.throughput(Throughput::Elements(directions.len() as u64));
        group.bench_function(&name, |b| {
            b.iter(|| scene.space.scan(&bundle(&directions), &|_| true, &mut found));
        });
        if is_test_run() {
            continue;
        }
        let time = fastest(2, || scene.space.scan(&bundle(&directions), &|_| true, &mut found));
        let rate = |time: f64| directions.len() as f64 / time * 1e-6;
        let Some(embree) = &embree else {
            report(&format!("  {name}: {:.1} million rays/s, Embree not measured", rate(time)));
            continue;
        };
        let origin = [0.0, 0.0, 0.3];
        let peer = embree.scan(origin, &scene.triangles, &directions).expect("Embree runs");
        check_with_embree(&found, &peer.ranges);
        report(&format!(
            "  {name}: {:.1} million rays/s, Embree {:.1}, ratio {:.2}",
            rate(time),
            rate(peer.time),
            peer.time / time
        ));
    }
}

simhost_benches::bench_main! { samples: 10, scans }
