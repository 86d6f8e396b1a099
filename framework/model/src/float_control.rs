//! The floating-point control state of a thread: rounding, flush to zero, and traps.
//!
//! The state belongs to the thread, not to a library. A model that changes it, or a library whose
//! constructor does (GCC links such a constructor into libraries built with `-ffast-math`), changes the
//! results of every other model. The host therefore restores the standard state of the platform after
//! it has loaded a library and after every call of a model. Threads inherit the state of the thread
//! that starts them.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use crate::LINKED_IN;

/// A change of the floating-point control state that the host has undone. Each file is reported once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Full name of the class, or empty for a library that changes the state while it is loaded.
    pub class: String,
    /// File of the plugin, or `linked in`.
    pub source: String,
    /// Function or phase that changed the state.
    pub function: &'static str,
    /// Description of the state that was found, such as `flush to zero`.
    pub state: String,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { class, source, function, state } = self;
        match class.as_str() {
            "" => write!(f, "{source} changes")?,
            class => write!(f, "{class} ({source}) changes")?,
        }
        write!(f, " the floating-point control state")?;
        match class.as_str() {
            "" => write!(f, " while it is loaded")?,
            _ => write!(f, " in `{function}`")?,
        }
        write!(
            f,
            " ({state}); simhost has restored it, so that other models keep their results\nhelp: build \
             it without -ffast-math and -Ofast, and do not call fesetround, fesetenv or \
             feenableexcept"
        )
    }
}

/// Changes that have not been taken yet, and files that were reported.
static CHANGES: Mutex<(Vec<Change>, Vec<String>)> = Mutex::new((Vec::new(), Vec::new()));

thread_local! {
    /// Number of times that this thread's state was restored.
    static RESTORED: Cell<u64> = const { Cell::new(0) };
}

/// Returns how often the state of this thread was restored.
pub(crate) fn count() -> u64 {
    RESTORED.get()
}

/// Returns the changes since the last call, at most one for each file.
pub fn take_changes() -> Vec<Change> {
    std::mem::take(&mut CHANGES.lock().unwrap_or_else(PoisonError::into_inner).0)
}

/// Restores the standard state and records who has changed it.
#[cold]
#[inline(never)]
pub fn restore_after(class: &str, source: &str, function: &'static str) {
    let state = control::describe();
    restore();
    RESTORED.set(RESTORED.get() + 1);
    let mut changes = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
    // one family of linked-in models is not another
    let file = if source == LINKED_IN { class } else { source };
    if !changes.1.iter().any(|known| known == file) {
        changes.1.push(file.to_owned());
        let (class, source) = (class.to_owned(), source.to_owned());
        changes.0.push(Change { class, source, function, state });
    }
}

/// Restores the standard state of the platform.
pub fn restore() {
    control::set_standard();
}

/// Returns whether this thread has the standard state of the platform. Takes a few instructions.
#[inline(always)]
pub fn is_standard() -> bool {
    control::is_standard()
}

