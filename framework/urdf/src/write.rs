//! A vehicle as the text of a vehicle file.

use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

use crate::frame::LinkFrame;
use crate::robot::{Camera, Lidar, LinkBody, LinkShape, SensorKind, SensorOnLink};
use crate::vehicle::{VehicleDraft, WheelDraft};
use simhost_xml::Note;

/// Largest number of rays, rows or columns that sensors have.
const MOST_RAYS: u32 = 100_000;
/// Largest difference of frames that are the same, m and rad.
const SAME_FRAME: f64 = 1e-9;
/// Pressure per height near the ground, Pa/m (ISO 2533).
const PRESSURE_PER_HEIGHT: f64 = 12.0;

/// Resolves the address of a mesh to a path in the vehicle file, or says why it cannot.
pub type FindFile<'f> = dyn Fn(&str) -> Result<String, String> + 'f;

/// Returns a number with 12 significant digits.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    // what remains of a turn by a quarter
    if value.abs() < 1e-14 {
        return "0".to_owned();
    }
    let digits = (11 - value.abs().log10().floor() as i32).clamp(0, 17);
    let text = format!("{value:.*}", digits as usize);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns numbers, separated by spaces.
pub(crate) fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

/// Returns a text in which XML has no meaning.
pub(crate) fn escaped(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => clean.push_str("&amp;"),
            '<' => clean.push_str("&lt;"),
            '>' => clean.push_str("&gt;"),
            '"' => clean.push_str("&quot;"),
            _ => clean.push(letter),
        }
    }
    clean
}

/// Returns a text that can be in a comment.
pub(crate) fn remark(text: &str) -> String {
    text.replace("--", "- -")
}

/// Returns a name that streams can have.
fn stream_name(text: &str) -> String {
    let letter = |one: char| if one.is_ascii_alphanumeric() || one == '_' { one } else { '_' };
    text.chars().map(letter).collect()
}

/// The file of a robot.
#[derive(Clone, Copy, Debug)]
pub struct RobotFile<'f> {
    /// Name for comments.
    pub name: &'f str,
    /// Path from the folder of the vehicle file, for `<robot_description>`; `None` if the file is not about this robot alone.
    pub path: Option<&'f str>,
}

/// A vehicle as the text of a vehicle file.
#[derive(Clone, Debug, Default)]
pub struct VehicleText {
    /// A `<vehicle:class>` with comments.
    pub text: String,
    /// Line of the file of the robot from which each line of the text comes, from 1.
    pub lines: Vec<u32>,
    /// Parts without effect, by line.
    pub notes: Vec<Note>,
}

