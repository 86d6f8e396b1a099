//! Bounding volume hierarchies with four children per node.
//!
//! Binary trees are built from the top with binned surface areas (Wald, *On fast construction of
//! SAH-based bounding volume hierarchies*, 2007), collapsed to four children per node (Dammertz,
//! Hanika and Keller, *Shallow bounding volume hierarchies*, 2008), and written with the bounds of
//! children in 8 bits per coordinate relative to their node, rounded outwards (Ylitie, Karras and
//! Laine, *Efficient incoherent ray traversal on GPUs through compressed wide BVHs*, 2017).

mod binary;
mod bounds;
mod node;

use binary::Binary;
pub(crate) use bounds::Bounds;
pub(crate) use node::{EMPTY, NODE_WORDS, leaf_of_instance, leaf_of_triangles};

/// Largest number of triangles of a leaf.
pub(crate) const LEAF: usize = 4;

/// What the leaves of a tree hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Up to [`LEAF`] consecutive triangles; the first has this index in the tree.
    Triangles(u32),
    /// One instance.
    Instances,
}

/// A tree in the form in which the device reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Nodes of [`NODE_WORDS`] words each.
    pub words: Vec<u32>,
    /// Reference to the root: a node, a leaf, or [`EMPTY`].
    pub root: u32,
    /// Order of the triangles in leaves.
    pub order: Vec<u32>,
    /// Most entries that a depth-first traversal keeps on its stack.
    pub stack: usize,
}

impl Tree {
    /// Builds a tree over boxes, whose first node has the index `base`.
    pub fn build(boxes: &[Bounds], content: Content, base: u32) -> Self {
        let leaf = if content == Content::Instances { 1 } else { LEAF };
        let binary = Binary::build(boxes, leaf);
        let mut writer = Writer { binary: &binary, content, base, words: Vec::new() };
        let (root, stack) = match binary.root() {
            Some(root) => writer.write(root),
            None => (EMPTY, 0),
        };
        let words = writer.words;
        Self { words, root, order: binary.order, stack }
    }
}

struct Writer<'a> {
    binary: &'a Binary,
    content: Content,
    base: u32,
    words: Vec<u32>,
}

impl Writer<'_> {
    /// Writes a node with all below it, and returns the reference to it and its need of stack.
    fn write(&mut self, node: usize) -> (u32, usize) {
        if let Some((first, count)) = self.binary.leaf(node) {
            let reference = match self.content {
                Content::Triangles(base) => leaf_of_triangles(base + first as u32, count),
                Content::Instances => leaf_of_instance(self.binary.order[first]),
            };
            return (reference, 1);
        }
        let children = self.binary.four_children(node);
        let place = self.words.len();
        self.words.resize(place + NODE_WORDS, 0);
        let mut packed = Vec::with_capacity(4);
        let mut deepest = 0;
        for child in &children {
            let (reference, stack) = self.write(*child);
            packed.push((self.binary.bounds(*child), reference));
            deepest = deepest.max(stack);
        }
        self.words[place..place + NODE_WORDS].copy_from_slice(&node::pack(&packed));
        (self.base + (place / NODE_WORDS) as u32, deepest + children.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: i32) -> Vec<Bounds> {
        let place = |k: i32| [(k * 7919) % 1000 * 1000, k % 13 * 500, k];
        (0..count).map(|k| Bounds::around([place(k), place(k).map(|c| c + 100)])).collect()
    }

    /// Visits everything below a reference with the bounds that its parents give it.
    fn visit(tree: &Tree, reference: u32, bounds: Bounds, seen: &mut Vec<(usize, Bounds)>) {
        match reference >> 30 {
            0 => {
                let place = reference as usize * NODE_WORDS;
                for (child, inner) in node::unpack(&tree.words[place..place + NODE_WORDS]) {
                    visit(tree, child, inner, seen);
                }
            }
            1 => {
                let first = (reference & 0x7FF_FFFF) as usize;
                let count = (reference >> 27 & 7) as usize + 1;
                seen.extend((first..first + count).map(|k| (tree.order[k] as usize, bounds)));
            }
            _ => seen.push(((reference & 0x3FFF_FFFF) as usize, bounds)),
        }
    }

    fn inside(inner: Bounds, outer: Bounds) -> bool {
        (0..3).all(|k| outer.min[k] <= inner.min[k] && inner.max[k] <= outer.max[k])
    }

    #[test]
    fn every_box_is_reached_once_and_lies_in_its_bounds() {
        for count in [0, 1, 2, 3, 4, 5, 9, 64, 1000] {
            for content in [Content::Triangles(0), Content::Instances] {
                let boxes = row(count);
                let tree = Tree::build(&boxes, content, 0);
                let all = Bounds { min: [i32::MIN; 3], max: [i32::MAX; 3] };
                let mut seen = Vec::new();
                if tree.root != EMPTY {
                    visit(&tree, tree.root, all, &mut seen);
                }
                assert!(seen.iter().all(|(k, bounds)| inside(boxes[*k], *bounds)));
                let mut indices: Vec<usize> = seen.iter().map(|(k, _)| *k).collect();
                indices.sort_unstable();
                assert_eq!(indices, (0..count as usize).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn equal_boxes_give_a_shallow_tree() {
        let boxes = vec![Bounds { min: [0; 3], max: [5; 3] }; 4096];
        let tree = Tree::build(&boxes, Content::Triangles(0), 0);
        assert!(tree.stack < 32, "{}", tree.stack);
    }

    #[test]
    fn boxes_whose_sizes_double_need_a_bounded_stack() {
        let boxes: Vec<Bounds> =
            (0..2900).map(|k| Bounds { min: [0; 3], max: [1 << (k / 100), 1, 1] }).collect();
        let tree = Tree::build(&boxes, Content::Triangles(0), 0);
        assert!(tree.stack < 96, "{}", tree.stack);
    }
}
