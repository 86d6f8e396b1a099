//! The sink whose samples are published.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use simhost_services::ServiceDesk;
use simhost_streams::{Sample, Sink, SinkError, Stream};

use crate::inputs::Intake;
use crate::names::Names;
use crate::node::{Node, Topic};
use crate::routes::{Route, routes};
use crate::wire::wall_time;

/// Publishes samples as topics of a node, and takes the messages of the topics that control the session.
///
/// Samples without subscribers are not encoded. The thread that steps the world encodes a sample and hands it over;
/// another one sends it.
pub struct Ros2Sink {
    node: Node,
    feeds: Vec<Vec<Feed>>,
    shared: Arc<Shared>,
    /// Whether this sink ends the node.
    is_last: bool,
}

/// The names that the sinks of a node use at present. Clones are the same.
#[derive(Clone, Default)]
pub struct NamesInUse(Arc<Mutex<Option<Arc<Names>>>>);

impl NamesInUse {
    /// Returns the names, once there are streams.
    pub(crate) fn get(&self) -> Option<Arc<Names>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, names: Names) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(names));
    }
}

/// State that the sinks of a node share.
struct Shared {
    desk: Arc<ServiceDesk>,
    /// The vehicle without its name in front, once there are streams.
    alone: Mutex<Option<Option<String>>>,
    names: NamesInUse,
    intake: Mutex<Option<Intake>>,
}

/// A topic of a stream.
struct Feed {
    topic: Topic,
    route: Route,
}

impl Ros2Sink {
    /// Creates the sinks of a node: one for the clock, which needs a sample of each step, and one
    /// for all other streams.
    pub fn pair(node: &Node, desk: Arc<ServiceDesk>) -> (Self, Self) {
        let (alone, names, intake) = (Mutex::default(), NamesInUse::default(), Mutex::default());
        let shared = Arc::new(Shared { desk, alone, names, intake });
        let sink = |is_last: bool| Self {
            node: node.clone(),
            feeds: Vec::new(),
            shared: shared.clone(),
            is_last,
        };
        (sink(false), sink(true))
    }

    /// Returns the names that the sinks use.
    pub fn names(&self) -> NamesInUse {
        self.shared.names.clone()
    }

    /// Chooses the topics of streams, and keeps those that exist already.
    fn choose(&mut self, streams: &[Arc<Stream>]) {
        let mut alone = self.shared.alone.lock().unwrap_or_else(PoisonError::into_inner);
        let settings = self.node.settings();
        // the sink of the clock knows no vehicles
        let names = Names::new(settings, streams, alone.clone().filter(|_| self.is_last));
        if self.is_last {
            *alone = Some(names.alone());
        }
        drop(alone);
        let old = std::mem::take(&mut self.feeds).into_iter().flatten();
        let mut old: HashMap<(String, String, String), Topic> =
            old.map(|feed| (key(&self.node, &feed.route), feed.topic)).collect();
        let mut feed = |route: Route| {
            let known = old.remove(&key(&self.node, &route));
            let topic =
                known.unwrap_or_else(|| self.node.publish(&route.name, &route.kind, route.qos));
            Feed { topic, route }
        };
        let all = routes(settings, &names, streams).into_iter();
        self.feeds = all.map(|routes| routes.into_iter().map(&mut feed).collect()).collect();
        if self.is_last {
            let mut intake = self.shared.intake.lock().unwrap_or_else(PoisonError::into_inner);
            let own =
                intake.get_or_insert_with(|| Intake::start(&self.node, self.shared.desk.clone()));
            own.follow(&names);
            drop(intake);
            self.shared.names.set(names);
        }
    }
}

/// Returns what makes topics the same.
fn key(node: &Node, route: &Route) -> (String, String, String) {
    let name = node.settings().resolve(&route.name);
    (name, route.kind.hash.to_string(), route.qos.to_string())
}

impl Sink for Ros2Sink {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.choose(streams);
        Ok(())
    }

    fn wants(&mut self, stream: usize) -> bool {
        let feeds = self.feeds.get(stream);
        feeds.is_some_and(|feeds| feeds.iter().any(|feed| feed.topic.is_wanted()))
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let Some(feeds) = self.feeds.get(stream) else { return Ok(()) };
        for Feed { topic, route } in feeds.iter().filter(|feed| feed.topic.is_wanted()) {
            topic.send_vec(route.encode(sample), wall_time());
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        self.feeds.clear();
        if self.is_last {
            let intake = self.shared.intake.lock().unwrap_or_else(PoisonError::into_inner).take();
            intake.into_iter().for_each(Intake::finish);
            self.node.finish();
        }
        Ok(Vec::new())
    }
}
