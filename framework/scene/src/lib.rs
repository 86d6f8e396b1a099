//! Geometry without behaviour: poses, polygons, hulls.
