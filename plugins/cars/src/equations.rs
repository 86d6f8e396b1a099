//! The equations of motion of the car.
//!
//! Source: T. Shim and C. Ghike, "Understanding the limitations of different vehicle models for roll
//! dynamics studies", *Vehicle System Dynamics* 45(3), 191–216, 2007: a body with six degrees of freedom
//! on four wheels that move along z of the body, each with a spring and a damper, on tyres that are
//! springs. A wheel passes its inertia along x and y on to the body, and the lateral force of an axle acts
//! at its roll centre: the moment that this takes from the springs is a pair of forces between body and
//! wheels. With s, c for sine and cosine, R for the loaded radius, l for the distance of a wheel centre
//! below the centre of mass, X and Y for its place, μ for its mass and V for the force of spring and links:
//!
//! * the wheel centre moves at u_w = u − Y ω_z − l ω_y, v_w = v + X ω_z + l ω_x and at w_w, a state;
//! * S_x = F_x + μ (g_x − du_w/dt + ω_z v_w − ω_y w_w) and S_y alike, from the force F of the tyre;
//! * m (u̇ + ω_y w − ω_z v) = Σ S_x + m g_x, m (v̇ + ω_z u − ω_x w) = Σ S_y + m g_y;
//! * m (ẇ + ω_x v − ω_y u) = Σ (V + D) + m g_z with D = ±Σ (F_y R + S_y (l − a))/t, a the roll arm;
//! * J_x ω̇_x = Σ (S_y a + V Y), J_y ω̇_y = Σ (−F_x R − S_x l − V X), J_z ω̇_z = Σ (S_y X − S_x Y + M_z)
//!   with the aligning moment M_z of the tyre;
//! * μ ẇ_w = F_z + μ g_z − D − V − μ (v_w ω_x − u_w ω_y).
//!
//! S contains accelerations of the body: five equations are solved together. The equations of the paper
//! have no gyroscopic term ω × J ω, and turn the horizontal velocity by the yaw alone; without
//! `simplified`, both are complete.

mod energies;

use simhost_sdk::math;
use simhost_sdk::vectors::Vec3;

use crate::car::{Car, CarState, Rest, SIDE, Wheels4, each, sum};
use crate::linear::solve;
use crate::plane::Plane;

/// What acts on a car, apart from gravity and the ground, and how its links guide the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acting {
    /// Ground below each wheel.
    pub ground: [Plane; 4],
    /// Steering angle of each wheel, rad.
    pub steer: Wheels4,
    /// Torque of the motor on each wheel, N·m.
    pub torque: Wheels4,
    /// Torque of the brake of each wheel against the spin, N·m.
    pub brake: Wheels4,
    /// Gravity, m/s².
    pub gravity: f64,
    /// Links of each wheel.
    pub links: [Links; 4],
    /// Force of the air on the centre of mass, frame of the body, N.
    pub air: Vec3,
    /// Moment of the air about the centre of mass, frame of the body, N·m.
    pub air_moment: Vec3,
}

/// What the links of a wheel do, as a suspension computes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Links {
    /// Compression of the spring from rest, m, at the travel `at`, m.
    pub spring: f64,
    /// Travel for which the values hold, m.
    pub at: f64,
    /// Compression of the spring per travel.
    pub ratio: f64,
    /// Upward force on the body, N.
    pub jacking: f64,
    /// Whether `jacking` contains the effect of the roll centre, so that lateral forces act at the ground.
    pub has_jacking: bool,
}

impl Links {
    /// Springs at the wheels, and no force of the links.
    pub const NONE: Self =
        Self { spring: 0.0, at: 0.0, ratio: 1.0, jacking: 0.0, has_jacking: false };
}

impl Acting {
    /// Nothing on level ground.
    pub const NOTHING: Self = Self {
        ground: [Plane::LEVEL; 4],
        steer: [0.0; 4],
        torque: [0.0; 4],
        brake: [0.0; 4],
        gravity: 9.81,
        links: [Links::NONE; 4],
        air: Vec3::ZERO,
        air_moment: Vec3::ZERO,
    };
}

