//! Measures scans on a GPU, and compares some of their rays with 64-bit arithmetic in the same run.
//!
//! ```sh
//! cargo run --release -p simhost-gpu --example gpu_bench
//! cargo run --release -p simhost-gpu --example gpu_bench -- software 16
//! ```
//!
//! The first argument chooses the adapter: `require`, the default, or `software`. The second divides
//! the number of sensors, for adapters that would take minutes.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use simhost_gpu::reference::{Ray, Reference};
use simhost_gpu::{
    Device, GpuError, Instance, Light, Mesh, Output, Pattern, Pose, Preference, Readings, Scanner,
    Scene, Sensor, Submission,
};

/// Cells of the ground per side. It has 45,000 triangles.
const CELLS: usize = 150;
/// Fixed boxes of 12 triangles each.
const BOXES: usize = 420;
const MOVERS: usize = 200;
const ROUNDS: usize = 21;

/// A number from 0 to 1 that depends on two others (Steele, Lea and Flood 2014).
fn share(k: usize, salt: u64) -> f64 {
    let mut z = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(salt << 32);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z >> 11) as f64 / (1u64 << 53) as f64
}

fn cuboid(half: [f64; 3]) -> Mesh {
    let corner = |k: usize| [0, 1, 2].map(|axis| half[axis] * [-1.0, 1.0][k >> axis & 1]);
    let faces: [[u32; 4]; 6] =
        [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh { vertices: (0..8).map(corner).collect(), triangles, colours: Vec::new() }
}

fn ground() -> Mesh {
    let side = CELLS + 1;
    let at = |k: usize| (k as f64 - 0.5 * CELLS as f64) * 2.0;
    let vertices = (0..side * side).map(|k| {
        let (x, y) = (at(k % side), at(k / side));
        [x, y, (0.05 * x).sin() * (0.04 * y).cos() * 3.0 + 0.1 * share(k, 1)]
    });
    let triangles = (0..CELLS * CELLS).flat_map(|k| {
        let a = (k / CELLS * side + k % CELLS) as u32;
        let b = a + side as u32;
        [[a, a + 1, b + 1], [a, b + 1, b]]
    });
    Mesh { vertices: vertices.collect(), triangles: triangles.collect(), colours: Vec::new() }
}

fn placed(mesh: usize, k: usize, salt: u64, turn: f64) -> Instance {
    let position = [280.0 * share(k, salt) - 140.0, 280.0 * share(k, salt + 1) - 140.0, 1.0];
    let pose = Pose::new(position, std::f64::consts::TAU * share(k, salt + 2) + turn, 0.0, 0.0);
    let scale = [0.5 + share(k, salt + 3), 0.5 + share(k, salt + 4), 1.0 + share(k, salt + 5)];
    Instance { mesh, pose, scale, number: k as u32, group: None }
}

fn world() -> Scene {
    let floor = Instance { mesh: 0, pose: Pose::IDENTITY, scale: [1.0; 3], number: 0, group: None };
    let boxes = (0..BOXES).map(|k| placed(1, k, 10, 0.0));
    let meshes = vec![ground(), cuboid([3.0, 2.0, 2.5]), cuboid([2.2, 0.9, 0.8])];
    Scene { meshes, fixed: std::iter::once(floor).chain(boxes).collect() }
}

fn movers(round: usize) -> Vec<Instance> {
    let turn = 0.01 * round as f64;
    (0..MOVERS).map(|k| Instance { number: 10_000 + k as u32, ..placed(2, k, 20, turn) }).collect()
}

fn patterns() -> [Pattern; 3] {
    let azimuths: Vec<f64> =
        (0..2048).map(|k| f64::from(k) * std::f64::consts::TAU / 2048.0).collect();
    let elevations: Vec<f64> = (0..64).map(|k| -0.4 + 0.01 * f64::from(k)).collect();
    let lidar = Pattern::lattice(&azimuths, &elevations);
    let one = Pattern { directions: vec![[1.0, 0.0, 0.0]] };
    [lidar, Pattern::pinhole(64, 64, 1.4), one]
}

fn sensors(pattern: usize, count: usize) -> Vec<Sensor> {
    let place = |k: usize| {
        let pose = placed(0, k, 30, 0.0).pose;
        let [x, y, _] = pose.position;
        let pose = Pose { position: [0.8 * x, 0.8 * y, 5.5], ..pose };
        Sensor { pattern, pose, near: 0.3, far: 150.0, ignore: None, noise: None }
    };
    (0..count).map(place).collect()
}

/// Returns the median and the shortest time of rounds.
fn time(mut work: impl FnMut(usize) -> Result<(), GpuError>) -> Result<[Duration; 2], GpuError> {
    for round in 0..3 {
        work(round)?;
    }
    let mut times = Vec::with_capacity(ROUNDS);
    for round in 0..ROUNDS {
        let start = Instant::now();
        work(round)?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok([times[ROUNDS / 2], times[0]])
}

/// Compares about 4,000 rays with the reference, and returns how many of them differ.
fn check(scanner: &mut Scanner, pattern: &Pattern) -> Result<(usize, usize), GpuError> {
    let (movers, sensors) = (movers(1), sensors(0, 4));
    let reference = Reference::new(&world(), &movers);
    let all = Submission {
        movers: &movers,
        sensors: &sensors,
        output: Output::Hits,
        light: Light::default(),
    };
    let readings = scanner.scan(&all)?;
    let (mut differ, mut count) = (0, 0);
    for (k, sensor) in sensors.iter().enumerate() {
        let rays = readings.returns(k).zip(&pattern.directions).skip(k).step_by(131);
        for (found, direction) in rays {
            let direction = sensor.pose.rotate(*direction);
            let (near, far) = (sensor.near.into(), sensor.far.into());
            let ray = Ray { origin: sensor.pose.position, direction, near, far };
            let agrees = match (found, reference.cast(&ray, None)) {
                (None, None) => true,
                (Some(a), Some(b)) => (f64::from(a.range) - b.range).abs() <= 1e-4 * b.range,
                _ => false,
            };
            differ += usize::from(!agrees);
            count += 1;
        }
    }
    Ok((differ, count))
}

fn row(
    out: &mut impl Write,
    name: &str,
    [median, least]: [Duration; 2],
    rays: usize,
) -> io::Result<()> {
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    let rate = rays as f64 / micros(median);
    writeln!(
        out,
        "{name:<54} {:>12.0} {:>12.0} {rate:>12.1} {:>10.1}",
        micros(median),
        micros(least),
        1e6 / micros(median)
    )
}

fn measure(preference: Preference, divisor: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    let device = match Device::open(preference) {
        Ok(device) => device,
        Err(error) => {
            writeln!(out, "not measured: {error}")?;
            return Ok(());
        }
    };
    writeln!(out, "{}, {}", device.adapter(), device.adapter().driver)?;
    let patterns = patterns();
    let start = Instant::now();
    let mut scanner = Scanner::new(device, world(), &patterns)?;
    let (differ, count) = check(&mut scanner, &patterns[0])?;
    writeln!(
        out,
        "ready after {:.2} s; {differ} of {count} rays differ",
        start.elapsed().as_secs_f64()
    )?;
    if differ > 1 {
        return Err("the device disagrees with 64-bit arithmetic".into());
    }
    let light = Light::default();
    writeln!(
        out,
        "{:<54} {:>12} {:>12} {:>12} {:>10}",
        "", "median µs", "least µs", "Mrays/s", "Hz"
    )?;

    let (lidars, cameras) = (64usize.div_ceil(divisor), 1000usize.div_ceil(divisor));
    for (pattern, count, output) in [
        (0, lidars, Output::Ranges),
        (0, lidars, Output::Hits),
        (1, cameras, Output::Ranges),
        (1, cameras, Output::Image),
    ] {
        let sensors = sensors(pattern, count);
        let times = time(|round| {
            let movers = movers(round);
            scanner.launch(&Submission { movers: &movers, sensors: &sensors, output, light })?;
            scanner.wait()
        })?;
        let rays = count * patterns[pattern].directions.len();
        let kind = ["lidars of 64 × 2048", "cameras of 64 × 64"][pattern];
        row(&mut out, &format!("{count} {kind}, {output:?}, on the device"), times, rays)?;
    }
    let mut readings = Readings::default();
    for (pattern, name) in [(0, "1 lidar of 64 × 2048"), (1, "1 camera of 64 × 64"), (2, "1 ray")]
    {
        let sensors = sensors(pattern, 1);
        let times = time(|round| {
            let movers = movers(round);
            let output = Output::Ranges;
            scanner.scan_into(
                &Submission { movers: &movers, sensors: &sensors, output, light },
                &mut readings,
            )
        })?;
        let rays = patterns[pattern].directions.len();
        row(&mut out, &format!("{name}, ranges read back"), times, rays)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let preference = match arguments.next().as_deref() {
        None | Some("require") => Preference::Require,
        Some("software") => Preference::Software,
        Some(other) => {
            return Err(format!("unknown adapter '{other}'; expected require or software").into());
        }
    };
    let divisor = arguments.next().map_or(Ok(1), |text| text.parse::<usize>())?;
    measure(preference, divisor.max(1))
}
