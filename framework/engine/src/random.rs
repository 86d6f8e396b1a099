//! Keys of random streams.

use simhost_sdk::Random;

/// Kind of model that draws from a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// A sensor.
    Sensor = 1,
    /// A controller.
    Controller = 2,
    /// A dynamics class.
    Dynamics = 3,
    /// A friction model, with one stream per wheel.
    Friction = 4,
    /// An actuator, with one stream per vehicle or wheel and place in the chain.
    Actuator = 5,
    /// An environment.
    Environment = 6,
    /// A fleet, with one stream per vehicle.
    Fleet = 7,
    /// A fault of a robot, with one stream per fault.
    RobotFault = 8,
    /// A suspension, with one stream per vehicle and axle.
    Suspension = 9,
}

/// Returns the key of the stream of one entity and sample. It depends on its arguments only.
pub(crate) fn stream(seed: u64, purpose: Purpose, entity: u64, sample: u64) -> u64 {
    stream_key(seed, [purpose as u64, entity, sample])
}

/// Returns the key of the random stream of a seed and parts, such as an entity and a sample. It depends on its
/// arguments only: each part `p` turns a key `k` into the first 64 bits of the stream with the key
/// `k ^ p·0xD6E8FEB86659FD93`, modulo 2⁶⁴.
pub fn stream_key<const N: usize>(seed: u64, parts: [u64; N]) -> u64 {
    parts
        .into_iter()
        .fold(seed, |key, part| Random::new(key ^ part.wrapping_mul(0xD6E8_FEB8_6659_FD93)).bits())
}
