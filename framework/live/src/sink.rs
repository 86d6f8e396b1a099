//! The sink whose samples clients receive.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use simhost_streams::{Sample, Sink, SinkError, Stamp, Stream, Trigger, ros};

use crate::channel::Description;
use crate::hub::Totals;
use crate::publisher::Publisher;

/// Takes samples and sends them to the clients of a [`Server`](crate::Server).
///
/// Samples that no client has subscribed to are not computed. While the session runs, each stream is sent
/// at most as often as the settings allow in wall time; events and samples taken during a pause are all
/// sent.
pub struct LiveSink {
    publisher: Publisher,
    feeds: Vec<Feed>,
    /// Least wall time between two samples of a stream.
    interval: Duration,
    /// Wall time of the present step, and whether the session is paused.
    moment: Option<(Instant, bool)>,
    time_sent: Option<Instant>,
    /// Whether clients know that the session does not keep its pace.
    has_reported_delay: bool,
    buffer: Vec<u8>,
}

struct Feed {
    stream: Arc<Stream>,
    /// Whether samples are events, which must not be omitted.
    is_event: bool,
    sent: Option<Instant>,
}

impl LiveSink {
    pub(crate) fn new(publisher: Publisher, rate: f64) -> Self {
        let interval = Duration::try_from_secs_f64(1.0 / rate).unwrap_or_default();
        let (moment, time_sent) = (None, None);
        Self {
            publisher,
            feeds: Vec::new(),
            interval,
            moment,
            time_sent,
            has_reported_delay: false,
            buffer: Vec::new(),
        }
    }

    /// Returns a function that returns the figures, also after the server has ended.
    pub fn watch_totals(&self) -> impl Fn() -> Totals + Send + 'static {
        self.publisher.watch_totals()
    }

    /// Returns the wall time of the present step, and whether the session is paused. Read once a step.
    fn moment(&mut self) -> (Instant, bool) {
        let control = self.publisher.control();
        *self.moment.get_or_insert_with(|| (Instant::now(), control.progress().is_paused))
    }
}

impl Sink for LiveSink {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        let described = streams.iter().map(|stream| Description::of_stream(stream));
        self.publisher.set_channels(described.collect());
        let feed = |stream: &Arc<Stream>| Feed {
            stream: stream.clone(),
            is_event: is_event(stream),
            sent: None,
        };
        self.feeds = streams.iter().map(feed).collect();
        (self.moment, self.time_sent) = (None, None);
        Ok(())
    }

    fn wants(&mut self, stream: usize) -> bool {
        if !self.publisher.is_wanted(stream) {
            return false;
        }
        let (now, is_paused) = self.moment();
        let Some(feed) = self.feeds.get(stream) else { return false };
        let is_due = |sent: Instant| now.duration_since(sent) >= self.interval;
        is_paused || feed.is_event || feed.sent.is_none_or(is_due)
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        // a session that does not ask takes all samples
        if !self.wants(stream) {
            return Ok(());
        }
        let (now, _) = self.moment();
        let Some(feed) = self.feeds.get_mut(stream) else { return Ok(()) };
        feed.sent = Some(now);
        self.buffer.clear();
        ros::cdr(&feed.stream, sample, &mut self.buffer);
        self.publisher.publish(stream, sample.stamp.0, &self.buffer);
        Ok(())
    }

    fn end_of_step(&mut self, stamp: Stamp) -> Result<(), SinkError> {
        self.publisher.set_time(stamp.0);
        if !self.has_reported_delay
            && let Some(text) = self.publisher.control().progress().delay()
        {
            self.has_reported_delay = true;
            self.publisher.notify(&text);
        }
        if self.publisher.has_clients() {
            let (now, is_paused) = self.moment();
            let is_due = |sent: Instant| now.duration_since(sent) >= self.interval;
            if is_paused || self.time_sent.is_none_or(is_due) {
                self.time_sent = Some(now);
                self.publisher.send_time();
            }
        }
        self.moment = None;
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        self.publisher.finish();
        Ok(Vec::new())
    }
}

/// Returns whether a stream has samples at events instead of a continuous state.
fn is_event(stream: &Stream) -> bool {
    stream.trigger == Trigger::Event
}