/// SSE and x87.
#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// Round to nearest, all traps masked, no flush to zero, denormals are not zero.
    const MXCSR: u32 = 0x1f80;
    /// Bits of MXCSR that record exceptions.
    const FLAGS: u32 = 0x3f;
    /// Round to nearest, all traps masked, 64-bit significands (53-bit on Windows).
    const X87: u16 = if cfg!(windows) { 0x027f } else { 0x037f };
    /// Traps, precision and rounding of the x87 control word.
    const X87_USED: u16 = 0x0f3f;

    #[inline(always)]
    fn read() -> (u32, u16) {
        let (mut mxcsr, mut x87) = (0_u32, 0_u16);
        // SAFETY: both instructions only write to the given address.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags));
            asm!("fnstcw [{}]", in(reg) &raw mut x87, options(nostack, preserves_flags));
        }
        (mxcsr, x87)
    }

    #[inline(always)]
    pub fn is_standard() -> bool {
        let (mxcsr, x87) = read();
        (mxcsr & !FLAGS) ^ MXCSR | u32::from((x87 ^ X87) & X87_USED) == 0
    }

    pub fn set_standard() {
        let (mxcsr, x87) = (MXCSR, X87);
        // SAFETY: this is the state that Rust code expects; pending x87 exceptions are cleared first,
        // because they would trap.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack, preserves_flags));
            asm!("fnclex", "fldcw [{}]", in(reg) &raw const x87, options(nostack));
        }
    }

    pub fn describe() -> String {
        const ROUNDING: [&str; 4] = ["", "rounds down", "rounds up", "rounds towards zero"];
        let (mxcsr, x87) = read();
        let rounding = ROUNDING[(mxcsr >> 13 & 3) as usize];
        // functions of the C library change both
        let is_x87_alone = (mxcsr ^ MXCSR) & !FLAGS == 0 && (x87 ^ X87) & X87_USED != 0;
        let found = [
            (mxcsr & 1 << 15 != 0, "flush to zero"),
            (mxcsr & 1 << 6 != 0, "denormals are zero"),
            (!rounding.is_empty(), rounding),
            (!mxcsr & 0x1f80 != 0, "exceptions trap"),
            (is_x87_alone, "x87 control word"),
        ];
        let found: Vec<&str> = found.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        found.join(", ")
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    #[inline(always)]
    fn read() -> u64 {
        let fpcr: u64;
        // SAFETY: the instruction only reads the register.
        unsafe { asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack, preserves_flags)) };
        fpcr
    }

    /// Whether the register is 0: round to nearest, no traps, no flush to zero.
    #[inline(always)]
    pub fn is_standard() -> bool {
        read() == 0
    }

    pub fn set_standard() {
        // SAFETY: this is the state that Rust code expects.
        unsafe { asm!("msr fpcr, {}", in(reg) 0_u64, options(nomem, nostack, preserves_flags)) };
    }

    pub fn describe() -> String {
        const ROUNDING: [&str; 4] = ["", "rounds up", "rounds down", "rounds towards zero"];
        let fpcr = read();
        let rounding = ROUNDING[(fpcr >> 22 & 3) as usize];
        let found = [
            (fpcr & 1 << 24 != 0, "flush to zero"),
            (!rounding.is_empty(), rounding),
            (fpcr & 0x9f00 != 0, "exceptions trap"),
            (fpcr & !(1 << 24 | 3 << 22 | 0x9f00) != 0, "other bits of FPCR"),
        ];
        let found: Vec<&str> = found.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        found.join(", ")
    }
}

/// The state is not known on other processors.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub const fn is_standard() -> bool {
        true
    }

    pub const fn set_standard() {}

    pub const fn describe() -> String {
        String::new()
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::arch::asm;

    use super::*;

    #[test]
    fn a_changed_state_is_described_once_for_each_file_and_undone() {
        assert!(is_standard());
        for mxcsr in [0x9fc0_u32, 0x7f80, 0x1f00] {
            // SAFETY: no computation follows until the state is restored.
            unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr) };
            assert!(!is_standard());
            restore_after("acme/ice", "ice.so", "force");
            assert!(is_standard());
        }
        let x87 = 0x027f_u16 ^ if cfg!(windows) { 0x0100 } else { 0 };
        // SAFETY: as above.
        unsafe { asm!("fldcw [{}]", in(reg) &raw const x87) };
        assert!(!is_standard());
        restore_after("", "snow.so", "loading");
        assert!(is_standard());
        let found = take_changes();
        let states: Vec<&str> = found.iter().map(|change| change.state.as_str()).collect();
        assert_eq!(states, ["flush to zero, denormals are zero", "x87 control word"]);
        assert_eq!(take_changes(), []);
        assert!(found[0].to_string().starts_with("acme/ice (ice.so) changes the floating-point"));
    }
}
