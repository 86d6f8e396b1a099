//! The step of several cars at once.
//!
//! Loops over cars whose forces come from the friction models and whose equations have the plain form become vector
//! instructions: what a loop needs of another one is staged by column. All other cars are computed one by one, with the
//! same results.

use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::car::{CarState, Wheels4, each};
use crate::equations::{Acting, Attitude, Equations};
use crate::params::CarParams;
use crate::plane::Plane;
use crate::ports::{Inputs, Kept};
use crate::vehicle::{HeldForces, Model, parts};

/// Numbers of the cars of a tile, by number and car.
struct Tile<const K: usize, const N: usize>([[f64; N]; K]);

impl<const K: usize, const N: usize> Tile<K, N> {
    #[inline(always)]
    const fn new() -> Self {
        Self([[0.0; N]; K])
    }

    #[inline(always)]
    fn put(&mut self, lane: usize, numbers: [f64; K]) {
        for (column, number) in self.0.iter_mut().zip(numbers) {
            column[lane] = number;
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> [f64; K] {
        let mut numbers = [0.0; K];
        for (number, column) in numbers.iter_mut().zip(&self.0) {
            *number = column[lane];
        }
        numbers
    }
}

/// Number of the numbers of a state without spins.
const STATE: usize = 20;

/// Returns the numbers of a state without spins, which the host integrates.
#[inline(always)]
fn numbers(state: &CarState) -> [f64; STATE] {
    let CarState {
        position: p, angles: [a, b, c], velocity: v, rate: w, travel: t, rise: r, ..
    } = *state;
    let ([t0, t1, t2, t3], [r0, r1, r2, r3]) = (t, r);
    [p.x, p.y, p.z, a, b, c, v.x, v.y, v.z, w.x, w.y, w.z, t0, t1, t2, t3, r0, r1, r2, r3]
}

/// Returns the state with these numbers.
#[inline(always)]
fn state(
    [px, py, pz, a, b, c, vx, vy, vz, wx, wy, wz, t0, t1, t2, t3, r0, r1, r2, r3]: [f64; STATE],
) -> CarState {
    CarState {
        position: Vec3::new(px, py, pz),
        angles: [a, b, c],
        velocity: Vec3::new(vx, vy, vz),
        rate: Vec3::new(wx, wy, wz),
        travel: [t0, t1, t2, t3],
        rise: [r0, r1, r2, r3],
        spin: [0.0; 4],
    }
}

/// The cars of a tile in a step.
struct Cars<const N: usize> {
    /// States at the start of the step, and then at its end.
    states: Tile<STATE, N>,
    /// States in the middle of a part of the step.
    middle: Tile<STATE, N>,
    /// Height, slope and normal of the ground below the wheels.
    ground: [Tile<6, N>; 4],
    /// Force of the air, N, and its moment, N·m.
    air: Tile<6, N>,
    /// Loads of the wheels at the start of the step, N.
    load: Tile<4, N>,
}

impl<const N: usize> Cars<N> {
    #[inline(always)]
    const fn new() -> Self {
        Self {
            states: Tile::new(),
            middle: Tile::new(),
            ground: [const { Tile::new() }; 4],
            air: Tile::new(),
            load: Tile::new(),
        }
    }

    #[inline(always)]
    fn ground(&self, lane: usize) -> [Plane; 4] {
        each!(wheel => Plane::from_numbers(self.ground[wheel].get(lane)))
    }

    /// Returns what acts on a car whose tyres have the forces of the friction models.
    #[inline(always)]
    fn acting(&self, lane: usize, inputs: &Inputs, kept: &Kept) -> Acting {
        let [x, y, z, about_x, about_y, about_z] = self.air.get(lane);
        Acting {
            ground: self.ground(lane),
            gravity: inputs.gravity,
            links: inputs.links(kept.travel()),
            air: Vec3::new(x, y, z),
            air_moment: Vec3::new(about_x, about_y, about_z),
            ..Acting::NOTHING
        }
    }
}

impl Model {
    /// Moves the cars of a tile by a step.
    #[inline(always)]
    pub fn advance_lanes<M, const N: usize>(
        &self,
        params: &CarParams,
        lanes: &mut AdvancingLanes<'_, M, N>,
    ) where
        M: Dynamics<Actuators = Inputs, State = Kept>,
    {
        if let Some(tyre) = params.tyres() {
            for lane in 0..lanes.len() {
                let (inputs, step) = (lanes.actuators(lane), lanes.step(lane));
                let mut kept = lanes.state(lane);
                let mut wheels = lanes.wheels(lane);
                let motion =
                    self.advance_on_tyres(params, tyre, &inputs, &mut wheels, &step, &mut kept);
                lanes.set(lane, &motion, &kept);
            }
        } else if Equations::<HeldForces>::is_plain(&self.car) {
            self.advance_held::<M, N, true>(params, lanes);
        } else {
            self.advance_held::<M, N, false>(params, lanes);
        }
    }

    /// Moves cars by a step, with the forces of the friction models.
    #[inline(always)]
    fn advance_held<M, const N: usize, const PLAIN: bool>(
        &self,
        params: &CarParams,
        lanes: &mut AdvancingLanes<'_, M, N>,
    ) where
        M: Dynamics<Actuators = Inputs, State = Kept>,
    {
        let count = lanes.len();
        let (parts, h) = parts(params, lanes.step(0).dt);
        let mut cars = Cars::<N>::new();
        for lane in 0..count {
            let (inputs, kept) = (lanes.actuators(lane), lanes.state(lane));
            let wheels = lanes.wheel_motion(lane);
            let (state, attitude) = self.state(&inputs, &wheels, &kept);
            let ground = self.ground(&wheels, &state, &attitude);
            let acting = self.acting(params, &inputs, &state, ground);
            cars.states.put(lane, numbers(&state));
            let _: [(); 4] = each!(wheel => cars.ground[wheel].put(lane, ground[wheel].numbers()));
            let [x, y, z] = acting.air.to_array();
            cars.air.put(lane, [x, y, z, 0.0, 0.0, 0.0]);
        }
        if self.aero.is_some() {
            for lane in 0..count {
                let kept = lanes.state(lane);
                let start = state(cars.states.get(lane));
                let acting = cars.acting(lane, &lanes.actuators(lane), &kept);
                let Acting { air: a, air_moment: m, .. } = self.blown(acting, &start, kept.heave);
                cars.air.put(lane, [a.x, a.y, a.z, m.x, m.y, m.z]);
            }
        }
        for part in 0..parts {
            for lane in 0..count {
                let now = state(cars.states.get(lane));
                let (rates, load) = self.rates_of_lane::<M, N, PLAIN>(lanes, &cars, lane, &now);
                cars.middle.put(lane, numbers(&now.advanced(&rates, 0.5 * h)));
                if part == 0 {
                    cars.load.put(lane, load);
                }
            }
            for lane in 0..count {
                let middle = state(cars.middle.get(lane));
                let (rates, _) = self.rates_of_lane::<M, N, PLAIN>(lanes, &cars, lane, &middle);
                let end = state(cars.states.get(lane)).advanced(&rates, h);
                cars.states.put(lane, numbers(&end));
            }
        }
        let mut is_finite = true;
        for lane in 0..count {
            is_finite &= state(cars.states.get(lane)).is_finite();
        }
        if !is_finite {
            // springs and dampers that are too stiff for the step
            lanes.step(0).refuse(0.0);
        }
        for lane in 0..count {
            let mut kept = lanes.state(lane);
            let end = state(cars.states.get(lane));
            let motion = self.finish(&end, &cars.ground(lane), cars.load.get(lane), &mut kept);
            lanes.set(lane, &motion, &kept);
        }
    }

    /// Returns the rates of change of the state of a car, and the loads of its wheels, N.
    #[inline(always)]
    fn rates_of_lane<M, const N: usize, const PLAIN: bool>(
        &self,
        lanes: &AdvancingLanes<'_, M, N>,
        cars: &Cars<N>,
        lane: usize,
        state: &CarState,
    ) -> (CarState, Wheels4)
    where
        M: Dynamics<Actuators = Inputs, State = Kept>,
    {
        let wheels = lanes.wheel_motion(lane);
        let forces = HeldForces::of(&wheels);
        let acting = cars.acting(lane, &lanes.actuators(lane), &lanes.state(lane));
        let equations = self.equations(&forces);
        let (rates, found) = if PLAIN {
            equations.form::<true>(state, &Attitude::of(state.angles), &acting)
        } else {
            equations.rates(state, &acting)
        };
        (rates, each!(i => found.touch[i].load))
    }
}
