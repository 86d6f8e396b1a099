//! Copies of samples that wait for another thread.

use crate::handover::{self, Check};
use crate::sample::{Bulk, Sample, Stamp};
use crate::sink::SinkError;

/// Samples in the order in which they were added.
#[derive(Default)]
pub(crate) struct SampleBlock {
    /// Samples of a step each, which change hands without being copied again.
    parts: Vec<StepSamples>,
    /// Empty parts that keep their memory.
    spare: Vec<StepSamples>,
    /// Memory that the samples take, in bytes.
    size: usize,
}

/// Samples that were added one after the other.
#[derive(Default)]
struct StepSamples {
    entries: Vec<Entry>,
    /// The numbers of a sample, followed by the numbers of its bulk.
    numbers: Vec<f64>,
    /// Length of each text.
    texts: Vec<u32>,
    /// The texts of a sample, and then its bytes.
    bytes: Vec<u8>,
}

/// Memory of empty parts that a block keeps, in bytes.
const KEPT: usize = 1 << 22;

/// One sample, and how much of the numbers, texts and bytes belongs to it.
struct Entry {
    stamp: Stamp,
    stream: u32,
    numbers: u32,
    texts: u32,
    /// Numbers or bytes of the bulk.
    bulk: u32,
    has_bytes: bool,
    /// Check value of the sample as it was added.
    check: Check,
}

/// Returns the check value of a sample.
fn check(stream: usize, stamp: Stamp, numbers: &[f64], lengths: &[u32], bytes: &[u8]) -> Check {
    let mut check = Check::default();
    check.add(stream as u64);
    check.add(stamp.0);
    check.add_numbers(numbers);
    lengths.iter().for_each(|length| check.add(u64::from(*length)));
    check.add_bytes(bytes);
    check
}

impl SampleBlock {
    /// Adds a copy of a sample.
    pub(crate) fn push(&mut self, stream: usize, sample: &Sample<'_>) {
        if self.parts.is_empty() {
            self.parts.push(self.spare.pop().unwrap_or_default());
        }
        let Some(part) = self.parts.last_mut() else { return };
        let before = part.size();
        part.push(stream, sample);
        self.size += part.size() - before;
    }

    /// Appends all samples of another block.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.parts.append(&mut other.parts);
        self.size += std::mem::take(&mut other.size);
        other.spare.extend(self.spare.pop());
    }

    /// Returns whether there is no sample.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Calls a function with each sample, until it fails.
    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(usize, &Sample<'_>) -> Result<(), SinkError>,
    ) -> Result<(), SinkError> {
        self.parts.iter().try_for_each(|part| part.for_each(&mut take))
    }
}

impl StepSamples {
    /// Returns the memory that the part takes, in bytes, also if it is empty.
    fn capacity(&self) -> usize {
        let Self { entries, numbers, texts, bytes } = self;
        entries.capacity() * size_of::<Entry>()
            + numbers.capacity() * size_of::<f64>()
            + texts.capacity() * size_of::<u32>()
            + bytes.capacity()
    }

    fn push(&mut self, stream: usize, sample: &Sample<'_>) {
        let start = [self.numbers.len(), self.texts.len(), self.bytes.len()];
        self.numbers.extend_from_slice(sample.numbers);
        for text in sample.texts {
            self.texts.push(text.len() as u32);
            self.bytes.extend_from_slice(text.as_bytes());
        }
        let (numbers, bytes) = (self.numbers.len(), self.bytes.len());
        sample.bulk.append_numbers(&mut self.numbers);
        sample.bulk.append_bytes(&mut self.bytes);
        let (numbers, bytes) = (self.numbers.len() - numbers, self.bytes.len() - bytes);
        self.entries.push(Entry {
            stamp: sample.stamp,
            stream: stream as u32,
            numbers: sample.numbers.len() as u32,
            texts: sample.texts.len() as u32,
            bulk: numbers.max(bytes) as u32,
            has_bytes: bytes > 0,
            check: check(
                stream,
                sample.stamp,
                &self.numbers[start[0]..],
                &self.texts[start[1]..],
                &self.bytes[start[2]..],
            ),
        });
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.numbers.clear();
        self.texts.clear();
        self.bytes.clear();
    }

