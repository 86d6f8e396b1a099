//! The result hash: 128 bits over what a simulation computes, independent of how it is stored.
//!
//! The hash is XXH3-128 (seed 0) over a stream of items. An item is a label and a list of numbers:
//!
//! | Bytes | Content |
//! |---|---|
//! | 4 | length of the label in bytes, unsigned, little-endian |
//! | that many | the label, UTF-8 |
//! | 4 | count of the numbers, unsigned, little-endian |
//! | 8 each | the numbers, IEEE 754 binary64, little-endian; every NaN is `0x7ff8000000000000` |
//!
//! Items are sorted by the bytes of their labels; items with equal labels keep the order of the
//! world file. The stream has no header and no trailer. `NAME` stands for a name in the world file,
//! `WHEEL` for a wheel tag without `_wheel`, `SLOT` for a state slot and `PORT` for an output:
//!
//! | Label | Numbers |
//! |---|---|
//! | `vehicle/NAME/pose` | x, y, z, m; yaw, pitch, roll, rad; reference point, world frame |
//! | `vehicle/NAME/twist` | vx, vy, m/s; yaw rate, rad/s; reference point, vehicle frame |
//! | `vehicle/NAME/odometry_pose`, `…/odometry_twist` | the same, as odometry estimates them |
//! | `vehicle/NAME/controller/SLOT`, `…/dynamics/SLOT` | the state of the model, one value or one per wheel |
//! | `vehicle/NAME/wheel/WHEEL/spin` | rad/s |
//! | `vehicle/NAME/wheel/WHEEL/angle` | rotation about the axle, rad, not wrapped |
//! | `vehicle/NAME/wheel/WHEEL/steer` | steering angle, rad |
//! | `vehicle/NAME/wheel/WHEEL/friction/SLOT`, `…/fallback/SLOT` | the state of the friction model, and of the one that replaces it after a fault |
//! | `sensor/NAME/NAME/read/PORT` | last reading of a sensor (vehicle, or `world`, then sensor), one value or one per ray |
//! | `sensor/NAME/NAME/state/SLOT` | the state of the sensor's model |
//! | `block/NAME/pose`, `actor/NAME/pose` | x, y, m; yaw, rad; lowest and highest point, m; world frame |
//! | `block/NAME/twist`, `actor/NAME/twist` | vx, vy of the centre of mass, m/s; yaw rate, rad/s; world frame |
//!
//! Only blocks that can move have items. A sensor has a reading after its first sample and as long
//! as its model has not been disabled by a fault. Memory that a model keeps beside its state slots
//! is part of the state hash only, because each model chooses its own encoding for it.

use simhost_scene::Pose2;
use xxhash_rust::xxh3::Xxh3;

use crate::columns::Columns;
use crate::model::Call;
use crate::physics::Body;
use crate::simulation::Simulation;
use crate::table::Table;

/// A block or an actor that can move, with the label of its items.
pub(crate) struct Mover {
    /// `block/NAME` or `actor/NAME`.
    pub label: String,
    /// Its body.
    pub body: Body,
}

/// Collects the labelled numbers of a result hash.
#[derive(Default)]
pub(crate) struct Items {
    items: Vec<(String, Vec<f64>)>,
}

impl Items {
    /// Adds one item.
    pub fn add(&mut self, label: String, numbers: &[f64]) {
        self.items.push((label, numbers.to_vec()));
    }

    /// Adds the state slots of one lane of a call as `prefix/SLOT`.
    pub fn add_states(&mut self, prefix: &str, call: &Call, columns: &Columns, lane: usize) {
        for (slot, column) in call.class().model.states().iter().zip(call.states()) {
            let numbers = call.shape().of_lane(slot.scope, columns.get(*column), lane);
            self.add(format!("{prefix}/{}", slot.name()), &numbers);
        }
    }

    /// Sorts the items and hashes the stream that the module documentation specifies.
    fn hash(mut self) -> u128 {
        self.items.sort_by(|a, b| a.0.cmp(&b.0));
        let mut hasher = Xxh3::new();
        for (label, numbers) in &self.items {
            hasher.update(&(label.len() as u32).to_le_bytes());
            hasher.update(label.as_bytes());
            hasher.update(&(numbers.len() as u32).to_le_bytes());
            for number in numbers {
                let bits = if number.is_nan() { 0x7ff8_0000_0000_0000 } else { number.to_bits() };
                hasher.update(&bits.to_le_bytes());
            }
        }
        hasher.digest128()
    }
}

impl Simulation {
    /// Returns 128 bits over the results: poses, twists, wheel spins and steering angles, model
    /// states and last sensor readings, each labelled by name.
    ///
    /// Two builds or two versions of the program that compute the same have the same result hash,
    /// however they store it. Unlike [`Self::state_hash`] it does not cover everything that decides
    /// the future: contact impulses and sleeping bodies, for example, are left out. The exact byte
    /// stream is specified in `framework/engine/src/result_hash.rs`.
    pub fn result_hash(&self) -> u128 {
        let mut items = Items::default();
        for table in &self.tables {
            for lane in 0..table.lanes.len() {
                table.add_results(lane, &mut items);
            }
        }
        for Mover { label, body } in &self.movers {
            let (state, [low, high]) = (self.physics.state(*body), self.physics.heights(*body));
            let (pose, [vx, vy]) = (state.pose(), state.velocity);
            items.add(format!("{label}/pose"), &[pose.x, pose.y, pose.yaw, low, high]);
            items.add(format!("{label}/twist"), &[vx, vy, state.omega]);
        }
        self.sensors.add_results(&mut items);
        items.hash()
    }
}

impl Simulation {
    /// Returns the blocks and actors that can move: `block/NAME` or `actor/NAME`, and the pose of the
    /// origin of their outline in the world frame. Blocks come first, each group in the order of the
    /// world file.
    pub fn movers(&self) -> impl Iterator<Item = (&str, Pose2)> {
        self.movers.iter().map(|mover| {
            let pose = self.physics.state(mover.body).pose();
            (mover.label.as_str(), Pose2 { x: pose.x, y: pose.y, yaw: pose.yaw })
        })
    }
}

impl Table {
    /// Adds the items of one vehicle and its wheels.
    fn add_results(&self, lane: usize, items: &mut Items) {
        let vehicle = self.snapshot(lane);
        let label = format!("vehicle/{}", vehicle.name);
        items.add(format!("{label}/pose"), &vehicle.pose);
        items.add(format!("{label}/twist"), &vehicle.twist);
        items.add(format!("{label}/odometry_pose"), &vehicle.odometry_pose);
        items.add(format!("{label}/odometry_twist"), &vehicle.odometry_twist);
        let models = self.models();
        items.add_states(&format!("{label}/controller"), models.controller, &self.columns, lane);
        items.add_states(&format!("{label}/dynamics"), models.dynamics, &self.columns, lane);
        for number in 0..self.wheels {
            let wheel = self.wheel_snapshot(lane, number);
            let label = format!("{label}/wheel/{}", wheel.wheel);
            items.add(format!("{label}/spin"), &[wheel.spin]);
            items.add(format!("{label}/angle"), &[wheel.angle]);
            items.add(format!("{label}/steer"), &[wheel.steer]);
            // wheels are the lanes of friction models
            let lane = number * self.lanes.len() + lane;
            let friction = [("friction", Some(models.friction)), ("fallback", models.fallback)];
            for (name, call) in friction {
                if let Some(call) = call {
                    items.add_states(&format!("{label}/{name}"), call, &self.columns, lane);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
