//! State of the converter: the states of the node and of the feedback.

use simhost_sdk::abi::StateDesc;
use simhost_sdk::{Columns, State};

use super::feedback::Feedback;
use crate::node::state::Node;

/// Node and feedback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Converting {
    /// Mode and initial pose.
    pub node: Node,
    /// Integrals and last values.
    pub feedback: Feedback,
}

impl Columns for Converting {
    const COUNT: usize = Node::COUNT + Feedback::COUNT;
    #[inline(always)]
    fn load(get: impl Fn(usize) -> f64) -> Self {
        Self { node: Node::load(&get), feedback: Feedback::load(|slot| get(Node::COUNT + slot)) }
    }
    #[inline(always)]
    fn store(&self, mut put: impl FnMut(usize, f64)) {
        self.node.store(&mut put);
        self.feedback.store(|slot, value| put(Node::COUNT + slot, value));
    }
}

impl State for Converting {
    const STATES: &'static [StateDesc] = &{
        let mut slots = [Node::STATES[0]; Node::COUNT + Feedback::COUNT];
        let mut slot = 0;
        while slot < slots.len() {
            slots[slot] = match slot < Node::COUNT {
                true => Node::STATES[slot],
                false => Feedback::STATES[slot - Node::COUNT],
            };
            slot += 1;
        }
        slots
    };
    type Memory = ();
}
