//! Severities of the faults of robots.

/// Severity of a fault of a robot, from harmless to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum FaultSeverity {
    /// No fault.
    Ok = 1000,
    /// The part works and needs service.
    ServiceRequired = 2000,
    /// The part works with restrictions.
    Damaged = 3000,
    /// The part can fail at any time.
    Critical = 4000,
    /// The part does not work.
    Failure = 5000,
}

impl FaultSeverity {
    /// All severities, from harmless to worst.
    pub const ALL: [Self; 5] =
        [Self::Ok, Self::ServiceRequired, Self::Damaged, Self::Critical, Self::Failure];

    /// Returns the word that world files and outputs use, such as `service_required`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::ServiceRequired => "service_required",
            Self::Damaged => "damaged",
            Self::Critical => "critical",
            Self::Failure => "failure",
        }
    }

    /// Returns the severity with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }

    /// Returns the number of the severity: 1000 for [`Self::Ok`] to 5000 for [`Self::Failure`].
    pub const fn level(self) -> u32 {
        self as u32
    }

    /// Returns whether this severity is at least as severe as another one.
    ///
    /// ```
    /// use simhost_world::FaultSeverity::{Critical, Damaged};
    ///
    /// assert!(Critical.is_worse_than_or_equal(Damaged));
    /// assert!(Damaged.is_worse_than_or_equal(Damaged));
    /// assert!(!Damaged.is_worse_than_or_equal(Critical));
    /// ```
    pub fn is_worse_than_or_equal(self, other: Self) -> bool {
        self >= other
    }
}
