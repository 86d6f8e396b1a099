//! Time that a fleet adds to a step, per vehicle, as it grows: gathering inputs from the tables, one
//! call, and passing commands on. The model itself does almost nothing.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput};
use simhost_benches::{build, crowd_world, fastest, is_test_run, report};
use simhost_registry::{Catalogue, Options};
use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

/// Steps of a measurement.
const STEPS: u64 = 16;

/// Drives all vehicles in the same circles as without a fleet.
#[derive(Params)]
struct Circles {}

#[derive(Ports)]
struct Pose {
    /// Pose.
    #[port(flatten)]
    pose: PlanarPose,
    /// Forward velocity.
    #[port(unit = "m/s")]
    vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
}

#[derive(Ports)]
struct Twist {
    /// Forward velocity.
    #[port(unit = "m/s")]
    command_vx: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    command_omega: f64,
}

#[model]
impl Fleet for Circles {
    const COMMANDS: CommandKinds = &[command!("twist": "command_vx", "", "command_omega")];

    fn command(&self, vehicles: &mut Group<'_, Pose, Twist, ()>) {
        for lane in 0..vehicles.len() {
            let Pose { pose: PlanarPose { x, y, yaw }, vx, omega } = *vehicles.inputs(lane);
            let small = 1e-12 * (x + y + yaw + vx + omega);
            let twist = Twist { command_vx: 1.0 + small, command_omega: 20.0 * math::DEG };
            vehicles.set(lane, &twist, &());
        }
    }
}

simhost_sdk::declare_plugin! {
    vendor: "bench",
    fleet: { "circles" => Circles },
}

fn fleet(criterion: &mut Criterion) {
    let catalogue = Catalogue::collect(Options::default()).expect("nothing to scan");
    let counts: &[usize] = if is_test_run() { &[250] } else { &[250, 1_000, 4_000, 16_000] };
    let mut group = criterion.benchmark_group("fleet/differential");
    let mut added = Vec::new();
    for &count in counts {
        let alone = crowd_world("differential", count);
        let element = "<fleet class=\"circles\" vehicles=\"*\"/></mvsim_world>";
        let led = alone.replace("</mvsim_world>", element);
        let times = [("without", &alone), ("with", &led)].map(|(name, text)| {
            let mut simulation = build(&catalogue, text, &[], 1);
            let mut run = || {
                for _ in 0..STEPS {
                    simulation.step().expect("nothing diverges");
                }
            };
            group.throughput(Throughput::Elements(STEPS * count as u64));
            group.bench_function(format!("{count} {name}"), |b| b.iter(&mut run));
            if is_test_run() {
                return 0.0;
            }
            fastest(1_000_000 / count, &mut run) / (STEPS as f64 * count as f64)
        });
        added.push(times[1] - times[0]);
    }
    for (count, time) in counts.iter().zip(&added) {
        report(&format!(
            "  {count:6} vehicles: a fleet adds {:.1} ns per vehicle and step",
            time * 1e9
        ));
    }
}

simhost_benches::bench_main! { samples: 10, fleet }
