//! World file to checked description, with a source position on every value.
