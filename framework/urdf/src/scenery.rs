//! Worlds in SDF: what stands around the robots.

use std::fmt::Write;

use simhost_scene::polygon::convex_hull;
use simhost_xml::{Element, Lines, Note, ReadError, parse};

use crate::MOST_BYTES;
use crate::frame::LinkFrame;
use crate::gazebo::pose;
use crate::outline::ReadMesh;
use crate::robot::{LinkShape, Robot};
use crate::sdf;
use crate::vehicle::VehicleDraft;
use crate::write::{FindFile, RobotFile, escaped, number, numbers, remark};

/// A world of SDF.
#[derive(Clone, Debug)]
pub struct SdfWorld {
    /// Name of the world.
    pub name: String,
    /// Gravity, m/s², if it is given.
    pub gravity: Option<f64>,
    /// Latitude and longitude, °, and height, m, of the origin, and the heading of its x axis against east, °.
    pub georeference: Option<[f64; 4]>,
    /// Direction of the light of the sun, if there is one.
    pub sun: Option<[f64; 3]>,
    /// Everything that is not a robot.
    pub props: Vec<Prop>,
    /// Robots with their poses.
    pub robots: Vec<(Robot, LinkFrame)>,
    /// What has no effect.
    pub notes: Vec<Note>,
}

/// A body that stands or can be pushed.
#[derive(Clone, Debug)]
pub struct Prop {
    /// Name.
    pub name: String,
    /// Line in the file.
    pub line: u32,
    /// Mass of a body that can be pushed, kg; `None` for one that stands.
    pub mass: Option<f64>,
    /// Shapes with their frames in the world.
    pub shapes: Vec<(LinkFrame, LinkShape)>,
    /// Colour, red, green and blue from 0 to 1, if it is given.
    pub colour: Option<[f64; 3]>,
}

/// Reads a world of SDF with its robots.
///
/// # Errors
/// [`ReadError`] with its line for a file that is not SDF, has no world, or has a model that is wrong.
pub fn read_world(text: &str) -> Result<SdfWorld, ReadError> {
    let document = parse(text, MOST_BYTES)?;
    let lines = Lines::of(text);
    let root = Element::root(&document, &lines);
    let Some(world) = root.child("world") else {
        let text = format!("<{}> has no <world>", root.name());
        return Err(ReadError::new(root.line(), text).help("without --world, models are read"));
    };
    let mut notes = Vec::new();
    world.note_unknown(&["model", "light", "gravity", "spherical_coordinates"], &mut notes);
    let mut scenery = SdfWorld {
        name: world.attribute("name").unwrap_or("world").to_owned(),
        gravity: match world.child("gravity") {
            Some(gravity) => {
                let along = gravity.numbers::<3>(gravity.text(), "gravity")?;
                Some(along.iter().map(|one| one * one).sum::<f64>().sqrt())
            }
            None => None,
        },
        georeference: world.child("spherical_coordinates").map(georeference).transpose()?,
        sun: sun(world)?,
        props: Vec::new(),
        robots: Vec::new(),
        notes,
    };
    for model in world.all("model") {
        let is_static = model.text_of("static").is_some_and(|text| matches!(text, "true" | "1"));
        if !is_static && model.child("joint").is_some() {
            let mut robot = sdf::model(model)?;
            scenery.notes.append(&mut robot.notes);
            scenery.robots.push((robot, pose(model)?));
        } else {
            props(&mut scenery, model, is_static)?;
        }
    }
    Ok(scenery)
}

fn georeference(element: Element<'_>) -> Result<[f64; 4], ReadError> {
    let part = |name: &'static str| element.number_of(name).map(|one| one.unwrap_or(0.0));
    Ok([part("latitude_deg")?, part("longitude_deg")?, part("elevation")?, part("heading_deg")?])
}

/// Returns the direction of the first directional light.
fn sun(world: Element<'_>) -> Result<Option<[f64; 3]>, ReadError> {
    let is_sun = |light: &Element<'_>| light.attribute("type") == Some("directional");
    let Some(direction) = world.all("light").find(is_sun).and_then(|one| one.child("direction"))
    else {
        return Ok(None);
    };
    direction.numbers::<3>(direction.text(), "direction").map(Some)
}

/// Reads a model without joints: one prop that can be pushed, or one that stands for each collision.
fn props(scenery: &mut SdfWorld, model: Element<'_>, is_static: bool) -> Result<(), ReadError> {
    let (name, at) = (model.required("name")?, pose(model)?);
    let mut whole = Prop {
        name: name.to_owned(),
        line: model.line(),
        mass: None,
        shapes: Vec::new(),
        colour: None,
    };
    for link in model.all("link") {
        let frame = pose(link)?.within(&at);
        let mass = link.child("inertial").map(|one| one.number_of("mass")).transpose()?.flatten();
        if !is_static {
            whole.mass = Some(whole.mass.unwrap_or(0.0) + mass.unwrap_or(1.0));
        }
        let colour = colour(link)?;
        whole.colour = whole.colour.or(colour);
        for (number, collision) in link.all("collision").enumerate() {
            let Some(body) = sdf::body(collision)? else {
                let text = format!("the plane of '{name}' is the ground, which worlds have anyway");
                scenery.notes.push(Note { line: collision.line(), text });
                continue;
            };
            let shape = (body.frame.within(&frame), body.shape);
            if is_static {
                let name = if number == 0 { name.to_owned() } else { format!("{name}_{number}") };
                let line = collision.line();
                scenery.props.push(Prop { name, line, mass: None, shapes: vec![shape], colour });
            } else {
                whole.shapes.push(shape);
            }
        }
    }
    if !whole.shapes.is_empty() {
        scenery.props.push(whole);
    }
    Ok(())
}

