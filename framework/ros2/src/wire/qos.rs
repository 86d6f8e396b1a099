//! Qualities of service.

use std::fmt;

/// Whether samples may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reliability {
    /// Samples arrive, if nothing is overloaded.
    Reliable,
    /// Samples may be lost.
    BestEffort,
}

/// Whether late subscribers receive earlier samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// They do.
    TransientLocal,
    /// They do not.
    Volatile,
}

/// Quality of service of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qos {
    /// Whether samples may be lost.
    pub reliability: Reliability,
    /// Whether late subscribers receive earlier samples.
    pub durability: Durability,
    /// Number of samples that are kept.
    pub depth: u32,
}

/// Depth that `rmw_zenoh_cpp` leaves out of tokens.
const IMPLICIT_DEPTH: u32 = 42;

impl Qos {
    /// Returns the quality of service of samples that arrive.
    pub const fn reliable(depth: u32) -> Self {
        Self { reliability: Reliability::Reliable, durability: Durability::Volatile, depth }
    }

    /// Returns the quality of service of sensors.
    pub const fn best_effort(depth: u32) -> Self {
        Self { reliability: Reliability::BestEffort, durability: Durability::Volatile, depth }
    }

    /// Returns the quality of service of samples that late subscribers receive.
    pub const fn latched(depth: u32) -> Self {
        Self { reliability: Reliability::Reliable, durability: Durability::TransientLocal, depth }
    }

    /// Returns whether late subscribers receive earlier samples.
    pub fn is_latched(self) -> bool {
        self.durability == Durability::TransientLocal
    }

    /// Reads the text of a token.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let &[reliability, durability, history, _deadline, _lifespan, _liveliness] = &parts[..]
        else {
            return None;
        };
        let depth = history.split_once(',')?.1;
        Some(Self {
            reliability: match reliability {
                "" | "1" => Reliability::Reliable,
                _ => Reliability::BestEffort,
            },
            durability: match durability {
                "1" => Durability::TransientLocal,
                _ => Durability::Volatile,
            },
            depth: if depth.is_empty() { IMPLICIT_DEPTH } else { depth.parse().ok()? },
        })
    }
}

impl fmt::Display for Qos {
    /// Writes the text of a token, in which defaults are empty: `RELIABILITY:DURABILITY:HISTORY,DEPTH`, deadline,
    /// lifespan and liveliness.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reliability = match self.reliability {
            Reliability::Reliable => "",
            Reliability::BestEffort => "2",
        };
        let durability = match self.durability {
            Durability::TransientLocal => "1",
            Durability::Volatile => "",
        };
        write!(formatter, "{reliability}:{durability}:,{}:,:,:,,", self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_leave_defaults_out() {
        // qos_to_keyexpr of rmw_zenoh
        for (qos, text) in [
            (Qos::reliable(10), "::,10:,:,:,,"),
            (Qos::best_effort(5), "2::,5:,:,:,,"),
            (Qos::latched(1), ":1:,1:,:,:,,"),
        ] {
            assert_eq!(qos.to_string(), text);
            assert_eq!(Qos::parse(text), Some(qos));
        }
        assert_eq!(Qos::parse("1:2:1,:,:,:,,"), Some(Qos::reliable(IMPLICIT_DEPTH)));
        assert_eq!(Qos::parse("::"), None);
        assert_eq!(Qos::parse("::,x:,:,:,,"), None);
    }
}
