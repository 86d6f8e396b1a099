//! Threads that write what their callers add.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::handover::{Access, Block, Handover, HandoverLimits};

/// Writes blocks of data, usually on a separate thread.
pub trait BlockWriter: Send + 'static {
    /// The data.
    type Block: Block;
    /// Result of the whole work.
    type Outcome: Send + 'static;

    /// Writes a block, or keeps it until the next flush. An outcome ends the work.
    fn write(&mut self, block: &Self::Block) -> Option<Self::Outcome>;
    /// Writes what it has kept. Called about once per period of wall time. An outcome ends the work.
    fn flush(&mut self) -> Option<Self::Outcome>;
    /// Completes the work.
    fn finish(&mut self) -> Self::Outcome;
}

/// A [`BlockWriter`] on its thread, and the block to which callers add data.
///
/// Systems without threads, such as a browser tab, write in [`access`](Self::access) instead.
pub struct WritingThread<W: BlockWriter> {
    shared: Arc<Handover<W::Block>>,
    place: Place<W>,
}

/// The whole work of a thread.
type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// Where the writer works.
enum Place<W: BlockWriter> {
    Thread(JoinHandle<W::Outcome>),
    Caller(Box<Work<W>>),
    /// The work has ended with this outcome, or the outcome has been returned.
    Nowhere(Option<W::Outcome>),
}

/// A writer with its block, and the time at which it last flushed.
struct Work<W: BlockWriter> {
    writer: W,
    block: W::Block,
    last_flush: Instant,
    period: Duration,
}

impl<W: BlockWriter> WritingThread<W> {
    /// Starts a thread with a name.
    ///
    /// # Errors
    /// The error of the operating system, which has threads but does not start one.
    pub fn start(name: &str, limits: HandoverLimits, writer: W) -> io::Result<Self> {
        let thread = std::thread::Builder::new().name(name.to_owned());
        Self::spawn(limits, writer, |work| thread.spawn(work))
    }

    /// Starts a thread in a way that the system may not support.
    fn spawn(
        limits: HandoverLimits,
        writer: W,
        spawn: impl FnOnce(Job<W::Outcome>) -> io::Result<JoinHandle<W::Outcome>>,
    ) -> io::Result<Self> {
        let shared = Handover::new(limits);
        let period = limits.period;
        let work = Work { writer, block: W::Block::default(), last_flush: Instant::now(), period };
        // a thread that does not start gives it back
        let work = Arc::new(Mutex::new(Some(Box::new(work))));
        let take = |work: &Mutex<Option<_>>| {
            let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
            work.take().expect("the work is taken once")
        };
        let (own, queue) = (work.clone(), shared.clone());
        let place = match spawn(Box::new(move || take(&own).run(&queue))) {
            Ok(thread) => Place::Thread(thread),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Place::Caller(take(&work)),
            Err(error) => return Err(error),
        };
        Ok(Self { shared, place })
    }

    /// Returns access to the block. Waits while the block is too large.
    pub fn access(&mut self) -> Access<'_, W::Block> {
        if let Place::Caller(work) = &mut self.place
            && work.is_due(&self.shared)
            && let Some(outcome) = work.take(&self.shared)
        {
            self.shared.close();
            self.place = Place::Nowhere(Some(outcome));
        }
        self.shared.access()
    }

    /// Writes all remaining data, ends the thread, and returns the outcome, unless it has been
    /// returned.
    pub fn finish(&mut self) -> Option<W::Outcome> {
        self.shared.close();
        match std::mem::replace(&mut self.place, Place::Nowhere(None)) {
            Place::Thread(thread) => Some(thread.join().unwrap_or_else(|panic| {
                std::panic::resume_unwind(panic);
            })),
            Place::Caller(mut work) => work.take(&self.shared),
            Place::Nowhere(outcome) => outcome,
        }
    }
}