/// The contact of a wheel with the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Load, N.
    pub load: f64,
    /// Loaded radius, m.
    pub radius: f64,
    /// Velocity of the contact point along the heading of the vehicle and to its left, m/s.
    pub velocity: [f64; 2],
    /// Deflection of the tyre, m; negative above the ground.
    pub deflection: f64,
    /// Speed at which the centre of the wheel approaches the ground, m/s.
    pub sinking: f64,
}

/// Forces of a tyre in the plane of the ground along the heading of the vehicle and to its left, N, and its moments,
/// N·m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreForce {
    /// Force along the heading of the vehicle, N.
    pub fx: f64,
    /// Force to the left, N.
    pub fy: f64,
    /// Aligning moment, positive counter-clockwise, N·m.
    pub aligning: f64,
    /// Torque on the wheel about its axle, N·m.
    pub spin_torque: f64,
}

/// A source of the forces of tyres.
pub trait Tyres {
    /// Returns the force of a tyre.
    fn force(&self, wheel: usize, touch: &Touch, acting: &Acting, spin: f64) -> TyreForce;
    /// Returns the rate of change of a spin, rad/s².
    fn spin_rate(&self, wheel: usize, spin_torque: f64, acting: &Acting, spin: f64) -> f64;
}

/// What the equations yield besides the rates of change of the state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Contact of each wheel.
    pub touch: [Touch; 4],
    /// Force of each tyre.
    pub force: [TyreForce; 4],
    /// Force of spring and damper of each wheel, N.
    pub spring: Wheels4,
    /// Upward force of the links of each wheel on the body, N.
    pub links: Wheels4,
}

/// The attitude of the body: sines, cosines, and the third row of the rotation.
pub struct Attitude {
    sin: [f64; 3],
    cos: [f64; 3],
    /// The vertical in the frame of the body.
    up: Vec3,
}

impl Attitude {
    /// Returns the attitude with roll, pitch and yaw, rad.
    #[inline(always)]
    pub fn of([roll, pitch, yaw]: [f64; 3]) -> Self {
        let (sin_roll, cos_roll) = math::sin_cos(roll);
        let (sin_pitch, cos_pitch) = math::sin_cos(pitch);
        let (sin_yaw, cos_yaw) = math::sin_cos(yaw);
        Self {
            sin: [sin_roll, sin_pitch, sin_yaw],
            cos: [cos_roll, cos_pitch, cos_yaw],
            up: Vec3::new(-sin_pitch, sin_roll * cos_pitch, cos_roll * cos_pitch),
        }
    }

    /// Returns the attitude of a car that stands evenly on the ground below its wheels, on their mean normal.
    #[inline(always)]
    pub fn on_ground(ground: &[Plane; 4], yaw: f64) -> Self {
        let (sin_yaw, cos_yaw) = math::sin_cos(yaw);
        let [a, b, c, d] = [0, 1, 2, 3].map(|wheel: usize| ground[wheel].normal);
        let Vec3 { x, y, z } = a + b + c + d;
        let length = (x * x + y * y + z * z).sqrt();
        let along = x * cos_yaw + y * sin_yaw;
        let flat = (along * along + z * z).sqrt();
        let (sin_pitch, cos_pitch) = (along / flat, z / flat);
        let (sin_roll, cos_roll) = ((x * sin_yaw - y * cos_yaw) / length, flat / length);
        Self {
            sin: [sin_roll, sin_pitch, sin_yaw],
            cos: [cos_roll, cos_pitch, cos_yaw],
            up: Vec3::new(-sin_pitch, sin_roll * cos_pitch, cos_roll * cos_pitch),
        }
    }

    /// Returns roll, pitch and yaw, rad.
    pub fn angles(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis: usize| math::atan2(self.sin[axis], self.cos[axis]))
    }

    /// Returns the axes of the body, world frame.
    #[inline(always)]
    pub fn axes(&self) -> [Vec3; 3] {
        let ([sr, sp, sy], [cr, cp, cy]) = (self.sin, self.cos);
        [
            Vec3::new(cy * cp, sy * cp, -sp),
            Vec3::new(cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
            Vec3::new(cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr),
        ]
    }
}

