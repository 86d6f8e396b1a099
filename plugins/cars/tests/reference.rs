//! Trajectories and modes of an independent model.
//!
//! `reference/NAME.csv` are runs of the car `car1500`, measured with the 14-degree-of-freedom model of
//! low-fidelity-dynamic-models (University of Wisconsin-Madison, Simulation-Based Engineering Laboratory,
//! commit 992faca, MIT), which implements the equations of Shim and Ghike, at steps of 10 µs. This project
//! has chosen the parameters of `car1500`. `reference/modes.csv` are eigenvalues of an independent
//! implementation of the same equations, linearised about rolling straight.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::path::Path;

use simhost_cars::car::{Car, CarState, Spring};
use simhost_cars::equations::{Acting, Equations};
use simhost_cars::tmeasy::{TMeasyTyre, TMeasyTyres};
use simhost_sdk::vectors::Vec3;
use simhost_tyres::tmeasy::load_index::Kind;

/// Largest errors: position, m; angles, rad; loads, N; loads of the kicks, N; lateral forces, N.
const TOLERANCE: [f64; 5] = [2e-3, 1e-4, 2.0, 5.0, 2.0];
/// Step of the integration, s.
const DT: f64 = 1e-3;

/// Returns the car, with the stiffness and damping of its springs, N/m and N·s/m.
pub fn car1500() -> (Car, TMeasyTyres) {
    let mut car = Car {
        mass: 1340.0,
        height: 0.55,
        inertia: [500.0, 2200.0, 2400.0],
        x: [-1.5, -1.5, 1.2, 1.2],
        y: [0.775, -0.775, 0.775, -0.775],
        unsprung: [40.0; 4],
        roll_arm: [0.45, 0.45, 0.5, 0.5],
        radius: [0.32; 4],
        tyre_stiffness: [322_835.509_417_808_27; 4],
        spin_inertia: [1.0; 4],
        gravity: 9.81,
        simplified: true,
        ..Car::default()
    };
    let load = car.body_load();
    car.springs = load.map(|preload| Spring { stiffness: 25e3, damping: 2.5e3, preload });
    let tyre = TMeasyTyre {
        nominal: 3016.575,
        directions: Kind::Passenger.directions().expect("a pattern has values"),
        grip: 1.0,
        free_weight: [0.375, 0.75],
        rolling: 0.012,
        coulomb_speed: 1.0,
        blend: [1.0, 3.0],
        radius: 0.32,
        inertia: 1.0,
    };
    (car, TMeasyTyres([tyre; 4]))
}

/// Returns the car rolling straight at a speed, m/s.
pub fn rolling(equations: &Equations<'_, TMeasyTyres>, speed: f64) -> CarState {
    let (car, rest) = (equations.car, equations.rest);
    let spin = std::array::from_fn(|wheel| {
        let load = car.tyre_stiffness[wheel] * rest.deflection[wheel];
        let loaded = car.radius[wheel] - rest.deflection[wheel];
        speed / equations.tyres.0[wheel].effective_radius(load, loaded)
    });
    CarState {
        position: Vec3::new(0.0, 0.0, car.height),
        velocity: Vec3::new(speed, 0.0, 0.0),
        spin,
        ..CarState::default()
    }
}

fn read(name: &str) -> Vec<BTreeMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    let text = std::fs::read_to_string(path).expect("the file exists");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("the file has a head").split(',').collect();
    let row = |line: &str| {
        head.iter()
            .zip(line.split(','))
            .map(|(key, value)| (key.to_string(), value.into()))
            .collect()
    };
    lines.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, key: &str) -> f64 {
    row[key].parse().expect("a number")
}

/// A manoeuvre: its start, and the points between which its inputs are linear: time, steering angle, drive
/// torque and brake torque per wheel.
struct Case {
    name: String,
    start: [f64; 4],
    points: Vec<[f64; 4]>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for row in read("cases.csv") {
        let start = ["u0", "w0", "wx0", "wy0"].map(|key| number(&row, key));
        let point = ["t", "steer", "drive", "brake"].map(|key| number(&row, key));
        match cases.last_mut().filter(|case| case.name == row["case"]) {
            Some(case) => case.points.push(point),
            None => cases.push(Case { name: row["case"].clone(), start, points: vec![point] }),
        }
    }
    cases
}

