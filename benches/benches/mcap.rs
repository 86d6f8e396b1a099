//! Payload per second that a recording in MCAP takes: odometry, joint states and wheels of vehicles, at every
//! step.
#![allow(missing_docs)]

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput};
use simhost_mcap::McapSink;
use simhost_streams::{Sample, Sink, Stamp, Stream, ros, types};

/// Returns a number between -1 and 1 with all digits.
fn number(seed: usize) -> f64 {
    let bits = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
    2.0 * bits as f64 / (1_u64 << 53) as f64 - 1.0
}

fn streams(vehicles: usize) -> Vec<Arc<Stream>> {
    let kinds = [
        ("odometry", Arc::new(types::Odometry::TYPE)),
        ("joint_states", Arc::new(types::JointState::TYPE)),
        ("wheels", Arc::new(types::Wheels::TYPE)),
    ];
    let of = |vehicle: usize| {
        kinds.clone().map(|(name, kind)| {
            let mut stream = Stream::new(format!("v{vehicle}/{name}"), kind);
            stream.labels = ["fl", "fr", "rl", "rr"].map(str::to_owned).to_vec();
            Arc::new(stream)
        })
    };
    (0..vehicles).flat_map(of).collect()
}

/// Returns the numbers of a sample of each stream, and the bytes of their messages.
fn samples(streams: &[Arc<Stream>]) -> (Vec<Vec<f64>>, usize) {
    let mut payload = Vec::new();
    let numbers = streams.iter().enumerate().map(|(index, stream)| {
        let fields = stream.kind.fields.iter();
        let count = fields.map(|field| stream.len_of(field)).sum::<usize>();
        let numbers: Vec<f64> = (0..count).map(|k| number(1009 * index + k)).collect();
        ros::cdr(stream, &Sample::new(Stamp(0), &numbers), &mut payload);
        numbers
    });
    let numbers = numbers.collect();
    (numbers, payload.len())
}

fn recording(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("messages of a step");
    for vehicles in [1, 100] {
        let streams = streams(vehicles);
        let (mut numbers, payload) = samples(&streams);
        let folder = tempfile::tempdir().expect("the temporary directory is writable");
        let mut sink = McapSink::new(&folder.path().join("run.mcap"));
        sink.begin(&streams).expect("the file can be written");
        let mut step = 0;
        group.throughput(Throughput::Bytes(payload as u64));
        group.bench_function(BenchmarkId::from_parameter(vehicles), |bencher| {
            bencher.iter(|| {
                let stamp = Stamp(5_000_000 * step);
                for (stream, numbers) in numbers.iter_mut().enumerate() {
                    numbers.iter_mut().for_each(|number| *number += 1e-3);
                    sink.take(stream, &Sample::new(stamp, numbers)).expect("not full");
                }
                sink.end_of_step(stamp).expect("not full");
                step += 1;
            });
        });
        sink.finish().expect("the disk is not full");
    }
    group.finish();
}

simhost_benches::bench_main! { samples: 10, recording }
