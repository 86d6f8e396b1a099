//! Tests of friction models.

mod limit;

use std::sync::Arc;

use simhost_sdk::Random;

pub(crate) use limit::limit;

use crate::case::Case;
use crate::draw;
use crate::draw::RADIUS;
use crate::instance::{Instance, Outcome, Stop, fail_for, of_seed};
use crate::rig::{DT, Rig, When};
use crate::tests::held::halving;

/// Normal load of the wheel, N.
const LOAD: f64 = 60.0;
/// Largest rolling resistance per normal load.
const RESISTANCE: f64 = 0.25;
/// Largest jump of the force per normal load.
const MOST_JUMP: f64 = 0.1;

/// Motion of a wheel.
#[derive(Clone, Copy, Debug)]
struct Motion {
    vx: f64,
    vy: f64,
    spin: f64,
}

impl Motion {
    /// Returns the inputs of a wheel with a usual load that is in this motion, in SI units.
    fn inputs(self) -> [(&'static str, f64); 10] {
        let Self { vx, vy, spin } = self;
        [
            ("vx", vx),
            ("vy", vy),
            ("spin", spin),
            ("torque", 0.0),
            ("normal_force", LOAD),
            ("gravity", 9.81),
            ("radius", RADIUS),
            ("inertia", 0.04),
            ("steer", 0.0),
            ("slope_fy", 0.0),
        ]
    }

    /// Returns the speed at which the contact patch slides, m/s.
    fn sliding(self) -> f64 {
        (self.vx - self.spin * RADIUS).hypot(self.vy)
    }
}

/// A wheel that starts from its initial state in each call.
struct Wheel<'c> {
    case: &'c Case,
    rig: Rig,
    start: Vec<Vec<f64>>,
    fixed: Vec<(&'static str, f64)>,
}

impl<'c> Wheel<'c> {
    fn new(case: &'c Case) -> Outcome<Self> {
        Self::with(case, case.rig(1)?)
    }

    fn with(case: &'c Case, rig: Rig) -> Outcome<Self> {
        let start = rig.states.clone();
        Ok(Self { case, rig, start, fixed: Vec::new() })
    }

    /// Returns (fx, fy), N, of one step.
    fn force(&mut self, motion: Motion) -> Outcome<[f64; 2]> {
        if self.rig.memories.is_some() {
            self.rig = self.case.rig(1)?;
        }
        self.rig.states.clone_from(&self.start);
        let phase = self.rig.phase("force").unwrap_or(0);
        for (name, value) in motion.inputs().into_iter().chain(self.fixed.iter().copied()) {
            self.rig.set(phase, name, value);
        }
        let when = When { step: 0, dt: DT };
        let result = self.rig.call(phase, 0..1, when);
        result.or_else(|fault| self.rig.blame(&fault, when))?;
        Ok(["fx", "fy"].map(|name| self.rig.output(phase, name).map_or(0.0, |column| column[0])))
    }

    /// Returns the power, W, that the last step gave to a wheel in this motion and to its vehicle.
    fn power(&self, motion: Motion, [fx, fy]: [f64; 2]) -> f64 {
        let phase = self.rig.phase("force").unwrap_or(0);
        let torque = self.rig.output(phase, "spin_torque").map_or(0.0, |column| column[0]);
        fx * motion.vx + fy * motion.vy + torque * motion.spin
    }

