//! Handing data over to a thread that writes it.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Data that collect until the writing thread takes them.
pub trait Block: Default + Send + 'static {
    /// Returns the memory that the data take, in bytes.
    fn size(&self) -> usize;
    /// Returns whether the data are those that callers have added. Asked after a crash.
    fn is_intact(&self) -> bool;
    /// Removes the data, and keeps the memory.
    fn clear(&mut self);
}

/// Check value of numbers and bytes that wait for a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Check(u64);

impl Check {
    /// Odd, so that a product changes with each bit of the other factor.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Adds a word.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(Self::FACTOR);
    }

    /// Adds numbers. Each has a different odd factor, so that the products do not wait for each
    /// other.
    #[inline]
    pub fn add_numbers(&mut self, numbers: &[f64]) {
        let (mut sum, mut factor) = (numbers.len() as u64, Self::FACTOR);
        for number in numbers {
            sum = sum.wrapping_add(number.to_bits().wrapping_mul(factor));
            factor = factor.wrapping_add(Self::FACTOR << 1);
        }
        self.add(sum);
    }

    /// Adds bytes.
    #[inline]
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        let rest = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
        // at most seven bytes, and the length above them
        self.add(rest ^ (bytes.len() as u64).rotate_right(8));
    }
}

/// Sizes and times at which blocks change hands.
#[derive(Clone, Copy, Debug)]
pub struct HandoverLimits {
    /// Longest wall time for which data collect.
    pub period: Duration,
    /// Bytes at which the writing thread is woken before the end of the period.
    pub enough: usize,
    /// Bytes at which a caller waits for the writing thread.
    pub too_many: usize,
}

/// Memory that a writing thread shares with its callers.
///
/// Callers add data to a block. The thread exchanges it for an empty one when it is large enough, or at
/// the end of a period, even if no caller adds data any more. Both blocks keep their memory.
pub(crate) struct Handover<B> {
    limits: HandoverLimits,
    queue: Mutex<Queue<B>>,
    /// Signalled when the thread has something to do.
    work: Condvar,
    /// Signalled when the thread has taken the block.
    taken: Condvar,
    /// Whether the thread has ended.
    is_done: AtomicBool,
    /// Whether the thread has lost data.
    has_lost: AtomicBool,
}

#[derive(Default)]
struct Queue<B> {
    block: B,
    /// Whether the thread was woken for this block.
    is_announced: bool,
    /// Whether no more data will be added.
    is_closed: bool,
}

/// A handover whose blocks are of any type.
trait Closing: Send + Sync {
    /// Closes the queue, unless another thread uses it now.
    fn try_close(&self) -> bool;
    fn is_done(&self) -> bool;
    /// Returns whether the thread has written everything that callers have added.
    fn is_complete(&self) -> bool;
}

/// Whether the process ends without the code of its threads, which wait for the end instead of adding data.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The data that were written before the end of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// There is no writing thread.
    Nothing,
    /// Everything that was added.
    Everything,
    /// Data that had been written before, because a buffer was damaged or in use.
    Before,
}

/// All handovers, for [`close_all`].
static ALL: Mutex<Vec<Weak<dyn Closing>>> = Mutex::new(Vec::new());

