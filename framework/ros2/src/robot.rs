//! Descriptions of robots in URDF.

use std::fmt::Write as _;

use serde_json::Value;

/// Writes a robot in URDF: its chassis, its wheels with the joints of the stream `joint_states`, and the frames of its
/// sensors. `described` is the answer to [`SessionRequest::DescribeVehicle`](simhost_streams::SessionRequest), and `frame`
/// returns the name of a frame.
pub fn urdf(described: &Value, frame: &dyn Fn(&str) -> String) -> String {
    let name = described["name"].as_str().unwrap_or_default();
    let named = |rest: &str| escaped(&frame(&format!("{name}/{rest}")));
    let mut to = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(name));
    let base = named("base_link");
    chassis(&described["chassis"], &base, &mut to);
    for wheel in described["wheels"].as_array().into_iter().flatten() {
        let tag = wheel["name"].as_str().unwrap_or_default();
        let joints = ["steer", "spin"].map(|joint| escaped(&format!("{name}/{tag}/{joint}")));
        carried(wheel, [&base, &named(&format!("wheel/{tag}"))], &joints, &mut to);
    }
    for sensor in described["sensors"].as_array().into_iter().flatten() {
        let link = named(sensor["name"].as_str().unwrap_or_default());
        mount([&base, &link], &sensor["pose"], &mut to);
    }
    to.push_str("</robot>\n");
    to
}

/// Writes a wheel with the joints of its steering and of its spin.
fn carried(wheel: &Value, [base, link]: [&str; 2], [steer, spin]: &[String; 2], to: &mut String) {
    let number = |key: &str| number(&wheel[key]);
    let [x, y, z] = [number("x"), number("y"), 0.5 * number("diameter")];
    let place = format!("xyz=\"{x} {y} {z}\" rpy=\"0 0 {}\"", number("yaw"));
    round(wheel, link, to);
    if wheel["turns"] != true {
        return turning(spin, [base, link], &place, "0 1 0", to);
    }
    // a wheel that is steered has a link between its two joints
    let steering = format!("{link}/steering");
    let _ = writeln!(to, "  <link name=\"{steering}\"/>");
    turning(steer, [base, &steering], &place, "0 0 1", to);
    turning(spin, [&steering, link], "xyz=\"0 0 0\" rpy=\"0 0 0\"", "0 1 0", to);
}

/// Writes the frame of a sensor at a pose.
fn mount([base, link]: [&str; 2], pose: &Value, to: &mut String) {
    let [x, y, z, yaw, pitch, roll] = std::array::from_fn(|at| number(&pose[at]));
    let _ = writeln!(
        to,
        "  <link name=\"{link}\"/>\n  <joint name=\"{link}/mount\" type=\"fixed\">\n    \
         <parent link=\"{base}\"/>\n    <child link=\"{link}\"/>\n    \
         <origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/>\n  </joint>"
    );
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

/// Returns a text with entities for the letters that XML does not take.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;")
}

/// Writes the link of the chassis as the box around its outline.
fn chassis(chassis: &Value, link: &str, to: &mut String) {
    let corners = chassis["outline"].as_array().cloned().unwrap_or_default();
    let extent = |axis: usize| {
        let at = corners.iter().map(|corner| number(&corner[axis]));
        at.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
    };
    let heights = [number(&chassis["z_min"]), number(&chassis["z_max"])];
    let all = match corners.is_empty() {
        true => [[0.0; 2], [0.0; 2], heights],
        false => [extent(0), extent(1), heights],
    };
    let [x, y, z] = all.map(|[low, high]| 0.5 * (low + high));
    let size = all.map(|[low, high]| (high - low).max(1e-3));
    let [lx, ly, lz] = size;
    let shape = format!(
        "<origin xyz=\"{x} {y} {z}\" rpy=\"0 0 0\"/>\n      <geometry><box size=\"{lx} {ly} {lz}\"/></geometry>"
    );
    let mass = number(&chassis["mass"]);
    let moment = |a: f64, b: f64| mass * (a * a + b * b) / 12.0;
    let moments = [moment(ly, lz), moment(lx, lz), moment(lx, ly)];
    solid(link, &shape, mass, [x, y, z], moments, to);
}

