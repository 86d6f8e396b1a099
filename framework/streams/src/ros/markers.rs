//! Shapes of a scene as markers.

use super::messages::{header, pose, time, vector};
use super::writer::{Number, Writer};
use crate::sample::Sample;
use crate::stamp::Stamp;
use crate::stream::Stream;

/// Numbers of a marker before its points: kind, pose, size, colour, number of points.
const HEAD: usize = 15;

/// Writes a sample whose numbers are, for each label, the number of its markers and the markers.
pub(super) fn write(stream: &Stream, sample: &Sample<'_>, to: &mut dyn Writer) {
    to.list("markers", count(stream, sample.numbers));
    each(stream, sample.numbers, |label, index, marker| {
        to.open("");
        header(sample.stamp, stream.label_frame(label), to);
        write_marker(&stream.labels[label], index, marker, to);
        to.close();
    });
    to.end();
}

fn count(stream: &Stream, numbers: &[f64]) -> usize {
    let mut count = 0;
    each(stream, numbers, |_, _, _| count += 1);
    count
}

/// Calls `with` for each marker with the index of its label, its own within the label, and its numbers.
fn each(stream: &Stream, numbers: &[f64], mut with: impl FnMut(usize, usize, &[f64])) {
    let mut rest = numbers;
    for label in 0..stream.labels.len() {
        let Some((markers, after)) = rest.split_first() else { return };
        rest = after;
        for index in 0..*markers as usize {
            let Some(points) = rest.get(HEAD - 1) else { return };
            let len = (*points as usize).saturating_mul(3).saturating_add(HEAD);
            let Some((marker, after)) = rest.split_at_checked(len) else { return };
            with(label, index, marker);
            rest = after;
        }
    }
}

fn write_marker(label: &str, index: usize, marker: &[f64], to: &mut dyn Writer) {
    let (head, points) = marker.split_at(HEAD);
    let three = |from: usize| [head[from], head[from + 1], head[from + 2]];
    to.text("ns", label);
    to.number("id", Number::I32(index as i32));
    to.number("type", Number::I32(head[0] as i32));
    to.number("action", Number::I32(0));
    pose("pose", three(1), three(4), to);
    vector("scale", three(7), to);
    to.open("color");
    for (name, value) in ["r", "g", "b", "a"].into_iter().zip(&head[10..14]) {
        to.number(name, Number::F32(*value as f32));
    }
    to.close();
    time("lifetime", Stamp::default(), to);
    // moves with its frame between samples
    to.number("frame_locked", Number::Bool(true));
    to.list("points", points.len() / 3);
    points.as_chunks().0.iter().for_each(|point| vector("", *point, to));
    to.end();
    to.list("colors", 0);
    to.end();
    to.text("texture_resource", "");
    to.open("texture");
    header(Stamp::default(), "", to);
    to.text("format", "");
    to.bytes("data", &[], false);
    to.close();
    to.list("uv_coordinates", 0);
    to.end();
    to.text("text", "");
    to.text("mesh_resource", "");
    to.open("mesh_file");
    to.text("filename", "");
    to.bytes("data", &[], false);
    to.close();
    to.number("mesh_use_embedded_materials", Number::Bool(false));
}
