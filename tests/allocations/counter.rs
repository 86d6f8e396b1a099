//! A global allocator that counts the allocations of the current thread and records their stacks.

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Whose code requested an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The project, or the standard library and others on its behalf.
    Project,
    /// rapier or parry.
    Rapier,
}

/// Numbers of allocations by owner and stack.
pub type Stacks = BTreeMap<(Owner, String), usize>;

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Off,
    Count,
    Record,
}

/// Returns the bytes that this thread has allocated, without those that it has freed.
pub fn live() -> isize {
    LIVE.get()
}

fn change(bytes: usize, freed: usize) {
    LIVE.set(LIVE.get() + bytes as isize - freed as isize);
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Off) };
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static STACKS: RefCell<Stacks> = const { RefCell::new(Stacks::new()) };
}

struct Counter;

#[global_allocator]
static ALLOCATOR: Counter = Counter;

// SAFETY: every call is passed on to the system's allocator unchanged. The bookkeeping neither unwinds nor
// touches the memory, and its own allocations are not recorded because the mode is off meanwhile.
unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        change(layout.size(), 0);
        // SAFETY: the caller keeps the contract of this function, which is that of the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        change(layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        change(size, layout.size());
        // SAFETY: as above; `memory` came from the system's allocator.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        change(0, layout.size());
        // SAFETY: as above; `memory` came from the system's allocator.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn note() {
    match MODE.get() {
        Mode::Off => {}
        Mode::Count => COUNT.set(COUNT.get() + 1),
        Mode::Record => {
            MODE.set(Mode::Off);
            let stack = Backtrace::force_capture().to_string();
            let frames = frames(&stack);
            let entry = (owner(&frames), shortened(&frames));
            STACKS.with_borrow_mut(|stacks| *stacks.entry(entry).or_default() += 1);
            MODE.set(Mode::Record);
        }
    }
}

/// Returns the number of allocations of `work` on this thread.
pub fn count(work: impl FnOnce()) -> usize {
    COUNT.set(0);
    MODE.set(Mode::Count);
    work();
    MODE.set(Mode::Off);
    COUNT.get()
}

/// Returns the stacks of the allocations of `work` on this thread.
pub fn stacks(work: impl FnOnce()) -> Stacks {
    MODE.set(Mode::Record);
    work();
    MODE.set(Mode::Off);
    STACKS.take()
}

/// A function on a stack and its place in the source, which is empty if unknown.
struct Frame<'a> {
    function: &'a str,
    place: &'a str,
}

/// Splits a printed backtrace into its frames, innermost first.
fn frames(stack: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in stack.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            if let Some(frame) = frames.last_mut() {
                frame.place = place;
            }
        } else if let Some((_, function)) = line.split_once(": ") {
            frames.push(Frame { function, place: "" });
        }
    }
    frames
}

/// Returns the crate that a function belongs to: the first name in its path.
fn crate_of(function: &str) -> &str {
    let path = function.trim_start_matches(['<', '&', '(', '[', '*']);
    let path = path.strip_prefix("mut ").or_else(|| path.strip_prefix("dyn ")).unwrap_or(path);
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
    &path[..end.unwrap_or(path.len())]
}

fn is_rapiers(frame: &Frame<'_>) -> bool {
    let from = |name| frame.place.contains(name);
    // inlined functions have a place but no path of their own, and other functions of libraries have no place
    ["rapier2d_f64", "parry2d_f64"].contains(&crate_of(frame.function))
        || from("/rapier2d-f64-")
        || from("/parry2d-f64-")
}

fn is_projects(frame: &Frame<'_>) -> bool {
    let libraries = ["/rustc/", "/registry/", "counter.rs"];
    let elsewhere = libraries.iter().any(|part| frame.place.contains(part));
    crate_of(frame.function).starts_with("simhost") || !(elsewhere || frame.place.is_empty())
}

/// Returns whose function is the innermost on a stack.
fn owner(frames: &[Frame<'_>]) -> Owner {
    let innermost = frames.iter().find(|frame| is_rapiers(frame) || is_projects(frame));
    if innermost.is_some_and(is_rapiers) { Owner::Rapier } else { Owner::Project }
}

/// Returns the frames from the innermost function of the project or of rapier outwards.
fn shortened(frames: &[Frame<'_>]) -> String {
    let first = frames.iter().position(|frame| is_rapiers(frame) || is_projects(frame));
    let frames = frames.iter().skip(first.unwrap_or(0)).take(6);
    frames.map(|frame| format!("    {}\n        at {}\n", frame.function, frame.place)).collect()
}

#[test]
fn the_innermost_known_function_owns_an_allocation() {
    let of = |functions: &[&'static str]| {
        let frames: Vec<_> =
            functions.iter().map(|function| Frame { function, place: "" }).collect();
        owner(&frames)
    };
    assert_eq!(of(&["alloc::vec::Vec<parry2d_f64::A>::push", "simhost_engine::a"]), Owner::Project);
    assert_eq!(
        of(&["alloc::b", "<parry2d_f64::A as b::C>::d", "simhost_engine::a"]),
        Owner::Rapier
    );
    assert_eq!(
        of(&["<simhost_engine::A as rapier2d_f64::B>::c", "rapier2d_f64::d"]),
        Owner::Project
    );
    assert_eq!(of(&["alloc::b"]), Owner::Project);
}

#[test]
fn an_allocation_is_counted_and_recorded() {
    let work = || drop(std::hint::black_box(vec![1, 2, 3]));
    assert_eq!(count(work), 1);
    let stacks = stacks(work);
    let ((owner, stack), count) = stacks.first_key_value().unwrap();
    assert_eq!((stacks.len(), *owner, *count), (1, Owner::Project, 1));
    assert!(!stack.is_empty());
    assert_eq!(self::count(|| ()), 0);
}
