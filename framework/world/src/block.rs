//! Blocks: obstacles with an outline.

mod composition;
mod geometry;
mod shape;
mod values;

pub(crate) use composition::{BLOCK, Blocks, CLASS, read_block, read_class};
pub use composition::{Block, BlockTop};
