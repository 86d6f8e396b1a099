//! Point clouds, which are checked only.

use std::ops::Range;
use std::sync::Arc;

use simhost_assets::cloud;
use simhost_scene::Pose3;

use crate::diagnostics::Diagnostic;
use crate::files;
use crate::pose::POSE_3D;
use crate::reader::{ElementReader, Field, declare};
use crate::sources::Span;
use crate::vocabulary::field::{child, class};
use crate::vocabulary::{Entry, Value, element, positive};

// the aliases are those of MVSim's manual
declare! {
    /// Points. They are checked only: bodies do not collide with them, and no sensor sees them.
    section = element("element class=\"pointcloud\"").with(&[class("pointcloud or point_cloud")]);

    /// Points that nothing sees yet.
    #[derive(Clone, Debug)]
    pub struct PointCloud {
        /// Points in the frame of the cloud in m.
        pub points: Arc<Vec<[f64; 3]>> =
            child(Value::Uri).named("file_txt_3d").doc("File with rows of x y z in m.").also(&["file"]),
            child(Value::Uri).named("file_txt_2d").doc("File with rows of x y in m.");
        /// Size of a drawn point.
        pub point_size: f64 = child(positive("px")).named("points_size").or("3").also(&["render_points_size"]);
        /// Pose of the cloud in m and degrees.
        pub pose: Pose3 = child(Value::Row(POSE_3D)).named("pose_3d").or("0 0 0 0 0 0");
        /// Position of the declaration.
        pub span: Span => |reader| reader.element.name_span;
    }
}

/// Points of the first file that is given.
impl Field for Arc<Vec<[f64; 3]>> {
    fn read(reader: &mut ElementReader<'_, '_, '_>, _: Range<usize>) -> Option<Self> {
        let [spatial, planar] = ["file_txt_3d", "file_txt_2d"].map(|name| reader.text_of(name));
        let text = spatial.or(planar)?;
        let context = &mut *reader.context;
        let path = files::local_path(context, text)?;
        let limits = context.assets.limits;
        let mut points = files::read(context, text.span, &path, |path| cloud::read(path, &limits))?;
        if !files::reserve(context, size_of_val(&points[..]), text.span) {
            return None;
        }
        if spatial.is_none() {
            points.iter_mut().for_each(|point| point[2] = 0.0);
        }
        Some(Self::new(points))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        None
    }

    fn report_absent(reader: &mut ElementReader<'_, '_, '_>, _: &'static Entry) {
        let error = Diagnostic::error("a point cloud without a file")
            .at(reader.element.name_span)
            .label("expected <file_txt_3d> or <file_txt_2d>")
            .help("write <file_txt_3d>FILE</file_txt_3d> for a file with rows of x y z in m");
        reader.context.report.push(error);
    }
}