impl VehicleDraft<'_> {
    /// Returns the vehicle as the text of a vehicle file, whose class has the name `name`.
    pub fn to_xml(&self, name: &str, source: RobotFile<'_>, find: &FindFile<'_>) -> VehicleText {
        let root = self.robot.root().map_or(1, |root| self.robot.links[root].line);
        let mut page = Page { line: root, notes: self.notes.clone(), ..Page::default() };
        page.notes.extend(self.robot.notes.iter().cloned());
        self.write_head(&mut page, name, source.name);
        page.line(1, &format!("<dynamics class=\"{}\">", self.class));
        self.write_dynamics(&mut page, find);
        page.line(1, "</dynamics>");
        self.write_friction(&mut page);
        for sensor in &self.robot.sensors {
            self.write_sensor(&mut page, sensor);
        }
        self.write_visuals(&mut page, find);
        if let Some(path) = source.path {
            page.line = root;
            self.write_frames(&mut page, path);
        }
        page.line(0, "</vehicle:class>");
        let Page { text, lines, mut notes, .. } = page;
        notes.sort_by_key(|note| note.line);
        VehicleText { text, lines, notes }
    }

    fn write_head(&self, page: &mut Page, name: &str, source: &str) {
        let total = self.robot.total();
        let [x, y, z] = self.origin.into();
        page.line(0, &format!("<!-- '{}', from {}.", remark(&self.robot.name), remark(source)));
        page.line(0, &format!(
            "     Together {} kg. The origin is at {} m of the frame of the file, on the ground under the wheels.",
            number(total.mass),
            numbers(&[x, y, z])
        ));
        page.line(0, "     x points forwards, y to the left, z up. -->");
        page.line(0, &format!("<vehicle:class name=\"{}\">", escaped(name)));
    }

    fn write_dynamics(&self, page: &mut Page, find: &FindFile<'_>) {
        let root = page.line;
        for wheel in &self.wheels {
            page.line = self.robot.links[wheel.link].line;
            self.write_wheel(page, wheel, find);
        }
        page.line = root;
        if self.class == "ackermann" {
            if let Some(angle) = self.max_steer {
                page.line(2, "<!-- of an equivalent wheel in the middle, from the limit of the inner wheel's joint, ° -->");
                page.line(
                    2,
                    &format!(
                        "<max_steer_ang_deg>{}</max_steer_ang_deg>",
                        number(angle.to_degrees())
                    ),
                );
            }
            let driven = match self.is_driven {
                [true, true] => "all",
                [_, false] => "rear",
                [false, true] => "front",
            };
            page.line(2, &format!("<driven>{driven}</driven>"));
        }
        let chassis = &self.chassis;
        page.line(2, "<!-- all links but the wheels: mass (kg), centre of mass (m), yaw inertia about it (kg·m²) -->");
        page.line(2, &format!(
            "<chassis mass=\"{}\" cg_x=\"{}\" cg_y=\"{}\" cg_height=\"{}\" yaw_inertia=\"{}\" zmin=\"{}\" zmax=\"{}\">",
            number(chassis.mass),
            number(chassis.centre.x),
            number(chassis.centre.y),
            number(chassis.centre.z.max(0.0)),
            number(chassis.inertia[(2, 2)].max(1e-9)),
            number(self.heights[0]),
            number(self.heights[1]),
        ));
        page.line(3, "<!-- convex outline of the collisions from above, m -->");
        page.line(3, "<shape>");
        for points in self.outline.chunks(6) {
            let points = points.iter().map(|point| format!("<pt>{}</pt>", numbers(point)));
            page.line(4, &points.collect::<Vec<_>>().join(" "));
        }
        page.line(3, "</shape>");
        page.line(2, "</chassis>");
        let class = if self.class == "ackermann" { "twist_front_steer_pid" } else { "twist_pid" };
        if let Some(drive) = self.robot.drives.first() {
            let text =
                format!("<!-- as the plugin '{}' (line {}) -->", remark(&drive.name), drive.line);
            page.line = drive.line;
            page.line(2, &text);
        }
        match self.torque.filter(|torque| *torque < 1e6) {
            Some(torque) => {
                page.line(2, "<!-- largest torque of a side, N·m, from the effort of a joint or a plugin -->");
                page.line(
                    2,
                    &format!(
                        "<controller class=\"{class}\"> <max_torque>{}</max_torque> </controller>",
                        number(torque)
                    ),
                );
            }
            None => page.line(2, &format!("<controller class=\"{class}\"/>")),
        }
        page.line = root;
    }

    fn write_wheel(&self, page: &mut Page, wheel: &WheelDraft, find: &FindFile<'_>) {
        let link = &self.robot.links[wheel.link];
        let names: Vec<String> = wheel.names.iter().map(|name| remark(name)).collect();
        match wheel.inertia {
            Some(_) => page.line(
                2,
                &format!("<!-- joint '{}', link '{}' (line {}) -->", names[0], names[1], link.line),
            ),
            None => page.line(
                2,
                &format!(
                    "<!-- support without friction: {} (line {}) -->",
                    names.join(", "),
                    link.line
                ),
            ),
        }
        let inertia =
            wheel.inertia.map_or(String::new(), |one| format!(" inertia=\"{}\"", number(one)));
        let begin = format!(
            "<{} pos=\"{}\" mass=\"{}\" width=\"{}\" diameter=\"{}\"{inertia}",
            wheel.element,
            numbers(&wheel.place),
            number(wheel.mass),
            number(wheel.width),
            number(wheel.diameter)
        );
        if wheel.inertia.is_none() {
            page.line(
                2,
                &format!("{begin}> <friction> <mu>0</mu> </friction> </{}>", wheel.element),
            );
            return;
        }
        let mut inner = Page { line: page.line, ..Page::default() };
        for body in &link.visuals {
            // the visual of a wheel is in the frame of the wheel: its axle along y
            let mut frame = body.frame.within(&link.frame);
            let contact = self.origin
                + nalgebra::Vector3::new(wheel.place[0], wheel.place[1], 0.5 * wheel.diameter);
            frame.origin -= contact;
            inner.visual(3, body, &frame, find);
        }
        page.notes.extend(inner.notes);
        if inner.text.is_empty() {
            page.line(2, &format!("{begin}/>"));
        } else {
            page.line(2, &format!("{begin}>"));
            page.text.push_str(&inner.text);
            page.lines.extend(&inner.lines);
            page.line(2, &format!("</{}>", wheel.element));
        }
    }

    fn write_friction(&self, page: &mut Page) {
        if let Some(mu) = self.friction {
            page.line = self.wheels.first().map_or(1, |wheel| self.robot.links[wheel.link].line);
            page.line(1, "<!-- the smallest coefficient of the wheels, at most 1 as the ground of Gazebo -->");
            page.line(
                1,
                &format!("<friction class=\"default\"> <mu>{}</mu> </friction>", number(mu)),
            );
        }
    }

    fn write_visuals(&self, page: &mut Page, find: &FindFile<'_>) {
        let wheels: Vec<usize> = self.wheels.iter().map(|wheel| wheel.link).collect();
        let links = self.robot.links.iter().enumerate();
        for (_, link) in links.filter(|(number, _)| !wheels.contains(number)) {
            for body in &link.visuals {
                let mut frame = body.frame.within(&link.frame);
                frame.origin -= self.origin;
                page.visual(1, body, &frame, find);
            }
        }
    }

    /// Writes the file of the robot and the frames of its links.
    fn write_frames(&self, page: &mut Page, path: &str) {
        let links = &self.robot.links;
        let mut frames: Vec<_> = links.iter().map(|link| (None, link.frame)).collect();
        frames.iter_mut().for_each(|(_, frame)| frame.origin -= self.origin);
        let is_own = |frame: &LinkFrame| {
            frame.origin.norm() < SAME_FRAME
                && (frame.rotation - nalgebra::Matrix3::identity()).norm() < SAME_FRAME
        };
        for wheel in &self.wheels {
            let [x, y] = wheel.place;
            let centre = nalgebra::Vector3::new(x, y, 0.5 * wheel.diameter);
            let parts = wheel.parts.iter().map(|link| (*link, "spin"));
            for (link, motion) in parts.chain(wheel.knuckle.iter().map(|link| (*link, "steer"))) {
                frames[link].0 = Some((wheel.element, motion));
                frames[link].1.origin -= centre;
            }
        }
        let own = frames.iter().position(|(wheel, frame)| wheel.is_none() && is_own(frame));
        let is_free = |name: &&str| links.iter().all(|link| link.name != *name);
        let name = match own {
            Some(link) => links[link].name.as_str(),
            None => ["base_footprint", "ground"].into_iter().find(is_free).unwrap_or("vehicle"),
        };
        page.line(
            1,
            "<!-- for the stream robot_description: the file, and the frames of its links -->",
        );
        let (path, name) = (escaped(path), escaped(name));
        page.line(1, &format!("<robot_description file=\"{path}\" frame=\"{name}\">"));
        for (number, (wheel, frame)) in frames.iter().enumerate() {
            if Some(number) == own {
                continue;
            }
            let on = wheel.map_or(String::new(), |(wheel, motion)| {
                format!(" wheel=\"{wheel}\" motion=\"{motion}\"")
            });
            page.line = links[number].line;
            page.line(
                2,
                &format!(
                    "<link name=\"{}\"{on}> <pose_3d>{}</pose_3d> </link>",
                    escaped(&links[number].name),
                    numbers(&frame.pose_3d())
                ),
            );
        }
        page.line(1, "</robot_description>");
    }

    fn write_sensor(&self, page: &mut Page, sensor: &SensorOnLink) {
        let frame = self.frame_of(sensor);
        let pose = frame.pose_3d();
        let (class, values) = match &sensor.kind {
            SensorKind::Lidar(lidar) => {
                let is_tilted = pose[4..].iter().any(|angle| angle.abs() > 0.01);
                page.lidar(sensor, lidar, is_tilted)
            }
            SensorKind::Imu([rate, acceleration]) => (
                "imu",
                vec![
                    ("angular_velocity_white_noise_std_noise", noise(*rate)),
                    ("linear_acceleration_white_noise_std_noise", noise(*acceleration)),
                    ("measure_orientation", "true".to_owned()),
                ],
            ),
            SensorKind::Camera(camera) => ("camera", camera_values(camera, false)),
            SensorKind::Rgbd(camera) => ("rgbd_camera", camera_values(camera, true)),
            SensorKind::Gnss([horizontal, vertical]) => (
                "gnss",
                vec![
                    ("horizontal_std_noise", noise(*horizontal)),
                    ("vertical_std_noise", noise(*vertical)),
                ],
            ),
            SensorKind::Magnetometer(deviation) => {
                ("magnetometer", vec![("std_noise", noise(*deviation))])
            }
            SensorKind::Altimeter(deviation) => {
                let pressure = noise(deviation.map(|height| height * PRESSURE_PER_HEIGHT));
                ("barometer", vec![("std_noise", pressure)])
            }
            SensorKind::Contact => ("bumper", Vec::new()),
        };
        // the optical axis of a camera is z, and that of Gazebo is x
        let pose = match sensor.kind {
            SensorKind::Camera(_) => {
                let optical = LinkFrame::of_pose([0.0; 3], [-FRAC_PI_2, 0.0, -FRAC_PI_2]);
                optical.within(&frame).pose_3d()
            }
            _ => pose,
        };
        let link = &self.robot.links[sensor.link].name;
        page.line = sensor.line;
        page.line(1, &format!("<!-- on the link '{}' (line {}) -->", remark(link), sensor.line));
        page.line(1, &format!("<sensor class=\"{class}\" name=\"{}\">", stream_name(&sensor.name)));
        page.line(2, &format!("<pose_3d>{}</pose_3d>", numbers(&pose)));
        if let Some(rate) = sensor.rate {
            page.line(2, &format!("<sensor_period>{}</sensor_period>", number(1.0 / rate)));
        }
        for (name, value) in values {
            page.line(2, &format!("<{name}>{value}</{name}>"));
        }
        page.line(1, "</sensor>");
    }
}

