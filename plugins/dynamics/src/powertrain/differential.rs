//! Differentials that couple two shafts: open, Torsen, locked, or electronic.
//!
//! The kinematics correspond to a planetary gear: a share s of the torque goes to the first shaft,
//! and the input turns at s ω₁ + (1 − s) ω₂, so that the gear loses no power. In addition, a
//! locking torque L acts from the first shaft to the second. It is the torque for which both shafts
//! turn at the same speed at the end of the step, L = I (ω₁ − ω₂)/(2 dt) plus the observed load
//! that pulls them apart, limited by the type: zero when open, unlimited when locked, `lock_torque`
//! when electronic. A Torsen differential limits it so that the torque of the slower shaft is at
//! most `bias` times the torque of the faster shaft, which for equal shares is L = T/2 (b − 1)/(b +
//! 1), plus half the preload. Source: S. E. Chocholek, "The development of a differential for the
//! improvement of traction control", IMechE C368/88, 1988; the locking torque is an impulse as in
//! B. Mirtich and J. Canny, "Impulse-based simulation of rigid bodies", 1995.
//!
//! **Limit:** the inertia of the shafts is a parameter; above 4/3 of the true inertia the lock
//! oscillates. A sudden load is met one step later: the lock can add a little energy in that step
//! and removes it in the next.

use simhost_sdk::prelude::*;

/// A differential between two shafts.
#[derive(Params)]
pub struct Differential {
    /// Type of the differential.
    #[param(default = "open")]
    kind: Kind,
    /// Share of the torque on the first shaft, which is the left wheel or the front axle.
    #[param(default = 0.5, above = 0.0, below = 1.0)]
    split: f64,
    /// Torsen: ratio of the torque of the slower shaft to the torque of the faster shaft, up to
    /// which it stays locked. A larger value sends more torque to the wheel with grip.
    #[param(default = 2.5, range = 1.0..)]
    bias: f64,
    /// Torsen: torque difference between the shafts that it locks without load.
    #[param(default = 0.0, range = 0.0.., unit = "N·m", scaling = Scaling::WHEEL_TORQUE)]
    preload: f64,
    /// Electronic: largest torque from the faster to the slower shaft.
    #[param(default = 500.0, range = 0.0.., unit = "N·m", scaling = Scaling::WHEEL_TORQUE)]
    lock_torque: f64,
}

#[cfg(test)]
impl Differential {
    /// Returns a differential with this share and locking torque and without bias.
    pub(crate) fn with(kind: Kind, split: f64, lock_torque: f64) -> Self {
        Self { kind, split, bias: 1.0, preload: 0.0, lock_torque }
    }
}

/// Type of a differential.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    #[param(key = "open")]
    Open,
    #[param(key = "torsen")]
    Torsen,
    #[param(key = "locked")]
    Locked,
    #[param(key = "electronic")]
    Electronic,
}

/// The two shafts of a differential.
#[derive(Clone, Copy)]
pub struct Shafts {
    /// Speeds of the shafts, rad/s.
    pub spin: [f64; 2],
    /// Inertia of each shaft, kg·m².
    pub inertia: f64,
}

impl Differential {
    /// Returns the shares of the torque on both shafts without locking.
    #[inline(always)]
    pub fn shares(&self) -> [f64; 2] {
        [self.split, 1.0 - self.split]
    }

    /// Returns the speed of the input, rad/s.
    #[inline(always)]
    pub fn input_speed(&self, spin: [f64; 2]) -> f64 {
        self.split * spin[0] + (1.0 - self.split) * spin[1]
    }