    fn given(&self) -> String {
        self.rig.inputs_of(0, When { step: 0, dt: DT })
    }
}

fn motion(random: &mut Random) -> Motion {
    let mut within = |reach: f64| reach * (2.0 * random.uniform() - 1.0);
    Motion { vx: within(3.0), vy: within(2.0), spin: within(15.0) }
}

/// `friction-zero-slip`
pub(crate) fn zero_slip(case: &Case) -> Outcome {
    let mut wheel = Wheel::new(case)?;
    let [fx, fy] = wheel.force(Motion { vx: 0.0, vy: 0.0, spin: 0.0 })?;
    if fx.hypot(fy) > 1e-9 * LOAD {
        return fail_for(format!("at rest the force is ({fx}, {fy}) N"), wheel.given());
    }
    for vx in [-3.0, -0.5, 0.1, 1.0, 4.0] {
        let [fx, fy] = wheel.force(Motion { vx, vy: 0.0, spin: vx / RADIUS })?;
        if fy.abs() > 1e-6 * LOAD {
            let what = format!("a wheel that rolls straight is pushed sideways by {fy} N");
            return fail_for(what, wheel.given());
        }
        if fx * vx > 1e-6 * LOAD || fx.abs() > RESISTANCE * LOAD {
            let what = format!(
                "a wheel that rolls without slip is pushed by {fx} N along its way, expected none or \
                 a rolling resistance of at most {RESISTANCE} of the load"
            );
            return fail_for(what, wheel.given());
        }
    }
    Ok(())
}

/// `friction-opposes-slip`
pub(crate) fn opposes_slip(case: &Case) -> Outcome {
    let mut wheel = Wheel::new(case)?;
    for seed in case.seeds() {
        let moving = motion(&mut Random::new(seed));
        let sliding = [moving.vx - moving.spin * RADIUS, moving.vy];
        if sliding[0].hypot(sliding[1]) < 0.5 {
            continue;
        }
        let [fx, fy] = wheel.force(moving)?;
        let power = fx * sliding[0] + fy * sliding[1];
        // rolling resistance opposes the rolling, whatever the sliding direction
        if power > 0.05 * LOAD * sliding[0].abs() {
            let what = format!("the force ({fx}, {fy}) N drives the sliding with {power} W");
            return of_seed(seed, fail_for(what, wheel.given()));
        }
        let power = wheel.power(moving, [fx, fy]);
        if power > 0.05 * LOAD * moving.vx.hypot(moving.vy) {
            let what = format!(
                "the force ({fx}, {fy}) N and `spin_torque` give {power} W to the wheel and the vehicle"
            );
            return of_seed(seed, fail_for(what, wheel.given()));
        }
    }
    Ok(())
}

/// `friction-mirror`
pub(crate) fn mirror(case: &Case) -> Outcome {
    let mut wheel = Wheel::new(case)?;
    for seed in case.seeds() {
        let moving = motion(&mut Random::new(seed));
        wheel.fixed = vec![("steer", 0.2), ("slope_fy", 5.0)];
        let [fx, fy] = wheel.force(moving)?;
        wheel.fixed = vec![("steer", -0.2), ("slope_fy", -5.0)];
        let [mirrored_fx, mirrored_fy] = wheel.force(Motion { vy: -moving.vy, ..moving })?;
        if (fx - mirrored_fx).abs() > 1e-6 * LOAD || (fy + mirrored_fy).abs() > 1e-6 * LOAD {
            let what = format!(
                "the force is ({fx}, {fy}) N, and ({mirrored_fx}, {mirrored_fy}) N mirrored"
            );
            return of_seed(seed, fail_for(what, wheel.given()));
        }
    }
    Ok(())
}

/// `friction-halving-dt`
pub(crate) fn halving_dt(case: &Case) -> Outcome {
    halving(case, "force", 1, |rig, seed| {
        let motion = motion(&mut Random::new(seed));
        rig.fill(0);
        let phase = rig.phase("force").unwrap_or(0);
        motion.inputs().iter().for_each(|(name, value)| rig.set(phase, name, *value));
        // a wheel that hardly slides may stop in a step
        motion.sliding() > 0.5
    })
}

/// A series of motions, from −1 to 1.
type Path = fn(f64) -> Motion;

/// `friction-continuous`
pub(crate) fn continuous(case: &Case) -> Outcome {
    let mut wheel = Wheel::new(case)?;
    let paths: [(&str, Path); 4] = [
        ("vx", |t| Motion { vx: 3.0 * t, vy: 0.3, spin: 5.0 }),
        ("vy", |t| Motion { vx: 1.0, vy: t, spin: 5.0 }),
        ("spin", |t| Motion { vx: 1.0, vy: 0.2, spin: 20.0 * t }),
        ("the speed of rolling", |t| Motion { vx: 2.0 * t, vy: 0.0, spin: 2.0 * t / RADIUS }),
    ];
    paths.into_iter().try_for_each(|(name, path)| along(&mut wheel, name, path))
}

/// Finds the largest change along a path and bisects its interval until only a jump remains.
fn along(wheel: &mut Wheel<'_>, name: &str, path: Path) -> Outcome {
    const PIECES: usize = 200;
    let place = |piece: usize| 2.0 * piece as f64 / PIECES as f64 - 1.003;
    let mut forces = Vec::new();
    for piece in 0..=PIECES {
        forces.push(wheel.force(path(place(piece)))?);
    }
    let apart = |one: [f64; 2], other: [f64; 2]| (one[0] - other[0]).hypot(one[1] - other[1]);
    let mut pieces: Vec<usize> = (0..PIECES).collect();
    pieces.sort_by(|one, other| {
        let change = |piece: &usize| apart(forces[*piece], forces[piece + 1]);
        change(other).total_cmp(&change(one))
    });
    for piece in pieces.into_iter().take(3) {
        let (mut low, mut high) = (place(piece), place(piece + 1));
        let (mut at_low, mut at_high) = (forces[piece], forces[piece + 1]);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            let at_middle = wheel.force(path(middle))?;
            if apart(at_low, at_middle) > apart(at_middle, at_high) {
                (high, at_high) = (middle, at_middle);
            } else {
                (low, at_low) = (middle, at_middle);
            }
        }
        let jump = apart(at_low, at_high);
        if jump > MOST_JUMP * LOAD {
            let what = format!(
                "the force jumps by {jump:.3} N as {name} passes a point: from \
                ({}, {}) to ({}, {}) N",
                at_low[0], at_low[1], at_high[0], at_high[1]
            );
            return fail_for(what, wheel.given());
        }
    }
    Ok(())
}