/// Returns a standard deviation; a sensor of Gazebo has none unless it is given.
fn noise(deviation: Option<f64>) -> String {
    number(deviation.unwrap_or(0.0))
}

/// Names and values of parameters.
type Values = Vec<(&'static str, String)>;

fn camera_values(camera: &Camera, is_rgbd: bool) -> Values {
    let [width, height] = camera.size.map(f64::from);
    // square pixels
    let focal = 0.5 * width / (0.5 * camera.fov.clamp(0.01, 3.1)).tan();
    let [near, far] = camera.clip;
    let numbers = [width, height, focal, focal, near.max(1e-3), far].map(number);
    let names: &[[&'static str; 6]] = if is_rgbd { &RGBD_PARAMETERS } else { &CAMERA_PARAMETERS };
    let pairs = names.iter().flat_map(|names| names.iter().copied().zip(numbers.clone()));
    pairs.collect()
}

/// Parameters of cameras: width, height, focal lengths, nearest and farthest visible distance.
const CAMERA_PARAMETERS: [[&str; 6]; 1] = [["ncols", "nrows", "fx", "fy", "clip_min", "clip_max"]];
/// The same of the colour and the depth of a camera with depth.
const RGBD_PARAMETERS: [[&str; 6]; 2] = [
    ["rgb_ncols", "rgb_nrows", "rgb_fx", "rgb_fy", "rgb_clip_min", "rgb_clip_max"],
    ["depth_ncols", "depth_nrows", "depth_fx", "depth_fy", "depth_clip_min", "depth_clip_max"],
];

/// A text and what had no effect.
#[derive(Default)]
struct Page {
    text: String,
    /// Line of the file of the robot for each line of the text.
    lines: Vec<u32>,
    /// The same for the lines that follow.
    line: u32,
    notes: Vec<Note>,
}

impl Page {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * depth);
        // a name can contain line breaks
        let count = 1 + text.matches('\n').count();
        self.lines.extend(std::iter::repeat_n(self.line, count));
    }

    /// Returns the class and the parameters of a laser.
    fn lidar(
        &mut self,
        sensor: &SensorOnLink,
        lidar: &Lidar,
        is_tilted: bool,
    ) -> (&'static str, Values) {
        let [low, high] = lidar.azimuth.map(f64::to_degrees);
        let columns = lidar.samples[0].clamp(2, MOST_RAYS);
        let fov = (high - low).clamp(0.01, 360.0);
        if (low + high).abs() > 0.01 * fov && fov < 359.0 {
            let text = format!(
                "the sensor '{}' looks from {} to {}°; its field of view is centred, so turn its pose if that matters",
                sensor.name,
                number(low),
                number(high)
            );
            self.notes.push(Note { line: sensor.line, text });
        }
        let noise = ("range_std_noise", noise(lidar.noise));
        let turn = ("angle_std_noise_deg", "0".to_owned());
        let range = ("max_range", number(lidar.range[1].max(0.01)));
        if lidar.samples[1] <= 1 {
            let fov = ("fov_degrees", number(fov));
            let mut values = vec![fov, ("nrays", columns.to_string()), range, noise, turn];
            if is_tilted {
                values.push(("raytrace_3d", "true".to_owned()));
                values.push(("ignore_parent_body", "true".to_owned()));
            }
            return ("laser", values);
        }
        let rows = lidar.samples[1].clamp(2, 1024);
        let [below, above] = lidar.elevation.map(f64::to_degrees);
        let step = (above - below) / f64::from(rows - 1);
        let angles: Vec<f64> = (0..rows).map(|row| below + step * f64::from(row)).collect();
        let values = vec![
            ("horz_fov_degrees", number(fov)),
            ("horz_nrays", columns.to_string()),
            ("vert_nrays", rows.to_string()),
            ("vertical_ray_angles", numbers(&angles)),
            ("min_range", number(lidar.range[0].max(0.0))),
            range,
            noise,
            // the outline encloses the robot, and with it places where sensors are
            ("ignore_parent_body", "true".to_owned()),
        ];
        ("lidar3d", values)
    }

    /// Writes a mesh as a `<visual>`.
    fn visual(&mut self, depth: usize, body: &LinkBody, frame: &LinkFrame, find: &FindFile<'_>) {
        let LinkShape::Mesh { uri, scale } = &body.shape else {
            let text =
                "a visual without a mesh is not drawn: the outline of the vehicle is".to_owned();
            return self.notes.push(Note { line: body.line, text });
        };
        let path = match find(uri) {
            Ok(path) => path,
            Err(reason) => return self.notes.push(Note { line: body.line, text: reason }),
        };
        if scale.iter().any(|one| (one - scale[0]).abs() > 1e-9 * scale[0].abs()) {
            let text = format!(
                "the mesh {uri} is scaled by {scale:?}; simhost has one factor, {}",
                scale[0]
            );
            self.notes.push(Note { line: body.line, text });
        }
        let extension = uri.rsplit('.').next().unwrap_or_default().to_lowercase();
        // simhost turns these so that y is up
        let has_y_up = ["dae", "gltf", "glb", "fbx"].contains(&extension.as_str());
        let roll = if has_y_up { FRAC_PI_2 } else { 0.0 };
        let turned = LinkFrame::of_pose([0.0; 3], [roll, 0.0, 0.0]).within(frame);
        let [x, y, z, yaw, pitch, roll] = turned.pose_3d();
        self.line = body.line;
        self.line(depth, "<visual>");
        self.line(depth + 1, &format!("<model_uri>{}</model_uri>", escaped(&path)));
        let parts = [
            ("model_scale", scale[0], 1.0),
            ("model_offset_x", x, 0.0),
            ("model_offset_y", y, 0.0),
            ("model_offset_z", z, 0.0),
            ("model_yaw", yaw, 0.0),
            ("model_pitch", pitch, 0.0),
            ("model_roll", roll, 0.0),
        ];
        for (name, value, _) in parts.into_iter().filter(|(_, value, default)| value != default) {
            self.line(depth + 1, &format!("<{name}>{}</{name}>", number(value)));
        }
        self.line(depth, "</visual>");
    }
}

/// A reader of meshes that has none.
pub fn no_meshes(uri: &str) -> Result<Vec<[f64; 3]>, String> {
    Err(format!("the mesh {uri} was not read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_traces_of_binary() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(-1.0e-17), "0");
        assert_eq!(number(1.5e-9), "0.0000000015");
        assert_eq!(number(1234567.0), "1234567");
        assert_eq!(number(f64::from(90_f32)), "90");
        assert_eq!(numbers(&[0.5, -0.0]), "0.5 0");
    }

    #[test]
    fn comments_and_texts_stay_in_their_places() {
        assert_eq!(remark("a --> b"), "a - -> b");
        assert_eq!(escaped("a<b>&\""), "a&lt;b&gt;&amp;&quot;");
        assert_eq!(stream_name("front lidar/1"), "front_lidar_1");
    }
}
