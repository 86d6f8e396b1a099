//! Vehicles that get another pose or velocity between steps.

use super::kinematics::rolling_spin;
use super::step::Table;
use crate::ground::{Fall, Ground};
use crate::physics::Physics;

impl Table {
    /// Follows a body whose velocity has been set. With `twist`, velocities in m/s and the yaw rate in rad/s,
    /// vehicle frame, the wheels roll without slip.
    pub fn launch(
        &mut self,
        lane: usize,
        twist: Option<[f64; 3]>,
        ground: &Ground,
        physics: &mut Physics,
    ) {
        let vehicles = &mut self.vehicles;
        vehicles.forget_motion(lane);
        if !ground.is_level() && !vehicles.host.spatial {
            vehicles.turn_velocity(lane, ground, physics);
        }
        vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
        let Some(twist) = twist else { return };
        let (host, count) = (&vehicles.host, vehicles.lanes.len());
        let (steer, mounting, spin) = (host.steer, host.own.mounting, host.measured.spin);
        for wheel in 0..vehicles.wheels.count {
            let index = wheel * count + lane;
            let heading = vehicles.value(steer, index) + vehicles.value(mounting, index);
            let rolling = rolling_spin(twist, vehicles.wheel_centre(lane, wheel), heading);
            vehicles.columns.get_mut(spin)[index] = rolling;
        }
    }

    /// Lets a vehicle whose body has been moved to another pose stand there on the highest ground below
    /// `ceiling`, m, with wheels at rest.
    pub fn put(&mut self, lane: usize, ceiling: f64, ground: &Ground, physics: &mut Physics) {
        let vehicles = &mut self.vehicles;
        vehicles.forget_motion(lane);
        vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
        let host = &vehicles.host;
        let [[nose, nose_rate], [side, side_rate]] = host.sway;
        let [force_x, force_y] = host.wheel_force;
        let mut at_rest = vec![nose, nose_rate, side, side_rate, force_x, force_y];
        at_rest.extend(self.extrapolation.iter().flat_map(|one| one.columns_of_history()));
        let of_wheels = [host.measured.spin, host.own.force[0], host.own.force[1]];
        for column in at_rest {
            vehicles.columns.get_mut(column)[lane] = 0.0;
        }
        for wheel in 0..vehicles.wheels.count {
            let index = wheel * vehicles.lanes.len() + lane;
            vehicles.set_values(of_wheels, index, [0.0; 3]);
        }
        let attitude = vehicles.host.own.attitude;
        if ground.is_level() {
            if vehicles.host.spatial {
                vehicles.set_values(attitude, lane, [0.0; 3]);
                vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
            }
            return;
        }
        vehicles.lanes[lane].fall = Fall::default();
        vehicles.set_values([attitude[1], attitude[2]], lane, [0.0; 2]);
        vehicles.place_on_ground(lane, ceiling, ground);
        vehicles.follow_ground_below(lane, ground, physics, None);
        vehicles.read_bodies(physics.bodies.range(&vehicles.bodies));
    }
}
