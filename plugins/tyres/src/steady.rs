//! Steady tyres: their common interface, and their force on a wheel including relaxation and
//! standstill.
//!
//! A steady tyre defines the force at a steady slip: κ = (R ω − v_x)/|v_x| and tan α = v_y/|v_x|.
//! The effective slip follows with the relaxation length σ: q̇ = (|v_x|/σ)(q_ss − q), which is σ q̇
//! = s − |v_x| q with the creep s. At speed this is a lag, at standstill a spring. Source: H. B.
//! Pacejka, *Tire and Vehicle Dynamics*, 3rd ed., 2012, section 7.2. By backward Euler q = (σ q₀ +
//! dt s)/(σ + dt |v_x|); without relaxation that is the steady slip.
//!
//! Simplification: by default the relaxation length is the same for both directions, all loads and all slips; a
//! tyre can have others ([`SteadyTyre::relaxation`]), which are those at the start of the step. Below 1 m/s the spring has a damper, F ~ q + τ (s − |v_x| q), which does not affect a steady
//! slip (Pacejka 2012, chapter 8, has a similar one), with the τ that damps the mass on it
//! critically at standstill. At standstill the spring is limited to one and a half times the slip
//! at which the linear tyre reaches its limit.
//!
//! A wheel that rolls backwards is treated as one that rolls forwards, seen from behind.

use simhost_sdk::{Force, Params, Scaling, State, Step};

use crate::contact::{self, Brake, Line, Patch, Shaft, Wheel};

/// Slip below which the curve counts as linear.
const STRAIGHT: f64 = 1e-6;
/// Smallest speed by which slip is divided, m/s.
const LEAST_SPEED: f64 = 1e-9;
/// Speed at which half of the offsets of a rolling tyre act, m/s.
const OFFSET_SPEED: f64 = 0.1;
/// Speed below which the carcass is also a damped spring, and the smallest speed by which its slip
/// is divided, m/s.
const SPRING_SPEED: f64 = 1.0;
/// Largest τ of its damper, s/m.
const MOST_DAMPING: f64 = 5.0;
/// Largest deflection of the carcass at standstill, relative to the limit of the linear tyre.
const WINDING: f64 = 1.5;

/// Steady slip of a tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip {
    /// Slip ratio (R ω − v_x)/|v_x|: positive when driving, −1 for a locked wheel.
    pub kappa: f64,
    /// Tangent of the slip angle, v_y/|v_x|: positive when the wheel drifts to its left.
    pub tan_alpha: f64,
    /// Rolling speed divided by travelling speed, |R ω/v_x|, which is |1 + κ| in a steady state.
    pub rolling: f64,
    /// Camber, rad, positive when the top leans to the right of the rolling direction.
    pub camber: f64,
}

impl Slip {
    /// Returns the slip for a slip ratio and a slip angle, rad.
    #[inline(always)]
    pub fn of(kappa: f64, alpha: f64) -> Self {
        Self::along(kappa, simhost_sdk::math::tan(alpha))
    }

    /// Returns the slip for a slip ratio and the tangent of a slip angle.
    #[inline(always)]
    pub fn along(kappa: f64, tan_alpha: f64) -> Self {
        Self { kappa, tan_alpha, rolling: (1.0 + kappa).abs(), camber: 0.0 }
    }

    /// Returns the slip angle, rad.
    #[inline(always)]
    pub fn alpha(&self) -> f64 {
        simhost_sdk::math::atan(self.tan_alpha)
    }

    /// Returns the length of (κ, tan α).
    #[inline(always)]
    pub fn size(&self) -> f64 {
        (self.kappa * self.kappa + self.tan_alpha * self.tan_alpha).sqrt()
    }
}

/// The properties of a tyre in addition to its slip curve.
#[derive(Clone, Copy, Debug, Default, Params)]
pub struct Carcass {
    /// Rolling resistance coefficient. A larger value makes the vehicle coast less far.
    #[param(default = 0.015, range = 0.0..=1.0, unit = "1", key = "C_rr",
            alias = "rolling_resistance", per_lane)]
    pub c_rr: f64,
    /// Viscous damping of the wheel bearing. A larger value makes the vehicle coast less far.
    #[param(default = 0.01, range = 0.0.., unit = "N·m·s/rad", key = "C_damping", per_lane,
            scaling = Scaling::WHEEL_DAMPING)]
    pub c_damping: f64,
    /// Distance that the tyre rolls until its force follows a change of slip; 0 for an immediate
    /// response. A larger value makes the vehicle respond later.
    #[param(default = 0.0, range = 0.0..=10.0, unit = "m", per_lane, scaling = Scaling::INVARIANT)]
    pub relaxation_length: f64,
}

