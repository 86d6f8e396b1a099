//! The ROS 2 package with the messages that are simhost's own.

use std::collections::BTreeMap;

use simhost_streams::ros::{self, Schema};
use simhost_streams::{StreamType, types};

/// Name of the package.
const PACKAGE: &str = "simhost_msgs";
/// Packages whose messages its messages contain.
const DEPENDENCIES: [&str; 1] = ["std_msgs"];

/// Returns the files of the package `simhost_msgs` by their paths in it. Its messages are those of the types that the
/// host knows, and of `others`, such as classes of sensors.
pub fn package<'a>(others: impl IntoIterator<Item = &'a StreamType>) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for Schema { name, text } in types::ALL.iter().chain(others).map(ros::schema) {
        if let Some(message) = name.strip_prefix("simhost_msgs/msg/") {
            // nested messages are those of other packages
            let own = text.split(crate::interfaces::SEPARATOR).next().unwrap_or_default();
            files.insert(format!("msg/{message}.msg"), own.to_owned());
        }
    }
    let list = build_file(files.keys());
    files.insert("CMakeLists.txt".to_owned(), list);
    files.insert("package.xml".to_owned(), manifest());
    files
}

/// Returns the file `CMakeLists.txt` of a package with these messages.
fn build_file<'a>(messages: impl Iterator<Item = &'a String>) -> String {
    let messages = messages.map(|path| format!("  \"{path}\"\n")).collect::<String>();
    let find = DEPENDENCIES.map(|name| format!("find_package({name} REQUIRED)\n")).concat();
    let dependencies = DEPENDENCIES.join(" ");
    format!(
        "cmake_minimum_required(VERSION 3.8)\nproject({PACKAGE})\n\nfind_package(ament_cmake REQUIRED)\n\
         find_package(rosidl_default_generators REQUIRED)\n{find}\n\
         rosidl_generate_interfaces(${{PROJECT_NAME}}\n{messages}  DEPENDENCIES {dependencies}\n)\n\n\
         ament_export_dependencies(rosidl_default_runtime)\nament_package()\n"
    )
}

/// Returns the file `package.xml`.
fn manifest() -> String {
    let depend = DEPENDENCIES.map(|name| format!("  <depend>{name}</depend>\n")).concat();
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<?xml version=\"1.0\"?>\n<package format=\"3\">\n  <name>{PACKAGE}</name>\n  \
         <version>{version}</version>\n  <description>Messages of the simulator simhost</description>\n  \
         <maintainer email=\"simhost@example.org\">The developers of simhost</maintainer>\n  \
         <license>MIT OR Apache-2.0</license>\n\n  <buildtool_depend>ament_cmake</buildtool_depend>\n  \
         <buildtool_depend>rosidl_default_generators</buildtool_depend>\n{depend}  \
         <exec_depend>rosidl_default_runtime</exec_depend>\n  \
         <member_of_group>rosidl_interface_packages</member_of_group>\n\n  <export>\n    \
         <build_type>ament_cmake</build_type>\n  </export>\n</package>\n"
    )
}

#[cfg(test)]
mod tests {
    use simhost_streams::{Count, Field, StreamType};

    use super::package;

    #[test]
    fn the_package_has_a_file_for_each_message() {
        let field =
            Field { name: "slip".into(), unit: "1".into(), doc: "Slip.".into(), count: Count::One };
        let own = StreamType::new("Probe", "simhost_msgs/msg/Probe", "A probe.", vec![field]);
        let files = package([&own]);
        assert!(files["msg/Probe.msg"].ends_with("# Slip. [1]\nfloat64 slip\n"), "{files:#?}");
        assert!(files["msg/Wheels.msg"].contains("std_msgs/Header header"));
        assert!(files.values().all(|text| !text.contains("=====")));
        let list = &files["CMakeLists.txt"];
        let messages = files.keys().filter(|path| path.ends_with(".msg"));
        assert!(messages.clone().count() > 3);
        messages.for_each(|path| assert!(list.contains(&format!("  \"{path}\"\n")), "{path}"));
        assert!(files["package.xml"].contains("<depend>std_msgs</depend>"));
        // names of files are names of messages
        let is_valid = |path: &String| {
            let name = path.trim_start_matches("msg/").trim_end_matches(".msg");
            name.starts_with(|first: char| first.is_ascii_uppercase())
                && name.chars().all(|letter| letter.is_ascii_alphanumeric())
        };
        assert!(files.keys().filter(|path| path.ends_with(".msg")).all(is_valid));
    }
}