impl Case {
    /// Returns steering angle, drive torque and brake torque at a time.
    fn inputs(&self, time: f64) -> [f64; 3] {
        let next = self.points.partition_point(|point| point[0] <= time);
        let [a, b] = [&self.points[next.max(1) - 1], &self.points[next.min(self.points.len() - 1)]];
        let part = if b[0] > a[0] { ((time - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0) } else { 0.0 };
        let [_, steer, drive, brake] = [0, 1, 2, 3].map(|k: usize| a[k] + part * (b[k] - a[k]));
        [self.law(time).unwrap_or(steer), drive, brake]
    }

    /// Returns the steering angle of a manoeuvre that has a law: sampled every 5 ms, and linear between.
    fn law(&self, time: f64) -> Option<f64> {
        let number = (time / 0.005 + 1e-9).floor();
        let at = |number: f64| self.law_at(0.005 * number);
        let (one, other) = (at(number)?, at(number + 1.0)?);
        Some(one + (other - one) * (time / 0.005 - number))
    }

    fn law_at(&self, time: f64) -> Option<f64> {
        let parts: Vec<&str> = self.name.split('_').collect();
        let last = 1e-3 * parts.last()?.parse::<f64>().ok()?;
        Some(match parts[0] {
            "sine" => {
                let (t, period) = (time - 1.0, 1.0 / 0.7);
                let hold = 0.75 * period;
                match t {
                    t if t < 0.0 => 0.0,
                    t if t < hold => last * (TAU * t / period).sin(),
                    t if t < hold + 0.5 => -last,
                    t if t < period + 0.5 => last * (TAU * (t - 0.5) / period).sin(),
                    _ => 0.0,
                }
            }
            "lane" => {
                let period = if parts[2] == "15" { 2.0 } else { 1.6 };
                let (t, second) = (time - 1.0, time - 1.6 - period);
                match t {
                    t if t < 0.0 => 0.0,
                    t if t < period => last * (TAU * t / period).sin(),
                    _ if (0.0..period).contains(&second) => -last * (TAU * second / period).sin(),
                    _ => 0.0,
                }
            }
            "sweep" if time < 0.5 => 0.0,
            "sweep" => {
                let x = time - 0.5;
                last * (TAU * (0.2 * x + 0.5 * (2.3 / 12.0) * x * x)).sin()
            }
            _ => return None,
        })
    }

    fn acting(&self, time: f64) -> Acting {
        let [steer, drive, brake] = self.inputs(time);
        let steer = [0.0, 0.0, steer, steer];
        Acting { steer, torque: [drive; 4], brake: [brake; 4], ..Acting::NOTHING }
    }
}

/// Largest errors of a run: position, angles, loads, lateral forces.
fn errors(case: &Case, equations: &Equations<'_, TMeasyTyres>) -> [f64; 4] {
    let [speed, w, wx, wy] = case.start;
    let mut state = rolling(equations, speed);
    (state.velocity.z, state.rate.x, state.rate.y) = (w, wx, wy);
    let (mut steps, mut worst) = (0, [0.0_f64; 4]);
    for row in read(&format!("{}.csv", case.name)) {
        while (steps as f64) < number(&row, "t") / DT - 0.5 {
            let [now, then] = [steps, steps + 1].map(|number| case.acting(f64::from(number) * DT));
            equations.step(&mut state, [&now, &then], DT);
            steps += 1;
        }
        let (_, found) = equations.rates(&state, &case.acting(f64::from(steps) * DT));
        let mut add = |kind: usize, value: f64, key: &str| {
            worst[kind] = worst[kind].max((value - number(&row, key)).abs());
        };
        add(0, state.position.x, "x");
        add(0, state.position.y, "y");
        for (angle, key) in state.angles.into_iter().zip(["phi", "theta", "psi"]) {
            add(1, angle, key);
        }
        for (wheel, name) in ["rl", "rr", "fl", "fr"].into_iter().enumerate() {
            add(2, found.touch[wheel].load, &format!("fz_{name}"));
            add(3, found.force[wheel].fy, &format!("fy_{name}"));
        }
    }
    worst
}

#[test]
fn the_equations_reproduce_the_reference() {
    let (car, tyres) = car1500();
    let rest = car.rest();
    let equations = Equations { car: &car, rest: &rest, tyres: &tyres };
    let cases = cases();
    assert_eq!(cases.len(), 16);
    for case in cases {
        let [position, angle, load, lateral] = errors(&case, &equations);
        let [most_position, most_angle, most_load, most_kick, most_lateral] = TOLERANCE;
        let most_load = if case.name.starts_with("kick") { most_kick } else { most_load };
        assert!(position < most_position, "{}: {position} m", case.name);
        assert!(angle < most_angle, "{}: {angle} rad", case.name);
        assert!(load < most_load, "{}: {load} N", case.name);
        assert!(lateral < most_lateral, "{}: {lateral} N", case.name);
    }
}

/// Numbers that change slowly near rolling straight: roll, pitch, lateral velocity, vertical velocity, rates,
/// height, travels and their rates.
fn pack(state: &CarState) -> Vec<f64> {
    let [roll, pitch, _] = state.angles;
    let mut all = vec![roll, pitch, state.position.z];
    all.extend(state.velocity.to_array());
    all.extend(state.rate.to_array());
    all.extend(state.travel);
    all.extend(state.rise);
    all.extend(state.spin);
    all
}

fn unpack(numbers: &[f64]) -> CarState {
    let wheels = |first: usize| std::array::from_fn(|k| numbers[first + k]);
    CarState {
        position: Vec3::new(0.0, 0.0, numbers[2]),
        angles: [numbers[0], numbers[1], 0.0],
        velocity: Vec3::new(numbers[3], numbers[4], numbers[5]),
        rate: Vec3::new(numbers[6], numbers[7], numbers[8]),
        travel: wheels(9),
        rise: wheels(13),
        spin: wheels(17),
    }
}

/// Returns the determinant of A − (re + i im) I, divided by the product of its largest rows, as a measure of how near
/// the number is to an eigenvalue: Newton's method on it converges to the eigenvalue.
fn nearest_eigenvalue(a: &[Vec<f64>], guess: [f64; 2]) -> [f64; 2] {
    use std::ops::Mul;
    #[derive(Clone, Copy)]
    struct Complex([f64; 2]);
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, other: Self) -> Self {
            let (Self([a, b]), Self([c, d])) = (self, other);
            Self([a * c - b * d, a * d + b * c])
        }
    }
    let inverse = |Complex([a, b])| {
        let size = a * a + b * b;
        Complex([a / size, -b / size])
    };
    let less = |Complex([a, b]), Complex([c, d])| Complex([a - c, b - d]);
    let count = a.len();
    let mut value = Complex(guess);
    let mut vector = vec![Complex([1.0, 0.3]); count];
    // inverse iteration with the shift that follows the eigenvalue (Rayleigh)
    for _ in 0..12 {
        let mut rows: Vec<Vec<Complex>> = (0..count)
            .map(|i| {
                let own = |j: usize| {
                    let entry = Complex([a[i][j], 0.0]);
                    if i == j { less(entry, value) } else { entry }
                };
                (0..count).map(own).collect()
            })
            .collect();
        let mut right = vector.clone();
        for pivot in 0..count {
            let size = |row: usize| {
                let Complex([a, b]) = rows[row][pivot];
                a * a + b * b
            };
            let best = (pivot..count).max_by(|x, y| size(*x).total_cmp(&size(*y))).unwrap_or(pivot);
            rows.swap(pivot, best);
            right.swap(pivot, best);
            if size_of_entry(rows[pivot][pivot].0) == 0.0 {
                return value.0;
            }
            let by = inverse(rows[pivot][pivot]);
            let (above, below) = rows.split_at_mut(pivot + 1);
            let own = &above[pivot];
            for (offset, row) in below.iter_mut().enumerate() {
                let factor = row[pivot] * by;
                let entries = row.iter_mut().zip(own).skip(pivot);
                entries.for_each(|(entry, from)| *entry = less(*entry, factor * *from));
                let changed = less(right[pivot + 1 + offset], factor * right[pivot]);
                right[pivot + 1 + offset] = changed;
            }
        }
        let mut next = vec![Complex([0.0; 2]); count];
        for row in (0..count).rev() {
            let mut rest = right[row];
            let known = rows[row].iter().zip(&next).skip(row + 1);
            known.for_each(|(entry, value)| rest = less(rest, *entry * *value));
            next[row] = rest * inverse(rows[row][row]);
        }
        // the part of the old vector in the new one is 1/(λ − shift)
        let (mut up, mut down) = (Complex([0.0; 2]), Complex([0.0; 2]));
        for (new, old) in next.iter().zip(&vector) {
            let Complex([a, b]) = *old;
            let conjugate = Complex([-a, b]);
            up = less(up, conjugate * *new);
            down = less(down, conjugate * *old);
        }
        let shift = down * inverse(up);
        value = Complex([value.0[0] + shift.0[0], value.0[1] + shift.0[1]]);
        let largest = next.iter().map(|entry| size_of_entry(entry.0)).fold(0.0, f64::max);
        vector =
            next.into_iter().map(|Complex([a, b])| Complex([a / largest, b / largest])).collect();
    }
    value.0
}