/// The frame of the ground below a wheel, in the frame of the body.
#[derive(Clone, Copy)]
struct Frame {
    ahead: Vec3,
    left: Vec3,
    normal: Vec3,
    /// Distance of the centre of mass from the plane, m.
    distance: f64,
}

impl Frame {
    #[inline(always)]
    fn new(normal: Vec3, distance: f64) -> Self {
        // x of the body in the plane
        let length = (1.0 - normal.x * normal.x).sqrt();
        let ahead = Vec3::new(length, -normal.x * normal.y / length, -normal.x * normal.z / length);
        Self { ahead, left: normal.cross(ahead), normal, distance }
    }

    /// Returns the speed at which the centre of a wheel approaches the plane, m/s.
    #[inline(always)]
    fn sinking(&self, at: &Wheel, rise: f64) -> f64 {
        -(self.normal.x * at.u + self.normal.y * at.v + self.normal.z * rise)
    }

    #[inline(always)]
    fn of_plane(plane: &Plane, state: &CarState, attitude: &Attitude) -> Self {
        let Plane { normal, .. } = *plane;
        let [ahead, left, up] = attitude.axes();
        let own = Vec3::new(normal.dot(ahead), normal.dot(left), normal.dot(up));
        let above = Vec3 { z: state.position.z - plane.height, ..state.position };
        // level ground has the vertical as its normal to the last bit
        let is_level = plane.is_level();
        let pick = |level: f64, sloped: f64| if is_level { level } else { sloped };
        let Vec3 { x, y, z } = attitude.up;
        let own = Vec3::new(pick(x, own.x), pick(y, own.y), pick(z, own.z));
        Self::new(own, pick(above.z, normal.dot(above)))
    }
}

/// Kinematics of a wheel.
#[derive(Clone, Copy, Default)]
struct Wheel {
    /// Place, m.
    x: f64,
    y: f64,
    /// Distance below the centre of mass, m.
    length: f64,
    /// Velocity of its centre along x and y, m/s.
    u: f64,
    v: f64,
    /// Rate of its travel, m/s.
    travel_rate: f64,
    /// Force of the tyre, frame of the body, N.
    force: [f64; 3],
    radius: f64,
    /// Aligning moment, N·m.
    aligning: f64,
    /// Force of spring and links, N.
    vertical: f64,
    /// S_x and S_y without accelerations, N.
    passed: [f64; 2],
}

/// The equations of a car.
pub struct Equations<'a, T> {
    /// Constants.
    pub car: &'a Car,
    /// Lengths at rest.
    pub rest: &'a Rest,
    /// Tyres.
    pub tyres: &'a T,
}

