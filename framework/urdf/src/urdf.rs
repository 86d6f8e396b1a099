//! URDF: links, joints, and the extensions of Gazebo.

use std::collections::BTreeMap;

use nalgebra::{Matrix3, Vector3};

use crate::frame::LinkFrame;
use crate::frame::axis_of;
use crate::gazebo;
use crate::robot::{Inertial, LinkBody, LinkShape, Robot, RobotJoint, RobotJointKind, RobotLink};
use simhost_xml::Element;
use simhost_xml::{Note, ReadError};

/// Elements of a robot that are read.
const KNOWN: &[&str] = &["link", "joint", "gazebo", "material"];

/// Links by their names.
type Names<'d> = BTreeMap<&'d str, usize>;

/// Reads `<robot>`.
pub(crate) fn read(root: Element<'_>) -> Result<Robot, ReadError> {
    let mut notes = Vec::new();
    root.note_unknown(KNOWN, &mut notes);
    let mut names = Names::new();
    let mut links = Vec::new();
    for element in root.all("link") {
        let name = element.required("name")?;
        if names.insert(name, links.len()).is_some() {
            return Err(ReadError::new(
                element.line(),
                format!("two links have the name '{name}'"),
            ));
        }
        links.push(link(element, name, &mut notes)?);
    }
    if links.is_empty() {
        return Err(ReadError::new(root.line(), "<robot> has no <link>"));
    }
    let mut joints: Vec<RobotJoint> = Vec::new();
    let mut origins = Vec::new();
    for element in root.all("joint") {
        let one = joint(element, &names)?;
        if joints.iter().any(|other| other.name == one.name) {
            let text = format!("two joints have the name '{}'", one.name);
            return Err(ReadError::new(element.line(), text));
        }
        joints.push(one);
        origins.push(origin(element)?);
    }
    let name = root.attribute("name").unwrap_or("robot").to_owned();
    let mut robot = Robot { name, links, joints, sensors: Vec::new(), drives: Vec::new(), notes };
    let base = robot.root()?;
    place(&mut robot, base, &origins);
    for element in root.all("gazebo") {
        extend(&mut robot, element, &names)?;
    }
    Ok(robot)
}

fn link(element: Element<'_>, name: &str, notes: &mut Vec<Note>) -> Result<RobotLink, ReadError> {
    element.note_unknown(&["inertial", "visual", "collision"], notes);
    let bodies = |kind| element.all(kind).map(body).collect::<Result<Vec<_>, _>>();
    Ok(RobotLink {
        name: name.to_owned(),
        line: element.line(),
        frame: LinkFrame::default(),
        inertial: element.child("inertial").map(inertial).transpose()?,
        collisions: bodies("collision")?,
        visuals: bodies("visual")?,
        friction: [None; 2],
    })
}

/// Reads the frame of an element `<origin xyz rpy>` in this one.
fn origin(element: Element<'_>) -> Result<LinkFrame, ReadError> {
    let Some(origin) = element.child("origin") else { return Ok(LinkFrame::default()) };
    let read = |name| match origin.attribute(name) {
        Some(text) => origin.numbers::<3>(text, name),
        None => Ok([0.0; 3]),
    };
    Ok(LinkFrame::of_pose(read("xyz")?, read("rpy")?))
}

/// Reads `<inertial>`.
fn inertial(element: Element<'_>) -> Result<Inertial, ReadError> {
    let mass = match element.child("mass") {
        Some(mass) => mass.number(mass.required("value")?, "value")?,
        None => return Err(ReadError::new(element.line(), "<inertial> has no <mass>")),
    };
    let tensor = element.child("inertia");
    let value = |name: &str| match tensor {
        Some(tensor) => Ok(tensor.number_in(name)?.unwrap_or(0.0)),
        None => Ok(0.0),
    };
    let values =
        [value("ixx")?, value("iyy")?, value("izz")?, value("ixy")?, value("ixz")?, value("iyz")?];
    checked_inertial(element.line(), mass, origin(element)?, values)
}

/// Checks a mass and its inertia: ixx, iyy, izz, ixy, ixz, iyz.
pub(crate) fn checked_inertial(
    line: u32,
    mass: f64,
    frame: LinkFrame,
    [xx, yy, zz, xy, xz, yz]: [f64; 6],
) -> Result<Inertial, ReadError> {
    if mass < 0.0 {
        return Err(ReadError::new(line, format!("a mass of {mass} kg; expected 0 or more")));
    }
    if [xx, yy, zz].iter().any(|one| *one < 0.0) {
        let text = format!("moments of inertia of {xx}, {yy} and {zz} kg·m²; expected 0 or more");
        return Err(ReadError::new(line, text));
    }
    let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    Ok(Inertial { mass, frame, inertia })
}

