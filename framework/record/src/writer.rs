//! The thread that formats rows and writes them to files.

use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::RecordError;
use crate::block::Block;
use crate::table::{Table, TimeText};

/// Longest wall time for which rows are collected. Writing them takes some time, too.
const PERIOD: Duration = Duration::from_millis(250);
/// Bytes of rows at which the thread is woken before the end of the period.
const ENOUGH: usize = 1 << 18;
/// Bytes of rows at which a caller waits for the thread.
const TOO_MANY: usize = 1 << 20;
/// Bytes of text in all files together at which it is written before the end of the period.
const MUCH_TEXT: usize = 1 << 23;

/// Thread that formats rows and writes them to files.
///
/// Callers copy their rows into a block in shared memory. The thread exchanges the block for an empty
/// one when it is large enough, or after 250 ms, even if no caller adds rows any more. Both blocks keep
/// their memory, so that adding rows allocates nothing once they have grown.
pub(crate) struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<Vec<PathBuf>, RecordError>>>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Signalled when the thread has something to do.
    work: Condvar,
    /// Signalled when the thread has taken the block.
    taken: Condvar,
    /// Whether the thread has written everything.
    is_done: AtomicBool,
}

/// The shared memory of all writers, for [`close_all`].
static WRITERS: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Lets the writers of this process write the rows that they have, for at most `limit`, before the
/// process ends without them. Rows that are added later are lost.
pub fn close_all(limit: Duration) {
    let end = Instant::now() + limit;
    let wait_for = |is: &dyn Fn() -> bool| {
        while !is() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    // a process that has crashed must not wait for a lock
    let Ok(writers) = WRITERS.try_lock() else { return };
    for shared in writers.iter().filter_map(Weak::upgrade) {
        // a caller can hold the lock for longer
        wait_for(&|| shared.try_close());
        wait_for(&|| shared.is_done.load(Ordering::Relaxed));
    }
}

/// State that the thread and its callers share.
#[derive(Default)]
struct Queue {
    block: Block,
    /// Whether the thread was woken for this block.
    is_announced: bool,
    /// Whether no more rows will be added.
    is_closed: bool,
    /// First error that no caller has seen.
    error: Option<RecordError>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the queue, unless another thread uses it now.
    fn try_close(&self) -> bool {
        let Ok(mut queue) = self.queue.try_lock() else { return false };
        queue.is_closed = true;
        self.work.notify_one();
        true
    }
}

/// Closes the queue when the thread ends, so that no caller waits for it.
struct CloseOnDrop<'a>(&'a Shared);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.is_done.store(true, Ordering::Relaxed);
        self.0.taken.notify_all();
    }
}

/// Exclusive access to the block to which rows are added.
pub(crate) struct Access<'a> {
    shared: &'a Shared,
    queue: MutexGuard<'a, Queue>,
}

impl Access<'_> {
    /// Returns the block.
    pub(crate) fn block(&mut self) -> &mut Block {
        &mut self.queue.block
    }
}

impl Drop for Access<'_> {
    fn drop(&mut self) {
        if !self.queue.is_announced && self.queue.block.size() >= ENOUGH {
            self.queue.is_announced = true;
            self.shared.work.notify_one();
        }
    }
}

