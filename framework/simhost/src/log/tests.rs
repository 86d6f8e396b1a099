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
