//! The mirror image of a vehicle, with left and right exchanged, derived from the names of
//! quantities.
//!
//! In names, `left` and `right` are exchanged. A quantity changes its sign if its name contains a
//! word for turning or for the sideways direction: `vy`, `y`, `omega`, `yaw`, `roll`, `steer`,
//! `turn`, `moment`. Limits (`max_…`) and inertias keep their sign.

use super::Named;

/// Returns the name of a quantity in the mirror image.
pub fn name(name: &str) -> String {
    let words = name.split('_').map(|word| match word {
        "left" => "right",
        "right" => "left",
        "l" => "r",
        "r" => "l",
        other => other,
    });
    words.collect::<Vec<_>>().join("_")
}

/// Words for turning and for the sideways direction.
const SIDEWAYS: [&str; 9] = ["vy", "ay", "y", "omega", "yaw", "roll", "steer", "turn", "moment"];

/// Returns −1 for a quantity that changes its sign, and 1 for any other.
pub fn sign(name: &str) -> f64 {
    let is_size = name.starts_with("max_") || name.ends_with("inertia");
    if !is_size && name.split('_').any(|word| SIDEWAYS.contains(&word)) { -1.0 } else { 1.0 }
}

/// Returns the rule by which [`sign`] decides, for messages.
pub fn rule(name: &str) -> String {
    let word = name.split('_').find(|word| SIDEWAYS.contains(word));
    match word.filter(|_| sign(name) < 0.0) {
        Some(word) => format!(
            "`{name}` changes its sign in the mirror image, because its name has the word `{word}`"
        ),
        None => format!(
            "`{name}` keeps its sign in the mirror image, because its name has none of the words {}, or is that \
             of a limit (`max_…`) or an inertia",
            SIDEWAYS.join(", ")
        ),
    }
}

/// Returns the index of the mirrored wheel for each wheel at (x, y), m, or `None` if a wheel has no
/// counterpart.
pub fn wheels(places: &[[f64; 2]]) -> Option<Vec<usize>> {
    let partner = |[x, y]: &[f64; 2]| {
        let mirrored =
            |other: &[f64; 2]| (other[0] - x).abs() < 1e-9 && (other[1] + y).abs() < 1e-9;
        places.iter().position(mirrored)
    };
    places.iter().map(partner).collect()
}

/// Returns the quantities of the mirror image.
pub fn quantities(one: &Named) -> Named {
    let value = |own: &'static str| {
        let partner = one.get(&name(own)).unwrap_or(one[own]);
        sign(own) * partner
    };
    one.with(one.names().iter().copied().map(value).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_tell_what_a_mirror_does() {
        assert_eq!(super::name("torque_front_left"), "torque_front_right");
        assert_eq!(super::name("command_vx"), "command_vx");
        for (name, sign) in
            [("steer_rate", -1.0), ("max_steer", 1.0), ("vx", 1.0), ("odometry_omega", -1.0)]
        {
            assert_eq!(super::sign(name), sign, "{name}");
        }
        assert_eq!(super::wheels(&[[0.0, 1.0], [0.0, -1.0], [2.0, 0.0]]), Some(vec![1, 0, 2]));
        assert_eq!(super::wheels(&[[0.0, 1.0]]), None);
    }
}