impl Writer {
    /// Starts the thread, which owns the files.
    ///
    /// # Errors
    /// [`RecordError::Thread`] if the operating system does not start a thread.
    pub(crate) fn start(tables: Vec<Table>) -> Result<Self, RecordError> {
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let mut writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
        writers.retain(|writer| writer.strong_count() > 0);
        writers.push(Arc::downgrade(&shared));
        drop(writers);
        let thread = std::thread::Builder::new()
            .name("csv writer".into())
            .spawn(move || Files::new(tables).run(&own))
            .map_err(|source| RecordError::Thread { source })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Returns access to the block to which rows are added. Waits while the block is too large.
    ///
    /// # Errors
    /// The first error of writing since the last call.
    pub(crate) fn access(&self) -> Result<Access<'_>, RecordError> {
        let shared = &*self.shared;
        let mut queue = shared.lock();
        while queue.block.size() >= TOO_MANY && !queue.is_closed {
            queue = shared.taken.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        match queue.error.take() {
            Some(error) => Err(error),
            None => Ok(Access { shared, queue }),
        }
    }

    /// Writes all remaining rows, ends the thread, and returns the paths of the files.
    ///
    /// # Errors
    /// The first error of writing that no caller has seen.
    pub(crate) fn finish(&mut self) -> Result<Vec<PathBuf>, RecordError> {
        let Some(thread) = self.thread.take() else { return Ok(Vec::new()) };
        self.shared.lock().is_closed = true;
        self.shared.work.notify_one();
        match thread.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // an error cannot be reported here; `CsvRecorder::finish` does report it
        let _ = self.finish();
    }
}

/// The files, on the thread that writes them.
struct Files {
    tables: Vec<Table>,
    /// Tables with text that is not written yet.
    unwritten: Vec<usize>,
    is_unwritten: Vec<bool>,
    /// Bytes of text that is not written yet.
    text: usize,
    times: TimeText,
    last_flush: Instant,
}

impl Files {
    fn new(tables: Vec<Table>) -> Self {
        Self {
            // a header can be left
            unwritten: (0..tables.len()).collect(),
            is_unwritten: vec![true; tables.len()],
            tables,
            text: 0,
            times: TimeText::default(),
            last_flush: Instant::now(),
        }
    }

    /// Writes rows until the queue is closed.
    fn run(mut self, shared: &Shared) -> Result<Vec<PathBuf>, RecordError> {
        let _close = CloseOnDrop(shared);
        let mut block = Block::default();
        loop {
            let is_closed = self.next(shared, &mut block);
            let mut outcome = self.format(&block);
            block.clear();
            if is_closed {
                break;
            }
            if self.last_flush.elapsed() >= PERIOD || self.text >= MUCH_TEXT {
                outcome = outcome.and(self.flush());
            }
            if let Err(error) = outcome {
                shared.lock().error.get_or_insert(error);
            }
        }
        self.flush()?;
        Ok(self.tables.iter().map(|table| table.path().to_owned()).collect())
    }

    /// Waits for rows and exchanges the blocks. Returns whether no more rows will be added.
    fn next(&self, shared: &Shared, block: &mut Block) -> bool {
        let mut queue = shared.lock();
        loop {
            let rest = PERIOD.saturating_sub(self.last_flush.elapsed());
            if queue.is_closed || queue.is_announced || rest.is_zero() {
                break;
            }
            let waited = shared.work.wait_timeout(queue, rest);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        mem::swap(&mut queue.block, block);
        queue.is_announced = false;
        shared.taken.notify_one();
        queue.is_closed
    }

    /// Formats the rows of a block, and writes files with much text.
    fn format(&mut self, block: &Block) -> Result<(), RecordError> {
        let mut outcome = Ok(());
        block.for_each(|row| {
            let table = &mut self.tables[row.file];
            if !mem::replace(&mut self.is_unwritten[row.file], true) {
                self.unwritten.push(row.file);
            }
            let before = table.len();
            table.push(&row, &mut self.times);
            self.text += table.len() - before;
            if table.is_full() {
                self.text -= table.len();
                let written = table.flush();
                self.text += table.len();
                if outcome.is_ok() {
                    outcome = written;
                }
            }
        });
        outcome
    }

    /// Writes all text. If one file fails, the others are still written.
    fn flush(&mut self) -> Result<(), RecordError> {
        let mut outcome = Ok(());
        self.text = 0;
        let Self { tables, is_unwritten, text, .. } = self;
        self.unwritten.retain(|&index| {
            let written = tables[index].flush();
            is_unwritten[index] = written.is_err();
            *text += tables[index].len();
            if outcome.is_ok() {
                outcome = written;
            }
            is_unwritten[index]
        });
        self.last_flush = Instant::now();
        outcome
    }
}
