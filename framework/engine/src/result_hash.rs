//! The result hash: 128 bits over the results of a simulation, independent of how it stores them.
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
//! | `vehicle/NAME/controller/reads/PORT`, `…/dynamics/reads/PORT`, `…/fleet/reads/PORT` | the last reading of a sensor that an input has |
//! | `vehicle/NAME/controller/reads/PORT/time`, `…/dynamics/reads/PORT/time` | time of that reading, s, of an input that is an array |
//! | `vehicle/NAME/fleet/SLOT` | the state of the model of the vehicle's fleet |
//! | `vehicle/NAME/wheel/WHEEL/spin` | rad/s |
//! | `vehicle/NAME/wheel/WHEEL/angle` | rotation about the axle, rad, not wrapped |
//! | `vehicle/NAME/wheel/WHEEL/steer` | steering angle, rad |
//! | `vehicle/NAME/wheel/WHEEL/friction/SLOT`, `…/fallback/SLOT` | the state of the friction model, and of the one that replaces it after a fault |
//! | `vehicle/NAME/actuator/NAME/read/PORT`, `…/state/SLOT` | outputs and state of an actuator; after `vehicle/NAME/wheel/WHEEL/` if it acts on wheels |
//! | `vehicle/NAME/fault_memory/SENSOR/CODE` | level of the severity; time, s; one item per entry of the fault memory |
//! | `sensor/NAME/NAME/state/SLOT` | the state of a sensor's model (vehicle, or `world`, then sensor) |
//! | `environment/NAME/SLOT` | the state of an environment |
//! | `block/NAME/pose`, `actor/NAME/pose` | x, y, m; yaw, rad; lowest and highest point, m; world frame |
//! | `block/NAME/twist`, `actor/NAME/twist` | vx, vy of the centre of mass, m/s; yaw rate, rad/s; world frame |
//!
//! Only blocks that can move have items. The readings of sensors have none, except those that a model
//! reads. Memory that a model keeps in addition to its state slots
//! is part of the state hash only, because each model chooses its own encoding for it.

use xxhash_rust::xxh3::Xxh3;

use crate::columns::Columns;
use crate::model::Call;

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
    pub fn hash(mut self) -> u128 {
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