/// Lets the writing threads of this process write the data that they have, for at most `limit`, before
/// the process ends without them. Threads that add data later wait for the end.
pub fn close_all(limit: Duration) -> Written {
    IS_ENDING.store(true, Ordering::Relaxed);
    let end = Instant::now() + limit;
    let wait_for = |is: &dyn Fn() -> bool| {
        while !is() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    // a process that has crashed must not wait for a lock
    let Ok(all) = ALL.try_lock() else { return Written::Before };
    // called by handlers of signals, so nothing is allocated
    for handover in all.iter().filter_map(Weak::upgrade) {
        // a caller can hold the lock for longer
        wait_for(&|| handover.try_close());
    }
    let mut written = Written::Nothing;
    for handover in all.iter().filter_map(Weak::upgrade) {
        wait_for(&|| handover.is_done());
        let is_whole = handover.is_complete() && written != Written::Before;
        written = if is_whole { Written::Everything } else { Written::Before };
    }
    written
}

impl<B: Block> Handover<B> {
    /// Returns shared memory with an empty block.
    pub(crate) fn new(limits: HandoverLimits) -> Arc<Self> {
        let handover = Arc::new(Self {
            limits,
            queue: Mutex::default(),
            work: Condvar::new(),
            taken: Condvar::new(),
            is_done: AtomicBool::new(false),
            has_lost: AtomicBool::new(false),
        });
        let closing: Arc<dyn Closing> = handover.clone();
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&closing));
        handover
    }

    fn lock(&self) -> MutexGuard<'_, Queue<B>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns access to the block. Waits while the block is too large.
    pub(crate) fn access(&self) -> Access<'_, B> {
        let mut queue = self.lock();
        while queue.block.size() >= self.limits.too_many && !queue.is_closed {
            queue = self.taken.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closed && IS_ENDING.load(Ordering::Relaxed) {
            drop(queue);
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
        Access { handover: self, queue }
    }

    /// Returns whether the block is large enough for the writing thread.
    pub(crate) fn is_announced(&self) -> bool {
        self.lock().is_announced
    }

    /// Closes the queue: no more data will be added.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.work.notify_one();
    }

    /// Waits for data and exchanges `block`, which is empty, for the block of the callers. Returns whether
    /// no more data will be added. `last` is the time of the last flush, from which the period counts.
    pub(crate) fn next(&self, block: &mut B, last: Instant) -> bool {
        let mut queue = self.lock();
        loop {
            let rest = self.limits.period.saturating_sub(last.elapsed());
            if queue.is_closed || queue.is_announced || rest.is_zero() {
                break;
            }
            let waited = self.work.wait_timeout(queue, rest);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        std::mem::swap(&mut queue.block, block);
        if IS_ENDING.load(Ordering::Relaxed) && !block.is_intact() {
            self.has_lost.store(true, Ordering::Relaxed);
            *block = B::default();
        }
        queue.is_announced = false;
        self.taken.notify_one();
        queue.is_closed
    }

    /// Returns a guard for the writing thread: the queue closes when the thread ends in any way, so that
    /// no caller waits for it.
    pub(crate) fn writing(&self) -> Writing<'_, B> {
        Writing(self)
    }
}

impl<B: Block> Closing for Handover<B> {
    fn try_close(&self) -> bool {
        let Ok(mut queue) = self.queue.try_lock() else { return false };
        queue.is_closed = true;
        self.work.notify_one();
        true
    }

    fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    fn is_complete(&self) -> bool {
        self.is_done() && !self.has_lost.load(Ordering::Relaxed)
    }
}

/// Exclusive access to the block to which data are added.
pub struct Access<'a, B: Block> {
    handover: &'a Handover<B>,
    queue: MutexGuard<'a, Queue<B>>,
}

impl<B: Block> Access<'_, B> {
    /// Returns whether the queue is closed, so that added data are lost.
    pub fn is_closed(&self) -> bool {
        self.queue.is_closed
    }
}

impl<B: Block> Deref for Access<'_, B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.queue.block
    }
}

impl<B: Block> DerefMut for Access<'_, B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.queue.block
    }
}

impl<B: Block> Drop for Access<'_, B> {
    fn drop(&mut self) {
        if !self.queue.is_announced && self.queue.block.size() >= self.handover.limits.enough {
            self.queue.is_announced = true;
            self.handover.work.notify_one();
        }
    }
}

/// The guard of [`Handover::writing`].
pub(crate) struct Writing<'a, B: Block>(&'a Handover<B>);

impl<B: Block> Drop for Writing<'_, B> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        if std::thread::panicking() {
            self.0.has_lost.store(true, Ordering::Relaxed);
        }
        self.0.is_done.store(true, Ordering::Relaxed);
        self.0.taken.notify_all();
    }
}
