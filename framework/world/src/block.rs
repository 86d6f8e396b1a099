//! Blocks: obstacles with an outline.

mod composition;
mod description;
mod geometry;
mod shape;

pub(crate) use composition::{BLOCK, Blocks, CLASS, read_block, read_class};
pub use description::{Block, BlockTop};
