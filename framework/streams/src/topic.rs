//! Names of topics.

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
