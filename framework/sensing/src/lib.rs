//! Scans of the scene.
