//! What a world file may say: one table, from which reading, hints, the schema and the reference follow.
//!
//! A [`Section`] is what stands in one tag, an [`Entry`] one name in it. The reader can take nothing
//! that its section does not list, and nothing that is listed may be left unread: both are asserted.

mod entry;

pub(crate) mod actor;
pub(crate) mod animation;
pub(crate) mod block;
pub(crate) mod chassis;
pub(crate) mod georeference;
pub(crate) mod gui;
pub(crate) mod joint;
pub(crate) mod language;
pub(crate) mod lights;
pub(crate) mod map;
pub(crate) mod marker;
pub(crate) mod plane;
pub(crate) mod publish;
pub(crate) mod region;
pub(crate) mod sensor;
pub(crate) mod terrain;
pub(crate) mod vehicle;
pub(crate) mod visual;
pub(crate) mod walls;
pub(crate) mod wheel;
pub(crate) mod world;

pub(crate) use entry::{
    Default, Effect, Entry, Form, Section, Value, attribute, child, either, integer, number,
    section,
};

/// A pose in the plane.
pub(crate) const POSE_2D: &[&str] = &["X Y YAW_DEG"];
/// A pose in space.
pub(crate) const POSE_3D: &[&str] = &["X Y Z YAW_DEG PITCH_DEG ROLL_DEG"];
/// A point, by default on the ground.
pub(crate) const POINT: &[&str] = &["X Y Z", "X Y"];
/// Sides that are not drawn.
pub(crate) const CULLED: Value = Value::Choice(&["NONE", "BACK", "FRONT"]);

/// The sections of the format, each once, from the root on.
pub(crate) fn sections() -> Vec<&'static Section> {
    let mut found: Vec<&'static Section> = vec![&world::WORLD];
    let mut next = 0;
    while next < found.len() {
        for entry in found[next].entries {
            for section in entry.value.sections() {
                if !found.iter().any(|known| std::ptr::eq(*known, section)) {
                    found.push(section);
                }
            }
        }
        next += 1;
    }
    found
}
