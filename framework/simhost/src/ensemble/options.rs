//! How an ensemble is opened.

use crate::options::Options;
use crate::variation::Variation;

/// Memory that the members of an ensemble may take, unless another limit is given, bytes.
const MEMORY: u64 = 8 << 30;

/// How an ensemble is opened.
#[derive(Clone)]
pub struct EnsembleOptions {
    /// Options for opening and simulating the world. The seed is the seed of member 0, and the key
    /// of all draws; the threads share the members. An output folder, a log, and a pace have no
    /// meaning here.
    pub session: Options,
    /// Number of members.
    pub members: usize,
    /// Differences between the members.
    pub variations: Vec<Variation>,
    /// Memory that the members may take, bytes; 8 GiB by default.
    pub max_memory: u64,
}

impl EnsembleOptions {
    /// Returns the default options for a number of members without differences other than their seeds.
    pub fn members(members: usize) -> Self {
        let (session, variations) = (Options::default(), Vec::new());
        Self { session, members, variations, max_memory: MEMORY }
    }

    /// Adds a difference between the members.
    #[must_use]
    pub fn vary(mut self, variation: Variation) -> Self {
        self.variations.push(variation);
        self
    }

    /// Sets the seed of member 0, which is the key of all draws.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.session.seed = Some(seed);
        self
    }

    /// Sets the number of threads. Results do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.session.threads = threads;
        self
    }
}
