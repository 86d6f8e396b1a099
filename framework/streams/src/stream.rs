//! Streams and their types.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::sample::Sample;
use crate::source::Source;

/// Type of a stream: its fields, and the ROS 2 message that carries them.
#[derive(Clone, Debug)]
pub struct StreamType {
    /// Name, such as `Odometry`.
    pub name: Cow<'static, str>,
    /// Name of the ROS 2 message, such as `nav_msgs/msg/Odometry`.
    pub message: Cow<'static, str>,
    /// Meaning, with the frames of its fields.
    pub doc: Cow<'static, str>,
    /// The fields, in the order of their values in a [`Sample`](crate::Sample).
    pub fields: Cow<'static, [Field]>,
    /// Form of its message; without one, the message follows from the fields.
    pub(crate) form: Option<&'static MessageForm>,
    /// Streams of the type.
    pub(crate) sources: &'static [Source],
}

/// Names of the frames of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameForm {
    /// Names that messages can have in another form.
    Any,
    /// Names as messages have them.
    AsInMessages,
}

/// Receiver of the positions of numbers in a message, relative to its start; for an array, the
/// position of its first number. `None` if they are not wanted.
pub(crate) type NumberPlaces<'a> = Option<&'a mut Vec<u32>>;

/// Form of the samples of a type as ROS 2 messages.
#[derive(Debug)]
pub(crate) struct MessageForm {
    /// Names and definitions of the message and, after it, of those that occur in no other message.
    pub definitions: &'static [(&'static str, &'static str)],
    /// Appends a sample as CDR, and the positions of its numbers.
    pub cdr: fn(&Stream, &Sample<'_>, &mut Vec<u8>, FrameForm, NumberPlaces<'_>),
    /// Writes the numbers of a sample to their positions in a message of the stream.
    pub fill: fn(&Stream, &Sample<'_>, &mut [u8], &[u32]),
    /// Returns a sample as JSON.
    pub json: fn(&Stream, &Sample<'_>) -> Value,
}

impl StreamType {
    /// Creates a type whose message follows from its fields.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
        doc: impl Into<Cow<'static, str>>,
        fields: impl Into<Cow<'static, [Field]>>,
    ) -> Self {
        let (name, message, doc) = (name.into(), message.into(), doc.into());
        Self { name, message, doc, fields: fields.into(), form: None, sources: &[] }
    }

    /// Returns the streams that exist wherever a simulation has their owners.
    pub const fn sources(&self) -> &'static [Source] {
        self.sources
    }

    /// Returns the form of its message.
    pub(crate) const fn message_form(&self) -> Option<&'static MessageForm> {
        self.form
    }
}

impl PartialEq for StreamType {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.message, &self.doc, &self.fields)
            == (&other.name, &other.message, &other.doc, &other.fields)
    }
}

/// Field of a stream type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name, such as `position`.
    pub name: Cow<'static, str>,
    /// Unit of all its values: "1" for a pure number, empty for text and bytes.
    pub unit: Cow<'static, str>,
    /// Meaning, with sign convention and order of the values.
    pub doc: Cow<'static, str>,
    /// Number of values.
    pub count: Count,
}

/// Number of values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// One number.
    One,
    /// A fixed number of numbers.
    Fixed(usize),
    /// As many numbers for each label of the stream: all of the first label, then all of the second.
    PerLabel(usize),
    /// Any number of numbers, which are the bulk of the sample. At most one field of a type has this count or
    /// is of bytes.
    Rest,
    /// One text.
    Text,
    /// All other texts of the sample: as many for each number of [`Self::Rest`], and one more per label. At
    /// most one field of a type has this count.
    Texts(usize),
    /// Bytes, which are the bulk of the sample.
    Bytes,
}

/// Direction of a stream, seen from the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The simulation produces samples.
    Output,
    /// The simulation takes samples; each acts at the start of the next step.
    Input,
}

/// A stream of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Name, unique in its world, such as `robot/odometry`.
    pub name: String,
    /// Topic in ROS, unique in its world: `/` and the name, with other characters where ROS does
    /// not accept a character of the name.
    pub topic: String,
    /// Type of its samples.
    pub kind: Arc<StreamType>,
    /// What its samples are, where the description of the type leaves it open; otherwise empty.
    pub doc: Cow<'static, str>,
    /// Direction.
    pub direction: Direction,
    /// Frame of reference of its values, such as `robot/base_link`; empty if there is none.
    pub frame: String,
    /// Frame that moves relative to `frame`; empty if there is none.
    pub child_frame: String,
    /// Names of the parts that its samples list, such as joints or wheels.
    pub labels: Vec<String>,
    /// Frame of each label, if labels have separate frames: the parent of a transform, the frame of
    /// a marker. Otherwise empty.
    pub label_frames: Vec<String>,
    /// Constants of the stream by name, such as `angle_min` of a scan.
    pub constants: Vec<(Cow<'static, str>, f64)>,
    /// Simulated time between samples, s; `None` if each occasion of [`Self::trigger`] gives one.
    pub period: Option<f64>,
    /// Full name of the class that produces or takes the samples, or `host`.
    pub source: String,
    /// Occasion for samples.
    pub trigger: Trigger,
    /// Effect of a sample of an input.
    pub effect: Option<Effect>,
}