/// `friction-no-nan`
pub(crate) fn no_nan(case: &Case) -> Outcome {
    finite_without(&mut Wheel::new(case)?)?;
    for values in draw::at_bounds(draw::params(case.model), &case.values()) {
        let Ok(instance) = Instance::new(&case.class, &values) else { continue };
        let rig = Rig::new(&Arc::new(instance), 1, case.seed)?;
        // a model with memory is created anew with its defaults
        if rig.memories.is_some() {
            continue;
        }
        let checked = finite_without(&mut Wheel::with(case, rig)?);
        if let Err(Stop::Fail(mut failure)) = checked {
            let input = failure.input.unwrap_or_default();
            failure.input = Some(format!("{}; {input}", draw::listed(case.model, &values)));
            return Err(Stop::Fail(failure));
        }
    }
    Ok(())
}

/// Checks that the force is finite with each combination of load, torque, gravity and motion, or none
/// of it.
fn finite_without(wheel: &mut Wheel<'_>) -> Outcome {
    for bits in 0..64_u32 {
        let or_zero = |bit: u32, value: f64| if bits >> bit & 1 == 1 { value } else { 0.0 };
        wheel.fixed = vec![
            ("normal_force", or_zero(0, LOAD)),
            ("torque", or_zero(1, 2.0)),
            ("gravity", or_zero(2, 9.81)),
        ];
        let moving = Motion { vx: or_zero(3, 1.0), vy: or_zero(4, 0.4), spin: or_zero(5, 7.0) };
        wheel.force(moving)?;
        if let Some((what, _, value)) = wheel.rig.first_not_finite() {
            return fail_for(format!("{what} is {value}"), wheel.given());
        }
    }
    Ok(())
}