/// Writes the link of a wheel as a cylinder about its y axis.
fn round(wheel: &Value, link: &str, to: &mut String) {
    let [mass, width, radius] =
        [number(&wheel["mass"]), number(&wheel["width"]), 0.5 * number(&wheel["diameter"])];
    let quarter = std::f64::consts::FRAC_PI_2;
    let shape = format!(
        "<origin xyz=\"0 0 0\" rpy=\"{quarter} 0 0\"/>\n      \
         <geometry><cylinder radius=\"{radius}\" length=\"{width}\"/></geometry>"
    );
    let about_axle = 0.5 * mass * radius * radius;
    let across = 0.25 * mass * radius * radius + mass * width * width / 12.0;
    solid(link, &shape, mass, [0.0; 3], [across, about_axle, across], to);
}

/// Writes a link with a shape and a mass.
fn solid(
    link: &str,
    shape: &str,
    mass: f64,
    [x, y, z]: [f64; 3],
    [ixx, iyy, izz]: [f64; 3],
    to: &mut String,
) {
    let _ = writeln!(
        to,
        "  <link name=\"{link}\">\n    <visual>\n      {shape}\n    </visual>\n    <collision>\n      {shape}\n    \
         </collision>\n    <inertial>\n      <origin xyz=\"{x} {y} {z}\" rpy=\"0 0 0\"/>\n      \
         <mass value=\"{mass}\"/>\n      <inertia ixx=\"{ixx}\" ixy=\"0\" ixz=\"0\" iyy=\"{iyy}\" iyz=\"0\" \
         izz=\"{izz}\"/>\n    </inertial>\n  </link>"
    );
}

/// Writes a joint without limits between two links.
fn turning(joint: &str, [parent, child]: [&str; 2], place: &str, axis: &str, to: &mut String) {
    let _ = writeln!(
        to,
        "  <joint name=\"{joint}\" type=\"continuous\">\n    <parent link=\"{parent}\"/>\n    \
         <child link=\"{child}\"/>\n    <origin {place}/>\n    <axis xyz=\"{axis}\"/>\n  </joint>"
    );
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::urdf;

    #[test]
    fn a_robot_has_links_for_its_parts_and_joints_between_them() {
        let described = json!({
            "name": "amr<1>",
            "chassis": {"outline": [[-0.5, -0.2], [0.7, 0.2]], "z_min": 0.1, "z_max": 0.5, "mass": 12.0},
            "wheels": [
                {"name": "l", "x": 0.0, "y": 0.25, "yaw": 0.0, "turns": false, "mass": 1.0, "width": 0.05, "diameter": 0.3},
                {"name": "f", "x": 0.4, "y": 0.0, "yaw": 0.0, "turns": true, "mass": 1.0, "width": 0.05, "diameter": 0.2},
            ],
            "sensors": [{"name": "scan", "pose": [0.2, 0.0, 0.3, 0.5, 0.0, 0.0]}],
        });
        let text = urdf(&described, &|frame| frame.split_once('/').unwrap().1.to_owned());
        for expected in [
            "<robot name=\"amr&lt;1&gt;\">",
            "<link name=\"base_link\">",
            "<origin xyz=\"0.09999999999999998 0 0.3\" rpy=\"0 0 0\"/>",
            "<box size=\"1.2 0.4 0.4\"/>",
            "<joint name=\"amr&lt;1&gt;/l/spin\" type=\"continuous\">\n    <parent link=\"base_link\"/>",
            "<child link=\"wheel/f/steering\"/>\n    <origin xyz=\"0.4 0 0.1\" rpy=\"0 0 0\"/>\n    <axis xyz=\"0 0 1\"/>",
            "<parent link=\"wheel/f/steering\"/>\n    <child link=\"wheel/f\"/>",
            "<origin xyz=\"0.2 0 0.3\" rpy=\"0 0 0.5\"/>",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
        assert_eq!(text.matches("<link ").count(), 5);
        assert_eq!(text.matches("<joint ").count(), 4);
    }
}