fn size_of_entry([a, b]: [f64; 2]) -> f64 {
    (a * a + b * b).sqrt()
}

/// Returns the car rolling steadily at a speed, m/s, under a torque on each wheel, N·m.
fn steady(equations: &Equations<'_, TMeasyTyres>, speed: f64, acting: &Acting) -> CarState {
    let mut state = rolling(equations, speed);
    for _ in 0..20_000 {
        equations.step(&mut state, [acting, acting], DT);
        // the speed is held
        state.velocity.x = speed;
        state.position = Vec3::new(0.0, 0.0, state.position.z);
    }
    state
}

/// Returns the matrix of the equations linearised about a steady state.
fn linearised(
    equations: &Equations<'_, TMeasyTyres>,
    state: &CarState,
    acting: &Acting,
) -> Vec<Vec<f64>> {
    let centre = pack(state);
    let rate = |numbers: &[f64]| pack(&equations.rates(&unpack(numbers), acting).0);
    let column = |k: usize| {
        let h = 1e-6 * centre[k].abs().max(1.0);
        let moved = |by: f64| {
            let mut numbers = centre.clone();
            numbers[k] += by;
            rate(&numbers)
        };
        let (above, below) = (moved(h), moved(-h));
        above.iter().zip(below).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<f64>>()
    };
    let columns: Vec<Vec<f64>> = (0..centre.len()).map(column).collect();
    (0..centre.len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

/// Natural frequency and damping ratio of each oscillation agree within 0.5 %, and the rates of the others within
/// 1 %: at the small slip of a car that rolls, the slope of a tyre depends on the direction of the slip, and
/// that on the pitch and the weights of the steady state, which the reference does not determine.
#[test]
fn modes_are_those_of_the_reference() {
    let (car, tyres) = car1500();
    let rest = car.rest();
    let equations = Equations { car: &car, rest: &rest, tyres: &tyres };
    let rows = read("modes.csv");
    assert_eq!(rows.len(), 39);
    for speed in [10.0, 20.0, 30.0] {
        let of_speed: Vec<_> = rows.iter().filter(|row| number(row, "speed") == speed).collect();
        let torque = number(of_speed[0], "torque");
        let acting = Acting { torque: [torque; 4], ..Acting::NOTHING };
        let state = steady(&equations, speed, &acting);
        let matrix = linearised(&equations, &state, &acting);
        for row in of_speed {
            let expected = [number(row, "re"), number(row, "im")];
            let found = nearest_eigenvalue(&matrix, expected);
            let (size, natural) = (size_of_entry(found), size_of_entry(expected));
            let most = if expected[1] > 0.0 { 5e-3 } else { 1e-2 };
            assert!((size / natural - 1.0).abs() < most, "{speed} m/s: {found:?}, {expected:?}");
            let [ratio, damping] = [-found[0] / size, -expected[0] / natural];
            assert!(
                (ratio - damping).abs() < 5e-3 * damping,
                "{speed} m/s: {found:?}, {expected:?}"
            );
        }
    }
}
