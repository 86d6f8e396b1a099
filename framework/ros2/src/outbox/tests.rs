//! A queue that is full.

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
