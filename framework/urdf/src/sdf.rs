//! SDF: models with links, joints, sensors and plugins.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use crate::frame::LinkFrame;
use crate::frame::axis_of;
use crate::gazebo;
use crate::robot::{Inertial, LinkBody, LinkShape, Robot, RobotJoint, RobotJointKind, RobotLink};
use crate::urdf::{checked_inertial, named};
use simhost_xml::Element;
use simhost_xml::{Note, ReadError};

/// Elements of a model that are read.
const KNOWN: &[&str] = &["link", "joint", "plugin", "pose", "frame", "static"];

/// Reads the models of `<sdf>` that can move.
pub(crate) fn read(root: Element<'_>) -> Result<Vec<Robot>, ReadError> {
    let worlds = root.all("world").flat_map(|world| world.all("model"));
    let models: Vec<_> = root.all("model").chain(worlds).collect();
    let mut robots = Vec::new();
    for element in models {
        let is_static = element.text_of("static").is_some_and(|text| matches!(text, "true" | "1"));
        if !is_static && element.child("joint").is_some() {
            robots.push(model(element)?);
        }
    }
    if robots.is_empty() {
        let text = "the file has no <model> with joints that is not static";
        return Err(ReadError::new(root.line(), text)
            .help("models from <include> are not read: give the file of the model"));
    }
    Ok(robots)
}

/// What a pose can be relative to, by its name: its element, and the name that it has by default.
struct Frames<'d> {
    elements: BTreeMap<&'d str, (Element<'d>, Option<&'d str>)>,
}

impl<'d> Frames<'d> {
    fn of(model: Element<'d>) -> Result<Self, ReadError> {
        let mut elements = BTreeMap::new();
        for element in model.elements() {
            let above = match element.name() {
                "link" => None,
                // a joint is placed in its child, and a frame in what it is attached to
                "joint" => element.text_of("child"),
                "frame" => element.attribute("attached_to"),
                _ => continue,
            };
            let name = element.required("name")?;
            if elements.insert(name, (element, above)).is_some() {
                let text = format!("two links, joints or frames have the name '{name}'");
                return Err(ReadError::new(element.line(), text));
            }
        }
        Ok(Self { elements })
    }

    /// Returns a frame in the frame of the model.
    fn find(&self, name: &str, line: u32, depth: usize) -> Result<LinkFrame, ReadError> {
        if name.is_empty() || name == "__model__" {
            return Ok(LinkFrame::default());
        }
        if depth > self.elements.len() {
            let text = format!("the frame '{name}' is relative to itself");
            return Err(ReadError::new(line, text));
        }
        let Some(&(element, above)) = self.elements.get(name) else {
            let error = ReadError::new(line, format!("there is no frame '{name}'"));
            return Err(match simhost_model::nearest(name, self.elements.keys().copied()) {
                Some(near) => error.help(format!("did you mean '{near}'?")),
                None => error,
            });
        };
        let pose = element.child("pose").and_then(|pose| pose.attribute("relative_to"));
        let above = pose.or(above).unwrap_or_default();
        let above = self.find(above, element.line(), depth + 1)?;
        Ok(gazebo::pose(element)?.within(&above))
    }
}

pub(crate) fn model(element: Element<'_>) -> Result<Robot, ReadError> {
    let mut notes = Vec::new();
    element.note_unknown(KNOWN, &mut notes);
    let frames = Frames::of(element)?;
    let (mut names, mut links, mut sensors) = (BTreeMap::new(), Vec::new(), Vec::new());
    for one in element.all("link") {
        let name = one.required("name")?;
        names.insert(name, links.len());
        for sensor in one.all("sensor") {
            sensors.extend(gazebo::sensor(sensor, links.len(), &mut notes)?);
        }
        let frame = frames.find(name, one.line(), 0)?;
        links.push(link(one, name, frame, &mut notes)?);
    }
    let mut joints: Vec<RobotJoint> = Vec::new();
    for one in element.all("joint") {
        joints.push(joint(one, &names, &frames)?);
    }
    let mut drives = Vec::new();
    for plugin in element.all("plugin") {
        drives.extend(gazebo::drive(plugin, &mut notes)?);
    }
    let name = element.attribute("name").unwrap_or("robot").to_owned();
    let robot = Robot { name, links, joints, sensors, drives, notes };
    robot.root()?;
    Ok(robot)
}

fn link(
    element: Element<'_>,
    name: &str,
    frame: LinkFrame,
    notes: &mut Vec<Note>,
) -> Result<RobotLink, ReadError> {
    element.note_unknown(&["inertial", "visual", "collision", "sensor", "pose"], notes);
    let bodies = |kind| {
        let shapes = element.all(kind).map(body).collect::<Result<Vec<_>, _>>();
        shapes.map(|shapes| shapes.into_iter().flatten().collect())
    };
    let mut friction = [None; 2];
    for collision in element.all("collision") {
        let found = gazebo::friction(collision)?;
        friction.iter_mut().zip(found).for_each(|(to, found)| *to = to.or(found));
    }
    Ok(RobotLink {
        name: name.to_owned(),
        line: element.line(),
        frame,
        inertial: Some(inertial(element)?),
        collisions: bodies("collision")?,
        visuals: bodies("visual")?,
        friction,
    })
}