    fn for_each(
        &self,
        take: &mut impl FnMut(usize, &Sample<'_>) -> Result<(), SinkError>,
    ) -> Result<(), SinkError> {
        let (mut numbers, mut lengths, mut bytes) = (&*self.numbers, &*self.texts, &*self.bytes);
        let mut texts: Vec<String> = Vec::new();
        for entry in &self.entries {
            let own = numbers.split_off(..entry.numbers as usize).unwrap_or_default();
            let of_texts = lengths.split_off(..entry.texts as usize).unwrap_or_default();
            texts.resize_with(of_texts.len(), String::new);
            for (text, length) in texts.iter_mut().zip(of_texts) {
                let content = bytes.split_off(..*length as usize).unwrap_or_default();
                text.clear();
                text.push_str(std::str::from_utf8(content).unwrap_or_default());
            }
            let bulk = ..entry.bulk as usize;
            let bulk = match entry.has_bytes {
                true => Bulk::Bytes(bytes.split_off(bulk).unwrap_or_default()),
                false if entry.bulk == 0 => Bulk::None,
                false => Bulk::Numbers(numbers.split_off(bulk).unwrap_or_default()),
            };
            let (stamp, texts) = (entry.stamp, &*texts);
            take(entry.stream as usize, &Sample { stamp, numbers: own, texts, bulk })?;
        }
        Ok(())
    }
}

impl handover::Block for SampleBlock {
    /// Keeps the memory up to [`KEPT`] bytes.
    fn clear(&mut self) {
        let mut kept: usize = self.spare.iter().map(StepSamples::capacity).sum();
        for mut part in self.parts.drain(..) {
            kept += part.capacity();
            if kept <= KEPT {
                part.clear();
                self.spare.push(part);
            }
        }
        self.size = 0;
    }

    fn size(&self) -> usize {
        self.size
    }

    fn is_intact(&self) -> bool {
        self.parts.iter().all(StepSamples::is_intact)
    }
}

impl StepSamples {
    fn size(&self) -> usize {
        size_of_val(&*self.entries)
            + size_of_val(&*self.numbers)
            + size_of_val(&*self.texts)
            + self.bytes.len()
    }

    fn is_intact(&self) -> bool {
        let (mut numbers, mut lengths, mut bytes) = (&*self.numbers, &*self.texts, &*self.bytes);
        let mut own = |entry: &Entry| {
            let (bulk, texts) = (entry.bulk as usize, entry.texts as usize);
            let [in_numbers, in_bytes] = if entry.has_bytes { [0, bulk] } else { [bulk, 0] };
            let numbers = numbers.split_off(..entry.numbers as usize + in_numbers)?;
            let lengths = lengths.split_off(..texts)?;
            let of_texts = lengths.iter().map(|length| *length as usize).sum::<usize>();
            let bytes = bytes.split_off(..of_texts + in_bytes)?;
            Some(check(entry.stream as usize, entry.stamp, numbers, lengths, bytes))
        };
        self.entries.iter().all(|entry| own(entry) == Some(entry.check))
    }
}

#[cfg(test)]
mod tests {
    use super::SampleBlock;
    use crate::handover::Block as _;
    use crate::{Bulk, Sample, Stamp};

    #[test]
    fn samples_come_back_as_they_were_added() {
        let texts = ["a".to_owned(), String::new(), "µ".to_owned()];
        let first =
            Sample { stamp: Stamp(1), numbers: &[1.0], texts: &texts, bulk: Bulk::Bytes(&[7, 8]) };
        let ranges = Bulk::Ranges { distances: &[4.0, 5.0], returns: &[0.0, 1.0] };
        let second = Sample { bulk: ranges, ..Sample::new(Stamp(2), &[2.0, 3.0]) };
        let copied = Sample { bulk: Bulk::Numbers(&[f64::INFINITY, 5.0]), ..second };
        let (mut block, mut step) = (SampleBlock::default(), SampleBlock::default());
        block.push(4, &first);
        step.push(5, &second);
        step.push(6, &first);
        block.append(&mut step);
        assert!(step.is_empty());
        assert!(block.is_intact());
        block.parts[0].numbers[0] += 1.0;
        assert!(!block.is_intact());
        block.parts[0].numbers[0] -= 1.0;
        block.parts[1].numbers[1] += 1.0;
        assert!(!block.is_intact());
        block.parts[1].numbers[1] -= 1.0;
        let expected = [(4, first), (5, copied), (6, first)];
        let mut count = 0;
        let found = block.for_each(|stream, sample| {
            assert_eq!((stream, *sample), expected[count]);
            count += 1;
            Ok(())
        });
        found.unwrap();
        assert_eq!(count, 3);
        let size = block.size();
        assert!(size > 3 * size_of::<super::Entry>() + 8 * 6 + 9, "{size}");
        block.clear();
        assert!(block.is_empty() && block.size() == 0);
        // the memory of a part returns to the block that fills it
        step.push(5, &second);
        block.append(&mut step);
        assert_eq!((block.parts.len(), block.spare.len(), step.spare.len()), (1, 1, 1));
    }
}
