//! The queue of samples on their way to subscribers, and the thread that sends them.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Publisher;
use zenoh::qos::{CongestionControl, Reliability as ZenohReliability};
use zenoh::{Session, Wait};
use zenoh_ext::{AdvancedPublisher, AdvancedPublisherBuilderExt, CacheConfig, MissDetectionConfig};

use crate::notice::{Notice, Report};
use crate::wire::{Attachment, Gid, Qos, Reliability};

/// Largest number of samples that wait.
const MAX_SAMPLES: usize = 10_000;
/// Largest number of bytes that wait.
const MAX_BYTES: usize = 64 << 20;
/// Time after which subscribers learn the number of the last sample of a topic that late ones receive.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// A topic of the node, as its users and the sending thread share it.
pub(crate) struct TopicState {
    /// Absolute name.
    pub name: String,
    /// Key expression.
    pub key: String,
    /// Liveliness token.
    pub token: String,
    /// Quality of service.
    pub qos: Qos,
    /// Whether samples are wanted: there are subscribers, or late ones receive earlier samples.
    pub is_wanted: AtomicBool,
    /// Number of the last sample.
    sequence: AtomicI64,
}

impl TopicState {
    pub fn new(name: String, key: String, token: String, qos: Qos) -> Self {
        let (is_wanted, sequence) = (AtomicBool::new(qos.is_latched()), AtomicI64::new(0));
        Self { name, key, token, qos, is_wanted, sequence }
    }
}

/// Work for the sending thread.
enum Job {
    Open(Arc<TopicState>),
    Close(Arc<TopicState>),
    Send { topic: Arc<TopicState>, attachment: Attachment, payload: Vec<u8> },
}

/// The queue of samples. The oldest are dropped when it is full.
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    /// Signalled when there is something to do.
    work: Condvar,
    dropped: AtomicU64,
    report: Report,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    samples: usize,
    bytes: usize,
    is_closed: bool,
}

impl Outbox {
    /// Starts the thread that sends samples.
    pub fn start(session: Session, report: Report) -> (Arc<Self>, JoinHandle<()>) {
        let outbox = Arc::new(Self {
            queue: Mutex::default(),
            work: Condvar::new(),
            dropped: AtomicU64::new(0),
            report,
        });
        let own = outbox.clone();
        let thread = std::thread::spawn(move || own.run(&session));
        (outbox, thread)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Declares a topic.
    pub fn open(&self, topic: &Arc<TopicState>) {
        self.push(Job::Open(topic.clone()));
    }

    /// Withdraws a topic.
    pub fn close(&self, topic: &Arc<TopicState>) {
        self.push(Job::Close(topic.clone()));
    }

    /// Adds a sample. `time` is the time of sending, ns since 1970.
    pub fn send(&self, topic: &Arc<TopicState>, time: u64, payload: Vec<u8>) {
        let attachment = Attachment {
            // a sample that is dropped leaves a gap, by which subscribers notice it
            sequence: topic.sequence.fetch_add(1, Ordering::Relaxed) + 1,
            time: i64::try_from(time).unwrap_or(i64::MAX),
            gid: Gid::of_token(&topic.token),
        };
        self.push(Job::Send { topic: topic.clone(), attachment, payload });
    }

    /// Returns the number of samples that were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Lets the thread end when it has sent everything.
    pub fn finish(&self) {
        self.lock().is_closed = true;
        self.work.notify_one();
    }

    fn push(&self, job: Job) {
        let mut queue = self.lock();
        if let Job::Send { payload, .. } = &job {
            queue.samples += 1;
            queue.bytes += payload.len();
        }
        let was_empty = queue.jobs.is_empty();
        queue.jobs.push_back(job);
        let mut dropped = 0;
        while queue.samples > MAX_SAMPLES || queue.bytes > MAX_BYTES {
            // late subscribers need samples of topics that keep them
            let can_be_dropped =
                |job: &Job| matches!(job, Job::Send { topic, .. } if !topic.qos.is_latched());
            let earlier = queue.jobs.len() - 1;
            let mut waiting = queue.jobs.iter().take(earlier);
            let Some(place) = waiting.position(can_be_dropped) else { break };
            if let Some(Job::Send { payload, .. }) = queue.jobs.remove(place) {
                queue.samples -= 1;
                queue.bytes -= payload.len();
                dropped += 1;
            }
        }
        drop(queue);
        if was_empty {
            self.work.notify_one();
        }
        if dropped > 0 && self.dropped.fetch_add(dropped, Ordering::Relaxed) == 0 {
            (self.report)(&Notice::Warning(
                "ROS 2: samples are dropped because subscribers or the network take them too slowly; \
                 further ones are only counted"
                    .to_owned(),
            ));
        }
    }

    /// Waits for the next job; `None` at the end.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                if let Job::Send { payload, .. } = &job {
                    queue.samples -= 1;
                    queue.bytes -= payload.len();
                }
                return Some(job);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn run(&self, session: &Session) {
        let mut declared = HashMap::new();
        while let Some(job) = self.next() {
            match job {
                Job::Open(topic) => match Declared::new(session, &topic) {
                    Ok(new) => drop(declared.insert(topic.token.clone(), new)),
                    Err(error) => {
                        let text = format!("ROS 2: cannot declare {}: {error}", topic.name);
                        (self.report)(&Notice::Warning(text));
                    }
                },
                Job::Close(topic) => drop(declared.remove(&topic.token)),
                Job::Send { topic, attachment, payload } => {
                    if let Some(declared) = declared.get(&topic.token) {
                        declared.send(attachment, payload);
                    }
                }
            }
        }
    }
}

