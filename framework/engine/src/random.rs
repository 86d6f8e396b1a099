//! Keys of random streams.

use simhost_sdk::Random;

/// What a stream is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// Noise of a sensor.
    Sensor = 1,
    /// Draws of a controller.
    Controller = 2,
    /// Draws of a dynamics class.
    Dynamics = 3,
    /// Draws of a friction model, by wheel.
    Friction = 4,
}

/// Key of the stream of one sample: depends on nothing but its arguments.
pub(crate) fn stream(seed: u64, purpose: Purpose, entity: u64, sample: u64) -> u64 {
    [purpose as u64, entity, sample]
        .into_iter()
        .fold(seed, |key, part| Random::new(key ^ part.wrapping_mul(0xD6E8_FEB8_6659_FD93)).bits())
}