/// A steady tyre. Its methods are called in every step and must not allocate.
pub trait SteadyTyre {
    /// Returns (F_x, F_y) on the wheel, N, under `load`, N, on ground with `grip` times the
    /// friction on which the parameters were measured.
    fn force(&self, slip: &Slip, load: f64, grip: f64) -> [f64; 2];
    /// Returns the largest resultant force, N, by default from [`Self::mu`].
    #[inline(always)]
    fn peak(&self, load: f64, grip: f64) -> f64 {
        self.mu() * grip * load
    }
    /// Returns the friction coefficient of the ground on which the parameters were measured: the
    /// largest force per load.
    fn mu(&self) -> f64;
    /// Returns the properties besides the slip curve.
    fn carcass(&self) -> Carcass;
    /// Returns whether the resultant force under combined slip can exceed [`Self::peak`].
    #[inline(always)]
    fn can_exceed_peak(&self) -> bool {
        false
    }
    /// Returns whether the slip of the tyre lags.
    #[inline(always)]
    fn relaxes(&self) -> bool {
        self.carcass().relaxation_length > 0.0
    }
    /// Returns the longitudinal and the lateral relaxation length, m, at the start of the step, with an
    /// effective slip, on ground with `grip` times the friction.
    #[inline(always)]
    fn relaxation(&self, _wheel: &Wheel, _lag: &Lag, _grip: f64) -> [f64; 2] {
        [self.carcass().relaxation_length; 2]
    }
    /// Returns τ of the dampers of the carcass, s/m, if the tyre has them; otherwise dampers for
    /// the mass on the wheel act below 1 m/s.
    #[inline(always)]
    fn damping(&self, _wheel: &Wheel, _lag: &Lag, _grip: f64) -> [Option<f64>; 2] {
        [None; 2]
    }
    /// Returns the rolling resistance coefficient of a wheel on a ground that sets none.
    #[inline(always)]
    fn resistance(&self, _wheel: &Wheel, _lag: &Lag, _grip: f64) -> f64 {
        self.carcass().c_rr
    }
    /// Returns the effective rolling radius of a wheel of the radius `radius`, m, under a load, N, at a spin, rad/s.
    #[inline(always)]
    fn rolling_radius(&self, radius: f64, _load: f64, _spin: f64) -> f64 {
        radius
    }
    /// Returns the offsets of the force, N: the forces at the same slip without its longitudinal
    /// component, and without its lateral component. An asymmetric tyre has such offsets while it
    /// rolls.
    #[inline(always)]
    fn offset(&self, _slip: &Slip, _load: f64, _grip: f64) -> [f64; 2] {
        [0.0; 2]
    }
}

/// The effective slip, which lags behind the steady one. Without a relaxation length it is the steady slip
/// at the end of the step, which has no influence on the next one.
#[derive(Clone, Copy, Debug, Default, State)]
pub struct Lag {
    /// Slip ratio.
    #[state(unit = "1")]
    pub kappa: f64,
    /// Tangent of the slip angle to the right.
    #[state(unit = "1")]
    pub lateral: f64,
}

/// A steady tyre on the ground during a step.
struct Standing<'t, T> {
    tyre: &'t T,
    load: f64,
    grip: f64,
    speed: f64,
    /// Direction of travel: 1 forwards, −1 backwards.
    ahead: f64,
    dt: f64,
    /// Whether the slip lags.
    relaxes: bool,
    /// Relaxation length in each direction, m.
    sigma: [f64; 2],
    lag: [f64; 2],
    /// Camber, rad.
    camber: f64,
    /// τ of the damper in each direction, s/m.
    damping: [f64; 2],
}

