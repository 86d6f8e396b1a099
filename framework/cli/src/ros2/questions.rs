//! `simhost ros2`: topics of worlds, and the package of messages.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use simhost_ros2::{Ros2Settings, TopicInfo};
use simhost_streams::Stream;

use super::arguments::NodeParameters;
use crate::arguments::ros2::{ListTopics, Ros2Question, WritePackage};
use crate::arguments::{AskRos2, Loading, Models};
use crate::process::{Code, Failure};
use crate::{opening, terminal};

/// Answers a question.
pub fn ask(arguments: &AskRos2) -> Result<Code, Failure> {
    match &arguments.question {
        Ros2Question::Topics(arguments) => topics(arguments),
        Ros2Question::Package(arguments) => package(arguments),
    }
}

/// Returns the streams of a world.
fn streams(world: &Path, models: &Models, loading: &Loading) -> Result<Vec<Arc<Stream>>, Failure> {
    let options = loading.load_options();
    let (loaded, simulation) = opening::simulation(world, &options, models, loading.seed)?;
    if let Some(error) = simhost::check_streams(&loaded.world, &simulation) {
        let text = error.render(&loaded.sources, terminal::colours());
        return Err(Failure::new(Code::BadInput, text));
    }
    Ok(simhost::streams_of(&loaded.world, &simulation))
}

/// Lists the topics of a world.
fn topics(arguments: &ListTopics) -> Result<Code, Failure> {
    let default = Ros2Settings::default();
    let settings = Ros2Settings {
        names: arguments.names,
        namespace: arguments.namespace.clone().unwrap_or_default(),
        transforms: arguments.transforms.unwrap_or(default.transforms),
        is_stamped: arguments.is_stamped,
        ..default
    };
    let streams = streams(&arguments.world, &arguments.models, &arguments.loading)?;
    let topics = simhost_ros2::topics(&settings, &streams, NodeParameters::default().period);
    let head = ["topic", "direction", "type", "quality of service", "rate"].map(str::to_owned);
    let rows = topics.into_iter().map(|topic| {
        let TopicInfo { name, kind, is_input, qos, rate } = topic;
        let direction = if is_input { "input" } else { "output" };
        [name, direction.to_owned(), kind, qos, rate]
    });
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    terminal::document(&terminal::table(&rows))?;
    Ok(Code::Done)
}

/// Writes the packages of messages and launch files.
fn package(arguments: &WritePackage) -> Result<Code, Failure> {
    let (mut types, mut robots) = (BTreeMap::new(), Vec::new());
    for world in &arguments.worlds {
        for stream in streams(world, &arguments.models, &arguments.loading)? {
            types.insert(stream.kind.message.to_string(), stream.kind.clone());
            if let Some(robot) = stream.name.strip_suffix("/ground_truth") {
                robots.push(simhost_streams::ros::topic(robot).split_off(1));
            }
        }
    }
    if let Some(folder) = &arguments.out {
        write(folder, &simhost_ros2::package(types.values().map(|kind| &**kind)))?;
    }
    if let Some(folder) = &arguments.bringup {
        write(folder, &simhost_ros2::bringup(&robots))?;
    }
    Ok(Code::Done)
}

/// Writes the files of a package.
fn write(package: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    for (path, text) in files {
        let path = package.join(path);
        let folder = path.parent().unwrap_or(package);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| {
            Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
        })?;
    }
    let (count, folder) = (files.len(), package.display());
    terminal::remark(&format!("wrote {count} files to {folder}; build them with `colcon build`"));
    Ok(())
}
