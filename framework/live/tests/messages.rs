//! Messages of clients that are not what they should be.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use simhost_live::fuzz_messages;

/// Pseudo-random numbers (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

#[test]
fn damaged_messages_harm_nobody() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/live");
    let mut seeds: Vec<Vec<u8>> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect();
    seeds.sort();
    assert!(seeds.len() >= 3);
    let mut random = Random(1);
    for seed in &seeds {
        fuzz_messages(seed);
        for _ in 0..200 {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(4) {
                let (at, value) = (random.below(bytes.len()), random.below(256) as u8);
                match random.below(3) {
                    0 => bytes[at] = value,
                    1 => bytes.insert(at, value),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            fuzz_messages(&bytes);
        }
    }
}
