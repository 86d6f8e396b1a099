//! Gears, with the numbers of `autoware_vehicle_msgs/GearCommand`.

/// A gear by its direction of travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gear {
    /// No gear has been commanded.
    None,
    /// The engine is disconnected.
    Neutral,
    /// `DRIVE` to `DRIVE_18`, `LOW` and `LOW_2`.
    Forward,
    /// `REVERSE` and `REVERSE_2`.
    Reverse,
    /// The parking lock holds the car.
    Park,
}

/// Number of the gear `DRIVE`.
pub const DRIVE: f64 = 2.0;

/// The names of gears with their numbers.
pub const NAMES: [(&str, u8); 25] = [
    ("NONE", 0),
    ("NEUTRAL", 1),
    ("DRIVE", 2),
    ("DRIVE_2", 3),
    ("DRIVE_3", 4),
    ("DRIVE_4", 5),
    ("DRIVE_5", 6),
    ("DRIVE_6", 7),
    ("DRIVE_7", 8),
    ("DRIVE_8", 9),
    ("DRIVE_9", 10),
    ("DRIVE_10", 11),
    ("DRIVE_11", 12),
    ("DRIVE_12", 13),
    ("DRIVE_13", 14),
    ("DRIVE_14", 15),
    ("DRIVE_15", 16),
    ("DRIVE_16", 17),
    ("DRIVE_17", 18),
    ("DRIVE_18", 19),
    ("REVERSE", 20),
    ("REVERSE_2", 21),
    ("PARK", 22),
    ("LOW", 23),
    ("LOW_2", 24),
];

impl Gear {
    /// Returns the gear with this number. A number without a gear counts as [`Self::None`].
    #[inline(always)]
    pub fn of(number: f64) -> Self {
        match number {
            1.0 => Self::Neutral,
            20.0 | 21.0 => Self::Reverse,
            22.0 => Self::Park,
            forward if (2.0..=19.0).contains(&forward) || forward == 23.0 || forward == 24.0 => {
                Self::Forward
            }
            _ => Self::None,
        }
    }
}

/// Returns the number of the gear with this name.
pub fn number(name: &str) -> Option<u8> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_direction() {
        for (name, number) in NAMES {
            let expected = match name {
                "NONE" => Gear::None,
                "NEUTRAL" => Gear::Neutral,
                "PARK" => Gear::Park,
                _ if name.starts_with("REVERSE") => Gear::Reverse,
                _ => Gear::Forward,
            };
            assert_eq!(Gear::of(f64::from(number)), expected, "{name}");
            assert_eq!(super::number(name), Some(number));
        }
        for unknown in [-1.0, 25.0, 255.0, f64::NAN] {
            assert_eq!(Gear::of(unknown), Gear::None);
        }
    }
}
