//! Time to add the rows of a step to the three standard files, and to write them.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput};
use simhost_record::{CsvRecorder, Standard, Tables};

const WHEELS: [&str; 2] = ["l", "r"];

/// Returns a number between -1 and 1 with all digits.
fn number(seed: usize) -> f64 {
    let bits = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
    2.0 * bits as f64 / (1_u64 << 53) as f64 - 1.0
}

fn add_step(recorder: &mut CsvRecorder, names: &[String], step: usize) {
    let time = 0.005 * step as f64;
    let mut tick = recorder.tick().expect("the disk is not full");
    for (k, vehicle) in names.iter().enumerate() {
        let at = |column: usize| number(step * 1009 + k * 37 + column);
        let motion = [at(0), at(1), 0.0, at(2), 0.0, 0.0, at(3), at(4), at(5)];
        tick.standard(Standard::Trajectory, time, [vehicle], &motion);
        tick.standard(Standard::Odometry, time, [vehicle], &motion);
        for wheel in WHEELS {
            let numbers = [at(6), at(7), 0.0, at(8), 93.195, at(9), at(10), at(11), at(12)];
            tick.standard(Standard::Wheels, time, [vehicle, wheel], &numbers);
        }
    }
}

fn recording(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rows of a step");
    for count in [1, 100, 1000] {
        let names: Vec<String> = (0..count).map(|k| format!("v{k}")).collect();
        let directory = tempfile::tempdir().expect("the temporary directory is writable");
        let tables = Tables::default();
        let mut recorder = CsvRecorder::create(directory.path(), tables).expect("writable");
        let mut step = 0;
        group.throughput(Throughput::Elements(count));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| {
                add_step(&mut recorder, &names, step);
                step += 1;
            });
        });
        recorder.finish().expect("the disk is not full");
        let text = std::fs::read_to_string(directory.path().join("wheels.csv")).expect("written");
        assert_eq!(text.lines().count(), 1 + step * names.len() * WHEELS.len());
    }
    group.finish();
}

simhost_benches::bench_main! { samples: 10, recording }