    /// Returns the torques on both shafts, N·m, for `torque` at the input. `apart` is the speed
    /// difference, rad/s, that is expected at the end of the step if no load pulls the shafts
    /// apart.
    #[inline(always)]
    pub fn divide(&self, torque: f64, shafts: Shafts, dt: f64, apart: &mut f64) -> [f64; 2] {
        let now = shafts.spin[0] - shafts.spin[1];
        let pulled = now - *apart;
        let nominal = [self.split * torque, (1.0 - self.split) * torque];
        // unequal shares also pull the shafts apart, but they are known in advance and are not a
        // load
        let unequal = 0.5 * (nominal[0] - nominal[1]);
        let stiffness = 0.5 * shafts.inertia / dt.max(1e-9);
        let wanted = stiffness * (now + pulled) + unequal;
        let [forwards, backwards] = self.limits(torque);
        let lock = wanted.min(forwards).max(-backwards);
        *apart = now - (lock - unequal) / stiffness;
        [nominal[0] - lock, nominal[1] + lock]
    }

    /// Returns the largest locking torques from the first shaft to the second, and back.
    #[inline(always)]
    fn limits(&self, torque: f64) -> [f64; 2] {
        let (s, b) = (self.split, self.bias);
        match self.kind {
            Kind::Open => [0.0; 2],
            Kind::Locked => [f64::INFINITY; 2],
            Kind::Electronic => [self.lock_torque; 2],
            Kind::Torsen => {
                let biased = torque.abs() * s * (1.0 - s) * (b - 1.0);
                [s + b * (1.0 - s), (1.0 - s) + b * s].map(|d| biased / d + 0.5 * self.preload)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f64 = 0.001;
    const INERTIA: f64 = 0.8;

    fn made(kind: Kind) -> Differential {
        Differential { kind, split: 0.5, bias: 3.0, preload: 0.0, lock_torque: 50.0 }
    }

    /// Returns the spins after `steps` steps under a torque and loads per step, and the work of all
    /// of them, J.
    fn turn(
        differential: &Differential,
        torque: f64,
        mut spin: [f64; 2],
        loads: impl Fn(usize) -> [f64; 2],
        steps: usize,
    ) -> ([f64; 2], f64) {
        let (mut apart, mut work) = (spin[0] - spin[1], 0.0);
        for step in 0..steps {
            let shafts = Shafts { spin, inertia: INERTIA };
            let torques = differential.divide(torque, shafts, DT, &mut apart);
            let before = spin;
            for shaft in 0..2 {
                spin[shaft] += DT / INERTIA * (torques[shaft] + loads(step)[shaft]);
                work += DT * loads(step)[shaft] * 0.5 * (before[shaft] + spin[shaft]);
            }
            let input = [before, spin].map(|spin| differential.input_speed(spin));
            work += DT * torque * 0.5 * (input[0] + input[1]);
        }
        (spin, work)
    }

    fn energy(spin: [f64; 2]) -> f64 {
        0.5 * INERTIA * (spin[0] * spin[0] + spin[1] * spin[1])
    }

    const NONE: fn(usize) -> [f64; 2] = |_| [0.0; 2];

    #[test]
    fn a_locked_one_equalises_speeds_in_one_step_and_keeps_momentum() {
        let ([one, two], _) = turn(&made(Kind::Locked), 0.0, [30.0, 10.0], NONE, 1);
        assert!((one - 20.0).abs() < 1e-9 && (two - 20.0).abs() < 1e-9, "{one} {two}");
        let ([one, two], _) = turn(&made(Kind::Locked), 0.0, [-30.0, 10.0], NONE, 1);
        assert!((one + 10.0).abs() < 1e-9 && (two + 10.0).abs() < 1e-9, "{one} {two}");
    }

    #[test]
    fn a_locked_one_holds_equal_speeds_under_unequal_loads_and_shares() {
        for split in [0.5, 0.3] {
            let locked = Differential { split, ..made(Kind::Locked) };
            let ([one, two], _) = turn(&locked, 300.0, [0.0; 2], |_| [0.0, -200.0], 100);
            assert!((one - two).abs() < 1e-9, "{one} {two}");
            // 100 N·m accelerate both shafts
            assert!((one - 100.0 * 0.1 / (2.0 * INERTIA)).abs() < 1e-9, "{one}");
        }
    }

    #[test]
    fn an_open_one_divides_by_its_share_alone() {
        let mut apart = 0.0;
        let shafts = Shafts { spin: [50.0, -3.0], inertia: INERTIA };
        let open = Differential { split: 0.3, ..made(Kind::Open) };
        let [one, two] = open.divide(200.0, shafts, DT, &mut apart);
        assert!((one - 60.0).abs() < 1e-12 && (two - 140.0).abs() < 1e-12, "{one} {two}");
    }

    #[test]
    fn a_torsen_gives_the_slower_shaft_its_bias_and_no_more() {
        for (spin, split) in [([50.0, 2.0], 0.5), ([50.0, 2.0], 0.4)] {
            let torsen = Differential { split, ..made(Kind::Torsen) };
            let share = |spin| {
                let shafts = Shafts { spin, inertia: INERTIA };
                torsen.divide(200.0, shafts, DT, &mut 0.0)
            };
            let [fast, slow] = share(spin);
            assert!((slow / fast - 3.0 * (1.0 - split) / split).abs() < 1e-9, "{slow} {fast}");
            assert!((slow + fast - 200.0).abs() < 1e-9);
            let [slow, fast] = share([spin[1], spin[0]]);
            assert!((slow / fast - 3.0 * split / (1.0 - split)).abs() < 1e-9, "{slow} {fast}");
        }
        // closed form for equal shares: T/2 (b - 1)/(b + 1) plus half the preload
        let torsen = Differential { preload: 10.0, ..made(Kind::Torsen) };
        let shafts = Shafts { spin: [50.0, 2.0], inertia: INERTIA };
        let [fast, _] = torsen.divide(200.0, shafts, DT, &mut 0.0);
        assert!((fast - (100.0 - 50.0 - 5.0)).abs() < 1e-9, "{fast}");
    }

    #[test]
    fn electronics_lock_up_to_their_torque() {
        let ([one, two], _) = turn(&made(Kind::Electronic), 0.0, [30.0, 10.0], NONE, 100);
        let slower = 0.1 * 50.0 / INERTIA;
        assert!((one - (30.0 - slower)).abs() < 1e-9 && (two - (10.0 + slower)).abs() < 1e-9);
    }

    #[test]
    fn a_wrong_inertia_is_late_when_low_and_rings_when_high() {
        let apart = |given: f64| {
            let locked = made(Kind::Locked);
            let (mut spin, mut apart) = ([30.0, 10.0], 20.0);
            for _ in 0..400 {
                let shafts = Shafts { spin, inertia: given * INERTIA };
                let torques = locked.divide(0.0, shafts, DT, &mut apart);
                spin[0] += DT / INERTIA * (torques[0] + 50.0);
                spin[1] += DT / INERTIA * torques[1];
            }
            (spin[0] - spin[1]).abs()
        };
        assert!(apart(0.07) < 1e-3 && apart(1.0) < 1e-9 && apart(1.3) < 1e-3);
        assert!(apart(1.4) > 1e3);
    }

    #[test]
    fn no_kind_makes_energy() {
        let loads = |step: usize| {
            let phase = step as f64 * 0.37;
            [150.0 * phase.sin(), 90.0 * (2.3 * phase).cos()]
        };
        for kind in [Kind::Open, Kind::Torsen, Kind::Locked, Kind::Electronic] {
            for (split, torque) in [(0.5, 0.0), (0.5, 250.0), (0.35, -250.0)] {
                let differential = Differential { split, ..made(kind) };
                for steps in 1..400 {
                    let start = [30.0, 10.0];
                    let (spin, work) = turn(&differential, torque, start, loads, steps);
                    let lost = energy(start) + work - energy(spin);
                    assert!(lost > -1e-9, "{kind:?} {split} {torque} {steps}: {lost} J");
                    assert!(kind != Kind::Open || lost < 1e-9, "{lost} J");
                }
            }
        }
    }
}
