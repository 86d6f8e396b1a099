//! The catalogue of models: linked-in families and plugin directories.
