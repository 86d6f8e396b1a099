//! Present call of an FMU in a separate process, for the message about its end.
//!
//! The process writes it to a file in its memory before each function of the FMU, which needs no call of the operating system.
//! Another process reads the file after the end.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapRaw;

use crate::description::FmuDescription;

/// Size of the file: the activity, the variable and the time.
const SIZE: usize = 3 * size_of::<u64>();

/// The function of the FMU that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    /// None, or its library is being loaded.
    Load,
    /// An instance starts.
    Start,
    /// A variable is set.
    Set,
    /// A step is taken.
    Step,
    /// A variable is read.
    Get,
    /// The state is saved.
    Save,
    /// The state is restored.
    Restore,
    /// An instance ends.
    End,
}

impl Activity {
    /// All activities, by their numbers in the file.
    const ALL: [Self; 8] = [
        Self::Load,
        Self::Start,
        Self::Set,
        Self::Step,
        Self::Get,
        Self::Save,
        Self::Restore,
        Self::End,
    ];
}

static PAGE: OnceLock<MmapRaw> = OnceLock::new();

/// Writes the notes of this process to a file from now on.
///
/// # Errors
/// The file cannot be mapped into memory.
pub(crate) fn keep_in(path: &Path) -> std::io::Result<()> {
    let file = File::options().read(true).write(true).open(path)?;
    file.set_len(SIZE as u64)?;
    let _ = PAGE.set(MmapRaw::map_raw(&file)?);
    Ok(())
}

/// Notes the function of the FMU that runs next, the index of the variable that it sets or reads, and the time of the instance
/// in s.
pub(crate) fn note(activity: Activity, variable: usize, time: f64) {
    let Some(page) = PAGE.get() else { return };
    let words = page.as_mut_ptr().cast::<AtomicU64>();
    for (index, word) in [activity as u64, variable as u64, time.to_bits()].into_iter().enumerate()
    {
        // SAFETY: the page has three aligned words and stays mapped.
        unsafe { &*words.add(index) }.store(word, Ordering::Relaxed);
    }
}

/// A note that was read from a file.
pub(crate) struct Note {
    activity: Activity,
    variable: usize,
    time: f64,
}

impl Note {
    /// Reads the last note; `None` if the process ended before the first one.
    pub fn read(path: &Path) -> Option<Self> {
        let bytes: [u8; SIZE] = std::fs::read(path).ok()?.try_into().ok()?;
        let word = |index: usize| {
            let (words, _) = bytes.as_chunks::<8>();
            u64::from_ne_bytes(words[index])
        };
        let activity = *Activity::ALL.get(usize::try_from(word(0)).ok()?)?;
        let variable = usize::try_from(word(1)).ok()?;
        Some(Self { activity, variable, time: f64::from_bits(word(2)) })
    }

    /// Returns the note as a clause, with the names of a description.
    pub fn shown<'n>(&'n self, description: &'n FmuDescription) -> impl fmt::Display {
        let named = description.variables.get(self.variable);
        let variable = named.map_or("", |variable| &*variable.name);
        let time = self.time;
        match self.activity {
            Activity::Load => "while its library was loaded".to_owned(),
            Activity::Start => "while an instance was created".to_owned(),
            Activity::Set => format!("while variable {variable:?} was set at {time} s"),
            Activity::Step => format!("in the step from {time} s"),
            Activity::Get => format!("while variable {variable:?} was read at {time} s"),
            Activity::Save => format!("while its state was saved at {time} s"),
            Activity::Restore => "while its state was restored".to_owned(),
            Activity::End => format!("while an instance was removed at {time} s"),
        }
    }
}
