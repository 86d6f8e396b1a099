//! The threads that answer calls of services.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use zenoh::Wait;
use zenoh::query::Query;

use crate::services::NodeService;
use crate::wire::{Attachment, wall_time};

/// Number of calls that are answered at the same time.
const THREADS: usize = 4;
/// Largest number of calls that wait; further ones get an error.
const MAX_WAITING: usize = 1_000;

/// A call with its service and the key of the service.
struct Call {
    query: Query,
    service: Arc<(String, NodeService)>,
}

/// The threads that answer calls. They end when nothing can send calls any more.
pub(crate) struct Answers(SyncSender<Call>);

impl Answers {
    /// Starts the threads.
    pub fn start() -> Self {
        let (sender, calls) = sync_channel(MAX_WAITING);
        let calls = Arc::new(Mutex::new(calls));
        for _ in 0..THREADS {
            let calls = calls.clone();
            std::thread::spawn(move || run(&calls));
        }
        Self(sender)
    }

    /// Returns the function that takes the calls of a service.
    pub fn taker(
        &self,
        key: String,
        service: NodeService,
    ) -> impl Fn(Query) + Send + Sync + 'static {
        let (sender, service) = (self.0.clone(), Arc::new((key, service)));
        move |query| {
            if let Err(error) = sender.try_send(Call { query, service: service.clone() }) {
                let (std::sync::mpsc::TrySendError::Full(call)
                | std::sync::mpsc::TrySendError::Disconnected(call)) = error;
                // the client may be gone
                let _ = call.query.reply_err("too many calls wait").wait();
            }
        }
    }
}

fn run(calls: &Mutex<Receiver<Call>>) {
    loop {
        let next = calls.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Call { query, service }) = next else { return };
        let (key, service) = &*service;
        let request = query.payload().map(|payload| payload.to_bytes());
        let response = (service.answer)(request.as_deref().unwrap_or_default());
        // the client finds its request by number and identity
        let asked = query.attachment().and_then(|one| Attachment::from_bytes(&one.to_bytes()));
        let asked = asked.unwrap_or(Attachment { sequence: 0, time: 0, gid: Default::default() });
        let time = i64::try_from(wall_time()).unwrap_or(i64::MAX);
        let attachment = Attachment { time, ..asked }.to_bytes();
        // the client may be gone
        let _ = query.reply(key.as_str(), response).attachment(attachment).wait();
    }
}