/// Occasion for samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A completed step, or the first one that reaches the next multiple of the period.
    Step,
    /// The start of a sequence of samples: there is one sample, which every later taker needs as well.
    Start,
    /// An event, such as a fault or the arrival of an input.
    Event,
}

/// Effect of the samples of an input stream.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Setpoints of the controller of a vehicle, [`Input::Command`](crate::Input::Command).
    Command {
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of command.
        kind: String,
    },
    /// Pose of an entity, [`Input::Pose`](crate::Input::Pose).
    Pose {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
    },
    /// Velocity of an entity, [`Input::Velocity`](crate::Input::Velocity).
    Velocity {
        /// Name of the vehicle, or `block/NAME`.
        entity: String,
    },
    /// Value of a parameter, [`Input::Parameter`](crate::Input::Parameter).
    Parameter,
    /// Pause if the value is true, otherwise its end: [`Input::Pause`](crate::Input::Pause) and
    /// [`Input::Resume`](crate::Input::Resume).
    Pause,
    /// Steps during a pause, [`Input::Step`](crate::Input::Step).
    Step,
    /// Simulated time per wall time, [`Input::Pace`](crate::Input::Pace).
    Pace,
    /// Switch of the logs of vehicles, [`Input::Recording`](crate::Input::Recording).
    Recording,
}

impl Stream {
    /// Returns whether the simulation takes samples of the stream.
    pub fn is_input(&self) -> bool {
        self.direction == Direction::Input
    }

    /// Returns the topic of the stream in ROS.
    pub fn topic(&self) -> String {
        self.topic.clone()
    }

    /// Returns what the samples of the stream are.
    pub fn description(&self) -> &str {
        if self.doc.is_empty() { &self.kind.doc } else { &self.doc }
    }

    /// Returns a constant of the stream.
    pub fn constant(&self, name: &str) -> Option<f64> {
        self.constants.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Creates an output stream of the host without labels, constants and frames.
    pub fn new(name: impl Into<String>, kind: Arc<StreamType>) -> Self {
        let name = name.into();
        Self {
            topic: topic(&name),
            name,
            kind,
            doc: Cow::Borrowed(""),
            direction: Direction::Output,
            frame: String::new(),
            child_frame: String::new(),
            labels: Vec::new(),
            label_frames: Vec::new(),
            constants: Vec::new(),
            period: None,
            source: "host".to_owned(),
            trigger: Trigger::Step,
            effect: None,
        }
    }

    /// Returns the rate of samples in words, such as `10 Hz` or `every step`.
    pub fn rate(&self) -> String {
        match (self.trigger, self.period) {
            (Trigger::Step, Some(period)) => format!("{} Hz", (1e9 / period).round() / 1e9),
            (Trigger::Step, None) => "every step".to_owned(),
            (Trigger::Start, _) => "once".to_owned(),
            (Trigger::Event, _) => "events".to_owned(),
        }
    }

    /// Returns the frame of a label, by default the frame of the stream.
    pub fn label_frame(&self, label: usize) -> &str {
        self.label_frames.get(label).unwrap_or(&self.frame)
    }

    /// Returns the number of numbers of a field of fixed length; 0 of others.
    pub fn len_of(&self, field: &Field) -> usize {
        match field.count {
            Count::One => 1,
            Count::Fixed(count) => count,
            Count::PerLabel(count) => count * self.labels.len(),
            Count::Rest | Count::Text | Count::Texts(_) | Count::Bytes => 0,
        }
    }

    /// Returns the numbers of a field of fixed length from the numbers of a sample; none if the
    /// type does not have it or the sample is too short.
    pub fn numbers_of<'a>(&self, name: &str, numbers: &'a [f64]) -> &'a [f64] {
        let mut from = 0;
        for field in self.kind.fields.iter() {
            let len = self.len_of(field);
            if field.name == name {
                return numbers.get(from..from + len).unwrap_or(&[]);
            }
            from += len;
        }
        &[]
    }
}

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