impl<T: SteadyTyre> Standing<'_, T> {
    /// Returns the slip at the end of the step, (κ, −tan α).
    #[inline(always)]
    fn slip(&self, creep: [f64; 2], locked: bool) -> [f64; 2] {
        let (kept, gained) = self.weights(self.speed_of(creep, locked));
        both!(axis => kept[axis] * self.lag[axis] + gained[axis] * creep[axis])
    }

    /// Returns the slip that determines the force, as a part that is held and a part per creep, 1
    /// and s/m.
    #[inline(always)]
    fn acting(&self, speed: f64) -> ([f64; 2], [f64; 2]) {
        let (kept, gained) = self.weights(speed);
        let rest = both!(axis => 1.0 - self.damping[axis] * speed);
        let held = both!(axis => rest[axis] * kept[axis] * self.lag[axis]);
        (held, both!(axis => rest[axis] * gained[axis] + self.damping[axis]))
    }

    /// Adds critical damping of the mass on the carcass at standstill, which fades out up to
    /// walking speed.
    #[inline(always)]
    fn damped(mut self, mass: f64, own: [Option<f64>; 2]) -> Self {
        let (_, stiffness) = self.secants([0.0; 2]);
        let standing = 1.0 - self.speed / SPRING_SPEED;
        if standing > 0.0 {
            self.damping = both!(axis => {
                let (stiffness, sigma) = (stiffness[axis], self.sigma[axis]);
                let critical = 2.0 * (mass / (stiffness * sigma).max(1e-9)).sqrt();
                let damping = critical.min(MOST_DAMPING) * standing * standing;
                if sigma > 0.0 { damping } else { 0.0 }
            });
        }
        self.damping = both!(axis => own[axis].unwrap_or(self.damping[axis]));
        self
    }

    /// Returns the weights of the previous slip, and of the creep, s/m, in the slip.
    #[inline(always)]
    fn weights(&self, speed: f64) -> ([f64; 2], [f64; 2]) {
        if !self.relaxes {
            return ([0.0; 2], [1.0 / speed; 2]);
        }
        let of_axis = |axis: usize| {
            let sigma = self.sigma[axis];
            let whole = sigma + self.dt * speed;
            if sigma > 0.0 { (sigma / whole, self.dt / whole) } else { (0.0, 1.0 / speed) }
        };
        let (along, across) = (of_axis(0), of_axis(1));
        ([along.0, across.0], [along.1, across.1])
    }

    /// Returns the speed by which the creep is divided, m/s: that at the start of the step, and for a locked
    /// wheel, whose slip ratio is −1 however fast it stops, that at its end.
    #[inline(always)]
    fn speed_of(&self, creep: [f64; 2], locked: bool) -> f64 {
        if locked { creep[0].abs().max(LEAST_SPEED) } else { self.speed }
    }

    /// Returns the degree to which the wheel travels, from 0 at standstill, where the spring has no
    /// rolling direction, to 1.
    #[inline(always)]
    fn travelling(&self) -> f64 {
        if self.relaxes & (self.sigma[0] > 0.0) {
            (self.speed / SPRING_SPEED).min(1.0)
        } else {
            1.0
        }
    }

    /// Returns the offset of the force, N, and the secants of the remaining force, N.
    #[inline(always)]
    fn secants(&self, slip: [f64; 2]) -> ([f64; 2], [f64; 2]) {
        let away = |slip: f64| if slip < 0.0 { slip.min(-STRAIGHT) } else { slip.max(STRAIGHT) };
        // in the direction of travel
        let [kappa, lateral] = [away(self.ahead * slip[0]), away(slip[1])];
        let rolling = (1.0 + self.travelling() * kappa).abs();
        let camber = self.ahead * self.camber;
        let slip = Slip { rolling, camber, ..Slip::along(kappa, -lateral) };
        let [fx, fy] = self.tyre.force(&slip, self.load, self.grip);
        let [offset_x, offset_y] = self.tyre.offset(&slip, self.load, self.grip);
        let secant = [(fx - offset_x) / kappa, (fy - offset_y) / lateral];
        ([self.ahead * offset_x, offset_y], both!(axis => secant[axis].max(0.0)))
    }

    /// Returns the largest slip of the spring at standstill.
    #[inline(always)]
    fn furthest(&self, wheel: &Wheel) -> [f64; 2] {
        let (_, stiffness) = self.secants([0.0; 2]);
        let peak = self.tyre.peak(self.load, self.grip);
        let speed = self.speed.max(SPRING_SPEED);
        let creep = contact::creep(wheel);
        both!(axis => {
            let limit = WINDING * peak / stiffness[axis].max(1e-9);
            limit.max(creep[axis].abs() / speed)
        })
    }
}

