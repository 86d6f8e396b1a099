//! What reading a world may cost.

use crate::limits::Limits;
use crate::xml::Weight;

/// Bytes of attributes and long texts that a world may have, in its files and expanded.
const MAX_BYTES: u64 = 384 << 20;
/// Bytes of values that replacements may read and write.
const MAX_WORK: u64 = 128 << 20;
/// Deepest nesting that may be asked for: trees are walked recursively.
const DEEPEST: usize = 500;

/// What is left of the limits. Where one is passed, the sentence that says so names its flag.
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
        let (max_depth, max_elements) = (limits.depth.min(DEEPEST), limits.elements);
        Self { max_depth, max_elements, parsed: 0, expanded: 0, bytes: 0, work: 0 }
    }

    /// # Errors
    /// Tags nested `depth` deep are too deep.
    pub(crate) fn depth(&self, depth: usize) -> Result<(), String> {
        if depth <= self.max_depth {
            return Ok(());
        }
        let (max, raise) = (self.max_depth, "raise --max-depth");
        let more = if max < DEEPEST { raise } else { "there may not be more" };
        Err(format!("tags are nested more than {max} deep; {more}"))
    }

    /// # Errors
    /// An element of a file is one too many.
    pub(crate) fn parse(&mut self, bytes: u32) -> Result<(), String> {
        self.parsed += 1;
        self.bytes += u64::from(bytes);
        if self.parsed > self.max_elements { Err(self.elements()) } else { self.check_bytes() }
    }

    /// # Errors
    /// The world has too many elements, or is too long, with a tree of this weight.
    pub(crate) fn expand(&mut self, weight: Weight) -> Result<(), String> {
        self.count(weight.elements as usize)?;
        self.bytes += u64::from(weight.bytes);
        self.check_bytes()
    }

    /// Counts elements, or rounds of a loop.
    ///
    /// # Errors
    /// They are too many.
    pub(crate) fn count(&mut self, count: usize) -> Result<(), String> {
        self.expanded = self.expanded.saturating_add(count);
        if self.expanded > self.max_elements { Err(self.elements()) } else { Ok(()) }
    }

    /// # Errors
    /// So many rounds of a loop would be too many.
    pub(crate) fn rounds(&self, count: usize) -> Result<(), String> {
        if count <= self.max_elements - self.expanded.min(self.max_elements) {
            return Ok(());
        }
        Err(format!("a loop of {count} rounds makes {}", self.elements()))
    }

    /// # Errors
    /// Replacements have read and written too much.
    pub(crate) fn work(&mut self, bytes: usize) -> Result<(), String> {
        self.work += bytes as u64;
        if self.work <= MAX_WORK {
            return Ok(());
        }
        Err(format!("the values of this world come to more than {} MiB", MAX_WORK >> 20))
    }

    fn elements(&self) -> String {
        format!("more than {} elements; raise --max-elements", self.max_elements)
    }

    fn check_bytes(&self) -> Result<(), String> {
        if self.bytes <= MAX_BYTES {
            return Ok(());
        }
        Err(format!("the texts of this world come to more than {} MiB", MAX_BYTES >> 20))
    }
}
