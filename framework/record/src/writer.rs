//! The thread that formats rows and writes them to files.

use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use simhost_streams::handover::{self, Handover, HandoverLimits};

use crate::RecordError;
use crate::block::Block;
use crate::table::{Table, TimeText};

/// Longest wall time for which rows are collected. Writing them takes some time, too.
const PERIOD: Duration = Duration::from_millis(250);
/// The thread is woken for 256 KiB of rows, and at most 1 MiB waits for it, apart from the rows of
/// one step.
const LIMITS: HandoverLimits =
    HandoverLimits { period: PERIOD, enough: 1 << 18, too_many: 1 << 20 };
/// Bytes of text in all files together at which it is written before the end of the period.
const MUCH_TEXT: usize = 1 << 23;

/// Thread that formats rows and writes them to files. Adding rows allocates nothing once the blocks in
/// which they collect have grown.
pub(crate) struct Writer {
    shared: Arc<Handover<Block>>,
    error: Arc<FirstError>,
    thread: Option<JoinHandle<Result<Vec<PathBuf>, RecordError>>>,
}

/// First error that no caller has seen.
#[derive(Default)]
struct FirstError(Mutex<Option<RecordError>>);

impl FirstError {
    fn take(&self) -> Option<RecordError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, error: RecordError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Exclusive access to the block to which rows are added.
pub(crate) type Access<'a> = handover::Access<'a, Block>;

impl Writer {
    /// Starts the thread, which owns the files.
    ///
    /// # Errors
    /// [`RecordError::Thread`] if the operating system does not start a thread.
    pub(crate) fn start(tables: Vec<Table>) -> Result<Self, RecordError> {
        let shared = Handover::new(LIMITS);
        let error = Arc::<FirstError>::default();
        let (own, failed) = (shared.clone(), error.clone());
        let thread = std::thread::Builder::new()
            .name("csv writer".into())
            .spawn(move || TableFiles::new(tables).run(&own, &failed))
            .map_err(|source| RecordError::Thread { source })?;
        Ok(Self { shared, error, thread: Some(thread) })
    }

    /// Returns access to the block to which rows are added. Waits while the block is too large.
    ///
    /// # Errors
    /// The first error of writing since the last call.
    pub(crate) fn access(&self) -> Result<Access<'_>, RecordError> {
        let block = self.shared.access();
        self.error.take().map_or(Ok(block), Err)
    }

    /// Writes all remaining rows, ends the thread, and returns the paths of the files.
    ///
    /// # Errors
    /// The first error of writing that no caller has seen.
    pub(crate) fn finish(&mut self) -> Result<Vec<PathBuf>, RecordError> {
        let Some(thread) = self.thread.take() else { return Ok(Vec::new()) };
        self.shared.close();
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
struct TableFiles {
    tables: Vec<Table>,
    /// Tables with text that is not written yet.
    unwritten: Vec<usize>,
    is_unwritten: Vec<bool>,
    /// Bytes of text that is not written yet.
    text: usize,
    times: TimeText,
    last_flush: Instant,
}

impl TableFiles {
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
    fn run(
        mut self,
        shared: &Handover<Block>,
        failed: &FirstError,
    ) -> Result<Vec<PathBuf>, RecordError> {
        let _writing = shared.writing();
        let mut block = Block::default();
        loop {
            let is_closed = shared.next(&mut block, self.last_flush);
            let mut outcome = self.format(&block);
            block.clear();
            if is_closed {
                break;
            }
            if self.last_flush.elapsed() >= PERIOD || self.text >= MUCH_TEXT {
                outcome = outcome.and(self.flush());
            }
            if let Err(error) = outcome {
                failed.keep(error);
            }
        }
        self.flush()?;
        Ok(self.tables.iter().map(|table| table.path().to_owned()).collect())
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