impl<W: BlockWriter> Drop for WritingThread<W> {
    fn drop(&mut self) {
        // an error cannot be reported here; `finish` does report it
        drop(self.finish());
    }
}

impl<W: BlockWriter> Work<W> {
    /// Works until the queue is closed.
    fn run(mut self, queue: &Handover<W::Block>) -> W::Outcome {
        let _writing = queue.writing();
        loop {
            if let Some(outcome) = self.take(queue) {
                return outcome;
            }
        }
    }

    /// Returns whether a block is large enough, or a period has passed.
    fn is_due(&self, queue: &Handover<W::Block>) -> bool {
        self.last_flush.elapsed() >= self.period || queue.is_announced()
    }

    /// Takes the next block and writes it. Returns the outcome if the work has ended.
    fn take(&mut self, queue: &Handover<W::Block>) -> Option<W::Outcome> {
        let is_closed = queue.next(&mut self.block, self.last_flush);
        let written = self.writer.write(&self.block);
        self.block.clear();
        if is_closed || written.is_some() {
            return written.or_else(|| Some(self.writer.finish()));
        }
        if self.last_flush.elapsed() < self.period {
            return None;
        }
        self.last_flush = Instant::now();
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    use super::{BlockWriter, WritingThread};
    use crate::handover::{Block, HandoverLimits};

    #[derive(Default)]
    struct Numbers(Vec<u32>);

    impl Block for Numbers {
        fn size(&self) -> usize {
            self.0.len()
        }

        fn is_intact(&self) -> bool {
            true
        }

        fn clear(&mut self) {
            self.0.clear();
        }
    }

    /// Sends the lengths of blocks, and fails at a number.
    struct Reporter {
        lengths: Sender<usize>,
        fails_at: u32,
        sum: u32,
    }

    impl BlockWriter for Reporter {
        type Block = Numbers;
        type Outcome = Result<u32, &'static str>;

        fn write(&mut self, block: &Numbers) -> Option<Self::Outcome> {
            self.lengths.send(block.0.len()).unwrap();
            self.sum += block.0.iter().sum::<u32>();
            block.0.contains(&self.fails_at).then_some(Err("the disk is full"))
        }

        fn flush(&mut self) -> Option<Self::Outcome> {
            None
        }

        fn finish(&mut self) -> Self::Outcome {
            Ok(self.sum)
        }
    }

    const LIMITS: HandoverLimits =
        HandoverLimits { period: Duration::from_secs(3600), enough: 10, too_many: 20 };

    fn without_threads(fails_at: u32, lengths: Sender<usize>) -> WritingThread<Reporter> {
        let writer = Reporter { lengths, fails_at, sum: 0 };
        let spawn = |_| Err(io::ErrorKind::Unsupported.into());
        WritingThread::spawn(LIMITS, writer, spawn).unwrap()
    }

    #[test]
    fn without_threads_the_caller_writes() {
        let (lengths, written) = channel();
        let mut writer = without_threads(u32::MAX, lengths);
        (0..25).for_each(|number| writer.access().0.push(number));
        assert_eq!(writer.finish(), Some(Ok(300)));
        assert_eq!(writer.finish(), None);
        drop(writer);
        assert_eq!(written.iter().collect::<Vec<_>>(), [10, 10, 5]);
    }

    #[test]
    fn without_threads_an_error_closes_the_queue() {
        let (lengths, _written) = channel();
        let mut writer = without_threads(3, lengths);
        let added = (0..25).take_while(|number| {
            let mut access = writer.access();
            access.0.push(*number);
            !access.is_closed()
        });
        assert_eq!(added.count(), 10);
        assert_eq!(writer.finish(), Some(Err("the disk is full")));
    }

    #[test]
    fn other_errors_of_the_system_are_returned() {
        let writer = Reporter { lengths: channel().0, fails_at: 0, sum: 0 };
        let spawn = |_| Err(io::ErrorKind::WouldBlock.into());
        let error = WritingThread::spawn(LIMITS, writer, spawn).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    }
}
