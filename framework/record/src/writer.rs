//! The thread that formats rows and writes them to files.

use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use simhost_streams::handover::{self, HandoverLimits};
use simhost_streams::writing_thread::{BlockWriter, WritingThread};

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
    thread: WritingThread<TableFiles>,
    error: Arc<FirstError>,
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
        let error = Arc::<FirstError>::default();
        let files = TableFiles::new(tables, error.clone());
        let thread = WritingThread::start("csv writer", LIMITS, files)
            .map_err(|source| RecordError::Thread { source })?;
        Ok(Self { thread, error })
    }

    /// Returns access to the block to which rows are added. Waits while the block is too large.
    ///
    /// # Errors
    /// The first error of writing since the last call.
    pub(crate) fn access(&mut self) -> Result<Access<'_>, RecordError> {
        let block = self.thread.access();
        self.error.take().map_or(Ok(block), Err)
    }

    /// Writes all remaining rows, ends the thread, and returns the paths of the files.
    ///
    /// # Errors
    /// The first error of writing that no caller has seen.
    pub(crate) fn finish(&mut self) -> Result<Vec<PathBuf>, RecordError> {
        self.thread.finish().unwrap_or_else(|| Ok(Vec::new()))
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
    failed: Arc<FirstError>,
}

impl TableFiles {
    fn new(tables: Vec<Table>, failed: Arc<FirstError>) -> Self {
        Self {
            // a header can be left
            unwritten: (0..tables.len()).collect(),
            is_unwritten: vec![true; tables.len()],
            tables,
            text: 0,
            times: TimeText::default(),
            failed,
        }
    }

    /// Keeps an error for the next caller, and continues.
    fn keep(&self, outcome: Result<(), RecordError>) -> Option<<Self as BlockWriter>::Outcome> {
        if let Err(error) = outcome {
            self.failed.keep(error);
        }
        None
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
    fn write_text(&mut self) -> Result<(), RecordError> {
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
        outcome
    }
}

impl BlockWriter for TableFiles {
    type Block = Block;
    type Outcome = Result<Vec<PathBuf>, RecordError>;

    fn write(&mut self, block: &Block) -> Option<Self::Outcome> {
        let mut outcome = self.format(block);
        if self.text >= MUCH_TEXT {
            outcome = outcome.and(self.write_text());
        }
        self.keep(outcome)
    }

    fn flush(&mut self) -> Option<Self::Outcome> {
        let outcome = self.write_text();
        self.keep(outcome)
    }

    fn finish(&mut self) -> Self::Outcome {
        self.write_text()?;
        Ok(self.tables.iter().map(|table| table.path().to_owned()).collect())
    }
}
