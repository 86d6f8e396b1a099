//! Names of frames, and of vehicles in the names of quantities.

/// Frame of the world.
pub(super) const MAP: &str = "map";

/// Returns the frame of a vehicle.
pub(super) fn base_link(vehicle: &str) -> String {
    format!("{vehicle}/base_link")
}

/// Returns the frame of a wheel: x in the direction in which it points, y along the axle, z upwards before it
/// rolls.
pub(super) fn wheel_frame(vehicle: &str, tag: &str) -> String {
    format!("{vehicle}/wheel/{tag}")
}

/// Returns the frame of the odometry of a vehicle.
pub(super) fn odom(vehicle: &str) -> String {
    format!("{vehicle}/odom")
}

/// Returns the name of a vehicle in the names of its quantities.
pub(super) fn entity(vehicle: &str) -> &str {
    // the world has claimed its name before
    if vehicle == "world" { "world#2" } else { vehicle }
}

/// Returns the first free one of `name`, and `name` with the separator and 2, 3 and so on.
pub(super) fn unused(name: &str, separator: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{separator}{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| is_free(name)).unwrap_or_default()
}