/// Returns the colour of the first visual with a material.
fn colour(link: Element<'_>) -> Result<Option<[f64; 3]>, ReadError> {
    let mut materials =
        link.all("visual").filter_map(|visual| visual.path(&["material", "diffuse"]));
    let Some(diffuse) = materials.next() else { return Ok(None) };
    let parts: Vec<&str> = diffuse.text().split_ascii_whitespace().take(3).collect();
    diffuse.numbers::<3>(&parts.join(" "), "diffuse").map(Some)
}

impl SdfWorld {
    /// Returns the world as the text of a world file, with a class and a vehicle for each robot, and what had no effect.
    ///
    /// # Errors
    /// [`ReadError`] for a robot that is no vehicle.
    pub fn to_xml(
        &self,
        source: &str,
        read: &ReadMesh<'_>,
        find: &FindFile<'_>,
    ) -> Result<(String, Vec<Note>), ReadError> {
        let mut notes = self.notes.clone();
        let mut text = format!(
            "<!-- '{}', from {}. -->\n<mvsim_world version=\"1.0\">\n",
            remark(&self.name),
            remark(source)
        );
        if let Some(gravity) = self.gravity.filter(|gravity| (gravity - 9.8).abs() > 0.05) {
            let _ = writeln!(text, "  <gravity>{}</gravity>", number(gravity));
        }
        if let Some([latitude, longitude, height, heading]) = self.georeference {
            let _ = writeln!(
                text,
                "  <georeference> <latitude>{}</latitude> <longitude>{}</longitude> <height>{}</height> \
                 <world_to_enu_rotation_deg>{}</world_to_enu_rotation_deg> </georeference>",
                number(latitude),
                number(longitude),
                number(height),
                number(heading)
            );
        }
        if let Some([x, y, z]) = self.sun.filter(|[_, _, z]| *z < 0.0) {
            let (azimuth, elevation) =
                ((-y).atan2(-x).to_degrees(), (-z).atan2(x.hypot(y)).to_degrees());
            let _ = writeln!(
                text,
                "  <lights> <light_azimuth_deg>{}</light_azimuth_deg> <light_elevation_deg>{}</light_elevation_deg> </lights>",
                number(azimuth),
                number(elevation)
            );
        }
        for prop in &self.props {
            match block(prop, read) {
                Ok(block) => text.push_str(&block),
                Err(reason) => notes.push(Note { line: prop.line, text: reason }),
            }
        }
        for (robot, at) in &self.robots {
            let draft = VehicleDraft::of(robot, read)?;
            let file = RobotFile { name: source, path: None };
            let class = draft.to_xml(&robot.name, file, find);
            notes.extend(class.notes);
            class.text.lines().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
            let [x, y, _] = at.point(draft.origin).into();
            let yaw = at.pose_3d()[3];
            let name = escaped(&robot.name);
            let _ = writeln!(
                text,
                "  <vehicle name=\"{name}\" class=\"{name}\"> <init_pose>{}</init_pose> </vehicle>",
                numbers(&[x, y, yaw])
            );
        }
        text.push_str("</mvsim_world>\n");
        notes.sort_by_key(|note| note.line);
        Ok((text, notes))
    }
}

/// Writes a prop as a block: the convex outline of its shapes from above, and their heights.
fn block(prop: &Prop, read: &ReadMesh<'_>) -> Result<String, String> {
    let mut points = Vec::new();
    for (frame, shape) in &prop.shapes {
        points.extend(shape.points(frame, read)?);
    }
    let planar: Vec<_> = points.iter().map(|point| [point.x, point.y]).collect();
    let outline = convex_hull(&planar);
    if outline.len() < 3 {
        return Err(format!("'{}' has no area from above", prop.name));
    }
    let count = outline.len() as f64;
    let mean = |axis: usize| outline.iter().map(|point| point[axis]).sum::<f64>() / count;
    let centre = [mean(0), mean(1)];
    let low = points.iter().map(|point| point.z).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|point| point.z).fold(f64::NEG_INFINITY, f64::max);
    if high <= 0.0 {
        return Err(format!("'{}' lies below the ground", prop.name));
    }
    let corners = outline
        .iter()
        .map(|[x, y]| format!("<pt>{}</pt>", numbers(&[x - centre[0], y - centre[1]])));
    let corners: Vec<String> = corners.collect();
    let body = match prop.mass {
        Some(mass) => format!("<mass>{}</mass>", number(mass.max(1e-3))),
        None => "<static>true</static>".to_owned(),
    };
    let colour = prop.colour.map_or(String::new(), |parts| {
        let [red, green, blue] = parts.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
        format!(" <color>#{red:02x}{green:02x}{blue:02x}</color>")
    });
    Ok(format!(
        "  <block name=\"{}\"> <!-- line {} -->\n    <init_pose>{} 0</init_pose> {body}{colour}\n    <zmin>{}</zmin> \
         <zmax>{}</zmax>\n    <shape> {} </shape>\n  </block>\n",
        escaped(&prop.name),
        prop.line,
        numbers(&centre),
        number(low.max(0.0)),
        number(high),
        corners.join(" ")
    ))
}
