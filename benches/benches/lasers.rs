//! Rays per second of planar scans. The ranges are compared with brute force in the same run.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group};
use simhost_benches::scans::{fan, floor_plan, full_turn, random_cells, segments};
use simhost_scene::Pose2;
use simhost_sensing::{PlanarScene, reference};

/// Compares the ranges from some points with those of brute force.
fn check(scene: &PlanarScene, points: &[[f64; 2]], angles: &[f64]) {
    let (mut fast, mut slow) = (vec![0.0; angles.len()], vec![0.0; angles.len()]);
    for &[x, y] in points.iter().take(20) {
        let fan = fan(Pose2 { x, y, yaw: x + y }, angles);
        scene.cast(&fan, &mut fast);
        reference::cast(scene, &fan, &mut slow);
        assert_eq!(fast, slow, "from {:?}", fan.origin);
    }
}

fn scans(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scan");
    let ((plan, rooms), (noise, gaps)) = (floor_plan(), random_cells(0.05));
    let few = segments(200);
    let middle = [[0.0, 0.0], [0.3, -0.2], [-0.4, 0.7]];
    let scenes: [(&str, &PlanarScene, &[[f64; 2]]); 3] = [
        ("floor plan", &plan, &rooms),
        ("5 % random cells", &noise, &gaps),
        ("200 segments", &few, &middle),
    ];
    for (name, scene, points) in scenes {
        for rays in [361, 1080] {
            let angles = full_turn(rays);
            check(scene, points, &angles);
            let mut ranges = vec![0.0; rays];
            let mut at = points.iter().cycle();
            group.throughput(Throughput::Elements(rays as u64));
            group.bench_function(format!("{name}, {rays} rays"), |b| {
                b.iter(|| {
                    let [x, y] = *at.next().expect("a cycle does not end");
                    scene.cast(&fan(Pose2 { x, y, yaw: x + y }, &angles), &mut ranges)
                });
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(1));
    targets = scans
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
}