impl<T: Tyres> Equations<'_, T> {
    /// Returns the contact of each wheel in a state with this attitude.
    #[inline(always)]
    pub fn touches(
        &self,
        state: &CarState,
        attitude: &Attitude,
        ground: &[Plane; 4],
    ) -> [Touch; 4] {
        let even = self.even(state, ground);
        each!(wheel => {
            let frame = Frame::of_plane(&ground[wheel], state, attitude);
            let moving = even.as_ref().map(|even| Frame::of_plane(&ground[wheel], state, even));
            let at = self.place(wheel, state, self.car.planar);
            self.touch(wheel, &at, [&frame, moving.as_ref().unwrap_or(&frame)], state)
        })
    }

    /// Returns the attitude in whose plane a car moves as one mass, if it does.
    #[inline(always)]
    pub fn even(&self, state: &CarState, ground: &[Plane; 4]) -> Option<Attitude> {
        self.car.planar.then(|| Attitude::on_ground(ground, state.angles[2]))
    }

    /// Returns the rates of change of the travels, m/s.
    #[inline(always)]
    pub fn travel_rates(&self, state: &CarState) -> Wheels4 {
        each!(wheel => self.place(wheel, state, self.car.planar).travel_rate)
    }

    #[inline(always)]
    fn place(&self, wheel: usize, state: &CarState, planar: bool) -> Wheel {
        let (x, y) = (self.car.x[wheel], self.car.y[wheel]);
        let length = self.rest.length[wheel] - state.travel[wheel];
        let [u, v, w] = state.velocity.to_array();
        let [wx, wy, wz] = state.rate.to_array();
        let heave = w + y * wx - x * wy;
        let lever = if planar { 0.0 } else { length };
        Wheel {
            x,
            y,
            length,
            u: u - y * wz - lever * wy,
            v: v + x * wz + lever * wx,
            travel_rate: state.rise[wheel] - heave,
            ..Wheel::default()
        }
    }

    /// Returns the contact of a wheel with the ground in the frame of the body, and in the frame in which the car moves.
    #[inline(always)]
    fn touch(
        &self,
        wheel: usize,
        at: &Wheel,
        [frame, moving]: [&Frame; 2],
        state: &CarState,
    ) -> Touch {
        let normal = frame.normal;
        let rise = state.rise[wheel];
        let centre = frame.distance + normal.x * at.x + normal.y * at.y - normal.z * at.length;
        let deflection = self.car.radius[wheel] - centre;
        let radius = centre / normal.z;
        let sinking = moving.sinking(at, rise);
        let load =
            self.car.tyre_stiffness[wheel] * deflection + self.car.tyre_damping[wheel] * sinking;
        let load = if deflection > 0.0 { load.max(0.0) } else { 0.0 };
        let [wx, wy, _] = state.rate.to_array();
        let point = Vec3::new(at.u - wy * radius, at.v + wx * radius, rise);
        let [ahead, left] = [frame.ahead.dot(point), frame.left.dot(point)];
        let velocity = if self.car.planar { [at.u, at.v] } else { [ahead, left] };
        Touch { load, radius, velocity, deflection, sinking }
    }

    /// Returns the rates of change of a state, and the forces on which they depend.
    pub fn rates(&self, state: &CarState, acting: &Acting) -> (CarState, Found) {
        let attitude = Attitude::of(state.angles);
        let (mut rates, found) = self.form::<false>(state, &attitude, acting);
        rates.spin = each!(wheel => {
            let torque = found.force[wheel].spin_torque;
            self.tyres.spin_rate(wheel, torque, acting, state.spin[wheel])
        });
        (rates, found)
    }

    /// Returns whether [`Self::form`] has a plain form for the car: neither curves of springs nor simplified equations.
    #[inline(always)]
    pub fn is_plain(car: &Car) -> bool {
        car.curves.iter().all(Option::is_none) && !car.simplified && !car.planar
    }

    /// Returns what [`Self::rates`] does for a state with this attitude, without the rates of the spins. The plain form
    /// has no branches, so that a loop over cars becomes vector instructions.
    #[inline(always)]
    pub fn form<const PLAIN: bool>(
        &self,
        state: &CarState,
        attitude: &Attitude,
        acting: &Acting,
    ) -> (CarState, Found) {
        let planar = !PLAIN && self.car.planar;
        let even = if PLAIN { None } else { self.even(state, &acting.ground) };
        let gravity = -acting.gravity * even.as_ref().unwrap_or(attitude).up;
        let mut found = Found::default();
        let mut wheels = each!(wheel => {
            let frame = Frame::of_plane(&acting.ground[wheel], state, attitude);
            let frame_of = |even| Frame::of_plane(&acting.ground[wheel], state, even);
            let moving = even.as_ref().map_or(frame, frame_of);
            let at = self.place(wheel, state, planar);
            let touch = self.touch(wheel, &at, [&frame, &moving], state);
            let force = self.tyres.force(wheel, &touch, acting, state.spin[wheel]);
            found.touch[wheel] = touch;
            found.force[wheel] = force;
            let pressed =
                force.fx * moving.ahead + force.fy * moving.left + touch.load * moving.normal;
            let (radius, aligning) = (touch.radius, force.aligning);
            let at = Wheel { force: pressed.to_array(), radius, aligning, ..at };
            Wheel { passed: self.passed(wheel, &at, state, gravity, planar), ..at }
        });
        let _: [(); 4] = each!(wheel => {
            let (force, jacking) = self.spring::<PLAIN>(wheel, &wheels[wheel], state, acting);
            found.spring[wheel] = force;
            found.links[wheel] = jacking;
            wheels[wheel].vertical = force + jacking;
        });
        let (velocity, rate, rise, pair) = if planar {
            self.planar(&wheels, state, gravity, acting)
        } else {
            self.spatial::<PLAIN>(&wheels, state, gravity, acting)
        };
        let (position, angles) = self.kinematics::<PLAIN>(state, attitude, even.as_ref());
        found.links = each!(wheel => found.links[wheel] + pair[wheel]);
        let travel = each!(wheel => wheels[wheel].travel_rate);
        (CarState { position, angles, velocity, rate, travel, rise, spin: [0.0; 4] }, found)
    }

    /// Returns the force of spring, damper and bar of a wheel, and the jacking force of its links, N.
    #[inline(always)]
    fn spring<const PLAIN: bool>(
        &self,
        wheel: usize,
        at: &Wheel,
        state: &CarState,
        acting: &Acting,
    ) -> (f64, f64) {
        let (spring, links) = (&self.car.springs[wheel], &acting.links[wheel]);
        let travel = &state.travel;
        let compression = links.spring + links.ratio * (travel[wheel] - links.at);
        let rate = links.ratio * at.travel_rate;
        let linear = spring.stiffness * compression + spring.damping * rate;
        let force = match &self.car.curves[wheel / 2] {
            Some(axle) if !PLAIN => axle.at(compression, rate),
            _ => linear,
        };
        let force = spring.preload + links.ratio * force;
        let bar = self.car.bar[wheel] * (travel[wheel] - travel[wheel ^ 1]);
        (force + bar, links.jacking)
    }

    /// Returns S_x and S_y without the accelerations of the body.
    #[inline(always)]
    fn passed(
        &self,
        wheel: usize,
        at: &Wheel,
        state: &CarState,
        gravity: Vec3,
        planar: bool,
    ) -> [f64; 2] {
        let (mass, rise) = (self.car.unsprung[wheel], state.rise[wheel]);
        let [wx, wy, wz] = state.rate.to_array();
        let [fx, fy, _] = at.force;
        if planar {
            return [fx, fy];
        }
        [
            fx + mass * (gravity.x - at.travel_rate * wy + wz * at.v - wy * rise),
            fy + mass * (gravity.y + at.travel_rate * wx + wx * rise - wz * at.u),
        ]
    }

    /// Returns the distance below the centre of mass at which lateral forces act on the body, m.
    #[inline(always)]
    fn roll_arm(&self, wheel: usize, at: &Wheel, acting: &Acting) -> f64 {
        if acting.links[wheel].has_jacking {
            at.length + at.radius
        } else {
            self.car.roll_arm[wheel]
        }
    }

    /// Returns the accelerations of body and wheels, and the forces [`Self::pairs`].
    #[inline(always)]
    fn spatial<const PLAIN: bool>(
        &self,
        wheels: &[Wheel; 4],
        state: &CarState,
        gravity: Vec3,
        acting: &Acting,
    ) -> (Vec3, Vec3, Wheels4, Wheels4) {
        let car = self.car;
        let [u, v, w] = state.velocity.to_array();
        let [wx, wy, wz] = state.rate.to_array();
        let m = car.mass;
        let arms: Wheels4 = each!(i => self.roll_arm(i, &wheels[i], acting));
        // unknown: u', v', wx', wy', wz'
        let mut a = [[0.0; 5]; 5];
        let mut b = [
            m * (gravity.x - wy * w + wz * v) + acting.air.x,
            m * (gravity.y - wz * u + wx * w) + acting.air.y,
            0.0,
            0.0,
            0.0,
        ];
        (a[0][0], a[1][1]) = (m, m);
        let [jx, jy, jz] = car.inertia;
        (a[2][2], a[3][3], a[4][4]) = (jx, jy, jz);
        if PLAIN || !car.simplified {
            b[2] = (jy - jz) * wy * wz;
            b[3] = (jz - jx) * wz * wx;
            b[4] = (jx - jy) * wx * wy;
        }
        let _: [(); 4] = each!(i => {
            let (mass, arm) = (car.unsprung[i], arms[i]);
            let Wheel { x, y, length: l, vertical, radius, aligning, passed, force, .. } =
                wheels[i];
            let [px, py] = passed;
            b[0] += px;
            b[1] += py;
            b[2] += py * arm + vertical * y;
            b[3] += -force[0] * radius - px * l - vertical * x;
            b[4] += py * x - px * y + aligning;
            a[0][0] += mass;
            a[0][3] -= mass * l;
            a[0][4] -= mass * y;
            a[1][1] += mass;
            a[1][2] += mass * l;
            a[1][4] += mass * x;
            a[2][1] += mass * arm;
            a[2][2] += mass * arm * l;
            a[2][4] += mass * arm * x;
            a[3][0] -= mass * l;
            a[3][3] += mass * l * l;
            a[3][4] += mass * l * y;
            a[4][0] -= mass * y;
            a[4][1] += mass * x;
            a[4][2] += mass * x * l;
            a[4][3] += mass * y * l;
            a[4][4] += mass * (x * x + y * y);
        });
        b[3] += acting.air_moment.y;
        b[4] += acting.air_moment.z;
        let [du, dv, dwx, dwy, dwz] = solve(a, b);
        let sideways: Wheels4 = each!(i => {
            let at = &wheels[i];
            at.passed[1] - car.unsprung[i] * (dv + at.x * dwz + at.length * dwx)
        });
        let pair = self.pairs(wheels, &sideways, &arms);
        let lift = sum(each!(i => wheels[i].vertical + pair[i]));
        let dw = (lift + acting.air.z) / m + gravity.z - wx * v + wy * u;
        let rise = each!(i => {
            let at = &wheels[i];
            let free = at.force[2] - pair[i] - at.vertical;
            free / car.unsprung[i] + gravity.z - at.v * wx + at.u * wy
        });
        (Vec3::new(du, dv, dw), Vec3::new(dwx, dwy, dwz), rise, pair)
    }

    /// Returns the force D on the body at each wheel that replaces the moment which the roll centre takes
    /// from the springs, N.
    #[inline(always)]
    fn pairs(&self, wheels: &[Wheel; 4], sideways: &Wheels4, arms: &Wheels4) -> Wheels4 {
        let moment = each!(i => {
            let at = &wheels[i];
            at.force[1] * at.radius + sideways[i] * (at.length - arms[i])
        });
        let y = &self.car.y;
        let rear = (moment[0] + moment[1]) / (y[0] - y[1]);
        let front = (moment[2] + moment[3]) / (y[2] - y[3]);
        [-SIDE[0] * rear, -SIDE[1] * rear, -SIDE[2] * front, -SIDE[3] * front]
    }

    /// Returns S_x and S_y of a wheel of a car that moves in the plane as one mass, from its accelerations without
    /// gravity, its angular acceleration and its yaw rate.
    #[inline(always)]
    fn passed_in_plane(&self, wheel: usize, at: &Wheel, [ax, ay, dwz, wz]: [f64; 4]) -> [f64; 2] {
        let mass = self.car.unsprung[wheel];
        [
            at.force[0] - mass * (ax - at.y * dwz - at.x * wz * wz),
            at.force[1] - mass * (ay + at.x * dwz - at.y * wz * wz),
        ]
    }

    /// Returns the accelerations of a car that moves in the plane as one mass, and the forces [`Self::pairs`].
    #[inline(always)]
    fn planar(
        &self,
        wheels: &[Wheel; 4],
        state: &CarState,
        gravity: Vec3,
        acting: &Acting,
    ) -> (Vec3, Vec3, Wheels4, Wheels4) {
        let car = self.car;
        let [u, v, _] = state.velocity.to_array();
        let wz = state.rate.z;
        let unsprung = sum(car.unsprung);
        let mass = car.mass + unsprung;
        // accelerations of the ground frame, without gravity
        let fx = sum(each!(i => wheels[i].force[0])) + acting.air.x;
        let fy = sum(each!(i => wheels[i].force[1])) + acting.air.y;
        let lever = sum(each!(i => car.unsprung[i] * wheels[i].x));
        let inertia = car.inertia[2]
            + sum(each!(i => car.unsprung[i] * (wheels[i].x.powi(2) + wheels[i].y.powi(2))));
        let moment =
            sum(each!(i => wheels[i].force[1] * wheels[i].x - wheels[i].force[0] * wheels[i].y));
        let aligning = sum(each!(i => wheels[i].aligning));
        let moment = moment + aligning + acting.air_moment.z;
        // m a_x − Σμx ω² = F_x, m a_y + Σμx ω̇ = F_y, Σμx a_y + J ω̇ = M
        let determinant = mass * inertia - lever * lever;
        let ay = (fy * inertia - moment * lever) / determinant;
        let dwz = (moment * mass - fy * lever) / determinant;
        let ax = (fx + lever * wz * wz) / mass;
        let in_plane = [ax, ay, dwz, wz];
        let sideways: Wheels4 = each!(i => self.passed_in_plane(i, &wheels[i], in_plane)[1]);
        let ahead: Wheels4 = each!(i => self.passed_in_plane(i, &wheels[i], in_plane)[0]);
        let arms: Wheels4 = each!(i => self.roll_arm(i, &wheels[i], acting));
        let [jx, jy, _] = car.inertia;
        let roll = sum(each!(i => sideways[i] * arms[i] + wheels[i].vertical * wheels[i].y));
        let pitch = sum(each!(i => {
            let at = &wheels[i];
            -at.force[0] * at.radius - ahead[i] * at.length - at.vertical * at.x
        }));
        let pitch = pitch + acting.air_moment.y;
        let pair = self.pairs(wheels, &sideways, &arms);
        let lift = sum(each!(i => wheels[i].vertical + pair[i]));
        let dw = (lift + acting.air.z) / car.mass + gravity.z;
        let rise = each!(i => {
            (wheels[i].force[2] - pair[i] - wheels[i].vertical) / car.unsprung[i] + gravity.z
        });
        let velocity = Vec3::new(ax + gravity.x + wz * v, ay + gravity.y - wz * u, dw);
        (velocity, Vec3::new(roll / jx, pitch / jy, dwz), rise, pair)
    }

    /// Returns the rates of change of position and angles.
    #[inline(always)]
    fn kinematics<const PLAIN: bool>(
        &self,
        state: &CarState,
        attitude: &Attitude,
        even: Option<&Attitude>,
    ) -> (Vec3, [f64; 3]) {
        let ([sr, sp, sy], [cr, cp, cy]) = (attitude.sin, attitude.cos);
        let [u, v, w] = state.velocity.to_array();
        let [wx, wy, wz] = state.rate.to_array();
        if let (Some(even), false) = (even, PLAIN) {
            let [ahead, left, up] = even.axes();
            let turning = wz * even.cos[0] / even.cos[1];
            let angles = [wx + turning * even.sin[1], wy - wz * even.sin[0], turning];
            return (u * ahead + v * left + w * up, angles);
        }
        let turning = (wy * sr + wz * cr) / cp;
        let angles = [wx + turning * sp, wy * cr - wz * sr, turning];
        if !PLAIN && self.car.simplified {
            let rise = attitude.up.dot(state.velocity);
            return (Vec3::new(u * cy - v * sy, u * sy + v * cy, rise), angles);
        }
        let [ahead, left, up] = attitude.axes();
        (u * ahead + v * left + w * up, angles)
    }
}
