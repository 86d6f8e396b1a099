//! ROS 2 packages: one with the messages that are simhost's own, and one with launch files.

use std::collections::BTreeMap;

use simhost_services::{SEPARATOR, definitions};
use simhost_streams::ros::{self, Schema};
use simhost_streams::{StreamType, types};

/// Name of the package.
const PACKAGE: &str = "simhost_msgs";
/// Packages whose messages its messages contain.
const DEPENDENCIES: [&str; 1] = ["std_msgs"];

/// Name of the package with launch files.
const BRINGUP: &str = "simhost_bringup";
/// Launch files, with a mark for the names of the robots.
const LAUNCH_FILES: [(&str, &str); 3] = [
    ("simhost.launch.py", include_str!("bringup/simhost.launch.py")),
    ("robots.launch.py", include_str!("bringup/robots.launch.py")),
    ("autoware.launch.py", include_str!("bringup/autoware.launch.py")),
];
const ROBOTS: &str = "@ROBOTS@";
/// Packages that every launch file needs. Nav2 and Autoware are needed by one each.
const LAUNCH: [&str; 3] = ["launch", "launch_ros", "rmw_zenoh_cpp"];

/// Returns the files of the package `simhost_msgs` by their paths in it. It contains messages and
/// services of the host, and messages for `others`, such as classes of sensors.
pub fn package<'a>(others: impl IntoIterator<Item = &'a StreamType>) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for Schema { name, text } in types::ALL.iter().chain(others).map(ros::schema) {
        if let Some(message) = name.strip_prefix("simhost_msgs/msg/") {
            // nested messages are those of other packages
            let own = text.split(SEPARATOR).next().unwrap_or_default();
            files.insert(format!("msg/{message}.msg"), own.to_owned());
        }
    }
    let services = definitions().filter_map(|(name, text)| {
        let service = name.strip_prefix("simhost_msgs/srv/")?;
        Some((format!("srv/{service}.srv"), text))
    });
    files.extend(services);
    let list = build_file(files.keys());
    files.insert("CMakeLists.txt".to_owned(), list);
    let depend = elements("depend", &DEPENDENCIES);
    let content = format!(
        "  <buildtool_depend>rosidl_default_generators</buildtool_depend>\n{depend}  \
         <exec_depend>rosidl_default_runtime</exec_depend>\n  \
         <member_of_group>rosidl_interface_packages</member_of_group>\n"
    );
    files.insert("package.xml".to_owned(), manifest(PACKAGE, "Messages and services", &content));
    files
}

/// Returns the files of the package `simhost_bringup` by their paths in it: launch files for a world, for robots with
/// Nav2, and for Autoware. `robots` are the names of the robots for which Nav2 is started by default.
pub fn bringup(robots: &[String]) -> BTreeMap<String, String> {
    let of_file = |(name, text): (&str, &str)| {
        (format!("launch/{name}"), text.replace(ROBOTS, &robots.join(",")))
    };
    let mut files: BTreeMap<String, String> = LAUNCH_FILES.into_iter().map(of_file).collect();
    let list = format!(
        "cmake_minimum_required(VERSION 3.8)\nproject({BRINGUP})\n\nfind_package(ament_cmake REQUIRED)\n\
         install(DIRECTORY launch DESTINATION share/${{PROJECT_NAME}})\nament_package()\n"
    );
    files.insert("CMakeLists.txt".to_owned(), list);
    let depend = elements("exec_depend", &LAUNCH);
    files.insert("package.xml".to_owned(), manifest(BRINGUP, "Launch files", &depend));
    files
}

/// Returns an element of `package.xml` for each package.
fn elements(name: &str, packages: &[&str]) -> String {
    packages.iter().map(|package| format!("  <{name}>{package}</{name}>\n")).collect()
}