/// Reads a `<visual>` or a `<collision>`.
fn body(element: Element<'_>) -> Result<LinkBody, ReadError> {
    let Some(geometry) = element.child("geometry") else {
        let text = format!("<{}> has no <geometry>", element.name());
        return Err(ReadError::new(element.line(), text));
    };
    let Some(one) = geometry.elements().next() else {
        return Err(ReadError::new(geometry.line(), "<geometry> has no shape"));
    };
    let length = |name: &str| one.length(one.required(name)?, name);
    let shape = match one.name() {
        "box" => LinkShape::Box(one.numbers(one.required("size")?, "size")?),
        "cylinder" => LinkShape::Cylinder { radius: length("radius")?, length: length("length")? },
        "capsule" => {
            let radius = length("radius")?;
            LinkShape::Cylinder { radius, length: length("length")? + 2.0 * radius }
        }
        "sphere" => LinkShape::Sphere(length("radius")?),
        "mesh" => {
            let scale = one.attribute("scale").map(|text| one.numbers(text, "scale"));
            let scale = scale.transpose()?.unwrap_or([1.0; 3]);
            LinkShape::Mesh { uri: one.required("filename")?.to_owned(), scale }
        }
        other => {
            let text = format!("unknown shape <{other}>");
            let help = "shapes are box, cylinder, capsule, sphere and mesh";
            return Err(ReadError::new(one.line(), text).help(help));
        }
    };
    Ok(LinkBody { line: element.line(), frame: origin(element)?, shape })
}

fn joint(element: Element<'_>, names: &Names<'_>) -> Result<RobotJoint, ReadError> {
    let name = element.required("name")?;
    let kind = match element.required("type")? {
        "fixed" => RobotJointKind::Fixed,
        "continuous" => RobotJointKind::Continuous,
        "revolute" => RobotJointKind::Revolute,
        "prismatic" => RobotJointKind::Prismatic,
        "floating" | "planar" => RobotJointKind::Other,
        other => {
            let text = format!("joint '{name}' has the type `{other}`");
            let help = "types are fixed, continuous, revolute, prismatic, floating and planar";
            return Err(ReadError::new(element.line(), text).help(help));
        }
    };
    let link = |part: &'static str| {
        let Some(child) = element.child(part) else {
            let text = format!("joint '{name}' has no <{part}>");
            return Err(ReadError::new(element.line(), text));
        };
        named(names, child.required("link")?, child.line())
    };
    let limit = element.child("limit");
    let in_limit = |name: &str| limit.map_or(Ok(None), |limit| limit.number_in(name));
    let limits = match kind {
        RobotJointKind::Revolute | RobotJointKind::Prismatic => {
            Some([in_limit("lower")?.unwrap_or(0.0), in_limit("upper")?.unwrap_or(0.0)])
        }
        _ => None,
    };
    let axis = match element.child("axis") {
        Some(axis) => axis_of(axis, axis.required("xyz")?, "xyz")?,
        None => Vector3::x(),
    };
    let mimics = element.child("mimic").and_then(|one| one.attribute("joint"));
    Ok(RobotJoint {
        name: name.to_owned(),
        line: element.line(),
        kind,
        parent: link("parent")?,
        child: link("child")?,
        axis,
        place: Vector3::zeros(),
        limits,
        effort: [in_limit("effort")?, in_limit("velocity")?],
        mimics: mimics.map(str::to_owned),
    })
}

/// Returns the link with a name, or an error with the nearest one.
pub(crate) fn named(names: &Names<'_>, name: &str, line: u32) -> Result<usize, ReadError> {
    names.get(name).copied().ok_or_else(|| {
        let error = ReadError::new(line, format!("there is no link '{name}'"));
        match simhost_model::nearest(name, names.keys().copied()) {
            Some(near) => error.help(format!("did you mean '{near}'?")),
            None => error,
        }
    })
}

/// Sets the frames of all links and joints in the frame of the root.
fn place(robot: &mut Robot, root: usize, origins: &[LinkFrame]) {
    for link in robot.below(root) {
        let at = robot.links[link].frame;
        for (joint, origin) in robot.joints.iter_mut().zip(origins) {
            if joint.parent == link {
                let frame = origin.within(&at);
                (joint.axis, joint.place) = (frame.rotation * joint.axis, frame.origin);
                robot.links[joint.child].frame = frame;
            }
        }
    }
}

/// Reads `<gazebo>`, with or without the name of a link.
fn extend(robot: &mut Robot, element: Element<'_>, names: &Names<'_>) -> Result<(), ReadError> {
    let Some(reference) = element.attribute("reference") else {
        for plugin in element.all("plugin") {
            robot.drives.extend(gazebo::drive(plugin, &mut robot.notes)?);
        }
        element.note_unknown(&["plugin"], &mut robot.notes);
        return Ok(());
    };
    let Some(&link) = names.get(reference) else {
        if !robot.joints.iter().any(|joint| joint.name == reference) {
            let text =
                format!("<gazebo> refers to '{reference}', which is neither a link nor a joint");
            robot.notes.push(Note { line: element.line(), text });
        }
        return Ok(());
    };
    for sensor in element.all("sensor") {
        robot.sensors.extend(gazebo::sensor(sensor, link, &mut robot.notes)?);
    }
    for plugin in element.all("plugin") {
        robot.drives.extend(gazebo::drive(plugin, &mut robot.notes)?);
    }
    for (place, name) in ["mu1", "mu2"].into_iter().enumerate() {
        if let Some(mu) = element.number_of(name)? {
            robot.links[link].friction[place] = Some(mu);
        }
    }
    element.note_unknown(&["sensor", "plugin", "mu1", "mu2"], &mut robot.notes);
    Ok(())
}
