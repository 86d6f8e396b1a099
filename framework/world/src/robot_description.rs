//! The file from which a vehicle was made, such as a robot in URDF, and the frames of its links.

use std::sync::Arc;

use simhost_scene::Pose3;

use crate::context::Context;
use crate::files;
use crate::pose::POSE_3D;
use crate::reader::{ElementReader, Words, declare, words};
use crate::sources::Span;
use crate::tree::Text;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Value, element};

/// Maximum size of a file in bytes.
const MOST_BYTES: u64 = 16 << 20;

declare! {
    /// A link of a robot. Its frame has the name of the vehicle and the name of the link.
    section = element("link");

    /// A link of a robot.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RobotFrame {
        /// Name of the link in the file.
        pub name: String = attribute(Value::Text).required();
        /// Wheel with which the link moves, such as `l_wheel`. Other links are fixed to the vehicle.
        pub wheel: Option<String> = attribute(Value::Text);
        /// Whether the link turns about the axle with the wheel, or only with its steering.
        pub motion: LinkMotion = attribute(Value::Choice(LinkMotion::WORDS)).or("spin");
        /// Pose in m and degrees, in the frame of the vehicle, or of the wheel at zero angles: its centre, with the axle along
        /// y.
        pub pose: Pose3 = child(Value::Row(POSE_3D)).named("pose_3d").or("0 0 0 0 0 0");
        /// Position of the element.
        pub span: Span => |reader| reader.element.name_span;
    }
}

/// How a link moves with its wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkMotion {
    /// It moves with the steering and turns about the axle.
    Spin,
    /// It moves with the steering only.
    Steer,
}

words!(LinkMotion { "spin" => Spin, "steer" => Steer });

declare! {
    /// The file that describes the vehicle as a robot, for `robot_description` of the run, and the frames of its links.
    /// `simhost import` and vehicle files in URDF and SDF write it.
    section = element("robot_description") => check;

    /// The file from which a vehicle was made.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RobotDescription {
        /// File in URDF or SDF.
        pub(crate) file: Text = attribute(Value::Uri).required();
        /// Name of the frame of the vehicle: on the ground below the reference point.
        pub frame: String = attribute(Value::Text).or("base_link");
        /// A link of the robot.
        pub links: Arc<[RobotFrame]> = child(Value::Element(RobotFrame::SECTION)).named("link").repeats();
        /// Content of the file.
        pub text: Arc<str> => |_| Arc::from("");
    }
}

/// Reads the file, and checks that each name occurs once.
fn check(
    description: RobotDescription,
    reader: &mut ElementReader<'_, '_, '_>,
) -> Option<RobotDescription> {
    let context = &mut *reader.context;
    report_duplicates(context, &description.links);
    let path = files::local_path(context, &description.file)?;
    let text = files::read_text(context, description.file.span, &path, MOST_BYTES)?;
    Some(RobotDescription { text: text.into(), ..description })
}

fn report_duplicates(context: &mut Context<'_>, links: &[RobotFrame]) {
    let mut seen = std::collections::HashSet::new();
    for link in links.iter().filter(|link| !seen.insert(link.name.as_str())) {
        let message = format!("two links have the name '{}'", link.name);
        context.report.error(link.span, message, "expected different names");
    }
}

/// Reports links on wheels that a vehicle does not have. `wheels` are the names of its wheels.
pub(crate) fn check_wheels<'w>(
    context: &mut Context<'_>,
    description: &RobotDescription,
    wheels: impl Iterator<Item = &'w str> + Clone,
) {
    for link in description.links.iter() {
        let Some(name) = &link.wheel else { continue };
        if wheels.clone().all(|wheel| wheel != name) {
            let message = format!("the vehicle has no wheel `{name}`");
            let known: Vec<&str> = wheels.clone().collect();
            let label = format!("expected one of: {}", known.join(", "));
            context.report.error(link.span, message, &label);
        }
    }
}
