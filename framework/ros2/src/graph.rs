//! The other nodes: what of theirs does not fit the topics of the run, and whether the router is there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use zenoh::sample::SampleKind;
use zenoh::{Session, Wait};

use crate::link::Link;
use crate::notice::{Notice, Report};
use crate::wire::{EndpointKind, EndpointToken, NodeName, parse_token, tokens_of_domain};

/// Time between two looks at the router and at new nodes.
const PERIOD: Duration = Duration::from_millis(250);

/// The endpoints of all nodes of the domain.
pub(crate) struct Graph {
    known: Mutex<Known>,
    /// Signalled at the end.
    end: Condvar,
    is_ended: AtomicBool,
}

#[derive(Default)]
struct Known {
    /// Endpoints of this node by their tokens.
    own: BTreeMap<String, EndpointToken>,
    /// Endpoints of other nodes by their tokens.
    others: BTreeMap<String, EndpointToken>,
    /// Messages that have been reported.
    reported: BTreeSet<String>,
    has_changed: bool,
}

impl Graph {
    /// Watches the nodes of a domain and the router.
    pub fn watch(link: &Link, node: &NodeName, report: Report) -> zenoh::Result<Arc<Self>> {
        let graph = Arc::new(Self {
            known: Mutex::default(),
            end: Condvar::new(),
            is_ended: AtomicBool::new(false),
        });
        let (own, session) = (graph.clone(), node.session.clone());
        link.session
            .liveliness()
            .declare_subscriber(tokens_of_domain(node.domain))
            .history(true)
            .callback(move |sample| {
                let text = sample.key_expr().as_str();
                let Some(endpoint) = parse_token(text) else { return };
                if endpoint.node.session == session {
                    return;
                }
                let mut known = own.lock();
                match sample.kind() {
                    SampleKind::Put => drop(known.others.insert(text.to_owned(), endpoint)),
                    SampleKind::Delete => drop(known.others.remove(text)),
                }
                known.has_changed = true;
            })
            .background()
            .wait()?;
        let own = graph.clone();
        let router = Router::new(link);
        std::thread::spawn(move || own.run(router, &report));
        Ok(graph)
    }

    /// Adds an endpoint of this node.
    pub fn add(&self, endpoint: EndpointToken) {
        let mut known = self.lock();
        known.own.insert(endpoint.to_string(), endpoint);
        known.has_changed = true;
    }

    /// Removes an endpoint of this node.
    pub fn remove(&self, token: &str) {
        self.lock().own.remove(token);
    }

    /// Ends the watch.
    pub fn finish(&self) {
        self.is_ended.store(true, Ordering::Relaxed);
        self.end.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, mut router: Router, report: &Report) {
        while !self.is_ended.load(Ordering::Relaxed) {
            let known = self.lock();
            let waited = self.end.wait_timeout(known, PERIOD);
            let (mut known, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let new = match std::mem::take(&mut known.has_changed) {
                true => known.news(),
                false => Vec::new(),
            };
            drop(known);
            let is_ended = self.is_ended.load(Ordering::Relaxed);
            let lost = router.news().filter(|_| !is_ended);
            new.into_iter().map(Notice::Warning).chain(lost).for_each(|notice| report(&notice));
        }
    }
}

impl Known {
    /// Returns what does not fit and has not been reported.
    fn news(&mut self) -> Vec<String> {
        let mut news = Vec::new();
        for other in self.others.values() {
            for own in self.own.values().filter(|own| own.topic == other.topic) {
                let Some(text) = misfit(own, other) else { continue };
                if self.reported.insert(text.clone()) {
                    news.push(text);
                }
            }
        }
        news
    }
}

/// Returns why messages do not pass between two endpoints of a topic, or fewer than the other node expects.
fn misfit(own: &EndpointToken, other: &EndpointToken) -> Option<String> {
    let (topic, node) = (&own.topic, other.node.full_name());
    let (verb, has) = match (own.kind, other.kind) {
        (EndpointKind::Subscriber, EndpointKind::Publisher) => ("publishes", "takes"),
        (EndpointKind::Publisher, EndpointKind::Subscriber) => ("subscribes to", "has"),
        _ => return None,
    };
    let (found, expected) = (&other.type_name, &own.type_name);
    if found != expected {
        let stamped = format!("{expected}Stamped");
        let remedy = match own.kind {
            EndpointKind::Subscriber if *found == stamped => " (or run with --ros2-stamped)",
            EndpointKind::Subscriber if *expected == format!("{found}Stamped") => {
                " (or run without --ros2-stamped)"
            }
            _ => "",
        };
        return Some(format!(
            "ROS 2: {topic}: node {node} {verb} {found}; this topic {has} {expected}{remedy}"
        ));
    }
    if other.hash != own.hash {
        return Some(format!(
            "ROS 2: {topic}: node {node} {verb} {found} with the definition {}; this topic {has} the definition \
             {} (give the distribution of the node with --ros2-distro, or build both from one definition)",
            other.hash, own.hash
        ));
    }
    let is_too_late =
        own.kind == EndpointKind::Publisher && other.qos.is_latched() && !own.qos.is_latched();
    is_too_late.then(|| {
        format!(
            "ROS 2: {topic}: node {node} subscribes to {found} with durability transient local; this topic has \
             volatile, so it receives no earlier samples (subscribe with durability volatile)"
        )
    })
}

/// The connection to the router.
struct Router {
    session: Session,
    address: String,
    /// Whether it was there at the last look; `None` if this process is the router.
    was_connected: Option<bool>,
}

impl Router {
    fn new(link: &Link) -> Self {
        let was_connected = (!link.is_router).then_some(true);
        Self { session: link.session.clone(), address: link.address.clone(), was_connected }
    }

