//! The log of a session.
//!
//! A session reports what it does as events of the crate [`tracing`]. A [`Log`] writes them to a file, a
//! line each; without one, they go to the subscriber that the program has installed, if any.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber, dispatcher};

pub use tracing::Level as LogLevel;

/// Name of the log in an output folder.
pub const FILE_NAME: &str = "simhost.log";

/// Writes events, a line each: wall time since the start of the log in seconds, level, message, fields.
///
/// Clones write to the same place. Several sessions can share a log, or have one each.
#[derive(Clone)]
pub struct Log {
    output: Arc<Mutex<LogOutput>>,
    dispatch: Dispatch,
}

/// Destination of the lines.
enum LogOutput {
    /// None yet; lines are kept.
    Kept(Vec<u8>),
    /// A file or a stream.
    Open(Box<dyn Write + Send>),
    /// A file that could not be written.
    Failed(io::Error),
}

impl Log {
    /// Creates a log of events of a level and all more severe ones, which keeps its lines until
    /// [`Self::open`] or [`Self::write_to`] is called.
    pub fn new(level: Level) -> Self {
        let output = Arc::new(Mutex::new(LogOutput::Kept(Vec::new())));
        let lines = Lines { level, output: output.clone(), start: Instant::now() };
        Self { output, dispatch: Dispatch::new(lines) }
    }

    /// Writes all lines to a new file.
    ///
    /// # Errors
    /// Fails if the file cannot be created or written.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.write_to(Box::new(simhost_files::create(path.as_ref())?))
    }

    /// Does the same as [`Self::open`] if the lines have no destination yet.
    pub(crate) fn open_first(&self, path: &Path) -> io::Result<()> {
        let is_kept = matches!(&*lock(&self.output), LogOutput::Kept(_));
        if is_kept { self.open(path) } else { Ok(()) }
    }

    /// Writes all lines to `output`, which is not buffered, so that no line is lost if the process
    /// crashes.
    ///
    /// # Errors
    /// Fails if the lines so far cannot be written.
    pub fn write_to(&self, mut output: Box<dyn Write + Send>) -> io::Result<()> {
        let mut present = lock(&self.output);
        if let LogOutput::Kept(lines) = &*present {
            output.write_all(lines)?;
        }
        *present = LogOutput::Open(output);
        Ok(())
    }

    /// Returns the error that caused lost lines, once.
    pub fn take_error(&self) -> Option<io::Error> {
        let mut output = lock(&self.output);
        if !matches!(&*output, LogOutput::Failed(_)) {
            return None;
        }
        match std::mem::replace(&mut *output, LogOutput::Open(Box::new(io::sink()))) {
            LogOutput::Failed(error) => Some(error),
            LogOutput::Kept(_) | LogOutput::Open(_) => None,
        }
    }

    /// Sends the events of this thread to the log until the guard is dropped.
    pub fn enter(&self) -> dispatcher::DefaultGuard {
        dispatcher::set_default(&self.dispatch)
    }

    /// Sends the events of all threads to the log, for programs. Libraries use [`Self::enter`].
    pub fn enter_everywhere(&self) {
        // a second log does not replace the first one
        let _ = dispatcher::set_global_default(self.dispatch.clone());
    }
}

fn lock(output: &Mutex<LogOutput>) -> MutexGuard<'_, LogOutput> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes each event as a line.
struct Lines {
    level: Level,
    output: Arc<Mutex<LogOutput>>,
    start: Instant,
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::from_level(self.level))
    }

    fn event(&self, event: &Event<'_>) {
        let (time, level) = (self.start.elapsed().as_secs_f64(), event.metadata().level());
        let mut line = LogLine { text: format!("{time:10.3} {level:<5}"), fields: String::new() };
        event.record(&mut line);
        let mut text = line.text + &line.fields;
        // a line each, also for texts of several lines
        if text.contains('\n') {
            text = text.trim_end().replace('\n', "\n                 ");
        }
        text.push('\n');
        let mut output = lock(&self.output);
        match &mut *output {
            LogOutput::Kept(lines) => lines.extend_from_slice(text.as_bytes()),
            LogOutput::Open(open) => {
                if let Err(error) = open.write_all(text.as_bytes()) {
                    *output = LogOutput::Failed(error);
                }
            }
            LogOutput::Failed(_) => {}
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Text of an event: the message, then the other fields.
struct LogLine {
    text: String,
    fields: String,
}

impl Visit for LogLine {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // writing to a text does not fail
        let _ = match field.name() {
            "message" => write!(self.text, " {value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing::Level;

    use super::Log;

    #[derive(Clone, Default)]
    struct Memory(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Memory {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Memory {
        /// Returns the lines without their times.
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            text.lines().map(|line| line[10..].to_owned()).collect()
        }
    }

    #[test]
    fn lines_are_kept_until_there_is_a_file() {
        let (log, memory) = (Log::new(Level::INFO), Memory::default());
        let guard = log.enter();
        tracing::info!(steps = 3, name = "a", "before");
        log.write_to(Box::new(memory.clone())).unwrap();
        tracing::debug!("not of this level");
        tracing::warn!("two\nlines");
        drop(guard);
        tracing::error!("after the end");
        let expected = [" INFO  before steps=3 name=a", " WARN  two", "       lines"];
        assert_eq!(memory.lines(), expected);
    }

    #[test]
    fn logs_of_two_threads_are_separate() {
        let texts = ["one", "two"].map(|text| {
            std::thread::spawn(move || {
                let (log, memory) = (Log::new(Level::TRACE), Memory::default());
                log.write_to(Box::new(memory.clone())).unwrap();
                let _guard = log.enter();
                tracing::trace!("{text}");
                memory.lines()
            })
        });
        let lines = texts.map(|thread| thread.join().unwrap());
        assert_eq!(lines, [[" TRACE one"], [" TRACE two"]]);
    }

    #[test]
    fn a_full_disk_is_reported_once() {
        struct Full;
        impl io::Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let log = Log::new(Level::INFO);
        log.write_to(Box::new(Full)).unwrap();
        let _guard = log.enter();
        tracing::info!("lost");
        assert_eq!(log.take_error().unwrap().kind(), io::ErrorKind::StorageFull);
        assert!(log.take_error().is_none());
    }
}
