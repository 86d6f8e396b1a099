//! The energy of a car, and the powers that change it.
//!
//! Kinetic energy: ½ m v² + ½ ω·Jω of the body, and ½ μ v² of each wheel. Potential energy: height, springs with their
//! preload and stops, anti-roll bars, and tyres as springs. Its rate is the sum of the powers of the ground, of dampers
//! and links, and of the air:
//!
//! * the ground: force of the tyre times velocity of the contact point. The load of a tyre whose frame is inclined to the body
//!   acts below the centre of the wheel along z of the body;
//! * dampers of suspensions and tyres;
//! * links: a force on the body that the wheel does not move against, such as the pair of forces D of a roll centre, takes
//!   D times the rate of travel. Links without friction take nothing: they move the contact point sideways, which the tyres of
//!   this model do not see;
//! * the air: force and moment times the velocity of the body.
//!
//! A car that moves in the plane as one mass gets the moments of roll and pitch from the accelerations, as [`super`] says.

use simhost_sdk::Energies;
use simhost_sdk::vectors::Vec3;

use super::{Acting, Attitude, Equations, Found, Frame, Tyres, Wheel};
use crate::car::{CarState, Wheels4, each, sum};

impl<T: Tyres> Equations<'_, T> {
    /// Returns the energies in a state with this attitude, J, and the powers, W.
    pub fn energies(&self, state: &CarState, attitude: &Attitude, acting: &Acting) -> Energies {
        let (rates, found) = self.form::<false>(state, attitude, acting);
        let wheels = each!(wheel => self.place(wheel, state, self.car.planar));
        let air = acting.air.dot(state.velocity) + acting.air_moment.dot(state.rate);
        let tyre_power = if self.car.planar {
            self.planar_power(&wheels, &rates, &found, state, acting)
        } else {
            self.spatial_power(&found, state, attitude, acting)
        };
        let pressing =
            |wheel: usize| self.car.tyre_stiffness[wheel] * found.touch[wheel].deflection.max(0.0);
        let tyre_energy =
            sum(each!(wheel => 0.5 * pressing(wheel) * found.touch[wheel].deflection.max(0.0)));
        Energies {
            kinetic_energy: self.kinetic_energy(&wheels, state),
            potential_energy: acting.gravity * self.raised_mass(&wheels, state, attitude, acting)
                + sum(each!(wheel => self.spring_energy(wheel, state, acting)))
                + tyre_energy,
            tyre_energy,
            compression_power: sum(each!(wheel => pressing(wheel) * found.touch[wheel].sinking)),
            tyre_power,
            damping_power: -sum(each!(wheel => {
                let travel_rate = rates.travel[wheel];
                self.damped(wheel, travel_rate, &found, acting) + found.links[wheel] * travel_rate
            })),
            air_power: air,
        }
    }

    fn kinetic_energy(&self, wheels: &[Wheel; 4], state: &CarState) -> f64 {
        let car = self.car;
        let turning: f64 =
            state.rate.to_array().iter().zip(car.inertia).map(|(w, j)| j * w * w).sum();
        let body = car.mass * state.velocity.dot(state.velocity) + turning;
        let moving = sum(each!(wheel => {
            let Wheel { u, v, .. } = wheels[wheel];
            let rise = state.rise[wheel];
            car.unsprung[wheel] * (u * u + v * v + rise * rise)
        }));
        0.5 * (body + moving)
    }

    /// Returns the sum of the products of masses and heights, kg·m.
    fn raised_mass(
        &self,
        wheels: &[Wheel; 4],
        state: &CarState,
        attitude: &Attitude,
        acting: &Acting,
    ) -> f64 {
        let even = self.even(state, &acting.ground);
        let Vec3 { x: ahead, y: left, z: up } = even.as_ref().unwrap_or(attitude).up;
        let [roll, pitch, _] = state.angles;
        let wheels = sum(each!(wheel => {
            let Wheel { x, y, length, .. } = wheels[wheel];
            // within small angles from the plane
            let tilt = if even.is_some() { y * (roll - left / up) - x * (pitch + ahead) } else { 0.0 };
            let height = state.position.z + x * ahead + y * left + (tilt - length) * up;
            self.car.unsprung[wheel] * height
        }));
        self.car.mass * state.position.z + wheels
    }

    /// Returns the energy of the spring of a wheel and its share of the anti-roll bar, J.
    fn spring_energy(&self, wheel: usize, state: &CarState, acting: &Acting) -> f64 {
        let (car, links) = (self.car, &acting.links[wheel]);
        let travel = state.travel[wheel];
        let compression = links.spring + links.ratio * (travel - links.at);
        let spring = &car.springs[wheel];
        let spring_energy = match &car.curves[wheel / 2] {
            Some(axle) => axle.spring.energy(compression),
            None => 0.5 * spring.stiffness * compression * compression,
        };
        let twist = travel - state.travel[wheel ^ 1];
        spring.preload * travel + spring_energy + 0.25 * car.bar[wheel] * twist * twist
    }

    /// Returns the power that the dampers of a wheel and of its tyre take, W.
    fn damped(&self, wheel: usize, travel_rate: f64, found: &Found, acting: &Acting) -> f64 {
        let (car, touch) = (self.car, &found.touch[wheel]);
        let rate = acting.links[wheel].ratio * travel_rate;
        let force = match &car.curves[wheel / 2] {
            Some(axle) => axle.damper.at(rate)[0],
            None => car.springs[wheel].damping * rate,
        };
        let pressed = touch.load - car.tyre_stiffness[wheel] * touch.deflection.max(0.0);
        let tyre = if touch.deflection > 0.0 { pressed * touch.sinking } else { 0.0 };
        force * rate + tyre
    }

    fn spatial_power(
        &self,
        found: &Found,
        state: &CarState,
        attitude: &Attitude,
        acting: &Acting,
    ) -> f64 {
        let Vec3 { x: about_x, y: about_y, .. } = state.rate;
        sum(each!(wheel => {
            let (touch, force) = (&found.touch[wheel], &found.force[wheel]);
            let normal = Frame::of_plane(&acting.ground[wheel], state, attitude).normal;
            let [ahead, left] = touch.velocity;
            let pressed = touch.load * touch.radius * (normal.y * about_x - normal.x * about_y);
            force.fx * ahead + force.fy * left + force.aligning * state.rate.z + pressed
        }))
    }

    fn planar_power(
        &self,
        wheels: &[Wheel; 4],
        rates: &CarState,
        found: &Found,
        state: &CarState,
        acting: &Acting,
    ) -> f64 {
        let even = Attitude::on_ground(&acting.ground, state.angles[2]);
        let gravity = -acting.gravity * even.up;
        let Vec3 { x: about_x, y: about_y, z: turning } = state.rate;
        // accelerations in the plane, without gravity
        let ax = rates.velocity.x - gravity.x - turning * state.velocity.y;
        let ay = rates.velocity.y - gravity.y + turning * state.velocity.x;
        let power: Wheels4 = each!(wheel => {
            let (touch, force, at) = (&found.touch[wheel], &found.force[wheel], &wheels[wheel]);
            let frame = Frame::of_plane(&acting.ground[wheel], state, &even);
            let tangential = force.fx * frame.ahead + force.fy * frame.left;
            let pressed = tangential + touch.load * frame.normal;
            let moving = Vec3::new(at.u, at.v, state.rise[wheel]);
            let pushed = Wheel { force: pressed.to_array(), ..*at };
            let [ahead, sideways] =
                self.passed_in_plane(wheel, &pushed, [ax, ay, rates.rate.z, turning]);
            let pitching = pressed.x * touch.radius + ahead * at.length;
            let rolling = pressed.y * touch.radius + sideways * at.length;
            let turned = force.aligning * turning;
            tangential.dot(moving) + turned + rolling * about_x - pitching * about_y
        });
        sum(power)
    }
}