    /// Returns what has happened since the last look.
    fn news(&mut self) -> Option<Notice> {
        let was_connected = self.was_connected?;
        let is_connected = self.session.info().routers_zid().wait().next().is_some();
        self.was_connected = Some(is_connected);
        match (was_connected, is_connected) {
            (true, false) => Some(Notice::Warning(format!(
                "ROS 2: the router at {} is lost; the run continues, and connects to it again when it returns",
                self.address
            ))),
            (false, true) => {
                Some(Notice::Remark(format!("ROS 2: the router at {} is back", self.address)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Qos;

    fn endpoint(kind: EndpointKind, type_name: &str, qos: Qos) -> EndpointToken {
        let node = NodeName {
            domain: 0,
            session: "b".to_owned(),
            number: 0,
            namespace: String::new(),
            name: "teleop".to_owned(),
        };
        EndpointToken {
            node,
            number: 1,
            kind,
            topic: "/robot/cmd_vel".to_owned(),
            type_name: type_name.to_owned(),
            hash: "RIHS01_1".to_owned(),
            qos,
        }
    }

    #[test]
    fn what_does_not_fit_is_reported_once_with_both_types_and_the_remedy() {
        let twist = "geometry_msgs/msg/Twist";
        let stamped = "geometry_msgs/msg/TwistStamped";
        let own = endpoint(EndpointKind::Subscriber, twist, Qos::reliable(10));
        let other = endpoint(EndpointKind::Publisher, stamped, Qos::reliable(10));
        let text = misfit(&own, &other).unwrap();
        assert_eq!(
            text,
            "ROS 2: /robot/cmd_vel: node /teleop publishes geometry_msgs/msg/TwistStamped; this topic takes \
             geometry_msgs/msg/Twist (or run with --ros2-stamped)"
        );
        let mut known = Known::default();
        known.own.insert("own".to_owned(), own.clone());
        known.others.insert("other".to_owned(), other.clone());
        assert_eq!(known.news(), [text]);
        assert!(known.news().is_empty(), "once");
        let fitting = EndpointToken { type_name: twist.to_owned(), ..other };
        assert_eq!(misfit(&own, &fitting), None);
        let newer = EndpointToken { hash: "RIHS01_2".to_owned(), ..fitting };
        assert!(misfit(&own, &newer).unwrap().contains("--ros2-distro"));
    }

    #[test]
    fn a_subscriber_that_waits_for_earlier_samples_of_a_volatile_topic_is_reported() {
        let kind = "nav_msgs/msg/Odometry";
        let own = endpoint(EndpointKind::Publisher, kind, Qos::reliable(10));
        let late = endpoint(EndpointKind::Subscriber, kind, Qos::latched(1));
        assert!(misfit(&own, &late).unwrap().contains("transient local"));
        let latched = endpoint(EndpointKind::Publisher, kind, Qos::latched(1));
        assert_eq!(misfit(&latched, &late), None);
        let plain = endpoint(EndpointKind::Subscriber, kind, Qos::best_effort(1));
        assert_eq!(misfit(&latched, &plain), None);
    }
}
