//! Point clouds, which are checked only.

use std::sync::Arc;

use simhost_assets::cloud;

use simhost_scene::Pose3;

use crate::diagnostics::Diagnostic;
use crate::files;
use crate::pose::{POSE_3D, pose_from_row};
use crate::reader::ElementReader;
use crate::sources::Span;
use crate::vocabulary::{Section, Value, attribute, child, positive, section};

/// Points that nothing sees yet.
#[derive(Clone, Debug)]
pub struct PointCloud {
    /// Points in the frame of the cloud in m.
    pub points: Arc<Vec<[f64; 3]>>,
    /// Pose of the frame.
    pub pose: Pose3,
    /// Size of a drawn point in pixels.
    pub point_size: f64,
    /// Position of the declaration.
    pub span: Span,
}

pub(crate) static POINT_CLOUD: Section = section(
    "element class=\"pointcloud\"",
    "Points. They are checked only: bodies do not collide with them, and no sensor sees them.",
    &[
        attribute("class", Value::Text, "pointcloud or point_cloud").required(),
        // the aliases are those of MVSim's manual
        child("file_txt_3d", Value::Uri, "File with rows of x y z in m.").also(&["file"]),
        child("file_txt_2d", Value::Uri, "File with rows of x y in m."),
        child("points_size", positive("px"), "Size of a drawn point.")
            .or("3")
            .also(&["render_points_size"]),
        child("pose_3d", Value::Row(POSE_3D), "Pose of the cloud in m and degrees.")
            .or("0 0 0 0 0 0"),
    ],
);

pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Option<PointCloud> {
    let element = reader.element;
    let (spatial, planar) = (reader.text_of("file_txt_3d"), reader.text_of("file_txt_2d"));
    let point_size = reader.number("points_size");
    let pose = reader.given_row("pose_3d").map_or(Pose3::default(), |row| pose_from_row(&row));
    let context = reader.finish();
    let Some(text) = spatial.or(planar) else {
        let error = Diagnostic::error("a point cloud without a file")
            .at(element.name_span)
            .label("expected <file_txt_3d> or <file_txt_2d>")
            .help("write <file_txt_3d>FILE</file_txt_3d> for a file with rows of x y z in m");
        context.report.push(error);
        return None;
    };
    let path = files::local_path(context, text)?;
    let limits = context.assets.limits;
    let mut points = files::read(context, text.span, &path, |path| cloud::read(path, &limits))?;
    if !files::reserve(context, size_of_val(&points[..]), text.span) {
        return None;
    }
    if spatial.is_none() {
        points.iter_mut().for_each(|point| point[2] = 0.0);
    }
    Some(PointCloud { points: Arc::new(points), pose, point_size, span: element.name_span })
}
