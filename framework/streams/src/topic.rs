//! Names of topics and frames.

use std::borrow::Cow;

/// Returns the topic for the name of a stream. ROS accepts letters, digits and single underscores in the
/// parts between slashes, and parts that do not begin with a digit: all other characters become
/// underscores, and a part that begins with a digit gets an `n` in front of it.
///
/// ```
/// use simhost_streams::ros::topic;
/// assert_eq!(topic("robot/odometry"), "/robot/odometry");
/// assert_eq!(topic("robot #2/3d/scan"), "/robot_2/n3d/scan");
/// ```
pub fn topic(name: &str) -> String {
    let mut topic = String::with_capacity(name.len() + 1);
    for part in name.split('/') {
        topic.push('/');
        if !part.starts_with(|first: char| !first.is_ascii_digit()) {
            topic.push('n');
        }
        for letter in part.chars() {
            let letter = if letter.is_ascii_alphanumeric() { letter } else { '_' };
            if letter != '_' || !topic.ends_with('_') {
                topic.push(letter);
            }
        }
    }
    topic
}

/// Returns the name of a frame in messages, with other characters where ROS does not accept a
/// character of the name, as in [`topic`].
pub fn frame_id(frame: &str) -> Cow<'_, str> {
    match is_accepted(frame.as_bytes()) {
        true => frame.into(),
        false => topic(frame).split_off(1).into(),
    }
}

/// Returns whether ROS accepts a name. Each message asks for its frames, so the loops have no branches and are
/// vectorised.
fn is_accepted(bytes: &[u8]) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() | (byte == b'_') | (byte == b'/');
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let following = bytes.get(1..).unwrap_or_default();
    let pairs = bytes.iter().zip(following);
    let begins = pairs.fold(false, |any, (one, next)| any | ((*one == b'/') & is_digit(next)));
    let all_known = bytes.iter().fold(true, |all, byte| all & is_known(*byte));
    all_known & !begins && !bytes.first().is_some_and(is_digit)
}

#[cfg(test)]
mod tests {
    use super::frame_id;

    #[test]
    fn frames_have_names_that_ros_accepts() {
        let pairs = [
            ("robot/base_link", "robot/base_link"),
            ("robot #2/3d/scan", "robot_2/n3d/scan"),
            ("7", "n7"),
            ("/map", "/map"),
            ("", ""),
            ("a_rather_long_name/of/a_frame/3d", "a_rather_long_name/of/a_frame/n3d"),
            ("a_rather_long_name/of/a_frame/d3", "a_rather_long_name/of/a_frame/d3"),
            ("a_rather_long_name/of/a_frame/é", "a_rather_long_name/of/a_frame/_"),
        ];
        pairs.into_iter().for_each(|(frame, expected)| assert_eq!(frame_id(frame), expected));
    }
}