/// Reads the mass and the inertia of a link; by default, they are 1 kg and 1 kg·m².
fn inertial(link: Element<'_>) -> Result<Inertial, ReadError> {
    let Some(element) = link.child("inertial") else {
        return checked_inertial(
            link.line(),
            1.0,
            LinkFrame::default(),
            [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        );
    };
    let mass = element.number_of("mass")?.unwrap_or(1.0);
    let tensor = element.child("inertia");
    let value = |name: &'static str, default: f64| match tensor {
        Some(tensor) => Ok(tensor.number_of(name)?.unwrap_or(default)),
        None => Ok(default),
    };
    let values = [
        value("ixx", 1.0)?,
        value("iyy", 1.0)?,
        value("izz", 1.0)?,
        value("ixy", 0.0)?,
        value("ixz", 0.0)?,
        value("iyz", 0.0)?,
    ];
    checked_inertial(element.line(), mass, gazebo::pose(element)?, values)
}

/// Reads a `<visual>` or a `<collision>`; `None` for a plane, which has no end.
pub(crate) fn body(element: Element<'_>) -> Result<Option<LinkBody>, ReadError> {
    let Some(one) = element.child("geometry").and_then(|geometry| geometry.elements().next())
    else {
        let text = format!("<{}> has no <geometry> with a shape", element.name());
        return Err(ReadError::new(element.line(), text));
    };
    let length = |name: &'static str| match one.child(name) {
        Some(child) => child.length(child.text(), name),
        None => Err(ReadError::new(one.line(), format!("<{}> has no <{name}>", one.name()))),
    };
    let shape = match one.name() {
        "box" => match one.child("size") {
            Some(size) => LinkShape::Box(size.numbers(size.text(), "size")?),
            None => return Err(ReadError::new(one.line(), "<box> has no <size>")),
        },
        "cylinder" => LinkShape::Cylinder { radius: length("radius")?, length: length("length")? },
        "capsule" => {
            let radius = length("radius")?;
            LinkShape::Cylinder { radius, length: length("length")? + 2.0 * radius }
        }
        "sphere" => LinkShape::Sphere(length("radius")?),
        "mesh" => {
            let scale = one.child("scale").map(|scale| scale.numbers(scale.text(), "scale"));
            let uri = one.text_of("uri").unwrap_or_default().to_owned();
            LinkShape::Mesh { uri, scale: scale.transpose()?.unwrap_or([1.0; 3]) }
        }
        _ => return Ok(None),
    };
    Ok(Some(LinkBody { line: element.line(), frame: gazebo::pose(element)?, shape }))
}

fn joint(
    element: Element<'_>,
    names: &BTreeMap<&str, usize>,
    frames: &Frames<'_>,
) -> Result<RobotJoint, ReadError> {
    let name = element.required("name")?;
    let axis = element.child("axis");
    let limit = axis.and_then(|axis| axis.child("limit"));
    let in_limit = |name: &'static str| limit.map_or(Ok(None), |limit| limit.number_of(name));
    let (lower, upper) = (in_limit("lower")?, in_limit("upper")?);
    // a turn without an end is written as a very large limit
    let has_end = lower.zip(upper).is_some_and(|(lower, upper)| lower > -1e9 && upper < 1e9);
    let kind = match element.required("type")? {
        "fixed" => RobotJointKind::Fixed,
        "continuous" => RobotJointKind::Continuous,
        "revolute" if !has_end => RobotJointKind::Continuous,
        "revolute" => RobotJointKind::Revolute,
        "prismatic" => RobotJointKind::Prismatic,
        "ball" => RobotJointKind::Ball,
        "universal" | "revolute2" | "screw" | "gearbox" => RobotJointKind::Other,
        other => {
            let text = format!("joint '{name}' has the unknown type `{other}`");
            return Err(ReadError::new(element.line(), text));
        }
    };
    let link = |part: &'static str| {
        let Some(child) = element.text_of(part) else {
            let text = format!("joint '{name}' has no <{part}>");
            return Err(ReadError::new(element.line(), text));
        };
        named(names, child, element.line())
    };
    let frame = frames.find(name, element.line(), 0)?;
    let direction = match axis.and_then(|axis| axis.child("xyz")) {
        Some(xyz) => {
            let along = axis_of(xyz, xyz.text(), "xyz")?;
            match xyz.attribute("expressed_in") {
                Some(other) => frames.find(other, xyz.line(), 0)?.rotation * along,
                None => frame.rotation * along,
            }
        }
        None => frame.rotation * Vector3::z(),
    };
    Ok(RobotJoint {
        name: name.to_owned(),
        line: element.line(),
        kind,
        parent: link("parent")?,
        child: link("child")?,
        axis: direction,
        place: frame.origin,
        limits: lower.zip(upper).filter(|_| has_end).map(|(lower, upper)| [lower, upper]),
        effort: [in_limit("effort")?, in_limit("velocity")?],
        mimics: None,
    })
}