/// Returns the file `CMakeLists.txt` of a package with these messages and services.
fn build_file<'a>(interfaces: impl Iterator<Item = &'a String>) -> String {
    let interfaces = interfaces.map(|path| format!("  \"{path}\"\n")).collect::<String>();
    let find = DEPENDENCIES.map(|name| format!("find_package({name} REQUIRED)\n")).concat();
    let dependencies = DEPENDENCIES.join(" ");
    format!(
        "cmake_minimum_required(VERSION 3.8)\nproject({PACKAGE})\n\nfind_package(ament_cmake REQUIRED)\n\
         find_package(rosidl_default_generators REQUIRED)\n{find}\n\
         rosidl_generate_interfaces(${{PROJECT_NAME}}\n{interfaces}  DEPENDENCIES {dependencies}\n)\n\n\
         ament_export_dependencies(rosidl_default_runtime)\nament_package()\n"
    )
}

/// Returns the file `package.xml` of a package with these dependencies.
fn manifest(name: &str, content: &str, dependencies: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<?xml version=\"1.0\"?>\n<package format=\"3\">\n  <name>{name}</name>\n  \
         <version>{version}</version>\n  <description>{content} of the simulator simhost</description>\n  \
         <maintainer email=\"simhost@example.org\">The developers of simhost</maintainer>\n  \
         <license>MIT OR Apache-2.0</license>\n\n  <buildtool_depend>ament_cmake</buildtool_depend>\n\
         {dependencies}\n  <export>\n    <build_type>ament_cmake</build_type>\n  </export>\n</package>\n"
    )
}

#[cfg(test)]
mod tests {
    use simhost_streams::{Count, Field, StreamType};

    use super::{bringup, package};

    #[test]
    fn the_package_has_a_file_for_each_message_and_service() {
        let field =
            Field { name: "slip".into(), unit: "1".into(), doc: "Slip.".into(), count: Count::One };
        let own = StreamType::new("Probe", "simhost_msgs/msg/Probe", "A probe.", vec![field]);
        let files = package([&own]);
        assert!(files["msg/Probe.msg"].ends_with("# Slip. [1]\nfloat64 slip\n"), "{files:#?}");
        assert!(files["msg/Wheels.msg"].contains("std_msgs/Header header"));
        assert!(files.values().all(|text| !text.contains("=====")));
        let list = &files["CMakeLists.txt"];
        for (end, least) in [(".msg", 3), (".srv", 10)] {
            let interfaces = files.keys().filter(|path| path.ends_with(end));
            assert!(interfaces.clone().count() > least);
            interfaces
                .for_each(|path| assert!(list.contains(&format!("  \"{path}\"\n")), "{path}"));
        }
        assert!(files["srv/Step.srv"].contains("uint64 steps 1\n---\n"), "{files:#?}");
        assert!(files["package.xml"].contains("<depend>std_msgs</depend>"));
        // names of files are names of messages
        let is_valid = |path: &String| {
            let name = path.trim_start_matches("msg/").trim_end_matches(".msg");
            name.starts_with(|first: char| first.is_ascii_uppercase())
                && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        };
        assert!(files.keys().filter(|path| path.ends_with(".msg")).all(is_valid));
    }

    #[test]
    fn launch_files_know_the_robots_and_the_topics() {
        let files = bringup(&["r1".to_owned(), "r2".to_owned()]);
        let robots = &files["launch/robots.launch.py"];
        assert!(robots.contains("\"robots\", default_value=\"r1,r2\""), "{robots}");
        assert!(files.values().all(|text| !text.contains('@') || text.contains("example.org")));
        for path in files.keys().filter(|path| path.ends_with(".py")) {
            assert!(files["CMakeLists.txt"].contains("install(DIRECTORY launch"), "{path}");
        }
        let manifest = &files["package.xml"];
        assert!(manifest.contains("<name>simhost_bringup</name>"), "{manifest}");
        assert!(manifest.contains("<exec_depend>launch_ros</exec_depend>"), "{manifest}");
        // each remapped topic is one of the node
        let topics = crate::names::autoware_topics();
        let autoware = &files["launch/autoware.launch.py"];
        let remapped: Vec<&str> = autoware
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": \"/"))
            .map(|(topic, _)| topic)
            .collect();
        assert!(remapped.len() > 15, "{remapped:?}");
        for topic in remapped {
            let is_service = topic == "input/control_mode_request";
            assert!(is_service || topics.contains(&topic), "{topic}: {topics:?}");
        }
    }
}
