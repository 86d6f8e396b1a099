//! The remaining budget of a load.

use crate::options::Limits;
use crate::tree::Weight;

/// Maximum bytes of attributes and long texts of a world, in its files and expanded.
const MAX_BYTES: u64 = 384 << 20;
/// Maximum bytes that replacements may read and write.
const MAX_WORK: u64 = 128 << 20;
/// Upper bound of the nesting limit: trees are walked recursively.
const MAX_DEPTH: usize = 500;

/// The part of the limits that is left. Every method returns an error message that names the flag
/// once its limit is exceeded.
#[derive(Debug)]
pub(crate) struct Budget {
    max_depth: usize,
    max_elements: usize,
    parsed: usize,
    expanded: usize,
    bytes: u64,
    work: u64,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        let (max_depth, max_elements) = (limits.depth.min(MAX_DEPTH), limits.elements);
        Self { max_depth, max_elements, parsed: 0, expanded: 0, bytes: 0, work: 0 }
    }

    /// Checks a nesting depth.
    ///
    /// # Errors
    /// The depth exceeds the limit.
    pub(crate) fn depth(&self, depth: usize) -> Result<(), String> {
        if depth <= self.max_depth {
            return Ok(());
        }
        let max = self.max_depth;
        let advice =
            if max < MAX_DEPTH { "raise --max-depth" } else { "the limit cannot be raised" };
        Err(format!("elements are nested more than {max} deep; {advice}"))
    }

    /// Counts an element of a file.
    ///
    /// # Errors
    /// There are too many elements, or their texts are too long.
    pub(crate) fn parse(&mut self, bytes: u32) -> Result<(), String> {
        self.parsed += 1;
        self.bytes += u64::from(bytes);
        if self.parsed > self.max_elements {
            return Err(self.too_many_elements());
        }
        self.check_bytes()
    }

    /// Counts an expanded tree.
    ///
    /// # Errors
    /// There are too many elements, or their texts are too long.
    pub(crate) fn expand(&mut self, weight: Weight) -> Result<(), String> {
        self.count(weight.elements as usize)?;
        self.bytes += u64::from(weight.bytes);
        self.check_bytes()
    }

    /// Counts expanded elements or iterations of a loop.
    ///
    /// # Errors
    /// There are too many of them.
    pub(crate) fn count(&mut self, count: usize) -> Result<(), String> {
        self.expanded = self.expanded.saturating_add(count);
        if self.expanded > self.max_elements { Err(self.too_many_elements()) } else { Ok(()) }
    }

    /// Checks that a loop fits before it starts.
    ///
    /// # Errors
    /// The iterations would exceed the limit.
    pub(crate) fn iterations(&self, count: usize) -> Result<(), String> {
        if count <= self.max_elements - self.expanded.min(self.max_elements) {
            return Ok(());
        }
        Err(format!("a loop of {count} iterations makes {}", self.too_many_elements()))
    }

    /// Counts bytes that a replacement reads or writes.
    ///
    /// # Errors
    /// Replacements have read and written too much.
    pub(crate) fn work(&mut self, bytes: usize) -> Result<(), String> {
        self.work += bytes as u64;
        if self.work <= MAX_WORK {
            return Ok(());
        }
        Err(format!("the values of this world exceed {} MiB", MAX_WORK >> 20))
    }

    fn too_many_elements(&self) -> String {
        format!("more than {} elements; raise --max-elements", self.max_elements)
    }

    fn check_bytes(&self) -> Result<(), String> {
        if self.bytes <= MAX_BYTES {
            return Ok(());
        }
        Err(format!("the texts of this world exceed {} MiB", MAX_BYTES >> 20))
    }
}
