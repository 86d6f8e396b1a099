//! The node of a run: its topics, services and subscriptions.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use zenoh::Wait;
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Subscriber;
use zenoh::query::Queryable;

use crate::answers::Answers;
use crate::error::Ros2Error;
use crate::graph::Graph;
use crate::interfaces::InterfaceType;
use crate::link::Link;
use crate::notice::{Notice, Report};
use crate::outbox::{Outbox, TopicState};
use crate::services::NodeService;
use crate::settings::{Ros2Settings, RosDistribution};
use crate::wire::{EndpointKind, EndpointToken, HashText, NodeName, Qos, data_key};

/// Name of the node.
const NAME: &str = "simhost";
/// Time in which a session closes.
const FAREWELL: Duration = Duration::from_secs(2);

/// The node of a run. Clones are the same node.
#[derive(Clone)]
pub struct Node(Arc<Inner>);

struct Inner {
    name: NodeName,
    settings: Ros2Settings,
    link: Link,
    /// Number of the last endpoint.
    number: AtomicU32,
    outbox: Arc<Outbox>,
    answers: Answers,
    graph: Arc<Graph>,
    report: Report,
    /// Declarations that are withdrawn at the end.
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tokens: Vec<LivelinessToken>,
    services: Vec<Queryable<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Node {
    /// Creates the node. `report` takes warnings, on any thread.
    ///
    /// # Errors
    /// [`Ros2Error::Declare`] if zenoh does not take its token.
    pub fn new(link: Link, settings: Ros2Settings, report: Report) -> Result<Self, Ros2Error> {
        let name = NodeName {
            domain: settings.domain,
            session: link.session.zid().to_string(),
            number: 0,
            namespace: settings.namespace.clone(),
            name: NAME.to_owned(),
        };
        let failed = |cause: zenoh::Error| declare_error(&name.full_name(), &cause);
        let token = link.session.liveliness().declare_token(name.token()).wait().map_err(failed)?;
        let (outbox, sender) = Outbox::start(link.session.clone(), report.clone());
        let graph = Graph::watch(&link, &name, report.clone()).map_err(failed)?;
        let kept = Kept { tokens: vec![token], threads: vec![sender], ..Kept::default() };
        let (number, answers) = (AtomicU32::new(0), Answers::start());
        let (graph, kept) = (graph, Mutex::new(kept));
        Ok(Self(Arc::new(Inner {
            name,
            settings,
            link,
            number,
            outbox,
            answers,
            graph,
            report,
            kept,
        })))
    }

    /// Returns the name of the node with its namespace, such as `/simhost`.
    pub fn full_name(&self) -> String {
        self.0.name.full_name()
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Ros2Settings {
        &self.0.settings
    }

    /// Reports a warning to the user.
    pub fn warn(&self, text: &str) {
        (self.0.report)(&Notice::Warning(text.to_owned()));
    }

    /// Publishes a topic from now on. Its name is relative to the namespace unless it begins with `/`.
    pub fn publish(&self, name: &str, kind: &InterfaceType, qos: Qos) -> Topic {
        let endpoint = self.endpoint(EndpointKind::Publisher, name, kind, qos);
        let key = self.key(&endpoint.topic, kind);
        let state = TopicState::new(endpoint.topic.clone(), key, endpoint.to_string(), qos);
        let state = Arc::new(state);
        self.0.graph.add(endpoint);
        self.0.outbox.open(&state);
        Topic(Arc::new(OpenTopic { state, node: self.clone() }))
    }

    /// Offers a service until the end of the run.
    ///
    /// # Errors
    /// [`Ros2Error::Declare`] if zenoh does not take it.
    pub fn serve(&self, service: NodeService) -> Result<(), Ros2Error> {
        let session = &self.0.link.session;
        let own = format!("/{NAME}/");
        // services of the node are in its namespace
        let name = match service.name.strip_prefix(&own) {
            Some(rest) => format!("{}/{rest}", self.full_name()),
            None => service.name.clone(),
        };
        let kind = service.kind.clone();
        let endpoint = self.endpoint(EndpointKind::Service, &name, &kind, Qos::reliable(10));
        let failed = |cause: zenoh::Error| declare_error(&endpoint.topic, &cause);
        let key = self.key(&endpoint.topic, &kind);
        let take = self.0.answers.taker(key.clone(), service);
        let queryable = session.declare_queryable(key).complete(true).callback(take);
        let queryable = queryable.wait().map_err(failed)?;
        let token = session.liveliness().declare_token(endpoint.to_string());
        let token = token.wait().map_err(failed)?;
        let mut kept = self.kept();
        kept.services.push(queryable);
        kept.tokens.push(token);
        Ok(())
    }

    /// Takes the messages of a topic from now on. `take` gets their bytes, on a thread of zenoh.
    ///
    /// # Errors
    /// [`Ros2Error::Declare`] if zenoh does not take the subscription.
    pub(crate) fn subscribe(
        &self,
        name: &str,
        kind: &InterfaceType,
        qos: Qos,
        take: impl Fn(&[u8]) + Send + Sync + 'static,
    ) -> Result<Subscription, Ros2Error> {
        let session = &self.0.link.session;
        let endpoint = self.endpoint(EndpointKind::Subscriber, name, kind, qos);
        let failed = |cause: zenoh::Error| declare_error(&endpoint.topic, &cause);
        let subscriber = session
            .declare_subscriber(self.key(&endpoint.topic, kind))
            .callback(move |sample| take(&sample.payload().to_bytes()))
            .wait()
            .map_err(failed)?;
        let token = session.liveliness().declare_token(endpoint.to_string());
        let token = token.wait().map_err(failed)?;
        self.0.graph.add(endpoint.clone());
        let graph = self.0.graph.clone();
        Ok(Subscription { endpoint, graph, _subscriber: subscriber, _token: token })
    }

    /// Returns the number of samples that were dropped because they could not be sent in time.
    pub fn dropped(&self) -> u64 {
        self.0.outbox.dropped()
    }

    /// Sends what waits, and leaves the graph.
    pub fn finish(&self) {
        self.0.graph.finish();
        self.0.outbox.finish();
        let Kept { tokens, services, threads } = std::mem::take(&mut *self.kept());
        for thread in threads {
            // a panic of the thread has been reported
            let _ = thread.join();
        }
        drop((services, tokens));
        // the peers notice the end of the connection by themselves
        let _ = self.0.link.session.close().timeout(FAREWELL).wait();
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn endpoint(
        &self,
        kind: EndpointKind,
        name: &str,
        type_: &InterfaceType,
        qos: Qos,
    ) -> EndpointToken {
        EndpointToken {
            node: self.0.name.clone(),
            number: self.0.number.fetch_add(1, Ordering::Relaxed) + 1,
            kind,
            topic: self.0.settings.resolve(name),
            type_name: type_.name.clone(),
            hash: self.hash(type_).to_string(),
            qos,
        }
    }

    fn hash(&self, kind: &InterfaceType) -> HashText {
        match self.0.settings.distribution {
            RosDistribution::Humble => HashText::NotSupported,
            _ => HashText::Hash(kind.hash),
        }
    }

    fn key(&self, topic: &str, kind: &InterfaceType) -> String {
        data_key(self.0.settings.domain, topic, &kind.name, self.hash(kind))
    }
}

/// A topic that the node publishes, until its last clone is dropped.
#[derive(Clone)]
pub struct Topic(Arc<OpenTopic>);

struct OpenTopic {
    state: Arc<TopicState>,
    node: Node,
}

impl Topic {
    /// Returns the absolute name.
    pub fn name(&self) -> &str {
        &self.0.state.name
    }

    /// Returns the quality of service.
    pub fn qos(&self) -> Qos {
        self.0.state.qos
    }

    /// Returns whether samples are wanted: there are subscribers, or late ones receive earlier samples.
    pub fn is_wanted(&self) -> bool {
        self.0.state.is_wanted.load(Ordering::Relaxed)
    }

    /// Sends a message in CDR with its header. `time` is the time of sending, ns since 1970.
    pub fn send(&self, message: &[u8], time: u64) {
        self.send_vec(message.to_vec(), time);
    }

    /// Does the same as [`Self::send`] without a copy.
    pub fn send_vec(&self, message: Vec<u8>, time: u64) {
        self.0.node.0.outbox.send(&self.0.state, time, message);
    }
}

impl Drop for OpenTopic {
    fn drop(&mut self) {
        self.node.0.graph.remove(&self.state.token);
        self.node.0.outbox.close(&self.state);
    }
}

/// A subscription of the node, until it is dropped.
pub(crate) struct Subscription {
    endpoint: EndpointToken,
    graph: Arc<Graph>,
    _subscriber: Subscriber<()>,
    _token: LivelinessToken,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.graph.remove(&self.endpoint.to_string());
    }
}

fn declare_error(name: &str, cause: &zenoh::Error) -> Ros2Error {
    Ros2Error::Declare { name: name.to_owned(), cause: cause.to_string() }
}
