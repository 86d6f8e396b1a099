//! Names of messages of the package `simhost_msgs`.

/// Returns the name of the message for a class: its words with initial capitals, without the vendor.
pub(super) fn message_name(class: &str) -> String {
    let name = class.rsplit('/').next().unwrap_or_default();
    let mut text = String::new();
    let mut is_start = true;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            is_start = true;
            continue;
        }
        text.push(if is_start { letter.to_ascii_uppercase() } else { letter });
        is_start = false;
    }
    match text.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => text,
        false => format!("Class{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::message_name;

    #[test]
    fn names_of_messages_are_valid_in_ros() {
        let pairs = [
            ("simhost/laser", "Laser"),
            ("acme/thermal_probe-2", "ThermalProbe2"),
            ("lidar3d", "Lidar3d"),
            ("x/2d_flow", "Class2dFlow"),
            ("x/é", "Class"),
        ];
        for (class, expected) in pairs {
            assert_eq!(message_name(class), expected);
        }
    }
}
