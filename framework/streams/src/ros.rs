//! Streams as ROS 2 messages: their definitions, CDR and JSON.
//!
//! The format of bytes is CDR as ROS 2 uses it (XCDR version 1, OMG DDS-XTypes 1.3, section 7.4.1), little
//! endian, behind an encapsulation header of four bytes. Numbers are aligned to their size relative to
//! the end of this header. A text is preceded by its length, which includes a final zero byte; a sequence
//! is preceded by its number of elements; an array is not.
//!
//! A stream whose type has no equivalent in ROS 2 gets a message of the package `simhost_msgs`, whose
//! definition follows from the fields of the type.

pub(crate) mod cdr;
mod decode;
mod description;
mod encode;
mod generic;
mod inputs;
pub(crate) mod json;
mod layout;
mod schema;
pub(crate) mod template;
pub(crate) mod writer;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde_json::Value;

use crate::sample::Sample;
use crate::stream::{FrameForm, Stream};

use template::Template;

pub use crate::stream::{frame_id, topic};
pub use decode::{DecodeError, Leaf};
pub use description::{FieldDescription, FieldType, StructDescription, TypeDescription};
pub use encode::EncodeError;
pub use generic::identifiers;
pub use inputs::{input_from_cdr, input_from_json, input_from_value};
pub use layout::{Layout, LayoutError, LayoutField};
pub(crate) use schema::TWIST;
pub use schema::{Schema, schema};
pub use writer::{quaternion, yaw_pitch_roll};

/// Appends a sample as CDR, with its encapsulation header. Allocates nothing if `to` has enough capacity,
/// apart from bulk data that are not numbers or bytes yet.
pub fn cdr(stream: &Stream, sample: &Sample<'_>, to: &mut Vec<u8>) {
    cdr::write(stream, sample, to, FrameForm::Any, None);
}

/// Encodes many samples of a stream as [`cdr`] does, with less work for each.
#[derive(Clone, Debug)]
pub struct CdrEncoder {
    stream: Arc<Stream>,
    frames: FrameForm,
    /// Template of the messages, from the first sample on if that has one.
    template: Option<Option<Template>>,
}

impl CdrEncoder {
    /// Creates the encoder of a stream.
    pub fn new(stream: Arc<Stream>) -> Self {
        let frames = frames(&stream);
        Self { stream, frames, template: None }
    }

    /// Returns the stream.
    pub fn stream(&self) -> &Arc<Stream> {
        &self.stream
    }

    /// Appends a sample as CDR, with its encapsulation header.
    pub fn encode(&mut self, sample: &Sample<'_>, to: &mut Vec<u8>) {
        let Self { stream, frames, template } = self;
        let template = template.get_or_insert_with(|| Template::new(stream, sample, *frames));
        let is_filled = template.as_ref().is_some_and(|one| one.fill(stream, sample, to));
        if !is_filled {
            cdr::write(stream, sample, to, *frames, None);
        }
    }
}

/// Returns the form of the frames of a stream, and of its labels, which can be frames.
fn frames(stream: &Stream) -> FrameForm {
    let Stream { frame, child_frame, labels, label_frames, .. } = stream;
    let mut all = [frame, child_frame].into_iter().chain(labels).chain(label_frames);
    match all.all(|frame| frame_id(frame) == *frame) {
        true => FrameForm::AsInMessages,
        false => FrameForm::Any,
    }
}

/// Returns a sample as JSON with the fields of the ROS 2 message. A number that is not finite is `null`,
/// because JSON has no other form for it.
pub fn json(stream: &Stream, sample: &Sample<'_>) -> Value {
    if let Some(form) = stream.kind.message_form() {
        return (form.json)(stream, sample);
    }
    let mut to = json::Json::default();
    generic::write(stream, sample, &mut to);
    to.finish()
}
