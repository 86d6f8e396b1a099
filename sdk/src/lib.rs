//! What the author of a simhost model depends on.