/// A topic that other nodes know.
struct Declared {
    publisher: AnyPublisher,
    _token: LivelinessToken,
}

enum AnyPublisher {
    Plain(Publisher<'static>),
    /// Keeps samples for late subscribers.
    Latched(AdvancedPublisher<'static>),
}

impl Declared {
    fn new(session: &Session, topic: &Arc<TopicState>) -> zenoh::Result<Self> {
        let reliability = match topic.qos.reliability {
            Reliability::Reliable => ZenohReliability::Reliable,
            Reliability::BestEffort => ZenohReliability::BestEffort,
        };
        let builder = session
            .declare_publisher(topic.key.clone())
            .congestion_control(CongestionControl::Drop)
            .reliability(reliability);
        let publisher = if topic.qos.is_latched() {
            let builder = builder
                .cache(CacheConfig::default().max_samples(topic.qos.depth as usize))
                .publisher_detection();
            let heartbeat = MissDetectionConfig::default().sporadic_heartbeat(HEARTBEAT);
            AnyPublisher::Latched(builder.sample_miss_detection(heartbeat).wait()?)
        } else {
            let publisher = builder.wait()?;
            let own = topic.clone();
            publisher
                .matching_listener()
                .callback(move |status| own.is_wanted.store(status.matching(), Ordering::Relaxed))
                .background()
                .wait()?;
            if publisher.matching_status().wait()?.matching() {
                topic.is_wanted.store(true, Ordering::Relaxed);
            }
            AnyPublisher::Plain(publisher)
        };
        let token = session.liveliness().declare_token(topic.token.clone()).wait()?;
        Ok(Self { publisher, _token: token })
    }

    fn send(&self, attachment: Attachment, payload: Vec<u8>) {
        let attachment = attachment.to_bytes();
        // an error means that the session is closed, or that nobody can be reached
        let _ = match &self.publisher {
            AnyPublisher::Plain(publisher) => publisher.put(payload).attachment(attachment).wait(),
            AnyPublisher::Latched(publisher) => {
                publisher.put(payload).attachment(attachment).wait()
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(name: &str, qos: Qos) -> Arc<TopicState> {
        Arc::new(TopicState::new(name.to_owned(), name.to_owned(), name.to_owned(), qos))
    }

    #[test]
    fn a_full_queue_drops_the_oldest_samples_that_late_subscribers_do_not_need() {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let to = reports.clone();
        let outbox = Outbox {
            queue: Mutex::default(),
            work: Condvar::new(),
            dropped: AtomicU64::new(0),
            report: Arc::new(move |notice: &Notice| to.lock().unwrap().push(notice.clone())),
        };
        let (map, scan) = (topic("map", Qos::latched(1)), topic("scan", Qos::best_effort(5)));
        outbox.send(&map, 0, vec![0; 10]);
        for number in 0..MAX_SAMPLES + 5 {
            outbox.send(&scan, number as u64, vec![1]);
        }
        assert_eq!(outbox.dropped(), 6);
        assert_eq!(reports.lock().unwrap().len(), 1);
        let queue = outbox.lock();
        assert_eq!((queue.samples, queue.bytes), (MAX_SAMPLES, MAX_SAMPLES - 1 + 10));
        let sequence = |job: &Job| match job {
            Job::Send { attachment, .. } => attachment.sequence,
            _ => 0,
        };
        assert!(matches!(&queue.jobs[0], Job::Send { topic, .. } if topic.name == "map"));
        assert_eq!(sequence(&queue.jobs[1]), 7, "a gap in the numbers");
        drop(queue);
        outbox.send(&scan, 0, vec![0; MAX_BYTES + 1]);
        assert_eq!(outbox.lock().samples, 2, "the map and the large sample");
    }
}