impl<T: SteadyTyre> Patch for Standing<'_, T> {
    #[inline(always)]
    fn line(&self, creep: [f64; 2], locked: bool) -> Line {
        let (kept, gained) = self.acting(self.speed_of(creep, locked));
        let slip = both!(axis => kept[axis] + gained[axis] * creep[axis]);
        let (offset, secant) = self.secants(slip);
        // an asymmetric tyre pushes while it rolls
        let rolling = self.speed * self.speed;
        let rolling = rolling / (rolling + OFFSET_SPEED * OFFSET_SPEED);
        Line {
            held: both!(axis => secant[axis] * kept[axis] + rolling * offset[axis]),
            stiffness: both!(axis => secant[axis] * gained[axis]),
        }
    }

    #[inline(always)]
    fn capacity(&self) -> f64 {
        self.tyre.peak(self.load, self.grip)
    }

    #[inline(always)]
    fn most(&self, line: &Line, creep: [f64; 2]) -> f64 {
        if !self.tyre.can_exceed_peak() {
            return self.capacity();
        }
        let x = line.held[0] + line.stiffness[0] * creep[0];
        let y = line.held[1] + line.stiffness[1] * creep[1];
        self.capacity().max((x * x + y * y).sqrt())
    }
}

/// Returns whether the slip of a tyre does not lag, and no brake acts on the wheel.
#[inline(always)]
pub fn is_simple(tyre: &impl SteadyTyre, wheel: &Wheel) -> bool {
    !tyre.relaxes() & (wheel.more.brake_limit <= 0.0)
}

/// Computes the force of a steady tyre on a wheel. With `WHOLE` false, [`is_simple`] is true.
#[inline(always)]
pub fn force<const WHOLE: bool>(
    tyre: &impl SteadyTyre,
    wheel: &Wheel,
    step: &Step,
    lag: &mut Lag,
) -> Force {
    let c_damping = tyre.carcass().c_damping;
    let relaxes = WHOLE && tyre.relaxes();
    // a wheel without a brake holds nothing, whatever pulls at it
    let brakes = WHOLE && wheel.more.brake_limit > 0.0;
    let camber = wheel.more.camber;
    let radius = tyre.rolling_radius(wheel.radius, wheel.normal_force.max(0.0), wheel.spin);
    let more = if brakes { wheel.more } else { Brake::default() };
    let wheel = &Wheel { more, radius, ..*wheel };
    let mu = tyre.mu().max(1e-9);
    let grip = wheel.mu(mu) / mu;
    let standing = Standing {
        tyre,
        load: wheel.normal_force.max(0.0),
        grip,
        speed: wheel.vx.abs().max(LEAST_SPEED),
        ahead: 1.0_f64.copysign(wheel.vx),
        dt: step.dt,
        relaxes,
        sigma: if relaxes { tyre.relaxation(wheel, lag, grip) } else { [0.0; 2] },
        lag: [lag.kappa, lag.lateral],
        camber,
        damping: [0.0; 2],
    };
    let standing = if relaxes {
        standing.damped(wheel.mass(), tyre.damping(wheel, lag, grip))
    } else {
        standing
    };
    let c_rr = wheel.c_rr(tyre.resistance(wheel, lag, grip));
    let shaft = Shaft { c_rr, c_damping };
    let outcome = contact::solve(wheel, step, shaft, &standing);
    [lag.kappa, lag.lateral] = standing.slip(outcome.creep, outcome.locked);
    if relaxes {
        let furthest = standing.furthest(wheel);
        let limited = |slip: f64, axis: usize| {
            if standing.sigma[axis] > 0.0 {
                simhost_sdk::math::limit(slip, furthest[axis])
            } else {
                slip
            }
        };
        (lag.kappa, lag.lateral) = (limited(lag.kappa, 0), limited(lag.lateral, 1));
    }
    outcome.force
}
